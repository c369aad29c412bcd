//! Commits of jobs, many in one transaction. Hundreds of workers claim and report at once. Each in a transaction of its own
//! they would cost a write to the disk and a wake of every thread that writes for sled, and hand sled's one lock to each
//! other, which takes longer than the work under it. One thread takes what has come while it was busy and does it in one
//! transaction. It does not wait for the disk: the committing thread, which flushes for several transactions at once, tells
//! what came of them.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use fleet::failpoint::failpoint;
use tokio::sync::oneshot;

use super::table::{Abort, Tx};
use super::{StateError, Store};

/// What a transaction came to: `Err` where it didn't go through, else what its flush came to.
type Written = Result<Result<(), StateError>, StateError>;

/// Commits that share a transaction, at most: so many take as long as a flush.
const AT_ONCE: usize = 64;

type Run = dyn Fn(&Tx<'_>) -> Result<(), Abort> + Send;
type End = dyn FnOnce(&Store, Written) + Send;

/// A commit whose transaction may be shared with others'.
pub struct Filing {
    /// It is told once it is visible. It may be lost with the process, though a flush follows at once.
    early: bool,
    /// Does it; may be run more than once, so it must only compute.
    run: Box<Run>,
    /// Follows it where it is visible, and tells what became of it.
    end: Box<End>,
}

impl Filing {
    /// One that is told before it is on the disk.
    pub(super) fn early(self) -> Self {
        Self { early: true, ..self }
    }

    /// Of a transaction. `stands` is told what it came to where it went through, on the disk or not; `reply` once it is on
    /// the disk.
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

/// Tells what came of a commit.
pub type Reply<T> = Box<dyn FnOnce(Result<T, StateError>) + Send>;

/// The door to the clerk's thread, which ends with it.
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
    /// Commits a filing and returns what it came to, once that is on the disk. It goes on to its end even if the caller stops
    /// waiting.
    ///
    /// # Errors
    /// Those of the commit.
    pub async fn in_line<T: Send + 'static>(&self, filing: impl FnOnce(Reply<T>) -> Filing) -> Result<T, StateError> {
        let (told, answer) = oneshot::channel();
        // Whoever no longer waits does not need to know.
        let filing = filing(Box::new(move |result| drop(told.send(result))));
        self.shared.clerk.filings.send((self.clone(), filing)).map_err(|_| lost())?;
        answer.await.unwrap_or_else(|_| Err(lost()))
    }

    /// Commits a filing by itself.
    ///
    /// # Errors
    /// Those of the commit.
    pub(super) fn alone<T: Send + 'static>(&self, filing: impl FnOnce(Reply<T>) -> Filing) -> Result<T, StateError> {
        let (told, answer) = channel();
        self.run_all(vec![filing(Box::new(move |result| drop(told.send(result))))]);
        answer.recv().unwrap_or_else(|_| Err(lost()))
    }

    /// Commits all of them in one transaction; where that fails, each in its own, so that one that can't be done is alone in
    /// it. Returns once they are visible; what is not early is told once it is on the disk.
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
            // What it left undone is told by whoever waits for its answer; the next one is told all the same.
            let _ = catch_unwind(AssertUnwindSafe(|| (filing.end)(self, written.clone())));
        }
    }
}
