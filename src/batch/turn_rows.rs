//! How the shapes of each row turn.

use fearless_simd::prelude::*;

use crate::batch::column::Shared;
use crate::batch::invalid_row::{InvalidRow, valid_turn};
use crate::batch::operands::{ItemRows, Source};
use crate::batch::tile_rows::TileRows;
use crate::geom::{Point, Turn};
use crate::simd::lanes::Vectors;
use crate::simd::tile::{self, Lane};

/// The turns of one operand's shapes, row by row.
#[derive(Debug)]
pub struct TurnRows {
    /// The angles.
    pub angle: Source<Shared<f64>>,
    /// What they turn about; `None` if all angles are 0.
    pub center: Option<Source<Shared<Point>>>,
}

impl TurnRows {
    /// The turn of a row.
    ///
    /// # Errors
    ///
    /// If the angle is too large or NaN, or if it is not 0 and the center is infinite or NaN.
    pub fn at(&self, row: usize) -> Result<Turn, InvalidRow> {
        let angle = self.angle.at(row);
        let source = self.center.as_ref().filter(|_| angle != 0.0);
        let center = source.map_or(Point::ORIGIN, |it| it.at(row));
        valid_turn(angle, center, |part| match source {
            Some(center) if part == 1 => center.argument_row(row),
            _ => self.angle.argument_row(row),
        })
    }

    /// The rows from this one on.
    pub(super) fn view(&self, start: usize) -> TurnView<'_> {
        TurnView {
            angle: self.angle.view(start),
            center: self.center.as_ref().map(|it| it.view(start)),
        }
    }

    /// The turns of `a` and `b` in a row; `None` if neither turns.
    pub(super) fn of_both(
        sides: &[Option<Self>; 2],
        row: usize,
    ) -> Result<Option<[Turn; 2]>, InvalidRow> {
        let at = |side: &Option<Self>| side.as_ref().map_or(Ok(Turn::NONE), |it| it.at(row));
        Ok(Turn::of_both([at(&sides[0])?, at(&sides[1])?]))
    }
}

/// The same for a part of the answer.
#[derive(Clone, Copy)]
pub struct TurnView<'a> {
    angle: ItemRows<'a, f64>,
    center: Option<ItemRows<'a, Point>>,
}

impl TurnView<'_> {
    /// The angles and the centers of eight rows; centers without a meaning may be anything.
    #[inline(always)]
    pub(super) fn eight<S: Simd>(&self, simd: S, rows: &TileRows) -> (Lane<S>, Vectors<Lane<S>>) {
        let angle = tile::numbers(simd, self.angle.eight(rows));
        let center = match &self.center {
            Some(center) => tile::points(simd, &center.eight(rows)),
            None => Vectors::both(Lane::splat(simd, 0.0)),
        };
        (angle, center)
    }
}
