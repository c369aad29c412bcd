//! Processes the deletion queue: removes the objects that are queued in the state.

use std::time::Duration;

use fleet::blobs::{BlobError, Blobs};
use fleet::failpoint::failpoint;
use tokio::time::{sleep, timeout};
use tokio_util::sync::CancellationToken;

use crate::clock::Millis;
use crate::metrics;
use crate::state::{StateError, Store};

/// Objects removed per transaction.
const BATCH: usize = 64;
/// Interval between checks of the queue even without a notification, because entries become due later.
const LOOK_EVERY: Duration = Duration::from_secs(30);
/// Pause after a failure.
const PAUSE: Duration = Duration::from_secs(10);

/// Removes due objects until `stop` is cancelled. The next start removes the rest.
pub async fn sweep(store: Store, blobs: Blobs, stop: CancellationToken) {
    while !stop.is_cancelled() {
        let rest = match sweep_some(&store, &blobs, Millis::now(), &stop).await {
            Ok(BATCH..) => continue,
            Ok(_) => LOOK_EVERY,
            Err(()) => {
                tokio::select! {
                    () = stop.cancelled() => {}
                    () = sleep(PAUSE) => {}
                }
                continue;
            }
        };
        tokio::select! {
            () = stop.cancelled() => {}
            _ = timeout(rest, store.deletion_queued()) => {}
        }
    }
}

/// Removes up to [`BATCH`] objects. Returns their number.
async fn sweep_some(store: &Store, blobs: &Blobs, now: Millis, stop: &CancellationToken) -> Result<usize, ()> {
    let complain = |e: StateError| tracing::error!(error = %e, "reading or updating the deletion queue failed");
    let due = store.run(move |s| s.due_deletions(BATCH, now)).await.map_err(complain)?;
    let mut gone = Vec::new();
    let mut failed = false;
    for object in due {
        match blobs.delete(&object).await {
            Ok(()) => gone.push(object),
            Err(e @ BlobError::BadKey(_)) => {
                tracing::error!(error = %e, "object key invalid: dropped from the deletion queue");
                gone.push(object);
            }
            Err(e) => {
                tracing::warn!(error = %e, object, "removing an object failed: retrying later");
                failed = true;
            }
        }
        // Record the objects removed so far, whatever happens to the rest.
        if failed || stop.is_cancelled() {
            break;
        }
    }
    failpoint("objects removed");
    let count = gone.len();
    if count > 0 {
        store.run(move |s| s.deleted(&gone)).await.map_err(complain)?;
        metrics::objects_swept(count);
    }
    if failed { Err(()) } else { Ok(count) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn what_is_due_is_removed_and_forgotten() {
        let folder = tempfile::tempdir().unwrap();
        let (store, blobs) = (Store::open(folder.path()).unwrap(), Blobs::memory());
        let (stop, now) = (CancellationToken::new(), Millis::now());
        for n in 0..BATCH + 3 {
            let key = format!("o/{n}");
            blobs.put_object(&key, b"x".as_slice().into(), "image/png").await.unwrap();
            store.queue_deletion(&key, now).unwrap();
        }
        store.queue_deletion("../escaped", now).unwrap();
        store.queue_deletion("o/never", now).unwrap();
        assert_eq!(sweep_some(&store, &blobs, now, &stop).await, Ok(0), "nothing is due");
        let later = now.plus_seconds(24 * 3600);
        assert_eq!(sweep_some(&store, &blobs, later, &stop).await, Ok(BATCH));
        assert_eq!(sweep_some(&store, &blobs, later, &stop).await, Ok(5));
        assert_eq!(store.due_deletions(9, later).unwrap(), [""; 0]);
        for n in 0..BATCH + 3 {
            assert!(blobs.get_object(&format!("o/{n}")).await.is_err());
        }
    }
}
