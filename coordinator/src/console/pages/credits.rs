//! The credits page: the account's balance and its ledger.

use std::sync::Arc;

use axum::extract::State;
use axum::response::Response;
use serde::Serialize;
use serde_json::{Value, json};

use super::Page;
use super::seat::Seat;
use crate::api::error::ApiError;
use crate::api::{App, credits};
use crate::clock::Millis;
use crate::console::statement;

/// Number of days in the chart.
const DAYS: u32 = 90;

#[derive(Serialize)]
struct Data {
    balance: Value,
    statement: Value,
    usage: Vec<Value>,
}

/// `GET /credits`.
pub(super) async fn show(State(app): State<Arc<App>>, seat: Seat) -> Result<Response, ApiError> {
    let balance = credits::balance(State(Arc::clone(&app)), seat.caller()).await?.0;
    let account = seat.account_id;
    let spent = app.store.run(move |store| store.spending(account, DAYS, Millis::now())).await?;
    let data = Data {
        balance: super::json_of(&balance)?,
        statement: super::json_of(&statement::page(&app, account, None).await?)?,
        usage: spent.into_iter().map(|(day, credits)| json!({"day": day.to_string(), "credits": credits})).collect(),
    };
    Page { name: "credits", title: "Credits", lead: None, styles: &["vendored/uplot.css"], data: &data }
        .answer(&app, &seat)
}
