//! `/admin/accounts/:id/keys…`, `/admin/accounts/:id/members…`: the operator's access to what a holder does in the
//! console.

use std::sync::Arc;

use axum::Json;
use axum::body::Body;
use axum::extract::State;
use axum::http::HeaderMap;
use axum::response::Response;
use serde::Serialize;

use super::accounts::Found;
use crate::access::keyring;
use crate::access::{Asked, membership};
use crate::app::App;
use crate::http::error::ApiError;
use crate::http::json::Fields;
use crate::http::path::{Id, kind};

impl Found {
    /// Returns the account, with the operator as the sender of the request.
    fn asked(self) -> Asked {
        let Self { id, account } = self;
        Asked { account: id, plan: account.plan, by: "the operator".into(), is_operator: true }
    }
}

/// Lists the account's keys.
pub async fn keys(State(app): State<Arc<App>>, found: Found) -> Result<Json<impl Serialize>, ApiError> {
    keyring::list(&app, &found.asked()).await
}

/// Creates a key.
pub async fn make_key(
    State(app): State<Arc<App>>,
    found: Found,
    headers: HeaderMap,
    body: Body,
) -> Result<Response, ApiError> {
    keyring::create(&app, &found.asked(), &headers, body).await
}

/// Creates a key that replaces another one.
pub async fn rotate_key(
    State(app): State<Arc<App>>,
    found: Found,
    Id(id, ..): Id<kind::Key>,
    headers: HeaderMap,
    body: Body,
) -> Result<Response, ApiError> {
    keyring::rotate(&app, &found.asked(), id, &headers, body).await
}

/// Revokes a key.
pub async fn revoke_key(
    State(app): State<Arc<App>>,
    found: Found,
    Id(id, ..): Id<kind::Key>,
) -> Result<Response, ApiError> {
    keyring::revoke(&app, &found.asked(), id).await
}

/// Lists the account's members.
pub async fn members(State(app): State<Arc<App>>, found: Found) -> Result<Json<impl Serialize>, ApiError> {
    membership::list(&app, &found.asked()).await
}

/// Invites a member.
pub async fn invite(State(app): State<Arc<App>>, found: Found, Fields(fields): Fields) -> Result<Response, ApiError> {
    membership::invite(&app, &found.asked(), &fields).await
}

/// Changes a member.
pub async fn change_member(
    State(app): State<Arc<App>>,
    found: Found,
    Id(id, ..): Id<kind::Member>,
    Fields(fields): Fields,
) -> Result<Json<impl Serialize>, ApiError> {
    membership::change(&app, &found.asked(), id, &fields).await
}

/// Removes a member.
pub async fn remove_member(
    State(app): State<Arc<App>>,
    found: Found,
    Id(id, ..): Id<kind::Member>,
) -> Result<Response, ApiError> {
    membership::remove(&app, &found.asked(), id).await
}

/// Creates a new link for a member.
pub async fn link(
    State(app): State<Arc<App>>,
    found: Found,
    Id(id, ..): Id<kind::Member>,
) -> Result<Response, ApiError> {
    membership::link(&app, &found.asked(), id).await
}
