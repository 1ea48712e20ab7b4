//! When a moving circle meets a convex ring.
//!
//! The circle comes to an edge's inside or to a vertex first; each of these says whether the circle
//! arrives at it within the frame, and when. Where all are sure, the first of them is the answer.

use super::circle_polygon::{EdgeStart, RingAndCircle, certainly_around, circle_reaches};
use crate::convex::ring::Corners;
use crate::geom::{Circle, Point, Vec2};
use crate::predicates::error_bounds::{ACCURATE, ROUNDINGS, Squares, error_along};
use crate::predicates::verdict::Verdict;
use crate::simd::lanes::{Lanes, Mask, Vectors};

/// What is known of a moving circle and a ring.
#[derive(Clone, Copy, Debug)]
pub struct FilteredSweptCircle<L: Lanes> {
    /// Where the answer is certain, and the time accurate.
    pub(crate) is_certain: L::Mask,
    /// Whether they intersect at the start.
    pub(crate) intersects: L::Mask,
    /// Whether they intersect at some time.
    pub(crate) will_intersect: L::Mask,
    first: Arrival<L>,
}

/// The circle comes to a feature.
#[derive(Clone, Copy, Debug)]
struct Arrival<L: Lanes> {
    /// When, or infinite.
    time: L,
    /// Whether the feature is an edge.
    is_edge: L::Mask,
    /// Which edge, or which edge starts at the vertex.
    position: L,
    /// The direction of the normal.
    outward: Vectors<L>,
    /// What it is divided by.
    length: L,
    /// Whether it is then accurate.
    is_accurate: L::Mask,
}

impl<L: Lanes> Arrival<L> {
    #[inline(always)]
    fn choose(mask: L::Mask, yes: &Self, no: &Self) -> Self {
        Self {
            time: mask.choose(yes.time, no.time),
            is_edge: mask.either(yes.is_edge, no.is_edge),
            position: mask.choose(yes.position, no.position),
            outward: Vectors::choose(mask, yes.outward, no.outward),
            length: mask.choose(yes.length, no.length),
            is_accurate: mask.either(yes.is_accurate, no.is_accurate),
        }
    }
}

impl<L: Lanes> FilteredSweptCircle<L> {
    /// The time of the first contact; infinite where there is none.
    #[inline(always)]
    pub(crate) fn time(&self) -> L {
        let zero = self.first.time.all(0.0);
        let time = self.first.time.smaller(zero.all(1.0));
        let time = self.intersects.choose(zero, time);
        self.will_intersect.choose(time, zero.all(f64::INFINITY))
    }

    /// Where the normal is known and accurate: not where they intersect at the start.
    #[inline(always)]
    pub(crate) fn has_normal(&self) -> L::Mask {
        self.is_certain & !self.intersects & (!self.will_intersect | self.first.is_accurate)
    }

    /// The normal of the first contact; zero where there is none.
    #[inline(always)]
    pub(crate) fn normal(&self) -> Vectors<L> {
        let Arrival {
            outward, length, ..
        } = self.first;
        let zero = length.all(0.0);
        // The sum makes a negative zero a positive one.
        outward.map(|component| self.will_intersect.choose(component / length + zero, zero))
    }
}

/// Whether, and when, a circle that moves by a velocity meets a ring.
#[inline(always)]
pub(crate) fn swept_circle<L: Lanes, R: Corners<L> + ?Sized>(
    around: &RingAndCircle<'_, L, R>,
    velocity: Vectors<L>,
) -> FilteredSweptCircle<L> {
    let now = circle_reaches(around);
    let zero = around.radius.all(0.0);
    let none = zero.above(zero);
    let path = Path::new(around, velocity);
    let mut first = Arrival {
        time: zero.all(f64::INFINITY),
        is_edge: none,
        position: zero,
        outward: Vectors { x: zero, y: zero },
        length: zero.all(1.0),
        is_accurate: none,
    };
    let mut is_sure = !none;
    let mut arrives = none;
    let mut reached_before = none;
    for index in 0..around.count() {
        let start = around.start(index);
        let (edge, arrival) = path.to_edge(index, &start);
        // A circle that touches an edge between its ends reaches neither end first, be it by less
        // than rounded times can tell.
        let mut is_first = first.time.above(arrival.time);
        if index + 1 == around.count() {
            is_first = is_first | (!first.is_edge & first.position.same(zero));
        }
        first = Arrival::choose(edge.yes & is_first, &arrival, &first);
        let (vertex, arrival) = path.to_vertex(index, &start);
        let may_be_first = vertex.yes & !edge.yes & !reached_before;
        let is_first = may_be_first & first.time.above(arrival.time);
        first = Arrival::choose(is_first, &arrival, &first);
        is_sure = is_sure & (edge.yes | edge.no) & (vertex.yes | vertex.no);
        arrives = arrives | edge.yes | vertex.yes;
        reached_before = edge.yes;
    }
    let infinite = zero.all(f64::INFINITY);
    let is_finite = infinite.above(velocity.x.abs()) & infinite.above(velocity.y.abs());
    FilteredSweptCircle {
        is_certain: is_finite & (now.yes | (now.no & is_sure)),
        intersects: now.yes,
        will_intersect: now.yes | arrives,
        first,
    }
}

