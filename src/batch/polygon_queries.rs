//! The queries about two polygons.

use std::ops::Range;

use fearless_simd::{mask64x8, prelude::*};

use crate::batch::output::{OutputColumn, OutputTable};
use crate::batch::query_batch::RowQuery;
use crate::batch::result::{FieldKind, FieldSet, QueryResult, SweepWithMtv, Value};
use crate::batch::tile_driver;
use crate::batch::tile_io::{Numbers, Open, TileOperands};
use crate::batch::tile_query::{LargeRing, Tile, TileQuery};
use crate::batch::tile_rows::Answers;
use crate::convex::filter::{
    self, FilteredClearance, FilteredContact, FilteredImpact, FilteredSat, FilteredSweep,
};
use crate::convex::{self, EdgeSupport, SupportTable};
use crate::geom::Vec2;
use crate::predicates::verdict::Verdict;
use crate::shape::{self, Concave, Distance, Polygon, Sat};
use crate::simd::lanes::{Lanes, Vectors};
use crate::simd::tile::Lane;

/// [`shape::intersects`].
#[derive(Clone, Copy, Debug)]
pub struct IntersectsQuery;

impl RowQuery<2> for IntersectsQuery {
    type Answer = bool;
    type Tiles = Self;

    fn one([a, b]: [&Polygon<'_>; 2], _: &Numbers<f64>, _: FieldSet) -> Result<bool, Concave> {
        Ok(shape::intersects(a, b))
    }
}

impl TileQuery<2> for IntersectsQuery {
    const LARGE: FieldSet = FieldSet::new(&[0]);

    type Answers<S: Simd> = Verdict<Lane<S>>;
    type Edge<S: Simd> = Vectors<Lane<S>>;

    #[inline(always)]
    fn edge<S: Simd>(zero: Lane<S>) -> Self::Edge<S> {
        Vectors::both(zero)
    }

    #[inline(always)]
    fn eight<S: Simd>(tile: &Tile<'_, S, 2>, edges: &mut [Self::Edge<S>]) -> Self::Answers<S> {
        filter::intersects(tile.rings, tile.size(), edges)
    }

    #[inline(always)]
    fn certain<S: Simd>(answers: &Self::Answers<S>, _: FieldSet) -> mask64x8<S> {
        answers.yes | answers.no
    }

    #[inline(always)]
    fn field<S: Simd>(answers: &Self::Answers<S>, _: usize) -> Answers<S> {
        Answers::Bools(answers.yes)
    }

    fn of_apart(_: usize) -> Option<Value> {
        Some(Value::Bool(false))
    }

    #[inline]
    fn large<S: Simd>(
        _: S,
        [a, b]: [&LargeRing<'_>; 2],
        _: &Numbers<f64>,
        _: FieldSet,
    ) -> Option<impl Fn(usize) -> Value> {
        let intersects = convex::intersects(a.ring(), b.ring());
        Some(move |_| Value::Bool(intersects))
    }
}

/// [`shape::sat`].
#[derive(Clone, Copy, Debug)]
pub struct SatQuery;

impl RowQuery<2> for SatQuery {
    type Answer = Sat;
    type Tiles = Self;

    fn one([a, b]: [&Polygon<'_>; 2], _: &Numbers<f64>, _: FieldSet) -> Result<Sat, Concave> {
        shape::sat(a, b)
    }
}

impl TileQuery<2> for SatQuery {
    const LONG: FieldSet = FieldSet::new(&[Sat::CONTACT]);
    const LARGE: FieldSet = FieldSet::ALL;

    type Answers<S: Simd> = (FilteredSat<Lane<S>>, Option<FilteredContact<Lane<S>>>);
    type Edge<S: Simd> = EdgeSupport<Lane<S>>;

    #[inline(always)]
    fn edge<S: Simd>(zero: Lane<S>) -> Self::Edge<S> {
        EdgeSupport::scratch(zero)
    }

