//! The operands of eight rows, and how they are loaded.

use fearless_simd::{mask64x8, prelude::*};

use super::tile_rows::TileRows;
use crate::batch::rows::operand_rows::ItemRows;
use crate::batch::rows::polygon_operand::PolygonOperand;
use crate::batch::rows::turn_rows::TurnView;
use crate::batch::{FieldSet, OperandRows, Shared};
use crate::convex;
use crate::geom::{Circle, Point, Vec2};
use crate::predicates::rounded_radius_sum;
use crate::simd::lanes::{Lanes, Vectors};
use crate::simd::load::{self, LANES, Lane, MOST_IN_A_TILE, load, reverse_clockwise};

/// A ring per lane, all with the same number of vertices.
pub(crate) type TileRing<S> = [Vectors<Lane<S>>];

/// The operands of a query besides its polygons.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Numbers<L> {
    /// Center of the circle; the origin for a query without.
    pub(crate) center: Vectors<L>,
    /// Radius of the circle; 0 for a query without.
    pub(crate) radius: L,
    /// Displacement of the first shape relative to the second.
    pub(crate) velocity: Option<Vectors<L>>,
    /// The margin; 0 for a query without. In a tile, the sum with the radii of the rows, that of a circle too, as
    /// [`crate::geom::RadiusSum`] rounds it; NaN where a term is invalid or not of usual size.
    pub(crate) margin: L,
    /// In a tile: the radii of two polygons, or of a circle and a polygon; 0 where no row has one.
    pub(crate) radii: [L; 2],
    /// In a tile: whether any row may have a margin or a radius.
    pub(crate) is_rounded: bool,
    /// In a tile: whether the margin may be a sum of several of these.
    pub(crate) is_sum: bool,
    /// In a tile of [`TileQuery::TURNS`](crate::batch::TileQuery::TURNS): how the shapes turn.
    pub(crate) turns: Option<Turning<L>>,
}

/// The angles and centers of two shapes, and the finest step in which their motion is looked at.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Turning<L> {
    pub(crate) angles: [L; 2],
    pub(crate) centers: [Vectors<L>; 2],
    pub(crate) finest: f64,
}

impl Numbers<f64> {
    pub(crate) fn circle(&self) -> Circle {
        Circle {
            center: self.center.into(),
            radius: self.radius,
        }
    }

    pub(crate) fn velocity(&self) -> Vec2 {
        self.velocity.map_or(Vec2::ZERO, Vec2::from)
    }
}

impl<L: Lanes> Numbers<L> {
    /// Where the velocity is finite.
    #[inline(always)]
    pub(super) fn has_finite_velocity(&self) -> L::Mask {
        let infinity = self.radius.all(f64::INFINITY);
        let none = Vectors::both(self.radius.all(0.0));
        let speed = self.velocity.unwrap_or(none).map(L::abs);
        infinity.above(speed.x) & infinity.above(speed.y)
    }

    /// Where the margin, with the radii, is of usual size.
    #[inline(always)]
    pub(crate) fn has_radius(&self) -> L::Mask {
        self.margin.same(self.margin)
    }
}

/// Center and radius of the circle of each row.
pub(crate) type Circles = (OperandRows<Shared<Point>>, OperandRows<Shared<f64>>);

