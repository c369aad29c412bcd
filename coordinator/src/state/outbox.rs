//! Tickets on their way to the queue.

use fleet::protocol::Ticket;
use uuid::Uuid;

use super::records::{OpenJob, Posting};
use super::table::{Abort, Tx};
use super::turns::Outbox;
use super::{JOBS, OUTBOX, StateError, Store};

/// Puts a job up. A plan has the id of its generation and a drawing that of its output, so that whoever stops those finds
/// their jobs.
pub(super) fn post(tx: &Tx<'_>, id: Uuid, job: &OpenJob) -> Result<(), Abort> {
    tx.put(&JOBS, id.as_bytes(), job)?;
    tx.put(&OUTBOX, id.as_bytes(), &Posting { epoch: job.epoch, class: job.class })
}

impl Store {
    /// Up to `limit` tickets that the queue has not been given, oldest job first.
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

    /// What the queue has not been given, and up to `limit` of its tickets whose turn it is: edits first; one of each
    /// account in turn, whoever was last served going last, so that a large batch starves nobody; of an account plans
    /// before drawings, and the oldest job first.
    pub fn outbox_in_turns(&self, limit: usize) -> Outbox {
        self.shared.turns.next(limit)
    }

    /// Notes that the queue has these tickets. Not flushed: published twice, they are refused the second time.
    ///
    /// # Errors
    /// [`StateError`].
    pub fn published(&self, tickets: &[Ticket]) -> Result<(), StateError> {
        // All at once: one by one, each would wait for the commits of workers in turn.
        self.visible(|tx| {
            for ticket in tickets {
                let key = ticket.job.as_bytes();
                // Posted anew meanwhile, it is another ticket's row.
                if tx.get(&OUTBOX, key)?.is_some_and(|posting| posting.epoch == ticket.epoch) {
                    tx.remove(&OUTBOX, key)?;
                }
            }
            Ok(())
        })
    }

    /// Waits until the outbox may have gained a row.
    pub async fn posted(&self) {
        self.shared.posted.notified().await;
    }

    pub(super) fn ring(&self) {
        self.shared.posted.notify_one();
    }
}
