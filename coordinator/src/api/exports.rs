//! `GET /api/generations/:id/export`: returns the images of a generation in one file, which is built once and stored.

use std::io::{Cursor, Write};
use std::sync::Arc;
use std::time::Duration;

use axum::Json;
use axum::extract::State;
use axum::http::Uri;
use bytes::Bytes;
use fleet::export::{ExportPage, ExportPages};
use fleet::protocol::BlobId;
use render_core::warning::Warning;
use serde::Serialize;
use tokio::time::{Instant, timeout};
use utoipa::ToSchema;
use uuid::Uuid;
use zip::write::{SimpleFileOptions, ZipWriter};
use zip::{CompressionMethod, result::ZipError};

use super::spec::params::{ExportQuery, GenerationId};
use super::storage;
use crate::access::{Scoped, scope};
use crate::app::{App, EXPORT_BYTES};
use crate::clock::Millis;
use crate::http::error::{ApiError, Conflict, Detail, Missing};
use crate::http::path::{Id, kind};
use crate::http::{names, query};
use crate::metrics;
use crate::state::{Bundle, BundleKind, End, Growth, Image, Output, Snapshot};
use crate::urls::file_name;

/// Time limit for building an export, including the wait.
const TIME: Duration = Duration::from_secs(90);
/// The archive entry that contains the alt texts.
const ALT_TEXTS: &str = "alt-texts.txt";
/// Prefix of the keys of exports. The generation, the blob and the file name follow.
const PREFIX: &str = "exports/";

/// A file with the images of a generation.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Export {
    /// Signed URL of the file.
    #[schema(format = "uri")]
    url: String,
    /// When the URL expires.
    #[schema(format = DateTime)]
    expires_at: String,
    /// The type of the file.
    #[schema(value_type = names::ExportFormat)]
    format: &'static str,
    /// The format whose images the file contains; `null` if it contains all formats.
    #[schema(required)]
    format_id: Option<String>,
    /// Number of images in the file. In a PDF, each image is a page.
    #[schema(minimum = 1)]
    pages: usize,
    /// Size of the file in bytes.
    bytes: u64,
    /// Warnings about the query, such as unknown parameters.
    #[schema(value_type = Vec<names::Warning>)]
    warnings: Vec<Warning>,
}

/// Export a generation
///
/// Returns the images of a generation in one file: a PDF with one page per image, for networks that accept carousels as
/// PDF, or a ZIP archive of the images and `alt-texts.txt`. The PDF contains text with embedded fonts and vector
/// shapes, so it is sharp at every size.
///
/// The file is built on the first request, free of charge, and stored; later requests return a fresh URL of the same
/// file. It counts towards the account's storage. After an edit it is built again. It is deleted together with the
/// generation or its images.
#[utoipa::path(
    get,
    path = "/api/generations/{id}/export",
    operation_id = "exportGeneration",
    tag = "Generations",
    security(("apiKey" = ["generations:read"])),
    params(GenerationId, ExportQuery),
    responses((
        status = 200,
        description = "The URL of the file.",
        body = Export,
        example = json!({
            "url": "https://vivid.example/files/exports/0198c0de/5f1c8e/linkedin_carousel.pdf?expires=1770465601&signature=5f",
            "expiresAt": "2026-02-07T12:00:01.000Z",
            "format": "pdf",
            "formatId": "linkedin_carousel",
            "pages": 8,
            "bytes": 348_112,
            "warnings": [],
        }),
    )),
    extensions(("x-codes" = json!([
        "generation_not_found", "format_not_found", "validation_failed", "not_exportable", "export_too_large",
        "storage_quota", "busy", "no_workers", "storage_damaged",
    ]))),
)]
pub async fn read(
    State(app): State<Arc<App>>,
    caller: Scoped<scope::GenerationsRead>,
    Id(id, ..): Id<kind::Generation>,
    uri: Uri,
) -> Result<Json<Export>, ApiError> {
    let account = caller.account_id;
    let (kind, format) = asked(&uri)?;
    let turn = app.exports.turn(&(id, kind, format.clone()));
    // A concurrent request waits here and then finds the file that the first request built.
    let _turn = timeout(TIME, turn.lock()).await.map_err(|_| ApiError::Busy)?;
    let found = app.store.run(move |store| store.generation(account, id)).await?;
    let snapshot = found.ok_or(ApiError::Missing(Missing::Generation))?;
    let bundle = match kept(&app, &snapshot, kind, format.as_deref()).await? {
        Some(bundle) => {
            metrics::export_served(kind.name(), "kept");
            bundle
        }
        None => {
            let began = Instant::now();
            let bundle = make(&app, &snapshot, kind, format).await?;
            metrics::export_served(kind.name(), "made");
            metrics::export_made(kind.name(), began.elapsed());
            tracing::info!(%account, generation = %id, kind = kind.name(), bytes = bundle.bytes, "an export was made");
            bundle
        }
    };
    let warnings = query::warnings(&uri, &["format", "formatId"]);
    Ok(Json(Export { warnings, ..shown(&app, id, bundle) }))
}

