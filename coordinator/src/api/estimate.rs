//! `POST /api/generations/estimate`: returns what a creation would cost and say. Charges nothing and stores nothing.

use std::sync::Arc;
use std::time::Duration;

use axum::body::Bytes;
use axum::extract::State;
use axum::response::Response;
use fleet::estimate as planned;
use fleet::protocol::{BlobId, Failure, FailureCode, InputKind, PlanJob};
use render_core::outline::RevisedPage;
use render_core::warning::Warning;
use serde::Serialize;
use tokio::time::timeout;
use utoipa::ToSchema;
use uuid::Uuid;

use super::creation::Creation;
use super::input::Input;
use super::outline::{self, FormatOutline};
use super::received::{self, Sent};
use super::spec::examples;
use super::spec::params::IdempotencyKey;
use super::spec::requests::CreationRequest;
use super::view::PlacedWarning;
use super::{branding, earlier_edits, generations, illustration, slides};
use crate::access::{Authorised, Scoped, scope};
use crate::app::App;
use crate::bodies::Working;
use crate::clock::Millis;
use crate::http::error::{ApiError, Detail, Missing};
use crate::http::idempotency::{Done, Idempotent};
use crate::http::names;
use crate::http::query::NoParameters;

/// The time limit of an estimate.
const TIME: Duration = Duration::from_secs(30);

/// The response to an estimate request.
#[derive(Debug, Serialize, ToSchema)]
pub struct EstimateAnswer {
    /// The estimate.
    estimate: Estimate,
}

/// The cost and content that a generation would have.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct Estimate {
    /// The cost in credits.
    #[schema(examples(10))]
    credits: u64,
    /// The credits that the account can spend.
    #[schema(examples(9915))]
    available: u64,
    /// Whether the available credits are enough.
    #[schema(examples(true))]
    affordable: bool,
    /// The title.
    #[schema(examples("Sleep better"))]
    title: String,
    /// BCP 47 tag of the pages' language.
    #[schema(examples("en"))]
    language: String,
    /// The style.
    #[schema(value_type = names::VisualStyle)]
    visual_style: String,
    /// The images, in the order of the requested formats, slides in order.
    outputs: Vec<EstimatedOutput>,
    /// The page content by format. You can change it and send it as the `outline` of the creation.
    outline: Vec<FormatOutline>,
    /// Warnings about the request.
    #[schema(value_type = Vec<names::Warning>)]
    warnings: Vec<PlacedWarning>,
}

/// An image that would be made.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct EstimatedOutput {
    /// Its format.
    #[schema(value_type = names::FormatId)]
    format_id: String,
    /// Its slide in the carousel, from 0; `null` for a visual.
    #[schema(required)]
    slide_index: Option<u32>,
    /// Its width in pixels.
    #[schema(examples(1638))]
    width: u32,
    /// Its height in pixels.
    #[schema(examples(2048))]
    height: u32,
    /// Its cost in credits.
    #[schema(examples(10))]
    credits: u64,
    /// Its content; `null` for a slide that the input's words don't fill and that a language model would write.
    #[schema(required)]
    page: Option<EstimatedPage>,
}

/// The content of a page.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct EstimatedPage {
    /// Its layout.
    #[schema(examples("cover-type"))]
    archetype: String,
    /// Its texts, in reading order.
    texts: Vec<PageText>,
    /// Its alternative text for screen readers.
    alt_text: String,
}

/// One text of a page.
#[derive(Debug, Serialize, ToSchema)]
struct PageText {
    /// Its role on the page.
    #[schema(examples("title"))]
    slot: String,
    /// Its words.
    #[schema(examples("Sleep better"))]
    text: String,
}

