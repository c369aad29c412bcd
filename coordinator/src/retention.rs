//! Deletes generations that were kept their time, a few at once, so that nothing else waits for it.

use std::time::Duration;

use tokio_util::sync::CancellationToken;

use crate::clock::Millis;
use crate::meters;
use crate::state::{StateError, Store};

/// Between two passes over all generations.
const EVERY: Duration = Duration::from_secs(600);
/// Between two steps of a pass.
const PAUSE: Duration = Duration::from_millis(50);

/// Deletes what ended more than `keep_s` seconds ago, until `stop` is cancelled; nothing where that is 0.
pub async fn run(store: Store, keep_s: u64, stop: CancellationToken) {
    if keep_s == 0 {
        return stop.cancelled().await;
    }
    loop {
        match pass(&store, keep_s, &stop).await {
            Ok(0) => {}
            Ok(gone) => tracing::info!(generations = gone, "generations that were kept their time are deleted"),
            Err(e) => tracing::error!(error = %e, "generations that were kept their time could not be deleted"),
        }
        tokio::select! {
            () = stop.cancelled() => return,
            () = tokio::time::sleep(EVERY) => {}
        }
    }
}

async fn pass(store: &Store, keep_s: u64, stop: &CancellationToken) -> Result<usize, StateError> {
    let (mut pass, mut gone) = (store.pass(), 0);
    while !stop.is_cancelled() {
        let now = Millis::now();
        let step = move |store: &Store| {
            let step = store.forget_generations(&mut pass, now.minus_seconds(keep_s), now)?;
            Ok((pass, step))
        };
        let (goes_on, step) = store.run(step).await?;
        pass = goes_on;
        let Some(n) = step else { break };
        meters::generations_forgotten(n);
        gone += n;
        if n > 0 {
            tokio::time::sleep(PAUSE).await;
        }
    }
    Ok(gone)
}
