//! Overlap and minimum translation vector of two convex rings, by the separating axis theorem.
//!
//! Only edge normals can separate convex shapes, and along the normal of an edge only the deepest
//! vertex of the other shape matters. The way out is the shortest over *all* edges of the
//! Minkowski difference, so that a nested shape leaves on its near side.

use std::cmp::Ordering;

use super::Ring;
use super::contact::{advanced, clip};
use super::epa::{EpaResult, epa};
use super::filter::{EdgeId, Measure, Pair};
use super::gjk;
use super::minkowski::{Corner, DifferenceEdge, MinkowskiDifference, Owner, Support};
use super::ring::Cyclic;
use crate::geom::{Edge, Motion, Point, Vec2};
use crate::predicates::{Length, Measured, Sign, compare_lengths, dot};

/// How two convex shapes lie to each other.
///
/// The decision is made and exact; the numbers are computed when asked for.
#[derive(Clone, Copy, Debug)]
pub struct Sat {
    /// The axis of least overlap; when apart, one that separates.
    support: Support,
    /// The edges that touch along it; none when apart.
    touching: Option<Touching>,
    /// What is measured along it, if floats were good enough.
    known: Option<Measure<f64>>,
}

#[derive(Clone, Copy, Debug)]
struct Touching {
    /// The edge whose normal the axis is, counterclockwise on its own ring.
    reference: Edge,
    /// Whose edge that is.
    owner: Owner,
    /// How far the other shape is from where its vertices say, as seen from the owner.
    shift: Option<Motion>,
    /// The deepest vertex of the other shape and its neighbours.
    before: Point,
    deepest: Point,
    after: Point,
}

/// Whether two convex rings have a point in common.
#[inline]
pub(crate) fn intersects(a: &Ring<'_>, b: &Ring<'_>) -> bool {
    let attempt = if gjk::pays(a.len(), b.len()) {
        gjk::intersects(MinkowskiDifference::convex(a, b), gjk::boxes(a, b))
    } else {
        Pair::new(a, b).intersects()
    };
    attempt.unwrap_or_else(|| {
        MinkowskiDifference::convex(a, b)
            .edges()
            .all(|edge| edge.support.overlap() != Sign::Negative)
    })
}

/// Overlap, depth and the way out of two rings, the first at an offset from where its vertices
/// say.
pub(crate) fn sat(a: &Ring<'_>, b: &Ring<'_>, offset: Option<Motion>) -> Sat {
    let difference = &MinkowskiDifference::convex(a, b).moved(offset);
    let is_large = offset.is_none() && gjk::pays(a.len(), b.len());
    let attempt = is_large
        .then(|| epa(*difference, [a.bounds(), b.bounds()]))
        .flatten();
    let (intersects, (owner, corner), known) = if let Some(EpaResult {
        intersects,
        named,
        measure,
    }) = attempt
    {
        (intersects, named, measure)
    } else {
        let attempt = match offset {
            None => Pair::new(a, b).sat(),
            Some(_) => None,
        };
        attempt.map_or_else(
            || {
                let (intersects, named) = walk(difference);
                (intersects, named, None)
            },
            |(sat, named)| (sat.intersects, named, Some(sat.measure)),
        )
    };
    Sat {
        support: difference.edge(owner, corner).support,
        touching: intersects.then(|| touching(difference, owner, corner)),
        known,
    }
}

/// Whether the shapes intersect, and the first edge that separates them, or else that of least
/// overlap; of equals the first.
fn walk(difference: &MinkowskiDifference<'_>) -> (bool, EdgeId) {
    let mut least: Option<(Measured, DifferenceEdge)> = None;
    for edge in difference.edges() {
        if edge.support.overlap() == Sign::Negative {
            return (false, (edge.owner, edge.from));
        }
        let depth = Measured::new(edge.support.length());
        if least.is_none_or(|(least, _)| depth.compare(&least) == Ordering::Less) {
            least = Some((depth, edge));
        }
    }
    let (_, least) = least.expect("a ring has edges");
    (true, (least.owner, least.from))
}

