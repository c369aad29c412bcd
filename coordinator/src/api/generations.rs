//! `/api/generations`: create, list, read.

use std::sync::Arc;

use axum::Json;
use axum::body::{Body, Bytes};
use axum::extract::{Path, State};
use axum::http::{HeaderMap, Uri};
use axum::response::Response;
use uuid::Uuid;

use super::caller::Authorised;
use super::creation::{self, Creation};
use super::error::{self, ApiError, Detail};
use super::input::Input;
use super::spec::examples;
use super::spec::params::{GenerationId, Idempotent, ListQuery};
use super::spec::requests::CreationRequest;
use super::view::{GenerationAnswer, GenerationsAnswer, Pagination};
use super::{App, branding, idempotency, json, listing, view, whole};
use crate::accounts::Scope;
use crate::clock::Millis;
use crate::meters;
use crate::state::{Accepted, Given, Order, Request, Snapshot, Upload, UploadKind};
use render_core::format::Resolution;

const PATH: &str = "/api/generations";

/// Create a generation
///
/// Turns content into images. The answer comes once the order can't be lost any more; its credits are held from then on.
/// Read the generation until its `status` has ended, and find the images in its `outputs`.
///
/// Every fault of the body is told at once. A field that the API doesn't know is no fault: a warning names the nearest one
/// that it knows.
#[utoipa::path(
    post,
    path = "/api/generations",
    operation_id = "createGeneration",
    tag = "Generations",
    security(("apiKey" = ["generations:write"])),
    params(Idempotent),
    request_body(content = CreationRequest, description = "What to make, in at most 1 MB; 36 MB with `inputFile`."),
    responses((
        status = 202,
        description = "Accepted: it will be made.",
        body = GenerationAnswer,
        example = json!(examples::accepted()),
        headers(("Location" = String, description = "The path of the generation.")),
    )),
    extensions(("x-codes" = json!([
        "not_available", "insufficient_credits", "max_credits_exceeded", "plan_required", "brand_not_found",
        "upload_not_found", "upload_expired", "queue_full", "shutting_down",
    ]))),
)]
pub async fn create(
    State(app): State<Arc<App>>,
    caller: Authorised,
    headers: HeaderMap,
    body: Body,
) -> Result<Response, ApiError> {
    caller.need(Scope::GenerationsWrite)?;
    let body = json::read_body_with_file(&headers, body, "inputFile").await?;
    let key = idempotency::key(&headers)?;
    let _alone = key.as_deref().map(|k| app.in_flight.take(caller.account_id, k)).transpose()?;
    let creation = creation::read(&json::parse(&body)?, app.ceilings, &app.guard)?;
    whole::check(&creation).await?;
    check(&app, &caller, &creation, key.as_deref()).await?;
    let idempotency = key.map(|key| (key, idempotency::fingerprint(PATH, &body)));
    let order = order(&app, caller.account_id, creation, idempotency).await?;
    match app.store.run(move |store| store.accept(&order)).await? {
        Accepted::Created(snapshot) => {
            meters::generation_accepted(snapshot.generation.total);
            Ok(accepted(&app, &snapshot, false))
        }
        Accepted::Replayed(snapshot) => Ok(accepted(&app, &snapshot, true)),
        Accepted::Conflict => Err(ApiError::IdempotencyConflict),
        Accepted::Insufficient { required, available } => Err(ApiError::InsufficientCredits { required, available }),
    }
}

/// Read a generation
///
/// How far it is and, once it has ended, its images.
#[utoipa::path(
    get,
    path = "/api/generations/{id}",
    operation_id = "readGeneration",
    tag = "Generations",
    security(("apiKey" = ["generations:read"])),
    params(GenerationId),
    responses((status = 200, description = "The generation.", body = GenerationAnswer)),
    extensions(("x-codes" = json!(["generation_not_found"]))),
)]
pub async fn read(
    State(app): State<Arc<App>>,
    caller: Authorised,
    id: Result<Path<String>, axum::extract::rejection::PathRejection>,
) -> Result<Json<GenerationAnswer>, ApiError> {
    caller.need(Scope::GenerationsRead)?;
    let id = id.ok().and_then(|Path(id)| id.parse::<Uuid>().ok()).ok_or(ApiError::GenerationNotFound)?;
    let account = caller.account_id;
    let found = app.store.run(move |store| store.generation(account, id)).await?;
    let snapshot = found.ok_or(ApiError::GenerationNotFound)?;
    Ok(Json(GenerationAnswer { generation: view::generation(&snapshot, &app, Millis::now()) }))
}

/// List generations
///
/// The account's generations, newest first, a page at a time.
#[utoipa::path(
    get,
    path = "/api/generations",
    operation_id = "listGenerations",
    tag = "Generations",
    security(("apiKey" = ["generations:read"])),
    params(ListQuery),
    responses((status = 200, description = "A page of generations.", body = GenerationsAnswer)),
    extensions(("x-codes" = json!(["validation_failed", "invalid_cursor"]))),
)]
pub async fn list(
    State(app): State<Arc<App>>,
    caller: Authorised,
    uri: Uri,
) -> Result<Json<GenerationsAnswer>, ApiError> {
    caller.need(Scope::GenerationsRead)?;
    let listing::Listing { filter, after, limit } = listing::read(&uri)?;
    let account = caller.account_id;
    let (page, more) = app.store.run(move |store| store.generations(account, &filter, after, limit)).await?;
    let next = page.last().filter(|_| more).map(|s| listing::cursor(s.generation.id));
    let now = Millis::now();
    Ok(Json(GenerationsAnswer {
        generations: page.iter().map(|s| view::generation(s, &app, now)).collect(),
        pagination: Pagination { limit, has_more: more, next_cursor: next },
    }))
}