    #[inline(always)]
    fn eight<S: Simd>(tile: &Tile<'_, S, 2>, edges: &mut [Self::Edge<S>]) -> Self::Answers<S> {
        let table = SupportTable::new(tile.rings, tile.size(), edges);
        let (sat, axis) = filter::sat(&table);
        // Not by `bool::then`, which stays a call, compiled without the tile's instructions.
        let contact = if tile.fields.contains(Sat::CONTACT) {
            Some(filter::contact(&table, &axis, sat.intersects))
        } else {
            None
        };
        (sat, contact)
    }

    #[inline(always)]
    fn certain<S: Simd>((sat, contact): &Self::Answers<S>, _: FieldSet) -> mask64x8<S> {
        match contact {
            Some(contact) => sat.is_certain & contact.is_certain,
            None => sat.is_certain,
        }
    }

    #[inline(always)]
    fn field<S: Simd>((sat, contact): &Self::Answers<S>, field: usize) -> Answers<S> {
        match (field, contact) {
            (Sat::INTERSECTS, _) => Answers::Bools(sat.intersects),
            (Sat::DEPTH, _) => Answers::Floats(sat.depth()),
            (Sat::MTV, _) => Answers::Vectors(sat.mtv()),
            (Sat::NORMAL, _) => Answers::Vectors(sat.measure.normal),
            (Sat::SEPARATION, _) => Answers::Floats(sat.separation()),
            (_, Some(contact)) => Answers::Segments(contact.ends),
            _ => Answers::NoSegments,
        }
    }

    fn of_apart(field: usize) -> Option<Value> {
        match field {
            Sat::INTERSECTS => Some(Value::Bool(false)),
            Sat::DEPTH => Some(Value::Float(0.0)),
            Sat::MTV => Some(Value::Vector(Vec2::ZERO)),
            Sat::CONTACT => Some(FieldKind::Segment.blank()),
            _ => None,
        }
    }

    #[inline]
    fn large<S: Simd>(
        _: S,
        [a, b]: [&LargeRing<'_>; 2],
        _: &Numbers<f64>,
        fields: FieldSet,
    ) -> Option<impl Fn(usize) -> Value> {
        let (a, b) = (a.ring(), b.ring());
        // To tell that rings are apart takes less time than to find a separating edge.
        let is_apart = Self::is_told_apart(fields) && !convex::intersects(a, b);
        let sat = if is_apart {
            Sat::apart()
        } else {
            convex::sat(a, b, None)
        };
        Some(move |field| sat.value(field))
    }
}

/// [`shape::swept_collision`] with the translation that clears the sweep.
#[derive(Clone, Copy, Debug)]
pub struct SweptCollisionQuery;

/// The answers to eight sweeps.
#[derive(Clone, Copy, Debug)]
pub struct SweepAnswers<S: Simd> {
    sweep: FilteredSweep<Lane<S>>,
    impact: Option<FilteredImpact<Lane<S>>>,
    clearance: Option<FilteredClearance<Lane<S>>>,
}

impl RowQuery<2> for SweptCollisionQuery {
    type Answer = SweepWithMtv;
    type Tiles = Self;

    fn one(
        [a, b]: [&Polygon<'_>; 2],
        numbers: &Numbers<f64>,
        fields: FieldSet,
    ) -> Result<SweepWithMtv, Concave> {
        Ok(SweepWithMtv::of_fields(a, b, numbers.velocity(), fields))
    }
}

/// The fields that say how the shapes touch.
const IMPACT: FieldSet = FieldSet::new(&[SweepWithMtv::NORMAL, SweepWithMtv::CONTACT]);

impl TileQuery<2> for SweptCollisionQuery {
    const LONG: FieldSet = FieldSet::new(&[
        SweepWithMtv::NORMAL,
        SweepWithMtv::CONTACT,
        SweepWithMtv::MTV,
    ]);
    const LARGE: FieldSet = FieldSet::ALL.without(Self::LONG);

    type Answers<S: Simd> = SweepAnswers<S>;
    type Edge<S: Simd> = EdgeSupport<Lane<S>>;

    #[inline(always)]
    fn edge<S: Simd>(zero: Lane<S>) -> Self::Edge<S> {
        EdgeSupport::scratch(zero)
    }

