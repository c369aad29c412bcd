//! `/console/api/service`: the service itself, for staff. The operator does the same with the command line; both call
//! the same handlers.

use std::sync::Arc;

use axum::extract::State;
use axum::middleware::from_extractor;
use axum::routing::{get, patch, post};
use axum::{Json, Router};
use serde::Serialize;
use uuid::Uuid;

use crate::access::Staff;
use crate::admin::fleet::{Doings, FleetView};
use crate::admin::generations::{self, Letters};
use crate::admin::{accounts, people};
use crate::app::{App, Series};
use crate::http::error::ApiError;
use crate::state::Failed;

/// Maximum number of failures in a response.
const FAILURES: usize = 50;

/// Builds the router of every path. Only staff may use them.
pub(super) fn router() -> Router<Arc<App>> {
    Router::new()
        .route("/", get(read))
        .route("/dead-letters/{job}/retry", post(generations::retry_letter))
        .route("/accounts", get(accounts::list).post(accounts::create))
        .route("/accounts/{id}", patch(accounts::change).get(accounts::read))
        .route("/accounts/{id}/credits", post(accounts::give))
        .route("/accounts/{id}/members", post(people::invite))
        .route("/accounts/{id}/members/{member}/link", post(people::link))
        .layer(from_extractor::<Staff>())
}

/// The state of the service.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct ServiceView {
    #[serde(flatten)]
    fleet: FleetView,
    /// One point per minute, oldest first.
    history: Series,
    /// Recent failures, newest first.
    failures: Vec<FailureView>,
    dead_letters: Letters,
}

/// A generation with failed outputs.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct FailureView {
    generation_id: Uuid,
    account_id: Uuid,
    account_name: String,
    title: Option<String>,
    code: String,
    message: String,
    at: String,
}

/// `GET /console/api/service`.
async fn read(State(app): State<Arc<App>>) -> Result<Json<ServiceView>, ApiError> {
    Ok(Json(view(&app).await?))
}

/// Returns the current state of the service.
pub(super) async fn view(app: &App) -> Result<ServiceView, ApiError> {
    let failures = app.store.run(move |store| store.failures(FAILURES)).await?;
    let doings = Doings::read(&app.store).await?;
    Ok(ServiceView {
        fleet: FleetView::of(&app.work, &doings),
        history: app.history.series(),
        failures: failures.into_iter().map(FailureView::of).collect(),
        dead_letters: generations::letters(app).await?,
    })
}

impl FailureView {
    fn of(failed: Failed) -> Self {
        let Failed { generation, account_name, fault } = failed;
        Self {
            generation_id: generation.id,
            account_id: generation.account,
            account_name,
            title: generation.title().map(str::to_owned),
            code: fault.code,
            message: fault.message,
            at: generation.completed.unwrap_or(generation.created).to_string(),
        }
    }
}
