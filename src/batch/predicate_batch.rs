//! A predicate of DE-9IM for many pairs of shapes.

use crate::batch::query_batch::ShapeCursor;
use crate::batch::{FieldSet, InvalidRow, Query, QueryOperands};
use crate::shape::{self, Predicate};

/// A predicate for many pairs of shapes.
#[derive(Debug)]
pub struct PredicateBatch {
    /// The predicate.
    pub predicate: Predicate,
    /// The shapes.
    pub operands: QueryOperands<2>,
}

/// The shapes of the last row, and which row of each operand was found to be one that the predicate takes.
pub struct PredicateCursor<'a> {
    shapes: [ShapeCursor<'a>; 2],
    taken: [Option<usize>; 2],
}

impl Query for PredicateBatch {
    type Answer = bool;
    type Cursor<'a> = PredicateCursor<'a>;

    fn rows(&self) -> usize {
        self.operands.len
    }

    fn longest(&self) -> usize {
        self.operands.vertices()
    }

    fn prepare(&mut self) {
        self.operands.prepare();
    }

    fn cursor(&self, _: FieldSet) -> Self::Cursor<'_> {
        let shapes = &self.operands.polygons;
        PredicateCursor {
            shapes: shapes.each_ref().map(|it| ShapeCursor::new(it.rings(0))),
            taken: [None; 2],
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
        PredicateCursor { shapes, taken }: &mut Self::Cursor<'_>,
    ) -> Result<Option<bool>, InvalidRow> {
        let QueryOperands {
            polygons, check, ..
        } = &self.operands;
        let mut found = [None; 2];
        for (operand, shapes) in shapes.iter_mut().enumerate() {
            let at = shapes.row(row);
            let refused = |why| InvalidRow::Shape(polygons[operand].argument_row(row), why);
            let shape = match shapes.at(row, *check) {
                Ok(shape) => shape,
                Err(why) if *check => return Err(refused(why)),
                Err(_) => None,
            };
            if let Some(shape) = shape
                && taken[operand] != Some(at)
            {
                shape::check_for(self.predicate, shape).map_err(refused)?;
                taken[operand] = Some(at);
            }
            found[operand] = shape;
        }
        let [a, b] = found;
        Ok(a.zip(b).map(|(a, b)| shape::relates(a, b, self.predicate)))
    }
}
