//! `/api/images/:id/outputs/:outputId/versions`, `…/restore`: lists the versions of an image and restores earlier ones.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::Response;
use render_core::warning::Warning;
use serde::Serialize;
use serde_json::Value;
use utoipa::ToSchema;

use super::aim::refused;
use super::spec::examples;
use super::spec::params::{IdempotencyKey, OutputPlace, PageQuery};
use super::spec::requests::RestoreRequest;
use super::{edited, view};
use crate::access::{Scoped, scope};
use crate::app::App;
use crate::clock::Millis;
use crate::http::error::{ApiError, Detail};
use crate::http::idempotency::{self, Done, Idempotent};
use crate::http::json::Unparsed;
use crate::http::path::{Id, kind};
use crate::http::{listing, names};
use crate::state::{Answer, Back, History, PastVersion, Placed};

/// The field of a restore request.
const VERSION: &str = "version";
/// All of its fields.
#[cfg(test)]
pub(super) const FIELDS: [&str; 1] = [VERSION];

/// The versions of an image.
#[derive(Debug, Serialize, ToSchema)]
pub struct Versions {
    /// The versions, newest first.
    versions: Vec<ImageVersion>,
    /// Position in the list, for the next page.
    pagination: listing::Pagination,
    /// Warnings about the query, such as unknown parameters.
    #[schema(value_type = Vec<names::Warning>)]
    warnings: Vec<Warning>,
}

/// A version of an image.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ImageVersion {
    /// The version number. Version 1 is the image that the generation made.
    #[schema(minimum = 1)]
    version: u32,
    /// Signed URL of the version's image; `null` if the image was deleted because of its age. Such a version can't be
    /// restored.
    #[schema(required, format = "uri")]
    image_url: Option<String>,
    /// Signed URL of a thumbnail; `null` if the image was deleted because of its age.
    #[schema(required, format = "uri")]
    thumbnail_url: Option<String>,
    /// Alternative text for people who can't see the image.
    alt_text: String,
    /// When the version was made.
    #[schema(format = DateTime)]
    created_at: String,
    /// The prompt of the edit; `null` if no edit made the version.
    #[schema(required)]
    prompt: Option<String>,
    /// The first 16,000 bytes of the refined instruction that made the version; `null` if no edit made it.
    #[schema(required)]
    instruction: Option<String>,
    /// The version that this one restored, if it was made by a restore.
    #[schema(required)]
    restored_from: Option<u32>,
    /// Whether the image currently shows this version.
    current: bool,
}

/// A response with an image.
#[derive(Debug, Serialize, ToSchema)]
pub struct OutputAnswer {
    /// The image.
    output: view::Output,
}

/// List the versions of an image
///
/// Returns the versions of an image, newest first, a page at a time. Versions are numbered from 1 without gaps, and
/// numbers are never reused.
#[utoipa::path(
    get,
    path = "/api/images/{id}/outputs/{outputId}/versions",
    operation_id = "listVersions",
    tag = "Images",
    security(("apiKey" = ["generations:read"])),
    params(OutputPlace, PageQuery),
    responses((
        status = 200,
        description = "A page of versions.",
        body = Versions,
        example = json!(examples::versions()),
    )),
    extensions(("x-codes" = json!([
        "generation_not_found", "output_not_found", "not_ready", "validation_failed", "invalid_cursor",
    ]))),
)]
pub async fn list(
    State(app): State<Arc<App>>,
    caller: Scoped<scope::GenerationsRead>,
    Id(id, ..): Id<kind::Generation>,
    Id(output, ..): Id<kind::Output>,
    listing::Page { after, limit, warnings }: listing::Page<u64>,
) -> Result<Json<Versions>, ApiError> {
    let account = caller.account_id;
    let before = after.map(|number| u32::try_from(number).unwrap_or(u32::MAX));
    let found = app.store.run(move |store| store.history(account, id, output, before, limit)).await?;
    let (found, History { versions, more, current }) = found.map_err(|why| refused(why, true))?;
    let last = versions.last().map(|version| u64::from(version.number));
    let now = Millis::now();
    Ok(Json(Versions {
        versions: versions.into_iter().map(|version| shown(version, current, &found, &app, now)).collect(),
        pagination: listing::Pagination::numbered(limit, more, last),
        warnings,
    }))
}

