//! Lists whose items are taken as rows, but are likely meant as the rings of one polygon, and the warning about them.

use pyo3::exceptions::PyUserWarning;
use pyo3::prelude::*;

use super::errors;
use crate::batch::Column;
use crate::geom::Bounds;
use crate::shape::{Rings, Shape};

/// Warns that the rows of a list are likely meant as the rings of one polygon.
pub(crate) fn warn_of_rings(py: Python<'_>, name: &str) -> PyResult<()> {
    let message = format!(
        "{name}: each item of the list is taken as a polygon of its own, though all lie within the \
         first; a polygon with holes is a list in the list, [[shell, hole]], and so are polygons \
         without, [[ring], [ring]]"
    );
    errors::warn::<PyUserWarning>(py, &message)
}

/// Vertices of a list up to which it is checked whether its rings make a valid polygon, which takes milliseconds at most.
/// Of longer lists the boxes tell.
const FEW: usize = 1024;

/// Whether all rows of a column are single rings, the later ones inside the bounding box of the first, and make a valid
/// polygon with holes together.
pub(crate) fn looks_like_rings(column: &Column) -> bool {
    let is_ring = |row| column.rings(row).is_some_and(|rings| rings.len() == 1);
    let Bounds { min, max } = match column.len() {
        0 | 1 => return false,
        _ => column.bounds(0),
    };
    let is_inside = |row| {
        let hole = column.bounds(row);
        // The box of a ring without a finite vertex is empty.
        !hole.is_empty()
            && (min.x < hole.min.x && hole.max.x < max.x)
            && (min.y < hole.min.y && hole.max.y < max.y)
    };
    if !(is_ring(0) && (1..column.len()).all(|row| is_ring(row) && is_inside(row))) {
        return false;
    }
    if column.vertices() > FEW {
        return true;
    }
    let (mut points, mut offsets) = (Vec::new(), vec![0]);
    for rings in (0..column.len()).filter_map(|row| column.rings(row)) {
        points.extend_from_slice(rings.ring(0));
        offsets.push(points.len());
    }
    Shape::new(Rings::new(&points, &offsets)).is_ok()
}
