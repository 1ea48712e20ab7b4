//! Why a batch stops early, and the flag by which a caller stops it.

use std::fmt;
use std::sync::RwLock;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use crate::batch::InvalidRow;
use crate::batch::memory::OutOfMemory;

/// Why a batch has no answer.
#[derive(Clone, Debug, PartialEq)]
pub enum Stop {
    /// The caller cancelled it.
    Cancelled,
    /// The row of the answer, and what is wrong with an operand of it.
    Refused(usize, InvalidRow),
    /// There is no memory for the answer.
    OutOfMemory(OutOfMemory),
    /// A join has more pairs than allowed.
    TooManyPairs {
        /// How many were allowed.
        most: usize,
        /// How many were found until then.
        found: usize,
    },
}

impl From<OutOfMemory> for Stop {
    fn from(why: OutOfMemory) -> Self {
        Self::OutOfMemory(why)
    }
}

/// A flag by which the caller tells the worker threads to stop.
#[derive(Debug, Default)]
pub struct CancelToken {
    cancelled: AtomicBool,
    /// Asked by the work itself whether it goes on, where no other thread would cancel it.
    watch: Option<Watch>,
    /// Held for reading by threads that write to the caller's memory.
    writers: RwLock<()>,
}

impl CancelToken {
    /// A token for work in one thread, which asks after so many steps whether it goes on. A step is a row, or a chunk of
    /// rows that are answered together.
    pub fn watched(every: usize, goes_on: impl Fn() -> bool + Send + Sync + 'static) -> Self {
        let watch = Watch {
            every,
            steps: AtomicUsize::new(0),
            goes_on: Box::new(goes_on),
        };
        Self {
            watch: Some(watch),
            ..Self::default()
        }
    }

    /// Tells all threads to stop before their next row. Nothing is written after this returns.
    pub fn cancel(&self) {
        self.cancelled.store(true, Ordering::Relaxed);
        drop(self.writers.write());
    }

    /// Runs `write`, which writes to memory that belongs to the caller again after a cancel, unless cancelled.
    pub(crate) fn write(&self, write: impl FnOnce()) -> Result<(), Stop> {
        let _writing = self.writers.read();
        self.proceed()?;
        write();
        Ok(())
    }

    /// An error if cancelled.
    #[inline]
    pub(crate) fn proceed(&self) -> Result<(), Stop> {
        if self.cancelled.load(Ordering::Relaxed) {
            return Err(Stop::Cancelled);
        }
        if let Some(watch) = &self.watch
            && !watch.step()
        {
            self.cancelled.store(true, Ordering::Relaxed);
            return Err(Stop::Cancelled);
        }
        Ok(())
    }
}

struct Watch {
    every: usize,
    steps: AtomicUsize,
    goes_on: Box<dyn Fn() -> bool + Send + Sync>,
}

impl Watch {
    /// Counts a step, and asks if it is time. One thread counts: no steps are lost.
    fn step(&self) -> bool {
        let steps = self.steps.load(Ordering::Relaxed) + 1;
        let is_time = steps >= self.every;
        let steps = if is_time { 0 } else { steps };
        self.steps.store(steps, Ordering::Relaxed);
        !is_time || (self.goes_on)()
    }
}

impl fmt::Debug for Watch {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "asked every {} steps", self.every)
    }
}
