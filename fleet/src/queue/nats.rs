//! The queue on NATS JetStream: a stream of tickets that goes by what is acknowledged, and a durable consumer for each
//! class.
//!
//! It promises little: tickets are delivered at least once, and what the server forgets is published again from the state.
//! So an acknowledgement is a hint, no server counts attempts, and nothing is held back as a duplicate. A worker requests as
//! many tickets as it has idle slots, and one more for immediate delivery where a busy slot fetches ahead.

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

/// The server delivers a ticket again after this time without an acknowledgement, also one that it sent to a process that
/// had just been killed.
const ACK_WAIT: Duration = Duration::from_secs(6);
/// Between acknowledgements that a ticket is being worked on.
const PROGRESS_EVERY: Duration = Duration::from_secs(2);
/// How long the server may take to take a ticket, or to answer a question.
const ANSWER: Duration = Duration::from_secs(2);
/// Tickets in workers' hands, and requests for more: beyond any fleet that one coordinator serves.
const MOST: i64 = 100_000;
/// The server's code for a stream that isn't there.
const NO_STREAM: ErrorCode = ErrorCode::STREAM_NOT_FOUND;

/// A queue that reaches other machines. Clones share it.
#[derive(Debug, Clone)]
pub struct NatsQueue {
    context: Context,
    names: Names,
    waiters: mpsc::UnboundedSender<Waiter>,
}

/// What things are called on the server.
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

/// The name of the consumer of a class.
fn consumer(class: Class) -> &'static str {
    match class {
        Class::Edit => "edit",
        Class::Plan => "plan",
        Class::Render2k => "render-2k",
        Class::Render4k => "render-4k",
    }
}

impl NatsQueue {
    /// The queue of the deployment that calls itself `prefix`. Must be called within a runtime.
    pub fn new(client: Client, prefix: &str) -> Self {
        let context = ContextBuilder::new().timeout(ANSWER).ack_timeout(ANSWER).build(client);
        let names = Names { prefix: prefix.to_owned() };
        let (waiters, asked) = mpsc::unbounded_channel();
        tokio::spawn(Router::new(context.clone(), names.clone(), asked).run());
        Self { context, names, waiters }
    }

    /// Makes the stream and its consumers, or brings those of an older version up to date: the coordinator's to do.
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
            // The least that a server takes: nothing is ever held back.
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
                // The coordinator counts claims; a ticket itself is never given up.
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
        // The router drops the reply where there is no ticket.
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

/// A ticket in this process's hands, of which the server hears now and then.
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
                // Unheard, it is delivered again, and that claim is refused.
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
            tracing::debug!(%error, job = %self.ticket.job, "a ticket can't be taken off the queue; it comes again and is refused");
        }
    }
}

impl Drop for Held {
    fn drop(&mut self) {
        self.progress.abort();
        // Outside of a runtime the process ends, and the server delivers it again by itself.
        if let (Some(message), Ok(runtime)) = (self.message.take(), tokio::runtime::Handle::try_current()) {
            runtime.spawn(async move { message.ack_with(AckKind::Nak(None)).await });
        }
    }
}

#[cfg(test)]
mod tests;
