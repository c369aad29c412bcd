//! Edits that run while a client waits for the response.

use std::sync::Arc;

use async_trait::async_trait;
use fleet::edit::{EditPages, EditUse, Editor, MadePage, OfferedDesign, Previewed, Proposals, Unsaid};
use fleet::fair_semaphore::{AccountLimits, FairSemaphore};
use fleet::protocol::Failure;
use render_core::compose::PageView;
use render_core::edit::{Aspect, ExecuteError};
use render_core::outline::RevisedPage;

use crate::Context;
use crate::failure;
use crate::stages::{self, Stop};

/// Concurrent edits per loop.
const AT_ONCE: usize = 8;
/// Edits of one account that may be queued.
const WAITING: usize = 32;

/// Runs edits in this process, on the same threads as render jobs.
pub struct LocalEditor {
    context: Arc<Context>,
    permits: FairSemaphore,
}

impl LocalEditor {
    /// Returns an editor for a process with `loops` loops. It runs more edits at once than can compute, because many
    /// wait for a language model or a picture and use no thread meanwhile. An account gets at most half of the permits.
    pub fn new(context: Arc<Context>, loops: usize) -> Self {
        let permits = AT_ONCE * loops.max(2);
        Self { context, permits: FairSemaphore::new(permits, AccountLimits { held: permits / 2, waiting: WAITING }) }
    }
}

#[async_trait]
impl Editor for LocalEditor {
    async fn propose(&self, pages: EditPages, prompt: String, used: EditUse) -> Result<Proposals, Failure> {
        let _permit = self.permits.acquire(pages.account).await.map_err(failure::busy)?;
        stages::propose(pages, prompt, used, &self.context).await.map_err(failed)
    }

    async fn view(&self, pages: EditPages) -> Result<PageView, Failure> {
        let _permit = self.permits.acquire(pages.account).await.map_err(failure::busy)?;
        stages::view(pages, &self.context).await.map_err(failed)
    }

    async fn preview(&self, pages: EditPages, instruction: String) -> Result<Result<Previewed, String>, Failure> {
        let _permit = self.permits.acquire(pages.account).await.map_err(failure::busy)?;
        stages::preview(pages, instruction, &self.context).await.map_err(failed)
    }

    async fn designs(&self, pages: EditPages, aspect: Aspect, everywhere: bool) -> Result<Vec<OfferedDesign>, Failure> {
        let _permit = self.permits.acquire(pages.account).await.map_err(failure::busy)?;
        stages::designs(pages, aspect, everywhere, &self.context).await.map_err(failed)
    }

    async fn halves(&self, pages: EditPages) -> Result<Option<[RevisedPage; 2]>, Failure> {
        let _permit = self.permits.acquire(pages.account).await.map_err(failure::busy)?;
        stages::halves(pages, &self.context).await.map_err(failed)
    }

    async fn arrange(
        &self,
        pages: EditPages,
        says: Vec<Option<RevisedPage>>,
    ) -> Result<Result<Vec<MadePage>, Unsaid>, Failure> {
        let _permit = self.permits.acquire(pages.account).await.map_err(failure::busy)?;
        stages::arrange(pages, says, &self.context).await.map_err(failed)
    }

    async fn execute(
        &self,
        pages: EditPages,
        instruction: String,
        used: EditUse,
    ) -> Result<Result<Vec<MadePage>, ExecuteError>, Failure> {
        let _permit = self.permits.acquire(pages.account).await.map_err(failure::busy)?;
        stages::execute(pages, instruction, used, &self.context).await.map_err(failed)
    }
}

fn failed(stop: Stop) -> Failure {
    match stop {
        Stop::Failed(failure) => failure,
        Stop::Lost => failure::panicked(),
    }
}
