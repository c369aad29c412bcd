//! What rests in the tables. Every type here is stored: a change is a new version, and the golden bytes below hold the
//! old ones.

use fleet::files::FileKind;
use fleet::intake::PictureKind;
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

/// An account, by its id.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Account {
    /// Whose it is.
    pub name: String,
    /// What it pays for.
    pub plan: Plan,
    /// A deactivated account is refused.
    pub active: bool,
    /// When it was made.
    pub created: Millis,
}

/// One ledger entry, by (account, generation, output, version, round, movement).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Entry {
    /// How many credits.
    pub amount: u64,
    /// When.
    pub at: Millis,
    /// Counts the account's entries, from 1; 0 in entries from before they were counted.
    pub number: u64,
    /// What could be spent afterwards.
    pub available: u64,
    /// What was held afterwards.
    pub reserved: u64,
    /// Where the credits came from, or went to.
    pub shares: Vec<Share>,
    /// What whoever granted them said.
    pub note: Option<String>,
}

/// The key of a ledger entry, by (account, number of the entry).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct EntryPlace(pub(super) Vec<u8>);

/// What the images are encoded as.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum ImageFormat {
    /// PNG.
    Png,
    /// JPEG.
    Jpeg,
    /// WebP.
    Webp,
}

/// Why something failed: a code of the contract and a sentence.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Fault {
    /// For programs.
    pub code: String,
    /// For people.
    pub message: String,
}

/// A generation, by (account, id).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Generation {
    /// Its id.
    pub id: Uuid,
    /// Whose it is.
    pub account: Uuid,
    /// Where it stands.
    pub status: Status,
    /// When it was accepted.
    pub created: Millis,
    /// When the first worker began.
    pub started: Option<Millis>,
    /// When it reached a terminal status.
    pub completed: Option<Millis>,
    /// What was asked for.
    pub request: Request,
    /// What a worker found in the content, once the pages are designed.
    pub planned: Option<PlannedFacts>,
    /// Outputs asked for.
    pub total: u32,
    /// Outputs that are ready.
    pub done: u32,
    /// Outputs that failed for good.
    pub failed: u32,
    /// Credits held when it was accepted.
    pub charged: u64,
    /// Credits given back.
    pub refunded: u64,
    /// Why it, or its first output to do so, failed.
    pub fault: Option<Fault>,
    /// Counts how often failed outputs were put up again.
    pub round: u32,
    /// Whether its words are set whole.
    pub exact: bool,
    /// What the brand kit said when it was accepted (`render_core::design::Brand`).
    pub brand: Option<BlobId>,
    /// The photographs that its pages show, each once; [`UNTOLD`] where nobody said whether there is one.
    pub photos: Vec<BlobId>,
    /// When its images were deleted because they were old.
    pub images_deleted: Option<Millis>,
    /// When its input was deleted because nothing was made of it.
    pub input_deleted: Option<Millis>,
    /// The generation whose pages it was made from; its input is then these pages ([`fleet::source::SourcePages`]), while
    /// `request.given` says what the first generation was made from.
    pub parent: Option<Uuid>,
    /// What the client says about the purpose of the pages.
    pub wishes: Wishes,
    /// What a language model took for its pages; `None` where none was asked, or none is known.
    pub usage: Option<ModelUsage>,
    /// What its owner calls it, in place of the title that was found.
    pub name: Option<String>,
}

impl Generation {
    /// What it is called: by its owner, or else by what was found or sent.
    pub fn title(&self) -> Option<&str> {
        self.titles().next()
    }

    /// Everything that it is or was called, the title first.
    pub(super) fn titles(&self) -> impl Iterator<Item = &str> {
        let found = self.planned.as_ref().map(|planned| &planned.title);
        [self.name.as_ref(), found, self.request.title.as_ref()].into_iter().flatten().map(String::as_str)
    }
}

/// Stands for a photograph in rows of versions that did not name it: only the pages say whether there is one.
pub const UNTOLD: BlobId = BlobId([0; 32]);

