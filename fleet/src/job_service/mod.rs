//! The job service: the RPC by which workers claim jobs and report results. Within the coordinator's process it is a
//! direct call; across machines, a request over NATS.

pub mod nats;
pub mod owner;

use async_trait::async_trait;

use crate::protocol::{Caller, ClaimAnswer, Grant, Outcome, Ticket, Verdict};

/// The coordinator did not answer a request.
#[derive(Debug, thiserror::Error)]
#[error("the coordinator did not answer: {0}")]
pub struct JobServiceError(pub String);

/// Hands out jobs and accepts results. Every method returns only once its effect is durable.
#[async_trait]
pub trait JobService: Send + Sync {
    /// Claims the job of `ticket` on behalf of `caller`.
    async fn claim(&self, ticket: Ticket, caller: &Caller) -> Result<ClaimAnswer, JobServiceError>;

    /// Renews the lease of a claim. Refused without the secret of the claim.
    async fn heartbeat(&self, grant: Grant) -> Result<Verdict, JobServiceError>;

    /// Reports the outcome of a job. Refused without the secret of the claim. A repeated report that was already
    /// accepted is accepted again and changes nothing.
    async fn report(&self, grant: Grant, outcome: Outcome) -> Result<Verdict, JobServiceError>;
}
