//! The result of a sweep of two shapes, in whichever form it was found.

use std::cmp::Ordering;

use super::rounded_sweep::RoundedContact;
use super::sat::Sat;
use crate::convex::{self, SweepOutcome, advanced};
use crate::geom::{Motion, Point, Vec2, WideFloat, WideVector};

/// The collision of two shapes within a frame in which the first moves by the velocity.
///
/// The decision is made and exact; the numbers of sharp shapes are computed when asked for.
#[derive(Clone, Copy, Debug)]
pub enum SweptCollision {
    /// Of polygons without a radius.
    Sharp(convex::SweptCollision),
    /// They have points in common at the start; how they lie is known for convex ones.
    Overlap(Option<Sat>),
    /// Of shapes with a radius or without an interior, which meet later.
    Contact(RoundedContact),
}

impl SweptCollision {
    /// They do not meet within the frame.
    pub(crate) const NEVER: Self = Self::Sharp(convex::SweptCollision::NEVER);

    /// Whether they have a point in common at the start.
    pub fn intersects(&self) -> bool {
        match self {
            Self::Sharp(sharp) => sharp.intersects(),
            Self::Overlap(_) => true,
            Self::Contact(_) => false,
        }
    }

    /// Whether they have a point in common at some time of the frame.
    pub fn will_intersect(&self) -> bool {
        match self {
            Self::Sharp(sharp) => sharp.will_intersect(),
            Self::Overlap(_) | Self::Contact(_) => true,
        }
    }

    /// Whether the first contact is before that of another pair, a total order: exactly, where the time of shapes
    /// with a radius or without an interior counts as the number that is computed for it.
    pub fn precedes(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Sharp(own), Self::Sharp(other)) => own.precedes(other),
            (Self::Sharp(own), _) => own.compare_with(other.precise_time()) == Ordering::Less,
            (_, Self::Sharp(other)) => other.compare_with(self.precise_time()) == Ordering::Greater,
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
            Self::Sharp(sharp) => sharp.time(),
            Self::Overlap(_) => 0.0,
            Self::Contact(contact) => contact.time(),
        }
    }

    /// The contact normal at that time, from the second shape to the first; zero when never, and
    /// when shapes that are not convex overlap at the start.
    pub fn normal(&self) -> Vec2 {
        match self {
            Self::Sharp(sharp) => sharp.normal(),
            Self::Overlap(sat) => sat.map_or(Vec2::ZERO, |sat| sat.normal()),
            Self::Contact(contact) => contact.normal,
        }
    }

    /// The ends of the contact at that time; NaN where [`Self::normal`] is zero.
    pub fn contact(&self) -> [Point; 2] {
        self.contact_where(Vec2::ZERO, 0.0)
    }

    /// As [`Self::contact`], where the second shape has drifted for `steps` steps and drifts for
    /// one more.
    pub fn contact_where(&self, drift: Vec2, steps: f64) -> [Point; 2] {
        match self {
            Self::Sharp(sharp) => sharp.contact_where(drift, steps),
            Self::Overlap(None) => [Point::NAN; 2],
            Self::Overlap(Some(sat)) => sat.contact_where(Motion::drifting(drift, steps)),
            Self::Contact(contact) => {
                let time = WideFloat::from(steps) + WideFloat::from(contact.exact_time);
                let by = WideVector::from(drift) * time;
                contact.contact.map(|point| advanced(point, by))
            }
        }
    }
}

impl From<SweepOutcome> for SweptCollision {
    fn from(outcome: SweepOutcome) -> Self {
        Self::Sharp(convex::SweptCollision(outcome))
    }
}
