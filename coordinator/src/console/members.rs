//! `/console/api/members`: an account's members, for its holders.

use std::sync::Arc;

use axum::Json;
use axum::body::Body;
use axum::extract::rejection::PathRejection;
use axum::extract::{Path, State};
use axum::http::HeaderMap;
use axum::response::Response;
use serde::Serialize;

use crate::access::{Active, membership};
use crate::app::App;
use crate::http::error::{ApiError, Missing};
use crate::http::json::Unparsed;
use crate::http::path::id_of;

/// Lists the account's members.
pub async fn list(State(app): State<Arc<App>>, visitor: Active) -> Result<Json<impl Serialize>, ApiError> {
    visitor.need_holder()?;
    membership::list(&app, &visitor.asked()).await
}

/// Invites a member. Returns 201 with a link.
pub async fn invite(
    State(app): State<Arc<App>>,
    visitor: Active,
    headers: HeaderMap,
    body: Body,
) -> Result<Response, ApiError> {
    visitor.need_holder()?;
    let fields = Unparsed::read(&headers, body).await?.fields()?;
    membership::invite(&app, &visitor.asked(), &fields).await
}

/// Changes a member's name, role, or whether it may log in. Omitted fields stay as they are.
pub async fn change(
    State(app): State<Arc<App>>,
    visitor: Active,
    id: Result<Path<String>, PathRejection>,
    headers: HeaderMap,
    body: Body,
) -> Result<Json<impl Serialize>, ApiError> {
    visitor.need_holder()?;
    let id = id_of(id, ApiError::Missing(Missing::Member))?;
    let fields = Unparsed::read(&headers, body).await?.fields()?;
    membership::change(&app, &visitor.asked(), id, &fields).await
}

/// Removes a member and ends its sessions.
pub async fn remove(
    State(app): State<Arc<App>>,
    visitor: Active,
    id: Result<Path<String>, PathRejection>,
) -> Result<Response, ApiError> {
    visitor.need_holder()?;
    membership::remove(&app, &visitor.asked(), id_of(id, ApiError::Missing(Missing::Member))?).await
}

/// Creates a new link for a member. Returns 201; the previous link becomes invalid.
pub async fn link(
    State(app): State<Arc<App>>,
    visitor: Active,
    id: Result<Path<String>, PathRejection>,
) -> Result<Response, ApiError> {
    visitor.need_holder()?;
    membership::link(&app, &visitor.asked(), id_of(id, ApiError::Missing(Missing::Member))?).await
}