/// What was asked for.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Request {
    /// What the content was given as.
    pub given: Given,
    /// The content, or the address of it.
    pub input: BlobId,
    /// How the content begins, for searching.
    pub excerpt: String,
    /// Format ids and, for carousels, the slide counts.
    pub formats: Vec<(String, Option<u32>)>,
    /// Title to use instead of the one found.
    pub title: Option<String>,
    /// The brand kit.
    pub brand: Option<Uuid>,
    /// Name of the style asked for, or else of the brand kit's.
    pub style: Option<String>,
    /// BCP 47 tag asked for.
    pub language: Option<String>,
    /// How large.
    pub resolution: Resolution,
    /// Encoded as what.
    pub image_format: ImageFormat,
    /// Seed of everything drawn by chance.
    pub seed: u64,
}

/// What a worker found in the content.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PlannedFacts {
    /// The stored document.
    pub document: BlobId,
    /// What it is about.
    pub title: String,
    /// BCP 47 tag of the pages.
    pub language: String,
    /// Name of the style drawn.
    pub style: String,
}

/// An image to make, by (generation, order).
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Output {
    /// Its id, given at creation.
    pub id: Uuid,
    /// Format id.
    pub format: String,
    /// Slide from 0; `None` for a visual.
    pub slide: Option<u32>,
    /// Width in pixels.
    pub width: u32,
    /// Height in pixels.
    pub height: u32,
    /// Credits held for it.
    pub cost: u64,
    /// The design it shows, from 1.
    pub version: u32,
    /// The stored page, once designed.
    pub page: Option<BlobId>,
    /// A description for people who can't see it.
    pub alt_text: String,
    /// What became of it.
    pub end: Option<End>,
}

/// What became of an output.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub enum End {
    /// It can be fetched.
    Ready(Image),
    /// It failed for good and its credits went back.
    Failed(Fault),
}

/// A stored image.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Image {
    /// Its key in the object store.
    pub object: String,
    /// Its thumbnail's.
    pub thumbnail: String,
    /// Its size in bytes.
    pub bytes: u64,
    /// Its SHA-256.
    pub sha256: [u8; 32],
    /// The design measures.
    pub quality: Quality,
}

/// Which part of a generation a job does. What comes to be done comes at the end: the bytes of the others stay.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(super) enum Work {
    /// Reads the input and designs every page.
    Plan,
    /// Draws the output at this place in the order.
    Render(u32),
    /// Draws a new version of the output at this place.
    Edit(u32),
    /// Renders a version of the output at this place again, because its stored image is damaged or missing.
    Repair {
        /// The place.
        place: u32,
        /// The version that the image was rendered for.
        version: u32,
    },
}

/// A job that is not finished, by its id.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct OpenJob {
    pub(super) account: Uuid,
    pub(super) generation: Uuid,
    pub(super) work: Work,
    pub(super) class: Class,
    /// Counts how often it was put up.
    pub(super) epoch: u32,
    /// Counts the claims that count against it.
    pub(super) claims: u32,
    /// Counts the claims that ended because the whole process did.
    pub(super) interruptions: u32,
    /// What the last worker to fail said.
    pub(super) fault: Option<Fault>,
    /// That the object store failed workers that had it.
    pub(super) unstored: Option<Unstored>,
    /// The language model's tokens that were granted with its claim.
    pub(super) tokens: Option<Granted>,
}

/// Since when, and how often.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Unstored {
    pub(super) since: Millis,
    pub(super) times: u32,
}

/// Who works on an open job, by the job's id.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Lease {
    pub(super) nonce: u128,
    pub(super) worker: String,
    pub(super) expires: Millis,
    pub(super) since: Millis,
    /// Of the claim's secret; `None` where the worker speaks a version of the protocol without secrets.
    pub(super) proof: Option<Proof>,
    /// The worker's own folder for images.
    pub(super) folder: Option<String>,
}

/// How a job ended, by its id.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) enum Closed {
    /// A report under this nonce was taken.
    Accepted { nonce: u128, at: Millis, proof: Option<Proof> },
    /// Given up: the dead letter.
    GivenUp { fault: Fault, claims: u32, at: Millis, of: Option<DeadJob> },
}

/// What a job was that was given up.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct DeadJob {
    pub(super) account: Uuid,
    pub(super) generation: Uuid,
    pub(super) work: Work,
}

/// The answer to an idempotency key, by (account, key).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Idempotency {
    /// SHA-256 of the request.
    pub(super) request: [u8; 32],
    /// What it made, before answers were kept; now nil.
    pub(super) made: Uuid,
    pub(super) at: Millis,
}

