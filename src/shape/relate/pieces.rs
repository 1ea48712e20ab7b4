//! Evidence from the pieces of a path or of a polygon's boundary relative to a polygon.
//!
//! Two polygons: where their interiors meet, or one meets the other's exterior, the common region is bounded by pieces
//! of both boundaries, so that the pieces tell all.

use std::ops::ControlFlow;

use smallvec::SmallVec;

use super::around_point::{EdgeEnd, KnownPoints, PieceLocation, edge_ends};
use super::edge_meetings::{EdgeCrossing, edge_meetings};
use super::intersections::{Intersections, PredicateSearch};
use crate::convex::Cyclic;
use crate::geom::{Bounds, Point};
use crate::shape::boundary::Boundary;
use crate::shape::boundary::point_in_polygon::{Location, locate};
use crate::shape::rest::intersects::EdgeMeeting;

/// What a piece tells, by where it lies.
struct Evidence {
    inside: Intersections,
    outside: Intersections,
    along: Intersections,
    along_reversed: Intersections,
    point: Intersections,
}

/// A piece of the boundary of a polygon: its interior is on the left, its exterior on the right.
const OF_POLYGON: Evidence = Evidence {
    inside: Intersections::BI
        .and(Intersections::II)
        .and(Intersections::EI),
    outside: Intersections::BE.and(Intersections::IE),
    along: Intersections::BB.and(Intersections::II),
    along_reversed: Intersections::BB
        .and(Intersections::IE)
        .and(Intersections::EI),
    point: Intersections::BB,
};

/// A piece of a path. No predicate tells its interior from its boundary on the boundary of a polygon.
const OF_PATH: Evidence = Evidence {
    inside: Intersections::II,
    outside: Intersections::IE,
    along: Intersections::IB,
    along_reversed: Intersections::IB,
    point: Intersections::IB,
};

impl Evidence {
    fn all(&self) -> Intersections {
        self.inside | self.outside | self.along | self.along_reversed | self.point
    }

    fn at(&self, location: PieceLocation) -> Intersections {
        match location {
            PieceLocation::Inside => self.inside,
            PieceLocation::Outside => self.outside,
            PieceLocation::Along => self.along,
            PieceLocation::AlongReversed => self.along_reversed,
        }
    }
}

/// A path or a polygon, then a polygon.
pub(super) fn relate(search: &mut PredicateSearch, shapes: [&Boundary; 2]) -> ControlFlow<bool> {
    let mut pieces = Pieces {
        search,
        shapes,
        of_path: !shapes[0].kind.is_polygonal(),
        met: Default::default(),
        known: KnownPoints::default(),
    };
    edge_meetings(shapes, |edges, meeting| pieces.of_edges(edges, meeting))?;
    pieces.of_rings_apart()
}

struct Pieces<'s> {
    search: &'s mut PredicateSearch,
    shapes: [&'s Boundary; 2],
    /// Whether the first shape is a path.
    of_path: bool,
    /// The rings of each shape that meet the other's boundary, some repeatedly.
    met: [SmallVec<[usize; 4]>; 2],
    /// Points in which both boundaries meet, of which at least one is a vertex there.
    known: KnownPoints,
}