/// Estimate a generation
///
/// Takes the body of a creation and returns what it would cost and what each page would say. It charges nothing and
/// stores nothing. Fetching and reading the input takes 30 seconds at most. A creation with the same body and seed
/// makes the estimated pages.
#[utoipa::path(
    post,
    path = "/api/generations/estimate",
    operation_id = "estimateGeneration",
    tag = "Generations",
    security(("apiKey" = ["generations:write"])),
    params(IdempotencyKey),
    request_body(content = CreationRequest, description = "What would be made, in at most 1 MB, where escapes such as `\\u00e9` don't count; 36 MB with `inputFile`."),
    responses((
        status = 200,
        description = "The estimate.",
        body = EstimateAnswer,
        example = json!(examples::estimate()),
    )),
    extensions(("x-codes" = json!(["plan_required", "brand_not_found", "generation_not_found", "upload_not_found", "upload_expired", "no_workers", "busy"]))),
)]
pub async fn create(
    State(app): State<Arc<App>>,
    caller: Scoped<scope::GenerationsWrite>,
    NoParameters(warnings): NoParameters,
    sent: Idempotent<Sent>,
) -> Result<Response, ApiError> {
    sent.answer(&app, caller.account_id, async |sent, _| {
        let estimate = estimate(&app, &caller, sent, warnings).await?;
        Ok(Done::unchanged(&EstimateAnswer { estimate }))
    })
    .await
}

/// Estimates the creation in a body. `warnings` are about the query.
async fn estimate(app: &App, caller: &Authorised, sent: Sent, warnings: Vec<Warning>) -> Result<Estimate, ApiError> {
    let (mut creation, mut working) = sent.creation(app, caller.account_id).await?;
    creation.warnings.extend(warnings);
    slides::settle(caller.account_id, &mut creation, app.ceilings.translates).await?;
    generations::check_plan(caller, creation.resolution)?;
    let estimator = app.estimator.as_ref().ok_or(ApiError::NoWorkers)?;
    let (kind, input, seed) = content(app, caller.account_id, &creation, &mut working).await?;
    let mut brand = None;
    if let Some(id) = creation.brand {
        let worn = branding::worn(app, caller.account_id, id).await?.ok_or(ApiError::Missing(Missing::Brand))?;
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
        code: FailureCode::TimedOut.into(),
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
    Ok(answer(&creation, estimate, available))
}

/// Returns the input's kind, its bytes and the seed. Reserves working memory for an upload.
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
    let edits = earlier_edits::collect(app, account, creation, seed).await?;
    if !creation.is_packed() && edits.is_none() {
        return Ok((kind, input, seed));
    }
    let (packed, place) = illustration::packed(app, account, (kind, input), (creation, edits), working.take()).await?;
    *working = Some(place);
    Ok((InputKind::Illustrated, packed, seed))
}

fn fault(field: &'static str, outline: &[(String, Vec<RevisedPage>)], failure: Failure) -> ApiError {
    if failure.is(FailureCode::Busy) {
        return ApiError::Busy;
    }
    match failure.of_input() {
        Some(code @ FailureCode::TooLittleContent) => {
            ApiError::Invalid(vec![Detail::new("carouselCounts", code.name(), failure.message)])
        }
        // With an outline, a page has too much text for any layout. Text read from an input is truncated instead.
        Some(code @ FailureCode::ContentTooLong) if !outline.is_empty() => {
            let page = outline::crowded(&failure.message, outline).unwrap_or_else(|| outline::FIELD.to_owned());
            ApiError::Invalid(vec![Detail::new(page, code.name(), failure.message)])
        }
        Some(code) => ApiError::Invalid(vec![Detail::new(field, code.name(), failure.message)]),
        None => {
            tracing::error!(code = failure.code, why = failure.message, "estimate failed");
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

/// Converts a planned page.
fn said(page: planned::EstimatedPage) -> EstimatedPage {
    let texts = page.texts.into_iter().map(|(slot, text)| PageText { slot, text });
    EstimatedPage { archetype: page.archetype, texts: texts.collect(), alt_text: page.alt_text }
}
