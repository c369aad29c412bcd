//! Ids in paths.

use axum::extract::Path;
use axum::extract::rejection::PathRejection;
use uuid::Uuid;

use super::error::ApiError;

/// Parses the id in a path.
///
/// # Errors
/// `nothing` if it is not a UUID.
pub fn id_of(id: Result<Path<String>, PathRejection>, nothing: ApiError) -> Result<Uuid, ApiError> {
    id.ok().and_then(|Path(id)| id.parse().ok()).ok_or(nothing)
}
