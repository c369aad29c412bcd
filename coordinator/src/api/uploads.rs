//! `POST /api/uploads`: uploads a file for later use: a document or a picture for generations, or a font for brand
//! kits.

use std::sync::Arc;
use std::time::Duration;

use axum::body::{Body, Bytes, HttpBody};
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::Response;
use fleet::files::{FileKind, Hint, UnreadFile};
use fleet::import::{ImportError, PictureKind, font_type};
use fleet::protocol::BlobId;
use multer::{Constraints, Multipart, SizeLimit};
use render_core::limits::{self, ACCOUNT_FACE_BYTES, ACCOUNT_FACES};
use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

use super::spec::examples;
use super::spec::params::IdempotencyKey;
use super::spec::requests::UploadRequest;
use super::{received, storage};
use crate::access::{Authorised, Needed, Scoped};
use crate::accounts::Scope;
use crate::app::App;
use crate::bodies::{Loaded, Received};
use crate::clock::Millis;
use crate::http::error::{ApiError, Detail};
use crate::http::idempotency::{self, Done, Idempotent, Payload, RequestKey};
use crate::http::running::Running;
use crate::state::{AccountFace, Full, Growth, NotKept, Once, Store, Upload, UploadKind};

/// The name of the multipart part that contains the file.
const PART: &str = "file";
/// Maximum size of a file in bytes.
pub const FILE_BYTES: usize = limits::PDF_BYTES;
/// Bytes that the body may have beyond the file: boundaries and part headers.
const FRAMING_BYTES: usize = 64 << 10;
/// Memory for a file as a multiple of its size: the sandbox returns fonts unpacked.
const COPIES: u64 = 2;
/// Time limit for receiving a file.
const BODY_TIME: Duration = Duration::from_secs(60);

/// A response with an upload.
#[derive(Debug, Serialize, ToSchema)]
pub struct UploadAnswer {
    /// The upload.
    #[schema(value_type = UploadView)]
    upload: UploadView,
}

/// An uploaded file.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = Upload, examples(json!(examples::upload())))]
pub(super) struct UploadView {
    /// The id of the upload, a UUID of version 7. Use it as the `fileId` of any number of generations, or as the
    /// `uploadId` of a picture in `images`.
    id: Uuid,
    /// Size of the file in bytes.
    #[schema(examples(183042))]
    bytes: u64,
    /// The media type, detected from the file's bytes.
    #[schema(examples("application/pdf"))]
    mime_type: String,
    /// When the upload expires.
    #[schema(format = DateTime, examples("2026-02-01T12:00:00.000Z"))]
    expires_at: String,
    /// The font face in the file, if it is a font.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    font: Option<UploadedFont>,
}

/// A font face.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct UploadedFont {
    /// The font's family, as brand kits refer to it.
    #[schema(examples("Acme Sans"))]
    family: String,
    /// Its weight, from 1 to 1000.
    #[schema(minimum = 1, maximum = 1000, examples(400))]
    weight: u16,
}

/// The detected kind of a file, and the bytes to store.
struct Kept {
    bytes: Bytes,
    kind: UploadKind,
}

/// Upload a file
///
/// Uploads a file of at most 25 MB for later use: a document for generations (PDF, DOCX, PPTX, XLSX, ODT, ODP, ODS,
/// EPUB, HTML, CSV, TSV, Markdown, plain text), a picture of at most 10 MB for their `images` (PNG, JPEG, WebP, GIF,
/// AVIF), or a font (TrueType, OpenType, WOFF, WOFF2) for brand kits. The type is detected from the bytes; the name and
/// media type only distinguish kinds of text. The upload can be used for 24 hours, a font for as long as a brand kit
/// uses its family. Documents and pictures require the scope `generations:write`, fonts `brands:write`.
#[utoipa::path(
    post,
    path = "/api/uploads",
    operation_id = "createUpload",
    tag = "Uploads",
    security(("apiKey" = ["generations:write"]), ("apiKey" = ["brands:write"])),
    params(IdempotencyKey),
    request_body(content = UploadRequest, content_type = "multipart/form-data", description = "The file."),
    responses((status = 201, description = "The file is stored.", body = UploadAnswer)),
    extensions(("x-codes" = json!(["storage_quota", "no_workers", "busy", "shutting_down"]))),
)]
pub async fn create(
    State(app): State<Arc<App>>,
    caller: Scoped<ForFiles>,
    _: Running,
    sent: Idempotent<Part>,
) -> Result<Response, ApiError> {
    sent.answer(&app, caller.account_id, async |part, key| keep(&app, &caller, part, &key).await).await
}

/// The scopes of which one is required. Which one depends on the file.
pub enum ForFiles {}

impl Needed for ForFiles {
    const SCOPE: Scope = Scope::GenerationsWrite;
    const OR: Scope = Scope::BrandsWrite;
}

