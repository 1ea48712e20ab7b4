//! What rounded products prove about a circle, or a point, and the edges and vertices of rings.
//!
//! All differences of points lie in a box whose size, with the radius, [`Squares`] covers. Below, `u`
//! is the unit roundoff and `S` is [`Squares::sum`]: `error` is `16 u S` and `error_of_products` is
//! `32 u S²`. `tests/core/circle_error_bounds.rs` rederives every bound in rationals. One long
//! file, since a circle at rest, its nearest feature and a moving circle share projections and bounds.

use super::error_bounds::{ROUNDINGS, Squares, error_along, is_accurate};
use super::filter::is_usual;
use super::verdict::Verdict;
use crate::simd::lanes::{Lanes, Mask, Vectors};

/// Larger than any squared distance in a box of usual size, and finite: 2^500.
const FAR: f64 = f64::from_bits((1023 + 500) << 52);

/// Relative difference of two squared distances up to which their order is left to the exact form.
/// Test: `squared_distances_are_told_apart`.
pub const TIED_DISTANCES: f64 = 1e-6;

/// As [`TIED_DISTANCES`], where only the last quotient of a squared distance is rounded.
const TIED_IF_EXACT: f64 = 4.0 * f64::EPSILON;

/// Where the distance times the length of the shortest edge is this many times the error of such a
/// product, squared distances are off by less than a tenth of [`TIED_DISTANCES`].
/// Test: `squared_distances_are_told_apart`.
pub const DISTANCE_MARGIN: f64 = 4e7;

/// Relative difference above which the order of two times that are known to ten digits is certain.
const TEN_DIGITS: f64 = 1e-10;

/// Position of a point, such as a circle's center, relative to an edge.
#[derive(Clone, Copy, Debug)]
pub struct EdgeProjection<L> {
    /// From the edge's start to the center.
    pub gap: Vectors<L>,
    /// From the edge's start to its end.
    pub edge: Vectors<L>,
    /// The square of the distance from the start to the center.
    pub gap_squared: L,
    /// The square of the edge's length.
    pub edge_squared: L,
    /// `edge × gap`: positive on the inner side.
    pub cross: L,
    /// `edge · gap`: positive past the start.
    pub dot: L,
}

impl<L: Lanes> EdgeProjection<L> {
    /// Of a center, onto the edge between two vertices.
    #[inline(always)]
    pub fn new(center: Vectors<L>, start: Vectors<L>, end: Vectors<L>) -> Self {
        Self::along(center - start, end - start)
    }

    /// Of the tip of `gap`, onto an edge with the same start.
    #[inline(always)]
    pub fn along(gap: Vectors<L>, edge: Vectors<L>) -> Self {
        Self {
            gap,
            edge,
            gap_squared: gap.length_squared(),
            edge_squared: edge.length_squared(),
            cross: edge.cross(gap),
            dot: edge.dot(gap),
        }
    }

    /// The squared distance from the edge with its ends, off by three times [`Squares::error`] at most.
    ///
    /// With `g` the gap and `e` the edge, it is the least `|g - t e|²` for `t` between 0 and 1. The `t`
    /// used minimises `g² - 2 t g·e + t² e²` with rounded products, each off by `4 u S`: it gives
    /// `24 u S` more than the least at most. Four roundings of `g - t e`, and two of its square, add
    /// `10 u S`. Test: `distances_from_edges_with_their_ends_are_within_their_bound`.
    #[inline(always)]
    pub fn distance_squared_with_ends(&self) -> L {
        let (zero, one) = (self.dot.all(0.0), self.dot.all(1.0));
        let before_end = self
            .dot
            .above(zero)
            .choose(self.dot / self.edge_squared, zero);
        let is_past = self.dot.at_least(self.edge_squared);
        let step = self.edge.times(is_past.choose(one, before_end));
        (self.gap - step).length_squared()
    }

    /// The squared distance from the edge, or a huge number where the edge's end is nearest.
    #[inline(always)]
    pub fn distance_squared(&self) -> L {
        self.distance_squared_unless(self.dot.at_least(self.edge_squared))
    }

    #[inline(always)]
    fn distance_squared_unless(&self, is_past: L::Mask) -> L {
        let zero = self.dot.all(0.0);
        let to_line = self.cross * self.cross / self.edge_squared;
        let to_edge = self.dot.above(zero).choose(to_line, self.gap_squared);
        is_past.choose(zero.all(FAR), to_edge)
    }

    /// The squared distance from the edge, or a huge number where its end is certainly nearest, given
    /// the error of the products: where that is open, the edge ties with the edge that starts there.
    #[inline(always)]
    pub fn distance_squared_unless_past(&self, error: L) -> L {
        self.distance_squared_unless((self.dot - self.edge_squared).above(error))
    }

    /// The same for the interior of the edge alone.
    #[inline(always)]
    pub fn distance_squared_of_interior(&self, error: L) -> L {
        let is_before = (error.all(0.0) - error).above(self.dot);
        let square = self.distance_squared_unless_past(error);
        is_before.choose(error.all(FAR), square)
    }

