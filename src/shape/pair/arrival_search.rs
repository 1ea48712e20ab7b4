//! First contact without a turn: the pairs of a vertex of one boundary and an edge or a vertex of the other that may be the
//! first to come into contact, found in floats with a bound on the error, eight edges at a time. Each is then decided
//! exactly by the caller.

use std::cmp::Ordering;
use std::ops::ControlFlow;

use fearless_simd::prelude::*;
use smallvec::SmallVec;

use crate::convex::Owner;
use crate::geom::{Bounds, Motion, RadiusSum, Vec2};
use crate::predicates::bounds::point_edge_filter::EdgeProjection;
use crate::predicates::bounds::swept_circle_filter::{CirclePath, SweptStrip, time_to_box_below};
use crate::predicates::numbers::ten_digits::{ten_digits_above, ten_digits_below};
use crate::shape::boundary::Boundary;
use crate::shape::boundary::edge_block::{EdgeBlock, ones};
use crate::shape::boundary::edge_pairs::block_pairs;
use crate::simd::instructions::with_instructions;
use crate::simd::lanes::{Lanes, Vectors};
use crate::simd::load::{self, LANES};

/// A vertex of one boundary, and an edge or a vertex of the other.
#[derive(Clone, Copy, Debug)]
pub(crate) struct FeaturePair {
    /// The corners: of `a` and of `b`. An edge starts at its corner.
    pub(crate) corners: [usize; 2],
    /// Whose the edge is; `None` of two vertices.
    pub(crate) edge_of: Option<Owner>,
}

/// Two boundaries, the first of which moves, and how near they have to come.
#[derive(Clone, Copy)]
pub(crate) struct ArrivalSearch<'b> {
    pub(crate) a: &'b Boundary,
    pub(crate) b: &'b Boundary,
    /// The displacement of `a` at the start, if any.
    pub(crate) offset: Option<Motion>,
    pub(crate) velocity: Motion,
    /// The sum of all radii.
    pub(crate) radius: RadiusSum,
    /// Whether pairs of two vertices are visited.
    pub(crate) with_vertices: bool,
}

/// A pair that may come into contact.
struct Candidate {
    pair: FeaturePair,
    /// A lower bound of the time.
    below: f64,
    /// Whether it certainly does.
    is_certain: bool,
}

impl Candidate {
    fn order(&self, other: &Self) -> Ordering {
        self.below.total_cmp(&other.below)
    }
}

/// The motion of circles round the vertices of one boundary past the other, in floats.
#[derive(Clone, Copy)]
struct CircleMotion {
    /// The displacement at the start, rounded, if there is any.
    offset: Option<Vec2>,
    velocity: Vec2,
    /// At least the radius.
    reach: f64,
    /// The rounded radius, and whether it is a sum, unless the velocity or the start is rounded.
    radius: Option<(f64, bool)>,
    /// Of which boundary the edges are that are passed.
    edges_of: Owner,
    /// Whether vertices are passed as well.
    with_vertices: bool,
}

impl ArrivalSearch<'_> {
    /// Visits the pairs of features that may be the first to come into contact within the frame, of boundaries that are
    /// apart at the start. The visitor returns the time after which contacts don't matter from then on.
    pub(crate) fn visit(
        &self,
        mut visit: impl FnMut(FeaturePair) -> ControlFlow<(), f64>,
    ) -> ControlFlow<()> {
        let motion = self.circle_motion();
        let mut limit = 1.0_f64;
        // Most of these are later than others, and need not be decided exactly.
        let mut certain = SmallVec::<[Candidate; LANES]>::new();
        let time_of_blocks = |a: &Bounds, b: &Bounds| {
            let time = self.grown(*a).meeting_time_below(b, self.velocity);
            if motion.radius.is_none() || motion.reach == 0.0 {
                return time;
            }
            // Far sharper where the radius is larger than the boxes.
            let gaps = [b.min - a.max, b.max - a.min];
            time.max(time_to_box_below(gaps, motion.reach, motion.velocity))
        };
        let visit_blocks = |blocks| {
            let mut found = SmallVec::new();
            limit = candidates(blocks, &motion, limit, &mut found);
            found.sort_unstable_by(Candidate::order);
            for candidate in found {
                // A comparison with NaN is false, so that NaN excludes nothing; nor does it end the search.
                if candidate.below > limit {
                    continue;
                }
                if candidate.is_certain {
                    certain.push(candidate);
                } else {
                    limit = limit.min(visit(candidate.pair)?);
                }
            }
            ControlFlow::Continue(limit)
        };
        let boundaries = [self.a, self.b];
        block_pairs(
            boundaries,
            Boundary::tree,
            time_of_blocks,
            1.0,
            visit_blocks,
        )?;
        certain.sort_unstable_by(Candidate::order);
        for candidate in certain {
            if candidate.below > limit {
                continue;
            }
            limit = limit.min(visit(candidate.pair)?);
        }
        ControlFlow::Continue(())
    }

    /// A box of `a` at the start, grown by the radius.
    pub(crate) fn grown(&self, a: Bounds) -> Bounds {
        let [_, reach] = self.radius.bounds();
        let moved = self.offset.map_or(a, |offset| a.moved(offset));
        moved.grown(reach)
    }

    fn circle_motion(&self) -> CircleMotion {
        let [_, reach] = self.radius.bounds();
        let radius = (self.radius.terms().sum(), self.radius.exactly().is_none());
        let exact = (self.velocity.exact_vector()).filter(|_| self.offset.is_none());
        CircleMotion {
            offset: self.offset.map(Motion::rounded),
            velocity: self.velocity.rounded(),
            reach,
            radius: exact.map(|_| radius),
            edges_of: Owner::B,
            with_vertices: self.with_vertices,
        }
    }
}

