//! `/console/api/keys`: an account's API keys, for its holders.

use std::sync::Arc;

use axum::Json;
use axum::body::Body;
use axum::extract::rejection::PathRejection;
use axum::extract::{Path, State};
use axum::http::{HeaderMap, Uri};
use axum::response::Response;
use serde::Serialize;

use crate::access::{Active, keyring};
use crate::app::App;
use crate::http::error::{ApiError, Missing};
use crate::http::path::id_of;

/// Lists the account's keys.
pub async fn list(State(app): State<Arc<App>>, visitor: Active) -> Result<Json<impl Serialize>, ApiError> {
    visitor.need_holder()?;
    keyring::list(&app, &visitor.asked()).await
}

/// Creates a key. Returns 201 with the secret, which is shown only once.
pub async fn create(
    State(app): State<Arc<App>>,
    visitor: Active,
    headers: HeaderMap,
    body: Body,
) -> Result<Response, ApiError> {
    visitor.need_holder()?;
    keyring::create(&app, &visitor.asked(), &headers, body).await
}

/// Creates a key that replaces another one. The old key stays valid for a grace period.
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

/// Revokes a key. Revoking a revoked key changes nothing.
pub async fn revoke(
    State(app): State<Arc<App>>,
    visitor: Active,
    id: Result<Path<String>, PathRejection>,
) -> Result<Response, ApiError> {
    visitor.need_holder()?;
    keyring::revoke(&app, &visitor.asked(), id_of(id, ApiError::Missing(Missing::Key))?).await
}

/// Returns the daily usage of a key.
pub async fn usage(
    State(app): State<Arc<App>>,
    visitor: Active,
    id: Result<Path<String>, PathRejection>,
    uri: Uri,
) -> Result<Json<impl Serialize>, ApiError> {
    visitor.need_holder()?;
    keyring::usage(&app, &visitor.asked(), id_of(id, ApiError::Missing(Missing::Key))?, &uri).await
}
