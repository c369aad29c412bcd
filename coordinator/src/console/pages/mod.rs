//! The console's web pages. The server authenticates the visitor and renders the frame and the page's initial data. A
//! small JavaScript module renders the rest and calls the API with the session.

mod account;
mod brands;
mod create;
mod credits;
mod doors;
pub mod fault;
mod fleet;
mod generations;
mod integrations;
mod page;
mod seat;
mod shell;

use std::sync::Arc;

use axum::Router;
use axum::routing::get;

use super::assets;
use crate::app::App;

/// Builds the router of every page and static file.
pub fn router() -> Router<Arc<App>> {
    Router::new()
        .route("/", get(create::show))
        .route("/library", get(generations::library))
        .route("/generations/{id}", get(generations::one))
        .route("/generations/{id}/outputs/{output}", get(generations::image))
        .route("/brands", get(brands::list))
        .route("/brands/{id}", get(brands::one))
        .route("/integrations", get(integrations::show))
        .route("/credits", get(credits::show))
        .route("/account", get(account::show))
        .route("/fleet", get(fleet::show))
        .route("/login", get(doors::login))
        .route("/welcome", get(doors::welcome))
        .route(assets::ROUTE, get(assets::read))
}
