//! The queries about two shapes that move.

use std::sync::{Mutex, PoisonError};

use fearless_simd::{mask64x8, prelude::*};

use super::shape_queries::most_pairs_by_numbers;
use crate::batch::tile::tile_operands::{Numbers, TileOperands, TileRing};
use crate::batch::tile::tile_output::Answers;
use crate::batch::tile::tile_query::{CircleOfTile, Row, Tile};
use crate::batch::tile::turning_sweep_tiles;
use crate::batch::{FieldKind, FieldSet, OutputTable, SweptCollisionWithMtv, TileQuery};
use crate::convex::filter::{
    self, EntryFeatures, FilteredApproach, FilteredImpact, FilteredInterval, FilteredSweep,
    FilteredSweepMtv,
};
use crate::convex::{EdgeSupport, SupportTable};
use crate::shape::{self, ClosestApproach, Concave, TimeIntervals};
use crate::simd::lanes::{Lanes, Vectors};
use crate::simd::load::Lane;

/// [`shape::swept_collision`] with the translation that clears the sweep.
#[derive(Clone, Copy, Debug)]
pub struct SweptCollisionQuery;

/// The fields that say how the shapes touch.
const IMPACT: FieldSet = FieldSet::new(&[
    SweptCollisionWithMtv::NORMAL,
    SweptCollisionWithMtv::CONTACT,
]);

impl TileQuery<2> for SweptCollisionQuery {
    const CONVEX: FieldSet = FieldSet::new(&[SweptCollisionWithMtv::MTV]);
    const LONG: FieldSet = FieldSet::new(&[
        SweptCollisionWithMtv::NORMAL,
        SweptCollisionWithMtv::CONTACT,
        SweptCollisionWithMtv::MTV,
    ]);
    type Answer = SweptCollisionWithMtv;
    type Edge<S: Simd> = EdgeSupport<Lane<S>>;

    fn one(row: &Row<'_, 2>) -> Result<SweptCollisionWithMtv, Concave> {
        Ok(row.sweep())
    }

    fn fill_otherwise(
        operands: &TileOperands<'_, 2>,
        table: &mut OutputTable<'_>,
    ) -> Option<Vec<usize>> {
        let is_turning = operands.are_turning();
        is_turning.then(|| turning_sweep_tiles::fill(operands, table))
    }

    #[inline(always)]
    fn eight<S: Simd>(
        tile: &Tile<'_, S, 2>,
        edges: &mut [Self::Edge<S>],
    ) -> (mask64x8<S>, impl Fn(usize) -> Answers<S>) {
        let (certain, sweep, impact, mtv) = match tile.circle() {
            // The minimum translation is that of rings.
            Some((around, point_is_b)) if !tile.fields.contains(SweptCollisionWithMtv::MTV) => {
                sweep_of_point(&around, point_is_b, tile)
            }
            _ => sweep_of_rings(tile, edges),
        };
        (
            certain,
            #[inline(always)]
            move |field| match (field, &impact, &mtv) {
                (SweptCollisionWithMtv::INTERSECTS, ..) => Answers::Bools(sweep.intersects),
                (SweptCollisionWithMtv::WILL_INTERSECT, ..) => Answers::Bools(sweep.will_intersect),
                (SweptCollisionWithMtv::TIME, ..) => Answers::Floats(sweep.time()),
                (SweptCollisionWithMtv::NORMAL, Some(impact), _) => Answers::Vectors(impact.normal),
                (SweptCollisionWithMtv::CONTACT, Some(impact), _) => {
                    Answers::Segments(impact.contact)
                }
                (_, _, Some(mtv)) => Answers::Vectors(mtv.mtv()),
                _ => unreachable!("a field that is not wanted"),
            },
        )
    }

    fn apart() -> Option<(SweptCollisionWithMtv, FieldSet)> {
        Some((SweptCollisionWithMtv::NEVER, FieldSet::ALL))
    }
}

/// The sweep of a tile: where all wanted fields are certain, the decisions, how the shapes touch and the translation that
/// clears the sweep, if these are wanted.
type Sweep<S> = (
    mask64x8<S>,
    FilteredSweep<Lane<S>>,
    Option<FilteredImpact<Lane<S>>>,
    Option<FilteredSweepMtv<Lane<S>>>,
);

