//! Starts the services that run beside the API: dispatch, maintenance, and the workers of this process. On a single
//! machine that is all, with the queue in memory. In a fleet, the queue and the job service are also reachable from
//! other machines.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicUsize;
use std::time::Duration;

use fleet::blobs::Blobs;
use fleet::edit::Editor;
use fleet::estimate::Estimator;
use fleet::export::Exporter;
use fleet::import::Importer;
use fleet::job_service::owner::{Owner, OwnerError};
use fleet::job_service::{JobServiceError, nats::serve};
use fleet::nats::{self, NatsError};
use fleet::net::Guard;
use fleet::presence::Fleet;
use fleet::process;
use fleet::queue::Queue;
use fleet::queue::embedded::EmbeddedQueue;
use fleet::queue::nats::NatsQueue;
use fleet::sample::Sampler;
use tokio::task::JoinSet;
use tokio::time::timeout;
use tokio_util::sync::CancellationToken;
use worker::copywriter::Copywriter;
use worker::edit::LocalEditor;
use worker::estimate::LocalEstimator;
use worker::export::LocalExporter;
use worker::import::LocalImporter;
use worker::renderer::Choice;
use worker::sample::LocalSampler;
use worker::setup::{self, Setup, SetupError};

use super::dispatch::{self, Slots};
use super::job_service::StateJobService;
use super::sweeper;
use crate::app::{Here, Work};
use crate::clock::Millis;
use crate::queued::Queued;
use crate::state::{StateError, Store};

/// How long startup waits for a queue that doesn't respond.
const FIRST_LOOK: Duration = Duration::from_secs(1);

