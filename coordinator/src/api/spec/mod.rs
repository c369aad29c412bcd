//! `GET /openapi.json`: the OpenAPI document. Each handler declares its own path; `finish` adds what all operations
//! share.

pub mod examples;
mod finish;
mod open;
pub mod page_examples;
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

use crate::http::conditional::Version;

/// The OpenAPI document and the files built from it, each of which is built once and served many times.
pub struct Document {
    api: OpenApi,
    json: OnceLock<Made>,
    page: OnceLock<Made>,
}

/// Bytes that stay the same while the service runs.
#[derive(Debug, Clone)]
pub struct Made {
    bytes: Bytes,
    /// The hash of the bytes, used as an entity tag.
    version: Version,
}

impl Made {
    /// Wraps these bytes and computes their hash.
    pub fn new(bytes: Vec<u8>) -> Self {
        let version = Version::new(&hex::encode(&Sha256::digest(&bytes)[..16]), None);
        Self { bytes: bytes.into(), version }
    }

    /// Builds a response with the bytes, or 304 if the client's copy is current.
    pub fn answer(&self, headers: &HeaderMap, content_type: &'static str) -> Response {
        let caching = [
            (header::ETAG, self.version.tag.clone()),
            // The bytes change only with the service's version, so a client may cache them and revalidate.
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
    /// Creates the document from the completed OpenAPI structure.
    pub fn new(api: OpenApi) -> Self {
        Self { api, json: OnceLock::new(), page: OnceLock::new() }
    }

    /// Returns the document as JSON.
    fn json(&self) -> &Made {
        self.json.get_or_init(|| {
            let text = serde_json::to_vec(&self.api).expect("a document is made of strings, numbers, lists and maps");
            Made::new(text)
        })
    }

    /// Returns the HTML page. The first call builds it with `make`.
    pub fn page(&self, make: impl FnOnce(&[u8]) -> String) -> &Made {
        self.page.get_or_init(|| Made::new(make(&self.json().bytes).into_bytes()))
    }
}

/// Read this document
///
/// Returns the OpenAPI 3.1 description of the API.
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
            headers(("ETag" = String, description = "Identifies this version of the document.")),
        ),
        (
            status = 304,
            description = "The version in `If-None-Match` is current.",
            headers(("ETag" = String, description = "Identifies this version of the document.")),
        ),
    ),
)]
pub async fn read(Extension(document): Extension<Arc<Document>>, headers: HeaderMap) -> Response {
    document.json().answer(&headers, "application/json")
}

#[cfg(test)]
mod tests;
