//! Rows of outputs: what they show, their versions, and the edits of them.

use fleet::protocol::BlobId;
use render_core::inspect::Quality;
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use crate::clock::Millis;
use crate::state::error::StateError;
use crate::state::rows::encoding::{LONGEST_ROW, Record, clip};
use crate::state::rows::generations::{Fault, Generation};

/// Maximum number of versions per output.
pub const VERSIONS_MOST: u32 = 1_000;
/// Maximum size of a stored prompt in bytes. The longest allowed prompt fits.
const PROMPT_BYTES: usize = 8_000;
/// Maximum size of a stored instruction in bytes.
const INSTRUCTION_BYTES: usize = 16_000;

/// An output, an image to render, keyed by (generation, place).
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Output {
    /// The id, assigned at creation.
    pub id: Uuid,
    /// The format's id.
    pub format: String,
    /// Index of the slide, from 0; `None` for a visual.
    pub slide: Option<u32>,
    /// Width in pixels.
    pub width: u32,
    /// Height in pixels.
    pub height: u32,
    /// Credits reserved for it.
    pub cost: u64,
    /// Version of the design that it shows, from 1.
    pub version: u32,
    /// The stored page, once it is designed.
    pub page: Option<BlobId>,
    /// A description for people who can't see it.
    pub alt_text: String,
    /// The final result, once there is one.
    pub end: Option<End>,
}

impl Output {
    /// Returns `waiting`, `ready` or `failed`, with the fault of a failed output.
    pub fn state(&self) -> (&'static str, Option<&Fault>) {
        match &self.end {
            None => ("waiting", None),
            Some(End::Ready(_)) => ("ready", None),
            Some(End::Failed(fault)) => ("failed", Some(fault)),
        }
    }
}

impl Record for Output {}

/// Final result of an output.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub enum End {
    /// The image can be fetched.
    Ready(Image),
    /// The output failed permanently and its credits were refunded.
    Failed(Fault),
}

/// A stored image.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Image {
    /// The image's key in the object store.
    pub object: String,
    /// The thumbnail's key in the object store.
    pub thumbnail: String,
    /// The image's size in bytes.
    pub bytes: u64,
    /// The image's SHA-256.
    pub sha256: [u8; 32],
    /// The quality measures of the design.
    pub quality: Quality,
}

/// The SHA-256 of a thumbnail, keyed by the thumbnail's key.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(in crate::state) struct Digest {
    pub(in crate::state) sha256: [u8; 32],
}

impl Record for Digest {}

/// An edit of an output, keyed by (generation, place). It is in progress, or it failed and was not retried since.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Edit {
    /// Id of the edit; the same for all outputs that it changes.
    pub id: Uuid,
    /// The version of this output that it creates.
    pub version: u32,
    /// Number of earlier attempts at that version. Credits are reserved again for each attempt.
    pub(in crate::state) round: u32,
    /// The places of all outputs that it changes.
    pub(in crate::state) set: Vec<u32>,
    /// The new page.
    pub(in crate::state) page: BlobId,
    /// The alternative text of the new page.
    pub(in crate::state) alt_text: String,
    /// Credits reserved for this output.
    pub(in crate::state) cost: u64,
    /// When it was confirmed.
    pub begun: Millis,
    /// The new image, while others of the edit are still missing.
    pub(in crate::state) drawn: Option<Image>,
    /// Why it failed; `None` while it is in progress.
    pub fault: Option<Fault>,
}

impl Record for Edit {}

/// The text of a version of an output, keyed by (generation, place, version).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(in crate::state) struct PageWords {
    /// In lower case, one line per text of the page.
    pub(in crate::state) text: String,
}

impl Record for PageWords {}

/// Location of an output, keyed by its id.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(in crate::state) struct OutputAt {
    pub(in crate::state) account: Uuid,
    pub(in crate::state) generation: Uuid,
    pub(in crate::state) place: u32,
}

impl Record for OutputAt {}

/// A version of an output, keyed by (generation, place, version).
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Version {
    /// The stored page.
    pub page: BlobId,
    /// A description for people who can't see it.
    pub alt_text: String,
    /// Its image.
    pub image: Image,
    /// The edit that created it.
    pub edit: Option<Uuid>,
    /// The version that it restores, if it was created by a restore.
    pub restored: Option<u32>,
    /// When it was created.
    pub at: Millis,
}

impl Record for Version {}

impl Version {
    /// Returns the first version of an output, which its generation created.
    pub(in crate::state) fn first(generation: &Generation, output: &Output) -> Result<Self, StateError> {
        let (Some(page), Some(End::Ready(image))) = (output.page, output.end.clone()) else {
            return Err(StateError::Missing("images"));
        };
        let at = generation.completed.unwrap_or(generation.created);
        Ok(Self { page, alt_text: output.alt_text.clone(), image, edit: None, restored: None, at })
    }
}

/// The wording of the request for a version, keyed like the version.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Wording {
    /// The client's prompt.
    pub prompt: String,
    /// The refined instruction.
    pub instruction: String,
}

impl Record for Wording {
    const BYTES: usize = LONGEST_ROW;
}

impl Wording {
    /// Truncates the texts to fit into a row.
    pub(in crate::state) fn new(prompt: &str, instruction: &str) -> Self {
        Self { prompt: clip(prompt, PROMPT_BYTES), instruction: clip(instruction, INSTRUCTION_BYTES) }
    }
}
