//! `vivid`: the whole service in one process.

use std::io::{IsTerminal, Write};
use std::net::SocketAddr;
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Duration;

use anyhow::Context;
use coordinator::accounts::Plan;
use coordinator::api::{self, App, Ceilings, Streams};
use coordinator::clock::Millis;
use coordinator::config::{Config, ConfigError, LogFormat};
use coordinator::keys::ApiKey;
use coordinator::limits::Limiter;
use coordinator::standalone::Workers;
use coordinator::state::{Account, Store};
use coordinator::urls::Signer;
use coordinator::{exporter, serve, standalone};
use fleet::blobs::Blobs;
use fleet::estimate::Estimator;
use fleet::intake::Intake;
use fleet::llm;
use fleet::net::Guard;
use tokio::net::TcpListener;
use tokio_util::sync::CancellationToken;
use tracing_subscriber::EnvFilter;
use worker::copywriter::{Copywriter, Spending};

/// Credits that come with the account of the first start.
const FIRST_CREDITS: u64 = 10_000;
/// Time for everything to end once the service is told to stop.
const STOP_TIME: Duration = Duration::from_secs(25);

fn main() -> ExitCode {
    fleet::sandbox::enter(worker::tasks::TASKS);
    let config = match Config::load() {
        Ok(config) => config,
        // Says help and version as well, and ends with the right status.
        Err(ConfigError::Arguments(e)) => e.exit(),
        Err(e) => return fail(&e.into()),
    };
    match run(config) {
        Ok(()) => ExitCode::SUCCESS,
        Err(e) => fail(&e),
    }
}

fn fail(error: &anyhow::Error) -> ExitCode {
    // Standard error may be closed; then nobody is left to be told.
    let _ = writeln!(std::io::stderr(), "vivid: {error:#}");
    ExitCode::FAILURE
}

fn run(config: Config) -> anyhow::Result<()> {
    log_to_stderr(&config)?;
    std::fs::create_dir_all(&config.data_dir)
        .with_context(|| format!("can't make the data folder {}", config.data_dir.display()))?;
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    let result = runtime.block_on(service(config));
    // What still blocks then is cut off; everything accepted is on the disk.
    runtime.shutdown_timeout(Duration::from_secs(2));
    result
}

fn log_to_stderr(config: &Config) -> anyhow::Result<()> {
    let filter = EnvFilter::try_new(&config.log).context("log: not a filter of tracing")?;
    let log = tracing_subscriber::fmt().with_env_filter(filter).with_writer(std::io::stderr);
    let log = log.with_ansi(std::io::stderr().is_terminal());
    match config.log_format {
        LogFormat::Text => log.init(),
        LogFormat::Json => log.json().init(),
    }
    Ok(())
}

async fn service(config: Config) -> anyhow::Result<()> {
    let stop = CancellationToken::new();
    // From the start, so that a signal that comes early ends it as orderly as one that comes late.
    tokio::spawn(stop_at_signal(stop.clone())?);
    let listener =
        TcpListener::bind(config.listen).await.with_context(|| format!("can't listen on {}", config.listen))?;
    let address = listener.local_addr()?;
    let base = config.public_url.as_ref().map_or_else(|| format!("http://{address}"), ToString::to_string);
    let metrics = match config.metrics_listen {
        Some(address) => Some(serve_metrics(address, &stop).await?),
        None => None,
    };

    let state_dir = config.state_dir();
    let store = tokio::task::spawn_blocking(move || Store::open(&state_dir)).await?.context("can't open the state")?;
    let blobs = Blobs::local(&config.store_dir()).context("can't open the object store")?;
    let device = config.device.parse()?;
    let guard = Guard::new(config.allow_host.iter().map(|host| host.0.clone()).collect());
    let workers = Workers {
        loops: config.worker_loops(),
        device: &device,
        fonts: config.fonts.as_deref(),
        guard: &guard,
        copywriter: copywriter(&config)?,
    };
    let standalone::Started { mut tasks, estimator, intake } =
        standalone::start(&store, &blobs, workers, &stop).await?;
    let first_key = first_key(&store).await?;
    let read_by = (estimator, intake);
    let app = app(&config, &base, guard, read_by, store.clone(), blobs, stop.clone());
    tasks.spawn(serve::serve(listener, api::router(app), stop.clone()));

    announce(&mut std::io::stdout().lock(), address, &base, first_key.as_ref())?;
    if first_key.is_some() {
        store.run(|s| s.first_key_shown()).await?;
    }
    tracing::info!(%address, base, "serving");

    let why = standalone::watch(&mut tasks, &stop).await;
    tracing::info!("stopping");
    let ended = tokio::time::timeout(STOP_TIME, async {
        while tasks.join_next().await.is_some() {}
        if let Some(metrics) = metrics {
            let _ = metrics.await;
        }
    });
    if ended.await.is_err() {
        tracing::warn!("not everything ended in time; it goes on with the next start");
    }
    anyhow::ensure!(why == standalone::Ended::Asked, "a part of the service ended by itself");
    Ok(())
}