/// Why the services could not be started.
#[derive(Debug, thiserror::Error)]
pub enum StartError {
    /// Reading or changing the state failed.
    #[error(transparent)]
    State(#[from] StateError),
    /// Setting up the workers of this process failed.
    #[error(transparent)]
    Setup(#[from] SetupError),
    /// The queue is unreachable.
    #[error(transparent)]
    Nats(#[from] NatsError),
    /// Another coordinator is running.
    #[error(transparent)]
    Owner(#[from] OwnerError),
}

/// Configuration of the workers of this process.
pub struct Workers<'a> {
    /// Number of concurrent jobs.
    pub loops: usize,
    /// The devices that render.
    pub device: &'a Choice,
    /// A folder with additional fonts.
    pub fonts: Option<&'a Path>,
    /// Decides which addresses may be fetched.
    pub guard: &'a Guard,
    /// The copywriter, if a language model is configured.
    pub copywriter: Option<Copywriter>,
}

/// A queue that other machines can reach.
pub struct Remote {
    /// Connection settings.
    pub nats: nats::Settings,
    /// Prefix of the deployment's names on the queue.
    pub prefix: String,
}

/// The running services.
pub struct Started {
    /// Dispatch, maintenance and the worker loops.
    pub tasks: JoinSet<()>,
    /// Estimates plans without storing anything; `None` if this process does no work at all.
    pub estimator: Option<Arc<dyn Estimator>>,
    /// Works out edits; `None` likewise.
    pub editor: Option<Arc<dyn Editor>>,
    /// Renders samples; `None` likewise.
    pub sampler: Option<Arc<dyn Sampler>>,
    /// Makes PDFs of pages; `None` likewise.
    pub exporter: Option<Arc<dyn Exporter>>,
    /// Reads uploaded logos and fonts.
    pub importer: Arc<dyn Importer>,
    /// The workers and the waiting jobs.
    pub work: Work,
    /// Counts the fleet's workers, or the loops of this process; `None` if there should be none.
    pub running: Option<Arc<AtomicUsize>>,
}

/// Number of logos and fonts read concurrently, in addition to what the workers read.
const IMPORTS: usize = 2;
/// Number of concurrent estimates if no worker loop runs in this process.
const ESTIMATING: usize = 2;

/// Starts dispatch, maintenance and the worker loops of this process. They finish their jobs and end after `stop` is
/// cancelled. With a `remote` queue, workers on other machines run the jobs that are published there.
///
/// # Errors
/// [`StartError`].
pub async fn start(
    store: &Store,
    blobs: &Blobs,
    workers: Workers<'_>,
    remote: Option<Remote>,
    stop: &CancellationToken,
) -> Result<Started, StartError> {
    let (queued, mut tasks) = (Queued::default(), JoinSet::new());
    let job_service = Arc::new(StateJobService::new(store.clone(), blobs.clone(), queued.clone()));
    let (queue, fleet): (Arc<dyn Queue>, _) = match remote {
        None => {
            enqueue_abandoned(store).await?;
            (Arc::new(EmbeddedQueue::new()), None)
        }
        Some(remote) => {
            let (queue, fleet) =
                reach_out(remote, (Arc::clone(&job_service), blobs, queued.clone()), &mut tasks, stop).await?;
            (queue, Some(fleet))
        }
    };
    dispatch::reconcile(store, &queued).await;
    let slots = Slots { here: workers.loops, fleet: fleet.clone() };
    tasks.spawn(dispatch::publish(store.clone(), Arc::clone(&queue), queued.clone(), slots.clone(), stop.clone()));
    tasks.spawn(dispatch::keep(store.clone(), Arc::clone(&queue), queued.clone(), slots, stop.clone()));
    tasks.spawn(sweeper::sweep(store.clone(), blobs.clone(), stop.clone()));

    let sandbox = setup::sandbox(IMPORTS)?;
    let fonts = setup::fonts(workers.fonts, &sandbox).await?;
    let mut started = Started {
        tasks,
        estimator: None,
        editor: None,
        sampler: None,
        exporter: None,
        importer: Arc::new(LocalImporter::new(sandbox, fonts.clone())),
        running: fleet.as_ref().map(Fleet::count),
        work: Work { fleet, queued, here: None },
    };
    let Workers { loops, device, guard, copywriter, .. } = workers;
    if loops > 0 || started.work.fleet.is_some() {
        // Estimates render nothing, and edits render only small images.
        let device = if loops > 0 { device } else { &Choice::Cpu };
        let most = if loops > 0 { loops } else { ESTIMATING };
        let setup = Setup { loops: Some(most), device, guard, copywriter, blobs: blobs.clone(), fonts };
        let context = Arc::new(setup::context(setup)?.0);
        started.estimator = Some(Arc::new(LocalEstimator::new(Arc::clone(&context), most)));
        started.editor = Some(Arc::new(LocalEditor::new(Arc::clone(&context), most)));
        started.sampler = Some(Arc::new(LocalSampler::new(Arc::clone(&context), most)));
        started.exporter = Some(Arc::new(LocalExporter::new(Arc::clone(&context), most)));
        if loops > 0 {
            start_loops(&mut started, (queue, job_service), context, loops, stop);
        }
    }
    Ok(started)
}

/// Enqueues the jobs that the workers of an earlier process held, which ended with it.
async fn enqueue_abandoned(store: &Store) -> Result<(), StartError> {
    match store.run(|s| s.reap_all(Millis::now())).await {
        Ok(0) => {}
        Ok(jobs) => tracing::info!(jobs, "jobs of an earlier process enqueued again"),
        // A service on a full disk can still be read from. Its jobs continue once their leases expire and the disk has
        // space.
        Err(StateError::NoRoom(why)) => tracing::warn!(%why, "jobs of an earlier process wait for disk space"),
        Err(why) => return Err(why.into()),
    }
    Ok(())
}

/// Starts the worker loops of this process.
fn start_loops(
    started: &mut Started,
    (queue, job_service): (Arc<dyn Queue>, Arc<StateJobService>),
    context: Arc<worker::Context>,
    loops: usize,
    stop: &CancellationToken,
) {
    let busy = Arc::new(AtomicUsize::new(0));
    let name = format!("coordinator-{}", std::process::id());
    let devices = context.renderer.devices();
    started.work.here = Some(Here { name: name.clone(), slots: loops, busy: Arc::clone(&busy), devices });
    let running = match &started.work.fleet {
        Some(_) => Arc::default(),
        None => Arc::clone(started.running.get_or_insert_with(Arc::default)),
    };
    let parts =
        worker::run::Parts { queue, job_service, context, loops, name, running, busy, reported: Arc::default() };
    started.tasks.spawn(worker::run::run(parts, stop.clone()));
}

/// Connects to the queue that other machines can reach, and serves their workers.
async fn reach_out(
    remote: Remote,
    (job_service, blobs, queued): (Arc<StateJobService>, &Blobs, Queued),
    tasks: &mut JoinSet<()>,
    stop: &CancellationToken,
) -> Result<(Arc<NatsQueue>, Fleet), StartError> {
    let Remote { nats, prefix } = remote;
    tracing::info!(servers = %nats.servers, prefix, "connecting to NATS for workers on other machines");
    let client = nats::connect(&nats).await?;
    let owner = Owner::new(client.clone(), &prefix, &process::name("coordinator"));
    owner.begin().await?;
    tasks.spawn({
        let stop = stop.clone();
        async move {
            if let Err(error) = owner.hold(stop).await {
                tracing::error!(%error, "coordinator stops: another one owns the queue");
            }
        }
    });
    let (queue, fleet) = (Arc::new(NatsQueue::new(client.clone(), &prefix)), Fleet::default());
    tasks.spawn({
        let (client, prefix, blobs, stop) = (client.clone(), prefix.clone(), blobs.clone(), stop.clone());
        async move {
            if let Err(error @ JobServiceError(_)) = serve(client, &prefix, job_service, blobs, stop).await {
                tracing::error!(%error, "job service failed");
            }
        }
    });
    tasks.spawn({
        let (fleet, stop) = (fleet.clone(), stop.clone());
        async move {
            if let Err(error) = fleet.listen(client, &prefix, stop).await {
                tracing::error!(%error, "listening to workers failed");
            }
        }
    });
    // Prepare the stream of a new queue before the first ticket is published. An unreachable queue must not block the
    // start.
    let _ = timeout(FIRST_LOOK, queue.prepare()).await;
    tasks.spawn(dispatch::prepare(Arc::clone(&queue), queued, stop.clone()));
    Ok((queue, fleet))
}
