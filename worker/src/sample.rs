//! Samples rendered while a client waits for the response.

use std::sync::Arc;

use async_trait::async_trait;
use fleet::fair_semaphore::{AccountLimits, FairSemaphore};
use fleet::protocol::Failure;
use fleet::sample::{Drawn, Sample, Sampler};
use uuid::Uuid;

use crate::Context;
use crate::failure;
use crate::stages::{self, Stop};

/// Requests of one account that may be queued.
const WAITING: usize = 8;

/// Renders samples in this process, on the same threads as paid jobs. It serves as many requests at once as there are
/// loops, at least two, and for one account one fewer.
pub struct LocalSampler {
    context: Arc<Context>,
    permits: FairSemaphore,
}

impl LocalSampler {
    /// Returns a sampler for a process with `loops` loops.
    pub fn new(context: Arc<Context>, loops: usize) -> Self {
        let permits = loops.max(2);
        Self {
            context,
            permits: FairSemaphore::new(
                permits,
                AccountLimits { waiting: WAITING, ..AccountLimits::all_but_one(permits) },
            ),
        }
    }
}

#[async_trait]
impl Sampler for LocalSampler {
    async fn draw(&self, account: Uuid, samples: Vec<Sample>) -> Result<Vec<Drawn>, Failure> {
        let _permit = self.permits.acquire(account).await.map_err(failure::busy)?;
        stages::sample(account, samples, &self.context).await.map_err(|stop| match stop {
            Stop::Failed(failure) => failure,
            Stop::Lost => failure::panicked(),
        })
    }
}
