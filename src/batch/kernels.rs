//! Questions about eight rows side by side.
//!
//! The text of a question is that of [`crate::convex`], over lanes; here its operands are brought
//! together and its answers written. Rows that a tile can't take, or can't answer beyond doubt, are
//! left to the form for one row.

use std::ops::Range;

use fearless_simd::{mask64x8, prelude::*};

use crate::batch::column::Table;
use crate::batch::dispatch::with_instructions;
use crate::batch::known::EightCodes;
use crate::batch::long::LongPairs;
use crate::batch::operand::{Items, Shapes, Shared, Source, Strands};
use crate::batch::record::{Clear, Record, Sweep};
pub use crate::batch::tile::{Answers, Lane};
use crate::batch::tile::{LANES, Places, load, turn, vectors};
use crate::convex::{self, Field, MOST_IN_A_TILE, Reach, SatInLanes, SweepInLanes, Verdict};
use crate::geom::{Bounds, Point, Vec2};
use crate::polygon::{self, Concave, Distance, Polygon, Sat};
use crate::predicates::lanes::{Lanes, Vectors};

pub(super) type Ring<S> = [Vectors<Lane<S>>];

/// What is asked of two polygons: of one pair, and of eight pairs of convex rings side by side.
pub trait PairNoun: Send + Sync + 'static {
    /// The answer to one row.
    type Answer: Record;
    /// The answers to eight rows.
    type Answers<S: Simd>;

    /// Answers one row.
    ///
    /// # Errors
    ///
    /// If a polygon is not convex, and must be.
    fn one(
        &self,
        a: &Polygon<'_>,
        b: &Polygon<'_>,
        velocity: Vec2,
    ) -> Result<Self::Answer, Concave>;

    /// Answers these fields of a row of two convex rings in these boxes, if no more need be known of
    /// them.
    #[inline]
    fn of_boxes(&self, _: [Bounds; 2], _: Vec2, _fields: &[usize]) -> Option<Self::Answer> {
        None
    }

    /// Answers these fields of a row of two long convex rings as [`Self::one`] would, if nothing else
    /// need be known of the polygons.
    #[inline]
    fn convex(
        &self,
        _a: &convex::Ring<'_>,
        _b: &convex::Ring<'_>,
        _: Vec2,
        _fields: &[usize],
    ) -> Option<Self::Answer> {
        None
    }

    /// Answers eight rows.
    fn eight<S: Simd>(
        field: &Field<'_, Lane<S>, Ring<S>>,
        velocity: Option<Vectors<Lane<S>>>,
    ) -> Self::Answers<S>;

    /// Where all these fields are known beyond doubt.
    fn is_known<S: Simd>(answers: &Self::Answers<S>, fields: &[usize]) -> mask64x8<S>;

    /// A field of the answers, for those rows.
    fn field<S: Simd>(answers: &Self::Answers<S>, field: usize) -> Answers<S>;
}

/// [`convex::intersects_in_lanes`].
#[derive(Clone, Copy, Debug)]
pub struct Intersects;

impl PairNoun for Intersects {
    type Answer = bool;
    type Answers<S: Simd> = Verdict<Lane<S>>;

    fn one(&self, a: &Polygon<'_>, b: &Polygon<'_>, _: Vec2) -> Result<Self::Answer, Concave> {
        Ok(polygon::intersects(a, b))
    }

    #[inline]
    fn of_boxes(&self, [a, b]: [Bounds; 2], _: Vec2, _: &[usize]) -> Option<Self::Answer> {
        (!a.meets(&b)).then_some(false)
    }

    #[inline]
    fn convex(
        &self,
        a: &convex::Ring<'_>,
        b: &convex::Ring<'_>,
        _: Vec2,
        _: &[usize],
    ) -> Option<Self::Answer> {
        Some(convex::intersects(a, b))
    }

