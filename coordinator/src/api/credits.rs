//! `GET /api/credits/balance`.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use serde_json::Value;

use super::caller::Authorised;
use super::error::ApiError;
use super::{App, view};
use crate::accounts::Scope;

/// What the account has.
pub async fn balance(State(app): State<Arc<App>>, caller: Authorised) -> Result<Json<Value>, ApiError> {
    caller.need(Scope::CreditsRead)?;
    let account = caller.account_id;
    let balance = app
        .store
        .run(move |store| {
            let balance = store.balance(account)?;
            store.settle()?;
            Ok(balance)
        })
        .await?;
    Ok(Json(view::balance(balance, &caller.account)))
}
