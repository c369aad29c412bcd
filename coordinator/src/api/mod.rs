//! The HTTP API: one module per resource.

mod aim;
mod arrange;
mod asked_image;
pub(crate) mod branding;
pub(crate) mod brands;
mod creation;
pub(crate) mod credits;
mod deeds;
pub(crate) mod derive;
pub(crate) mod designs;
mod docs;
mod drawings;
mod earlier_edits;
mod edited;
mod editor;
pub(crate) mod edits;
mod estimate;
mod events;
mod exports;
mod files;
pub(crate) mod fonts;
pub(crate) mod formats;
pub(crate) mod generations;
mod health;
mod illustration;
mod input;
mod kit;
pub(crate) mod lifecycle;
mod logos;
mod outline;
pub(crate) mod page_text;
pub(crate) mod pages;
pub(crate) mod received;
mod slide_order;
mod slides;
pub mod spec;
mod storage;
pub(crate) mod uploads;
mod versions;
pub(crate) mod view;
pub(crate) mod webhooks;

use std::sync::Arc;

use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

pub use webhooks::told;

use crate::app::App;

/// Registers every path together with its OpenAPI description. There is no other way to add a path.
pub fn paths() -> OpenApiRouter<Arc<App>> {
    OpenApiRouter::new()
        .routes(routes!(generations::create, generations::list))
        .routes(routes!(estimate::create))
        .routes(routes!(generations::read, lifecycle::rename, lifecycle::delete))
        .routes(routes!(lifecycle::cancel))
        .routes(routes!(lifecycle::retry))
        .routes(routes!(derive::localize))
        .routes(routes!(derive::vary))
        .routes(routes!(derive::localize_by_reference))
        .routes(routes!(derive::vary_by_reference))
        .routes(routes!(pages::render))
        .routes(routes!(exports::read))
        .routes(routes!(events::stream))
        .routes(routes!(webhooks::deliveries::of_generation))
        .routes(routes!(webhooks::list, webhooks::create))
        .routes(routes!(webhooks::secrets::read))
        .routes(routes!(webhooks::secrets::rotate))
        .routes(routes!(webhooks::secrets::rotate_of_webhook))
        .routes(routes!(webhooks::read, webhooks::change, webhooks::delete))
        .routes(routes!(webhooks::deliveries::test))
        .routes(routes!(webhooks::deliveries::list))
        .routes(routes!(webhooks::deliveries::redeliver))
        .routes(routes!(webhooks::deliveries::redeliver_of_generation))
        .routes(routes!(uploads::create))
        .routes(routes!(brands::list, brands::create))
        .routes(routes!(brands::read, brands::replace, brands::delete))
        .routes(routes!(logos::put))
        .routes(routes!(fonts::list))
        .routes(routes!(formats::list))
        .routes(routes!(formats::list_openly))
        .routes(routes!(credits::balance))
        .routes(routes!(credits::ledger))
        .routes(routes!(edits::edit))
        .routes(routes!(edits::edit_by_output))
        .routes(routes!(versions::list))
        .routes(routes!(versions::restore))
        .routes(routes!(page_text::read, page_text::replace))
        .routes(routes!(drawings::find))
        .routes(routes!(page_text::preview))
        .routes(routes!(designs::list))
        .routes(routes!(arrange::replace))
        .routes(routes!(files::get))
        .routes(routes!(health::live))
        .routes(routes!(health::ready))
        .routes(routes!(spec::read))
        .routes(routes!(docs::read))
}
