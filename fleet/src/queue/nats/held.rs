//! A ticket of the server that this process holds.

use std::time::Duration;

use async_nats::jetstream;
use async_nats::jetstream::message::AckKind;
use async_trait::async_trait;
use tokio::task::AbortHandle;
use tokio::time::timeout;

use crate::protocol::Ticket;
use crate::queue::{Delivery, QueueError};

/// Interval between acknowledgements that a ticket is still in progress.
pub(super) const PROGRESS_EVERY: Duration = Duration::from_secs(2);
/// Timeout for the server to accept a ticket or answer a request.
pub(super) const ANSWER: Duration = Duration::from_secs(2);

/// A ticket that this process holds. A task tells the server regularly that it is in progress.
pub(super) struct Held {
    ticket: Ticket,
    message: Option<jetstream::Message>,
    progress: AbortHandle,
}

impl Held {
    pub fn new(ticket: Ticket, message: jetstream::Message) -> Self {
        let working = message.clone();
        let progress = tokio::spawn(async move {
            loop {
                tokio::time::sleep(PROGRESS_EVERY).await;
                // If the server misses it, it delivers the ticket again, and the coordinator refuses that claim.
                let _ = working.ack_with(AckKind::Progress).await;
            }
        });
        Self { ticket, message: Some(message), progress: progress.abort_handle() }
    }
}

#[async_trait]
impl Delivery for Held {
    fn ticket(&self) -> Ticket {
        self.ticket
    }

    fn more(&self) -> bool {
        let waited = |message: &jetstream::Message| message.info().is_ok_and(|info| info.pending > 0);
        self.message.as_ref().is_some_and(waited)
    }

    async fn done(mut self: Box<Self>) {
        let Some(message) = self.message.take() else { return };
        let said = timeout(ANSWER, message.ack()).await.map_err(failed).and_then(|said| said.map_err(failed));
        if let Err(error) = said {
            tracing::debug!(%error, job = %self.ticket.job, "ticket not acknowledged: it will be delivered again");
        }
    }
}

impl Drop for Held {
    fn drop(&mut self) {
        self.progress.abort();
        // Without a runtime the process is ending, and the server delivers the ticket again when its acknowledgement is overdue.
        if let (Some(message), Ok(runtime)) = (self.message.take(), tokio::runtime::Handle::try_current()) {
            runtime.spawn(async move { message.ack_with(AckKind::Nak(None)).await });
        }
    }
}

/// Converts an error of the server's client.
pub(super) fn failed(error: impl std::fmt::Display) -> QueueError {
    QueueError(error.to_string())
}