/// Keeps a file as an upload.
async fn keep(app: &App, caller: &Authorised, part: Part, key: &RequestKey) -> Result<Done, ApiError> {
    let Part { received, name, media } = part;
    let bytes = received.bytes;
    let Loaded { bytes: file, working: _working } =
        received.load(caller.account_id, COPIES).await.map_err(received::fault)?;
    let hint = Hint { name: name.as_deref(), media: media.as_deref() };
    let kept = match (FileKind::detect(&file, hint), font_type(&file), picture_type(&file)) {
        (_, _, Some(kind)) => {
            caller.need(Scope::GenerationsWrite)?;
            if file.len() > limits::PHOTO_BYTES {
                return Err(ApiError::BodyTooLarge(limits::PHOTO_BYTES));
            }
            Kept { bytes: file, kind: UploadKind::Picture(kind) }
        }
        (Ok(kind), _, _) => {
            caller.need(Scope::GenerationsWrite)?;
            Kept { bytes: file, kind: UploadKind::of_file(kind) }
        }
        (Err(_), Some(media), _) => {
            caller.need(Scope::BrandsWrite)?;
            font(app, caller.account_id, file, media).await?
        }
        (Err(UnreadFile::Empty), ..) => return Err(invalid(&UnreadFile::Empty.to_string())),
        (Err(why), ..) => {
            let message = format!("{why} Pictures can be uploaded for images, and fonts for brand kits.");
            return Err(ApiError::UnsupportedMediaType(message));
        }
    };
    let (account, size) = (caller.account_id, kept.bytes.len() as u64);
    let growth = Growth { blobs: vec![(BlobId::of(&kept.bytes), size)], pixels: 0 };
    storage::reserve(app, account, growth).await?;
    let blob = app.blobs.put_blob(kept.bytes).await.map_err(|e| {
        tracing::error!(error = %e, "storing an upload failed");
        ApiError::StorageUnavailable
    })?;
    let created = Millis::now();
    let expires = created.plus_seconds(app.keep_uploads_s);
    let upload = Upload { id: Uuid::now_v7(), blob, bytes, created, expires, kind: kept.kind };
    let face = upload.face(size);
    let answer = |upload: &Upload| idempotency::success(StatusCode::CREATED, None, &view(upload));
    let keyed = key.keyed(answer);
    let keep = move |store: &Store| store.keep_upload(account, &upload, face.as_ref(), keyed.as_ref());
    let kept = app.store.run(keep).await?;
    Done::of(kept, answer, not_kept)
}

/// Maps the reason that a file was not stored to an API error.
fn not_kept(why: NotKept) -> ApiError {
    match why {
        NotKept::Storage(full) => full.into(),
        NotKept::Fonts(Full) => {
            let message = format!(
                "An account keeps at most {ACCOUNT_FACES} fonts of {} MiB together, unpacked; those that no brand kit names go \
             after a day.",
                ACCOUNT_FACE_BYTES >> 20
            );
            ApiError::Invalid(vec![Detail::new(PART, "too_many_fonts", message)])
        }
    }
}

/// Creates an upload for a file that is already stored and returns its id. It uses no further storage.
pub(crate) async fn keep_file(
    app: &App,
    account: Uuid,
    blob: BlobId,
    bytes: u64,
    kind: FileKind,
    now: Millis,
) -> Result<Uuid, ApiError> {
    let (id, expires) = (Uuid::now_v7(), now.plus_seconds(app.keep_uploads_s));
    let upload = Upload { id, blob, bytes, created: now, expires, kind: UploadKind::of_file(kind) };
    match app.store.run(move |store| store.keep_upload(account, &upload, None, None)).await? {
        Once::Refused(why) => Err(not_kept(why)),
        Once::Made(_) | Once::Replayed(_) | Once::Conflict => Ok(id),
    }
}

/// Detects the type of a raster picture from its bytes. SVG does not count.
fn picture_type(file: &[u8]) -> Option<PictureKind> {
    PictureKind::of(file).filter(|kind| *kind != PictureKind::Svg)
}

/// Loads a font in the sandbox, which validates it.
async fn font(app: &App, account: Uuid, file: Bytes, media: &str) -> Result<Kept, ApiError> {
    let unfit = |why: String| ApiError::Invalid(vec![Detail::new(PART, "font_invalid", why)]);
    let importer = app.importer.as_ref().ok_or(ApiError::NoWorkers)?;
    let font = importer.font(account, file).await.map_err(|e| match e {
        ImportError::Refused(why) => unfit(format!("This font can't be used: {why}.")),
        ImportError::Busy(_) => ApiError::Busy,
        ImportError::Unavailable(why) => {
            tracing::error!(why, "decoding a font failed");
            ApiError::Internal
        }
    })?;
    let name = font.family.to_lowercase();
    if let Some(family) = importer.families().iter().find(|f| f.built_in && f.name.to_lowercase() == name) {
        let message = format!("{} is part of the service. Name it in a brand kit without uploading it.", family.name);
        return Err(unfit(message));
    }
    let kind = UploadKind::Font { media: media.to_owned(), family: font.family, weight: font.weight };
    Ok(Kept { bytes: font.sfnt, kind })
}

