//! The service page, for staff.

use std::sync::Arc;

use axum::extract::State;
use axum::response::Response;
use serde::Serialize;
use serde_json::Value;

use super::page::{self, Page};
use super::seat::Seat;
use crate::accounts::Plan;
use crate::admin::accounts;
use crate::app::App;
use crate::console::service;
use crate::http::error::ApiError;
use crate::http::listing::{self, LIMIT_MAX};

#[derive(Serialize)]
struct Data {
    service: Value,
    accounts: Value,
    plans: [&'static str; Plan::ALL.len()],
}

/// `GET /fleet`.
pub(super) async fn show(State(app): State<Arc<App>>, seat: Seat) -> Result<Response, ApiError> {
    seat.need_staff()?;
    let most = listing::Page { after: None, limit: LIMIT_MAX, warnings: Vec::new() };
    let every = accounts::list(State(Arc::clone(&app)), most).await?.0;
    let data = Data {
        service: page::json_of(&service::view(&app).await?)?,
        accounts: page::json_of(&every)?,
        plans: Plan::ALL.map(Plan::name),
    };
    let lead = Some("Workers, queued jobs and failures.");
    Page { name: "fleet", title: "Fleet", lead, styles: &["vendored/uplot.css"], data: &data }.answer(&app, &seat)
}
