//! The trait of queries about one or two polygons per row and some numbers: what answers one row, or
//! eight rows at once.

use fearless_simd::{mask64x8, prelude::*};

use super::tile_operands::{Numbers, TileOperands, TileRing};
use super::tile_output::Answers;
use crate::batch::{FieldSet, OutputTable, QueryResult, SweptCollisionWithMtv};
use crate::convex::filter::RingAndCircle;
use crate::shape::{Concave, RelativeMotion, Shape};
use crate::simd::lanes::{Lanes, Scratch, Vectors};
use crate::simd::load::Lane;

/// A query about `RINGS` polygons per row: for one row of any polygons, and for eight rows of convex
/// rings at once.
pub trait TileQuery<const RINGS: usize>: Send + Sync + 'static {
    /// The result for one row.
    type Answer: QueryResult;

    /// Computes the wanted fields for one row; others may hold anything.
    ///
    /// # Errors
    ///
    /// If a polygon is not convex, and must be.
    fn one(row: &Row<'_, RINGS>) -> Result<Self::Answer, Concave>;

    /// Keeps the part of an answer by [`Self::one`] that has no column in the table.
    fn keep(&self, row: usize, answer: &Self::Answer) {
        let _ = (row, answer);
    }

    /// Pairs of vertices above which these fields of rows that are answered one by one, by GJK, take less time than a
    /// tile.
    fn most_pairs(fields: FieldSet) -> usize {
        let _ = fields;
        usize::MAX
    }

    /// Fields with a long kernel, which gains little from a size that is known when it is compiled (that of
    /// [`SweptCircleQuery`](crate::batch::queries::circle_queries::SweptCircleQuery) 1 to 6 %). Tiles with these are compiled for
    /// rings of any size only, since kernels for single sizes would double the build time.
    const LONG: FieldSet = FieldSet::new(&[]);

    /// Whether rows may have a direction, stored as their velocity. It must not be zero. Rows with directions are
    /// answered one by one.
    const DIRECTED: bool = false;

    /// Whether the kernel supports turns. Rows that turn are otherwise answered one by one.
    const TURNS: bool = false;

    /// Fills rows of a table in another way than by tiles of this query, and returns the others, in order; `None`
    /// if tiles are to fill it. By default nothing is filled where shapes turn; an override must return these rows, too,
    /// unless the query [`TURNS`](Self::TURNS).
    fn fill_otherwise(
        operands: &TileOperands<'_, RINGS>,
        table: &mut OutputTable<'_>,
    ) -> Option<Vec<usize>> {
        operands.are_turning().then(|| (0..table.rows).collect())
    }

    /// The cost of a row per vertex, relative to that of most queries.
    const COST: usize = 1;

    /// Scratch for an edge of a ring.
    type Edge<S: Simd>: Scratch<Lane<S>>;

    /// Answers a tile: the lanes in which all wanted fields are certain, and the fields. In the other lanes
    /// the fields have no meaning. There may be margins and radii, and segments and points as rings of two
    /// vertices and of one: a kernel that does not handle these must leave their lanes open, as that of
    /// [`ClosestApproachQuery`](crate::batch::queries::moving_queries::ClosestApproachQuery) does. `edges` is scratch space, one entry for each edge.
    fn eight<S: Simd>(
        tile: &Tile<'_, S, RINGS>,
        edges: &mut [Self::Edge<S>],
    ) -> (mask64x8<S>, impl Fn(usize) -> Answers<S>);

    /// The answer to shapes that are apart, and the fields in which it is right for all of them.
    #[inline]
    fn apart() -> Option<(Self::Answer, FieldSet)> {
        None
    }

    /// The fields in which [`Self::apart`] is right for convex shapes only.
    const CONVEX: FieldSet = FieldSet::new(&[]);

    /// Whether [`Self::apart`] is right for convex shapes only. If that holds for all fields, concave shapes may be
    /// an error, which must be raised even if no field is wanted.
    #[inline]
    fn is_of_convex(fields: FieldSet) -> bool {
        Self::CONVEX == FieldSet::ALL || fields.intersects(Self::CONVEX)
    }

    /// The answer to shapes that are apart, if it is right in all these fields.
    #[inline]
    fn same_if_apart(fields: FieldSet) -> Option<Self::Answer> {
        let (answer, same) = Self::apart()?;
        fields.is_subset(same).then_some(answer)
    }
}

/// One row.
pub struct Row<'r, const RINGS: usize> {
    pub(crate) polygons: [&'r Shape<'r>; RINGS],
    pub(crate) numbers: &'r Numbers<f64>,
    /// How the first shape moves relative to the second: for most rows the velocity.
    pub(crate) motion: RelativeMotion,
    /// The fields that are wanted.
    pub(crate) fields: FieldSet,
}

impl Row<'_, 2> {
    /// The collision of the first shape, which moves, with the second.
    #[inline]
    pub(crate) fn sweep(&self) -> SweptCollisionWithMtv {
        SweptCollisionWithMtv::of_fields(
            self.polygons,
            self.motion,
            self.numbers.margin,
            self.fields,
        )
    }
}

/// Eight rows of convex, counterclockwise rings.
pub struct Tile<'r, S: Simd, const RINGS: usize> {
    pub(crate) rings: [&'r TileRing<S>; RINGS],
    /// The lower left and the upper right corner of the box round all rings of a row.
    pub(crate) sides: [Vectors<Lane<S>>; 2],
    pub(crate) numbers: Numbers<Lane<S>>,
    /// The rows whose first ring was reversed.
    pub(crate) reversed: mask64x8<S>,
    /// The fields that are wanted.
    pub(crate) fields: FieldSet,
}

impl<S: Simd, const RINGS: usize> Tile<'_, S, RINGS> {
    /// Width and height of the box round all rings of a row.
    #[inline(always)]
    pub(crate) fn size(&self) -> Vectors<Lane<S>> {
        let [low, high] = self.sides;
        high - low
    }

    /// The sum of margin and radii, if any row may have one.
    #[inline(always)]
    pub(crate) fn radius(&self) -> Option<Lane<S>> {
        // Not by `bool::then`, in which the lanes' operations would be calls.
        if self.numbers.is_rounded {
            Some(self.numbers.margin)
        } else {
            None
        }
    }

    /// Where no margin or radius is above zero.
    #[inline(always)]
    pub(crate) fn is_sharp(&self) -> mask64x8<S> {
        let radius = self.numbers.margin;
        radius.same(radius.all(0.0))
    }
}

/// A polygon of each row beside a circle.
pub(crate) type CircleOfTile<'r, S> = RingAndCircle<'r, Lane<S>, TileRing<S>>;

impl<'r, S: Simd> Tile<'r, S, 2> {
    /// Where one ring has one vertex and the other is a polygon's: the polygon beside a circle of the sum of all radii;
    /// and whether the circle is the second shape.
    #[inline(always)]
    pub(crate) fn circle(&self) -> Option<(CircleOfTile<'r, S>, bool)> {
        let [a, b] = self.rings;
        let (ring, point, is_b) = match (a, b) {
            ([point], [_, _, _, ..]) => (b, point, false),
            ([_, _, _, ..], [point]) => (a, point, true),
            _ => return None,
        };
        let circle = (*point, self.numbers.margin);
        let around = RingAndCircle::new(ring, self.sides, circle, self.numbers.is_sum);
        Some((around, is_b))
    }
}
