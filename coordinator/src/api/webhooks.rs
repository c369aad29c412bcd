//! `/api/webhooks`: who is told how the account's generations end, and what was sent to them.

use std::ops::ControlFlow;
use std::sync::Arc;

use axum::Json;
use axum::body::Body;
use axum::extract::rejection::PathRejection;
use axum::extract::{Path, State};
use axum::http::{HeaderMap, StatusCode, Uri};
use axum::response::Response;
use fleet::net::Guard;
use render_core::warning::Warning;
use serde::Serialize;
use serde_json::{Map, Value};
use utoipa::ToSchema;
use uuid::Uuid;

use super::caller::Authorised;
use super::error::{self, ApiError, Detail, Missing};
use super::form::{Form, nearest};
use super::spec::params::{GenerationId, Idempotent, PageQuery, WebhookId};
use super::spec::requests::WebhookRequest;
use super::spec::{examples, names};
use super::{App, generations, idempotency, json, listing, query, view};
use crate::accounts::Scope;
use crate::clock::Millis;
use crate::keys::WebhookSecret;
use crate::state::{
    AccountSecret, Address, Attempt, Delivery, Event, Events, Full, Progress, Snapshot, WEBHOOKS_MAX, Webhook,
};

const PATH: &str = "/api/webhooks";
/// Every field that a subscription may have.
pub(super) const FIELDS: [&str; 2] = ["url", "events"];
/// Events that a request may list: more than there are.
const EVENTS_MAX: usize = 20;

/// A subscription, as it is shown.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = Webhook, examples(json!(examples::webhook())))]
pub(super) struct WebhookView {
    /// Its id.
    id: Uuid,
    /// Where its deliveries go, as it was sent.
    url: String,
    /// The events that it hears of.
    events: Vec<&'static str>,
    /// Whether deliveries are made: until the receiver answers 410.
    active: bool,
    /// What its deliveries are signed with; in the answer to its creation only.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    secret: Option<String>,
    /// When it was made (RFC 3339).
    created_at: String,
    /// When its receiver answered 410 (RFC 3339).
    #[schema(required)]
    disabled_at: Option<String>,
}

/// The answer that shows one subscription.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct WebhookAnswer {
    /// The subscription.
    webhook: WebhookView,
}

/// The answer to the creation of a subscription.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct WebhookCreated {
    /// The subscription, with its secret.
    webhook: WebhookView,
    /// What the client should know about the request.
    #[schema(value_type = Vec<names::Warning>)]
    warnings: Vec<Warning>,
}

/// The answer that lists subscriptions.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct WebhooksAnswer {
    /// The subscriptions, in the order in which they were made.
    webhooks: Vec<WebhookView>,
    /// How many they are.
    #[schema(examples(1))]
    count: usize,
    /// What the client should know of the query.
    #[schema(value_type = Vec<names::Warning>)]
    warnings: Vec<Warning>,
}

/// What deliveries to the `webhookUrl` of creations are signed with.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = WebhookSecret)]
pub(super) struct SecretAnswer {
    /// The secret.
    #[schema(examples("whsec_6l0FZ0Wf3mYt2m9b1q8Jx4c7v5N3kQhRzXyTgUsPdEa"))]
    secret: String,
    /// When it was made (RFC 3339).
    #[schema(examples("2026-01-31T12:00:00.000Z"))]
    created_at: String,
}

/// A delivery, as it is shown.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = Delivery, examples(json!(examples::delivery())))]
pub(super) struct DeliveryView {
    /// Its id, which `X-Vivid-Delivery` says.
    id: Uuid,
    /// The event.
    #[serde(rename = "type")]
    event: &'static str,
    /// The generation that it tells of.
    generation_id: Uuid,
    /// `pending`, `delivered` or `failed`.
    status: &'static str,
    /// When the generation ended (RFC 3339).
    created_at: String,
    /// When it is tried again (RFC 3339).
    #[schema(required)]
    next_attempt_at: Option<String>,
    /// What was tried, the oldest first.
    attempts: Vec<AttemptView>,
}

/// One time that a delivery was tried.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = DeliveryAttempt)]
pub(super) struct AttemptView {
    /// When (RFC 3339).
    at: String,
    /// The status of the answer.
    #[schema(required)]
    status: Option<u16>,
    /// Why there was none.
    #[schema(required)]
    error: Option<String>,
    /// Milliseconds that it took.
    duration_ms: u32,
}

/// The answer that lists deliveries.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct DeliveriesAnswer {
    /// The deliveries, the newest first.
    deliveries: Vec<DeliveryView>,
    /// Which page of them this is.
    pagination: listing::Pagination,
    /// What the client should know of the query.
    #[schema(value_type = Vec<names::Warning>)]
    warnings: Vec<Warning>,
}

