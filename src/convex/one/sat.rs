//! Overlap and minimum translation vector of two convex rings, by the separating axis theorem.
//!
//! Only edge normals can separate convex shapes, and along the normal of an edge only the deepest
//! vertex of the other shape matters. The translation is the shortest over *all* edges of the
//! Minkowski difference, so that a nested shape leaves on its near side.

use std::cmp::Ordering;

use super::clipping::{clip, most_opposed};
use super::minkowski_difference::{
    DifferenceEdge, MinkowskiDifference, Owner, Support, right_normal,
};
use super::moved_point::advanced;
use crate::convex::cyclic::Cyclic;
use crate::convex::filter::{Measure, one_pair};
use crate::convex::large::epa::{EpaResult, epa};
use crate::convex::large::gjk;
use crate::convex::ring::Ring;
use crate::geom::{Edge, Motion, Point, RadiusSum, Vec2, WideFloat, WideVector};
use crate::predicates::{Measured, Sign, shortest};

/// Overlap of two convex shapes.
///
/// The decision is made and exact; the numbers are computed when asked for.
#[derive(Clone, Copy, Debug)]
pub struct SharpSat {
    /// The axis of least overlap; when apart, one that separates.
    support: Support,
    /// The features in contact along it; `None` when apart.
    touching: Option<Touching>,
    /// Depth and normal, if floats were accurate or the depth is zero.
    measure: Option<Measure<f64>>,
}

#[derive(Clone, Copy, Debug)]
struct Touching {
    /// The edge whose normal the axis is, counterclockwise on its own ring.
    reference: Edge,
    owner: Owner,
    /// Displacement of the other shape relative to the owner, beyond what the vertices say.
    shift: Option<Motion>,
    /// The deepest vertex of the other shape and its neighbours.
    before: Point,
    deepest: Point,
    after: Point,
}

/// Overlap, depth and minimum translation of two rings, the first displaced by an offset.
pub(crate) fn sat(a: &Ring<'_>, b: &Ring<'_>, offset: Option<Motion>) -> SharpSat {
    let difference = MinkowskiDifference::<[Point]>::new(a, b, offset);
    let EpaResult {
        intersects,
        edge,
        measure,
    } = if offset.is_none() {
        filtered_or_exact_sat(difference, [a, b])
    } else {
        exact_sat(difference, difference.edges())
    };
    SharpSat {
        support: difference.support(&edge),
        touching: intersects.then(|| Touching::new(difference, edge)),
        measure,
    }
}

/// Overlap of two convex shapes that have a point in common and of which one has no interior: a ring
/// of one vertex or two. `None` if neither has an edge.
pub(crate) fn sat_of_thin(a: &[Point], b: &[Point], offset: Option<Motion>) -> Option<SharpSat> {
    let difference = MinkowskiDifference::<[Point]>::new(a, b, offset);
    let edges = difference.edges_of_rings();
    let edge = shortest(edges, |edge| difference.support(edge).length())?;
    Some(SharpSat {
        support: difference.support(&edge),
        touching: Some(Touching::new(difference, edge)),
        measure: None,
    })
}

/// What [`sat`] is made from, with no offset: by floats where these can tell, else among the edges that they leave.
fn filtered_or_exact_sat(difference: MinkowskiDifference<'_>, [a, b]: [&Ring<'_>; 2]) -> EpaResult {
    if gjk::gives_numbers(a.len(), b.len())
        && let Some(result) = epa(difference, [a.bounds(), b.bounds()])
    {
        return result;
    }
    match one_pair::sat(&difference) {
        Ok((sat, edge)) => EpaResult {
            intersects: sat.intersects,
            edge,
            measure: Some(sat.measure),
        },
        Err(Some(candidates)) => exact_sat(difference, candidates.into_iter()),
        Err(None) => exact_sat(difference, difference.edges()),
    }
}

