//! Questions about a circle and a polygon, eight rows side by side.

use fearless_simd::{mask64x8, prelude::*};

use crate::batch::column::RowBoxes;
use crate::batch::output::OutputTable;
use crate::batch::polygon_queries::Ring;
use crate::batch::query::is_radius;
use crate::batch::result::{QueryResult, Value};
use crate::batch::rows::{ItemRows, RingRows, Shapes, Shared, Source};
use crate::batch::tile_driver::{Scratch, TileQuery};
use crate::batch::tile_io::TileOutput;
use crate::batch::tile_rows::{Answers, TileRows};
use crate::convex::filter::{FilteredCircle, FilteredSweptCircle, RingAndCircle};
use crate::convex::{self, Convexity};
use crate::geom::{Bounds, Circle, Point, Vec2};
use crate::predicates::error_bounds::box_error;
use crate::predicates::verdict::Verdict;
use crate::shape::{self, CirclePolygon, Polygon, SweptCircle};
use crate::simd::lanes::Vectors;
use crate::simd::tile::{Lane, fits_a_tile};

/// What is asked of a circle and a polygon: of one row, and of eight rows with convex rings side by
/// side.
pub trait CircleQuery: Send + Sync + 'static {
    /// The answer to one row.
    type Answer: QueryResult;
    /// The answers to eight rows.
    type Answers<S: Simd>;

    /// Whether nothing is asked but whether a circle reaches a polygon.
    const ASKS_REACH: bool = false;

    /// Answers one row.
    fn one(&self, circle: Circle, velocity: Vec2, polygon: &Polygon<'_>) -> Self::Answer;

    /// Answers eight rows, of which some ran clockwise before they were turned.
    fn eight<S: Simd>(
        &self,
        around: &RingAndCircle<'_, Lane<S>, Ring<S>>,
        velocity: Option<Vectors<Lane<S>>>,
        clockwise: mask64x8<S>,
    ) -> Self::Answers<S>;

    /// Where all these fields are known beyond doubt.
    fn is_known<S: Simd>(answers: &Self::Answers<S>, fields: &[usize]) -> mask64x8<S>;

    /// A field of the answers, for those rows.
    fn field<S: Simd>(answers: &Self::Answers<S>, field: usize) -> Answers<S>;
}

/// [`polygon::circle_polygon`], where nothing is asked but whether they intersect.
#[derive(Clone, Copy, Debug)]
pub struct CircleIntersectsQuery;

impl CircleQuery for CircleIntersectsQuery {
    type Answer = CirclePolygon;
    type Answers<S: Simd> = Verdict<Lane<S>>;

    const ASKS_REACH: bool = true;

    fn one(&self, circle: Circle, _: Vec2, polygon: &Polygon<'_>) -> Self::Answer {
        shape::circle_reaches(circle, polygon)
    }

    #[inline(always)]
    fn eight<S: Simd>(
        &self,
        around: &RingAndCircle<'_, Lane<S>, Ring<S>>,
        _: Option<Vectors<Lane<S>>>,
        _: mask64x8<S>,
    ) -> Self::Answers<S> {
        convex::filter::circle_reaches(around)
    }

    #[inline(always)]
    fn is_known<S: Simd>(answers: &Self::Answers<S>, _: &[usize]) -> mask64x8<S> {
        answers.yes | answers.no
    }

    #[inline(always)]
    fn field<S: Simd>(answers: &Self::Answers<S>, _: usize) -> Answers<S> {
        Answers::Bools(answers.yes)
    }
}

/// [`polygon::circle_polygon`].
#[derive(Clone, Copy, Debug)]
pub struct CirclePolygonQuery;

impl CircleQuery for CirclePolygonQuery {
    type Answer = CirclePolygon;
    /// All but the index, and the index.
    type Answers<S: Simd> = (FilteredCircle<Lane<S>>, Lane<S>);

    fn one(&self, circle: Circle, _: Vec2, polygon: &Polygon<'_>) -> Self::Answer {
        shape::circle_polygon(circle, polygon)
    }

