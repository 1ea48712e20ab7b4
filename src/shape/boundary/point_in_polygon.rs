//! Point in polygon.

use std::ops::ControlFlow;

use fearless_simd::Simd;

use super::Boundary;
use super::edge_block::{EdgeBlock, ones};
use super::point_locator::is_odd_in;
use crate::convex::Cyclic;
use crate::geom::{Bounds, Displacement, Edge, Motion, Point, Vec2};
use crate::predicates::{Sign, cross, dot};
use crate::simd::instructions::with_instructions;

/// The position of a point relative to a polygon or a ring.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Location {
    /// In the interior.
    Inside = 1,
    /// On the boundary.
    Boundary = 0,
    /// Neither.
    Outside = -1,
}

impl Location {
    fn of(is_on_boundary: bool, is_inside: bool) -> Self {
        match (is_on_boundary, is_inside) {
            (true, _) => Self::Boundary,
            (false, true) => Self::Inside,
            (false, false) => Self::Outside,
        }
    }
}

/// The position of a point relative to a polygon.
///
/// The parity of the edges that cross a ray to the right decides (Shimrat, 1962).
pub(crate) fn locate(point: Point, boundary: &Boundary) -> Location {
    let mut location = Location::Outside;
    locate_each(&[point], boundary, |found| location = found);
    location
}

/// The position of each point, in order.
pub(crate) fn locate_each(points: &[Point], boundary: &Boundary, mut tell: impl FnMut(Location)) {
    with_instructions!(simd => for &point in points {
        tell(position(simd, point, boundary));
    });
}

/// Number of blocks up to which a look at each takes less time than a tree.
const FEW_BLOCKS: usize = 4;

/// Makes the tree that [`locate_each`] needs, if there is none yet.
pub(crate) fn prepare(boundary: &Boundary) {
    if boundary.blocks_there().len() > FEW_BLOCKS {
        boundary.locator();
    }
}

#[inline(always)]
fn position<S: Simd>(simd: S, point: Point, boundary: &Boundary) -> Location {
    let bounds = &boundary.bounds();
    if !bounds.meets(&point.into()) {
        return Location::Outside;
    }
    let decide = |block: &EdgeBlock, open| {
        let edges = ones(open).map(|edge| block.range().start + edge);
        Probe::moved(point, None).crosses(boundary, edges)
    };
    // Those of a path's way back hold the same points.
    let blocks = boundary.blocks_there();
    let is_odd = if blocks.len() > FEW_BLOCKS {
        (boundary.locator()).is_odd(simd, point, (blocks, bounds), decide)
    } else {
        is_odd_in(simd, point, (blocks, bounds), decide)
    };
    match is_odd {
        None => Location::Boundary,
        Some(true) if boundary.kind.is_polygonal() => Location::Inside,
        Some(_) => Location::Outside,
    }
}

/// A point, perhaps moved, and a ray from it.
#[derive(Clone, Copy)]
pub(crate) struct Probe {
    point: Point,
    shift: Option<Motion>,
}

impl Probe {
    pub(crate) fn moved(point: Point, shift: Option<Motion>) -> Self {
        Self { point, shift }
    }

    /// The parity of the edges that cross the ray decides (Shimrat, 1962).
    pub(crate) fn locate(self, boundary: &Boundary) -> Location {
        if self.shift.is_none() {
            return locate(self.point, boundary);
        }
        let mut inside = false;
        let on_boundary = boundary.search(self.on_ray(), |_, edge| {
            if self.is_on(edge) {
                return ControlFlow::Break(());
            }
            inside ^= self.has_ray_crossed_by(edge);
            ControlFlow::Continue(())
        });
        Location::of(on_boundary.is_break(), inside)
    }

    /// Whether the ray crosses an odd number of these edges; `None` if one holds the point.
    #[cold]
    pub(crate) fn crosses(
        self,
        boundary: &Boundary,
        edges: impl Iterator<Item = usize>,
    ) -> Option<bool> {
        let mut is_odd = false;
        for edge in edges.map(|index| boundary.edge(index)) {
            if self.is_on(edge) {
                return None;
            }
            is_odd ^= self.has_ray_crossed_by(edge);
        }
        Some(is_odd)
    }

    /// A box that contains the point.
    fn bounds(self) -> Bounds {
        let bounds = Bounds::from(self.point);
        self.shift.map_or(bounds, |shift| bounds.moved(shift))
    }

    fn gap_from(self, from: Point) -> Displacement {
        Displacement::new(from, self.point, self.shift)
    }

    /// Whether a box may hold a point of the ray.
    fn on_ray(self) -> impl Fn(&Bounds) -> bool {
        let Bounds { min, max } = self.bounds();
        move |bounds| (bounds.max.x >= min.x) & (bounds.min.y <= max.y) & (min.y <= bounds.max.y)
    }

    /// Whether an edge crosses the ray. Its lower end belongs to it, the other doesn't, so that
    /// the parity is right where the ray passes a vertex.
    fn has_ray_crossed_by(self, edge: Edge) -> bool {
        let is_below = |vertex: Point| match self.shift {
            None => vertex.y <= self.point.y,
            Some(_) => dot(UPWARD, self.gap_from(vertex)) != Sign::Negative,
        };
        let [start, end] = [edge.start, edge.end].map(is_below);
        let side = || cross(edge, self.gap_from(edge.start));
        match (start, end) {
            (true, false) => side() == Sign::Positive,
            (false, true) => side() == Sign::Negative,
            _ => false,
        }
    }

    pub(crate) fn is_on(self, edge: Edge) -> bool {
        // The filter can't decide that an end is on the line.
        if self.shift.is_none() && [edge.start, edge.end].contains(&self.point) {
            return true;
        }
        // Without a shift, a point on the line and in the box of the edge is on the edge.
        let is_beside = || {
            dot(edge, self.gap_from(edge.start)) != Sign::Negative
                && dot(edge, self.gap_from(edge.end)) != Sign::Positive
        };
        Bounds::from(edge).meets(&self.bounds())
            && cross(edge, self.gap_from(edge.start)) == Sign::Zero
            && (self.shift.is_none() || is_beside())
    }
}

pub(crate) const RIGHTWARD: Edge = Edge::from_origin(Vec2::new(1.0, 0.0));
pub(crate) const UPWARD: Edge = Edge::from_origin(Vec2::new(0.0, 1.0));
