//! `/api/images/:id/outputs/:outputId/page`: an image's page in the page language, to be read, changed and put back.

use std::ops::ControlFlow;
use std::sync::Arc;

use axum::Json;
use axum::body::Body;
use axum::extract::rejection::PathRejection;
use axum::extract::{Path, State};
use axum::http::HeaderMap;
use axum::response::Response;
use render_core::edit::composing;
use render_core::limits::MARKUP_BYTES;
use serde::Serialize;
use serde_json::{Map, Value};
use utoipa::ToSchema;
use uuid::Uuid;

use super::caller::Authorised;
use super::edited::EditAnswer;
use super::edits::{self, Asked};
use super::error::{ApiError, Conflict, Detail};
use super::input::is_control;
use super::spec::examples;
use super::spec::params::{Idempotent, OutputPlace};
use super::spec::requests::ImagePageRequest;
use super::versions::ids;
use super::view::GenerationAnswer;
use super::{App, idempotency, json};
use crate::accounts::Scope;

/// Fields of the request.
const PAGE: &str = "page";
const VERSION: &str = "version";
const DRY_RUN: &str = "dryRun";
/// All of them.
#[cfg(test)]
pub(super) const FIELDS: [&str; 3] = [PAGE, VERSION, DRY_RUN];
/// What stands as the prompt of a version that was made so.
const PROMPT: &str = "The page was changed in the page language.";

/// A page as text.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ImagePage {
    /// The image.
    output_id: Uuid,
    /// The version that the text is of.
    #[schema(minimum = 1)]
    version: u32,
    /// The page in the page language, its head and foot included.
    page: String,
}

/// Read the page of an image
///
/// The page of the image's current version in the page language (`docs/page-language.md`): every element with its words, its
/// size and its place, head and foot included. Change what you like and put it back.
#[utoipa::path(
    get,
    path = "/api/images/{id}/outputs/{outputId}/page",
    operation_id = "getPage",
    tag = "Images",
    security(("apiKey" = ["generations:read"])),
    params(OutputPlace),
    responses((
        status = 200,
        description = "The page.",
        body = ImagePage,
        example = json!(examples::page_text()),
    )),
    extensions(("x-codes" = json!([
        "generation_not_found", "output_not_found", "not_ready", "written_pages", "edit_in_progress", "busy", "no_workers",
        "edit_timed_out",
    ]))),
)]
pub async fn read(
    State(app): State<Arc<App>>,
    caller: Authorised,
    place: Result<Path<(String, String)>, PathRejection>,
) -> Result<Json<ImagePage>, ApiError> {
    caller.need(Scope::GenerationsRead)?;
    let (id, output) = ids(place)?;
    let aim = edits::aim(&app, &caller, Some(id), output).await?;
    let version = aim.version();
    let page = edits::in_time(edits::editor(&app)?.text(aim.pages)).await?;
    Ok(Json(ImagePage { output_id: output, version, page }))
}

/// Replace the page of an image
///
/// Draws the image anew from a page that you changed, as its next version; earlier versions stay. Faults are 400
/// `page_invalid`, with an entry in `details` for each that names its `element`, and nothing is charged. With `dryRun` nothing
/// is stored or charged either: the answer says what would change and shows it small. A page that is as it was makes no
/// version and costs nothing.
#[utoipa::path(
    put,
    path = "/api/images/{id}/outputs/{outputId}/page",
    operation_id = "replacePage",
    tag = "Images",
    security(("apiKey" = ["images:edit"])),
    params(OutputPlace, Idempotent),
    request_body(content = ImagePageRequest, description = "The page."),
    responses(
        (
            status = 200,
            description = "The new version; with `dryRun`, what would change.",
            body = EditAnswer,
            examples(
                ("result" = (summary = "the new version", value = json!(examples::edited()))),
                ("trial" = (summary = "what would change", value = json!(examples::proposal()))),
            ),
        ),
        (
            status = 202,
            description = "Accepted, and not drawn yet after 30 seconds: the output shows the new version once it is.",
            body = GenerationAnswer,
            headers(("Location" = String, description = "The path of the generation.")),
            example = json!(examples::editing()),
        ),
    ),
    extensions(("x-codes" = json!([
        "generation_not_found", "output_not_found", "not_ready", "written_pages", "edit_in_progress", "stale_instruction",
        "validation_failed", "page_invalid", "insufficient_credits", "storage_quota", "queue_full", "busy", "no_workers",
        "shutting_down", "edit_timed_out", "render_failed",
    ]))),
)]
pub async fn replace(
    State(app): State<Arc<App>>,
    caller: Authorised,
    place: Result<Path<(String, String)>, PathRejection>,
    headers: HeaderMap,
    body: Body,
) -> Result<Response, ApiError> {
    caller.need(Scope::ImagesEdit)?;
    let (id, output) = ids(place)?;
    let body = json::read_body(&headers, body).await?;
    let path = format!("/api/images/{id}/outputs/{output}/page");
    let begun = match idempotency::begin(&app, caller.account_id, &headers, &path, &body).await? {
        ControlFlow::Continue(begun) => begun,
        ControlFlow::Break(answer) => return Ok(answer),
    };
    let Put { page, version, dry_run } = Put::read(&json::parse(&body)?)?;
    let now = edits::aim(&app, &caller, Some(id), output).await?.version();
    if version.is_some_and(|version| version != now) {
        return Err(ApiError::Conflict(Conflict::StaleInstruction));
    }
    let instruction = format!("On version {}: {}", version.unwrap_or(now), composing(&page));
    let prompt = if dry_run { instruction.clone() } else { PROMPT.to_owned() };
    let asked = Asked { output, prompt, confirmed: None, notes: Vec::new(), whole: true };
    let answer = match dry_run {
        true => edits::propose(&app, &caller, Some(id), &asked).await?,
        false => edits::confirm(&app, &caller, Some(id), &asked, &instruction).await?,
    };
    begun.keep(answer).await
}

/// What a request says.
struct Put {
    page: String,
    version: Option<u32>,
    dry_run: bool,
}

impl Put {
    fn read(body: &Map<String, Value>) -> Result<Self, ApiError> {
        let invalid = |field, code, message: &str| ApiError::Invalid(vec![Detail::new(field, code, message)]);
        let page = match body.get(PAGE) {
            None | Some(Value::Null) => {
                return Err(invalid(PAGE, "missing_field", "Send the page in page, as a text."));
            }
            Some(Value::String(page)) if page.len() > MARKUP_BYTES => {
                return Err(invalid(PAGE, "too_long", &format!("A page has at most {MARKUP_BYTES} bytes.")));
            }
            Some(Value::String(page)) => page.replace("\r\n", "\n").replace(['\r', '\t'], " "),
            Some(_) => return Err(invalid(PAGE, "invalid_value", "page is a text.")),
        };
        if page.chars().any(is_control) {
            return Err(invalid(PAGE, "invalid_value", "The page holds a control character; take it out."));
        }
        let version = match body.get(VERSION) {
            None | Some(Value::Null) => None,
            Some(number) => {
                let number = number.as_u64().and_then(|n| u32::try_from(n).ok()).filter(|n| *n > 0);
                Some(number.ok_or_else(|| invalid(VERSION, "invalid_value", "A version is a number from 1."))?)
            }
        };
        let dry_run = match body.get(DRY_RUN) {
            None | Some(Value::Null) => false,
            Some(Value::Bool(dry_run)) => *dry_run,
            Some(_) => return Err(invalid(DRY_RUN, "invalid_value", "dryRun is true or false.")),
        };
        Ok(Self { page, version, dry_run })
    }
}