/// The path of a circle's centre, as seen from a ring.
struct Path<L: Lanes> {
    radius: L,
    radius_squared: L,
    /// The width and height of the box round the ring and the centre, and of the motion.
    size: Vectors<L>,
    speed: Vectors<L>,
    velocity: Vectors<L>,
    velocity_squared: L,
    is_still: L::Mask,
    /// For all vectors between the ring and the circle at any time.
    squares: Squares<L>,
}

impl<L: Lanes> Path<L> {
    #[inline(always)]
    fn new<R: Corners<L> + ?Sized>(around: &RingAndCircle<'_, L, R>, velocity: Vectors<L>) -> Self {
        let radius = around.radius;
        let zero = radius.all(0.0);
        let speed = velocity.map(L::abs);
        let reach = around.size.with(speed, |size, speed| size + speed);
        Self {
            radius,
            radius_squared: radius * radius,
            size: around.size,
            speed,
            velocity,
            velocity_squared: velocity.length_squared(),
            is_still: velocity.x.same(zero) & velocity.y.same(zero),
            squares: Squares::new(reach, radius),
        }
    }

    /// The arrival at the inside of an edge, of a circle that starts clear of its line.
    #[inline(always)]
    fn to_edge(&self, index: usize, start: &EdgeStart<L>) -> (Verdict<L>, Arrival<L>) {
        let Squares {
            error,
            error_of_products,
            ..
        } = self.squares;
        let zero = error.all(0.0);
        let one = error.all(1.0);
        let (edge, velocity) = (start.edge, self.velocity);
        let length = start.edge_squared.sqrt();
        let grown = self.radius * length;
        // How far the circle is from the line and how fast it comes nearer, times the length.
        let height = zero - start.side - grown;
        let pace = edge.cross(velocity);
        let is_along = |edge: L, velocity: L| edge.same(zero) & velocity.same(zero);
        let is_parallel =
            is_along(edge.x, velocity.x) | is_along(edge.y, velocity.y) | self.is_still;
        // Where it is then beside the edge, times its length and the pace. The height, which may be
        // half as large again as the squares, is wrong by twice what they are; with the products
        // these are 27 roundings of the sum's square, and 40 with that of the pace and the edge.
        let past_start = start.along * pace + height * edge.dot(velocity);
        let before_end = start.edge_squared * pace - past_start;
        let two_errors = error + error;
        let two_errors_of_products = error_of_products + error_of_products;
        let yes = height.above(error)
            & pace.above(error)
            & (pace - height).above(two_errors)
            & past_start.above(error_of_products)
            & before_end.above(two_errors_of_products);
        let no = (zero - error).above(height)
            | (zero - error).above(pace)
            | is_parallel
            | (height - pace).above(two_errors)
            | (zero - error_of_products).above(past_start)
            | (zero - two_errors_of_products).above(before_end);
        let doubt_of_height = error_along(edge, self.size) + grown * zero.all(ROUNDINGS);
        let accurate = zero.all(ACCURATE);
        let is_accurate = (height * accurate).above(doubt_of_height)
            & (pace * accurate).above(error_along(edge, self.speed));
        let arrival = Arrival {
            time: height / pace,
            is_edge: one.above(zero),
            position: zero.all(index as f64),
            outward: Vectors {
                x: edge.y,
                y: zero - edge.x,
            },
            length,
            is_accurate: one.above(zero),
        };
        let yes = yes & is_accurate;
        (Verdict { yes, no }, arrival)
    }

