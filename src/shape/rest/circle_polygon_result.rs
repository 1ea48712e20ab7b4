//! The result of a circle and a shape at rest: the numbers that follow from the nearest feature.

use crate::convex::filter::FilteredCircle;
use crate::convex::{foot, moved_along, right_normal};
use crate::geom::{Edge, Point, RadiusSum, Vec2, WideFloat, WideVector};
use crate::predicates::{Length, TO_TEN_DIGITS, length_difference};
use crate::shape::boundary::boundary_feature::BoundaryFeature;
use crate::simd::lanes::Vectors;

/// The kind of a boundary feature.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Feature {
    /// A vertex.
    Vertex = 0,
    /// The interior of an edge.
    Edge = 1,
}

/// Overlap or gap of a circle and a polygon.
///
/// The decision is made and exact. Numbers that the filter does not give are computed on access.
#[derive(Clone, Copy, Debug)]
pub struct CirclePolygon {
    pub(crate) index: usize,
    pub(crate) nearest: FilteredCircle<f64>,
    /// The source of those numbers that are NaN in `nearest`.
    pub(crate) exact: Option<ExactNearest>,
}

/// The nearest feature where the filter was undecided or the polygon is not convex.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ExactNearest {
    pub(crate) center: Point,
    /// The sum of the radii.
    pub(crate) radius: RadiusSum,
    /// The polygon's own radius.
    pub(crate) rounding: f64,
    pub(crate) feature: BoundaryFeature,
    /// Whether the polygon's interior holds the center.
    pub(crate) inside: bool,
}

impl CirclePolygon {
    /// The answer for a circle and a polygon that are apart, without the nearest feature.
    pub fn apart() -> Self {
        Self {
            index: 0,
            nearest: FilteredCircle {
                normal: Vectors::both(0.0),
                ..FilteredCircle::without_numbers(false, false)
            },
            exact: None,
        }
    }

    /// Whether they have a point in common.
    pub fn intersects(&self) -> bool {
        self.nearest.intersects
    }

    /// The radius less the signed distance of the center from the boundary, which is negative
    /// inside; zero when apart.
    pub fn depth(&self) -> f64 {
        match &self.exact {
            Some(exact) if self.intersects() => exact.depth().to_f64(),
            _ => self.nearest.depth(),
        }
    }

    /// The translation of the circle out through the nearest feature; zero when apart.
    pub fn mtv(&self) -> Vec2 {
        match &self.exact {
            Some(_) if !self.intersects() => Vec2::ZERO,
            Some(exact) => (exact.normal() * exact.depth()).to_vec2(),
            None => self.nearest.mtv(),
        }
    }

    /// From the nearest boundary point to the center, reversed when the center is inside; where
    /// they coincide, the boundary's outward normal.
    pub fn normal(&self) -> Vec2 {
        let exact = self.exact.as_ref();
        exact.map_or_else(|| self.nearest.normal, |exact| exact.normal().to_vec2())
    }

    /// The boundary point nearest to the center.
    pub fn closest(&self) -> Point {
        let exact = self.exact.as_ref();
        exact.map_or_else(|| self.nearest.closest.into(), ExactNearest::closest)
    }

    /// What [`Self::closest`] lies on.
    pub fn feature(&self) -> Feature {
        if self.nearest.is_edge {
            Feature::Edge
        } else {
            Feature::Vertex
        }
    }

    /// Index of that vertex or edge, in the caller's order.
    pub fn index(&self) -> usize {
        self.index
    }

    /// The gap; zero when they intersect.
    pub fn distance(&self) -> f64 {
        match &self.exact {
            Some(exact) if !self.intersects() => exact.gap().to_f64(),
            _ => self.nearest.distance(),
        }
    }
}

impl ExactNearest {
    fn center_distance(&self) -> Length {
        self.feature.distance(self.center)
    }

    /// The depth, of a circle that intersects the polygon.
    fn depth(&self) -> WideFloat {
        let radius = Length::Number(self.radius);
        if self.inside {
            radius.value(TO_TEN_DIGITS) + self.center_distance().value(TO_TEN_DIGITS)
        } else {
            length_difference(radius, self.center_distance(), TO_TEN_DIGITS)
        }
    }

    /// The gap, of a circle apart from the polygon.
    fn gap(&self) -> WideFloat {
        let radius = Length::Number(self.radius);
        length_difference(self.center_distance(), radius, TO_TEN_DIGITS)
    }

    fn normal(&self) -> WideVector {
        let center = self.center;
        match self.feature {
            BoundaryFeature::Vertex { leaving, .. } if leaving.start != center => {
                let away = Edge::new(leaving.start, center);
                right_normal(if self.inside { away.reversed() } else { away }).turned_left()
            }
            _ => self.feature.outward(),
        }
    }

    fn closest(&self) -> Point {
        let core = match self.feature {
            BoundaryFeature::Vertex { leaving, .. } => leaving.start,
            BoundaryFeature::Edge(edge) => foot(edge, self.center),
        };
        moved_along(core, self.rounding, || self.normal())
    }
}
