//! What coordinator and workers say to each other.
//!
//! A queue carries [`Ticket`]s only: hints that a job may be waiting. The job itself is handed out by the coordinator
//! when a worker claims it, and its result counts only while that claim stands:
//!
//! ```text
//! queue --Ticket--> worker --claim(job, epoch)--> Desk --Claim(job, epoch, nonce) + Job + Terms--> worker works
//!                   worker --heartbeat(grant)---> Desk
//!                   worker --report(grant, …)---> Desk: accepted once, refused if the claim no longer stands
//! ```
//!
//! A [`Grant`] is a claim and its [`Secret`], which only the answer to the claim carries. Object keys show the nonce, so the
//! nonce proves nothing; the secret does.

#[cfg(test)]
pub(crate) mod golden;
mod newer;
mod tongue;
mod wire;

use render_core::inspect::Quality;
use render_core::warning::Warning;
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use crate::files::FileKind;

pub use tongue::Tongue;
pub use wire::{MESSAGE_BYTES, Message, WireError, decode, encode, encode_as, length};

/// First byte of every message. Raised with every change of a type in this module. 4: `photo` of what is planned. 5: what
/// memory a worker may hold and which version it speaks. 6: the terms of a claim, and its secret in heartbeats and reports;
/// `tokens` of what is to be planned, is planned and failed. 7: [`InputKind::Pages`]; outcomes of reports in the object
/// store. 8: [`InputKind::Markup`]. 9: [`InputKind::File`]. 10: several `photos` of what is planned.
/// 11: [`InputKind::Illustrated`]. 12: [`PlanJob::wishes`] and [`Planned::usage`]. 13: outlines within illustrated inputs, and
/// [`Failure::usage`]. 14: earlier edits within illustrated inputs.
pub const PROTOCOL_VERSION: u8 = 14;
/// The first version whose workers read the earlier edits of an illustrated input.
pub const EARLIER_EDITS_SINCE: u8 = 14;
/// Seconds a claim stands without a heartbeat.
pub const LEASE_S: u64 = 15;
/// Seconds between heartbeats.
pub const HEARTBEAT_S: u64 = 5;
/// Claims a job may have before it is given up as poison.
pub const MAX_CLAIMS: u32 = 3;

/// What kind of machine time a job needs. What comes to be needed comes at the end: the bytes of the others stay.
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
    /// Every class, in the order in which workers look for work: somebody waits for an edit, and a plan opens work for all
    /// others.
    pub const ALL: [Self; 4] = [Self::Edit, Self::Plan, Self::Render2k, Self::Render4k];

    /// Its place in that order.
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
    /// Counts how often the job was put up; a claim names it.
    pub epoch: u32,
    /// Its class.
    pub class: Class,
}

/// Epochs set aside for each round of a generation, so that no two rounds of a job have tickets in common.
pub const EPOCHS_A_ROUND: u32 = 10_000;
/// Where the epochs of edits begin, beyond those of any round; each version has as many as a round.
pub const EDIT_EPOCHS: u32 = 1 << 30;

/// Of the epochs of a round, those of a job that has lost a worker: it may be what that died of.
const SUSPECT_EPOCHS: u32 = EPOCHS_A_ROUND / 2;

/// How often a job was put up before in its round, or for its edit; from [`SUSPECT_EPOCHS`] on it has lost a worker.
fn place_in_round(epoch: u32) -> u32 {
    epoch.checked_sub(EDIT_EPOCHS).unwrap_or_else(|| epoch.saturating_sub(1)) % EPOCHS_A_ROUND
}

/// The epoch in which a job of this one is put up again; `lost` where its worker did not come back.
pub fn next_epoch(epoch: u32, lost: bool) -> u32 {
    let to_suspects = SUSPECT_EPOCHS.saturating_sub(place_in_round(epoch));
    if lost && to_suspects > 0 { epoch + to_suspects } else { epoch + 1 }
}

impl Ticket {
    /// Whether its job was put up once in its round, or for its edit: nobody has claimed it before.
    pub fn is_fresh(&self) -> bool {
        place_in_round(self.epoch) == 0
    }

    /// Whether its job has lost a worker, in its round or for its edit: whoever does it does nothing beside it, so that
    /// nothing else dies with it.
    pub fn is_suspect(&self) -> bool {
        place_in_round(self.epoch) >= SUSPECT_EPOCHS
    }
}

