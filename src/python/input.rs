//! The customs house: whatever Python hands over becomes numbers here, or is refused with the
//! name of the argument, the row and the value.

use std::sync::Arc;

use numpy::{PyArray1, PyArrayDyn, PyArrayMethods, PyUntypedArray, PyUntypedArrayMethods};
use pyo3::exceptions::{PyIndexError, PyTypeError, PyValueError};
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::{PyFloat, PyInt, PyTuple};

use crate::batch::{ArgumentRow, Shared};
use crate::geom::{Point, Vec2};
use crate::python::buffer::{self, Claims, Held, HeldMut};
use crate::python::numbers::{
    depth, float64, is_list, is_masked, item_size, kind, numpy, plain, tuple,
};
use crate::python::shapely::{self, Geometries};
use crate::python::{errors, interruptible};
use crate::shape::{Rings, open};

/// What an argument consists of: its last axes.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum ItemShape {
    /// Vertices of a polygon or a ring of it, `(V, 2)`.
    Ring,
    /// Points that are no polygon, with what messages call their number.
    Points(&'static str),
    /// So many numbers in a row.
    Vector(usize),
    /// A number.
    Number,
}

impl ItemShape {
    /// How many axes that is.
    pub(crate) fn axes(self) -> usize {
        match self {
            Self::Ring | Self::Points(_) => 2,
            Self::Vector(_) => 1,
            Self::Number => 0,
        }
    }

    pub(super) fn fits(self, shape: &[usize]) -> bool {
        match self {
            Self::Ring | Self::Points(_) => shape.len() >= 2 && shape.ends_with(&[2]),
            Self::Vector(length) => shape.ends_with(&[length]),
            Self::Number => true,
        }
    }

    fn expected(self, batch: bool) -> String {
        match self {
            Self::Ring if batch => "(..., V, 2)".to_owned(),
            Self::Ring => "(V, 2)".to_owned(),
            Self::Points(count) => format!("({count}, 2)"),
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
    pub layout: ItemShape,
    /// Whether it may have leading dimensions.
    pub batch: bool,
    /// The row of a list that is looked at.
    pub row: Option<usize>,
    /// The ring of a polygon that is looked at.
    pub ring: Option<usize>,
    /// See [`Lossy`].
    pub lossy: Lossy,
    /// What to do about several where one is expected; empty if there is nothing to say.
    pub several: &'static str,
}

/// The advice that the functions with a twin give about several.
pub(crate) const TWIN: &str = "for many at once call the function's `_batch` twin";

impl Argument {
    /// An argument that is one thing.
    pub(crate) const fn one(name: &'static str, layout: ItemShape) -> Self {
        Self {
            name,
            layout,
            batch: false,
            row: None,
            ring: None,
            lossy: Lossy::Refuse,
            several: "",
        }
    }

    /// An argument of a function with a twin.
    pub(crate) const fn twin(name: &'static str, layout: ItemShape) -> Self {
        Self::one(name, layout).advising(TWIN)
    }

    /// The same argument with advice about several.
    pub(crate) const fn advising(self, several: &'static str) -> Self {
        Self { several, ..self }
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
    pub(super) fn locate(&self, shape: &[usize], flat: usize) -> String {
        let (leading, own) = shape.split_at(shape.len().saturating_sub(self.layout.axes()));
        let size = own.iter().product::<usize>().max(1);
        let place = self.place(leading, flat / size);
        match self.layout {
            ItemShape::Ring | ItemShape::Points(_) => {
                format!("{place}: vertex {}", flat % size / 2)
            }
            ItemShape::Vector(_) => format!("{place}: component {}", flat % size),
            ItemShape::Number => place,
        }
    }

    fn place(&self, leading: &[usize], row: usize) -> String {
        let place = match self.row {
            Some(row) => ArgumentRow::row(self.name, &[row + 1], row),
            None => ArgumentRow::row(self.name, leading, row),
        };
        match self.ring {
            Some(ring) => format!("{place}: ring {ring}"),
            None => place.to_string(),
        }
    }

    pub(super) fn place_of_whole(&self) -> String {
        self.place(&[], 0)
    }

    pub(super) fn wrong_type(&self, found: &str) -> PyErr {
        PyTypeError::new_err(format!(
            "{}: expected an array of numbers of shape {}, got {found}",
            self.place_of_whole(),
            self.expected()
        ))
    }

    /// A column where it can't be taken.
    pub(super) fn no_column(&self) -> PyErr {
        let is_one = !self.batch && self.layout.axes() == 2;
        let row = if is_one { "take a row of it" } else { "" };
        self.wrong_type(&with_advice("a column", &[row, self.several]))
    }

    /// Something with more axes than one thing has.
    pub(super) fn too_deep(&self, found: &str, axes: usize) -> PyErr {
        let is_polygon = self.layout == ItemShape::Ring && self.ring.is_none();
        let rings = if is_polygon && axes == 3 {
            "a polygon with holes is a list of rings, like list(array)"
        } else {
            ""
        };
        let several = if self.row.is_none() { self.several } else { "" };
        self.wrong_shape(&with_advice(found, &[rings, several]))
    }

    fn expected(&self) -> String {
        let shape = self.layout.expected(self.batch);
        if self.layout == ItemShape::Ring && !self.batch && self.ring.is_none() {
            return format!("{shape}, or a list of such rings");
        }
        shape
    }

    pub(super) fn wrong_shape(&self, found: &str) -> PyErr {
        PyValueError::new_err(format!(
            "{}: expected shape {}, got {found}",
            self.place_of_whole(),
            self.expected()
        ))
    }

    fn not_one(&self) -> PyErr {
        let twin = match self.row {
            None => "; for many at once call the function's `_batch` twin",
            Some(_) => "",
        };
        let place = self.place_of_whole();
        PyTypeError::new_err(format!(
            "{place}: expected one polygon, got several geometries{twin}"
        ))
    }

    pub(super) fn lossy(&self, shape: &[usize], flat: usize, what: &str) -> PyErr {
        PyValueError::new_err(format!("{} {what}", self.locate(shape, flat)))
    }
}

fn with_advice(found: &str, advice: &[&str]) -> String {
    let given = advice.iter().filter(|it| !it.is_empty());
    given.fold(found.to_owned(), |text, it| format!("{text}; {it}"))
}

/// A polygon for a scalar function.
pub(crate) enum PolygonInput<'a> {
    /// One ring, as it lies in memory. While it is lent the caller runs no Python code.
    Lent(&'a [Point]),
    /// A copy of what was converted.
    Copied(Copied),
}

/// The vertices of a polygon's rings, and where the rings start and the last one ends.
pub(crate) struct Copied {
    vertices: Vec<Point>,
    offsets: Vec<usize>,
}

impl Copied {
    fn new() -> Self {
        Self {
            vertices: Vec::new(),
            offsets: vec![0],
        }
    }

    fn push(&mut self, ring: &[Point]) {
        self.vertices.extend_from_slice(open(ring));
        self.offsets.push(self.vertices.len());
    }

    /// The rings.
    pub(crate) fn rings(&self) -> Rings<'_> {
        Rings::new(&self.vertices, &self.offsets)
    }

    /// The vertices of each ring.
    pub(crate) fn each(&self) -> impl Iterator<Item = &[Point]> {
        self.offsets
            .windows(2)
            .map(|ends| &self.vertices[ends[0]..ends[1]])
    }
}

impl PolygonInput<'_> {
    /// The rings.
    #[inline]
    pub(crate) fn rings(&self) -> Rings<'_> {
        match self {
            Self::Lent(ring) => (*ring).into(),
            Self::Copied(copied) => copied.rings(),
        }
    }

