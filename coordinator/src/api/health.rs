//! `GET /healthz`: the process runs. `GET /readyz`: it takes requests.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use serde_json::{Value, json};

use super::App;
use super::error::ApiError;

/// Whether the process runs.
pub async fn live() -> Json<Value> {
    Json(json!({ "status": "ok" }))
}

/// Whether it takes requests: no after it was told to stop.
pub async fn ready(State(app): State<Arc<App>>) -> Result<Json<Value>, ApiError> {
    if app.stopping.is_cancelled() { Err(ApiError::ShuttingDown) } else { Ok(Json(json!({ "status": "ok" }))) }
}
