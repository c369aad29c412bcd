//! `/api/images/:id/outputs/:outputId/page`: reads an image's page in the page language, and replaces it with a changed
//! page.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use axum::response::Response;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD as BASE64;
use fleet::edit::Previewed;
use render_core::compose::{ElementView, PageView};
use render_core::edit::composing;
use render_core::limits::MARKUP_BYTES;
use serde::Serialize;
use serde_json::{Map, Value};
use utoipa::ToSchema;
use uuid::Uuid;

use super::aim::aim;
use super::edited::{EditChange, EditResult};
use super::editor::{editor, in_time};
use super::edits::{self, Asked};
use super::input::is_control;
use super::pages;
use super::spec::params::{IdempotencyKey, OutputPlace};
use super::spec::requests::ImagePageRequest;
use super::spec::{examples, page_examples};
use super::view::GenerationAnswer;
use crate::access::{Scoped, scope};
use crate::app::App;
use crate::credits;
use crate::http::error::{ApiError, Conflict, Detail};
use crate::http::idempotency::{Done, Idempotent};
use crate::http::json::{Fields, Unparsed};
use crate::http::path::{Id, kind};

/// Fields of the request.
const PAGE: &str = "page";
const VERSION: &str = "version";
/// All fields of the request.
#[cfg(test)]
pub(super) const FIELDS: [&str; 2] = [PAGE, VERSION];
/// The prompt recorded for versions that this endpoint makes.
const PROMPT: &str = "The page was changed in the page language.";

/// A page as text.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ImagePage {
    /// The id of the image.
    output_id: Uuid,
    /// The version that the text belongs to.
    #[schema(minimum = 1)]
    version: u32,
    /// The page in the page language, including its header and footer.
    page: String,
    /// The positions of the elements. A parent comes before its children.
    elements: Vec<PageElement>,
    /// The colours of the page's palette. Elements refer to them in `fill` and `ink`.
    colours: Vec<PageColour>,
}

/// The position of an element in the image.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(examples(json!(page_examples::placed_headline())))]
pub struct PageElement {
    /// The element's `id` in the page.
    id: String,
    /// The kind of element.
    #[schema(examples("headline"))]
    name: &'static str,
    /// What can be changed on the element: `words` if it contains text, and attribute names (`fit`, `size`, `ink`,
    /// `fill`, `align`, `icon`, `name`).
    takes: Vec<&'static str>,
    /// The element's range of sizes, set by the page or by default; `null` if it has none.
    #[schema(required, examples("xl..hero"))]
    sizes: Option<String>,
    /// Left, top, width and height as fractions of the image's width and height. The values lie between 0 and 1 if the
    /// element is inside the image.
    #[serde(rename = "box")]
    place: [f32; 4],
    /// The font size in design units (1/1080 of the short edge); `null` for an element without text.
    #[schema(required, examples(118.0))]
    size: Option<f32>,
}

/// A colour of a page.
#[derive(Debug, Serialize, ToSchema)]
pub struct PageColour {
    /// The colour's name in the page language.
    #[schema(examples("accent"))]
    name: &'static str,
    /// The colour's value on the page's background.
    #[schema(examples("#d9652b"))]
    color: String,
}

/// A small preview of a changed page.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct PagePreview {
    /// The id of the image.
    output_id: Uuid,
    /// The version that the page was compared with.
    #[schema(minimum = 1)]
    version: u32,
    /// The page as a PNG with a short edge of 540 pixels, in a `data:` URI; `null` if the page is unchanged.
    #[schema(required)]
    image: Option<String>,
    /// The page with an id on every element, including elements that you added.
    page: String,
    /// The positions of the elements.
    elements: Vec<PageElement>,
    /// What changes.
    changes: Vec<EditChange>,
    /// Price of the change in credits. It is charged when you replace the page.
    credit_cost: u64,
}

/// Read the page of an image
///
/// Returns the page of the image's current version in the page language (`docs/page-language.md`): every element with
/// its text, size and position, including header and footer. Change the page and send it back with PUT.
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
        example = json!(page_examples::page_text()),
    )),
    extensions(("x-codes" = json!([
        "generation_not_found", "output_not_found", "not_ready", "written_pages", "edit_in_progress", "busy", "no_workers",
        "edit_timed_out",
    ]))),
)]
pub async fn read(
    State(app): State<Arc<App>>,
    caller: Scoped<scope::GenerationsRead>,
    Id(id, ..): Id<kind::Generation>,
    Id(output, ..): Id<kind::Output>,
) -> Result<Json<ImagePage>, ApiError> {
    let aim = aim(&app, &caller, Some(id), output).await?.alone();
    let version = aim.version();
    let PageView { text, elements, colours } = in_time(editor(&app)?.view(aim.pages)).await?;
    let colours = colours.into_iter().map(|(name, color)| PageColour { name, color: color.to_hex() }).collect();
    Ok(Json(ImagePage { output_id: output, version, page: text, elements: placed(elements), colours }))
}

fn placed(elements: Vec<ElementView>) -> Vec<PageElement> {
    let element =
        |ElementView { id, name, takes, sizes, rect, size }| PageElement { id, name, takes, sizes, place: rect, size };
    elements.into_iter().map(element).collect()
}

/// Whether this is the path of [`preview`].
pub(crate) fn previews(path: &str) -> bool {
    path.starts_with("/api/images/") && path.ends_with("/page/preview")
}

