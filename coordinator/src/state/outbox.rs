//! Tickets on their way to the queue.

use fleet::protocol::Ticket;
use uuid::Uuid;

use super::records::{OpenJob, Posting};
use super::table::{Abort, Tx};
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

    /// Notes that the queue has a ticket. Not flushed: published twice, it is refused the second time.
    ///
    /// # Errors
    /// [`StateError`].
    pub fn published(&self, ticket: Ticket) -> Result<(), StateError> {
        let posting = Posting { epoch: ticket.epoch, class: ticket.class };
        self.shared.tables.remove_if(&OUTBOX, ticket.job.as_bytes(), &posting)
    }

    /// Waits until the outbox may have gained a row.
    pub async fn posted(&self) {
        self.shared.posted.notified().await;
    }

    pub(super) fn ring(&self) {
        self.shared.posted.notify_one();
    }
}
