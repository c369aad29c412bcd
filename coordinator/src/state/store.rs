//! The handle to the state: what all parts of it share, and how they commit.

use std::collections::HashMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};
use std::sync::mpsc::channel;

use fleet::failpoint::failpoint;
use tokio::sync::{Notify, oneshot};
use uuid::Uuid;

use crate::accounts::MonthlyCredits;
use crate::clock::Millis;
use crate::metrics;
use crate::state::database::batcher::{Batcher, Write, Written, lost};
use crate::state::database::commit::Committer;
use crate::state::database::tables::{Abort, Tables, Tx};
use crate::state::error::StateError;
use crate::state::memory::counters::{Counters, Counts};
use crate::state::memory::limits::{StorageLimits, TokenLimit};
use crate::state::memory::outage::Outage;
use crate::state::memory::recent::Recent;
use crate::state::memory::scheduler::Scheduler;
use crate::state::memory::watchers::{Watch, Watchers};
use crate::state::rows::accounts::Meta;
use crate::state::rows::schema::{GENERATIONS, OUTBOX};
use crate::state::search::index::Index;

/// The state. Clones share it.
#[derive(Clone)]
pub struct Store {
    pub(in crate::state) shared: Arc<Shared>,
}

/// What all handles share.
pub(in crate::state) struct Shared {
    pub(in crate::state) tables: Arc<Tables>,
    pub(in crate::state) committer: Committer,
    /// Commits the writes of many callers in one transaction.
    pub(in crate::state) batcher: Batcher<Store>,
    /// Every generation, as list filters see it.
    pub(in crate::state) index: Arc<Index>,
    pub(in crate::state) meta: Meta,
    /// Notified when the outbox gained a row.
    pub(in crate::state) enqueued: Notify,
    /// Notified when there may be deliveries to send.
    pub(in crate::state) webhooks: Notify,
    /// Notified when the deletion queue gained due rows.
    pub(in crate::state) deletions: Notify,
    /// Tasks that watch generations.
    pub(in crate::state) watchers: Watchers,
    /// Accepted outputs that aren't finished.
    pub(in crate::state) backlog: Arc<AtomicI64>,
    /// Credits that plans grant each month.
    pub(in crate::state) monthly: MonthlyCredits,
    pub(in crate::state) recent: Recent,
    pub(in crate::state) counters: Counters,
    /// The fair scheduler of the outbox.
    pub(in crate::state) scheduler: Arc<Scheduler>,
    pub(in crate::state) outage: Outage,
    /// Limits on what accounts may store in the object store.
    pub(in crate::state) storage: StorageLimits,
    /// Limits on accounts' use of the language model.
    pub(in crate::state) tokens: TokenLimit,
}

