//! Edits worked out while somebody waits for them.

use std::sync::Arc;

use async_trait::async_trait;
use fleet::edit::{EditPages, EditUse, Editor, MadePage, Proposed};
use fleet::protocol::Failure;
use render_core::edit::{ExecuteError, Unread};
use tokio::sync::Semaphore;

use crate::Tools;
use crate::failure;
use crate::stages::{self, Stop};

/// Edits that are worked out at once for each that can compute.
const WAITING: usize = 8;

/// Edits worked out in this process, on the same threads as drawings.
pub struct LocalEditor {
    tools: Arc<Tools>,
    places: Semaphore,
}

impl LocalEditor {
    /// Beside so many loops. Some more edits than these can compute are worked out at once: many wait for a language model
    /// or for a picture, and hold nobody up.
    pub fn new(tools: Arc<Tools>, loops: usize) -> Self {
        Self { tools, places: Semaphore::new(WAITING * loops.max(2)) }
    }
}

#[async_trait]
impl Editor for LocalEditor {
    async fn propose(
        &self,
        pages: EditPages,
        prompt: String,
        used: EditUse,
    ) -> Result<Result<Proposed, Unread>, Failure> {
        let _place = self.places.acquire().await.map_err(|_| failure::panicked())?;
        stages::propose(pages, prompt, used, &self.tools).await.map_err(failed)
    }

    async fn execute(
        &self,
        pages: EditPages,
        instruction: String,
        used: EditUse,
    ) -> Result<Result<Vec<MadePage>, ExecuteError>, Failure> {
        let _place = self.places.acquire().await.map_err(|_| failure::panicked())?;
        stages::execute(pages, instruction, used, &self.tools).await.map_err(failed)
    }
}

fn failed(stop: Stop) -> Failure {
    match stop {
        Stop::Failed(failure) => failure,
        Stop::Lost => failure::panicked(),
    }
}
