//! What the handlers share: the state, the object store, the workers, and the handles that requests coordinate with.

mod console;
mod exports;
mod familiar;
mod history;
mod in_flight;
mod streams;
mod work;

use std::net::IpAddr;
use std::sync::Arc;
use std::time::Duration;

use fleet::blobs::Blobs;
use fleet::edit::Editor;
use fleet::estimate::Estimator;
use fleet::export::Exporter;
use fleet::import::Importer;
use fleet::net::Guard;
use fleet::sample::Sampler;
use tokio_util::sync::CancellationToken;

pub use console::{Console, MalformedCookie};
pub use exports::{EXPORT_BYTES, Exports};
pub use history::{History, Series};
pub use in_flight::{InFlight, KeyGuard};
pub use streams::{StreamPlace, Streams};
pub use work::{Here, Work};

use crate::bodies::Bodies;
use crate::config::Origin;
use crate::health::Health;
use crate::integrity::Integrity;
use crate::keys::KeyPlans;
use crate::limits::Limiter;
use crate::state::Store;
use crate::urls::Signer;

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
    pub cors: Vec<Origin>,
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
    pub fn room(&self) -> u64 {
        let oldest = || self.work.queued.oldest();
        let is_late = self.max_wait.is_some_and(|most| oldest().is_some_and(|waited| waited > most));
        if is_late { 0 } else { self.max_backlog.saturating_sub(self.store.backlog()) }
    }
}

/// The limits of a creation and the capabilities of the service.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Ceilings {
    /// The most characters of the text.
    pub text_chars: usize,
    /// The most images of a generation.
    pub images: usize,
    /// Whether a language model is configured, which develops ideas and translates.
    pub translates: bool,
}
