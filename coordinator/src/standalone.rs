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

use crate::app::{Here, Work};
use crate::clock::Millis;
use crate::dispatch::{self, Slots};
use crate::job_service::StateJobService;
use crate::queued::Queued;
use crate::state::{StateError, Store};
use crate::sweeper;

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
            // The workers of an earlier process ended with it, so first enqueue the jobs that they held.
            match store.run(|s| s.reap_all(Millis::now())).await {
                Ok(0) => {}
                Ok(jobs) => tracing::info!(jobs, "jobs of an earlier process enqueued again"),
                // A service on a full disk can still be read from. Its jobs continue once their leases expire and the
                // disk has space.
                Err(StateError::NoRoom(why)) => tracing::warn!(%why, "jobs of an earlier process wait for disk space"),
                Err(why) => return Err(why.into()),
            }
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
    let importer = Arc::new(LocalImporter::new(sandbox, fonts.clone()));
    let (mut estimator, mut editor, mut sampler, mut exporter, mut here) = (None, None, None, None, None);
    let mut running = fleet.as_ref().map(Fleet::count);
    let Workers { loops, device, guard, copywriter, .. } = workers;
    if loops > 0 || fleet.is_some() {
        // Estimates render nothing, and edits render only small images.
        let device = if loops > 0 { device } else { &Choice::Cpu };
        let most = if loops > 0 { loops } else { ESTIMATING };
        let setup = Setup { loops: Some(most), device, guard, copywriter, blobs: blobs.clone(), fonts };
        let context = Arc::new(setup::context(setup)?.0);
        estimator = Some(Arc::new(LocalEstimator::new(Arc::clone(&context), most)) as Arc<dyn Estimator>);
        editor = Some(Arc::new(LocalEditor::new(Arc::clone(&context), most)) as Arc<dyn Editor>);
        sampler = Some(Arc::new(LocalSampler::new(Arc::clone(&context), most)) as Arc<dyn Sampler>);
        exporter = Some(Arc::new(LocalExporter::new(Arc::clone(&context), most)) as Arc<dyn Exporter>);
        if loops > 0 {
            let busy = Arc::new(AtomicUsize::new(0));
            let name = format!("coordinator-{}", std::process::id());
            let devices = context.renderer.devices();
            here = Some(Here { name: name.clone(), slots: loops, busy: Arc::clone(&busy), devices });
            let parts = worker::run::Parts {
                queue,
                job_service,
                context,
                loops,
                name,
                running: match &fleet {
                    Some(_) => Arc::default(),
                    None => Arc::clone(running.get_or_insert_with(Arc::default)),
                },
                busy,
                reported: Arc::default(),
            };
            tasks.spawn(worker::run::run(parts, stop.clone()));
        }
    }
    Ok(Started { tasks, estimator, editor, sampler, exporter, importer, work: Work { fleet, queued, here }, running })
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

/// Returns when `stop` is cancelled or a task ends early. In the latter case it cancels `stop`. Returns which of the
/// two happened.
pub async fn watch(tasks: &mut JoinSet<()>, stop: &CancellationToken) -> Ended {
    let ended = tokio::select! {
        biased;
        () = stop.cancelled() => return Ended::Asked,
        ended = tasks.join_next() => ended,
    };
    let why = ended.and_then(Result::err).map_or_else(|| "it returned".into(), |e| e.to_string());
    tracing::error!(why, "service task ended unexpectedly: stopping");
    stop.cancel();
    Ended::Broken
}

/// Why the service ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ended {
    /// It was told to stop.
    Asked,
    /// One of its tasks ended unexpectedly.
    Broken,
}

#[cfg(test)]
mod tests {
    use futures::FutureExt;

    use super::*;

    #[tokio::test]
    async fn one_part_that_ends_ends_the_rest() {
        for part in [async { panic!("a fault") }.boxed(), async {}.boxed()] {
            let stop = CancellationToken::new();
            let mut tasks = JoinSet::new();
            tasks.spawn(stop.clone().cancelled_owned());
            tasks.spawn(part);
            assert_eq!(watch(&mut tasks, &stop).await, Ended::Broken);
            while let Some(ended) = tasks.join_next().await {
                ended.unwrap();
            }
        }
    }

    #[tokio::test]
    async fn being_told_is_no_fault() {
        let stop = CancellationToken::new();
        let mut tasks = JoinSet::new();
        tasks.spawn(stop.clone().cancelled_owned());
        stop.cancel();
        assert_eq!(watch(&mut tasks, &stop).await, Ended::Asked);
    }
}