    /// Whether the Voronoi region of the edge's interior, or of its start, certainly holds the
    /// center, as far as this edge alone bounds the region.
    #[inline(always)]
    pub fn is_in_region(&self, is_edge: L::Mask, error: L) -> L::Mask {
        let zero = error.all(0.0);
        let beyond = self.edge_squared - self.dot;
        let is_beside = self.dot.above(error) & beyond.above(error);
        let is_before = (zero - error).at_least(self.dot) & self.gap_squared.above(zero);
        is_edge.either(is_beside, is_before)
    }

    /// The reciprocal of the distance's divisor: the length of the edge or of the gap; the radius
    /// less the signed distance, negative inside; and whether the latter is known to ten digits or,
    /// if the products are exact, to be zero.
    ///
    /// The errors of the cross product and of a handful of roundings add up.
    #[inline(always)]
    pub fn overlap(
        &self,
        is_edge: L::Mask,
        radius: L,
        size: Vectors<L>,
        is_exact: L::Mask,
    ) -> (L, L, L::Mask) {
        let zero = radius.all(0.0);
        let length = is_edge.choose(self.edge_squared, self.gap_squared).sqrt();
        // The cross product tells inside from outside. A vertex is nearest only from outside.
        let distance = is_edge.choose((zero - self.cross) / length, length);
        // The sum makes a negative zero a positive one.
        let overlap = radius - distance + zero;
        let per_length = zero.all(1.0) / length;
        let of_cross = error_along(self.edge, size) * per_length;
        let of_cross = is_edge.choose(is_exact.choose(zero, of_cross), zero);
        let error = of_cross + (distance.abs() + radius) * zero.all(ROUNDINGS);
        let radius_squared = radius * radius;
        let from_contact = is_edge.choose(
            self.cross * self.cross - radius_squared * self.edge_squared,
            self.gap_squared - radius_squared,
        );
        let is_tangent = is_exact & from_contact.same(zero);
        let is_known = is_accurate(overlap.abs(), error) | is_tangent;
        (per_length, overlap, is_known)
    }
}

impl<L: Lanes> EdgeProjection<L> {
    /// The distance from the edge's interior or from its start, and where that is the value that
    /// [`super::Length`] gives.
    #[inline(always)]
    pub fn distance(&self, is_edge: L::Mask, size: Vectors<L>) -> (L, L::Mask) {
        let across = self.cross.abs();
        let from_edge = across / self.edge_squared.sqrt();
        let is_usual = |vector: Vectors<L>| is_usual(vector.x) & is_usual(vector.y);
        let is_accurate = is_edge.either(
            is_usual(self.edge) & is_accurate(across, error_along(self.edge, size)),
            is_edge | !is_edge,
        );
        let distance = is_edge.choose(from_edge, self.gap_squared.sqrt());
        (distance, is_usual(self.gap) & is_accurate)
    }
}

/// The least squared distance from the edges of a ring so far.
#[derive(Clone, Copy, Debug)]
pub struct LeastDistance<L: Lanes> {
    square: L,
    /// Whether another may be as near.
    is_tied: L::Mask,
    shortest: L,
    tolerance: L,
}

impl<L: Lanes> LeastDistance<L> {
    /// From one edge.
    #[inline(always)]
    pub fn new(first: &EdgeProjection<L>, is_exact: L::Mask) -> Self {
        Self::of(first.distance_squared(), first.edge_squared, is_exact)
    }

    /// A squared distance from an edge of this squared length.
    #[inline(always)]
    pub fn of(square: L, edge_squared: L, is_exact: L::Mask) -> Self {
        let zero = square.all(0.0);
        Self {
            square,
            is_tied: zero.above(zero),
            shortest: edge_squared,
            tolerance: is_exact.choose(zero.all(TIED_IF_EXACT), zero.all(TIED_DISTANCES)),
        }
    }

    /// Takes one more edge into account; whether it is nearer.
    #[inline(always)]
    pub fn offer(&mut self, other: &EdgeProjection<L>) -> L::Mask {
        self.offer_square(other.distance_squared(), other.edge_squared)
    }

    /// The same, given the squared distance from an edge of this squared length.
    #[inline(always)]
    pub fn offer_square(&mut self, square: L, edge_squared: L) -> L::Mask {
        let is_nearer = self.square.above(square);
        let difference = (square - self.square).abs();
        let may_tie = !difference.above(self.square * self.tolerance);
        // An edge that ties with the former least does not tie with one that is far nearer.
        self.is_tied = may_tie | (self.is_tied & !is_nearer);
        self.square = is_nearer.choose(square, self.square);
        self.shortest = self.shortest.smaller(edge_squared);
        is_nearer
    }

    /// Whether the least is certainly the least.
    #[inline(always)]
    pub fn is_certain(&self, error: L) -> L::Mask {
        let enough = error * error.all(DISTANCE_MARGIN);
        !self.is_tied & (self.shortest * self.square).at_least(enough * enough)
    }
}

