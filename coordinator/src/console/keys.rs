//! `/console/api/keys`: an account's API keys, for its holders.

use std::sync::Arc;

use axum::Json;
use axum::body::Body;
use axum::extract::rejection::PathRejection;
use axum::extract::{Path, State};
use axum::http::{HeaderMap, Uri};
use axum::response::Response;
use serde::Serialize;

use super::id_of;
use super::visitor::Active;
use crate::api::error::{ApiError, Missing};
use crate::api::{App, keyring};

/// The account's keys.
pub async fn list(State(app): State<Arc<App>>, visitor: Active) -> Result<Json<impl Serialize>, ApiError> {
    visitor.need_holder()?;
    keyring::list(&app, &visitor.asked()).await
}

/// Makes one: 201 with the key itself, this once.
pub async fn create(
    State(app): State<Arc<App>>,
    visitor: Active,
    headers: HeaderMap,
    body: Body,
) -> Result<Response, ApiError> {
    visitor.need_holder()?;
    keyring::create(&app, &visitor.asked(), &headers, body).await
}

/// Makes one in the place of another, which stays valid for a while.
pub async fn rotate(
    State(app): State<Arc<App>>,
    visitor: Active,
    id: Result<Path<String>, PathRejection>,
    headers: HeaderMap,
    body: Body,
) -> Result<Response, ApiError> {
    visitor.need_holder()?;
    keyring::rotate(&app, &visitor.asked(), id_of(id, ApiError::Missing(Missing::Key))?, &headers, body).await
}

/// Revokes one; what is revoked already stays so.
pub async fn revoke(
    State(app): State<Arc<App>>,
    visitor: Active,
    id: Result<Path<String>, PathRejection>,
) -> Result<Response, ApiError> {
    visitor.need_holder()?;
    keyring::revoke(&app, &visitor.asked(), id_of(id, ApiError::Missing(Missing::Key))?).await
}

/// What one did, day by day.
pub async fn usage(
    State(app): State<Arc<App>>,
    visitor: Active,
    id: Result<Path<String>, PathRejection>,
    uri: Uri,
) -> Result<Json<impl Serialize>, ApiError> {
    visitor.need_holder()?;
    keyring::usage(&app, &visitor.asked(), id_of(id, ApiError::Missing(Missing::Key))?, &uri).await
}
