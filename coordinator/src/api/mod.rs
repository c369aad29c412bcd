//! The HTTP contract: one file a resource.

pub mod admin;
mod branding;
mod brands;
pub(crate) mod caller;
mod conditional;
mod cors;
mod creation;
mod credits;
pub mod error;
mod estimate;
mod events;
mod files;
mod fonts;
pub(crate) mod form;
mod formats;
mod frame;
mod generations;
mod health;
mod idempotency;
mod input;
pub(crate) mod json;
pub(crate) mod keyring;
mod kit;
mod lifecycle;
mod listing;
mod logos;
pub(crate) mod membership;
mod pack;
mod uploads;
pub(crate) mod view;
mod webhooks;
mod whole;

use std::net::IpAddr;
use std::sync::Arc;

use axum::Router;
use axum::middleware::{from_fn, from_fn_with_state};
use axum::routing::{get, post, put};
use fleet::blobs::Blobs;
use fleet::estimate::Estimator;
use fleet::intake::Intake;
use fleet::net::Guard;
use tokio_util::sync::CancellationToken;

pub use cors::Cors;
pub use creation::Ceilings;
pub use events::Streams;
pub use frame::{Peer, Refusal};
pub use webhooks::told;

use crate::console::{self, Console};
use crate::keys::KeyPlans;
use crate::limits::Limiter;
use crate::state::Store;
use crate::urls::Signer;
use idempotency::InFlight;

/// What the handlers work with.
pub struct App {
    /// The state.
    pub store: Store,
    /// Inputs and images.
    pub blobs: Blobs,
    /// Makes and checks image URLs.
    pub signer: Signer,
    /// Counts requests.
    pub limiter: Limiter,
    /// Addresses whose forwarding headers count.
    pub trusted_proxies: Vec<IpAddr>,
    /// Ceilings of a creation.
    pub ceilings: Ceilings,
    /// Whose pages may call from a browser.
    pub cors: Cors,
    /// Judges the URLs that are sent.
    pub guard: Guard,
    /// Plans without keeping anything; none without workers.
    pub estimator: Option<Arc<dyn Estimator>>,
    /// Reads the logos and fonts that are sent; none without workers.
    pub intake: Option<Arc<dyn Intake>>,
    /// Brand kits that an account may have.
    pub max_brands: u32,
    /// Images accepted and not finished beyond which none are accepted.
    pub max_backlog: u64,
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

/// Every path.
pub fn router(app: Arc<App>) -> Router {
    Router::new()
        .route("/api/generations", get(generations::list).post(generations::create))
        .route("/api/generations/estimate", post(estimate::create))
        .route("/api/generations/{id}", get(generations::read).delete(lifecycle::delete))
        .route("/api/generations/{id}/cancel", post(lifecycle::cancel))
        .route("/api/generations/{id}/retry", post(lifecycle::retry))
        .route("/api/generations/{id}/events", get(events::stream))
        .route("/api/generations/{id}/deliveries", get(webhooks::deliveries_of_generation))
        .route("/api/webhooks", get(webhooks::list).post(webhooks::create))
        .route("/api/webhooks/secret", get(webhooks::secret))
        .route("/api/webhooks/secret/rotate", post(webhooks::rotate_secret))
        .route("/api/webhooks/{id}", get(webhooks::read).delete(webhooks::delete))
        .route("/api/webhooks/{id}/deliveries", get(webhooks::deliveries))
        .route("/api/uploads", post(uploads::create))
        .route("/api/brands", get(brands::list).post(brands::create))
        .route("/api/brands/{id}", get(brands::read).put(brands::replace).delete(brands::delete))
        .route("/api/brands/{id}/logo", put(logos::put))
        .route("/api/fonts", get(fonts::list))
        .route("/api/credits/balance", get(credits::balance))
        .route("/api/credits/ledger", get(credits::ledger))
        .route("/api/idea-mode/formats", get(formats::list))
        .route("/api/formats", get(formats::list_openly))
        .route("/files/{*key}", get(files::get))
        .nest(console::PATH, console::router())
        .route("/healthz", get(health::live))
        .route("/readyz", get(health::ready))
        .layer(from_fn(pack::pack))
        .layer(from_fn_with_state(Arc::clone(&app), frame::frame))
        .with_state(app)
}

#[cfg(test)]
mod tests;
