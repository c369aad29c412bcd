//! Messages between coordinator and workers.
//!
//! The queue carries only [`Ticket`]s: hints that a job may be waiting. The coordinator hands out the job itself when a
//! worker claims it, and accepts the result only while that claim stands:
//!
//! ```text
//! queue --Ticket--> worker --claim(job, epoch)--> job service --Claim(job, epoch, nonce), Job, Terms--> worker works
//!                   worker --heartbeat(grant)---> job service
//!                   worker --report(grant, …)---> job service: accepted once, refused if the claim no longer stands
//! ```
//!
//! A [`Grant`] is a claim and its [`Secret`]. Only the answer to the claim carries the secret. Object keys contain the
//! nonce, so the nonce proves nothing; the secret does.

mod epoch;
mod failure_code;
#[cfg(test)]
pub(crate) mod golden;
mod negotiated;
mod newer;
mod wire;

use render_core::inspect::Quality;
use render_core::warning::Warning;
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use crate::files::FileKind;

pub use epoch::{Epoch, Series};
pub use failure_code::FailureCode;
pub use negotiated::NegotiatedVersion;
pub use wire::{MESSAGE_BYTES, Message, WireError, decode, encode, encode_as, length};

/// First byte of every message. Each change of a type in this module raises it.
///
/// - 4: `photo` of planned outcomes.
/// - 5: a worker's memory limit and protocol version.
/// - 6: the terms of a claim, and its secret in heartbeats and reports; `tokens` of plan jobs, planned outcomes and
///   failures.
/// - 7: [`InputKind::Pages`]; outcomes of reports in the object store.
/// - 8: [`InputKind::Markup`].
/// - 9: [`InputKind::File`].
/// - 10: several `photos` of planned outcomes.
/// - 11: [`InputKind::Illustrated`].
/// - 12: [`PlanJob::wishes`] and [`Planned::usage`].
/// - 13: outlines within illustrated inputs, and [`Failure::usage`].
/// - 14: earlier edits within illustrated inputs.
pub const PROTOCOL_VERSION: u8 = 14;
/// The first version whose workers read the earlier edits of an illustrated input.
pub const EARLIER_EDITS_SINCE: u8 = 14;
/// Seconds a claim stands without a heartbeat.
pub const LEASE_S: u64 = 15;
/// Seconds between heartbeats.
pub const HEARTBEAT_S: u64 = 5;
/// Claims that a job may have before the coordinator gives it up as poison.
pub const MAX_CLAIMS: u32 = 3;

/// Kind of machine time that a job needs. New variants go at the end, so that the encoding of existing ones is
/// unchanged.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Class {
    /// Read the input and design every page.
    Plan,
    /// Draw one page at 2K.
    Render2k,
    /// Draw one page at 4K.
    Render4k,
    /// Draw a new version of one page, while somebody waits for it.
    Edit,
}

impl Class {
    /// Every class, in the order in which workers look for jobs: a client waits for an edit, and a plan creates the
    /// jobs of all other classes.
    pub const ALL: [Self; 4] = [Self::Edit, Self::Plan, Self::Render2k, Self::Render4k];

    /// Returns the position of the class in [`Self::ALL`].
    pub fn rank(self) -> usize {
        match self {
            Self::Edit => 0,
            Self::Plan => 1,
            Self::Render2k => 2,
            Self::Render4k => 3,
        }
    }
}

/// A hint that a job may be waiting.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Ticket {
    /// The job.
    pub job: Uuid,
    /// Its position in the history of the job. A claim carries it.
    pub epoch: Epoch,
    /// Its class.
    pub class: Class,
}

/// A worker's right to work on a job. Object keys contain the nonce, so a claim alone does not prove that right.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Claim {
    /// The job.
    pub job: Uuid,
    /// The epoch of the ticket.
    pub epoch: Epoch,
    /// 128 random bits, new with every claim.
    pub nonce: u128,
}

/// 128 random bits that prove a claim. Only the answer to the claim carries them.
#[derive(Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Secret(pub [u8; 16]);

/// Omits the bits, so that they don't reach a log.
impl std::fmt::Debug for Secret {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Secret")
    }
}

/// A claim and its proof. The worker that holds the claim sends both with heartbeats and reports.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Grant {
    /// Which claim.
    pub claim: Claim,
    /// Its secret; `None` for a claim that was made without one, within the coordinator's process.
    pub secret: Option<Secret>,
}

/// What a worker needs besides a claim to work on the job.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Terms {
    /// Proves the claim; `None` for a claim that was made without one, within the coordinator's process.
    pub secret: Option<Secret>,
    /// The worker's own folder for images, below [`IMAGES`]; `None` for [`IMAGES`] itself.
    pub folder: Option<String>,
}

/// The folder of the object store that holds images and thumbnails.
pub const IMAGES: &str = "outputs";

