//! A [`TileQuery`] about one or two polygons per row, for many rows, and how a row is answered.

use std::hint::black_box;

use super::query::fill_one_by_one;
use crate::batch::rows::polygon_operand::PolygonOperand;
use crate::batch::tile::tile_driver;
use crate::batch::tile::tile_operands::{Numbers, TileOperands};
use crate::batch::tile::tile_query::Row;
use crate::batch::{
    CancelToken, FieldSet, InvalidRow, OnInvalid, OutputTable, Query, QueryOperands, Stop,
    TileQuery, TurnRows,
};
use crate::geom::{Bounds, Vec2};
use crate::invalid_shape::InvalidShape;
use crate::shape::{Concave, Shape};

/// One query for many rows.
#[derive(Debug)]
pub struct QueryBatch<Q, const RINGS: usize> {
    /// The query.
    pub query: Q,
    /// Its operands.
    pub operands: QueryOperands<RINGS>,
}

/// Reads polygons one by one. A row of the operand that the next row of the answer takes again is
/// not validated again.
pub struct ShapeCursor<'a> {
    rings: PolygonOperand<'a>,
    last: Option<(usize, Result<Option<Shape<'a>>, InvalidShape>)>,
}

impl<'a> ShapeCursor<'a> {
    pub(super) fn new(rings: PolygonOperand<'a>) -> Self {
        Self { rings, last: None }
    }

    /// Reads memory of the polygons of some rows of the answer.
    pub(super) fn prefetch(&self, rows: &[usize]) {
        let PolygonOperand {
            column, rows: map, ..
        } = self.rings;
        let read = rows.iter().map(|&row| column.read_ahead(map.at(row)));
        black_box(read.sum::<f64>());
    }

    /// The polygon of a row of the answer, see [`PolygonOperand::polygon`], unless the query refuses it.
    #[inline]
    pub(super) fn at(
        &mut self,
        row: usize,
        check: bool,
        refuse: impl FnOnce(&Shape<'a>) -> Result<(), InvalidShape>,
    ) -> Result<Option<&Shape<'a>>, InvalidShape> {
        let row = self.rings.rows.at(row);
        if self.last.as_ref().is_none_or(|(last, _)| *last != row) {
            let (_, polygon) = self.last.insert((row, self.rings.polygon(row, check)));
            if let Ok(Some(shape)) = polygon
                && let Err(why) = refuse(shape)
            {
                *polygon = Err(why);
            }
        }
        let (_, polygon) = self.last.as_ref().expect("just read");
        polygon.as_ref().map(Option::as_ref).map_err(|why| *why)
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
        let operands = self.operands.tile_operands(0, fields);
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
            let shape = of_operand.at(row, *check, |_| Ok(()));
            shapes[operand] = shape.map_err(|why| refused(operand, why))?;
        }
        if shapes.iter().any(Option::is_none) {
            return Ok(None);
        }
        let checked = self.operands.check_numbers(row, &numbers, Q::DIRECTED);
        let turns = match checked.and_then(|()| TurnRows::of_both(&self.operands.turns, row)) {
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
        if Q::DIRECTED && self.operands.velocity.is_some() {
            return fill_one_by_one(self, cursor, table, 0..table.rows, on_invalid, control);
        }
        let operands = self.operands.tile_operands(table.first, table.fields());
        let mut open = Vec::new();
        control.write(|| {
            open = Q::fill_otherwise(&operands, table).unwrap_or_else(|| {
                let (open, are_near) = tile_driver::fill::<Q, RINGS>(&operands, table, None);
                cursor.are_near = are_near;
                open
            });
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
