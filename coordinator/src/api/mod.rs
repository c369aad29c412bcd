//! The HTTP API: one module per resource.

pub mod admin;
mod aim;
mod arrange;
pub(crate) mod branding;
pub(crate) mod brands;
pub(crate) mod caller;
mod conditional;
mod cors;
mod creation;
pub(crate) mod credits;
mod deeds;
mod derive;
mod designs;
mod docs;
mod drawings;
mod earlier_edits;
mod edited;
mod edits;
pub mod error;
mod estimate;
mod events;
mod exports;
mod files;
pub(crate) mod fonts;
pub(crate) mod form;
pub(crate) mod formats;
mod frame;
pub(crate) mod generations;
mod health;
mod idempotency;
mod illustration;
mod input;
pub(crate) mod json;
pub(crate) mod keyring;
mod kit;
mod lifecycle;
mod listing;
mod logos;
pub(crate) mod membership;
mod metered;
mod outline;
mod pack;
mod page_text;
mod pages;
mod query;
pub(crate) mod received;
mod slide_order;
mod slides;
pub mod spec;
mod storage;
pub(crate) mod uploads;
mod versions;
pub(crate) mod view;
pub(crate) mod webhooks;

use std::net::IpAddr;
use std::sync::Arc;
use std::time::Duration;

use axum::extract::Request;
use axum::http::Uri;
use axum::http::uri::PathAndQuery;
use axum::middleware::{from_fn, from_fn_with_state};
use axum::{Extension, Router};
use fleet::blobs::Blobs;
use fleet::edit::Editor;
use fleet::estimate::Estimator;
use fleet::export::Exporter;
use fleet::import::Importer;
use fleet::net::Guard;
use fleet::sample::Sampler;
use tokio_util::sync::CancellationToken;
use tower::util::MapRequest;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

pub use cors::Cors;
pub use creation::Ceilings;
pub use events::Streams;
pub use exports::Exports;
pub use frame::{Peer, Refusal, Sender};
pub use webhooks::told;

use crate::bodies::Bodies;
use crate::console::{self, Console};
use crate::health::Health;
use crate::history::History;
use crate::integrity::Integrity;
use crate::keys::KeyPlans;
use crate::limits::Limiter;
use crate::state::Store;
use crate::urls::Signer;
use admin::fleet::Work;
use idempotency::InFlight;

/// Shared state of the handlers.
pub struct App {
    /// The state store.
    pub store: Store,
    /// Stores inputs and images.
    pub blobs: Blobs,
    /// Verifies the hashes of stored objects before they are served.
    pub integrity: Integrity,
    /// Whether image requests are redirected to the object store, if the store can presign URLs.
    pub redirects: bool,
    /// Signs and verifies image URLs.
    pub signer: Signer,
    /// The rate limiter.
    pub limiter: Limiter,
    /// Proxies whose forwarding headers are trusted.
    pub trusted_proxies: Vec<IpAddr>,
    /// Buffers request bodies and limits their total size.
    pub bodies: Bodies,
    /// Limits on creations.
    pub ceilings: Ceilings,
    /// Origins whose pages may call the API from a browser.
    pub cors: Cors,
    /// Checks URLs that clients send.
    pub guard: Guard,
    /// Computes plans without storing anything; `None` without workers.
    pub estimator: Option<Arc<dyn Estimator>>,
    /// Computes edits; `None` without workers.
    pub editor: Option<Arc<dyn Editor>>,
    /// Renders small previews; `None` without workers.
    pub sampler: Option<Arc<dyn Sampler>>,
    /// Makes PDFs of pages; `None` without workers.
    pub exporter: Option<Arc<dyn Exporter>>,
    /// Exports that are being built.
    pub exports: Exports,
    /// The workers and their queues.
    pub work: Work,
    /// Recent service metrics.
    pub history: History,
    /// Decodes uploaded logos and fonts; `None` without workers.
    pub importer: Option<Arc<dyn Importer>>,
    /// Maximum number of brand kits per account.
    pub max_brands: u32,
    /// Maximum number of accepted images that are not finished. At this limit, new ones are rejected.
    pub max_backlog: u64,
    /// Percentage of a page's words that an edit may correct free of charge.
    pub free_corrections: u8,
    /// Maximum wait of the oldest job. Beyond it, new images are rejected.
    pub max_wait: Option<Duration>,
    /// Seconds for which an upload can be used.
    pub keep_uploads_s: u64,
    /// The result of the last self-check.
    pub health: Health,
    /// Plans whose accounts may use API keys.
    pub key_plans: KeyPlans,
    /// Sessions, passwords and their protection.
    pub console: Console,
    /// Cancelled when the service is told to stop.
    pub stopping: CancellationToken,
    /// Idempotency keys whose requests are in progress.
    pub in_flight: InFlight,
    /// Open event streams.
    pub streams: Streams,
}

impl App {
    /// Returns how many more images can be accepted.
    fn room(&self) -> u64 {
        let oldest = || self.work.queued.oldest();
        let is_late = self.max_wait.is_some_and(|most| oldest().is_some_and(|waited| waited > most));
        if is_late { 0 } else { self.max_backlog.saturating_sub(self.store.backlog()) }
    }
}

/// Registers every path together with its OpenAPI description. There is no other way to add a path.
fn paths() -> OpenApiRouter<Arc<App>> {
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

/// Builds the service with all paths.
pub fn router(app: Arc<App>) -> Router {
    let (paths, document) = paths().split_for_parts();
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
