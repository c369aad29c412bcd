//! `vivid`: the coordinator and its workers in one process.

use std::io::{IsTerminal, Write};
use std::net::SocketAddr;
use std::path::Path;
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Duration;

use anyhow::Context;
use coordinator::accounts::Plan;
use coordinator::admin::token::TokenDigest;
use coordinator::app::{self, App, Ceilings, Console, History, Streams, Work};
use coordinator::bodies::Bodies;
use coordinator::budget::Budget;
use coordinator::clock::Millis;
use coordinator::config::{Config, ConfigError, LogFormat};
use coordinator::emails::Email;
use coordinator::exports::Exports;
use coordinator::health::{Health, Watch};
use coordinator::integrity::Integrity;
use coordinator::keys::{ApiKey, KeyPlans};
use coordinator::limits::Limiter;
use coordinator::scrub::Scrub;
use coordinator::serve::tls::Tls;
use coordinator::serve::{self, Edge, descriptors};
use coordinator::standalone::{Remote, Workers};
use coordinator::state::{Account, Invited, StateError, Store};
use coordinator::urls::Signer;
use coordinator::{
    admin, audits, command, dispatch, exporter, leftovers, retention, router, standalone, storage, webhooks,
};
use fleet::blobs::{Blobs, Location};
use fleet::edit::Editor;
use fleet::estimate::Estimator;
use fleet::export::Exporter;
use fleet::import::Importer;
use fleet::net::{Guard, Limits, Parts, Poster};
use fleet::process::{private_files, private_folder, stop_at_signal};
use fleet::room::Room;
use fleet::sample::Sampler;
use tokio::net::TcpListener;
use tokio::task::{JoinHandle, JoinSet};
use tokio_util::sync::CancellationToken;
use tracing_subscriber::layer::SubscriberExt;
use tracing_subscriber::util::SubscriberInitExt;
use tracing_subscriber::{EnvFilter, Layer};
use worker::allocator::Allocator;
use worker::copywriter::Copywriter;
use worker::setup;

#[global_allocator]
static ALLOCATOR: Allocator = Allocator;

/// Credits of the account that the first start creates, in addition to those of its plan.
const FIRST_CREDITS: u64 = 5_000;
/// Timeout for all tasks to end after the service is told to stop.
const STOP_TIME: Duration = Duration::from_secs(25);

fn main() -> ExitCode {
    fleet::sandbox::enter(worker::tasks::TASKS);
    if command::is_one(std::env::args_os().skip(1)) {
        return command::run();
    }
    let config = match Config::load() {
        Ok(config) => config,
        // Also prints help and version, and exits with the right status.
        Err(ConfigError::Arguments(e)) => e.exit(),
        Err(e) => return fail(&e.into()),
    };
    match run(config) {
        Ok(()) => ExitCode::SUCCESS,
        Err(e) => fail(&e),
    }
}

fn fail(error: &anyhow::Error) -> ExitCode {
    // If standard error is closed, nobody can read the error.
    let _ = writeln!(std::io::stderr(), "coordinator: {error:#}");
    ExitCode::FAILURE
}

fn run(config: Config) -> anyhow::Result<()> {
    private_files();
    #[cfg(feature = "otlp")]
    let traces = coordinator::traces::Traces::start().context("spans can't be exported")?;
    log_to_stderr(
        &config,
        #[cfg(feature = "otlp")]
        traces.as_ref(),
    )?;
    private_folder(&config.data_dir)
        .with_context(|| format!("can't create the data folder {}", config.data_dir.display()))?;
    refuse_to_begin_anew(&config)?;
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    let result = runtime.block_on(service(config));
    // Tasks that still block then are aborted. Everything accepted is on the disk.
    runtime.shutdown_timeout(Duration::from_secs(2));
    #[cfg(feature = "otlp")]
    if let Some(traces) = traces {
        traces.end();
    }
    result
}

