//! Pools of threads, and how a call on them is cancelled.

use std::collections::HashMap;
use std::process;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, RwLock, TryLockError};

use rayon::{ThreadPool, ThreadPoolBuildError, ThreadPoolBuilder};

use crate::batch::run::Stop;

/// A flag by which the one who asked tells those who work to stop.
#[derive(Debug, Default)]
pub struct CancelToken {
    cancelled: AtomicBool,
    /// Held for reading by those who write to the asker's memory.
    writers: RwLock<()>,
}

impl CancelToken {
    /// Tells everyone to stop before the next row. Nothing is written after this returns.
    pub fn cancel(&self) {
        self.cancelled.store(true, Ordering::Relaxed);
        drop(self.writers.write());
    }

    /// Writes to memory that is again the asker's own once the call was cancelled.
    ///
    /// # Errors
    ///
    /// If told to stop; then nothing is written.
    pub fn write(&self, write: impl FnOnce()) -> Result<(), Stop> {
        let _writing = self.writers.read();
        self.proceed()?;
        write();
        Ok(())
    }

    /// Whether to go on.
    ///
    /// # Errors
    ///
    /// If told to stop.
    #[inline]
    pub fn proceed(&self) -> Result<(), Stop> {
        if self.cancelled.load(Ordering::Relaxed) {
            return Err(Stop::Cancelled);
        }
        Ok(())
    }
}

/// The pools of one process, by number of threads.
struct Pools {
    process: u32,
    pools: Option<HashMap<usize, Arc<ThreadPool>>>,
}

/// A pool lives in the process that made it: its threads don't survive a fork. Nobody waits for
/// this lock, since it may have been held by another thread at the moment of a fork, for ever.
static POOLS: Mutex<Pools> = Mutex::new(Pools {
    process: 0,
    pools: None,
});

/// A pool of so many threads, kept for later calls in this process.
///
/// # Errors
///
/// If the system has no threads to give.
pub fn pool(threads: usize) -> Result<Arc<ThreadPool>, ThreadPoolBuildError> {
    let mut guard = match POOLS.try_lock() {
        Ok(guard) => guard,
        Err(TryLockError::Poisoned(poisoned)) => poisoned.into_inner(),
        Err(TryLockError::WouldBlock) => return build(threads),
    };
    if guard.process != process::id() {
        // The parent's pools are left as they are: to drop one would take the locks in it.
        std::mem::forget(guard.pools.take());
        guard.process = process::id();
    }
    let pools = guard.pools.get_or_insert_default();
    if let Some(pool) = pools.get(&threads) {
        return Ok(Arc::clone(pool));
    }
    let pool = build(threads)?;
    pools.insert(threads, Arc::clone(&pool));
    Ok(pool)
}

/// Makes later calls use another pool, since this one is busy with work that nobody waits for.
pub fn abandon(threads: usize) {
    if let Ok(mut guard) = POOLS.try_lock()
        && let Some(pools) = &mut guard.pools
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

/// How many threads a call uses unless told.
pub fn available() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}
