//! `POST /api/generations/estimate`: what a creation would cost and say. Nothing is charged, and nothing is kept.

use std::ops::ControlFlow;
use std::sync::Arc;
use std::time::Duration;

use axum::body::{Body, Bytes};
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode, Uri};
use axum::response::Response;
use fleet::estimate as planned;
use fleet::protocol::{BlobId, Failure, InputKind, PlanJob};
use render_core::outline::RevisedPage;
use serde::Serialize;
use tokio::time::timeout;
use utoipa::ToSchema;
use uuid::Uuid;

use super::caller::Authorised;
use super::creation::Creation;
use super::error::{ApiError, Detail, Missing};
use super::input::Input;
use super::outline::{self, FormatOutline};
use super::received::{self, Sent};
use super::spec::params::Idempotent;
use super::spec::requests::CreationRequest;
use super::spec::{examples, names};
use super::view::PlacedWarning;
use super::{App, branding, generations, idempotency, illustration, query, slides};
use crate::accounts::Scope;
use crate::bodies::Working;
use crate::clock::Millis;

const PATH: &str = "/api/generations/estimate";
/// Time that it may take.
const TIME: Duration = Duration::from_secs(30);
/// What can be wrong with an input beyond its form.
const FAULTS: [&str; 18] = [
    "content_too_long",
    "url_fetch_failed",
    "url_not_allowed",
    "url_too_large",
    "url_unsupported_type",
    "no_content",
    "too_little_content",
    "pdf_invalid",
    "pdf_encrypted",
    "pdf_no_text",
    "pdf_too_large",
    "pdf_too_complex",
    "file_invalid",
    "file_encrypted",
    "file_too_complex",
    "translation_unavailable",
    "render_failed",
    "timed_out",
];

/// An answer that is an estimate.
#[derive(Debug, Serialize, ToSchema)]
pub struct EstimateAnswer {
    /// The estimate.
    estimate: Estimate,
}

/// What a generation would cost and say.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct Estimate {
    /// Credits that it would cost.
    #[schema(examples(10))]
    credits: u64,
    /// Credits that the account can spend.
    #[schema(examples(9915))]
    available: u64,
    /// Whether these are enough.
    #[schema(examples(true))]
    affordable: bool,
    /// What it would be headed by.
    #[schema(examples("Sleep better"))]
    title: String,
    /// BCP 47 tag of its words.
    #[schema(examples("en"))]
    language: String,
    /// Its style.
    #[schema(value_type = names::VisualStyle)]
    visual_style: String,
    /// Its images, in the order of the request and slides in order.
    outputs: Vec<EstimatedOutput>,
    /// What its pages would say, by their formats. Change it as you like and send it as the `outline` of the creation.
    outline: Vec<FormatOutline>,
    /// What the client should know.
    #[schema(value_type = Vec<names::Warning>)]
    warnings: Vec<PlacedWarning>,
}

/// An image that would be made.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct EstimatedOutput {
    /// The format that it would be in.
    #[schema(value_type = names::FormatId)]
    format_id: String,
    /// Which slide of its carousel, from 0; `null` for a visual.
    #[schema(required)]
    slide_index: Option<u32>,
    /// Its width in pixels.
    #[schema(examples(1638))]
    width: u32,
    /// Its height in pixels.
    #[schema(examples(2048))]
    height: u32,
    /// What it would cost.
    #[schema(examples(10))]
    credits: u64,
    /// What it would say; `null` for a slide that the input's own words don't fill and a language model writes.
    #[schema(required)]
    page: Option<EstimatedPage>,
}

/// What a page would say.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct EstimatedPage {
    /// How it would be composed.
    #[schema(examples("cover-type"))]
    archetype: String,
    /// Its texts, in reading order.
    texts: Vec<PageText>,
    /// What it would show and say, for those who can't see it.
    alt_text: String,
}

/// One text of a page.
#[derive(Debug, Serialize, ToSchema)]
struct PageText {
    /// What it is on the page.
    #[schema(examples("title"))]
    slot: String,
    /// Its words.
    #[schema(examples("Sleep better"))]
    text: String,
}

