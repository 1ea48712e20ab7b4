//! How near two convex rings come, one moving, as far as floats can tell.
//!
//! The distance is a convex function of time. Extend the path to a line, and take the corners of the
//! difference that lie farthest to its left and to its right. If the line misses the difference, the distance
//! along the line is least at the nearer of these corners; otherwise it is least where the line crosses the
//! difference. This tells whether the least distance within the frame is at the start, at the end, or in
//! between. At an end, the slope of the distance proves it.

use super::swept_collision::swept_collision;
use crate::convex::table::facing_edge::FacingEdge;
use crate::convex::table::lane_corners::Corners;
use crate::convex::table::support_table::{EdgeSupport, SupportTable};
use crate::predicates::bounds::error_bounds::{box_error, error_along, is_accurate};
use crate::predicates::bounds::square_errors::Squares;
use crate::predicates::numbers::bounded::are_in_range;
use crate::simd::lanes::{Lanes, Mask, Vectors};

/// The filter's answer.
#[derive(Clone, Copy, Debug)]
pub(crate) struct FilteredApproach<L: Lanes> {
    /// Where the answer is certain, and its numbers accurate.
    pub(crate) is_certain: L::Mask,
    /// The least distance; zero where the rings meet.
    pub(crate) distance: L,
    /// When it is reached.
    pub(crate) time: L,
}

impl<L: Lanes> FilteredApproach<L> {
    /// Certain nowhere.
    #[inline(always)]
    pub(crate) fn unknown(any: L) -> Self {
        let zero = any.all(0.0);
        Self {
            is_certain: zero.above(zero),
            distance: zero,
            time: zero,
        }
    }
}

/// The least distance of the rings while the first moves by `velocity`; with `of_all`, also of those that
/// do not meet.
#[inline(always)]
pub(crate) fn closest_approach<L: Lanes, R: Corners<L> + ?Sized>(
    table: &SupportTable<'_, L, R>,
    velocity: Vectors<L>,
    of_all: bool,
) -> FilteredApproach<L> {
    let speed = velocity.map(L::abs);
    let sweep = swept_collision(table, velocity, speed, true);
    let zero = speed.x.all(0.0);
    let meeting = FilteredApproach {
        is_certain: sweep.is_certain & sweep.will_intersect,
        distance: zero,
        time: sweep.time,
    };
    let never = sweep.is_certain & !sweep.will_intersect;
    if !of_all || !never.any() {
        return meeting;
    }
    let path = PathAndCorners::new(table, velocity);
    let (mut apart, passes) = path.passing(table.size);
    if (never & !passes).any() {
        let at_end = path.end_is_nearer();
        let size = table.size + speed;
        let squares = Squares::new(size, zero);
        let shift = Vectors::choose(at_end, velocity, Vectors::both(zero));
        let displaced = SupportTable {
            size,
            error: box_error(size, size),
            ..*table
        };
        let nearest = FacingEdge::farthest(&displaced, Some(shift)).nearest();
        let (distance, is_certain) = nearest.distance(size);
        // A displaced gap may have cancelled.
        let is_long =
            !at_end | nearest.is_edge | is_accurate(nearest.at.gap_squared, squares.error);
        let slope = velocity.dot(nearest.vector_to_a());
        let is_still = (speed.x + speed.y).same(zero);
        let is_least = at_end.choose(zero - slope, slope).above(squares.error);
        let ends = FilteredApproach {
            is_certain: is_certain & is_long & (is_least | is_still),
            distance,
            time: at_end.choose(zero.all(1.0), zero),
        };
        apart = FilteredApproach {
            is_certain: passes.either(apart.is_certain, ends.is_certain),
            distance: passes.choose(apart.distance, ends.distance),
            time: passes.choose(apart.time, ends.time),
        };
    }
    FilteredApproach {
        is_certain: meeting.is_certain | (never & apart.is_certain),
        distance: never.choose(apart.distance, zero),
        time: never.choose(apart.time, meeting.time),
    }
}

/// The path and the corners farthest to its left and to its right.
struct PathAndCorners<L: Lanes> {
    velocity: Vectors<L>,
    /// The corners of the difference farthest to either side of the path: from `b` to `a`.
    left: Vectors<L>,
    right: Vectors<L>,
    /// How far they lie to the left of the path, times its length.
    most: L,
    least: L,
    /// Whether no other corner is as far to that side.
    is_only_left: L::Mask,
    is_only_right: L::Mask,
    error: L,
}

