//! Lists deliveries to subscriptions and to the `webhookUrl` of generations, sends them again, and sends tests.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use render_core::warning::Warning;
use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

use super::super::spec::examples;
use super::super::spec::params::{DeliveryPlace, GenerationDeliveryPlace, GenerationId, PageQuery, WebhookId};
use super::super::view;
use crate::access::{Scoped, scope};
use crate::app::App;
use crate::clock::Millis;
use crate::http::error::{ApiError, Conflict, Missing};
use crate::http::listing::{self, Page};
use crate::http::names;
use crate::http::path::{Id, kind};
use crate::state::{Attempt, Delivery, Event, NotAgain, Progress, Snapshot};

/// A delivery.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = Delivery, examples(json!(examples::delivery())))]
pub(in crate::api) struct DeliveryView {
    /// The id of the delivery, as in the header `X-Vivid-Delivery`.
    id: Uuid,
    /// The event.
    #[serde(rename = "type")]
    event: &'static str,
    /// The id of the generation; `null` for a test.
    #[schema(required)]
    generation_id: Option<Uuid>,
    /// `pending`, `delivered` or `failed`.
    status: &'static str,
    /// When the generation ended or the test was requested (RFC 3339).
    created_at: String,
    /// When the next attempt is due (RFC 3339); `null` if there is none.
    #[schema(required)]
    next_attempt_at: Option<String>,
    /// The attempts, oldest first.
    attempts: Vec<AttemptView>,
}

/// One attempt of a delivery.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = DeliveryAttempt)]
pub(in crate::api) struct AttemptView {
    /// When the attempt was made (RFC 3339).
    at: String,
    /// The status of the receiver's response; `null` if there was none.
    #[schema(required)]
    status: Option<u16>,
    /// Why there was no response; `null` if there was one.
    #[schema(required)]
    error: Option<String>,
    /// Duration of the attempt in milliseconds.
    duration_ms: u32,
}

/// A response with a list of deliveries.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(in crate::api) struct DeliveriesAnswer {
    /// The deliveries, newest first.
    deliveries: Vec<DeliveryView>,
    /// Position in the list, for the next page.
    pagination: listing::Pagination,
    /// Warnings about the query, such as unknown parameters.
    #[schema(value_type = Vec<names::Warning>)]
    warnings: Vec<Warning>,
}

/// A response with one delivery.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(in crate::api) struct DeliveryAnswer {
    /// The delivery.
    delivery: DeliveryView,
}

/// The body of a delivery.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = WebhookPayload, examples(json!(examples::payload())))]
pub(in crate::api) struct Told {
    /// The id of the delivery, the same in every attempt.
    id: Uuid,
    /// The event.
    #[serde(rename = "type")]
    #[schema(value_type = names::WebhookEvent)]
    event: &'static str,
    /// When the generation ended or the test was requested (RFC 3339).
    #[schema(format = DateTime)]
    created_at: String,
    /// The generation, as `GET /api/generations/{id}` returns it at the time of the attempt; `null` for a test.
    #[schema(required)]
    generation: Option<view::Generation>,
}

/// Builds the body of a delivery that is sent now.
pub fn told(delivery: &Delivery, snapshot: Option<&Snapshot>, app: &App, now: Millis) -> Vec<u8> {
    let told = Told {
        id: delivery.id,
        event: delivery.event.name(),
        created_at: delivery.created.to_string(),
        generation: snapshot.map(|snapshot| view::generation(snapshot, app, now)),
    };
    serde_json::to_vec(&told).expect("values with keys of text are JSON")
}

/// List deliveries
///
/// Returns the deliveries to a subscription, newest first.
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
pub(in crate::api) async fn list(
    State(app): State<Arc<App>>,
    caller: Scoped<scope::GenerationsRead>,
    Id(id, ..): Id<kind::Webhook>,
    // Checked once the subscription is found.
    page: Result<Page<Uuid>, ApiError>,
) -> Result<Json<DeliveriesAnswer>, ApiError> {
    let account = caller.account_id;
    app.store.run(move |store| store.webhook(account, id)).await?.ok_or(ApiError::Missing(Missing::Webhook))?;
    listed(&app, account, id, page?).await
}

/// List deliveries of a generation
///
/// Returns the deliveries to the `webhookUrl` of a generation, newest first.
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
pub(in crate::api) async fn of_generation(
    State(app): State<Arc<App>>,
    caller: Scoped<scope::GenerationsRead>,
    Id(id, ..): Id<kind::Generation>,
    // Checked once the generation is found.
    page: Result<Page<Uuid>, ApiError>,
) -> Result<Json<DeliveriesAnswer>, ApiError> {
    let account = caller.account_id;
    app.store.run(move |store| store.generation(account, id)).await?.ok_or(ApiError::Missing(Missing::Generation))?;
    listed(&app, account, id, page?).await
}

