//! Everything in one process: the queue in memory, the object store in a folder, workers on the process's own threads.

use std::sync::Arc;

use fleet::blobs::Blobs;
use fleet::queue::embedded::EmbeddedQueue;
use render_core::text::Fonts;
use tokio::task::JoinSet;
use tokio_util::sync::CancellationToken;

use crate::clock::Millis;
use crate::dispatch::{self, Queued};
use crate::reports::StateDesk;
use crate::state::{StateError, Store};

/// Why the workers could not be started.
#[derive(Debug, thiserror::Error)]
pub enum StartError {
    /// The state can't be read or changed.
    #[error(transparent)]
    State(#[from] StateError),
    /// The threads can't be made.
    #[error("the rendering threads can't be started: {0}")]
    Threads(#[from] rayon::ThreadPoolBuildError),
}

/// Starts dispatch, upkeep and `loops` worker loops; they end, with their jobs, after `stop` is cancelled.
///
/// The workers of an earlier process ended with it, so whatever they held is put up again first.
///
/// # Errors
/// [`StartError`].
pub async fn start(
    store: &Store,
    blobs: &Blobs,
    loops: usize,
    stop: &CancellationToken,
) -> Result<JoinSet<()>, StartError> {
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
    if loops > 0 {
        let parts = worker::run::Parts {
            queue,
            desk: Arc::new(StateDesk::new(store.clone(), blobs.clone(), queued)),
            blobs: blobs.clone(),
            fonts: Fonts::new(),
            pool: Arc::new(rayon::ThreadPoolBuilder::new().thread_name(|n| format!("render-{n}")).build()?),
            loops,
            name: format!("standalone-{}", std::process::id()),
        };
        tasks.spawn(worker::run::run(parts, stop.clone()));
    }
    Ok(tasks)
}