/// What a delivery tells a receiver.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = WebhookPayload, examples(json!(examples::payload())))]
pub(super) struct Told {
    /// The delivery's id, the same in every attempt.
    id: Uuid,
    /// The event.
    #[serde(rename = "type")]
    #[schema(value_type = names::WebhookEvent)]
    event: &'static str,
    /// When the generation ended (RFC 3339).
    #[schema(format = DateTime)]
    created_at: String,
    /// The generation, as `GET /api/generations/{id}` shows it at the time of the attempt.
    generation: view::Generation,
}

/// The body of a delivery that is sent now.
pub fn told(delivery: &Delivery, snapshot: &Snapshot, app: &App, now: Millis) -> Vec<u8> {
    let told = Told {
        id: delivery.id,
        event: delivery.event.name(),
        created_at: delivery.created.to_string(),
        generation: view::generation(snapshot, app, now),
    };
    serde_json::to_vec(&told).expect("values with keys of text are JSON")
}

/// List subscriptions
///
/// The account's subscriptions, in the order in which they were made.
#[utoipa::path(
    get,
    path = "/api/webhooks",
    operation_id = "listWebhooks",
    tag = "Webhooks",
    security(("apiKey" = ["generations:read"])),
    responses((status = 200, description = "The subscriptions.", body = WebhooksAnswer)),
)]
pub(crate) async fn list(
    State(app): State<Arc<App>>,
    caller: Authorised,
    uri: Uri,
) -> Result<Json<WebhooksAnswer>, ApiError> {
    caller.need(Scope::GenerationsRead)?;
    let account = caller.account_id;
    let webhooks = app.store.run(move |store| store.webhooks(account)).await?;
    let webhooks: Vec<_> = webhooks.iter().map(|webhook| WebhookView::of(webhook, None)).collect();
    Ok(Json(WebhooksAnswer { count: webhooks.len(), webhooks, warnings: query::warnings(&uri, &[]) }))
}

/// Read a subscription
///
/// One of the account's subscriptions.
#[utoipa::path(
    get,
    path = "/api/webhooks/{id}",
    operation_id = "readWebhook",
    tag = "Webhooks",
    security(("apiKey" = ["generations:read"])),
    params(WebhookId),
    responses((status = 200, description = "The subscription.", body = WebhookAnswer)),
    extensions(("x-codes" = json!(["webhook_not_found"]))),
)]
pub(super) async fn read(
    State(app): State<Arc<App>>,
    caller: Authorised,
    id: Result<Path<String>, PathRejection>,
) -> Result<Json<WebhookAnswer>, ApiError> {
    caller.need(Scope::GenerationsRead)?;
    let (account, id) = (caller.account_id, id_of(id)?);
    let webhook =
        app.store.run(move |store| store.webhook(account, id)).await?.ok_or(ApiError::Missing(Missing::Webhook))?;
    Ok(Json(WebhookAnswer { webhook: WebhookView::of(&webhook, None) }))
}

/// Subscribe
///
/// Its receiver is sent a signed POST for every generation that ends. This is the only answer that shows the secret.
#[utoipa::path(
    post,
    path = "/api/webhooks",
    operation_id = "createWebhook",
    tag = "Webhooks",
    security(("apiKey" = ["generations:write"])),
    params(Idempotent),
    request_body(content = WebhookRequest, description = "The subscription."),
    responses((
        status = 201,
        description = "Kept.",
        body = WebhookCreated,
        headers(("Location" = String, description = "The path of the subscription.")),
        example = json!(examples::webhook_created()),
    )),
)]
pub(super) async fn create(
    State(app): State<Arc<App>>,
    caller: Authorised,
    uri: Uri,
    headers: HeaderMap,
    body: Body,
) -> Result<Response, ApiError> {
    caller.need(Scope::GenerationsWrite)?;
    let body = json::read_body(&headers, body).await?;
    let account = caller.account_id;
    let begun = match idempotency::begin(&app, account, &headers, PATH, &body).await? {
        ControlFlow::Continue(begun) => begun,
        ControlFlow::Break(answer) => return Ok(answer),
    };
    let (address, events, mut warnings) = read_body(&json::parse(&body)?, &app.guard)?;
    warnings.extend(query::warnings(&uri, &[]));
    let secret = WebhookSecret::generate().map_err(|error| {
        tracing::error!(%error, "no randomness");
        ApiError::Internal
    })?;
    let webhook = Webhook { id: Uuid::now_v7(), address, events, secret, created: Millis::now(), disabled: None };
    let answer = move |webhook: &Webhook| {
        let created =
            WebhookCreated { webhook: WebhookView::of(webhook, Some(&webhook.secret)), warnings: warnings.clone() };
        idempotency::success(StatusCode::CREATED, Some(format!("{PATH}/{}", webhook.id)), &created)
    };
    let keyed = begun.keyed(answer.clone());
    let made = app.store.run(move |store| store.make_webhook(account, &webhook, keyed.as_ref())).await?;
    let full = |Full| {
        let message = format!("The account has {WEBHOOKS_MAX} webhooks already; delete one first.");
        ApiError::Invalid(vec![Detail::new("webhooks", "too_many_webhooks", message)])
    };
    idempotency::tell(&app, made, answer, full).await
}

