//! Two convex rings, one moving: will they meet, when, where and with what normal.
//!
//! The origin moves along a straight line to the Minkowski difference. Clipping the line at every
//! edge (Cyrus and Beck) leaves the interval of times of contact; its ends are fractions, compared
//! by cross-multiplication.

use std::cmp::Ordering;

use super::contact::advanced;
use super::filter::{self, EdgeId, Measure, Pair};
use super::gjk;
use super::minkowski::{Corner, DifferenceEdge, MinkowskiDifference, Owner, Support, right_normal};
use super::sat::Sat;
use super::{Cyclic, Ring};
use crate::geom::{Bounds, Edge, Motion, Point, Vec2, WideFloat};
use crate::predicates::{Crossing, Sign, cross, dot, shortest, turn};
use crate::simd::lanes::Vectors;

/// What two shapes do within a frame in which the first moves by the velocity.
///
/// The decision is made and exact; the numbers are computed when asked for.
#[derive(Clone, Copy, Debug)]
pub struct SweptCollision(pub(crate) SweepOutcome);

#[derive(Clone, Copy, Debug)]
pub(crate) enum SweepOutcome {
    /// They do not meet within the frame.
    Never,
    /// They have points in common at the start; how they lie is known for convex ones.
    Overlap(Option<Sat>),
    /// They meet later.
    Impact(Impact),
}

impl SweptCollision {
    /// They do not meet within the frame.
    pub(crate) const NEVER: Self = Self(SweepOutcome::Never);

    /// Whether they have a point in common at the start.
    pub fn intersects(&self) -> bool {
        matches!(self.0, SweepOutcome::Overlap(_))
    }

    /// Whether they have a point in common at some time of the frame.
    pub fn will_intersect(&self) -> bool {
        !matches!(self.0, SweepOutcome::Never)
    }

    /// Whether the first contact is before that of another pair; exact.
    pub fn precedes(&self, other: &Self) -> bool {
        match (self.0, other.0) {
            (SweepOutcome::Never, _) | (_, SweepOutcome::Overlap(_)) => false,
            (_, SweepOutcome::Never) | (SweepOutcome::Overlap(_), _) => true,
            (SweepOutcome::Impact(own), SweepOutcome::Impact(other)) => {
                own.crossing.compare(&other.crossing) == Ordering::Less
            }
        }
    }

    /// The time of the first contact, as a fraction of the frame; infinite when there is none.
    pub fn time(&self) -> f64 {
        match self.0 {
            SweepOutcome::Never => f64::INFINITY,
            SweepOutcome::Overlap(_) => 0.0,
            SweepOutcome::Impact(impact) => impact.time(),
        }
    }

    /// The contact normal at that time, from the second shape to the first; zero when never, and
    /// when shapes that are not convex overlap at the start.
    pub fn normal(&self) -> Vec2 {
        match self.0 {
            SweepOutcome::Never | SweepOutcome::Overlap(None) => Vec2::ZERO,
            SweepOutcome::Overlap(Some(sat)) => sat.normal(),
            SweepOutcome::Impact(impact) => impact.normal(),
        }
    }

    /// The ends of the contact at that time; NaN where [`Self::normal`] is zero.
    pub fn contact(&self) -> [Point; 2] {
        self.contact_where(Vec2::ZERO, 0.0)
    }

    /// The same where the second shape has drifted for so many steps and drifts on for one.
    pub fn contact_where(&self, drift: Vec2, steps: f64) -> [Point; 2] {
        match self.0 {
            SweepOutcome::Never | SweepOutcome::Overlap(None) => [Point::NAN; 2],
            SweepOutcome::Overlap(Some(sat)) => sat.contact_where(Motion::drifting(drift, steps)),
            SweepOutcome::Impact(impact) => impact.contact(drift, steps),
        }
    }
}

/// The way out of a whole sweep.
///
/// The axis is chosen; the numbers are computed when asked for.
#[derive(Clone, Copy, Debug)]
pub struct SweepClearance(Axis);

#[derive(Clone, Copy, Debug)]
enum Axis {
    Measured(Measure<f64>),
    Exact(Support),
}

impl SweepClearance {
    /// The smallest translation of the first shape that clears the second from its sweep.
    pub fn mtv(&self) -> Vec2 {
        match self.0 {
            Axis::Measured(measure) => measure.translation().into(),
            Axis::Exact(support) => support.translation(),
        }
    }
}