/// Preview a changed page
///
/// Renders a small preview of a page that you changed, and returns the positions of its elements, the changes and their
/// price. Nothing is stored or charged. Faults are reported as 400 `page_invalid`, as when you replace the page. This
/// operation is meant for editors that call it while their users type. It has its own rate limit: 600 requests per
/// minute unless the operator sets another.
#[utoipa::path(
    post,
    path = "/api/images/{id}/outputs/{outputId}/page/preview",
    operation_id = "previewPage",
    tag = "Images",
    security(("apiKey" = ["images:edit"])),
    params(OutputPlace),
    request_body(content = ImagePageRequest, description = "The page."),
    responses((
        status = 200,
        description = "The preview.",
        body = PagePreview,
        example = json!(page_examples::page_preview()),
    )),
    extensions(("x-codes" = json!([
        "generation_not_found", "output_not_found", "not_ready", "written_pages", "edit_in_progress", "stale_instruction",
        "validation_failed", "page_invalid", "busy", "no_workers", "edit_timed_out",
    ]))),
)]
pub async fn preview(
    State(app): State<Arc<App>>,
    caller: Scoped<scope::ImagesEdit>,
    Id(id, ..): Id<kind::Generation>,
    Id(output, ..): Id<kind::Output>,
    Fields(fields): Fields,
) -> Result<Json<PagePreview>, ApiError> {
    let Put { page, version } = Put::read(&fields)?;
    let aim = aim(&app, &caller, Some(id), output).await?.alone();
    let now = aim.version();
    let instruction = instruction(&page, version, now)?;
    let previewed = in_time(editor(&app)?.preview(aim.pages, instruction)).await?;
    let Previewed { view, changes, edited } = previewed.map_err(|faults| pages::invalid(pages::listed(&faults)))?;
    Ok(Json(PagePreview {
        output_id: output,
        version: now,
        credit_cost: edited.as_ref().map_or(0, |(_, correction)| credits::edit(*correction, app.free_corrections)),
        image: edited.map(|(png, _)| format!("data:image/png;base64,{}", BASE64.encode(png))),
        page: view.text,
        elements: placed(view.elements),
        changes: changes.into_iter().map(EditChange::of).collect(),
    }))
}

/// Returns the instruction that replaces the image's page with this one.
fn instruction(page: &str, of: Option<u32>, now: u32) -> Result<String, ApiError> {
    if of.is_some_and(|version| version != now) {
        return Err(ApiError::Conflict(Conflict::StaleInstruction));
    }
    Ok(format!("On version {}: {}", of.unwrap_or(now), composing(page)))
}

/// Replace the page of an image
///
/// Renders the image from a page that you changed, as its next version; earlier versions are kept. Faults are reported
/// as 400 `page_invalid`, with an entry in `details` that names the `element` of each, and nothing is charged. An
/// unchanged page makes no version and costs nothing. A page on which only a few words are corrected costs nothing
/// either.
#[utoipa::path(
    put,
    path = "/api/images/{id}/outputs/{outputId}/page",
    operation_id = "replacePage",
    tag = "Images",
    security(("apiKey" = ["images:edit"])),
    params(OutputPlace, IdempotencyKey),
    request_body(content = ImagePageRequest, description = "The page."),
    responses(
        (
            status = 200,
            description = "The new version.",
            body = EditResult,
            example = json!(examples::edited()),
        ),
        (
            status = 202,
            description = "Accepted, but not rendered within 30 seconds. The output shows the new version when it is ready.",
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
    caller: Scoped<scope::ImagesEdit>,
    Id(id, ..): Id<kind::Generation>,
    Id(output, ..): Id<kind::Output>,
    sent: Idempotent<Unparsed>,
) -> Result<Response, ApiError> {
    sent.answer(&app, caller.account_id, async |body, _| {
        let Put { page, version } = Put::read(&body.fields()?)?;
        let now = aim(&app, &caller, Some(id), output).await?.version();
        let instruction = instruction(&page, version, now)?;
        let asked = Asked { output, prompt: PROMPT.to_owned(), confirmed: None, notes: Vec::new(), whole: true };
        edits::confirm(&app, &caller, Some(id), &asked, &instruction).await.map(Done::Unchanged)
    })
    .await
}

/// A parsed request.
struct Put {
    page: String,
    version: Option<u32>,
}

impl Put {
    fn read(body: &Map<String, Value>) -> Result<Self, ApiError> {
        let invalid = |field, code, message: &str| ApiError::Invalid(vec![Detail::new(field, code, message)]);
        let page = match body.get(PAGE) {
            None | Some(Value::Null) => {
                return Err(invalid(PAGE, "missing_field", "Send the page in page, as a string."));
            }
            Some(Value::String(page)) if page.len() > MARKUP_BYTES => {
                return Err(invalid(PAGE, "too_long", &format!("page must have at most {MARKUP_BYTES} bytes.")));
            }
            Some(Value::String(page)) => page.replace("\r\n", "\n").replace(['\r', '\t'], " "),
            Some(_) => return Err(invalid(PAGE, "invalid_value", "page must be a string.")),
        };
        if page.chars().any(is_control) {
            return Err(invalid(PAGE, "invalid_value", "The page contains a control character. Remove it."));
        }
        let version = match body.get(VERSION) {
            None | Some(Value::Null) => None,
            Some(number) => {
                let number = number.as_u64().and_then(|n| u32::try_from(n).ok()).filter(|n| *n > 0);
                Some(number.ok_or_else(|| invalid(VERSION, "invalid_value", "version must be a number from 1."))?)
            }
        };
        Ok(Self { page, version })
    }
}
