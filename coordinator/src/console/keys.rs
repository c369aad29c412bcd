//! `/console/api/keys`: an account's API keys, for its holders.

use std::sync::Arc;

use axum::Json;
use axum::body::Body;
use axum::extract::State;
use axum::http::{HeaderMap, Uri};
use axum::response::Response;
use serde::Serialize;

use crate::access::{Holding, keyring};
use crate::app::App;
use crate::http::error::ApiError;
use crate::http::path::{Id, kind};

/// Lists the account's keys.
pub async fn list(State(app): State<Arc<App>>, visitor: Holding) -> Result<Json<impl Serialize>, ApiError> {
    keyring::list(&app, &visitor.asked()).await
}

/// Creates a key. Returns 201 with the secret, which is shown only once.
pub async fn create(
    State(app): State<Arc<App>>,
    visitor: Holding,
    headers: HeaderMap,
    body: Body,
) -> Result<Response, ApiError> {
    keyring::create(&app, &visitor.asked(), &headers, body).await
}

/// Creates a key that replaces another one. The old key stays valid for a grace period.
pub async fn rotate(
    State(app): State<Arc<App>>,
    visitor: Holding,
    Id(id, ..): Id<kind::Key>,
    headers: HeaderMap,
    body: Body,
) -> Result<Response, ApiError> {
    keyring::rotate(&app, &visitor.asked(), id, &headers, body).await
}

/// Revokes a key. Revoking a revoked key changes nothing.
pub async fn revoke(
    State(app): State<Arc<App>>,
    visitor: Holding,
    Id(id, ..): Id<kind::Key>,
) -> Result<Response, ApiError> {
    keyring::revoke(&app, &visitor.asked(), id).await
}

/// Returns the daily usage of a key.
pub async fn usage(
    State(app): State<Arc<App>>,
    visitor: Holding,
    Id(id, ..): Id<kind::Key>,
    uri: Uri,
) -> Result<Json<impl Serialize>, ApiError> {
    keyring::usage(&app, &visitor.asked(), id, &uri).await
}
