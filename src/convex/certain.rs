//! Whole questions in floats with a bound on the error, for one pair or for eight side by side:
//! every edge against the vertex of the other ring that lies deepest behind it.
//!
//! One bound serves all edges, because no vertex is farther from any of them than the box round
//! both rings is wide. What the bound leaves open goes to the walk round the difference, which
//! asks exact predicates; what it settles is what that walk would find.

use smallvec::{SmallVec, smallvec};

use super::gjk;
use super::minkowski::{Boundary, Corner, Owner};
use super::ring::{Corners, Cyclic, span};
use super::swept_collision::Passage;
use crate::geom::{Displacement, Edge, Motion, Point, Vec2};
use crate::predicates::about::{Grid, box_error, cross_error, error_along, vector};
use crate::predicates::lanes::{Lanes, Mask, Vectors};
use crate::predicates::{self, Sign};

/// The part of a depth's square up to which another counts as equally good: facing parallel edges,
/// which rounding has turned a little, tie in every heap of boxes. Half of what the public contract
/// calls equal.
const EQUALLY_GOOD: f64 = 1e-12;

/// The part of a depth's square up to which another gets a closer look.
const ALIKE: f64 = 1e-9;

/// Overlaps this many times their error are good to so few parts of [`ALIKE`] that, where squares
/// are not alike, their order is certain.
const CLEAR: f64 = 4e10;

/// The relative error that numbers may have: a tenth of what the public contract allows.
const ACCURATE: f64 = 1e-11;

/// The relative error of a handful of roundings.
const ROUNDINGS: f64 = 16.0 * f64::EPSILON;

/// Squares of lengths from which on a product with 2^-400, the square of the smallest usual bound,
/// is a normal float.
const TINY: f64 = f64::from_bits((1023 - 600) << 52);

/// More than any usual overlap, and little enough that products with it stay finite (2^250).
const FAR: f64 = f64::from_bits((1023 + 250) << 52);

/// Pairs of vertices up to which looking at all takes less time than following the deepest.
const SMALL: usize = 400;

/// Vertices up to which a ring can be one of eight side by side.
pub(crate) const MOST_IN_A_TILE: usize = 16;

/// Whether rings with so many vertices can be looked at eight pairs at a time: not where for one
/// pair there is a faster way.
#[inline]
pub(crate) fn fit_a_tile(a: usize, b: usize) -> bool {
    let fits = |count: usize| (3..=MOST_IN_A_TILE).contains(&count);
    fits(a) && fits(b) && !gjk::pays(a, b)
}

/// An edge of the difference by the ring it comes from and the corner it starts at.
pub(super) type Named = (Owner, Corner);

/// How the origin lies to an edge of the difference.
#[derive(Clone, Copy, Debug)]
pub struct Reach<L> {
    /// How far the deepest vertex of the other ring lies behind the edge, times the edge's length.
    overlap: L,
    /// The edge as a vector, as it runs on the difference.
    direction: Vectors<L>,
}

impl<L: Lanes> Reach<L> {
    /// Room for one.
    #[inline(always)]
    pub(crate) fn room(like: L) -> Self {
        let zero = like.all(0.0);
        Self {
            overlap: zero,
            direction: Vectors { x: zero, y: zero },
        }
    }
}

/// All edges of the difference, and how well they are known.
pub struct Field<'r, L, R: ?Sized> {
    rings: [&'r R; 2],
    /// The edges of a, then those of b.
    reaches: &'r [Reach<L>],
    /// The width and height of the box round both rings.
    size: Vectors<L>,
    /// The most by which an overlap can be wrong.
    error: L,
}

impl<R: ?Sized, L: Copy> Clone for Field<'_, L, R> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<R: ?Sized, L: Copy> Copy for Field<'_, L, R> {}