/// Names a worker's right to work on a job. Object keys show the nonce, so it is no proof of that right.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Claim {
    /// The job.
    pub job: Uuid,
    /// As on the ticket.
    pub epoch: u32,
    /// 128 random bits, new with every claim.
    pub nonce: u128,
}

/// 128 random bits that prove a claim. Only the answer to the claim carries them.
#[derive(Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Secret(pub [u8; 16]);

/// Without the bits: they must not get into a log.
impl std::fmt::Debug for Secret {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Secret")
    }
}

/// A claim and its proof, as the worker that holds it sends them with heartbeats and reports.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Grant {
    /// Which claim.
    pub claim: Claim,
    /// Its secret; `None` for a claim that was made without one, within the coordinator's process.
    pub secret: Option<Secret>,
}

/// What a worker needs beside a claim to work under it.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Terms {
    /// Proves the claim; `None` for a claim that was made without one, within the coordinator's process.
    pub secret: Option<Secret>,
    /// The worker's own folder for images, within [`IMAGES`]; `None` for that folder itself.
    pub folder: Option<String>,
}

/// The folder of the object store that holds images and thumbnails.
pub const IMAGES: &str = "outputs";

/// The keys of the image and the thumbnail that a worker stores which draws a version of an output under a claim with this
/// nonce, in its own `folder` where it has one. No two claims have any in common, so what one leaves behind is removed
/// without harm to another.
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

/// Who asks the coordinator for a job.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Caller {
    /// The name under which the queue lets it speak, of letters, digits, `-` and `_`; `None` for a worker in the
    /// coordinator's process, and for one that speaks under no name of its own.
    pub identity: Option<String>,
    /// What the worker calls itself.
    pub name: String,
    /// The version of the protocol that it speaks.
    pub version: u8,
}

impl Caller {
    /// A worker in the coordinator's own process.
    pub fn here(name: &str) -> Self {
        Self { identity: None, name: name.to_owned(), version: PROTOCOL_VERSION }
    }

    /// What it is called in lists: a worker cannot take the name of another identity.
    pub fn shown(&self) -> String {
        shown(self.identity.as_deref(), &self.name)
    }
}

/// What a worker is called in lists that calls itself `name` and speaks as `identity`.
pub(crate) fn shown(identity: Option<&str>, name: &str) -> String {
    match identity {
        Some(identity) if identity != token(name) => format!("{identity}/{name}"),
        _ => name.to_owned(),
    }
}

/// `name` as one token of a subject: letters, digits, `-` and `_`, at most `TOKEN_BYTES` of them.
pub fn token(name: &str) -> String {
    let plain = |c: char| if c.is_ascii_alphanumeric() || c == '_' { c } else { '-' };
    let token: String = name.chars().take(TOKEN_BYTES).map(plain).collect();
    if token.is_empty() { "-".into() } else { token }
}

/// The longest token of a subject that names a worker, in bytes.
const TOKEN_BYTES: usize = 64;

/// Bytes of an image's description that are kept.
pub const ALT_BYTES: usize = 1_000;
/// Warnings that are kept of a generation or an image.
pub const WARNINGS: usize = 50;

/// A blob by the SHA-256 of its bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct BlobId(pub [u8; 32]);

/// What a worker says that comes for a job.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ClaimRequest {
    /// What it comes with.
    pub ticket: Ticket,
    /// What it is called.
    pub worker: String,
}

/// What a worker says that has done a job, or can't.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ReportRequest {
    /// What it worked under.
    pub claim: Claim,
    /// What came of it.
    pub outcome: Outcome,
    /// The claim's secret.
    pub secret: Option<Secret>,
}

/// What is to be done.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub enum Job {
    /// Read the input and design every page.
    Plan(PlanJob),
    /// Draw one page.
    Render(RenderJob),
}

/// What the input of a generation is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum InputKind {
    /// The content itself: plain text or Markdown.
    Text,
    /// The address of a page or text to fetch.
    Url,
    /// A line or two on what the pages are to be about.
    Idea,
    /// A PDF file.
    Pdf,
    /// The address of a PDF, or of a file of another kind, to fetch.
    PdfUrl,
    /// The pages of another generation ([`crate::source::SourcePages`]).
    Pages,
    /// Pages in the page language.
    Markup,
    /// A file of another kind than PDF.
    File(FileKind),
    /// An input of one of these kinds, and pictures, an outline or edits for it ([`crate::illustrated::Illustrated`]).
    Illustrated,
}

