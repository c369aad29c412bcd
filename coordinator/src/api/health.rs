//! `GET /healthz`: the process runs. `GET /readyz`: it takes requests.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use serde::Serialize;
use utoipa::ToSchema;

use super::App;
use super::error::{ApiError, Detail};
use crate::health::{Finding, Report};

/// The process runs.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Live {
    /// Always `ok`.
    status: &'static str,
}

/// Whether the process runs
///
/// For whatever restarts it where it doesn't.
#[utoipa::path(
    get,
    path = "/healthz",
    operation_id = "readHealth",
    tag = "Service",
    responses((status = 200, description = "It runs.", body = Live)),
)]
pub async fn live() -> Json<Live> {
    Json(Live { status: "ok" })
}

/// Whether it takes requests
///
/// For whatever sends requests its way: by what was found when it was last looked at, a few seconds ago at most. Nothing is
/// looked at here, so that this is quick whatever is the matter. No after it was told to stop.
#[utoipa::path(
    get,
    path = "/readyz",
    operation_id = "readReadiness",
    tag = "Service",
    responses((status = 200, description = "It takes requests.", body = Report)),
    extensions(("x-codes" = json!(["shutting_down", "storage_unavailable"]))),
)]
pub async fn ready(State(app): State<Arc<App>>) -> Result<Json<Report>, ApiError> {
    if app.stopping.is_cancelled() {
        return Err(ApiError::ShuttingDown);
    }
    let report = app.health.report();
    if report.status != Finding::Failed {
        return Ok(Json(Report::clone(&report)));
    }
    let failed = report.checks.iter().filter(|c| c.status == Finding::Failed);
    let detail = |message: &Option<String>| message.clone().unwrap_or_default();
    Err(ApiError::NotReady(failed.map(|c| Detail::new(c.name, "check_failed", detail(&c.message))).collect()))
}
