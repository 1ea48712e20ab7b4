//! Running the core: here and now when it is quick, else on other threads while this one watches
//! for signals.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::Duration;

use pyo3::prelude::*;

use crate::batch::{CancelToken, thread_pool};
use crate::python::errors;

/// How often the waiting thread looks for signals.
const TICK: Duration = Duration::from_millis(50);

/// How long cancelled work is waited for before it is left to itself.
const GRACE: Duration = Duration::from_millis(200);

/// Work up to this many units is done where it is called: a join with other threads costs some
/// 6 µs, a unit some 10 ns. Where only big numbers help it is some 50 µs, and even then an interrupt
/// is answered within a second.
const QUICK: usize = 1 << 14;

/// An upper bound for the work of so many rows with so many vertices, in units of about a vertex
/// of a small polygon. It grows with the square of the vertices, as the worst algorithm would.
#[inline]
pub(crate) fn work(rows: usize, vertices: usize) -> usize {
    rows.saturating_mul(vertices)
        .saturating_mul(vertices.div_ceil(64))
}

/// Whether so much work could keep the caller waiting.
#[inline]
pub(crate) fn is_long(work: usize) -> bool {
    work > QUICK
}

/// Does quick work at once, without leaving the interpreter.
#[inline]
pub(crate) fn here<T>(work: impl FnOnce() -> T) -> PyResult<T> {
    catch_unwind(AssertUnwindSafe(work)).map_err(|panic| errors::panicked(&*panic))
}

/// Does the work of a job, detached from the interpreter, with so many threads.
///
/// An interrupt is answered at once, whatever the work is at: it is told to stop, and left to
/// itself if it doesn't. For that the job owns all that it uses.
pub(crate) fn run<J: Send + 'static, T: Send + 'static>(
    py: Python<'_>,
    job: J,
    work: usize,
    threads: Option<usize>,
    run: impl FnOnce(&mut J, usize, &CancelToken) -> T + Send + 'static,
) -> PyResult<T> {
    run_telling(py, job, work, threads, |_| Ok(()), run)
}

/// As [`run`]; while it waits it has something told now and then, and stops if that fails.
pub(crate) fn run_telling<J: Send + 'static, T: Send + 'static>(
    py: Python<'_>,
    mut job: J,
    work: usize,
    threads: Option<usize>,
    tell: impl Fn(Python<'_>) -> PyResult<()>,
    run: impl FnOnce(&mut J, usize, &CancelToken) -> T + Send + 'static,
) -> PyResult<T> {
    if work <= QUICK {
        let control = CancelToken::default();
        let job = &mut job;
        let outcome = py.detach(move || catch_unwind(AssertUnwindSafe(|| run(job, 1, &control))));
        return outcome.map_err(|panic| errors::panicked(&*panic));
    }
    let threads = threads.unwrap_or_else(thread_pool::available);
    watched(py, threads, tell, move |control| {
        let outcome = run(&mut job, threads, control);
        (job, outcome)
    })
    .map(|(_job, outcome)| outcome)
}

fn watched<T: Send + 'static>(
    py: Python<'_>,
    threads: usize,
    tell: impl Fn(Python<'_>) -> PyResult<()>,
    work: impl FnOnce(&CancelToken) -> T + Send + 'static,
) -> PyResult<T> {
    let pool = thread_pool::pool(threads).map_err(errors::internal)?;
    let control = Arc::new(CancelToken::default());
    let (sender, mut receiver) = channel();
    let theirs = Arc::clone(&control);
    pool.spawn(move || {
        let outcome = catch_unwind(AssertUnwindSafe(|| work(&theirs)));
        // Nobody receives it when the caller was interrupted.
        let _ = sender.send(outcome);
    });
    let outcome = wait(py, tell, &mut receiver).inspect_err(|_| {
        control.cancel();
        if wait_for(py, &mut receiver, GRACE).is_err() {
            thread_pool::abandon(threads);
        }
    })?;
    outcome.map_err(|panic| errors::panicked(&*panic))
}

fn wait<T: Send>(
    py: Python<'_>,
    tell: impl Fn(Python<'_>) -> PyResult<()>,
    receiver: &mut Receiver<T>,
) -> PyResult<T> {
    loop {
        match wait_for(py, receiver, TICK) {
            Ok(outcome) => return Ok(outcome),
            Err(RecvTimeoutError::Timeout) => {
                py.check_signals()?;
                tell(py)?;
            }
            Err(RecvTimeoutError::Disconnected) => return Err(errors::internal("no answer")),
        }
    }
}

fn wait_for<T: Send>(
    py: Python<'_>,
    receiver: &mut Receiver<T>,
    time: Duration,
) -> Result<T, RecvTimeoutError> {
    py.detach(move || receiver.recv_timeout(time))
}
