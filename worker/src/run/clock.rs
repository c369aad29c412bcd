//! Tracks whether the object store accepts this machine's clock. A worker whose clock is refused can neither read nor
//! store anything, so it claims no jobs and leaves them to workers with correct clocks.

use std::time::Duration;

use fleet::blobs::Blobs;
use tokio::time::sleep;

use crate::metrics::CLOCK_REFUSED;

/// Interval of checks while the clock is accepted: a clock drifts slowly.
const LOOK_EVERY: Duration = Duration::from_secs(60);
/// Interval of checks while the clock is refused.
const LOOK_AGAIN: Duration = Duration::from_secs(5);

/// Checks the store periodically, logs each change and updates the metric. The caller makes the first check.
pub(super) async fn watch(blobs: Blobs) {
    let mut clock = blobs.clock();
    let mut refused = false;
    loop {
        let now = clock.borrow_and_update().clone();
        match &now {
            Some(why) if !refused => tracing::error!("{why}; the worker claims no jobs until the clock is correct"),
            None if refused => tracing::info!("the object store accepts this machine's clock again"),
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
