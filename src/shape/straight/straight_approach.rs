//! How near two shapes come that don't turn and never meet, one moving.
//!
//! They are nearest at the start of the frame, at its end, or where a vertex of one passes a vertex of the
//! other: between these the distance of a vertex from an edge changes at a constant rate.

use std::ops::ControlFlow;

use crate::convex::{Cyclic, MinkowskiDifference, Ring, moved_along, nearest_displaced};
use crate::geom::{Bounds, Edge, Motion, Point, Vec2};
use crate::predicates::bounds::error_bounds::box_error;
use crate::predicates::bounds::within_distance_filter::may_pass_within;
use crate::predicates::{Least, Length, Sign, TO_TEN_DIGITS, length_difference};
use crate::shape::boundary::Boundary;
use crate::shape::boundary::edge_block::EdgeBlock;
use crate::shape::boundary::edge_pairs::block_pairs;
use crate::shape::checked_shape::{Shape, convex_rings, radius_sum};
use crate::shape::pair::nearest_cores::NearestCores;
use crate::shape::rest::distance::{scale, scaled_by, scaled_square_above, visit_candidates};
use crate::simd::load::LANES;

/// The least distance of two shapes within a frame in which the first moves.
#[derive(Clone, Copy, Debug)]
pub struct ClosestApproach {
    /// The least distance; zero if they meet.
    pub distance: f64,
    /// When it is reached: where they meet, the first contact.
    pub time: f64,
    /// The point of the first shape nearest to the second at that time; NaN if they meet.
    pub closest_a: Point,
    /// The point of the second shape nearest to the first, where that is at the start; NaN if they meet.
    pub closest_b: Point,
}

