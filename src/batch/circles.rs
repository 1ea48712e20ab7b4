//! Questions about a circle and a polygon, eight rows side by side.

use std::ops::Range;

use fearless_simd::{mask64x8, prelude::*};

use crate::batch::column::Table;
use crate::batch::dispatch::with_instructions;
use crate::batch::filling::{Alike, Filling, Open, near};
use crate::batch::kernels::Ring;
use crate::batch::operand::{Items, Shapes, Shared, Source, Strands};
use crate::batch::question::is_radius;
use crate::batch::record::{Record, Value};
use crate::batch::tile::{self, Answers, LANES, Lane, Places, numbers, vectors};
use crate::convex::{self, Around, Closeness, Convexity, MOST_IN_A_TILE, Meeting, Nearby, Verdict};
use crate::geom::{Bounds, Circle, Point, Vec2};
use crate::polygon::{self, CirclePolygon, Polygon, SweptCircle};
use crate::predicates::about::{box_error, smaller};
use crate::predicates::lanes::{Lanes, Vectors};

/// What is asked of a circle and a polygon: of one row, and of eight rows with convex rings side by
/// side.
pub trait CircleNoun: Send + Sync + 'static {
    /// The answer to one row.
    type Answer: Record;
    /// The answers to eight rows.
    type Answers<S: Simd>;

    /// Answers one row.
    fn one(&self, circle: Circle, velocity: Vec2, polygon: &Polygon<'_>) -> Self::Answer;

    /// Answers eight rows, of which some ran clockwise before they were turned.
    fn eight<S: Simd>(
        &self,
        around: &Around<'_, Lane<S>, Ring<S>>,
        velocity: Option<Vectors<Lane<S>>>,
        clockwise: mask64x8<S>,
    ) -> Self::Answers<S>;

    /// Whether nothing is asked but whether a circle reaches a polygon.
    fn asks_reach(&self) -> bool {
        false
    }

    /// Where all these fields are known beyond doubt.
    fn is_known<S: Simd>(answers: &Self::Answers<S>, fields: &[usize]) -> mask64x8<S>;

    /// A field of the answers, for those rows.
    fn field<S: Simd>(answers: &Self::Answers<S>, field: usize) -> Answers<S>;
}

/// [`polygon::circle_polygon`], where nothing is asked but whether they intersect.
#[derive(Clone, Copy, Debug)]
pub struct Reaches;

impl CircleNoun for Reaches {
    type Answer = CirclePolygon;
    type Answers<S: Simd> = Verdict<Lane<S>>;

    fn one(&self, circle: Circle, _: Vec2, polygon: &Polygon<'_>) -> Self::Answer {
        polygon::circle_reaches(circle, polygon)
    }

    #[inline(always)]
    fn asks_reach(&self) -> bool {
        true
    }

