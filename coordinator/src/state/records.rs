//! The records in the tables. Every type here is stored: changing one needs a new version, and golden tests pin the
//! bytes of the old ones.

use fleet::files::FileKind;
use fleet::import::PictureKind;
use fleet::protocol::{BlobId, Class, ModelUsage, Wishes};
use render_core::format::Resolution;
use render_core::inspect::Quality;
use render_core::warning::Warning;
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use super::given::Given;
use super::proofs::Proof;
use super::status::Status;
use super::table::Record;
use super::token_days::Granted;
use crate::accounts::Plan;
use crate::balance::{Balance, Share};
use crate::clock::Millis;

/// An account, keyed by its id.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Account {
    /// The account's name.
    pub name: String,
    /// The plan that it pays for.
    pub plan: Plan,
    /// Whether it may use the service. Requests of an inactive account are refused.
    pub active: bool,
    /// When it was created.
    pub created: Millis,
}

/// A ledger entry, keyed by (account, generation, output, version, round, movement).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Entry {
    /// Number of credits.
    pub amount: u64,
    /// When.
    pub at: Millis,
    /// Number of the entry within its account, from 1; 0 in entries of versions that didn't number them.
    pub number: u64,
    /// Available credits after the entry.
    pub available: u64,
    /// Reserved credits after the entry.
    pub reserved: u64,
    /// Where the credits came from or went to.
    pub shares: Vec<Share>,
    /// The note of whoever granted them.
    pub note: Option<String>,
}

/// The key of a ledger entry, stored by (account, number of the entry).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct EntryPlace(pub(super) Vec<u8>);

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
    pub(super) fn titles(&self) -> impl Iterator<Item = &str> {
        let found = self.planned.as_ref().map(|planned| &planned.title);
        [self.name.as_ref(), found, self.request.title.as_ref()].into_iter().flatten().map(String::as_str)
    }
}

/// Stands for a photograph in rows of versions that did not record it: only the pages show whether there is one.
pub const UNTOLD: BlobId = BlobId([0; 32]);

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

/// The part of a generation that a job does. Append new variants at the end, so that the encodings of existing variants
/// stay the same.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(super) enum Work {
    /// Reads the input and designs all pages.
    Plan,
    /// Renders the output at this place.
    Render(u32),
    /// Renders a new version of the output at this place.
    Edit(u32),
    /// Renders a version of the output at this place again, because its stored image is damaged or missing.
    Repair {
        /// The place.
        place: u32,
        /// The version that the image was rendered for.
        version: u32,
    },
}

/// An open job, keyed by its id.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct OpenJob {
    pub(super) account: Uuid,
    pub(super) generation: Uuid,
    pub(super) work: Work,
    pub(super) class: Class,
    /// Increases each time the job is enqueued again.
    pub(super) epoch: u32,
    /// Number of claims that count against the job.
    pub(super) claims: u32,
    /// Number of claims that ended because the whole process ended.
    pub(super) interruptions: u32,
    /// The fault that the last failed worker reported.
    pub(super) fault: Option<Fault>,
    /// The object store's failures during this job.
    pub(super) unstored: Option<Unstored>,
    /// Language model tokens granted with its claim.
    pub(super) tokens: Option<Granted>,
}

/// When the object store first failed the job, and how many times it did.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Unstored {
    pub(super) since: Millis,
    pub(super) times: u32,
}

/// A worker's claim on an open job, keyed by the job's id.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Lease {
    pub(super) nonce: u128,
    pub(super) worker: String,
    pub(super) expires: Millis,
    pub(super) since: Millis,
    /// Proof of the claim's secret; `None` if the worker's protocol version has no secrets.
    pub(super) proof: Option<Proof>,
    /// The worker's own folder for images.
    pub(super) folder: Option<String>,
}

/// How a job was closed, keyed by its id.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) enum Closed {
    /// A report under this nonce was accepted.
    Accepted { nonce: u128, at: Millis, proof: Option<Proof> },
    /// The job was given up: a dead letter.
    GivenUp { fault: Fault, claims: u32, at: Millis, of: Option<DeadJob> },
}