    #[inline(always)]
    fn eight<S: Simd>(
        &self,
        around: &RingAndCircle<'_, Lane<S>, Ring<S>>,
        _: Option<Vectors<Lane<S>>>,
        clockwise: mask64x8<S>,
    ) -> Self::Answers<S> {
        let nearby = convex::filter::nearest_feature(around);
        let index = nearby.index(clockwise, around.count());
        (nearby, index)
    }

    #[inline(always)]
    fn is_known<S: Simd>((nearby, _): &Self::Answers<S>, _: &[usize]) -> mask64x8<S> {
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

/// [`polygon::swept_circle`].
#[derive(Clone, Copy, Debug)]
pub struct SweptCircleQuery;

impl CircleQuery for SweptCircleQuery {
    type Answer = SweptCircle;
    type Answers<S: Simd> = FilteredSweptCircle<Lane<S>>;

    fn one(&self, circle: Circle, velocity: Vec2, polygon: &Polygon<'_>) -> Self::Answer {
        shape::swept_circle(circle, velocity, polygon)
    }

    #[inline(always)]
    fn eight<S: Simd>(
        &self,
        around: &RingAndCircle<'_, Lane<S>, Ring<S>>,
        velocity: Option<Vectors<Lane<S>>>,
        _: mask64x8<S>,
    ) -> Self::Answers<S> {
        let velocity = velocity.expect("a sweep has a velocity");
        convex::filter::swept_circle(around, velocity)
    }

    #[inline(always)]
    fn is_known<S: Simd>(answers: &Self::Answers<S>, fields: &[usize]) -> mask64x8<S> {
        if fields.contains(&SweptCircle::CONTACT) {
            answers.is_certain & !answers.will_intersect
        } else if fields.contains(&SweptCircle::NORMAL) {
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
            _ => Answers::Nothing,
        }
    }
}

/// A circle and a polygon per row, for the tiles of a table.
pub(super) struct CircleTiles<'a, K> {
    query: &'a K,
    center: ItemRows<'a, Point>,
    radius: ItemRows<'a, f64>,
    velocity: Option<ItemRows<'a, Vec2>>,
    polygon: RingRows<'a>,
    /// The fields that the table has.
    fields: Vec<usize>,
}

/// The ring that was looked at last, which row of the operand it is, whether it runs clockwise and
/// the box round it; none if nothing is certain.
struct Seen<'a> {
    place: usize,
    ring: Option<(&'a [Point], bool, Bounds)>,
}

impl<'a, K> CircleTiles<'a, K> {
    pub(super) fn new(
        query: &'a K,
        center: &'a Source<Shared<Point>>,
        radius: &'a Source<Shared<f64>>,
        velocity: Option<&'a Source<Shared<Vec2>>>,
        polygon: &'a Source<Shapes>,
        table: &OutputTable<'_>,
    ) -> Self {
        Self {
            query,
            center: center.view(table.first),
            radius: radius.view(table.first),
            velocity: velocity.map(|velocity| velocity.view(table.first)),
            polygon: RingRows::new(polygon, table.first),
            fields: table.columns.iter().map(|(field, _)| *field).collect(),
        }
    }

    /// Whether the circle of a row reaches its ring, if that is long and convex beyond doubt.
    #[inline(always)]
    fn reaches<S: Simd>(&self, simd: S, seen: &mut Seen<'a>, row: usize) -> Option<bool> {
        let circle = Circle {
            center: self.center.at(row),
            radius: self.radius.at(row),
        };
        if !(circle.center.is_finite() && is_radius(circle.radius)) {
            return None;
        }
        let place = self.polygon.place(row);
        if seen.place != place {
            let ring = self.long_ring(row);
            *seen = Seen { place, ring };
        }
        let (ring, clockwise, bounds) = seen.ring?;
        convex::filter::certainly_reaches_long(simd, ring, clockwise, &bounds, circle)
    }