/// The operands of a query, for a part of the answer.
#[derive(Clone, Copy)]
pub struct TileOperands<'a, const RINGS: usize> {
    pub(crate) rings: [PolygonOperand<'a>; RINGS],
    pub(crate) circle: Option<(ItemRows<'a, Point>, ItemRows<'a, f64>)>,
    pub(crate) velocity: Option<ItemRows<'a, Vec2>>,
    pub(crate) margin: Option<ItemRows<'a, f64>>,
    pub(crate) turns: [Option<TurnView<'a>>; 2],
    /// The shortest step in which the motion of shapes that turn is looked at.
    pub(crate) finest: f64,
    /// The fields that are wanted.
    pub(crate) fields: FieldSet,
}

impl<const RINGS: usize> TileOperands<'_, RINGS> {
    /// The numbers of one row.
    #[inline]
    pub(crate) fn numbers(&self, row: usize) -> Numbers<f64> {
        let circle = self.circle.as_ref();
        let (center, radius) = circle.map_or((Point::ORIGIN, 0.0), |(center, radius)| {
            (center.at(row), radius.at(row))
        });
        Numbers {
            center: center.into(),
            radius,
            velocity: self.velocity.as_ref().map(|it| it.at(row)),
            margin: self.margin.as_ref().map_or(0.0, |it| it.at(row)),
            radii: [0.0; 2],
            is_rounded: self.are_rounded(),
            is_sum: self.have_sums(),
            turns: None,
        }
    }

    /// Whether any row may have a margin or a radius.
    pub(super) fn are_rounded(&self) -> bool {
        self.margin.is_some() || self.rings.iter().any(|it| it.column.has_radii())
    }

    /// Whether any row may have several of a margin and radii.
    fn have_sums(&self) -> bool {
        let radii = self.rings.iter().filter(|it| it.column.has_radii()).count();
        radii + usize::from(self.margin.is_some()) + usize::from(self.circle.is_some()) > 1
    }

    /// Whether any shape may turn.
    pub(crate) fn are_turning(&self) -> bool {
        self.turns.iter().any(Option::is_some)
    }

    /// The numbers of eight rows.
    #[inline(always)]
    pub(super) fn eight_numbers<S: Simd>(&self, simd: S, rows: &TileRows) -> Numbers<Lane<S>> {
        let mut numbers = self.eight_numbers_without_margin(simd, rows);
        if numbers.is_rounded {
            // Of a circle and a polygon the circle's comes first.
            let zero = Lane::splat(simd, 0.0);
            let mut radii = [numbers.radius, zero, zero];
            let of_circle = usize::from(self.circle.is_some());
            for (radius, rings) in radii[of_circle..].iter_mut().zip(&self.rings) {
                if let Some(eight) = rings.eight_radii(rows) {
                    *radius = load::numbers(simd, eight);
                }
            }
            if let Some(margin) = &self.margin {
                radii[2] = load::numbers(simd, margin.eight(rows));
            }
            numbers.margin = rounded_radius_sum(radii);
            numbers.radii = [radii[0], radii[1]];
        }
        numbers
    }

    /// The numbers of eight rows without margins and radii.
    #[inline(always)]
    pub(super) fn eight_numbers_without_margin<S: Simd>(
        &self,
        simd: S,
        rows: &TileRows,
    ) -> Numbers<Lane<S>> {
        let mut numbers = Numbers {
            center: Vectors::both(Lane::splat(simd, 0.0)),
            radius: Lane::splat(simd, 0.0),
            velocity: None,
            margin: Lane::splat(simd, 0.0),
            radii: [Lane::splat(simd, 0.0); 2],
            is_rounded: self.are_rounded(),
            is_sum: self.have_sums(),
            turns: None,
        };
        if let Some((center, radius)) = &self.circle {
            numbers.center = load::points(simd, &center.eight(rows));
            numbers.radius = load::numbers(simd, radius.eight(rows));
        }
        if let Some(velocity) = &self.velocity {
            numbers.velocity = Some(load::vectors(simd, &velocity.eight(rows)));
        }
        numbers
    }

    /// How the shapes of eight rows turn; centers without a meaning may be anything.
    #[inline(always)]
    pub(super) fn eight_turns<S: Simd>(&self, simd: S, rows: &TileRows) -> Turning<Lane<S>> {
        let zero = Lane::splat(simd, 0.0);
        let mut turning = Turning {
            angles: [zero; 2],
            centers: [Vectors::both(zero); 2],
            finest: self.finest,
        };
        for (side, turns) in self.turns.iter().enumerate() {
            if let Some((angle, center)) = turns {
                turning.angles[side] = load::numbers(simd, angle.eight(rows));
                if let Some(center) = center {
                    turning.centers[side] = load::points(simd, &center.eight(rows));
                }
            }
        }
        turning
    }
}

/// What is known of the rings of a tile.
#[derive(Clone, Copy)]
pub(crate) struct TileWinding<S: Simd> {
    /// The rows that are rings of the tile's size.
    is_ring: mask64x8<S>,
    /// Whether they are known to be convex; they are counterclockwise now.
    is_known: bool,
    /// A bit for each ring that was reversed.
    pub(crate) reversed: u64,
}