    #[inline(always)]
    fn eight<S: Simd>(
        field: &Field<'_, Lane<S>, Ring<S>>,
        _: Option<Vectors<Lane<S>>>,
    ) -> Self::Answers<S> {
        convex::intersects_in_lanes(field)
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

/// [`convex::sat_in_lanes`].
#[derive(Clone, Copy, Debug)]
pub struct Overlaps;

/// Whether these fields of an overlap are the same for all shapes apart: they are but for normal
/// and separation.
#[inline]
fn are_same_apart(fields: &[usize]) -> bool {
    fields.iter().all(|field| ![3, 4].contains(field))
}

/// The ends of the contact, the last field of an overlap.
const CONTACT: usize = 5;

impl PairNoun for Overlaps {
    type Answer = Sat;
    type Answers<S: Simd> = SatInLanes<Lane<S>>;

    fn one(&self, a: &Polygon<'_>, b: &Polygon<'_>, _: Vec2) -> Result<Self::Answer, Concave> {
        polygon::sat(a, b)
    }

    #[inline]
    fn of_boxes(&self, [a, b]: [Bounds; 2], _: Vec2, fields: &[usize]) -> Option<Self::Answer> {
        (!a.meets(&b) && are_same_apart(fields)).then(Sat::apart)
    }

    #[inline]
    fn convex(
        &self,
        a: &convex::Ring<'_>,
        b: &convex::Ring<'_>,
        _: Vec2,
        fields: &[usize],
    ) -> Option<Self::Answer> {
        // To tell that they are apart takes less time than an edge that separates them.
        let is_apart = are_same_apart(fields) && !convex::intersects(a, b);
        Some(if is_apart {
            Sat::apart()
        } else {
            convex::sat(a, b, None)
        })
    }

    #[inline(always)]
    fn eight<S: Simd>(
        field: &Field<'_, Lane<S>, Ring<S>>,
        _: Option<Vectors<Lane<S>>>,
    ) -> Self::Answers<S> {
        convex::sat_in_lanes(field)
    }

    #[inline(always)]
    fn is_known<S: Simd>(answers: &Self::Answers<S>, fields: &[usize]) -> mask64x8<S> {
        if fields.contains(&CONTACT) {
            answers.is_certain & !answers.intersects
        } else {
            answers.is_certain
        }
    }

    #[inline(always)]
    fn field<S: Simd>(answers: &Self::Answers<S>, field: usize) -> Answers<S> {
        match field {
            0 => Answers::Bools(answers.intersects),
            1 => Answers::Floats(answers.depth()),
            2 => Answers::Vectors(answers.mtv()),
            3 => Answers::Vectors(answers.measure.normal),
            4 => Answers::Floats(answers.separation()),
            _ => Answers::Nothing,
        }
    }
}

/// [`convex::sweep_in_lanes`].
#[derive(Clone, Copy, Debug)]
pub struct Sweeps {
    /// Whether anyone wants to know normal and contact of shapes that overlap at the start.
    pub contact: bool,
    /// When the clearance is computed.
    pub clear: Clear,
}

/// The last field of a sweep that is known of every row.
const TIME: usize = 2;

impl PairNoun for Sweeps {
    type Answer = Sweep;
    type Answers<S: Simd> = SweepInLanes<Lane<S>>;

    fn one(
        &self,
        a: &Polygon<'_>,
        b: &Polygon<'_>,
        velocity: Vec2,
    ) -> Result<Self::Answer, Concave> {
        Ok(Sweep::new(a, b, velocity, self.contact, self.clear))
    }

    #[inline]
    fn of_boxes(&self, [a, b]: [Bounds; 2], velocity: Vec2, _: &[usize]) -> Option<Self::Answer> {
        let meet = a.swept(velocity.into()).meets(&b);
        (!meet).then(Sweep::never)
    }

    #[inline]
    fn convex(
        &self,
        a: &convex::Ring<'_>,
        b: &convex::Ring<'_>,
        velocity: Vec2,
        _: &[usize],
    ) -> Option<Self::Answer> {
        let is_alone = !self.contact && self.clear == Clear::Never;
        is_alone.then(|| Sweep::meeting(a, b, velocity))
    }

    #[inline(always)]
    fn eight<S: Simd>(
        field: &Field<'_, Lane<S>, Ring<S>>,
        velocity: Option<Vectors<Lane<S>>>,
    ) -> Self::Answers<S> {
        let velocity = velocity.expect("a sweep has a velocity");
        convex::sweep_in_lanes(field, velocity, velocity.map(Lanes::abs), true)
    }

    #[inline(always)]
    fn is_known<S: Simd>(answers: &Self::Answers<S>, fields: &[usize]) -> mask64x8<S> {
        if fields.iter().any(|&field| field > TIME) {
            answers.is_certain & !answers.will_intersect
        } else {
            answers.is_certain
        }
    }

    #[inline(always)]
    fn field<S: Simd>(answers: &Self::Answers<S>, field: usize) -> Answers<S> {
        let zero = answers.time().all(0.0);
        let zeros = Vectors { x: zero, y: zero };
        match field {
            0 => Answers::Bools(answers.intersects),
            1 => Answers::Bools(answers.will_intersect),
            TIME => Answers::Floats(answers.time()),
            4 => Answers::Nothing,
            _ => Answers::Vectors(zeros),
        }
    }
}

/// [`convex::intersects_in_lanes`], for rows that are no distance apart.
#[derive(Clone, Copy, Debug)]
pub struct Distances;

impl PairNoun for Distances {
    type Answer = Distance;
    type Answers<S: Simd> = (Verdict<Lane<S>>, Lane<S>);

    fn one(&self, a: &Polygon<'_>, b: &Polygon<'_>, _: Vec2) -> Result<Self::Answer, Concave> {
        Ok(polygon::distance(a, b))
    }

    #[inline(always)]
    fn eight<S: Simd>(
        field: &Field<'_, Lane<S>, Ring<S>>,
        _: Option<Vectors<Lane<S>>>,
    ) -> Self::Answers<S> {
        let zero = field.like().all(0.0);
        (convex::intersects_in_lanes(field), zero)
    }

    #[inline(always)]
    fn is_known<S: Simd>((answers, _): &Self::Answers<S>, _: &[usize]) -> mask64x8<S> {
        answers.yes
    }

    #[inline(always)]
    fn field<S: Simd>((_, zero): &Self::Answers<S>, field: usize) -> Answers<S> {
        let nan = zero.all(f64::NAN);
        match field {
            0 => Answers::Floats(*zero),
            _ => Answers::Vectors(Vectors { x: nan, y: nan }),
        }
    }
}

/// Two polygons per row, for the tiles of a table.
pub(super) struct Pairs<'a> {
    a: Strands<'a>,
    b: Strands<'a>,
    velocity: Option<Items<'a, Vec2>>,
    /// The fields that the table has.
    fields: Vec<usize>,
}

/// Rows that were left open.
pub(super) type Open = Vec<usize>;

impl<'a> Pairs<'a> {
    pub(super) fn new(
        a: &'a Source<Shapes>,
        b: &'a Source<Shapes>,
        velocity: Option<&'a Source<Shared<Vec2>>>,
        table: &Table<'_>,
    ) -> Self {
        Self {
            a: Strands::new(a, table.first),
            b: Strands::new(b, table.first),
            velocity: velocity.map(|velocity| velocity.view(table.first)),
            fields: table.columns.iter().map(|(field, _)| *field).collect(),
        }
    }

