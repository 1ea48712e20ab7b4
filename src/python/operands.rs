//! The operands of a batch call: each argument's rows, broadcast to one shape or picked by pairs.

use std::ffi::CString;
use std::sync::Arc;

use numpy::{PyUntypedArray, PyUntypedArrayMethods};
use pyo3::exceptions::{PyIndexError, PyMemoryError, PyUserWarning, PyValueError};
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PySlice, PyString};

use crate::batch::{Column, ColumnBuilder, Rows, Shapes, Shared, Source};
use crate::geom::{Bounds, Point};
use crate::python::arrow;
use crate::python::buffer::{Claims, Held, Plain};
use crate::python::errors;
use crate::python::input::{self, Argument, ItemShape, Lossy};
use crate::python::keywords;
use crate::python::numbers::{self, tuple};
use crate::python::polygons::Polygons;
use crate::python::shapely::{self, Geometries};

/// An argument of a batch call, before it is known which of its rows go where.
pub(crate) struct Operand<S> {
    name: &'static str,
    /// The leading dimensions that the caller gave.
    shape: Vec<usize>,
    /// Those that lie in memory: 1 where the caller's array repeats one row by a stride of 0.
    stored: Vec<usize>,
    items: S,
}

/// Reads the arguments of one batch call.
pub(crate) struct Reader<'a> {
    claims: &'a mut Claims,
    lossy: Lossy,
}

impl<'a> Reader<'a> {
    pub(crate) fn new(claims: &'a mut Claims, lossy: Lossy) -> Self {
        Self { claims, lossy }
    }

    /// Polygons in any form: an array, a column, or a list of rows.
    pub(crate) fn polygons(
        &mut self,
        name: &'static str,
        object: &Bound<'_, PyAny>,
    ) -> PyResult<Operand<Shapes>> {
        if let Ok(column) = object.cast::<Polygons>() {
            return Ok(Operand::column(name, Arc::clone(column.get().ragged())));
        }
        let argument = self.argument(name, ItemShape::Ring);
        match shapely::geometries(object)? {
            Geometries::None => {}
            Geometries::Mixed => {
                return Ok(Operand::column(name, Arc::new(column(object, argument)?)));
            }
            kind => {
                let rows = Arc::new(shapely::read(name, object, false)?);
                let shape = match kind {
                    Geometries::One => Vec::new(),
                    _ => leading(object, 0).unwrap_or_else(|| vec![rows.len()]),
                };
                return Ok(Operand::along(name, rows, shape));
            }
        }
        if !object.is_instance_of::<PyUntypedArray>() && arrow::gives(object)? {
            let column = arrow::read(name, object, false)?;
            return Ok(Operand::column(name, Arc::new(column)));
        }
        if let Some(column) = rows_of_list(object, argument)? {
            return Ok(Operand::column(name, Arc::new(column)));
        }
        let dense = self.dense::<Point>(argument, object)?;
        Ok(Operand {
            name,
            items: Shapes::dense(dense.items.1, dense.items.0),
            shape: dense.shape,
            stored: dense.stored,
        })
    }

    /// Vectors or numbers.
    pub(crate) fn items<T: Plain<Element = f64>>(
        &mut self,
        name: &'static str,
        object: &Bound<'_, PyAny>,
        layout: ItemShape,
    ) -> PyResult<Operand<Shared<T>>> {
        let dense = self.dense::<T>(self.argument(name, layout), object)?;
        Ok(Operand {
            name,
            shape: dense.shape,
            stored: dense.stored,
            items: dense.items.1,
        })
    }

    fn argument(&self, name: &'static str, layout: ItemShape) -> Argument {
        Argument {
            batch: true,
            lossy: self.lossy,
            ..Argument::one(name, layout)
        }
    }

    /// An array of `T`s, as the length of its axis of vertices and the memory.
    fn dense<T: Plain<Element = f64>>(
        &mut self,
        argument: Argument,
        object: &Bound<'_, PyAny>,
    ) -> PyResult<Operand<(usize, Shared<T>)>> {
        let axes = argument.layout.axes();
        let shape = leading(object, axes);
        let array = numbers::float64(&without_repeats(object, axes)?, argument)?;
        let (stored, own) = array.shape().split_at(array.ndim() - axes);
        let memory: Held<T> = self.claims.read(array.as_any()).map_err(errors::unfit)?;
        Ok(Operand {
            name: argument.name,
            shape: shape.unwrap_or_else(|| stored.to_vec()),
            stored: stored.to_vec(),
            items: (own.first().copied().unwrap_or(1), Arc::new(memory)),
        })
    }
}

