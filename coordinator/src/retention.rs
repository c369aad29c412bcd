//! Deletes generations that were kept as long as the operator wants them to be.

use std::time::Duration;

use tokio::time::{MissedTickBehavior, interval};
use tokio_util::sync::CancellationToken;

use crate::clock::Millis;
use crate::state::Store;

/// Between looks for what is old.
const EVERY: Duration = Duration::from_secs(600);
/// Generations deleted at once: a step of a few hundred milliseconds.
const STEP: usize = 100;

/// Deletes generations `days` days after they were accepted, until `stop` is cancelled; none where that is 0.
pub async fn run(store: Store, days: u32, stop: CancellationToken) {
    if days == 0 {
        return stop.cancelled().await;
    }
    let mut tick = interval(EVERY);
    tick.set_missed_tick_behavior(MissedTickBehavior::Delay);
    loop {
        tokio::select! {
            () = stop.cancelled() => return,
            _ = tick.tick() => {}
        }
        while !stop.is_cancelled() {
            let now = Millis::now();
            let before = now.minus_seconds(u64::from(days) * 24 * 3600);
            match store.run(move |store| store.delete_old(before, STEP, now)).await {
                Ok(0) => break,
                Ok(generations) => tracing::info!(generations, "generations were kept long enough and deleted"),
                Err(error) => {
                    tracing::error!(%error, "old generations could not be deleted");
                    break;
                }
            }
        }
    }
}
