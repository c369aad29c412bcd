//! `GET /healthz`: whether the process runs. `GET /readyz`: whether it accepts requests.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use serde::Serialize;
use utoipa::ToSchema;

use crate::app::App;
use crate::health::{Finding, Report};
use crate::http::error::{ApiError, Detail};

/// The response of `/healthz`.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Live {
    /// Always `ok`.
    status: &'static str,
}

/// Whether the process runs
///
/// A liveness probe, for supervisors that restart the process if it does not respond.
#[utoipa::path(
    get,
    path = "/healthz",
    operation_id = "readHealth",
    tag = "Service",
    responses((status = 200, description = "The process runs.", body = Live)),
)]
pub async fn live() -> Json<Live> {
    Json(Live { status: "ok" })
}

/// Whether it takes requests
///
/// A readiness probe, for load balancers. The response reports the result of the last background check, which is at
/// most a few seconds old. The probe checks nothing itself, so it is fast even if a dependency hangs. Once the service
/// is told to stop, it is not ready.
#[utoipa::path(
    get,
    path = "/readyz",
    operation_id = "readReadiness",
    tag = "Service",
    responses((status = 200, description = "The service accepts requests.", body = Report)),
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
