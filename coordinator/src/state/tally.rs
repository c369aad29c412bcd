//! How many images this process saw finished and failed: for what looks at it from minute to minute.

use std::sync::atomic::{AtomicU64, Ordering};

/// Images since the process began.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Tally {
    /// Finished.
    pub done: u64,
    /// Failed for good.
    pub failed: u64,
}

impl Tally {
    /// What came after `before`.
    pub fn since(self, before: Self) -> Self {
        Self { done: self.done - before.done, failed: self.failed - before.failed }
    }
}

/// Counts them.
#[derive(Debug, Default)]
pub(super) struct Tallies {
    done: AtomicU64,
    failed: AtomicU64,
}

impl Tallies {
    pub(super) fn add(&self, outputs: u32, failed: bool) {
        let counter = if failed { &self.failed } else { &self.done };
        counter.fetch_add(outputs.into(), Ordering::Relaxed);
    }

    pub(super) fn now(&self) -> Tally {
        Tally { done: self.done.load(Ordering::Relaxed), failed: self.failed.load(Ordering::Relaxed) }
    }
}
