//! What rounded products prove about a circle, or a point, and the edges and vertices of rings.
//!
//! All differences of points lie in a box whose size, with the radius, [`Squares`] covers. Below, `u`
//! is the unit roundoff and `S` is [`Squares::sum`]: `error` is `16 u S` and `error_of_products` is
//! `32 u S²`. `tests/core/rounding_counts.rs` and `circle_error_bounds.rs` rederive the bounds. Moving circles are
//! in [`super::swept_circle_filter`].

use fearless_simd::prelude::*;

use super::error_bounds::{LARGEST_SIZE, ROUNDINGS, error_along, is_accurate};
use super::square_errors::Squares;
use crate::predicates::numbers::bounded::{UNIT_ROUNDOFF, are_in_range};
use crate::predicates::numbers::verdict::Verdict;
use crate::simd::lanes::{Lanes, Mask, Vectors};
use crate::simd::load::{self, Lane};

/// Larger than any squared distance in a box of usual size, and finite: 2^500.
/// Test: `products_of_numbers_that_have_a_bound_are_normal`.
pub const FAR: f64 = f64::from_bits((1023 + 500) << 52);

/// Relative difference of two squared distances up to which their order is left to the exact form.
/// Test: `squared_distances_are_told_apart`.
pub const TIED_DISTANCES: f64 = 1e-6;

/// [`TIED_DISTANCES`] where only the last quotient of a squared distance is rounded: rounding keeps the order
/// of what it does not make equal, so that any number above zero would do.
const TIED_IF_EXACT: f64 = 4.0 * f64::EPSILON;

/// Where the distance times the length of the shortest edge is this many times the error of such a
/// product, squared distances are off by less than a tenth of [`TIED_DISTANCES`].
/// Test: `squared_distances_within_the_margin_are_known_to_a_tenth_of_a_tie`.
pub const DISTANCE_MARGIN: f64 = 4e7;

/// Bounds the error of a cross product, and of the difference of its square and of another squared length
/// times that of an edge, in units of the terms' sizes: these are rounded eleven times at most, as
/// [`crate::predicates::Length`] counts them, and their sizes as often.
/// Test: `a_distance_of_which_a_radius_leaves_few_digits_is_not_known`.
const LENGTH_ERROR: f64 = 16.0 * UNIT_ROUNDOFF;

/// How far [`EdgeProjection::distance_squared_bounds`] are from the rounded square, in units of the sum of squares.
/// Test: `the_bound_of_distances_with_ends_covers_all_roundings`.
pub const ERROR_WITH_ENDS: f64 = 48.0 * UNIT_ROUNDOFF;

