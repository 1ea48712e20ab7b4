//! The motion of the vertices of a shape that turns and moves as seen from another, which may turn too: at a
//! time, and throughout a range of time as polynomials.

use super::bernstein::TERMS;
use crate::geom::{Bounds, Vec2};
use crate::predicates::Rotation;

/// The motion of a shape as seen from the other, at a time.
pub(crate) struct RelativeMotionAt {
    /// The position of its origin.
    pub(crate) origin: Vec2,
    /// What turns with the frame: where the origin would be if the frame turned about its own origin.
    pub(super) pull: Vec2,
    /// The [`Centered::arc`] of the shape and that of the frame's shape.
    ///
    /// [`Centered::arc`]: super::turning_scene::Centered::arc
    pub(crate) arcs: [Vec2; 2],
    /// The velocity of the shape's center relative to the other center in world axes, seen in the frame.
    pub(crate) velocity: Vec2,
    /// How fast the shape turns in world axes.
    pub(crate) turn: f64,
    /// How fast the frame turns in the opposite direction.
    pub(crate) back: f64,
    /// How fast the shape turns in the frame.
    pub(crate) spin: f64,
    pub(crate) rotation: Rotation,
}

impl RelativeMotionAt {
    /// Place, velocity and acceleration of a vertex.
    pub(crate) fn at(&self, vertex: Vec2) -> [Vec2; 3] {
        let (arm, back, spin) = (self.rotation.of(vertex), self.back, self.spin);
        let [own, other] = self.arcs;
        let bends = own.times(spin + back) - other.times(back);
        [
            self.origin + arm,
            self.pull.turned_left().times(back)
                + self.velocity
                + arm.turned_left().times(spin)
                + (own - other).turned_left(),
            self.velocity.turned_left().times(2.0 * back)
                + self.pull.times(-back * back)
                + arm.times(-spin * spin)
                - bends,
        ]
    }

    /// The sum of the absolute values of the terms of a vertex's velocity.
    pub(crate) fn speed(&self, vertex: Vec2) -> f64 {
        let [own, other] = self.arcs.map(Vec2::length);
        self.pull.length() * self.back.abs()
            + self.velocity.length()
            + vertex.length() * self.spin.abs()
            + own
            + other
    }
}

/// The motion of a shape as seen from the other throughout a range of time: Taylor's polynomials of the
/// time, which runs from -1 to 1.
pub(super) struct Expansion {
    pub(crate) middle: f64,
    pub(crate) half: f64,
    origin: [Vec2; TERMS],
    rotation: Rotation,
    /// What the arm of a vertex is multiplied by, turned by a quarter more at each term.
    scales: [f64; TERMS],
    /// By how much the polynomials may be off.
    pub(super) rests: LengthBound,
    /// How far a vertex moves from its position in the middle of the range.
    pub(super) travels: LengthBound,
    /// How far a vertex moves by the terms of third and higher order.
    pub(crate) bends: LengthBound,
}

/// An upper bound of a length: the lower one of two. The first adds what the origin may move and what the arm may turn. The second
/// is low where the origin is far away, so that these all but cancel each other.
pub(super) struct LengthBound([Bound; 2]);

impl LengthBound {
    /// At these distances of a vertex from its own origin and, in the middle of the range, from that of the frame.
    pub(crate) fn of(&self, arm: f64, place: f64) -> f64 {
        let [one, other] = &self.0;
        one.of(arm, place).min(other.of(arm, place))
    }
}

/// A bound of a length: a constant, and what it is more for each unit of the vertex's distance from its own origin
/// and from that of the frame.
struct Bound {
    constant: f64,
    arm: f64,
    place: f64,
}

