//! Where a point lies to a polygon.

use std::ops::ControlFlow;

use smallvec::SmallVec;

use super::outline::Outline;
use crate::geom::{Bounds, Edge, Point};
use crate::predicates::{Sign, side};

/// Where a point lies to a polygon or a ring.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Location {
    Inside,
    Boundary,
    Outside,
}

/// Counts the edges that cross the ray from a point to the right (Shimrat, 1962).
pub(crate) fn locate(point: Point, outline: &Outline) -> Location {
    let mut inside = false;
    let on_boundary = outline.search(on_ray(point), |_, edge| {
        if on_edge(point, edge) {
            return ControlFlow::Break(());
        }
        inside ^= crosses_ray(edge, point);
        ControlFlow::Continue(())
    });
    match (on_boundary.is_break(), inside) {
        (true, _) => Location::Boundary,
        (false, true) => Location::Inside,
        (false, false) => Location::Outside,
    }
}

/// As [`locate`], for one ring without boxes.
pub(crate) fn locate_in_ring(point: Point, edges: impl Iterator<Item = Edge>) -> Location {
    let mut inside = false;
    for edge in edges {
        if on_edge(point, edge) {
            return Location::Boundary;
        }
        inside ^= crosses_ray(edge, point);
    }
    if inside {
        Location::Inside
    } else {
        Location::Outside
    }
}

/// The rings that have a point inside, and those that have it on their boundary.
pub(crate) fn rings_around(point: Point, outline: &Outline) -> [SmallVec<[usize; 4]>; 2] {
    let (mut odd, mut touched) = (SmallVec::<[usize; 4]>::new(), SmallVec::new());
    let _ = outline.search(on_ray(point), |index, edge| {
        let ring = outline.ring_of(index);
        if on_edge(point, edge) {
            touched.push(ring);
        } else if crosses_ray(edge, point) {
            match odd.iter().position(|&other| other == ring) {
                Some(place) => {
                    odd.swap_remove(place);
                }
                None => odd.push(ring),
            }
        }
        ControlFlow::Continue(())
    });
    odd.retain(|ring| !touched.contains(ring));
    [odd, touched]
}

/// Whether a box may hold a point of the ray from a point to the right.
fn on_ray(point: Point) -> impl Fn(&Bounds) -> bool {
    move |bounds| (bounds.max.x >= point.x) & (bounds.min.y <= point.y) & (point.y <= bounds.max.y)
}

/// Each edge owns its lower end and not its upper one, so that a vertex on the ray counts once or
/// twice, rightly.
fn crosses_ray(edge: Edge, point: Point) -> bool {
    let upward = edge.start.y <= point.y && point.y < edge.end.y;
    let downward = edge.end.y <= point.y && point.y < edge.start.y;
    (upward && side(edge, point) == Sign::Positive)
        || (downward && side(edge, point) == Sign::Negative)
}

fn on_edge(point: Point, edge: Edge) -> bool {
    Bounds::from(edge).meets(&point.into()) && side(edge, point) == Sign::Zero
}
