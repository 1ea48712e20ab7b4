//! What rounded products prove about a moving circle and the edges and vertices of rings at rest, in the
//! terms of [`super::point_edge_filter`]; `tests/core/rounding_counts.rs` and `circle_error_bounds.rs` rederive
//! the bounds.

use super::error_bounds::{ROUNDINGS, error_along, is_accurate};
use super::point_edge_filter::EdgeProjection;
use super::square_errors::Squares;
use crate::predicates::numbers::verdict::Verdict;
use crate::simd::lanes::{Lanes, Vectors};

/// Relative difference above which the order of two times that are known to ten digits is certain.
/// Test: `arrivals_that_may_be_simultaneous_are_not_put_in_order`.
const TEN_DIGITS: f64 = 1e-10;

/// Bounds the error of the rounded product of a vector and the normal of an [`Arrival`], where that is known, in
/// units of the sum of the vector's width and height: each component of the normal is off by 1e-10 at most, and
/// the vector, the products and their sum are rounded. Ten times that.
/// Test: `products_with_a_normal_are_within_their_bound`.
pub const NORMAL_ERROR: f64 = 1e-9;

/// Times of contact, both known to 1e-10, that are less apart than this may be the same.
/// Test: `ends_of_intervals_are_known_where_gaps_cancel`.
pub const A_MOMENT: f64 = 1e-9;

/// A time that is computed as the difference from 1 keeps ten digits if it is no earlier: 2^-16.
/// Test: `ends_of_intervals_are_known_where_gaps_cancel`.
pub const EARLY: f64 = f64::from_bits((1023 - 16) << 52);

/// Part of a size of which two units in the last place are less than 1e-11: 2^-15.
const LEAST_PART: f64 = f64::from_bits((1023 - 15) << 52);

/// Whether the time at which a circle arrives at a vertex is known to 1e-10 although the gap between the two is a
/// sum that may have cancelled. The sum is off by two units in the last place of the size at most: the time by that
/// over the speed along the normal, and the normal by that over the radius.
/// Test: `ends_of_intervals_are_known_where_gaps_cancel`.
#[inline(always)]
pub fn is_time_of_displaced_known<L: Lanes>(speed: L, radius: L, size: Vectors<L>) -> L::Mask {
    let least = (size.x + size.y) * radius.all(LEAST_PART);
    speed.above(least) & radius.above(least)
}

/// Path of a circle's center past a convex ring at rest.
#[derive(Clone, Copy, Debug)]
pub struct CirclePath<L: Lanes> {
    radius: L,
    /// Width and height of the box round the ring and the center at the start.
    size: Vectors<L>,
    velocity: Vectors<L>,
    /// For all differences between the ring and the center at any time.
    squares: Squares<L>,
}

/// The strip that a moving circle sweeps, in products with its velocity.
#[derive(Clone, Copy, Debug)]
pub struct SweptStrip<L> {
    velocity: Vectors<L>,
    /// More than half of the strip's width, times the speed.
    half_width: L,
}

impl<L: Lanes> SweptStrip<L> {
    /// The strip of a circle that moves in a box of this size, which also contains the polygon. The half
    /// width is `radius |velocity|`, which four roundings leave within `2 u S`, and the error of a dot or a
    /// cross product, `4 u S`; the rest of `error` covers the sums. NaN where products could leave the range
    /// of floats: then nothing is beyond the strip, and no time is above zero.
    #[inline(always)]
    pub fn new(size: Vectors<L>, radius: L, velocity: Vectors<L>) -> Self {
        let squares = Squares::new(size + velocity.map(L::abs), radius);
        let half_width = radius * velocity.length_squared().sqrt() + squares.error;
        Self {
            velocity,
            half_width,
        }
    }

    /// This strip in every lane.
    #[inline(always)]
    pub fn splat<M: Lanes>(self, like: M) -> SweptStrip<M>
    where
        L: Into<f64>,
    {
        let all = |number: L| like.all(number.into());
        SweptStrip {
            velocity: Vectors::new(all(self.velocity.x), all(self.velocity.y)),
            half_width: all(self.half_width),
        }
    }

