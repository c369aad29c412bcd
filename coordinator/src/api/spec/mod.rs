//! `GET /openapi.json`: what the API is, for programs. Every path stands in the document because its handler says so
//! itself; `finish` adds what all answers have in common.

pub mod examples;
mod faults;
mod finish;
pub mod names;
mod open;
mod page_examples;
pub mod params;
pub mod requests;
mod webhooks;

use std::sync::Arc;
use std::sync::OnceLock;

use axum::Extension;
use axum::body::Bytes;
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use sha2::{Digest, Sha256};
use utoipa::openapi::OpenApi;

pub use finish::finish;

use super::conditional::Version;

/// The document of a service, and what is made of it once and served many times.
pub struct Document {
    api: OpenApi,
    json: OnceLock<Made>,
    page: OnceLock<Made>,
}

/// Bytes that stay the same while the service runs.
#[derive(Debug, Clone)]
pub struct Made {
    bytes: Bytes,
    /// Their hash tells them from others.
    version: Version,
}

impl Made {
    /// These bytes.
    pub fn new(bytes: Vec<u8>) -> Self {
        let version = Version::new(&hex::encode(&Sha256::digest(&bytes)[..16]), None);
        Self { bytes: bytes.into(), version }
    }

    /// An answer of this type with them, or 304 for who has them already.
    pub fn answer(&self, headers: &HeaderMap, content_type: &'static str) -> Response {
        let caching = [
            (header::ETAG, self.version.tag.clone()),
            // It changes with the service alone; whoever keeps it asks whether it has.
            (header::CACHE_CONTROL, "public, no-cache".to_owned()),
        ];
        if self.version.is_had(headers) {
            return (StatusCode::NOT_MODIFIED, caching).into_response();
        }
        let nosniff = (header::X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
        let content_type = (header::CONTENT_TYPE, HeaderValue::from_static(content_type));
        (caching, [content_type, nosniff], self.bytes.clone()).into_response()
    }
}

impl Document {
    /// Of this finished document.
    pub fn new(api: OpenApi) -> Self {
        Self { api, json: OnceLock::new(), page: OnceLock::new() }
    }

    /// The document as JSON.
    fn json(&self) -> &Made {
        self.json.get_or_init(|| {
            let text = serde_json::to_vec(&self.api).expect("a document is made of strings, numbers, lists and maps");
            Made::new(text)
        })
    }

    /// The page that shows it, which `make` makes of its JSON the first time.
    pub fn page(&self, make: impl FnOnce(&[u8]) -> String) -> &Made {
        self.page.get_or_init(|| Made::new(make(&self.json().bytes).into_bytes()))
    }
}

/// Read this document
///
/// What the API is, for programs: OpenAPI 3.1.
#[utoipa::path(
    get,
    path = "/openapi.json",
    operation_id = "readDocument",
    tag = "Service",
    params(params::IfNoneMatch),
    responses(
        (
            status = 200,
            description = "The document.",
            body = Object,
            content_type = "application/json",
            headers(("ETag" = String, description = "Names this version of it.")),
        ),
        (
            status = 304,
            description = "It is the one that `If-None-Match` names.",
            headers(("ETag" = String, description = "Names this version of it.")),
        ),
    ),
)]
pub async fn read(Extension(document): Extension<Arc<Document>>, headers: HeaderMap) -> Response {
    document.json().answer(&headers, "application/json")
}

#[cfg(test)]
mod tests;
