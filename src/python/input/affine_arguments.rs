//! The arguments of `translate` and `affine_transform`.

use numpy::{PyArrayMethods, PyUntypedArrayMethods};
use pyo3::prelude::*;

use super::batch_operand::vectors;
use super::errors::tuple;
use super::expected_argument::{Argument, ItemShape};
use super::float64_arrays;
use super::input_error::{self, Place};
use crate::batch::affine::Affine;
use crate::batch::{ArgumentRow, InvalidRow};
use crate::geom::{DisplayNumber, Vec2};
use crate::python::buffer::Claims;

/// One offset, or one for each row.
pub(crate) fn offsets(object: &Bound<'_, PyAny>, rows: usize) -> PyResult<Vec<Vec2>> {
    let argument = Argument::many("offset", ItemShape::Vector(2));
    let offsets = vectors(argument, object, &mut Claims::default())?;
    offsets.one_or_each(rows, &[2], Vec2::is_finite, |at, v| {
        InvalidRow::NotFinite(at, vec![v.x, v.y])
    })
}

/// An affine map, in Shapely's order or as the upper rows of a homogeneous matrix.
pub(crate) fn affine(object: &Bound<'_, PyAny>) -> PyResult<Affine> {
    let argument = Argument::many("matrix", ItemShape::Any);
    let array = float64_arrays::float64(object, argument)?;
    let numbers = array.to_vec()?;
    let rows = match (array.shape(), &numbers[..]) {
        ([6], &[a, b, d, e, x, y]) | ([2, 3], &[a, b, x, d, e, y]) => [[a, b, x], [d, e, y]],
        (shape, _) => {
            return Err(input_error::value_error(
                "matrix",
                format!("expected shape (6,) or (2, 3), got {}", tuple(shape)),
            ));
        }
    };
    if let Some(number) = numbers.into_iter().find(|number| !number.is_finite()) {
        return Err(input_error::value_error(
            Place::from("matrix").subject(),
            format!("has {}; its numbers must be finite", DisplayNumber(number)),
        ));
    }
    Affine::new(rows).ok_or_else(|| {
        input_error::value_error(
            Place::from("matrix").subject(),
            "is singular: the images would have no area",
        )
    })
}

/// The radii of rows after a map, which must be a similarity.
pub(crate) fn scaled(map: &Affine, radii: &[f64]) -> PyResult<Vec<f64>> {
    let scale = map.scale().ok_or_else(|| {
        input_error::value_error(
            "matrix",
            "rows with a radius need a similarity, [a, b, d, e] = [a, -d, d, a] or \
             [a, d, d, -a]: others would turn circles into ellipses",
        )
    })?;
    let images: Vec<f64> = radii.iter().map(|radius| radius * scale).collect();
    for (row, &radius) in images.iter().enumerate() {
        let at = || ArgumentRow::row("radius", &[images.len()], row);
        InvalidRow::check_radius(radius, at)?;
    }
    Ok(images)
}
