//! `/admin/accounts/:id/keys…`, `/admin/accounts/:id/members…`: the operator's access to what a holder does in the
//! console.

use std::sync::Arc;

use axum::Json;
use axum::body::Body;
use axum::extract::rejection::PathRejection;
use axum::extract::{Path, State};
use axum::http::HeaderMap;
use axum::response::Response;
use serde::Serialize;
use uuid::Uuid;

use super::accounts::found;
use crate::access::keyring;
use crate::access::{Asked, membership};
use crate::app::App;
use crate::http::error::{ApiError, Missing};

type One = Result<Path<String>, PathRejection>;
type Two = Result<Path<(String, String)>, PathRejection>;

/// Builds the operator's request for the account in a path.
async fn asked(app: &App, id: One) -> Result<Asked, ApiError> {
    let (account, record) = found(app, id).await?;
    Ok(Asked { account, plan: record.plan, by: "the operator".into(), is_operator: true })
}

/// The same, with the id of a key or member in the account.
async fn asked_of(app: &App, ids: Two, nothing: ApiError) -> Result<(Asked, Uuid), ApiError> {
    let Path((account, id)) = ids.map_err(|_| ApiError::Missing(Missing::Account))?;
    let asked = asked(app, Ok(Path(account))).await?;
    Ok((asked, id.parse().map_err(|_| nothing)?))
}

/// Lists the account's keys.
pub async fn keys(State(app): State<Arc<App>>, id: One) -> Result<Json<impl Serialize>, ApiError> {
    keyring::list(&app, &asked(&app, id).await?).await
}

/// Creates a key.
pub async fn make_key(
    State(app): State<Arc<App>>,
    id: One,
    headers: HeaderMap,
    body: Body,
) -> Result<Response, ApiError> {
    keyring::create(&app, &asked(&app, id).await?, &headers, body).await
}

/// Creates a key that replaces another one.
pub async fn rotate_key(
    State(app): State<Arc<App>>,
    ids: Two,
    headers: HeaderMap,
    body: Body,
) -> Result<Response, ApiError> {
    let (asked, id) = asked_of(&app, ids, ApiError::Missing(Missing::Key)).await?;
    keyring::rotate(&app, &asked, id, &headers, body).await
}

/// Revokes a key.
pub async fn revoke_key(State(app): State<Arc<App>>, ids: Two) -> Result<Response, ApiError> {
    let (asked, id) = asked_of(&app, ids, ApiError::Missing(Missing::Key)).await?;
    keyring::revoke(&app, &asked, id).await
}

/// Lists the account's members.
pub async fn members(State(app): State<Arc<App>>, id: One) -> Result<Json<impl Serialize>, ApiError> {
    membership::list(&app, &asked(&app, id).await?).await
}

/// Invites a member.
pub async fn invite(
    State(app): State<Arc<App>>,
    id: One,
    headers: HeaderMap,
    body: Body,
) -> Result<Response, ApiError> {
    membership::invite(&app, &asked(&app, id).await?, &headers, body).await
}

/// Changes a member.
pub async fn change_member(
    State(app): State<Arc<App>>,
    ids: Two,
    headers: HeaderMap,
    body: Body,
) -> Result<Json<impl Serialize>, ApiError> {
    let (asked, id) = asked_of(&app, ids, ApiError::Missing(Missing::Member)).await?;
    membership::change(&app, &asked, id, &headers, body).await
}

/// Removes a member.
pub async fn remove_member(State(app): State<Arc<App>>, ids: Two) -> Result<Response, ApiError> {
    let (asked, id) = asked_of(&app, ids, ApiError::Missing(Missing::Member)).await?;
    membership::remove(&app, &asked, id).await
}

/// Creates a new link for a member.
pub async fn link(State(app): State<Arc<App>>, ids: Two) -> Result<Response, ApiError> {
    let (asked, id) = asked_of(&app, ids, ApiError::Missing(Missing::Member)).await?;
    membership::link(&app, &asked, id).await
}