impl CircleMotion {
    /// That of the other boundary's vertices past the first one. The pairs of two vertices are the same.
    fn of_other(self) -> Self {
        Self {
            offset: self.offset.map(Vec2::reversed),
            velocity: self.velocity.reversed(),
            edges_of: Owner::A,
            with_vertices: false,
            ..self
        }
    }
}

/// Adds the pairs of features of two blocks that may come into contact before a limit. Returns the new limit: the latest time
/// of the first contact, if one is certain before the old limit.
fn candidates(
    [a, b]: [&EdgeBlock; 2],
    motion: &CircleMotion,
    limit: f64,
    found: &mut SmallVec<[Candidate; LANES]>,
) -> f64 {
    let size = a.bounds.union(&b.bounds).size();
    let of_b = motion.of_other();
    with_instructions!(simd => {
        let limit = reached(simd, [a, b], size, motion, limit, found);
        reached(simd, [b, a], size, &of_b, limit, found)
    })
}

/// Adds what circles round the vertices of the first block may reach of the second one, as [`candidates`] does for both. All
/// vertices of both lie in a box of this size.
#[inline(always)]
fn reached<S: Simd>(
    simd: S,
    [moving, resting]: [&EdgeBlock; 2],
    mut size: Vec2,
    motion: &CircleMotion,
    mut limit: f64,
    found: &mut SmallVec<[Candidate; LANES]>,
) -> f64 {
    let [start, end] = resting.ends(simd);
    let zero = start.x.all(0.0);
    // A point is an edge of no length, which nothing reaches between its ends.
    let is_point = start.x.same(end.x) & start.y.same(end.y);
    let all = [
        !is_point.to_bitmask() & resting.edges(),
        if motion.with_vertices {
            resting.edges()
        } else {
            0
        },
    ];
    if all == [0; 2] {
        return limit;
    }
    let shift = motion.offset.unwrap_or(Vec2::ZERO);
    if motion.offset.is_some() {
        // The offset is rounded, and so are the gaps that it is taken from: twice as large as need be. Test:
        // `edges_that_a_displaced_circle_reaches_are_in_a_strip_of_twice_the_size`.
        size = (size + shift.map(f64::abs)).times(2.0);
    }
    let shift = Vectors::new(zero.all(shift.x), zero.all(shift.y));
    let strip = SweptStrip::new(size, motion.reach, motion.velocity).splat(zero);
    // Not by `Option::map`, whose closure stays a call, compiled without the lanes' instructions.
    let path = if let Some((radius, is_sum)) = motion.radius {
        let path = CirclePath::new(size, radius, motion.velocity);
        Some((if is_sum { path.of_sum() } else { path }).splat(zero))
    } else {
        None
    };
    for vertex in moving.range() {
        let center = load::splat(simd, moving.start(vertex));
        let gaps = [start - center - shift, end - center - shift];
        let below = strip.time_below(gaps);
        let is_out = strip.is_beyond(gaps) | below.above(zero.all(limit));
        let near = !is_out.to_bitmask();
        let mut open = all.map(|edges| edges & near);
        if open == [0; 2] {
            continue;
        }
        let mut certain = [0; 2];
        let (mut times, below) = ([[0.0; LANES]; 2], below.to_array());
        if let Some(path) = path {
            let at = EdgeProjection::new(center, start, end);
            for (kind, arrival) in [path.to_edge(&at), path.to_vertex(&at)].iter().enumerate() {
                certain[kind] = arrival.verdict.yes.to_bitmask() & open[kind];
                open[kind] &= !arrival.verdict.no.to_bitmask() & !certain[kind];
                times[kind] = arrival.time.to_array();
            }
        }
        for kind in 0..2 {
            for lane in ones(open[kind] | certain[kind]) {
                let edge = resting.range().start + lane;
                let is_certain = certain[kind] >> lane & 1 == 1;
                let mut below = below[lane];
                if is_certain {
                    below = ten_digits_below(times[kind][lane]);
                    limit = limit.min(ten_digits_above(times[kind][lane]));
                }
                if below > limit {
                    continue;
                }
                let corners = match motion.edges_of {
                    Owner::A => [edge, vertex],
                    Owner::B => [vertex, edge],
                };
                let edge_of = (kind == 0).then_some(motion.edges_of);
                found.push(Candidate {
                    pair: FeaturePair { corners, edge_of },
                    below,
                    is_certain,
                });
            }
        }
    }
    limit
}
