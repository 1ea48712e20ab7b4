//! A polygon's rings as the caller gave them.

use crate::geom::Point;

/// The vertices of a shell and its holes, ring after ring, without closing vertices, although the
/// memory may hold some.
#[derive(Clone, Copy, Debug)]
pub struct Rings<'a> {
    /// The only ring, without its closing vertex, or the array that the offsets divide.
    array: &'a [Point],
    /// The start of each ring and the end of the last one; empty for one ring.
    offsets: &'a [usize],
}

impl<'a> Rings<'a> {
    /// The rings into which the offsets divide a part of an array.
    ///
    /// # Panics
    ///
    /// If the offsets of a ring decrease or exceed the array: at once for a single ring, else when
    /// that ring is read.
    #[inline]
    pub fn new(array: &'a [Point], offsets: &'a [usize]) -> Self {
        match *offsets {
            [start, end] => Self::from(&array[start..end]),
            [_, _, ..] => Self { array, offsets },
            _ => Self::from(&array[..0]),
        }
    }

    /// The number of rings.
    #[inline]
    pub fn len(&self) -> usize {
        self.offsets.len().saturating_sub(1).max(1)
    }

    /// Whether there are no vertices.
    pub fn is_empty(&self) -> bool {
        self.vertices() == 0
    }

    /// The vertices of a ring.
    ///
    /// # Panics
    ///
    /// If there is no such ring.
    #[inline]
    pub fn ring(&self, ring: usize) -> &'a [Point] {
        match self.offsets {
            [] => self.array,
            offsets => open(&self.array[offsets[ring]..offsets[ring + 1]]),
        }
    }

    /// The vertices of each ring, the shell first.
    pub fn iter(&self) -> impl Iterator<Item = &'a [Point]> + use<'a> {
        let rings = *self;
        (0..rings.len()).map(move |ring| rings.ring(ring))
    }

    /// The number of vertices of all rings.
    #[inline]
    pub fn vertices(&self) -> usize {
        match self.offsets {
            [] => self.array.len(),
            _ => self.iter().map(<[Point]>::len).sum(),
        }
    }
}

/// Rings are equal if they have the same vertices in the same order.
impl PartialEq for Rings<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.iter().eq(other.iter())
    }
}

/// One ring, without its closing vertex.
impl<'a, R: AsRef<[Point]> + ?Sized> From<&'a R> for Rings<'a> {
    #[inline]
    fn from(ring: &'a R) -> Self {
        Self {
            array: open(ring.as_ref()),
            offsets: &[],
        }
    }
}

/// A ring without its closing vertex, however often that is repeated, so that the function is
/// idempotent.
#[inline]
pub fn open(mut ring: &[Point]) -> &[Point] {
    while let [first, middle @ .., last] = ring
        && first == last
        && !middle.is_empty()
    {
        ring = &ring[..=middle.len()];
    }
    ring
}