/// Send a test
///
/// Sends `webhook.test` to the receiver, signed like every delivery, with `generation` set to `null`. There is a single
/// attempt, which is made even if the subscription is disabled. The subscription's deliveries show the result.
#[utoipa::path(
    post,
    path = "/api/webhooks/{id}/test",
    operation_id = "testWebhook",
    tag = "Webhooks",
    security(("apiKey" = ["generations:write"])),
    params(WebhookId),
    responses((
        status = 202,
        description = "The delivery is enqueued.",
        body = DeliveryAnswer,
        example = json!(examples::tested()),
    )),
    extensions(("x-codes" = json!(["webhook_not_found"]))),
)]
pub(in crate::api) async fn test(
    State(app): State<Arc<App>>,
    caller: Scoped<scope::GenerationsWrite>,
    Id(id, ..): Id<kind::Webhook>,
) -> Result<(StatusCode, Json<DeliveryAnswer>), ApiError> {
    let account = caller.account_id;
    let made = app.store.run(move |store| store.test_webhook(account, id, Millis::now())).await?;
    let delivery = made.ok_or(ApiError::Missing(Missing::Webhook))?;
    Ok((StatusCode::ACCEPTED, Json(DeliveryAnswer { delivery: DeliveryView::of(&delivery) })))
}

/// Send a delivery again
///
/// Sends a delivery of a subscription once more, whatever its status, with the same `X-Vivid-Delivery`. Deliveries are
/// kept for seven days.
#[utoipa::path(
    post,
    path = "/api/webhooks/{id}/deliveries/{deliveryId}/redeliver",
    operation_id = "redeliver",
    tag = "Webhooks",
    security(("apiKey" = ["generations:write"])),
    params(DeliveryPlace),
    responses((
        status = 202,
        description = "The delivery is enqueued.",
        body = DeliveryAnswer,
        example = json!(examples::redelivered()),
    )),
    extensions(("x-codes" = json!(["webhook_not_found", "delivery_not_found", "webhook_disabled"]))),
)]
pub(in crate::api) async fn redeliver(
    State(app): State<Arc<App>>,
    caller: Scoped<scope::GenerationsWrite>,
    Id(owner, ..): Id<kind::Webhook>,
    Id(delivery, ..): Id<kind::Delivery>,
) -> Result<(StatusCode, Json<DeliveryAnswer>), ApiError> {
    let account = caller.account_id;
    app.store.run(move |store| store.webhook(account, owner)).await?.ok_or(ApiError::Missing(Missing::Webhook))?;
    again(&app, account, owner, delivery).await
}

/// Send a delivery of a generation again
///
/// Sends a delivery to a generation's `webhookUrl` once more, with the same `X-Vivid-Delivery`.
#[utoipa::path(
    post,
    path = "/api/generations/{id}/deliveries/{deliveryId}/redeliver",
    operation_id = "redeliverOfGeneration",
    tag = "Webhooks",
    security(("apiKey" = ["generations:write"])),
    params(GenerationDeliveryPlace),
    responses((
        status = 202,
        description = "The delivery is enqueued.",
        body = DeliveryAnswer,
        example = json!(examples::redelivered()),
    )),
    extensions(("x-codes" = json!(["generation_not_found", "delivery_not_found"]))),
)]
pub(in crate::api) async fn redeliver_of_generation(
    State(app): State<Arc<App>>,
    caller: Scoped<scope::GenerationsWrite>,
    Id(owner, ..): Id<kind::Generation>,
    Id(delivery, ..): Id<kind::Delivery>,
) -> Result<(StatusCode, Json<DeliveryAnswer>), ApiError> {
    let account = caller.account_id;
    app.store
        .run(move |store| store.generation(account, owner))
        .await?
        .ok_or(ApiError::Missing(Missing::Generation))?;
    again(&app, account, owner, delivery).await
}

async fn again(
    app: &App,
    account: Uuid,
    owner: Uuid,
    id: Uuid,
) -> Result<(StatusCode, Json<DeliveryAnswer>), ApiError> {
    let delivery = app.store.run(move |store| store.redeliver(account, owner, id, Millis::now())).await?;
    let delivery = delivery.map_err(|why| match why {
        NotAgain::Absent => ApiError::Missing(Missing::Delivery),
        NotAgain::Disabled => ApiError::Conflict(Conflict::WebhookDisabled),
    })?;
    Ok((StatusCode::ACCEPTED, Json(DeliveryAnswer { delivery: DeliveryView::of(&delivery) })))
}

async fn listed(app: &App, account: Uuid, owner: Uuid, page: Page<Uuid>) -> Result<Json<DeliveriesAnswer>, ApiError> {
    let Page { after, limit, warnings } = page;
    let (page, more) = app.store.run(move |store| store.deliveries(account, owner, after, limit)).await?;
    let pagination = listing::Pagination::new(limit, more, page.last().map(|delivery| delivery.id));
    let deliveries = page.iter().map(DeliveryView::of).collect();
    Ok(Json(DeliveriesAnswer { deliveries, pagination, warnings }))
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
            generation_id: Some(delivery.generation).filter(|_| delivery.event != Event::Test),
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
