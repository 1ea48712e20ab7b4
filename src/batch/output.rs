//! The output: one mutable slice per wanted field, cut into chunks of rows.

use super::{FieldKind, FieldSet, Value};

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

    /// Writes the same value to all of the first `rows` rows.
    fn fill(&mut self, rows: usize, value: Value) {
        match (self, value) {
            (Self::Bool(values), Value::Bool(value)) => values.fill(u8::from(value)),
            (Self::Float { values, .. }, Value::Float(value)) => values.fill(value),
            (column, value) => (0..rows).for_each(|row| column.set(row, value)),
        }
    }

    /// Takes the first `rows` rows out of the column; `None` if it has fewer.
    fn take(&mut self, rows: usize) -> Option<Self> {
        Some(match self {
            Self::Bool(values) => Self::Bool(values.split_off_mut(..rows)?),
            Self::Float { values, width } => Self::Float {
                values: values.split_off_mut(..rows * *width)?,
                width: *width,
            },
            Self::Index(values) => Self::Index(values.split_off_mut(..rows)?),
            Self::Feature(values) => Self::Feature(values.split_off_mut(..rows)?),
        })
    }
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

impl<'a> OutputTable<'a> {
    /// The wanted fields.
    pub(super) fn fields(&self) -> FieldSet {
        let fields: Vec<_> = self.columns.iter().map(|(field, _)| *field).collect();
        FieldSet::new(&fields)
    }

    /// Writes the same answer to all rows.
    pub(super) fn answer_all(&mut self, value: impl Fn(usize) -> Value) {
        for (field, column) in &mut self.columns {
            column.fill(self.rows, value(*field));
        }
        if let Some(valid) = &mut self.valid {
            valid.fill(1);
        }
    }

    #[inline]
    pub(super) fn answer(&mut self, row: usize, value: impl Fn(usize) -> Value) {
        for (field, column) in &mut self.columns {
            column.set(row, value(*field));
        }
        if let Some(valid) = &mut self.valid {
            valid[row] = 1;
        }
    }

    /// Cuts the table into chunks of `rows` rows; the last one may be shorter.
    ///
    /// # Panics
    ///
    /// If a column has fewer rows than the table.
    pub fn chunks(mut self, rows: usize) -> impl Iterator<Item = Self> + use<'a> {
        let (first, end) = (self.first, self.first + self.rows);
        let chunk = move |first: usize| {
            let rows = rows.min(end - first);
            let taken = self.columns.iter_mut().map(|(field, column)| {
                let column = column.take(rows).expect("as many rows in every column");
                (*field, column)
            });
            Self {
                first,
                rows,
                columns: taken.collect(),
                valid: self.valid.as_mut().map(|valid| {
                    let taken = valid.split_off_mut(..rows);
                    taken.expect("as many rows in every column")
                }),
            }
        };
        (first..end).step_by(rows).map(chunk)
    }
}
