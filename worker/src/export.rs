//! PDFs made while a client waits for the response.

use std::sync::Arc;

use async_trait::async_trait;
use bytes::Bytes;
use fleet::export::{ExportPages, Exporter};
use fleet::protocol::Failure;
use fleet::share::{Each, Share};

use crate::Context;
use crate::failure;
use crate::stages::{self, Stop};

/// Exports of one account that may be queued.
const WAITING: usize = 8;

/// Makes exports in this process, on the same threads as render jobs. It makes as many at once as there are loops, at
/// least two, and for one account one fewer.
pub struct LocalExporter {
    context: Arc<Context>,
    places: Share,
}

impl LocalExporter {
    /// Returns an exporter for a process with `loops` loops.
    pub fn new(context: Arc<Context>, loops: usize) -> Self {
        let places = loops.max(2);
        Self { context, places: Share::new(places, Each { waiting: WAITING, ..Each::all_but_one(places) }) }
    }
}

#[async_trait]
impl Exporter for LocalExporter {
    async fn pdf(&self, pages: ExportPages) -> Result<Bytes, Failure> {
        let _place = self.places.take(pages.account).await.map_err(failure::busy)?;
        stages::export(pages, &self.context).await.map_err(|stop| match stop {
            Stop::Failed(failure) => failure,
            Stop::Lost => failure::panicked(),
        })
    }
}