impl Bound {
    /// The second bound of the terms from one of this order on.
    ///
    /// In world axes, a vertex moves by `velocity * time` and with its arm, which turns. The derivatives of its
    /// place, which turns back with the frame, are by Leibniz' rule sums of products of these; the lowest order has
    /// the place itself.
    fn by_place(view: &RelativeMotionAt, half: f64, order: usize) -> Self {
        let [turn, back] = [view.turn, view.back].map(|turn| turn.abs() * half);
        let travel = view.velocity.length() * half;
        let power =
            |base: f64, order: usize| (1..=order).fold(1.0, |power, it| power * base / it as f64);
        let (place, per_travel) = (power(back, order), power(back, order - 1));
        let per_arm = place + power(back + turn, order - 1);
        // Distances from the centers exceed those from the origins by the arcs over the turns.
        let [own, other] = view.arcs.map(|arc| arc.length() * half);
        Self {
            constant: (place + per_travel) * travel
                + per_arm * own
                + per_travel / order as f64 * other,
            arm: per_arm * turn,
            place,
        }
    }

    fn of(&self, arm: f64, place: f64) -> f64 {
        self.constant + self.arm * arm + self.place * place
    }
}

/// The terms of the place of the origin that are due to its distance from the center and to that of the frame's.
///
/// The k-th is, turned by k quarters, `own * sum(spin^i * back^(k - 1 - i), i < k) / k! - other * back^(k - 1) / k!`
/// with the arcs `own` and `other`. With the term of what is pulled it is
/// `(back * pull + own - other) * back^(k - 1) / k!` and `own` times the sum without its first term: the bounds are
/// those of these two, as the parts of the first all but cancel where both shapes turn alike about one center.
struct ArcTerms {
    /// `back` and `spin`, and their absolute values.
    turns: [[f64; 2]; 2],
    /// Both arcs, turned by a quarter more at each term.
    arcs: [Vec2; 2],
    size_of_own: f64,
    /// The `back^(k - 1) / (k - 1)!` of the next term, of both kinds of turns.
    powers: [f64; 2],
    /// The factor of `own` in the last term.
    sums: [f64; 2],
}

impl ArcTerms {
    /// The terms before the first; `None` if all are zero.
    fn new(view: &RelativeMotionAt, half: f64) -> Option<Self> {
        if view.arcs == [Vec2::ZERO; 2] {
            return None;
        }
        let turns = [view.back * half, view.spin * half];
        Some(Self {
            turns: [turns, turns.map(f64::abs)],
            arcs: view.arcs.map(|arc| arc.times(half)),
            size_of_own: view.arcs[0].length() * half,
            powers: [1.0; 2],
            sums: [0.0; 2],
        })
    }

    /// The next term, and a bound of its second part at all times; `share` is one over its number.
    fn next(&mut self, share: f64) -> (Vec2, f64) {
        let mut factors = [[0.0; 2]; 2];
        for (kind, [back, spin]) in self.turns.into_iter().enumerate() {
            let power = self.powers[kind] * share;
            self.sums[kind] = self.sums[kind] * spin * share + power;
            self.powers[kind] = power * back;
            factors[kind] = [self.sums[kind], power];
        }
        self.arcs = self.arcs.map(Vec2::turned_left);
        let [[by_own, by_other], [most, most_of_first]] = factors;
        let term = self.arcs[0].times(by_own) - self.arcs[1].times(by_other);
        (term, self.size_of_own * (most - most_of_first))
    }

    /// A bound of `back * pull + own - other` at all times of the range. Apart from its own turning with the frame it
    /// changes by `back * velocity + spin * own`.
    fn pulled(&self, view: &RelativeMotionAt, along: Vec2, half: f64) -> f64 {
        let [own, other] = view.arcs;
        let [back, spin] = self.turns[1];
        let now = view.pull.times(view.back) + own - other;
        now.length() * half + back * along.length() + spin * self.size_of_own
    }
}