impl<'r, L: Lanes, R: Corners<L> + ?Sized> Field<'r, L, R> {
    /// Looks at every edge and every vertex of two rings, the box round which has this size. The
    /// field stays in the room given, one for each edge.
    #[inline(always)]
    pub(crate) fn new(rings: [&'r R; 2], size: Vectors<L>, reaches: &'r mut [Reach<L>]) -> Self {
        let error = box_error(size, size);
        let [a, b] = rings;
        let (of_a, of_b) = reaches.split_at_mut(a.count());
        for index in 0..of_b.len() {
            let next = if index + 1 == of_b.len() { 0 } else { index + 1 };
            of_b[index].direction = b.corner(next) - b.corner(index);
        }
        for index in 0..of_a.len() {
            let next = if index + 1 == of_a.len() { 0 } else { index + 1 };
            let corner = a.corner(index);
            let direction = corner - a.corner(next);
            let mut deepest = size.x;
            for other in 0..of_b.len() {
                let gap = corner - b.corner(other);
                let overlap = direction.cross(gap);
                deepest = if other == 0 {
                    overlap
                } else {
                    deepest.larger(overlap)
                };
                let of_b = &mut of_b[other];
                let overlap = of_b.direction.cross(gap);
                of_b.overlap = if index == 0 {
                    overlap
                } else {
                    of_b.overlap.larger(overlap)
                };
            }
            of_a[index] = Reach {
                overlap: deepest,
                direction,
            };
        }
        Self {
            rings,
            reaches,
            size,
            error,
        }
    }

    /// The same field, with the knowledge that nothing was rounded where all corners, and the
    /// vector, are on a grid. None if that is nowhere so.
    #[inline(always)]
    fn on_grid(self, vector: Option<Vectors<L>>) -> Option<Self> {
        let zero = self.error.all(0.0);
        let beyond = vector.map_or(zero, |vector| vector.x.abs().larger(vector.y.abs()));
        let grid = Grid::new(self.size.x.larger(self.size.y).larger(beyond));
        let mut is_exact = zero.all(f64::INFINITY).above(self.error);
        for ring in self.rings {
            for index in 0..ring.count() {
                is_exact = is_exact & grid.holds_both(ring.corner(index));
            }
        }
        if let Some(vector) = vector {
            is_exact = is_exact & grid.holds_both(vector);
        }
        is_exact.any().then(|| Self {
            error: is_exact.choose(zero, self.error),
            ..self
        })
    }

    /// A number in as many lanes.
    #[inline(always)]
    pub(crate) fn like(&self) -> L {
        self.error
    }

    #[inline(always)]
    fn least_overlap(&self) -> L {
        let mut least = self.reaches[0].overlap;
        for reach in &self.reaches[1..] {
            least = least.smaller(reach.overlap);
        }
        least
    }
}

/// An answer in lanes; open where neither is set.
#[derive(Clone, Copy, Debug)]
pub struct Verdict<L: Lanes> {
    pub(crate) yes: L::Mask,
    pub(crate) no: L::Mask,
}

impl<L: Lanes> Verdict<L> {
    /// Whether a number with this error at most is at least zero.
    #[inline(always)]
    fn reached(number: L, error: L) -> Self {
        let zero = number.all(0.0);
        let is_exact = error.same(zero);
        Self {
            yes: number.above(error) | (is_exact & number.same(zero)),
            no: (zero - error).above(number),
        }
    }

    /// Where it is open.
    #[inline(always)]
    pub(crate) fn open(&self) -> L::Mask {
        !(self.yes | self.no)
    }
}

/// Whether two rings intersect.
#[inline(always)]
pub(crate) fn intersects<L: Lanes, R: Corners<L> + ?Sized>(field: &Field<'_, L, R>) -> Verdict<L> {
    let least = field.least_overlap();
    let verdict = Verdict::reached(least, field.error);
    if verdict.open().any()
        && let Some(exact) = field.on_grid(None)
    {
        return Verdict::reached(least, exact.error);
    }
    verdict
}

/// A direction and how far the shapes overlap along its normal; negative where they are apart.
#[derive(Clone, Copy, Debug)]
struct Axis<L> {
    /// The edge's position, those of b after those of a; or what else the direction is.
    position: L,
    direction: Vectors<L>,
    /// Times the length of the direction.
    overlap: L,
    /// The most by which that can be wrong.
    error: L,
    /// The square of the overlap, with its sign.
    square: L,
    length_squared: L,
}

impl<L: Lanes> Axis<L> {
    #[inline(always)]
    fn new(position: usize, direction: Vectors<L>, overlap: L, error: L) -> Self {
        Self {
            position: overlap.all(position as f64),
            direction,
            overlap,
            error,
            square: overlap * overlap.abs(),
            length_squared: direction.length_squared(),
        }
    }

    #[inline(always)]
    fn choose(mask: L::Mask, yes: &Self, no: &Self) -> Self {
        Self {
            position: mask.choose(yes.position, no.position),
            direction: Vectors::choose(mask, yes.direction, no.direction),
            overlap: mask.choose(yes.overlap, no.overlap),
            error: mask.choose(yes.error, no.error),
            square: mask.choose(yes.square, no.square),
            length_squared: mask.choose(yes.length_squared, no.length_squared),
        }
    }

