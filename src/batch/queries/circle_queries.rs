//! The queries about a circle and a polygon.

use fearless_simd::{mask64x8, prelude::*};

use super::locate::fill_located;
use crate::batch::tile::tile_operands::{TileOperands, TileRing};
use crate::batch::tile::tile_output::Answers;
use crate::batch::tile::tile_query::{Row, Tile};
use crate::batch::{Field, FieldSet, OutputTable, QueryResult, TileQuery, Value};
use crate::convex::filter::{self, RingAndCircle};
use crate::geom::{Circle, RadiusSum};
use crate::shape::{self, CirclePolygon, Concave, SweptCircle};
use crate::simd::load::Lane;

#[inline(always)]
fn around<'r, S: Simd>(tile: &Tile<'r, S, 1>) -> RingAndCircle<'r, Lane<S>, TileRing<S>> {
    let numbers = &tile.numbers;
    let radius = if numbers.is_rounded {
        numbers.margin
    } else {
        numbers.radius
    };
    let circle = (numbers.center, radius);
    RingAndCircle::new(tile.rings[0], tile.sides, circle, numbers.is_sum)
}

/// The field `intersects` of a [`CirclePolygon`].
#[derive(Clone, Copy, Debug)]
pub struct CircleIntersects(bool);

impl QueryResult for CircleIntersects {
    const FIELDS: &'static [Field] = CirclePolygon::FIELDS;
    const TRUTH: usize = CirclePolygon::TRUTH;

    fn value(&self, _: usize) -> Value {
        Value::Bool(self.0)
    }
}

/// The field `intersects` of [`shape::circle_polygon`] alone.
#[derive(Clone, Copy, Debug)]
pub struct CircleIntersectsQuery;

impl TileQuery<1> for CircleIntersectsQuery {
    type Answer = CircleIntersects;
    type Edge<S: Simd> = ();

    fn one(row: &Row<'_, 1>) -> Result<CircleIntersects, Concave> {
        let [polygon] = row.polygons;
        let reaches = shape::circle_reaches(row.numbers.circle(), polygon);
        Ok(CircleIntersects(reaches))
    }

    fn fill_otherwise(
        operands: &TileOperands<'_, 1>,
        table: &mut OutputTable<'_>,
    ) -> Option<Vec<usize>> {
        let polygon = operands.rings[0].only()?;
        let circle = |row| {
            let Circle { center, radius } = operands.numbers(row).circle();
            let is_valid = center.is_finite() && Circle::is_radius(radius);
            let radius = RadiusSum::new([radius, polygon.radius(), 0.0]);
            is_valid.then_some(Circle { center, radius })
        };
        fill_located(&polygon, table, circle)
    }

    #[inline(always)]
    fn eight<S: Simd>(
        tile: &Tile<'_, S, 1>,
        _: &mut [()],
    ) -> (mask64x8<S>, impl Fn(usize) -> Answers<S>) {
        let answers = filter::circle_reaches(&around(tile));
        (
            answers.yes | answers.no,
            #[inline(always)]
            move |_| Answers::Bools(answers.yes),
        )
    }

    fn apart() -> Option<(CircleIntersects, FieldSet)> {
        Some((CircleIntersects(false), FieldSet::ALL))
    }
}

/// [`shape::circle_polygon`].
#[derive(Clone, Copy, Debug)]
pub struct CirclePolygonQuery;

impl TileQuery<1> for CirclePolygonQuery {
    type Answer = CirclePolygon;
    type Edge<S: Simd> = ();

    fn one(row: &Row<'_, 1>) -> Result<CirclePolygon, Concave> {
        Ok(shape::circle_polygon(row.numbers.circle(), row.polygons[0]))
    }

    #[inline(always)]
    fn eight<S: Simd>(
        tile: &Tile<'_, S, 1>,
        _: &mut [()],
    ) -> (mask64x8<S>, impl Fn(usize) -> Answers<S>) {
        let nearest = filter::nearest_feature(&around(tile));
        let [_, rounding] = tile.numbers.radii;
        let nearest = nearest.rounded_by(rounding);
        let index = nearest.index(tile.reversed, tile.rings[0].len());
        (
            nearest.is_certain,
            #[inline(always)]
            move |field| match field {
                CirclePolygon::INTERSECTS => Answers::Bools(nearest.intersects),
                CirclePolygon::DEPTH => Answers::Floats(nearest.depth()),
                CirclePolygon::MTV => Answers::Vectors(nearest.mtv()),
                CirclePolygon::NORMAL => Answers::Vectors(nearest.normal),
                CirclePolygon::CLOSEST => Answers::Vectors(nearest.closest),
                CirclePolygon::FEATURE => Answers::Features(nearest.is_edge),
                CirclePolygon::INDEX => Answers::Indices(index),
                _ => Answers::Floats(nearest.distance()),
            },
        )
    }

    fn apart() -> Option<(CirclePolygon, FieldSet)> {
        let fields = [
            CirclePolygon::INTERSECTS,
            CirclePolygon::DEPTH,
            CirclePolygon::MTV,
        ];
        Some((CirclePolygon::apart(), FieldSet::new(&fields)))
    }
}

/// The fields that say how a moving circle touches.
const TOUCH: FieldSet = FieldSet::new(&[SweptCircle::NORMAL, SweptCircle::CONTACT]);

/// [`shape::swept_circle`].
#[derive(Clone, Copy, Debug)]
pub struct SweptCircleQuery;

impl TileQuery<1> for SweptCircleQuery {
    const LONG: FieldSet = FieldSet::ALL;
    type Answer = SweptCircle;
    type Edge<S: Simd> = ();

    fn one(row: &Row<'_, 1>) -> Result<SweptCircle, Concave> {
        let ([polygon], numbers) = (row.polygons, row.numbers);
        let (circle, velocity) = (numbers.circle(), row.motion.velocity);
        let swept = if row.fields.intersects(TOUCH) {
            shape::swept_circle
        } else {
            shape::swept_circle_time
        };
        Ok(swept(circle, velocity, polygon, numbers.margin))
    }

    #[inline(always)]
    fn eight<S: Simd>(
        tile: &Tile<'_, S, 1>,
        _: &mut [()],
    ) -> (mask64x8<S>, impl Fn(usize) -> Answers<S>) {
        let velocity = tile.numbers.velocity.expect("a sweep has a velocity");
        let around = around(tile);
        let sweep = filter::swept_circle(&around, velocity);
        // Not by `bool::then`, in which the lanes' operations would be calls.
        let touch = if tile.fields.intersects(TOUCH) {
            let [_, rounding] = tile.numbers.radii;
            Some(filter::swept_circle_touch(&around, &sweep, rounding))
        } else {
            None
        };
        let certain = match &touch {
            Some(touch) if tile.fields.contains(SweptCircle::CONTACT) => touch.has_contact,
            Some(touch) => touch.has_normal,
            None => sweep.is_certain,
        };
        (
            certain,
            #[inline(always)]
            move |field| match (field, &touch) {
                (SweptCircle::INTERSECTS, _) => Answers::Bools(sweep.intersects),
                (SweptCircle::WILL_INTERSECT, _) => Answers::Bools(sweep.will_intersect),
                (SweptCircle::TIME, _) => Answers::Floats(sweep.time()),
                (SweptCircle::NORMAL, Some(touch)) => Answers::Vectors(touch.normal),
                (_, Some(touch)) => Answers::Segments([touch.contact; 2]),
                _ => unreachable!("a field that is not wanted"),
            },
        )
    }

    fn apart() -> Option<(SweptCircle, FieldSet)> {
        Some((SweptCircle::Never, FieldSet::ALL))
    }
}
