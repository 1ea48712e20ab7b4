//! The largest number of pairs that a join may find, and a count of those found.

use std::sync::atomic::{AtomicUsize, Ordering};

use crate::batch::stop::Stop;

/// The largest number of pairs allowed, and the number found so far.
#[derive(Debug)]
pub(super) struct PairLimit {
    most: usize,
    found: AtomicUsize,
}

impl PairLimit {
    /// A limit of `most` pairs.
    pub(super) fn new(most: usize) -> Self {
        let found = AtomicUsize::new(0);
        Self { most, found }
    }

    /// Counts more pairs.
    pub(super) fn count(&self, more: usize) -> Result<(), Stop> {
        let found = self.found.fetch_add(more, Ordering::Relaxed) + more;
        let most = self.most;
        if found > most {
            return Err(Stop::TooManyPairs { most, found });
        }
        Ok(())
    }
}
