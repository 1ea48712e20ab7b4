//! The queries about a circle and a polygon.

use fearless_simd::{mask64x8, prelude::*};

use crate::batch::query_batch::{RowQuery, is_radius};
use crate::batch::result::{FieldSet, Value};
use crate::batch::tile_io::{Numbers, Ring};
use crate::batch::tile_query::{LargeRing, Tile, TileQuery};
use crate::batch::tile_rows::Answers;
use crate::convex::filter::{self, FilteredCircle, FilteredSweptCircle, RingAndCircle};
use crate::predicates::verdict::Verdict;
use crate::shape::{self, CirclePolygon, Concave, Polygon, SweptCircle};
use crate::simd::tile::Lane;
use crate::simd::tile::fits_a_tile;

#[inline(always)]
fn around<'r, S: Simd>(tile: &Tile<'r, S, 1>) -> RingAndCircle<'r, Lane<S>, Ring<S>> {
    let numbers = &tile.numbers;
    RingAndCircle::new(tile.rings[0], tile.sides, numbers.center, numbers.radius)
}

/// The field `intersects` of [`shape::circle_polygon`] alone.
#[derive(Clone, Copy, Debug)]
pub struct CircleIntersectsQuery;

impl RowQuery<1> for CircleIntersectsQuery {
    type Answer = CirclePolygon;
    type Tiles = Self;

    fn one(
        [polygon]: [&Polygon<'_>; 1],
        numbers: &Numbers<f64>,
        _: FieldSet,
    ) -> Result<CirclePolygon, Concave> {
        Ok(shape::circle_reaches(numbers.circle(), polygon))
    }
}

impl TileQuery<1> for CircleIntersectsQuery {
    const LARGE: FieldSet = FieldSet::new(&[CirclePolygon::INTERSECTS]);

    type Answers<S: Simd> = Verdict<Lane<S>>;
    type Edge<S: Simd> = ();

    fn edge<S: Simd>(_: Lane<S>) {}

    #[inline(always)]
    fn eight<S: Simd>(tile: &Tile<'_, S, 1>, _: &mut [()]) -> Self::Answers<S> {
        filter::circle_reaches(&around(tile))
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

    #[inline(always)]
    fn large<S: Simd>(
        simd: S,
        [ring]: [&LargeRing<'_>; 1],
        numbers: &Numbers<f64>,
        _: FieldSet,
    ) -> Option<impl Fn(usize) -> Value> {
        let (vertices, circle) = (ring.vertices, numbers.circle());
        let is_circle = circle.center.is_finite() && is_radius(circle.radius);
        if !is_circle || fits_a_tile(vertices.len()) {
            return None;
        }
        let (clockwise, bounds) = (ring.convexity.clockwise, ring.bounds());
        let reaches = filter::certainly_reaches_long(simd, vertices, clockwise, bounds, circle)?;
        Some(move |_| Value::Bool(reaches))
    }
}

/// [`shape::circle_polygon`].
#[derive(Clone, Copy, Debug)]
pub struct CirclePolygonQuery;

impl RowQuery<1> for CirclePolygonQuery {
    type Answer = CirclePolygon;
    type Tiles = Self;

    fn one(
        [polygon]: [&Polygon<'_>; 1],
        numbers: &Numbers<f64>,
        _: FieldSet,
    ) -> Result<CirclePolygon, Concave> {
        Ok(shape::circle_polygon(numbers.circle(), polygon))
    }
}

impl TileQuery<1> for CirclePolygonQuery {
    /// All fields but the index, and the index.
    type Answers<S: Simd> = (FilteredCircle<Lane<S>>, Lane<S>);
    type Edge<S: Simd> = ();

    fn edge<S: Simd>(_: Lane<S>) {}

    #[inline(always)]
    fn eight<S: Simd>(tile: &Tile<'_, S, 1>, _: &mut [()]) -> Self::Answers<S> {
        let nearby = filter::nearest_feature(&around(tile));
        let index = nearby.index(tile.reversed, tile.rings[0].len());
        (nearby, index)
    }

    #[inline(always)]
    fn certain<S: Simd>((nearby, _): &Self::Answers<S>, _: FieldSet) -> mask64x8<S> {
        nearby.is_certain
    }

    #[inline(always)]
    fn field<S: Simd>((nearby, index): &Self::Answers<S>, field: usize) -> Answers<S> {
        match field {
            CirclePolygon::INTERSECTS => Answers::Bools(nearby.intersects),
            CirclePolygon::DEPTH => Answers::Floats(nearby.depth()),
            CirclePolygon::MTV => Answers::Vectors(nearby.mtv()),
            CirclePolygon::NORMAL => Answers::Vectors(nearby.normal),
            CirclePolygon::CLOSEST => Answers::Vectors(nearby.closest),
            CirclePolygon::FEATURE => Answers::Features(nearby.is_edge),
            CirclePolygon::INDEX => Answers::Indices(*index),
            _ => Answers::Floats(nearby.distance()),
        }
    }
}

/// [`shape::swept_circle`].
#[derive(Clone, Copy, Debug)]
pub struct SweptCircleQuery;

impl RowQuery<1> for SweptCircleQuery {
    type Answer = SweptCircle;
    type Tiles = Self;

    fn one(
        [polygon]: [&Polygon<'_>; 1],
        numbers: &Numbers<f64>,
        _: FieldSet,
    ) -> Result<SweptCircle, Concave> {
        let (circle, velocity) = (numbers.circle(), numbers.velocity());
        Ok(shape::swept_circle(circle, velocity, polygon))
    }
}

impl TileQuery<1> for SweptCircleQuery {
    type Answers<S: Simd> = FilteredSweptCircle<Lane<S>>;
    type Edge<S: Simd> = ();

    fn edge<S: Simd>(_: Lane<S>) {}

    #[inline(always)]
    fn eight<S: Simd>(tile: &Tile<'_, S, 1>, _: &mut [()]) -> Self::Answers<S> {
        let velocity = tile.numbers.velocity.expect("a sweep has a velocity");
        filter::swept_circle(&around(tile), velocity)
    }

    #[inline(always)]
    fn certain<S: Simd>(answers: &Self::Answers<S>, fields: FieldSet) -> mask64x8<S> {
        if fields.contains(SweptCircle::CONTACT) {
            answers.is_certain & !answers.will_intersect
        } else if fields.contains(SweptCircle::NORMAL) {
            answers.has_normal()
        } else {
            answers.is_certain
        }
    }

    #[inline(always)]
    fn field<S: Simd>(answers: &Self::Answers<S>, field: usize) -> Answers<S> {
        match field {
            SweptCircle::INTERSECTS => Answers::Bools(answers.intersects),
            SweptCircle::WILL_INTERSECT => Answers::Bools(answers.will_intersect),
            SweptCircle::TIME => Answers::Floats(answers.time()),
            SweptCircle::NORMAL => Answers::Vectors(answers.normal()),
            _ => Answers::NoSegments,
        }
    }
}