    /// The square of the depth and that of another's, both times the same factor.
    #[inline(always)]
    fn beside(&self, other: &Self) -> [L; 2] {
        let own = self.square * other.length_squared;
        [own, other.square * self.length_squared]
    }

    /// Whether another's depth may be as small for all that is known, and whether it is then as
    /// good.
    #[inline(always)]
    fn rivals(&self, other: &Self) -> [L::Mask; 2] {
        let [own, others] = self.beside(other);
        // With e the error of an overlap above it, its square is wrong by 3 e times it at most.
        let doubt = |one: &Self, other: &Self| one.error * one.overlap.abs() * other.length_squared;
        let doubt = (doubt(self, other) + doubt(other, self)) * own.all(3.0)
            + (own.abs() + others.abs()) * own.all(ROUNDINGS);
        let may_be = !(others - own).abs().above(doubt);
        let as_good = !doubt.above(own.abs() * own.all(EQUALLY_GOOD));
        [may_be, as_good]
    }
}

/// The least of several overlaps, each over the length of its direction.
#[derive(Clone, Copy, Debug)]
struct Shallowest<L: Lanes> {
    axis: Axis<L>,
    /// Whether another may be as shallow: yes where in doubt.
    is_tied: L::Mask,
    /// The least overlap in units of its error that any of them had, at most, and the least square
    /// of a length.
    margin: L,
    shortest: L,
}

impl<L: Lanes> Shallowest<L> {
    #[inline(always)]
    fn of(count: usize, axis: impl Fn(usize) -> Axis<L>) -> Self {
        let mut least = Self::first(axis(0));
        for index in 1..count {
            least = least.with(&axis(index));
        }
        least
    }

    #[inline(always)]
    fn first(axis: Axis<L>) -> Self {
        let zero = axis.overlap.all(0.0);
        Self {
            is_tied: zero.above(zero),
            margin: Self::margin(&axis),
            shortest: axis.length_squared,
            axis,
        }
    }

    #[inline(always)]
    fn margin(axis: &Axis<L>) -> L {
        axis.overlap - axis.error * axis.error.all(CLEAR)
    }

    #[inline(always)]
    fn with(self, axis: &Axis<L>) -> Self {
        let [own, least] = axis.beside(&self.axis);
        let is_shallower = least.above(own);
        let is_alike = !(own - least).abs().above(least.abs() * own.all(ALIKE));
        Self {
            axis: Axis::choose(is_shallower, axis, &self.axis),
            // What was alike the former least is not alike one that is far below it.
            is_tied: is_alike | (self.is_tied & !is_shallower),
            margin: self.margin.smaller(Self::margin(axis)),
            shortest: self.shortest.smaller(axis.length_squared),
        }
    }

    /// Where the axis is certain without a closer look.
    #[inline(always)]
    fn is_clear(&self) -> L::Mask {
        let zero = self.margin.all(0.0);
        !self.is_tied & self.margin.above(zero) & self.shortest.above(zero.all(TINY))
    }
}

/// What an axis measures.
#[derive(Clone, Copy, Debug)]
pub struct Measure<L> {
    /// The size of the overlap or of the gap.
    pub(crate) size: L,
    /// The unit vector along which the first shape gets out.
    pub(crate) normal: Vectors<L>,
}

impl<L: Lanes> Measure<L> {
    #[inline(always)]
    fn of(axis: &Axis<L>) -> Self {
        let one = axis.overlap.all(1.0);
        let zero = axis.overlap.all(0.0);
        let per_length = one / axis.length_squared.sqrt();
        let Vectors { x, y } = axis.direction;
        Self {
            size: axis.overlap.abs() * per_length,
            normal: Vectors { x: y, y: zero - x }.map(|component| component * per_length),
        }
    }

    #[inline(always)]
    fn choose(mask: L::Mask, yes: &Self, no: &Self) -> Self {
        Self {
            size: mask.choose(yes.size, no.size),
            normal: Vectors::choose(mask, yes.normal, no.normal),
        }
    }