/// What underflow may change in a squared distance, and more, 2^-900: squares up to twice this are not told apart.
/// Test: `distances_from_edges_with_their_ends_are_within_their_bound`.
pub const UNKNOWN_SQUARE: f64 = f64::from_bits((1023 - 900) << 52);

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
    /// The projection of a center onto the edge between two vertices.
    #[inline(always)]
    pub fn new(center: Vectors<L>, start: Vectors<L>, end: Vectors<L>) -> Self {
        Self::along(center - start, end - start)
    }

    /// The projection of the end of `gap` onto an edge with the same start.
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

    /// The squared distance from the edge with its ends.
    ///
    /// With `g` the gap and `e` the edge, it is the least `|g - t e|²` for `t` between 0 and 1. The `t`
    /// used minimises `g² - 2 t g·e + t² e²` with rounded products, each off by `4 u S`: it gives
    /// `24 u S` more than the least at most. Four roundings of `g - t e`, and two of its square, add
    /// `10 u S`.
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

    /// A lower and an upper bound of the squared distance from the edge with its ends, for comparisons with others and the
    /// rounded square of a length; infinite where products could overflow.
    ///
    /// With the gap, the edge and the length as all sizes, the error of [`Self::distance_squared_with_ends`] is below
    /// `34 u S`, and rounding `S`, the bounds and the square of the length adds `8 u S` at most. Where products underflow,
    /// `t` may be any number between 0 and 1, if the edge is shorter than 1e-154: that matters up to 1e-293.
    /// Test: `distances_from_edges_with_their_ends_are_within_their_bound`.
    #[inline(always)]
    pub fn distance_squared_bounds(&self, length: f64) -> [L; 2] {
        let all = |number| self.dot.all(number);
        let sum = self.gap_squared + self.edge_squared + all(length * length);
        let error = sum * all(ERROR_WITH_ENDS) + all(UNKNOWN_SQUARE);
        let is_known = all(LARGEST_SIZE * LARGEST_SIZE).above(sum);
        let square = self.distance_squared_with_ends();
        let infinite = all(f64::INFINITY);
        [
            is_known.choose(square - error, all(0.0) - infinite),
            is_known.choose(square + error, infinite),
        ]
    }

    /// The squared distance from the edge, or a huge number where the edge's end is certainly nearest, given the error of
    /// products. Where it isn't certain, the edge is about as near as its end: the two tie, and the exact form decides.
    #[inline(always)]
    pub fn distance_squared(&self, error: L) -> L {
        let is_past = self.dot.at_least(self.edge_squared + error);
        let zero = self.dot.all(0.0);
        let to_line = self.cross * self.cross / self.edge_squared;
        let to_edge = self.dot.above(zero).choose(to_line, self.gap_squared);
        is_past.choose(zero.all(FAR), to_edge)
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

    /// The distance from the edge's interior or from its start, and where that is the value that
    /// [`crate::predicates::Length`] gives.
    #[inline(always)]
    pub fn distance(&self, is_edge: L::Mask, size: Vectors<L>) -> (L, L::Mask) {
        let across = self.cross.abs();
        let from_edge = across / self.edge_squared.sqrt();
        let is_accurate = is_edge.either(
            are_in_range(self.edge) & is_accurate(across, error_along(self.edge, size)),
            is_edge | !is_edge,
        );
        let distance = is_edge.choose(from_edge, self.gap_squared.sqrt());
        (distance, are_in_range(self.gap) & is_accurate)
    }

    /// By how much the distance from the edge's interior, or from its start, exceeds a radius, a sum of
    /// up to three terms; and where that is the value that [`crate::predicates::length_difference`] gives. Its sign is
    /// certain there, too.
    ///
    /// The difference of the squares over the sum, as there.
    /// Test: `distances_beyond_a_sum_of_radii_are_known_to_ten_digits`.
    #[inline(always)]
    pub fn distance_beyond(&self, is_edge: L::Mask, radius: L) -> (L, L::Mask) {
        let rounding = radius.all(LENGTH_ERROR);
        let (edge_squared, square) = (self.edge_squared, radius * radius);
        let length = is_edge.choose(edge_squared, self.gap_squared).sqrt();
        let terms = (self.edge.x * self.gap.y).abs() + (self.edge.y * self.gap.x).abs();
        let from_line = self.cross * self.cross - square * edge_squared;
        let from_vertex = self.gap_squared - square;
        let size = is_edge.choose(
            terms * terms + square * edge_squared,
            self.gap_squared + square,
        );
        let difference = is_edge.choose(from_line, from_vertex);
        let distance = is_edge.choose(self.cross.abs() / length, length);
        let per_edge = is_edge.choose(difference / (length * length), difference);
        let are_in_range = are_in_range(self.gap) & are_in_range(self.edge);
        let is_known = is_accurate(self.cross, terms * rounding) | !is_edge;
        let is_accurate = is_accurate(difference, size * rounding);
        (
            per_edge / (distance + radius),
            are_in_range & is_known & is_accurate,
        )
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
    /// The least distance so far, given the first edge and the error of products.
    #[inline(always)]
    pub fn new(first: &EdgeProjection<L>, error: L) -> Self {
        let is_exact = error.same(error.all(0.0));
        Self::of(first.distance_squared(error), first.edge_squared, is_exact)
    }

    /// The least distance so far, given the squared distance from the first edge and its squared length.
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

    /// Takes one more edge into account, and returns whether it is nearer.
    #[inline(always)]
    pub fn offer(&mut self, other: &EdgeProjection<L>, error: L) -> L::Mask {
        self.offer_square(other.distance_squared(error), other.edge_squared)
    }

    /// Takes an edge into account, given the squared distance from it and its squared length.
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

    /// The squared distance above which another edge does not tie with the least.
    #[inline(always)]
    pub fn limit(&self) -> L {
        self.square + self.square * self.tolerance
    }

    /// Whether the least is certainly the least.
    #[inline(always)]
    pub fn is_certain(&self, error: L) -> L::Mask {
        let enough = error * error.all(DISTANCE_MARGIN);
        !self.is_tied & (self.shortest * self.square).at_least(enough * enough)
    }
}

impl<S: Simd> LeastDistance<Lane<S>> {
    /// The least of all lanes, and the first lane that has it.
    #[inline(always)]
    pub fn of_lanes(&self, simd: S) -> (usize, LeastDistance<f64>) {
        let (lane, [square, second]) = load::least_two(simd, self.square);
        let shortest = self.shortest.reduce_min();
        let mut least = LeastDistance {
            square,
            is_tied: self.is_tied.to_bitmask() >> lane & 1 == 1,
            shortest,
            tolerance: self.tolerance.to_array()[lane],
        };
        least.offer_square(second, shortest);
        (lane, least)
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
    /// The initial values, before any edge.
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

    /// Takes one more edge and its start into account.
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