fn leading(object: &Bound<'_, PyAny>, axes: usize) -> Option<Vec<usize>> {
    let array = object.cast::<PyUntypedArray>().ok()?;
    let count = array.ndim().checked_sub(axes)?;
    Some(array.shape()[..count].to_vec())
}

/// An array without the rows that are repeats by a stride of 0, so that making it contiguous
/// copies each only once.
fn without_repeats<'py>(object: &Bound<'py, PyAny>, axes: usize) -> PyResult<Bound<'py, PyAny>> {
    let Ok(array) = object.cast::<PyUntypedArray>() else {
        return Ok(object.clone());
    };
    let leading = array.ndim().saturating_sub(axes);
    let repeats = |axis: &usize| array.strides()[*axis] == 0 && array.shape()[*axis] > 1;
    if !(0..leading).any(|axis| repeats(&axis)) {
        return Ok(object.clone());
    }
    let key = (0..leading)
        .map(|axis| {
            if repeats(&axis) {
                PySlice::new(object.py(), 0, 1, 1)
            } else {
                PySlice::full(object.py())
            }
        })
        .collect::<Vec<_>>();
    object.get_item(pyo3::types::PyTuple::new(object.py(), key)?)
}

/// The rows of a list of polygons, or `None` if the object is no such list: an array, or the
/// points of one polygon.
fn rows_of_list(object: &Bound<'_, PyAny>, argument: Argument) -> PyResult<Option<Column>> {
    let list = if numbers::is_list(object) {
        object.clone()
    } else {
        match input::list_of_objects(object)? {
            Some(list) => list,
            None => return Ok(None),
        }
    };
    let is_rows = numbers::depth(&list)? > 2
        || has_only_missing_rows(&list)?
        || argument.lossy == Lossy::MakeNan && has_row(&list)?;
    is_rows.then(|| column(&list, argument)).transpose()
}

/// Whether an item can only be a row, whatever the others are.
pub(crate) fn has_row(list: &Bound<'_, PyAny>) -> PyResult<bool> {
    for item in list.try_iter()? {
        let item = item?;
        if numbers::depth(&item)? >= 2 || numbers::is_list(&item) && input::has_ring(&item)? {
            return Ok(true);
        }
    }
    Ok(false)
}

fn has_only_missing_rows(list: &Bound<'_, PyAny>) -> PyResult<bool> {
    for item in list.try_iter()? {
        if !is_missing(&item?)? {
            return Ok(false);
        }
    }
    Ok(true)
}

fn is_missing(item: &Bound<'_, PyAny>) -> PyResult<bool> {
    if item.is_none() {
        return Ok(true);
    }
    if let Ok(array) = item.cast::<PyUntypedArray>() {
        return Ok(array.is_empty());
    }
    Ok(numbers::is_list(item) && item.len()? == 0)
}

/// A column of the polygons in an array of three axes; `None` if the object is none.
pub(crate) fn rows_of_array(
    object: &Bound<'_, PyAny>,
    argument: Argument,
) -> PyResult<Option<Column>> {
    let Ok(array) = object.cast::<PyUntypedArray>() else {
        return Ok(None);
    };
    if array.ndim() != 3 {
        return Ok(None);
    }
    let argument = Argument {
        batch: true,
        ..argument
    };
    let per_row = array.shape()[1];
    let rows = array.shape()[0];
    let points = input::kept_points(object, argument)?;
    Ok(Some(Column::of_rows(points, rows, per_row)))
}

/// A column of the polygons in a list; `None` and empty items are missing rows.
pub(crate) fn column(list: &Bound<'_, PyAny>, argument: Argument) -> PyResult<Column> {
    let mut column = ColumnBuilder::default();
    for (row, item) in list.try_iter()?.enumerate() {
        let item = item?;
        if row % 1024 == 0 {
            list.py().check_signals()?;
        }
        if is_missing(&item)? {
            column.push([]);
            continue;
        }
        match input::copied_polygon(&item, argument.at(row)) {
            Ok(polygon) => column.push(polygon.each()),
            Err(why) if argument.lossy == Lossy::MakeNan && errors::is_refusal(&why, list.py()) => {
                column.push([&[Point::NAN][..]]);
            }
            Err(why) => return Err(why),
        }
    }
    Ok(column.build())
}

