//! The credits page: the account's balance and its ledger.

use std::collections::BTreeMap;
use std::sync::Arc;

use axum::extract::State;
use axum::http::Uri;
use axum::response::Response;
use serde::Serialize;
use serde_json::{Value, json};
use uuid::Uuid;

use super::Page;
use super::seat::Seat;
use crate::api::error::ApiError;
use crate::api::{App, credits};
use crate::clock::Millis;
use crate::state::Store;

/// Number of days in the chart.
const DAYS: u32 = 90;

#[derive(Serialize)]
struct Data {
    balance: Value,
    entries: Value,
    pagination: Value,
    usage: Vec<Value>,
    names: BTreeMap<Uuid, String>,
}

/// `GET /credits`.
pub(super) async fn show(State(app): State<Arc<App>>, seat: Seat) -> Result<Response, ApiError> {
    let balance = credits::balance(State(Arc::clone(&app)), seat.caller()).await?.0;
    let first = Uri::from_static("/?limit=100");
    let ledger = credits::ledger(State(Arc::clone(&app)), seat.caller(), first).await?.0;
    let ledger = super::json_of(&ledger)?;
    let account = seat.account_id;
    let spent = app.store.run(move |store| store.spending(account, DAYS, Millis::now())).await?;
    let shown = ids(&ledger["entries"]);
    let names = app.store.run(move |store| titles(store, account, shown)).await?;
    let data = Data {
        balance: super::json_of(&balance)?,
        entries: ledger["entries"].clone(),
        pagination: ledger["pagination"].clone(),
        usage: spent.into_iter().map(|(day, credits)| json!({"day": day.to_string(), "credits": credits})).collect(),
        names,
    };
    Page { name: "credits", title: "Credits", lead: None, styles: &["vendored/uplot.css"], data: &data }
        .answer(&app, &seat)
}

/// Returns the generations that the ledger entries refer to.
fn ids(entries: &Value) -> Vec<Uuid> {
    let named =
        entries.as_array().into_iter().flatten().filter_map(|entry| entry["generationId"].as_str()?.parse().ok());
    let mut ids: Vec<Uuid> = named.collect();
    ids.sort_unstable();
    ids.dedup();
    ids
}

fn titles(store: &Store, account: Uuid, ids: Vec<Uuid>) -> Result<BTreeMap<Uuid, String>, crate::state::StateError> {
    let mut titles = BTreeMap::new();
    for id in ids {
        if let Some(snapshot) = store.generation(account, id)? {
            let g = snapshot.generation;
            if let Some(title) = g.planned.map(|planned| planned.title).or(g.request.title) {
                titles.insert(id, title);
            }
        }
    }
    Ok(titles)
}
