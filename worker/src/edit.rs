//! Edits worked out while somebody waits for them.

use std::sync::Arc;

use async_trait::async_trait;
use fleet::edit::{EditPages, EditUse, Editor, MadePage, OfferedDesign, Previewed, Proposals, Unsaid};
use fleet::protocol::Failure;
use fleet::share::{Each, Share};
use render_core::compose::PageView;
use render_core::edit::{Aspect, ExecuteError};
use render_core::outline::RevisedPage;

use crate::Tools;
use crate::failure;
use crate::stages::{self, Stop};

/// Edits that are worked out at once for each that can compute.
const AT_ONCE: usize = 8;
/// Edits of one account that may wait for those before them.
const WAITING: usize = 32;

/// Edits worked out in this process, on the same threads as drawings.
pub struct LocalEditor {
    tools: Arc<Tools>,
    places: Share,
}

impl LocalEditor {
    /// Beside so many loops. Some more edits than these can compute are worked out at once: many wait for a language model
    /// or for a picture, and hold nobody up. An account has half of the places at the most.
    pub fn new(tools: Arc<Tools>, loops: usize) -> Self {
        let places = AT_ONCE * loops.max(2);
        Self { tools, places: Share::new(places, Each { held: places / 2, waiting: WAITING }) }
    }
}

#[async_trait]
impl Editor for LocalEditor {
    async fn propose(&self, pages: EditPages, prompt: String, used: EditUse) -> Result<Proposals, Failure> {
        let _place = self.places.take(pages.account).await.map_err(failure::busy)?;
        stages::propose(pages, prompt, used, &self.tools).await.map_err(failed)
    }

    async fn view(&self, pages: EditPages) -> Result<PageView, Failure> {
        let _place = self.places.take(pages.account).await.map_err(failure::busy)?;
        stages::view(pages, &self.tools).await.map_err(failed)
    }

    async fn preview(&self, pages: EditPages, instruction: String) -> Result<Result<Previewed, String>, Failure> {
        let _place = self.places.take(pages.account).await.map_err(failure::busy)?;
        stages::preview(pages, instruction, &self.tools).await.map_err(failed)
    }

    async fn designs(&self, pages: EditPages, aspect: Aspect, everywhere: bool) -> Result<Vec<OfferedDesign>, Failure> {
        let _place = self.places.take(pages.account).await.map_err(failure::busy)?;
        stages::designs(pages, aspect, everywhere, &self.tools).await.map_err(failed)
    }

    async fn halves(&self, pages: EditPages) -> Result<Option<[RevisedPage; 2]>, Failure> {
        let _place = self.places.take(pages.account).await.map_err(failure::busy)?;
        stages::halves(pages, &self.tools).await.map_err(failed)
    }

    async fn arrange(
        &self,
        pages: EditPages,
        says: Vec<Option<RevisedPage>>,
    ) -> Result<Result<Vec<MadePage>, Unsaid>, Failure> {
        let _place = self.places.take(pages.account).await.map_err(failure::busy)?;
        stages::arrange(pages, says, &self.tools).await.map_err(failed)
    }

    async fn execute(
        &self,
        pages: EditPages,
        instruction: String,
        used: EditUse,
    ) -> Result<Result<Vec<MadePage>, ExecuteError>, Failure> {
        let _place = self.places.take(pages.account).await.map_err(failure::busy)?;
        stages::execute(pages, instruction, used, &self.tools).await.map_err(failed)
    }
}

fn failed(stop: Stop) -> Failure {
    match stop {
        Stop::Failed(failure) => failure,
        Stop::Lost => failure::panicked(),
    }
}
