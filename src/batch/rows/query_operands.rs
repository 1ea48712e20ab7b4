//! The operands of a query for many rows.

use std::sync::Arc;

use crate::batch::tile::tile_operands::{Circles, Numbers, TileOperands};
use crate::batch::{Column, FieldSet, InvalidRow, OperandRows, Shared, TurnRows, VelocityRows};
use crate::geom::{Turn, Vec2};
use crate::shape::RelativeMotion;

/// The operands of a query for many rows.
#[derive(Debug)]
pub struct QueryOperands<const RINGS: usize> {
    /// The polygons.
    pub polygons: [OperandRows<Arc<Column>>; RINGS],
    /// Center and radius of the circle, if the query has one.
    pub circle: Option<Circles>,
    /// Displacement of the first shape relative to the second, or its direction, if the query has one.
    pub velocity: Option<VelocityRows>,
    /// Distance within which shapes count as touching, if it is not 0.
    pub margin: Option<OperandRows<Shared<f64>>>,
    /// How the first shape and the second turn, if they do.
    pub turns: [Option<TurnRows>; 2],
    /// Number of rows.
    pub len: usize,
    /// Whether the operands are validated.
    pub check: bool,
}

impl<const RINGS: usize> QueryOperands<RINGS> {
    /// The operands for the part of the answer that starts at this row.
    pub(crate) fn tile_operands(&self, start: usize, fields: FieldSet) -> TileOperands<'_, RINGS> {
        let circle = self.circle.as_ref();
        let velocity = self.velocity.as_ref().map(|it| &it.relative);
        let turns = self.turns.each_ref().map(Option::as_ref);
        TileOperands {
            rings: self.polygons.each_ref().map(|it| it.rings(start)),
            circle: circle.map(|(center, radius)| (center.view(start), radius.view(start))),
            velocity: velocity.map(|it| it.view(start)),
            margin: self.margin.as_ref().map(|it| it.view(start)),
            turns: turns.map(|it| it.map(|it| it.view(start))),
            finest: 1.0,
            fields,
        }
    }

    /// The number of vertices that a row has at most.
    pub(crate) fn vertices(&self) -> usize {
        self.polygons.iter().map(OperandRows::longest).sum()
    }

    /// Work that all chunks share.
    pub(crate) fn prepare(&mut self) {
        for polygons in &mut self.polygons {
            polygons.examine_repeated(self.len, self.check);
        }
        let turns = self.turns.iter().flatten();
        if turns.map(|it| &it.angle).all(OperandRows::is_zero) {
            self.turns = [None, None];
        }
        // Tiles without a margin do less.
        if self.margin.as_ref().is_some_and(OperandRows::is_zero) {
            self.margin = None;
        }
    }

    /// The motion in a row, where it is more than the velocity: with turns, or the difference of two
    /// velocities that would be rounded.
    pub(crate) fn motion(
        &self,
        row: usize,
        numbers: &Numbers<f64>,
        turns: Option<[Turn; 2]>,
    ) -> Option<RelativeMotion> {
        let velocity = numbers.velocity();
        let difference = match &self.velocity {
            Some(velocities) if !velocity.is_finite() => velocities.difference(row),
            _ => None,
        };
        (turns.is_some() || difference.is_some()).then(|| RelativeMotion {
            turns,
            ..RelativeMotion::from(difference.unwrap_or(velocity.into()))
        })
    }

    /// Checks the numbers of a row. `is_directed` says that the velocity is a direction, which must not be zero.
    #[inline]
    pub(crate) fn check_numbers(
        &self,
        row: usize,
        numbers: &Numbers<f64>,
        is_directed: bool,
    ) -> Result<(), InvalidRow> {
        if self.circle.is_none() && self.velocity.is_none() && self.margin.is_none() {
            return Ok(());
        }
        self.check_given_numbers(row, numbers, is_directed)
    }

    /// Not inlined: many batches have no numbers.
    #[inline(never)]
    fn check_given_numbers(
        &self,
        row: usize,
        numbers: &Numbers<f64>,
        is_directed: bool,
    ) -> Result<(), InvalidRow> {
        if let Some((centers, radii)) = &self.circle {
            let Vec2 { x, y } = numbers.center;
            InvalidRow::check_finite(&[x, y], || centers.argument_row(row))?;
            InvalidRow::check_radius(numbers.radius, || radii.argument_row(row))?;
        }
        if let (Some(source), Some(velocity)) = (&self.velocity, numbers.velocity) {
            if !velocity.is_finite() {
                source.check_finite(row)?;
            } else if is_directed && velocity == Vec2::ZERO {
                let at = source.relative.argument_row(row);
                return Err(InvalidRow::Direction(at, velocity));
            }
        }
        match &self.margin {
            Some(margins) => InvalidRow::check_radius(numbers.margin, || margins.argument_row(row)),
            None => Ok(()),
        }
    }
}
