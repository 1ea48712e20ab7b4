//! A shape as the caller gave it: the vertices of its rings, paths or points.

use super::kind::ShapeKind;
use crate::geom::Point;

/// The vertices of a shape, ring after ring: of polygons a shell and its holes, without closing
/// vertices, although the memory may hold some; of paths and points each is a ring of its own.
#[derive(Clone, Copy, Debug)]
pub struct Rings<'a> {
    /// The only ring, without its closing vertex, or the array that the offsets divide.
    array: &'a [Point],
    /// The start of each ring and the end of the last one; empty for one ring.
    offsets: &'a [usize],
    /// Where each of several polygons starts among some rings, the first at the first ring here, and
    /// where the last one ends; empty for other kinds.
    polygons: &'a [usize],
    kind: ShapeKind,
    radius: f64,
}

impl<'a> Rings<'a> {
    /// The rings of a polygon, into which the offsets divide a part of an array.
    ///
    /// # Panics
    ///
    /// If the offsets of a ring decrease or exceed the array: at once for a single ring, else when
    /// that ring is read.
    #[inline]
    pub fn new(array: &'a [Point], offsets: &'a [usize]) -> Self {
        Self::of_kind(array, offsets, ShapeKind::Polygon, &[])
    }

    /// The rings of a shape of any kind. For several polygons, `polygons` says where each starts among
    /// some rings, the first at the first ring here, and where the last one ends. It is ignored for other
    /// kinds.
    ///
    /// # Panics
    ///
    /// If the offsets of a ring decrease or exceed the array: see [`Self::new`].
    #[inline]
    pub fn of_kind(
        array: &'a [Point],
        offsets: &'a [usize],
        kind: ShapeKind,
        polygons: &'a [usize],
    ) -> Self {
        // Rows of other kinds in the same column count as one polygon.
        let polygons = match kind {
            ShapeKind::MultiPolygon => polygons,
            _ => &[],
        };
        match *offsets {
            [start, end] => Self {
                polygons,
                ..Self::of_one(&array[start..end], kind)
            },
            [_, _, ..] => Self {
                array,
                offsets,
                polygons,
                ..Self::of_one(&[], kind)
            },
            _ => Self::of_one(&[], kind),
        }
    }

    /// A shape of one ring, path or point, without a closing vertex if it is a polygon.
    #[inline]
    pub fn of_one(vertices: &'a [Point], kind: ShapeKind) -> Self {
        Self {
            array: if kind.is_polygonal() {
                open(vertices)
            } else {
                vertices
            },
            offsets: &[],
            polygons: &[],
            kind,
            radius: 0.0,
        }
    }

    /// This shape with a radius.
    #[inline]
    #[must_use]
    pub fn with_radius(self, radius: f64) -> Self {
        Self { radius, ..self }
    }

    /// The radius.
    #[inline]
    pub fn radius(&self) -> f64 {
        self.radius
    }

    /// What the shape consists of.
    #[inline]
    pub fn kind(&self) -> ShapeKind {
        self.kind
    }

    /// The number of rings.
    #[inline]
    pub fn len(&self) -> usize {
        self.offsets.len().saturating_sub(1).max(1)
    }

    /// Whether there is one ring, and no part without rings.
    #[inline]
    pub(super) fn is_one_ring(&self) -> bool {
        self.len() == 1 && self.polygons.len() <= 2
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
            offsets => {
                let ring = &self.array[offsets[ring]..offsets[ring + 1]];
                if self.kind.is_polygonal() {
                    open(ring)
                } else {
                    ring
                }
            }
        }
    }

    /// The vertices of each ring; of a polygon the shell first.
    pub fn iter(&self) -> impl Iterator<Item = &'a [Point]> + use<'a> {
        let rings = *self;
        (0..rings.len()).map(move |ring| rings.ring(ring))
    }

    /// Where each part (point, path or polygon) starts among the rings, and where the last one ends.
    pub fn parts(&self) -> impl Iterator<Item = usize> + use<'a> {
        let (polygons, rings, kind) = (self.polygons, self.len(), self.kind);
        let first = polygons.first().copied().unwrap_or(0);
        let several = polygons.iter().map(move |&start| start - first);
        let step = if kind.is_polygonal() { rings } else { 1 };
        let others = (0..=rings).step_by(step.max(1));
        several.chain(others.filter(move |_| polygons.is_empty()))
    }

    /// Each of several polygons.
    pub(super) fn polygons(&self) -> impl Iterator<Item = Self> + use<'a> {
        let rings = *self;
        let ends = rings.parts().skip(1);
        (rings.parts().zip(ends)).map(move |(start, end)| match rings.offsets {
            [] => rings,
            offsets => Self::new(rings.array, &offsets[start..=end]),
        })
    }

    /// The point, if the shape is one with finite coordinates.
    #[inline(always)]
    pub(super) fn finite_point(&self) -> Option<Point> {
        match *self.array {
            [point] if self.kind == ShapeKind::Point && self.offsets.is_empty() => {
                point.is_finite().then_some(point)
            }
            _ => None,
        }
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

/// Shapes are equal if they have the same kind, the same radius, and the same vertices in the same
/// order.
impl PartialEq for Rings<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.kind == other.kind
            && self.radius == other.radius
            && self.iter().eq(other.iter())
            && self.parts().eq(other.parts())
    }
}

/// A polygon of one ring, without its closing vertex.
impl<'a, R: AsRef<[Point]> + ?Sized> From<&'a R> for Rings<'a> {
    #[inline]
    fn from(ring: &'a R) -> Self {
        Self::of_one(ring.as_ref(), ShapeKind::Polygon)
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
