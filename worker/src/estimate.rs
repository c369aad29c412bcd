//! Plans that nothing comes of: what a generation would be.

use std::sync::Arc;

use async_trait::async_trait;
use bytes::Bytes;
use fleet::estimate::{Estimate, Estimator};
use fleet::protocol::{Failure, PlanJob};
use fleet::share::{Each, Share};
use uuid::Uuid;

use crate::Tools;
use crate::failure;
use crate::stages::{self, Stop};

/// Estimates of one account that may wait for those before them.
const WAITING: usize = 16;

/// Estimates made in this process, on the same threads as what is paid for: as many at once as there are loops, two at the
/// least; of one account, one fewer.
pub struct LocalEstimator {
    tools: Arc<Tools>,
    places: Share,
}

impl LocalEstimator {
    /// Beside so many loops.
    pub fn new(tools: Arc<Tools>, loops: usize) -> Self {
        let places = loops.max(2);
        Self { tools, places: Share::new(places, Each { waiting: WAITING, ..Each::all_but_one(places) }) }
    }
}

#[async_trait]
impl Estimator for LocalEstimator {
    async fn estimate(&self, account: Uuid, job: PlanJob, input: Bytes) -> Result<Estimate, Failure> {
        let _place = self.places.take(account).await.map_err(failure::busy)?;
        match stages::estimate(account, job, input, &self.tools).await {
            Ok(estimate) => Ok(estimate),
            Err(Stop::Failed(failure)) => Err(failure),
            Err(Stop::Lost) => Err(failure::panicked()),
        }
    }
}