fn touching(
    difference: &MinkowskiDifference<'_>,
    owner: Owner,
    Corner { a: i, b: j }: Corner,
) -> Touching {
    let (a, b, offset) = (difference.a(), difference.b(), difference.offset());
    let (reference, other, support, shift) = match owner {
        Owner::A => (a.edge(i), b, j, offset.map(Motion::reversed)),
        Owner::B => (b.edge(j), a, i, offset),
    };
    Touching {
        reference,
        owner,
        shift,
        before: other[other.previous(support)],
        deepest: other[support],
        after: other[other.next(support)],
    }
}

impl Touching {
    fn contact(&self) -> [Point; 2] {
        let incoming = Edge::new(self.before, self.deepest);
        let outgoing = Edge::new(self.deepest, self.after);
        let incident = most_opposed(self.reference.reversed(), incoming, outgoing);
        clip(incident, self.reference, self.shift, self.deepest)
    }
}

/// Of two edges that share a vertex, the one whose direction is nearer to `opposite`.
fn most_opposed(opposite: Edge, incoming: Edge, outgoing: Edge) -> Edge {
    let backward = |edge: Edge| dot(opposite, edge.displacement()) != Sign::Positive;
    if backward(incoming) {
        return outgoing;
    }
    // Both within a quarter turn: the smaller sine belongs to the smaller angle.
    let sine = |edge| Length::Across(edge, opposite.displacement());
    if backward(outgoing) || compare_lengths(sine(incoming), sine(outgoing)) == Ordering::Less {
        incoming
    } else {
        outgoing
    }
}

impl Sat {
    /// Of shapes of which nothing is known but that they are apart: normal and separation are
    /// meaningless.
    pub(crate) fn apart() -> Self {
        let nowhere = Edge::from_origin(Vec2::ZERO);
        Self {
            support: Support {
                direction: nowhere,
                gap: nowhere.displacement(),
            },
            touching: None,
            known: None,
        }
    }

    /// Whether the shapes have a point in common.
    pub fn intersects(&self) -> bool {
        self.touching.is_some()
    }

    /// How far the first shape must move to touch without overlap; zero when apart.
    pub fn depth(&self) -> f64 {
        if self.intersects() { self.size() } else { 0.0 }
    }

    /// The size of the overlap or of the gap.
    fn size(&self) -> f64 {
        match self.known {
            Some(measure) => measure.size,
            None => self.support.depth().to_f64(),
        }
    }

    /// The shortest translation of the first shape that ends the overlap; zero when apart.
    pub fn mtv(&self) -> Vec2 {
        match (self.intersects(), self.known) {
            (false, _) => Vec2::ZERO,
            (true, Some(measure)) => measure.translation().into(),
            (true, None) => self.support.translation(),
        }
    }

    /// The direction of [`Self::mtv`], also at depth zero; when apart, one that separates.
    pub fn normal(&self) -> Vec2 {
        if let Some(measure) = self.known {
            return measure.normal.into();
        }
        let [x, y] = self.support.normal();
        Vec2::new(x.to_f64(), y.to_f64())
    }

    /// Minus the depth, or the gap along [`Self::normal`] when apart.
    pub fn separation(&self) -> f64 {
        if self.intersects() {
            0.0 - self.size()
        } else {
            self.size()
        }
    }

    /// The ends of the contact: the incident edge clipped to the reference edge; NaN when apart.
    pub fn contact(&self) -> [Point; 2] {
        self.contact_where(Motion::NONE)
    }

    /// The same where the second shape is this far from where its vertices say.
    pub(super) fn contact_where(&self, second: Motion) -> [Point; 2] {
        let Some(touching) = self.touching else {
            return [Point::NAN; 2];
        };
        match touching.owner {
            Owner::A => touching
                .contact()
                .map(|point| advanced(point, second.scaled())),
            Owner::B => touching.contact(),
        }
    }
}