/// Go back to a version of an image
///
/// Makes a new version that is identical to an earlier one. Nothing is rendered, and it costs nothing. Restoring the
/// current version changes nothing.
#[utoipa::path(
    post,
    path = "/api/images/{id}/outputs/{outputId}/restore",
    operation_id = "restoreVersion",
    tag = "Images",
    security(("apiKey" = ["images:edit"])),
    params(OutputPlace, IdempotencyKey),
    request_body(content = RestoreRequest, description = "The version to restore."),
    responses((
        status = 200,
        description = "The image as it is now.",
        body = OutputAnswer,
        example = json!(examples::restored()),
    )),
    extensions(("x-codes" = json!([
        "generation_not_found", "output_not_found", "not_ready", "edit_in_progress", "validation_failed",
    ]))),
)]
pub async fn restore(
    State(app): State<Arc<App>>,
    caller: Scoped<scope::ImagesEdit>,
    Id(id, ..): Id<kind::Generation>,
    Id(output, ..): Id<kind::Output>,
    sent: Idempotent<Unparsed>,
) -> Result<Response, ApiError> {
    let account = caller.account_id;
    sent.answer(&app, account, async |body, key| {
        let version = match body.fields()?.get(VERSION) {
            None | Some(Value::Null) => Err(("missing_field", "Send the version to restore in version.")),
            Some(number) => number.as_u64().ok_or(("invalid_value", "version must be a number from 1.")),
        };
        let version = version.map_err(|(code, why)| ApiError::Invalid(vec![Detail::new(VERSION, code, why)]))?;
        let version = u32::try_from(version).unwrap_or(u32::MAX);
        let now = Millis::now();
        let answer = restored(Arc::clone(&app), now);
        let keyed = key.keyed(answer.clone());
        let back = [Back { output, to: version, from: None }];
        let made = app.store.run(move |store| store.restore(account, id, &back, keyed.as_ref(), now)).await?;
        Done::of(made, answer, |why| refused(why, true))
    })
    .await
}

/// Builds the response for a restored image.
fn restored(app: Arc<App>, now: Millis) -> impl Fn(&Placed) -> Answer + Clone + Send + Sync + 'static {
    move |found| match edited::shown(found, found.place, &app, now) {
        Ok(output) => idempotency::success(StatusCode::OK, None, &OutputAnswer { output }),
        // Unreachable: the image was ready in the transaction that restored it.
        Err(_) => idempotency::success(StatusCode::OK, None, &serde_json::json!({})),
    }
}

fn shown(past: PastVersion, current: u32, of: &Placed, app: &App, now: Millis) -> ImageVersion {
    let PastVersion { number, version, wording, gone } = past;
    let image = &version.image;
    let order = of.snapshot.order();
    let position = order.iter().position(|place| *place == of.place).unwrap_or_default() as u32;
    let total = order.len() as u32;
    let format = of.output().map_or("", |output| output.format.as_str());
    let image_url = || view::image_url(&image.object, position, format, total, app, now);
    let thumbnail_url = || app.signer.url(&image.thumbnail, now);
    let (prompt, instruction) = wording.map(|w| (w.prompt, w.instruction)).unzip();
    ImageVersion {
        version: number,
        image_url: (!gone).then(image_url),
        thumbnail_url: (!gone).then(thumbnail_url),
        alt_text: version.alt_text,
        created_at: version.at.to_string(),
        prompt,
        instruction,
        restored_from: version.restored,
        current: number == current,
    }
}
