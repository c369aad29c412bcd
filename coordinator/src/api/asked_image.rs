//! Parses the `images` of a creation: pictures that the client provides for the pages, as addresses or uploads.

use fleet::illustrated::ImagePlace;
use fleet::net::Guard;
use render_core::limits::{ALT_CHARS, PHOTOS, URL_CHARS};
use serde_json::Value;
use uuid::Uuid;

use super::input::is_control;
use crate::http::form::Form;
use crate::http::names::IMAGE_USES;

/// The field of the pictures.
pub(super) const FIELD: &str = "images";
const FIELDS: [&str; 4] = ["url", "uploadId", "alt", "use"];

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
            Some(name) => IMAGE_USES.into_iter().find(|(known, _)| *known == name).map(|(_, place)| place),
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