    /// The way out.
    #[inline(always)]
    pub(crate) fn translation(&self) -> Vectors<L> {
        // The sum makes a negative zero a positive one.
        self.normal
            .map(|component| component * self.size + self.size.all(0.0))
    }
}

/// What is known of two rings' overlap.
#[derive(Clone, Copy, Debug)]
pub struct Sat<L: Lanes> {
    /// Where the answer is certain, and its numbers accurate.
    pub(crate) is_certain: L::Mask,
    /// Whether they intersect.
    pub(crate) intersects: L::Mask,
    /// Along the axis of least overlap, or one that separates.
    pub(crate) measure: Measure<L>,
    axis: Axis<L>,
}

impl<L: Lanes> Sat<L> {
    #[inline(always)]
    fn choose(mask: L::Mask, yes: &Self, no: &Self) -> Self {
        let either = |yes, no| (mask & yes) | (!mask & no);
        Self {
            is_certain: either(yes.is_certain, no.is_certain),
            intersects: either(yes.intersects, no.intersects),
            measure: Measure::choose(mask, &yes.measure, &no.measure),
            axis: Axis::choose(mask, &yes.axis, &no.axis),
        }
    }
}

impl<L: Lanes> Sat<L> {
    /// The depth; zero where apart.
    #[inline(always)]
    pub(crate) fn depth(&self) -> L {
        let size = self.measure.size;
        self.intersects.choose(size, size.all(0.0))
    }

    /// The way out; zero where apart.
    #[inline(always)]
    pub(crate) fn mtv(&self) -> Vectors<L> {
        let way = self.measure.translation();
        way.map(|component| self.intersects.choose(component, component.all(0.0)))
    }

    /// Minus the depth, or the gap.
    #[inline(always)]
    pub(crate) fn separation(&self) -> L {
        let size = self.measure.size;
        self.intersects.choose(size.all(0.0) - size, size)
    }
}

/// The axis of least overlap of two rings, or one that separates them.
#[inline(always)]
pub(crate) fn sat<L: Lanes, R: Corners<L> + ?Sized>(field: &Field<'_, L, R>) -> Sat<L> {
    let sat = rounded_sat(field);
    if (!sat.is_certain).any()
        && let Some(exact) = field.on_grid(None)
    {
        return Sat::choose(sat.is_certain, &sat, &rounded_sat(&exact));
    }
    sat
}

#[inline(always)]
fn rounded_sat<L: Lanes, R: Corners<L> + ?Sized>(field: &Field<'_, L, R>) -> Sat<L> {
    let count = field.reaches.len();
    let axis_of = |index: usize| {
        let reach = field.reaches[index];
        Axis::new(index, reach.direction, reach.overlap, field.error)
    };
    let overlap = Verdict::reached(field.least_overlap(), field.error);
    let least = Shallowest::of(count, axis_of);
    let is_clear = least.is_clear();
    let mut axis = least.axis;
    let mut is_chosen = overlap.no | is_clear;
    let to_settle = overlap.yes & !is_clear;
    if to_settle.any() {
        let (settled, is_settled) = settle(&least, axis_of, [field.rings[0].count(), count]);
        axis = Axis::choose(to_settle, &settled, &axis);
        is_chosen = is_chosen | is_settled;
    }
    let zero = field.error.all(0.0);
    let is_separate = overlap.no & (zero - field.error).above(axis.overlap);
    let is_accurate = is_accurate(&axis, error_along(axis.direction, field.size));
    Sat {
        is_certain: (is_separate | overlap.yes) & is_chosen & is_accurate,
        intersects: overlap.yes,
        measure: Measure::of(&axis),
        axis,
    }
}

/// Whether the overlap along an axis is known to ten digits; `error` is the most by which it can
/// be wrong where anything was rounded.
#[inline(always)]
fn is_accurate<L: Lanes>(axis: &Axis<L>, error: L) -> L::Mask {
    let is_exact = axis.error.same(error.all(0.0));
    is_exact | (axis.overlap.abs() * error.all(ACCURATE)).above(error)
}

/// Has a closer look at overlaps that may be the least: all must be as good, and of two parallel
/// edges it is that of `a`. Of one ring's edges that are nearly parallel only one may face the
/// other ring, and bounds can't tell which.
#[inline(always)]
fn settle<L: Lanes>(
    least: &Shallowest<L>,
    axis_of: impl Fn(usize) -> Axis<L>,
    [count_of_a, count]: [usize; 2],
) -> (Axis<L>, L::Mask) {
    let is_of_b = |axis: &Axis<L>| axis.position.above(axis.position.all(count_of_a as f64 - 0.5));
    let mut chosen = least.axis;
    for index in 0..count_of_a {
        let axis = axis_of(index);
        let [may_be, as_good] = least.axis.rivals(&axis);
        chosen = Axis::choose(is_of_b(&chosen) & may_be & as_good, &axis, &chosen);
    }
    let zero = chosen.overlap.all(0.0);
    let mut is_sure = least.shortest.above(zero.all(TINY));
    for index in 0..count {
        let axis = axis_of(index);
        let [may_be, as_good] = chosen.rivals(&axis);
        let is_itself = axis.position.same(chosen.position);
        let same_owner = !(is_of_b(&chosen) ^ is_of_b(&axis));
        let turned = chosen.direction.cross(axis.direction).abs().above(axis.error);
        let opposite = zero.above(chosen.direction.dot(axis.direction));
        let told = as_good & (!same_owner | turned | opposite);
        is_sure = is_sure & (is_itself | !may_be | told);
    }
    (chosen, is_sure)
}

/// What is known of a sweep.
#[derive(Clone, Copy, Debug)]
pub struct Sweep<L: Lanes> {
    /// Where the answer is certain, and the time accurate.
    pub(crate) is_certain: L::Mask,
    /// Whether they intersect at the start.
    pub(crate) intersects: L::Mask,
    /// Whether they intersect at some time.
    pub(crate) will_intersect: L::Mask,
    /// The first time, if they do.
    time: L,
    /// The edge through which the path enters, or one of several.
    position: L,
}

impl<L: Lanes> Sweep<L> {
    /// The time of the first contact; infinite where there is none.
    #[inline(always)]
    pub(crate) fn time(&self) -> L {
        self.will_intersect.choose(self.time, self.time.all(f64::INFINITY))
    }