/// Parses the query.
fn asked(uri: &Uri) -> Result<(BundleKind, Option<String>), ApiError> {
    let (mut kind, mut format) = (None, None);
    for (name, value) in query::pairs(uri)? {
        match name.as_str() {
            "format" => kind = Some(value),
            "formatId" => format = Some(value),
            _ => {}
        }
    }
    let code = if kind.is_none() { "missing_field" } else { "invalid_value" };
    let named = BundleKind::ALL.into_iter().find(|of| kind.as_deref() == Some(of.name()));
    let fault = || ApiError::Invalid(vec![Detail::new("format", code, "format must be pdf or zip.")]);
    Ok((named.ok_or_else(fault)?, format))
}

/// Returns the images that an export contains.
fn images<'a>(snapshot: &'a Snapshot, format: Option<&str>) -> Result<Vec<(u32, &'a Output)>, ApiError> {
    if format.is_some_and(|format| !snapshot.outputs.iter().any(|output| output.format == format)) {
        return Err(ApiError::Missing(Missing::Format));
    }
    let images = snapshot.exported(format);
    if images.is_empty() { Err(ApiError::Conflict(Conflict::NotExportable)) } else { Ok(images) }
}

/// Returns the stored export, if it shows the current versions of the images and is intact.
async fn kept(
    app: &App,
    snapshot: &Snapshot,
    kind: BundleKind,
    format: Option<&str>,
) -> Result<Option<Bundle>, ApiError> {
    let shows: Vec<(u32, u32)> = images(snapshot, format)?.iter().map(|(place, of)| (*place, of.version)).collect();
    let (id, format) = (snapshot.generation.id, format.map(str::to_owned));
    let kept = app.store.run(move |store| store.bundle(id, kind, format.as_deref())).await?;
    let Some(bundle) = kept.filter(|bundle| bundle.shows == shows) else { return Ok(None) };
    Ok(match app.integrity.sound_blob(&bundle.blob).await {
        Ok(_) => Some(bundle),
        Err(error) => {
            tracing::warn!(%error, generation = %id, "reading a stored export failed; it is built again");
            None
        }
    })
}

/// Builds and stores an export.
async fn make(app: &App, snapshot: &Snapshot, kind: BundleKind, format: Option<String>) -> Result<Bundle, ApiError> {
    let images = images(snapshot, format.as_deref())?;
    let made = match kind {
        BundleKind::Pdf => timeout(TIME, pdf(app, snapshot, &images)).await,
        BundleKind::Zip => timeout(TIME, archive(app, snapshot, &images)).await,
    };
    let file = made.map_err(|_| ApiError::Busy)??;
    let bytes = file.len() as u64;
    if bytes > EXPORT_BYTES {
        return Err(ApiError::ExportTooLarge(EXPORT_BYTES));
    }
    let (account, id, blob) = (snapshot.generation.account, snapshot.generation.id, BlobId::of(&file));
    storage::reserve(app, account, Growth { blobs: vec![(blob, bytes)], ..Growth::default() }).await?;
    app.blobs.put_blob(file).await.map_err(|error| {
        tracing::error!(%error, "storing an export failed");
        ApiError::StorageUnavailable
    })?;
    let shows = images.iter().map(|(place, output)| (*place, output.version)).collect();
    let bundle = Bundle { kind, format, blob, bytes, shows };
    let row = bundle.clone();
    match app.store.run(move |store| store.keep_bundle(account, id, &row)).await? {
        Some(kept) => kept?,
        None => return Err(ApiError::Missing(Missing::Generation)),
    }
    Ok(bundle)
}

