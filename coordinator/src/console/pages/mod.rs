//! The pages for people. The server says who is there, what stands in the frame and what data the page begins with; a small
//! module in the browser shows it and asks the API, with the session, for all else.

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

/// Every page, and what pages load.
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

/// A page of the console: what it is called, and what its module begins with.
struct Page<'a, D> {
    /// Its name: those of its module and style, and its mark in the frame.
    name: &'static str,
    /// What stands over it, and in the window's title.
    title: &'a str,
    /// A sentence under that.
    lead: Option<&'static str>,
    /// Style sheets beside the page's own.
    styles: &'static [&'static str],
    /// What its module begins with.
    data: &'a D,
}

impl<D: Serialize> Page<'_, D> {
    /// The whole answer, for whoever is there.
    fn answer(&self, app: &App, seat: &Seat) -> Result<Response, ApiError> {
        let data = serde_json::to_string(self.data).map_err(|error| {
            tracing::error!(%error, page = self.name, "a page's data can't be written");
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

/// A value as JSON.
fn json_of(value: &impl Serialize) -> Result<serde_json::Value, ApiError> {
    serde_json::to_value(value).map_err(|error| {
        tracing::error!(%error, "a part of a page can't be written");
        ApiError::Internal
    })
}

/// The formats as the API lists them, each with these fields alone.
async fn formats_with(fields: &[&str]) -> Result<Vec<serde_json::Value>, ApiError> {
    let serde_json::Value::Array(mut formats) = json_of(&formats::list_openly(Uri::default()).await.0.formats)? else {
        return Ok(Vec::new());
    };
    for format in formats.iter_mut().filter_map(serde_json::Value::as_object_mut) {
        format.retain(|name, _| fields.contains(&name.as_str()));
    }
    Ok(formats)
}

/// One part of an answer of the API, as JSON.
fn part(answer: &impl Serialize, name: &str) -> Result<serde_json::Value, ApiError> {
    Ok(json_of(answer)?[name].take())
}
