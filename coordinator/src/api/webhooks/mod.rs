//! `/api/webhooks`: subscriptions that are notified when the account's generations end, their deliveries, and the
//! secrets that sign them.

pub(super) mod deliveries;
pub(super) mod secrets;

pub use deliveries::told;

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::Response;
use fleet::net::Guard;
use render_core::warning::Warning;
use serde::Serialize;
use serde_json::{Map, Value};
use utoipa::ToSchema;
use uuid::Uuid;

use super::spec::examples;
use super::spec::params::{IdempotencyKey, WebhookId};
use super::spec::requests::{WebhookChangeRequest, WebhookRequest};
use crate::access::{Scoped, scope};
use crate::app::App;
use crate::clock::Millis;
use crate::http::error::{self, ApiError, Detail, Missing};
use crate::http::form::{Form, nearest};
use crate::http::idempotency::{self, Done, Idempotent};
use crate::http::json::{Fields, Unparsed};
use crate::http::names;
use crate::http::path::{Id, kind};
use crate::http::query::NoParameters;
use crate::keys::WebhookSecret;
use crate::state::{Address, Event, Events, Full, WEBHOOKS_MAX, Webhook, WebhookChange};

const PATH: &str = "/api/webhooks";
/// All fields of a subscription.
pub(super) const FIELDS: [&str; 2] = ["url", "events"];
/// All fields of a subscription that can be changed.
pub(super) const CHANGE_FIELDS: [&str; 3] = ["url", "events", "active"];
/// Maximum number of events that a request may list: more than exist.
const EVENTS_MAX: usize = 20;

/// A subscription.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = Webhook, examples(json!(examples::webhook())))]
pub(super) struct WebhookView {
    /// The id of the subscription.
    id: Uuid,
    /// The URL that receives deliveries, as it was sent.
    url: String,
    /// The events that the subscription receives.
    events: Vec<&'static str>,
    /// Whether deliveries are sent. Becomes `false` if the receiver responds with 410, or if you set `active` to
    /// `false`.
    active: bool,
    /// The secret that signs deliveries. Only the response that creates or replaces it contains this field.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    secret: Option<String>,
    /// When the subscription was created (RFC 3339).
    created_at: String,
    /// When the subscription was disabled, by you or by a 410 of its receiver (RFC 3339); `null` while it is active.
    #[schema(required)]
    disabled_at: Option<String>,
    /// Until when deliveries are also signed with the previous secret (RFC 3339); `null` if there was no recent
    /// rotation.
    #[schema(required)]
    previous_secret_expires_at: Option<String>,
}

/// A response with one subscription.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct WebhookAnswer {
    /// The subscription.
    webhook: WebhookView,
}

/// A response with a new subscription.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct WebhookCreated {
    /// The subscription, including its secret.
    webhook: WebhookView,
    /// Warnings about the request, such as unknown fields.
    #[schema(value_type = Vec<names::Warning>)]
    warnings: Vec<Warning>,
}

/// A response with a changed subscription.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct WebhookChanged {
    /// The subscription.
    webhook: WebhookView,
    /// Warnings about the request, such as unknown fields.
    #[schema(value_type = Vec<names::Warning>)]
    warnings: Vec<Warning>,
}

/// A response with a list of subscriptions.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct WebhooksAnswer {
    /// The subscriptions, oldest first.
    webhooks: Vec<WebhookView>,
    /// The number of subscriptions.
    #[schema(examples(1))]
    count: usize,
    /// Warnings about the query, such as unknown parameters.
    #[schema(value_type = Vec<names::Warning>)]
    warnings: Vec<Warning>,
}

/// List subscriptions
///
/// Returns the account's subscriptions, oldest first.
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
    caller: Scoped<scope::GenerationsRead>,
    NoParameters(warnings): NoParameters,
) -> Result<Json<WebhooksAnswer>, ApiError> {
    let account = caller.account_id;
    let webhooks = app.store.run(move |store| store.webhooks(account)).await?;
    let webhooks: Vec<_> = webhooks.iter().map(|webhook| WebhookView::of(webhook, None)).collect();
    Ok(Json(WebhooksAnswer { count: webhooks.len(), webhooks, warnings }))
}

/// Read a subscription
///
/// Returns one of the account's subscriptions.
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
    caller: Scoped<scope::GenerationsRead>,
    Id(id, ..): Id<kind::Webhook>,
) -> Result<Json<WebhookAnswer>, ApiError> {
    let account = caller.account_id;
    let webhook =
        app.store.run(move |store| store.webhook(account, id)).await?.ok_or(ApiError::Missing(Missing::Webhook))?;
    Ok(Json(WebhookAnswer { webhook: WebhookView::of(&webhook, None) }))
}