    /// A copy, if it isn't one.
    pub(crate) fn into_copied(self) -> Copied {
        match self {
            Self::Copied(copied) => copied,
            Self::Lent(ring) => {
                let mut copied = Copied::new();
                copied.push(ring);
                copied
            }
        }
    }
}

/// Two rings that lie in memory as they are needed, without their closing vertices.
#[inline]
pub(crate) fn lent<'a>([a, b]: [&'a Bound<'_, PyAny>; 2]) -> Option<[&'a [Point]; 2]> {
    Some([open(buffer::ring(a)?), open(buffer::ring(b)?)])
}

/// Two polygons for a scalar function.
#[inline]
pub(crate) fn polygons<'a>(
    named: [(&'static str, &'a Bound<'_, PyAny>); 2],
) -> PyResult<[PolygonInput<'a>; 2]> {
    if let (Some(a), Some(b)) = (buffer::ring(named[0].1), buffer::ring(named[1].1)) {
        return Ok([PolygonInput::Lent(a), PolygonInput::Lent(b)]);
    }
    // Converting one may run Python code, so that neither is lent.
    let copy = |(name, object)| copied_polygon(object, Argument::twin(name, ItemShape::Ring));
    Ok([
        PolygonInput::Copied(copy(named[0])?),
        PolygonInput::Copied(copy(named[1])?),
    ])
}

/// A polygon for a scalar function.
#[inline]
pub(crate) fn polygon<'a>(
    object: &'a Bound<'_, PyAny>,
    argument: Argument,
) -> PyResult<PolygonInput<'a>> {
    match buffer::ring(object) {
        Some(ring) => Ok(PolygonInput::Lent(ring)),
        None => copied_polygon(object, argument).map(PolygonInput::Copied),
    }
}

/// One polygon, copied: the vertices of a ring, or a sequence of rings.
pub(crate) fn copied_polygon(object: &Bound<'_, PyAny>, argument: Argument) -> PyResult<Copied> {
    match shapely::geometries(object)? {
        Geometries::None => {}
        Geometries::One => return geometry(object, argument),
        Geometries::Many | Geometries::Mixed => return Err(argument.not_one()),
    }
    if depth(object)? == 3 && is_list(object) {
        return copied_rings(object, argument);
    }
    match points(object, argument) {
        // Whatever comes before the first ring is not one, and to be blamed.
        Err(why)
            if is_list(object) && errors::is_refusal(&why, object.py()) && has_ring(object)? =>
        {
            copied_rings(object, argument)
        }
        ring => {
            let mut copied = Copied::new();
            copied.push(&ring?);
            Ok(copied)
        }
    }
}

