//! Overlap and minimum translation vector of large rings by the expanding polytope algorithm (van
//! den Bergen, 2001): a polygon inside the Minkowski difference grows where it comes nearest to the
//! origin.
//!
//! The chords of that polygon are no farther from the origin than the difference behind them. Where
//! every chord but one is farther than an edge of the difference, no other edge can be nearer,
//! however the corners were found: floats may choose them, and only the nearest edge itself is
//! checked by exact predicates. With `d` the distance of a chord's line, `e` a bound on its error and
//! `m` the least distance of an edge, `d > m + 2 e` proves it.

use std::ops::ControlFlow;

use fearless_simd::prelude::*;
use smallvec::SmallVec;

use super::extreme_vertices::{extremes, farthest, farthest_within};
use crate::convex::filter::Measure;
use crate::convex::one::minkowski_difference::{
    Corner, DifferenceEdge, MinkowskiDifference, Owner,
};
use crate::convex::table::axis::Axis;
use crate::geom::{Bounds, Point, Vec2};
use crate::predicates::Sign;
use crate::predicates::bounds::error_bounds::{
    SMALLEST_SQUARED_LENGTH, box_error, certainly_positive, distance_error, error_along,
};
use crate::predicates::signs::depth_comparison::EQUALLY_GOOD;
use crate::simd::instructions::with_instructions;
use crate::simd::lanes::Vectors;

/// The overlap of two rings.
pub(crate) struct EpaResult {
    pub(crate) intersects: bool,
    /// The edge of least overlap, or one that separates.
    pub(crate) edge: DifferenceEdge,
    /// Depth and normal of that edge, if floats are accurate.
    pub(crate) measure: Option<Measure<f64>>,
}

/// Overlap and minimum translation vector of two rings with these bounding boxes, where floats can
/// tell.
pub(crate) fn epa(difference: MinkowskiDifference<'_>, bounds: [Bounds; 2]) -> Option<EpaResult> {
    with_instructions!(simd => epa_with(simd, difference, bounds))
}

#[inline(always)]
fn epa_with<S: Simd>(
    simd: S,
    difference: MinkowskiDifference<'_>,
    [of_a, of_b]: [Bounds; 2],
) -> Option<EpaResult> {
    let size = of_a.union(&of_b).size();
    let error = box_error(size, size);
    if !error.is_finite() {
        return None;
    }
    let epa = Epa {
        difference,
        size,
        error: 2.0 * distance_error(size),
    };
    if !of_a.meets(&of_b) {
        return epa.apart(simd, of_a, of_b);
    }
    let [low_a, right_a, high_a, left_a] = extremes(simd, difference.a, &of_a)?;
    let [low_b, right_b, high_b, left_b] = extremes(simd, difference.b, &of_b)?;
    // Between these the edges of both rings run in one quadrant, in which no sum of them cancels.
    let corners = [
        (high_a, low_b),
        (left_a, right_b),
        (low_a, high_b),
        (right_a, left_b),
    ];
    let corners = corners.map(|(a, b)| Corner { a, b });
    let mut open: SmallVec<[Chord; 32]> = SmallVec::new();
    for (index, &from) in corners.iter().enumerate() {
        let to = corners[(index + 1) % 4];
        let edges = [
            steps(difference.a, from.a, to.a),
            steps(difference.b, from.b, to.b),
        ];
        epa.push(&mut open, from, to, edges)?;
    }
    // Sorted so that the nearest chord, which is divided first, is at the end.
    open.sort_unstable_by(|one, other| other.distance.total_cmp(&one.distance));
    let mut least = NearestDifferenceEdge {
        edge: None,
        distance: f64::INFINITY,
        second: f64::INFINITY,
    };
    let most = 24 + (difference.a.len() + difference.b.len()) / 4;
    for _ in 0..most {
        let Some(chord) = open.pop() else {
            return epa.nearest(&least);
        };
        if chord.distance > least.distance + epa.error {
            continue;
        }
        match chord.edges {
            [1, 0] => least.offer((Owner::A, chord.from), chord.distance),
            [0, 1] => least.offer((Owner::B, chord.from), chord.distance),
            _ => {
                if let ControlFlow::Break(answer) = epa.divide(simd, &mut open, &chord) {
                    return answer;
                }
            }
        }
        if certainly_positive(-least.distance, epa.error) {
            let (owner, from) = least.edge?;
            return epa.separating([DifferenceEdge::new(owner, from)]);
        }
    }
    None
}