/// Subscribe
///
/// Creates a subscription. The service sends its receiver a signed POST for every generation that ends. Only this
/// response contains the secret.
#[utoipa::path(
    post,
    path = "/api/webhooks",
    operation_id = "createWebhook",
    tag = "Webhooks",
    security(("apiKey" = ["generations:write"])),
    params(IdempotencyKey),
    request_body(content = WebhookRequest, description = "The subscription."),
    responses((
        status = 201,
        description = "The subscription was created.",
        body = WebhookCreated,
        headers(("Location" = String, description = "The path of the subscription.")),
        example = json!(examples::webhook_created()),
    )),
)]
pub(super) async fn create(
    State(app): State<Arc<App>>,
    caller: Scoped<scope::GenerationsWrite>,
    NoParameters(of_query): NoParameters,
    sent: Idempotent<Unparsed>,
) -> Result<Response, ApiError> {
    let account = caller.account_id;
    sent.answer(&app, account, async |body, key| {
        let (address, events, mut warnings) = read_body(&body.fields()?, &app.guard)?;
        warnings.extend(of_query);
        let secret = WebhookSecret::generate().map_err(|error| {
            tracing::error!(%error, "no randomness");
            ApiError::Internal
        })?;
        let (id, created) = (Uuid::now_v7(), Millis::now());
        let webhook = Webhook { id, address, events, secret, created, disabled: None, previous: Vec::new() };
        let answer = move |webhook: &Webhook| {
            let created =
                WebhookCreated { webhook: WebhookView::of(webhook, Some(&webhook.secret)), warnings: warnings.clone() };
            idempotency::success(StatusCode::CREATED, Some(format!("{PATH}/{}", webhook.id)), &created)
        };
        let keyed = key.keyed(answer.clone());
        let made = app.store.run(move |store| store.make_webhook(account, &webhook, keyed.as_ref())).await?;
        Done::of(made, answer, |Full| {
            let message = format!("The account already has {WEBHOOKS_MAX} webhooks, the maximum. Delete one first.");
            ApiError::Invalid(vec![Detail::new("webhooks", "too_many_webhooks", message)])
        })
    })
    .await
}

/// Change a subscription
///
/// Fields that you leave out stay as they are. `active: true` resumes deliveries, also after the receiver responded
/// with 410. Generations that ended in the meantime are not reported.
#[utoipa::path(
    patch,
    path = "/api/webhooks/{id}",
    operation_id = "changeWebhook",
    tag = "Webhooks",
    security(("apiKey" = ["generations:write"])),
    params(WebhookId),
    request_body(content = WebhookChangeRequest, description = "The fields to change."),
    responses((
        status = 200,
        description = "The subscription as it is now.",
        body = WebhookChanged,
        example = json!(examples::webhook_changed()),
    )),
    extensions(("x-codes" = json!(["webhook_not_found", "validation_failed"]))),
)]
pub(super) async fn change(
    State(app): State<Arc<App>>,
    caller: Scoped<scope::GenerationsWrite>,
    Id(id, ..): Id<kind::Webhook>,
    NoParameters(of_query): NoParameters,
    Fields(fields): Fields,
) -> Result<Json<WebhookChanged>, ApiError> {
    let account = caller.account_id;
    let (change, mut warnings) = read_change(&fields, &app.guard)?;
    warnings.extend(of_query);
    let changed = app.store.run(move |store| store.change_webhook(account, id, &change, Millis::now())).await?;
    let webhook = changed.ok_or(ApiError::Missing(Missing::Webhook))?;
    Ok(Json(WebhookChanged { webhook: WebhookView::of(&webhook, None), warnings }))
}

/// Unsubscribe
///
/// Deletes the subscription and its pending deliveries.
#[utoipa::path(
    delete,
    path = "/api/webhooks/{id}",
    operation_id = "deleteWebhook",
    tag = "Webhooks",
    security(("apiKey" = ["generations:write"])),
    params(WebhookId),
    responses((status = 204, description = "The subscription was deleted.")),
    extensions(("x-codes" = json!(["webhook_not_found"]))),
)]
pub(super) async fn delete(
    State(app): State<Arc<App>>,
    caller: Scoped<scope::GenerationsWrite>,
    Id(id, ..): Id<kind::Webhook>,
) -> Result<Response, ApiError> {
    let account = caller.account_id;
    let was_there = app.store.run(move |store| store.remove_webhook(account, id)).await?;
    if was_there { Ok(error::nothing_left()) } else { Err(ApiError::Missing(Missing::Webhook)) }
}

fn read_change(body: &Map<String, Value>, guard: &Guard) -> Result<(WebhookChange, Vec<Warning>), ApiError> {
    let mut form = Form::new(body);
    form.warn_of_unknown("", body, &CHANGE_FIELDS);
    let address = form.get("url").and_then(|_| form.receiver("url", guard));
    let events = form.get("events").map(|_| form.events());
    let active = form.boolean("active");
    let (faults, warnings) = form.end();
    let change = WebhookChange { address, events, active };
    if faults.is_empty() { Ok((change, warnings)) } else { Err(ApiError::Invalid(faults)) }
}

fn read_body(body: &Map<String, Value>, guard: &Guard) -> Result<(Address, Events, Vec<Warning>), ApiError> {
    let mut form = Form::new(body);
    form.warn_of_unknown("", body, &FIELDS);
    if form.get("url").is_none() {
        form.fault("url", "missing_field", "Send the receiver's address in url.");
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
    /// Reads the URL of a webhook receiver. It must pass the same checks as URLs that the service fetches.
    pub(super) fn receiver(&mut self, field: &'static str, guard: &Guard) -> Option<Address> {
        let url = self.address(field, guard)?;
        let target = guard.judge(&url).ok()?;
        Some(Address::new(&url, &target.receiver()))
    }

    fn events(&mut self) -> Events {
        const FIELD: &str = "events";
        let Some(value) = self.get(FIELD) else { return Events::ALL };
        let Some(items) = value.as_array().filter(|items| (1..=EVENTS_MAX).contains(&items.len())) else {
            let message = "events must be a list of events such as generation.completed. Leave it out to receive all.";
            self.fault(FIELD, "invalid_value", message);
            return Events::ALL;
        };
        let mut events = Vec::new();
        for (place, item) in items.iter().enumerate() {
            let field = format!("{FIELD}[{place}]");
            let Some(name) = item.as_str() else {
                self.fault(field, "invalid_value", "An event must be a string.");
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
            previous_secret_expires_at: webhook
                .previous
                .first()
                .filter(|previous| Millis::now() < previous.until)
                .map(|previous| previous.until.to_string()),
        }
    }
}
