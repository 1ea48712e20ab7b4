//! The one driver of all batches: cuts the rows into chunks and has them filled.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

use rayon::prelude::*;

use crate::batch::invalid_row::InvalidRow;
use crate::batch::output::OutputTable;
use crate::batch::query::{Outcome, Query};
use crate::batch::thread_pool::CancelToken;

/// What to do about a row whose operands are bad.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OnInvalid {
    /// Answer nothing at all, and tell of the first such row.
    Raise,
    /// Leave the row blank and answer the others.
    Mask,
}

/// Why a batch has no answer.
#[derive(Clone, Debug, PartialEq)]
pub enum Stop {
    /// Someone asked for it.
    Cancelled,
    /// The row of the answer, and what is wrong with an operand of it.
    Refused(usize, InvalidRow),
}

impl OnInvalid {
    pub(super) fn admit<R>(
        self,
        answer: Result<Option<R>, InvalidRow>,
        row: usize,
    ) -> Result<Outcome<R>, Stop> {
        match (answer, self) {
            (Ok(answer), _) => Ok((answer, true)),
            (Err(_), Self::Mask) => Ok((None, false)),
            (Err(fault), Self::Raise) => Err(Stop::Refused(row, fault)),
        }
    }
}

/// Rows that a thread takes at a time: enough to make the price of taking them vanish (a tenth of
/// a microsecond against some hundred), few enough to share out evenly.
const CHUNK: usize = 1024;

/// Fills the table with the answers to a query. The threads are those of the rayon pool that
/// this runs in; with `threads` of 1 it runs where it is called. Neither they nor the cut into
/// chunks changes an answer, nor which error is told: that of the lowest bad row.
///
/// # Errors
///
/// If told to stop, or when a bad row is not to be masked.
pub fn run<Q: Query>(
    query: &Q,
    table: OutputTable<'_>,
    on_invalid: OnInvalid,
    threads: usize,
    control: &CancelToken,
) -> Result<(), Stop> {
    let chunks = table.chunks(chunk_rows(query, threads));
    let lowest = Lowest::new();
    let fill = |mut chunk: OutputTable<'_>| {
        if chunk.first < lowest.row() {
            lowest.keep(query.fill(&mut chunk, on_invalid, control));
        }
    };
    if threads == 1 {
        chunks.into_iter().for_each(fill);
    } else {
        chunks.into_par_iter().for_each(fill);
    }
    let stop = lowest.stop.into_inner();
    stop.unwrap_or_else(PoisonError::into_inner)
        .map_or(Ok(()), Err)
}

/// Vertices above which a chunk of [`CHUNK`] rows would be too much to share out evenly.
const CHUNK_VERTICES: usize = 1 << 16;

/// Fewer rows at a time where there are few rows, or where they are long.
fn chunk_rows<Q: Query>(query: &Q, threads: usize) -> usize {
    let share = query.rows().div_ceil(4 * threads.max(1));
    let longest = CHUNK_VERTICES / query.longest().max(1);
    share.min(longest).clamp(1, CHUNK)
}

/// The stop of the lowest row so far, which lets the chunks above it be skipped.
struct Lowest {
    row: AtomicUsize,
    stop: Mutex<Option<Stop>>,
}

impl Lowest {
    fn new() -> Self {
        Self {
            row: AtomicUsize::new(usize::MAX),
            stop: Mutex::new(None),
        }
    }

    fn row(&self) -> usize {
        self.row.load(Ordering::Relaxed)
    }

    fn keep(&self, outcome: Result<(), Stop>) {
        let Err(stop) = outcome else { return };
        let row = match stop {
            Stop::Cancelled => 0,
            Stop::Refused(row, _) => row,
        };
        let mut kept = self.stop.lock().unwrap_or_else(PoisonError::into_inner);
        if kept.is_none() || row < self.row() {
            self.row.store(row, Ordering::Relaxed);
            *kept = Some(stop);
        }
    }
}