/// Details of a job that was given up.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct DeadJob {
    pub(super) account: Uuid,
    pub(super) generation: Uuid,
    pub(super) work: Work,
}

/// The response stored for an idempotency key, keyed by (account, key).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Idempotency {
    /// SHA-256 of the request.
    pub(super) request: [u8; 32],
    /// The id of the created object in versions that did not store responses; nil since.
    pub(super) made: Uuid,
    pub(super) at: Millis,
}

/// An uploaded file, keyed by (account, id).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Upload {
    /// Its id.
    pub id: Uuid,
    /// The stored bytes.
    pub blob: BlobId,
    /// The number of bytes.
    pub bytes: u64,
    /// When it was uploaded.
    pub created: Millis,
    /// Until when a generation may use it.
    pub expires: Millis,
    /// The kind of file.
    pub kind: UploadKind,
}

/// The kind of an uploaded file. Append new variants at the end.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum UploadKind {
    /// A PDF.
    Pdf,
    /// A font face. Stored is the plain font file that the upload contains.
    Font {
        /// The media type of the upload.
        media: String,
        /// Its family.
        family: String,
        /// Its weight.
        weight: u16,
    },
    /// A file of another kind than PDF, for generations.
    File(FileKind),
    /// An image, for generations.
    Picture(PictureKind),
}

impl UploadKind {
    /// Returns the kind for a file that generations use.
    pub fn of_file(kind: FileKind) -> Self {
        match kind {
            FileKind::Pdf => Self::Pdf,
            other => Self::File(other),
        }
    }
}

/// A brand kit, keyed by (account, id).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Kit {
    /// Its id.
    pub id: Uuid,
    /// What the account specified.
    pub content: KitContent,
    /// The logo for light backgrounds.
    pub logo: Option<KitLogo>,
    /// The logo for dark backgrounds.
    pub logo_dark: Option<KitLogo>,
    /// When it was created.
    pub created: Millis,
    /// When it was last changed.
    pub updated: Millis,
}

/// What an account specified for a brand kit.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct KitContent {
    /// The brand's name.
    pub name: String,
    /// Its colours.
    pub colors: KitColors,
    /// Name of the headings' font family.
    pub heading: Option<String>,
    /// Name of the body text's font family.
    pub body: Option<String>,
    /// Tone of voice.
    pub tone: Option<String>,
    /// The brand's social media handle.
    pub handle: Option<String>,
    /// The brand's web address.
    pub url: Option<String>,
    /// Name of the default style.
    pub style: Option<String>,
    /// Whether pages carry the brand's footer.
    pub footer: Option<bool>,
}

/// The colours of a brand kit: red, green, blue.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct KitColors {
    /// The primary colour.
    pub primary: Option<[u8; 3]>,
    /// The secondary colour.
    pub secondary: Option<[u8; 3]>,
    /// The accent colour.
    pub accent: Option<[u8; 3]>,
    /// The background colour.
    pub background: Option<[u8; 3]>,
    /// The text colour.
    pub text: Option<[u8; 3]>,
}

/// A logo of a brand kit.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct KitLogo {
    /// The PNG.
    pub blob: BlobId,
    /// Width in pixels.
    pub width: u32,
    /// Height in pixels.
    pub height: u32,
}

/// Summary of an account's brand kits, keyed by the account's id.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub(super) struct KitShelf {
    /// Number of brand kits.
    pub(super) kits: u32,
    /// The default brand kit.
    pub(super) default: Option<Uuid>,
}

/// The font faces that an account uploaded, keyed by the account's id.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub(super) struct FaceShelf {
    pub(super) faces: Vec<AccountFace>,
}

/// A font face that an account uploaded.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct AccountFace {
    /// The upload.
    pub upload: Uuid,
    /// Its font family.
    pub family: String,
    /// Its weight.
    pub weight: u16,
    /// The plain font file.
    pub blob: BlobId,
    /// Its size in bytes.
    pub bytes: u64,
    /// Until when it is kept even if no brand kit uses its family.
    pub expires: Millis,
}

