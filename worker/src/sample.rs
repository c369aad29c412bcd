//! Samples drawn while somebody waits for them.

use std::sync::Arc;

use async_trait::async_trait;
use fleet::protocol::Failure;
use fleet::sample::{Drawn, Sample, Sampler};
use fleet::share::{Each, Share};
use uuid::Uuid;

use crate::Tools;
use crate::failure;
use crate::stages::{self, Stop};

/// Requests of one account that may wait for those before them.
const WAITING: usize = 8;

/// Samples drawn in this process, on the same threads as what is paid for: as many requests at once as there are loops, two
/// at the least; of one account, one fewer.
pub struct LocalSampler {
    tools: Arc<Tools>,
    places: Share,
}

impl LocalSampler {
    /// Beside so many loops.
    pub fn new(tools: Arc<Tools>, loops: usize) -> Self {
        let places = loops.max(2);
        Self { tools, places: Share::new(places, Each { waiting: WAITING, ..Each::all_but_one(places) }) }
    }
}

#[async_trait]
impl Sampler for LocalSampler {
    async fn draw(&self, account: Uuid, samples: Vec<Sample>) -> Result<Vec<Drawn>, Failure> {
        let _place = self.places.take(account).await.map_err(failure::busy)?;
        stages::sample(account, samples, &self.tools).await.map_err(|stop| match stop {
            Stop::Failed(failure) => failure,
            Stop::Lost => failure::panicked(),
        })
    }
}
