//! Runs a query over all rows: cuts the output table into chunks, which threads fill.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

use rayon::prelude::*;

use crate::batch::invalid_row::OnInvalid;
use crate::batch::output::OutputTable;
use crate::batch::query::Query;
use crate::batch::stop::{CancelToken, Stop};

/// Rows that a thread takes at a time: enough that the cost of taking them (0.1 us) vanishes beside
/// their work (about 100 us), few enough to balance the load.
const CHUNK: usize = 1024;

/// Fills the table with the answers to a query, in the rayon pool that this runs in, or in the
/// calling thread if `threads` is 1. The answers, and the error, which is that of the lowest invalid
/// row, depend neither on the threads nor on the chunks.
///
/// # Errors
///
/// If cancelled, or at an invalid row with [`OnInvalid::Raise`].
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

/// Vertices per chunk: with more, a chunk of [`CHUNK`] rows would be too large to balance the load.
const CHUNK_VERTICES: usize = 1 << 16;

/// Rows per chunk: fewer where there are few rows, or where they have many vertices.
fn chunk_rows<Q: Query>(query: &Q, threads: usize) -> usize {
    let share = query.rows().div_ceil(4 * threads.max(1));
    let longest = CHUNK_VERTICES / query.longest().max(1);
    share.min(longest).clamp(1, CHUNK)
}

/// The stop of the lowest row so far; chunks above that row are skipped.
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