fn log_to_stderr(
    config: &Config,
    #[cfg(feature = "otlp")] traces: Option<&coordinator::traces::Traces>,
) -> anyhow::Result<()> {
    let filter = EnvFilter::try_new(&config.log).context("log: not a valid log filter")?;
    let log = tracing_subscriber::fmt::layer().with_writer(std::io::stderr);
    let log = log.with_ansi(std::io::stderr().is_terminal());
    let log = match config.log_format {
        LogFormat::Text => log.boxed(),
        LogFormat::Json => log.json().boxed(),
    };
    let said = tracing_subscriber::registry().with(filter).with(log);
    #[cfg(feature = "otlp")]
    let said = said.with(traces.map(|traces| traces.layer()));
    said.init();
    Ok(())
}

/// Returns the settings with a model server found on this machine, if one should be looked for.
async fn with_local_model(config: Config) -> Config {
    if !config.looks_for_model() {
        return config;
    }
    let found = fleet::llm::find_local(config.llm_model.as_deref()).await;
    match &found {
        Some(local) => {
            tracing::info!(
                server = local.server,
                model = local.model,
                at = local.base_url,
                "model server found on this machine"
            );
        }
        None => tracing::info!("no model server found on this machine: rules compose the pages"),
    }
    config.with_found(found.and_then(|local| Some((local.base_url.parse().ok()?, local.model))))
}

async fn service(config: Config) -> anyhow::Result<()> {
    let config = with_local_model(config).await;
    let stop = CancellationToken::new();
    // Install the handler first, so that an early signal stops the service as cleanly as a late one.
    tokio::spawn(stop_at_signal(stop.clone())?);
    let tls = match (&config.tls_cert, &config.tls_key) {
        (Some(certificate), Some(key)) => Some(Arc::new(Tls::load(certificate.clone(), key.clone())?)),
        _ => None,
    };
    let listener = serve::listen(config.listen).with_context(|| format!("can't listen on {}", config.listen))?;
    let address = listener.local_addr()?;
    let here = format!("{}://{address}", if tls.is_some() { "https" } else { "http" });
    let base = config.public_url.as_ref().map_or_else(|| here.clone(), ToString::to_string);
    let admin_listener = serve::listen(config.admin_listen)
        .with_context(|| format!("admin-listen: can't listen on {}", config.admin_listen))?;
    let metrics = match config.metrics_listen {
        Some(address) => Some(serve_metrics(address, &stop).await?),
        None => None,
    };

    // The state may use more of the disk than images and texts, so that it can still record their failures on a full
    // disk.
    let reserve = config.reserve_mib << 20;
    let state_room = Room::of(&config.data_dir, reserve);
    let store = open_state(&config, state_room.clone()).await?;
    let location = config.store();
    let mut blobs = Blobs::at(&location, &config.store_access()).context("can't open the object store")?;
    let mut disks = vec![("state", state_room)];
    if let Location::Folder(folder) = &location {
        let room = Room::of(folder, reserve * 2);
        blobs = blobs.with_room(room.clone());
        disks.push(("object store", room));
    }
    let device = config.device.parse()?;
    let guard = config.guard();
    let workers = Workers {
        loops: config.worker_loops(),
        device: &device,
        fonts: config.fonts.as_deref(),
        guard: &guard,
        copywriter: copywriter(&config)?,
    };
    let remote = config.nats().map(|nats| Remote { nats, prefix: config.queue_prefix.clone() });
    let standalone::Started { mut tasks, estimator, editor, sampler, exporter, importer, work, running } =
        standalone::start(&store, &blobs, workers, remote, &stop).await?;
    let watched = work.queued.clone();
    let (health, mut watch) = (Health::default(), Watch::new(store.clone(), blobs.clone(), disks, running, watched));
    // One round before the first request.
    watch.round(&health).await;
    tasks.spawn(watch.run(health.clone(), stop.clone()));
    let first = first_start(&store, &config).await?;
    let exports = exports(&config);
    maintain(&mut tasks, &config, (&store, &blobs), exports.clone(), &stop);
    let history = History::default();
    tasks.spawn(history.clone().keep(work.clone(), store.clone(), stop.clone()));
    let read_by = ReadBy { estimator, editor, sampler, exporter, importer, work, history };
    let poster = poster(guard.clone());
    let bodies = bodies(&config, reserve);
    let app = app(&config, &base, guard, read_by, (store.clone(), blobs, bodies), health, stop.clone());
    let scrub = Scrub::new(app.integrity.clone(), config.scrub_mib_s, config.scrub_days);
    tasks.spawn(scrub.clone().run(stop.clone()));
    let admin = operators_router(&config.data_dir, Arc::clone(&app), exports, scrub, &admin_listener)?;
    tasks.spawn(serve::serve(admin_listener, admin, stop.clone()));
    tasks.spawn(webhooks::deliver(Arc::clone(&app), poster, stop.clone()));
    if let Some(tls) = &tls {
        reload_at_signal(Arc::clone(tls), stop.clone())?;
    }
    tasks.spawn(edge(&config, tls).serve(listener, router::router(app), stop.clone()));

    announce(&mut std::io::stdout().lock(), &here, &base, first.as_ref())?;
    if first.is_some() {
        store.run(|s| s.first_key_shown()).await?;
    }
    tracing::info!(%address, base, "serving");

    let why = standalone::watch(&mut tasks, &stop).await;
    end(tasks, metrics, &store).await;
    anyhow::ensure!(why == standalone::Ended::Asked, "a service task ended unexpectedly");
    Ok(())
}

