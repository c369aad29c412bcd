//! `/api/generations/:id/cancel`, `/retry`, PATCH and DELETE: operations on an accepted generation.

use std::sync::Arc;
use std::time::Duration;

use axum::Json;
use axum::body::{Body, Bytes};
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode};
use axum::response::Response;
use render_core::warning::Warning;
use serde_json::{Map, Value};
use uuid::Uuid;

use super::spec::examples;
use super::spec::params::{GenerationId, IdempotencyKey};
use super::spec::requests::RenameRequest;
use super::view;
use super::view::GenerationAnswer;
use crate::access::{Authorised, Scoped, scope};
use crate::app::App;
use crate::clock::Millis;
use crate::http::error::{self, ApiError, Conflict, Missing};
use crate::http::form::{Form, workspace_fault};
use crate::http::idempotency::{self, Done, Idempotent, Payload};
use crate::http::json::{self, Fields};
use crate::http::path::{Id, kind};
use crate::http::query::NoParameters;
use crate::http::running::Running;
use crate::state::{Answer, Keyed, Once, Refusal, Snapshot, StateError, Status, Store};

/// The fields of a rename request.
pub(super) const RENAME_FIELDS: [&str; 1] = ["title"];
/// Maximum size in bytes of a body whose content is ignored.
const BODY_BYTES: usize = 16 << 10;
/// Time limit for receiving it.
const BODY_TIME: Duration = Duration::from_secs(10);

/// Stop a generation
///
/// Cancels the outputs that are not rendered yet and refunds their credits. Rendered outputs stay.
#[utoipa::path(
    post,
    path = "/api/generations/{id}/cancel",
    operation_id = "cancelGeneration",
    tag = "Generations",
    security(("apiKey" = ["generations:write"])),
    params(GenerationId, IdempotencyKey),
    responses((
        status = 200,
        description = "The generation was cancelled.",
        body = GenerationAnswer,
        example = json!(examples::cancelled()),
    )),
    extensions(("x-codes" = json!([
        "generation_not_found", "not_cancellable", "body_too_large", "busy", "request_timeout", "invalid_json",
    ]))),
)]
pub async fn cancel(
    State(app): State<Arc<App>>,
    caller: Scoped<scope::GenerationsWrite>,
    Id(id, ..): Id<kind::Generation>,
    sent: Idempotent<Nothing>,
) -> Result<Response, ApiError> {
    let account = caller.account_id;
    let change = move |store: &Store, keyed: Option<&Keyed<Snapshot>>, now| store.cancel(account, id, keyed, now);
    once(app, account, sent, Conflict::NotCancellable, change).await
}

/// Try a generation again
///
/// Renders the failed outputs of a generation again. Credits for them are held and charged again.
#[utoipa::path(
    post,
    path = "/api/generations/{id}/retry",
    operation_id = "retryGeneration",
    tag = "Generations",
    security(("apiKey" = ["generations:write"])),
    params(GenerationId, IdempotencyKey),
    responses((
        status = 200,
        description = "Accepted. The generation runs in the background.",
        body = GenerationAnswer,
        example = json!(examples::retried()),
    )),
    extensions(("x-codes" = json!([
        "generation_not_found", "not_retryable", "input_expired", "insufficient_credits", "storage_quota", "queue_full",
        "shutting_down", "body_too_large", "busy",
        "request_timeout", "invalid_json",
    ]))),
)]
pub async fn retry(
    State(app): State<Arc<App>>,
    // While the service stops, callers without the scope are told that too, so this is checked first.
    _: Authorised,
    _: Running,
    caller: Scoped<scope::GenerationsWrite>,
    Id(id, ..): Id<kind::Generation>,
    sent: Idempotent<Nothing>,
) -> Result<Response, ApiError> {
    let (account, room) = (caller.account_id, app.room());
    let change = move |store: &Store, keyed: Option<&Keyed<Snapshot>>, now| store.retry(account, id, room, keyed, now);
    once(app, account, sent, Conflict::NotRetryable, change).await
}

/// Rename a generation
///
/// Sets the title shown in lists, on the generation's page and in exported files. The images don't change. A `title` of
/// `null` restores the title found in the content.
#[utoipa::path(
    patch,
    path = "/api/generations/{id}",
    operation_id = "renameGeneration",
    tag = "Generations",
    security(("apiKey" = ["generations:write"])),
    params(GenerationId),
    request_body(content = RenameRequest, description = "What to call it."),
    responses((
        status = 200,
        description = "The generation as it is now.",
        body = GenerationAnswer,
        example = json!({"generation": examples::completed()}),
    )),
    extensions(("x-codes" = json!(["generation_not_found", "validation_failed"]))),
)]
pub async fn rename(
    State(app): State<Arc<App>>,
    caller: Scoped<scope::GenerationsWrite>,
    Id(id, ..): Id<kind::Generation>,
    NoParameters(of_query): NoParameters,
    Fields(fields): Fields,
) -> Result<Json<GenerationAnswer>, ApiError> {
    let (name, mut warnings) = read_name(&fields)?;
    warnings.extend(of_query);
    let (account, now) = (caller.account_id, Millis::now());
    let renamed = app.store.run(move |store| store.rename(account, id, name.as_deref(), now)).await?;
    let snapshot = renamed.ok_or(ApiError::Missing(Missing::Generation))?;
    let mut generation = view::generation(&snapshot, &app, now);
    generation.warnings.extend(warnings.into_iter().map(Into::into));
    Ok(Json(GenerationAnswer { generation }))
}