#[inline(always)]
fn sweep_of_rings<S: Simd>(tile: &Tile<'_, S, 2>, edges: &mut [EdgeSupport<Lane<S>>]) -> Sweep<S> {
    let table = SupportTable::new(tile.rings, tile.size(), edges);
    let velocity = tile.numbers.velocity.expect("a sweep has a velocity");
    let (is_rounded, is_sharp) = (table.is_thin() || tile.numbers.is_rounded, tile.is_sharp());
    let mut sweep = if !is_rounded || is_sharp.any_true() {
        filter::swept_collision(&table, velocity, velocity.map(Lanes::abs), true)
    } else {
        FilteredSweep::unknown(velocity.x)
    };
    let mut certain = sweep.is_certain;
    let mut features = None;
    if is_rounded {
        let (rounded, found) = filter::rounded_sweep(&table, velocity, tile.numbers.margin, None);
        features = found;
        let none = !certain & certain;
        let is_sharp = if table.is_thin() { none } else { is_sharp };
        sweep = FilteredSweep::choose(is_sharp, &sweep, &rounded);
        certain = sweep.is_certain;
        // How shapes without an interior overlap is left to the exact form.
        if table.is_thin() && tile.fields.contains(SweptCollisionWithMtv::MTV) {
            certain &= !sweep.will_intersect;
        } else if table.is_thin() && tile.fields.intersects(IMPACT) {
            certain &= !sweep.intersects;
        }
    }
    // Not by `bool::then`, in which the lanes' operations would be calls.
    let impact = if tile.fields.intersects(IMPACT) {
        let impact = if is_rounded {
            rounded_impact(&table, &sweep, features.as_ref(), velocity, &tile.numbers)
        } else {
            filter::impact(&table, &sweep, velocity)
        };
        certain &= impact.is_certain;
        Some(impact)
    } else {
        None
    };
    let mtv = if tile.fields.contains(SweptCollisionWithMtv::MTV) {
        let mtv = if is_rounded {
            rounded_sweep_mtv(&table, &sweep, velocity, tile.numbers.margin)
        } else {
            filter::sweep_mtv(&table, velocity, sweep.will_intersect)
        };
        certain &= mtv.is_certain;
        Some(mtv)
    } else {
        None
    };
    (certain, sweep, impact, mtv)
}

/// The sweep of a point with a radius and a ring. Not inlined: the tile of shapes without radii stays small.
#[inline(never)]
fn sweep_of_point<S: Simd>(
    around: &CircleOfTile<'_, S>,
    point_is_b: bool,
    tile: &Tile<'_, S, 2>,
) -> Sweep<S> {
    let (numbers, fields) = (&tile.numbers, tile.fields);
    let velocity = numbers.velocity.expect("a sweep has a velocity");
    numbers.margin.simd.vectorize(
        #[inline(always)]
        || {
            let velocity = if point_is_b {
                velocity.reversed()
            } else {
                velocity
            };
            let circle = filter::swept_circle(around, velocity);
            if !fields.intersects(IMPACT) {
                return (circle.is_certain, circle.sweep(), None, None);
            }
            let with_contact = fields.contains(SweptCollisionWithMtv::CONTACT);
            let impact =
                filter::impact_of_point(around, &circle, point_is_b, numbers.radii, with_contact);
            (
                circle.is_certain & impact.is_certain,
                circle.sweep(),
                Some(impact),
                None,
            )
        },
    )
}

/// [`filter::rounded_impact`], not inlined: the tile of shapes without radii stays small.
#[inline(never)]
fn rounded_impact<S: Simd>(
    table: &SupportTable<'_, Lane<S>, TileRing<S>>,
    sweep: &FilteredSweep<Lane<S>>,
    features: Option<&EntryFeatures<Lane<S>>>,
    velocity: Vectors<Lane<S>>,
    numbers: &Numbers<Lane<S>>,
) -> FilteredImpact<Lane<S>> {
    let (radius, radii) = (numbers.margin, numbers.radii);
    radius.simd.vectorize(
        #[inline(always)]
        || filter::rounded_impact(table, sweep, features, velocity, radius, radii),
    )
}

/// [`filter::rounded_sweep_mtv`], not inlined either.
#[inline(never)]
fn rounded_sweep_mtv<S: Simd>(
    table: &SupportTable<'_, Lane<S>, TileRing<S>>,
    sweep: &FilteredSweep<Lane<S>>,
    velocity: Vectors<Lane<S>>,
    radius: Lane<S>,
) -> FilteredSweepMtv<Lane<S>> {
    radius.simd.vectorize(
        #[inline(always)]
        || filter::rounded_sweep_mtv(table, sweep, velocity, radius),
    )
}

