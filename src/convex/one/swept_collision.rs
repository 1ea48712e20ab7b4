//! Time of impact, contact points and normal of two convex rings, one of which moves.
//!
//! The origin moves along a straight line towards the Minkowski difference. Clipping the line at
//! every edge (Cyrus and Beck) leaves the interval of times of contact; its ends are fractions,
//! compared by cross-multiplication. Time, normal and contact all come from the two edges that meet first.

use std::cmp::Ordering;

use super::minkowski_difference::{
    Corner, DifferenceEdge, MinkowskiDifference, OriginPath, Owner, right_normal,
};
use super::moved_point::advanced;
use crate::convex::cyclic::Cyclic;
use crate::convex::filter::{self, one_pair};
use crate::convex::large::gjk;
use crate::convex::large::gjk_sweep;
use crate::convex::ring::Ring;
use crate::geom::{Edge, Motion, Point, Vec2, WideFloat, WideVector};
use crate::predicates::{Crossing, Sign, dot, turn};
use crate::simd::lanes::Vectors;

/// What two shapes do within a frame in which the first moves.
#[allow(clippy::large_enum_variant)] // It lives on the stack.
pub(crate) enum SweepOutcome {
    /// They do not meet within the frame.
    Never,
    /// They have points in common at the start.
    Overlap,
    /// They meet later.
    Impact(Impact),
}

/// The first contact of two shapes that are apart at the start.
#[derive(Clone, Copy, Debug)]
pub struct Impact {
    /// The time: when the origin reaches an edge of the difference.
    pub(crate) crossing: Crossing,
    /// The normal bisects the right normals of these edges; equal where there is but one.
    pub(crate) directions: [Edge; 2],
    /// The ends of the contact, which are vertices of either shape.
    pub(crate) ends: [End; 2],
    /// The time, if floats were accurate.
    pub(crate) known_time: Option<f64>,
}

/// An end of a contact.
#[derive(Clone, Copy, Debug)]
pub(crate) enum End {
    /// A vertex of the shape that moves.
    Moving(Point),
    /// A vertex of the shape at rest.
    Resting(Point),
}

impl Impact {
    /// The contact that begins when the origin reaches an edge of the difference.
    pub(crate) fn at<R: Cyclic + ?Sized>(
        difference: &MinkowskiDifference<'_, R>,
        entry: &DifferenceEdge,
        velocity: Motion,
    ) -> Self {
        let (directions, ends) = contact(difference, entry, velocity);
        Self {
            crossing: difference.crossing(entry, velocity),
            directions,
            ends,
            known_time: None,
        }
    }

    /// The time, which is 1 or less: rounding must not make it larger.
    pub(crate) fn time(&self) -> f64 {
        self.known_time
            .unwrap_or_else(|| self.crossing.time().to_f64().min(1.0))
    }

    /// The normal, from the second shape to the first.
    pub(crate) fn normal(&self) -> Vec2 {
        let [arriving, leaving] = self.directions;
        if arriving == leaving
            && let (normal, true) = filter::right_normal(ends(arriving))
        {
            return normal;
        }
        bisector(self.directions).to_vec2()
    }

    /// How far the first shape moves, if floats are accurate.
    fn path(&self) -> Option<Vec2> {
        let Crossing {
            line,
            gap,
            velocity,
        } = self.crossing;
        let velocity = velocity.vector().filter(|_| gap.shift.is_none())?;
        let gap = [gap.from.into(), gap.to.into()];
        let (path, is_accurate) = filter::path_to_line(ends(line), gap, velocity);
        is_accurate.then_some(path)
    }

    /// The ends of the contact, where the second shape has drifted for `steps` steps and drifts for one more.
    pub(crate) fn contact_where(&self, drift: WideVector, steps: f64) -> [Point; 2] {
        if drift == WideVector::ZERO
            && let Some(path) = self.path()
        {
            return self.ends.map(|end| match end {
                End::Resting(point) => Point::new(point.x + 0.0, point.y + 0.0),
                End::Moving(point) => Point::new(point.x + path.x + 0.0, point.y + path.y + 0.0),
            });
        }
        let time = self.crossing.time();
        let velocity = self.crossing.velocity;
        // The first shape's own velocity: its relative one without the second shape's drift.
        let own = velocity.with_drift(Vec2::ZERO, 0.0).wide();
        self.ends.map(|end| match end {
            End::Resting(point) => {
                let passed = WideFloat::from(steps) + time;
                advanced(point, drift * passed)
            }
            End::Moving(point) => advanced(point, own * time),
        })
    }
}

fn ends(edge: Edge) -> [Vectors<f64>; 2] {
    [edge.start.into(), edge.end.into()]
}

/// The unit vector halfway between the right normals of two consecutive edges of a
/// counterclockwise difference.
pub(crate) fn bisector([arriving, leaving]: [Edge; 2]) -> WideVector {
    let first = right_normal(arriving);
    if arriving == leaving {
        return first;
    }
    let second = right_normal(leaving);
    // At a blunt corner the normals are nearly equal and their sum is well conditioned; at a sharp
    // one they nearly cancel, but then the edges' own directions do not: a quarter turn from
    // their normals, they point out of the corner together.
    let halfway = if dot(arriving, leaving.displacement()) == Sign::Negative {
        let difference = second - first;
        match turn(arriving, leaving) {
            Sign::Negative => difference.turned_left(),
            _ => difference.turned_right(),
        }
    } else {
        first + second
    };
    halfway.unit()
}

