//! `POST /api/uploads`: a file sent ahead of the generation that reads it.

use std::sync::Arc;
use std::time::Duration;

use axum::body::{Body, Bytes};
use axum::extract::State;
use axum::http::{HeaderMap, header};
use axum::response::Response;
use multer::{Constraints, Multipart, SizeLimit};
use render_core::limits;
use serde_json::{Value, json};
use uuid::Uuid;

use super::caller::Authorised;
use super::error::{self, ApiError, Detail};
use super::input::is_pdf;
use super::{App, idempotency};
use crate::accounts::Scope;
use crate::clock::Millis;
use crate::state::{Upload, Uploaded};

const PATH: &str = "/api/uploads";
/// Name of the part that holds the file.
const PART: &str = "file";
/// Bytes of a file.
pub const FILE_BYTES: usize = limits::PDF_BYTES;
/// Bytes of the body beyond the file: boundaries and the heads of the parts.
const FRAMING_BYTES: usize = 64 << 10;
/// Time that a file may take to arrive.
const BODY_TIME: Duration = Duration::from_secs(60);
/// Seconds that a file can be used for.
const KEPT_S: u64 = 24 * 3600;

/// Keeps a file: 201 once it can't be lost any more.
pub async fn create(
    State(app): State<Arc<App>>,
    caller: Authorised,
    headers: HeaderMap,
    body: Body,
) -> Result<Response, ApiError> {
    caller.need(Scope::GenerationsWrite)?;
    let key = idempotency::key(&headers)?;
    let _alone = key.as_deref().map(|k| app.in_flight.take(caller.account_id, k)).transpose()?;
    if app.stopping.is_cancelled() {
        return Err(ApiError::ShuttingDown);
    }
    let read = tokio::time::timeout(BODY_TIME, file(&headers, body));
    let file = read.await.map_err(|_| ApiError::BodyTimeout)??;
    if !is_pdf(&file) {
        let message = "The file is no PDF; other files are not read yet.";
        return Err(ApiError::UnsupportedMediaType(message.into()));
    }
    // Boundaries differ each time; the file is what makes two requests the same.
    let idempotency = key.map(|key| (key, idempotency::fingerprint(PATH, &file)));
    let bytes = file.len() as u64;
    let blob = app.blobs.put_blob(file).await.map_err(|e| {
        tracing::error!(error = %e, "an upload can't be stored");
        ApiError::StorageUnavailable
    })?;
    let created = Millis::now();
    let upload = Upload { id: Uuid::now_v7(), blob, bytes, created, expires: created.plus_seconds(KEPT_S) };
    let account = caller.account_id;
    match app.store.run(move |store| store.keep_upload(account, &upload, idempotency.as_ref())).await? {
        Uploaded::Created(upload) => Ok(error::created(&view(&upload), false)),
        Uploaded::Replayed(upload) => Ok(error::created(&view(&upload), true)),
        Uploaded::Conflict => Err(ApiError::IdempotencyConflict),
    }
}

impl Upload {
    /// # Errors
    /// [`ApiError::UploadExpired`].
    pub(super) fn usable(&self) -> Result<&Self, ApiError> {
        if self.expires <= Millis::now() { Err(ApiError::UploadExpired) } else { Ok(self) }
    }
}

fn view(upload: &Upload) -> Value {
    json!({ "upload": {
        "id": upload.id,
        "bytes": upload.bytes,
        "mimeType": "application/pdf",
        "expiresAt": upload.expires.to_string(),
    }})
}

/// The one file of a multipart body.
async fn file(headers: &HeaderMap, body: Body) -> Result<Bytes, ApiError> {
    let said = headers.get(header::CONTENT_TYPE).and_then(|t| t.to_str().ok()).unwrap_or_default();
    let boundary = multer::parse_boundary(said).map_err(|_| {
        ApiError::UnsupportedMediaType("Send the file as multipart/form-data, in a part named file.".into())
    })?;
    let limits = SizeLimit::new().whole_stream((FILE_BYTES + FRAMING_BYTES) as u64).per_field(FILE_BYTES as u64);
    let constraints = Constraints::new().size_limit(limits);
    let mut parts = Multipart::with_constraints(body.into_data_stream(), boundary, constraints);
    let mut found = None;
    while let Some(part) = parts.next_field().await.map_err(refused)? {
        if part.name() == Some(PART) {
            if found.is_some() {
                return Err(invalid("Send one part named file."));
            }
            found = Some(part.bytes().await.map_err(refused)?);
        }
    }
    match found {
        None => Err(invalid("There is no part named file.")),
        Some(file) if file.is_empty() => Err(invalid("The file is empty.")),
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
        e => invalid(&format!("The body can't be read as multipart/form-data: {e}.")),
    }
}