    /// Fills rows of the table as far as it can, and adds those that it can't to the open ones.
    pub(super) fn fill<K: PairNoun>(
        &self,
        noun: &K,
        table: &mut Table<'_>,
        rows: Range<usize>,
        open: &mut Open,
    ) {
        let before = open.len();
        let filling = &mut Filling { table, open };
        with_instructions!(simd => self.block::<K, _>(simd, noun, filling, rows));
        open[before..].sort_unstable();
    }

    /// Answers open rows whose rings are convex but too long for tiles.
    fn settle_long<K: PairNoun>(&self, noun: &K, filling: &mut Filling<'_, '_>) {
        let long = LongPairs {
            a: &self.a,
            b: &self.b,
            velocity: self.velocity.as_ref(),
            fields: &self.fields,
        };
        long.settle(noun, filling.table, filling.open);
    }

    #[inline(always)]
    fn block<K: PairNoun, S: Simd>(
        &self,
        simd: S,
        noun: &K,
        filling: &mut Filling<'_, '_>,
        rows: Range<usize>,
    ) {
        let even = self.a.size().zip(self.b.size());
        let listed = match even {
            None => self.fitting(rows.clone(), filling.open),
            Some((a, b)) if convex::fit_a_tile(a, b) => Vec::new(),
            Some(_) => {
                filling.open.extend(rows);
                return self.settle_long(noun, filling);
            }
        };
        if !filling.open.is_empty() {
            self.settle_long(noun, filling);
        }
        let alike = |one: &Fitting, other: &Fitting| one.0 == other.0;
        if let Some((a, b)) = even {
            self.alike::<K, S>(simd, filling, [a, b], Alike::Run(rows));
        }
        for listed in listed.chunk_by(alike) {
            self.alike::<K, S>(simd, filling, listed[0].0, Alike::Listed(listed));
        }
    }

