//! Builds the parts of the service from its settings.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use anyhow::Context;
use fleet::blobs::Blobs;
use fleet::edit::Editor;
use fleet::estimate::Estimator;
use fleet::export::Exporter;
use fleet::import::Importer;
use fleet::net::{Guard, Limits, Parts, Poster};
use fleet::room::Room;
use fleet::sample::Sampler;
use tokio::net::TcpListener;
use tokio_util::sync::CancellationToken;
use worker::copywriter::Copywriter;
use worker::setup;

use super::webhooks;
use crate::admin;
use crate::admin::token::TokenDigest;
use crate::app::{self, App, Ceilings, Console, History, Streams, Work};
use crate::bodies::Bodies;
use crate::budget::Budget;
use crate::config::Config;
use crate::exports::Exports;
use crate::health::Health;
use crate::integrity::Integrity;
use crate::keys::KeyPlans;
use crate::limits::Limiter;
use crate::scrub::Scrub;
use crate::serve::tls::Tls;
use crate::serve::{Edge, descriptors};
use crate::state::Store;
use crate::urls::Signer;

/// Returns how to serve clients within the available file descriptors.
pub(super) fn edge(config: &Config, tls: Option<Arc<Tls>>) -> Edge {
    let wanted = config.max_connections as usize;
    let connections = descriptors::enough_for(wanted, descriptors::raise());
    if connections < wanted {
        tracing::warn!(connections, "max-connections reduced: too few file descriptors");
    }
    Edge {
        connections,
        per_address: config.max_connections_per_address as usize,
        exempt: config.trusted_proxy.clone().unwrap_or_default().0,
        tls,
        refusals: true,
    }
}

/// The services that the workers of this process offer to requests, and the state of the work.
pub(super) struct WorkerServices {
    pub estimator: Option<Arc<dyn Estimator>>,
    pub editor: Option<Arc<dyn Editor>>,
    pub sampler: Option<Arc<dyn Sampler>>,
    pub exporter: Option<Arc<dyn Exporter>>,
    pub importer: Arc<dyn Importer>,
    pub work: Work,
    pub history: History,
}

/// Returns what the handlers share.
pub(super) fn app(
    config: &Config,
    base: &str,
    guard: Guard,
    services: WorkerServices,
    (store, blobs, bodies): (Store, Blobs, Bodies),
    health: Health,
    stopping: CancellationToken,
) -> Arc<App> {
    let WorkerServices { estimator, editor, sampler, exporter, importer, work, history } = services;
    Arc::new(App {
        signer: Signer::new(base.to_owned(), *store.signing_secret(), config.url_lifetime_s.into()),
        limiter: Limiter::new(config.rate_get, config.rate_generate, config.rate_other)
            .with_previews(config.rate_preview),
        trusted_proxies: config.trusted_proxy.clone().unwrap_or_default().0,
        bodies,
        ceilings: Ceilings {
            text_chars: config.max_text_chars as usize,
            images: config.max_images as usize,
            translates: config.model().is_some(),
        },
        cors: config.cors_origin.clone(),
        guard,
        estimator,
        editor,
        sampler,
        exporter,
        exports: app::Exports::default(),
        work,
        history,
        importer: Some(importer),
        max_brands: config.max_brands,
        max_backlog: config.max_backlog.into(),
        free_corrections: config.free_corrections,
        max_wait: (config.max_wait_s > 0).then(|| Duration::from_secs(config.max_wait_s.into())),
        key_plans: KeyPlans::new(config.key_plans.iter().map(|plan| plan.0).collect()),
        console: Console::new(base, config.public_url.is_some(), store.signing_secret()),
        integrity: Integrity::new(store.clone(), blobs.clone()),
        store,
        blobs,
        redirects: config.store_redirect,
        health,
        keep_uploads_s: config.keep_uploads_s.into(),
        stopping,
        in_flight: Default::default(),
        streams: Streams::new(config.max_streams),
    })
}

/// Returns the storage of request bodies. It stops before the state does when the disk fills up.
pub(super) fn bodies(config: &Config, reserve: u64) -> Bodies {
    let bytes = |mib: u32| u64::from(mib) << 20;
    let budget = Budget::new(bytes(config.max_body_mib), bytes(config.max_body_mib_per_account));
    Bodies::new(budget, &config.data_dir).with_room(Room::of(&config.data_dir, reserve * 2))
}

/// Returns the router of the admin API, after writing its token and address to the data folder.
pub(super) fn operators_router(
    data: &Path,
    app: Arc<App>,
    exports: Exports,
    scrub: Scrub,
    listener: &TcpListener,
) -> anyhow::Result<axum::Router> {
    let token = admin::token::token(data).context("can't create or read the operator's token")?;
    let address = listener.local_addr()?;
    if let Err(error) = admin::token::note_address(data, address) {
        // On a full disk the service still starts read-only. Commands then need `--admin-url`.
        tracing::warn!(%error, %address, "writing the admin API's address to the data folder failed");
    }
    tracing::info!(%address, "serving the admin API");
    Ok(admin::router(app, exports, scrub, TokenDigest::of(&token)))
}

/// Returns the client that sends webhook deliveries.
pub(super) fn poster(guard: Guard) -> Poster {
    let limits = Limits { total: webhooks::ANSWER_TIME, ..Limits::default() };
    Poster::new(Parts { limits, ..Parts::of_the_system(guard) })
}

/// Returns the copywriter, if a language model is configured.
pub(super) fn copywriter(config: &Config) -> anyhow::Result<Option<Copywriter>> {
    let Some((base, model)) = config.model() else { return Ok(None) };
    let model = setup::Model {
        base_url: base.to_string(),
        name: model.to_owned(),
        key: config.llm_api_key.clone(),
        timeout_s: config.llm_timeout_s,
        calls: config.llm_calls,
        daily_tokens: config.llm_daily_tokens,
        budget_s: config.llm_budget_s,
        budget_tokens: config.llm_budget_tokens,
        price: setup::price(config.llm_input_price, config.llm_output_price),
        sees: config.llm_vision,
    };
    Ok(Some(setup::copywriter(model)?))
}

/// Returns the configuration of exports to the data folder.
pub(super) fn exports(config: &Config) -> Exports {
    let every = Duration::from_secs(config.export_every_s.into());
    Exports { folder: Exports::folder_in(&config.data_dir), every, keep: config.export_keep as usize }
}