    /// The ring of a row, whether it runs clockwise, and the box round it, if it is too long for a
    /// tile and convex beyond doubt.
    #[inline(always)]
    fn long_ring(&self, row: usize) -> Option<(&'a [Point], bool, Bounds)> {
        let (ring, winding) = self.polygon.ring(row)?;
        if fits_a_tile(ring.len()) {
            return None;
        }
        let (clockwise, bounds) = if let Some(clockwise) = winding {
            (clockwise, self.polygon.known_bounds(row))
        } else {
            let Convexity { clockwise, bounds } = convex::certainly_convex(ring)?;
            (clockwise, bounds)
        };
        let around = || ring.iter().map(|&vertex| Bounds::from(vertex)).collect();
        Some((ring, clockwise, bounds.unwrap_or_else(around)))
    }
}

impl<K: CircleQuery> TileQuery<1> for CircleTiles<'_, K> {
    // Some 27 ns, among neighbours 2; a vertex takes 1.3.
    const ALONE: usize = 20;

    const UNROLLS: bool = true;

    type Edge<S: Simd> = ();

    fn ring_rows(&self) -> [&RingRows<'_>; 1] {
        [&self.polygon]
    }

    fn fit([count]: [usize; 1]) -> bool {
        fits_a_tile(count)
    }

    fn boxes(&self) -> Option<[RowBoxes<'_>; 1]> {
        if !K::ASKS_REACH {
            return None;
        }
        Some([self.polygon.boxes()?])
    }

    #[inline(always)]
    fn apart<S: Simd>(&self, simd: S, boxes: &[RowBoxes<'_>; 1], rows: &TileRows) -> mask64x8<S> {
        let sides = self.polygon.load_boxes(simd, boxes[0], rows);
        let (center, radius) = (self.center.load(simd, rows), self.radius.load(simd, rows));
        convex::filter::beyond(sides, center, radius)
    }

    fn of_apart(_: usize) -> Value {
        Value::Bool(false)
    }

    #[inline(always)]
    fn settle_long<S: Simd>(&self, simd: S, output: &mut TileOutput<'_, '_>) {
        if !K::ASKS_REACH {
            return;
        }
        simd.vectorize(
            #[inline(always)]
            || {
                // Not by `retain`, which would be compiled without these instructions.
                let mut still_open = 0;
                let mut seen = Seen {
                    place: usize::MAX,
                    ring: None,
                };
                for index in 0..output.open.len() {
                    let row = output.open[index];
                    if let Some(reaches) = self.reaches(simd, &mut seen, row) {
                        output.table.answer(row, |_| Value::Bool(reaches));
                    } else {
                        output.open[still_open] = row;
                        still_open += 1;
                    }
                }
                output.open.truncate(still_open);
            },
        );
    }

    fn edge<S: Simd>(_: Lane<S>) -> Self::Edge<S> {}

    #[inline(always)]
    fn answer<S: Simd, const MOST: usize>(
        &self,
        simd: S,
        output: &mut TileOutput<'_, '_>,
        rows: &TileRows,
        room: Scratch<'_, S, Self::Edge<S>, 1, MOST>,
    ) -> bool {
        let ([count], [ring], [turned]) = (room.sizes, room.rings, room.turned);
        let ring = &mut ring[..count];
        let before = *turned;
        let winding = self.polygon.load(simd, rows, ring, before);
        let ring = &*ring;
        let sides = convex::bounds([ring]);
        let [low, high] = sides;
        let size = high - low;
        let is_good = winding.agrees(ring, box_error(size, size), turned);
        if *turned != before {
            return false;
        }
        let (center, radius) = (self.center.load(simd, rows), self.radius.load(simd, rows));
        let velocity = self.velocity.as_ref().map(
            #[inline(always)]
            |velocity| velocity.load(simd, rows),
        );
        let around = RingAndCircle::new(ring, sides, center, radius);
        let clockwise = mask64x8::from_bitmask(simd, winding.turned);
        let answers = self.query.eight(&around, velocity, clockwise);
        let known = K::is_known(&answers, &self.fields) & is_good;
        output.settle(
            rows,
            known,
            #[inline(always)]
            |field| K::field(&answers, field),
        );
        true
    }
}