    /// Rows whose rings have the same sizes.
    #[inline(never)]
    fn alike<K: PairNoun, S: Simd>(
        &self,
        simd: S,
        filling: &mut Filling<'_, '_>,
        sizes: [usize; 2],
        rows: Alike<'_, [usize; 2]>,
    ) {
        match sizes {
            [3, 3] => self.tiles::<K, S, 3, 6>(simd, filling, rows),
            [4, 4] => self.tiles::<K, S, 4, 8>(simd, filling, rows),
            [8, 8] => self.tiles::<K, S, 8, 16>(simd, filling, rows),
            _ => self.large_tiles::<K, S>(simd, filling, rows, sizes),
        }
    }

    /// Rows that a tile takes, those of one size together.
    #[inline(always)]
    fn fitting(&self, rows: Range<usize>, open: &mut Open) -> Vec<Fitting> {
        let mut fitting: Vec<Fitting> = Vec::with_capacity(rows.len());
        let mut is_even = true;
        for row in rows {
            let size = |strands: &Strands<'_>| strands.ring(row).map(|ring| ring.0.len());
            match (size(&self.a), size(&self.b)) {
                (Some(a), Some(b)) if convex::fit_a_tile(a, b) => {
                    is_even &= fitting.first().is_none_or(|first| first.0 == [a, b]);
                    fitting.push(([a, b], row));
                }
                _ => open.push(row),
            }
        }
        if !is_even {
            fitting.sort_unstable();
        }
        fitting
    }

    /// Rings of one size, known when the program is compiled.
    #[inline(always)]
    fn tiles<K: PairNoun, S: Simd, const V: usize, const TWICE: usize>(
        &self,
        simd: S,
        filling: &mut Filling<'_, '_>,
        mut rows: Alike<'_, [usize; 2]>,
    ) {
        simd.vectorize(
            #[inline(always)]
            || {
                let zero = Lane::splat(simd, 0.0);
                let mut turned = [0; 2];
                let mut next = rows.next();
                while let Some(places) = &next {
                    let [mut a, mut b] = [[Vectors { x: zero, y: zero }; V]; 2];
                    let mut reaches = [Reach::room(zero); TWICE];
                    let rings = [&mut a[..], &mut b[..]];
                    let room = &mut reaches[..];
                    if self.answer::<K, S>(simd, filling, places, rings, room, &mut turned) {
                        next = rows.next();
                    }
                }
            },
        );
    }

