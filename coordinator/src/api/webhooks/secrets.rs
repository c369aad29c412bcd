//! The secrets that deliveries are signed with, and their replacement. For a while after that, deliveries carry the
//! signatures of both, so that no receiver misses one.

use std::sync::Arc;

use axum::Json;
use axum::body::Body;
use axum::extract::rejection::PathRejection;
use axum::extract::{Path, State};
use axum::http::HeaderMap;
use serde::Serialize;
use utoipa::ToSchema;

use super::super::caller::Authorised;
use super::super::error::{ApiError, Missing};
use super::super::form::Form;
use super::super::spec::examples;
use super::super::spec::params::WebhookId;
use super::super::spec::requests::RotationRequest;
use super::super::{App, json};
use super::{WebhookCreated, WebhookView, id_of};
use crate::accounts::Scope;
use crate::clock::Millis;
use crate::state::AccountSecret;

/// Hours for which the old secret signs too: unless the request says otherwise, and at most.
const OVERLAP_HOURS: u64 = 24;
const MOST_HOURS: u64 = 7 * 24;
/// The field of a rotation.
pub(in crate::api) const FIELDS: [&str; 1] = ["overlapHours"];

/// What deliveries to the `webhookUrl` of creations are signed with.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = WebhookSecret)]
pub(in crate::api) struct SecretAnswer {
    /// The secret.
    #[schema(examples("whsec_6l0FZ0Wf3mYt2m9b1q8Jx4c7v5N3kQhRzXyTgUsPdEa"))]
    secret: String,
    /// When it was made (RFC 3339).
    #[schema(examples("2026-01-31T12:00:00.000Z"))]
    created_at: String,
}

/// Read the account's secret
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
pub(in crate::api) async fn read(
    State(app): State<Arc<App>>,
    caller: Authorised,
) -> Result<Json<SecretAnswer>, ApiError> {
    caller.need(Scope::GenerationsWrite)?;
    let account = caller.account_id;
    Ok(Json(app.store.run(move |store| store.webhook_secret(account, Millis::now())).await?.into()))
}

/// Replace the account's secret
///
/// What is sent to the `webhookUrl` of creations from then on is signed with the new secret and, for `overlapHours`, with the
/// old one too: the header then has two `v1`.
#[utoipa::path(
    post,
    path = "/api/webhooks/secret/rotate",
    operation_id = "rotateWebhookSecret",
    tag = "Webhooks",
    security(("apiKey" = ["generations:write"])),
    request_body(content = Option<RotationRequest>, description = "For how long the old one signs too."),
    responses((status = 200, description = "The new secret.", body = SecretAnswer)),
    extensions(("x-codes" = json!(["validation_failed"]))),
)]
pub(in crate::api) async fn rotate(
    State(app): State<Arc<App>>,
    caller: Authorised,
    headers: HeaderMap,
    body: Body,
) -> Result<Json<SecretAnswer>, ApiError> {
    caller.need(Scope::GenerationsWrite)?;
    let (account, now) = (caller.account_id, Millis::now());
    let until = overlap(&headers, body, now).await?;
    Ok(Json(app.store.run(move |store| store.rotate_webhook_secret(account, until, now)).await?.into()))
}

/// Replace the secret of a subscription
///
/// Its deliveries are signed with the new secret and, for `overlapHours`, with the old one too: the header then has two `v1`.
/// This answer shows the new secret, and no other does.
#[utoipa::path(
    post,
    path = "/api/webhooks/{id}/secret/rotate",
    operation_id = "rotateSecretOfWebhook",
    tag = "Webhooks",
    security(("apiKey" = ["generations:write"])),
    params(WebhookId),
    request_body(content = Option<RotationRequest>, description = "For how long the old one signs too."),
    responses((
        status = 200,
        description = "The subscription, with its new secret.",
        body = WebhookCreated,
        example = json!(examples::webhook_rotated()),
    )),
    extensions(("x-codes" = json!(["webhook_not_found", "validation_failed"]))),
)]
pub(in crate::api) async fn rotate_of_webhook(
    State(app): State<Arc<App>>,
    caller: Authorised,
    id: Result<Path<String>, PathRejection>,
    headers: HeaderMap,
    body: Body,
) -> Result<Json<WebhookCreated>, ApiError> {
    caller.need(Scope::GenerationsWrite)?;
    let (account, id) = (caller.account_id, id_of(id)?);
    let until = overlap(&headers, body, Millis::now()).await?;
    let rotated = app.store.run(move |store| store.rotate_secret_of(account, id, until)).await?;
    let webhook = rotated.ok_or(ApiError::Missing(Missing::Webhook))?;
    Ok(Json(WebhookCreated { webhook: WebhookView::of(&webhook, Some(&webhook.secret)), warnings: Vec::new() }))
}

/// Until when the old secret signs too, as a body says that may be empty.
async fn overlap(headers: &HeaderMap, body: Body, now: Millis) -> Result<Millis, ApiError> {
    let body = json::read_optional_body(headers, body).await?;
    let fields = if body.is_empty() { Default::default() } else { json::parse(&body)? };
    let mut form = Form::new(&fields);
    let hours = form.integer(FIELDS[0], MOST_HOURS).unwrap_or(OVERLAP_HOURS);
    let (faults, _) = form.end();
    if faults.is_empty() { Ok(now.plus_seconds(hours * 3600)) } else { Err(ApiError::Invalid(faults)) }
}

impl From<AccountSecret> for SecretAnswer {
    fn from(AccountSecret { secret, created }: AccountSecret) -> Self {
        Self { secret: secret.reveal().to_owned(), created_at: created.to_string() }
    }
}