/// How near shapes come that don't meet within the frame.
pub(crate) fn straight_approach(
    [a, b]: [&Shape<'_>; 2],
    offset: Option<Motion>,
    velocity: Motion,
) -> ClosestApproach {
    let nearest = nearest_while_moving([a, b], offset, velocity);
    let [of_a, of_b] = nearest.points();
    let radius = radius_sum(a, b, 0.0);
    let distance = if radius.is_zero() {
        nearest.distance()
    } else {
        length_difference(nearest.length(), Length::Number(radius), TO_TEN_DIGITS)
    };
    ClosestApproach {
        distance: distance.to_f64(),
        time: nearest.time().to_f64(),
        closest_a: moved_along(of_a, a.radius(), || -nearest.direction()),
        closest_b: moved_along(of_b, b.radius(), || nearest.direction()),
    }
}

/// The nearest features of two shapes without their radii, which never meet while the first moves.
pub(crate) fn nearest_while_moving(
    [a, b]: [&Shape<'_>; 2],
    offset: Option<Motion>,
    velocity: Motion,
) -> NearestCores {
    let exact = velocity.exact_vector().filter(|_| offset.is_none());
    let convex = convex_rings(a, b).zip(exact);
    let nearest = convex.and_then(|((a, b), velocity)| of_convex(a, b, velocity));
    nearest.unwrap_or_else(|| of_boundaries([a, b].map(Shape::boundary), offset, velocity))
}

/// The time at which shapes are nearest.
#[derive(Clone, Copy, PartialEq)]
enum Phase {
    Start,
    Passing,
    End,
}

/// The distance of convex rings is a convex function of time: it has its least value at an end of the
/// frame from which it does not fall, or where a corner of the difference that is nearest to the line of
/// the path is beside the path. `None` only if the rings are not convex or meet: where a caller's arrays
/// change after they were checked.
fn of_convex(a: &Ring<'_>, b: &Ring<'_>, velocity: Vec2) -> Option<NearestCores> {
    let motion = Motion::from(velocity);
    let at = |shift: Option<Motion>| {
        let nearest = nearest_displaced(a, b, shift)?;
        Some(NearestCores::displaced(nearest, shift, shift.is_some()))
    };
    let found = |phase| match phase {
        Phase::Start => at(None).filter(|it| it.slope(motion) != Sign::Negative),
        Phase::End => at(Some(motion)).filter(|it| it.slope(motion) != Sign::Positive),
        Phase::Passing => passing(a, b, velocity),
    };
    let first = likely_phase(a, b, velocity);
    let others = [Phase::Passing, Phase::Start, Phase::End];
    let others = others.into_iter().filter(|&phase| phase != first);
    let mut phases = std::iter::once(first).chain(others);
    phases.find_map(found)
}

/// The time at which the centers of the bounding boxes are nearest, up to rounding: it is tried
/// first.
fn likely_phase(a: &Ring<'_>, b: &Ring<'_>, velocity: Vec2) -> Phase {
    let center = |Bounds { min, max }: Bounds| {
        Point::new(0.5 * min.x + 0.5 * max.x, 0.5 * min.y + 0.5 * max.y)
    };
    let ahead = velocity.dot(center(b.bounds()) - center(a.bounds()));
    let path = velocity.dot(velocity);
    if ahead > 0.0 && ahead < path {
        Phase::Passing
    } else if ahead >= path && path > 0.0 {
        Phase::End
    } else {
        Phase::Start
    }
}

/// The corner of the difference that is nearest to the line of the path, if the path passes it.
fn passing(a: &Ring<'_>, b: &Ring<'_>, velocity: Vec2) -> Option<NearestCores> {
    let difference = MinkowskiDifference::<[Point]>::new(a, b, None);
    let path = Edge::from_origin(velocity);
    [path, path.reversed()].into_iter().find_map(|direction| {
        let support = difference.support_along(direction);
        let vertices = [support.gap.to, support.gap.from];
        let nearest = NearestCores::passing(vertices, None, velocity.into());
        nearest.filter(|_| support.overlap() == Sign::Negative)
    })
}

/// A search for the nearest features of two boundaries, the first moving.
struct Search<'b> {
    boundaries: [&'b Boundary; 2],
    /// The displacement of the first one at the start, if any.
    offset: Option<Motion>,
    velocity: Motion,
    /// The power of two by which coordinates are multiplied, if necessary: see [`scale()`].
    scale: Option<f64>,
    /// The velocity, scaled, if it is a vector and there is no offset.
    path: Option<Vec2>,
    /// The nearest features so far. The rank says when, where and which they are.
    least: Least<NearestCores, (u8, usize, usize, u8)>,
    /// An upper bound of their squared distance, scaled.
    limit: f64,
}

/// The features at either end of the frame come first: they leave few vertices to look at on their way.
fn of_boundaries([a, b]: [&Boundary; 2], offset: Option<Motion>, velocity: Motion) -> NearestCores {
    let end = offset.map_or(velocity, |offset| offset.then(velocity));
    let origin = Bounds::from(Point::ORIGIN);
    let path = (offset.iter()).fold(origin.union(&origin.moved(end)), |path, &offset| {
        path.union(&origin.moved(offset))
    });
    let scale = scale(&[a.bounds().union(&b.bounds()), path]);
    let exact = velocity.exact_vector().filter(|_| offset.is_none());
    let mut search = Search {
        boundaries: [a, b],
        offset,
        velocity,
        scale,
        path: exact.map(|velocity| velocity.times(scale.unwrap_or(1.0))),
        least: Least::default(),
        limit: f64::INFINITY,
    };
    search.at_rest(0, offset);
    search.at_rest(1, Some(end));
    search.on_the_way();
    search.least.found().expect("shapes have vertices")
}

impl Search<'_> {
    fn offer(&mut self, candidate: NearestCores, rank: (u8, usize, usize, u8)) {
        if self.least.offer(candidate, NearestCores::length, rank) {
            self.limit = scaled_square_above(candidate.length(), self.scale);
        }
    }

    /// Looks at the features where the first boundary is displaced.
    fn at_rest(&mut self, time: u8, shift: Option<Motion>) {
        let (boundaries, scale, limit) = (self.boundaries, self.scale, self.limit);
        visit_candidates(boundaries, shift, scale, limit, |nearest, (i, j, kind)| {
            let candidate = NearestCores::displaced(nearest, shift, time > 0);
            self.offer(candidate, (time, i, j, kind));
            self.limit
        });
    }

    /// Looks at the vertices that pass each other.
    fn on_the_way(&mut self) {
        let (scaled, path) = (scaled_by(self.scale), self.path);
        let scale = self.scale.unwrap_or(1.0);
        let [offset, velocity] = [self.offset.unwrap_or(Motion::NONE), self.velocity]
            .map(|motion| motion.scaled_by(scale));
        let bound = |a: &Bounds, b: &Bounds| {
            if let Some(path) = path {
                return scaled(*a).squared_distance_below_moving(&scaled(*b), path);
            }
            let swept = scaled(*a).moved(offset).swept(velocity);
            swept.squared_distance_below(&scaled(*b))
        };
        let ([a, b], limit) = (self.boundaries, self.limit);
        let visit = |blocks: [&EdgeBlock; 2]| {
            let [of_a, of_b] = blocks;
            if bound(&of_a.bounds, &of_b.bounds) <= self.limit {
                let across = path.map(|_| Across::new(blocks, self.velocity.rounded()));
                for (first, i) in of_a.range().enumerate() {
                    for (second, j) in of_b.range().enumerate() {
                        let limit = self.scale.map_or(self.limit, |_| f64::INFINITY);
                        let is_near = (across.as_ref())
                            .is_none_or(|across| across.may_be_within([first, second], limit));
                        let vertices = [a.vertex(i), b.vertex(j)];
                        if is_near
                            && let Some(passing) =
                                NearestCores::passing(vertices, self.offset, self.velocity)
                        {
                            self.offer(passing, (2, i, j, 0));
                        }
                    }
                }
            }
            ControlFlow::Continue(self.limit)
        };
        let _ = block_pairs([a, b], Boundary::tree, bound, limit, visit);
    }
}

/// How far the vertices of two blocks of edges lie to the left of a path, times its length, rounded.
struct Across {
    of_a: [f64; LANES],
    of_b: [f64; LANES],
    /// Bounds the error of the difference of two.
    error: f64,
    path_squared: f64,
}

impl Across {
    fn new([a, b]: [&EdgeBlock; 2], velocity: Vec2) -> Self {
        let all = a.bounds.union(&b.bounds);
        let left = |block: &EdgeBlock| block.starts().map(|point| velocity.cross(point - all.min));
        Self {
            of_a: left(a),
            of_b: left(b),
            error: box_error(all.max - all.min, velocity.map(f64::abs)),
            path_squared: velocity.dot(velocity),
        }
    }

    /// Whether two vertices, by their positions, may pass each other within a distance, given its square.
    fn may_be_within(&self, [of_a, of_b]: [usize; 2], square: f64) -> bool {
        let gap = self.of_a[of_a] - self.of_b[of_b];
        may_pass_within(gap, self.error, self.path_squared, square)
    }
}