/// The first contact of two shapes that are apart at the start.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Impact {
    /// When: the origin reaches an edge of the difference.
    pub(crate) crossing: Crossing,
    /// The normal is to the right of these, halfway between them; equal where there is but one.
    pub(crate) directions: [Edge; 2],
    /// Where: vertices of either shape.
    pub(crate) ends: [End; 2],
    /// The time, if floats were good enough for it.
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
            crossing: entry.crossing(velocity),
            directions,
            ends,
            known_time: None,
        }
    }

    /// The time is known to be 1 or less; rounding must not carry it past.
    pub(crate) fn time(&self) -> f64 {
        self.known_time
            .unwrap_or_else(|| self.crossing.time().to_f64().min(1.0))
    }

    pub(crate) fn normal(&self) -> Vec2 {
        let [arriving, leaving] = self.directions;
        if arriving == leaving
            && let (normal, true) = filter::right_normal(places(arriving))
        {
            return normal.into();
        }
        let [x, y] = bisector(self.directions);
        Vec2::new(x.to_f64(), y.to_f64())
    }

    /// How far the first shape moves, if floats can tell.
    fn way(&self) -> Option<Vec2> {
        let Crossing {
            line,
            gap,
            velocity,
        } = self.crossing;
        let velocity = velocity.vector().filter(|_| gap.shift.is_none())?;
        let gap = places(Edge::new(gap.from, gap.to));
        let (way, is_accurate) = filter::way(places(line), gap, velocity.into());
        is_accurate.then(|| way.into())
    }

    fn contact(&self, drift: Vec2, steps: f64) -> [Point; 2] {
        if drift == Vec2::ZERO
            && let Some(way) = self.way()
        {
            return self.ends.map(|end| match end {
                End::Resting(point) => Point::new(point.x + 0.0, point.y + 0.0),
                End::Moving(point) => Point::new(point.x + way.x + 0.0, point.y + way.y + 0.0),
            });
        }
        let time = self.crossing.time();
        let velocity = self.crossing.velocity;
        // What moved relative to the second shape moved with it too.
        let own = velocity.with_drift(drift, velocity.steps + 1.0).scaled();
        let drift = [drift.x, drift.y].map(WideFloat::from);
        self.ends.map(|end| match end {
            End::Resting(point) => {
                advanced(point, drift.map(|by| by * (WideFloat::from(steps) + time)))
            }
            End::Moving(point) => advanced(point, own.map(|by| by * time)),
        })
    }
}

fn places(edge: Edge) -> [Vectors<f64>; 2] {
    [edge.start.into(), edge.end.into()]
}

/// The unit vector halfway between the right normals of two consecutive edges of a
/// counterclockwise difference.
pub(crate) fn bisector([arriving, leaving]: [Edge; 2]) -> [WideFloat; 2] {
    let [first_x, first_y] = right_normal(arriving);
    if arriving == leaving {
        return [first_x, first_y];
    }
    let [second_x, second_y] = right_normal(leaving);
    // At a blunt corner the normals are nearly equal and their sum is well conditioned; at a sharp
    // one they nearly cancel, but then the edges' own directions do not: a quarter turn from
    // their normals, they point out of the corner together.
    let (x, y) = if dot(arriving, leaving.displacement()) == Sign::Negative {
        let outward = turn(arriving, leaving) == Sign::Negative;
        let (x, y) = (second_y - first_y, first_x - second_x);
        if outward { (-x, -y) } else { (x, y) }
    } else {
        (first_x + second_x, first_y + second_y)
    };
    let length = (x * x + y * y).sqrt();
    [x / length, y / length]
}

/// What the moving shapes do within the frame, the first starting at an offset from where its
/// vertices say. How they overlap at the start is left open.
pub(crate) fn swept_collision(
    a: &Ring<'_>,
    b: &Ring<'_>,
    offset: Option<Motion>,
    velocity: Motion,
) -> SweepOutcome {
    let difference = &MinkowskiDifference::convex(a, b).moved(offset);
    match passage(difference, velocity, gjk::boxes(a, b)) {
        Passage::Never => SweepOutcome::Never,
        Passage::Overlap => SweepOutcome::Overlap(None),
        Passage::Entry(named, known_time) => {
            let entry = match named {
                Some((owner, corner)) => Some(difference.edge(owner, corner)),
                None => walk(difference, velocity).ok(),
            };
            let entry = entry.expect("a path that enters does so through an edge");
            SweepOutcome::Impact(Impact {
                known_time,
                ..Impact::at(difference, &entry, velocity)
            })
        }
    }
}

