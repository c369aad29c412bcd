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
mod seat;
mod shell;

use std::sync::Arc;

use axum::Router;
use axum::http::Uri;
use axum::response::Response;
use axum::routing::get;
use serde::Serialize;

use super::assets;
use crate::api::error::ApiError;
use crate::api::{App, formats};
use seat::Seat;

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

/// A page of the console.
struct Page<'a, D> {
    /// The page's name, which also selects its module, its style sheet and its navigation entry.
    name: &'static str,
    /// The heading and the window title.
    title: &'a str,
    /// A sentence below the heading.
    lead: Option<&'static str>,
    /// Style sheets in addition to the page's own.
    styles: &'static [&'static str],
    /// The initial data of the page's module.
    data: &'a D,
}

impl<D: Serialize> Page<'_, D> {
    /// Renders the response for the visitor.
    fn answer(&self, app: &App, seat: &Seat) -> Result<Response, ApiError> {
        let data = serde_json::to_string(self.data).map_err(|error| {
            tracing::error!(%error, page = self.name, "serializing a page's data failed");
            ApiError::Internal
        })?;
        let balance = app.store.balance(seat.account_id, crate::clock::Millis::now())?.available();
        Ok(shell::page(
            app,
            seat,
            &shell::Frame {
                name: self.name,
                title: self.title,
                lead: self.lead,
                styles: self.styles,
                data: &data,
                balance,
            },
        ))
    }
}

/// Serializes a value to JSON.
fn json_of(value: &impl Serialize) -> Result<serde_json::Value, ApiError> {
    serde_json::to_value(value).map_err(|error| {
        tracing::error!(%error, "serializing a part of a page failed");
        ApiError::Internal
    })
}

/// Returns the formats as the API lists them, reduced to these fields.
async fn formats_with(fields: &[&str]) -> Result<Vec<serde_json::Value>, ApiError> {
    let serde_json::Value::Array(mut formats) = json_of(&formats::list_openly(Uri::default()).await.0.formats)? else {
        return Ok(Vec::new());
    };
    for format in formats.iter_mut().filter_map(serde_json::Value::as_object_mut) {
        format.retain(|name, _| fields.contains(&name.as_str()));
    }
    Ok(formats)
}

/// Returns one field of an API response as JSON.
fn part(answer: &impl Serialize, name: &str) -> Result<serde_json::Value, ApiError> {
    Ok(json_of(answer)?[name].take())
}
