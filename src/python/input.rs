//! The customs house: whatever Python hands over becomes numbers here, or is refused with the
//! name of the argument, the row and the value.

use std::borrow::Cow;

use numpy::{PyArray1, PyArrayDyn, PyArrayMethods, PyUntypedArray, PyUntypedArrayMethods};
use pyo3::basic::CompareOp;
use pyo3::exceptions::{PyOverflowError, PyTypeError, PyValueError};
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::{
    PyBool, PyByteArray, PyBytes, PyComplex, PyDict, PyFloat, PyFrozenSet, PyInt, PyList, PySet,
    PyString, PyTuple,
};

use crate::batch::Place;
use crate::geom::{Point, Vec2};
use crate::python::buffer;
use crate::python::polygons::Polygons;

/// What an argument consists of: its last axes.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Layout {
    /// Vertices, `(V, 2)`.
    Ring,
    /// So many numbers in a row.
    Vector(usize),
    /// A number.
    Number,
}

impl Layout {
    /// How many axes that is.
    pub(crate) fn axes(self) -> usize {
        match self {
            Self::Ring => 2,
            Self::Vector(_) => 1,
            Self::Number => 0,
        }
    }

    fn fits(self, shape: &[usize]) -> bool {
        match self {
            Self::Ring => shape.len() >= 2 && shape.ends_with(&[2]),
            Self::Vector(length) => shape.ends_with(&[length]),
            Self::Number => true,
        }
    }

    fn expected(self, batch: bool) -> String {
        let dots = if batch { "..., " } else { "" };
        match self {
            Self::Ring => format!("({dots}V, 2)"),
            Self::Vector(length) if batch => format!("(..., {length})"),
            Self::Vector(length) => format!("({length},)"),
            Self::Number => "()".to_owned(),
        }
    }
}

/// What becomes of a number that no float64 holds, and of a masked one.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Lossy {
    /// It is refused.
    Refuse,
    /// It becomes NaN, which makes its row a bad one.
    MakeNan,
}

/// An argument as messages name it, and how it is to be read.
#[derive(Clone, Copy)]
pub(crate) struct Argument {
    /// Its name.
    pub name: &'static str,
    /// What it consists of.
    pub layout: Layout,
    /// Whether it may have leading dimensions.
    pub batch: bool,
    /// The row of a list that is looked at.
    pub row: Option<usize>,
    /// See [`Lossy`].
    pub lossy: Lossy,
}

impl Argument {
    /// An argument that is one thing.
    pub(crate) const fn one(name: &'static str, layout: Layout) -> Self {
        Self {
            name,
            layout,
            batch: false,
            row: None,
            lossy: Lossy::Refuse,
        }
    }

    /// Row `row` of this argument.
    pub(crate) const fn at(self, row: usize) -> Self {
        Self {
            row: Some(row),
            batch: false,
            ..self
        }
    }

    /// The name of a row of an array of this shape, and of the number at a flat position of it.
    fn locate(&self, shape: &[usize], flat: usize) -> String {
        let (leading, own) = shape.split_at(shape.len().saturating_sub(self.layout.axes()));
        let size = own.iter().product::<usize>().max(1);
        let place = self.place(leading, flat / size);
        match self.layout {
            Layout::Ring => format!("{place}: vertex {}", flat % size / 2),
            Layout::Vector(_) => format!("{place}: component {}", flat % size),
            Layout::Number => place.to_string(),
        }
    }

    fn place(&self, leading: &[usize], row: usize) -> Place {
        match self.row {
            Some(row) => Place::row(self.name, &[row + 1], row),
            None => Place::row(self.name, leading, row),
        }
    }

    fn place_of_whole(&self) -> Place {
        self.place(&[], 0)
    }

    fn wrong_type(&self, found: &str) -> PyErr {
        PyTypeError::new_err(format!(
            "{}: expected an array of numbers of shape {}, got {found}",
            self.place_of_whole(),
            self.layout.expected(self.batch)
        ))
    }

    fn wrong_shape(&self, found: &str) -> PyErr {
        PyValueError::new_err(format!(
            "{}: expected shape {}, got {found}",
            self.place_of_whole(),
            self.layout.expected(self.batch)
        ))
    }

    fn lossy(&self, shape: &[usize], flat: usize, what: &str) -> PyErr {
        PyValueError::new_err(format!("{} {what}", self.locate(shape, flat)))
    }
}