    #[inline(always)]
    fn choose(mask: L::Mask, yes: &Self, no: &Self) -> Self {
        let either = |yes, no| (mask & yes) | (!mask & no);
        Self {
            is_certain: either(yes.is_certain, no.is_certain),
            intersects: either(yes.intersects, no.intersects),
            will_intersect: either(yes.will_intersect, no.will_intersect),
            time: mask.choose(yes.time, no.time),
            position: mask.choose(yes.position, no.position),
        }
    }
}

/// Whether and when the origin meets the difference, moving by a velocity of no more than this
/// speed in either component; whether the velocity is such to the last digit.
///
/// It does if no edge has both its ends outside, and the difference lies on neither side of the
/// path: the normals of the sum of a shape and a segment are those of the shape and the two across
/// the segment. It enters through the last of the edges that it comes to from outside.
#[inline(always)]
pub(crate) fn swept_collision<L: Lanes, R: Corners<L> + ?Sized>(
    field: &Field<'_, L, R>,
    velocity: Vectors<L>,
    speed: Vectors<L>,
    is_given: bool,
) -> Sweep<L> {
    let sweep = rounded_sweep(field, velocity, speed);
    if (!sweep.is_certain).any()
        && is_given
        && let Some(exact) = field.on_grid(Some(velocity))
    {
        let exact = rounded_sweep(&exact, velocity, speed);
        return Sweep::choose(sweep.is_certain, &sweep, &exact);
    }
    sweep
}

#[inline(always)]
fn rounded_sweep<L: Lanes, R: Corners<L> + ?Sized>(
    field: &Field<'_, L, R>,
    velocity: Vectors<L>,
    speed: Vectors<L>,
) -> Sweep<L> {
    let zero = field.error.all(0.0);
    let one = zero.all(1.0);
    let is_exact = field.error.same(zero);
    let doubt = is_exact.choose(zero, box_error(field.size, speed));
    let approach = |reach: &Reach<L>| reach.direction.cross(velocity);
    let farthest = |reach: &Reach<L>| reach.overlap + approach(reach).larger(zero);
    let mut least = farthest(&field.reaches[0]);
    for reach in &field.reaches[1..] {
        least = least.smaller(farthest(reach));
    }
    let along = Verdict::reached(least, field.error + doubt);
    let [right, left] = widths(field.rings, velocity);
    let across = Verdict::reached(right.smaller(left), doubt + doubt);
    let now = Verdict::reached(field.least_overlap(), field.error);
    let never = along.no | across.no;
    let will = along.yes & across.yes;

    let (mut gap, mut pace, mut position) = (zero, one, zero);
    for (index, reach) in field.reaches.iter().enumerate() {
        let (its_gap, its_pace) = (zero - reach.overlap, approach(reach));
        let is_later = (its_gap * pace).above(gap * its_pace) & its_gap.above(field.error);
        gap = is_later.choose(its_gap, gap);
        pace = is_later.choose(its_pace, pace);
        position = is_later.choose(zero.all(index as f64), position);
    }
    let mut is_last = gap.above(field.error);
    let scale = one + one.all(ACCURATE);
    for reach in field.reaches {
        let at_most = field.error - reach.overlap;
        let at_least = approach(reach) - doubt;
        let is_inside = !(at_most.above(zero));
        let is_earlier = !(at_most * pace).above(gap * at_least * scale);
        is_last = is_last & (is_inside | is_earlier);
    }
    Sweep {
        is_certain: never | now.yes | (will & now.no & is_last),
        intersects: now.yes,
        will_intersect: now.yes | (will & !never),
        time: now.yes.choose(zero, (gap / pace).smaller(one)),
        position,
    }
}

/// How far the first ring's leftmost vertex lies to the left of the second's rightmost, seen along
/// a direction and times its length; and the same with left and right exchanged.
#[inline(always)]
fn widths<L: Lanes, R: Corners<L> + ?Sized>([a, b]: [&R; 2], direction: Vectors<L>) -> [L; 2] {
    let from = a.corner(0);
    let range = |ring: &R| {
        let across = |index| direction.cross(ring.corner(index) - from);
        let [mut low, mut high] = [across(0); 2];
        for index in 1..ring.count() {
            let value = across(index);
            (low, high) = (low.smaller(value), high.larger(value));
        }
        [low, high]
    };
    let ([low_a, high_a], [low_b, high_b]) = (range(a), range(b));
    [high_a - low_b, high_b - low_a]
}

/// What is known of the way out of a whole sweep.
#[derive(Clone, Copy, Debug)]
pub struct Clearance<L: Lanes> {
    /// Where the answer is certain, and its numbers accurate.
    pub(crate) is_certain: L::Mask,
    /// Along the axis of least overlap.
    pub(crate) measure: Measure<L>,
}

/// The axis of least overlap of a sweep, where that overlaps at all.
#[inline(always)]
pub(crate) fn sweep_clearance<L: Lanes, R: Corners<L> + ?Sized>(
    field: &Field<'_, L, R>,
    velocity: Vectors<L>,
) -> Clearance<L> {
    let clearance = rounded_clearance(field, velocity);
    if (!clearance.is_certain).any()
        && let Some(exact) = field.on_grid(Some(velocity))
    {
        let exact = rounded_clearance(&exact, velocity);
        let measure = Measure::choose(clearance.is_certain, &clearance.measure, &exact.measure);
        let is_certain = clearance.is_certain | exact.is_certain;
        return Clearance {
            is_certain,
            measure,
        };
    }
    clearance
}

#[inline(always)]
fn rounded_clearance<L: Lanes, R: Corners<L> + ?Sized>(
    field: &Field<'_, L, R>,
    velocity: Vectors<L>,
) -> Clearance<L> {
    let zero = field.error.all(0.0);
    let is_exact = field.error.same(zero);
    let speed = velocity.map(L::abs);
    let doubt = is_exact.choose(zero, box_error(field.size, speed));
    let [right, left] = widths(field.rings, velocity);
    let still = velocity.x.same(zero) & velocity.y.same(zero);
    // Without a path there is nothing across it, and no depth is below the first edge's.
    let side = |overlap: L, direction: Vectors<L>| {
        let one = Vectors { x: zero.all(1.0), y: zero };
        let overlap = still.choose(zero.all(FAR), overlap);
        let direction = Vectors::choose(still, one, direction);
        Axis::new(0, direction, overlap, doubt + doubt)
    };
    let reversed = velocity.map(|component| zero - component);
    let sides = [side(right, velocity), side(left, reversed)];
    let axis_of = |index: usize| match index {
        0 | 1 => sides[index],
        _ => {
            let Reach { overlap, direction } = field.reaches[index - 2];
            let overlap = overlap + direction.cross(velocity).larger(zero);
            Axis::new(index, direction, overlap, field.error + doubt)
        }
    };
    let count = field.reaches.len() + 2;
    let least = Shallowest::of(count, axis_of);
    let axis = least.axis;
    let mut is_sure = least.is_clear();
    if (!is_sure).any() {
        let mut as_good_as_all = least.shortest.above(zero.all(TINY));
        for index in 0..count {
            let other = axis_of(index);
            let [may_be, as_good] = axis.rivals(&other);
            let overlaps = Verdict::reached(other.overlap, other.error).yes;
            as_good_as_all = as_good_as_all & overlaps & (!may_be | as_good);
        }
        is_sure = is_sure | as_good_as_all;
    }
    let error = error_along(axis.direction, field.size) + error_along(axis.direction, speed);
    Clearance {
        is_certain: is_sure & is_accurate(&axis, error),
        measure: Measure::of(&axis),
    }
}

/// The questions about one pair.
pub(super) struct Pair<'r> {
    a: &'r [Point],
    b: &'r [Point],
    size: Vectors<f64>,
}