/// Returns the keys of the image and the thumbnail of an output's version, as stored under a claim with this nonce, in
/// the worker's own `folder` if it has one. No two claims share a key, so removing the objects of one claim never
/// affects another.
pub fn image_keys(
    folder: Option<&str>,
    generation: Uuid,
    output: Uuid,
    version: u32,
    nonce: u128,
    extension: &str,
) -> [String; 2] {
    let folder = folder.map(|own| format!("{own}/")).unwrap_or_default();
    let base = format!("{IMAGES}/{folder}{generation}/{output}/{version}-{nonce:032x}");
    [format!("{base}.{extension}"), format!("{base}-thumb.{extension}")]
}

/// A worker that requests a job from the coordinator.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Caller {
    /// The name of the worker's user on the queue, of letters, digits, `-` and `_`; `None` for a worker in the
    /// coordinator's process, and for one without a user of its own.
    pub identity: Option<String>,
    /// The name that the worker gives itself.
    pub name: String,
    /// The protocol version that the worker speaks.
    pub version: u8,
}

impl Caller {
    /// A worker in the coordinator's own process.
    pub fn here(name: &str) -> Self {
        Self { identity: None, name: name.to_owned(), version: PROTOCOL_VERSION }
    }

    /// Returns the name for lists. It contains the identity where the two differ, so a worker can't pose as another.
    pub fn shown(&self) -> String {
        shown(self.identity.as_deref(), &self.name)
    }
}

/// Returns the name for lists of a worker that calls itself `name` and connects as `identity`.
pub(crate) fn shown(identity: Option<&str>, name: &str) -> String {
    match identity {
        Some(identity) if identity != token(name) => format!("{identity}/{name}"),
        _ => name.to_owned(),
    }
}

/// Returns `name` as one token of a subject: letters, digits, `-` and `_`, at most `TOKEN_BYTES` of them.
pub fn token(name: &str) -> String {
    let plain = |c: char| if c.is_ascii_alphanumeric() || c == '_' { c } else { '-' };
    let token: String = name.chars().take(TOKEN_BYTES).map(plain).collect();
    if token.is_empty() { "-".into() } else { token }
}

/// The longest token of a subject that names a worker, in bytes.
const TOKEN_BYTES: usize = 64;

/// Maximum bytes kept of an image's description.
pub const ALT_BYTES: usize = 1_000;
/// Maximum warnings kept per generation or image.
pub const WARNINGS: usize = 50;

/// A blob by the SHA-256 of its bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct BlobId(pub [u8; 32]);

/// A worker's request for a job.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ClaimRequest {
    /// The ticket that the worker received.
    pub ticket: Ticket,
    /// The worker's name.
    pub worker: String,
}

/// A worker's report that a job is done or has failed.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ReportRequest {
    /// The claim under which the worker did the job.
    pub claim: Claim,
    /// The result.
    pub outcome: Outcome,
    /// The claim's secret.
    pub secret: Option<Secret>,
}

/// A job.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub enum Job {
    /// Read the input and design every page.
    Plan(PlanJob),
    /// Draw one page.
    Render(RenderJob),
}

/// The kind of a generation's input.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum InputKind {
    /// The content itself: plain text or Markdown.
    Text,
    /// The address of a page or text to fetch.
    Url,
    /// A short description of the topic of the pages.
    Idea,
    /// A PDF file.
    Pdf,
    /// The address of a PDF, or of a file of another kind, to fetch.
    PdfUrl,
    /// The pages of another generation ([`crate::source::SourcePages`]).
    Pages,
    /// Pages in the page language.
    Markup,
    /// A file of a kind other than PDF.
    File(FileKind),
    /// An input of one of these kinds, with pictures, an outline or edits for it ([`crate::illustrated::Illustrated`]).
    Illustrated,
}

impl InputKind {
    /// Returns the input kind of a file of this kind.
    pub fn of_file(kind: FileKind) -> Self {
        match kind {
            FileKind::Pdf => Self::Pdf,
            other => Self::File(other),
        }
    }
}

/// Read the input and design every page of a generation.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct PlanJob {
    /// The generation.
    pub generation: Uuid,
    /// What `input` holds.
    pub input_kind: InputKind,
    /// The input: a text, a URL (both UTF-8), or a file.
    pub input: BlobId,
    /// Title that replaces the one found in the input.
    pub title: Option<String>,
    /// Requested formats: format id and, for carousels, the slide count.
    pub formats: Vec<(String, Option<u32>)>,
    /// Name of the requested style.
    pub style: Option<String>,
    /// BCP 47 tag of the requested language.
    pub language: Option<String>,
    /// Seed of all random choices.
    pub seed: u64,
    /// Whether the pages keep the exact text: nothing is shortened, omitted or rewritten.
    pub exact: bool,
    /// The brand of the pages (`render_core::design::Brand`).
    pub brand: Option<BlobId>,
    /// Tokens that language models may use for this job, prompts and answers together; `None` for the worker's own
    /// limit only.
    pub tokens: Option<u64>,
    /// The purpose of the pages, for the language model.
    pub wishes: Wishes,
}