/// Warns if the rows of a list are likely meant as the rings of one polygon.
pub(crate) fn warn_of_rings(list: &Bound<'_, PyAny>, name: &str, rows: &Column) -> PyResult<()> {
    if !looks_like_rings(rows) || numbers::depth(list)? != 3 {
        return Ok(());
    }
    let py = list.py();
    let message = format!(
        "{name}: each item of the list is taken as a polygon of its own, though all lie within the \
         first; a polygon with holes is a list in the list, [[shell, hole]], and so are polygons \
         without, [[ring], [ring]]"
    );
    let message = CString::new(message).map_err(errors::internal)?;
    PyErr::warn(py, &py.get_type::<PyUserWarning>(), &message, 1)
}

impl Operand<Shapes> {
    fn column(name: &'static str, column: Arc<Column>) -> Self {
        let shape = vec![column.len()];
        Self::along(name, column, shape)
    }

    /// The rows of a column along several axes, or none.
    fn along(name: &'static str, column: Arc<Column>, shape: Vec<usize>) -> Self {
        Self {
            name,
            stored: shape.clone(),
            shape,
            items: Shapes::Column(column),
        }
    }

    /// An error about leading dimensions, with a hint if the rows look like the rings of one
    /// polygon.
    pub(crate) fn hint(&self, why: PyErr, py: Python<'_>) -> PyErr {
        let is_list = |column: &Column| !column.is_examined() && looks_like_rings(column);
        match &self.items {
            Shapes::Column(column) if why.is_instance_of::<PyValueError>(py) && is_list(column) => {
                PyValueError::new_err(format!(
                    "{}; {} looks like the rings of one polygon: a polygon with holes in a batch \
                     is a list in a list: [[shell, hole]]",
                    why.value(py),
                    self.name
                ))
            }
            _ => why,
        }
    }
}

/// Whether all rows of a column are rings, the later ones inside the box round the first.
fn looks_like_rings(column: &Column) -> bool {
    let is_ring = |row| column.rings(row).is_some_and(|rings| rings.len() == 1);
    let Bounds { min, max } = match column.len() {
        0 | 1 => return false,
        _ => column.bounds(0),
    };
    let is_inside = |row| {
        let hole = column.bounds(row);
        (min.x < hole.min.x && hole.max.x < max.x) && (min.y < hole.min.y && hole.max.y < max.y)
    };
    is_ring(0) && (1..column.len()).all(|row| is_ring(row) && is_inside(row))
}

impl<S> Operand<S> {
    /// The leading dimensions and what they belong to, for [`broadcast()`].
    pub(crate) fn named(&self) -> Named<'_> {
        (self.name, &self.shape)
    }

    fn rows(&self) -> usize {
        self.stored.iter().product()
    }

    /// The rows that take part in an answer of this shape: those that were picked, or by
    /// broadcasting.
    pub(crate) fn source(self, answer: &[usize], picks: Option<&PairIndices>) -> Source<S> {
        let rows = match picks {
            Some(_) if self.stored.iter().all(|&length| length == 1) => Rows::One,
            Some(picks) => Rows::Picked(Arc::clone(&picks.index), self.rows()),
            None => Rows::broadcast(&self.stored, answer),
        };
        Source::new(self.name, self.stored, self.items, rows)
    }
}

/// One half of `pairs`: which rows of an argument take part.
pub(crate) struct PairIndices {
    position: usize,
    index: Shared<i64>,
}

