//! Quick tests that find most pairs of shapes that meet: where a large polygon holds a small shape, and where a small
//! convex polygon lies on the edges of another shape.

use fearless_simd::prelude::*;

use crate::convex::filter::certainly_holds;
use crate::convex::{Cyclic, Ring, farthest_vertex};
use crate::geom::{Bounds, Point};
use crate::predicates::bounds::error_bounds::{box_error, certainly_positive};
use crate::shape::boundary::edge_block::{EdgeBlock, blocks_meet};
use crate::shape::boundary::point_in_polygon::{Location, locate};
use crate::shape::checked_shape::Shape;
use crate::simd::instructions::with_instructions;
use crate::simd::lanes::Lanes;
use crate::simd::load::{self, LANES, Lane};

/// Whether two shapes certainly have a point in common, as far as a quick look tells.
pub(super) fn certainly_intersects(a: &Shape<'_>, b: &Shape<'_>) -> bool {
    holds_first_vertex(a, b)
        || holds_first_vertex(b, a)
        || meets_edges_near_middle(a, b)
        || meets_edges_near_middle(b, a)
}

/// Whether a polygon, not a convex one of few vertices, certainly holds the first vertex of a shape within its box.
fn holds_first_vertex(polygon: &Shape<'_>, other: &Shape<'_>) -> bool {
    let ring = polygon.exactly_convex();
    if ring.is_some() && polygon.is_short() || !polygon.kind().is_polygonal() {
        return false;
    }
    let vertex = other.rings().ring(0)[0];
    polygon.bounds().contains(&other.bounds())
        && match ring {
            Some(ring) => certainly_holds(ring, vertex),
            None => locate(vertex, polygon.boundary()) != Location::Outside,
        }
}

/// Vertices of a convex polygon from which on it is not worth it to compare all with eight edges. Not tuned.
const MANY_VERTICES: usize = 256;

/// Whether a convex polygon certainly meets the eight edges of another shape, not convex, that lie near its middle. Where
/// most shapes meet, this often saves the boundary of the polygon, which takes half of the time of the answer.
fn meets_edges_near_middle(polygon: &Shape<'_>, other: &Shape<'_>) -> bool {
    let Some(ring) = (polygon.exactly_convex()).filter(|ring| ring.len() <= MANY_VERTICES) else {
        return false;
    };
    // Convex pairs have faster answers.
    if other.is_exactly_convex() {
        return false;
    }
    // Computed once: where only distances were asked, a column of short rings has not stored it.
    let bounds = ring.bounds();
    let near = other.boundary().block_near(bounds.middle());
    with_instructions!(simd => certainly_holds_a_start(simd, ring, &bounds, near))
        || !other.kind().is_of_points()
            && near.bounds.meets(&bounds)
            && blocks_meet(&block_facing(ring, near.bounds.middle()), near, |_, _| {
                false
            })
}

/// Whether one of a block's edges certainly starts inside a counterclockwise ring with these bounds.
#[inline(always)]
fn certainly_holds_a_start<S: Simd>(
    simd: S,
    ring: &Ring<'_>,
    bounds: &Bounds,
    block: &EdgeBlock,
) -> bool {
    let size = bounds.union(&block.bounds).size();
    let error = Lane::splat(simd, box_error(size, size));
    let [starts, _] = block.ends(simd);
    let mut least = Lane::splat(simd, f64::INFINITY);
    for index in 0..ring.len() {
        let edge = ring.edge(index);
        let (start, end) = (load::splat(simd, edge.start), load::splat(simd, edge.end));
        least = least.smaller((end - start).cross(starts - start));
    }
    certainly_positive(least, error).any_true()
}

/// A block of the edges of a convex ring that face a point; of all edges if there are few.
pub(super) fn block_facing(ring: &Ring<'_>, point: Point) -> EdgeBlock {
    let count = ring.len();
    let first = if count <= LANES {
        0
    } else {
        let direction = point - ring.bounds().middle();
        farthest_vertex(ring, direction) + count - LANES / 2
    };
    let edges = first..first + count.min(LANES);
    EdgeBlock::new(edges, |index| ring[index % count], false)
}