/// The least values, over some edges and both ends of each, that decide whether a circle reaches them.
#[derive(Clone, Copy, Debug)]
pub struct Closeness<L> {
    /// Distance of the center behind an edge, times the edge's length.
    pub inside: L,
    /// Squared distance of the center from a vertex.
    pub from_vertex: L,
    /// Squared distance of the center from an edge beside it, less the squared radius, both times
    /// the edge's squared length.
    pub from_edge: L,
    /// Squared length of an edge.
    pub shortest: L,
}

impl<L: Lanes> Closeness<L> {
    /// Of no edges.
    #[inline(always)]
    pub fn of_none(like: L) -> Self {
        let far = like.all(FAR);
        Self {
            inside: far,
            from_vertex: far,
            from_edge: far,
            shortest: far,
        }
    }

    /// With one more edge and its start.
    #[inline(always)]
    pub fn with(self, at: &EdgeProjection<L>, radius: L) -> Self {
        let zero = radius.all(0.0);
        let from_line = at.cross * at.cross - radius * radius * at.edge_squared;
        let is_past = zero.above(at.dot) | at.dot.above(at.edge_squared);
        let from_edge = is_past.choose(zero.all(FAR), from_line);
        Self {
            inside: self.inside.smaller(at.cross),
            from_vertex: self.from_vertex.smaller(at.gap_squared),
            from_edge: self.from_edge.smaller(from_edge),
            shortest: self.shortest.smaller(at.edge_squared),
        }
    }

    /// The least values of both.
    #[inline(always)]
    #[must_use]
    pub fn union(self, other: Self) -> Self {
        Self {
            inside: self.inside.smaller(other.inside),
            from_vertex: self.from_vertex.smaller(other.from_vertex),
            from_edge: self.from_edge.smaller(other.from_edge),
            shortest: self.shortest.smaller(other.shortest),
        }
    }

    /// Whether a circle with this radius reaches the ring.
    ///
    /// Rounding may put the center beside an edge or beyond its end by the error `e` of a dot
    /// product, which is below `error / 3`. The squared distances from edge and vertex then differ
    /// by `e² / edge²` at most: where `edge²` is at least `error`, by less than `error / 3`.
    #[inline(always)]
    pub fn verdict(&self, radius: L, squares: &Squares<L>) -> Verdict<L> {
        let (error, error_of_products) = (squares.error, squares.error_of_products);
        let zero = radius.all(0.0);
        let from_vertex = self.from_vertex - radius * radius;
        Verdict {
            yes: self.inside.at_least(error)
                | (zero - error).at_least(from_vertex)
                | (zero - error_of_products).at_least(self.from_edge),
            no: (zero - error).above(self.inside)
                & from_vertex.above(error)
                & self.from_edge.above(error_of_products)
                & self.shortest.at_least(error),
        }
    }
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
    /// Of a circle, in a box of this size with the polygon. The half width is `radius |velocity|`, which
    /// four roundings leave within `2 u S`, and the error of a dot or a cross product, `4 u S`; the rest
    /// of `error` covers the sums. NaN where products could leave the range of floats: then nothing is
    /// beyond the strip, and no time is above zero.
    #[inline(always)]
    pub fn new(size: Vectors<L>, radius: L, velocity: Vectors<L>) -> Self {
        let squares = Squares::new(size + velocity.map(L::abs), radius);
        let half_width = radius * velocity.length_squared().sqrt() + squares.error;
        Self {
            velocity,
            half_width,
        }
    }

    /// The same strip in every lane.
    #[inline(always)]
    pub fn splat<M: Lanes>(self, like: M) -> SweptStrip<M>
    where
        L: Into<f64>,
    {
        let all = |number: L| like.all(number.into());
        SweptStrip {
            velocity: Vectors {
                x: all(self.velocity.x),
                y: all(self.velocity.y),
            },
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

/// Whether one of two times of [`Arrival`]s, both of them known to ten digits, is certainly the
/// earlier one.
#[inline(always)]
pub fn certainly_before<L: Lanes>(time: L, other: L) -> L::Mask {
    (other * other.all(1.0 - TEN_DIGITS)).above(time)
}

impl<L: Lanes> CirclePath<L> {
    /// Of a circle, in a box of this size with the ring.
    #[inline(always)]
    pub fn new(size: Vectors<L>, radius: L, velocity: Vectors<L>) -> Self {
        Self {
            radius,
            size,
            velocity,
            squares: Squares::new(size + velocity.map(L::abs), radius),
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
            outward: Vectors {
                x: edge.y,
                y: zero - edge.x,
            },
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
            outward: Vectors {
                x: zero - velocity.x * root - velocity.y * across,
                y: velocity.x * across - velocity.y * root,
            },
            length: self.radius * path_squared,
            has_normal: is_accurate(whole, across_error)
                & is_accurate(root * whole, discriminant_error),
        }
    }
}
