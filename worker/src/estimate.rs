//! Plans that nothing comes of: what a generation would be.

use std::sync::Arc;

use async_trait::async_trait;
use bytes::Bytes;
use fleet::estimate::{Estimate, Estimator};
use fleet::protocol::{Failure, PlanJob};
use tokio::sync::Semaphore;

use crate::Tools;
use crate::failure;
use crate::stages::{self, Stop};

/// Estimates made in this process, on the same threads as what is paid for: half as many at once as there are loops.
pub struct LocalEstimator {
    tools: Arc<Tools>,
    places: Semaphore,
}

impl LocalEstimator {
    /// Beside so many loops.
    pub fn new(tools: Arc<Tools>, loops: usize) -> Self {
        Self { tools, places: Semaphore::new((loops / 2).max(1)) }
    }
}

#[async_trait]
impl Estimator for LocalEstimator {
    async fn estimate(&self, job: PlanJob, input: Bytes) -> Result<Estimate, Failure> {
        let _place = self.places.acquire().await.map_err(|_| failure::panicked())?;
        match stages::estimate(job, input, &self.tools).await {
            Ok(estimate) => Ok(estimate),
            Err(Stop::Failed(failure)) => Err(failure),
            Err(Stop::Lost) => Err(failure::panicked()),
        }
    }
}
