//! `GET /api/idea-mode/formats`, also at `/api/formats` without a key.

use std::sync::LazyLock;

use axum::Json;
use render_core::format::{Format, Resolution};
use serde_json::{Value, json};

use super::caller::Authorised;
use crate::credits;

/// The catalogue never changes while the service runs.
static CATALOGUE: LazyLock<Value> = LazyLock::new(|| {
    let formats: Vec<Value> = Format::all().iter().map(format).collect();
    json!({ "count": formats.len(), "formats": formats })
});

/// The catalogue, for whoever has a key.
pub async fn list(_caller: Authorised) -> Json<&'static Value> {
    Json(&CATALOGUE)
}

/// The catalogue, for everybody.
pub async fn list_openly() -> Json<&'static Value> {
    Json(&CATALOGUE)
}

fn format(f: &Format) -> Value {
    let size = |resolution| {
        let (width, height) = f.size(resolution);
        json!({ "width": width, "height": height })
    };
    json!({
        "id": f.id,
        "name": f.name,
        "platform": f.platform,
        "category": f.category.name(),
        "description": f.description,
        "kind": if f.carousel { "carousel" } else { "visual" },
        "isCarousel": f.carousel,
        "is_carousel": f.carousel,
        "dimensions": format!("{}x{}", f.width, f.height),
        "aspectRatio": f.aspect_ratio_label(),
        "sizes": { "2K": size(Resolution::TwoK), "4K": size(Resolution::FourK) },
        "slides": f.slides,
        "creditsPerUnit": credits::cost(f.carousel),
    })
}