/// [`filter::rounded_interval`], not inlined either.
#[inline(never)]
fn rounded_interval<S: Simd>(
    table: &SupportTable<'_, Lane<S>, TileRing<S>>,
    velocity: Vectors<Lane<S>>,
    radius: Lane<S>,
) -> FilteredInterval<Lane<S>> {
    radius.simd.vectorize(
        #[inline(always)]
        || filter::rounded_interval(table, velocity, radius),
    )
}

/// [`shape::contact_intervals`].
#[derive(Debug, Default)]
pub struct ContactIntervalsQuery {
    /// The rows with several intervals, in any order.
    pub(crate) several: Mutex<Vec<(usize, TimeIntervals)>>,
}

impl TileQuery<2> for ContactIntervalsQuery {
    type Answer = TimeIntervals;
    type Edge<S: Simd> = EdgeSupport<Lane<S>>;

    fn one(row: &Row<'_, 2>) -> Result<TimeIntervals, Concave> {
        let [a, b] = row.polygons;
        Ok(shape::contact_intervals(
            a,
            b,
            row.motion.velocity,
            row.numbers.margin,
        ))
    }

    fn keep(&self, row: usize, intervals: &TimeIntervals) {
        if intervals.len() > 1 {
            let mut several = self.several.lock().unwrap_or_else(PoisonError::into_inner);
            several.push((row, intervals.clone()));
        }
    }

    #[inline(always)]
    fn eight<S: Simd>(
        tile: &Tile<'_, S, 2>,
        edges: &mut [Self::Edge<S>],
    ) -> (mask64x8<S>, impl Fn(usize) -> Answers<S>) {
        let table = SupportTable::new(tile.rings, tile.size(), edges);
        let velocity = tile.numbers.velocity.expect("a sweep has a velocity");
        let (is_thin, is_sharp) = (table.is_thin(), tile.is_sharp());
        let interval = if !is_thin && !tile.numbers.is_rounded {
            filter::contact_interval(&table, velocity)
        } else {
            let rounded = rounded_interval(&table, velocity, tile.numbers.margin);
            if !is_thin && is_sharp.any_true() {
                let sharp = filter::contact_interval(&table, velocity);
                FilteredInterval::choose(is_sharp, &sharp, &rounded)
            } else {
                rounded
            }
        };
        (
            interval.is_certain,
            #[inline(always)]
            move |field| match field {
                TimeIntervals::TOUCH => Answers::Bools(interval.touch),
                _ => Answers::Vectors(interval.times),
            },
        )
    }

    fn apart() -> Option<(TimeIntervals, FieldSet)> {
        Some((TimeIntervals::from_iter([]), FieldSet::ALL))
    }
}

/// [`shape::closest_approach`]. The kernel finds rows that meet, whose distance is 0; and distance and
/// time of the others, but not their nearest points. It leaves rows with a radius, segments and points.
#[derive(Clone, Copy, Debug)]
pub struct ClosestApproachQuery;

impl ClosestApproachQuery {
    const NUMBERS: FieldSet = FieldSet::new(&[ClosestApproach::DISTANCE, ClosestApproach::TIME]);
}

impl TileQuery<2> for ClosestApproachQuery {
    // One kernel for all sizes, as for [`DistanceQuery`].
    const LONG: FieldSet = FieldSet::ALL;

    type Answer = ClosestApproach;
    type Edge<S: Simd> = EdgeSupport<Lane<S>>;

    fn one(row: &Row<'_, 2>) -> Result<ClosestApproach, Concave> {
        let [a, b] = row.polygons;
        Ok(shape::closest_approach(a, b, row.motion))
    }

    fn most_pairs(fields: FieldSet) -> usize {
        most_pairs_by_numbers(fields, Self::NUMBERS)
    }

    #[inline(always)]
    fn eight<S: Simd>(
        tile: &Tile<'_, S, 2>,
        edges: &mut [Self::Edge<S>],
    ) -> (mask64x8<S>, impl Fn(usize) -> Answers<S>) {
        let table = SupportTable::new(tile.rings, tile.size(), edges);
        let velocity = tile.numbers.velocity.expect("an approach has a velocity");
        let is_sharp = tile.is_sharp();
        let approach = if table.is_thin() || !is_sharp.any_true() {
            FilteredApproach::unknown(velocity.x)
        } else {
            filter::closest_approach(&table, velocity, tile.fields.is_subset(Self::NUMBERS))
        };
        (
            approach.is_certain & is_sharp,
            #[inline(always)]
            move |field| match field {
                ClosestApproach::DISTANCE => Answers::Floats(approach.distance),
                ClosestApproach::TIME => Answers::Floats(approach.time),
                _ => Answers::Same(FieldKind::Vector.blank()),
            },
        )
    }
}