/// Opens the state, and sets the configured limits.
async fn open_state(config: &Config, room: Room) -> anyhow::Result<Store> {
    let (folder, monthly) = (config.state_dir(), config.monthly_credits());
    let store = tokio::task::spawn_blocking(move || Store::open_in(&folder, monthly, room)).await?;
    let store = store.map_err(|e| unopened(e, config))?;
    store.limit_storage(config.storage_quotas());
    if let Some(tokens) = config.llm_daily_tokens_per_account {
        store.limit_tokens(tokens, config.llm_budget_tokens);
    }
    Ok(store)
}

/// Starts the maintenance tasks of the state and the object store, which no request waits for.
fn maintain(
    tasks: &mut JoinSet<()>,
    config: &Config,
    (store, blobs): (&Store, &Blobs),
    exports: Exports,
    stop: &CancellationToken,
) {
    let keep = retention::Keep {
        generations: config.keep_days,
        images: config.keep_images_days,
        failed_inputs_h: config.keep_failed_inputs_h,
    };
    tasks.spawn(leftovers::run(store.clone(), blobs.clone(), stop.clone()));
    tasks.spawn(storage::run(store.clone(), blobs.clone(), stop.clone()));
    tasks.spawn(retention::run(store.clone(), keep, stop.clone()));
    tasks.spawn(exports.run(store.clone(), stop.clone()));
    tasks.spawn(audits::run(store.clone(), stop.clone()));
    tasks.spawn(dispatch::write_recent(store.clone(), stop.clone()));
}

/// Waits until all tasks have ended, but at most [`STOP_TIME`], then writes what is only in memory.
async fn end(mut tasks: JoinSet<()>, metrics: Option<JoinHandle<()>>, store: &Store) {
    tracing::info!("stopping");
    let ended = tokio::time::timeout(STOP_TIME, async {
        while tasks.join_next().await.is_some() {}
        if let Some(metrics) = metrics {
            let _ = metrics.await;
        }
    });
    if ended.await.is_err() {
        tracing::warn!("tasks not ended in time: the next start resumes their work");
    }
    if let Err(error) = store.run(Store::write_recent).await {
        tracing::warn!(%error, "writing the use of keys and sessions failed");
    }
    if let Err(error) = store.run(Store::close).await {
        tracing::warn!(%error, "database flush failed: the next start replays the journal");
    }
}

