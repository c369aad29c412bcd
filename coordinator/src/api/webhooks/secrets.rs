//! The secrets that sign deliveries, and their rotation. After a rotation, deliveries carry the signatures of both
//! secrets for a while, so that receivers can switch without rejecting a delivery.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use render_core::warning::Warning;
use serde::Serialize;
use serde_json::{Map, Value};
use utoipa::ToSchema;

use super::super::spec::examples;
use super::super::spec::params::WebhookId;
use super::super::spec::requests::RotationRequest;
use super::{WebhookCreated, WebhookView};
use crate::access::{Scoped, scope};
use crate::app::App;
use crate::clock::Millis;
use crate::http::error::{ApiError, Missing};
use crate::http::form::Form;
use crate::http::json::OptionalFields;
use crate::http::names;
use crate::http::path::{Id, kind};
use crate::http::query::NoParameters;
use crate::state::AccountSecret;

/// Default hours for which the old secret keeps signing.
const OVERLAP_HOURS: u64 = 24;
/// Maximum of those hours.
const MOST_HOURS: u64 = 7 * 24;
/// The field of a rotation request.
pub(in crate::api) const FIELDS: [&str; 1] = ["overlapHours"];

/// The secret that signs deliveries to the `webhookUrl` of creations.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = WebhookSecret)]
pub(in crate::api) struct SecretAnswer {
    /// The secret.
    #[schema(examples("whsec_6l0FZ0Wf3mYt2m9b1q8Jx4c7v5N3kQhRzXyTgUsPdEa"))]
    secret: String,
    /// When the secret was created (RFC 3339).
    #[schema(examples("2026-01-31T12:00:00.000Z"))]
    created_at: String,
    /// Warnings about the request, such as unknown fields.
    #[schema(value_type = Vec<names::Warning>)]
    warnings: Vec<Warning>,
}

/// Read the account's secret
///
/// Returns the secret that signs deliveries to the `webhookUrl` of creations. Because anyone with the secret can sign,
/// a read-only key can't read it.
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
    caller: Scoped<scope::GenerationsWrite>,
) -> Result<Json<SecretAnswer>, ApiError> {
    let account = caller.account_id;
    Ok(Json(app.store.run(move |store| store.webhook_secret(account, Millis::now())).await?.into()))
}

/// Replace the account's secret
///
/// From now on, deliveries to the `webhookUrl` of creations are signed with a new secret. For `overlapHours` they are
/// also signed with the old one: the signature header then has two `v1` values.
#[utoipa::path(
    post,
    path = "/api/webhooks/secret/rotate",
    operation_id = "rotateWebhookSecret",
    tag = "Webhooks",
    security(("apiKey" = ["generations:write"])),
    request_body(content = Option<RotationRequest>, description = "How long the old secret keeps signing."),
    responses((status = 200, description = "The new secret.", body = SecretAnswer)),
    extensions(("x-codes" = json!(["validation_failed"]))),
)]
pub(in crate::api) async fn rotate(
    State(app): State<Arc<App>>,
    caller: Scoped<scope::GenerationsWrite>,
    NoParameters(of_query): NoParameters,
    OptionalFields(fields): OptionalFields,
) -> Result<Json<SecretAnswer>, ApiError> {
    let (account, now) = (caller.account_id, Millis::now());
    let (until, mut warnings) = overlap(&fields, now)?;
    warnings.extend(of_query);
    let secret = app.store.run(move |store| store.rotate_webhook_secret(account, until, now)).await?;
    Ok(Json(SecretAnswer { warnings, ..secret.into() }))
}

/// Replace the secret of a subscription
///
/// From now on, deliveries are signed with a new secret. For `overlapHours` they are also signed with the old one: the
/// signature header then has two `v1` values. Only this response contains the new secret.
#[utoipa::path(
    post,
    path = "/api/webhooks/{id}/secret/rotate",
    operation_id = "rotateSecretOfWebhook",
    tag = "Webhooks",
    security(("apiKey" = ["generations:write"])),
    params(WebhookId),
    request_body(content = Option<RotationRequest>, description = "How long the old secret keeps signing."),
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
    caller: Scoped<scope::GenerationsWrite>,
    Id(id, ..): Id<kind::Webhook>,
    NoParameters(of_query): NoParameters,
    OptionalFields(fields): OptionalFields,
) -> Result<Json<WebhookCreated>, ApiError> {
    let (account, now) = (caller.account_id, Millis::now());
    let (until, mut warnings) = overlap(&fields, now)?;
    warnings.extend(of_query);
    let rotated = app.store.run(move |store| store.rotate_secret_of(account, id, until, now)).await?;
    let webhook = rotated.ok_or(ApiError::Missing(Missing::Webhook))?;
    Ok(Json(WebhookCreated { webhook: WebhookView::of(&webhook, Some(&webhook.secret)), warnings }))
}

/// Reads from the fields of a body until when the old secret keeps signing. Also returns warnings about ignored fields.
fn overlap(fields: &Map<String, Value>, now: Millis) -> Result<(Millis, Vec<Warning>), ApiError> {
    let mut form = Form::new(fields);
    form.warn_of_unknown("", fields, &FIELDS);
    let hours = form.integer(FIELDS[0], MOST_HOURS).unwrap_or(OVERLAP_HOURS);
    let (faults, warnings) = form.end();
    if !faults.is_empty() {
        return Err(ApiError::Invalid(faults));
    }
    Ok((now.plus_seconds(hours * 3600), warnings))
}

impl From<AccountSecret> for SecretAnswer {
    fn from(AccountSecret { secret, created }: AccountSecret) -> Self {
        Self { secret: secret.reveal().to_owned(), created_at: created.to_string(), warnings: Vec::new() }
    }
}
