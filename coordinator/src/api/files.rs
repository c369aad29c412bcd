//! `GET /files/…`: image bytes by signed URL.

use std::sync::Arc;

use axum::body::Body;
use axum::extract::State;
use axum::http::{HeaderValue, Uri, header};
use axum::response::{IntoResponse, Response};
use fleet::blobs::BlobError;
use fleet::protocol::BlobId;
use futures::TryStreamExt;

use super::App;
use super::error::ApiError;
use super::spec::params::{FileKey, Signed};
use crate::clock::Millis;
use crate::urls::{FILES, Signature};

/// Fetch an image
///
/// The bytes of an image, by the signed URL that a generation or a brand kit gives; no key is needed. What a URL names never
/// changes.
#[utoipa::path(
    get,
    path = "/files/{*key}",
    operation_id = "fetchFile",
    tag = "Images",
    params(FileKey, Signed),
    responses((
        status = 200,
        description = "The image.",
        content(("image/png"), ("image/jpeg"), ("image/webp")),
    )),
    extensions(("x-codes" = json!(["signature_invalid", "url_expired", "not_found"]))),
)]
pub async fn get(State(app): State<Arc<App>>, uri: Uri) -> Result<Response, ApiError> {
    // As it stands in the URL: keys need no escapes, so what has some is none.
    let key = uri.path().strip_prefix(FILES).ok_or(ApiError::NotFound)?;
    let parameter = |name: &str| {
        let mut pairs = uri.query().unwrap_or_default().split('&').filter_map(|p| p.split_once('='));
        pairs.find(|(n, _)| *n == name).map_or("", |(_, value)| value)
    };
    let seconds_left = match app.signer.check(key, parameter("expires"), parameter("signature"), Millis::now()) {
        Signature::Valid(seconds_left) => seconds_left,
        Signature::Expired => return Err(ApiError::UrlExpired),
        Signature::Forged => return Err(ApiError::BadSignature),
    };
    let failed = |e: BlobError| match e {
        BlobError::NotFound(_) | BlobError::BadKey(_) => ApiError::NotFound,
        e => {
            tracing::error!(error = %e, key, "an image can't be read");
            ApiError::StorageUnavailable
        }
    };
    let (bytes, body) = match logo_of(key) {
        Some(blob) => {
            let bytes = app.blobs.get_blob(&blob).await.map_err(failed)?;
            (bytes.len() as u64, Body::from(bytes))
        }
        None => {
            let object = app.blobs.get_object(key).await.map_err(failed)?;
            let bytes = object.bytes;
            let stream = object.into_stream().inspect_err(|e| tracing::error!(error = %e, "an image broke off"));
            (bytes, Body::from_stream(stream))
        }
    };
    // What a key names never changes, for another version has another key; but whoever has the URL has the image no
    // longer than the URL is good for.
    let cache = HeaderValue::try_from(format!("private, max-age={seconds_left}, immutable"))
        .expect("digits and letters make a header");
    let headers = [
        (header::CONTENT_TYPE, HeaderValue::from_static(content_type(key))),
        (header::CONTENT_LENGTH, HeaderValue::from(bytes)),
        (header::CACHE_CONTROL, cache),
        (header::X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff")),
    ];
    Ok((headers, body).into_response())
}

/// What the key of a logo begins and ends with; between stands the name of the blob.
const LOGO: (&str, &str) = ("logos/", ".png");

/// The key under which a logo is served.
pub(super) fn logo_key(blob: &BlobId) -> String {
    format!("{}{blob}{}", LOGO.0, LOGO.1)
}

fn logo_of(key: &str) -> Option<BlobId> {
    key.strip_prefix(LOGO.0)?.strip_suffix(LOGO.1)?.parse().ok()
}

fn content_type(key: &str) -> &'static str {
    match key.rsplit_once('.').map(|(_, extension)| extension) {
        Some("png") => "image/png",
        Some("jpg" | "jpeg") => "image/jpeg",
        Some("webp") => "image/webp",
        _ => "application/octet-stream",
    }
}
