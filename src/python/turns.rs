//! The arguments `turn_a`, `center_a`, `turn_b` and `center_b`.

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::batch::{ArgumentRow, InvalidRow, OnInvalid, Shared, TurnRows};
use crate::geom::{Point, Turn, Vec2};
use crate::python::argument::{Argument, ItemShape};
use crate::python::buffer::Claims;
use crate::python::errors::{refused, unexpected};
use crate::python::operands::{Named, Operand, PairIndices, vectors};
use crate::python::vectors::{number, vector};

/// The names of the turn and the center of each operand.
pub(crate) const NAMES: [[&str; 2]; 2] = [["turn_a", "center_a"], ["turn_b", "center_b"]];

/// A turn and its center, as the caller gave them.
pub(crate) type GivenTurn<'py> = [Option<Bound<'py, PyAny>>; 2];

/// Which operand turns, and whether the keyword is the turn or its center.
pub(crate) fn keyword(key: &str) -> Option<[usize; 2]> {
    let parts = [[0, 0], [0, 1], [1, 0], [1, 1]];
    parts
        .into_iter()
        .find(|&[side, part]| NAMES[side][part] == key)
}

/// The error for a turn without a center.
fn needs_center([turn, center]: [&str; 2]) -> PyErr {
    PyValueError::new_err(format!(
        "{center}: missing; where {turn} is not 0 the center of the turn is required"
    ))
}

/// The turns of the two shapes of a scalar call, from its keywords; `None` if neither turns.
#[inline]
pub(crate) fn scalar(
    function: &str,
    keywords: Option<&Bound<'_, PyDict>>,
) -> PyResult<Option<[Turn; 2]>> {
    let Some(keywords) = keywords else {
        return Ok(None);
    };
    let mut given = <[GivenTurn<'_>; 2]>::default();
    for (key, value) in keywords {
        let key = key.extract::<String>()?;
        let [side, part] = keyword(&key).ok_or_else(|| unexpected(function, &key))?;
        given[side][part] = Some(value).filter(|value| !value.is_none());
    }
    let turns = [one(NAMES[0], &given[0])?, one(NAMES[1], &given[1])?];
    Ok(Some(turns).filter(|it| it.iter().any(|turn| turn.angle != 0.0)))
}

fn one(
    names @ [turn, center]: [&'static str; 2],
    [angle, about]: &GivenTurn<'_>,
) -> PyResult<Turn> {
    let angle = angle.as_ref().map_or(Ok(0.0), |it| {
        number(it, Argument::twin(turn, ItemShape::Number))
    })?;
    if !Turn::is_angle(angle) {
        return Err(refused(&InvalidRow::Turn(ArgumentRow::whole(turn), angle)));
    }
    if angle == 0.0 {
        return Ok(Turn::NONE);
    }
    let Vec2 { x, y } = vector(center, about.as_ref().ok_or_else(|| needs_center(names))?)?;
    let about = Point::new(x, y);
    if !about.is_finite() {
        let at = ArgumentRow::whole(center);
        return Err(refused(&InvalidRow::Center(at, about)));
    }
    Ok(Turn {
        angle,
        center: about,
    })
}

/// The turns of one operand of a batch, before broadcasting.
pub(crate) struct TurnOperands {
    angle: Operand<Shared<f64>>,
    center: Option<Operand<Shared<Point>>>,
}

impl TurnOperands {
    /// Reads the arguments of these names; `None` without a turn.
    pub(crate) fn read(
        names @ [turn, center]: [&'static str; 2],
        [angle, about]: &GivenTurn<'_>,
        on_invalid: OnInvalid,
        claims: &mut Claims,
    ) -> PyResult<Option<Self>> {
        let Some(angle) = angle else { return Ok(None) };
        let argument = |name, layout| Argument::many(name, layout).on_invalid(on_invalid);
        let angle: Operand<Shared<f64>> =
            vectors(argument(turn, ItemShape::Number), angle, claims)?;
        let turns = |angle: &f64| Turn::is_angle(*angle) && *angle != 0.0;
        let is_used = angle.items().iter().any(|angle| *angle != 0.0);
        let center = match about {
            Some(about) if is_used => {
                let argument = argument(center, ItemShape::Vector(2));
                Some(vectors(argument, about, claims)?)
            }
            None if angle.items().iter().any(turns) => return Err(needs_center(names)),
            _ => None,
        };
        Ok(Some(Self { angle, center }))
    }

    /// Names and leading dimensions, for broadcasting.
    pub(crate) fn named(&self) -> impl Iterator<Item = Named<'_>> {
        let center = self.center.as_ref().map(Operand::named);
        [Some(self.angle.named()), center].into_iter().flatten()
    }

    /// The rows for an answer of this shape.
    pub(crate) fn rows(self, answer: &[usize], picks: Option<&PairIndices>) -> TurnRows {
        TurnRows {
            angle: self.angle.source(answer, picks),
            center: self.center.map(|it| it.source(answer, picks)),
        }
    }

    /// One for all of the `count` rows of another argument, or one each.
    pub(crate) fn per_row(self, name: &'static str, count: usize) -> PyResult<TurnRows> {
        let center = self.center.map(|it| it.per_row(name, count));
        Ok(TurnRows {
            angle: self.angle.per_row(name, count)?,
            center: center.transpose()?,
        })
    }
}
