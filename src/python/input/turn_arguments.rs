//! The arguments `turn_a`, `center_a`, `turn_b` and `center_b`.

use pyo3::prelude::*;

use super::batch_operand::{Operand, vectors};
use super::broadcasting::Named;
use super::expected_argument::{Argument, ItemShape};
use super::input_error;
use super::keywords::Keywords;
use super::vector_arguments::{number, vector};
use crate::batch::rows::turn_rows::valid_turn;
use crate::batch::{ArgumentRow, OnInvalid, Shared, TurnRows};
use crate::geom::{DisplayNumber, Point, Turn, Vec2};
use crate::python::buffer::Claims;
use crate::python::scalar_call::Cost;

/// The names of the turn and the center of each operand.
pub(crate) const NAMES: [[&str; 2]; 2] = [["turn_a", "center_a"], ["turn_b", "center_b"]];

/// Whether a turn by this angle needs a center; an invalid one is refused without.
fn needs_center(angle: f64) -> bool {
    Turn::is_angle(angle) && angle != 0.0
}

fn lacks_center(center: &str, at: &ArgumentRow, angle: f64) -> PyErr {
    let angle = DisplayNumber(angle);
    input_error::value_error(
        center,
        format!("missing; {at} is {angle}, and a turn that is not 0 needs its center"),
    )
}

/// What a call with these turns costs: if there are any, for each vertex.
pub(crate) fn cost(turns: Option<[Turn; 2]>) -> Cost {
    let Some(turns) = turns else {
        return Cost::Search;
    };
    let is_slow = |vertices| (turns.iter()).any(|turn| Turn::is_long(turn.angle, vertices));
    Cost::Whole(match [is_slow(0), is_slow(usize::MAX)] {
        [true, _] => usize::MAX,
        // More than 32 vertices make this more work than the calling thread does: see [`Turn::is_long`].
        [_, true] => 32,
        _ => 1,
    })
}

/// The turn and the center of a shape, as a scalar function takes them.
pub(crate) type TurnArguments<'a, 'py> = [Option<&'a Bound<'py, PyAny>>; 2];

/// The turns of the two shapes of a scalar call; `None` if neither turns.
#[inline]
pub(crate) fn scalar([a, b]: [TurnArguments<'_, '_>; 2]) -> PyResult<Option<[Turn; 2]>> {
    if [a, b].iter().flatten().all(Option::is_none) {
        return Ok(None);
    }
    Ok(Turn::of_both([one(NAMES[0], a)?, one(NAMES[1], b)?]))
}

fn one(
    names @ [turn, center]: [&'static str; 2],
    [angle, about]: TurnArguments<'_, '_>,
) -> PyResult<Turn> {
    let at = |part: usize| ArgumentRow::whole(names[part]);
    let angle = angle.map_or(Ok(0.0), |it| {
        number(it, Argument::twin(turn, ItemShape::Number))
    })?;
    let center = match about {
        _ if !needs_center(angle) => Point::ORIGIN,
        Some(about) => vector(center, about).map(|Vec2 { x, y }| Point::new(x, y))?,
        None => return Err(lacks_center(center, &at(0), angle)),
    };
    Ok(valid_turn(angle, center, at)?)
}

/// The turns of one operand of a batch, before broadcasting.
pub(crate) struct TurnOperands {
    angle: Operand<Shared<f64>>,
    center: Option<Operand<Shared<Point>>>,
}

impl TurnOperands {
    /// Reads the arguments of these names; `None` without a turn.
    pub(crate) fn read(
        [turn, center]: [&'static str; 2],
        keywords: &Keywords<'_>,
        on_invalid: OnInvalid,
        claims: &mut Claims,
    ) -> PyResult<Option<Self>> {
        let Some(angle) = keywords.get(turn) else {
            return Ok(None);
        };
        let argument = |name, layout| Argument::many(name, layout).on_invalid(on_invalid);
        let angle = vectors(argument(turn, ItemShape::Number), &angle, claims)?;
        let angles: &[f64] = angle.items();
        let center = match keywords.get(center) {
            Some(about) if angles.iter().any(|angle| *angle != 0.0) => {
                let argument = argument(center, ItemShape::Vector(2));
                Some(vectors(argument, &about, claims)?)
            }
            None => match angles.iter().position(|angle| needs_center(*angle)) {
                Some(at) => return Err(lacks_center(center, &angle.argument_row(at), angles[at])),
                None => None,
            },
            Some(_) => None,
        };
        Ok(Some(Self { angle, center }))
    }

    /// Names and leading dimensions, for broadcasting.
    pub(crate) fn named(&self) -> impl Iterator<Item = Named<'_>> {
        let center = self.center.as_ref().map(Operand::named);
        [Some(self.angle.named()), center].into_iter().flatten()
    }

    pub(crate) fn rows(self, answer: &[usize]) -> TurnRows {
        TurnRows {
            angle: self.angle.source(answer, None),
            center: self.center.map(|it| it.source(answer, None)),
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
