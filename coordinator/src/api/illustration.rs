//! Stores a creation's pictures, outline and earlier edits with its input.

use axum::body::Bytes;
use fleet::illustrated::{EarlierEdits, GivenImage, Illustrated, ImageSource};
use fleet::protocol::InputKind;
use render_core::limits::IMAGES_BYTES;
use uuid::Uuid;

use super::asked_image::{AskedImage, AskedSource, FIELD};
use super::creation::Creation;
use super::received;
use crate::app::App;
use crate::bodies::Working;
use crate::http::error::{ApiError, Detail, Missing};
use crate::state::{Upload, UploadKind};

/// Returns the uploads among some pictures, in order.
///
/// # Errors
/// [`ApiError::Missing`], [`ApiError::UploadExpired`]; [`ApiError::Invalid`] if an upload isn't a picture or the
/// uploads together are too large.
pub(super) async fn uploads(app: &App, account: Uuid, images: &[AskedImage]) -> Result<Vec<Upload>, ApiError> {
    let mut found = Vec::new();
    let mut bytes = 0;
    for (n, image) in images.iter().enumerate() {
        let AskedSource::Upload(id) = image.source else { continue };
        let upload = app.store.run(move |store| store.upload(account, id)).await?;
        let upload = upload.ok_or(ApiError::Missing(Missing::Upload))?;
        if !matches!(upload.kind, UploadKind::Picture(_)) {
            let message = "This upload is no picture; upload a PNG, JPEG, WebP, GIF or AVIF.";
            return Err(ApiError::Invalid(vec![Detail::new(
                format!("{FIELD}[{n}].uploadId"),
                "invalid_value",
                message,
            )]));
        }
        bytes += upload.usable()?.bytes;
        found.push(upload);
    }
    if bytes > IMAGES_BYTES as u64 {
        let message = format!("The uploads among images have {bytes} bytes together; at most {IMAGES_BYTES} are read.");
        return Err(ApiError::Invalid(vec![Detail::new(FIELD, "content_too_long", message)]));
    }
    Ok(found)
}

/// Packs an input with its pictures, outline and earlier edits for storage. Returns the packed bytes and the working
/// memory reserved for them. The reservation `held` is released first: a request that waits for a second reservation
/// while it keeps the first could deadlock with itself.
///
/// # Errors
/// Those of [`uploads`]; [`ApiError::Busy`], [`ApiError::StorageUnavailable`], [`ApiError::Internal`].
pub(super) async fn packed(
    app: &App,
    account: Uuid,
    (kind, input): (InputKind, Bytes),
    (creation, edits): (&Creation, Option<EarlierEdits>),
    held: Option<Working>,
) -> Result<(Bytes, Working), ApiError> {
    let images = &creation.images;
    let uploads = uploads(app, account, images).await?;
    drop(held);
    // Reserve room for the files and the packed object, which are in memory at the same time.
    let bytes = 2 * uploads.iter().map(|upload| upload.bytes).sum::<u64>() + input.len() as u64;
    let working = app.bodies.working(account, bytes).await.map_err(received::fault)?;
    let mut files = Vec::with_capacity(uploads.len());
    for upload in &uploads {
        files.push(app.blobs.get_blob(&upload.blob).await?);
    }
    let mut files = files.into_iter();
    let given = images.iter().filter_map(|image| {
        let source = match &image.source {
            AskedSource::Url(url) => ImageSource::Url(url.clone()),
            AskedSource::Upload(_) => ImageSource::File(files.next()?),
        };
        Some(GivenImage { source, alt: image.alt.clone(), place: image.place })
    });
    let whole = Illustrated { kind, input, images: given.collect(), outline: creation.outline.clone(), edits };
    let packed = whole.pack().map_err(|why| {
        tracing::error!(why, "packing an input with its pictures and outline failed");
        ApiError::Internal
    })?;
    Ok((packed.into(), working))
}