/// How many steps lead from one vertex to another.
#[inline(always)]
fn steps(ring: &[Point], from: usize, to: usize) -> usize {
    if to < from {
        to + ring.len() - from
    } else {
        to - from
    }
}

#[derive(Clone, Copy)]
struct Chord {
    from: Corner,
    to: Corner,
    /// How many edges of either ring lie behind it.
    edges: [usize; 2],
    direction: Vec2,
    /// The distance of the origin from its line, negative if the origin lies outside.
    distance: f64,
}

/// The edge of the difference nearest to the origin so far.
struct NearestDifferenceEdge {
    edge: Option<(Owner, Corner)>,
    distance: f64,
    /// The distance of the second nearest.
    second: f64,
}

impl NearestDifferenceEdge {
    #[inline(always)]
    fn offer(&mut self, edge: (Owner, Corner), distance: f64) {
        if distance < self.distance {
            self.second = self.distance;
            (self.edge, self.distance) = (Some(edge), distance);
        } else {
            self.second = self.second.min(distance);
        }
    }
}

/// Two rings and the error of distances.
struct Epa<'r> {
    difference: MinkowskiDifference<'r>,
    size: Vectors<f64>,
    /// Bounds the error of the difference of two distances.
    error: f64,
}

impl Epa<'_> {
    /// From b to a at a corner, rounded.
    #[inline(always)]
    fn gap(&self, corner: Corner) -> Vec2 {
        let (a, b) = self.difference.vertices(corner);
        a - b
    }

    /// Adds a chord, unless it is a single corner. `None` if it is too short.
    #[inline(always)]
    fn push(
        &self,
        open: &mut SmallVec<[Chord; 32]>,
        from: Corner,
        to: Corner,
        edges: [usize; 2],
    ) -> Option<()> {
        if edges == [0, 0] {
            return Some(());
        }
        let (start_a, start_b) = self.difference.vertices(from);
        let (end_a, end_b) = self.difference.vertices(to);
        let (of_a, of_b) = (start_a - end_a, end_b - start_b);
        let direction = of_a + of_b;
        let square = direction.length_squared();
        if square <= SMALLEST_SQUARED_LENGTH {
            return None;
        }
        open.push(Chord {
            from,
            to,
            edges,
            direction,
            distance: direction.cross(self.gap(from)) / square.sqrt(),
        });
        Some(())
    }

    /// Divides a chord at the corner of the difference farthest outside. Breaks with an edge that
    /// separates, or with `None` where rounding hides the corner.
    #[inline(always)]
    fn divide<S: Simd>(
        &self,
        simd: S,
        open: &mut SmallVec<[Chord; 32]>,
        chord: &Chord,
    ) -> ControlFlow<Option<EpaResult>> {
        let Chord { from, to, .. } = *chord;
        let (a, b) = (self.difference.a, self.difference.b);
        let [count_a, count_b] = chord.edges;
        let outward = Vec2::new(-chord.direction.y, chord.direction.x);
        let middle = if chord.edges == [1, 1] {
            // The edge that turns less comes first, that of a if they are parallel.
            let (of_a, of_b) = (a[from.a] - a[to.a], b[to.b] - b[from.b]);
            let is_a_first = of_a.cross(of_b) >= 0.0;
            Some(usize::from(is_a_first)).zip(Some(usize::from(!is_a_first)))
        } else {
            let of_a = farthest_within(simd, a, from.a, count_a, outward);
            of_a.zip(farthest_within(simd, b, from.b, count_b, -outward))
        };
        let Some((of_a, of_b)) = middle else {
            return ControlFlow::Break(None);
        };
        let rest = [count_a - of_a, count_b - of_b];
        if [of_a, of_b] == [0, 0] || rest == [0, 0] {
            return ControlFlow::Break(None);
        }
        let wrapped = |index: usize, count: usize| {
            if index < count { index } else { index - count }
        };
        let middle = Corner {
            a: wrapped(from.a + of_a, a.len()),
            b: wrapped(from.b + of_b, b.len()),
        };
        if chord.direction.cross(self.gap(middle)) < 0.0 {
            let apart = self.separating(self.difference.beside(middle));
            if apart.is_some() {
                return ControlFlow::Break(apart);
            }
        }
        let size = open.len();
        if self.push(open, from, middle, [of_a, of_b]).is_none()
            || self.push(open, middle, to, rest).is_none()
        {
            return ControlFlow::Break(None);
        }
        if let [.., first, second] = &mut open[size..]
            && first.distance < second.distance
        {
            std::mem::swap(first, second);
        }
        ControlFlow::Continue(())
    }

    /// The nearest edge, if no other can be nearer.
    fn nearest(&self, least: &NearestDifferenceEdge) -> Option<EpaResult> {
        let &NearestDifferenceEdge {
            edge,
            distance,
            second,
        } = least;
        let is_inside = certainly_positive(distance, self.error);
        let is_least = certainly_positive(second - distance, self.error);
        let is_as_good = 2.0 * self.error <= EQUALLY_GOOD * distance;
        if !(is_inside && (is_least || is_as_good)) {
            return None;
        }
        let (owner, from) = edge?;
        let edge = self.difference.true_edge(owner, from)?;
        Some(self.result(true, edge))
    }

    /// For bounding boxes that are apart: an edge beside the nearest corner separates the rings.
    #[inline(always)]
    fn apart<S: Simd>(&self, simd: S, of_a: Bounds, of_b: Bounds) -> Option<EpaResult> {
        // From a towards b.
        let direction = if of_a.max.x < of_b.min.x {
            Vec2::new(1.0, 0.0)
        } else if of_b.max.x < of_a.min.x {
            Vec2::new(-1.0, 0.0)
        } else if of_a.max.y < of_b.min.y {
            Vec2::new(0.0, 1.0)
        } else {
            Vec2::new(0.0, -1.0)
        };
        let corner = Corner {
            a: farthest(simd, self.difference.a, direction),
            b: farthest(simd, self.difference.b, -direction),
        };
        self.separating(self.difference.beside(corner))
    }

    /// The first of some edges that certainly separates the rings.
    ///
    /// Where the difference lies short of the origin along a direction, one of the two edges at
    /// its farthest corner separates: else the origin would lie in the corner between their lines.
    fn separating<const N: usize>(&self, edges: [DifferenceEdge; N]) -> Option<EpaResult> {
        edges
            .into_iter()
            .filter_map(|edge| self.difference.true_edge(edge.owner, edge.from))
            .find(|edge| self.difference.support(edge).overlap() == Sign::Negative)
            .map(|edge| self.result(false, edge))
    }

    fn result(&self, intersects: bool, edge: DifferenceEdge) -> EpaResult {
        let direction = self.difference.direction(&edge);
        let direction = direction.end - direction.start;
        let overlap = direction.cross(self.gap(edge.from));
        let error = error_along(direction, self.size);
        let axis = Axis::new(direction, overlap, error);
        let is_certain = axis.depth.length_squared > SMALLEST_SQUARED_LENGTH
            && error > 0.0
            && axis.is_accurate(error);
        EpaResult {
            intersects,
            edge,
            measure: is_certain.then(|| Measure::of(&axis)),
        }
    }
}
