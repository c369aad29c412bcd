//! Compares every balance with its ledger, at the start and daily. A difference means an error of the service, since the
//! rows themselves are those that were committed: an alert wakes an operator, and nobody's requests are refused.

use std::time::Duration;

use tokio::time::{MissedTickBehavior, interval};
use tokio_util::sync::CancellationToken;

use crate::meters;
use crate::state::Store;

/// Between audits.
const EVERY: Duration = Duration::from_secs(24 * 3600);

/// Audits until `stop` is cancelled.
pub async fn run(store: Store, stop: CancellationToken) {
    let mut tick = interval(EVERY);
    tick.set_missed_tick_behavior(MissedTickBehavior::Delay);
    while stop.run_until_cancelled(tick.tick()).await.is_some() {
        match store.run(Store::unbalanced).await {
            Ok(accounts) => meters::unbalanced(accounts.len()),
            Err(error) => tracing::error!(%error, "audit of balances failed"),
        }
    }
}
