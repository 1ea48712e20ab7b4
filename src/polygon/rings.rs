//! A polygon's rings as the caller gave them.

use std::ops::Range;

use crate::geom::Point;

/// The vertices of a shell and its holes, ring after ring, without closing vertices.
#[derive(Clone, Copy, Debug)]
pub struct Rings<'a> {
    vertices: &'a [Point],
    /// Where each ring starts and the last one ends, counted from wherever the first starts;
    /// empty for one ring.
    offsets: &'a [usize],
}

impl<'a> Rings<'a> {
    /// Rings out of a longer array, which these offsets divide.
    ///
    /// # Panics
    ///
    /// If the offsets don't rise, or go beyond the array.
    pub fn new(array: &'a [Point], offsets: &'a [usize]) -> Self {
        match *offsets {
            [start, .., end] => Self {
                vertices: &array[start..end],
                offsets: if offsets.len() == 2 { &[] } else { offsets },
            },
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
        self.vertices.is_empty()
    }

    /// The vertices of all rings.
    #[inline]
    pub fn vertices(&self) -> &'a [Point] {
        self.vertices
    }

    /// Where the vertices of a ring stand among all.
    #[inline]
    pub(crate) fn span(&self, ring: usize) -> Range<usize> {
        match self.offsets {
            [] => 0..self.vertices.len(),
            offsets => offsets[ring] - offsets[0]..offsets[ring + 1] - offsets[0],
        }
    }
}

/// One ring; a repeated closing vertex is left out.
impl<'a, R: AsRef<[Point]> + ?Sized> From<&'a R> for Rings<'a> {
    #[inline]
    fn from(ring: &'a R) -> Self {
        Self {
            vertices: open(ring.as_ref()),
            offsets: &[],
        }
    }
}

/// A ring without its repeated closing vertex.
#[inline]
pub fn open(ring: &[Point]) -> &[Point] {
    match ring {
        [first, middle @ .., last] if first == last && !middle.is_empty() => &ring[..=middle.len()],
        _ => ring,
    }
}
