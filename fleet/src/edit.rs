//! Proposes and applies edits of pages. In standalone mode the workers of this process do so.

use std::sync::Arc;

use async_trait::async_trait;
use bytes::Bytes;
use parking_lot::Mutex;
use render_core::compose::PageView;
use render_core::design::Slide;
use render_core::edit::{Aspect, Change, Correction, ExecuteError, Unread};
use render_core::outline::RevisedPage;
use uuid::Uuid;

use crate::llm::Allowance;
use crate::protocol::{BlobId, Failure};

/// The pages that an edit may concern: those of one output, and of the other slides of its set.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EditPages {
    /// The account that owns them. Accounts share the computation of edits fairly.
    pub account: Uuid,
    /// The pages, in order.
    pub pages: Vec<EditPage>,
    /// Index of the page for which the edit was requested.
    pub at: usize,
    /// The brand of the pages (`render_core::design::Brand`).
    pub brand: Option<BlobId>,
    /// The files of the uploaded pictures that the edit uses, by URL.
    pub uploads: Vec<(String, BlobId)>,
}

/// The current state of a page.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct EditPage {
    /// The stored page.
    pub page: BlobId,
    /// The version of the output that shows it.
    pub version: u32,
    /// Width of its image in pixels.
    pub width: u32,
    /// Height of its image in pixels.
    pub height: u32,
    /// Its slide, if that differs from the stored page.
    pub slide: Option<Slide>,
}

/// The effect of an edit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Proposed {
    /// The refined instruction.
    pub instruction: String,
    /// Changes on the page for which the edit was requested.
    pub changes: Vec<Change>,
    /// Notes for the reader, one sentence each.
    pub notes: Vec<String>,
    /// The pages that change.
    pub edited: Vec<EditedPage>,
    /// A small PNG of the edited page; `None` where nothing changes.
    pub preview: Option<Bytes>,
}

/// The result of interpreting a prompt.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Proposals {
    /// The effect of the prompt, or the question to ask in return.
    pub answer: Result<Proposed, Unread>,
    /// Other prompts that the client may have meant, and the effect of each.
    pub alternatives: Vec<Alternative>,
}

/// A suggested prompt in place of one that is vague or not understood.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Alternative {
    /// The prompt.
    pub prompt: String,
    /// Its effect.
    pub proposed: Proposed,
}

/// A design to which a page can change.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OfferedDesign {
    /// Its display name.
    pub name: String,
    /// Its effect; the preview is small enough for a list.
    pub proposed: Proposed,
}

/// A page that an edit changes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct EditedPage {
    /// Index of the page.
    pub at: usize,
    /// The corrected words, if the edit does nothing else.
    pub correction: Option<Correction>,
}

/// A page that was changed by hand, before it is stored.
#[derive(Debug, Clone, PartialEq)]
pub struct Previewed {
    /// The changed page.
    pub view: PageView,
    /// The changes.
    pub changes: Vec<Change>,
    /// A small PNG of the page, and the corrected words if nothing else changes; `None` where the page is unchanged.
    pub edited: Option<(Bytes, Option<Correction>)>,
}

/// Text that fits no layout.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unsaid {
    /// Index of the page that should show the text.
    pub at: usize,
    /// The reason, as a sentence.
    pub why: String,
}

/// A page that results from an edit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MadePage {
    /// Index of the page that it replaces.
    pub at: usize,
    /// The page to store.
    pub page: Bytes,
    /// A description for people who can't see the image.
    pub alt_text: String,
    /// The corrected words, if the edit does nothing else.
    pub correction: Option<Correction>,
}

/// The resources that computing an edit may use, and those that it used. Clones share the counts.
#[derive(Debug, Clone, Default)]
pub struct EditUse {
    /// Tokens that it may use of language models.
    pub allowance: Allowance,
    pictures: Arc<Mutex<Vec<(BlobId, u64)>>>,
}

impl EditUse {
    /// Creates a record with this allowance of tokens.
    pub fn of(allowance: Allowance) -> Self {
        Self { allowance, pictures: Arc::default() }
    }

    /// Records that a picture of `bytes` bytes was stored.
    pub fn stored(&self, picture: BlobId, bytes: u64) {
        self.pictures.lock().push((picture, bytes));
    }

    /// Returns the pictures that were stored, with their sizes in bytes.
    pub fn pictures(&self) -> Vec<(BlobId, u64)> {
        self.pictures.lock().clone()
    }
}

/// Computes edits. Stores nothing except the pictures that an edit uses. Orphan collection removes those that no page
/// references.
#[async_trait]
pub trait Editor: Send + Sync {
    /// Returns the effect of `prompt`, or the question to ask in return. Records the used resources in `used`.
    ///
    /// # Errors
    /// A [`Failure`] where the pages can't be read; one with the code `busy` where the account has too many edits
    /// waiting.
    async fn propose(&self, pages: EditPages, prompt: String, used: EditUse) -> Result<Proposals, Failure>;

    /// Returns the text of the page at `pages.at`, with the positions of its elements.
    ///
    /// # Errors
    /// A [`Failure`] where the page can't be read; one with the code `busy` where the account has too many edits
    /// waiting.
    async fn view(&self, pages: EditPages) -> Result<PageView, Failure>;

    /// Returns the result of `instruction`, which recomposes the page at `pages.at`; or the faults of the page, one per
    /// line. Calls no language model.
    ///
    /// # Errors
    /// As [`Editor::view`].
    async fn preview(&self, pages: EditPages, instruction: String) -> Result<Result<Previewed, String>, Failure>;

    /// Returns designs to choose from for one aspect of the page at `pages.at`. With `everywhere`, each applies to all
    /// pages.
    ///
    /// # Errors
    /// As [`Editor::view`].
    async fn designs(&self, pages: EditPages, aspect: Aspect, everywhere: bool) -> Result<Vec<OfferedDesign>, Failure>;

    /// Returns the content of the two slides into which the page at `pages.at` splits; `None` where it makes only one
    /// point.
    ///
    /// # Errors
    /// As [`Editor::view`].
    async fn halves(&self, pages: EditPages) -> Result<Option<[RevisedPage; 2]>, Failure>;

    /// Returns the pages as the slides that [`EditPage::slide`] names, each with its text from `says` if there is one.
    /// Omits pages that look as before. Alternatively returns the text that does not fit, and why.
    ///
    /// # Errors
    /// As [`Editor::view`].
    async fn arrange(
        &self,
        pages: EditPages,
        says: Vec<Option<RevisedPage>>,
    ) -> Result<Result<Vec<MadePage>, Unsaid>, Failure>;

    /// Returns the pages that result from `instruction`; none where nothing changes. Records the used resources in
    /// `used`.
    ///
    /// # Errors
    /// A [`Failure`] where the pages can't be read; one with the code `busy` where the account has too many edits
    /// waiting.
    async fn execute(
        &self,
        pages: EditPages,
        instruction: String,
        used: EditUse,
    ) -> Result<Result<Vec<MadePage>, ExecuteError>, Failure>;
}
