//! Makes commits durable. One thread flushes, for everybody who waits: two flushes at once can deadlock in sled, and one
//! flush does for all commits before it.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, Sender, SyncSender, channel, sync_channel};

use super::StateError;
use crate::failpoint::failpoint;
use crate::meters;

type Waiter = SyncSender<Result<(), StateError>>;

/// The door to the committing thread, which ends with it.
#[derive(Debug, Clone)]
pub(super) struct Committer {
    waiting: Sender<Waiter>,
    /// Commits that may be visible and not yet on the disk.
    under_way: Arc<AtomicUsize>,
}

/// A commit from before its transaction until after its flush.
struct UnderWay<'a>(&'a AtomicUsize);

impl Drop for UnderWay<'_> {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::SeqCst);
    }
}

impl Committer {
    pub(super) fn start(db: sled::Db) -> Result<Self, StateError> {
        let (waiting, waiters) = channel();
        std::thread::Builder::new()
            .name("committer".into())
            .spawn(move || run(&db, &waiters))
            .map_err(|e| StateError::Storage(e.to_string()))?;
        Ok(Self { waiting, under_way: Arc::default() })
    }

    /// Runs a transaction and returns when it is on the disk. Blocks. `stands` is told what a transaction that went
    /// through came to, on the disk or not: it is visible then, and whatever keeps count must follow.
    pub(super) fn commit<T>(
        &self,
        transaction: impl FnOnce() -> Result<T, StateError>,
        stands: impl FnOnce(&T),
    ) -> Result<T, StateError> {
        self.under_way.fetch_add(1, Ordering::SeqCst);
        let _under_way = UnderWay(&self.under_way);
        failpoint("commit asked for");
        let result = transaction()?;
        failpoint("commit visible");
        let flushed = self.flush();
        failpoint("commit on the disk");
        stands(&result);
        flushed.map(|()| result)
    }

    /// A door that leads nowhere: every flush fails.
    #[cfg(test)]
    pub(super) fn ended() -> Self {
        Self { waiting: channel().0, under_way: Arc::default() }
    }

    /// Returns when everything that was visible is on the disk, so that nothing told to a client is ever taken back.
    /// Blocks only while a commit is under way.
    pub(super) fn settle(&self) -> Result<(), StateError> {
        if self.under_way.load(Ordering::SeqCst) == 0 { Ok(()) } else { self.flush() }
    }

    fn flush(&self) -> Result<(), StateError> {
        let ended = || StateError::Storage("the committing thread has ended".into());
        let (waiter, flushed) = sync_channel(1);
        self.waiting.send(waiter).map_err(|_| ended())?;
        flushed.recv().map_err(|_| ended())?
    }
}

fn run(db: &sled::Db, waiters: &Receiver<Waiter>) {
    while let Ok(first) = waiters.recv() {
        let group: Vec<Waiter> = std::iter::once(first).chain(waiters.try_iter()).collect();
        let began = std::time::Instant::now();
        let result = db.flush().map(drop).map_err(StateError::from);
        meters::flushed(began.elapsed(), group.len());
        if let Err(e) = &result {
            tracing::error!(error = %e, "commits could not be written to the disk");
        }
        for waiter in group {
            // Whoever no longer waits does not need to know.
            let _ = waiter.send(result.clone());
        }
    }
}
