//! `GET /api/brands`: the account's brand kits, of which it can't have any yet.

use axum::Json;
use serde_json::{Value, json};

use super::caller::Authorised;
use super::error::ApiError;
use crate::accounts::Scope;

/// The account's brand kits.
pub async fn list(caller: Authorised) -> Result<Json<Value>, ApiError> {
    caller.need(Scope::BrandsRead)?;
    Ok(Json(json!({ "brands": [], "count": 0 })))
}
