//! The queue of tickets.

pub mod embedded;
pub mod nats;
#[cfg(test)]
pub(crate) mod suite;

use async_trait::async_trait;

use crate::protocol::{Class, Ticket};

/// The queue could not be reached or refused.
#[derive(Debug, thiserror::Error)]
#[error("queue: {0}")]
pub struct QueueError(pub String);

impl QueueError {
    /// Whether the queue has no storage left for what it was to keep.
    pub fn is_of_storage(&self) -> bool {
        OF_STORAGE.iter().any(|words| self.0.contains(words))
    }
}

/// What NATS says where its storage, or that of an account or a stream, is at its end.
const OF_STORAGE: [&str; 5] =
    ["insufficient", "resource limits exceeded", "resources exceeded", "maximum bytes exceeded", "no space left"];

/// A ticket in a worker's hands. Dropped without [`Delivery::done`], it is delivered again.
#[async_trait]
pub trait Delivery: Send {
    /// The ticket.
    fn ticket(&self) -> Ticket;
    /// Whether others of its class waited behind it when it was taken.
    fn more(&self) -> bool;
    /// Takes it off the queue.
    async fn done(self: Box<Self>);
}

/// Carries tickets from the coordinator to workers, at least once, classes in order.
#[async_trait]
pub trait Queue: Send + Sync {
    /// Puts a ticket up.
    async fn publish(&self, ticket: Ticket) -> Result<(), QueueError>;

    /// Waits for the next ticket of any of `classes`, the first class first.
    async fn next(&self, classes: &[Class]) -> Result<Box<dyn Delivery>, QueueError>;

    /// The next ticket of any of `classes`, the first class first, where one waits: nothing else is waited for.
    async fn at_once(&self, classes: &[Class]) -> Result<Option<Box<dyn Delivery>>, QueueError>;

    /// How many tickets it holds, those in workers' hands included; nothing where none can be lost.
    async fn holds(&self) -> Result<Option<u64>, QueueError>;
}
