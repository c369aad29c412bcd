//! `GET /console/api/pictures/:outputId/:version`: a picture of an image, as small as a page shows it. Its address stays
//! the same for as long as the version does, so browsers keep it; signed URLs are others with every answer.

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

use super::visitor::Active;
use crate::api::App;
use crate::api::error::{ApiError, Missing};
use crate::clock::Millis;
use crate::integrity::content_type;

/// Longest edges that can be asked for, in pixels. Thumbnails have 480.
const EDGES: [u32; 4] = [64, 128, 256, 384];
/// Of WebP.
const QUALITY: u8 = 72;
/// The same of the largest, which screens of twice the density show: a pixel of it is hardly seen.
const QUALITY_OF_LARGEST: u8 = 60;
/// Pictures that are made small at once.
static AT_ONCE: Semaphore = Semaphore::const_new(4);
/// The bytes under an address never change.
const FOR_GOOD: HeaderValue = HeaderValue::from_static("private, max-age=31536000, immutable");

/// How small.
#[derive(Deserialize)]
pub(super) struct Asked {
    /// The longest edge; the next larger one that there is, is given.
    edge: Option<u32>,
}

/// One of the account's images, small.
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
    if app.store.is_trash(&key, Millis::now())? {
        return Err(ApiError::Missing(Missing::Output));
    }
    let standing = app.integrity.sound(&key).await?;
    let whole = app.integrity.open(&key, standing, None).await?.into_stream();
    let whole = whole.try_fold(Vec::new(), async |mut all, part| {
        all.extend_from_slice(&part);
        Ok(all)
    });
    let whole = Bytes::from(whole.await.map_err(|error| {
        tracing::error!(%error, key, "a thumbnail broke off");
        ApiError::StorageUnavailable
    })?);
    let edge = EDGES.into_iter().find(|edge| *edge >= asked.edge.unwrap_or(EDGES[3])).unwrap_or(EDGES[3]);
    let _place = AT_ONCE.acquire().await.map_err(|_| ApiError::Internal)?;
    let (from, of) = (whole.clone(), key.clone());
    let small = tokio::task::spawn_blocking(move || reduced(&from, &of, edge)).await.map_err(|_| ApiError::Internal)?;
    Ok(match small {
        Ok(small) => answer(Bytes::from(small), "image/webp"),
        Err(why) => {
            // As it is stored it can be seen all the same.
            tracing::warn!(why, key, "a thumbnail can't be made smaller");
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

/// A stored thumbnail as a WebP whose longest edge is `edge` pixels.
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

/// A picture of three bytes a pixel.
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