/// Of the edges in their order, the first that separates, or else that of least overlap; of equals the
/// first.
fn exact_sat(
    difference: MinkowskiDifference<'_>,
    edges: impl Iterator<Item = DifferenceEdge>,
) -> EpaResult {
    let mut touching: Option<DifferenceEdge> = None;
    let mut least: Option<(Measured, DifferenceEdge)> = None;
    for edge in edges {
        let support = difference.support(&edge);
        match support.overlap() {
            Sign::Negative => {
                return EpaResult {
                    intersects: false,
                    edge,
                    measure: None,
                };
            }
            // No overlap is less: lengths of zero, which floats can't compare, are left alone.
            Sign::Zero => touching = touching.or(Some(edge)),
            Sign::Positive if touching.is_some() => {}
            Sign::Positive => {
                let depth = Measured::new(support.length());
                if least.is_none_or(|(least, _)| depth.compare(&least) == Ordering::Less) {
                    least = Some((depth, edge));
                }
            }
        }
    }
    let edge = touching.or(least.map(|(_, edge)| edge));
    EpaResult {
        intersects: true,
        edge: edge.expect("a ring has edges"),
        measure: touching.map(|edge| Measure {
            size: 0.0,
            normal: normal(difference.direction(&edge)),
        }),
    }
}

/// The outward normal of an edge of the difference.
fn normal(direction: Edge) -> Vec2 {
    right_normal(direction).to_vec2()
}

impl Touching {
    fn new(difference: MinkowskiDifference<'_>, edge: DifferenceEdge) -> Self {
        let (a, b, offset) = (difference.a, difference.b, difference.offset);
        let (reference, other, support, shift) = match edge.owner {
            Owner::A => (
                a.edge(edge.from.a),
                b,
                edge.from.b,
                offset.map(Motion::reversed),
            ),
            Owner::B => (b.edge(edge.from.b), a, edge.from.a, offset),
        };
        Self {
            reference,
            owner: edge.owner,
            shift,
            before: other[other.previous(support)],
            deepest: other[support],
            after: other[other.next(support)],
        }
    }

    fn contact(&self) -> [Point; 2] {
        let incoming = Edge::new(self.before, self.deepest);
        let outgoing = Edge::new(self.deepest, self.after);
        let incident = most_opposed(self.reference.reversed(), incoming, outgoing);
        clip(
            incident,
            self.reference,
            self.shift,
            RadiusSum::ZERO,
            self.deepest,
        )
    }
}

impl SharpSat {
    /// The answer for shapes that are apart, for when normal and separation are not wanted.
    pub(crate) fn apart() -> Self {
        let nowhere = Edge::from_origin(Vec2::ZERO);
        Self {
            support: Support {
                direction: nowhere,
                gap: nowhere.displacement(),
            },
            touching: None,
            measure: None,
        }
    }

    /// Whether the shapes have a point in common.
    pub(crate) fn intersects(&self) -> bool {
        self.touching.is_some()
    }

    /// The size of the overlap or of the gap. Not as a float, which has few digits where it is subnormal.
    pub(crate) fn size(&self) -> WideFloat {
        self.measure
            .map_or_else(|| self.support.depth(), |measure| measure.size.into())
    }

    /// The shortest translation of the first shape that ends the overlap.
    pub(crate) fn translation(&self) -> Vec2 {
        self.measure
            .map_or_else(|| self.support.translation(), |it| it.translation())
    }

    /// The direction of the translation, also at depth zero; when apart, one that separates.
    pub(crate) fn normal(&self) -> Vec2 {
        match self.measure {
            Some(measure) => measure.normal,
            None => normal(self.support.direction),
        }
    }

    /// Whether the contact's ends are points of the second shape.
    pub(crate) fn contact_is_of_b(&self) -> bool {
        (self.touching).is_none_or(|touching| touching.owner == Owner::A)
    }

    /// The ends of the contact, the incident edge clipped to the reference edge, when both shapes are displaced by
    /// `second`, the displacement of the second shape; NaN when apart.
    pub(crate) fn contact_where(&self, second: WideVector) -> [Point; 2] {
        let Some(touching) = self.touching else {
            return [Point::NAN; 2];
        };
        match touching.owner {
            Owner::A => touching.contact().map(|point| advanced(point, second)),
            Owner::B => touching.contact(),
        }
    }
}
