//! `PUT /api/brands/:id/logo`: the request body is the picture. The sandbox decodes it, and the service stores a PNG
//! that it encodes itself. The original is discarded.

use std::sync::Arc;
use std::time::Duration;

use axum::Json;
use axum::body::Body;
use axum::extract::State;
use axum::http::{HeaderMap, Uri, header};
use fleet::import::{ImportError, PictureKind};
use fleet::protocol::BlobId;
use render_core::limits::LOGO_BYTES;

use super::brands::BrandWritten;
use super::spec::examples;
use super::spec::params::{BrandId, VariantQuery};
use super::{brands, received, storage};
use crate::access::{Scoped, scope};
use crate::app::App;
use crate::bodies::Loaded;
use crate::clock::Millis;
use crate::http::error::{ApiError, Missing};
use crate::http::path::{Id, kind};
use crate::http::query;
use crate::state::{Growth, KitLogo};

/// Memory for a logo as a multiple of its size: the sandbox returns a second picture.
const COPIES: u64 = 2;
/// Time limit for receiving a logo.
const BODY_TIME: Duration = Duration::from_secs(30);

/// Set a logo
///
/// The body is the picture itself: PNG, JPEG, WebP, AVIF, GIF (first frame) or SVG, at most 5 MB. The format is
/// detected from the bytes. The picture is decoded in a separate process, trimmed, scaled down to 1,024 pixels on its
/// longer edge and stored as a PNG.
#[utoipa::path(
    put,
    path = "/api/brands/{id}/logo",
    operation_id = "setLogo",
    tag = "Brand kits",
    security(("apiKey" = ["brands:write"])),
    params(BrandId, VariantQuery),
    request_body(
        description = "The picture.",
        content(
            ("image/png"),
            ("image/jpeg"),
            ("image/webp"),
            ("image/avif"),
            ("image/gif"),
            ("image/svg+xml"),
            ("application/octet-stream"),
        ),
    ),
    responses((
        status = 200,
        description = "The brand kit with its logo.",
        body = BrandWritten,
        example = json!(examples::brand_with_logo()),
    )),
    extensions(("x-codes" = json!([
        "brand_not_found", "validation_failed", "logo_invalid", "storage_quota", "no_workers", "busy",
    ]))),
)]
pub async fn put(
    State(app): State<Arc<App>>,
    caller: Scoped<scope::BrandsWrite>,
    Id(id, ..): Id<kind::Brand>,
    uri: Uri,
    headers: HeaderMap,
    body: Body,
) -> Result<Json<BrandWritten>, ApiError> {
    let account = caller.account_id;
    let variant = brands::variant(&uri)?;
    let received = received::receive_file(&app, body, LOGO_BYTES, BODY_TIME).await?;
    let Loaded { bytes: file, working: _working } = received.load(account, COPIES).await.map_err(received::fault)?;
    // Checked before decoding, which is expensive.
    app.store.run(move |store| store.kit(account, id)).await?.ok_or(ApiError::Missing(Missing::Brand))?;
    let is_packed = headers.get(header::CONTENT_ENCODING).is_some_and(|e| e != "identity");
    if is_packed || PictureKind::of(&file).is_none() {
        let message = "Send the picture itself as the body: PNG, JPEG, WebP, AVIF, GIF or SVG.";
        return Err(ApiError::UnsupportedMediaType(message.into()));
    }
    let importer = app.importer.as_ref().ok_or(ApiError::NoWorkers)?;
    let picture = importer.logo(account, file).await.map_err(|e| match e {
        ImportError::Refused(why) => ApiError::LogoInvalid(why),
        ImportError::Busy(_) => ApiError::Busy,
        ImportError::Unavailable(why) => {
            tracing::error!(why, "decoding a logo failed");
            ApiError::Internal
        }
    })?;
    let (width, height, bytes) = (picture.width, picture.height, picture.png.len() as u64);
    let growth = Growth { blobs: vec![(BlobId::of(&picture.png), bytes)], pixels: 0 };
    storage::reserve(&app, account, growth).await?;
    let blob = app.blobs.put_blob(picture.png).await.map_err(|e| {
        tracing::error!(error = %e, "storing a logo failed");
        ApiError::StorageUnavailable
    })?;
    let logo = KitLogo { blob, width, height };
    let set = app.store.run(move |store| store.set_logo(account, id, variant, logo, bytes, Millis::now())).await?;
    let (kit, default) = set.ok_or(ApiError::Missing(Missing::Brand))??;
    Ok(Json(brands::answer(&kit, default, query::warnings(&uri, &[brands::VARIANT]), &app)))
}
