//! PDFs made while a client waits for the response.

use std::sync::Arc;

use async_trait::async_trait;
use bytes::Bytes;
use fleet::export::{ExportPages, Exporter};
use fleet::fair_semaphore::{AccountLimits, FairSemaphore};
use fleet::protocol::Failure;

use crate::Context;
use crate::failure;
use crate::stages::{self, Stop};

/// Exports of one account that may be queued.
const WAITING: usize = 8;

/// Makes exports in this process, on the same threads as render jobs. It makes as many at once as there are loops, at
/// least two, and for one account one fewer.
pub struct LocalExporter {
    context: Arc<Context>,
    permits: FairSemaphore,
}

impl LocalExporter {
    /// Returns an exporter for a process with `loops` loops.
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
impl Exporter for LocalExporter {
    async fn pdf(&self, pages: ExportPages) -> Result<Bytes, Failure> {
        let _permit = self.permits.acquire(pages.account).await.map_err(failure::busy)?;
        stages::export(pages, &self.context).await.map_err(|stop| match stop {
            Stop::Failed(failure) => failure,
            Stop::Lost => failure::panicked(),
        })
    }
}
