//! `GET, POST /admin/scrub`: how far the scrub of the object store is, and a pass now.

use std::sync::Arc;

use axum::extract::State;
use axum::{Extension, Json};
use serde::Serialize;

use crate::api::App;
use crate::api::error::ApiError;
use crate::scrub::Scrub;
use crate::state::Pass;

/// A pass over everything that is stored.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct PassView {
    began_at: String,
    ended_at: Option<String>,
    objects: u64,
    bytes: u64,
    damaged: u64,
}

/// What the scrub did and does.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct ScrubView {
    /// The pass under way.
    now: Option<PassView>,
    /// The last one that came to its end.
    last: Option<PassView>,
    /// Images that are being rendered again, and those for which that failed.
    repairs_under_way: u64,
    repairs_failed: u64,
}

/// An answer that holds it.
#[derive(Debug, Serialize)]
pub struct Told {
    scrub: ScrubView,
}

/// How far it is.
pub async fn read(State(app): State<Arc<App>>, Extension(scrub): Extension<Scrub>) -> Result<Json<Told>, ApiError> {
    let progress = scrub.progress().await?;
    let (repairs_under_way, repairs_failed) = app.store.run(crate::state::Store::repairs).await?;
    let now = progress.now.map(|(pass, ..)| shown(pass));
    Ok(Json(Told { scrub: ScrubView { now, last: progress.last.map(shown), repairs_under_way, repairs_failed } }))
}

/// Begins a pass, or hurries the one under way.
pub async fn begin(app: State<Arc<App>>, Extension(scrub): Extension<Scrub>) -> Result<Json<Told>, ApiError> {
    scrub.begin();
    read(app, Extension(scrub)).await
}

fn shown(pass: Pass) -> PassView {
    let Pass { began, ended, objects, bytes, damaged } = pass;
    let ended_at = (ended.0 != 0).then(|| ended.to_string());
    PassView { began_at: began.to_string(), ended_at, objects, bytes, damaged }
}
