//! The queue of tickets.

pub mod embedded;
pub mod nats;
#[cfg(test)]
pub(crate) mod suite;

use async_trait::async_trait;

use crate::protocol::{Class, Ticket};

/// The queue was unreachable or refused a request.
#[derive(Debug, thiserror::Error)]
#[error("queue: {0}")]
pub struct QueueError(pub String);

impl QueueError {
    /// Returns whether the queue has no storage left.
    pub fn is_of_storage(&self) -> bool {
        OF_STORAGE.iter().any(|words| self.0.contains(words))
    }
}

/// Error texts of NATS when the storage of the server, an account or a stream is full.
const OF_STORAGE: [&str; 5] =
    ["insufficient", "resource limits exceeded", "resources exceeded", "maximum bytes exceeded", "no space left"];

/// A ticket that a worker holds. If it is dropped without [`Delivery::done`], the queue delivers it again.
#[async_trait]
pub trait Delivery: Send {
    /// The ticket.
    fn ticket(&self) -> Ticket;
    /// Returns whether other tickets of its class waited behind it when it was taken.
    fn more(&self) -> bool;
    /// Removes the ticket from the queue.
    async fn done(self: Box<Self>);
}

/// Carries tickets from the coordinator to workers, at least once, in the order of the requested classes.
#[async_trait]
pub trait Queue: Send + Sync {
    /// Publishes a ticket.
    async fn publish(&self, ticket: Ticket) -> Result<(), QueueError>;

    /// Waits for the next ticket of any of `classes`, preferring earlier classes.
    async fn next(&self, classes: &[Class]) -> Result<Box<dyn Delivery>, QueueError>;

    /// Returns the next ticket of any of `classes`, preferring earlier classes, if one is waiting; does not wait for
    /// one.
    async fn at_once(&self, classes: &[Class]) -> Result<Option<Box<dyn Delivery>>, QueueError>;

    /// Returns how many tickets the queue holds, those that workers hold included; `None` where the queue can't lose
    /// tickets.
    async fn holds(&self) -> Result<Option<u64>, QueueError>;
}
