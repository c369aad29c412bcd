//! `GET /console/api/swatches`, `POST /console/api/samples`: previews of styles and brand kits, rendered while the user
//! waits.

use std::sync::Arc;

use axum::Json;
use axum::extract::{Query, State};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use bytes::Bytes;
use fleet::protocol::FailureCode;
use fleet::sample::{Drawn, Sample};
use render_core::design::STYLE_NAMES;
use render_core::warning::Warning;
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use crate::access::Active;
use crate::api::branding;
use crate::app::App;
use crate::http::error::{ApiError, Missing};
use crate::http::json::Fields;
use crate::state::Kit;

/// Maximum number of characters of text on a swatch.
const WORDS: usize = 120;
/// The text of a swatch if the request sends none.
const FALLBACK: &str = "Good work takes quiet";
/// The texts of a brand kit's samples.
const SAMPLES: [(&str, &str); 3] = [
    ("instagram_post", "# Small habits, kept for years, beat grand plans\n\nWhat we learned from a thousand mornings."),
    ("instagram_story", "# 73 %\n\n73 % of readers decide within three seconds whether to stay."),
    (
        "linkedin_post",
        "# Three ways to a calmer week\n\n1. Decide on Friday what Monday is for\n2. Keep one morning without meetings\n3. Write it down once, where all can see it",
    ),
];

/// A preview image.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Picture {
    #[serde(skip_serializing_if = "Option::is_none")]
    style: Option<&'static str>,
    /// The image as a `data:` URL.
    image: String,
    width: u32,
    height: u32,
    alt_text: String,
}

impl Picture {
    fn of(drawn: &Drawn, style: Option<&'static str>) -> Self {
        let image = format!("data:image/webp;base64,{}", STANDARD.encode(&drawn.image));
        Self { style, image, width: drawn.width, height: drawn.height, alt_text: drawn.alt_text.clone() }
    }
}

/// One preview per style.
#[derive(Debug, Serialize)]
pub(super) struct Swatches {
    swatches: Vec<Picture>,
}

/// The text to show, and the brand kit to use.
#[derive(Debug, Deserialize)]
pub(super) struct Asked {
    words: Option<String>,
    brand: Option<Uuid>,
}

/// Renders a cover in every style.
pub(super) async fn swatches(
    State(app): State<Arc<App>>,
    visitor: Active,
    Query(asked): Query<Asked>,
) -> Result<Json<Swatches>, ApiError> {
    let brand = match asked.brand {
        Some(id) => {
            let account = visitor.account_id;
            let kit =
                app.store.run(move |store| store.kit(account, id)).await?.ok_or(ApiError::Missing(Missing::Brand))?.0;
            Some(branding::fresh(&app, account, &kit).await?.0)
        }
        None => None,
    };
    let words: String = asked.words.unwrap_or_default().split_whitespace().collect::<Vec<_>>().join(" ");
    let words = words.trim_start_matches(['#', '>', '-', '*', ' ']);
    let words: String = if words.is_empty() { FALLBACK } else { words }.chars().take(WORDS).collect();
    let sample = |style: &&'static str| Sample {
        words: Bytes::from(format!("# {words}")),
        format: "instagram_post".into(),
        style: Some((*style).to_owned()),
        brand: brand.clone(),
    };
    let drawn = draw(&app, visitor.account_id, STYLE_NAMES.iter().map(sample).collect()).await?;
    let swatches = STYLE_NAMES.iter().zip(&drawn).map(|(style, drawn)| Picture::of(drawn, Some(style))).collect();
    Ok(Json(Swatches { swatches }))
}

/// Previews of a brand kit in three designs.
#[derive(Debug, Serialize)]
pub(super) struct Samples {
    samples: Vec<Picture>,
    warnings: Vec<Warning>,
}

/// Renders three designs with the kit described by the body, whether or not it is stored. `brandId` names the stored
/// kit whose logos are used.
pub(super) async fn samples(
    State(app): State<Arc<App>>,
    visitor: Active,
    Fields(mut fields): Fields,
) -> Result<Json<Samples>, ApiError> {
    let account = visitor.account_id;
    let of = fields.remove("brandId").and_then(|id| id.as_str()?.parse::<Uuid>().ok());
    let kept = match of {
        Some(id) => {
            Some(app.store.run(move |store| store.kit(account, id)).await?.ok_or(ApiError::Missing(Missing::Brand))?.0)
        }
        None => None,
    };
    let (kit, mut warnings): (Kit, _) = branding::unsaved(&app, account, &fields, kept).await?;
    let (brand, more) = branding::fresh(&app, account, &kit).await?;
    warnings.extend(more);
    let sample = |(format, words): (&str, &'static str)| Sample {
        words: Bytes::from_static(words.as_bytes()),
        format: format.to_owned(),
        style: kit.content.style.clone(),
        brand: Some(brand.clone()),
    };
    let drawn = draw(&app, account, SAMPLES.map(sample).into()).await?;
    for warning in drawn.iter().flat_map(|d| &d.warnings) {
        if !warnings.contains(warning) {
            warnings.push(warning.clone());
        }
    }
    Ok(Json(Samples { samples: drawn.iter().map(|d| Picture::of(d, None)).collect(), warnings }))
}

async fn draw(app: &App, account: Uuid, samples: Vec<Sample>) -> Result<Vec<Drawn>, ApiError> {
    let sampler = app.sampler.as_ref().ok_or(ApiError::NoWorkers)?;
    sampler.draw(account, samples).await.map_err(|failure| {
        if failure.is(FailureCode::Busy) {
            return ApiError::Busy;
        }
        tracing::error!(code = failure.code, why = failure.message, "rendering samples failed");
        ApiError::Internal
    })
}