/// A file that was sent ahead, by (account, id).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Upload {
    /// Its id.
    pub id: Uuid,
    /// Its bytes.
    pub blob: BlobId,
    /// How many they are.
    pub bytes: u64,
    /// When it came.
    pub created: Millis,
    /// Until when a generation may be made of it.
    pub expires: Millis,
    /// What it is.
    pub kind: UploadKind,
}

/// What a file is that was sent ahead. What comes to be sent comes at the end.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum UploadKind {
    /// A PDF.
    Pdf,
    /// A face; what is kept of it is the plain file within.
    Font {
        /// The media type of what was sent.
        media: String,
        /// Its family.
        family: String,
        /// Its weight.
        weight: u16,
    },
    /// A file of another kind than PDF, for generations.
    File(FileKind),
    /// A picture, for generations.
    Picture(PictureKind),
}

impl UploadKind {
    /// A file of this kind, for generations.
    pub fn of_file(kind: FileKind) -> Self {
        match kind {
            FileKind::Pdf => Self::Pdf,
            other => Self::File(other),
        }
    }
}

/// A brand kit, by (account, id).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Kit {
    /// Its id.
    pub id: Uuid,
    /// What its owner wrote.
    pub content: KitContent,
    /// Its logo, for light grounds.
    pub logo: Option<KitLogo>,
    /// Its logo for dark grounds.
    pub logo_dark: Option<KitLogo>,
    /// When it was made.
    pub created: Millis,
    /// When it was last changed.
    pub updated: Millis,
}

/// What the owner of a brand kit wrote.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct KitContent {
    /// What the brand is called.
    pub name: String,
    /// Its colours.
    pub colors: KitColors,
    /// Name of the family of headings.
    pub heading: Option<String>,
    /// Name of the family of running text.
    pub body: Option<String>,
    /// How it speaks.
    pub tone: Option<String>,
    /// Its name on social media.
    pub handle: Option<String>,
    /// Its address.
    pub url: Option<String>,
    /// Name of its style.
    pub style: Option<String>,
    /// Whether pages are signed at their foot.
    pub footer: Option<bool>,
}

/// The colours of a brand kit: red, green, blue.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct KitColors {
    /// The one that it is known by.
    pub primary: Option<[u8; 3]>,
    /// A second one beside it.
    pub secondary: Option<[u8; 3]>,
    /// What stands out.
    pub accent: Option<[u8; 3]>,
    /// What pages stand on.
    pub background: Option<[u8; 3]>,
    /// What text is set in.
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

/// What an account has of brand kits, by its id.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub(super) struct KitShelf {
    /// How many there are.
    pub(super) kits: u32,
    /// The one that is preselected.
    pub(super) default: Option<Uuid>,
}

/// The faces that an account sent, by its id.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub(super) struct FaceShelf {
    pub(super) faces: Vec<AccountFace>,
}

/// A face that an account sent.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct AccountFace {
    /// The upload that it came as.
    pub upload: Uuid,
    /// Its family.
    pub family: String,
    /// Its weight.
    pub weight: u16,
    /// The plain file.
    pub blob: BlobId,
    /// Bytes of it.
    pub bytes: u64,
    /// Until when it is kept, whether or not a brand kit names its family.
    pub expires: Millis,
}

/// A ticket that the queue has not been given, by the job's id.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Posting {
    pub(super) epoch: u32,
    pub(super) class: Class,
}

/// What the service knows about itself, at the only key of its table.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Meta {
    /// Signs image URLs.
    pub(super) signing_secret: [u8; 32],
    /// The account of the first start, and whether its key was shown.
    pub(super) first_account: Option<(Uuid, bool)>,
}

impl Record for Account {}
impl Record for Balance {
    /// 2: months, packs, and a count of entries; all was top-up.
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
            // A photograph that is not told; no images deleted.
            3 => Some([body, &[1], &UNTOLD.0, &[0]].concat()),
            4 | 5 => Some([body, &[0]].concat()),
            // One photograph or none has the bytes of as many.
            6 => Some(body.to_vec()),
            // No wishes, no usage.
            7 => Some([body, &[0; 4]].concat()),
            // Called by nobody.
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
    /// 2: `kind`; all were PDFs.
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
