//! A footprint at a pose, and what is wrong with it there.

use crate::batch::{ArgumentRow, InvalidRow};
use crate::geom::{Bounds, Point, Turn, place};
use crate::invalid_shape::InvalidShape;
use crate::shape::{Rings, Shape, ShapeKind};

/// A footprint at a pose.
#[derive(Debug, Default)]
pub(super) struct PlacedFootprint {
    vertices: Vec<Point>,
    offsets: Vec<usize>,
    polygons: Vec<usize>,
    kind: ShapeKind,
    radius: f64,
}

impl PlacedFootprint {
    pub(super) fn put(&mut self, footprint: Rings<'_>, [x, y, heading]: [f64; 3]) {
        self.vertices.clear();
        self.offsets.clear();
        self.offsets.push(0);
        self.polygons.clear();
        self.polygons.extend(footprint.parts());
        (self.kind, self.radius) = (footprint.kind(), footprint.radius());
        for ring in footprint.iter() {
            self.vertices.extend_from_slice(ring);
            self.offsets.push(self.vertices.len());
        }
        place(&mut self.vertices, x, y, heading);
    }

    pub(super) fn rings(&self) -> Rings<'_> {
        Rings::of_kind(&self.vertices, &self.offsets, self.kind, &self.polygons)
            .with_radius(self.radius)
    }

    /// Its box, with what it sweeps by turning.
    pub(super) fn bounds(&self, turn: Turn) -> Bounds {
        let vertices = self.vertices.iter().copied();
        turn.bounds(vertices).grown(self.radius)
    }
}

/// What is wrong with a valid footprint that is not valid as placed at a pose.
pub(super) fn invalid_as_placed(
    at: ArgumentRow,
    why: InvalidShape,
    footprint: Option<Rings<'_>>,
    [_, _, heading]: [f64; 3],
) -> InvalidRow {
    let is_valid_at_origin = |footprint| {
        let mut turned = PlacedFootprint::default();
        turned.put(footprint, [0.0, 0.0, heading]);
        Shape::new(turned.rings()).is_ok()
    };
    let is_far = footprint.is_some_and(is_valid_at_origin);
    InvalidRow::Placed { at, why, is_far }
}
