//! Samples drawn while somebody waits for them.

use std::sync::Arc;

use async_trait::async_trait;
use fleet::protocol::Failure;
use fleet::sample::{Drawn, Sample, Sampler};
use tokio::sync::Semaphore;

use crate::Tools;
use crate::failure;
use crate::stages::{self, Stop};

/// Samples drawn in this process, on the same threads as what is paid for: half as many requests at once as there are loops.
pub struct LocalSampler {
    tools: Arc<Tools>,
    places: Semaphore,
}

impl LocalSampler {
    /// Beside so many loops.
    pub fn new(tools: Arc<Tools>, loops: usize) -> Self {
        Self { tools, places: Semaphore::new((loops / 2).max(1)) }
    }
}

#[async_trait]
impl Sampler for LocalSampler {
    async fn draw(&self, samples: Vec<Sample>) -> Result<Vec<Drawn>, Failure> {
        let _place = self.places.acquire().await.map_err(|_| failure::panicked())?;
        stages::sample(samples, &self.tools).await.map_err(|stop| match stop {
            Stop::Failed(failure) => failure,
            Stop::Lost => failure::panicked(),
        })
    }
}