    #[inline(always)]
    fn eight<S: Simd>(tile: &Tile<'_, S, 2>, edges: &mut [Self::Edge<S>]) -> Self::Answers<S> {
        let table = SupportTable::new(tile.rings, tile.size(), edges);
        let velocity = tile.numbers.velocity.expect("a sweep has a velocity");
        let sweep = filter::swept_collision(&table, velocity, velocity.map(Lanes::abs), true);
        // Not by `bool::then`: see above.
        let impact = if tile.fields.intersects(IMPACT) {
            Some(filter::impact(&table, &sweep, velocity))
        } else {
            None
        };
        let clearance = if tile.fields.contains(SweepWithMtv::MTV) {
            Some(filter::sweep_clearance(
                &table,
                velocity,
                sweep.will_intersect,
            ))
        } else {
            None
        };
        SweepAnswers {
            sweep,
            impact,
            clearance,
        }
    }

    #[inline(always)]
    fn certain<S: Simd>(answers: &Self::Answers<S>, _: FieldSet) -> mask64x8<S> {
        let mut certain = answers.sweep.is_certain;
        if let Some(impact) = answers.impact {
            certain &= impact.is_certain;
        }
        if let Some(clearance) = answers.clearance {
            certain &= clearance.is_certain;
        }
        certain
    }

    #[inline(always)]
    fn field<S: Simd>(answers: &Self::Answers<S>, field: usize) -> Answers<S> {
        let sweep = &answers.sweep;
        match (field, &answers.impact, &answers.clearance) {
            (SweepWithMtv::INTERSECTS, ..) => Answers::Bools(sweep.intersects),
            (SweepWithMtv::WILL_INTERSECT, ..) => Answers::Bools(sweep.will_intersect),
            (SweepWithMtv::TIME, ..) => Answers::Floats(sweep.time()),
            (SweepWithMtv::NORMAL, Some(impact), _) => Answers::Vectors(impact.normal),
            (SweepWithMtv::CONTACT, Some(impact), _) => Answers::Segments(impact.contact),
            (_, _, Some(clearance)) => Answers::Vectors(clearance.mtv()),
            _ => Answers::NoSegments,
        }
    }

    fn of_apart(field: usize) -> Option<Value> {
        Some(SweepWithMtv::NEVER.value(field))
    }

    #[inline]
    fn large<S: Simd>(
        _: S,
        [a, b]: [&LargeRing<'_>; 2],
        numbers: &Numbers<f64>,
        _: FieldSet,
    ) -> Option<impl Fn(usize) -> Value> {
        let sweep = SweepWithMtv::meeting(a.ring(), b.ring(), numbers.velocity());
        Some(move |field| sweep.value(field))
    }
}

/// [`shape::distance`]. Kernels only find the rows that intersect, whose distance is 0.
#[derive(Clone, Copy, Debug)]
pub struct DistanceQuery;

impl RowQuery<2> for DistanceQuery {
    type Answer = Distance;
    type Tiles = IntersectsQuery;

    fn one([a, b]: [&Polygon<'_>; 2], _: &Numbers<f64>, _: FieldSet) -> Result<Distance, Concave> {
        Ok(shape::distance(a, b))
    }

    fn fill(
        operands: &TileOperands<'_, 2>,
        table: &mut OutputTable<'_>,
        rows: Range<usize>,
        open: &mut Open,
    ) {
        let mut intersect = vec![0; table.rows];
        let mut verdicts = OutputTable {
            first: table.first,
            rows: table.rows,
            columns: vec![(0, OutputColumn::Bool(&mut intersect))],
            valid: None,
        };
        let operands = operands.for_tiles_only();
        let mut undecided = Open::new();
        tile_driver::fill::<IntersectsQuery, 2>(
            &operands,
            &mut verdicts,
            rows.clone(),
            &mut undecided,
        );
        for row in undecided {
            intersect[row] = 0;
        }
        for row in rows {
            if intersect[row] == 1 {
                table.answer(row, |field| match field {
                    Distance::DISTANCE => Value::Float(0.0),
                    _ => FieldKind::Vector.blank(),
                });
            } else {
                open.push(row);
            }
        }
    }
}