/// A polygon for a scalar function: as it lies in memory, or a copy of what was converted.
/// While it is borrowed the caller runs no Python code.
#[inline]
pub(crate) fn rings<'a>(
    named: [(&'static str, &'a Bound<'_, PyAny>); 2],
) -> PyResult<[Cow<'a, [Point]>; 2]> {
    if let (Some(a), Some(b)) = (buffer::ring(named[0].1), buffer::ring(named[1].1)) {
        return Ok([Cow::Borrowed(a), Cow::Borrowed(b)]);
    }
    // Converting one may run Python code, so that neither is borrowed.
    let copy = |(name, object)| copied_ring(object, Argument::one(name, Layout::Ring));
    Ok([Cow::Owned(copy(named[0])?), Cow::Owned(copy(named[1])?)])
}

/// As [`rings`], for one polygon.
#[inline]
pub(crate) fn ring<'a>(
    name: &'static str,
    object: &'a Bound<'_, PyAny>,
) -> PyResult<Cow<'a, [Point]>> {
    match buffer::ring(object) {
        Some(ring) => Ok(Cow::Borrowed(ring)),
        None => copied_ring(object, Argument::one(name, Layout::Ring)).map(Cow::Owned),
    }
}

/// The vertices of one polygon, copied.
pub(crate) fn copied_ring(object: &Bound<'_, PyAny>, argument: Argument) -> PyResult<Vec<Point>> {
    if depth(object)? == 3 && is_list(object) {
        return Err(PyValueError::new_err(format!(
            "{}: a sequence of rings is a polygon with holes; polygons with holes are not \
             supported yet",
            argument.place_of_whole()
        )));
    }
    let numbers = float64(object, argument)?.to_vec()?;
    let (vertices, _) = numbers.as_chunks();
    Ok(vertices.iter().map(|&[x, y]| Point::new(x, y)).collect())
}

/// A vector for a scalar function.
#[inline]
pub(crate) fn vector(name: &'static str, object: &Bound<'_, PyAny>) -> PyResult<Vec2> {
    if let Some([x, y]) = buffer::pair(object).or_else(|| small_pair(object)) {
        return Ok(Vec2::new(x, y));
    }
    let numbers = float64(object, Argument::one(name, Layout::Vector(2)))?.to_vec()?;
    Ok(Vec2::new(numbers[0], numbers[1]))
}

/// A number for a scalar function.
#[inline]
pub(crate) fn number(name: &'static str, object: &Bound<'_, PyAny>) -> PyResult<f64> {
    if let Some(number) = small(object) {
        return Ok(number);
    }
    Ok(float64(object, Argument::one(name, Layout::Number))?.to_vec()?[0])
}

/// A tuple of two of Python's own numbers, which needs no array.
fn small_pair(object: &Bound<'_, PyAny>) -> Option<[f64; 2]> {
    let pair = object.cast_exact::<PyTuple>().ok()?;
    let [x, y] = [
        pair.get_borrowed_item(0).ok()?,
        pair.get_borrowed_item(1).ok()?,
    ];
    (pair.len() == 2).then_some([small(&x)?, small(&y)?])
}

/// One of Python's own numbers, if it is a float or an integer that an `i32` holds.
fn small(object: &Bound<'_, PyAny>) -> Option<f64> {
    if let Ok(float) = object.cast_exact::<PyFloat>() {
        return Some(float.value());
    }
    object
        .cast_exact::<PyInt>()
        .ok()?
        .extract::<i32>()
        .ok()
        .map(f64::from)
}

/// Any argument as an array of native, aligned `float64`s in C order: itself, if it is one.
pub(crate) fn float64<'py>(
    object: &Bound<'py, PyAny>,
    argument: Argument,
) -> PyResult<Bound<'py, PyArrayDyn<f64>>> {
    refuse_no_numbers(object, argument)?;
    if let Some(masked) = as_masked(object)? {
        return unmasked(&masked, argument);
    }
    let array = as_array(object, None, argument)?;
    let doubles = match (kind(&array)?, item_size(&array)?) {
        ('f', ..=8) | ('i' | 'u', ..8) => plain(&array, "float64")?,
        ('i', _) => widened(
            &array,
            "int64",
            |v: i64| exact(v as f64, v.into()),
            argument,
        )?,
        ('u', _) => widened(
            &array,
            "uint64",
            |v: u64| exact(v as f64, v.into()),
            argument,
        )?,
        ('f', _) => narrowed(&array, argument)?,
        ('O', _) => from_objects(&array, object, argument)?,
        _ => return Err(argument.wrong_type(&format!("dtype {}", array.getattr("dtype")?))),
    };
    check_shape(doubles.as_untyped(), argument)?;
    if is_list(object) && any_beyond_integers(&doubles)? {
        // Among floats NumPy has rounded the integers without a word.
        let array = as_array(object, Some("object"), argument)?;
        return from_objects(&array, object, argument);
    }
    Ok(doubles)
}