/// Estimate a generation
///
/// Takes the body of a creation and tells what it would cost and what each page would say; nothing is charged and nothing is
/// kept. Pages and files are fetched and read for it, 30 seconds at most. The same body and seed make the pages that were
/// told.
#[utoipa::path(
    post,
    path = "/api/generations/estimate",
    operation_id = "estimateGeneration",
    tag = "Generations",
    security(("apiKey" = ["generations:write"])),
    params(Idempotent),
    request_body(content = CreationRequest, description = "What would be made, in at most 1 MB, where escapes such as `\\u00e9` don't count; 36 MB with `inputFile`."),
    responses((
        status = 200,
        description = "The estimate.",
        body = EstimateAnswer,
        example = json!(examples::estimate()),
    )),
    extensions(("x-codes" = json!(["plan_required", "brand_not_found", "upload_not_found", "upload_expired", "no_workers", "busy"]))),
)]
pub async fn create(
    State(app): State<Arc<App>>,
    caller: Authorised,
    uri: Uri,
    headers: HeaderMap,
    body: Body,
) -> Result<Response, ApiError> {
    caller.need(Scope::GenerationsWrite)?;
    let sent = Sent::receive(&app, &headers, body, PATH).await?;
    let begun = match idempotency::begin_as(&app, caller.account_id, &headers, || sent.fingerprint()).await? {
        ControlFlow::Continue(begun) => begun,
        ControlFlow::Break(answer) => return Ok(answer),
    };
    let (mut creation, mut working) = sent.creation(&app, caller.account_id).await?;
    creation.warnings.extend(query::warnings(&uri, &[]));
    slides::settle(caller.account_id, &mut creation, app.ceilings.translates).await?;
    generations::check_plan(&caller, creation.resolution)?;
    let estimator = app.estimator.as_ref().ok_or(ApiError::NoWorkers)?;
    let (kind, input, seed) = content(&app, caller.account_id, &creation, &mut working).await?;
    let mut brand = None;
    if let Some(id) = creation.brand {
        let worn = branding::worn(&app, caller.account_id, id).await?.ok_or(ApiError::Missing(Missing::Brand))?;
        creation.warnings.extend(worn.warnings);
        creation.style = creation.style.or(worn.style);
        brand = Some(worn.brand);
    }
    let job = PlanJob {
        generation: Uuid::now_v7(),
        input_kind: kind,
        input: BlobId::of(&input),
        title: creation.title.clone(),
        formats: creation.formats.clone(),
        style: creation.style.clone(),
        language: creation.language.clone(),
        seed,
        exact: creation.exact,
        brand,
        tokens: None,
        wishes: creation.wishes.clone(),
    };
    let late = || Failure {
        code: "timed_out".into(),
        message: "The input takes too long to be read.".into(),
        retry: true,
        tokens: None,
        usage: None,
    };
    let estimate =
        timeout(TIME, estimator.estimate(caller.account_id, job, input)).await.unwrap_or_else(|_| Err(late()));
    let estimate = estimate.map_err(|failure| fault(creation.input.field(), &creation.outline, failure))?;
    let account = caller.account_id;
    let available = app.store.run(move |store| store.balance(account, Millis::now())).await?.available();
    let body = EstimateAnswer { estimate: answer(&creation, estimate, available) };
    begun.keep(idempotency::success(StatusCode::OK, None, &body)).await
}

/// What the input is, its bytes, and the seed. An upload takes its place in the working memory.
async fn content(
    app: &App,
    account: Uuid,
    creation: &Creation,
    working: &mut Option<Working>,
) -> Result<(InputKind, Bytes, u64), ApiError> {
    let (kind, input) = match &creation.input {
        Input::Text(text) => (InputKind::Text, text.clone().into()),
        Input::Idea(text) => (InputKind::Idea, text.clone().into()),
        Input::Url(url) => (InputKind::Url, url.clone().into()),
        Input::FileUrl(url, _) => (InputKind::PdfUrl, url.clone().into()),
        Input::File(file, kind) => (InputKind::of_file(*kind), file.clone()),
        Input::Upload(id) => {
            let (upload, kind) = generations::upload(app, account, *id).await?;
            *working = Some(app.bodies.working(account, upload.usable()?.bytes).await.map_err(received::fault)?);
            let file = app.blobs.get_blob(&upload.blob).await?;
            (InputKind::of_file(kind), file)
        }
    };
    let seed = creation.seed.unwrap_or_else(|| creation.input.seed(&BlobId::of(&input)));
    if !creation.is_packed() {
        return Ok((kind, input, seed));
    }
    let (packed, place) = illustration::packed(app, account, (kind, input), creation, working.take()).await?;
    *working = Some(place);
    Ok((InputKind::Illustrated, packed, seed))
}

fn fault(field: &'static str, outline: &[(String, Vec<RevisedPage>)], failure: Failure) -> ApiError {
    if failure.code == "busy" {
        return ApiError::Busy;
    }
    match FAULTS.into_iter().find(|code| *code == failure.code) {
        Some(code @ "too_little_content") => {
            ApiError::Invalid(vec![Detail::new("carouselCounts", code, failure.message)])
        }
        // Of an outline, it is a page that is too full; what is read is cut where it is too long.
        Some(code @ "content_too_long") if !outline.is_empty() => {
            let page = outline::crowded(&failure.message, outline).unwrap_or_else(|| outline::FIELD.to_owned());
            ApiError::Invalid(vec![Detail::new(page, code, failure.message)])
        }
        Some(code) => ApiError::Invalid(vec![Detail::new(field, code, failure.message)]),
        None => {
            tracing::error!(code = failure.code, message = failure.message, "an estimate failed");
            ApiError::Internal
        }
    }
}

fn answer(creation: &Creation, estimate: planned::Estimate, available: u64) -> Estimate {
    let credits = creation.cost();
    let general = creation.warnings.iter().cloned().chain(estimate.warnings);
    let general = general.map(|warning| PlacedWarning { warning, format_id: None, slide_index: None });
    let of_pages = estimate.pages.iter().flat_map(|page| {
        page.warnings.iter().map(|warning| PlacedWarning {
            warning: warning.clone(),
            format_id: Some(page.format.clone()),
            slide_index: page.slide,
        })
    });
    let warnings = general.chain(of_pages).collect();
    let outline =
        FormatOutline::of(estimate.pages.iter().filter_map(|page| Some((page.format.clone(), page.outline.clone()?))));
    let mut pages = estimate.pages.into_iter().peekable();
    let outputs = creation.outputs.iter().map(|output| EstimatedOutput {
        format_id: output.format.clone(),
        slide_index: output.slide,
        width: output.width,
        height: output.height,
        credits: output.cost,
        page: pages.next_if(|page| page.format == output.format && page.slide == output.slide).map(said),
    });
    Estimate {
        credits,
        available,
        affordable: credits <= available,
        title: estimate.title,
        language: estimate.language,
        visual_style: estimate.style,
        outputs: outputs.collect(),
        outline,
        warnings,
    }
}

/// What a page would say.
fn said(page: planned::EstimatedPage) -> EstimatedPage {
    let texts = page.texts.into_iter().map(|(slot, text)| PageText { slot, text });
    EstimatedPage { archetype: page.archetype, texts: texts.collect(), alt_text: page.alt_text }
}
