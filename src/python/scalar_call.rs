//! The steps of all scalar functions: read the operands, run one query, return or raise.

use std::sync::Arc;

use pyo3::prelude::*;

use crate::batch::lazy_result::Lazy;
use crate::batch::{ArgumentRow, Column, ColumnBuilder, InvalidRow, LazyResult};
use crate::geom::{Circle, Point, Vec2};
use crate::invalid_shape::InvalidShape;
use crate::python::input::expected_argument::{Argument, ItemShape};
use crate::python::input::vector_arguments::{finite_vector, number, vector};
use crate::python::readers::shape_input::{self, Input};
use crate::python::{buffer, crs, input::errors, interruptible};
use crate::shape::{Concave, Shape, open};

/// A shape, or why it is none.
type Examined<'a> = Result<Shape<'a>, InvalidShape>;

/// A polygon of a scalar call.
enum ShapeInput<'a> {
    /// One ring in the caller's array. No Python code runs while it is borrowed.
    Lent(&'a [Point]),
    /// The only row of a column, which may have been examined.
    Row(Arc<Column>),
}

impl ShapeInput<'_> {
    /// Reads a shape from any object, which may run Python code.
    fn copied(object: &Bound<'_, PyAny>, argument: Argument) -> PyResult<Self> {
        if object.is_none() {
            return Err(argument.missing("None"));
        }
        if shape_input::is_missing(object)? {
            return Err(argument.missing("empty"));
        }
        let (row, found) = match shape_input::classify(object)? {
            Input::Column(row) if row.len() == 1 => (row, "the row of a column"),
            input => (Arc::new(shape_input::polygon(&input, argument)?), "empty"),
        };
        if row.rings(0).is_none() {
            return Err(argument.missing(found));
        }
        Ok(Self::Row(row))
    }

    /// Not less than the number of vertices.
    #[inline]
    fn vertices(&self) -> usize {
        match self {
            Self::Lent(ring) => ring.len(),
            Self::Row(column) => column.most_vertices(0),
        }
    }

    /// Whether a column keeps what is known of the shape.
    #[inline]
    fn is_kept(&self) -> bool {
        matches!(self, Self::Row(column) if column.is_validated())
    }

    #[inline]
    fn shape(&self) -> Examined<'_> {
        match self {
            Self::Lent(ring) => Shape::new(*ring),
            Self::Row(column) => shape_of(column),
        }
    }

    fn into_column(self) -> Arc<Column> {
        match self {
            Self::Row(column) => column,
            Self::Lent(ring) => {
                let mut row = ColumnBuilder::default();
                row.push([ring]);
                Arc::new(row.build())
            }
        }
    }
}

/// A column's only row, checked here if the column took it unchecked; without vertices if it is missing.
fn shape_of(column: &Column) -> Examined<'_> {
    let checked = column.is_validated().then(|| column.polygon(0)).flatten();
    match checked {
        Some(checked) => Ok(checked),
        None => Shape::new(column.rings(0).unwrap_or_else(|| (&[][..]).into())),
    }
}

/// The rings in two arrays that need no conversion, without closing vertices.
#[inline]
fn lent<'a>([a, b]: [&'a Bound<'_, PyAny>; 2]) -> Option<[&'a [Point]; 2]> {
    Some([open(buffer::ring(a)?), open(buffer::ring(b)?)])
}

#[inline]
fn two_polygons<'a>([a, b]: [&'a Bound<'_, PyAny>; 2]) -> PyResult<[ShapeInput<'a>; 2]> {
    if let (Some(a), Some(b)) = (buffer::ring(a), buffer::ring(b)) {
        return Ok([ShapeInput::Lent(a), ShapeInput::Lent(b)]);
    }
    // Reading one may run Python code, so neither is borrowed.
    let [first, second] = ["a", "b"].map(|name| Argument::twin(name, ItemShape::Ring));
    let polygons = [
        ShapeInput::copied(a, first)?,
        ShapeInput::copied(b, second)?,
    ];
    if let [ShapeInput::Row(one), ShapeInput::Row(other)] = &polygons {
        crs::refuse_different(a.py(), ["a", "b"], [one, other])?;
    }
    Ok(polygons)
}