fn refuse_no_numbers(object: &Bound<'_, PyAny>, argument: Argument) -> PyResult<()> {
    let is_none_of_it = object.is_none()
        || object.is_instance_of::<PyString>()
        || object.is_instance_of::<PyBytes>()
        || object.is_instance_of::<PyByteArray>()
        || object.is_instance_of::<PyBool>()
        || object.is_instance_of::<PyDict>()
        || object.is_instance_of::<PySet>()
        || object.is_instance_of::<PyFrozenSet>();
    if object.is_instance_of::<Polygons>() {
        return Err(argument.wrong_type("a column; call the function's `_batch` twin"));
    }
    if is_none_of_it {
        return Err(argument.wrong_type(&object.get_type().qualname()?.to_string()));
    }
    Ok(())
}

fn numpy<'py>(py: Python<'py>) -> PyResult<Bound<'py, PyModule>> {
    py.import(intern!(py, "numpy"))
}

/// Whether an object is a list or a tuple, whose items count as parts.
pub(crate) fn is_list(object: &Bound<'_, PyAny>) -> bool {
    object.is_instance_of::<PyList>() || object.is_instance_of::<PyTuple>()
}

/// How deep an object nests, judged by its first items that are something.
pub(crate) fn depth(object: &Bound<'_, PyAny>) -> PyResult<usize> {
    if is_list(object) {
        for item in object.try_iter()? {
            let item = item?;
            if !item.is_none() && !(is_list(&item) && item.len()? == 0) {
                return Ok(1 + depth(&item)?);
            }
        }
        return Ok(1);
    }
    if let Ok(array) = object.cast::<PyUntypedArray>() {
        return Ok(array.ndim());
    }
    if object.hasattr(intern!(object.py(), "__array__"))? {
        return numpy(object.py())?
            .call_method1("ndim", (object,))?
            .extract();
    }
    Ok(0)
}

fn as_array<'py>(
    object: &Bound<'py, PyAny>,
    dtype: Option<&str>,
    argument: Argument,
) -> PyResult<Bound<'py, PyUntypedArray>> {
    let py = object.py();
    match numpy(py)?.call_method1(intern!(py, "asarray"), (object, dtype)) {
        Ok(array) => Ok(array.cast_into()?),
        Err(why) if is_list(object) && why.is_instance_of::<PyValueError>(py) => {
            Err(argument.wrong_shape("a sequence of items of different shapes"))
        }
        Err(why) => Err(why),
    }
}

fn kind(array: &Bound<'_, PyUntypedArray>) -> PyResult<char> {
    array.getattr("dtype")?.getattr("kind")?.extract()
}

fn item_size(array: &Bound<'_, PyUntypedArray>) -> PyResult<usize> {
    array.getattr("itemsize")?.extract()
}

fn check_shape(array: &Bound<'_, PyUntypedArray>, argument: Argument) -> PyResult<()> {
    let shape = array.shape();
    if argument.batch || shape.len() == argument.layout.axes() {
        if argument.layout.fits(shape) {
            return Ok(());
        }
        return Err(argument.wrong_shape(&tuple(shape)));
    }
    if argument.layout.fits(shape) && argument.row.is_none() && shape.len() > argument.layout.axes()
    {
        return Err(argument.wrong_shape(&format!(
            "{}; for many at once call the function's `_batch` twin",
            tuple(shape)
        )));
    }
    Err(argument.wrong_shape(&tuple(shape)))
}

/// A shape as Python writes it.
pub(crate) fn tuple(shape: &[usize]) -> String {
    match shape {
        [length] => format!("({length},)"),
        _ => {
            let lengths: Vec<_> = shape.iter().map(ToString::to_string).collect();
            format!("({})", lengths.join(", "))
        }
    }
}

/// An array of another type and in C order; itself, if it is so already.
fn plain<'py, T: numpy::Element>(
    array: &Bound<'py, PyUntypedArray>,
    dtype: &str,
) -> PyResult<Bound<'py, PyArrayDyn<T>>> {
    if let Ok(typed) = array.cast::<PyArrayDyn<T>>()
        && typed.is_c_contiguous()
        && typed.is_aligned()
    {
        return Ok(typed.clone());
    }
    let required = numpy(array.py())?.call_method1("require", (array, dtype, ("C", "A")))?;
    Ok(required.cast_into()?)
}

fn exact(float: f64, integer: i128) -> Option<f64> {
    // Every 64-bit integer rounds to a float that an i128 holds.
    #[allow(clippy::cast_possible_truncation)]
    let back = float as i128;
    (back == integer).then_some(float)
}