/// Whether the account's plan includes what is asked for.
pub(super) fn check_plan(caller: &Authorised, creation: &Creation) -> Result<(), ApiError> {
    if creation.resolution == Resolution::FourK && !caller.account.plan.is_paid() {
        return Err(ApiError::PlanRequired("4K is for paid plans. Ask for 2K, or change the plan.".into()));
    }
    Ok(())
}

/// One of the account's uploads that generations are made of, expired or not.
pub(super) async fn upload(app: &App, account: Uuid, id: Uuid) -> Result<Upload, ApiError> {
    let upload = app.store.run(move |store| store.upload(account, id)).await?.ok_or(ApiError::UploadNotFound)?;
    match upload.kind {
        UploadKind::Pdf => Ok(upload),
        UploadKind::Font { .. } => {
            let message = "This upload is a font, for brand kits; upload a PDF to make images of it.";
            Err(ApiError::Invalid(vec![Detail::new("fileId", "invalid_value", message)]))
        }
    }
}

/// What can be refused before anything is stored. A repetition of something accepted is not refused for what may have
/// changed since.
async fn check(app: &App, caller: &Authorised, creation: &Creation, key: Option<&str>) -> Result<(), ApiError> {
    check_plan(caller, creation)?;
    let required = creation.cost();
    if let Some(available) = creation.max_credits.filter(|max| required > *max) {
        return Err(ApiError::MaxCreditsExceeded { required, available });
    }
    if app.stopping.is_cancelled() {
        return Err(ApiError::ShuttingDown);
    }
    let account = caller.account_id;
    if let Some(key) = key.map(str::to_owned)
        && app.store.run(move |store| store.remembers(account, &key, Millis::now())).await?
    {
        return Ok(());
    }
    if let Input::Upload(id) = creation.input {
        upload(app, account, id).await?.usable()?;
    }
    if let Some(id) = creation.brand {
        app.store.run(move |store| store.kit(account, id)).await?.ok_or(ApiError::BrandNotFound)?;
    }
    if app.store.backlog() + creation.outputs.len() as u64 > app.max_backlog {
        return Err(ApiError::QueueFull);
    }
    // Looked at again when it counts; this spares the store the texts of those who can't pay.
    let available = app.store.run(move |store| store.balance(account)).await?.available;
    if available < required {
        return Err(ApiError::InsufficientCredits { required, available });
    }
    Ok(())
}

/// Stores the input and makes an order of it.
async fn order(
    app: &App,
    account: Uuid,
    creation: Creation,
    idempotency: Option<(String, [u8; 32])>,
) -> Result<Order, ApiError> {
    let created = Millis::now();
    let excerpt = creation.input.as_str().chars().take(400).collect();
    let put = async |bytes: Bytes| {
        app.blobs.put_blob(bytes).await.map_err(|e| {
            tracing::error!(error = %e, "an input can't be stored");
            ApiError::StorageUnavailable
        })
    };
    let (given, input) = match &creation.input {
        Input::Text(text) => (Given::Text, put(text.clone().into()).await?),
        Input::Idea(text) => (Given::Idea, put(text.clone().into()).await?),
        Input::Url(url) => (Given::Url(url.clone()), put(url.clone().into()).await?),
        Input::PdfUrl(url) => (Given::PdfUrl(url.clone()), put(url.clone().into()).await?),
        Input::Pdf(file) => (Given::Pdf, put(file.clone()).await?),
        // Where it has expired, this repeats what was accepted before.
        Input::Upload(id) => (Given::Pdf, upload(app, account, *id).await?.blob),
    };
    let seed = creation.seed.unwrap_or_else(|| creation.input.seed(&input));
    let worn = match creation.brand {
        // Where it is gone, this repeats what was accepted before.
        Some(id) => branding::worn(app, account, id).await?,
        None => None,
    };
    let (mut warnings, mut style, mut brand) = (creation.warnings, creation.style, None);
    if let Some(worn) = worn {
        warnings.extend(worn.warnings);
        style = style.or(worn.style);
        brand = Some(worn.brand);
    }
    let request = Request {
        given,
        input,
        excerpt,
        formats: creation.formats,
        title: creation.title,
        brand: creation.brand,
        style,
        language: creation.language,
        resolution: creation.resolution,
        image_format: creation.image_format,
        seed,
    };
    Ok(Order {
        account,
        created,
        request,
        exact: creation.exact,
        brand,
        outputs: creation.outputs,
        warnings,
        idempotency,
    })
}

fn accepted(app: &App, snapshot: &Snapshot, replayed: bool) -> Response {
    let location = format!("{PATH}/{}", snapshot.generation.id);
    let body = GenerationAnswer { generation: view::generation(snapshot, app, Millis::now()) };
    error::accepted(&location, &body, replayed)
}