/// Runs a filter on two rings that need no conversion; `None` if it decides nothing.
#[inline]
pub(crate) fn by_filter<R>(
    polygons: [&Bound<'_, PyAny>; 2],
    ask: impl FnOnce([&[Point]; 2]) -> Option<R>,
) -> PyResult<Option<R>> {
    match lent(polygons) {
        Some(rings) => interruptible::here(|| ask(rings)),
        None => Ok(None),
    }
}

/// Runs a query on two polygons: first the filter, and if it decides nothing the exact query.
#[inline]
pub(crate) fn lazily<R: Lazy, T: From<LazyResult<R>>>(
    polygons: [&Bound<'_, PyAny>; 2],
    velocity: Vec2,
    margin: f64,
    ask: impl Fn(&Shape<'_>, &Shape<'_>, f64) -> Result<R, Concave> + Send + 'static,
) -> PyResult<T> {
    if margin == 0.0
        && let Some(rings) = lent(polygons)
    {
        // Assigned inside the closure: returning it would move it once more.
        let mut answer = None;
        interruptible::here(|| answer = LazyResult::by_filter(rings, velocity))?;
        if let Some(answer) = answer {
            return Ok(answer.into());
        }
    }
    super::scalar_call::polygons(polygons, Cost::Search, move |a, b| ask(a, b, margin))
        .map(|whole| LazyResult::from(whole).into())
}

/// What a query costs.
#[derive(Clone, Copy)]
pub(crate) enum Cost {
    /// It searches trees of the edges.
    Search,
    /// It takes all vertices into account, so many times.
    Whole(usize),
}

/// Runs a query on two polygons.
#[inline]
pub(crate) fn polygons<R: Send + 'static>(
    polygons: [&Bound<'_, PyAny>; 2],
    cost: Cost,
    ask: impl Fn(&Shape<'_>, &Shape<'_>) -> Result<R, Concave> + Send + 'static,
) -> PyResult<R> {
    let py = polygons[0].py();
    run(py, two_polygons(polygons)?, cost, move |[a, b]| {
        let names = ["a", "b"];
        let (a, b) = (accept(names[0], a)?, accept(names[1], b)?);
        ask(&a, &b).map_err(|Concave { operand, why }| {
            InvalidRow::Shape(ArgumentRow::whole(names[operand]), why)
        })
    })
}

/// Runs a query on one polygon. `several` is the advice if several are given.
#[inline]
pub(crate) fn polygon<R: Send + 'static>(
    polygon: &Bound<'_, PyAny>,
    several: &'static str,
    cost: Cost,
    ask: impl Fn(&Shape<'_>) -> R + Send + 'static,
) -> PyResult<R> {
    let argument = Argument::one("polygon", ItemShape::Ring).advising(several);
    let read = match buffer::ring(polygon) {
        Some(ring) => ShapeInput::Lent(ring),
        None => ShapeInput::copied(polygon, argument)?,
    };
    run(polygon.py(), [read], cost, move |[polygon]| {
        accept("polygon", polygon).map(|polygon| ask(&polygon))
    })
}

#[inline]
fn run<const N: usize, R: Send + 'static>(
    py: Python<'_>,
    polygons: [ShapeInput<'_>; N],
    cost: Cost,
    ask: impl Fn([Examined<'_>; N]) -> Result<R, InvalidRow> + Send + 'static,
) -> PyResult<R> {
    let work = work_on(&polygons, cost);
    let answer = if interruptible::is_long(work) {
        // Copies, and an index of the edges.
        let new = polygons.iter().filter(|it| !it.is_kept());
        let vertices: usize = new.map(ShapeInput::vertices).sum();
        errors::memory(vertices.saturating_mul(256))?;
        let job = polygons.map(ShapeInput::into_column);
        interruptible::run(py, job, work, Some(1), move |columns, _, _| {
            ask(columns.each_ref().map(|it| shape_of(it)))
        })?
    } else {
        interruptible::here(|| ask(polygons.each_ref().map(ShapeInput::shape)))?
    };
    Ok(answer?)
}

/// The work of a query. In a shape that a column keeps, a search with few vertices looks at few of the edges.
#[inline]
fn work_on(polygons: &[ShapeInput<'_>], cost: Cost) -> usize {
    let vertices: usize = polygons.iter().map(ShapeInput::vertices).sum();
    let of_all = |times: usize| interruptible::work(1, vertices.saturating_mul(times));
    match cost {
        Cost::Whole(times) => of_all(times),
        Cost::Search => {
            let kept = polygons.iter().filter(|it| it.is_kept());
            let kept = kept.map(ShapeInput::vertices).max().unwrap_or(0);
            let search = interruptible::search_work([vertices - kept, kept]);
            of_all(1).min(search)
        }
    }
}

#[inline]
fn accept<'a>(name: &'static str, shape: Examined<'a>) -> Result<Shape<'a>, InvalidRow> {
    shape.map_err(|why| InvalidRow::Shape(ArgumentRow::whole(name), why))
}

/// A direction; it must be finite and not zero.
pub(crate) fn direction(object: Option<&Bound<'_, PyAny>>) -> PyResult<Option<Vec2>> {
    let name = "direction";
    let direction = object.map(|it| finite_vector(name, it)).transpose()?;
    match direction {
        Some(zero) if zero == Vec2::ZERO => {
            Err(InvalidRow::Direction(ArgumentRow::whole(name), zero).into())
        }
        direction => Ok(direction),
    }
}

/// A margin; it must be finite and not negative.
#[inline]
pub(crate) fn margin(object: Option<&Bound<'_, PyAny>>) -> PyResult<f64> {
    let Some(object) = object else {
        return Ok(0.0);
    };
    let margin = number(object, Argument::twin("margin", ItemShape::Number))?;
    InvalidRow::check_radius(margin, || ArgumentRow::whole("margin"))?;
    Ok(margin)
}

/// A circle; its center must be finite, its radius finite and not negative.
#[inline]
pub(crate) fn circle(center: &Bound<'_, PyAny>, radius: &Bound<'_, PyAny>) -> PyResult<Circle> {
    let Vec2 { x, y } = vector("center", center)?;
    let radius = number(radius, Argument::twin("radius", ItemShape::Number))?;
    InvalidRow::check_finite(&[x, y], || ArgumentRow::whole("center"))?;
    InvalidRow::check_radius(radius, || ArgumentRow::whole("radius"))?;
    let center = Point::new(x, y);
    Ok(Circle { center, radius })
}
