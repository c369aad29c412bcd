//! The library, a generation, and a single image.

use std::sync::Arc;

use axum::extract::{Path, State};
use axum::response::Response;
use render_core::design::STYLE_NAMES;
use serde::Serialize;
use serde_json::{Value, json};

use super::create;
use super::page::{self, Page};
use super::seat::Seat;
use crate::api::{brands, generations};
use crate::app::App;
use crate::clock::Millis;
use crate::http::error::{ApiError, Missing};
use crate::http::listing::Listing;
use crate::http::path::{Id, kind};
use crate::http::query::NoParameters;

#[derive(Serialize)]
struct LibraryData {
    generations: Value,
    pagination: Value,
    brands: Value,
    formats: Value,
}

/// The fields of an output that a card needs.
const OF_OUTPUTS: [&str; 7] = ["id", "formatId", "kind", "slideIndex", "width", "height", "version"];

/// `GET /library`, with the filters of `GET /api/generations`.
pub(super) async fn library(State(app): State<Arc<App>>, seat: Seat, mut asked: Listing) -> Result<Response, ApiError> {
    // A card shows several images of a generation.
    asked.expand.outputs = true;
    let listed = generations::list(State(Arc::clone(&app)), seat.caller(), asked).await?.0;
    let listed = page::json_of(&listed)?;
    let data = LibraryData {
        generations: listed["generations"].as_array().into_iter().flatten().map(carded).collect(),
        pagination: listed["pagination"].clone(),
        brands: names_of_brands(&app, &seat).await?,
        formats: formats_by_id().await?,
    };
    Page { name: "library", title: "Library", lead: None, styles: &[], data: &data }.answer(&app, &seat)
}

/// Reduces a generation to what its card needs. The dropped fields are mostly signed URLs, which hardly compress.
fn carded(generation: &Value) -> Value {
    let mut card = generation.clone();
    let outputs = generation["outputs"].as_array().into_iter().flatten();
    let kept = |output: &Value| OF_OUTPUTS.iter().map(|name| ((*name).to_owned(), output[*name].clone())).collect();
    card["outputs"] = outputs.map(|output| Value::Object(kept(output))).collect();
    for field in ["thumbnailUrl", "removedOutputs", "warnings"] {
        card.as_object_mut().and_then(|card| card.remove(field));
    }
    card
}

#[derive(Serialize)]
struct GenerationData {
    generation: Value,
    formats: Value,
    brands: Value,
    styles: &'static [&'static str],
    /// Languages that a generation can be translated into; empty without a language model.
    languages: Vec<Value>,
    balance: u64,
    paid: bool,
}

/// `GET /generations/{id}`.
pub(super) async fn one(
    State(app): State<Arc<App>>,
    seat: Seat,
    id: Id<kind::Generation>,
) -> Result<Response, ApiError> {
    let generation = read(&app, &seat, id).await?;
    let data = GenerationData {
        formats: formats_by_id().await?,
        brands: names_of_brands(&app, &seat).await?,
        styles: &STYLE_NAMES,
        languages: if app.ceilings.translates { create::languages() } else { Vec::new() },
        balance: app.store.balance(seat.account_id, Millis::now())?.available(),
        paid: seat.account.plan.is_paid(),
        generation,
    };
    let title = data.generation["title"].as_str().unwrap_or("Untitled").to_owned();
    Page { name: "generation", title: &title, lead: None, styles: &[], data: &data }.answer(&app, &seat)
}

#[derive(Serialize)]
struct ImageData {
    generation: Value,
    output: Value,
    format: Value,
    balance: u64,
    slides: Vec<Value>,
}

/// `GET /generations/{id}/outputs/{output}`.
pub(super) async fn image(
    State(app): State<Arc<App>>,
    seat: Seat,
    id: Id<kind::Generation>,
    Path((_, output)): Path<(String, String)>,
) -> Result<Response, ApiError> {
    let generation = read(&app, &seat, id).await?;
    let outputs = generation["outputs"].as_array().cloned().unwrap_or_default();
    let output =
        outputs.iter().find(|o| o["id"] == output.as_str()).cloned().ok_or(ApiError::Missing(Missing::Output))?;
    let data = ImageData {
        slides: slides(&outputs, &output),
        format: formats_by_id().await?[output["formatId"].as_str().unwrap_or_default()].clone(),
        balance: app.store.balance(seat.account_id, Millis::now())?.available(),
        generation,
        output,
    };
    Page { name: "image", title: "Edit", lead: None, styles: &["hand.css"], data: &data }.answer(&app, &seat)
}

/// Returns the slides of the carousel that an output belongs to, or the output alone if it is not a slide. A generation
/// of variations has several carousels of one format, one after another.
fn slides(outputs: &[Value], output: &Value) -> Vec<Value> {
    let index = |output: &Value| output["slideIndex"].as_u64();
    let goes_on = |a: &Value, b: &Value| a["formatId"] == b["formatId"] && index(a).is_some() && index(a) < index(b);
    let set = outputs.chunk_by(goes_on).find(|set| set.iter().any(|other| other["id"] == output["id"]));
    set.unwrap_or_default().to_vec()
}

async fn read(app: &Arc<App>, seat: &Seat, id: Id<kind::Generation>) -> Result<Value, ApiError> {
    let answer = generations::read(State(Arc::clone(app)), seat.caller(), id, NoParameters::default()).await?.0;
    page::part(&answer, "generation")
}

/// Returns the account's brand kits by id and name.
async fn names_of_brands(app: &Arc<App>, seat: &Seat) -> Result<Value, ApiError> {
    let brands =
        page::part(&brands::list(State(Arc::clone(app)), seat.caller(), NoParameters::default()).await?.0, "brands")?;
    let names = brands.as_array().into_iter().flatten().map(|brand| json!({"id": brand["id"], "name": brand["name"]}));
    Ok(names.collect())
}

/// Returns what pages need of each format, by format id.
async fn formats_by_id() -> Result<Value, ApiError> {
    let kept = ["id", "name", "category", "platform", "aspectRatio", "isCarousel", "slides", "creditsPerUnit"];
    let by_id = |format: Value| Some((format["id"].as_str()?.to_owned(), format));
    Ok(Value::Object(page::formats_with(&kept).await?.into_iter().filter_map(by_id).collect()))
}