impl Expansion {
    pub(crate) fn new(view: &RelativeMotionAt, middle: f64, half: f64) -> Self {
        let (back, spin) = (view.back * half, view.spin * half);
        let (mut origin, mut scales) = ([view.origin; TERMS], [1.0; TERMS]);
        let (mut turned, mut along) = (view.pull, view.velocity.times(half));
        let speed = along.length();
        let mut arcs = ArcTerms::new(view, half);
        let pulled = match &arcs {
            None => (view.pull.length() + along.length()) * back.abs(),
            Some(arcs) => arcs.pulled(view, along, half),
        };
        let mut next_by_arcs = |share| arcs.as_mut().map_or((Vec2::ZERO, 0.0), |it| it.next(share));
        // The k-th term of the origin is turned * back^k / k! + along * back^(k - 1) / (k - 1)!, and that of the arcs.
        let (mut power, mut travels, mut bends) = (1.0, [0.0; 2], [0.0; 2]);
        for term in 1..TERMS {
            let share = 1.0 / term as f64;
            turned = turned.turned_left().times(back * share);
            let (by_arcs, most_by_arcs) = next_by_arcs(share);
            origin[term] = turned + along + by_arcs;
            along = along.turned_left().times(back * share);
            scales[term] = scales[term - 1] * spin * share;
            let size = if term == 1 {
                origin[term].length()
            } else {
                power * (pulled * share + speed) + most_by_arcs
            };
            power *= back.abs() * share;
            let add = |to: [f64; 2]| [to[0] + size, to[1] + scales[term].abs()];
            travels = add(travels);
            if term > 2 {
                bends = add(bends);
            }
        }
        let share = 1.0 / TERMS as f64;
        let rests = [
            power * (pulled * share + speed) + next_by_arcs(share).1,
            (scales[TERMS - 1] * spin).abs() * share,
        ];
        let bounds = |[constant, arm]: [f64; 2], order: usize| {
            let place = 0.0;
            let by_origin = Bound {
                constant,
                arm,
                place,
            };
            LengthBound([by_origin, Bound::by_place(view, half, order)])
        };
        let with_rests = |[constant, arm]: [f64; 2]| [constant + rests[0], arm + rests[1]];
        Self {
            middle,
            half,
            origin,
            rotation: view.rotation,
            scales,
            rests: bounds(rests, TERMS),
            travels: bounds(with_rests(travels), 1),
            bends: bounds(with_rests(bends), 3),
        }
    }

    pub(crate) fn time(&self, part: f64) -> f64 {
        self.middle + part * self.half
    }

    /// The position of a vertex in the middle of the range.
    pub(super) fn middle_of(&self, vertex: Vec2) -> Vec2 {
        self.origin[0] + self.rotation.of(vertex)
    }

    /// The first three terms of its place, off by no more than the bends.
    pub(super) fn parabola(&self, vertex: Vec2) -> [Vec2; 3] {
        let arm = self.rotation.of(vertex);
        [
            self.origin[0] + arm,
            self.origin[1] + arm.turned_left().times(self.scales[1]),
            self.origin[2] - arm.times(self.scales[2]),
        ]
    }

    /// The terms of the place of a vertex.
    pub(crate) fn of(&self, vertex: Vec2) -> [Vec2; TERMS] {
        let mut arm = self.rotation.of(vertex);
        std::array::from_fn(|term| {
            let here = self.origin[term] + arm.times(self.scales[term]);
            arm = arm.turned_left();
            here
        })
    }

    /// A box in which the points of a box are in the middle of the range, rounding apart.
    pub(crate) fn placed(&self, Bounds { min, max }: Bounds) -> Bounds {
        let middle = Vec2::new(0.5 * (min.x + max.x), 0.5 * (min.y + max.y));
        let half_size = Vec2::new(0.5 * (max.x - min.x), 0.5 * (max.y - min.y));
        let half_size = turned_half_size(half_size, self.rotation);
        Bounds::around(self.middle_of(middle).into(), half_size)
    }
}

/// Half the width and height of the box round a box with this half size that has turned.
pub(super) fn turned_half_size(Vec2 { x, y }: Vec2, rotation: Rotation) -> Vec2 {
    let (cos, sin) = (rotation.cos.abs(), rotation.sin.abs());
    Vec2::new(cos * x + sin * y, sin * x + cos * y)
}
