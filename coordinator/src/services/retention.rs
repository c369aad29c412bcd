//! Retention: deletes generations and images that are older than configured.

use std::time::Duration;

use tokio::time::{MissedTickBehavior, interval};
use tokio_util::sync::CancellationToken;

use crate::clock::Millis;
use crate::state::{StateError, Store};

/// Interval between runs.
const EVERY: Duration = Duration::from_secs(1800);
/// Maximum number of generations per step, which takes a few hundred milliseconds.
const STEP: usize = 100;

/// How long to keep things.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Keep {
    /// Days for which a generation is kept after acceptance; 0 keeps it forever.
    pub generations: u32,
    /// Days for which its images are kept; 0 keeps them as long as the generation.
    pub images: u32,
    /// Hours for which the input of a failed or cancelled generation is kept after its end; 0 keeps it as long as the
    /// generation.
    pub failed_inputs_h: u32,
}

/// Deletes old generations, images and inputs until `stop` is cancelled.
pub async fn run(store: Store, keep: Keep, stop: CancellationToken) {
    let mut tick = interval(EVERY);
    tick.set_missed_tick_behavior(MissedTickBehavior::Delay);
    while stop.run_until_cancelled(tick.tick()).await.is_some() {
        let generations = |s: &Store, before, now| s.delete_old(before, STEP, now);
        let day_s = 24 * 3600;
        delete(&store, u64::from(keep.generations) * day_s, &stop, "deleted old generations", generations).await;
        let images = |s: &Store, before, now| s.delete_old_images(before, STEP, now);
        delete(&store, u64::from(keep.images) * day_s, &stop, "deleted old images", images).await;
        let inputs = |s: &Store, before, now| s.delete_failed_inputs(before, STEP, now);
        let kept_s = u64::from(keep.failed_inputs_h) * 3600;
        delete(&store, kept_s, &stop, "deleted inputs of failed and cancelled generations", inputs).await;
    }
}

/// Deletes what is older than `seconds`, in steps; does nothing if that is 0. `step` returns the number of generations
/// that it handled.
async fn delete(
    store: &Store,
    seconds: u64,
    stop: &CancellationToken,
    said: &'static str,
    step: impl Fn(&Store, Millis, Millis) -> Result<usize, StateError> + Copy + Send + 'static,
) {
    while seconds > 0 && !stop.is_cancelled() {
        let now = Millis::now();
        let before = now.minus_seconds(seconds);
        match store.run(move |store| step(store, before, now)).await {
            Ok(0) => return,
            Ok(generations) => tracing::info!(generations, "{said}"),
            Err(error) => return tracing::error!(%error, "retention failed"),
        }
    }
}
