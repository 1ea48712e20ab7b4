//! Thread pools by number of threads, kept between calls, and work on a list of items in one.

use std::collections::HashMap;
use std::process;
use std::sync::{Arc, Mutex, OnceLock, TryLockError};
use std::thread::available_parallelism;

use rayon::prelude::*;
use rayon::{ThreadPool, ThreadPoolBuildError, ThreadPoolBuilder};

/// The number of a process, and its pools by number of threads.
type Pools = (u32, HashMap<usize, Arc<ThreadPool>>);

/// A pool belongs to the process that made it: its threads don't survive a fork. The lock is only
/// tried, never waited for: if another thread held it at a fork, the child's copy is never released.
static POOLS: Mutex<Option<Pools>> = Mutex::new(None);

/// A pool with this number of threads, kept for later calls in this process.
///
/// # Errors
///
/// If the system can't start the threads.
pub fn pool(threads: usize) -> Result<Arc<ThreadPool>, ThreadPoolBuildError> {
    let mut guard = match POOLS.try_lock() {
        Ok(guard) => guard,
        Err(TryLockError::Poisoned(poisoned)) => poisoned.into_inner(),
        Err(TryLockError::WouldBlock) => return build(threads),
    };
    let own = process::id();
    if guard.as_ref().is_some_and(|(process, _)| *process != own) {
        // The parent's pools are leaked: dropping one would take locks that may be held for ever.
        std::mem::forget(guard.take());
    }
    let (_, pools) = guard.get_or_insert_with(|| (own, HashMap::new()));
    if let Some(pool) = pools.get(&threads) {
        return Ok(Arc::clone(pool));
    }
    let pool = build(threads)?;
    pools.insert(threads, Arc::clone(&pool));
    Ok(pool)
}

/// Makes later calls use a new pool, since this one is busy with abandoned work.
pub fn abandon(threads: usize) {
    if let Ok(mut guard) = POOLS.try_lock()
        && let Some((_, pools)) = &mut *guard
    {
        pools.remove(&threads);
    }
}

fn build(threads: usize) -> Result<Arc<ThreadPool>, ThreadPoolBuildError> {
    ThreadPoolBuilder::new()
        .num_threads(threads)
        .thread_name(|number| format!("carom-{number}"))
        .build()
        .map(Arc::new)
}

/// What `map` makes of each item, in order: in the rayon pool that this runs in, or in the calling thread if
/// `threads` is 1.
pub(super) fn map<I: Send, T: Send, C: FromIterator<T> + FromParallelIterator<T>>(
    items: Vec<I>,
    threads: usize,
    map: impl Fn(I) -> T + Send + Sync,
) -> C {
    if threads == 1 {
        items.into_iter().map(map).collect()
    } else {
        items.into_par_iter().map(map).collect()
    }
}

/// Default number of threads of a call: one for each core, as of the first call. To ask takes 13 µs on Linux, which has the
/// limits of a container in files.
pub fn available() -> usize {
    static AVAILABLE: OnceLock<usize> = OnceLock::new();
    *AVAILABLE.get_or_init(|| available_parallelism().map_or(1, usize::from))
}
