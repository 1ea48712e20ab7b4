//! The output: one mutable slice per wanted field, cut into chunks of rows.

use std::ops::Range;

use crate::batch::result::{FieldKind, FieldSet, Value};

/// The memory of one field, one or more numbers per row.
#[derive(Debug)]
pub enum OutputColumn<'a> {
    /// Booleans as bytes 0 and 1: before it is written, the caller's memory may hold other bytes,
    /// which no `bool` may.
    Bool(&'a mut [u8]),
    /// Numbers, vectors or segments.
    Float {
        /// All rows, one after the other.
        values: &'a mut [f64],
        /// Floats per row.
        width: usize,
    },
    /// Positions.
    Index(&'a mut [i64]),
    /// Features.
    Feature(&'a mut [i8]),
}

impl<'a> OutputColumn<'a> {
    /// A column of floats for this kind of field.
    pub fn floats(values: &'a mut [f64], kind: FieldKind) -> Self {
        let width = kind.width();
        Self::Float { values, width }
    }

    /// Writes a row.
    ///
    /// # Panics
    ///
    /// If the value is not of the column's kind, or there is no such row.
    #[inline]
    pub fn set(&mut self, row: usize, value: Value) {
        match (self, value) {
            (Self::Bool(values), Value::Bool(value)) => values[row] = u8::from(value),
            (Self::Float { values, .. }, Value::Float(value)) => values[row] = value,
            (Self::Float { values, .. }, Value::Vector(value)) => {
                values[2 * row..2 * row + 2].copy_from_slice(&[value.x, value.y]);
            }
            (Self::Float { values, .. }, Value::Segment([p, q])) => {
                values[4 * row..4 * row + 4].copy_from_slice(&[p.x, p.y, q.x, q.y]);
            }
            (Self::Index(values), Value::Index(value)) => values[row] = value,
            (Self::Feature(values), Value::Feature(value)) => values[row] = value,
            (column, value) => unreachable!("{value:?} in {column:?}"),
        }
    }

    /// Writes the same value to some rows.
    fn fill(&mut self, rows: Range<usize>, value: Value) {
        match (self, value) {
            (Self::Bool(values), Value::Bool(value)) => values[rows].fill(u8::from(value)),
            (Self::Float { values, .. }, Value::Float(value)) => values[rows].fill(value),
            (column, value) => rows.for_each(|row| column.set(row, value)),
        }
    }

    fn split(self, row: usize) -> (Self, Self) {
        match self {
            Self::Bool(values) => pair(values.split_at_mut(row), Self::Bool),
            Self::Float { values, width } => pair(values.split_at_mut(row * width), |values| {
                Self::Float { values, width }
            }),
            Self::Index(values) => pair(values.split_at_mut(row), Self::Index),
            Self::Feature(values) => pair(values.split_at_mut(row), Self::Feature),
        }
    }
}

fn pair<T, U>((head, tail): (T, T), wrap: impl Fn(T) -> U) -> (U, U) {
    (wrap(head), wrap(tail))
}

/// The wanted columns of a chunk of rows.
#[derive(Debug)]
pub struct OutputTable<'a> {
    /// Row of the whole answer at which the chunk starts.
    pub first: usize,
    /// Number of rows.
    pub rows: usize,
    /// Position of each field, and its memory.
    pub columns: Vec<(usize, OutputColumn<'a>)>,
    /// Whether the operands of each row are valid, if that is wanted.
    pub valid: Option<&'a mut [u8]>,
}

impl OutputTable<'_> {
    /// The wanted fields.
    pub(super) fn fields(&self) -> FieldSet {
        let fields: Vec<_> = self.columns.iter().map(|(field, _)| *field).collect();
        FieldSet::new(&fields)
    }

    /// Writes the fields of a row that has an answer.
    #[inline]
    pub(super) fn answer(&mut self, row: usize, value: impl Fn(usize) -> Value) {
        for (field, column) in &mut self.columns {
            column.set(row, value(*field));
        }
        if let Some(valid) = &mut self.valid {
            valid[row] = 1;
        }
    }

    /// Writes the same answer to some rows.
    pub(super) fn answer_all(&mut self, rows: Range<usize>, value: impl Fn(usize) -> Value) {
        for (field, column) in &mut self.columns {
            column.fill(rows.clone(), value(*field));
        }
        if let Some(valid) = &mut self.valid {
            valid[rows].fill(1);
        }
    }

    /// Cuts the table into chunks of `rows` rows; the last one may be shorter.
    pub fn chunks(mut self, rows: usize) -> Vec<Self> {
        let mut pieces = Vec::with_capacity(self.rows.div_ceil(rows));
        while self.rows > rows {
            let (head, tail) = self.split(rows);
            pieces.push(head);
            self = tail;
        }
        pieces.push(self);
        pieces
    }

    fn split(self, row: usize) -> (Self, Self) {
        let mut parts = (Vec::new(), Vec::new());
        for (field, column) in self.columns {
            let (head, tail) = column.split(row);
            parts.0.push((field, head));
            parts.1.push((field, tail));
        }
        let valid = self.valid.map(|valid| valid.split_at_mut(row)).unzip();
        let head = Self {
            first: self.first,
            rows: row,
            columns: parts.0,
            valid: valid.0,
        };
        let tail = Self {
            first: self.first + row,
            rows: self.rows - row,
            columns: parts.1,
            valid: valid.1,
        };
        (head, tail)
    }
}
