//! The credits page: the account's balance and its ledger.

use std::sync::Arc;

use axum::extract::State;
use axum::response::Response;
use serde::Serialize;
use serde_json::{Value, json};

use super::page::{self, Page};
use super::seat::Seat;
use crate::api::credits;
use crate::app::App;
use crate::clock::Millis;
use crate::console::statement;
use crate::http::error::ApiError;

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
        balance: page::json_of(&balance)?,
        statement: page::json_of(&statement::page(&app, account, None).await?)?,
        usage: spent.into_iter().map(|(day, credits)| json!({"day": day.to_string(), "credits": credits})).collect(),
    };
    Page { name: "credits", title: "Credits", lead: None, styles: &["vendored/uplot.css"], data: &data }
        .answer(&app, &seat)
}