impl Pieces<'_> {
    /// Adds what the location of a piece of the shape of this index tells.
    fn add(&mut self, shape: usize, of: impl Fn(&Evidence) -> Intersections) -> ControlFlow<bool> {
        self.search.add(match shape {
            0 if self.of_path => of(&OF_PATH),
            0 => of(&OF_POLYGON),
            _ => of(&OF_POLYGON).transposed(),
        })
    }

    /// The shapes whose pieces may tell something new. Those of a polygon tell nothing about a path.
    fn open(&self) -> impl Iterator<Item = usize> + use<> {
        let all = OF_POLYGON.all();
        let wanted = if self.of_path {
            [self.search.wants(OF_PATH.all()), false]
        } else {
            [self.search.wants(all), self.search.wants(all.transposed())]
        };
        (0..2).filter(move |&shape| wanted[shape])
    }

    fn of_edges(&mut self, edges: [usize; 2], meeting: EdgeMeeting) -> ControlFlow<bool> {
        for ((met, shape), edge) in self.met.iter_mut().zip(self.shapes).zip(edges) {
            let ring = shape.ring_of(edge);
            if met.last() != Some(&ring) {
                met.push(ring);
            }
        }
        match meeting {
            EdgeMeeting::Apart => ControlFlow::Continue(()),
            EdgeMeeting::Touch(point) => self.contact(edges, point),
            EdgeMeeting::Overlap(ends) => ends
                .into_iter()
                .try_for_each(|end| self.contact(edges, end)),
            EdgeMeeting::Cross => self.crossing(edges),
        }
    }

    /// Two edges cross. Where another ring of a shape has a vertex there, its edges round that vertex tell.
    fn crossing(&mut self, edges: [usize; 2]) -> ControlFlow<bool> {
        let crossing = EdgeCrossing::new(self.shapes, edges);
        for shape in self.open() {
            if !has_vertex_at(self.shapes[1 - shape], &crossing) {
                self.add(shape, |of| of.inside | of.outside | of.point)?;
            }
        }
        ControlFlow::Continue(())
    }

    /// Two edges have a point in common that is a vertex of one.
    fn contact(&mut self, edges: [usize; 2], point: Point) -> ControlFlow<bool> {
        if !self.of_path
            && let Some(location) = self.shared_corner(edges, point)
        {
            return self.add(0, |of| of.at(location));
        }
        if self.known.insert(point) {
            self.around(point)
        } else {
            ControlFlow::Continue(())
        }
    }

    /// How two polygons pass a point at which the edges meet, if both have a corner there and share both edges at it.
    fn shared_corner(&self, edges: [usize; 2], point: Point) -> Option<PieceLocation> {
        let neighbours = |shape: usize| {
            let (boundary, edge) = (self.shapes[shape], edges[shape]);
            let corner = if boundary.vertex(edge) == point {
                edge
            } else {
                boundary.next(edge)
            };
            let is_corner = boundary.vertex(corner) == point;
            is_corner.then(|| {
                [boundary.previous(corner), boundary.next(corner)].map(|it| boundary.vertex(it))
            })
        };
        let ([before, after], others) = (neighbours(0)?, neighbours(1)?);
        if others == [before, after] {
            Some(PieceLocation::Along)
        } else if others == [after, before] {
            Some(PieceLocation::AlongReversed)
        } else {
            None
        }
    }

    /// Adds what the pieces that end in a point tell.
    fn around(&mut self, point: Point) -> ControlFlow<bool> {
        self.add(0, |of| of.point)?;
        let ends: [SmallVec<[EdgeEnd; 4]>; 2] = self.shapes.map(|shape| edge_ends(shape, point));
        for shape in self.open() {
            for end in &ends[shape] {
                if let Some(location) = end.location(&ends[1 - shape]) {
                    self.add(shape, |of| of.at(location))?;
                }
            }
        }
        ControlFlow::Continue(())
    }

    /// Adds what the rings tell that don't meet the other boundary. Those outside the box of the other shape tell only
    /// that a part of theirs lies outside it, as the boxes of both shapes do already.
    fn of_rings_apart(&mut self) -> ControlFlow<bool> {
        for shape in self.open() {
            let (own, other) = (self.shapes[shape], self.shapes[1 - shape]);
            let mut met = std::mem::take(&mut self.met[shape]);
            met.sort_unstable();
            for ring in rings_near(own, &other.bounds()) {
                if met.binary_search(&ring).is_ok() {
                    continue;
                }
                let vertex = own.vertex(own.rings[ring].corners.start);
                match locate(vertex, other) {
                    Location::Inside => self.add(shape, |of| of.inside)?,
                    _ => self.add(shape, |of| of.outside)?,
                }
            }
        }
        ControlFlow::Continue(())
    }
}

/// The rings that may have a point in a box.
pub(crate) fn rings_near(boundary: &Boundary, bounds: &Bounds) -> SmallVec<[usize; 4]> {
    let mut rings = SmallVec::new();
    let _ = boundary.search_blocks(
        |block| block.meets(bounds),
        |block| {
            let ring = boundary.ring_of(block.range().start);
            if rings.last() != Some(&ring) {
                rings.push(ring);
            }
            ControlFlow::Continue(())
        },
    );
    rings.sort_unstable();
    rings.dedup();
    rings
}

/// Whether a polygon has a vertex where an edge of its own crosses another.
pub(crate) fn has_vertex_at(polygon: &Boundary, crossing: &EdgeCrossing) -> bool {
    // A ring doesn't meet itself.
    polygon.rings.len() > 1 && (crossing.find(polygon, |_, edge| [edge.start])).is_some()
}
