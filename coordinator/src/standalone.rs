//! What runs beside the API: dispatch, upkeep, and the workers of this process. On one machine that is all there is, with
//! the queue in memory; in a fleet the queue and the desk reach other machines too.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicUsize;
use std::time::Duration;

use fleet::blobs::Blobs;
use fleet::desk::owner::{Owner, OwnerError};
use fleet::desk::{DeskError, nats::serve};
use fleet::edit::Editor;
use fleet::estimate::Estimator;
use fleet::export::Exporter;
use fleet::intake::Intake;
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
use worker::intake::LocalIntake;
use worker::renderer::Choice;
use worker::sample::LocalSampler;
use worker::setup::{self, Setup, SetupError};

use crate::api::admin::fleet::{Here, Work};
use crate::clock::Millis;
use crate::dispatch::{self, Queued, Slots};
use crate::reports::StateDesk;
use crate::state::{StateError, Store};
use crate::sweeper;

/// How long the start waits for a queue that doesn't answer.
const FIRST_LOOK: Duration = Duration::from_secs(1);

/// Why what runs beside the API could not be started.
#[derive(Debug, thiserror::Error)]
pub enum StartError {
    /// The state can't be read or changed.
    #[error(transparent)]
    State(#[from] StateError),
    /// The workers of this process can't be set up.
    #[error(transparent)]
    Setup(#[from] SetupError),
    /// There is no way to the queue.
    #[error(transparent)]
    Nats(#[from] NatsError),
    /// Another coordinator is there.
    #[error(transparent)]
    Owner(#[from] OwnerError),
}

/// What the workers of this process are made of.
pub struct Workers<'a> {
    /// Jobs worked on at once.
    pub loops: usize,
    /// What draws.
    pub device: &'a Choice,
    /// A folder of further faces.
    pub fonts: Option<&'a Path>,
    /// Which pages may be fetched.
    pub guard: &'a Guard,
    /// What writes, where a language model is configured.
    pub copywriter: Option<Copywriter>,
}

/// A queue that other machines reach.
pub struct Remote {
    /// How to reach it.
    pub nats: nats::Settings,
    /// What the deployment calls itself there.
    pub prefix: String,
}

/// What runs.
pub struct Started {
    /// Dispatch, upkeep and the worker loops.
    pub tasks: JoinSet<()>,
    /// What plans without keeping anything; none where this process is to do no work at all.
    pub estimator: Option<Arc<dyn Estimator>>,
    /// What works out edits; likewise.
    pub editor: Option<Arc<dyn Editor>>,
    /// What draws samples; likewise.
    pub sampler: Option<Arc<dyn Sampler>>,
    /// Makes PDFs of pages; none without workers.
    pub exporter: Option<Arc<dyn Exporter>>,
    /// What reads the logos and fonts that are sent.
    pub intake: Arc<dyn Intake>,
    /// Who works, and what waits for them.
    pub work: Work,
    /// Counts the workers that there are, or the loops of this process, where there are to be any.
    pub running: Option<Arc<AtomicUsize>>,
}

/// Logos and fonts that are read at once, beside what the workers read.
const INTAKES: usize = 2;
/// Estimates are made like so many loops' where no loop runs here.
const ESTIMATING: usize = 2;

/// Starts dispatch, upkeep and the worker loops of this process; they end, with their jobs, after `stop` is cancelled. With
/// a `remote` queue workers on other machines do what is put up there.
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
    let desk = Arc::new(StateDesk::new(store.clone(), blobs.clone(), queued.clone()));
    let (queue, fleet): (Arc<dyn Queue>, _) = match remote {
        None => {
            // The workers of an earlier process ended with it, so whatever they held is put up again first.
            match store.run(|s| s.reap_all(Millis::now())).await {
                Ok(0) => {}
                Ok(jobs) => tracing::info!(jobs, "jobs of an earlier process were put up again"),
                // A service on a full disk is there to be read from. Its jobs go on once their leases end and there is room.
                Err(StateError::NoRoom(why)) => tracing::warn!(%why, "jobs of an earlier process wait"),
                Err(why) => return Err(why.into()),
            }
            (Arc::new(EmbeddedQueue::new()), None)
        }
        Some(remote) => {
            let (queue, fleet) =
                reach_out(remote, (Arc::clone(&desk), blobs, queued.clone()), &mut tasks, stop).await?;
            (queue, Some(fleet))
        }
    };
    dispatch::reconcile(store, &queued).await;
    let slots = Slots { here: workers.loops, fleet: fleet.clone() };
    tasks.spawn(dispatch::publish(store.clone(), Arc::clone(&queue), queued.clone(), slots.clone(), stop.clone()));
    tasks.spawn(dispatch::keep(store.clone(), Arc::clone(&queue), queued.clone(), slots, stop.clone()));
    tasks.spawn(sweeper::sweep(store.clone(), blobs.clone(), stop.clone()));

    let sandbox = setup::sandbox(INTAKES)?;
    let fonts = setup::fonts(workers.fonts, &sandbox).await?;
    let intake = Arc::new(LocalIntake::new(sandbox, fonts.clone()));
    let (mut estimator, mut editor, mut sampler, mut exporter, mut here) = (None, None, None, None, None);
    let mut running = fleet.as_ref().map(Fleet::count);
    let Workers { loops, device, guard, copywriter, .. } = workers;
    if loops > 0 || fleet.is_some() {
        // Nothing is drawn for an estimate, and what is for an edit is small.
        let device = if loops > 0 { device } else { &Choice::Cpu };
        let most = if loops > 0 { loops } else { ESTIMATING };
        let setup = Setup { loops: Some(most), device, guard, copywriter, blobs: blobs.clone(), fonts };
        let tools = Arc::new(setup::tools(setup)?.0);
        estimator = Some(Arc::new(LocalEstimator::new(Arc::clone(&tools), most)) as Arc<dyn Estimator>);
        editor = Some(Arc::new(LocalEditor::new(Arc::clone(&tools), most)) as Arc<dyn Editor>);
        sampler = Some(Arc::new(LocalSampler::new(Arc::clone(&tools), most)) as Arc<dyn Sampler>);
        exporter = Some(Arc::new(LocalExporter::new(Arc::clone(&tools), most)) as Arc<dyn Exporter>);
        if loops > 0 {
            let busy = Arc::new(AtomicUsize::new(0));
            let name = format!("coordinator-{}", std::process::id());
            let devices = tools.renderer.devices();
            here = Some(Here { name: name.clone(), slots: loops, busy: Arc::clone(&busy), devices });
            let parts = worker::run::Parts {
                queue,
                desk,
                tools,
                loops,
                name,
                running: match &fleet {
                    Some(_) => Arc::default(),
                    None => Arc::clone(running.get_or_insert_with(Arc::default)),
                },
                busy,
                seen: Arc::default(),
            };
            tasks.spawn(worker::run::run(parts, stop.clone()));
        }
    }
    Ok(Started { tasks, estimator, editor, sampler, exporter, intake, work: Work { fleet, queued, here }, running })
}

/// Connects to the queue that other machines reach, and answers their workers.
async fn reach_out(
    remote: Remote,
    (desk, blobs, queued): (Arc<StateDesk>, &Blobs, Queued),
    tasks: &mut JoinSet<()>,
    stop: &CancellationToken,
) -> Result<(Arc<NatsQueue>, Fleet), StartError> {
    let Remote { nats, prefix } = remote;
    tracing::info!(servers = %nats.servers, prefix, "workers on other machines are reached over NATS");
    let client = nats::connect(&nats).await?;
    let owner = Owner::new(client.clone(), &prefix, &process::name("coordinator"));
    owner.begin().await?;
    tasks.spawn({
        let stop = stop.clone();
        async move {
            if let Err(error) = owner.hold(stop).await {
                tracing::error!(%error, "this coordinator ends");
            }
        }
    });
    let (queue, fleet) = (Arc::new(NatsQueue::new(client.clone(), &prefix)), Fleet::default());
    tasks.spawn({
        let (client, prefix, blobs, stop) = (client.clone(), prefix.clone(), blobs.clone(), stop.clone());
        async move {
            if let Err(error @ DeskError(_)) = serve(client, &prefix, desk, blobs, stop).await {
                tracing::error!(%error, "workers can't be answered");
            }
        }
    });
    tasks.spawn({
        let (fleet, stop) = (fleet.clone(), stop.clone());
        async move {
            if let Err(error) = fleet.listen(client, &prefix, stop).await {
                tracing::error!(%error, "workers can't be heard");
            }
        }
    });
    // A new queue has its stream before the first ticket is put up; one that is away holds nobody up.
    let _ = timeout(FIRST_LOOK, queue.prepare()).await;
    tasks.spawn(dispatch::prepare(Arc::clone(&queue), queued, stop.clone()));
    Ok((queue, fleet))
}

/// Returns when `stop` is cancelled or a task ended before that; then says which way it came, and cancels `stop`.
pub async fn watch(tasks: &mut JoinSet<()>, stop: &CancellationToken) -> Ended {
    let ended = tokio::select! {
        biased;
        () = stop.cancelled() => return Ended::Asked,
        ended = tasks.join_next() => ended,
    };
    let why = ended.and_then(Result::err).map_or_else(|| "it returned".into(), |e| e.to_string());
    tracing::error!(why, "a part of the service ended by itself; the rest is stopped");
    stop.cancel();
    Ended::Broken
}

/// Why the service ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ended {
    /// It was told to.
    Asked,
    /// A part of it ended by itself.
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
