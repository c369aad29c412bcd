//! The HTTP contract: one file a resource.

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
use fleet::intake::Intake;
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

/// What the handlers work with.
pub struct App {
    /// The state.
    pub store: Store,
    /// Inputs and images.
    pub blobs: Blobs,
    /// Compares stored objects with their hashes before they are served.
    pub integrity: Integrity,
    /// Whether clients are sent to the object store itself for images, where it has addresses of its own.
    pub redirects: bool,
    /// Makes and checks image URLs.
    pub signer: Signer,
    /// Counts requests.
    pub limiter: Limiter,
    /// Addresses whose forwarding headers count.
    pub trusted_proxies: Vec<IpAddr>,
    /// Where the bodies of requests lie, and how many bytes of them there may be.
    pub bodies: Bodies,
    /// Ceilings of a creation.
    pub ceilings: Ceilings,
    /// Whose pages may call from a browser.
    pub cors: Cors,
    /// Judges the URLs that are sent.
    pub guard: Guard,
    /// Plans without keeping anything; none without workers.
    pub estimator: Option<Arc<dyn Estimator>>,
    /// Works out edits; none without workers.
    pub editor: Option<Arc<dyn Editor>>,
    /// Draws small pictures of how things would look; none without workers.
    pub sampler: Option<Arc<dyn Sampler>>,
    /// Makes PDFs of pages; none without workers.
    pub exporter: Option<Arc<dyn Exporter>>,
    /// Exports that are being made.
    pub exports: Exports,
    /// Who works on jobs, and what waits for them.
    pub work: Work,
    /// How the service did lately.
    pub history: History,
    /// Reads the logos and fonts that are sent; none without workers.
    pub intake: Option<Arc<dyn Intake>>,
    /// Brand kits that an account may have.
    pub max_brands: u32,
    /// Images accepted and not finished beyond which none are accepted.
    pub max_backlog: u64,
    /// Percent of a page's words that an edit may correct without a charge.
    pub free_corrections: u8,
    /// How long the oldest job may have waited beyond which no images are accepted.
    pub max_wait: Option<Duration>,
    /// Seconds that an uploaded file can be used for.
    pub keep_uploads_s: u64,
    /// What the service found when it last looked whether it can do its work.
    pub health: Health,
    /// Plans whose accounts may use API keys.
    pub key_plans: KeyPlans,
    /// Sessions, passwords and what guards them.
    pub console: Console,
    /// Cancelled once the service was told to stop.
    pub stopping: CancellationToken,
    /// Idempotency keys whose requests are being worked on.
    pub in_flight: InFlight,
    /// Streams of events that are open.
    pub streams: Streams,
}

impl App {
    /// How many more images may be accepted.
    fn room(&self) -> u64 {
        let oldest = || self.work.queued.oldest();
        let is_late = self.max_wait.is_some_and(|most| oldest().is_some_and(|waited| waited > most));
        if is_late { 0 } else { self.max_backlog.saturating_sub(self.store.backlog()) }
    }
}

/// Every path, each with its place in the document: there is no other way to add one.
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

/// The service of every path.
pub fn router(app: Arc<App>) -> Router {
    let (paths, document) = paths().split_for_parts();
    let document = Arc::new(spec::Document::new(spec::finish(document, app.signer.base())));
    let paths = paths
        // The console's own, which the document leaves out.
        .nest(console::PATH, console::router())
        .merge(console::pages::router())
        .layer(Extension(document))
        .layer(from_fn(pack::pack))
        .layer(from_fn_with_state(Arc::clone(&app), frame::frame))
        .with_state(app);
    // A router's own layers run after it has found the route, so the path is changed around it.
    Router::new().fallback_service(MapRequest::new(paths, without_trailing_slash))
}

/// A request to a path under `/api` without the slash at its end, so that both spellings are one path.
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
