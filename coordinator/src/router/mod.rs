//! Composes the routers of the API and the console, and wraps them in the middleware.

mod frame;

use std::sync::Arc;

use axum::extract::Request;
use axum::http::Uri;
use axum::http::uri::PathAndQuery;
use axum::middleware::{from_fn, from_fn_with_state};
use axum::{Extension, Router};
use tower::util::MapRequest;

use crate::api::{self, spec};
use crate::app::App;
use crate::console;
use crate::http::pack;

/// Builds the service with all paths.
pub fn router(app: Arc<App>) -> Router {
    let (paths, document) = api::paths().split_for_parts();
    let document = Arc::new(spec::Document::new(spec::finish(document, app.signer.base())));
    let paths = paths
        // The console's own endpoints, which the OpenAPI document leaves out.
        .nest(console::PATH, console::router())
        .merge(console::pages::router())
        .layer(Extension(document))
        .layer(from_fn(pack::pack))
        .layer(from_fn_with_state(Arc::clone(&app), frame::frame))
        .with_state(app);
    // A router's own layers run after routing, so this layer wraps the router to change the path first.
    Router::new().fallback_service(MapRequest::new(paths, without_trailing_slash))
}

/// Removes the trailing slash from paths under `/api`, so that both spellings match.
fn without_trailing_slash(mut request: Request) -> Request {
    let uri = request.uri();
    let Some(path) = uri.path().strip_suffix('/').filter(|path| path.starts_with("/api/")) else { return request };
    let rest = uri.query().map(|query| format!("{path}?{query}"));
    let mut parts = uri.clone().into_parts();
    parts.path_and_query = PathAndQuery::try_from(rest.as_deref().unwrap_or(path)).ok();
    if let Ok(uri) = Uri::from_parts(parts) {
        *request.uri_mut() = uri;
    }
    request
}

#[cfg(test)]
mod tests;