impl<S: Simd> TileWinding<S> {
    /// The rows whose rings are convex and counterclockwise now. Where rings that are not
    /// known to be convex turn right instead, their bits in `reversed` change.
    #[inline(always)]
    pub(crate) fn convex(
        &self,
        ring: &TileRing<S>,
        error: Lane<S>,
        reversed: &mut u64,
    ) -> mask64x8<S> {
        if self.is_known {
            return self.is_ring;
        }
        let left = convex::turns_left(ring, error);
        if !left.all_true() {
            *reversed ^= convex::turns_right(ring, error).to_bitmask();
        }
        self.is_ring & left
    }
}

impl PolygonOperand<'_> {
    /// Loads the rings of eight rows and reverses those that are clockwise: those of the bits in
    /// `reversed`, where that is not known. `MOST` is their number of vertices, or [`MOST_IN_A_TILE`] for any number.
    #[inline(always)]
    pub(crate) fn load<S: Simd, const MOST: usize>(
        &self,
        simd: S,
        rows: &TileRows,
        into: &mut TileRing<S>,
        reversed: u64,
    ) -> TileWinding<S> {
        if MOST < MOST_IN_A_TILE {
            self.load_inlined(simd, rows, into, reversed)
        } else {
            self.load_shared(simd, rows, into, reversed)
        }
    }

    #[inline(always)]
    fn load_inlined<S: Simd>(
        &self,
        simd: S,
        rows: &TileRows,
        into: &mut TileRing<S>,
        reversed: u64,
    ) -> TileWinding<S> {
        let count = into.len();
        let (vertices, is_ring, known) = match self.run(rows, count) {
            Some((run, kinds)) => {
                let stride = run.len() / LANES;
                (
                    [
                        &run[..count],
                        &run[stride..][..count],
                        &run[2 * stride..][..count],
                        &run[3 * stride..][..count],
                        &run[4 * stride..][..count],
                        &run[5 * stride..][..count],
                        &run[6 * stride..][..count],
                        &run[7 * stride..][..count],
                    ],
                    kinds.map_or(!0, |[convex, _]| convex),
                    kinds.map(|[_, clockwise]| clockwise),
                )
            }
            None => self.gather(rows, count),
        };
        load(simd, &vertices, into);
        let clockwise = known.unwrap_or(reversed);
        if clockwise != 0 {
            reverse_clockwise(into, mask64x8::from_bitmask(simd, clockwise));
        }
        TileWinding {
            is_ring: mask64x8::from_bitmask(simd, is_ring),
            is_known: known.is_some(),
            reversed: clockwise,
        }
    }

    /// Not inlined: one copy serves the kernels of all queries for rings of any size. Inlined it was 3 % of the extension
    /// module, and took as many instructions.
    #[inline(never)]
    fn load_shared<S: Simd>(
        &self,
        simd: S,
        rows: &TileRows,
        into: &mut TileRing<S>,
        reversed: u64,
    ) -> TileWinding<S> {
        simd.vectorize(
            #[inline(always)]
            || self.load_inlined(simd, rows, into, reversed),
        )
    }

    /// The rings of eight rows anywhere in memory; a bit for each that has `count` vertices; and a
    /// bit for each that is clockwise, if all are known to be convex.
    #[inline(never)]
    fn gather(&self, rows: &TileRows, count: usize) -> ([&[Point]; LANES], u64, Option<u64>) {
        let mut vertices: [&[Point]; LANES] = [&[]; LANES];
        let [mut is_ring, mut clockwise] = [0_u64; 2];
        let mut is_known = true;
        for (lane, vertices) in vertices.iter_mut().enumerate() {
            match self.ring_of(rows.row(lane), count) {
                Ok((ring, winding)) => {
                    *vertices = ring;
                    is_known &= winding.is_some();
                    is_ring |= 1 << lane;
                    clockwise |= u64::from(winding == Some(true)) << lane;
                }
                Err(other) => *vertices = other,
            }
        }
        (vertices, is_ring, is_known.then_some(clockwise))
    }
}
