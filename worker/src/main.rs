//! `vivid-worker`: claims jobs from the queue and works on them. Run it on as many machines as you need.

mod config;

use std::io::{IsTerminal, Write};
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use anyhow::Context;
use clap::Parser;
use config::{Config, LogFormat};
use fleet::blobs::Blobs;
use fleet::job_service::nats::RemoteJobService;
use fleet::nats;
use fleet::net::Guard;
use fleet::presence::{Announcer, WorkerInfo};
use fleet::process::{self, BUCKETS_S, stop_at_signal};
use fleet::protocol::NegotiatedVersion;
use fleet::queue::nats::NatsQueue;
use metrics_exporter_prometheus::PrometheusBuilder;
use tokio_util::sync::CancellationToken;
use tracing_subscriber::EnvFilter;
use worker::allocator::Allocator;
use worker::setup::{self, Setup};
use worker::{metrics, run, tasks};

/// The coordinator uses the same allocator, so that a page takes equally long in both processes.
#[global_allocator]
static ALLOCATOR: Allocator = Allocator;

/// Time that running jobs have to finish after the worker is told to stop.
const STOP_TIME: Duration = Duration::from_secs(22);
/// Interval between checks of the process's memory.
const LOOK_EVERY: Duration = Duration::from_millis(500);
/// Limit for the final announcement and for the flush of the last messages, each.
const LAST_WORDS: Duration = Duration::from_secs(3);

fn main() -> ExitCode {
    fleet::sandbox::enter(tasks::TASKS);
    let config = Config::parse();
    match start(&config) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            // Standard error may be closed; then nothing can be reported.
            let _ = writeln!(std::io::stderr(), "vivid-worker: {error:#}");
            ExitCode::FAILURE
        }
    }
}

/// Why a worker ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum End {
    /// The operator stopped it.
    Told,
    /// It uses more memory than its limit.
    Full,
    /// Every graphics card that it used is lost.
    Bare,
}

fn start(config: &Config) -> anyhow::Result<()> {
    fleet::process::private_files();
    log_to_stderr(config)?;
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    let result = runtime.block_on(async {
        let told = CancellationToken::new();
        match work(config, &told).await? {
            End::Full => process::begin_anew(&told).await.map(|()| End::Told).context("can't restart this worker"),
            end => Ok(end),
        }
    });
    runtime.shutdown_timeout(Duration::from_secs(2));
    match result? {
        End::Told | End::Full => Ok(()),
        End::Bare => anyhow::bail!("every graphics card is lost; restart the worker to look for another one"),
    }
}

fn log_to_stderr(config: &Config) -> anyhow::Result<()> {
    let filter = EnvFilter::try_new(&config.log).context("log: not a valid tracing filter")?;
    let log = tracing_subscriber::fmt().with_env_filter(filter).with_writer(std::io::stderr);
    let log = log.with_ansi(std::io::stderr().is_terminal());
    match config.log_format {
        LogFormat::Text => log.init(),
        LogFormat::Json => log.json().init(),
    }
    Ok(())
}

