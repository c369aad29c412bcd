//! Requests that a stopping service doesn't take.

use std::sync::Arc;

use axum::extract::FromRequestParts;
use axum::http::request::Parts;

use super::error::ApiError;
use crate::app::App;

/// The service is not stopping. Rejects requests with [`ApiError::ShuttingDown`] otherwise.
#[derive(Debug, Clone, Copy)]
pub struct Running;

impl FromRequestParts<Arc<App>> for Running {
    type Rejection = ApiError;

    async fn from_request_parts(_: &mut Parts, app: &Arc<App>) -> Result<Self, ApiError> {
        if app.stopping.is_cancelled() { Err(ApiError::ShuttingDown) } else { Ok(Self) }
    }
}
