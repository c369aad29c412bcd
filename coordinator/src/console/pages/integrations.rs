//! The integrations page: API keys with usage examples, and webhooks.

use std::sync::Arc;

use axum::extract::State;
use axum::response::Response;
use serde::Serialize;
use serde_json::Value;

use super::page::{self, Page};
use super::seat::Seat;
use crate::access::keyring;
use crate::accounts::{Role, Scope};
use crate::api::webhooks;
use crate::app::App;
use crate::http::error::ApiError;
use crate::http::query::NoParameters;
use crate::state::Event;

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Data {
    holder: bool,
    keys_allowed: bool,
    plan: &'static str,
    keys: Option<Value>,
    scopes: [&'static str; Scope::ALL.len()],
    webhooks: Value,
    events: Vec<&'static str>,
    address: String,
}

/// `GET /integrations`.
pub(super) async fn show(State(app): State<Arc<App>>, seat: Seat) -> Result<Response, ApiError> {
    let holder = seat.member.role == Role::Holder;
    let keys = if holder { Some(page::part(&keyring::list(&app, &seat.asked()).await?.0, "keys")?) } else { None };
    let listed = webhooks::list(State(Arc::clone(&app)), seat.caller(), NoParameters::default()).await?.0;
    let data = Data {
        holder,
        keys_allowed: app.key_plans.allow(seat.account.plan),
        plan: seat.account.plan.name(),
        keys,
        scopes: Scope::ALL.map(Scope::name),
        webhooks: page::part(&listed, "webhooks")?,
        events: Event::ALL.iter().map(|event| event.name()).collect(),
        address: app.signer.base().to_owned(),
    };
    let lead = Some("Call Vivid from your own programs, and get notified when images are ready.");
    Page { name: "integrations", title: "Integrations", lead, styles: &[], data: &data }.answer(&app, &seat)
}