/// Works on jobs until `told` is cancelled or the worker can't go on.
async fn work(config: &Config, told: &CancellationToken) -> anyhow::Result<End> {
    let stop = CancellationToken::new();
    tokio::spawn(stop_at_signal(told.clone())?);
    if let Some(address) = config.metrics_listen {
        let exporter = PrometheusBuilder::new().set_buckets(&BUCKETS_S)?.with_http_listener(address);
        exporter.install().with_context(|| format!("metrics-listen: can't serve on {address}"))?;
        metrics::describe();
        tracing::info!(%address, "serving metrics");
    }
    let settings = config.nats().context("queue")?;
    let identity = settings.identity()?;
    let client = nats::connect(&settings).await?;
    let blobs = Blobs::at(&config.store, &config.store_access()).context("store")?;
    let device = config.device.parse()?;
    let guard = Guard::new(config.allow_host.clone()).denying(config.deny_net.clone());
    if let Some(host) = guard.contradiction() {
        anyhow::bail!("allow-host: {host} is denied, by deny-net or as a cloud's metadata service");
    }
    let fonts = setup::fonts(config.fonts.as_deref(), &setup::sandbox(1)?).await?;
    let copywriter = config.model().map(setup::copywriter).transpose()?;
    let setup =
        Setup { loops: config.loops(), device: &device, guard: &guard, copywriter, blobs: blobs.clone(), fonts };
    let (context, loops) = setup::context(setup)?;
    let context = Arc::new(context);

    let running = Arc::default();
    let info = WorkerInfo {
        name: config.name(),
        version: env!("CARGO_PKG_VERSION").into(),
        devices: context.renderer.devices(),
        cores: u32::try_from(setup::cores()).unwrap_or(u32::MAX),
        slots: u32::try_from(loops).unwrap_or(u32::MAX),
    };
    tracing::info!(name = info.name, identity, loops, queue = %settings.servers, store = %config.store, "working");
    let (busy, reported) = (Arc::default(), Arc::default());
    let bare = context.renderer.bare().clone();
    let full = fills_up(config.memory_limit(), Arc::clone(&reported));
    tokio::spawn(stop_when(told.clone(), bare.clone(), full, stop.clone()));
    let negotiated = NegotiatedVersion::default();
    let announcer =
        Announcer::new(client.clone(), &config.queue_prefix, &identity, info, Arc::clone(&busy), negotiated.clone())
            .with_memory_limit(config.memory_limit())
            .with_clock(blobs.clock());
    let announcing = tokio::spawn(announcer.run(stop.clone()));
    let parts = run::Parts {
        queue: Arc::new(NatsQueue::new(client.clone(), &config.queue_prefix)),
        job_service: Arc::new(RemoteJobService::new(
            client.clone(),
            &config.queue_prefix,
            &identity,
            negotiated,
            blobs,
        )),
        context,
        loops,
        name: config.name(),
        running,
        busy,
        reported,
    };
    let in_time = async {
        stop.cancelled().await;
        tokio::time::sleep(STOP_TIME).await;
    };
    tokio::select! {
        () = run::run(parts, stop.clone()) => tracing::info!("stopping"),
        () = in_time => tracing::warn!("running jobs exceed the stop time: other workers will retry them"),
    }
    let _ = tokio::time::timeout(LAST_WORDS, announcing).await;
    match tokio::time::timeout(LAST_WORDS, client.flush()).await {
        Ok(Ok(())) => {}
        Ok(Err(error)) => tracing::warn!(%error, "flush failed: the last messages may be lost"),
        Err(_) => tracing::warn!("flush failed: queue unreachable; the last messages are lost"),
    }
    Ok(match (told.is_cancelled(), bare.is_cancelled()) {
        (true, _) => End::Told,
        (false, true) => End::Bare,
        (false, false) => End::Full,
    })
}

/// Cancels `stop` when the operator stops the process, when no graphics card is left, or when its memory is `full`.
async fn stop_when(
    told: CancellationToken,
    bare: CancellationToken,
    full: impl Future<Output = ()>,
    stop: CancellationToken,
) {
    tokio::select! {
        () = told.cancelled() => {}
        () = bare.cancelled() => tracing::error!("worker ends: no graphics card is left"),
        () = full => {}
    }
    stop.cancel();
}

/// Returns once this process holds more memory than `limit`. A process that has finished no job yet does not restart:
/// it would do so forever.
async fn fills_up(limit: Option<u64>, reported: Arc<AtomicUsize>) {
    let Some(limit) = limit else { return std::future::pending().await };
    loop {
        tokio::time::sleep(LOOK_EVERY).await;
        let held = process::memory().unwrap_or(0);
        if held > limit && reported.load(Ordering::Relaxed) > 0 {
            let (held_mib, limit_mib) = (held >> 20, limit >> 20);
            tracing::warn!(held_mib, limit_mib, "worker restarts: memory limit exceeded");
            return;
        }
    }
}
