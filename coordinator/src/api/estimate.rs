//! `POST /api/generations/estimate`: what a creation would cost and say. Nothing is charged, and nothing is kept.

use std::ops::ControlFlow;
use std::sync::Arc;
use std::time::Duration;

use axum::body::{Body, Bytes};
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode};
use axum::response::Response;
use fleet::estimate::{Estimate, EstimatedPage};
use fleet::protocol::{BlobId, Failure, InputKind, PlanJob};
use render_core::warning::Warning;
use serde_json::{Value, json};
use tokio::time::timeout;
use uuid::Uuid;

use super::caller::Authorised;
use super::creation::{self, Creation};
use super::error::{ApiError, Detail};
use super::input::Input;
use super::{App, branding, generations, idempotency, json, whole};
use crate::accounts::Scope;
use crate::clock::Millis;

const PATH: &str = "/api/generations/estimate";
/// Time that it may take.
const TIME: Duration = Duration::from_secs(30);
/// What can be wrong with an input beyond its form.
const FAULTS: [&str; 14] = [
    "content_too_long",
    "url_fetch_failed",
    "url_not_allowed",
    "url_too_large",
    "url_unsupported_type",
    "no_content",
    "pdf_invalid",
    "pdf_encrypted",
    "pdf_no_text",
    "pdf_too_large",
    "pdf_too_complex",
    "translation_unavailable",
    "render_failed",
    "timed_out",
];

/// Plans a creation without making it.
pub async fn create(
    State(app): State<Arc<App>>,
    caller: Authorised,
    headers: HeaderMap,
    body: Body,
) -> Result<Response, ApiError> {
    caller.need(Scope::GenerationsWrite)?;
    let body = json::read_body_with_file(&headers, body, "inputFile").await?;
    let begun = match idempotency::begin(&app, caller.account_id, &headers, PATH, &body).await? {
        ControlFlow::Continue(begun) => begun,
        ControlFlow::Break(answer) => return Ok(answer),
    };
    let mut creation = creation::read(&json::parse(&body)?, app.ceilings, &app.guard)?;
    whole::check(&creation).await?;
    generations::check_plan(&caller, &creation)?;
    let estimator = app.estimator.as_ref().ok_or(ApiError::NoWorkers)?;
    let (kind, input, seed) = content(&app, caller.account_id, &creation).await?;
    let mut brand = None;
    if let Some(id) = creation.brand {
        let worn = branding::worn(&app, caller.account_id, id).await?.ok_or(ApiError::BrandNotFound)?;
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
    };
    let field = field(&creation.input);
    let late =
        || Failure { code: "timed_out".into(), message: "The input takes too long to be read.".into(), retry: true };
    let estimate = timeout(TIME, estimator.estimate(job, input)).await.unwrap_or_else(|_| Err(late()));
    let estimate = estimate.map_err(|failure| fault(field, failure))?;
    let account = caller.account_id;
    let available = app.store.run(move |store| store.balance(account, Millis::now())).await?.available();
    let body = json!({ "estimate": answer(&creation, estimate, available) });
    begun.keep(idempotency::success(StatusCode::OK, None, &body)).await
}

/// What the input is, its bytes, and the seed.
async fn content(app: &App, account: Uuid, creation: &Creation) -> Result<(InputKind, Bytes, u64), ApiError> {
    let (kind, input) = match &creation.input {
        Input::Text(text) => (InputKind::Text, text.clone().into()),
        Input::Idea(text) => (InputKind::Idea, text.clone().into()),
        Input::Url(url) => (InputKind::Url, url.clone().into()),
        Input::PdfUrl(url) => (InputKind::PdfUrl, url.clone().into()),
        Input::Pdf(file) => (InputKind::Pdf, file.clone()),
        Input::Upload(id) => {
            let upload = generations::upload(app, account, *id).await?;
            let file = app.blobs.get_blob(&upload.usable()?.blob).await.map_err(|e| {
                tracing::error!(error = %e, "an upload can't be read");
                ApiError::StorageUnavailable
            })?;
            (InputKind::Pdf, file)
        }
    };
    let seed = creation.seed.unwrap_or_else(|| creation.input.seed(&BlobId::of(&input)));
    Ok((kind, input, seed))
}

/// The field that an input came in.
fn field(input: &Input) -> &'static str {
    match input {
        Input::Text(_) | Input::Idea(_) => "inputContent",
        Input::Url(_) => "inputUrl",
        Input::PdfUrl(_) => "inputFileUrl",
        Input::Pdf(_) => "inputFile",
        Input::Upload(_) => "fileId",
    }
}

fn fault(field: &'static str, failure: Failure) -> ApiError {
    match FAULTS.into_iter().find(|code| *code == failure.code) {
        Some(code) => ApiError::Invalid(vec![Detail::new(field, code, failure.message)]),
        None => {
            tracing::error!(code = failure.code, message = failure.message, "an estimate failed");
            ApiError::Internal
        }
    }
}

fn answer(creation: &Creation, estimate: Estimate, available: u64) -> Value {
    let credits = creation.cost();
    let warnings: Vec<&Warning> = creation.warnings.iter().chain(&estimate.warnings).collect();
    let outputs = creation.outputs.iter().zip(&estimate.pages).map(|(output, page)| {
        json!({
            "formatId": output.format,
            "slideIndex": output.slide,
            "width": output.width,
            "height": output.height,
            "credits": output.cost,
            "page": said(page),
        })
    });
    json!({
        "credits": credits,
        "available": available,
        "affordable": credits <= available,
        "title": estimate.title,
        "language": estimate.language,
        "visualStyle": estimate.style,
        "outputs": outputs.collect::<Vec<_>>(),
        "warnings": warnings,
    })
}

/// What a page would say.
fn said(page: &EstimatedPage) -> Value {
    json!({
        "archetype": page.archetype,
        "texts": page.texts.iter().map(|(slot, text)| json!({ "slot": slot, "text": text })).collect::<Vec<_>>(),
        "altText": page.alt_text,
    })
}
