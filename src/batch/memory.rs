//! Checks for available memory: an error for the caller instead of an abort.
//!
//! Rust aborts the process when an ordinary allocation fails. Code whose memory grows with the caller's data
//! calls this module first: [`reserve`] for a list that grows, [`check`] before a step that allocates about
//! that many bytes. Small allocations are not checked: [`HEADROOM`] is left free for them.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use memmap2::MmapOptions;

/// Bytes that must be left free for allocations that are not checked. More than 32 MiB, the size up
/// to which glibc adapts its thresholds to freed blocks, so that a check does not change how memory
/// is managed.
const HEADROOM: usize = 64 << 20;

/// Bytes up to which nothing is checked: a check takes three or four microseconds.
const SMALL: usize = 1 << 16;

/// Bytes that [`Allocated`] counts between two checks.
const STEP: usize = 1 << 20;

/// The error for memory that is not available.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OutOfMemory {
    /// How many bytes were asked for.
    pub bytes: usize,
}

/// Checks that this many bytes, and [`HEADROOM`] more, are available now. Up to [`SMALL`] bytes nothing is
/// checked.
pub(crate) fn check(bytes: usize) -> Result<(), OutOfMemory> {
    if bytes > SMALL {
        return headroom(bytes);
    }
    Ok(())
}

/// Checks that this many bytes and [`HEADROOM`] more are available.
pub(crate) fn headroom(bytes: usize) -> Result<(), OutOfMemory> {
    // Mapped, not allocated: an allocation writes into its first page, which takes up to five times as
    // long while other threads run.
    let room = MmapOptions::new()
        .len(bytes.saturating_add(HEADROOM))
        .map_anon();
    room.map(drop).map_err(|_| OutOfMemory { bytes })
}

/// Makes room for more items, as [`Vec::reserve`] does. An error if there is no memory for them, or less than
/// [`HEADROOM`] would be left.
#[inline]
pub(crate) fn reserve<T>(items: &mut Vec<T>, more: usize) -> Result<(), OutOfMemory> {
    if items.capacity() - items.len() >= more {
        return Ok(());
    }
    let bytes = (items.len() + more).saturating_mul(size_of::<T>());
    let outcome = items.try_reserve(more);
    outcome.map_err(|_| OutOfMemory { bytes })?;
    if bytes > SMALL { headroom(0) } else { Ok(()) }
}

/// Counts bytes that several threads allocate in small pieces, and checks now and then that memory is left. Once it is
/// not, nothing more may be allocated.
#[derive(Debug, Default)]
pub(crate) struct Allocated {
    bytes: AtomicUsize,
    is_refused: AtomicBool,
}

impl Allocated {
    /// Counts further bytes. An error if, after another [`STEP`] bytes, less than [`HEADROOM`] is left, or was left
    /// before.
    pub(crate) fn add(&self, bytes: usize) -> Result<(), OutOfMemory> {
        let before = self.bytes.fetch_add(bytes, Ordering::Relaxed);
        let is_step = before / STEP != before.wrapping_add(bytes) / STEP;
        if is_step && headroom(0).is_err() {
            self.is_refused.store(true, Ordering::Relaxed);
        }
        if self.is_refused.load(Ordering::Relaxed) {
            return Err(OutOfMemory { bytes: 0 });
        }
        Ok(())
    }
}
