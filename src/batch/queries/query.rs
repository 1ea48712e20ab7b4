//! A query over the rows of a batch, answered one row at a time.

use crate::batch::memory;
use crate::batch::{CancelToken, FieldSet, InvalidRow, OnInvalid, OutputTable, QueryResult, Stop};

/// A query with an answer for every row.
pub trait Query: Sync + 'static {
    /// The result for one row.
    type Answer: QueryResult;
    /// State that is kept from one row to the next.
    type Cursor<'a>;

    /// Whether a row may meet any number of shapes, so that [`Self::longest`] does not bound its cost.
    const SEARCHES: bool = false;

    /// Number of rows.
    fn rows(&self) -> usize;

    /// An upper bound of the vertices of a row: the measure of its cost.
    fn longest(&self) -> usize;

    /// Whether a single row may take seconds.
    fn is_slow(&self) -> bool {
        false
    }

    /// Work that all chunks share. Called once, before the first chunk.
    fn prepare(&mut self) {}

    /// A new cursor, for a chunk of which these fields are wanted.
    fn cursor(&self, fields: FieldSet) -> Self::Cursor<'_>;

    /// Reads memory of rows that are answered next, so that the processor waits for all of it at once rather
    /// than row by row.
    fn prefetch(&self, rows: &[usize], cursor: &Self::Cursor<'_>) {
        let _ = (rows, cursor);
    }

    /// Answers a row; `None` if an operand is missing.
    ///
    /// # Errors
    ///
    /// If an operand of the row is invalid.
    fn answer(
        &self,
        row: usize,
        cursor: &mut Self::Cursor<'_>,
    ) -> Result<Option<Self::Answer>, InvalidRow>;

    /// Fills a chunk, by default row by row. A query that answers several rows at once overrides
    /// this, and leaves the rows that it can't decide to [`fill_one_by_one`].
    ///
    /// # Errors
    ///
    /// If cancelled, or at an invalid row with [`OnInvalid::Raise`].
    fn fill(
        &self,
        table: &mut OutputTable<'_>,
        on_invalid: OnInvalid,
        control: &CancelToken,
    ) -> Result<(), Stop> {
        let cursor = self.cursor(table.fields());
        fill_one_by_one(self, cursor, table, 0..table.rows, on_invalid, control)
    }
}

/// Rows answered before their columns are written, so that each column is written in one go and
/// the answers stay in the first-level cache (some 10 kB).
const BLOCK: usize = 64;

/// Rows whose memory is read together before they are answered. The number is not tuned.
const AHEAD: usize = 16;

/// Rows from which on it is checked that memory is left: columns keep results of queries about their rows,
/// such as convex pieces. The check takes as long as a few rows.
const MANY: usize = 128;

/// Fills some rows of a chunk, in ascending order, each by itself.
pub(super) fn fill_one_by_one<Q: Query + ?Sized>(
    query: &Q,
    mut cursor: Q::Cursor<'_>,
    table: &mut OutputTable<'_>,
    rows: impl IntoIterator<Item = usize>,
    on_invalid: OnInvalid,
    control: &CancelToken,
) -> Result<(), Stop> {
    let first = table.first;
    let mut rows = rows.into_iter().map(|row| first + row);
    if rows.size_hint().0 >= MANY {
        memory::headroom(0)?;
    }
    let (mut next, mut block) = (Vec::new(), Vec::new());
    loop {
        next.clear();
        next.extend(rows.by_ref().take(BLOCK));
        block.clear();
        for rows in next.chunks(AHEAD) {
            query.prefetch(rows, &cursor);
            for &row in rows {
                control.proceed()?;
                match query.answer(row, &mut cursor) {
                    Ok(answer) => block.push((row - first, true, answer)),
                    Err(why) if on_invalid == OnInvalid::Raise => {
                        return Err(Stop::Refused(row, why));
                    }
                    Err(_) => block.push((row - first, false, None)),
                }
            }
        }
        if block.is_empty() {
            return Ok(());
        }
        control.write(|| write(table, &block))?;
    }
}

/// Writes rows: the number of each, whether its operands are valid, and its answer.
fn write<R: QueryResult>(table: &mut OutputTable<'_>, block: &[(usize, bool, Option<R>)]) {
    for (field, column) in &mut table.columns {
        let blank = R::FIELDS[*field].kind.blank();
        for (row, _, answer) in block {
            column.set(*row, answer.as_ref().map_or(blank, |it| it.value(*field)));
        }
    }
    if let Some(valid) = &mut table.valid {
        for &(row, is_valid, _) in block {
            valid[row] = u8::from(is_valid);
        }
    }
}