impl<L: Lanes> PathAndCorners<L> {
    #[inline(always)]
    fn new<R: Corners<L> + ?Sized>(table: &SupportTable<'_, L, R>, velocity: Vectors<L>) -> Self {
        let [a, b] = table.rings;
        let (of_a, of_b) = table.edges.split_at(a.count());
        let velocity_error = box_error(table.size, velocity.map(L::abs));
        let error = velocity_error + velocity_error;
        let reversed = velocity.reversed();
        let high_a = FarthestCorner::new(a, of_a, velocity, error);
        let low_a = FarthestCorner::new(a, of_a, reversed, error);
        let high_b = FarthestCorner::new(b, of_b, velocity, error);
        let low_b = FarthestCorner::new(b, of_b, reversed, error);
        Self {
            velocity,
            left: low_a.corner - high_b.corner,
            right: high_a.corner - low_b.corner,
            most: high_b.left + low_a.left,
            least: error.all(0.0) - low_b.left - high_a.left,
            is_only_left: low_a.is_only & high_b.is_only,
            is_only_right: high_a.is_only & low_b.is_only,
            error,
        }
    }

    /// The distance where the path passes the difference, and where it certainly does.
    #[inline(always)]
    fn passing(&self, size: Vectors<L>) -> (FilteredApproach<L>, L::Mask) {
        let zero = self.error.all(0.0);
        let is_on_left = self.least.above(self.error);
        let is_on_right = (zero - self.error).above(self.most);
        let gap = Vectors::choose(is_on_left, self.right, self.left);
        let is_only = is_on_left.either(self.is_only_right, self.is_only_left);
        let along = zero - self.velocity.dot(gap);
        let path = self.velocity.length_squared();
        let across = self.velocity.cross(gap).abs();
        let [speed_x, speed_y] = [self.velocity.x.abs(), self.velocity.y.abs()];
        let turned = Vectors::new(speed_y, speed_x);
        let along_error = error_along(turned, size + self.velocity.map(L::abs));
        let across_error = error_along(self.velocity, size);
        let passes = (is_on_left | is_on_right)
            & along.above(along_error)
            & (path - along).above(along_error);
        let approach = FilteredApproach {
            is_certain: are_in_range(self.velocity)
                & are_in_range(gap)
                & is_only
                & is_accurate(along, along_error)
                & is_accurate(across, across_error),
            distance: across / path.sqrt(),
            time: (along / path).smaller(zero.all(1.0)),
        };
        (approach, passes)
    }

    /// Whether the least distance on the whole line is nearer in time to the end than to the start.
    #[inline(always)]
    fn end_is_nearer(&self) -> L::Mask {
        let zero = self.error.all(0.0);
        let half = self.velocity.length_squared() * zero.all(0.5);
        let left = zero - self.velocity.dot(self.left);
        let right = zero - self.velocity.dot(self.right);
        // Whether the segment between the two corners crosses the line of the path in its second
        // half.
        let (to_left, to_right) = (self.most, zero - self.least);
        let crossing = (left * to_right + right * to_left).above(half * (to_left + to_right));
        let is_on_left = self.least.above(zero);
        let is_on_right = zero.above(self.most);
        is_on_left.either(
            right.above(half),
            is_on_right.either(left.above(half), crossing),
        )
    }
}

/// The corner of a ring that is farthest to the left of a direction.
struct FarthestCorner<L: Lanes> {
    corner: Vectors<L>,
    /// How far it lies to the left of the first vertex of `a`, times the direction's length.
    left: L,
    /// Whether it is certainly farther than all others.
    is_only: L::Mask,
}

impl<L: Lanes> FarthestCorner<L> {
    #[inline(always)]
    fn new<R: Corners<L> + ?Sized>(
        ring: &R,
        edges: &[EdgeSupport<L>],
        direction: Vectors<L>,
        error: L,
    ) -> Self {
        let mut corner = ring.corner(0);
        let mut left = direction.cross(edges[0].start);
        let mut second = error.all(f64::NEG_INFINITY);
        for (index, edge) in edges.iter().enumerate().skip(1) {
            let own = direction.cross(edge.start);
            let is_farther = own.above(left);
            second = second.larger(is_farther.choose(left, own));
            corner = Vectors::choose(is_farther, ring.corner(index), corner);
            left = left.larger(own);
        }
        Self {
            corner,
            left,
            is_only: (left - second).above(error),
        }
    }
}