    /// Rings of any sizes.
    #[inline(always)]
    fn large_tiles<K: PairNoun, S: Simd>(
        &self,
        simd: S,
        filling: &mut Filling<'_, '_>,
        mut rows: Alike<'_, [usize; 2]>,
        [v, w]: [usize; 2],
    ) {
        simd.vectorize(
            #[inline(always)]
            || {
                let zero = Lane::splat(simd, 0.0);
                let [mut a, mut b] = [[Vectors { x: zero, y: zero }; MOST_IN_A_TILE]; 2];
                let mut reaches = [Reach::room(zero); 2 * MOST_IN_A_TILE];
                let mut turned = [0; 2];
                let mut next = rows.next();
                while let Some(places) = &next {
                    let rings = [&mut a[..v], &mut b[..w]];
                    let room = &mut reaches[..v + w];
                    if self.answer::<K, S>(simd, filling, places, rings, room, &mut turned) {
                        next = rows.next();
                    }
                }
            },
        );
    }

    /// Answers the rows of a tile. The rings of these bits are taken to run clockwise; where that is
    /// wrong, the bits are mended and nothing is answered.
    #[inline(always)]
    fn answer<K: PairNoun, S: Simd>(
        &self,
        simd: S,
        filling: &mut Filling<'_, '_>,
        places: &Places,
        [a, b]: [&mut Ring<S>; 2],
        reaches: &mut [Reach<Lane<S>>],
        turned: &mut [u64; 2],
    ) -> bool {
        let before = *turned;
        let winding_of_a = self.a.load(simd, places, a, turned[0]);
        let winding_of_b = self.b.load(simd, places, b, turned[1]);
        let field = Field::new([&*a, &*b], convex::span([&*a, &*b]), reaches);
        let [turns_of_a, turns_of_b] = field.turns();
        let is_good = winding_of_a.agrees(turns_of_a, &mut turned[0])
            & winding_of_b.agrees(turns_of_b, &mut turned[1]);
        if *turned != before {
            return false;
        }
        let velocity = self.velocity.as_ref().map(
            #[inline(always)]
            |velocity| vectors(simd, &velocity.eight(places)),
        );
        let answers = K::eight(&field, velocity);
        let mut known = K::is_known(&answers, &self.fields) & is_good;
        if let Some(velocity) = velocity {
            let infinity = velocity.x.all(f64::INFINITY);
            let speed = velocity.map(Lanes::abs);
            known = known & infinity.above(speed.x) & infinity.above(speed.y);
        }
        filling.settle(
            places,
            known,
            #[inline(always)]
            |field| K::field(&answers, field),
        );
        true
    }
}

/// A table that is being filled, and the rows of it that are left open.
pub(super) struct Filling<'t, 'c> {
    pub(super) table: &'t mut Table<'c>,
    pub(super) open: &'t mut Open,
}

impl Filling<'_, '_> {
    /// Writes the answers to a tile, and adds the rows of which they are not known to the open ones.
    #[inline(always)]
    pub(super) fn settle<S: Simd>(
        &mut self,
        places: &Places,
        known: mask64x8<S>,
        answers: impl Fn(usize) -> Answers<S>,
    ) {
        for (field, column) in &mut self.table.columns {
            answers(*field).write(column, places);
        }
        if let Some(valid) = &mut self.table.valid {
            places.write(valid, [1; LANES]);
        }
        let known = known.to_bitmask();
        if known != (1 << LANES) - 1 {
            let is_open = |lane: &usize| known >> lane & 1 == 0;
            let lanes = (0..places.count()).filter(is_open);
            self.open.extend(lanes.map(|lane| places.row(lane)));
        }
    }
}

/// Rows whose rings have the same sizes.
pub(super) enum Alike<'l, Z> {
    Run(Range<usize>),
    Listed(&'l [(Z, usize)]),
}

impl<Z> Alike<'_, Z> {
    /// The next of them that make a tile.
    #[inline(always)]
    pub(super) fn next(&mut self) -> Option<Places> {
        match self {
            Self::Run(rows) => {
                let first = rows.start;
                let count = LANES.min(rows.end - first);
                rows.start += count;
                (count > 0).then(|| Places::run(first, count))
            }
            Self::Listed(listed) => {
                let (eight, rest) = listed.split_at(LANES.min(listed.len()));
                *listed = rest;
                let mut rows = [eight.first()?.1; LANES];
                for (row, fitting) in rows.iter_mut().zip(eight) {
                    *row = fitting.1;
                }
                Some(Places::Listed(rows, eight.len()))
            }
        }
    }
}

