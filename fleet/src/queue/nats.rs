//! The queue on NATS JetStream: a stream of tickets that are removed when acknowledged, and a durable consumer for each
//! class.
//!
//! It guarantees little: tickets are delivered at least once, and the coordinator publishes from its state what the
//! server loses. So acknowledgements are hints, the server does not count attempts, and does not deduplicate. A worker
//! requests as many tickets as it has idle slots, and prefetches: where a busy slot may fetch ahead, it requests one
//! more ticket that is delivered only if it is available immediately.

mod router;

use std::time::Duration;

use async_nats::Client;
use async_nats::jetstream::consumer::{AckPolicy, pull};
use async_nats::jetstream::context::ContextBuilder;
use async_nats::jetstream::message::AckKind;
use async_nats::jetstream::stream::{Config as StreamConfig, DiscardPolicy, RetentionPolicy, StorageType};
use async_nats::jetstream::{self, Context, ErrorCode};
use async_trait::async_trait;
use tokio::sync::{mpsc, oneshot};
use tokio::task::AbortHandle;
use tokio::time::timeout;

use super::{Delivery, Queue, QueueError};
use crate::protocol::{Class, Ticket, encode};
use router::{Router, Waiter};

/// The server delivers a ticket again after this time without an acknowledgement, for example one that it sent to a
/// process that had just been killed.
const ACK_WAIT: Duration = Duration::from_secs(6);
/// Interval between acknowledgements that a ticket is still in progress.
const PROGRESS_EVERY: Duration = Duration::from_secs(2);
/// Timeout for the server to accept a ticket or answer a request.
const ANSWER: Duration = Duration::from_secs(2);
/// Maximum unacknowledged tickets, and maximum open requests: more than any fleet of one coordinator needs.
const MOST: i64 = 100_000;
/// The server's error code for a missing stream.
const NO_STREAM: ErrorCode = ErrorCode::STREAM_NOT_FOUND;

/// A queue across machines. Clones share it.
#[derive(Debug, Clone)]
pub struct NatsQueue {
    context: Context,
    names: Names,
    waiters: mpsc::UnboundedSender<Waiter>,
}

/// Names of streams, subjects and consumers on the server.
#[derive(Debug, Clone)]
struct Names {
    prefix: String,
}

impl Names {
    fn stream(&self) -> String {
        format!("{}-jobs", self.prefix)
    }

    fn subject(&self, class: Class) -> String {
        format!("{}.jobs.{}", self.prefix, consumer(class))
    }
}

/// Returns the name of the consumer of a class.
fn consumer(class: Class) -> &'static str {
    match class {
        Class::Edit => "edit",
        Class::Plan => "plan",
        Class::Render2k => "render-2k",
        Class::Render4k => "render-4k",
    }
}

impl NatsQueue {
    /// Opens the queue of the deployment `prefix`. Must be called within a tokio runtime.
    pub fn new(client: Client, prefix: &str) -> Self {
        let context = ContextBuilder::new().timeout(ANSWER).ack_timeout(ANSWER).build(client);
        let names = Names { prefix: prefix.to_owned() };
        let (waiters, asked) = mpsc::unbounded_channel();
        tokio::spawn(Router::new(context.clone(), names.clone(), asked).run());
        Self { context, names, waiters }
    }

    /// Creates the stream and its consumers, or updates those of an older version. Only the coordinator calls this.
    ///
    /// # Errors
    /// [`QueueError`].
    pub async fn prepare(&self) -> Result<(), QueueError> {
        let stream = StreamConfig {
            name: self.names.stream(),
            subjects: vec![format!("{}.jobs.*", self.names.prefix)],
            retention: RetentionPolicy::WorkQueue,
            storage: StorageType::File,
            discard: DiscardPolicy::New,
            // The server's minimum: the queue needs no deduplication.
            duplicate_window: Duration::from_millis(100),
            ..StreamConfig::default()
        };
        self.context.create_or_update_stream(stream).await.map_err(failed)?;
        for class in Class::ALL {
            let config = pull::Config {
                durable_name: Some(consumer(class).to_owned()),
                filter_subject: self.names.subject(class),
                ack_policy: AckPolicy::Explicit,
                ack_wait: ACK_WAIT,
                // The coordinator counts claims, so the server delivers a ticket without limit.
                max_deliver: -1,
                max_ack_pending: MOST,
                max_waiting: MOST,
                ..pull::Config::default()
            };
            self.context.create_consumer_on_stream(config, self.names.stream()).await.map_err(failed)?;
        }
        Ok(())
    }
}

#[async_trait]
impl Queue for NatsQueue {
    async fn publish(&self, ticket: Ticket) -> Result<(), QueueError> {
        let bytes = encode(&ticket).map_err(failed)?;
        let sent = async {
            let taken = self.context.publish(self.names.subject(ticket.class), bytes.into()).await.map_err(failed)?;
            taken.await.map_err(failed)
        };
        timeout(ANSWER * 2, sent).await.map_err(failed)??;
        Ok(())
    }

    async fn next(&self, classes: &[Class]) -> Result<Box<dyn Delivery>, QueueError> {
        let (reply, held) = oneshot::channel();
        self.waiters.send(Waiter::new(classes, true, reply)).map_err(|_| gone())?;
        Ok(Box::new(held.await.map_err(|_| gone())?))
    }

    async fn at_once(&self, classes: &[Class]) -> Result<Option<Box<dyn Delivery>>, QueueError> {
        let (reply, held) = oneshot::channel();
        self.waiters.send(Waiter::new(classes, false, reply)).map_err(|_| gone())?;
        // The router drops the reply if there is no ticket.
        Ok(held.await.ok().map(|held| Box::new(held) as Box<dyn Delivery>))
    }

    async fn holds(&self) -> Result<Option<u64>, QueueError> {
        match timeout(ANSWER * 2, self.context.get_stream(self.names.stream())).await.map_err(failed)? {
            Ok(stream) => Ok(Some(stream.cached_info().state.messages)),
            Err(e) if is_missing(&e) => Ok(Some(0)),
            Err(e) => Err(failed(e)),
        }
    }
}

fn is_missing(error: &jetstream::context::GetStreamError) -> bool {
    matches!(error.kind(), jetstream::context::GetStreamErrorKind::JetStream(e) if e.error_code() == NO_STREAM)
}

fn gone() -> QueueError {
    QueueError("the task that fetches tickets has ended".into())
}

fn failed(error: impl std::fmt::Display) -> QueueError {
    QueueError(error.to_string())
}

/// A ticket that this process holds. A task tells the server regularly that it is in progress.
struct Held {
    ticket: Ticket,
    message: Option<jetstream::Message>,
    progress: AbortHandle,
}

impl Held {
    fn new(ticket: Ticket, message: jetstream::Message) -> Self {
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
        // Without a runtime the process is ending, and the server delivers the ticket again after [`ACK_WAIT`].
        if let (Some(message), Ok(runtime)) = (self.message.take(), tokio::runtime::Handle::try_current()) {
            runtime.spawn(async move { message.ack_with(AckKind::Nak(None)).await });
        }
    }
}

#[cfg(test)]
mod tests;
