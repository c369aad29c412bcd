//! A page of the console: its frame and its initial data.

use axum::response::Response;
use serde::Serialize;

use super::seat::Seat;
use super::shell;
use crate::api::formats;
use crate::app::App;
use crate::clock::Millis;
use crate::http::error::ApiError;
use crate::http::query::NoParameters;

/// A page of the console.
pub(super) struct Page<'a, D> {
    /// The page's name, which also selects its module, its style sheet and its navigation entry.
    pub(super) name: &'static str,
    /// The heading and the window title.
    pub(super) title: &'a str,
    /// A sentence below the heading.
    pub(super) lead: Option<&'static str>,
    /// Style sheets in addition to the page's own.
    pub(super) styles: &'static [&'static str],
    /// The initial data of the page's module.
    pub(super) data: &'a D,
}

impl<D: Serialize> Page<'_, D> {
    /// Renders the response for the visitor.
    pub(super) fn answer(&self, app: &App, seat: &Seat) -> Result<Response, ApiError> {
        let data = serde_json::to_string(self.data).map_err(|error| {
            tracing::error!(%error, page = self.name, "serializing a page's data failed");
            ApiError::Internal
        })?;
        let balance = app.store.balance(seat.account_id, Millis::now())?.available();
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
pub(super) fn json_of(value: &impl Serialize) -> Result<serde_json::Value, ApiError> {
    serde_json::to_value(value).map_err(|error| {
        tracing::error!(%error, "serializing a part of a page failed");
        ApiError::Internal
    })
}

/// Returns the formats as the API lists them, reduced to these fields.
pub(super) async fn formats_with(fields: &[&str]) -> Result<Vec<serde_json::Value>, ApiError> {
    let serde_json::Value::Array(mut formats) =
        json_of(&formats::list_openly(NoParameters::default()).await.0.formats)?
    else {
        return Ok(Vec::new());
    };
    for format in formats.iter_mut().filter_map(serde_json::Value::as_object_mut) {
        format.retain(|name, _| fields.contains(&name.as_str()));
    }
    Ok(formats)
}

/// Returns one field of an API response as JSON.
pub(super) fn part(answer: &impl Serialize, name: &str) -> Result<serde_json::Value, ApiError> {
    Ok(json_of(answer)?[name].take())
}
