//! A [`TileQuery`] about one or two polygons per row, for many rows: its operands, and how a row is answered.

use std::sync::Arc;

use crate::batch::column::{Column, Shared};
use crate::batch::invalid_row::InvalidRow;
use crate::batch::on_invalid::OnInvalid;
use crate::batch::operand_rows::OperandRows;
use crate::batch::output::OutputTable;
use crate::batch::query::{Query, fill_one_by_one};
use crate::batch::result_fields::FieldSet;
use crate::batch::shape_cursor::ShapeCursor;
use crate::batch::stop::{CancelToken, Stop};
use crate::batch::tile_driver;
use crate::batch::tile_operands::{Circles, Numbers, TileOperands};
use crate::batch::tile_query::{Row, TileQuery};
use crate::batch::turn_rows::TurnRows;
use crate::batch::velocity_rows::VelocityRows;
use crate::geom::{Bounds, Circle, Turn, Vec2};
use crate::shape::{Concave, RelativeMotion, Shape};

/// One query for many rows.
#[derive(Debug)]
pub struct QueryBatch<Q, const RINGS: usize> {
    /// The query.
    pub query: Q,
    /// Its operands.
    pub operands: QueryOperands<RINGS>,
}

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
    /// The operands for the part of the answer that starts at this row. `is_rounded` says whether the query's
    /// kernel supports radii.
    fn tile_operands(
        &self,
        start: usize,
        fields: FieldSet,
        is_rounded: bool,
    ) -> TileOperands<'_, RINGS> {
        let circle = self.circle.as_ref();
        let velocity = self.velocity.as_ref().map(|it| &it.relative);
        let turns = self.turns.each_ref().map(Option::as_ref);
        TileOperands {
            rings: (self.polygons.each_ref()).map(|it| it.rings(start, is_rounded)),
            circle: circle.map(|(center, radius)| (center.view(start), radius.view(start))),
            velocity: velocity.map(|it| it.view(start)),
            margin: self.margin.as_ref().map(|it| it.view(start)),
            turns: turns.map(|it| it.map(|it| it.view(start))),
            finest: 1.0,
            fields,
        }
    }

    /// The number of vertices that a row has at most.
    fn vertices(&self) -> usize {
        self.polygons.iter().map(OperandRows::longest).sum()
    }

    /// Work that all chunks share.
    fn prepare(&mut self) {
        for polygons in &mut self.polygons {
            polygons.examine_repeated(self.len, self.check);
        }
        let turns = self.turns.iter().flatten();
        if turns.map(|it| &it.angle).all(OperandRows::is_zero) {
            self.turns = [None, None];
        }
        // Without margins, tiles answer all queries.
        if self.margin.as_ref().is_some_and(OperandRows::is_zero) {
            self.margin = None;
        }
    }

    /// The motion in a row, where it is more than the velocity: with turns, or the difference of two
    /// velocities that would be rounded.
    fn motion(
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

    /// The invalid number of a row, if there is one. `is_directed` says that the velocity is a direction, which must
    /// not be zero.
    #[inline]
    fn invalid(&self, row: usize, numbers: &Numbers<f64>, is_directed: bool) -> Option<InvalidRow> {
        let has_numbers = self.circle.is_some() || self.velocity.is_some() || self.margin.is_some();
        has_numbers.then(|| self.invalid_number(row, numbers, is_directed))?
    }

    /// Not inlined: many batches have no numbers.
    #[inline(never)]
    fn invalid_number(
        &self,
        row: usize,
        numbers: &Numbers<f64>,
        is_directed: bool,
    ) -> Option<InvalidRow> {
        let (Circle { center, radius }, velocity) = (numbers.circle(), numbers.velocity());
        let invalid_margin = || {
            let margins = self.margin.as_ref();
            let margins = margins.filter(|_| !Circle::is_radius(numbers.margin));
            margins.map(|it| InvalidRow::Radius(it.argument_row(row), numbers.margin))
        };
        match (&self.circle, &self.velocity) {
            (Some((centers, _)), _) if !center.is_finite() => {
                let center = vec![center.x, center.y];
                Some(InvalidRow::NotFinite(centers.argument_row(row), center))
            }
            (Some((_, radii)), _) if !Circle::is_radius(radius) => {
                Some(InvalidRow::Radius(radii.argument_row(row), radius))
            }
            (_, Some(source)) if !velocity.is_finite() => {
                source.invalid(row).or_else(invalid_margin)
            }
            (_, Some(source)) if is_directed && velocity == Vec2::ZERO => {
                let row = source.relative.argument_row(row);
                Some(InvalidRow::Direction(row, velocity))
            }
            _ => invalid_margin(),
        }
    }
}

/// The operands of rows that are answered one by one.
pub struct RowCursor<'a, const RINGS: usize> {
    operands: TileOperands<'a, RINGS>,
    shapes: [ShapeCursor<'a>; RINGS],
    /// Whether the boxes of all rows were compared, and these are the rows that this left.
    are_near: bool,
}

