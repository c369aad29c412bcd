//! The coordinator as a worker sees it. In standalone mode this is a direct call; across machines, a request.

pub mod nats;
pub mod owner;

use async_trait::async_trait;

use crate::protocol::{Caller, ClaimAnswer, Grant, Outcome, Ticket, Verdict};

/// A request to the coordinator did not come back with an answer.
#[derive(Debug, thiserror::Error)]
#[error("the coordinator did not answer: {0}")]
pub struct DeskError(pub String);

/// Hands out jobs and takes results. Every method is durable when it returns.
#[async_trait]
pub trait Desk: Send + Sync {
    /// Asks for the job of `ticket` on behalf of `caller`.
    async fn claim(&self, ticket: Ticket, caller: &Caller) -> Result<ClaimAnswer, DeskError>;

    /// Says that the work goes on. Refused without the secret of the claim.
    async fn heartbeat(&self, grant: Grant) -> Result<Verdict, DeskError>;

    /// Hands in what came of a job. Refused without the secret of the claim. Repeating a report that was accepted is accepted
    /// again and changes nothing.
    async fn report(&self, grant: Grant, outcome: Outcome) -> Result<Verdict, DeskError>;
}
