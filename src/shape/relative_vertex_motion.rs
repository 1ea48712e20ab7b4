//! The motion of the vertices of a shape that turns and moves as seen from another, which may turn too: at a
//! time, and throughout a range of time as polynomials.

use super::bernstein::TERMS;
use crate::geom::{Bounds, Point, Vec2};
use crate::predicates::Rotation;

/// The motion of a shape as seen from the other, at a time.
pub(super) struct View {
    /// The position of its center, and the center's velocity without the part due to the turning
    /// frame.
    pub(super) center: Vec2,
    pub(super) velocity: Vec2,
    /// How fast the shape turns about its center in axes that rest, how fast the frame turns about the origin, and
    /// the shape about its center in that frame.
    pub(super) turn: f64,
    pub(super) back: f64,
    pub(super) spin: f64,
    pub(super) rotation: Rotation,
}

impl View {
    /// Place, velocity and acceleration of a vertex.
    pub(super) fn at(&self, vertex: Vec2) -> [Vec2; 3] {
        let (arm, back, spin) = (self.rotation.of(vertex), self.back, self.spin);
        [
            self.center + arm,
            self.center.turned_left().times(back) + self.velocity + arm.turned_left().times(spin),
            self.velocity.turned_left().times(2.0 * back)
                + self.center.times(-back * back)
                + arm.times(-spin * spin),
        ]
    }

    /// The sum of the absolute values of the terms of a vertex's velocity.
    pub(super) fn speed(&self, vertex: Vec2) -> f64 {
        self.center.length() * self.back.abs()
            + self.velocity.length()
            + vertex.length() * self.spin.abs()
    }
}

/// The motion of a shape as seen from the other throughout a range of time: Taylor's polynomials of the
/// time, which runs from -1 to 1.
pub(super) struct Expansion {
    pub(super) middle: f64,
    pub(super) half: f64,
    center: [Vec2; TERMS],
    rotation: Rotation,
    /// What the arm of a vertex is multiplied by, turned by a quarter more at each term.
    scales: [f64; TERMS],
    /// By how much the polynomials may be off.
    rests: [Bound; 2],
    /// How far a vertex moves from its position in the middle of the range.
    travels: [Bound; 2],
    /// The same without the terms of first and second order.
    bends: [Bound; 2],
}

/// A bound of a length: a constant, and what it is more for each unit of the vertex's distance from its own center
/// and from the origin.
///
/// Each length has two. The first adds what the center may move and what the arm may turn. The second is low where
/// the center is far away, so that these all but cancel each other.
struct Bound {
    constant: f64,
    arm: f64,
    place: f64,
}

impl Bound {
    /// The second bound of the terms from one of this order on.
    ///
    /// In axes that rest, a vertex moves by `velocity * time` and with its arm, which turns. The derivatives of its place,
    /// which turns back with the frame, are by Leibniz' rule sums of products of these; the lowest order has the
    /// place itself.
    fn by_place(view: &View, half: f64, order: usize) -> Self {
        let [turn, back] = [view.turn, view.back].map(|turn| turn.abs() * half);
        let travel = view.velocity.length() * half;
        let power =
            |base: f64, order: usize| (1..=order).fold(1.0, |power, it| power * base / it as f64);
        let (place, per_travel) = (power(back, order), power(back, order - 1));
        Self {
            constant: (place + per_travel) * travel,
            arm: (place + power(back + turn, order - 1)) * turn,
            place,
        }
    }

    fn of(&self, arm: f64, place: f64) -> f64 {
        self.constant + self.arm * arm + self.place * place
    }
}

/// The lower of two bounds.
fn lower([one, other]: &[Bound; 2], arm: f64, place: f64) -> f64 {
    one.of(arm, place).min(other.of(arm, place))
}

