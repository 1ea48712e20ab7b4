//! The distance of two shapes: their nearest features, from which the numbers are computed.

use std::cmp::Ordering;

use super::moved_point::moved_along;
use super::nearest_features::NearestFeatures;
use crate::geom::{Bounds, Point, RadiusSum};
use crate::predicates::{
    Length, TO_TEN_DIGITS, TO_TWELVE_DIGITS, compare_lengths, length_difference,
};

/// The distance of two shapes. The nearest features are chosen exactly; the numbers are computed when asked for.
#[derive(Clone, Copy, Debug)]
pub struct Distance {
    /// Of the shapes without their radii; `None` when the shapes intersect.
    pub(crate) nearest: Option<NearestFeatures>,
    radii: [f64; 2],
}

impl Distance {
    /// The distance of shapes without a radius, given their nearest features if they are apart.
    pub(crate) fn new(nearest: Option<NearestFeatures>) -> Self {
        let radii = [0.0; 2];
        Self { nearest, radii }
    }

    pub(crate) fn of_boxes(a: &Bounds, b: &Bounds) -> Self {
        // Along each axis the two nearest coordinates, or one that both boxes have.
        let nearest = |min_a: f64, max_a: f64, min_b: f64, max_b: f64| {
            if max_a < min_b {
                (max_a, min_b)
            } else if max_b < min_a {
                (min_a, max_b)
            } else {
                (min_a, min_a)
            }
        };
        let x = nearest(a.min.x, a.max.x, b.min.x, b.max.x);
        let y = nearest(a.min.y, a.max.y, b.min.y, b.max.y);
        let (a, b) = (Point::new(x.0, y.0), Point::new(x.1, y.1));
        Self::new((a != b).then_some(NearestFeatures::Vertices { a, b }))
    }

    pub(crate) fn with_radii(self, radii: [f64; 2]) -> Self {
        if radii == [0.0; 2] {
            return self;
        }
        let rounded = Self { radii, ..self };
        if rounded.compare_with(0.0) == Ordering::Greater {
            return rounded;
        }
        let nearest = None;
        Self { nearest, radii }
    }

    /// Compares two distances, a total order: exactly, where that of shapes with radii counts as its value to
    /// twelve digits.
    pub fn compare(&self, other: &Self) -> Ordering {
        let is_sharp = |it: &Self| it.radii == [0.0; 2];
        match (self.nearest, other.nearest) {
            (Some(own), Some(others)) if is_sharp(self) && is_sharp(other) => {
                compare_lengths(own.length(), others.length())
            }
            _ if is_sharp(self) => self.compare_with(other.value(TO_TWELVE_DIGITS)),
            _ if is_sharp(other) => other.compare(self).reverse(),
            _ => {
                let [own, others] = [self, other].map(|it| it.value(TO_TWELVE_DIGITS));
                own.total_cmp(&others)
            }
        }
    }

    /// Compares the distance with a number that is 0 or more and may be infinite, exactly.
    pub fn compare_with(&self, number: f64) -> Ordering {
        let [a, b] = self.radii;
        match self.nearest {
            Some(nearest) if number < f64::INFINITY => compare_lengths(
                nearest.length(),
                Length::Number(RadiusSum::new([a, b, number])),
            ),
            None if number == 0.0 => Ordering::Equal,
            _ => Ordering::Less,
        }
    }

    /// The distance; zero when the shapes have a point in common.
    pub fn distance(&self) -> f64 {
        self.value(TO_TEN_DIGITS)
    }

    /// The distance with this relative error at most.
    fn value(&self, error: f64) -> f64 {
        let [a, b] = self.radii;
        let radius = RadiusSum::new([a, b, 0.0]);
        self.nearest.map_or(0.0, |nearest| {
            let length = nearest.length();
            let distance = if radius.is_zero() {
                length.value(error)
            } else {
                length_difference(length, Length::Number(radius), error)
            };
            distance.to_f64()
        })
    }

    /// The point of the first shape nearest to the second; NaN when they intersect.
    pub fn closest_a(&self) -> Point {
        self.nearest.map_or(Point::NAN, |nearest| {
            moved_along(nearest.points().0, self.radii[0], || -nearest.direction())
        })
    }

    /// The point of the second shape nearest to the first; NaN when they intersect.
    pub fn closest_b(&self) -> Point {
        self.nearest.map_or(Point::NAN, |nearest| {
            moved_along(nearest.points().1, self.radii[1], || nearest.direction())
        })
    }
}