/// The collision of two rings within the frame, the first displaced by an offset at the start. An
/// overlap at the start is not measured.
pub(crate) fn swept_collision(
    a: &Ring<'_>,
    b: &Ring<'_>,
    offset: Option<Motion>,
    velocity: Motion,
) -> SweepOutcome {
    let difference = &MinkowskiDifference::<[Point]>::new(a, b, offset);
    let mut attempt = None;
    if gjk::is_faster(a.len(), b.len()) || offset.is_some() {
        attempt = gjk_sweep::swept_collision(*difference, velocity, gjk::known_bounds(a, b));
        // The time comes from the support table, as in a tile, so that its bits are the same.
        let has_time = matches!(attempt, Some(OriginPath::Enters(..)));
        if has_time && offset.is_none() && !gjk::gives_numbers(a.len(), b.len()) {
            attempt = None;
        }
    }
    if attempt.is_none() && offset.is_none() {
        attempt = one_pair::swept_collision(difference, velocity);
    }
    let mut path = attempt.unwrap_or(OriginPath::Enters(None, None));
    let mut known_time = None;
    if let OriginPath::Enters(edge, time) = path {
        known_time = time;
        if edge.is_none() {
            path = exact_path(difference, velocity);
        }
    }
    match path {
        OriginPath::Misses => SweepOutcome::Never,
        OriginPath::Inside => SweepOutcome::Overlap,
        OriginPath::Enters(edge, _) => {
            let entry = edge.expect("an exact path names its edge");
            SweepOutcome::Impact(Impact {
                known_time,
                ..Impact::at(difference, &entry, velocity)
            })
        }
    }
}

/// Clips the origin's path at every edge of the difference.
fn exact_path(difference: &MinkowskiDifference<'_>, velocity: Motion) -> OriginPath {
    let mut entry: Option<(Crossing, DifferenceEdge)> = None;
    let mut exit: Option<Crossing> = None;
    for edge in difference.edges() {
        let crossing = difference.crossing(&edge, velocity);
        let is_outside = crossing.before() == Sign::Negative;
        let approach = crossing.approach();
        if is_outside && (approach != Sign::Positive || crossing.after() == Sign::Negative) {
            return OriginPath::Misses;
        }
        if is_outside {
            if entry.is_none_or(|(entry, _)| crossing.compare(&entry) == Ordering::Greater) {
                entry = Some((crossing, edge));
            }
        } else if approach == Sign::Negative
            && exit.is_none_or(|exit| crossing.compare(&exit) == Ordering::Less)
        {
            exit = Some(crossing);
        }
    }
    let Some((entry, edge)) = entry else {
        return OriginPath::Inside;
    };
    // The speeds have opposite signs, which reverses the comparison.
    if exit.is_some_and(|exit| entry.compare(&exit) == Ordering::Less) {
        return OriginPath::Misses;
    }
    OriginPath::Enters(Some(edge), None)
}

/// The normals and the ends of a contact on an edge of the difference.
fn contact<R: Cyclic + ?Sized>(
    difference: &MinkowskiDifference<'_, R>,
    entry: &DifferenceEdge,
    velocity: Motion,
) -> ([Edge; 2], [End; 2]) {
    let ahead = |corner| difference.ahead(corner, velocity);
    let (first, second) = with_parallel(difference, entry);
    let start = first.from;
    let end = difference.end(second.as_ref().unwrap_or(&first));
    for corner in [start, end] {
        // The path leads right to the corner: vertex meets vertex.
        if ahead(corner) == Sign::Zero {
            return (
                difference
                    .sides(corner, velocity)
                    .map(|edge| difference.direction(&edge)),
                [End::Resting(difference.vertices(corner).1); 2],
            );
        }
    }
    let moving = |corner| End::Moving(difference.vertices(corner).0);
    let resting = |corner| End::Resting(difference.vertices(corner).1);
    let ends = match (second, first.owner) {
        (None, Owner::A) => [resting(start); 2],
        (None, Owner::B) => [moving(start); 2],
        // Edge against edge: along b's edge, the later of the two starts and the earlier of the
        // two ends. Which is which shows in the corners that pair them.
        (Some(second), _) => {
            let middle = second.from;
            let opposite = Corner {
                a: start.a,
                b: end.b,
            };
            let from = if ahead(middle) == Sign::Negative {
                moving(middle)
            } else {
                resting(middle)
            };
            let to = if ahead(opposite) == Sign::Positive {
                moving(opposite)
            } else {
                resting(opposite)
            };
            [from, to]
        }
    };
    ([difference.direction(&first); 2], ends)
}

/// An edge of the difference with the other shape's parallel one, that of `a` first.
fn with_parallel<R: Cyclic + ?Sized>(
    difference: &MinkowskiDifference<'_, R>,
    edge: &DifferenceEdge,
) -> (DifferenceEdge, Option<DifferenceEdge>) {
    let parallel = |other: &DifferenceEdge| difference.are_parallel(edge, other);
    match edge.owner {
        Owner::A => {
            let next = DifferenceEdge::new(Owner::B, difference.end(edge));
            (*edge, Some(next).filter(parallel))
        }
        Owner::B => {
            let previous = difference.before(Owner::A, edge.from);
            if parallel(&previous) {
                (previous, Some(*edge))
            } else {
                (*edge, None)
            }
        }
    }
}
