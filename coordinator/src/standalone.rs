//! Everything in one process: the queue in memory, the object store in a folder, workers on the process's own threads.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicUsize;

use fleet::blobs::Blobs;
use fleet::estimate::Estimator;
use fleet::intake::Intake;
use fleet::net::{Fetcher, Guard};
use fleet::queue::embedded::EmbeddedQueue;
use fleet::sandbox::Sandbox;
use render_core::text::Fonts;
use tokio::task::JoinSet;
use tokio_util::sync::CancellationToken;
use worker::brand::Brands;
use worker::copywriter::Copywriter;
use worker::estimate::LocalEstimator;
use worker::intake::LocalIntake;
use worker::renderer::{Choice, ChoiceError, Renderer};
use worker::shelf::Photos;

use crate::clock::Millis;
use crate::dispatch::{self, Queued};
use crate::reports::StateDesk;
use crate::state::{StateError, Store};
use crate::sweeper;

/// Why the workers could not be started.
#[derive(Debug, thiserror::Error)]
pub enum StartError {
    /// The state can't be read or changed.
    #[error(transparent)]
    State(#[from] StateError),
    /// The threads can't be made.
    #[error("the rendering threads can't be started: {0}")]
    Threads(#[from] rayon::ThreadPoolBuildError),
    /// A device that was asked for can't be had.
    #[error(transparent)]
    Device(#[from] ChoiceError),
    /// The folder of fonts can't be read.
    #[error("can't read the folder of fonts {folder}: {source}")]
    Fonts {
        /// Which folder.
        folder: PathBuf,
        /// Why.
        source: std::io::Error,
    },
    /// Nothing can be run in the sandbox.
    #[error("this executable can't be found, so hostile bytes can't be read in a process of their own: {0}")]
    Sandbox(std::io::Error),
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

/// What runs.
pub struct Started {
    /// Dispatch, upkeep and the worker loops.
    pub tasks: JoinSet<()>,
    /// What plans without keeping anything; none without workers.
    pub estimator: Option<Arc<dyn Estimator>>,
    /// What reads the logos and fonts that are sent.
    pub intake: Arc<dyn Intake>,
    /// What waits in the queue.
    pub queued: Queued,
    /// Counts the worker loops that run, where there are to be any.
    pub running: Option<Arc<AtomicUsize>>,
}

/// Logos and fonts that are read at once, beside what the workers read.
const INTAKES: usize = 2;

/// Starts dispatch, upkeep and the worker loops; they end, with their jobs, after `stop` is cancelled.
///
/// The workers of an earlier process ended with it, so whatever they held is put up again first.
///
/// # Errors
/// [`StartError`].
pub async fn start(
    store: &Store,
    blobs: &Blobs,
    workers: Workers<'_>,
    stop: &CancellationToken,
) -> Result<Started, StartError> {
    let queued = Queued::default();
    let left = store.run(|s| s.reap_all(Millis::now())).await?;
    if left > 0 {
        tracing::info!(jobs = left, "jobs of an earlier process were put up again");
    }
    dispatch::reconcile(store, &queued).await;

    let queue = Arc::new(EmbeddedQueue::new());
    let mut tasks = JoinSet::new();
    tasks.spawn(dispatch::publish(store.clone(), queue.clone(), queued.clone(), stop.clone()));
    tasks.spawn(dispatch::keep(store.clone(), queued.clone(), stop.clone()));
    tasks.spawn(sweeper::sweep(store.clone(), blobs.clone(), stop.clone()));
    let loops = workers.loops;
    let (mut estimator, mut running) = (None, None);
    let sandbox = Sandbox::new(INTAKES).map_err(StartError::Sandbox)?;
    let fonts = Fonts::new();
    if let Some(folder) = workers.fonts {
        let unreadable = |source| StartError::Fonts { folder: folder.to_owned(), source };
        worker::fonts::add_all(folder, &fonts, &sandbox).await.map_err(unreadable)?;
    }
    let intake = Arc::new(LocalIntake::new(sandbox, fonts.clone()));
    if loops > 0 {
        let sandbox = Sandbox::new(loops).map_err(StartError::Sandbox)?;
        let tools = Arc::new(worker::Tools {
            blobs: blobs.clone(),
            renderer: Renderer::open(workers.device, fonts, loops)?,
            fetcher: Fetcher::new(fleet::net::Parts::of_the_system(workers.guard.clone())),
            sandbox,
            copywriter: workers.copywriter,
            brands: Brands::default(),
            photos: Photos::default(),
            pool: Arc::new(rayon::ThreadPoolBuilder::new().thread_name(|n| format!("render-{n}")).build()?),
        });
        estimator = Some(Arc::new(LocalEstimator::new(Arc::clone(&tools), loops)) as Arc<dyn Estimator>);
        let parts = worker::run::Parts {
            queue,
            desk: Arc::new(StateDesk::new(store.clone(), blobs.clone(), queued.clone())),
            tools,
            loops,
            name: format!("standalone-{}", std::process::id()),
            running: Arc::clone(running.insert(Arc::default())),
        };
        tasks.spawn(worker::run::run(parts, stop.clone()));
    }
    Ok(Started { tasks, estimator, intake, queued, running })
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