impl<'r> Pair<'r> {
    /// Two rings, counterclockwise.
    pub(super) fn new(a: &'r [Point], b: &'r [Point]) -> Self {
        let size = span([a, b]);
        Self { a, b, size }
    }

    /// Whether they intersect.
    pub(super) fn intersects(&self) -> Option<bool> {
        self.ask(|field| {
            let Verdict { yes, no } = intersects(field);
            (yes | no).then_some(yes)
        })
    }

    /// Overlap and the way out, and the edge whose normal that is.
    pub(super) fn sat(&self) -> Option<(Sat<f64>, Named)> {
        self.ask(|field| {
            let sat = sat(field);
            let named = || self.named(sat.axis.position as usize, field.error);
            sat.is_certain.then(|| (sat, named()))
        })
    }

    /// Whether and when the origin enters the difference.
    pub(super) fn swept_collision(&self, motion: Motion) -> Option<Passage> {
        let velocity = motion.rounded();
        // What is summed of several parts is rounded more often than the bounds allow for.
        let factor = if motion.steps == 0.0 { 1.0 } else { 2.0 };
        let speed = Vectors::from(motion.size()).map(|size| size * factor);
        self.ask(|field| {
            let is_given = motion.vector().is_some();
            let sweep = swept_collision(field, velocity.into(), speed, is_given);
            sweep.is_certain.then(|| match sweep {
                Sweep {
                    intersects: true, ..
                } => Passage::Overlap,
                Sweep {
                    will_intersect: false,
                    ..
                } => Passage::Never,
                _ => {
                    let entry = self.entry(field, &sweep, motion, speed);
                    Passage::Entry(entry, Some(sweep.time))
                }
            })
        })
    }