    /// Where an edge, given by the gaps from the center at the start to its ends, is certainly beside
    /// or behind the strip. Test: `edges_that_are_reached_are_in_the_strip`.
    #[inline(always)]
    pub fn is_beyond(&self, [from, to]: [Vectors<L>; 2]) -> L::Mask {
        let low = self.half_width.all(0.0) - self.half_width;
        let [across, others] = [from, to].map(|gap| self.velocity.cross(gap));
        let farthest = self.velocity.dot(from).larger(self.velocity.dot(to));
        across.smaller(others).above(self.half_width)
            | low.above(across.larger(others))
            | low.above(farthest)
    }

    /// A lower bound of the time, as a fraction of the frame, at which the circle reaches such an edge;
    /// NaN where there is none. Test: `edges_that_are_reached_are_in_the_strip`.
    #[inline(always)]
    pub fn time_below(&self, [from, to]: [Vectors<L>; 2]) -> L {
        let nearest = self.velocity.dot(from).smaller(self.velocity.dot(to));
        let ahead = nearest - self.half_width;
        let time = ahead / self.velocity.length_squared() * ahead.all(1.0 - ROUNDINGS);
        // Rounding towards zero would raise a time below zero.
        time.larger(time.all(0.0))
    }
}

/// More than the relative error of a reach, of which a root is taken: 2^-20.
const REACH_ERROR: f64 = f64::from_bits((1023 - 20) << 52);

/// A lower bound of the time, as a fraction of the frame, at which a moving circle reaches a box, given the gaps from its
/// center at the start to the box's least and greatest corner: infinite where it never does, and 0 where floats don't
/// tell. The velocity may be rounded once. For boxes much smaller than the circle it is far sharper than the time at which
/// the circle's own box does.
///
/// It is the time at which a circle that is larger by half of the box's size reaches the box's middle, and larger by
/// 2^-20 of all lengths: it arrives earlier by that over the speed at least, and the root, off by less than 2^-24 of
/// them, and the other roundings take less. Test: `circles_reach_boxes_and_points_within_the_bounds_of_their_times`.
pub fn time_to_box_below(
    [low, high]: [Vectors<f64>; 2],
    radius: f64,
    velocity: Vectors<f64>,
) -> f64 {
    let half = (high - low).times(0.5);
    let lengths = radius + sum(low) + sum(high) + sum(velocity);
    let reach = radius + half.length_squared().sqrt() + lengths * REACH_ERROR;
    time_within(low + half, reach, velocity).map_or(0.0, |time| time.max(0.0))
}

/// An upper bound of the time at which a moving circle reaches a point that it does not reach at the start, given the gap
/// from its center to it: infinite where it never does, or floats don't tell. By the same argument it is that of a smaller
/// circle.
pub fn time_to_point_above(gap: Vectors<f64>, radius: f64, velocity: Vectors<f64>) -> f64 {
    let reach = radius - (radius + sum(gap) + sum(velocity)) * REACH_ERROR;
    let time = time_within(gap, reach, velocity).filter(|&time| reach > 0.0 && time >= 0.0);
    time.unwrap_or(f64::INFINITY)
}

fn sum(vector: Vectors<f64>) -> f64 {
    vector.x.abs() + vector.y.abs()
}

/// The time at which a moving point first comes within a distance of the end of a gap, negative if that is over; infinite if
/// never. `None` where products may leave the range of floats.
fn time_within(gap: Vectors<f64>, reach: f64, velocity: Vectors<f64>) -> Option<f64> {
    let (across, speed_squared) = (velocity.cross(gap), velocity.length_squared());
    let width_squared = reach * reach * speed_squared;
    let usual = 2.0_f64.powi(-900)..2.0_f64.powi(900);
    if ![width_squared, speed_squared]
        .iter()
        .all(|it| usual.contains(it))
    {
        return None;
    }
    let rest = width_squared - across * across;
    Some(if rest < 0.0 {
        f64::INFINITY
    } else {
        (velocity.dot(gap) - rest.sqrt()) / speed_squared
    })
}

