//! The queue on NATS JetStream: a stream of tickets that are removed when acknowledged, and a durable consumer for each
//! class.
//!
//! It guarantees little: tickets are delivered at least once, and the coordinator publishes from its state what the
//! server loses. So acknowledgements are hints, the server does not count attempts, and does not deduplicate. A worker
//! requests as many tickets as it has idle slots, and prefetches: where a busy slot may fetch ahead, it requests one
//! more ticket that is delivered only if it is available immediately.

mod held;
mod names;
mod router;

use std::time::Duration;

use async_nats::Client;
use async_nats::jetstream::consumer::{AckPolicy, pull};
use async_nats::jetstream::context::ContextBuilder;
use async_nats::jetstream::stream::{Config as StreamConfig, DiscardPolicy, RetentionPolicy, StorageType};
use async_nats::jetstream::{self, Context, ErrorCode};
use async_trait::async_trait;
use tokio::sync::{mpsc, oneshot};
use tokio::time::timeout;

use super::{Delivery, Queue, QueueError};
use crate::protocol::{Class, Ticket, encode};
use held::{ANSWER, failed};
use names::{Names, consumer};
use router::{Router, Waiter};

/// The server delivers a ticket again after this time without an acknowledgement, for example one that it sent to a
/// process that had just been killed.
const ACK_WAIT: Duration = Duration::from_secs(6);
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

#[cfg(test)]
mod tests;
