//! The outbox: tickets that are to be published to the queue.

use fleet::protocol::Ticket;
use uuid::Uuid;

use crate::state::database::tables::{Abort, Tx};
use crate::state::error::StateError;
use crate::state::memory::scheduler::Outbox;
use crate::state::rows::jobs::{OpenJob, Posting};
use crate::state::rows::schema::{JOBS, OUTBOX};
use crate::state::store::Store;

/// Enqueues a job. A plan job has the id of its generation and a render job the id of its output, so that code that
/// stops either one finds its job.
pub(in crate::state) fn post(tx: &Tx<'_>, id: Uuid, job: &OpenJob) -> Result<(), Abort> {
    tx.put(&JOBS, id.as_bytes(), job)?;
    tx.put(&OUTBOX, id.as_bytes(), &Posting { epoch: job.epoch, class: job.class })
}

impl Store {
    /// Returns up to `limit` unpublished tickets, the oldest job first.
    ///
    /// # Errors
    /// [`StateError`].
    pub fn outbox(&self, limit: usize) -> Result<Vec<Ticket>, StateError> {
        self.shared
            .tables
            .scan(&OUTBOX, &[])
            .take(limit)
            .map(|row| {
                let (key, Posting { epoch, class }) = row?;
                let job = Uuid::from_slice(&key).map_err(|e| StateError::Unreadable(e.to_string()))?;
                Ok(Ticket { job, epoch, class })
            })
            .collect()
    }

    /// Returns the state of the outbox and up to `limit` tickets to publish next. Edits come first. Accounts are served
    /// round robin, the one served last going last, so that a large batch starves nobody. Within an account plans come
    /// before renders, then the oldest job first.
    pub fn next_tickets(&self, limit: usize) -> Outbox {
        self.shared.scheduler.next(limit)
    }

    /// Removes published tickets from the outbox. The commit is not flushed: if a crash loses it, the tickets are
    /// published twice and the second claim is refused.
    ///
    /// # Errors
    /// [`StateError`].
    pub fn published(&self, tickets: &[Ticket]) -> Result<(), StateError> {
        // One transaction for all: one at a time, each removal would wait for the commits of workers.
        self.visible(|tx| {
            for ticket in tickets {
                let key = ticket.job.as_bytes();
                // If the job was enqueued again in the meantime, the row belongs to another ticket.
                if tx.get(&OUTBOX, key)?.is_some_and(|posting| posting.epoch == ticket.epoch) {
                    tx.remove(&OUTBOX, key)?;
                }
            }
            Ok(())
        })
    }

    /// Waits until the outbox may have gained a row.
    pub async fn enqueued(&self) {
        self.shared.enqueued.notified().await;
    }

    pub(in crate::state) fn ring(&self) {
        self.shared.enqueued.notify_one();
    }
}
