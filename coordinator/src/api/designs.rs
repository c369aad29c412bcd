//! `GET /api/images/:id/outputs/:outputId/designs`: lists alternative layouts, styles, palettes, fonts and backgrounds.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use axum::http::Uri;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD as BASE64;
use fleet::edit::OfferedDesign;
use render_core::edit::Aspect;
use render_core::warning::Warning;
use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

use super::aim::aim;
use super::edited::{EditChange, price};
use super::editor::{editor, in_time};
use super::spec::page_examples;
use super::spec::params::{DesignsQuery, OutputPlace};
use crate::access::{Scoped, scope};
use crate::app::App;
use crate::http::error::{ApiError, Detail};
use crate::http::path::{Id, kind};
use crate::http::{names, query};

/// Query parameters.
pub(super) const PARAMETERS: [&str; 2] = ["aspect", "allSlides"];

/// Alternative designs for an image.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(examples(json!(page_examples::designs())))]
pub struct DesignsAnswer {
    /// The id of the image.
    output_id: Uuid,
    /// The version of the image that the designs were applied to.
    #[schema(minimum = 1)]
    version: u32,
    /// The aspect of the design that varies.
    #[schema(value_type = names::DesignAspect)]
    aspect: &'static str,
    /// The designs, best first: at most eight, each visibly different from the current image.
    designs: Vec<DesignChoice>,
    /// Warnings about the query, such as unknown parameters.
    #[schema(value_type = Vec<names::Warning>)]
    warnings: Vec<Warning>,
}

/// One alternative design.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct DesignChoice {
    /// The name of the design.
    #[schema(examples("Elegant"))]
    name: String,
    /// The change in plain English. To apply it, send it to `POST /api/images/edit` as `confirmedInstruction`.
    refined_instruction: String,
    /// What changes on this image.
    changes: Vec<EditChange>,
    /// Notes for the reader, such as a change that could only be made in part.
    notes: Vec<String>,
    /// Price in credits.
    credit_cost: u64,
    /// Number of images that change.
    changed_images: usize,
    /// A preview of the image in this design: a PNG with a short edge of 270 pixels, as a `data:` URI.
    #[schema(required)]
    image: Option<String>,
}

impl DesignChoice {
    fn of(OfferedDesign { name, proposed }: OfferedDesign, free: u8) -> Self {
        Self {
            name,
            credit_cost: price(&proposed, free),
            changed_images: proposed.edited.len(),
            refined_instruction: proposed.instruction,
            changes: proposed.changes.into_iter().map(EditChange::of).collect(),
            notes: proposed.notes,
            image: proposed.preview.map(|png| format!("data:image/png;base64,{}", BASE64.encode(png))),
        }
    }
}

/// Whether this is the path of [`list`].
pub(crate) fn lists(path: &str) -> bool {
    path.starts_with("/api/images/") && path.ends_with("/designs")
}

/// List designs for an image
///
/// Applies other layouts, styles, palettes, fonts or backgrounds to an image and returns a preview of each. Nothing is
/// stored or charged. With `allSlides`, each design is applied to every slide of the carousel, and `creditCost` is the
/// price of the whole change. Layouts depend on the text of a slide, so they are offered for a single slide only. This
/// operation shares its rate limit with page previews.
#[utoipa::path(
    get,
    path = "/api/images/{id}/outputs/{outputId}/designs",
    operation_id = "listDesigns",
    tag = "Images",
    security(("apiKey" = ["images:edit"])),
    params(OutputPlace, DesignsQuery),
    responses((status = 200, description = "The designs.", body = DesignsAnswer)),
    extensions(("x-codes" = json!([
        "generation_not_found", "output_not_found", "not_ready", "written_pages", "edit_in_progress", "validation_failed",
        "busy", "no_workers", "edit_timed_out",
    ]))),
)]
pub async fn list(
    State(app): State<Arc<App>>,
    caller: Scoped<scope::ImagesEdit>,
    Id(id, ..): Id<kind::Generation>,
    Id(output, ..): Id<kind::Output>,
    uri: Uri,
) -> Result<Json<DesignsAnswer>, ApiError> {
    let (aspect, everywhere) = read(&uri)?;
    let aim = aim(&app, &caller, Some(id), output).await?;
    let aim = if everywhere { aim } else { aim.alone() };
    let version = aim.version();
    let found = in_time(editor(&app)?.designs(aim.pages, aspect, everywhere)).await?;
    let designs = found.into_iter().map(|design| DesignChoice::of(design, app.free_corrections)).collect();
    let aspect = aspect.name();
    Ok(Json(DesignsAnswer {
        output_id: output,
        version,
        aspect,
        designs,
        warnings: query::warnings(&uri, &PARAMETERS),
    }))
}

/// Parses the aspect, and whether the designs apply to all slides.
fn read(uri: &Uri) -> Result<(Aspect, bool), ApiError> {
    let invalid = |field: &str, code, message: String| ApiError::Invalid(vec![Detail::new(field, code, message)]);
    let known = || Aspect::ALL.map(Aspect::name).join(", ");
    let (mut aspect, mut everywhere) = (None, false);
    for (name, value) in query::pairs(uri)? {
        match name.as_str() {
            "aspect" => {
                let found = Aspect::by_name(&value);
                let unknown = || invalid("aspect", "invalid_value", format!("aspect must be one of {}.", known()));
                aspect = Some(found.ok_or_else(unknown)?);
            }
            "allSlides" => {
                let unknown = || invalid("allSlides", "invalid_value", "allSlides must be true or false.".to_owned());
                everywhere = value.parse().map_err(|_| unknown())?;
            }
            _ => {}
        }
    }
    let missing = || invalid("aspect", "missing_field", format!("Send aspect, one of {}.", known()));
    let aspect = aspect.ok_or_else(missing)?;
    if everywhere && !aspect.suits_sets() {
        let message = format!("A {} applies to a single slide. Leave allSlides out.", aspect.name());
        return Err(invalid("allSlides", "invalid_value", message));
    }
    Ok((aspect, everywhere))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn queries_name_an_aspect() {
        let read = |query: &str| read(&format!("/api/images/a/outputs/b/designs{query}").parse().unwrap());
        assert_eq!(read("?aspect=style").unwrap(), (Aspect::Style, false));
        assert_eq!(read("?allSlides=true&aspect=palette&x=1").unwrap(), (Aspect::Palette, true));
        for wrong in ["", "?aspect=", "?aspect=mood", "?aspect=style&allSlides=yes", "?aspect=layout&allSlides=true"] {
            assert!(matches!(read(wrong), Err(ApiError::Invalid(_))), "{wrong}");
        }
    }

    #[test]
    fn paths_of_designs_are_known() {
        assert!(lists("/api/images/1/outputs/2/designs"));
        assert!(!lists("/api/images/1/outputs/2/page") && !lists("/api/designs"));
    }
}
