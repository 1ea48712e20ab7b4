//! Runs a query over all rows: cuts the output table into chunks, which threads fill.

use std::sync::{Mutex, PoisonError};

use rayon::prelude::*;

use super::{CancelToken, OnInvalid, OutputTable, Query, Stop};

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
    let rows = chunk_rows([query.rows(), query.longest()], threads);
    fill_chunks(table, rows, threads, &|chunk| {
        query.fill(chunk, on_invalid, control)
    })
}

/// Fills the table in chunks of so many rows. Apart from [`run`], so that it is compiled once for all queries.
fn fill_chunks(
    table: OutputTable<'_>,
    rows: usize,
    threads: usize,
    fill: &(dyn Fn(&mut OutputTable<'_>) -> Result<(), Stop> + Sync),
) -> Result<(), Stop> {
    // The lowest invalid row so far, and why it stops the batch; chunks above it are skipped.
    let lowest = Mutex::new((usize::MAX, Ok(())));
    let lock = || lowest.lock().unwrap_or_else(PoisonError::into_inner);
    let fill = |mut chunk: OutputTable<'_>| {
        if let Err(stop) = fill(&mut chunk) {
            let row = match stop {
                Stop::Refused(row, _) => row,
                Stop::Cancelled | Stop::OutOfMemory(_) | Stop::TooManyPairs { .. } => 0,
            };
            let mut lowest = lock();
            if row < lowest.0 {
                *lowest = (row, Err(stop));
            }
        }
    };
    // Taken one after the other: a list of them could be too large for the memory, since rows that the
    // caller repeats by a stride of 0 take none.
    let chunks = table.chunks(rows);
    let chunks = chunks.take_while(|chunk| chunk.first < lock().0);
    if threads == 1 {
        chunks.for_each(fill);
    } else {
        chunks.par_bridge().for_each(fill);
    }
    lowest
        .into_inner()
        .unwrap_or_else(PoisonError::into_inner)
        .1
}

/// Vertices per chunk: with more, a chunk of [`CHUNK`] rows would be too large to balance the load.
const CHUNK_VERTICES: usize = 1 << 18;

/// Rows that a chunk has, whatever their vertices, if there are so many: a chunk of one row took 0.5 us more.
const LEAST_ROWS: usize = 16;

/// Rows per chunk: fewer where there are few rows, or where they have many vertices.
fn chunk_rows([rows, vertices]: [usize; 2], threads: usize) -> usize {
    let share = rows.div_ceil(4 * threads.max(1));
    let most = LEAST_ROWS.max(CHUNK_VERTICES / vertices.max(1));
    share.min(most).clamp(1, CHUNK)
}