/// Reads the new title from a body. `None` stands for `null`.
fn read_name(body: &Map<String, Value>) -> Result<(Option<String>, Vec<Warning>), ApiError> {
    let mut form = Form::new(body);
    form.warn_of_unknown("", body, &RENAME_FIELDS);
    let name = if form.is_null("title") { None } else { form.wanted("title").and_then(|_| form.title()) };
    let (faults, warnings) = form.end();
    if faults.is_empty() { Ok((name, warnings)) } else { Err(ApiError::Invalid(faults)) }
}

/// Delete a generation
///
/// Deletes the generation and its images. Outputs that are not rendered yet are cancelled first.
#[utoipa::path(
    delete,
    path = "/api/generations/{id}",
    operation_id = "deleteGeneration",
    tag = "Generations",
    security(("apiKey" = ["generations:write"])),
    params(GenerationId),
    responses((status = 204, description = "The generation was deleted.")),
    extensions(("x-codes" = json!(["generation_not_found"]))),
)]
pub async fn delete(
    State(app): State<Arc<App>>,
    caller: Scoped<scope::GenerationsWrite>,
    Id(id, ..): Id<kind::Generation>,
) -> Result<Response, ApiError> {
    let account = caller.account_id;
    let there = app.store.run(move |store| store.delete_generation(account, id, Millis::now())).await?;
    if there { Ok(error::nothing_left()) } else { Err(ApiError::Missing(Missing::Generation)) }
}

/// Applies a change to a generation, at most once if the request has an idempotency key, and responds with the result.
/// `unfit` builds the error for a generation whose status does not allow the change.
async fn once(
    app: Arc<App>,
    account: Uuid,
    sent: Idempotent<Nothing>,
    unfit: impl Fn(Status) -> Conflict,
    change: impl FnOnce(&Store, Option<&Keyed<Snapshot>>, Millis) -> Result<Once<Snapshot, Refusal>, StateError>
    + Send
    + 'static,
) -> Result<Response, ApiError> {
    sent.answer(&app, account, async |_, key| {
        let now = Millis::now();
        let answer = shown(Arc::clone(&app), now);
        let keyed = key.keyed(answer.clone());
        let made = app.store.run(move |store| change(store, keyed.as_ref(), now)).await?;
        Done::of(made, answer, |refusal| refused(refusal, unfit))
    })
    .await
}

/// Maps the reason for a refusal to an API error. `unfit` builds the error for a generation whose status does not allow
/// the change.
pub(crate) fn refused(refusal: Refusal, unfit: impl Fn(Status) -> Conflict) -> ApiError {
    match refusal {
        Refusal::Absent => ApiError::Missing(Missing::Generation),
        Refusal::Stands(status) => ApiError::Conflict(unfit(status)),
        Refusal::Insufficient { required, available } => ApiError::InsufficientCredits { required, available },
        Refusal::Full => ApiError::QueueFull,
        Refusal::StorageFull(full) => full.into(),
        Refusal::InputGone => ApiError::InputExpired,
    }
}

/// Builds the response with the changed generation.
fn shown(app: Arc<App>, now: Millis) -> impl Fn(&Snapshot) -> Answer + Clone + Send + Sync + 'static {
    move |snapshot| {
        let body = GenerationAnswer { generation: view::generation(snapshot, &app, now) };
        idempotency::success(StatusCode::OK, None, &body)
    }
}

/// A body without content: it may be empty, or an object that names no workspace.
#[derive(Debug)]
pub struct Nothing(Bytes);

impl Payload for Nothing {
    async fn receive(_: &App, _: &str, _: &HeaderMap, body: Body) -> Result<Self, ApiError> {
        let body = json::read_bytes(body, BODY_BYTES, BODY_TIME).await?;
        if !body.is_empty()
            && let Some(fault) = workspace_fault(&json::parse(&body)?)
        {
            return Err(ApiError::Invalid(vec![fault]));
        }
        Ok(Self(body))
    }

    fn fingerprint(&self, path: &str) -> [u8; 32] {
        idempotency::fingerprint(path, &self.0)
    }
}