    /// The edge that the path enters through. Where two come in question, it is the one that the
    /// path meets between its ends, exactly.
    fn entry(
        &self,
        field: &Field<'_, f64, [Point]>,
        sweep: &Sweep<f64>,
        motion: Motion,
        speed: Vectors<f64>,
    ) -> Option<Named> {
        let doubt = box_error(field.size, speed);
        let fraction = |reach: &Reach<f64>| {
            let pace = reach.direction.cross(motion.rounded().into());
            (-reach.overlap, pace)
        };
        let (gap, pace) = fraction(&field.reaches[sweep.position as usize]);
        let (at_least, at_most) = (gap - field.error, pace + doubt);
        let may_be_last = |(_, reach): &(usize, &Reach<f64>)| {
            let (its_gap, its_pace) = fraction(reach);
            (its_gap + field.error) * at_most * (1.0 + ROUNDINGS) >= at_least * (its_pace - doubt)
        };
        let reaches = field.reaches.iter().enumerate();
        let mut candidates = reaches.filter(may_be_last).map(|(position, _)| position);
        let candidates = [candidates.next(), candidates.next(), candidates.next()];
        let named = |position| self.named(position, field.error);
        match candidates {
            [Some(only), None, None] => Some(named(only)),
            [Some(first), Some(second), None] => {
                let boundary = Boundary::convex(self.a, self.b);
                [first, second].map(named).into_iter().find(|&(owner, corner)| {
                    boundary.is_entered(&boundary.edge(owner, corner), motion)
                })
            }
            _ => None,
        }
    }

    /// The way out of a whole sweep.
    pub(super) fn sweep_clearance(&self, velocity: Vec2) -> Option<Measure<f64>> {
        self.ask(|field| {
            let clearance = sweep_clearance(field, velocity.into());
            clearance.is_certain.then_some(clearance.measure)
        })
    }

