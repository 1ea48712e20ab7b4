//! A query about two shapes at rest that has no kernel for tiles, for many pairs of shapes.

use super::query_batch::ShapeCursor;
use crate::batch::{FieldSet, InvalidRow, Query, QueryOperands, QueryResult};
use crate::invalid_shape::InvalidShape;
use crate::shape::{self, Predicate, Shape};

/// A query about two shapes.
pub trait PairQuery: Sync + 'static {
    /// The result for one pair.
    type Answer: QueryResult;

    /// Refuses a shape for which the query isn't defined, such as one with a radius.
    ///
    /// # Errors
    ///
    /// If it isn't defined for the shape.
    fn check(&self, shape: &Shape<'_>) -> Result<(), InvalidShape>;

    /// The answer for two shapes, neither of which is refused.
    fn one(&self, a: &Shape<'_>, b: &Shape<'_>) -> Self::Answer;
}

/// [`shape::relates`].
impl PairQuery for Predicate {
    type Answer = bool;

    fn check(&self, shape: &Shape<'_>) -> Result<(), InvalidShape> {
        shape::check_for(*self, shape)
    }

    fn one(&self, a: &Shape<'_>, b: &Shape<'_>) -> bool {
        shape::relates(a, b, *self)
    }
}

/// [`shape::overlap_area`].
#[derive(Clone, Copy, Debug)]
pub struct OverlapAreaQuery;

impl PairQuery for OverlapAreaQuery {
    type Answer = f64;

    fn check(&self, shape: &Shape<'_>) -> Result<(), InvalidShape> {
        shape::check_without_radius(shape)
    }

    fn one(&self, a: &Shape<'_>, b: &Shape<'_>) -> f64 {
        shape::overlap_area(a, b)
    }
}

/// A query for many pairs of shapes.
#[derive(Debug)]
pub struct PairBatch<Q> {
    /// The query.
    pub query: Q,
    /// The shapes.
    pub operands: QueryOperands<2>,
}

/// The shapes of the last row, and which row of each operand was checked.
pub struct PairCursor<'a> {
    shapes: [ShapeCursor<'a>; 2],
    taken: [Option<usize>; 2],
}

impl<Q: PairQuery> Query for PairBatch<Q> {
    type Answer = Q::Answer;
    type Cursor<'a> = PairCursor<'a>;

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
        PairCursor {
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
        PairCursor { shapes, taken }: &mut Self::Cursor<'_>,
    ) -> Result<Option<Q::Answer>, InvalidRow> {
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
                self.query.check(shape).map_err(refused)?;
                taken[operand] = Some(at);
            }
            found[operand] = shape;
        }
        let [a, b] = found;
        Ok(a.zip(b).map(|(a, b)| self.query.one(a, b)))
    }
}