/// Unsubscribe
///
/// What waits for it is not sent any more.
#[utoipa::path(
    delete,
    path = "/api/webhooks/{id}",
    operation_id = "deleteWebhook",
    tag = "Webhooks",
    security(("apiKey" = ["generations:write"])),
    params(WebhookId),
    responses((status = 204, description = "It is gone.")),
    extensions(("x-codes" = json!(["webhook_not_found"]))),
)]
pub(super) async fn delete(
    State(app): State<Arc<App>>,
    caller: Authorised,
    id: Result<Path<String>, PathRejection>,
) -> Result<Response, ApiError> {
    caller.need(Scope::GenerationsWrite)?;
    let (account, id) = (caller.account_id, id_of(id)?);
    let was_there = app.store.run(move |store| store.remove_webhook(account, id)).await?;
    if was_there { Ok(error::nothing_left()) } else { Err(ApiError::Missing(Missing::Webhook)) }
}

/// List deliveries
///
/// What was sent to a subscription, newest first.
#[utoipa::path(
    get,
    path = "/api/webhooks/{id}/deliveries",
    operation_id = "listDeliveries",
    tag = "Webhooks",
    security(("apiKey" = ["generations:read"])),
    params(WebhookId, PageQuery),
    responses((status = 200, description = "A page of deliveries.", body = DeliveriesAnswer)),
    extensions(("x-codes" = json!(["webhook_not_found", "validation_failed", "invalid_cursor"]))),
)]
pub(super) async fn deliveries(
    State(app): State<Arc<App>>,
    caller: Authorised,
    id: Result<Path<String>, PathRejection>,
    uri: Uri,
) -> Result<Json<DeliveriesAnswer>, ApiError> {
    caller.need(Scope::GenerationsRead)?;
    let (account, id) = (caller.account_id, id_of(id)?);
    app.store.run(move |store| store.webhook(account, id)).await?.ok_or(ApiError::Missing(Missing::Webhook))?;
    page(&app, account, id, &uri).await
}

/// List deliveries of a generation
///
/// What was sent to the `webhookUrl` of a generation, newest first.
#[utoipa::path(
    get,
    path = "/api/generations/{id}/deliveries",
    operation_id = "listDeliveriesOfGeneration",
    tag = "Webhooks",
    security(("apiKey" = ["generations:read"])),
    params(GenerationId, PageQuery),
    responses((status = 200, description = "A page of deliveries.", body = DeliveriesAnswer)),
    extensions(("x-codes" = json!(["generation_not_found", "validation_failed", "invalid_cursor"]))),
)]
pub(super) async fn deliveries_of_generation(
    State(app): State<Arc<App>>,
    caller: Authorised,
    id: Result<Path<String>, PathRejection>,
    uri: Uri,
) -> Result<Json<DeliveriesAnswer>, ApiError> {
    caller.need(Scope::GenerationsRead)?;
    let (account, id) = (caller.account_id, generations::id_of(id)?);
    app.store.run(move |store| store.generation(account, id)).await?.ok_or(ApiError::Missing(Missing::Generation))?;
    page(&app, account, id, &uri).await
}

/// Read the secret
///
/// What deliveries to the `webhookUrl` of creations are signed with. It signs, so a key that only reads doesn't see it.
#[utoipa::path(
    get,
    path = "/api/webhooks/secret",
    operation_id = "readWebhookSecret",
    tag = "Webhooks",
    security(("apiKey" = ["generations:write"])),
    responses((status = 200, description = "The secret.", body = SecretAnswer)),
)]
pub(super) async fn secret(State(app): State<Arc<App>>, caller: Authorised) -> Result<Json<SecretAnswer>, ApiError> {
    caller.need(Scope::GenerationsWrite)?;
    let account = caller.account_id;
    Ok(Json(app.store.run(move |store| store.webhook_secret(account, Millis::now())).await?.into()))
}

/// Replace the secret
///
/// What is sent from then on is signed with the new one.
#[utoipa::path(
    post,
    path = "/api/webhooks/secret/rotate",
    operation_id = "rotateWebhookSecret",
    tag = "Webhooks",
    security(("apiKey" = ["generations:write"])),
    responses((status = 200, description = "The new secret.", body = SecretAnswer)),
)]
pub(super) async fn rotate_secret(
    State(app): State<Arc<App>>,
    caller: Authorised,
) -> Result<Json<SecretAnswer>, ApiError> {
    caller.need(Scope::GenerationsWrite)?;
    let account = caller.account_id;
    Ok(Json(app.store.run(move |store| store.rotate_webhook_secret(account, Millis::now())).await?.into()))
}

