//! The account page: the member, its sessions, and the account's members.

use std::sync::Arc;

use axum::extract::State;
use axum::response::Response;
use serde::Serialize;
use serde_json::{Value, json};
use uuid::Uuid;

use super::page::{self, Page};
use super::seat::Seat;
use crate::access::membership;
use crate::accounts::Role;
use crate::app::App;
use crate::clock::Millis;
use crate::console::session;
use crate::http::error::ApiError;

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Data {
    member: Value,
    account: Value,
    sessions: Value,
    members: Option<Value>,
    current_session: Uuid,
}

/// `GET /account`.
pub(super) async fn show(State(app): State<Arc<App>>, seat: Seat) -> Result<Response, ApiError> {
    let (account, member, current) = (seat.account_id, seat.member.id, seat.session.id);
    let sessions = app.store.run(move |store| store.sessions(account, member, Millis::now())).await?;
    let members = if seat.member.role == Role::Holder {
        let members = app.store.run(move |store| store.members(account)).await?;
        Some(page::json_of(&members.iter().map(membership::view).collect::<Vec<_>>())?)
    } else {
        None
    };
    let data = Data {
        member: page::json_of(&membership::view(&seat.member))?,
        account: json!({
            "id": account, "name": seat.account.name, "plan": seat.account.plan.name(), "active": seat.account.active,
        }),
        sessions: page::json_of(&sessions.iter().map(|s| session::view(s, current)).collect::<Vec<_>>())?,
        members,
        current_session: current,
    };
    Page { name: "account", title: "Account", lead: None, styles: &[], data: &data }.answer(&app, &seat)
}
