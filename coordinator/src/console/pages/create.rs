//! The create page, which is the console's home page.

use std::sync::Arc;

use axum::extract::{Query, State};
use axum::response::Response;
use render_core::content::Language;
use render_core::design::STYLE_NAMES;
use render_core::limits;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use uuid::Uuid;

use super::page::{self, Page};
use super::seat::Seat;
use crate::accounts::Plan;
use crate::api::brands;
use crate::app::App;
use crate::clock::Millis;
use crate::console::again;
use crate::credits;
use crate::http::error::ApiError;
use crate::http::query::NoParameters;

/// Languages offered by name, ordered by number of readers. The service has fonts and rules for all of them.
const LANGUAGES: [&str; 40] = [
    "en", "zh", "zh-TW", "es", "hi", "ar", "pt", "ru", "ja", "de", "fr", "ko", "it", "tr", "vi", "pl", "uk", "nl",
    "id", "th", "sv", "da", "nb", "fi", "cs", "sk", "hu", "ro", "bg", "el", "he", "fa", "ur", "bn", "ta", "te", "ka",
    "hy", "am", "hr",
];

/// The fields of a format that the module uses.
const OF_FORMATS: [&str; 11] = [
    "id",
    "name",
    "category",
    "platform",
    "kind",
    "description",
    "dimensions",
    "aspectRatio",
    "isCarousel",
    "slides",
    "creditsPerUnit",
];

/// The module's initial data.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Data {
    formats: Value,
    styles: &'static [&'static str],
    brands: Value,
    languages: Vec<Value>,
    plan: &'static str,
    paid: bool,
    balance: u64,
    costs: Value,
    limits: Value,
    /// Whether the service has a language model, which develops ideas and translates.
    language_model: bool,
    start: Option<Value>,
}

/// The page's query parameters.
#[derive(Deserialize)]
pub(super) struct Asked {
    /// The generation whose request fills the form.
    again: Option<Uuid>,
}

/// `GET /`.
pub(super) async fn show(
    State(app): State<Arc<App>>,
    seat: Seat,
    Query(asked): Query<Asked>,
) -> Result<Response, ApiError> {
    let start = match asked.again {
        Some(id) => Some(again::beginning(&app, seat.account_id, id).await?),
        None => None,
    };
    let account = seat.account_id;
    let balance = app.store.run(move |store| store.balance(account, Millis::now())).await?.available();
    let plan: Plan = seat.account.plan;
    let data = Data {
        formats: page::formats_with(&OF_FORMATS).await?.into(),
        styles: &STYLE_NAMES,
        brands: page::part(
            &brands::list(State(Arc::clone(&app)), seat.caller(), NoParameters::default()).await?.0,
            "brands",
        )?,
        languages: languages(),
        plan: plan.name(),
        paid: plan.is_paid(),
        balance,
        costs: json!({"visual": credits::VISUAL, "slide": credits::SLIDE, "edit": credits::EDIT}),
        limits: json!({
            "textCharacters": app.ceilings.text_chars, "images": app.ceilings.images, "fileBytes": limits::PDF_BYTES,
            "pictures": limits::PHOTOS, "pictureBytes": limits::PHOTO_BYTES, "altCharacters": limits::ALT_CHARS,
        }),
        language_model: app.ceilings.translates,
        start,
    };
    let lead = Some(
        "Paste a text, a link or an idea, or drop a file. You see the price and every page's words before you spend.",
    );
    Page { name: "create", title: "Make something worth reading", lead, styles: &[], data: &data }.answer(&app, &seat)
}

/// Returns the languages that pages can be made in, as `{tag, name}`.
pub(super) fn languages() -> Vec<Value> {
    LANGUAGES.iter().filter_map(|tag| language(tag)).collect()
}

fn language(tag: &str) -> Option<Value> {
    let name = match tag {
        "zh" => "Chinese (simplified)",
        "zh-TW" => "Chinese (traditional)",
        _ => tag.parse::<Language>().ok()?.english_name()?,
    };
    Some(json!({"tag": tag, "name": name}))
}
