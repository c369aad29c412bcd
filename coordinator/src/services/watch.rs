//! Waits for the end of the service's tasks.

use std::time::Duration;

use tokio::task::{JoinHandle, JoinSet};
use tokio_util::sync::CancellationToken;

use crate::state::Store;

/// Timeout for all tasks to end after the service is told to stop.
const STOP_TIME: Duration = Duration::from_secs(25);

/// Returns when `stop` is cancelled or a task ends early. In the latter case it cancels `stop`. Returns which of the
/// two happened.
pub(super) async fn watch(tasks: &mut JoinSet<()>, stop: &CancellationToken) -> Ended {
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
pub(super) enum Ended {
    /// It was told to stop.
    Asked,
    /// One of its tasks ended unexpectedly.
    Broken,
}

/// Waits until all tasks have ended, but at most [`STOP_TIME`], then writes what is only in memory.
pub(super) async fn end(mut tasks: JoinSet<()>, metrics: Option<JoinHandle<()>>, store: &Store) {
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