async fn page(app: &App, account: Uuid, owner: Uuid, uri: &Uri) -> Result<Json<DeliveriesAnswer>, ApiError> {
    let listing::Page { after, limit } = listing::read_page(uri)?;
    let (page, more) = app.store.run(move |store| store.deliveries(account, owner, after, limit)).await?;
    let pagination = listing::Pagination::new(limit, more, page.last().map(|delivery| delivery.id));
    let deliveries = page.iter().map(DeliveryView::of).collect();
    Ok(Json(DeliveriesAnswer { deliveries, pagination, warnings: listing::page_warnings(uri) }))
}

/// The id in a path; what is none names nothing.
fn id_of(id: Result<Path<String>, PathRejection>) -> Result<Uuid, ApiError> {
    id.ok().and_then(|Path(id)| id.parse().ok()).ok_or(ApiError::Missing(Missing::Webhook))
}

fn read_body(body: &Map<String, Value>, guard: &Guard) -> Result<(Address, Events, Vec<Warning>), ApiError> {
    let mut form = Form::new(body);
    form.warn_of_unknown("", body, &FIELDS);
    if form.get("url").is_none() {
        form.fault("url", "missing_field", "Say in url where to send what happens.");
    }
    let address = form.receiver("url", guard);
    let events = form.events();
    let (faults, warnings) = form.end();
    match address.filter(|_| faults.is_empty()) {
        Some(address) => Ok((address, events, warnings)),
        None => Err(ApiError::Invalid(faults)),
    }
}

impl Form<'_> {
    /// Where a client wants to be told of something: judged as what is fetched is.
    pub(super) fn receiver(&mut self, field: &'static str, guard: &Guard) -> Option<Address> {
        let url = self.address(field, guard)?;
        let target = guard.judge(&url).ok()?;
        Some(Address::new(&url, &target.receiver()))
    }

    fn events(&mut self) -> Events {
        const FIELD: &str = "events";
        let Some(value) = self.get(FIELD) else { return Events::ALL };
        let Some(items) = value.as_array().filter(|items| (1..=EVENTS_MAX).contains(&items.len())) else {
            let message = "events must be a list of events such as generation.completed; leave it out for all.";
            self.fault(FIELD, "invalid_value", message);
            return Events::ALL;
        };
        let mut events = Vec::new();
        for (place, item) in items.iter().enumerate() {
            let field = format!("{FIELD}[{place}]");
            let Some(name) = item.as_str() else {
                self.fault(field, "invalid_value", "An event is a string.");
                continue;
            };
            match Event::from_name(name) {
                Some(event) => events.push(event),
                None => {
                    let shown: String = name.chars().take(60).collect();
                    let names = Event::ALL.map(Event::name);
                    let hint = nearest(name, names.into_iter()).map(|n| format!(" Did you mean {n}?"));
                    let hint = hint.unwrap_or_else(|| format!(" There are {}.", names.join(", ")));
                    self.fault(field, "unknown_event", format!("There is no event {shown:?}.{hint}"));
                }
            }
        }
        Events::of(&events)
    }
}

impl WebhookView {
    fn of(webhook: &Webhook, secret: Option<&WebhookSecret>) -> Self {
        Self {
            id: webhook.id,
            url: webhook.address.url.clone(),
            events: webhook.events.names(),
            active: webhook.disabled.is_none(),
            secret: secret.map(|secret| secret.reveal().to_owned()),
            created_at: webhook.created.to_string(),
            disabled_at: webhook.disabled.map(|at| at.to_string()),
        }
    }
}

impl From<AccountSecret> for SecretAnswer {
    fn from(AccountSecret { secret, created }: AccountSecret) -> Self {
        Self { secret: secret.reveal().to_owned(), created_at: created.to_string() }
    }
}

impl DeliveryView {
    fn of(delivery: &Delivery) -> Self {
        let (status, next) = match delivery.progress {
            Progress::Waiting(at) => ("pending", Some(at.to_string())),
            Progress::Delivered => ("delivered", None),
            Progress::GivenUp => ("failed", None),
        };
        Self {
            id: delivery.id,
            event: delivery.event.name(),
            generation_id: delivery.generation,
            status,
            created_at: delivery.created.to_string(),
            next_attempt_at: next,
            attempts: delivery.attempts.iter().map(AttemptView::of).collect(),
        }
    }
}

impl AttemptView {
    fn of(Attempt { at, status, error, took_ms }: &Attempt) -> Self {
        Self { at: at.to_string(), status: *status, error: error.clone(), duration_ms: *took_ms }
    }
}