fn app(
    config: &Config,
    base: &str,
    guard: Guard,
    (estimator, intake): (Option<Arc<dyn Estimator>>, Arc<dyn Intake>),
    store: Store,
    blobs: Blobs,
    stopping: CancellationToken,
) -> Arc<App> {
    Arc::new(App {
        signer: Signer::new(base.to_owned(), *store.signing_secret(), config.url_lifetime_s.into()),
        limiter: Limiter::new(config.rate_get, config.rate_generate, config.rate_other),
        trusted_proxies: config.trusted_proxy.clone().unwrap_or_default().0,
        ceilings: Ceilings {
            text_chars: config.max_text_chars as usize,
            images: config.max_images as usize,
            translates: config.llm_base_url.is_some(),
        },
        guard,
        estimator,
        intake: Some(intake),
        max_brands: config.max_brands,
        max_backlog: config.max_backlog.into(),
        store,
        blobs,
        stopping,
        in_flight: Default::default(),
        streams: Streams::new(config.max_streams),
    })
}

/// The copywriter, where a language model is configured.
fn copywriter(config: &Config) -> anyhow::Result<Option<Copywriter>> {
    let (Some(base), Some(model)) = (&config.llm_base_url, &config.llm_model) else { return Ok(None) };
    let settings = llm::Settings {
        base_url: base.to_string(),
        model: model.clone(),
        key: config.llm_api_key.clone(),
        timeout: Duration::from_secs(config.llm_timeout_s.into()),
        calls: config.llm_calls as usize,
        daily_tokens: config.llm_daily_tokens,
    };
    let spending = Spending { time: Duration::from_secs(config.llm_budget_s.into()), tokens: config.llm_budget_tokens };
    let model = llm::Model::new(settings).context("the language model can't be used")?;
    tracing::info!(model = config.llm_model, at = %base, "a language model writes");
    Ok(Some(Copywriter::new(model, spending)))
}

async fn serve_metrics(address: SocketAddr, stop: &CancellationToken) -> anyhow::Result<tokio::task::JoinHandle<()>> {
    let handle = exporter::install().context("can't record metrics")?;
    worker::metrics::describe();
    let listener = TcpListener::bind(address).await.with_context(|| format!("can't listen on {address}"))?;
    tracing::info!(address = %listener.local_addr()?, "serving metrics");
    tokio::spawn(exporter::keep(handle.clone(), stop.clone()));
    Ok(tokio::spawn(serve::serve(listener, exporter::router(handle), stop.clone())))
}

async fn first_key(store: &Store) -> anyhow::Result<Option<ApiKey>> {
    let now = Millis::now();
    let account = Account { name: "first account".into(), plan: Plan::Pro, active: true, created: now };
    Ok(store.run(move |s| s.first_key(&account, FIRST_CREDITS, now)).await?)
}

/// Says on standard output where the service is and, the first time, how to use it.
fn announce(out: &mut impl Write, address: SocketAddr, base: &str, first_key: Option<&ApiKey>) -> std::io::Result<()> {
    let here = format!("http://{address}");
    writeln!(out, "Vivid serves at\n{here}")?;
    if base != here {
        writeln!(out, "which clients reach at\n{base}")?;
    }
    if let Some(key) = first_key {
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

/// Cancels `stop` at SIGTERM or Ctrl-C.
fn stop_at_signal(stop: CancellationToken) -> std::io::Result<impl Future<Output = ()>> {
    #[cfg(unix)]
    let mut terminate = tokio::signal::unix::signal(tokio::signal::unix::SignalKind::terminate())?;
    Ok(async move {
        #[cfg(unix)]
        let terminated = terminate.recv();
        #[cfg(not(unix))]
        let terminated = std::future::pending::<Option<()>>();
        tokio::select! {
            _ = terminated => {}
            _ = tokio::signal::ctrl_c() => {}
        }
        stop.cancel();
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_address_is_told_beside_the_public_one() {
        let said = |base| {
            let mut out = Vec::new();
            announce(&mut out, "127.0.0.1:4321".parse().unwrap(), base, None).unwrap();
            String::from_utf8(out).unwrap()
        };
        assert_eq!(said("http://127.0.0.1:4321"), "Vivid serves at\nhttp://127.0.0.1:4321\n");
        let both = "Vivid serves at\nhttp://127.0.0.1:4321\nwhich clients reach at\nhttps://example.org/vivid\n";
        assert_eq!(said("https://example.org/vivid"), both);
    }
}
