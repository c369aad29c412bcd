//! The workers and their queues.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use fleet::presence::Fleet;

use crate::queued::Queued;

/// The workers of this process and of other machines, and the work that waits for them.
#[derive(Debug, Clone, Default)]
pub struct Work {
    /// Workers on other machines, if the queue reaches any.
    pub fleet: Option<Fleet>,
    /// The queued work.
    pub queued: Queued,
    /// The workers of this process, if it has any.
    pub here: Option<Here>,
}

/// The workers of this process.
#[derive(Debug, Clone)]
pub struct Here {
    /// The name under which they claim jobs.
    pub name: String,
    /// Number of jobs that they can process at once.
    pub slots: usize,
    /// Number of jobs that they are processing.
    pub busy: Arc<AtomicUsize>,
    /// The devices that they render on.
    pub devices: Vec<String>,
}

impl Work {
    /// Returns the number of workers, where the workers of this process count as one.
    pub fn count(&self) -> usize {
        self.fleet.as_ref().map_or(0, |fleet| fleet.workers().len()) + usize::from(self.here.is_some())
    }

    /// Returns the number of jobs in progress and the number of slots, for this process and other machines together.
    pub fn load(&self) -> (u64, u64) {
        let there = self.fleet.iter().flat_map(Fleet::workers);
        let (busy, slots) =
            there.fold((0, 0), |(busy, slots), w| (busy + u64::from(w.busy), slots + u64::from(w.worker.slots)));
        let here =
            self.here.as_ref().map_or((0, 0), |here| (here.busy.load(Ordering::Relaxed) as u64, here.slots as u64));
        (busy + here.0, slots + here.1)
    }
}