fn widened<'py, T: numpy::Element + Copy + std::fmt::Display>(
    array: &Bound<'py, PyUntypedArray>,
    dtype: &str,
    exact: impl Fn(T) -> Option<f64>,
    argument: Argument,
) -> PyResult<Bound<'py, PyArrayDyn<f64>>> {
    let numbers = plain::<T>(array, dtype)?.to_vec()?;
    let convert = |(flat, number)| match (exact(number), argument.lossy) {
        (Some(float), _) => Ok(float),
        (None, Lossy::MakeNan) => Ok(f64::NAN),
        (None, Lossy::Refuse) => {
            Err(argument.lossy(array.shape(), flat, &format!("has {number}, {LOSS}")))
        }
    };
    let floats: Vec<f64> = numbers
        .into_iter()
        .enumerate()
        .map(convert)
        .collect::<PyResult<_>>()?;
    Ok(PyArray1::from_vec(array.py(), floats).reshape(array.shape())?)
}

const LOSS: &str = "which no float64 holds exactly";

/// Long doubles as `float64`s.
fn narrowed<'py>(
    array: &Bound<'py, PyUntypedArray>,
    argument: Argument,
) -> PyResult<Bound<'py, PyArrayDyn<f64>>> {
    let numpy = numpy(array.py())?;
    // Overflow is found by comparing, so that NumPy need not warn of it.
    let quiet = numpy.call_method("errstate", (), Some(&all_ignored(array.py())?))?;
    quiet.call_method0("__enter__")?;
    let narrow = array.call_method1("astype", ("float64", "C"));
    quiet.call_method1(
        "__exit__",
        (array.py().None(), array.py().None(), array.py().None()),
    )?;
    let narrow = narrow?;
    let lost = narrow
        .rich_compare(array, CompareOp::Ne)?
        .bitand(array.rich_compare(array, CompareOp::Eq)?)?;
    settle(
        &narrow,
        &lost,
        &format!("has a long double {LOSS}"),
        argument,
    )?;
    Ok(narrow.cast_into()?)
}

fn all_ignored(py: Python<'_>) -> PyResult<Bound<'_, PyDict>> {
    let keywords = PyDict::new(py);
    keywords.set_item("all", "ignore")?;
    Ok(keywords)
}

/// An array that is masked, or a list with one in it.
fn as_masked<'py>(object: &Bound<'py, PyAny>) -> PyResult<Option<Bound<'py, PyAny>>> {
    if is_masked(object)? {
        return Ok(Some(object.clone()));
    }
    if is_list(object) {
        for item in object.try_iter()? {
            if is_masked(&item?)? {
                let py = object.py();
                return py
                    .import("numpy.ma")?
                    .call_method1("array", (object,))
                    .map(Some);
            }
        }
    }
    Ok(None)
}

fn is_masked(object: &Bound<'_, PyAny>) -> PyResult<bool> {
    Ok(object.is_instance_of::<PyUntypedArray>()
        && !object.is_exact_instance_of::<PyUntypedArray>()
        && object.hasattr(intern!(object.py(), "mask"))?)
}

fn unmasked<'py>(
    object: &Bound<'py, PyAny>,
    argument: Argument,
) -> PyResult<Bound<'py, PyArrayDyn<f64>>> {
    let masked = object.py().import("numpy.ma")?;
    let mask = masked.call_method1("getmaskarray", (object,))?;
    let data = masked.call_method1("getdata", (object,))?;
    let data = data.call_method1("copy", ("C",))?;
    // What lies under the mask is nobody's number, so it can't lose anything either.
    data.set_item(&mask, 0)?;
    let floats = float64(&data, argument)?;
    settle(floats.as_any(), &mask, "is masked", argument)?;
    Ok(floats)
}

/// Refuses the first element that is marked, or makes all of them NaN.
fn settle(
    floats: &Bound<'_, PyAny>,
    marked: &Bound<'_, PyAny>,
    what: &str,
    argument: Argument,
) -> PyResult<()> {
    let flat = numpy(floats.py())?.call_method1("flatnonzero", (marked,))?;
    if flat.len()? == 0 {
        return Ok(());
    }
    if argument.lossy == Lossy::MakeNan {
        return floats.set_item(marked, f64::NAN);
    }
    let shape: Vec<usize> = floats.getattr("shape")?.extract()?;
    Err(argument.lossy(&shape, flat.get_item(0)?.extract()?, what))
}

fn any_beyond_integers(array: &Bound<'_, PyArrayDyn<f64>>) -> PyResult<bool> {
    // From 2^53 on not every integer is a float64.
    const LIMIT: f64 = 9_007_199_254_740_992.0;
    Ok(array.to_vec()?.iter().any(|number| number.abs() >= LIMIT))
}

