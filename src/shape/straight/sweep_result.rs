//! The result of a sweep of two shapes, in whichever form it was found.

use std::cmp::Ordering;

use super::rounded_sweep::RoundedContact;
use crate::convex::{Impact, SweepOutcome, advanced};
use crate::geom::{Point, Vec2, WideFloat, WideVector};
use crate::shape::rest::sat::Sat;

/// The collision of two shapes within a frame in which the first moves by the velocity.
///
/// The decision is made and exact; the numbers of sharp shapes are computed when asked for.
#[derive(Clone, Copy, Debug)]
pub enum SweptCollision {
    /// They do not meet within the frame.
    Never,
    /// They have points in common at the start; how they lie is known for convex ones.
    Overlap(Option<Sat>),
    /// Polygons without a radius meet later.
    Impact(Impact),
    /// Shapes meet later that have a radius or no interior, or that turn.
    Contact(RoundedContact),
}

impl SweptCollision {
    /// Whether they have a point in common at the start.
    pub fn intersects(&self) -> bool {
        matches!(self, Self::Overlap(_))
    }

    /// Whether they have a point in common at some time of the frame.
    pub fn will_intersect(&self) -> bool {
        !matches!(self, Self::Never)
    }

    /// Whether the first contact is before that of another pair, a total order: exactly, where the time of shapes
    /// with a radius or without an interior counts as the number that is computed for it.
    pub fn precedes(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Impact(own), Self::Impact(other)) => {
                own.crossing.compare(&other.crossing) == Ordering::Less
            }
            (Self::Impact(own), _) => {
                own.crossing.compare_with(other.precise_time()) == Ordering::Less
            }
            (_, Self::Impact(other)) => {
                other.crossing.compare_with(self.precise_time()) == Ordering::Greater
            }
            _ => self.precise_time() < other.precise_time(),
        }
    }

    /// The time, precise enough to place a moving point where it is not exact.
    fn precise_time(&self) -> f64 {
        match self {
            Self::Contact(contact) => contact.exact_time,
            _ => self.time(),
        }
    }

    /// The time of the first contact, as a fraction of the frame; infinite when there is none.
    pub fn time(&self) -> f64 {
        match self {
            Self::Never => f64::INFINITY,
            Self::Overlap(_) => 0.0,
            Self::Impact(impact) => impact.time(),
            Self::Contact(contact) => contact.time(),
        }
    }

    /// The contact normal at that time, from the second shape to the first; zero when never, and
    /// when shapes that are not convex overlap at the start.
    pub fn normal(&self) -> Vec2 {
        match self {
            Self::Never | Self::Overlap(None) => Vec2::ZERO,
            Self::Overlap(Some(sat)) => sat.normal(),
            Self::Impact(impact) => impact.normal(),
            Self::Contact(contact) => contact.normal,
        }
    }

    /// The ends of the contact at that time; NaN where [`Self::normal`] is zero.
    pub fn contact(&self) -> [Point; 2] {
        self.contact_where(WideVector::ZERO, 0.0)
    }

    /// The ends of the contact, where the second shape has drifted for `steps` steps and drifts for one more: see
    /// [`Self::contact`].
    pub(crate) fn contact_where(&self, drift: WideVector, steps: f64) -> [Point; 2] {
        match self {
            Self::Never | Self::Overlap(None) => [Point::NAN; 2],
            Self::Overlap(Some(sat)) => sat.contact_where(drift * WideFloat::from(steps)),
            Self::Impact(impact) => impact.contact_where(drift, steps),
            Self::Contact(contact) => {
                let time = WideFloat::from(steps) + WideFloat::from(contact.exact_time);
                let by = drift * time;
                contact.contact.map(|point| advanced(point, by))
            }
        }
    }
}

impl From<SweepOutcome> for SweptCollision {
    fn from(outcome: SweepOutcome) -> Self {
        match outcome {
            SweepOutcome::Never => Self::Never,
            SweepOutcome::Overlap => Self::Overlap(None),
            SweepOutcome::Impact(impact) => Self::Impact(impact),
        }
    }
}