/// What the client says about the purpose of the pages, for the language model that writes them.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
pub struct Wishes {
    /// Who reads the pages.
    pub audience: Option<String>,
    /// What the readers should know, feel or do afterwards.
    pub goal: Option<String>,
    /// Tone of the pages. Takes precedence over the tone of the brand.
    pub tone: Option<String>,
}

impl Wishes {
    /// Returns whether the client gave no wishes.
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }
}

/// Usage of language models for a generation.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ModelUsage {
    /// The model's name.
    pub model: String,
    /// Calls that the model answered.
    pub calls: u32,
    /// Tokens of their prompts.
    pub input_tokens: u64,
    /// Tokens of their answers.
    pub output_tokens: u64,
    /// Price in millionths of a US dollar, where prices are known.
    pub micro_usd: Option<u64>,
}

/// Draw one page.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct RenderJob {
    /// The generation.
    pub generation: Uuid,
    /// The output.
    pub output: Uuid,
    /// Its version, from 1.
    pub version: u32,
    /// The stored page (`render_core::design::stored`).
    pub page: BlobId,
    /// Width in pixels.
    pub width: u32,
    /// Height in pixels.
    pub height: u32,
    /// Name of the image format: `png`, `jpeg`, `webp`.
    pub image_format: String,
    /// The brand of the page, which holds its logo and its own fonts.
    pub brand: Option<BlobId>,
}

/// A coordinator's answer to a claim.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[expect(clippy::large_enum_variant, reason = "answers are short-lived, and nearly all of them are grants")]
pub enum ClaimAnswer {
    /// The worker holds the claim as long as it sends heartbeats.
    Granted(Claim, Job, Terms),
    /// The job is done, cancelled or claimed by another worker: the worker drops the ticket.
    Refused,
}

/// A coordinator's answer to a heartbeat or a report.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Verdict {
    /// The claim stands; a report was accepted.
    Accepted,
    /// The claim no longer stands: the worker stops and discards its result.
    Refused,
}

/// The result of a job.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub enum Outcome {
    /// Every page of the generation is designed.
    Planned(Planned),
    /// A page is drawn and stored.
    Rendered(Rendered),
    /// It could not be done.
    Failed(Failure),
}

/// A designed generation.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Planned {
    /// The stored document.
    pub document: BlobId,
    /// The title of the generation.
    pub title: String,
    /// BCP 47 tag of the pages.
    pub language: String,
    /// Name of the style used.
    pub style: String,
    /// In the order of the request's formats, slides in order.
    pub pages: Vec<PlannedPage>,
    /// Warnings about the generation.
    pub warnings: Vec<Warning>,
    /// The stored photographs that pages show, each once.
    pub photos: Vec<BlobId>,
    /// Tokens that language models used for it; `None` where unknown.
    pub tokens: Option<u64>,
    /// Usage of language models; `None` where no model was called.
    pub usage: Option<ModelUsage>,
}

/// One designed page.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct PlannedPage {
    /// Format id.
    pub format: String,
    /// Slide from 0; `None` for a visual.
    pub slide: Option<u32>,
    /// The stored page.
    pub page: BlobId,
    /// A description for people who can't see the image.
    pub alt_text: String,
}

/// A drawn and stored page.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Rendered {
    /// Key of the image in the object store.
    pub object: String,
    /// Key of its thumbnail.
    pub thumbnail: String,
    /// Size of the image in bytes.
    pub bytes: u64,
    /// SHA-256 of the image.
    pub sha256: [u8; 32],
    /// The design checks and their values.
    pub quality: Quality,
    /// Warnings about this page.
    pub warnings: Vec<Warning>,
}

/// Why a job failed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Failure {
    /// Name of a [`FailureCode`], or of one that only a newer version knows.
    pub code: String,
    /// Message for the client.
    pub message: String,
    /// Whether a retry may succeed.
    pub retry: bool,
    /// Tokens that language models used for it; `None` where unknown.
    pub tokens: Option<u64>,
    /// Usage of language models; `None` where no model was called.
    pub usage: Option<Box<ModelUsage>>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_become_single_tokens_and_no_worker_is_shown_as_another() {
        for (name, as_token) in
            [("worker-1", "worker-1"), ("a.b", "a-b"), ("*", "-"), (">", "-"), ("a b", "a-b"), ("", "-")]
        {
            assert_eq!(token(name), as_token);
        }
        assert_eq!(token(&"x".repeat(200)).len(), TOKEN_BYTES);
        let caller = |identity: Option<&str>, name: &str| {
            Caller { identity: identity.map(str::to_owned), name: name.into(), version: PROTOCOL_VERSION }.shown()
        };
        assert_eq!(caller(Some("host-1"), "host.1"), "host.1");
        assert_eq!(caller(Some("rogue"), "worker-1"), "rogue/worker-1");
        assert_eq!(caller(None, "coordinator-7"), "coordinator-7");
    }

    #[test]
    fn a_secret_is_not_shown() {
        assert_eq!(format!("{:?}", Secret([7; 16])), "Secret");
    }
}
