//! The write batcher: commits the writes of many jobs in one transaction.
//!
//! Hundreds of workers claim and report at once. If each request had a transaction of its own, each would cost a disk
//! write, wake every writer thread of sled, and contend for sled's single lock, which takes longer than the work done
//! under the lock. So one thread collects the requests that arrived while it was busy and commits them in one
//! transaction. It does not wait for the disk: the committer thread, which flushes several transactions at once,
//! answers the callers.

use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender, channel};

use parking_lot::Mutex;

use crate::state::database::tables::{Abort, Tx};
use crate::state::error::StateError;

/// Result of a transaction: the outer `Err` if the transaction failed, otherwise the result of its flush.
pub(in crate::state) type Written = Result<Result<(), StateError>, StateError>;

/// Maximum number of commits per transaction. A transaction of this size takes about as long as a flush.
const AT_ONCE: usize = 64;

type Run = dyn Fn(&Tx<'_>) -> Result<(), Abort> + Send;
type End<S> = dyn FnOnce(&S, Written) + Send;

/// A commit that may share its transaction with other commits. `S` is the handle to the state.
pub struct Write<S> {
    /// Answers the caller as soon as the commit is visible. A crash may lose such a commit, although a flush follows at
    /// once.
    early: bool,
    /// The body of the transaction. It may run more than once, so it must have no side effects.
    run: Box<Run>,
    /// Runs once the commit is visible: updates the in-memory views and answers the caller.
    end: Box<End<S>>,
}

impl<S> Write<S> {
    /// Makes the caller get its answer before the commit is on the disk.
    pub(in crate::state) fn early(self) -> Self {
        Self { early: true, ..self }
    }

    /// Creates a write from a transaction. If the transaction succeeds, `stands` gets its value, even if the flush
    /// fails later. `reply` gets the result once the commit is on the disk.
    pub(in crate::state) fn new<T: Send + 'static>(
        transaction: impl Fn(&Tx<'_>) -> Result<T, Abort> + Send + 'static,
        stands: impl FnOnce(&S, &T) + Send + 'static,
        reply: impl FnOnce(Result<T, StateError>) + Send + 'static,
    ) -> Self {
        let value = Arc::new(Mutex::new(None));
        let found = Arc::clone(&value);
        let run = move |tx: &Tx<'_>| {
            *found.lock() = None;
            let new = transaction(tx)?;
            *found.lock() = Some(new);
            Ok(())
        };
        let end = move |state: &S, written: Written| {
            let flushed = match written {
                Ok(flushed) => flushed,
                Err(error) => return reply(Err(error)),
            };
            let Some(value) = value.lock().take() else { return reply(Err(lost())) };
            stands(state, &value);
            reply(flushed.map(|()| value));
        };
        Self { early: false, run: Box::new(run), end: Box::new(end) }
    }

    /// Returns whether the caller gets its answer before the commit is on the disk.
    pub(in crate::state) fn is_early(&self) -> bool {
        self.early
    }

    /// Runs the body of the transaction.
    pub(in crate::state) fn run(&self, tx: &Tx<'_>) -> Result<(), Abort> {
        (self.run)(tx)
    }

    /// Updates the in-memory views and answers the caller.
    pub(in crate::state) fn end(self, state: &S, written: Written) {
        (self.end)(state, written);
    }
}

/// The error of a commit whose thread panicked or has ended.
pub(in crate::state) fn lost() -> StateError {
    StateError::Storage("a task of the state ended".into())
}

/// Handle to the write batcher's thread. The thread ends when this handle is dropped.
#[derive(Debug, Clone)]
pub(in crate::state) struct Batcher<S> {
    writes: Sender<(S, Write<S>)>,
}

impl<S: Send + 'static> Batcher<S> {
    /// Starts the thread, which passes the writes of each batch to `commit`.
    pub(in crate::state) fn start(commit: fn(&S, Vec<Write<S>>)) -> Result<Self, StateError> {
        let (writes, waiting) = channel();
        std::thread::Builder::new()
            .name("batcher".into())
            .spawn(move || run(&waiting, commit))
            .map_err(|e| StateError::Storage(e.to_string()))?;
        Ok(Self { writes })
    }

    /// Passes a write to the thread.
    ///
    /// # Errors
    /// [`StateError::Storage`] if the thread has ended.
    pub(in crate::state) fn send(&self, state: S, write: Write<S>) -> Result<(), StateError> {
        self.writes.send((state, write)).map_err(|_| lost())
    }
}

fn run<S>(waiting: &Receiver<(S, Write<S>)>, commit: fn(&S, Vec<Write<S>>)) {
    while let Ok((state, first)) = waiting.recv() {
        let others = waiting.try_iter().take(AT_ONCE - 1).map(|(_, write)| write);
        commit(&state, std::iter::once(first).chain(others).collect());
    }
}
