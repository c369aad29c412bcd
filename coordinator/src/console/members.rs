//! `/console/api/members`: an account's members, for its holders.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use axum::response::Response;
use serde::Serialize;

use crate::access::{Holding, membership};
use crate::app::App;
use crate::http::error::ApiError;
use crate::http::json::Fields;
use crate::http::path::{Id, kind};

/// Lists the account's members.
pub async fn list(State(app): State<Arc<App>>, visitor: Holding) -> Result<Json<impl Serialize>, ApiError> {
    membership::list(&app, &visitor.asked()).await
}

/// Invites a member. Returns 201 with a link.
pub async fn invite(
    State(app): State<Arc<App>>,
    visitor: Holding,
    Fields(fields): Fields,
) -> Result<Response, ApiError> {
    membership::invite(&app, &visitor.asked(), &fields).await
}

/// Changes a member's name, role, or whether it may log in. Omitted fields stay as they are.
pub async fn change(
    State(app): State<Arc<App>>,
    visitor: Holding,
    Id(id, ..): Id<kind::Member>,
    Fields(fields): Fields,
) -> Result<Json<impl Serialize>, ApiError> {
    membership::change(&app, &visitor.asked(), id, &fields).await
}

/// Removes a member and ends its sessions.
pub async fn remove(
    State(app): State<Arc<App>>,
    visitor: Holding,
    Id(id, ..): Id<kind::Member>,
) -> Result<Response, ApiError> {
    membership::remove(&app, &visitor.asked(), id).await
}

/// Creates a new link for a member. Returns 201; the previous link becomes invalid.
pub async fn link(
    State(app): State<Arc<App>>,
    visitor: Holding,
    Id(id, ..): Id<kind::Member>,
) -> Result<Response, ApiError> {
    membership::link(&app, &visitor.asked(), id).await
}
