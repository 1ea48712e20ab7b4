//! A query about two shapes at rest that has no kernel for tiles, for many pairs of shapes.

use super::query_batch::ShapeCursor;
use crate::batch::{FieldSet, InvalidRow, Query, QueryOperands, QueryResult};
use crate::invalid_shape::InvalidShape;
use crate::shape::Shape;

/// A query for many pairs of shapes.
#[derive(Debug)]
pub struct PairBatch<C, Q> {
    /// Refuses a shape for which the query isn't defined, such as one with a radius, whether shapes are validated or not.
    pub check: C,
    /// The answer for two shapes, neither of which is refused.
    pub query: Q,
    /// The shapes.
    pub operands: QueryOperands<2>,
}

impl<A, C, Q> Query for PairBatch<C, Q>
where
    A: QueryResult,
    C: Fn(&Shape<'_>) -> Result<(), InvalidShape> + Sync + 'static,
    Q: Fn(&Shape<'_>, &Shape<'_>) -> A + Sync + 'static,
{
    type Answer = A;
    type Cursor<'a> = [ShapeCursor<'a>; 2];

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
        let shapes = self.operands.polygons.each_ref();
        shapes.map(|it| ShapeCursor::new(it.rings(0)))
    }

    fn prefetch(&self, rows: &[usize], cursor: &Self::Cursor<'_>) {
        for shapes in cursor {
            shapes.prefetch(rows);
        }
    }

    fn answer(&self, row: usize, shapes: &mut Self::Cursor<'_>) -> Result<Option<A>, InvalidRow> {
        let mut found = [None; 2];
        for (operand, shapes) in shapes.iter_mut().enumerate() {
            let shape = shapes.at(row, self.operands.check, &self.check);
            let argument = &self.operands.polygons[operand];
            found[operand] =
                shape.map_err(|why| InvalidRow::Shape(argument.argument_row(row), why))?;
        }
        let [a, b] = found;
        Ok(a.zip(b).map(|(a, b)| (self.query)(a, b)))
    }
}