fn copied_rings(list: &Bound<'_, PyAny>, argument: Argument) -> PyResult<Copied> {
    let mut copied = Copied::new();
    for (ring, item) in list.try_iter()?.enumerate() {
        let argument = Argument {
            ring: Some(ring),
            ..argument
        };
        copied.push(&points(&item?, argument)?);
    }
    Ok(copied)
}

/// The rings of one geometry.
fn geometry(object: &Bound<'_, PyAny>, argument: Argument) -> PyResult<Copied> {
    let column = shapely::read(&argument.place_of_whole(), object, false)?;
    let mut copied = Copied::new();
    match column.rings(0) {
        Some(rings) => rings.iter().for_each(|ring| copied.push(ring)),
        None => copied.push(&[]),
    }
    Ok(copied)
}

/// Whether an item of a list can only be a ring, be it an empty one.
pub(crate) fn has_ring(list: &Bound<'_, PyAny>) -> PyResult<bool> {
    for item in list.try_iter()? {
        let item = item?;
        if depth(&item)? == 2 || is_list(&item) && item.len()? == 0 {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Points, copied.
pub(crate) fn points(object: &Bound<'_, PyAny>, argument: Argument) -> PyResult<Vec<Point>> {
    let numbers = float64(object, argument)?.to_vec()?;
    let (points, _) = numbers.as_chunks();
    Ok(points.iter().map(|&[x, y]| Point::new(x, y)).collect())
}

/// How many points are copied before an interrupt is looked for.
const BLOCK: usize = 1 << 16;

/// Points to keep: copied, unless nobody will write to the memory that they are given in.
pub(crate) fn kept_points(
    object: &Bound<'_, PyAny>,
    argument: Argument,
) -> PyResult<Shared<Point>> {
    let array = float64(object, argument)?;
    let mut claims = Claims::default();
    let given: Held<Point> = claims.read(array.as_any()).map_err(errors::unfit)?;
    if buffer::is_frozen(array.as_untyped()) {
        return Ok(Arc::new(given));
    }
    let py = object.py();
    // NumPy asks for large pages for large arrays, which halves the time that a copy takes.
    let shape = PyTuple::new(py, array.shape())?;
    let copy = numpy(py)?.call_method1(intern!(py, "empty"), (shape,))?;
    let target: HeldMut<Point> = claims.write(&copy).map_err(errors::unfit)?;
    let work = array.len();
    interruptible::run(
        py,
        (given, target),
        work,
        None,
        |(given, target), _, control| {
            let blocks = given
                .as_ref()
                .chunks(BLOCK)
                .zip(target.as_mut().chunks_mut(BLOCK));
            for (from, to) in blocks {
                control.proceed()?;
                to.copy_from_slice(from);
            }
            Ok(())
        },
    )?
    .map_err(|stop| errors::stopped(&stop))?;
    let held: Held<Point> = Claims::default().read(&copy).map_err(errors::unfit)?;
    Ok(Arc::new(held))
}

/// A vector for a scalar function.
#[inline]
pub(crate) fn vector(name: &'static str, object: &Bound<'_, PyAny>) -> PyResult<Vec2> {
    if let Some([x, y]) = buffer::pair(object).or_else(|| small_pair(object)) {
        return Ok(Vec2::new(x, y));
    }
    let numbers = float64(object, Argument::twin(name, ItemShape::Vector(2)))?.to_vec()?;
    Ok(Vec2::new(numbers[0], numbers[1]))
}

/// A number for a scalar function.
#[inline]
pub(crate) fn number(object: &Bound<'_, PyAny>, argument: Argument) -> PyResult<f64> {
    if let Some(number) = small(object) {
        return Ok(number);
    }
    Ok(float64(object, argument)?.to_vec()?[0])
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
    if is_masked(object)? {
        return Err(PyTypeError::new_err(format!(
            "{name}: expected an array of integers, got a masked array"
        )));
    }
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
        ('u', _) => signed(&array, name),
        // An empty list has no type of its own.
        ('f', _) if array.is_empty() => plain(&array, "int64"),
        _ => Err(PyTypeError::new_err(format!(
            "{name}: expected an array of integers, got dtype {}",
            array.getattr("dtype")?
        ))),
    }
}

/// Unsigned indices; no array has a row that no `int64` counts.
fn signed<'py>(
    array: &Bound<'py, PyUntypedArray>,
    name: &str,
) -> PyResult<Bound<'py, PyArrayDyn<i64>>> {
    let values = plain::<u64>(array, "uint64")?.to_vec()?;
    let sign = |(position, value): (usize, u64)| {
        i64::try_from(value).map_err(|_| {
            PyIndexError::new_err(format!("{name}[{position}] is {value}, which is no row"))
        })
    };
    let indices = values.into_iter().enumerate().map(sign);
    let indices = indices.collect::<PyResult<Vec<_>>>()?;
    PyArray1::from_vec(array.py(), indices).reshape(array.shape())
}