/// Python's own numbers, each kept exactly or refused.
fn from_objects<'py>(
    array: &Bound<'py, PyUntypedArray>,
    object: &Bound<'py, PyAny>,
    argument: Argument,
) -> PyResult<Bound<'py, PyArrayDyn<f64>>> {
    let shape = array.shape();
    if shape.is_empty() && argument.layout != Layout::Number {
        return Err(argument.wrong_type(&object.get_type().qualname()?.to_string()));
    }
    let mut floats = Vec::with_capacity(array.len());
    for (flat, item) in array
        .call_method0("ravel")?
        .call_method0("tolist")?
        .try_iter()?
        .enumerate()
    {
        let item = item?;
        let float = float_of(&item)?.ok_or_else(|| {
            let found = item
                .get_type()
                .qualname()
                .map_or_else(|_| "?".into(), |n| n.to_string());
            PyTypeError::new_err(format!(
                "{} has a {found}, expected a number",
                argument.locate(shape, flat)
            ))
        })?;
        let is_kept = float.is_nan() || item.eq(float)?;
        floats.push(match (is_kept, argument.lossy) {
            (true, _) => float,
            (false, Lossy::MakeNan) => f64::NAN,
            (false, Lossy::Refuse) => {
                return Err(argument.lossy(shape, flat, &format!("has {item}, {LOSS}")));
            }
        });
    }
    Ok(PyArray1::from_vec(array.py(), floats).reshape(shape)?)
}

/// The float nearest to a number; infinite if there is none near; `None` if it is no number.
fn float_of(item: &Bound<'_, PyAny>) -> PyResult<Option<f64>> {
    let py = item.py();
    let is_no_number = item.is_instance_of::<PyBool>()
        || item.is_instance_of::<PyComplex>()
        || !(item.hasattr(intern!(py, "__float__"))? || item.is_instance_of::<PyInt>());
    if is_no_number || item.hasattr(intern!(py, "ndim"))? && depth(item)? > 0 {
        return Ok(None);
    }
    match item.call_method0(intern!(py, "__float__")) {
        Ok(float) => float.extract().map(Some),
        Err(why) if why.is_instance_of::<PyOverflowError>(py) => Ok(Some(f64::INFINITY)),
        Err(why) => Err(why),
    }
}

/// A one-dimensional array of objects as a list; `None` for anything else.
pub(crate) fn list_of_objects<'py>(
    object: &Bound<'py, PyAny>,
) -> PyResult<Option<Bound<'py, PyAny>>> {
    let array = match object.cast::<PyUntypedArray>() {
        Ok(array) => array.clone(),
        Err(_) if object.hasattr(intern!(object.py(), "__array__"))? => numpy(object.py())?
            .call_method1("asarray", (object,))?
            .cast_into()?,
        Err(_) => return Ok(None),
    };
    if array.ndim() == 1 && kind(&array)? == 'O' {
        return array.call_method0("tolist").map(Some);
    }
    Ok(None)
}

/// One half of `pairs`, as an array of native `int64`s in C order.
pub(crate) fn indices<'py>(
    object: &Bound<'py, PyAny>,
    name: &str,
) -> PyResult<Bound<'py, PyArrayDyn<i64>>> {
    let array: Bound<'py, PyUntypedArray> = numpy(object.py())?
        .call_method1("asarray", (object,))?
        .cast_into()?;
    if array.ndim() != 1 {
        return Err(PyValueError::new_err(format!(
            "{name}: expected shape (K,), got {}",
            tuple(array.shape())
        )));
    }
    match (kind(&array)?, item_size(&array)?) {
        ('i', _) | ('u', ..8) => plain(&array, "int64"),
        ('u', _) => clipped(&array),
        // An empty list has no type of its own.
        ('f', _) if array.is_empty() && is_list(object) => plain(&array, "int64"),
        _ => Err(PyTypeError::new_err(format!(
            "{name}: expected an array of integers, got dtype {}",
            array.getattr("dtype")?
        ))),
    }
}

/// Unsigned indices; those that no `int64` holds become the largest, which is out of range too.
fn clipped<'py>(array: &Bound<'py, PyUntypedArray>) -> PyResult<Bound<'py, PyArrayDyn<i64>>> {
    let values = plain::<u64>(array, "uint64")?.to_vec()?;
    let clip = |value| i64::try_from(value).unwrap_or(i64::MAX);
    let indices = PyArray1::from_vec(array.py(), values.into_iter().map(clip).collect());
    indices.reshape(array.shape())
}
