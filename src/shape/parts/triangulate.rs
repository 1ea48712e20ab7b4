//! Triangulations of a polygon: a fast one, which may be wrong, and an exact one.

use std::cmp::Ordering;
use std::collections::BTreeSet;
use std::ops::ControlFlow;

use earcut::Earcut;

use super::convex_hull::order;
use super::planar_graph::{Region, Triangle, VertexId, sides};
use crate::geom::Bounds;
use crate::predicates::bounds::error_bounds::LARGEST_FACTOR;
use crate::predicates::{Sign, side};
use crate::shape::boundary::Boundary;

/// Ear clipping in floats. Its triangles may overlap, miss a part or have no area. None for too
/// large coordinates.
pub(super) fn by_ears(boundary: &Boundary, region: &Region) -> Option<Vec<Triangle>> {
    let Bounds { min, max } = boundary.bounds();
    let sizes = [min.x, min.y, max.x, max.y];
    if sizes.iter().any(|size| size.abs() > LARGEST_FACTOR) {
        return None;
    }
    let corners = boundary.corners.iter();
    let holes: Vec<u32> = boundary.rings[1..]
        .iter()
        .map(|ring| u32::try_from(ring.corners.start).unwrap_or(u32::MAX))
        .collect();
    let mut found = Vec::new();
    let data = corners.map(|corner| [corner.point.x, corner.point.y]);
    Earcut::new().earcut(data, &holes, &mut found);
    let (found, _) = found.as_chunks();
    let triangles = found
        .iter()
        .map(|corners: &[u32; 3]| corners.map(|corner| region.vertices[corner as usize]));
    let mut all = Vec::with_capacity(found.len());
    all.extend(triangles.filter_map(|it| counterclockwise(it, region)));
    Some(all)
}

/// The triangle, counterclockwise; none if it has no area.
fn counterclockwise([a, b, c]: Triangle, region: &Region) -> Option<Triangle> {
    match side(region.edge([a, b]), region.point(c)) {
        Sign::Positive => Some([a, b, c]),
        Sign::Zero => None,
        Sign::Negative => Some([a, c, b]),
    }
}

/// Advancing front: triangles are cut off one after the other. Each has an edge of the remaining
/// region as its base and contains no other vertex or edge of it, so that a region remains. One exists
/// on every edge, because every triangulation that uses all vertices has a triangle there.
///
/// Quadratic in the number of vertices, and more where few of them see each other.
pub(super) fn by_front(boundary: &Boundary, region: &Region) -> Option<Vec<Triangle>> {
    let mut front: BTreeSet<[VertexId; 2]> = split_edges(boundary, region).into_iter().collect();
    let mut triangles = Vec::new();
    // A triangulation has fewer triangles than vertices plus twice the holes.
    let most = 2 * region.vertices.len() + 2 * boundary.rings.len();
    while let Some(&base) = front.first() {
        if triangles.len() > most {
            return None;
        }
        let triangle = standing_on(base, &front, region)?;
        for side @ [start, end] in sides(triangle) {
            if !front.remove(&side) {
                front.insert([end, start]);
            }
        }
        triangles.push(triangle);
    }
    Some(triangles)
}

/// The polygon's edges, cut at the vertices of other rings that lie on them.
fn split_edges(boundary: &Boundary, region: &Region) -> Vec<[VertexId; 2]> {
    let mut cuts: Vec<(usize, VertexId)> = Vec::new();
    for (&vertex, corner) in region.vertices.iter().zip(&boundary.corners) {
        let point = corner.point;
        let here = Bounds::from(point);
        let _ = boundary.search(
            |bounds| bounds.meets(&here),
            |index, edge| {
                let inside = point != edge.start && point != edge.end;
                if inside && side(edge, point) == Sign::Zero {
                    cuts.push((index, vertex));
                }
                ControlFlow::Continue(())
            },
        );
    }
    cuts.sort_by(|&(edge, first), &(other, second)| {
        let along = order(region.point(first), region.point(second));
        let [start, end] = region.edges[edge].map(|vertex| region.point(vertex));
        let along = if order(start, end) == Ordering::Less {
            along
        } else {
            along.reverse()
        };
        edge.cmp(&other).then(along)
    });
    cuts.dedup();
    let mut cuts = cuts.into_iter().peekable();
    let mut edges = Vec::new();
    for (index, &[mut start, end]) in region.edges.iter().enumerate() {
        while let Some((_, vertex)) = cuts.next_if(|&(edge, _)| edge == index) {
            edges.push([start, vertex]);
            start = vertex;
        }
        edges.push([start, end]);
    }
    edges
}

/// A triangle on an edge of the front with no vertex and no edge of the front in it.
fn standing_on(
    base: [VertexId; 2],
    front: &BTreeSet<[VertexId; 2]>,
    region: &Region,
) -> Option<Triangle> {
    let vertices = || front.iter().map(|&[start, _]| start);
    let [start, end] = base;
    let mut tried = BTreeSet::new();
    vertices().find_map(|candidate| {
        if side(region.edge(base), region.point(candidate)) != Sign::Positive {
            return None;
        }
        // An apex inside makes the triangle smaller, so that one pass is enough.
        let apex = vertices().fold(candidate, |apex, vertex| {
            if holds([start, end, apex], vertex, region) {
                vertex
            } else {
                apex
            }
        });
        let triangle = [start, end, apex];
        let is_free = tried.insert(apex)
            && !front.iter().any(|&edge| {
                let cut = |side| crosses(side, edge, region);
                cut([end, apex]) || cut([apex, start])
            });
        is_free.then_some(triangle)
    })
}

/// Whether a triangle contains a vertex other than its corners, on its sides included.
fn holds(triangle: Triangle, vertex: VertexId, region: &Region) -> bool {
    !triangle.contains(&vertex)
        && sides(triangle)
            .into_iter()
            .all(|it| side(region.edge(it), region.point(vertex)) != Sign::Negative)
}

/// Whether two edges cross in an interior point of both.
fn crosses(first: [VertexId; 2], second: [VertexId; 2], region: &Region) -> bool {
    let straddles = |line: [VertexId; 2], [start, end]: [VertexId; 2]| {
        let line = region.edge(line);
        side(line, region.point(start)).times(side(line, region.point(end))) == Sign::Negative
    };
    straddles(first, second) && straddles(second, first)
}