    #[inline(always)]
    fn eight<S: Simd>(
        &self,
        around: &Around<'_, Lane<S>, Ring<S>>,
        _: Option<Vectors<Lane<S>>>,
        _: mask64x8<S>,
    ) -> Self::Answers<S> {
        convex::circle_reaches_in_lanes(around)
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
pub struct Nearest;

impl CircleNoun for Nearest {
    type Answer = CirclePolygon;
    /// All but the index, and the index.
    type Answers<S: Simd> = (Nearby<Lane<S>>, Lane<S>);

    fn one(&self, circle: Circle, _: Vec2, polygon: &Polygon<'_>) -> Self::Answer {
        polygon::circle_polygon(circle, polygon)
    }

    #[inline(always)]
    fn eight<S: Simd>(
        &self,
        around: &Around<'_, Lane<S>, Ring<S>>,
        _: Option<Vectors<Lane<S>>>,
        clockwise: mask64x8<S>,
    ) -> Self::Answers<S> {
        let nearby = convex::nearby_in_lanes(around);
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
pub struct SweptCircles;

impl CircleNoun for SweptCircles {
    type Answer = SweptCircle;
    type Answers<S: Simd> = Meeting<Lane<S>>;

    fn one(&self, circle: Circle, velocity: Vec2, polygon: &Polygon<'_>) -> Self::Answer {
        polygon::swept_circle(circle, velocity, polygon)
    }

    #[inline(always)]
    fn eight<S: Simd>(
        &self,
        around: &Around<'_, Lane<S>, Ring<S>>,
        velocity: Option<Vectors<Lane<S>>>,
        _: mask64x8<S>,
    ) -> Self::Answers<S> {
        let velocity = velocity.expect("a sweep has a velocity");
        convex::swept_circle_in_lanes(around, velocity)
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

/// A circle and a polygon per row, for tiles.
pub(super) struct Circles<'a> {
    center: Items<'a, Point>,
    radius: Items<'a, f64>,
    velocity: Option<Items<'a, Vec2>>,
    polygon: Strands<'a>,
    /// The fields that the table has.
    fields: Vec<usize>,
}

/// The ring that was looked at last, which row of the operand it is, whether it runs clockwise and
/// the box round it; none if nothing is certain.
struct Seen<'a> {
    place: usize,
    ring: Option<(&'a [Point], bool, Bounds)>,
}

/// Whether a circle, if it is one, lies beyond a box, if that has points.
#[inline(always)]
fn is_beyond<L: Lanes>([low, high]: [Vectors<L>; 2], center: Vectors<L>, radius: L) -> L::Mask {
    let zero = radius.all(0.0);
    let [before, beyond] = [low - center, center - high];
    let gap = Vectors { x: zero, y: zero }.with(before.with(beyond, L::larger), L::larger);
    // Five roundings at most, and the square of the radius is rounded once, where these are normal
    // floats.
    let apart = gap.length_squared() * radius.all(1.0 - 8.0 * f64::EPSILON);
    let square = radius * radius * radius.all(1.0 + f64::EPSILON);
    let infinity = radius.all(f64::INFINITY);
    let is_circle = infinity.above(center.x.abs())
        & infinity.above(center.y.abs())
        & infinity.above(radius)
        & radius.at_least(zero);
    let is_box = high.x.at_least(low.x);
    is_circle & is_box & apart.above(square) & apart.above(radius.all(f64::MIN_POSITIVE))
}

/// How many vertices the ring of a row has, and the row.
type Fitting = (usize, usize);

impl<'a> Circles<'a> {
    pub(super) fn new(
        center: &'a Source<Shared<Point>>,
        radius: &'a Source<Shared<f64>>,
        velocity: Option<&'a Source<Shared<Vec2>>>,
        polygon: &'a Source<Shapes>,
        table: &Table<'_>,
    ) -> Self {
        Self {
            center: center.view(table.first),
            radius: radius.view(table.first),
            velocity: velocity.map(|velocity| velocity.view(table.first)),
            polygon: Strands::new(polygon, table.first),
            fields: table.columns.iter().map(|(field, _)| *field).collect(),
        }
    }

    /// Fills rows of a table as far as it can, and adds those that it can't to the open ones.
    pub(super) fn fill<K: CircleNoun>(
        &self,
        noun: &K,
        table: &mut Table<'_>,
        rows: Range<usize>,
        open: &mut Open,
    ) {
        let before = open.len();
        let filling = &mut Filling { table, open };
        with_instructions!(simd => self.block(simd, noun, filling, rows));
        open[before..].sort_unstable();
    }

    #[inline(always)]
    fn block<K: CircleNoun, S: Simd>(
        &self,
        simd: S,
        noun: &K,
        filling: &mut Filling<'_, '_>,
        rows: Range<usize>,
    ) {
        let size = self.polygon.size();
        let near = self.near(simd, noun, filling.table, rows.clone(), size);
        let Some(count) = size else {
            let listed = match near {
                Some(near) => self.fitting(near.into_iter(), filling.open),
                None => self.fitting(rows, filling.open),
            };
            self.settle_long(simd, noun, filling);
            for listed in listed.chunk_by(|one, other| one.0 == other.0) {
                self.alike(simd, noun, filling, listed[0].0, Alike::Listed(listed));
            }
            return;
        };
        match near {
            Some(near) if convex::fits_a_tile(count) => {
                let listed: Vec<_> = near.into_iter().map(|row| (count, row)).collect();
                self.alike(simd, noun, filling, count, Alike::Listed(&listed));
            }
            Some(near) => {
                filling.open.extend(near);
                self.settle_long(simd, noun, filling);
            }
            None if convex::fits_a_tile(count) => {
                self.alike(simd, noun, filling, count, Alike::Run(rows));
            }
            None => {
                filling.open.extend(rows);
                self.settle_long(simd, noun, filling);
            }
        }
    }

    /// Answers rows whose circles lie beyond the boxes of their polygons, and returns the others;
    /// but nothing, if there are no boxes, they don't tell enough, or it doesn't pay.
    #[inline(always)]
    fn near<K: CircleNoun, S: Simd>(
        &self,
        simd: S,
        noun: &K,
        table: &mut Table<'_>,
        rows: Range<usize>,
        size: Option<usize>,
    ) -> Option<Vec<usize>> {
        if !noun.asks_reach() {
            return None;
        }
        let boxes = self.polygon.boxes()?;
        // Rows of one size could be answered with their neighbours for some 2 ns and 1.3 for each
        // vertex; among others a row costs some 25 more, as its memory comes unforeseen.
        let pays =
            |near: usize, seen: usize| size.is_none_or(|count| near * (count + 20) <= seen * count);
        let near = simd.vectorize(
            #[inline(always)]
            || {
                near(
                    rows.clone(),
                    pays,
                    #[inline(always)]
                    |places| {
                        let sides = tile::boxes(simd, &self.polygon.eight_boxes(boxes, places));
                        let (center, radius) =
                            (self.centers(simd, places), self.radii(simd, places));
                        is_beyond(sides, center, radius)
                    },
                )
            },
        )?;
        table.answer_all(rows, |_| Value::Bool(false));
        Some(near)
    }

    /// Rows whose rings have the same size.
    #[inline(never)]
    fn alike<K: CircleNoun, S: Simd>(
        &self,
        simd: S,
        noun: &K,
        filling: &mut Filling<'_, '_>,
        count: usize,
        rows: Alike<'_, usize>,
    ) {
        match count {
            3 => self.tiles::<K, S, 3>(simd, noun, filling, rows),
            4 => self.tiles::<K, S, 4>(simd, noun, filling, rows),
            8 => self.tiles::<K, S, 8>(simd, noun, filling, rows),
            _ => self.large_tiles(simd, noun, filling, rows, count),
        }
    }

    /// Answers open rows whose rings are known to be convex but too long for tiles.
    #[inline(always)]
    fn settle_long<K: CircleNoun, S: Simd>(
        &self,
        simd: S,
        noun: &K,
        filling: &mut Filling<'_, '_>,
    ) {
        if !noun.asks_reach() {
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
                for index in 0..filling.open.len() {
                    let row = filling.open[index];
                    if let Some(reaches) = self.reaches(simd, &mut seen, row) {
                        filling.table.answer(row, |_| Value::Bool(reaches));
                    } else {
                        filling.open[still_open] = row;
                        still_open += 1;
                    }
                }
                filling.open.truncate(still_open);
            },
        );
    }

    #[inline(always)]
    fn centers<S: Simd>(&self, simd: S, places: &Places) -> Vectors<Lane<S>> {
        let centers = self.center.eight(places);
        vectors(
            simd,
            &centers.map(
                #[inline(always)]
                |center| Vec2::new(center.x, center.y),
            ),
        )
    }

    #[inline(always)]
    fn radii<S: Simd>(&self, simd: S, places: &Places) -> Lane<S> {
        numbers(simd, self.radius.eight(places))
    }

    /// Whether the circle of a row reaches its ring, if that is convex beyond doubt.
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
        let sides = [bounds.min.into(), bounds.max.into()];
        if is_beyond(sides, circle.center.into(), circle.radius) {
            return Some(false);
        }
        // Most circles that reach a ring at all have their center well inside.
        if !clockwise && convex::surely_holds(simd, ring, &bounds, circle.center) {
            return Some(true);
        }
        along(simd, ring, clockwise, circle).reaches(circle, &bounds)
    }

    /// The ring of a row, whether it runs clockwise, and the box round it, if it is too long for a
    /// tile and convex beyond doubt.
    #[inline(always)]
    fn long_ring(&self, row: usize) -> Option<(&'a [Point], bool, Bounds)> {
        let (ring, winding) = self.polygon.ring(row)?;
        if convex::fits_a_tile(ring.len()) {
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

    /// Rows that a tile takes, those of one size together.
    #[inline(always)]
    fn fitting(&self, rows: impl ExactSizeIterator<Item = usize>, open: &mut Open) -> Vec<Fitting> {
        let mut fitting: Vec<Fitting> = Vec::with_capacity(rows.len());
        for row in rows {
            match self.polygon.ring(row).map(|(ring, _)| ring.len()) {
                Some(count) if convex::fits_a_tile(count) => fitting.push((count, row)),
                _ => open.push(row),
            }
        }
        if fitting.windows(2).any(|pair| pair[0].0 != pair[1].0) {
            fitting.sort_unstable();
        }
        fitting
    }

    /// Rings of one size, known when the program is compiled.
    #[inline(always)]
    fn tiles<K: CircleNoun, S: Simd, const V: usize>(
        &self,
        simd: S,
        noun: &K,
        filling: &mut Filling<'_, '_>,
        mut rows: Alike<'_, usize>,
    ) {
        simd.vectorize(
            #[inline(always)]
            || {
                let zero = Lane::splat(simd, 0.0);
                let mut turned = 0;
                let mut next = rows.next();
                while let Some(places) = &next {
                    let mut ring = [Vectors { x: zero, y: zero }; V];
                    if self.answer(simd, noun, filling, places, &mut ring, &mut turned) {
                        next = rows.next();
                    }
                }
            },
        );
    }

    /// Rings of any size.
    #[inline(always)]
    fn large_tiles<K: CircleNoun, S: Simd>(
        &self,
        simd: S,
        noun: &K,
        filling: &mut Filling<'_, '_>,
        mut rows: Alike<'_, usize>,
        count: usize,
    ) {
        simd.vectorize(
            #[inline(always)]
            || {
                let zero = Lane::splat(simd, 0.0);
                let mut ring = [Vectors { x: zero, y: zero }; MOST_IN_A_TILE];
                let mut turned = 0;
                let mut next = rows.next();
                while let Some(places) = &next {
                    let ring = &mut ring[..count];
                    if self.answer(simd, noun, filling, places, ring, &mut turned) {
                        next = rows.next();
                    }
                }
            },
        );
    }

    /// Answers the rows of a tile. The rings of these bits are taken to run clockwise; where that is
    /// wrong, the bits are mended and nothing is answered.
    #[inline(always)]
    fn answer<K: CircleNoun, S: Simd>(
        &self,
        simd: S,
        noun: &K,
        filling: &mut Filling<'_, '_>,
        places: &Places,
        ring: &mut Ring<S>,
        turned: &mut u64,
    ) -> bool {
        let before = *turned;
        let winding = self.polygon.load(simd, places, ring, before);
        let ring = &*ring;
        let sides = convex::bounds([ring]);
        let [low, high] = sides;
        let size = high - low;
        let is_good = winding.agrees(ring, box_error(size, size), turned);
        if *turned != before {
            return false;
        }
        let (center, radius) = (self.centers(simd, places), self.radii(simd, places));
        let velocity = self.velocity.as_ref().map(
            #[inline(always)]
            |velocity| vectors(simd, &velocity.eight(places)),
        );
        let around = Around::new(ring, sides, center, radius);
        let clockwise = mask64x8::from_bitmask(simd, winding.turned);
        let answers = noun.eight(&around, velocity, clockwise);
        let known = K::is_known(&answers, &self.fields) & is_good;
        filling.settle(
            places,
            known,
            #[inline(always)]
            |field| K::field(&answers, field),
        );
        true
    }
}

/// Looks at the edges of one ring, eight at a time. The ring has more vertices than a tile takes.
#[inline(always)]
fn along<S: Simd>(
    simd: S,
    ring: &[Point],
    clockwise: bool,
    Circle { center, radius }: Circle,
) -> Closeness<f64> {
    let number = |number| Lane::splat(simd, number);
    let centers = Vectors {
        x: number(center.x),
        y: number(center.y),
    };
    let radii = number(radius);
    let mut closeness = Closeness::of_none(radii);
    let mut one = Closeness::of_none(radius);
    let last = ring.len() - 1;
    let mut first = 0;
    while first < last {
        // The last eight overlap those before them.
        let place = first.min(last.saturating_sub(LANES));
        let mut edge = [
            eight_points(simd, &ring[place..]),
            eight_points(simd, &ring[place + 1..]),
        ];
        if clockwise {
            edge.swap(0, 1);
        }
        closeness = closeness.with(centers, radii, edge);
        first += LANES;
    }
    let mut edge = [ring[last].into(), ring[0].into()];
    if clockwise {
        edge.swap(0, 1);
    }
    one = one.with(center.into(), radius, edge);
    let least = closeness.map(
        #[inline(always)]
        |lane| {
            let mut least = f64::INFINITY;
            for number in lane.to_array() {
                least = smaller(least, number);
            }
            least
        },
    );
    one.least_of(&least)
}

/// Eight vertices of a ring, in order.
#[inline(always)]
fn eight_points<S: Simd>(simd: S, ring: &[Point]) -> Vectors<Lane<S>> {
    let eight: &[Point; LANES] = ring.first_chunk().expect("eight vertices");
    vectors(simd, &eight.map(|vertex| Vec2::new(vertex.x, vertex.y)))
}