async fn pdf(app: &App, snapshot: &Snapshot, images: &[(u32, &Output)]) -> Result<Bytes, ApiError> {
    let generation = &snapshot.generation;
    let page = |output: &&Output| {
        let Output { format, width, height, .. } = output;
        Some(ExportPage { page: output.page?, format: format.clone(), width: *width, height: *height })
    };
    let pages = ExportPages {
        account: generation.account,
        pages: images.iter().filter_map(|(_, output)| page(output)).collect(),
        brand: generation.brand,
        title: generation.title().map(str::to_owned),
        language: generation.planned.as_ref().map(|planned| planned.language.clone()),
    };
    let exporter = app.exporter.as_ref().ok_or(ApiError::NoWorkers)?;
    exporter.pdf(pages).await.map_err(|failure| ApiError::of_failure(&failure, "building an export failed"))
}

/// Builds the ZIP archive: entries named in order, stored without compression (images are already compressed), without
/// dates.
async fn archive(app: &App, snapshot: &Snapshot, images: &[(u32, &Output)]) -> Result<Bytes, ApiError> {
    let account = snapshot.generation.account;
    let order = snapshot.order();
    let files: Vec<(String, &Image, &str)> = images
        .iter()
        .filter_map(|(place, output)| match &output.end {
            Some(End::Ready(image)) => {
                let position = order.iter().position(|p| p == place).unwrap_or_default();
                let name = file_name(position as u32, order.len() as u32, &output.format, &image.object);
                Some((name, image, output.alt_text.as_str()))
            }
            _ => None,
        })
        .collect();
    if files.iter().map(|(_, image, _)| image.bytes).sum::<u64>() > EXPORT_BYTES {
        return Err(ApiError::ExportTooLarge(EXPORT_BYTES));
    }
    let _permit = app.exports.archives.acquire(account).await.map_err(|_| ApiError::Busy)?;
    let broken = |error: ZipError| {
        tracing::error!(%error, "writing an archive failed");
        ApiError::Internal
    };
    let options = SimpleFileOptions::default().compression_method(CompressionMethod::Stored);
    let mut archive = ZipWriter::new(Cursor::new(Vec::new()));
    for (name, image, _) in &files {
        let sound = app.integrity.sound(&image.object).await?;
        let bytes = app.integrity.open(&image.object, sound, None).await?.bytes().await.map_err(|error| {
            tracing::error!(%error, "reading an image for an archive failed");
            ApiError::StorageUnavailable
        })?;
        archive.start_file(name.as_str(), options).map_err(broken)?;
        archive.write_all(&bytes).map_err(|error| broken(error.into()))?;
        // Copying and checksumming an image takes a while, so let other tasks run in between.
        tokio::task::yield_now().await;
    }
    archive.start_file(ALT_TEXTS, options).map_err(broken)?;
    archive.write_all(alt_texts(&files).as_bytes()).map_err(|error| broken(error.into()))?;
    Ok(archive.finish().map_err(broken)?.into_inner().into())
}

/// Returns the text of `alt-texts.txt`: each file name with its alt text.
fn alt_texts(files: &[(String, &Image, &str)]) -> String {
    let texts = files.iter().map(|(name, _, says)| format!("{name}\n{says}\n"));
    texts.collect::<Vec<_>>().join("\n")
}

fn shown(app: &App, generation: Uuid, bundle: Bundle) -> Export {
    let Bundle { kind, format, blob, bytes, shows } = bundle;
    let name = format.as_deref().unwrap_or("images");
    let key = format!("{PREFIX}{generation}/{blob}/{name}.{}", kind.name());
    let now = Millis::now();
    Export {
        url: app.signer.url(&key, now),
        expires_at: now.plus_seconds(app.signer.lifetime_s()).to_string(),
        format: kind.name(),
        format_id: format,
        pages: shows.len(),
        bytes,
        warnings: Vec::new(),
    }
}

/// Splits the key of an export into the generation, the blob and the file name.
pub(super) fn parts_of(key: &str) -> Option<(Uuid, BlobId, &str)> {
    let mut parts = key.strip_prefix(PREFIX)?.split('/');
    let (generation, blob, name) = (parts.next()?.parse().ok()?, parts.next()?.parse().ok()?, parts.next()?);
    parts.next().is_none().then_some((generation, blob, name))
}
