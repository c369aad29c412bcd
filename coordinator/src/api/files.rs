//! `GET /files/…`: serves image bytes by signed URL, whole or in part.

use std::ops::Range;
use std::sync::Arc;
use std::time::Duration;

use axum::body::Body;
use axum::extract::State;
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode, Uri, header};
use axum::response::{IntoResponse, Response};
use fleet::blobs::{BlobError, Metadata};
use fleet::protocol::BlobId;
use futures::TryStreamExt;
use sha2::{Digest, Sha256};

use super::exports;
use super::spec::params::{FileKey, Signed};
use crate::app::App;
use crate::clock::Millis;
use crate::http::conditional::{Part, Version};
use crate::http::error::ApiError;
use crate::integrity::{Unsound, content_type};
use crate::urls::{FILES, Signature, key_and_name};

/// Lifetime of a presigned object store URL. Each request gets a new one, so it can be short.
const ELSEWHERE: Duration = Duration::from_secs(300);

/// Fetch an image
///
/// Returns the bytes of an image or an export. Take the signed URL from a generation, a brand kit or an export; no key
/// is needed. The content behind a URL never changes. If the stored bytes are damaged, the response is 503
/// `storage_damaged` and the image is rendered again, free of charge: retry after `Retry-After`.
#[utoipa::path(
    get,
    path = "/files/{*key}",
    operation_id = "fetchFile",
    tag = "Images",
    params(FileKey, Signed),
    responses(
        (status = 200, description = "The image.", content(("image/png"), ("image/jpeg"), ("image/webp"), ("application/pdf"), ("application/zip"))),
        (
            status = 206,
            description = "The requested range.",
            content(("image/png"), ("image/jpeg"), ("image/webp"), ("application/pdf"), ("application/zip")),
        ),
        (
            status = 302,
            description = "Download the image from the URL in `Location`, which is valid for five minutes. Only if the operator \
                redirects downloads to the object store.",
            headers(("Location" = String, description = "The presigned URL at the object store.")),
        ),
        (status = 304, description = "The client's copy is current."),
    ),
    extensions(("x-codes" = json!(["signature_invalid", "url_expired", "not_found", "range_not_satisfiable"]))),
)]
pub async fn get(
    State(app): State<Arc<App>>,
    method: Method,
    uri: Uri,
    headers: HeaderMap,
) -> Result<Response, ApiError> {
    // Keys and file names never need escaping, so a path with escapes can't match.
    let path = uri.path().strip_prefix(FILES).ok_or(ApiError::NotFound)?;
    let parameter = |name: &str| {
        let mut pairs = uri.query().unwrap_or_default().split('&').filter_map(|p| p.split_once('='));
        pairs.find(|(n, _)| *n == name).map_or("", |(_, value)| value)
    };
    let seconds_left = match app.signer.check(path, parameter("expires"), parameter("signature"), Millis::now()) {
        Signature::Valid(seconds_left) => seconds_left,
        Signature::Expired => return Err(ApiError::UrlExpired),
        Signature::Forged => return Err(ApiError::BadSignature),
    };
    let (key, name) = key_and_name(path);
    if app.store.is_deletion_queued(key, Millis::now())? {
        return Err(ApiError::NotFound);
    }
    let file = File::find(&app, key).await?;
    if app.redirects
        && let Some(elsewhere) = elsewhere(&app, &method, key).await?
    {
        return Ok(elsewhere);
    }
    let mut response = if file.version.is_had(&headers) {
        StatusCode::NOT_MODIFIED.into_response()
    } else {
        file.answer(&app, &method, &headers).await?
    };
    // An object never changes, since another version has another key. The image is cacheable only while its URL is
    // valid.
    let cache = format!("private, max-age={seconds_left}, immutable");
    let disposition = name.map_or_else(|| "inline".to_owned(), |name| format!("inline; filename=\"{name}\""));
    let said = [
        (header::CONTENT_DISPOSITION, disposition),
        (header::CACHE_CONTROL, cache),
        (header::ETAG, file.version.tag),
        (header::LAST_MODIFIED, file.version.modified.map(httpdate::fmt_http_date).unwrap_or_default()),
    ];
    for (name, value) in said {
        if let Some(value) = Some(value).filter(|v| !v.is_empty()).and_then(|v| HeaderValue::try_from(v).ok()) {
            response.headers_mut().insert(name, value);
        }
    }
    // Exports are downloads, so they get an `attachment` disposition.
    if let Some((_, _, name)) = exports::parts_of(key)
        && let Ok(named) = HeaderValue::try_from(format!("attachment; filename=\"{name}\""))
    {
        response.headers_mut().insert(header::CONTENT_DISPOSITION, named);
    }
    response.headers_mut().insert(header::X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    Ok(response)
}

/// Redirects the client to the object store, if the store has a presigned URL for the key. Logos and exports are not
/// redirected: the store keeps them under other keys.
async fn elsewhere(app: &App, method: &Method, key: &str) -> Result<Option<Response>, ApiError> {
    if logo_of(key).is_some() || exports::parts_of(key).is_some() {
        return Ok(None);
    }
    let address = app.blobs.address(method.clone(), key, ELSEWHERE).await.map_err(Unsound::Blob)?;
    let Some(address) = address.and_then(|address| HeaderValue::try_from(address).ok()) else { return Ok(None) };
    let cache = HeaderValue::from_static("private, no-store");
    Ok(Some((StatusCode::FOUND, [(header::LOCATION, address), (header::CACHE_CONTROL, cache)]).into_response()))
}

/// The object that a key names.
struct File<'a> {
    key: &'a str,
    version: Version,
    bytes: u64,
    content: Content,
}