/// Fails if there are exports of a state that is missing: a fresh start would look like the loss of everything.
fn refuse_to_begin_anew(config: &Config) -> anyhow::Result<()> {
    let state = config.state_dir();
    let is_gone = std::fs::read_dir(&state).map_or(true, |mut files| files.next().is_none());
    let name = |file: std::fs::DirEntry| file.file_name().to_string_lossy().into_owned();
    let beside = std::fs::read_dir(&config.data_dir).into_iter().flatten().flatten().map(name);
    if is_gone && beside.into_iter().any(|name| name.starts_with("state.")) {
        anyhow::bail!(
            "the state in {state} is missing, but parts of it are beside it. Run `coordinator recover --data-dir {data}`, or repeat \
             `coordinator import` if an import was interrupted",
            state = state.display(),
            data = config.data_dir.display()
        );
    }
    match Exports::files_in(&Exports::folder_in(&config.data_dir)).first() {
        Some(newest) if is_gone => anyhow::bail!(
            "the state in {state} is missing, but there are exports of it. Run `coordinator recover --data-dir {data}` to recover it, \
             or move the exports elsewhere to start with an empty state. Newest export: {newest}",
            state = state.display(),
            data = config.data_dir.display(),
            newest = newest.display()
        ),
        _ => Ok(()),
    }
}

/// Describes why the state can't be opened, and what to do.
fn unopened(error: StateError, config: &Config) -> anyhow::Error {
    if matches!(error, StateError::InUse(_) | StateError::NoRoom(_) | StateError::HalfDone(_)) {
        return anyhow::Error::new(error).context("can't open the state");
    }
    let data = config.data_dir.display();
    let newest = Exports::files_in(&Exports::folder_in(&config.data_dir)).into_iter().next();
    let newest = newest.map_or_else(|| "there is none".into(), |file| file.display().to_string());
    anyhow::anyhow!(
        "{error}. The service does not start. Newest export: {newest}. To recover, with the service stopped: copy {data} somewhere \
         safe, then run `coordinator recover --data-dir {data}`, which discards no commits unless you add --accept-loss"
    )
}