impl InputKind {
    /// A file of this kind.
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
    /// Title to use instead of the one found.
    pub title: Option<String>,
    /// What to make: format id and, for carousels, the slide count.
    pub formats: Vec<(String, Option<u32>)>,
    /// Name of the style asked for.
    pub style: Option<String>,
    /// BCP 47 tag asked for.
    pub language: Option<String>,
    /// Seed of everything drawn by chance.
    pub seed: u64,
    /// Whether its words are set whole: nothing is shortened, left out or written anew.
    pub exact: bool,
    /// Whose pages they are (`render_core::design::Brand`).
    pub brand: Option<BlobId>,
    /// Tokens that a language model may take for it, prompts and answers together; `None` for no limit but the worker's own.
    pub tokens: Option<u64>,
    /// What a language model is told of the purpose of the pages.
    pub wishes: Wishes,
}

/// What the client says about the purpose of the pages, for the language model that writes them.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
pub struct Wishes {
    /// Who reads the pages.
    pub audience: Option<String>,
    /// What the readers should know, feel or do afterwards.
    pub goal: Option<String>,
    /// How the pages speak; goes before the tone of the brand.
    pub tone: Option<String>,
}

impl Wishes {
    /// Whether the client says nothing.
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }
}

/// What a language model took for a generation.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ModelUsage {
    /// The model's name.
    pub model: String,
    /// Calls that it answered.
    pub calls: u32,
    /// Tokens of their prompts.
    pub input_tokens: u64,
    /// Tokens of their answers.
    pub output_tokens: u64,
    /// Their price in millionths of a US dollar, where prices are known.
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
    /// Whose page it is: logo and faces of its own are found there.
    pub brand: Option<BlobId>,
}

/// A coordinator's answer to a claim.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[expect(clippy::large_enum_variant, reason = "one answer at a time, and nearly every one of them a grant")]
pub enum ClaimAnswer {
    /// Yours, while you send heartbeats.
    Granted(Claim, Job, Terms),
    /// Done, cancelled, or another's: forget the ticket.
    Refused,
}

/// A coordinator's answer to a heartbeat or a report.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Verdict {
    /// The claim stands; a report was taken.
    Accepted,
    /// The claim no longer stands: stop, and drop what was made.
    Refused,
}

/// What came of a job.
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
    /// What it is about.
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
    /// Tokens that a language model took for it; `None` where that is not known.
    pub tokens: Option<u64>,
    /// What a language model took for it; `None` where none was asked.
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
    /// A description for people who can't see it.
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
    /// The design measures.
    pub quality: Quality,
    /// Warnings about this page.
    pub warnings: Vec<Warning>,
}

/// Why a job could not be done.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Failure {
    /// Code of the contract: `no_content`, `render_failed`, `storage_failed` …
    pub code: String,
    /// What to tell the client.
    pub message: String,
    /// Whether trying again may help.
    pub retry: bool,
    /// Tokens that a language model took for it; `None` where that is not known.
    pub tokens: Option<u64>,
    /// What a language model took for it; `None` where none was asked.
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

    #[test]
    fn a_job_that_lost_a_worker_is_a_suspect_until_its_next_round() {
        for first in [1, 1 + 3 * EPOCHS_A_ROUND, EDIT_EPOCHS, EDIT_EPOCHS + 7 * EPOCHS_A_ROUND] {
            let at = |epoch| Ticket { job: Uuid::nil(), epoch, class: Class::Plan };
            assert!(at(first).is_fresh() && !at(first).is_suspect());
            let again = next_epoch(first, false);
            assert!(again == first + 1 && !at(again).is_fresh() && !at(again).is_suspect());
            for before in [first, again] {
                let lost = next_epoch(before, true);
                assert!(lost == first + SUSPECT_EPOCHS && at(lost).is_suspect() && !at(lost).is_fresh());
                // Once more, whatever it is for.
                assert_eq!([next_epoch(lost, true), next_epoch(lost, false)], [lost + 1; 2]);
                assert!(at(lost + 1).is_suspect());
            }
            let next_round = at(first + EPOCHS_A_ROUND);
            assert!(next_round.is_fresh() && !next_round.is_suspect());
        }
    }
}
