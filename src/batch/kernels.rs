//! Questions about eight rows side by side.
//!
//! The text of a question is that of [`crate::convex`], over lanes; here its operands are brought
//! together and its answers written. Rows that a tile can't take, or can't answer beyond doubt, are
//! left to the form for one row.

use std::ops::Range;

use fearless_simd::{mask64x8, prelude::*};

use crate::batch::column::Table;
use crate::batch::dispatch::with_instructions;
use crate::batch::operand::{Shapes, Shared, Source, Strands};
use crate::batch::record::{Clear, Record, Sweep};
pub use crate::batch::tile::{Answers, Lane};
use crate::batch::tile::{LANES, Places, load, numbers, turn};
use crate::convex::{self, Field, MOST_IN_A_TILE, Reach, SatInLanes, SweepInLanes, Verdict};
use crate::geom::{Bounds, Point, Vec2};
use crate::polygon::{self, Concave, Distance, Polygon, Sat};
use crate::predicates::about::box_error;
use crate::predicates::lanes::{Lanes, Vectors};

type Ring<S> = [Vectors<Lane<S>>];

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

    /// Answers a row of two convex rings in these boxes, if no more need be known of them.
    #[inline]
    fn of_boxes(&self, _: [Bounds; 2], _: Vec2) -> Option<Self::Answer> {
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
    fn of_boxes(&self, [a, b]: [Bounds; 2], _: Vec2) -> Option<Self::Answer> {
        (!a.meets(&b)).then_some(false)
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

/// The ends of the contact, the last field of an overlap.
const CONTACT: usize = 5;

impl PairNoun for Overlaps {
    type Answer = Sat;
    type Answers<S: Simd> = SatInLanes<Lane<S>>;

    fn one(&self, a: &Polygon<'_>, b: &Polygon<'_>, _: Vec2) -> Result<Self::Answer, Concave> {
        polygon::sat(a, b)
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
    fn of_boxes(&self, [a, b]: [Bounds; 2], velocity: Vec2) -> Option<Self::Answer> {
        let meet = a.swept(velocity.into()).meets(&b);
        (!meet).then(Sweep::never)
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

/// Two polygons per row, for tiles.
pub(super) struct Pairs<'a> {
    a: Strands<'a>,
    b: Strands<'a>,
    velocity: Option<&'a Source<Shared<Vec2>>>,
}

/// Rows that were left open.
pub(super) type Open = Vec<usize>;

impl<'a> Pairs<'a> {
    pub(super) fn new(
        a: &'a Source<Shapes>,
        b: &'a Source<Shapes>,
        velocity: Option<&'a Source<Shared<Vec2>>>,
    ) -> Self {
        Self {
            a: Strands::new(a),
            b: Strands::new(b),
            velocity,
        }
    }

    /// Fills rows of a table as far as it can, and adds those that it can't to the open ones.
    pub(super) fn fill<K: PairNoun>(
        &self,
        table: &mut Table<'_>,
        rows: Range<usize>,
        open: &mut Open,
    ) {
        let known = open.len();
        with_instructions!(simd => self.block::<K, _>(simd, table, rows, open));
        open[known..].sort_unstable();
    }

    #[inline(always)]
    fn block<K: PairNoun, S: Simd>(
        &self,
        simd: S,
        table: &mut Table<'_>,
        rows: Range<usize>,
        open: &mut Open,
    ) {
        let even = self.a.size().zip(self.b.size());
        let listed = match even {
            None => self.fitting(table.first, rows.clone(), open),
            Some((a, b)) if convex::fit_a_tile(a, b) => Vec::new(),
            Some(_) => return open.extend(rows),
        };
        let mut tiles = Tiles {
            rows,
            even: even.map(|(a, b)| [a, b]),
            listed: &listed,
        };
        while let Some((sizes, places)) = tiles.next() {
            match sizes {
                [3, 3] => self.tile::<K, S, 3, 6>(simd, table, &places, open),
                [4, 4] => self.tile::<K, S, 4, 8>(simd, table, &places, open),
                [8, 8] => self.tile::<K, S, 8, 16>(simd, table, &places, open),
                _ => self.large_tile::<K, S>(simd, table, &places, sizes, open),
            }
        }
    }

    /// Rows that a tile takes, those of one size together.
    #[inline(always)]
    fn fitting(&self, first: usize, rows: Range<usize>, open: &mut Open) -> Vec<Fitting> {
        let mut fitting: Vec<Fitting> = Vec::with_capacity(rows.len());
        let mut is_even = true;
        for row in rows {
            let size = |strands: &Strands<'_>| strands.ring(first + row).map(|ring| ring.0.len());
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
    fn tile<K: PairNoun, S: Simd, const V: usize, const TWICE: usize>(
        &self,
        simd: S,
        table: &mut Table<'_>,
        places: &Places,
        open: &mut Open,
    ) {
        simd.vectorize(
            #[inline(always)]
            || {
                let zero = Lane::splat(simd, 0.0);
                let [mut a, mut b] = [[Vectors { x: zero, y: zero }; V]; 2];
                let mut reaches = [Reach::room(zero); TWICE];
                self.answer::<K, S>(simd, table, places, open, [&mut a, &mut b], &mut reaches);
            },
        );
    }

    /// Rings of any sizes.
    #[inline(always)]
    fn large_tile<K: PairNoun, S: Simd>(
        &self,
        simd: S,
        table: &mut Table<'_>,
        places: &Places,
        [v, w]: [usize; 2],
        open: &mut Open,
    ) {
        simd.vectorize(
            #[inline(always)]
            || {
                let zero = Lane::splat(simd, 0.0);
                let [mut a, mut b] = [[Vectors { x: zero, y: zero }; MOST_IN_A_TILE]; 2];
                let mut reaches = [Reach::room(zero); 2 * MOST_IN_A_TILE];
                let rings = [&mut a[..v], &mut b[..w]];
                self.answer::<K, S>(simd, table, places, open, rings, &mut reaches[..v + w]);
            },
        );
    }

    #[inline(always)]
    fn answer<K: PairNoun, S: Simd>(
        &self,
        simd: S,
        table: &mut Table<'_>,
        places: &Places,
        open: &mut Open,
        [a, b]: [&mut Ring<S>; 2],
        reaches: &mut [Reach<Lane<S>>],
    ) {
        let lanes = places.after(table.first);
        let winding_of_a = self.a.load(simd, &lanes, a);
        let winding_of_b = self.b.load(simd, &lanes, b);
        let size = convex::span([&*a, &*b]);
        let error = box_error(size, size);
        let is_good = winding_of_a.unwind(a, error) & winding_of_b.unwind(b, error);
        let velocity = self.velocity.map(
            #[inline(always)]
            |velocity| {
                let [x, y] = &mut [[0.0; LANES]; 2];
                for lane in 0..LANES {
                    let velocity = velocity.at(lanes.row(lane));
                    (x[lane], y[lane]) = (velocity.x, velocity.y);
                }
                Vectors {
                    x: numbers(simd, *x),
                    y: numbers(simd, *y),
                }
            },
        );
        let field = Field::new([&*a, &*b], size, reaches);
        let answers = K::eight(&field, velocity);
        let mut wanted = [0; MOST_FIELDS];
        for (wanted, (field, _)) in wanted.iter_mut().zip(&table.columns) {
            *wanted = *field;
        }
        let wanted = &wanted[..table.columns.len()];
        for (field, column) in &mut table.columns {
            K::field(&answers, *field).write(column, places);
        }
        if let Some(valid) = &mut table.valid {
            places.write(valid, [1; LANES]);
        }
        let known = (K::is_known(&answers, wanted) & is_good).to_bitmask();
        if known != (1 << LANES) - 1 {
            let is_open = |lane: &usize| known >> lane & 1 == 0;
            let lanes = (0..places.count()).filter(is_open);
            open.extend(lanes.map(|lane| places.row(lane)));
        }
    }
}

/// The tiles of a block.
struct Tiles<'l> {
    /// What is left of rows that are all alike.
    rows: Range<usize>,
    /// The sizes of such rows.
    even: Option<[usize; 2]>,
    /// What is left of others.
    listed: &'l [Fitting],
}

impl Tiles<'_> {
    #[inline(always)]
    fn next(&mut self) -> Option<([usize; 2], Places)> {
        if let Some(sizes) = self.even {
            let first = self.rows.start;
            let count = LANES.min(self.rows.end - first);
            self.rows.start += count;
            return (count > 0).then(|| (sizes, Places::run(first, count)));
        }
        let sizes = self.listed.first()?.0;
        let alike = self.listed.iter().take(LANES);
        let alike = alike.take_while(|(others, _)| *others == sizes);
        let (mut rows, mut count) = ([0; LANES], 0);
        for &(_, row) in alike {
            rows[count] = row;
            count += 1;
        }
        self.listed = &self.listed[count..];
        Some((sizes, Places::listed(rows, count)))
    }
}

/// Fields that any answer has at most.
const MOST_FIELDS: usize = 8;

/// How many vertices the two rings of a row have, and the row.
type Fitting = ([usize; 2], usize);

/// Which way the rings of a tile run.
#[derive(Clone, Copy)]
struct Winding<S: Simd> {
    /// The rows that are rings of the tile's size.
    is_ring: mask64x8<S>,
    /// Those that run clockwise, where they are known to be convex.
    clockwise: Option<mask64x8<S>>,
}

impl<S: Simd> Winding<S> {
    /// Turns the clockwise rings; whether a row is a convex ring.
    #[inline(always)]
    fn unwind(self, ring: &mut Ring<S>, error: Lane<S>) -> mask64x8<S> {
        let (is_convex, clockwise) = match self.clockwise {
            Some(clockwise) => (self.is_ring, clockwise),
            None => {
                let [left, right] = convex::turns(&*ring, error);
                (self.is_ring & (left | right), right)
            }
        };
        if clockwise.any_true() {
            turn(ring, clockwise);
        }
        is_convex
    }
}

impl Strands<'_> {
    /// Loads the rings of eight rows.
    #[inline(always)]
    fn load<S: Simd>(&self, simd: S, rows: &Places, into: &mut Ring<S>) -> Winding<S> {
        let count = into.len();
        let Some((run, known)) = rows.first_of_run().and_then(|first| self.run(first, count))
        else {
            return self.gather(simd, rows, into);
        };
        let mut vertices: [&[Point]; LANES] = [&[]; LANES];
        for (lane, ring) in vertices.iter_mut().enumerate() {
            *ring = &run[lane * count..][..count];
        }
        load(simd, &vertices, into);
        let mask = |bits| mask64x8::from_bitmask(simd, bits);
        Winding {
            is_ring: known.map_or(mask(!0), |known| mask(known.convex())),
            clockwise: known.map(|known| mask(known.clockwise())),
        }
    }

    /// As [`Self::load`], from rows that lie anywhere.
    #[inline(always)]
    fn gather<S: Simd>(&self, simd: S, rows: &Places, into: &mut Ring<S>) -> Winding<S> {
        let mut vertices: [&[Point]; LANES] = [&[]; LANES];
        let [mut is_ring, mut clockwise] = [0_u64; 2];
        let mut is_known = true;
        for (lane, vertices) in vertices.iter_mut().enumerate() {
            let (ring, winding, is_taken) = self.taken(rows.row(lane), into.len());
            *vertices = ring;
            is_known &= winding.is_some();
            is_ring |= u64::from(is_taken) << lane;
            clockwise |= u64::from(winding == Some(true)) << lane;
        }
        load(simd, &vertices, into);
        let mask = |bits| mask64x8::from_bitmask(simd, bits);
        Winding {
            is_ring: mask(is_ring),
            clockwise: is_known.then(|| mask(clockwise)),
        }
    }
}
