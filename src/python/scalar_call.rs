//! What all scalar functions have in common: read the operands, run one query, return or raise.

use pyo3::prelude::*;

use crate::batch::lazy_result::Lazy;
use crate::batch::{ArgumentRow, Column, ColumnBuilder, InvalidRow, LazyResult, is_radius};
use crate::geom::{Circle, Point, Vec2};
use crate::python::argument::{Argument, ItemShape};
use crate::python::buffer;
use crate::python::errors::refused;
use crate::python::vectors::{number, vector};
use crate::python::{input, interruptible};
use crate::shape::{Concave, Polygon, Rings, open};

/// A polygon as a scalar function reads it.
enum PolygonInput<'a> {
    /// One ring where it lies in the caller's array. The holder runs no Python code meanwhile.
    Lent(&'a [Point]),
    /// The only row of a column.
    Copied(Column),
}

impl PolygonInput<'_> {
    /// Reads a polygon from any object, which may run Python code.
    fn copied(object: &Bound<'_, PyAny>, argument: Argument) -> PyResult<Self> {
        input::polygon(&input::classify(object)?, argument).map(Self::Copied)
    }

    #[inline]
    fn rings(&self) -> Rings<'_> {
        match self {
            Self::Lent(ring) => (*ring).into(),
            Self::Copied(column) => rings_of(column),
        }
    }

    fn into_column(self) -> Column {
        match self {
            Self::Copied(column) => column,
            Self::Lent(ring) => {
                let mut row = ColumnBuilder::default();
                row.push([ring]);
                row.build()
            }
        }
    }
}

/// The rings of a column's only row; one without vertices if the row is missing.
fn rings_of(column: &Column) -> Rings<'_> {
    column.rings(0).unwrap_or_else(|| (&[][..]).into())
}

/// The rings in two arrays that need no conversion, without closing vertices.
#[inline]
fn lent<'a>([a, b]: [&'a Bound<'_, PyAny>; 2]) -> Option<[&'a [Point]; 2]> {
    Some([open(buffer::ring(a)?), open(buffer::ring(b)?)])
}

#[inline]
fn two_polygons<'a>([a, b]: [&'a Bound<'_, PyAny>; 2]) -> PyResult<[PolygonInput<'a>; 2]> {
    if let (Some(a), Some(b)) = (buffer::ring(a), buffer::ring(b)) {
        return Ok([PolygonInput::Lent(a), PolygonInput::Lent(b)]);
    }
    // Reading one may run Python code, so neither may be lent.
    let [first, second] = ["a", "b"].map(|name| Argument::twin(name, ItemShape::Ring));
    Ok([
        PolygonInput::copied(a, first)?,
        PolygonInput::copied(b, second)?,
    ])
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
    ask: impl Fn(&Polygon<'_>, &Polygon<'_>) -> Result<R, Concave> + Send + 'static,
) -> PyResult<T> {
    if let Some(rings) = lent(polygons) {
        // Assigned inside the closure: returning it would move it once more.
        let mut known = None;
        interruptible::here(|| known = R::filtered(rings, velocity))?;
        if let Some(known) = known
            && let Some(answer) = LazyResult::new(known, rings, velocity)
        {
            return Ok(answer.into());
        }
    }
    self::polygons(polygons, ask).map(|whole| LazyResult::from(whole).into())
}

/// Runs a query on two polygons.
#[inline]
pub(crate) fn polygons<R: Send + 'static>(
    [a, b]: [&Bound<'_, PyAny>; 2],
    ask: impl Fn(&Polygon<'_>, &Polygon<'_>) -> Result<R, Concave> + Send + 'static,
) -> PyResult<R> {
    let py = a.py();
    let [a, b] = two_polygons([a, b])?;
    let vertices = a.rings().vertices() + b.rings().vertices();
    let work = interruptible::work(1, vertices);
    let answer = if interruptible::is_long(work) {
        let job = (a.into_column(), b.into_column());
        interruptible::run(py, job, work, Some(1), move |(a, b), _, _| {
            pair(rings_of(a), rings_of(b), &ask)
        })?
    } else {
        interruptible::here(|| pair(a.rings(), b.rings(), &ask))?
    };
    answer.map_err(|fault| refused(&fault))
}

/// Runs a query on one polygon. `several` is the advice if several are given.
#[inline]
pub(crate) fn polygon<R: Send + 'static>(
    polygon: &Bound<'_, PyAny>,
    several: &'static str,
    ask: impl Fn(&Polygon<'_>) -> R + Send + 'static,
) -> PyResult<R> {
    let py = polygon.py();
    let argument = Argument::one("polygon", ItemShape::Ring).advising(several);
    let polygon = match buffer::ring(polygon) {
        Some(ring) => PolygonInput::Lent(ring),
        None => PolygonInput::copied(polygon, argument)?,
    };
    let work = interruptible::work(1, polygon.rings().vertices());
    let one = move |rings: Rings<'_>| accept("polygon", rings).map(|polygon| ask(&polygon));
    let answer = if interruptible::is_long(work) {
        let job = polygon.into_column();
        interruptible::run(py, job, work, Some(1), move |column, _, _| {
            one(rings_of(column))
        })?
    } else {
        interruptible::here(|| one(polygon.rings()))?
    };
    answer.map_err(|fault| refused(&fault))
}

#[inline]
fn pair<R>(
    a: Rings<'_>,
    b: Rings<'_>,
    ask: impl Fn(&Polygon<'_>, &Polygon<'_>) -> Result<R, Concave>,
) -> Result<R, InvalidRow> {
    let names = ["a", "b"];
    let (a, b) = (accept(names[0], a)?, accept(names[1], b)?);
    ask(&a, &b).map_err(|Concave { operand, why }| {
        InvalidRow::Polygon(ArgumentRow::whole(names[operand]), why)
    })
}

#[inline]
fn accept<'a>(name: &'static str, rings: Rings<'a>) -> Result<Polygon<'a>, InvalidRow> {
    Polygon::new(rings).map_err(|why| InvalidRow::Polygon(ArgumentRow::whole(name), why))
}

/// A velocity; it must be finite.
#[inline]
pub(crate) fn velocity(object: &Bound<'_, PyAny>) -> PyResult<Vec2> {
    let velocity = vector("velocity", object)?;
    if velocity.is_finite() {
        return Ok(velocity);
    }
    Err(refused(&InvalidRow::Velocity(
        ArgumentRow::whole("velocity"),
        velocity,
    )))
}

/// A circle; its center must be finite, its radius finite and not negative.
#[inline]
pub(crate) fn circle(center: &Bound<'_, PyAny>, radius: &Bound<'_, PyAny>) -> PyResult<Circle> {
    let Vec2 { x, y } = vector("center", center)?;
    let center = Point::new(x, y);
    let radius = number(radius, Argument::twin("radius", ItemShape::Number))?;
    let fault = if !center.is_finite() {
        InvalidRow::Center(ArgumentRow::whole("center"), center)
    } else if !is_radius(radius) {
        InvalidRow::Radius(ArgumentRow::whole("radius"), radius)
    } else {
        return Ok(Circle { center, radius });
    };
    Err(refused(&fault))
}