impl Expansion {
    pub(super) fn new(view: &View, middle: f64, half: f64) -> Self {
        let (back, spin) = (view.back * half, view.spin * half);
        let (mut center, mut scales) = ([view.center; TERMS], [1.0; TERMS]);
        let (mut turned, mut along) = (view.center, view.velocity.times(half));
        let sizes = [view.center.length() + along.length(), along.length()];
        // The k-th term of the center is turned * back^k / k! + along * back^(k - 1) / (k - 1)!.
        let (mut power, mut travels, mut bends) = (1.0, [0.0; 2], [0.0; 2]);
        for term in 1..TERMS {
            let share = 1.0 / term as f64;
            turned = turned.turned_left().times(back * share);
            center[term] = turned + along;
            along = along.turned_left().times(back * share);
            scales[term] = scales[term - 1] * spin * share;
            let size = if term == 1 {
                center[term].length()
            } else {
                power * (sizes[0] * back.abs() * share + sizes[1])
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
            power * (sizes[0] * back.abs() * share + sizes[1]),
            (scales[TERMS - 1] * spin).abs() * share,
        ];
        let bounds = |[constant, arm]: [f64; 2], order: usize| {
            let place = 0.0;
            let by_center = Bound {
                constant,
                arm,
                place,
            };
            [by_center, Bound::by_place(view, half, order)]
        };
        let with_rests = |[constant, arm]: [f64; 2]| [constant + rests[0], arm + rests[1]];
        Self {
            middle,
            half,
            center,
            rotation: view.rotation,
            scales,
            rests: bounds(rests, TERMS),
            travels: bounds(with_rests(travels), 1),
            bends: bounds(with_rests(bends), 3),
        }
    }

    pub(super) fn time(&self, part: f64) -> f64 {
        self.middle + part * self.half
    }

    /// The position of a vertex in the middle of the range.
    pub(super) fn middle_of(&self, vertex: Vec2) -> Vec2 {
        self.center[0] + self.rotation.of(vertex)
    }

    /// The first three terms of its place.
    pub(super) fn parabola(&self, vertex: Vec2) -> [Vec2; 3] {
        let arm = self.rotation.of(vertex);
        [
            self.center[0] + arm,
            self.center[1] + arm.turned_left().times(self.scales[1]),
            self.center[2] - arm.times(self.scales[2]),
        ]
    }

    /// By how much they may be off, at these distances from the center and, in the middle of the range, from the
    /// origin.
    pub(super) fn bend(&self, arm: f64, place: f64) -> f64 {
        lower(&self.bends, arm, place)
    }

    /// The terms of the place of a vertex.
    pub(super) fn of(&self, vertex: Vec2) -> [Vec2; TERMS] {
        let mut arm = self.rotation.of(vertex);
        std::array::from_fn(|term| {
            let here = self.center[term] + arm.times(self.scales[term]);
            arm = arm.turned_left();
            here
        })
    }

    /// By how much the terms may be off, at these distances.
    pub(super) fn rest(&self, arm: f64, place: f64) -> f64 {
        lower(&self.rests, arm, place)
    }

    /// How far a vertex may be from where it is in the middle, at these distances.
    pub(super) fn travel(&self, arm: f64, place: f64) -> f64 {
        lower(&self.travels, arm, place)
    }

    /// A box in which the points of a box are in the middle of the range, rounding apart.
    pub(super) fn placed(&self, Bounds { min, max }: Bounds) -> Bounds {
        let middle = Vec2::new(0.5 * (min.x + max.x), 0.5 * (min.y + max.y));
        let (x, y) = (0.5 * (max.x - min.x), 0.5 * (max.y - min.y));
        let (cos, sin) = (self.rotation.cos.abs(), self.rotation.sin.abs());
        let Vec2 { x: at_x, y: at_y } = self.middle_of(middle);
        let (by_x, by_y) = (cos * x + sin * y, sin * x + cos * y);
        Bounds {
            min: Point::new(at_x - by_x, at_y - by_y),
            max: Point::new(at_x + by_x, at_y + by_y),
        }
    }
}
