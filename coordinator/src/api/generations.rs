//! `/api/generations`: creates, lists and reads generations.

use std::sync::Arc;

use axum::Json;
use axum::body::Bytes;
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::Response;
use uuid::Uuid;

use super::creation::Creation;
use super::input::Input;
use super::received::Sent;
use super::spec::examples;
use super::spec::params::{GenerationId, IdempotencyKey, ListQuery};
use super::spec::requests::CreationRequest;
use super::view::{GenerationAnswer, GenerationsAnswer};
use super::{branding, earlier_edits, illustration, slides, storage, view};
use crate::access::{Authorised, Scoped, scope};
use crate::app::App;
use crate::bodies::Working;
use crate::clock::Millis;
use crate::http::error::{ApiError, Conflict, Detail, Missing};
use crate::http::idempotency::{self, Done, Idempotent};
use crate::http::listing;
use crate::http::path::{Id, kind};
use crate::http::query::NoParameters;
use crate::metrics;
use crate::state::{
    Accepted, Answer, Generation, Given, Growth, Keyed, Order, OrderSizes, PlannedOutput, Request, Snapshot, Upload,
    UploadKind,
};
use fleet::files::FileKind;
use fleet::protocol::BlobId;
use render_core::format::Resolution;

/// The path of generations.
pub(crate) const PATH: &str = "/api/generations";

/// Create a generation
///
/// Turns content into images. The response follows once the order is stored durably and its credits are held. Poll the
/// generation until its `status` is final, then find the images in its `outputs`.
///
/// An error response lists all faults of the body. An unknown field is no fault: a warning names the nearest known
/// field.
#[utoipa::path(
    post,
    path = "/api/generations",
    operation_id = "createGeneration",
    tag = "Generations",
    security(("apiKey" = ["generations:write"])),
    params(IdempotencyKey),
    request_body(content = CreationRequest, description = "What to make, in at most 1 MB, where escapes such as `\\u00e9` don't count; 36 MB with `inputFile`."),
    responses((
        status = 202,
        description = "Accepted: it will be made.",
        body = GenerationAnswer,
        headers(("Location" = String, description = "The path of the generation.")),
        example = json!(examples::accepted()),
    )),
    extensions(("x-codes" = json!([
        "insufficient_credits", "max_credits_exceeded", "plan_required", "brand_not_found", "generation_not_found",
        "upload_not_found", "upload_expired", "storage_quota", "queue_full", "busy", "shutting_down",
    ]))),
)]
pub async fn create(
    State(app): State<Arc<App>>,
    caller: Scoped<scope::GenerationsWrite>,
    NoParameters(warnings): NoParameters,
    sent: Idempotent<Sent>,
) -> Result<Response, ApiError> {
    sent.answer(&app, caller.account_id, async |sent, key| {
        let (mut creation, working) = sent.creation(&app, caller.account_id).await?;
        creation.warnings.extend(warnings);
        slides::settle(caller.account_id, &mut creation, app.ceilings.translates).await?;
        check(&app, &caller, &creation).await?;
        let answer = accepted(Arc::clone(&app));
        let order = order(&app, &caller, creation, working, key.keyed(answer.clone())).await?;
        accept(&app, order, answer).await
    })
    .await
}

/// Accepts an order. The answer is what `answer` makes of the new generation.
pub(super) async fn accept(app: &App, order: Order, answer: impl Fn(&Snapshot) -> Answer) -> Result<Done, ApiError> {
    match app.store.run(move |store| store.accept(&order)).await? {
        Accepted::Created(snapshot) => {
            let Generation { id, account, total, .. } = &snapshot.generation;
            tracing::Span::current().record("generation", tracing::field::display(id));
            tracing::info!(%account, outputs = total, "generation accepted");
            metrics::generation_accepted(*total);
            Ok(Done::Changed(answer(&snapshot)))
        }
        Accepted::Replayed(answer) => Ok(Done::Answered(answer)),
        Accepted::Conflict => Err(ApiError::Conflict(Conflict::IdempotencyConflict)),
        Accepted::Insufficient { required, available } => Err(ApiError::InsufficientCredits { required, available }),
        Accepted::StorageFull(full) => Err(full.into()),
    }
}