    /// Asks a question of the field of both rings.
    #[inline(always)]
    fn ask<T>(&self, question: impl FnOnce(&Field<'_, f64, [Point]>) -> T) -> T {
        let (a, b) = (self.a, self.b);
        let room = Reach::room(0.0);
        if let (Ok(a), Ok(b)) = (<&[Point; 4]>::try_from(a), <&[Point; 4]>::try_from(b)) {
            // The most usual length, for which the loops unroll.
            let mut reaches = [room; 8];
            return question(&Field::new([&a[..], &b[..]], self.size, &mut reaches));
        }
        let mut reaches: SmallVec<[Reach<f64>; 16]> = smallvec![room; a.len() + b.len()];
        question(&if a.len() * b.len() <= SMALL {
            Field::new([a, b], self.size, &mut reaches)
        } else {
            Field::by_calipers([a, b], self.size, &mut reaches)
        })
    }

    /// An edge with the corner it starts at, which the deepest vertex behind it tells.
    fn named(&self, position: usize, error: f64) -> Named {
        match position.checked_sub(self.a.len()) {
            None => {
                let b = deepest(Owner::A, self.a.edge(position), self.b, error);
                (Owner::A, Corner { a: position, b })
            }
            Some(position) => {
                let a = deepest(Owner::B, self.b.edge(position), self.a, error);
                (Owner::B, Corner { a, b: position })
            }
        }
    }
}

impl<'r> Field<'r, f64, [Point]> {
    /// The same as [`Self::new`], where following the deepest vertex round the other ring, as the
    /// edges turn, takes less time than looking at all of them (Shamos's calipers).
    fn by_calipers(
        [a, b]: [&'r [Point]; 2],
        size: Vectors<f64>,
        reaches: &'r mut [Reach<f64>],
    ) -> Self {
        let (of_a, of_b) = reaches.split_at_mut(a.len());
        let follow = |ring: &[Point], others: &[Point], reaches: &mut [Reach<f64>], sign: f64| {
            let mut deepest = 0;
            for (index, reach) in reaches.iter_mut().enumerate() {
                let edge = ring.edge(index);
                deepest = climb(edge, size, others, deepest);
                let direction = vector(edge.start, edge.end);
                let gap = vector(edge.start, others[deepest]);
                *reach = Reach {
                    overlap: Vectors::from(direction).cross(gap.into()),
                    direction: Vectors::from(direction).map(|component| sign * component),
                };
            }
        };
        follow(a, b, of_a, -1.0);
        follow(b, a, of_b, 1.0);
        let error = box_error(size, size);
        Self {
            rings: [a, b],
            reaches,
            size,
            error,
        }
    }
}

/// The vertex deepest behind an edge, or one of two, by steps that go deeper. Round a convex ring
/// the depth rises once and falls once, so that where no step goes deeper there is nothing deeper.
#[inline]
fn climb(edge: Edge, size: Vectors<f64>, others: &[Point], from: usize) -> usize {
    let direction = vector(edge.start, edge.end);
    let error = cross_error(direction, Vec2::new(size.x, size.y));
    let is_deeper = |to: usize, from: usize| {
        let step = predicates::about::cross(direction, vector(others[from], others[to]));
        if step.abs() > error {
            step > 0.0
        } else {
            is_deeper_exactly(edge, others[from], others[to])
        }
    };
    let mut deepest = from;
    while is_deeper(others.next(deepest), deepest) {
        deepest = others.next(deepest);
    }
    if deepest == from {
        while is_deeper(others.previous(deepest), deepest) {
            deepest = others.previous(deepest);
        }
    }
    deepest
}

#[cold]
#[inline(never)]
fn is_deeper_exactly(edge: Edge, from: Point, to: Point) -> bool {
    predicates::cross(edge, Displacement::between(from, to)) == Sign::Positive
}

/// The vertex deepest behind an edge.
///
/// Where an edge of the other ring is parallel, both its ends are deepest. The walk, which
/// takes the edges of `a` first, comes to an edge of `a` from its start, to one of `b` from
/// its end.
fn deepest(owner: Owner, edge: Edge, others: &[Point], error: f64) -> usize {
    let direction = vector(edge.start, edge.end);
    let depth = |index: usize| predicates::about::cross(direction, vector(edge.start, others[index]));
    let depths = (0..others.len()).map(depth);
    let least = depths.fold(f64::NEG_INFINITY, f64::larger) - 3.0 * error;
    let deeper = |best: usize, index: usize| {
        let gap = Displacement::between(others[best], others[index]);
        let follows = others.next(best) == index;
        match predicates::cross(edge, gap) {
            Sign::Positive => index,
            Sign::Zero if follows == (owner == Owner::B) => index,
            _ => best,
        }
    };
    (0..others.len())
        .filter(|&index| depth(index) >= least)
        .reduce(deeper)
        .unwrap_or_default()
}
