//! The velocities of each row.

use std::slice;
use std::sync::Arc;

use crate::batch::{InvalidRow, OperandRows, Rows, Shared};
use crate::broad::relative;
use crate::geom::{Motion, Vec2};

/// Displacements of the first shape relative to the second, row by row, or their directions.
#[derive(Debug)]
pub struct VelocityRows {
    /// The displacements; NaN where one is a difference of two that is not exactly a vector of
    /// floats.
    pub(crate) relative: OperandRows<Shared<Vec2>>,
    /// The displacements of both shapes, if both were given.
    both: Option<[OperandRows<Shared<Vec2>>; 2]>,
}

impl VelocityRows {
    /// The differences of the displacements of two shapes, in `rows` rows.
    pub fn of_both(both: [OperandRows<Shared<Vec2>>; 2], rows: usize) -> Self {
        let exact = |row| difference(&both, row).exact_vector().unwrap_or(Vec2::NAN);
        let relative: Vec<_> = (0..rows).map(exact).collect();
        Self {
            relative: OperandRows::new("velocity", vec![rows], Arc::new(relative), Rows::Same),
            both: Some(both),
        }
    }

    /// The difference of the two displacements in a row, not rounded, if both were given.
    pub(crate) fn difference(&self, row: usize) -> Option<Motion> {
        self.both.as_ref().map(|both| difference(both, row))
    }

    /// Checks that what was given for a row is finite.
    pub(crate) fn check_finite(&self, row: usize) -> Result<(), InvalidRow> {
        let given = match &self.both {
            Some(both) => both,
            None => slice::from_ref(&self.relative),
        };
        given.iter().try_for_each(|it| it.check_finite(row))
    }
}

impl From<OperandRows<Shared<Vec2>>> for VelocityRows {
    fn from(relative: OperandRows<Shared<Vec2>>) -> Self {
        let both = None;
        Self { relative, both }
    }
}

fn difference([a, b]: &[OperandRows<Shared<Vec2>>; 2], row: usize) -> Motion {
    relative(a.at(row).into(), b.at(row))
}
