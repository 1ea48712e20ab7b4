//! Why a batch stops early, and the flag by which a caller stops it.

use std::sync::RwLock;
use std::sync::atomic::{AtomicBool, Ordering};

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
    /// Held for reading by threads that write to the caller's memory.
    writers: RwLock<()>,
}

impl CancelToken {
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
        Ok(())
    }
}
