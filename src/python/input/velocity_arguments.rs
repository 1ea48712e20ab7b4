//! The arguments `velocity`, `velocity_a` and `velocity_b`: how one shape moves relative to another, or how
//! both move.

use std::sync::Arc;

use pyo3::prelude::*;

use super::batch_operand::{Operand, vectors};
use super::broadcasting::Named;
use super::expected_argument::{Argument, ItemShape};
use super::input_error;
use super::keywords::Keywords;
use super::vector_arguments::finite_vector;
use crate::batch::{OnInvalid, Shared, VelocityRows};
use crate::broad::relative;
use crate::geom::{Motion, Vec2};
use crate::python::buffer::Claims;
use crate::python::input::errors;

/// The names of the arguments: the relative velocity, and the velocities of both shapes.
const NAMES: [&str; 3] = ["velocity", "velocity_a", "velocity_b"];

/// Checks that either the relative velocity or one of the others is given.
fn check_given(given: [bool; 3]) -> PyResult<()> {
    match given {
        [false, false, false] => Err(input_error::type_error(
            NAMES[0],
            "missing; give the velocity of a relative to b, or velocity_a and velocity_b",
        )),
        [true, false, false] | [false, ..] => Ok(()),
        _ => Err(input_error::value_error(
            NAMES[0],
            "given together with velocity_a or velocity_b; give either the velocity of a relative to b \
             or those of both",
        )),
    }
}

/// The motion of the first shape of a scalar call relative to the second: a vector, unless the
/// difference of both velocities would be rounded.
#[inline]
pub(crate) fn scalar(given: [Option<&Bound<'_, PyAny>>; 3]) -> PyResult<Motion> {
    if let [Some(velocity), None, None] = given {
        return Ok(finite_vector(NAMES[0], velocity)?.into());
    }
    check_given(given.map(|it| it.is_some()))?;
    let [a, b] =
        [1, 2].map(|it| given[it].map_or(Ok(Vec2::ZERO), |of| finite_vector(NAMES[it], of)));
    let difference = relative(a?.into(), b?);
    Ok(difference.exact_vector().map_or(difference, Motion::from))
}

/// The velocities of a batch, before broadcasting.
pub(crate) enum VelocityOperands {
    /// Those of the first shape relative to the second.
    Relative(Operand<Shared<Vec2>>),
    /// Those of the second shape and, if they are given, of the first.
    Both(Option<Operand<Shared<Vec2>>>, Operand<Shared<Vec2>>),
}

impl VelocityOperands {
    /// Reads the argument `velocity` and the keywords.
    pub(crate) fn read(
        velocity: Option<&Bound<'_, PyAny>>,
        keywords: &Keywords<'_>,
        on_invalid: OnInvalid,
        claims: &mut Claims,
    ) -> PyResult<Self> {
        let given = [
            velocity.cloned(),
            keywords.get(NAMES[1]),
            keywords.get(NAMES[2]),
        ];
        check_given(given.each_ref().map(Option::is_some))?;
        let mut read = |which: usize| {
            let argument =
                Argument::many(NAMES[which], ItemShape::Vector(2)).on_invalid(on_invalid);
            let given = given[which].as_ref();
            given.map(|it| vectors(argument, it, claims)).transpose()
        };
        let [relative, a, b] = [read(0)?, read(1)?, read(2)?];
        match (relative.or(a), b) {
            (a, Some(b)) => Ok(Self::Both(a, b)),
            (Some(a), None) => Ok(Self::Relative(a)),
            (None, None) => unreachable!("one of them is given"),
        }
    }

    /// Names and leading dimensions, for broadcasting.
    pub(crate) fn named(&self) -> impl Iterator<Item = Named<'_>> + Clone {
        let both = match self {
            Self::Relative(velocity) => [Some(velocity), None],
            Self::Both(a, b) => [a.as_ref(), Some(b)],
        };
        both.into_iter().flatten().map(Operand::named)
    }

    /// The rows for an answer of this shape.
    pub(crate) fn rows(self, answer: &[usize]) -> PyResult<VelocityRows> {
        let (a, b) = match self {
            Self::Relative(velocity) => return Ok(velocity.source(answer, None).into()),
            Self::Both(a, b) => (a, b),
        };
        let len = answer.iter().product();
        errors::memory(len * size_of::<Vec2>())?;
        let zero = || Operand::new(NAMES[1], Vec::new(), Arc::new([Vec2::ZERO]) as Shared<Vec2>);
        let a = a.unwrap_or_else(zero);
        Ok(VelocityRows::of_both(
            [a, b].map(|it| it.source(answer, None)),
            len,
        ))
    }
}
