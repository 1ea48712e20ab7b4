//! Columns built row by row.

use std::sync::Arc;

use super::Column;
use super::layout::RaggedOffsets;
use crate::geom::Point;
use crate::shape::{Rings, ShapeKind};

/// Builds a column row by row.
#[derive(Clone, Debug, Default)]
pub struct ColumnBuilder {
    coords: Vec<Point>,
    ring_ends: Vec<usize>,
    /// Where each polygon ends among the rings, and each row among the polygons.
    polygon_ends: [Vec<usize>; 2],
    kinds: Vec<ShapeKind>,
    radii: Vec<f64>,
    faults: Vec<(usize, String)>,
}

impl ColumnBuilder {
    /// Appends a polygon, shell first. A polygon without vertices is a missing row.
    pub fn push<'p>(&mut self, rings: impl IntoIterator<Item = &'p [Point]>) {
        for ring in rings {
            self.add_ring(ring);
        }
        self.end_row(ShapeKind::Polygon, 0.0);
    }

    /// Appends a shape, or a missing row.
    pub fn push_shape(&mut self, shape: Option<Rings<'_>>) {
        let Some(shape) = shape else {
            return self.end_row(ShapeKind::Polygon, 0.0);
        };
        let first = self.ring_ends.len();
        for ring in shape.iter() {
            self.add_ring(ring);
        }
        if shape.kind() == ShapeKind::MultiPolygon {
            let ends = shape.parts().skip(1);
            self.polygon_ends[0].extend(ends.map(|end| first + end));
        }
        self.end_row(shape.kind(), shape.radius());
    }

    /// Appends a row that can't be read, and why.
    pub fn push_invalid(&mut self, why: String) {
        self.faults.push((self.kinds.len(), why));
        self.push([]);
    }

    /// Appends a row of a column, or why it could not be read there.
    pub(super) fn push_row(&mut self, column: &Column, row: usize) {
        match column.fault(row) {
            None => self.push_shape(column.view().rings(row)),
            Some(why) => self.push_invalid(why.to_owned()),
        }
    }

    fn add_ring(&mut self, ring: &[Point]) {
        self.coords.extend_from_slice(ring);
        self.ring_ends.push(self.coords.len());
    }

    fn end_row(&mut self, kind: ShapeKind, radius: f64) {
        if kind != ShapeKind::MultiPolygon {
            self.polygon_ends[0].push(self.ring_ends.len());
        }
        self.polygon_ends[1].push(self.polygon_ends[0].len());
        self.kinds.push(kind);
        self.radii.push(radius);
    }

    /// Bytes of memory held.
    pub fn nbytes(&self) -> usize {
        let [polygons, rows] = &self.polygon_ends;
        let ends = [&self.ring_ends, polygons, rows].map(Vec::capacity);
        self.coords.capacity() * size_of::<Point>()
            + (ends.iter().sum::<usize>() + self.radii.capacity()) * size_of::<usize>()
            + self.kinds.capacity()
    }

    /// The column.
    pub fn build(mut self) -> Column {
        self.coords.shrink_to_fit();
        let offsets = |ends: Vec<usize>| [vec![0], ends].concat();
        let has_several = self.kinds.contains(&ShapeKind::MultiPolygon);
        let [polygons, rows] = self.polygon_ends.map(offsets);
        let offsets = RaggedOffsets {
            rings: offsets(self.ring_ends),
            polygons: Some(polygons),
            shapes: has_several.then_some(rows),
        };
        Column::of_shapes(Arc::new(self.coords), offsets)
            .of_kinds(self.kinds, self.radii)
            .with_faults(self.faults)
    }
}

impl Default for Column {
    /// A column without rows.
    fn default() -> Self {
        ColumnBuilder::default().build()
    }
}