impl PairIndices {
    /// Makes sure that every index is that of a row of these arguments, taken together.
    pub(crate) fn check(&self, arguments: &[Named<'_>]) -> PyResult<()> {
        let name = arguments[0].0;
        let [rows] = *broadcast(arguments)? else {
            return Err(PyValueError::new_err(format!(
                "{name}: with pairs it must have one leading dimension, got {}",
                tuple(arguments[0].1)
            )));
        };
        let is_row = |index: i64| usize::try_from(index).is_ok_and(|index| index < rows);
        match (*self.index)
            .as_ref()
            .iter()
            .position(|&index| !is_row(index))
        {
            None => Ok(()),
            Some(position) => Err(PyIndexError::new_err(format!(
                "pairs[{}][{position}] is {}, but {name} has {rows} rows",
                self.position,
                (*self.index).as_ref()[position],
            ))),
        }
    }

    /// How many pairs there are.
    pub(crate) fn len(&self) -> usize {
        (*self.index).as_ref().len()
    }
}

/// Reads the two halves of `pairs`.
pub(crate) fn pairs(object: &Bound<'_, PyAny>, claims: &mut Claims) -> PyResult<[PairIndices; 2]> {
    check_halves(object)?;
    let half = |position: usize, claims: &mut Claims| {
        let index = input::indices(&object.get_item(position)?, &format!("pairs[{position}]"))?;
        let index: Held<i64> = claims.read(index.as_any()).map_err(errors::unfit)?;
        PyResult::Ok(PairIndices {
            position,
            index: Arc::new(index),
        })
    };
    let (i, j) = (half(0, claims)?, half(1, claims)?);
    if i.len() != j.len() {
        return Err(PyValueError::new_err(format!(
            "pairs: expected two index arrays of one length, got {} and {}",
            i.len(),
            j.len()
        )));
    }
    Ok([i, j])
}

/// That there are two halves.
fn check_halves(object: &Bound<'_, PyAny>) -> PyResult<()> {
    let expected = "a tuple of two index arrays or one array of shape (2, K)";
    let is_array = object.is_instance_of::<PyUntypedArray>();
    if !is_array && !is_sequence(object)? {
        return Err(keywords::not_a(object, "pairs", expected));
    }
    if object.len().ok() == Some(2) {
        return Ok(());
    }
    let found = match shape_of(object).as_deref() {
        Some(shape @ [_, 2]) => {
            let array = if is_array { "pairs" } else { "np.array(pairs)" };
            format!("shape {}; transpose it: {array}.T", tuple(shape))
        }
        Some(shape) => format!("shape {}", tuple(shape)),
        None => format!("a sequence of {}", object.len()?),
    };
    Err(PyValueError::new_err(format!(
        "pairs: expected {expected}, got {found}"
    )))
}

/// Whether an object has items by position, and is no text.
fn is_sequence(object: &Bound<'_, PyAny>) -> PyResult<bool> {
    let py = object.py();
    Ok(object.hasattr(intern!(py, "__getitem__"))?
        && object.hasattr(intern!(py, "__len__"))?
        && !object.is_instance_of::<PyString>()
        && !object.is_instance_of::<PyBytes>()
        && !object.is_instance_of::<PyDict>())
}

/// The shape of an array or a list; `None` if its items have different ones.
fn shape_of(object: &Bound<'_, PyAny>) -> Option<Vec<usize>> {
    let numpy = numbers::numpy(object.py()).ok()?;
    let shape = numpy.call_method1("shape", (object,)).ok()?;
    shape.extract().ok()
}

/// An argument's name and leading dimensions.
pub(crate) type Named<'a> = (&'static str, &'a [usize]);

/// The shape to which all arguments broadcast, as NumPy would.
pub(crate) fn broadcast(arguments: &[Named<'_>]) -> PyResult<Vec<usize>> {
    let axes = arguments.iter().map(|(_, shape)| shape.len()).max();
    let mut answer = vec![1; axes.unwrap_or(0)];
    for (_, shape) in arguments {
        for (length, &own) in answer.iter_mut().rev().zip(shape.iter().rev()) {
            match (*length, own) {
                (1, own) => *length = own,
                (length, own) if own == 1 || own == length => {}
                _ => return Err(apart(arguments)),
            }
        }
    }
    // An array of so many bytes can't be had, and a shape that can't be counted neither.
    let rows = answer
        .iter()
        .try_fold(1_usize, |rows, &n| rows.checked_mul(n));
    match rows {
        Some(rows) if rows < isize::MAX as usize / 32 => Ok(answer),
        _ => Err(PyMemoryError::new_err(format!(
            "too many rows: the arguments broadcast to {}",
            tuple(&answer)
        ))),
    }
}

pub(crate) fn apart(arguments: &[Named<'_>]) -> PyErr {
    let shapes: Vec<_> = arguments
        .iter()
        .map(|(name, shape)| format!("{name} {}", tuple(shape)))
        .collect();
    PyValueError::new_err(format!(
        "leading dimensions don't broadcast: {}",
        shapes.join(", ")
    ))
}
