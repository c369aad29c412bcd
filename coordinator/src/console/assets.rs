//! Static files of the pages: styles, modules, fonts, icons. They are compiled into the binary and served under a path
//! that contains their version, so browsers cache them permanently.

use std::sync::LazyLock;

use axum::body::{Body, Bytes};
use axum::extract::Path;
use axum::http::{HeaderMap, HeaderValue, header};
use axum::response::{IntoResponse, Response};
use flate2::Compression;
use flate2::write::GzEncoder;
use sha2::{Digest, Sha256};
use std::io::Write;

use crate::http::error::ApiError;

/// The path prefix of the files.
const PATH: &str = "/assets";
/// The route pattern of the files.
pub const ROUTE: &str = "/assets/{version}/{*name}";

/// Declares the files by name.
macro_rules! assets {
    ($($name:literal,)+) => {
        static ASSETS: &[Asset] = &[$(Asset { name: $name, bytes: include_bytes!(concat!("assets/", $name)) },)+];
    };
}

assets! {
    "account-members.js",
    "account-parts.js",
    "account-sessions.js",
    "account.css",
    "account.js",
    "base.css",
    "brand-colour.js",
    "brand-colours.js",
    "brand-faces.js",
    "brand-logos.js",
    "brand-preview.js",
    "brand-specimens.js",
    "brand.css",
    "brand.js",
    "brands.css",
    "brands.js",
    "core.js",
    "create-choices.js",
    "create-formats.js",
    "create-input.js",
    "create-more.js",
    "create-outline-page.js",
    "create-outline.js",
    "create-pictures.js",
    "create-file.js",
    "create-shapes.js",
    "create-style.js",
    "create-summary.js",
    "create.css",
    "create.js",
    "credits-chart.js",
    "credits-ledger.js",
    "credits.css",
    "credits.js",
    "door-1.webp",
    "door-2.webp",
    "door-3.webp",
    "door.js",
    "downloads.js",
    "fleet-account-dialogs.js",
    "fleet-accounts.js",
    "fleet-charts.js",
    "fleet-failures.js",
    "fleet-figures.js",
    "fleet-history.js",
    "fleet-letters.js",
    "fleet-live.js",
    "fleet-menu.js",
    "fleet-parts.js",
    "fleet-workers.js",
    "fleet.css",
    "fleet.js",
    "forms.js",
    "generation-again.js",
    "generation-derive.js",
    "generation-facts.js",
    "generation-formats.js",
    "generation-image.js",
    "generation-lightbox.js",
    "generation-live.js",
    "generation-new-slide.js",
    "generation-parts.js",
    "generation-quality.js",
    "generation-slides.js",
    "generation-sources.js",
    "generation-viewer.js",
    "generation.css",
    "generation.js",
    "hand-drawings.js",
    "hand-overlay.js",
    "hand-page.js",
    "hand-panel.js",
    "hand.css",
    "hand.js",
    "image-answer.js",
    "image-designs.js",
    "image-frame.js",
    "image-parts.js",
    "image-prompt.js",
    "image-slides.js",
    "image-versions.js",
    "image.css",
    "image.js",
    "integrations-code.js",
    "integrations-keys.js",
    "integrations-snippets.js",
    "integrations-webhooks.js",
    "integrations.css",
    "integrations.js",
    "generation-grid.js",
    "library-card.js",
    "library-filters.js",
    "library.css",
    "library.js",
    "login.js",
    "once.js",
    "passwords.js",
    "rename.js",
    "shell.js",
    "theme.js",
    "welcome.js",
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

/// The gzip-compressed files, in the order of [`ASSETS`]; `None` where compression does not make a file smaller.
static PACKED: LazyLock<Vec<Option<Bytes>>> = LazyLock::new(|| ASSETS.iter().map(Asset::packed).collect());

/// A hash of all files, which identifies this version.
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

    /// Returns the media type for the file's extension.
    fn media_type(&self) -> &'static str {
        match self.name.rsplit('.').next() {
            Some("css") => "text/css; charset=utf-8",
            Some("js") => "text/javascript; charset=utf-8",
            Some("svg") => "image/svg+xml",
            Some("webp") => "image/webp",
            Some("woff2") => "font/woff2",
            _ => "application/octet-stream",
        }
    }
}

/// Returns the path of a file, without the service's own path prefix.
pub(super) fn path(name: &str) -> String {
    format!("{PATH}/{}/{name}", *VERSION)
}

/// Whether a file of this name exists.
pub(super) fn has(name: &str) -> bool {
    ASSETS.iter().any(|asset| asset.name == name)
}

/// `GET /assets/{version}/{name}`.
pub(super) async fn read(
    Path((version, name)): Path<(String, String)>,
    headers: HeaderMap,
) -> Result<Response, ApiError> {
    let at = ASSETS.iter().position(|asset| asset.name == name).ok_or(ApiError::NotFound)?;
    let (asset, accepted) = (&ASSETS[at], headers.get(header::ACCEPT_ENCODING).and_then(|v| v.to_str().ok()));
    let packed = PACKED[at].as_ref().filter(|_| accepted.is_some_and(|said| said.contains("gzip")));
    let body = packed.cloned().unwrap_or(Bytes::from_static(asset.bytes));
    let mut response = Body::from(body).into_response();
    let said = response.headers_mut();
    said.insert(header::CONTENT_TYPE, HeaderValue::from_static(asset.media_type()));
    said.insert(header::X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    // A page of another version gets the current file, but must not cache it under the other version's URL.
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

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::path::Path;

    use fleet::protocol::FailureCode;

    use super::*;

    #[test]
    fn every_style_and_module_of_the_folder_is_served() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/console/assets");
        let names = |folder: &Path, before: &str| -> Vec<String> {
            let files = std::fs::read_dir(folder).unwrap().map(|file| file.unwrap().file_name().into_string().unwrap());
            let served = |name: &String| {
                ["css", "js", "svg", "webp", "woff2"].iter().any(|end| name.ends_with(&format!(".{end}")))
            };
            files.filter(served).map(|name| format!("{before}{name}")).collect()
        };
        let mut there: BTreeSet<String> = names(&folder, "").into_iter().collect();
        there.extend(names(&folder.join("vendored"), "vendored/"));
        assert_eq!(ASSETS.iter().map(|asset| asset.name.to_owned()).collect::<BTreeSet<_>>(), there);
    }

    #[test]
    fn every_reason_of_a_failed_generation_is_explained() {
        let module = include_str!("assets/fleet-failures.js");
        let reasons = module.split_once("const REASONS = {").unwrap().1.split_once("};").unwrap().0;
        let explained: BTreeSet<&str> =
            reasons.lines().filter_map(|line| Some(line.trim().split_once(':')?.0)).collect();
        // A cancelled generation has not failed.
        let failed = FailureCode::of_generations().filter(|code| *code != FailureCode::RenderCancelled);
        assert_eq!(explained, failed.map(FailureCode::name).collect());
    }
}
