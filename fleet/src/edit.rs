//! What edits would do, and the pages that they make. In standalone mode the workers of this process say.

use std::sync::{Arc, Mutex, PoisonError};

use async_trait::async_trait;
use bytes::Bytes;
use render_core::edit::{Change, Correction, ExecuteError, Unread};
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
}

/// What an edit would do.
#[derive(Debug, Clone, PartialEq)]
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
    /// The edited page in the page language, every element with its id; none where nothing changes.
    pub text: Option<String>,
    /// Where the elements of the edited page stand; of the page as it is where nothing changes.
    pub elements: Vec<ElementBox>,
}

/// A page that an edit changes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct EditedPage {
    /// Which of the pages.
    pub at: usize,
    /// The words that the edit corrects, where it does nothing else.
    pub correction: Option<Correction>,
}

/// A page in the page language, and how it looks.
#[derive(Debug, Clone, PartialEq)]
pub struct PageText {
    /// The whole page, head and foot included.
    pub text: String,
    /// Where its elements stand.
    pub elements: Vec<ElementBox>,
    /// The colours of its palette as `#rrggbb`, by the names that the page language has for them.
    pub colours: Vec<(&'static str, String)>,
}

/// The place of an element on its page.
#[derive(Debug, Clone, PartialEq)]
pub struct ElementBox {
    /// The element's id.
    pub id: String,
    /// What it is, such as `headline`.
    pub name: &'static str,
    /// What may be changed of it: `words` where it holds words, and names of its attributes, of those that are set by hand.
    pub takes: Vec<&'static str>,
    /// Left, top, width and height, in shares of the page's width and height. An element may reach beyond the page.
    pub rect: [f32; 4],
    /// The size of its type in du, where it is a text.
    pub size: Option<f32>,
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
    async fn propose(
        &self,
        pages: EditPages,
        prompt: String,
        used: EditUse,
    ) -> Result<Result<Proposed, Unread>, Failure>;

    /// The page that the edit would be of, in the page language.
    ///
    /// # Errors
    /// A [`Failure`] where the page can't be had; one of the code `busy` where the account has as many edits waiting as it
    /// may.
    async fn text(&self, pages: EditPages) -> Result<PageText, Failure>;

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