/// A ticket that isn't published yet, keyed by the job's id.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Posting {
    pub(super) epoch: u32,
    pub(super) class: Class,
}

/// Metadata of the service, at the only key of its table.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Meta {
    /// Secret that signs image URLs.
    pub(super) signing_secret: [u8; 32],
    /// The account created at the first start, and whether its key was shown.
    pub(super) first_account: Option<(Uuid, bool)>,
}

impl Record for Account {}
impl Record for Balance {
    /// 2: months, packs, and a count of entries; before, all credits were top-up.
    const VERSION: u8 = 2;

    fn upgraded(from: u8, body: &[u8]) -> Option<Vec<u8>> {
        (from == 1).then(|| [body, &[0; 4]].concat())
    }
}
impl Record for Entry {
    /// 2: everything after `at`.
    const VERSION: u8 = 2;

    fn upgraded(from: u8, body: &[u8]) -> Option<Vec<u8>> {
        (from == 1).then(|| [body, &[0; 5]].concat())
    }
}
impl Record for EntryPlace {}
impl Record for Generation {
    /// 2: `exact`. 3: `brand`. 4: `photo`, `images_deleted`. 5: `input_deleted`. 6: `parent`. 7: several `photos`.
    /// 8: `wishes`, `usage`. 9: `name`.
    const VERSION: u8 = 9;

    fn upgraded(from: u8, body: &[u8]) -> Option<Vec<u8>> {
        match from {
            1 | 2 => Some([body, &[0]].concat()),
            // An unknown photograph; no images deleted.
            3 => Some([body, &[1], &UNTOLD.0, &[0]].concat()),
            4 | 5 => Some([body, &[0]].concat()),
            // An option and a list of at most one element encode to the same bytes.
            6 => Some(body.to_vec()),
            // No wishes, no usage.
            7 => Some([body, &[0; 4]].concat()),
            // Not renamed.
            8 => Some([body, &[0]].concat()),
            _ => None,
        }
    }
}
impl Record for Output {}
impl Record for Warning {}
impl Record for OpenJob {
    /// 2: `unstored`. 3: `tokens`.
    const VERSION: u8 = 3;

    fn upgraded(from: u8, body: &[u8]) -> Option<Vec<u8>> {
        (from <= 2).then(|| [body, &[0]].concat())
    }
}
impl Record for Lease {
    /// 2: `since`. 3: `proof`, `folder`.
    const VERSION: u8 = 3;

    fn upgraded(from: u8, body: &[u8]) -> Option<Vec<u8>> {
        match from {
            1 => Some([body, &[0]].concat()),
            2 => Some([body, &[0, 0]].concat()),
            _ => None,
        }
    }
}
impl Record for Closed {
    /// 2: `of`, in what was given up. 3: `proof`, in what was accepted.
    const VERSION: u8 = 3;

    fn upgraded(from: u8, body: &[u8]) -> Option<Vec<u8>> {
        let given_up = body.first() == Some(&1);
        match from {
            1 => Some(if given_up { [body, &[0]].concat() } else { body.to_vec() }),
            2 => Some(if given_up { body.to_vec() } else { [body, &[0]].concat() }),
            _ => None,
        }
    }
}
impl Record for Idempotency {}
impl Record for Posting {}
impl Record for Meta {}
impl Record for Upload {
    /// 2: `kind`; before, all uploads were PDFs.
    const VERSION: u8 = 2;

    fn upgraded(from: u8, body: &[u8]) -> Option<Vec<u8>> {
        (from == 1).then(|| [body, &[0]].concat())
    }
}
impl Record for Kit {}
impl Record for KitShelf {}
impl Record for FaceShelf {}

#[cfg(test)]
#[path = "records_tests.rs"]
pub(super) mod tests;
#[cfg(test)]
pub(super) use tests::check as golden;
