//! Rows of what accounts upload and download: files, fonts, brand kits and export files.

use fleet::files::FileKind;
use fleet::import::PictureKind;
use fleet::protocol::BlobId;
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use crate::clock::Millis;
use crate::state::rows::encoding::{Record, versions};

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

/// Version 1 of [`Upload`]. All uploads were PDFs.
#[derive(Deserialize)]
struct UploadV1 {
    id: Uuid,
    blob: BlobId,
    bytes: u64,
    created: Millis,
    expires: Millis,
}

impl From<UploadV1> for Upload {
    fn from(row: UploadV1) -> Self {
        let UploadV1 { id, blob, bytes, created, expires } = row;
        Self { id, blob, bytes, created, expires, kind: UploadKind::Pdf }
    }
}

versions! { Upload as UploadRow: 1 => V1(UploadV1), 2 => V2(Upload) }

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

impl Kit {
    /// Returns whether it has this logo.
    pub fn has_logo(&self, variant: LogoVariant) -> bool {
        match variant {
            LogoVariant::Light => self.logo.is_some(),
            LogoVariant::Dark => self.logo_dark.is_some(),
        }
    }

    /// Returns the logos that it has.
    pub(in crate::state) fn logos(&self) -> impl Iterator<Item = &KitLogo> {
        self.logo.iter().chain(&self.logo_dark)
    }

    pub(in crate::state) fn logo_mut(&mut self, variant: LogoVariant) -> &mut Option<KitLogo> {
        match variant {
            LogoVariant::Light => &mut self.logo,
            LogoVariant::Dark => &mut self.logo_dark,
        }
    }
}

impl Record for Kit {}

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
pub(in crate::state) struct KitShelf {
    /// Number of brand kits.
    pub(in crate::state) kits: u32,
    /// The default brand kit.
    pub(in crate::state) default: Option<Uuid>,
}

impl Record for KitShelf {}

/// The font faces that an account uploaded, keyed by the account's id.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub(in crate::state) struct FaceShelf {
    pub(in crate::state) faces: Vec<AccountFace>,
}

impl Record for FaceShelf {}

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

/// One of a kit's logos.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LogoVariant {
    /// For light backgrounds.
    Light,
    /// For dark backgrounds.
    Dark,
}

/// The kind of a bundle. Append new variants at the end.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum BundleKind {
    /// A PDF with a page per image.
    Pdf,
    /// A ZIP archive of the images and their alt texts.
    Zip,
}

impl BundleKind {
    /// All kinds.
    pub const ALL: [Self; 2] = [Self::Pdf, Self::Zip];

    /// Returns its name, which is also its file extension.
    pub fn name(self) -> &'static str {
        match self {
            Self::Pdf => "pdf",
            Self::Zip => "zip",
        }
    }
}

/// A stored bundle.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Bundle {
    /// Its kind.
    pub kind: BundleKind,
    /// The only format whose images it contains; all formats if `None`.
    pub format: Option<String>,
    /// The stored bytes.
    pub blob: BlobId,
    /// The number of bytes.
    pub bytes: u64,
    /// The images that it contains: places of outputs, from 0, and their versions.
    pub shows: Vec<(u32, u32)>,
}

impl Record for Bundle {}