/// Read a generation
///
/// Returns its progress and, once it has ended, its images.
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
    caller: Scoped<scope::GenerationsRead>,
    Id(id, ..): Id<kind::Generation>,
    NoParameters(warnings): NoParameters,
) -> Result<Json<GenerationAnswer>, ApiError> {
    let account = caller.account_id;
    let found = app.store.run(move |store| store.generation(account, id)).await?;
    let snapshot = found.ok_or(ApiError::Missing(Missing::Generation))?;
    let mut generation = view::generation(&snapshot, &app, Millis::now());
    generation.warnings.extend(warnings.into_iter().map(Into::into));
    Ok(Json(GenerationAnswer { generation }))
}

/// List generations
///
/// Returns the account's generations, newest first, in pages. Each entry has the progress and a small version of the
/// first image. Use `expand` for all images, or read a single generation.
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
    caller: Scoped<scope::GenerationsRead>,
    listing::Listing { filter, after, limit, expand, warnings }: listing::Listing,
) -> Result<Json<GenerationsAnswer>, ApiError> {
    let (account, wanted) = (caller.account_id, filter.clone());
    let (page, more) = app.store.run(move |store| store.generations(account, &wanted, after, limit)).await?;
    let pagination = listing::Pagination::filtered(limit, more, page.last().map(|s| s.generation.id), &filter);
    let now = Millis::now();
    Ok(Json(GenerationsAnswer {
        generations: page.iter().map(|s| view::listed(s, &app, now, expand)).collect(),
        pagination,
        warnings,
    }))
}

/// Checks that the account's plan includes the resolution.
pub(super) fn check_plan(caller: &Authorised, resolution: Resolution) -> Result<(), ApiError> {
    if resolution == Resolution::FourK && !caller.account.plan.is_paid() {
        return Err(ApiError::PlanRequired("4K is for paid plans. Ask for 2K, or change the plan.".into()));
    }
    Ok(())
}

/// Returns an upload of the account that a generation can be made of, expired or not, and its file kind.
pub(super) async fn upload(app: &App, account: Uuid, id: Uuid) -> Result<(Upload, FileKind), ApiError> {
    let upload =
        app.store.run(move |store| store.upload(account, id)).await?.ok_or(ApiError::Missing(Missing::Upload))?;
    match upload.kind {
        UploadKind::Pdf => Ok((upload, FileKind::Pdf)),
        UploadKind::File(kind) => Ok((upload, kind)),
        UploadKind::Font { .. } => {
            let message = "This upload is a font, for brand kits; upload a document to make images of it.";
            Err(ApiError::Invalid(vec![Detail::new("fileId", "invalid_value", message)]))
        }
        UploadKind::Picture(_) => {
            let message = "This upload is a picture: name it in images, and send content to make pages of.";
            Err(ApiError::Invalid(vec![Detail::new("fileId", "invalid_value", message)]))
        }
    }
}

/// Makes the checks that come before anything is stored.
async fn check(app: &App, caller: &Authorised, creation: &Creation) -> Result<(), ApiError> {
    check_plan(caller, creation.resolution)?;
    let account = caller.account_id;
    if let Input::Upload(id) = creation.input {
        upload(app, account, id).await?.0.usable()?;
    }
    illustration::uploads(app, account, &creation.images).await?;
    if let Some(id) = creation.brand {
        app.store.run(move |store| store.kit(account, id)).await?.ok_or(ApiError::Missing(Missing::Brand))?;
    }
    check_capacity(app, account, &creation.outputs, creation.max_credits).await
}

/// Refuses outputs that cost more than the request allows or the account has, or that the queue has no room for.
pub(super) async fn check_capacity(
    app: &App,
    account: Uuid,
    outputs: &[PlannedOutput],
    max_credits: Option<u64>,
) -> Result<(), ApiError> {
    let required = outputs.iter().map(|output| output.cost).sum();
    if let Some(max_credits) = max_credits.filter(|max| required > *max) {
        return Err(ApiError::MaxCreditsExceeded { required, max_credits });
    }
    if app.stopping.is_cancelled() {
        return Err(ApiError::ShuttingDown);
    }
    if outputs.len() as u64 > app.room() {
        return Err(ApiError::QueueFull);
    }
    // The transaction checks the balance again. Checking here avoids storing inputs of accounts that can't pay.
    let available = app.store.run(move |store| store.balance(account, Millis::now())).await?.available();
    if available < required {
        return Err(ApiError::InsufficientCredits { required, available });
    }
    Ok(())
}

