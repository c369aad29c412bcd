//! `GET /console/api/pictures/:outputId/:version`: an image, scaled down to the size at which a page shows it. The URL
//! of a version never changes, so browsers cache the picture. Signed URLs differ in every response.

use std::io::Cursor;
use std::sync::Arc;

use axum::body::Body;
use axum::extract::rejection::PathRejection;
use axum::extract::{Path, Query, State};
use axum::http::{HeaderName, HeaderValue, header};
use axum::response::{IntoResponse, Response};
use bytes::Bytes;
use futures::TryStreamExt;
use render_core::encode::{Encoding, encode_with, thumbnail};
use render_core::raster::Pixmap;
use serde::Deserialize;
use tokio::sync::Semaphore;
use uuid::Uuid;

use crate::access::Active;
use crate::app::App;
use crate::clock::Millis;
use crate::http::error::{ApiError, Missing};
use crate::integrity::content_type;

/// Available longest edges in pixels. A stored thumbnail has 480.
const EDGES: [u32; 4] = [64, 128, 256, 384];
/// WebP quality.
const QUALITY: u8 = 72;
/// WebP quality of the largest size. High-density screens show it, where single pixels are hardly visible.
const QUALITY_OF_LARGEST: u8 = 60;
/// Maximum number of pictures scaled at the same time.
static AT_ONCE: Semaphore = Semaphore::const_new(4);
/// The content of a URL never changes.
const FOR_GOOD: HeaderValue = HeaderValue::from_static("private, max-age=31536000, immutable");

/// The query parameters.
#[derive(Deserialize)]
pub(super) struct Asked {
    /// The longest edge in pixels. The response has the smallest available size that is not below it, or the largest.
    edge: Option<u32>,
}

/// Returns one of the account's images, scaled down.
pub(super) async fn read(
    State(app): State<Arc<App>>,
    visitor: Active,
    place: Result<Path<(Uuid, u32)>, PathRejection>,
    Query(asked): Query<Asked>,
) -> Result<Response, ApiError> {
    let Path((output, version)) = place.map_err(|_| ApiError::Missing(Missing::Output))?;
    let account = visitor.account_id;
    let key = app.store.run(move |store| store.thumbnail(account, output, version)).await?;
    let key = key.ok_or(ApiError::Missing(Missing::Output))?;
    if app.store.is_deletion_queued(&key, Millis::now())? {
        return Err(ApiError::Missing(Missing::Output));
    }
    let standing = app.integrity.sound(&key).await?;
    let whole = app.integrity.open(&key, standing, None).await?.into_stream();
    let whole = whole.try_fold(Vec::new(), async |mut all, part| {
        all.extend_from_slice(&part);
        Ok(all)
    });
    let whole = Bytes::from(whole.await.map_err(|error| {
        tracing::error!(%error, key, "reading thumbnail failed");
        ApiError::StorageUnavailable
    })?);
    let edge = EDGES.into_iter().find(|edge| *edge >= asked.edge.unwrap_or(EDGES[3])).unwrap_or(EDGES[3]);
    let _place = AT_ONCE.acquire().await.map_err(|_| ApiError::Internal)?;
    let (from, of) = (whole.clone(), key.clone());
    let small = tokio::task::spawn_blocking(move || reduced(&from, &of, edge)).await.map_err(|_| ApiError::Internal)?;
    Ok(match small {
        Ok(small) => answer(Bytes::from(small), "image/webp"),
        Err(why) => {
            // The stored thumbnail is larger, but browsers can show it.
            tracing::warn!(why, key, "scaling thumbnail failed: sending it in full size");
            answer(whole, content_type(&key))
        }
    })
}

fn answer(bytes: Bytes, kind: &'static str) -> Response {
    let said: [(HeaderName, HeaderValue); 3] = [
        (header::CONTENT_TYPE, HeaderValue::from_static(kind)),
        (header::CACHE_CONTROL, FOR_GOOD),
        (header::X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff")),
    ];
    (said, Body::from(bytes)).into_response()
}

/// Converts a stored thumbnail to a WebP whose longest edge is `edge` pixels.
fn reduced(file: &[u8], key: &str, edge: u32) -> Result<Vec<u8>, String> {
    let whole = match content_type(key) {
        "image/png" => png(file),
        "image/jpeg" => jpeg(file),
        "image/webp" => webp(file),
        other => Err(format!("{other} is not read")),
    }?;
    let quality = if edge < EDGES[3] { QUALITY } else { QUALITY_OF_LARGEST };
    encode_with(&thumbnail(&whole, edge), Encoding::WebpLossy { quality }).map_err(|e| e.to_string())
}

fn png(file: &[u8]) -> Result<Pixmap, String> {
    let broken = |e: png::DecodingError| e.to_string();
    let mut reader = png::Decoder::new(Cursor::new(file)).read_info().map_err(broken)?;
    let mut data = vec![0; reader.output_buffer_size().ok_or("it has no size")?];
    let frame = reader.next_frame(&mut data).map_err(broken)?;
    if (frame.color_type, frame.bit_depth) != (png::ColorType::Rgb, png::BitDepth::Eight) {
        return Err("the service writes no such PNG".into());
    }
    data.truncate(frame.buffer_size());
    Ok(Pixmap { width: frame.width, height: frame.height, data })
}

fn jpeg(file: &[u8]) -> Result<Pixmap, String> {
    let mut decoder = zune_jpeg::JpegDecoder::new(Cursor::new(file));
    let data = decoder.decode().map_err(|e| e.to_string())?;
    let (width, height) = decoder.dimensions().ok_or("it has no size")?;
    rgb(width as u32, height as u32, data)
}

fn webp(file: &[u8]) -> Result<Pixmap, String> {
    let mut decoder = image_webp::WebPDecoder::new(Cursor::new(file)).map_err(|e| e.to_string())?;
    let (width, height) = decoder.dimensions();
    let mut data = vec![0; decoder.output_buffer_size().ok_or("it has no size")?];
    decoder.read_image(&mut data).map_err(|e| e.to_string())?;
    rgb(width, height, data)
}

/// Builds a picture from data with three bytes per pixel.
fn rgb(width: u32, height: u32, data: Vec<u8>) -> Result<Pixmap, String> {
    let whole = data.len() == width as usize * height as usize * 3;
    if whole { Ok(Pixmap { width, height, data }) } else { Err("it is not opaque and in colour".into()) }
}

#[cfg(test)]
mod tests {
    use render_core::encode::{ImageFormat, encode};

    use super::*;

    #[test]
    fn a_thumbnail_of_any_format_becomes_a_small_webp() {
        let pixel = |n: usize| [(n % 251) as u8, (n % 83) as u8, 40];
        let picture = Pixmap { width: 480, height: 300, data: (0..480 * 300).flat_map(pixel).collect() };
        for format in ImageFormat::ALL {
            let file = encode(&picture, format).unwrap();
            let key = format!("images/a-thumb.{}", format.extension());
            for (edge, size) in [(64, (64, 40)), (256, (256, 160)), (384, (384, 240))] {
                let small = reduced(&file, &key, edge).unwrap();
                let decoder = image_webp::WebPDecoder::new(Cursor::new(&small)).unwrap();
                assert_eq!(decoder.dimensions(), size, "{}", format.name());
            }
            assert!(reduced(&file[..40], &key, 64).is_err());
        }
        assert!(reduced(b"GIF89a", "images/a-thumb.gif", 64).is_err());
    }
}