/// The source of the bytes.
enum Content {
    /// A logo or an export: a blob whose bytes were verified against its name. It is streamed, because many clients may
    /// read slowly at the same time.
    Blob(BlobId, Metadata),
    /// An object whose bytes were verified against its hash.
    Object(Metadata),
}

impl<'a> File<'a> {
    async fn find(app: &App, key: &'a str) -> Result<Self, ApiError> {
        if let Some(blob) = blob_of(app, key).await? {
            let metadata = match app.integrity.sound_blob(&blob).await {
                // The blob is no longer referenced, or it is missing.
                Err(BlobError::NotFound(_)) => return Err(ApiError::NotFound),
                checked => checked?,
            };
            let version = Version::new(&blob.to_string(), None);
            return Ok(Self { key, version, bytes: metadata.bytes, content: Content::Blob(blob, metadata) });
        }
        let metadata = app.integrity.sound(key).await?;
        // The key is unique to one version, so half of its hash is enough for a tag.
        let tag = hex::encode(&Sha256::digest(key)[..16]);
        let version = Version::new(&tag, Some(metadata.modified));
        Ok(Self { key, version, bytes: metadata.bytes, content: Content::Object(metadata) })
    }

    /// Builds the response with the whole file or the requested range.
    async fn answer(&self, app: &App, method: &Method, headers: &HeaderMap) -> Result<Response, ApiError> {
        let part = match method {
            &Method::GET => self.version.part(headers, self.bytes),
            _ => Part::Whole,
        };
        let (status, range) = match part {
            Part::Whole => (StatusCode::OK, 0..self.bytes),
            Part::Bytes(range) => (StatusCode::PARTIAL_CONTENT, range),
            Part::Beyond => return Err(ApiError::RangeNotSatisfiable(self.bytes)),
        };
        let mut said = vec![
            (header::CONTENT_TYPE, HeaderValue::from_static(content_type(self.key))),
            (header::CONTENT_LENGTH, HeaderValue::from(range.end - range.start)),
            (header::ACCEPT_RANGES, HeaderValue::from_static("bytes")),
        ];
        if status == StatusCode::PARTIAL_CONTENT {
            let of = format!("bytes {}-{}/{}", range.start, range.end - 1, self.bytes);
            said.push((header::CONTENT_RANGE, HeaderValue::try_from(of).expect("digits and letters make a header")));
        }
        let body = if *method == Method::HEAD { Body::empty() } else { self.body(app, range).await? };
        let mut response = (status, body).into_response();
        response.headers_mut().extend(said);
        Ok(response)
    }

    async fn body(&self, app: &App, range: Range<u64>) -> Result<Body, ApiError> {
        let part = Some(range).filter(|range| range.end - range.start < self.bytes);
        let object = match &self.content {
            Content::Blob(blob, sound) => {
                let object = app.blobs.open_blob(blob, part).await?;
                if object.metadata.mark != sound.mark {
                    tracing::error!(key = self.key, "a blob changed after it was checked");
                    return Err(ApiError::StorageUnavailable);
                }
                object
            }
            Content::Object(sound) => app.integrity.open(self.key, *sound, part).await?,
        };
        let stream = object.into_stream().inspect_err(|e| tracing::error!(error = %e, "an image download ended early"));
        Ok(Body::from_stream(stream))
    }
}

/// Prefix and suffix of a logo's key. The blob's name is in between.
const LOGO: (&str, &str) = ("logos/", ".png");

/// Returns the key under which a logo is served.
pub(super) fn logo_key(blob: &BlobId) -> String {
    format!("{}{blob}{}", LOGO.0, LOGO.1)
}

/// Returns the blob that a key names: a logo, or an export that its generation still references.
async fn blob_of(app: &App, key: &str) -> Result<Option<BlobId>, ApiError> {
    let Some((generation, blob, _)) = exports::parts_of(key) else { return Ok(logo_of(key)) };
    match app.store.run(move |store| store.is_bundle(generation, &blob)).await? {
        true => Ok(Some(blob)),
        false => Err(ApiError::NotFound),
    }
}

fn logo_of(key: &str) -> Option<BlobId> {
    key.strip_prefix(LOGO.0)?.strip_suffix(LOGO.1)?.parse().ok()
}
