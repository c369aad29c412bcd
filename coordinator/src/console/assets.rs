//! What the pages load: styles, modules, faces, icons. They are part of the binary, under a path that names their version, so
//! browsers keep them for good.

use std::sync::LazyLock;

use axum::body::{Body, Bytes};
use axum::extract::Path;
use axum::http::{HeaderMap, HeaderValue, header};
use axum::response::{IntoResponse, Response};
use flate2::Compression;
use flate2::write::GzEncoder;
use sha2::{Digest, Sha256};
use std::io::Write;

use crate::api::error::ApiError;

/// Where they are.
pub const PATH: &str = "/assets";

/// Declares what there is, by file name.
macro_rules! assets {
    ($($name:literal,)+) => {
        static ASSETS: &[Asset] = &[$(Asset { name: $name, bytes: include_bytes!(concat!("assets/", $name)) },)+];
    };
}

assets! {
    "base.css",
    "core.js",
    "shell.js",
    "theme.js",
    "vendored/geist-mono.woff2",
    "vendored/geist.woff2",
    "vendored/icons.svg",
    "vendored/instrument-serif.woff2",
    "vendored/uplot.css",
    "vendored/uplot.js",
}

struct Asset {
    name: &'static str,
    bytes: &'static [u8],
}

/// The files packed, each as `gzip` where that makes it smaller, in the order of [`ASSETS`].
static PACKED: LazyLock<Vec<Option<Bytes>>> = LazyLock::new(|| ASSETS.iter().map(Asset::packed).collect());

/// Names this version of all of them.
static VERSION: LazyLock<String> = LazyLock::new(|| {
    let mut hash = Sha256::new();
    for asset in ASSETS {
        hash.update(asset.name.as_bytes());
        hash.update(asset.bytes);
    }
    hex::encode(&hash.finalize()[..6])
});

impl Asset {
    fn packed(&self) -> Option<Bytes> {
        let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
        encoder.write_all(self.bytes).ok()?;
        let packed = encoder.finish().ok()?;
        (packed.len() < self.bytes.len() * 9 / 10).then(|| packed.into())
    }

    /// Its media type, by the end of its name.
    fn media_type(&self) -> &'static str {
        match self.name.rsplit('.').next() {
            Some("css") => "text/css; charset=utf-8",
            Some("js") => "text/javascript; charset=utf-8",
            Some("svg") => "image/svg+xml",
            Some("woff2") => "font/woff2",
            _ => "application/octet-stream",
        }
    }
}

/// The path of a file, below whatever prefix the service is reached under.
pub(super) fn path(name: &str) -> String {
    format!("{PATH}/{}/{name}", *VERSION)
}

/// Whether there is a file of this name.
pub(super) fn has(name: &str) -> bool {
    ASSETS.iter().any(|asset| asset.name == name)
}

/// `GET /assets/{version}/{name}`.
pub(super) async fn read(Path((version, name)): Path<(String, String)>, headers: HeaderMap) -> Result<Response, ApiError> {
    let at = ASSETS.iter().position(|asset| asset.name == name).ok_or(ApiError::NotFound)?;
    let (asset, accepted) = (&ASSETS[at], headers.get(header::ACCEPT_ENCODING).and_then(|v| v.to_str().ok()));
    let packed = PACKED[at].as_ref().filter(|_| accepted.is_some_and(|said| said.contains("gzip")));
    let body = packed.cloned().unwrap_or(Bytes::from_static(asset.bytes));
    let mut response = Body::from(body).into_response();
    let said = response.headers_mut();
    said.insert(header::CONTENT_TYPE, HeaderValue::from_static(asset.media_type()));
    said.insert(header::X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    // What a page of another version asks for is what there is now, and not to be kept under that name.
    let age = if version == *VERSION { "public, max-age=31536000, immutable" } else { "no-cache" };
    said.insert(header::CACHE_CONTROL, HeaderValue::from_static(age));
    if PACKED[at].is_some() {
        said.insert(header::VARY, HeaderValue::from_static("Accept-Encoding"));
    }
    if packed.is_some() {
        said.insert(header::CONTENT_ENCODING, HeaderValue::from_static("gzip"));
    }
    Ok(response)
}
