//! `GET /api/idea-mode/formats`, also at `/api/formats` without a key: lists the output formats.

use std::sync::LazyLock;

use axum::Json;
use render_core::format::{self as catalogue, Resolution};
use render_core::warning::Warning;
use serde::Serialize;
use utoipa::ToSchema;

use super::creation::DEFAULT_SLIDES;
use crate::access::Authorised;
use crate::credits;
use crate::http::names;
use crate::http::query::NoParameters;

/// The catalogue of output formats.
#[derive(Debug, Serialize, ToSchema)]
pub struct FormatsAnswer {
    /// The formats, grouped by category.
    #[schema(value_type = Vec<Format>)]
    pub formats: &'static [Format],
    /// The number of formats.
    #[schema(examples(1))]
    pub count: usize,
    /// Warnings about the query, such as unknown parameters.
    #[schema(value_type = Vec<names::Warning>)]
    pub warnings: Vec<Warning>,
}

/// An output format.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(examples(json!(of("linkedin_carousel"))))]
pub struct Format {
    /// The format's id, as used in requests.
    #[schema(value_type = names::FormatId)]
    pub id: &'static str,
    /// The format's display name.
    #[schema(examples("LinkedIn carousel"))]
    pub name: &'static str,
    /// The platform that the format is for.
    #[schema(examples("LinkedIn"))]
    pub platform: &'static str,
    /// The category of the format.
    #[schema(value_type = names::FormatCategory)]
    pub category: &'static str,
    /// What the format is for and when to use it, in a sentence.
    pub description: &'static str,
    /// Whether the format is a single image or a carousel.
    pub kind: FormatKind,
    /// Whether the format is a carousel.
    #[schema(examples(true))]
    pub is_carousel: bool,
    /// The same as `isCarousel`.
    #[serde(rename = "is_carousel")]
    #[schema(examples(true))]
    pub is_carousel_too: bool,
    /// Width and height in the platform's native pixels.
    #[schema(pattern = "^[0-9]+x[0-9]+$", examples("1080x1080"))]
    pub dimensions: String,
    /// The aspect ratio, width to height, as a reduced fraction.
    #[schema(examples("1:1"))]
    pub aspect_ratio: String,
    /// The image size in pixels at each resolution and with `exactSize`.
    pub sizes: Sizes,
    /// The margin that text and logos keep from each edge. `top` and `bottom` are fractions of the height, `left` and
    /// `right` of the width. Art may reach the edge.
    pub safe_area: SafeArea,
    /// The limits of the slide count; `null` for a single image.
    #[schema(required)]
    pub slides: Option<Slides>,
    /// Price of one image or slide in credits.
    #[schema(examples(15))]
    pub credits_per_unit: u64,
}

/// Whether a format is a single image or a carousel.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum FormatKind {
    /// A set of slides.
    Carousel,
    /// A single image.
    Visual,
}

/// The margin that text and logos keep from each edge, as a fraction of the height or the width.
#[derive(Debug, Serialize, ToSchema)]
pub struct SafeArea {
    /// Top margin, as a fraction of the height.
    #[schema(minimum = 0, maximum = 1, examples(0.04))]
    pub top: f64,
    /// Right margin, as a fraction of the width.
    #[schema(minimum = 0, maximum = 1, examples(0.04))]
    pub right: f64,
    /// Bottom margin, as a fraction of the height.
    #[schema(minimum = 0, maximum = 1, examples(0.04))]
    pub bottom: f64,
    /// Left margin, as a fraction of the width.
    #[schema(minimum = 0, maximum = 1, examples(0.04))]
    pub left: f64,
}

/// Image sizes in pixels at each resolution.
#[derive(Debug, Serialize, ToSchema)]
pub struct Sizes {
    /// The platform's native size, used with `exactSize`.
    pub exact: Size,
    /// The size at `2K`: the long edge has 2048 pixels.
    #[serde(rename = "2K")]
    pub two_k: Size,
    /// The size at `4K`: twice the size at `2K`.
    #[serde(rename = "4K")]
    pub four_k: Size,
}

/// Width and height in pixels.
#[derive(Debug, Serialize, ToSchema)]
pub struct Size {
    /// The width in pixels.
    #[schema(examples(2048))]
    pub width: u32,
    /// The height in pixels.
    #[schema(examples(2048))]
    pub height: u32,
}

/// The limits of a carousel's slide count.
#[derive(Debug, Serialize, ToSchema)]
pub struct Slides {
    /// The minimum number of slides.
    #[schema(examples(1))]
    pub min: u32,
    /// The maximum number of slides.
    #[schema(examples(20))]
    pub max: u32,
    /// The number of slides if a request names none.
    #[schema(examples(5))]
    pub default: u32,
}

/// Built once, since the catalogue does not change while the service runs.
static CATALOGUE: LazyLock<Vec<Format>> = LazyLock::new(|| catalogue::Format::all().iter().map(format).collect());

/// Returns the format with this id.
pub(super) fn of(id: &str) -> Option<&'static Format> {
    CATALOGUE.iter().find(|f| f.id == id)
}

/// List the formats
///
/// Returns every format that a generation can use, with its sizes, slide count limits and price.
#[utoipa::path(
    get,
    path = "/api/idea-mode/formats",
    operation_id = "listFormats",
    tag = "Formats",
    security(("apiKey" = [])),
    responses((status = 200, description = "The formats.", body = FormatsAnswer)),
)]
pub async fn list(_: Authorised, query: NoParameters) -> Json<FormatsAnswer> {
    list_openly(query).await
}

/// List the formats, without a key
///
/// Returns the same catalogue without authentication.
#[utoipa::path(
    get,
    path = "/api/formats",
    operation_id = "listFormatsOpenly",
    tag = "Formats",
    responses((status = 200, description = "The formats.", body = FormatsAnswer)),
)]
pub async fn list_openly(NoParameters(warnings): NoParameters) -> Json<FormatsAnswer> {
    let formats = CATALOGUE.as_slice();
    Json(FormatsAnswer { formats, count: formats.len(), warnings })
}

fn format(f: &'static catalogue::Format) -> Format {
    let size = |resolution| {
        let (width, height) = f.size(resolution);
        Size { width, height }
    };
    // Rounds to four decimals: the error is below one pixel, and the JSON is easier to read than the nearest float.
    let share = |share: f32| (f64::from(share) * 1e4).round() / 1e4;
    Format {
        id: f.id.as_str(),
        name: &f.name,
        platform: &f.platform,
        category: f.category.name(),
        description: &f.description,
        kind: if f.carousel { FormatKind::Carousel } else { FormatKind::Visual },
        is_carousel: f.carousel,
        is_carousel_too: f.carousel,
        dimensions: format!("{}x{}", f.width, f.height),
        aspect_ratio: f.aspect_ratio_label(),
        safe_area: SafeArea {
            top: share(f.safe.top),
            right: share(f.safe.right),
            bottom: share(f.safe.bottom),
            left: share(f.safe.left),
        },
        sizes: Sizes { exact: size(Resolution::Exact), two_k: size(Resolution::TwoK), four_k: size(Resolution::FourK) },
        slides: f.slides.map(|s| Slides { min: s.min, max: s.max, default: DEFAULT_SLIDES.clamp(s.min, s.max) }),
        credits_per_unit: credits::cost(f.carousel),
    }
}
