//! `GET /api/idea-mode/formats`, also at `/api/formats` without a key.

use std::sync::LazyLock;

use axum::Json;
use axum::http::Uri;
use render_core::format::{self as catalogue, Resolution};
use render_core::warning::Warning;
use serde::Serialize;
use utoipa::ToSchema;

use super::caller::Authorised;
use super::creation::DEFAULT_SLIDES;
use super::query;
use super::spec::{examples, names};
use crate::credits;

/// The catalogue of output formats.
#[derive(Debug, Serialize, ToSchema)]
pub struct FormatsAnswer {
    /// Every format, by category.
    #[schema(value_type = Vec<Format>)]
    pub formats: &'static [Format],
    /// How many there are.
    #[schema(examples(1))]
    pub count: usize,
    /// What the client should know of the query.
    #[schema(value_type = Vec<names::Warning>)]
    pub warnings: Vec<Warning>,
}

/// An output format.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(examples(json!(examples::format())))]
pub struct Format {
    /// Its id, as requests name it.
    #[schema(value_type = names::FormatId)]
    pub id: &'static str,
    /// What people call it.
    #[schema(examples("LinkedIn carousel"))]
    pub name: &'static str,
    /// Where it is shown.
    #[schema(examples("LinkedIn"))]
    pub platform: &'static str,
    /// What it is for.
    #[schema(value_type = names::FormatCategory)]
    pub category: &'static str,
    /// What it is for and when to use it, in a sentence.
    pub description: &'static str,
    /// Whether it is one image or a set of slides.
    pub kind: FormatKind,
    /// Whether it is a set of slides.
    #[schema(examples(true))]
    pub is_carousel: bool,
    /// The same as `isCarousel`.
    #[serde(rename = "is_carousel")]
    #[schema(examples(true))]
    pub is_carousel_too: bool,
    /// Width and height in the platform's own pixels.
    #[schema(pattern = "^[0-9]+x[0-9]+$", examples("1080x1080"))]
    pub dimensions: String,
    /// Width to height, in the smallest numbers.
    #[schema(examples("1:1"))]
    pub aspect_ratio: String,
    /// Pixels at each resolution, and with `exactSize`.
    pub sizes: Sizes,
    /// How far words and logos keep from each edge: shares of the height for `top` and `bottom`, of the width for `left` and
    /// `right`. Art may reach the edge.
    pub safe_area: SafeArea,
    /// How many slides it may have; `null` where it is one image.
    #[schema(required)]
    pub slides: Option<Slides>,
    /// What an image or slide of it costs.
    #[schema(examples(15))]
    pub credits_per_unit: u64,
}

/// Whether a format is one image or several.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum FormatKind {
    /// Several slides.
    Carousel,
    /// One image.
    Visual,
}

/// How far words and logos keep from each edge, in shares of the height or the width.
#[derive(Debug, Serialize, ToSchema)]
pub struct SafeArea {
    /// From the top, of the height.
    #[schema(minimum = 0, maximum = 1, examples(0.04))]
    pub top: f64,
    /// From the right, of the width.
    #[schema(minimum = 0, maximum = 1, examples(0.04))]
    pub right: f64,
    /// From the bottom, of the height.
    #[schema(minimum = 0, maximum = 1, examples(0.04))]
    pub bottom: f64,
    /// From the left, of the width.
    #[schema(minimum = 0, maximum = 1, examples(0.04))]
    pub left: f64,
}

/// Pixels at each resolution.
#[derive(Debug, Serialize, ToSchema)]
pub struct Sizes {
    /// With `exactSize`: the platform's own.
    pub exact: Size,
    /// The long edge has 2048 pixels.
    #[serde(rename = "2K")]
    pub two_k: Size,
    /// Twice that.
    #[serde(rename = "4K")]
    pub four_k: Size,
}

/// Width and height in pixels.
#[derive(Debug, Serialize, ToSchema)]
pub struct Size {
    /// The width.
    #[schema(examples(2048))]
    pub width: u32,
    /// The height.
    #[schema(examples(2048))]
    pub height: u32,
}

/// How many slides a carousel may have.
#[derive(Debug, Serialize, ToSchema)]
pub struct Slides {
    /// The fewest.
    #[schema(examples(1))]
    pub min: u32,
    /// The most.
    #[schema(examples(20))]
    pub max: u32,
    /// How many a request gets that names no count.
    #[schema(examples(5))]
    pub default: u32,
}

/// The catalogue never changes while the service runs.
static CATALOGUE: LazyLock<Vec<Format>> = LazyLock::new(|| catalogue::Format::all().iter().map(format).collect());

/// The format of this id.
pub(super) fn of(id: &str) -> Option<&'static Format> {
    CATALOGUE.iter().find(|f| f.id == id)
}

/// List the formats
///
/// Every format that a generation may ask for, with its sizes, the bounds of its slide count and what it costs.
#[utoipa::path(
    get,
    path = "/api/idea-mode/formats",
    operation_id = "listFormats",
    tag = "Formats",
    security(("apiKey" = [])),
    responses((status = 200, description = "The catalogue.", body = FormatsAnswer)),
)]
pub async fn list(_caller: Authorised, uri: Uri) -> Json<FormatsAnswer> {
    list_openly(uri).await
}

/// List the formats, without a key
///
/// The same catalogue, for everybody.
#[utoipa::path(
    get,
    path = "/api/formats",
    operation_id = "listFormatsOpenly",
    tag = "Formats",
    responses((status = 200, description = "The catalogue.", body = FormatsAnswer)),
)]
pub async fn list_openly(uri: Uri) -> Json<FormatsAnswer> {
    let formats = CATALOGUE.as_slice();
    Json(FormatsAnswer { formats, count: formats.len(), warnings: query::warnings(&uri, &[]) })
}

fn format(f: &'static catalogue::Format) -> Format {
    let size = |resolution| {
        let (width, height) = f.size(resolution);
        Size { width, height }
    };
    // Four decimals are less than a pixel, and read better than the nearest float.
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