/// How many vertices the two rings of a row have, and the row.
type Fitting = ([usize; 2], usize);

/// What is known of the rings of a tile.
#[derive(Clone, Copy)]
pub(super) struct Winding<S: Simd> {
    /// The rows that are rings of the tile's size.
    is_ring: mask64x8<S>,
    /// Whether they are known to be convex, and run counterclockwise now.
    is_known: bool,
    /// A bit for each that was turned.
    pub(super) turned: u64,
}

impl<S: Simd> Winding<S> {
    /// The rows that are convex rings, for all that is known, which turn left or right at every
    /// vertex. Where they turn right after all, the bits of those that are turned change.
    #[inline(always)]
    pub(super) fn agrees(&self, [left, right]: [mask64x8<S>; 2], turned: &mut u64) -> mask64x8<S> {
        if self.is_known {
            return self.is_ring;
        }
        *turned ^= right.to_bitmask();
        self.is_ring & left
    }
}

impl Strands<'_> {
    /// Loads the rings of eight rows, and turns those that run clockwise, where it is not known
    /// those of these bits.
    #[inline(always)]
    pub(super) fn load<S: Simd>(
        &self,
        simd: S,
        rows: &Places,
        into: &mut Ring<S>,
        turned: u64,
    ) -> Winding<S> {
        let count = into.len();
        let run = match rows {
            Places::Run(first) => self.run(*first, count),
            Places::Listed(..) => None,
        };
        let (vertices, is_ring, known) = match run {
            Some((run, codes)) => (
                [
                    &run[..count],
                    &run[count..2 * count],
                    &run[2 * count..3 * count],
                    &run[3 * count..4 * count],
                    &run[4 * count..5 * count],
                    &run[5 * count..6 * count],
                    &run[6 * count..7 * count],
                    &run[7 * count..8 * count],
                ],
                codes.map_or(!0, EightCodes::convex),
                codes.map(EightCodes::clockwise),
            ),
            None => self.gather(rows, count),
        };
        load(simd, &vertices, into);
        let clockwise = known.unwrap_or(turned);
        if clockwise != 0 {
            turn(into, mask64x8::from_bitmask(simd, clockwise));
        }
        Winding {
            is_ring: mask64x8::from_bitmask(simd, is_ring),
            is_known: known.is_some(),
            turned: clockwise,
        }
    }

    /// The rings of eight rows that lie anywhere; a bit for each that has so many vertices; and a
    /// bit for each that runs clockwise, if all are known to be convex.
    #[inline(never)]
    fn gather(&self, rows: &Places, count: usize) -> ([&[Point]; LANES], u64, Option<u64>) {
        let mut vertices: [&[Point]; LANES] = [&[]; LANES];
        let [mut is_ring, mut clockwise] = [0_u64; 2];
        let mut is_known = true;
        for (lane, vertices) in vertices.iter_mut().enumerate() {
            let (ring, winding, is_taken) = self.taken(rows.row(lane), count);
            *vertices = ring;
            is_known &= winding.is_some();
            is_ring |= u64::from(is_taken) << lane;
            clockwise |= u64::from(winding == Some(true)) << lane;
        }
        (vertices, is_ring, is_known.then_some(clockwise))
    }
}
