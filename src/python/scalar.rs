//! How every scalar function asks: operands in, one question, a fault or an answer out.

use pyo3::prelude::*;

use crate::batch::question::is_radius;
use crate::batch::{Fault, Place};
use crate::geom::{Circle, Point, Vec2};
use crate::polygon::Polygon;
use crate::python::errors::{Advice, refused};
use crate::python::{call, input};

/// Asks about two polygons, on behalf of the noun `N`.
#[inline]
pub(crate) fn polygons<N: Advice, R: Send + 'static>(
    [a, b]: [&Bound<'_, PyAny>; 2],
    ask: impl Fn(&Polygon<'_>, &Polygon<'_>) -> R + Send + 'static,
) -> PyResult<R> {
    let py = a.py();
    let [a, b] = input::rings([("a", a), ("b", b)])?;
    let work = call::work(1, a.len() + b.len());
    let answer = if call::is_long(work) {
        let job = (a.into_owned(), b.into_owned());
        call::run(py, job, work, Some(1), move |(a, b), _, _| pair(a, b, &ask))?
    } else {
        call::here(|| pair(&a, &b, &ask))?
    };
    answer.map_err(|fault| refused::<N>(&fault))
}

/// Asks about a polygon and something that is good already, on behalf of the noun `N`.
#[inline]
pub(crate) fn polygon<N: Advice, R: Send + 'static>(
    polygon: &Bound<'_, PyAny>,
    ask: impl Fn(&Polygon<'_>) -> R + Send + 'static,
) -> PyResult<R> {
    let py = polygon.py();
    let ring = input::ring("polygon", polygon)?;
    let work = call::work(1, ring.len());
    let one = move |ring: &[Point]| accept("polygon", ring).map(|polygon| ask(&polygon));
    let answer = if call::is_long(work) {
        call::run(py, ring.into_owned(), work, Some(1), move |ring, _, _| {
            one(ring)
        })?
    } else {
        call::here(|| one(&ring))?
    };
    answer.map_err(|fault| refused::<N>(&fault))
}

#[inline]
fn pair<R>(
    a: &[Point],
    b: &[Point],
    ask: impl Fn(&Polygon<'_>, &Polygon<'_>) -> R,
) -> Result<R, Fault> {
    Ok(ask(&accept("a", a)?, &accept("b", b)?))
}

#[inline]
fn accept<'a>(name: &'static str, ring: &'a [Point]) -> Result<Polygon<'a>, Fault> {
    Polygon::new(ring).map_err(|why| Fault::Polygon(Place::whole(name), why))
}

/// A velocity that is finite.
#[inline]
pub(crate) fn velocity<N: Advice>(object: &Bound<'_, PyAny>) -> PyResult<Vec2> {
    let velocity = input::vector("velocity", object)?;
    if velocity.is_finite() {
        return Ok(velocity);
    }
    Err(refused::<N>(&Fault::Velocity(
        Place::whole("velocity"),
        velocity,
    )))
}

/// A circle that is one.
#[inline]
pub(crate) fn circle<N: Advice>(
    center: &Bound<'_, PyAny>,
    radius: &Bound<'_, PyAny>,
) -> PyResult<Circle> {
    let Vec2 { x, y } = input::vector("center", center)?;
    let center = Point::new(x, y);
    let radius = input::number("radius", radius)?;
    let fault = if !center.is_finite() {
        Fault::Center(Place::whole("center"), center)
    } else if !is_radius(radius) {
        Fault::Radius(Place::whole("radius"), radius)
    } else {
        return Ok(Circle { center, radius });
    };
    Err(refused::<N>(&fault))
}
