//! Running the core: in the calling thread if it is quick, or made of quick steps between which that thread checks for
//! signals; else in a thread pool, while the calling thread checks for them.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use pyo3::exceptions::PyRuntimeError;
use pyo3::intern;
use pyo3::prelude::*;

use super::{input::errors, python_calls};
use crate::batch::{CancelToken, Stop, memory, thread_pool};

/// Time between two checks for signals during a wait.
const TICK: Duration = Duration::from_millis(50);

/// How long to wait for cancelled work before its thread pool is abandoned.
const GRACE: Duration = Duration::from_millis(200);

/// Work up to this many units is done in the calling thread: a unit takes about 10 ns, and handing work to another thread
/// 6 µs, or 15 to 60 if the core of that thread sleeps. With big numbers a unit costs about 50 µs, so that an interrupt is
/// answered within a second even then.
const QUICK: usize = 1 << 14;

/// How long work that may be quick is tried in the calling thread: a few times what handing it over takes.
const TRIAL: Duration = Duration::from_micros(100);

/// The least and the most steps between two looks at the clock. A look takes 25 ns or more, and a quick row 100. Eight rows
/// that are each as much work as [`QUICK`], all with big numbers, would take seconds; no such data are known.
const STEPS: [usize; 2] = [8, 64];

/// An upper bound for the work on so many rows with so many vertices. The unit is about one vertex
/// of a small polygon; the bound grows with the square of the vertices, as the slowest algorithm does.
#[inline]
pub(crate) fn work(rows: usize, vertices: usize) -> usize {
    rows.saturating_mul(vertices)
        .saturating_mul(vertices.div_ceil(64))
}

/// Pairs of edges that count as a unit of [`work`] in a search that hardly ever looks at all of them. With [`QUICK`] units,
/// those that floats leave open take a second if all do.
const SEARCHED: usize = 1 << 8;

/// The work of a search with a shape of few vertices in another, of which a column keeps a tree.
#[inline]
pub(crate) fn search_work([few, kept]: [usize; 2]) -> usize {
    let few = few.max(1);
    work(1, few).saturating_add(few.saturating_mul(kept) / SEARCHED)
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

/// Tries in the calling thread, detached from the interpreter, work that is long by its bound but most often quick;
/// `None` if it isn't expected to be, or was not done after [`TRIAL`].
pub(crate) fn try_here<T: Send>(
    py: Python<'_>,
    [expected, bound]: [usize; 2],
    work: impl FnOnce(&CancelToken) -> Result<T, Stop> + Send,
) -> PyResult<Option<Result<T, Stop>>> {
    if is_long(expected) || !is_long(bound) {
        return Ok(None);
    }
    let end = Instant::now() + TRIAL;
    let [every, _] = STEPS;
    let control = CancelToken::watched(every, move || Instant::now() < end);
    let outcome = py.detach(|| catch_unwind(AssertUnwindSafe(|| work(&control))));
    let outcome = outcome.map_err(|panic| errors::panicked(&*panic))?;
    Ok(Some(outcome).filter(|it| !matches!(it, Err(Stop::Cancelled))))
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

/// Runs a job, see [`run`], on so many rows with so many vertices at most, which bound the work of a row. If it is quick, and
/// one thread is to answer all rows, the calling thread does, and looks for interrupts itself.
pub(crate) fn run_rows<J: Send + 'static, T: Send + 'static>(
    py: Python<'_>,
    mut job: J,
    [rows, vertices]: [usize; 2],
    threads: Option<usize>,
    answer: impl FnOnce(&mut J, usize, &CancelToken) -> T + Send + 'static,
) -> PyResult<T> {
    let (of_row, of_all) = (work(1, vertices), work(rows, vertices));
    if threads != Some(1) || is_long(of_row) || !is_long(of_all) {
        return run(py, job, of_all, threads, answer);
    }
    memory::headroom(0)?;
    let found = Arc::new(Mutex::new(None));
    // Python tells only its main thread of interrupts. Others must not attach in between: the interpreter may end.
    let control = if is_main_thread(py)? {
        let [least, most] = STEPS;
        let every = (QUICK / of_row.max(1)).clamp(least, most);
        CancelToken::watched(every, watch_for_interrupts(Arc::clone(&found)))
    } else {
        CancelToken::default()
    };
    let outcome = py.detach(|| caught(answer, &mut job, 1, &control));
    if let Some(why) = locked(&found).take() {
        return Err(why);
    }
    outcome.map_err(|panic| errors::panicked(&*panic))
}

fn is_main_thread(py: Python<'_>) -> PyResult<bool> {
    let main: u64 = python_calls::call(py, "threading", "main_thread", ())?
        .getattr(intern!(py, "ident"))?
        .extract()?;
    let own: u64 = python_calls::call(py, "threading", "get_ident", ())?.extract()?;
    Ok(own == main)
}

/// A function that looks for an interrupt if it is time; it returns whether there is none, and keeps it.
fn watch_for_interrupts(found: Arc<Mutex<Option<PyErr>>>) -> impl Fn() -> bool + Send + Sync {
    let last = Mutex::new(Instant::now());
    move || {
        let mut last = locked(&last);
        if last.elapsed() < TICK {
            return true;
        }
        let why = Python::attach(|py| py.check_signals().err());
        *last = Instant::now();
        let goes_on = why.is_none();
        *locked(&found) = why;
        goes_on
    }
}

/// Runs a job, see [`run`], and calls `tell` at intervals during the work, which an error of `tell` cancels.
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
        *locked(&done) = Some((job, outcome));
    });
    in_pool(py, work, threads, &control, &tell)?;
    let done = locked(&done).take();
    let (_job, outcome) = done.ok_or_else(|| errors::internal("no answer"))?;
    outcome.map_err(|panic| errors::panicked(&*panic))
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Not inlined, so that the work is compiled once for all ways to run it.
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
