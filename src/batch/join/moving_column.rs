//! A column of shapes with how they move: by a velocity and a turn per row.

use std::sync::Arc;

use crate::batch::{Column, OperandRows, Shared, TurnRows};
use crate::broad::RowMotions;
use crate::geom::{Bounds, Turn, Vec2};

/// An examined column of shapes, and their displacements over the frame.
#[derive(Debug)]
pub struct MovingColumn {
    /// The polygons.
    pub column: Arc<Column>,
    /// Their displacements, if they move.
    pub velocity: Option<OperandRows<Shared<Vec2>>>,
    /// How they turn, if they do.
    pub turns: Option<TurnRows>,
}

impl MovingColumn {
    /// The displacement of a row.
    pub(crate) fn velocity(&self, row: usize) -> Vec2 {
        self.velocity.as_ref().map_or(Vec2::ZERO, |it| it.at(row))
    }

    /// Whether the boxes of the rows are known: those of the column, which are kept.
    pub(super) fn has_boxes(&self) -> bool {
        self.velocity.is_none() && self.turns.is_none() && self.column.is_indexed()
    }

    /// How the rows move. With groups, their boxes are searched by group.
    pub(crate) fn motions(&self, groups: Option<&[u32]>) -> RowMotions {
        let rows = 0..self.column.len();
        let velocities = self.velocity.as_ref();
        // Only a row without a shape may have another velocity: it sweeps nothing.
        let finite = |v: Vec2| if v.is_finite() { v } else { Vec2::ZERO };
        let velocities = velocities.map(|it| rows.map(|row| finite(it.at(row))).collect());
        let boxes = self.column.index().boxes;
        let turned = (self.turns.as_ref()).map(|turns| self.turned_boxes(turns));
        RowMotions::new(boxes, velocities, turned, groups)
    }

    /// The boxes that the rows sweep by turning.
    pub(super) fn turned_boxes(&self, turns: &TurnRows) -> Vec<Bounds> {
        let boxes = self.column.index().boxes.iter().enumerate();
        let turned = boxes.map(|(row, &bounds)| match turns.at(row) {
            Ok(turn) if turn.angle != 0.0 => self.column.rings(row).map_or(bounds, |rings| {
                let vertices = rings.iter().flatten().copied();
                turn.bounds(vertices).grown(rings.radius())
            }),
            _ => bounds,
        });
        turned.collect()
    }

    pub(crate) fn turn(&self, row: usize) -> Turn {
        let turn = self.turns.as_ref().map(|turns| turns.at(row));
        turn.and_then(Result::ok).unwrap_or(Turn::NONE)
    }
}