/// A circle's arrival at a line or a vertex within the frame.
#[derive(Clone, Copy, Debug)]
pub struct Arrival<L: Lanes> {
    /// Whether the circle arrives, and the time is known to ten digits.
    pub verdict: Verdict<L>,
    /// The time, as a fraction of the frame.
    pub time: L,
    /// The outward normal times `length`.
    pub outward: Vectors<L>,
    /// The divisor of the normal.
    pub length: L,
    /// Whether the normal is known to ten digits.
    pub has_normal: L::Mask,
}

impl<L: Lanes> Arrival<L> {
    /// The outward unit normal.
    #[inline(always)]
    pub fn normal(&self) -> Vectors<L> {
        // The sum makes a negative zero a positive one.
        let zero = self.length.all(0.0);
        (self.outward).map(|component| component / self.length + zero)
    }
}

/// How a circle's center moves past a vertex that the circle does not reach within the frame.
#[derive(Clone, Copy, Debug)]
pub struct NearVertex<L: Lanes> {
    /// Where it starts beyond the radius and certainly moves away.
    pub recedes: L::Mask,
    /// Where it ends beyond the radius, certainly still on its way to the vertex.
    pub falls_short: L::Mask,
}

/// Whether one of two times of [`Arrival`]s, both of them known to ten digits, is certainly the
/// earlier one.
#[inline(always)]
pub fn certainly_before<L: Lanes>(time: L, other: L) -> L::Mask {
    (other * other.all(1.0 - TEN_DIGITS)).above(time)
}

impl<L: Lanes> CirclePath<L> {
    /// The path of a circle in a box of this size, which also contains the ring.
    #[inline(always)]
    pub fn new(size: Vectors<L>, radius: L, velocity: Vectors<L>) -> Self {
        Self {
            radius,
            size,
            velocity,
            squares: Squares::new(size + velocity.map(L::abs), radius),
        }
    }

    /// The path with the bounds for a radius that is a sum of three rounded terms: see [`Squares::of_sum`].
    #[inline(always)]
    #[must_use]
    pub fn of_sum(self) -> Self {
        Self {
            squares: self.squares.of_sum(),
            ..self
        }
    }

    /// This path in every lane.
    #[inline(always)]
    pub fn splat<M: Lanes>(self, like: M) -> CirclePath<M>
    where
        L: Into<f64>,
    {
        let all = |number: L| like.all(number.into());
        let both = |vector: Vectors<L>| Vectors::new(all(vector.x), all(vector.y));
        CirclePath {
            radius: all(self.radius),
            size: both(self.size),
            velocity: both(self.velocity),
            squares: self.squares.splat(like),
        }
    }

    /// The bounds for all differences between the ring and the center at any time.
    #[inline(always)]
    pub fn squares(&self) -> Squares<L> {
        self.squares
    }

    /// How a circle that starts at this gap from a vertex approaches it.
    ///
    /// The gap at the end is rounded twice, and its square `6 u S` off at most, as that of the radius is.
    /// Test: `a_circle_that_recedes_or_falls_short_stays_away`.
    #[inline(always)]
    pub fn comes_near(&self, gap: Vectors<L>) -> NearVertex<L> {
        let error = self.squares.error;
        let zero = error.all(0.0);
        let square = self.radius * self.radius;
        let is_outside = |gap: Vectors<L>| (gap.length_squared() - square).above(error);
        let at_end = gap + self.velocity;
        NearVertex {
            recedes: is_outside(gap) & self.velocity.dot(gap).above(error),
            falls_short: is_outside(at_end) & (zero - error).above(self.velocity.dot(at_end)),
        }
    }

    #[inline(always)]
    fn is_still(&self) -> L::Mask {
        let Vectors { x, y } = self.velocity;
        x.same(x.all(0.0)) & y.same(y.all(0.0))
    }

