//! The console: web pages for the members of an account. Under `/console/api` it also serves JSON that only these pages
//! use, in addition to the public API: sessions, keys, members, previews, and the service itself for staff.
//!
//! A session is identified by a cookie. Requests that change something must also send the session's token in
//! `X-CSRF-Token` and come from the service's own origin.

mod again;
mod assets;
mod faces;
mod keys;
mod members;
pub mod pages;
mod password;
mod pictures;
mod samples;
mod service;
mod session;
mod sources;
mod statement;

use std::sync::Arc;

use axum::Router;
use axum::routing::{delete, get, post, put};

use crate::app::App;

/// The path prefix of the console's own endpoints.
pub const PATH: &str = "/console/api";

/// Builds the router of every path below [`PATH`].
pub fn router() -> Router<Arc<App>> {
    Router::new()
        .route("/session", get(session::read).post(session::log_in).delete(session::log_out))
        .route("/sessions", get(session::list))
        .route("/sessions/{id}", delete(session::end))
        .route("/password", post(password::set_by_link).put(password::change))
        .route("/keys", get(keys::list).post(keys::create))
        .route("/keys/{id}", delete(keys::revoke))
        .route("/keys/{id}/rotate", post(keys::rotate))
        .route("/keys/{id}/usage", get(keys::usage))
        .route("/members", get(members::list).post(members::invite))
        .route("/members/{id}", put(members::change).delete(members::remove))
        .route("/members/{id}/link", post(members::link))
        .route("/faces/{family}", get(faces::read))
        .route("/swatches", get(samples::swatches))
        .route("/samples", post(samples::samples))
        .route("/statement", get(statement::read))
        .route("/pictures/{id}/{version}", get(pictures::read))
        .route("/generations/{id}/input", post(again::input))
        .route("/generations/{id}/sources", get(sources::read))
        .nest("/service", service::router())
}

/// Whether a POST to this path logs in or sets a password.
pub fn is_login(path: &str) -> bool {
    path.strip_prefix(PATH).is_some_and(|rest| ["/session", "/password"].contains(&rest))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn posts_that_open_a_session_are_logins() {
        assert!(is_login("/console/api/session") && is_login("/console/api/password"));
        assert!(!is_login("/console/api/sessions") && !is_login("/api/session") && !is_login("/console/api/keys"));
    }
}
