//! Reading the rows of a column: their rings, kinds, radii and boxes.

use std::ops::Range;

use fearless_simd::Simd;
use rayon::prelude::*;
use smallvec::SmallVec;

use super::Column;
use crate::batch::thread_pool;
use crate::geom::{Bounds, Point};
use crate::shape::{self, Rings, Shape, ShapeKind};
use crate::simd::instructions::with_instructions;

/// Rows that a thread takes at a time: enough that the cost of taking them vanishes.
const SHARE: usize = 256;

/// Methods that take a row number panic if there is no such row.
impl Column {
    /// Number of missing rows.
    pub fn missing(&self) -> usize {
        let view = self.view();
        let is_missing = |row: &usize| view.rings(*row).is_none();
        (0..self.len()).filter(is_missing).count()
    }

    /// Number of vertices of all rows.
    pub fn vertices(&self) -> usize {
        let view = self.view();
        let rings = (0..self.len()).filter_map(|row| view.rings(row));
        rings.map(|rings| rings.vertices()).sum()
    }

    /// The rings of a row; `None` if it is missing.
    pub fn rings(&self, row: usize) -> Option<Rings<'_>> {
        self.view().rings(row)
    }

    /// The shape of a row of an examined column; `None` if the column was not examined or the row is missing.
    pub fn polygon(&self, row: usize) -> Option<Shape<'_>> {
        self.view().polygon(row)
    }

    /// An upper bound of the vertices of a row: closing vertices are counted.
    pub fn most_vertices(&self, row: usize) -> usize {
        self.base.layout.span(self.selection.stored(row)).len()
    }

    /// The range of each ring of a row in [`Self::memory`], without closing vertices.
    pub fn ring_spans(&self, row: usize) -> impl Iterator<Item = Range<usize>> {
        self.view().spans(row)
    }

    /// Whether a row of an examined column is a point: so is a path whose vertices all coincide.
    pub fn is_point(&self, row: usize) -> bool {
        let row = self.selection.stored(row);
        self.examined.as_ref().is_some_and(|it| it.is_point(row))
    }

    /// The kind of a row as it was given; `None` if it is missing.
    pub fn kind(&self, row: usize) -> Option<ShapeKind> {
        self.rings(row).map(|rings| rings.kind())
    }

    /// The radius of a row.
    pub fn radius(&self, row: usize) -> f64 {
        self.view().radius(row)
    }

    /// Whether some rows have a radius.
    pub fn has_radii(&self) -> bool {
        self.base.attributes.radii.is_some()
    }

    /// Whether all rows are polygons without a radius.
    pub fn are_plain(&self) -> bool {
        self.base.attributes.are_plain()
    }

    /// Why a row is invalid, if it counts as missing because of that.
    pub fn fault(&self, row: usize) -> Option<&str> {
        self.base.attributes.fault(self.selection.stored(row))
    }

    /// Applies a function to the shape of each row (`None` where it is missing), in the rayon pool
    /// that this runs in.
    pub fn each<T: Send>(
        &self,
        threads: usize,
        map: impl Fn(Option<Shape<'_>>) -> T + Sync,
    ) -> Vec<T> {
        let view = self.view();
        let map = |row| map(view.polygon(row));
        if threads == 1 {
            return (0..self.len()).map(map).collect();
        }
        let rows = (0..self.len()).into_par_iter().with_min_len(SHARE);
        rows.map(map).collect()
    }

    /// The area of each row of an examined column without its holes and its radius, NaN where it is missing, in the
    /// rayon pool that this runs in.
    pub fn areas(&self, threads: usize) -> Vec<f64> {
        let view = self.view();
        let mut areas = vec![f64::NAN; self.len()];
        let of_rows = |(share, areas): (usize, &mut [f64])| {
            let first = share * SHARE;
            let mut open = SmallVec::<[usize; 8]>::new();
            // Only rows that the plain sum leaves open need a `Shape`.
            with_instructions!(simd => {
                for (offset, area) in areas.iter_mut().enumerate() {
                    if let Some(rings) = view.examined_rings(first + offset) {
                        match shape::plain_area(simd, rings) {
                            Some(plain) => *area = plain,
                            None => open.push(offset),
                        }
                    }
                }
            });
            for offset in open {
                let shape = view.polygon(first + offset);
                areas[offset] = shape.map_or(f64::NAN, |shape| shape::longer_area(&shape));
            }
        };
        let shares = areas.chunks_mut(SHARE).enumerate();
        let () = thread_pool::map(shares.collect(), threads, of_rows);
        areas
    }

    /// The bounding box of each row of an examined column: see [`Self::bounds`].
    pub fn each_bounds(&self) -> Vec<Bounds> {
        // Boxes are kept of all stored rows, of which this column may have few.
        let boxes = || self.view().boxes(false);
        match (self.is_whole() && !self.has_radii()).then(boxes).flatten() {
            Some(boxes) => (0..self.len()).map(|row| boxes.at(row)).collect(),
            None => (0..self.len()).map(|row| self.bounds(row)).collect(),
        }
    }

    /// The bounding box of a row with its radius, rounded to nearest; [`Bounds::EMPTY`] if it is
    /// missing.
    pub fn bounds(&self, row: usize) -> Bounds {
        let view = self.view();
        if view.is_examined() && view.polygon(row).is_none() {
            return Bounds::EMPTY;
        }
        let Bounds { min, max } = view.core_bounds(self.selection.stored(row));
        let radius = view.radius(row);
        Bounds {
            min: Point::new(min.x - radius, min.y - radius),
            max: Point::new(max.x + radius, max.y + radius),
        }
    }
}
