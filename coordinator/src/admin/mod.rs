//! The operator's API, on a separate listener with its own token: accounts and their credits, keys, and the work of
//! generations. The commands of the binary call it.

pub(crate) mod accounts;
mod exports;
pub mod fleet;
pub(crate) mod generations;
pub(crate) mod people;
mod scrub;
pub mod token;

use std::panic::AssertUnwindSafe;
use std::sync::Arc;

use axum::extract::{Request, State};
use axum::http::header;
use axum::middleware::{Next, from_fn_with_state};
use axum::response::{IntoResponse, Response};
use axum::routing::{delete, get, post, put};
use axum::{Extension, Router};
use futures::FutureExt;
use uuid::Uuid;

use crate::app::App;
use crate::budget::{Budget, Holder};
use crate::exports::Exports;
use crate::http::error::ApiError;
use crate::http::metered::Meter;
use crate::http::shape::shaped;
use crate::scrub::Scrub;
use crate::serve::Refusal;
use token::TokenDigest;

/// Builds the router of the operator's API, for clients that send the token with this digest.
pub fn router(app: Arc<App>, exports: Exports, scrub: Scrub, token: TokenDigest) -> Router {
    Router::new()
        .route("/admin/accounts", get(accounts::list).post(accounts::create))
        .route("/admin/accounts/{id}", get(accounts::read).patch(accounts::change))
        .route("/admin/accounts/{id}/credits", post(accounts::give))
        .route("/admin/accounts/{id}/ledger", get(accounts::ledger))
        .route("/admin/accounts/{id}/keys", get(people::keys).post(people::make_key))
        .route("/admin/accounts/{id}/keys/{key}", delete(people::revoke_key))
        .route("/admin/accounts/{id}/keys/{key}/rotate", post(people::rotate_key))
        .route("/admin/accounts/{id}/members", get(people::members).post(people::invite))
        .route("/admin/accounts/{id}/members/{member}", put(people::change_member).delete(people::remove_member))
        .route("/admin/accounts/{id}/members/{member}/link", post(people::link))
        .route("/admin/generations/{id}", get(generations::read))
        .route("/admin/generations/{id}/retry", post(generations::retry))
        .route("/admin/dead-letters", get(generations::dead_letters))
        .route("/admin/dead-letters/{job}/retry", post(generations::retry_letter))
        .route("/admin/exports", post(exports::make))
        .route("/admin/fleet", get(fleet::read))
        .route("/admin/scrub", get(scrub::read).post(scrub::begin))
        .layer(Extension(exports))
        .layer(Extension(scrub))
        .layer(from_fn_with_state((token, app.bodies.budget.clone()), let_in))
        .with_state(app)
}

/// Authenticates the operator, and converts errors to the contract's format.
async fn let_in(State((token, budget)): State<(TokenDigest, Budget)>, request: Request, next: Next) -> Response {
    let id = Uuid::now_v7();
    if let Some(refusal) = request.extensions().get::<Refusal>() {
        return shaped(ApiError::Refused(*refusal).into_response(), id);
    }
    let sent = request.headers().get(header::AUTHORIZATION).and_then(|v| v.to_str().ok()?.strip_prefix("Bearer "));
    let response = if sent.is_some_and(|sent| token.is_of(sent)) {
        let path = request.uri().path().to_owned();
        tracing::info!(%id, method = %request.method(), path, "the operator asks");
        let (request, meter) = Meter::over(request, &budget, Holder::Operator);
        let answered = AssertUnwindSafe(next.run(request)).catch_unwind().await;
        meter.settle(answered.unwrap_or_else(|_| ApiError::Internal.into_response()))
    } else {
        ApiError::AdminTokenInvalid.into_response()
    };
    shaped(response, id)
}
