//! How the shapes of each row turn, and which turns are valid.

use super::operand_rows::ItemRows;
use crate::batch::memory::OutOfMemory;
use crate::batch::{ArgumentRow, InvalidRow, OperandRows, Shared};
use crate::geom::{Point, Turn};

/// The angles and the centers for a part of the answer.
pub(crate) type TurnView<'a> = (ItemRows<'a, f64>, Option<ItemRows<'a, Point>>);

/// The turns of one operand's shapes, row by row.
#[derive(Debug)]
pub struct TurnRows {
    /// The angles.
    pub angle: OperandRows<Shared<f64>>,
    /// What they turn about; `None` if all angles are 0.
    pub center: Option<OperandRows<Shared<Point>>>,
}

/// The turn by an angle about a center, if it is valid; `at` names the row of the one and of the other.
pub(crate) fn valid_turn(
    angle: f64,
    center: Point,
    at: impl FnOnce(usize) -> ArgumentRow,
) -> Result<Turn, InvalidRow> {
    if !Turn::is_angle(angle) {
        Err(InvalidRow::Turn(at(0), angle))
    } else if !center.is_finite() {
        Err(InvalidRow::NotFinite(at(1), vec![center.x, center.y]))
    } else {
        Ok(Turn::new(angle, center))
    }
}

impl TurnRows {
    /// The turn of a row, if it is valid; a center counts only where the angle is not 0.
    pub(crate) fn at(&self, row: usize) -> Result<Turn, InvalidRow> {
        let angle = self.angle.at(row);
        let source = self.center.as_ref().filter(|_| angle != 0.0);
        let center = source.map_or(Point::ORIGIN, |it| it.at(row));
        valid_turn(angle, center, |part| match source {
            Some(center) if part == 1 => center.argument_row(row),
            _ => self.angle.argument_row(row),
        })
    }

    /// Whether a single row with so many vertices may take seconds.
    pub(crate) fn are_slow(&self, vertices: usize) -> bool {
        self.angle.any(|angle| Turn::is_long(angle, vertices))
    }

    /// With memory of its own: see [`OperandRows::owned`].
    pub(crate) fn owned(self) -> Result<Self, OutOfMemory> {
        Ok(Self {
            angle: self.angle.owned()?,
            center: self.center.map(OperandRows::owned).transpose()?,
        })
    }

    /// The rows from this one on.
    pub(crate) fn view(&self, start: usize) -> TurnView<'_> {
        let center = self.center.as_ref().map(|it| it.view(start));
        (self.angle.view(start), center)
    }

    /// The turns of `a` and `b` in a row; `None` if neither turns.
    #[inline]
    pub(crate) fn of_both(
        sides: &[Option<Self>; 2],
        row: usize,
    ) -> Result<Option<[Turn; 2]>, InvalidRow> {
        if sides.iter().all(Option::is_none) {
            return Ok(None);
        }
        let at = |side: &Option<Self>| side.as_ref().map_or(Ok(Turn::NONE), |it| it.at(row));
        Ok(Turn::of_both([at(&sides[0])?, at(&sides[1])?]))
    }
}
