//! Which ring of a boundary lies directly in which, where no two rings cross.
//!
//! The rings that pass through the highest vertex of a ring tell by their angles there whether it lies in them. If it
//! lies in none of these, the first edge above that vertex of another ring belongs to one that holds it, or that lies in
//! the same rings, but for those that pass through the vertex. Branch and bound mostly finds that edge after a few blocks,
//! where a count of all edges above would look at every ring there.

use std::cmp::Ordering;
use std::ops::ControlFlow;

use super::boundary::Boundary;
use super::interior_angle::Directions;
use super::plane_sweep::DirectedEdge;
use super::point_in_polygon::Probe;
use crate::convex::Cyclic;
use crate::geom::{Bounds, Edge, Point};
use crate::predicates::{Sign, side};

/// For each ring the innermost of the others that it lies in.
pub(super) fn parents(boundary: &Boundary) -> Vec<Option<usize>> {
    let rings = &boundary.rings;
    let height = |corner: &usize| boundary.vertex(*corner).y + 0.0;
    let tops: Vec<usize> = (rings.iter())
        .map(|ring| {
            let corners = ring.corners.clone();
            let top = corners.max_by(|one, other| height(one).total_cmp(&height(other)));
            top.expect("rings have corners")
        })
        .collect();
    let mut highest_first: Vec<usize> = (0..rings.len()).collect();
    highest_first.sort_by(|&one, &other| height(&tops[other]).total_cmp(&height(&tops[one])));
    let mut parents = vec![None; rings.len()];
    for ring in highest_first {
        let top = tops[ring];
        let edges = edges_through(boundary, boundary.vertex(top));
        let mut parent = innermost(boundary, top, &edges);
        let mut touched: Vec<usize> = edges.iter().map(|&it| boundary.ring_of(it)).collect();
        touched.sort_unstable();
        touched.dedup();
        if parent.is_none()
            && let Some(edge) = first_above(boundary, top, &touched)
        {
            let above = boundary.ring_of(edge);
            parent = if is_inside_below(boundary, edge) {
                Some(above)
            } else {
                // It lies higher, so that its own parent is known.
                parents[above]
            };
            // It lies in none of the rings that it touches.
            while let Some(other) = parent
                && touched.binary_search(&other).is_ok()
            {
                parent = parents[other];
            }
        }
        parents[ring] = parent;
    }
    parents
}

/// The edges that hold a point.
pub(super) fn edges_through(boundary: &Boundary, point: Point) -> Vec<usize> {
    let (at, probe) = (Bounds::from(point), Probe::moved(point, None));
    let mut found = Vec::new();
    let _ = boundary.search(
        |bounds| bounds.meets(&at),
        |index, edge| {
            if probe.is_on(edge) {
                found.push(index);
            }
            ControlFlow::Continue(())
        },
    );
    found
}

/// Of the rings of some edges through a corner, that which the corner's ring lies in, and no other of them in between.
fn innermost(boundary: &Boundary, corner: usize, edges: &[usize]) -> Option<usize> {
    let point = boundary.vertex(corner);
    let own = Directions::through(boundary, corner, point);
    // The interior of a polygon is outside of its holes.
    let holds = |directions: &Directions, ring: usize, other: &Directions| {
        directions.inside(other.leaving()) != boundary.rings[ring].is_hole
    };
    let mut found: Option<(usize, Directions)> = None;
    for &edge in edges {
        let ring = boundary.ring_of(edge);
        if ring == boundary.ring_of(corner) {
            continue;
        }
        let directions = Directions::through(boundary, edge, point);
        if holds(&directions, ring, &own)
            && found
                .as_ref()
                .is_none_or(|(best, of_best)| *best != ring && holds(of_best, *best, &directions))
        {
            found = Some((ring, directions));
        }
    }
    found.map(|(ring, _)| ring)
}

/// The first edge above a corner, of rings that don't pass through it; these are given in order. Where several edges meet
/// straight above, the first just to the right.
fn first_above(boundary: &Boundary, corner: usize, touched: &[usize]) -> Option<usize> {
    let point = boundary.vertex(corner);
    // Half the heights: their difference may be too large for a float.
    let is_beside = |bounds: &Bounds| bounds.min.x <= point.x && point.x <= bounds.max.x;
    let bound = |bounds: &Bounds| {
        if is_beside(bounds) && bounds.max.y >= point.y {
            bounds.min.y.midpoint(-point.y)
        } else {
            f64::INFINITY
        }
    };
    let (mut first, mut limit): (Option<DirectedEdge>, f64) = (None, f64::MAX);
    boundary.search_least(bound, limit, |block| {
        for index in block.range() {
            let edge = DirectedEdge::new((index, boundary.edge(index)));
            let Edge { start, end } = edge.edge;
            if start.x <= point.x
                && point.x < end.x
                && side(edge.edge, point) == Sign::Negative
                && touched.binary_search(&boundary.ring_of(index)).is_err()
                && first.is_none_or(|first| edge.order(&first) == Ordering::Less)
            {
                first = Some(edge);
                limit = start.y.max(end.y).midpoint(-point.y);
            }
        }
        limit
    });
    first.map(|edge| edge.index)
}

/// Whether what lies below an edge, which is not vertical, lies in its ring.
fn is_inside_below(boundary: &Boundary, index: usize) -> bool {
    // The interior of a polygon is on the left of its edges.
    let edge = boundary.edge(index);
    let is_interior_below = edge.end.x < edge.start.x;
    is_interior_below != boundary.rings[boundary.ring_of(index)].is_hole
}
