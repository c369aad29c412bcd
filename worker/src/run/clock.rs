//! Whether the object store takes this machine's clock. While it doesn't, a worker can neither read nor store anything, so
//! it takes no jobs: they are for workers whose clocks are right.

use std::time::Duration;

use fleet::blobs::Blobs;
use tokio::time::sleep;

use crate::metrics::CLOCK_REFUSED;

/// Between questions while all is well: a clock drifts slowly.
const LOOK_EVERY: Duration = Duration::from_secs(60);
/// The same while the clock is refused.
const LOOK_AGAIN: Duration = Duration::from_secs(5);

/// Asks the store again and again, and says what changes in the log and the metrics. The first question is up to the caller.
pub(super) async fn watch(blobs: Blobs) {
    let mut clock = blobs.clock();
    let mut refused = false;
    loop {
        let now = clock.borrow_and_update().clone();
        match &now {
            Some(why) if !refused => tracing::error!("{why}; no job is taken until the clock is right"),
            None if refused => tracing::info!("the object store takes this machine's clock again; jobs are taken"),
            _ => {}
        }
        refused = now.is_some();
        metrics::gauge!(CLOCK_REFUSED).set(f64::from(u8::from(refused)));
        tokio::select! {
            _ = clock.changed() => {}
            () = sleep(if refused { LOOK_AGAIN } else { LOOK_EVERY }) => blobs.ask_for_the_time().await,
        }
    }
}