    /// The arrival at a vertex, of a circle that does not reach it yet.
    #[inline(always)]
    fn to_vertex(&self, index: usize, start: &EdgeStart<L>) -> (Verdict<L>, Arrival<L>) {
        let Squares {
            error,
            error_of_products,
            ..
        } = self.squares;
        let all = |number: f64| error.all(number);
        let zero = all(0.0);
        let (gap, velocity) = (start.gap, self.velocity);
        let (path_squared, two_errors) = (self.velocity_squared, error + error);
        // The smaller root of |gap + t velocity|² = radius², in the form without cancellation.
        let approach = zero - gap.dot(velocity);
        let across = velocity.cross(gap);
        let terms = self.radius_squared * path_squared;
        let discriminant = terms - across * across;
        let outside = start.gap_squared - self.radius_squared;
        let at_end = outside - approach - approach + path_squared;
        let yes = approach.above(error)
            & discriminant.above(error_of_products)
            & ((path_squared - approach).above(two_errors) | (zero - two_errors).above(at_end));
        let no = (zero - error).above(approach)
            | self.is_still
            | (zero - error_of_products).above(discriminant)
            | ((approach - path_squared).above(two_errors) & at_end.above(two_errors));

        let root = discriminant.larger(zero).sqrt();
        let sum = approach + root;
        let accurate = all(ACCURATE);
        let rounding = all(ROUNDINGS);
        let doubt_of_outside = (start.gap_squared + self.radius_squared) * rounding;
        let far = gap.map(L::abs);
        let doubt_of_approach = far.dot(self.speed) * rounding;
        let doubt_of_across = error_along(self.speed, far);
        let doubt_of_discriminant =
            across.abs() * doubt_of_across * all(2.0) + (terms + across * across) * rounding;
        let is_accurate = (outside * accurate).above(doubt_of_outside)
            & (sum * accurate).above(doubt_of_approach)
            & (root * sum * accurate).above(doubt_of_discriminant);
        // A root of the terms: the radius times the speed, the length of what follows.
        let whole = terms.sqrt();
        let has_normal = (whole * accurate).above(doubt_of_across)
            & (root * whole * accurate).above(doubt_of_discriminant);
        let arrival = Arrival {
            time: outside / sum,
            is_edge: zero.above(zero),
            position: all(index as f64),
            // Along and across the path: at the time of contact the difference of centre and vertex
            // would cancel where the radius is small.
            outward: Vectors {
                x: zero - velocity.x * root - velocity.y * across,
                y: velocity.x * across - velocity.y * root,
            },
            length: self.radius * path_squared,
            is_accurate: has_normal,
        };
        let yes = yes & is_accurate;
        (Verdict { yes, no }, arrival)
    }
}

/// A moving circle's certain fate.
#[derive(Clone, Copy, Debug)]
pub(crate) enum CircleSweep {
    /// They intersect at the start.
    Overlap,
    /// They never do.
    Never,
    /// The circle arrives.
    Impact {
        /// At an edge, and not at a vertex.
        is_edge: bool,
        /// Which edge, or which edge starts at the vertex.
        position: usize,
        /// When.
        time: f64,
        /// The normal, where it is accurate.
        normal: Option<Vec2>,
    },
}

/// Whether, and when, a moving circle meets a ring, counterclockwise, if that is certain.
pub(crate) fn certain_fate(ring: &[Point], circle: Circle, velocity: Vec2) -> Option<CircleSweep> {
    let meeting = certainly_around(
        ring,
        circle,
        #[inline(always)]
        |around| swept_circle(around, velocity.into()),
    );
    if !meeting.is_certain {
        return None;
    }
    // A whole number below the length of the ring.
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
    let position = meeting.first.position as usize;
    Some(if meeting.intersects {
        CircleSweep::Overlap
    } else if meeting.will_intersect {
        CircleSweep::Impact {
            is_edge: meeting.first.is_edge,
            position,
            time: meeting.time(),
            normal: meeting.has_normal().then(|| meeting.normal().into()),
        }
    } else {
        CircleSweep::Never
    })
}
