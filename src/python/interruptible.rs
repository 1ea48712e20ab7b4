//! Running the core: in the calling thread if it is quick, else in a thread pool while the calling
//! thread checks for signals.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;

use crate::batch::{CancelToken, memory, thread_pool};
use crate::python::errors;

/// Time between two checks for signals during a wait.
const TICK: Duration = Duration::from_millis(50);

/// How long to wait for cancelled work before its thread pool is abandoned.
const GRACE: Duration = Duration::from_millis(200);

/// Work up to this many units is done in the calling thread: handing work to another one costs
/// about 6 µs, a unit about 10 ns. With big numbers a unit costs about 50 µs, so that an interrupt is
/// answered within a second even then.
const QUICK: usize = 1 << 14;

/// An upper bound for the work on so many rows with so many vertices. The unit is about one vertex
/// of a small polygon; the bound grows with the square of the vertices, as the slowest algorithm does.
#[inline]
pub(crate) fn work(rows: usize, vertices: usize) -> usize {
    rows.saturating_mul(vertices)
        .saturating_mul(vertices.div_ceil(64))
}

/// Whether so much work is done in a thread pool.
#[inline]
pub(crate) fn is_long(work: usize) -> bool {
    work > QUICK
}

/// Runs quick work in the calling thread, attached to the interpreter.
#[inline]
pub(crate) fn here<T>(work: impl FnOnce() -> T) -> PyResult<T> {
    catch_unwind(AssertUnwindSafe(work)).map_err(|panic| errors::panicked(&*panic))
}

/// Runs a job, detached from the interpreter, on so many threads.
///
/// An interrupt is answered at once: the work is cancelled, and abandoned if it doesn't stop.
/// Therefore the job owns all that it uses.
pub(crate) fn run<J: Send + 'static, T: Send + 'static>(
    py: Python<'_>,
    job: J,
    work: usize,
    threads: Option<usize>,
    run: impl FnOnce(&mut J, usize, &CancelToken) -> T + Send + 'static,
) -> PyResult<T> {
    run_with_progress(py, job, work, threads, |_| Ok(()), run)
}

/// As [`run`], with `tell` called at intervals during the work. An error of `tell` cancels the
/// work.
pub(crate) fn run_with_progress<J: Send + 'static, T: Send + 'static>(
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
        let outcome = py.detach(move || caught(run, job, 1, &control));
        return outcome.map_err(|panic| errors::panicked(&*panic));
    }
    let threads = threads.unwrap_or_else(thread_pool::available);
    let control = Arc::new(CancelToken::default());
    // The job comes back with the outcome: after an interrupt the thread that is last drops both. Not by a channel, which
    // is compiled for each type, 10 kB.
    let done = Arc::new(Mutex::new(None));
    let theirs = (Arc::clone(&control), Arc::clone(&done));
    let work = Box::new(move || {
        let (control, done) = theirs;
        let outcome = caught(run, &mut job, threads, &control);
        *done.lock().unwrap_or_else(PoisonError::into_inner) = Some((job, outcome));
    });
    in_pool(py, work, threads, &control, &tell)?;
    let done = done.lock().unwrap_or_else(PoisonError::into_inner).take();
    let (_job, outcome) = done.ok_or_else(|| errors::internal("no answer"))?;
    outcome.map_err(|panic| errors::panicked(&*panic))
}

/// Not inlined, so that the work is compiled once for both ways to run it.
#[inline(never)]
fn caught<J, T>(
    run: impl FnOnce(&mut J, usize, &CancelToken) -> T,
    job: &mut J,
    threads: usize,
    control: &CancelToken,
) -> thread::Result<T> {
    catch_unwind(AssertUnwindSafe(|| run(job, threads, control)))
}

/// Does the work in a thread pool, and returns when it is done, or an interrupt or an error of `tell` has cancelled
/// it. Not generic, so that it is compiled once for all queries.
fn in_pool(
    py: Python<'_>,
    work: Box<dyn FnOnce() + Send>,
    threads: usize,
    control: &CancelToken,
    tell: &dyn Fn(Python<'_>) -> PyResult<()>,
) -> PyResult<()> {
    memory::headroom(0)?;
    let pool = thread_pool::pool(threads)
        .map_err(|why| PyRuntimeError::new_err(format!("can't start {threads} threads: {why}")))?;
    let (sender, mut receiver) = channel();
    pool.spawn(move || {
        work();
        // After an interrupt there is no receiver.
        let _ = sender.send(());
    });
    let stopped = loop {
        match wait_for(py, &mut receiver, TICK) {
            Ok(()) | Err(RecvTimeoutError::Disconnected) => return Ok(()),
            Err(RecvTimeoutError::Timeout) => {}
        }
        if let Err(why) = py.check_signals().and_then(|()| tell(py)) {
            break why;
        }
    };
    control.cancel();
    if wait_for(py, &mut receiver, GRACE) == Err(RecvTimeoutError::Timeout) {
        thread_pool::abandon(threads);
    }
    Err(stopped)
}

fn wait_for(
    py: Python<'_>,
    receiver: &mut Receiver<()>,
    time: Duration,
) -> Result<(), RecvTimeoutError> {
    py.detach(move || receiver.recv_timeout(time))
}
