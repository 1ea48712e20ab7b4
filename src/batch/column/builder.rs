//! Columns built row by row.

use std::fmt;
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
            self.add_ring(ring.iter().copied());
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
            self.add_ring(ring.iter().copied());
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

    fn add_ring(&mut self, vertices: impl Iterator<Item = Point>) {
        self.coords.extend(vertices);
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

impl Column {
    /// The same rows of a column that was not examined, without those that have one of these vertices,
    /// given by its place in the memory, in order, and what is wrong with it.
    #[must_use]
    pub fn without_vertices(self, vertices: impl Iterator<Item = (usize, String)>) -> Self {
        let (mut row, mut faults) = (0, Vec::<(usize, String)>::new());
        for (vertex, what) in vertices {
            while self.base.layout.span(row).end <= vertex {
                row += 1;
            }
            if faults.last().is_some_and(|(last, _)| *last == row) {
                continue;
            }
            let starts = self.base.layout.offsets(row);
            let ring = starts.partition_point(|&start| start <= vertex).max(1) - 1;
            let start = starts.get(ring).copied();
            let at = vertex - start.unwrap_or(self.base.layout.span(row).start);
            let ring = match starts.len() {
                0..=2 => String::new(),
                _ => format!("ring {ring}: "),
            };
            faults.push((row, format!("{ring}vertex {at} {what}")));
        }
        self.without(&faults)
    }

    /// The same rows, not examined, without the vertices of those that are invalid, and why they are.
    #[must_use]
    pub fn without(&self, faults: &[(usize, impl fmt::Display)]) -> Self {
        if faults.is_empty() {
            return self.unexamined();
        }
        let (view, mut others) = (self.view(), ColumnBuilder::default());
        let mut faults = faults.iter().peekable();
        for row in 0..self.len() {
            let invalid = faults.next_if(|(bad, _)| *bad == row);
            match (invalid, self.fault(row)) {
                (Some((_, why)), _) => others.push_invalid(why.to_string()),
                (None, Some(why)) => others.push_invalid(why.to_owned()),
                (None, None) => others.push_shape(view.rings(row)),
            }
        }
        others.build()
    }
}
