//! What the tile driver needs of a query about one or two polygons per row and some numbers.

use std::cell::OnceCell;

use fearless_simd::{mask64x8, prelude::*};

use crate::batch::result::{FieldSet, Value};
use crate::batch::tile_io::{Numbers, Ring};
use crate::batch::tile_rows::Answers;
use crate::convex::{self, Convexity};
use crate::geom::{Bounds, Point};
use crate::simd::lanes::Vectors;
use crate::simd::tile::Lane;

/// The kernels of a query about `RINGS` polygons per row: for eight rows of convex rings at once, and
/// for large convex rings.
pub trait TileQuery<const RINGS: usize>: 'static {
    /// Fields with a long kernel. Tiles with these are compiled for rings of any size only, since
    /// kernels for single sizes would double the build time.
    const LONG: FieldSet = FieldSet::new(&[]);

    /// The result for eight rows.
    type Answers<S: Simd>;

    /// Scratch for an edge of a ring.
    type Edge<S: Simd>: Copy;

    /// Scratch to begin with.
    fn edge<S: Simd>(zero: Lane<S>) -> Self::Edge<S>;

    /// Answers a tile. There is scratch for every edge.
    fn eight<S: Simd>(tile: &Tile<'_, S, RINGS>, edges: &mut [Self::Edge<S>]) -> Self::Answers<S>;

    /// Where all these fields are certain.
    fn certain<S: Simd>(answers: &Self::Answers<S>, fields: FieldSet) -> mask64x8<S>;

    /// A field of the answers, right where it is certain.
    fn field<S: Simd>(answers: &Self::Answers<S>, field: usize) -> Answers<S>;

    /// A field of the answer to convex shapes that are apart, if it is the same for all of them.
    #[inline]
    fn of_apart(_field: usize) -> Option<Value> {
        None
    }

    /// Whether all these fields are known of shapes that are apart.
    #[inline]
    fn is_told_apart(fields: FieldSet) -> bool {
        fields.all(|field| Self::of_apart(field).is_some())
    }

    /// The fields that [`Self::large`] computes.
    const LARGE: FieldSet = FieldSet::new(&[]);

    /// Answers a row of large convex rings, if that is certain and faster than to answer
    /// it by itself.
    #[inline(always)]
    fn large<S: Simd>(
        _simd: S,
        _rings: [&LargeRing<'_>; RINGS],
        _numbers: &Numbers<f64>,
        _fields: FieldSet,
    ) -> Option<impl Fn(usize) -> Value> {
        None::<fn(usize) -> Value>
    }
}

/// Eight rows of convex, counterclockwise rings.
pub struct Tile<'r, S: Simd, const RINGS: usize> {
    pub(super) rings: [&'r Ring<S>; RINGS],
    /// The lower left and the upper right corner of the box round all rings of a row.
    pub(super) sides: [Vectors<Lane<S>>; 2],
    pub(super) numbers: Numbers<Lane<S>>,
    /// The rows whose first ring was reversed.
    pub(super) reversed: mask64x8<S>,
    /// The fields that are wanted.
    pub(super) fields: FieldSet,
}

impl<S: Simd, const RINGS: usize> Tile<'_, S, RINGS> {
    /// Width and height of the box round all rings of a row.
    #[inline(always)]
    pub(super) fn size(&self) -> Vectors<Lane<S>> {
        let [low, high] = self.sides;
        high - low
    }
}

/// A ring that is certainly strictly convex, of any size.
pub struct LargeRing<'a> {
    pub(super) vertices: &'a [Point],
    pub(super) convexity: Convexity,
    ring: OnceCell<convex::Ring<'a>>,
    bounds: OnceCell<Bounds>,
}

impl<'a> LargeRing<'a> {
    pub(super) fn new(vertices: &'a [Point], convexity: Convexity) -> Self {
        Self {
            vertices,
            convexity,
            ring: OnceCell::new(),
            bounds: OnceCell::new(),
        }
    }

    /// The ring, counterclockwise.
    #[inline]
    pub(super) fn ring(&self) -> &convex::Ring<'a> {
        self.ring
            .get_or_init(|| convex::Ring::known(self.vertices, self.convexity))
    }

    /// The bounding box.
    #[inline]
    pub(super) fn bounds(&self) -> &Bounds {
        self.bounds.get_or_init(|| {
            let around = || self.vertices.iter().map(|&it| Bounds::from(it)).collect();
            self.convexity.bounds.unwrap_or_else(around)
        })
    }
}
