//! The list of brand kits, and the editor of a brand kit.

use std::sync::Arc;

use axum::extract::rejection::PathRejection;
use axum::extract::{Path, State};
use axum::response::Response;
use render_core::design::STYLE_NAMES;
use serde::Serialize;
use serde_json::Value;

use super::page::{self, Page};
use super::seat::Seat;
use crate::api::{brands, fonts};
use crate::app::App;
use crate::http::error::ApiError;
use crate::http::path::{Id, kind};
use crate::http::query::NoParameters;

#[derive(Serialize)]
struct ListData {
    brands: Value,
}

/// `GET /brands`.
pub(super) async fn list(State(app): State<Arc<App>>, seat: Seat) -> Result<Response, ApiError> {
    let listed = brands::list(State(Arc::clone(&app)), seat.caller(), NoParameters::default()).await?.0;
    let data = ListData { brands: page::part(&listed, "brands")? };
    let lead = Some("Colours, logos and fonts that make every image yours.");
    Page { name: "brands", title: "Brand kits", lead, styles: &[], data: &data }.answer(&app, &seat)
}

#[derive(Serialize)]
struct EditorData {
    brand: Option<Value>,
    fonts: Value,
    styles: &'static [&'static str],
}

/// `GET /brands/{id}`. The id `new` opens the editor for a new brand kit.
pub(super) async fn one(
    State(app): State<Arc<App>>,
    seat: Seat,
    name: Result<Path<String>, PathRejection>,
    id: Result<Id<kind::Brand>, ApiError>,
) -> Result<Response, ApiError> {
    let brand = match name {
        Ok(Path(name)) if name == "new" => None,
        _ => {
            let answer = brands::read(State(Arc::clone(&app)), seat.caller(), id?).await?.0;
            Some(page::part(&answer, "brand")?)
        }
    };
    let offered = fonts::list(State(Arc::clone(&app)), seat.caller(), NoParameters::default()).await?.0;
    let data = EditorData { fonts: page::part(&offered, "fonts")?, styles: &STYLE_NAMES, brand };
    let title = data.brand.as_ref().and_then(|b| b["name"].as_str()).unwrap_or("New brand kit").to_owned();
    Page { name: "brand", title: &title, lead: None, styles: &[], data: &data }.answer(&app, &seat)
}
