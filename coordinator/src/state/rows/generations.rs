//! Rows of generations: the request, what was planned, and the event log.

use std::ops::Range;

use fleet::protocol::{BlobId, ModelUsage, Wishes};
use render_core::format::Resolution;
use render_core::warning::Warning;
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use crate::clock::Millis;
use crate::state::rows::encoding::Record;
use crate::state::rows::given::Given;
use crate::state::status::Status;

/// Stands for a photograph in rows of versions that did not record it: only the pages show whether there is one.
pub const UNTOLD: BlobId = BlobId([0; 32]);

/// Encoding of the images.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum ImageFormat {
    /// PNG.
    Png,
    /// JPEG.
    Jpeg,
    /// WebP.
    Webp,
}

impl ImageFormat {
    /// Its name in requests and jobs.
    pub fn name(self) -> &'static str {
        match self {
            Self::Png => "png",
            Self::Jpeg => "jpeg",
            Self::Webp => "webp",
        }
    }
}

/// A failure: an error code of the API and a sentence.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Fault {
    /// The code, for programs.
    pub code: String,
    /// The message, for people.
    pub message: String,
}

/// A generation, keyed by (account, id).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Generation {
    /// Its id.
    pub id: Uuid,
    /// The account.
    pub account: Uuid,
    /// The current status.
    pub status: Status,
    /// When it was accepted.
    pub created: Millis,
    /// When a worker first claimed a job of it.
    pub started: Option<Millis>,
    /// When it reached a terminal status.
    pub completed: Option<Millis>,
    /// The request.
    pub request: Request,
    /// What a worker found in the content, once the pages are designed.
    pub planned: Option<PlannedFacts>,
    /// Number of outputs requested.
    pub total: u32,
    /// Number of outputs that are ready.
    pub done: u32,
    /// Number of outputs that failed permanently.
    pub failed: u32,
    /// Credits reserved when it was accepted.
    pub charged: u64,
    /// Credits refunded.
    pub refunded: u64,
    /// Why it failed, or why the first of its outputs failed.
    pub fault: Option<Fault>,
    /// How many times its failed outputs were retried.
    pub round: u32,
    /// Whether the pages keep the exact content.
    pub exact: bool,
    /// The brand kit's design as of acceptance (`render_core::design::Brand`).
    pub brand: Option<BlobId>,
    /// The photographs that its pages show, each once; [`UNTOLD`] if it is unknown whether there is one.
    pub photos: Vec<BlobId>,
    /// When retention deleted its images.
    pub images_deleted: Option<Millis>,
    /// When its input was deleted because nothing was made from it.
    pub input_deleted: Option<Millis>,
    /// The generation that it is derived from. Its input is then that generation's pages
    /// ([`fleet::source::SourcePages`]), and `request.given` is the form of the first generation's content.
    pub parent: Option<Uuid>,
    /// The purpose of the pages, as the client describes it.
    pub wishes: Wishes,
    /// What a language model used for its pages; `None` if no model was called, or if the usage is unknown.
    pub usage: Option<ModelUsage>,
    /// The title that the owner gave it, which replaces the one found in the content.
    pub name: Option<String>,
}

impl Generation {
    /// Returns its title: the owner's, or else the one found in the content, or else the requested one.
    pub fn title(&self) -> Option<&str> {
        self.titles().next()
    }

    /// Returns its current and earlier titles, the current one first.
    pub(in crate::state) fn titles(&self) -> impl Iterator<Item = &str> {
        let found = self.planned.as_ref().map(|planned| &planned.title);
        [self.name.as_ref(), found, self.request.title.as_ref()].into_iter().flatten().map(String::as_str)
    }

    /// Returns the requested carousels and visuals as ranges of places, each with its format and whether it is a
    /// carousel.
    pub(in crate::state) fn created(&self) -> impl Iterator<Item = (Range<u32>, &str, bool)> {
        let mut next = 0;
        self.request.formats.iter().map(move |(format, slides)| {
            let start = next;
            next += slides.unwrap_or(1);
            (start..next, format.as_str(), slides.is_some())
        })
    }

    /// Returns whether the output at a place was added after the generation was created.
    pub(in crate::state) fn is_added(&self, place: u32) -> bool {
        self.created().all(|(run, ..)| !run.contains(&place))
    }

    /// Returns whether it failed or was cancelled before `before` and still has its input.
    pub(in crate::state) fn has_useless_input(&self, before: Millis) -> bool {
        matches!(self.status, Status::Failed | Status::Cancelled)
            && self.completed.is_some_and(|ended| ended < before)
            && self.input_deleted.is_none()
    }

    /// Returns whether it may have images and no worker is making more. A retry may create images after the first ones
    /// were deleted.
    pub fn may_have_images(&self) -> bool {
        let emptied = self.images_deleted.is_some_and(|deleted| self.completed.is_none_or(|ended| ended <= deleted));
        self.status.is_terminal() && !emptied
    }

    /// Returns the blobs that its row references.
    pub(in crate::state) fn blobs(&self) -> impl Iterator<Item = BlobId> {
        let input = Some(self.request.input).filter(|_| self.input_deleted.is_none());
        let document = self.planned.as_ref().map(|planned| planned.document);
        [input, self.brand, document].into_iter().flatten().chain(self.photos_told())
    }

    /// Returns the photographs that its row references.
    pub fn photos_told(&self) -> impl Iterator<Item = BlobId> {
        self.photos.iter().copied().filter(|photo| *photo != UNTOLD)
    }
}

/// A request for a generation.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Request {
    /// The form of the content.
    pub given: Given,
    /// The content, or its address.
    pub input: BlobId,
    /// The beginning of the content, for searching.
    pub excerpt: String,
    /// Format ids, with slide counts for carousels.
    pub formats: Vec<(String, Option<u32>)>,
    /// Title to use instead of the one found in the content.
    pub title: Option<String>,
    /// The brand kit.
    pub brand: Option<Uuid>,
    /// Name of the requested style, or of the brand kit's style.
    pub style: Option<String>,
    /// The requested language as a BCP 47 tag.
    pub language: Option<String>,
    /// The resolution.
    pub resolution: Resolution,
    /// The encoding of the images.
    pub image_format: ImageFormat,
    /// Seed of all random choices.
    pub seed: u64,
}

/// What a worker found in the content.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PlannedFacts {
    /// The stored document.
    pub document: BlobId,
    /// The title of the pages.
    pub title: String,
    /// The language of the pages as a BCP 47 tag.
    pub language: String,
    /// Name of the style used.
    pub style: String,
}

/// The events of one generation, keyed by the generation's id. No row means that the generation was accepted and
/// nothing else happened.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(in crate::state) struct EventLog {
    /// Number of the latest status change. Acceptance is number 1.
    pub(in crate::state) told: u32,
    /// Place and event number of every landed output.
    pub(in crate::state) landed: Vec<(u32, u32)>,
}

impl Record for EventLog {}

impl Default for EventLog {
    fn default() -> Self {
        Self { told: 1, landed: Vec::new() }
    }
}

impl EventLog {
    /// Returns the places of the `total` outputs that may have landed, with their event numbers, in order of the
    /// numbers. Outputs that landed before event logs existed have number 0.
    pub(in crate::state) fn numbered(&self, total: u32) -> Vec<(u32, u32)> {
        let known = |place: &u32| self.landed.iter().any(|(p, _)| p == place);
        let earlier = (0..total).filter(|place| !known(place)).map(|place| (place, 0));
        earlier.chain(self.landed.iter().copied()).collect()
    }
}

impl Record for Warning {}
