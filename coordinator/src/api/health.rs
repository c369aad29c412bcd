//! `GET /healthz`: the process runs. `GET /readyz`: it takes requests.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use serde::Serialize;
use utoipa::ToSchema;

use super::App;
use super::error::ApiError;

/// That all is well.
#[derive(Debug, Serialize, ToSchema)]
pub struct Health {
    /// `ok`.
    #[schema(examples("ok"), pattern = "^ok$")]
    pub status: &'static str,
}

const WELL: Health = Health { status: "ok" };

/// Whether the process runs
///
/// For whatever restarts it where it doesn't.
#[utoipa::path(
    get,
    path = "/healthz",
    operation_id = "readHealth",
    tag = "Service",
    responses((status = 200, description = "It runs.", body = Health)),
)]
pub async fn live() -> Json<Health> {
    Json(WELL)
}

/// Whether it takes requests
///
/// For whatever sends requests its way: it answers 503 once it was told to stop.
#[utoipa::path(
    get,
    path = "/readyz",
    operation_id = "readReadiness",
    tag = "Service",
    responses((status = 200, description = "It takes requests.", body = Health)),
    extensions(("x-codes" = json!(["shutting_down"]))),
)]
pub async fn ready(State(app): State<Arc<App>>) -> Result<Json<Health>, ApiError> {
    if app.stopping.is_cancelled() { Err(ApiError::ShuttingDown) } else { Ok(Json(WELL)) }
}