impl Upload {
    /// Returns the font face of the upload, if it is a font of `bytes` bytes.
    fn face(&self, bytes: u64) -> Option<AccountFace> {
        let UploadKind::Font { family, weight, .. } = &self.kind else { return None };
        let (upload, blob, expires) = (self.id, self.blob, self.expires);
        Some(AccountFace { upload, family: family.clone(), weight: *weight, blob, bytes, expires })
    }

    /// Checks that the upload has not expired.
    ///
    /// # Errors
    /// [`ApiError::UploadExpired`].
    pub(super) fn usable(&self) -> Result<&Self, ApiError> {
        if self.expires <= Millis::now() { Err(ApiError::UploadExpired) } else { Ok(self) }
    }
}

fn view(upload: &Upload) -> UploadAnswer {
    let (media, font) = match &upload.kind {
        UploadKind::Pdf => (FileKind::Pdf.media_type(), None),
        UploadKind::File(kind) => (kind.media_type(), None),
        UploadKind::Picture(kind) => (kind.media_type(), None),
        UploadKind::Font { media, family, weight } => {
            (media.as_str(), Some(UploadedFont { family: family.clone(), weight: *weight }))
        }
    };
    let (mime_type, expires_at) = (media.to_owned(), upload.expires.to_string());
    UploadAnswer { upload: UploadView { id: upload.id, bytes: upload.bytes, mime_type, expires_at, font } }
}

/// The multipart part that contains the file, with its headers.
#[derive(Debug)]
pub struct Part {
    /// The received file. Boundaries differ between requests, so its digest alone is the fingerprint of the request.
    received: Received,
    name: Option<String>,
    media: Option<String>,
}

impl Payload for Part {
    async fn receive(app: &App, path: &str, headers: &HeaderMap, body: Body) -> Result<Self, ApiError> {
        let read = tokio::time::timeout(BODY_TIME, file(app, path, headers, body));
        read.await.map_err(|_| ApiError::BodyTimeout)?
    }

    fn fingerprint(&self, _: &str) -> [u8; 32] {
        self.received.digest
    }
}

/// Reads the only file of a multipart body.
async fn file(app: &App, path: &str, headers: &HeaderMap, body: Body) -> Result<Part, ApiError> {
    let said = headers.get(header::CONTENT_TYPE).and_then(|t| t.to_str().ok()).unwrap_or_default();
    let boundary = multer::parse_boundary(said).map_err(|_| {
        ApiError::UnsupportedMediaType("Send the file as multipart/form-data, in a part named file.".into())
    })?;
    // The declared length covers the whole body, which is only slightly larger than its file.
    let declared = body.size_hint().exact();
    let limits = SizeLimit::new().whole_stream((FILE_BYTES + FRAMING_BYTES) as u64).per_field(FILE_BYTES as u64);
    let constraints = Constraints::new().size_limit(limits);
    let mut parts = Multipart::with_constraints(body.into_data_stream(), boundary, constraints);
    let mut found = None;
    while let Some(mut part) = parts.next_field().await.map_err(refused)? {
        if part.name() == Some(PART) {
            if found.is_some() {
                return Err(invalid("Send one part named file."));
            }
            let name = part.file_name().map(str::to_owned);
            let media = part.content_type().map(|media| media.essence_str().to_owned());
            let mut receiver = app.bodies.receive(declared, idempotency::hasher(path));
            while let Some(chunk) = part.chunk().await.map_err(refused)? {
                receiver.take(&chunk).await.map_err(received::fault)?;
            }
            found = Some(Part { received: receiver.end().await.map_err(received::fault)?, name, media });
        }
    }
    match found {
        None => Err(invalid("There is no part named file.")),
        Some(file) if file.received.bytes == 0 => Err(invalid("The file is empty.")),
        Some(file) => Ok(file),
    }
}

fn invalid(message: &str) -> ApiError {
    ApiError::Invalid(vec![Detail::new(PART, "invalid_value", message)])
}

fn refused(e: multer::Error) -> ApiError {
    match e {
        multer::Error::FieldSizeExceeded { .. } | multer::Error::StreamSizeExceeded { .. } => {
            ApiError::BodyTooLarge(FILE_BYTES)
        }
        e => invalid(&format!("The body is not valid multipart/form-data: {e}.")),
    }
}