    /// The arrival at the interior of an edge, of a circle that starts clear of its line.
    ///
    /// `height` is up to `1.5 S` and off by `7.5 u S`, the other products up to `S` and off by
    /// `4 u S`: `past_start` is off by `27 u S²`, and `before_end` by `40 u S²`.
    /// Test: `arrivals_at_edges_are_within_their_bounds`.
    #[inline(always)]
    pub fn to_edge(&self, at: &EdgeProjection<L>) -> Arrival<L> {
        let (error, error_of_products) = (self.squares.error, self.squares.error_of_products);
        let zero = error.all(0.0);
        let (edge, velocity) = (at.edge, self.velocity);
        let length = at.edge_squared.sqrt();
        let grown = self.radius * length;
        // Distance from the circle to the line, and its speed towards it, times the edge's length.
        let height = zero - at.cross - grown;
        let pace = edge.cross(velocity);
        let is_along = |edge: L, velocity: L| edge.same(zero) & velocity.same(zero);
        let is_parallel =
            is_along(edge.x, velocity.x) | is_along(edge.y, velocity.y) | self.is_still();
        // Position of the contact along the edge, times the edge's length and the pace.
        let past_start = at.dot * pace + height * edge.dot(velocity);
        let before_end = at.edge_squared * pace - past_start;
        let two_errors = error + error;
        let two_errors_of_products = error_of_products + error_of_products;
        let height_error = error_along(edge, self.size) + grown * zero.all(ROUNDINGS);
        let yes = height.above(error)
            & pace.above(error)
            & (pace - height).above(two_errors)
            & past_start.above(error_of_products)
            & before_end.above(two_errors_of_products)
            & is_accurate(height, height_error)
            & is_accurate(pace, error_along(edge, velocity.map(L::abs)));
        let no = (zero - error).above(height)
            | (zero - error).above(pace)
            | is_parallel
            | (height - pace).above(two_errors)
            | (zero - error_of_products).above(past_start)
            | (zero - two_errors_of_products).above(before_end);
        Arrival {
            verdict: Verdict { yes, no },
            time: height / pace,
            outward: Vectors::new(edge.y, zero - edge.x),
            length,
            has_normal: zero.same(zero),
        }
    }

    /// The arrival at the start of an edge, of a circle that does not reach it yet.
    ///
    /// The time is the smaller root of `|gap + t velocity|² = radius²`, in the form without
    /// cancellation. Test: `arrivals_at_vertices_are_within_their_bounds`.
    #[inline(always)]
    pub fn to_vertex(&self, at: &EdgeProjection<L>) -> Arrival<L> {
        let (error, error_of_products) = (self.squares.error, self.squares.error_of_products);
        let all = |number: f64| error.all(number);
        let zero = all(0.0);
        let (gap, velocity) = (at.gap, self.velocity);
        let (path_squared, two_errors) = (velocity.length_squared(), error + error);
        let approach = zero - gap.dot(velocity);
        let across = velocity.cross(gap);
        let radius_squared = self.radius * self.radius;
        let terms = radius_squared * path_squared;
        let discriminant = terms - across * across;
        let outside = at.gap_squared - radius_squared;
        let at_end = outside - approach - approach + path_squared;
        let root = discriminant.larger(zero).sqrt();
        let sum = approach + root;

        let rounding = all(ROUNDINGS);
        let outside_error = (at.gap_squared + radius_squared) * rounding;
        let far = gap.map(L::abs);
        let approach_error = far.dot(velocity.map(L::abs)) * rounding;
        let across_error = error_along(velocity, far);
        let discriminant_error =
            across.abs() * across_error * all(2.0) + (terms + across * across) * rounding;
        let yes = approach.above(error)
            & discriminant.above(error_of_products)
            & ((path_squared - approach).above(two_errors) | (zero - two_errors).above(at_end))
            & is_accurate(outside, outside_error)
            & is_accurate(sum, approach_error)
            & is_accurate(root * sum, discriminant_error);
        let no = (zero - error).above(approach)
            | self.is_still()
            | (zero - error_of_products).above(discriminant)
            | ((approach - path_squared).above(two_errors) & at_end.above(two_errors));
        // The radius times the speed: the length of `outward` over the speed.
        let whole = terms.sqrt();
        Arrival {
            verdict: Verdict { yes, no },
            time: outside / sum,
            // Along and across the path: the difference of center and vertex at the time of contact
            // would cancel where the radius is small.
            outward: Vectors::new(
                zero - velocity.x * root - velocity.y * across,
                velocity.x * across - velocity.y * root,
            ),
            length: self.radius * path_squared,
            has_normal: is_accurate(whole, across_error)
                & is_accurate(root * whole, discriminant_error),
        }
    }
}
