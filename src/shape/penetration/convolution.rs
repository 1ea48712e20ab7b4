//! The edges on which a translation that separates two polygons can lie: those of their reduced
//! convolution, an edge of one polygon with a convex vertex of the other (Behar and Lien, "Fast and robust 2D
//! Minkowski sum using reduced convolution", 2011).
//!
//! At a translation on the boundary of those that make the interiors meet, the polygons touch. Where a vertex
//! touches an edge, its two edges lie on the outer side of that edge or along it, and the vertex is convex. Where
//! vertices touch, that holds for one of them and an edge at the other. Diagonals between convex pieces play no part.
//! The edges are not collected: a search over pairs of boxes visits them by their distance from the origin,
//! which is that of the vertex from the edge (Wein, "Exact and efficient construction of planar Minkowski sums
//! using the convolution method", 2006).

use std::ops::ControlFlow;

use smallvec::SmallVec;

use super::translation_path::Path;
use crate::convex::Cyclic;
use crate::geom::{Bounds, Displacement, Edge, Motion, Point};
use crate::predicates::bounds::point_edge_filter::EdgeProjection;
use crate::predicates::{Sign, cross};
use crate::shape::boundary::Boundary;
use crate::shape::boundary::edge_block::EdgeBlock;
use crate::shape::boundary::edge_pairs::block_pairs;
use crate::simd::load::LANES;

/// Visits the edges of the convolution of `b` and `-a` whose distance from the origin is between two limits, and
/// that have the origin strictly on the inner side. The visitor returns the new upper limit.
///
/// Limits are those of distances multiplied by `scale`, a power of two that brings them near 1: squares
/// neither overflow nor underflow. Distances are rounded, those of boxes and those of their edges differently:
/// limits must leave room for that.
pub(super) fn visit_edges(
    [a, b]: [&Boundary; 2],
    scale: f64,
    [above, below]: [f64; 2],
    mut visit: impl FnMut(Path) -> f64,
) {
    let bound = |a: &Bounds, b: &Bounds| a.scaled(scale).squared_distance_below(&b.scaled(scale));
    let square = |distance: f64| distance * distance;
    let below = square(below);
    let above = if above > 0.0 { square(above) } else { -1.0 };
    let mut limit = below;
    let mut nearest = SmallVec::<[(u64, bool, [u8; 2]); 32]>::new();
    let visit_blocks = |[of_a, of_b]: [&EdgeBlock; 2]| {
        nearest.clear();
        let [of_a, of_b] = [(a, of_a), (b, of_b)].map(|(boundary, block)| {
            let corner = |index| EdgeFromCorner::new(boundary, index, scale);
            block.range().map(corner).collect::<SmallVec<[_; LANES]>>()
        });
        for (i, on_a) in (0..).zip(&of_a) {
            for (j, on_b) in (0..).zip(&of_b) {
                let starts = [on_a.edge.start, on_b.edge.start];
                for (own, other, is_of_b) in [(on_a, on_b, false), (on_b, on_a, true)] {
                    if !other.is_convex {
                        continue;
                    }
                    let squared = squared_distance(other.scaled.start, own.scaled);
                    // Where the origin lies is decided before the sort, which takes longer for each edge.
                    if squared > above
                        && squared <= limit
                        && has_origin_inside(line(own.edge, is_of_b), starts)
                    {
                        // Squares have no sign: their bits are in their order.
                        nearest.push((squared.to_bits(), is_of_b, [i, j]));
                    }
                }
            }
        }
        // The nearest first, as they lower the limit most.
        nearest.sort_unstable();
        for &(squared, is_of_b, [i, j]) in &nearest {
            if f64::from_bits(squared) > limit {
                break;
            }
            let (on_a, on_b) = (&of_a[usize::from(i)], &of_b[usize::from(j)]);
            let path = if is_of_b {
                along_edge(on_b.edge, a, on_a.index, true)
            } else {
                along_edge(on_a.edge, b, on_b.index, false)
            };
            limit = path.map_or(limit, |path| limit.min(square(visit(path))));
        }
        ControlFlow::Continue(limit)
    };
    let _ = block_pairs([a, b], Boundary::tree, bound, below, visit_blocks);
}

/// An edge of a boundary, and the corner from which it goes.
struct EdgeFromCorner {
    index: usize,
    edge: Edge,
    scaled: Edge,
    is_convex: bool,
}

impl EdgeFromCorner {
    fn new(boundary: &Boundary, index: usize, scale: f64) -> Self {
        let edge = boundary.edge(index);
        Self {
            index,
            edge,
            scaled: scaled(edge, scale),
            is_convex: boundary.turn_at(index) == Sign::Positive,
        }
    }
}

/// An edge of `b`, or one of `-a`.
#[inline(always)]
fn line(edge: Edge, is_of_b: bool) -> Edge {
    if is_of_b { edge } else { edge.reversed() }
}

/// An edge in coordinates multiplied by a power of two. Only digits far below the rounding of distances underflow.
#[inline(always)]
fn scaled(edge: Edge, scale: f64) -> Edge {
    let [start, end] = [edge.start, edge.end].map(|it| Point::new(it.x * scale, it.y * scale));
    Edge::new(start, end)
}

/// The squared distance of a point from an edge, rounded.
#[inline(always)]
pub fn squared_distance(point: Point, edge: Edge) -> f64 {
    EdgeProjection::along(point - edge.start, edge.end - edge.start).distance_squared_with_ends()
}

/// The edge that an edge of `b` makes with a convex vertex of `a`, or one of `a` with one of `b`; none if it does not
/// belong to the reduced convolution. On which side of it the origin lies is not asked.
fn along_edge(edge: Edge, other: &Boundary, vertex: usize, is_of_b: bool) -> Option<Path> {
    let point = other.vertex(vertex);
    let pair = |own: Point, other: Point| if is_of_b { [other, own] } else { [own, other] };
    let line = line(edge, is_of_b);
    let start = pair(edge.start, point);
    let is_left = |neighbour: usize| {
        let [from, to] = pair(point, other.vertex(neighbour));
        cross(line, Displacement::between(from, to)) != Sign::Negative
    };
    let is_part = is_left(other.next(vertex)) && is_left(other.previous(vertex));
    is_part.then(|| Path {
        start,
        end: Some(pair(edge.end, point)),
        velocity: Motion::between(line.start, line.end),
    })
}

/// Whether the origin lies strictly to the left of a line through the translation `b - a`.
#[inline(always)]
fn has_origin_inside(line: Edge, [a, b]: [Point; 2]) -> bool {
    cross(line, Displacement::between(b, a)) == Sign::Positive
}
