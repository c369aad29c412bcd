//! Starts the service, and runs it until it is told to stop.

use std::path::Path;
use std::sync::Arc;

use anyhow::Context;
use fleet::blobs::{Blobs, Location};
use fleet::process::stop_at_signal;
use fleet::room::Room;
use tokio::net::TcpListener;
use tokio::task::{JoinHandle, JoinSet};
use tokio_util::sync::CancellationToken;

use super::first_start::{announce, first_start};
use super::local_model::with_local_model;
use super::maintenance::maintain;
use super::opening::{open_state, refuse_to_begin_anew};
use super::parts::{self, WorkerServices};
use super::reload::reload_at_signal;
use super::standalone::{self, Remote, Started, Workers};
use super::watch::{Ended, end, watch};
use super::{exporter, webhooks};
use crate::app::{App, History};
use crate::config::Config;
use crate::exports::Exports;
use crate::health::{Health, Watch};
use crate::router;
use crate::scrub::Scrub;
use crate::serve;
use crate::serve::tls::Tls;
use crate::state::Store;

/// Runs the service with these settings until the process is told to stop. The data folder must exist.
///
/// # Errors
/// A part of the service can't be started, or one of its tasks ends unexpectedly.
pub async fn run(config: Config) -> anyhow::Result<()> {
    refuse_to_begin_anew(&config)?;
    let config = with_local_model(config).await;
    let stop = CancellationToken::new();
    // Install the handler first, so that an early signal stops the service as cleanly as a late one.
    tokio::spawn(stop_at_signal(stop.clone())?);
    let listeners = Listeners::bind(&config, &stop).await?;
    let space = FreeSpace::of(&config);
    let store = open_state(&config, space.state.clone()).await?;
    let (blobs, disks) = space.open_store(&config)?;
    let (app, mut tasks) = start(&config, &listeners.base, (&store, blobs), disks, &stop).await?;
    let first = first_start(&store, &config).await?;
    let exports = parts::exports(&config);
    maintain(&mut tasks, &config, (&store, &app.blobs), exports.clone(), &stop);
    let Listeners { tls, listener, here, base, admin_listener, metrics } = listeners;
    serve_admin(&mut tasks, &config, &app, exports, admin_listener, &stop)?;
    let poster = parts::poster(app.guard.clone());
    tasks.spawn(webhooks::deliver(Arc::clone(&app), poster, stop.clone()));
    if let Some(tls) = &tls {
        reload_at_signal(Arc::clone(tls), stop.clone())?;
    }
    let address = listener.local_addr()?;
    tasks.spawn(parts::edge(&config, tls).serve(listener, router::router(app), stop.clone()));

    announce(&mut std::io::stdout().lock(), &here, &base, first.as_ref())?;
    if first.is_some() {
        store.run(|s| s.first_key_shown()).await?;
    }
    tracing::info!(%address, base, "serving");

    let why = watch(&mut tasks, &stop).await;
    end(tasks, metrics, &store).await;
    anyhow::ensure!(why == Ended::Asked, "a service task ended unexpectedly");
    Ok(())
}

/// The listeners of the service.
struct Listeners {
    /// Certificate and key, if the service uses TLS itself.
    tls: Option<Arc<Tls>>,
    listener: TcpListener,
    /// The URL of the listener.
    here: String,
    /// The URL under which clients reach the service.
    base: String,
    admin_listener: TcpListener,
    /// The task that serves the metrics.
    metrics: Option<JoinHandle<()>>,
}

impl Listeners {
    async fn bind(config: &Config, stop: &CancellationToken) -> anyhow::Result<Self> {
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
            Some(address) => Some(exporter::start(address, stop).await?),
            None => None,
        };
        Ok(Self { tls, listener, here, base, admin_listener, metrics })
    }
}

/// Disks by name, whose free space the health checks watch.
type Disks = Vec<(&'static str, Room)>;

/// The free space that stays reserved on the disks. The state may use more of the disk than images and texts, so that it
/// can still record their failures on a full disk.
struct FreeSpace {
    reserve: u64,
    state: Room,
}

impl FreeSpace {
    fn of(config: &Config) -> Self {
        let reserve = config.reserve_mib << 20;
        Self { reserve, state: Room::of(&config.data_dir, reserve) }
    }

    /// Opens the object store. Returns it with the disks to watch.
    fn open_store(self, config: &Config) -> anyhow::Result<(Blobs, Disks)> {
        let location = config.store();
        let mut blobs = Blobs::at(&location, &config.store_access()).context("can't open the object store")?;
        let mut disks = vec![("state", self.state)];
        if let Location::Folder(folder) = &location {
            let room = Room::of(folder, self.reserve * 2);
            blobs = blobs.with_room(room.clone());
            disks.push(("object store", room));
        }
        Ok((blobs, disks))
    }
}

/// Starts the workers and the tasks that requests depend on. Returns what the handlers share, and the tasks.
async fn start(
    config: &Config,
    base: &str,
    (store, blobs): (&Store, Blobs),
    disks: Disks,
    stop: &CancellationToken,
) -> anyhow::Result<(Arc<App>, JoinSet<()>)> {
    let device = config.device.parse()?;
    let guard = config.guard();
    let workers = Workers {
        loops: config.worker_loops(),
        device: &device,
        fonts: config.fonts.as_deref(),
        guard: &guard,
        copywriter: parts::copywriter(config)?,
    };
    let remote = config.nats().map(|nats| Remote { nats, prefix: config.queue_prefix.clone() });
    let Started { mut tasks, estimator, editor, sampler, exporter, importer, work, running } =
        standalone::start(store, &blobs, workers, remote, stop).await?;
    let watched = work.queued.clone();
    let (health, mut watch) = (Health::default(), Watch::new(store.clone(), blobs.clone(), disks, running, watched));
    // One round before the first request.
    watch.round(&health).await;
    tasks.spawn(watch.run(health.clone(), stop.clone()));
    let history = History::default();
    tasks.spawn(history.clone().keep(work.clone(), store.clone(), stop.clone()));
    let services = WorkerServices { estimator, editor, sampler, exporter, importer, work, history };
    let bodies = parts::bodies(config, config.reserve_mib << 20);
    let app = parts::app(config, base, guard, services, (store.clone(), blobs, bodies), health, stop.clone());
    Ok((app, tasks))
}

/// Starts the scrub, and serves the admin API.
fn serve_admin(
    tasks: &mut JoinSet<()>,
    config: &Config,
    app: &Arc<App>,
    exports: Exports,
    listener: TcpListener,
    stop: &CancellationToken,
) -> anyhow::Result<()> {
    let scrub = Scrub::new(app.integrity.clone(), config.scrub_mib_s, config.scrub_days);
    tasks.spawn(scrub.clone().run(stop.clone()));
    let data: &Path = &config.data_dir;
    let admin = parts::operators_router(data, Arc::clone(app), exports, scrub, &listener)?;
    tasks.spawn(serve::serve(listener, admin, stop.clone()));
    Ok(())
}