impl Store {
    /// Runs `work` on a thread where blocking is allowed. It completes even if the caller drops the future.
    ///
    /// # Errors
    /// Returns the errors of `work`.
    pub async fn run<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Self) -> Result<T, StateError> + Send + 'static,
    ) -> Result<T, StateError> {
        let (store, span) = (self.clone(), tracing::Span::current());
        tokio::task::spawn_blocking(move || span.in_scope(|| work(&store)))
            .await
            .unwrap_or_else(|e| Err(StateError::Storage(format!("a task of the state ended: {e}"))))
    }

    /// Returns the key that signs image URLs.
    pub fn signing_secret(&self) -> &[u8; 32] {
        &self.shared.meta.signing_secret
    }

    /// Returns the number of accepted outputs that aren't finished.
    pub fn backlog(&self) -> u64 {
        u64::try_from(self.shared.backlog.load(Ordering::Relaxed)).unwrap_or(0)
    }

    /// Returns once everything visible is on the disk.
    ///
    /// # Errors
    /// [`StateError::Storage`].
    pub fn settle(&self) -> Result<(), StateError> {
        self.shared.committer.settle()
    }

    /// Flushes the database up to the journal's end, before the process ends.
    ///
    /// # Errors
    /// [`StateError::Storage`].
    pub fn close(&self) -> Result<(), StateError> {
        self.shared.committer.checkpoint()
    }

    /// Checks that the state is writable.
    ///
    /// # Errors
    /// [`StateError::NoRoom`], [`StateError::Storage`].
    pub fn writable(&self) -> Result<(), StateError> {
        self.shared.committer.has_room()?;
        self.shared.tables.fault()
    }

    pub(in crate::state) fn commit<T>(
        &self,
        transaction: impl Fn(&Tx<'_>) -> Result<T, Abort>,
    ) -> Result<T, StateError> {
        self.commit_and(transaction, |_| {})
    }

    /// Like [`Self::commit`], and runs `stands` to update in-memory counts after a successful transaction, even if its
    /// flush fails.
    pub(in crate::state) fn commit_and<T>(
        &self,
        transaction: impl Fn(&Tx<'_>) -> Result<T, Abort>,
        stands: impl FnOnce(&T),
    ) -> Result<T, StateError> {
        let Shared { tables, committer, .. } = &*self.shared;
        committer.commit(tables, || self.visible(transaction), stands)
    }

    /// Like [`Self::commit`], for changes that may be lost in a crash: they are visible at once, and on the disk with
    /// the next flush.
    pub(in crate::state) fn visible<T>(
        &self,
        transaction: impl Fn(&Tx<'_>) -> Result<T, Abort>,
    ) -> Result<T, StateError> {
        let Shared { tables, index, scheduler, .. } = &*self.shared;
        let (value, notes) = tables.transact(transaction)?;
        for (table, key) in &notes.touched {
            if *table == GENERATIONS.index() {
                index.follow(tables, key);
            } else if *table == OUTBOX.index() {
                scheduler.follow(tables, key);
            }
        }
        for (movement, amount) in notes.moved {
            metrics::credits_moved(movement.name(), amount);
        }
        for (outcome, outputs) in notes.edited {
            metrics::edited(outcome, outputs);
        }
        Ok(value)
    }

    /// Returns how many images finished and failed since the process started.
    pub fn counts(&self) -> Counts {
        self.shared.counters.now()
    }

    /// Returns the images that each worker rendered in the last minute, by the worker's name.
    pub fn drawn_lately(&self, now: Millis) -> HashMap<String, u32> {
        self.shared.counters.lately(now)
    }

    pub(in crate::state) fn add_backlog(&self, outputs: i64) {
        let now = self.shared.backlog.fetch_add(outputs, Ordering::Relaxed) + outputs;
        metrics::backlog(now);
    }
}

/// Sends the result of a commit to its caller.
pub type Reply<T> = Box<dyn FnOnce(Result<T, StateError>) + Send>;

/// A commit that may share its transaction with other commits.
pub type BatchedWrite = Write<Store>;

impl Store {
    /// Commits through the write batcher and returns the result once the commit is on the disk. The commit completes
    /// even if the caller drops the future.
    ///
    /// # Errors
    /// Returns the errors of the commit.
    pub async fn commit_batched<T: Send + 'static>(
        &self,
        write: impl FnOnce(Reply<T>) -> BatchedWrite,
    ) -> Result<T, StateError> {
        let (reply, answer) = oneshot::channel();
        // The send fails if the caller dropped its receiver. Nobody awaits the result then.
        let write = write(Box::new(move |result| drop(reply.send(result))));
        self.shared.batcher.send(self.clone(), write)?;
        answer.await.unwrap_or_else(|_| Err(lost()))
    }

    /// Commits in a transaction of its own.
    ///
    /// # Errors
    /// Returns the errors of the commit.
    pub(in crate::state) fn commit_alone<T: Send + 'static>(
        &self,
        write: impl FnOnce(Reply<T>) -> BatchedWrite,
    ) -> Result<T, StateError> {
        let (reply, answer) = channel();
        self.commit_batch(vec![write(Box::new(move |result| drop(reply.send(result))))]);
        answer.recv().unwrap_or_else(|_| Err(lost()))
    }

    /// Commits all writes in one transaction. If that transaction fails, commits each write in its own, so that one bad
    /// write fails alone. Returns once the commits are visible; writes that aren't early are answered once they are on
    /// the disk.
    pub(in crate::state) fn commit_batch(&self, writes: Vec<BatchedWrite>) {
        let transaction = |tx: &Tx<'_>| writes.iter().try_for_each(|write| write.run(tx));
        let Shared { tables, committer, .. } = &*self.shared;
        let begin = || committer.begin(tables, || self.visible(transaction));
        let under_way = match catch_unwind(AssertUnwindSafe(begin)).unwrap_or_else(|_| Err(lost())) {
            Ok(((), under_way)) => under_way,
            Err(_) if writes.len() > 1 => return writes.into_iter().for_each(|write| self.commit_batch(vec![write])),
            Err(error) => return self.end_writes(writes, &Err(error)),
        };
        let commits = writes.len();
        let (early, late): (Vec<_>, Vec<_>) = writes.into_iter().partition(Write::is_early);
        self.end_writes(early, &Ok(Ok(())));
        let store = self.clone();
        let flushed = move |flushed| {
            failpoint("commit on the disk");
            store.end_writes(late, &Ok(flushed));
            drop(under_way);
        };
        committer.flush_then(commits, Box::new(flushed));
    }

    fn end_writes(&self, writes: Vec<BatchedWrite>, written: &Written) {
        for write in writes {
            // A panic drops the reply, so the caller of this write gets an error. The remaining writes are still
            // answered.
            let _ = catch_unwind(AssertUnwindSafe(|| write.end(self, written.clone())));
        }
    }
}

impl Store {
    /// Subscribes to changes of a generation from now on.
    pub fn watch(&self, generation: Uuid) -> Watch {
        self.shared.watchers.watch(generation)
    }

    /// Wakes everyone who watches the generation.
    pub(in crate::state) fn tell(&self, generation: Uuid) {
        self.shared.watchers.tell(generation);
    }
}
