//! Compares every balance with its ledger, at startup and daily. A difference is a bug of the service, because the rows
//! themselves are as committed. It raises an alert for an operator, and no requests are refused.

use std::time::Duration;

use tokio::time::{MissedTickBehavior, interval};
use tokio_util::sync::CancellationToken;

use crate::metrics;
use crate::state::Store;

/// Interval between audits.
const EVERY: Duration = Duration::from_secs(24 * 3600);

/// Runs audits until `stop` is cancelled.
pub async fn run(store: Store, stop: CancellationToken) {
    let mut tick = interval(EVERY);
    tick.set_missed_tick_behavior(MissedTickBehavior::Delay);
    while stop.run_until_cancelled(tick.tick()).await.is_some() {
        match store.run(Store::unbalanced).await {
            Ok(accounts) => metrics::unbalanced(accounts.len()),
            Err(error) => tracing::error!(%error, "audit of balances failed"),
        }
    }
}