impl<Q: TileQuery<RINGS>, const RINGS: usize> Query for QueryBatch<Q, RINGS> {
    type Answer = Q::Answer;
    type Cursor<'a> = RowCursor<'a, RINGS>;

    fn rows(&self) -> usize {
        self.operands.len
    }

    fn longest(&self) -> usize {
        self.operands.vertices().saturating_mul(Q::COST)
    }

    fn is_slow(&self) -> bool {
        let vertices = self.operands.vertices();
        let mut turns = self.operands.turns.iter().flatten();
        turns.any(|turns| turns.are_slow(vertices))
    }

    fn prepare(&mut self) {
        self.operands.prepare();
    }

    fn cursor(&self, fields: FieldSet) -> Self::Cursor<'_> {
        let operands = self.operands.tile_operands(0, fields, Q::ROUNDED);
        RowCursor {
            operands,
            shapes: operands.rings.map(ShapeCursor::new),
            are_near: false,
        }
    }

    fn prefetch(&self, rows: &[usize], cursor: &Self::Cursor<'_>) {
        for shapes in &cursor.shapes {
            shapes.prefetch(rows);
        }
    }

    fn answer(
        &self,
        row: usize,
        cursor: &mut Self::Cursor<'_>,
    ) -> Result<Option<Q::Answer>, InvalidRow> {
        let QueryOperands {
            polygons, check, ..
        } = &self.operands;
        let numbers = cursor.operands.numbers(row);
        let refused =
            |operand: usize, why| InvalidRow::Shape(polygons[operand].argument_row(row), why);
        let mut shapes = [None; RINGS];
        for (operand, of_operand) in cursor.shapes.iter_mut().enumerate() {
            let shape = of_operand.at(row, *check);
            shapes[operand] = shape.map_err(|why| refused(operand, why))?;
        }
        if shapes.iter().any(Option::is_none) {
            return Ok(None);
        }
        let turns = match self.operands.invalid(row, &numbers, Q::DIRECTED) {
            None => TurnRows::of_both(&self.operands.turns, row),
            Some(why) => Err(why),
        };
        let turns = match turns {
            Ok(turns) => turns,
            Err(why) if *check => return Err(why),
            Err(_) => return Ok(None),
        };
        let shapes = shapes.map(|shape| shape.expect("none is missing"));
        let fields = cursor.operands.fields;
        let motion = self.operands.motion(row, &numbers, turns);
        let apart = match motion {
            None if !cursor.are_near => apart::<Q, RINGS>(shapes, &numbers, fields),
            _ => None,
        };
        let answer = apart.map_or_else(
            || {
                Q::one(&Row {
                    polygons: shapes,
                    motion: motion.unwrap_or_else(|| numbers.velocity().into()),
                    numbers: &numbers,
                    fields,
                })
            },
            Ok,
        );
        match answer {
            Ok(answer) => {
                self.query.keep(row, &answer);
                Ok(Some(answer))
            }
            Err(_) if !check => Ok(None),
            Err(Concave { operand, why }) => Err(refused(operand, why)),
        }
    }

    fn fill(
        &self,
        table: &mut OutputTable<'_>,
        on_invalid: OnInvalid,
        control: &CancelToken,
    ) -> Result<(), Stop> {
        let mut cursor = self.cursor(table.fields());
        let is_directed = Q::DIRECTED && self.operands.velocity.is_some();
        if is_directed || self.operands.margin.is_some() && !Q::ROUNDED {
            return fill_one_by_one(self, cursor, table, 0..table.rows, on_invalid, control);
        }
        let operands = self
            .operands
            .tile_operands(table.first, table.fields(), Q::ROUNDED);
        let mut open = Vec::new();
        control.write(|| {
            open = if self.operands.turns.iter().any(Option::is_some) {
                Q::fill_turning(&operands, table)
            } else if let Some(open) = Q::fill_with_one(&operands, table) {
                open
            } else {
                let (open, are_near) = tile_driver::fill::<Q, RINGS>(&operands, table, None);
                cursor.are_near = are_near;
                open
            }
        })?;
        fill_one_by_one(self, cursor, table, open, on_invalid, control)
    }
}

/// The answer to polygons whose boxes are known and apart, if it is the same for all such polygons.
fn apart<Q: TileQuery<RINGS>, const RINGS: usize>(
    polygons: [&Shape<'_>; RINGS],
    numbers: &Numbers<f64>,
    fields: FieldSet,
) -> Option<Q::Answer> {
    let answer = Q::same_if_apart(fields)?;
    let mut boxes = [[Vec2::ZERO; 2]; RINGS];
    let is_rounded = polygons.iter().any(|it| it.radius() > 0.0) || numbers.margin > 0.0;
    let of_convex = Q::is_of_convex(fields);
    if is_rounded && of_convex {
        return None;
    }
    for (sides, polygon) in boxes.iter_mut().zip(polygons) {
        if of_convex && !polygon.is_exactly_convex() {
            return None;
        }
        let Bounds { min, max } = polygon.known_bounds()?.grown(numbers.margin);
        *sides = [min.into(), max.into()];
    }
    tile_driver::apart(boxes, numbers).then_some(answer)
}
