//! Deletes generations and images that were kept as long as the operator wants them to be.

use std::time::Duration;

use tokio::time::{MissedTickBehavior, interval};
use tokio_util::sync::CancellationToken;

use crate::clock::Millis;
use crate::state::{StateError, Store};

/// Between looks for what is old.
const EVERY: Duration = Duration::from_secs(1800);
/// Generations deleted, or emptied, at once: a step of a few hundred milliseconds.
const STEP: usize = 100;

/// For how long things are kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Keep {
    /// Days that a generation is kept after it was accepted; 0 for good.
    pub generations: u32,
    /// Days that its images are; 0 as long as the generation itself.
    pub images: u32,
}

/// Deletes what is older, until `stop` is cancelled.
pub async fn run(store: Store, keep: Keep, stop: CancellationToken) {
    let mut tick = interval(EVERY);
    tick.set_missed_tick_behavior(MissedTickBehavior::Delay);
    loop {
        tokio::select! {
            () = stop.cancelled() => return,
            _ = tick.tick() => {}
        }
        let generations = |s: &Store, before, now| s.delete_old(before, STEP, now);
        delete(&store, keep.generations, &stop, "generations were kept long enough and deleted", generations).await;
        let images = |s: &Store, before, now| s.delete_old_images(before, STEP, now);
        delete(&store, keep.images, &stop, "images of generations were kept long enough and deleted", images).await;
    }
}

/// Deletes what is older than so many days, step by step. `step` returns how many generations it was about.
async fn delete(
    store: &Store,
    days: u32,
    stop: &CancellationToken,
    said: &'static str,
    step: impl Fn(&Store, Millis, Millis) -> Result<usize, StateError> + Copy + Send + 'static,
) {
    while days > 0 && !stop.is_cancelled() {
        let now = Millis::now();
        let before = now.minus_seconds(u64::from(days) * 24 * 3600);
        match store.run(move |store| step(store, before, now)).await {
            Ok(0) => return,
            Ok(generations) => tracing::info!(generations, "{said}"),
            Err(error) => return tracing::error!(%error, "what is old could not be deleted"),
        }
    }
}
