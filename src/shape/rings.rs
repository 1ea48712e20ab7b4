//! A polygon's rings as the caller gave them.

use crate::geom::Point;

/// The vertices of a shell and its holes, ring after ring. Closing vertices may lie in the memory,
/// but nobody sees them here.
#[derive(Clone, Copy, Debug)]
pub struct Rings<'a> {
    /// The only ring, without its closing vertex, or what the offsets divide.
    array: &'a [Point],
    /// Where each ring starts and the last one ends; empty for one ring.
    offsets: &'a [usize],
}

impl<'a> Rings<'a> {
    /// Rings out of a longer array, which these offsets divide.
    ///
    /// # Panics
    ///
    /// If the offsets of a single ring don't rise, or go beyond the array; else when a ring is
    /// looked at of which that is true.
    #[inline]
    pub fn new(array: &'a [Point], offsets: &'a [usize]) -> Self {
        match *offsets {
            [start, end] => Self::from(&array[start..end]),
            [_, _, ..] => Self { array, offsets },
            _ => Self::from(&array[..0]),
        }
    }

    /// How many there are.
    #[inline]
    pub fn len(&self) -> usize {
        self.offsets.len().saturating_sub(1).max(1)
    }

    /// Whether there is nothing at all.
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

    /// How many vertices all rings have together.
    #[inline]
    pub fn vertices(&self) -> usize {
        match self.offsets {
            [] => self.array.len(),
            _ => self.iter().map(<[Point]>::len).sum(),
        }
    }
}

/// Whether they are the same rings with the same vertices, in the same order.
impl PartialEq for Rings<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.iter().eq(other.iter())
    }
}

/// One ring; a repeated closing vertex is left out.
impl<'a, R: AsRef<[Point]> + ?Sized> From<&'a R> for Rings<'a> {
    #[inline]
    fn from(ring: &'a R) -> Self {
        Self {
            array: open(ring.as_ref()),
            offsets: &[],
        }
    }
}

/// A ring without its closing vertex, however often that is repeated, so that opening it twice
/// makes no difference.
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
