//! The write batcher: commits the writes of many jobs in one transaction.
//!
//! Hundreds of workers claim and report at once. If each request had a transaction of its own, each would cost a disk
//! write, wake every writer thread of sled, and contend for sled's single lock, which takes longer than the work done
//! under the lock. So one thread collects the requests that arrived while it was busy and commits them in one
//! transaction. It does not wait for the disk: the committer thread, which flushes several transactions at once,
//! answers the callers.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use fleet::failpoint::failpoint;
use tokio::sync::oneshot;

use super::table::{Abort, Tx};
use super::{StateError, Store};

/// Result of a transaction: the outer `Err` if the transaction failed, otherwise the result of its flush.
type Written = Result<Result<(), StateError>, StateError>;

/// Maximum number of commits per transaction. A transaction of this size takes about as long as a flush.
const AT_ONCE: usize = 64;

type Run = dyn Fn(&Tx<'_>) -> Result<(), Abort> + Send;
type End = dyn FnOnce(&Store, Written) + Send;

/// A commit that may share its transaction with other commits.
pub struct Filing {
    /// Answers the caller as soon as the commit is visible. A crash may lose such a commit, although a flush follows at
    /// once.
    early: bool,
    /// The body of the transaction. It may run more than once, so it must have no side effects.
    run: Box<Run>,
    /// Runs once the commit is visible: updates the in-memory views and answers the caller.
    end: Box<End>,
}

impl Filing {
    /// Makes the caller get its answer before the commit is on the disk.
    pub(super) fn early(self) -> Self {
        Self { early: true, ..self }
    }

    /// Creates a filing from a transaction. If the transaction succeeds, `stands` gets its value, even if the flush
    /// fails later. `reply` gets the result once the commit is on the disk.
    pub(super) fn new<T: Send + 'static>(
        transaction: impl Fn(&Tx<'_>) -> Result<T, Abort> + Send + 'static,
        stands: impl FnOnce(&Store, &T) + Send + 'static,
        reply: impl FnOnce(Result<T, StateError>) + Send + 'static,
    ) -> Self {
        let value = Arc::new(Mutex::new(None));
        let found = Arc::clone(&value);
        let run = move |tx: &Tx<'_>| {
            *held(&found) = None;
            let new = transaction(tx)?;
            *held(&found) = Some(new);
            Ok(())
        };
        let end = move |store: &Store, written: Written| {
            let flushed = match written {
                Ok(flushed) => flushed,
                Err(error) => return reply(Err(error)),
            };
            let Some(value) = held(&value).take() else { return reply(Err(lost())) };
            stands(store, &value);
            reply(flushed.map(|()| value));
        };
        Self { early: false, run: Box::new(run), end: Box::new(end) }
    }
}

fn held<T>(value: &Mutex<T>) -> MutexGuard<'_, T> {
    value.lock().unwrap_or_else(PoisonError::into_inner)
}

fn lost() -> StateError {
    StateError::Storage("a task of the state ended".into())
}

/// Sends the result of a commit to its caller.
pub type Reply<T> = Box<dyn FnOnce(Result<T, StateError>) + Send>;

/// Handle to the write batcher's thread. The thread ends when this handle is dropped.
#[derive(Debug, Clone)]
pub(super) struct Clerk {
    filings: Sender<(Store, Filing)>,
}

impl Clerk {
    pub(super) fn start() -> Result<Self, StateError> {
        let (filings, waiting) = channel();
        std::thread::Builder::new()
            .name("clerk".into())
            .spawn(move || run(&waiting))
            .map_err(|e| StateError::Storage(e.to_string()))?;
        Ok(Self { filings })
    }
}

fn run(waiting: &Receiver<(Store, Filing)>) {
    while let Ok((store, first)) = waiting.recv() {
        let others = waiting.try_iter().take(AT_ONCE - 1).map(|(_, filing)| filing);
        store.run_all(std::iter::once(first).chain(others).collect());
    }
}

impl Store {
    /// Commits a filing through the write batcher and returns its result once the commit is on the disk. The commit
    /// completes even if the caller drops the future.
    ///
    /// # Errors
    /// Returns the errors of the commit.
    pub async fn in_line<T: Send + 'static>(&self, filing: impl FnOnce(Reply<T>) -> Filing) -> Result<T, StateError> {
        let (told, answer) = oneshot::channel();
        // The send fails if the caller dropped its receiver. Nobody awaits the result then.
        let filing = filing(Box::new(move |result| drop(told.send(result))));
        self.shared.clerk.filings.send((self.clone(), filing)).map_err(|_| lost())?;
        answer.await.unwrap_or_else(|_| Err(lost()))
    }

    /// Commits a filing in a transaction of its own.
    ///
    /// # Errors
    /// Returns the errors of the commit.
    pub(super) fn alone<T: Send + 'static>(&self, filing: impl FnOnce(Reply<T>) -> Filing) -> Result<T, StateError> {
        let (told, answer) = channel();
        self.run_all(vec![filing(Box::new(move |result| drop(told.send(result))))]);
        answer.recv().unwrap_or_else(|_| Err(lost()))
    }

    /// Commits all filings in one transaction. If that transaction fails, commits each filing in its own, so that one
    /// bad filing fails alone. Returns once the commits are visible; filings that aren't early are answered once they
    /// are on the disk.
    fn run_all(&self, filings: Vec<Filing>) {
        let transaction = |tx: &Tx<'_>| filings.iter().try_for_each(|filing| (filing.run)(tx));
        let super::Shared { tables, committer, .. } = &*self.shared;
        let begin = || committer.begin(tables, || self.visible(transaction));
        let under_way = match catch_unwind(AssertUnwindSafe(begin)).unwrap_or_else(|_| Err(lost())) {
            Ok(((), under_way)) => under_way,
            Err(_) if filings.len() > 1 => return filings.into_iter().for_each(|filing| self.run_all(vec![filing])),
            Err(error) => return self.end(filings, &Err(error)),
        };
        let commits = filings.len();
        let (early, late): (Vec<_>, Vec<_>) = filings.into_iter().partition(|filing| filing.early);
        self.end(early, &Ok(Ok(())));
        let store = self.clone();
        let told = move |flushed| {
            failpoint("commit on the disk");
            store.end(late, &Ok(flushed));
            drop(under_way);
        };
        committer.flush_then(commits, Box::new(told));
    }

    fn end(&self, filings: Vec<Filing>, written: &Written) {
        for filing in filings {
            // A panic drops the reply, so the caller of this filing gets an error. The remaining filings are still
            // answered.
            let _ = catch_unwind(AssertUnwindSafe(|| (filing.end)(self, written.clone())));
        }
    }
}