/// What the origin does within the frame.
pub(super) enum Passage {
    /// It does not get to the difference.
    Never,
    /// It is there already.
    Overlap,
    /// It enters, through this edge and at this time, if they are known.
    Entry(Option<EdgeId>, Option<f64>),
}

fn passage(
    difference: &MinkowskiDifference<'_>,
    velocity: Motion,
    boxes: Option<[Bounds; 2]>,
) -> Passage {
    let (a, b) = (difference.a(), difference.b());
    let mut attempt = None;
    if gjk::pays(a.len(), b.len()) || difference.offset().is_some() {
        attempt = gjk::swept_collision(*difference, velocity, boxes);
    }
    if attempt.is_none() && difference.offset().is_none() {
        attempt = Pair::new(a, b).swept_collision(velocity);
    }
    attempt.unwrap_or_else(|| match walk(difference, velocity) {
        Ok(entry) => Passage::Entry(Some((entry.owner, entry.from)), None),
        Err(passage) => passage,
    })
}

/// Clips the path at every edge of the difference, and finds the one it enters through, if any.
fn walk(difference: &MinkowskiDifference<'_>, velocity: Motion) -> Result<DifferenceEdge, Passage> {
    let crossing = |edge: &DifferenceEdge| edge.crossing(velocity);
    let mut entry: Option<DifferenceEdge> = None;
    let mut exit: Option<DifferenceEdge> = None;
    for edge in difference.edges() {
        let this = crossing(&edge);
        let outside = this.before() == Sign::Negative;
        let approach = this.approach();
        if outside && (approach != Sign::Positive || this.after() == Sign::Negative) {
            return Err(Passage::Never);
        }
        if outside {
            let later = |entry| this.compare(&crossing(&entry)) == Ordering::Greater;
            if entry.is_none_or(later) {
                entry = Some(edge);
            }
        } else if approach == Sign::Negative {
            let earlier = |exit| this.compare(&crossing(&exit)) == Ordering::Less;
            if exit.is_none_or(earlier) {
                exit = Some(edge);
            }
        }
    }
    let Some(entry) = entry else {
        return Err(Passage::Overlap);
    };
    // The speeds have opposite signs, which reverses the comparison.
    let missed =
        exit.is_some_and(|exit| crossing(&entry).compare(&crossing(&exit)) == Ordering::Less);
    if missed {
        Err(Passage::Never)
    } else {
        Ok(entry)
    }
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
                difference.sides(corner).map(|edge| edge.support.direction),
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
    ([first.support.direction; 2], ends)
}

/// An edge of the difference with the other shape's parallel one, that of `a` first.
fn with_parallel<R: Cyclic + ?Sized>(
    difference: &MinkowskiDifference<'_, R>,
    edge: &DifferenceEdge,
) -> (DifferenceEdge, Option<DifferenceEdge>) {
    let parallel = |other: &DifferenceEdge| edge.runs_along(other);
    match edge.owner {
        Owner::A => {
            let next = difference.edge(Owner::B, difference.end(edge));
            (*edge, Some(next).filter(parallel))
        }
        Owner::B => {
            let previous = difference.before_by_a(edge.from);
            if parallel(&previous) {
                (previous, Some(*edge))
            } else {
                (*edge, None)
            }
        }
    }
}

/// The smallest translation that clears `b` from the whole sweep of `a`: where `a`, moved by the
/// velocity and this, does not overlap `b`.
///
/// The sweep is the sum of `a` and a segment, so its normals are those of `a` and the two across
/// the velocity; the latter are the ones whose want gives false alarms.
pub(crate) fn sweep_clearance(a: &Ring<'_>, b: &Ring<'_>, velocity: Vec2) -> SweepClearance {
    if let Some(measure) = Pair::new(a, b).sweep_clearance(velocity) {
        return SweepClearance(Axis::Measured(measure));
    }
    let difference = MinkowskiDifference::convex(a, b);
    let path = Edge::from_origin(velocity);
    let edges = difference.edges().map(|edge| {
        let Support { direction, gap } = edge.support;
        let inward = cross(direction, Motion::from(velocity).displacement());
        let gap = if inward == Sign::Positive {
            gap.shifted(velocity.into())
        } else {
            gap
        };
        Support { direction, gap }
    });
    let sides = [path, path.reversed()]
        .into_iter()
        .filter(|_| velocity != Vec2::ZERO)
        .map(|direction| difference.support(direction));
    let supports = edges.chain(sides);
    let least = shortest(supports, Support::length).expect("a ring has edges");
    SweepClearance(Axis::Exact(least))
}
