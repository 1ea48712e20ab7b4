//! Rows with any number of intervals, and `contact_intervals` of many pairs, whose answer they are.

use std::sync::PoisonError;

use crate::batch::memory;
use crate::batch::queries::moving_queries::ContactIntervalsQuery;
use crate::batch::{
    CancelToken, FieldKind, OnInvalid, OutputColumn, OutputTable, Query, QueryBatch, Stop, run,
};
use crate::shape::TimeIntervals;

/// The intervals of all rows, one row after the other.
#[derive(Clone, Debug)]
pub struct IntervalRows {
    /// From when until when, two numbers each.
    pub intervals: Vec<f64>,
    /// The index of the first interval of each row; at the end the number of all.
    pub offsets: Vec<i64>,
    /// Whether the operands of each row are valid, where rows are masked.
    pub valid: Option<Vec<u8>>,
}

impl QueryBatch<ContactIntervalsQuery, 2> {
    /// All intervals of these pairs; see [`run()`].
    ///
    /// # Errors
    ///
    /// If cancelled, at an invalid row with [`OnInvalid::Raise`], or if there is no memory for them.
    pub fn intervals(
        &mut self,
        on_invalid: OnInvalid,
        threads: usize,
        control: &CancelToken,
    ) -> Result<IntervalRows, Stop> {
        self.prepare();
        let rows = self.rows();
        // Whether they touch, a first interval and an offset.
        memory::check(rows.saturating_mul(2 + 3 * size_of::<f64>()))?;
        let (mut touch, mut first) = (vec![0; rows], vec![0.0; 2 * rows]);
        let mut valid = (on_invalid == OnInvalid::Mask).then(|| vec![0; rows]);
        let table = OutputTable {
            first: 0,
            rows,
            columns: vec![
                (TimeIntervals::TOUCH, OutputColumn::Bool(&mut touch)),
                (
                    TimeIntervals::FIRST,
                    OutputColumn::floats(&mut first, FieldKind::Vector),
                ),
            ],
            valid: valid.as_deref_mut(),
        };
        run(self, table, on_invalid, threads, control)?;
        let several = self.query.several.get_mut();
        let several = several.unwrap_or_else(PoisonError::into_inner);
        several.sort_unstable_by_key(|(row, _)| *row);
        let more = several.iter().map(|(_, intervals)| 2 * intervals.len());
        if let more @ 1.. = more.sum::<usize>() {
            memory::check((first.len() + more).saturating_mul(size_of::<f64>()))?;
        }
        let (intervals, offsets) = in_order(&touch, first, several);
        Ok(IntervalRows {
            intervals,
            offsets,
            valid,
        })
    }
}

/// The intervals of all rows and where those of each row start, given which rows have any, the first of
/// each, and the rows with several.
fn in_order(
    touch: &[u8],
    mut first: Vec<f64>,
    several: &[(usize, TimeIntervals)],
) -> (Vec<f64>, Vec<i64>) {
    let mut offsets = Vec::with_capacity(touch.len() + 1);
    let (pairs, _) = first.as_chunks_mut::<2>();
    let (mut written, mut total) = (0, 0);
    offsets.push(total);
    for (row, &touches) in touch.iter().enumerate() {
        // In place: rows are only moved to positions that were already read. Without a branch, which could
        // not be predicted.
        pairs[written] = pairs[row];
        written += usize::from(touches);
        total += i64::from(touches);
        offsets.push(total);
    }
    first.truncate(2 * written);
    if several.is_empty() {
        return (first, offsets);
    }
    let (mut all, mut copied, mut added) = (Vec::new(), 0, 0);
    for (position, (row, intervals)) in several.iter().enumerate() {
        let until = 2 * usize::try_from(offsets[row + 1]).unwrap_or(0);
        all.extend_from_slice(&first[copied..until]);
        all.extend_from_slice(intervals[1..].as_flattened());
        copied = until;
        added += i64::try_from(intervals.len() - 1).unwrap_or(0);
        let after = several
            .get(position + 1)
            .map_or(touch.len(), |(next, _)| *next);
        for offset in &mut offsets[row + 1..=after] {
            *offset += added;
        }
    }
    all.extend_from_slice(&first[copied..]);
    (all, offsets)
}