/// Returns what the input is, its hash, its size in bytes, and its bytes unless they are stored already.
async fn content(app: &App, account: Uuid, input: &Input) -> Result<(Given, BlobId, u64, Option<Bytes>), ApiError> {
    let in_body = |given: Given, bytes: Bytes| (given, BlobId::of(&bytes), bytes.len() as u64, Some(bytes));
    Ok(match input {
        Input::Text(text) => in_body(Given::Text, text.clone().into()),
        Input::Idea(text) => in_body(Given::Idea, text.clone().into()),
        Input::Url(url) => in_body(Given::Url(url.clone()), url.clone().into()),
        Input::FileUrl(url, _) => in_body(Given::PdfUrl(url.clone()), url.clone().into()),
        Input::File(file, kind) => in_body(Given::of_file(*kind), file.clone()),
        Input::Upload(id) => {
            let (upload, kind) = upload(app, account, *id).await?;
            (Given::of_file(kind), upload.blob, upload.bytes, None)
        }
    })
}

/// Stores the input and builds the order, if the account has storage for the input and the images.
async fn order(
    app: &App,
    caller: &Authorised,
    creation: Creation,
    mut working: Option<Working>,
    idempotency: Option<Keyed<Snapshot>>,
) -> Result<Order, ApiError> {
    let (account, created) = (caller.account_id, Millis::now());
    let excerpt = creation.input.as_str().chars().take(400).collect();
    let (mut given, mut input, mut size, mut bytes) = content(app, account, &creation.input).await?;
    let seed = creation.seed.unwrap_or_else(|| creation.input.seed(&input));
    let edits = earlier_edits::collect(app, account, &creation, seed).await?;
    if creation.is_packed() || edits.is_some() {
        let remade = edits.is_some();
        let content = match bytes.take() {
            Some(bytes) => (given.kind(), bytes),
            None => (given.kind(), app.blobs.get_blob(&input).await?),
        };
        let (packed, place) = illustration::packed(app, account, content, (&creation, edits), working.take()).await?;
        (input, size, working) = (BlobId::of(&packed), packed.len() as u64, Some(place));
        (given, bytes) = (given.packed(!creation.outline.is_empty(), remade), Some(packed));
    }
    let pixels = creation.outputs.iter().map(|o| u64::from(o.width) * u64::from(o.height)).sum();
    storage::reserve(app, account, Growth { blobs: vec![(input, size)], pixels }).await?;
    let (mut warnings, mut style, mut brand) = (creation.warnings, creation.style, None);
    let mut sizes = OrderSizes { input: size, ..OrderSizes::default() };
    if let Some(id) = creation.brand {
        let worn = branding::worn(app, account, id).await?.ok_or(ApiError::Missing(Missing::Brand))?;
        warnings.extend(worn.warnings);
        style = style.or(worn.style);
        brand = Some(worn.brand);
        (sizes.brand, sizes.brand_parts) = (worn.bytes, worn.parts);
    }
    // Store the input last, so that a refused request leaves nothing behind.
    if let Some(bytes) = bytes {
        app.blobs.put_blob(bytes).await.map_err(|e| {
            tracing::error!(error = %e, "storing an input failed");
            ApiError::StorageUnavailable
        })?;
    }
    drop(working);
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
        key: caller.key_id(),
        created,
        request,
        exact: creation.exact,
        brand,
        sizes,
        outputs: creation.outputs,
        photos: Vec::new(),
        parent: None,
        wishes: creation.wishes,
        webhook: creation.webhook,
        warnings,
        idempotency,
    })
}

/// Returns the function that builds the response to an accepted order.
pub(super) fn accepted(app: Arc<App>) -> impl Fn(&Snapshot) -> Answer + Clone + Send + Sync + 'static {
    let now = Millis::now();
    move |snapshot| {
        let location = format!("{PATH}/{}", snapshot.generation.id);
        let body = GenerationAnswer { generation: view::generation(snapshot, &app, now) };
        idempotency::success(StatusCode::ACCEPTED, Some(location), &body)
    }
}
