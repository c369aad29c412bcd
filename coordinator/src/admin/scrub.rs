//! `GET, POST /admin/scrub`: reports the progress of the object store scrub, and starts a pass.

use std::sync::Arc;

use axum::extract::State;
use axum::{Extension, Json};
use serde::Serialize;

use crate::app::App;
use crate::http::error::ApiError;
use crate::scrub::Scrub;
use crate::state::Pass;

/// A pass over all stored objects.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct PassView {
    began_at: String,
    ended_at: Option<String>,
    objects: u64,
    bytes: u64,
    damaged: u64,
}

/// The state of the scrub.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct ScrubView {
    /// The pass in progress.
    now: Option<PassView>,
    /// The last completed pass.
    last: Option<PassView>,
    /// Images that are being rendered again, and images for which that failed.
    repairs_under_way: u64,
    repairs_failed: u64,
}

/// A response with the state of the scrub.
#[derive(Debug, Serialize)]
pub struct Told {
    scrub: ScrubView,
}

/// Returns the state of the scrub.
pub async fn read(State(app): State<Arc<App>>, Extension(scrub): Extension<Scrub>) -> Result<Json<Told>, ApiError> {
    let progress = scrub.progress().await?;
    let (repairs_under_way, repairs_failed) = app.store.run(crate::state::Store::repairs).await?;
    let now = progress.now.map(|(pass, ..)| shown(pass));
    Ok(Json(Told { scrub: ScrubView { now, last: progress.last.map(shown), repairs_under_way, repairs_failed } }))
}

/// Starts a pass, or speeds up the one in progress.
pub async fn begin(app: State<Arc<App>>, Extension(scrub): Extension<Scrub>) -> Result<Json<Told>, ApiError> {
    scrub.begin();
    read(app, Extension(scrub)).await
}

fn shown(pass: Pass) -> PassView {
    let Pass { began, ended, objects, bytes, damaged } = pass;
    let ended_at = (ended.0 != 0).then(|| ended.to_string());
    PassView { began_at: began.to_string(), ended_at, objects, bytes, damaged }
}
