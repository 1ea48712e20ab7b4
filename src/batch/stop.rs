//! Why a batch stops early, and the flag by which a caller stops it.

use std::fmt;
use std::sync::RwLock;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use super::InvalidRow;
use super::memory::OutOfMemory;

/// Why a batch has no answer.
#[derive(Clone, Debug, PartialEq)]
pub enum Stop {
    /// The caller cancelled it, or it was only tried and takes too long.
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

/// How the caller tells work to stop: a flag for worker threads, or a question that work in its own thread asks.
#[derive(Debug, Default)]
pub struct CancelToken {
    cancelled: AtomicBool,
    /// Whom the work asks whether to go on, where no other thread would cancel it.
    watch: Option<Watch>,
    /// Held for reading by threads that write to the caller's memory.
    writers: RwLock<()>,
}

impl CancelToken {
    /// A token for work in one thread, which asks whether to go on after so many steps, most often rows, and whenever it
    /// writes.
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
        self.ask(|_| true)?;
        write();
        Ok(())
    }

    /// An error if cancelled. A watched token counts this as a step.
    #[inline]
    pub(crate) fn proceed(&self) -> Result<(), Stop> {
        self.ask(Watch::is_time)
    }

    /// An error if cancelled, or if it is time to ask the watch and it says so.
    #[inline]
    fn ask(&self, is_time: impl FnOnce(&Watch) -> bool) -> Result<(), Stop> {
        if self.cancelled.load(Ordering::Relaxed) {
            return Err(Stop::Cancelled);
        }
        if let Some(watch) = &self.watch
            && is_time(watch)
            && !(watch.goes_on)()
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
    /// Counts a step; whether it is time to ask. One thread counts, so that no steps are lost.
    fn is_time(&self) -> bool {
        let steps = self.steps.load(Ordering::Relaxed) + 1;
        let is_time = steps >= self.every;
        let steps = if is_time { 0 } else { steps };
        self.steps.store(steps, Ordering::Relaxed);
        is_time
    }
}

impl fmt::Debug for Watch {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "asked every {} steps", self.every)
    }
}
