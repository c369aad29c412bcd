//! `POST /admin/exports`: writes a copy of the state.

use std::sync::Arc;

use axum::extract::State;
use axum::{Extension, Json};
use serde::Serialize;

use crate::app::App;
use crate::clock::Millis;
use crate::exports::Exports;
use crate::http::error::ApiError;

/// A copy of the state.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct ExportView {
    /// Path of the copy on the service's machine.
    file: String,
    rows: u64,
    bytes: u64,
    milliseconds: u128,
}

/// A response with a copy.
#[derive(Debug, Serialize)]
struct Made {
    export: ExportView,
}

/// Writes a copy of the state to the backup folder.
pub async fn make(
    State(app): State<Arc<App>>,
    Extension(exports): Extension<Exports>,
) -> Result<Json<impl Serialize>, ApiError> {
    let (file, made) = app.store.run(move |store| exports.take(store, Millis::now())).await?;
    let file = std::path::absolute(&file).unwrap_or(file).display().to_string();
    let (rows, bytes, milliseconds) = (made.rows, made.bytes, made.took.as_millis());
    Ok(Json(Made { export: ExportView { file, rows, bytes, milliseconds } }))
}
