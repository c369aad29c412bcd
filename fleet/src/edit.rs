//! What edits would do, and the pages that they make. In standalone mode the workers of this process say.

use std::sync::{Arc, Mutex, PoisonError};

use async_trait::async_trait;
use bytes::Bytes;
use render_core::compose::PageView;
use render_core::design::Slide;
use render_core::edit::{Aspect, Change, Correction, ExecuteError, Unread};
use render_core::outline::RevisedPage;
use uuid::Uuid;

use crate::llm::Allowance;
use crate::protocol::{BlobId, Failure};

/// The pages that an edit may be about: an output's, and those of the other slides of its set.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EditPages {
    /// Whose they are: what is computed for an edit is shared fairly between accounts.
    pub account: Uuid,
    /// The pages, in order.
    pub pages: Vec<EditPage>,
    /// Which of them the edit was asked of.
    pub at: usize,
    /// Whose pages they are (`render_core::design::Brand`).
    pub brand: Option<BlobId>,
    /// The files of the uploaded pictures that the edit asks for, by their addresses.
    pub uploads: Vec<(String, BlobId)>,
}

/// A page as it stands.
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
    /// Which slide it is, where the stored page may say another.
    pub slide: Option<Slide>,
}

/// What an edit would do.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Proposed {
    /// The refined instruction.
    pub instruction: String,
    /// What changes on the page that it was asked of.
    pub changes: Vec<Change>,
    /// What the reader should know. A sentence each.
    pub notes: Vec<String>,
    /// The pages that change.
    pub edited: Vec<EditedPage>,
    /// The edited page, small, as a PNG; none where nothing changes.
    pub preview: Option<Bytes>,
}

/// What comes of a prompt.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Proposals {
    /// What it would do; or what to ask back.
    pub answer: Result<Proposed, Unread>,
    /// Other prompts that it may have meant, and what each would do.
    pub alternatives: Vec<Alternative>,
}

/// A prompt in place of one that is vague or not understood.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Alternative {
    /// The prompt.
    pub prompt: String,
    /// What it would do.
    pub proposed: Proposed,
}

/// A design that a page could have.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OfferedDesign {
    /// What people call it.
    pub name: String,
    /// What it would do; its preview is small enough for a list.
    pub proposed: Proposed,
}

/// A page that an edit changes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct EditedPage {
    /// Which of the pages.
    pub at: usize,
    /// The words that the edit corrects, where it does nothing else.
    pub correction: Option<Correction>,
}

/// A page that was changed by hand, before it is stored.
#[derive(Debug, Clone, PartialEq)]
pub struct Previewed {
    /// The changed page.
    pub view: PageView,
    /// What changes.
    pub changes: Vec<Change>,
    /// The page, small, as a PNG, and the words that are corrected where nothing else is changed; `None` where the page is
    /// as it was.
    pub edited: Option<(Bytes, Option<Correction>)>,
}

/// Words that no layout has room for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unsaid {
    /// Which of the pages was to say them.
    pub at: usize,
    /// Why it can't, as a sentence.
    pub why: String,
}

/// A page that an edit makes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MadePage {
    /// Which of the pages it is instead of.
    pub at: usize,
    /// What is to be stored.
    pub page: Bytes,
    /// What is said of it for those who can't see it.
    pub alt_text: String,
    /// The words that the edit corrects, where it does nothing else.
    pub correction: Option<Correction>,
}

/// What working out an edit may use, and what it used. Clones share it.
#[derive(Debug, Clone, Default)]
pub struct EditUse {
    /// What it may ask of a language model.
    pub allowance: Allowance,
    pictures: Arc<Mutex<Vec<(BlobId, u64)>>>,
}

impl EditUse {
    /// It may ask so much of a language model.
    pub fn of(allowance: Allowance) -> Self {
        Self { allowance, pictures: Arc::default() }
    }

    /// Notes that a picture of so many bytes was stored.
    pub fn stored(&self, picture: BlobId, bytes: u64) {
        self.pictures.lock().unwrap_or_else(PoisonError::into_inner).push((picture, bytes));
    }

    /// The pictures that were stored, and their sizes in bytes.
    pub fn pictures(&self) -> Vec<(BlobId, u64)> {
        self.pictures.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

/// Works out edits. Nothing is stored but the pictures that they ask for: what is not made of them goes with what is left
/// over.
#[async_trait]
pub trait Editor: Send + Sync {
    /// What `prompt` would do; or what to ask back. What it uses is noted in `used`.
    ///
    /// # Errors
    /// A [`Failure`] where the pages can't be had; one of the code `busy` where the account has as many edits waiting as it
    /// may.
    async fn propose(&self, pages: EditPages, prompt: String, used: EditUse) -> Result<Proposals, Failure>;

    /// The page at `pages.at` as text, with the places of its elements.
    ///
    /// # Errors
    /// A [`Failure`] where the page can't be had; one of the code `busy` where the account has as many edits waiting as it
    /// may.
    async fn view(&self, pages: EditPages) -> Result<PageView, Failure>;

    /// What `instruction`, which composes the page at `pages.at` anew, makes of it; or the page's faults, a line each. No
    /// language model is asked.
    ///
    /// # Errors
    /// As [`Editor::view`].
    async fn preview(&self, pages: EditPages, instruction: String) -> Result<Result<Previewed, String>, Failure>;

    /// Designs to choose from for one aspect of the page at `pages.at`; with `everywhere` they are applied to all of the pages.
    ///
    /// # Errors
    /// As [`Editor::view`].
    async fn designs(&self, pages: EditPages, aspect: Aspect, everywhere: bool) -> Result<Vec<OfferedDesign>, Failure>;

    /// What both slides say that the page at `pages.at` is split into; `None` where it says a single thing.
    ///
    /// # Errors
    /// As [`Editor::view`].
    async fn halves(&self, pages: EditPages) -> Result<Option<[RevisedPage; 2]>, Failure>;

    /// The pages as the slides that [`EditPage::slide`] says, each with the words that `says` has for it in place of its own;
    /// those that look as they did are left out. Or what can't be said, and why.
    ///
    /// # Errors
    /// As [`Editor::view`].
    async fn arrange(
        &self,
        pages: EditPages,
        says: Vec<Option<RevisedPage>>,
    ) -> Result<Result<Vec<MadePage>, Unsaid>, Failure>;

    /// The pages that `instruction` makes; none where what it says holds already. What it uses is noted in `used`.
    ///
    /// # Errors
    /// A [`Failure`] where the pages can't be had; one of the code `busy` where the account has as many edits waiting as it
    /// may.
    async fn execute(
        &self,
        pages: EditPages,
        instruction: String,
        used: EditUse,
    ) -> Result<Result<Vec<MadePage>, ExecuteError>, Failure>;
}