/// Returns how to serve clients within the available file descriptors.
fn edge(config: &Config, tls: Option<Arc<Tls>>) -> Edge {
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

/// Services for estimates, edits, samples, exports and imports, and the state of the work.
struct ReadBy {
    estimator: Option<Arc<dyn Estimator>>,
    editor: Option<Arc<dyn Editor>>,
    sampler: Option<Arc<dyn Sampler>>,
    exporter: Option<Arc<dyn Exporter>>,
    importer: Arc<dyn Importer>,
    work: Work,
    history: History,
}

fn app(
    config: &Config,
    base: &str,
    guard: Guard,
    read_by: ReadBy,
    (store, blobs, bodies): (Store, Blobs, Bodies),
    health: Health,
    stopping: CancellationToken,
) -> Arc<App> {
    let ReadBy { estimator, editor, sampler, exporter, importer, work, history } = read_by;
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
fn bodies(config: &Config, reserve: u64) -> Bodies {
    let bytes = |mib: u32| u64::from(mib) << 20;
    let budget = Budget::new(bytes(config.max_body_mib), bytes(config.max_body_mib_per_account));
    Bodies::new(budget, &config.data_dir).with_room(Room::of(&config.data_dir, reserve * 2))
}

/// Returns the router of the admin API, after writing its token and address to the data folder.
fn operators_router(
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
fn poster(guard: Guard) -> Poster {
    let limits = Limits { total: webhooks::ANSWER_TIME, ..Limits::default() };
    Poster::new(Parts { limits, ..Parts::of_the_system(guard) })
}

/// Returns the copywriter, if a language model is configured.
fn copywriter(config: &Config) -> anyhow::Result<Option<Copywriter>> {
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

async fn serve_metrics(address: SocketAddr, stop: &CancellationToken) -> anyhow::Result<JoinHandle<()>> {
    let handle = exporter::install().context("can't record metrics")?;
    worker::metrics::describe();
    let listener = serve::listen(address).with_context(|| format!("can't listen on {address}"))?;
    tracing::info!(address = %listener.local_addr()?, "serving metrics");
    tokio::spawn(exporter::keep(handle.clone(), stop.clone()));
    Ok(tokio::spawn(serve::serve(listener, exporter::router(handle), stop.clone())))
}

/// Returns the configuration of exports to the data folder.
fn exports(config: &Config) -> Exports {
    let every = Duration::from_secs(config.export_every_s.into());
    Exports { folder: Exports::folder_in(&config.data_dir), every, keep: config.export_keep as usize }
}

/// Credentials that the first start prints once.
struct First {
    key: ApiKey,
    /// The first owner, with a token to set the password.
    owner: Option<Invited>,
}

async fn first_start(store: &Store, config: &Config) -> anyhow::Result<Option<First>> {
    let now = Millis::now();
    let owner = Email::parse(&config.owner_email).context("owner-email: not an e-mail address")?;
    let account = Account { name: "first account".into(), plan: Plan::Pro, active: true, created: now };
    let first = store.run(move |s| {
        let Some(key) = s.first_key(&account, FIRST_CREDITS, now)? else { return Ok(None) };
        Ok(Some(First { key, owner: s.first_owner(&owner, now)? }))
    });
    Ok(first.await?)
}

/// Prints the service's addresses to standard output and, on the first start, the credentials and an example.
fn announce(out: &mut impl Write, here: &str, base: &str, first: Option<&First>) -> std::io::Result<()> {
    writeln!(out, "Vivid serves at\n{here}")?;
    if base != here {
        writeln!(out, "which clients reach at\n{base}")?;
    }
    if let Some(Invited { member, token, .. }) = first.and_then(|first| first.owner.as_ref()) {
        writeln!(
            out,
            "\nThe console is there too. This link sets your password, once; you sign in as {}:\n{base}/welcome#{}",
            member.email,
            token.reveal()
        )?;
    }
    if let Some(First { key, .. }) = first {
        let key = key.reveal();
        let body = r#"{"inputType":"text","inputContent":"Four habits of calm teams. Write decisions down. Meet less. Ship small. Rest well.","outputFormats":["instagram_post"]}"#;
        writeln!(
            out,
            "\nYour API key, shown this once:\n{key}\n\n\
             This makes an image. Read the generation of the answer's id at {base}/api/generations/ID, with the same\n\
             X-API-Key, until its status is completed: its outputs hold the image's URL.\n\
             curl -sS {base}/api/generations -H 'X-API-Key: {key}' -H 'Content-Type: application/json' -d '{body}'"
        )?;
    }
    out.flush()
}

/// Reloads the certificate and key on SIGHUP, which certificate renewal tools send.
fn reload_at_signal(tls: Arc<Tls>, stop: CancellationToken) -> std::io::Result<()> {
    #[cfg(unix)]
    {
        let mut hangups = tokio::signal::unix::signal(tokio::signal::unix::SignalKind::hangup())?;
        let reload = move || match tls.reload() {
            Ok(()) => tracing::info!("certificate reloaded"),
            Err(e) => tracing::error!(error = %e, "certificate not reloaded: keeping the previous one"),
        };
        tokio::spawn(stop.run_until_cancelled_owned(async move {
            while hangups.recv().await.is_some() {
                let reload = reload.clone();
                let _ = tokio::task::spawn_blocking(reload).await;
            }
        }));
    }
    #[cfg(not(unix))]
    drop((tls, stop));
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_address_is_told_beside_the_public_one() {
        let said = |base| {
            let mut out = Vec::new();
            announce(&mut out, "http://127.0.0.1:4321", base, None).unwrap();
            String::from_utf8(out).unwrap()
        };
        assert_eq!(said("http://127.0.0.1:4321"), "Vivid serves at\nhttp://127.0.0.1:4321\n");
        let both = "Vivid serves at\nhttp://127.0.0.1:4321\nwhich clients reach at\nhttps://example.org/vivid\n";
        assert_eq!(said("https://example.org/vivid"), both);
    }
}
