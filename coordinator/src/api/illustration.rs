//! The `images` of a creation: pictures that the client provides for the pages, as addresses or uploads.

use axum::body::Bytes;
use fleet::illustrated::{EarlierEdits, GivenImage, Illustrated, ImagePlace, ImageSource};
use fleet::net::Guard;
use fleet::protocol::InputKind;
use render_core::limits::{ALT_CHARS, IMAGES_BYTES, PHOTOS, URL_CHARS};
use serde_json::Value;
use uuid::Uuid;

use super::App;
use super::creation::Creation;
use super::error::{ApiError, Detail, Missing};
use super::form::Form;
use super::input::is_control;
use super::received;
use crate::bodies::Working;
use crate::state::{Upload, UploadKind};

const FIELD: &str = "images";
const FIELDS: [&str; 4] = ["url", "uploadId", "alt", "use"];
/// The values of `use`.
pub(super) const PLACES: [(&str, ImagePlace); 2] = [("any", ImagePlace::Any), ("cover", ImagePlace::Cover)];

/// A picture that a creation names.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AskedImage {
    /// Its source.
    pub source: AskedSource,
    /// A description of the picture. Empty if the client sends none.
    pub alt: String,
    /// The pages that may show it.
    pub place: ImagePlace,
}

/// The source of a picture.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum AskedSource {
    /// A URL.
    Url(String),
    /// An uploaded file.
    Upload(Uuid),
}

impl Form<'_> {
    /// Parses the pictures of a creation, in order.
    pub(super) fn images(&mut self, guard: &Guard) -> Vec<AskedImage> {
        let Some(value) = self.get(FIELD) else { return Vec::new() };
        let Some(list) = value.as_array() else {
            self.fault(FIELD, "invalid_value", "images must be a list of objects.");
            return Vec::new();
        };
        if list.len() > PHOTOS {
            self.fault(FIELD, "invalid_value", format!("images must name at most {PHOTOS} pictures."));
        }
        let images = list.iter().take(PHOTOS).enumerate();
        images.filter_map(|(n, image)| self.image(&format!("{FIELD}[{n}]"), image, guard)).collect()
    }

    fn image(&mut self, at: &str, image: &Value, guard: &Guard) -> Option<AskedImage> {
        let Some(object) = image.as_object() else {
            self.fault(at, "invalid_value", format!("{at} must be an object with url or uploadId."));
            return None;
        };
        self.warn_of_unknown(&format!("{at}."), object, &FIELDS);
        let [url, upload, alt, place] = FIELDS.map(|name| self.text(at, object, name));
        let source = match (url, upload) {
            (Some(url), None) => self.image_url(&format!("{at}.url"), url, guard),
            (None, Some(id)) => match id.parse() {
                Ok(id) => Some(AskedSource::Upload(id)),
                Err(_) => {
                    let field = format!("{at}.uploadId");
                    self.fault(field.clone(), "invalid_value", format!("{field} must be the id of an upload."));
                    None
                }
            },
            (None, None) => {
                self.fault(at, "missing_field", format!("{at} needs url or uploadId."));
                None
            }
            (Some(_), Some(_)) => {
                self.fault(at, "invalid_value", format!("{at} has url and uploadId; send one of them."));
                None
            }
        };
        let alt = alt.unwrap_or_default().trim();
        if alt.chars().count() > ALT_CHARS {
            let field = format!("{at}.alt");
            self.fault(field.clone(), "content_too_long", format!("{field} has over {ALT_CHARS} characters."));
        }
        if alt.chars().any(is_control) {
            let field = format!("{at}.alt");
            self.fault(field.clone(), "invalid_characters", format!("{field} holds a control character; take it out."));
        }
        let place = match place {
            None => Some(ImagePlace::Any),
            Some(name) => PLACES.into_iter().find(|(known, _)| *known == name).map(|(_, place)| place),
        };
        if place.is_none() {
            let field = format!("{at}.use");
            self.fault(field.clone(), "invalid_value", format!("{field} must be any or cover."));
        }
        Some(AskedImage { source: source?, alt: alt.to_owned(), place: place? })
    }

    fn image_url(&mut self, field: &str, url: &str, guard: &Guard) -> Option<AskedSource> {
        let url = url.trim();
        if url.chars().count() > URL_CHARS {
            self.fault(field, "invalid_value", format!("{field} has over {URL_CHARS} characters."));
        } else if let Err(refusal) = guard.judge(url) {
            self.fault(field, refusal.code(), format!("{field}: {refusal}."));
        }
        Some(AskedSource::Url(url.to_owned()))
    }
}

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

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn read(images: Value) -> (Vec<AskedImage>, Vec<String>) {
        let body = json!({ "images": images });
        let mut form = Form::new(body.as_object().unwrap());
        let images = form.images(&Guard::default());
        let faults = form.end().0;
        (images, faults.into_iter().map(|fault| format!("{} {}", fault.field, fault.code)).collect())
    }

    #[test]
    fn pictures_are_addresses_or_uploads() {
        let id = Uuid::now_v7();
        let (images, faults) = read(json!([
            {"url": " https://a.example/mole.jpg ", "alt": "The mole", "use": "cover"},
            {"uploadId": id.to_string(), "alt": null},
        ]));
        let url = AskedSource::Url("https://a.example/mole.jpg".into());
        assert_eq!(faults, [""; 0]);
        assert_eq!(
            images,
            [
                AskedImage { source: url, alt: "The mole".into(), place: ImagePlace::Cover },
                AskedImage { source: AskedSource::Upload(id), alt: String::new(), place: ImagePlace::Any },
            ]
        );
        assert_eq!(read(json!(null)), (Vec::new(), Vec::new()));
    }

    #[test]
    fn every_fault_is_told_where_it_is() {
        let long = "x".repeat(ALT_CHARS + 1);
        let (_, faults) = read(json!([
            {"alt": "none"},
            {"url": "https://a.example/b.jpg", "uploadId": "x"},
            {"uploadId": "x"},
            {"url": "http://127.0.0.1/b.jpg"},
            {"url": "https://a.example/b.jpg", "alt": long, "use": "back"},
            {"url": 7},
            "https://a.example/b.jpg",
        ]));
        assert_eq!(
            faults,
            [
                "images[0] missing_field",
                "images[1] invalid_value",
                "images[2].uploadId invalid_value",
                "images[3].url url_not_allowed",
                "images[4].alt content_too_long",
                "images[4].use invalid_value",
                "images[5].url invalid_value",
                "images[5] missing_field",
                "images[6] invalid_value",
            ]
        );
        assert_eq!(read(json!({})).1, ["images invalid_value"]);
        let many = vec![json!({"url": "https://a.example/b.jpg"}); PHOTOS + 1];
        assert_eq!(read(json!(many)).1, ["images invalid_value"]);
    }
}
