//! PDFs made while somebody waits for them.

use std::sync::Arc;

use async_trait::async_trait;
use bytes::Bytes;
use fleet::export::{ExportPages, Exporter};
use fleet::protocol::Failure;
use fleet::share::{Each, Share};

use crate::Tools;
use crate::failure;
use crate::stages::{self, Stop};

/// Exports of one account that may wait for those before them.
const WAITING: usize = 8;

/// Exports made in this process, on the same threads as drawings: as many at once as there are loops, two at the least; of
/// one account, one fewer.
pub struct LocalExporter {
    tools: Arc<Tools>,
    places: Share,
}

impl LocalExporter {
    /// Beside so many loops.
    pub fn new(tools: Arc<Tools>, loops: usize) -> Self {
        let places = loops.max(2);
        Self { tools, places: Share::new(places, Each { waiting: WAITING, ..Each::all_but_one(places) }) }
    }
}

#[async_trait]
impl Exporter for LocalExporter {
    async fn pdf(&self, pages: ExportPages) -> Result<Bytes, Failure> {
        let _place = self.places.take(pages.account).await.map_err(failure::busy)?;
        stages::export(pages, &self.tools).await.map_err(|stop| match stop {
            Stop::Failed(failure) => failure,
            Stop::Lost => failure::panicked(),
        })
    }
}
