//! Removes objects that nothing shows any more, by the list of them in the state.

use std::time::Duration;

use fleet::blobs::{BlobError, Blobs};
use fleet::failpoint::failpoint;
use tokio::time::{sleep, timeout};
use tokio_util::sync::CancellationToken;

use crate::clock::Millis;
use crate::meters;
use crate::state::{StateError, Store};

/// Objects removed between two notes of it.
const BATCH: usize = 64;
/// The list is looked at this often even if nobody rings: some of it comes due later.
const LOOK_EVERY: Duration = Duration::from_secs(30);
/// After something failed.
const PAUSE: Duration = Duration::from_secs(10);

/// Removes what is due until `stop` is cancelled. What is left then is removed after the next start.
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
            _ = timeout(rest, store.thrown_away()) => {}
        }
    }
}

/// Removes up to [`BATCH`] objects; returns how many.
async fn sweep_some(store: &Store, blobs: &Blobs, now: Millis, stop: &CancellationToken) -> Result<usize, ()> {
    let complain = |e: StateError| tracing::error!(error = %e, "the list of objects to remove can't be used");
    let due = store.run(move |s| s.trash(BATCH, now)).await.map_err(complain)?;
    let mut gone = Vec::new();
    let mut failed = false;
    for object in due {
        match blobs.delete(&object).await {
            Ok(()) => gone.push(object),
            Err(e @ BlobError::BadKey(_)) => {
                tracing::error!(error = %e, "what can't be stored need not be removed");
                gone.push(object);
            }
            Err(e) => {
                tracing::warn!(error = %e, object, "an object can't be removed yet");
                failed = true;
            }
        }
        // What is gone is noted, whatever comes after it.
        if failed || stop.is_cancelled() {
            break;
        }
    }
    failpoint("objects removed");
    let count = gone.len();
    if count > 0 {
        store.run(move |s| s.swept(&gone)).await.map_err(complain)?;
        meters::objects_swept(count);
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
            store.throw_away(&key, now).unwrap();
        }
        store.throw_away("../escaped", now).unwrap();
        store.throw_away("o/never", now).unwrap();
        assert_eq!(sweep_some(&store, &blobs, now, &stop).await, Ok(0), "nothing is due");
        let later = now.plus_seconds(24 * 3600);
        assert_eq!(sweep_some(&store, &blobs, later, &stop).await, Ok(BATCH));
        assert_eq!(sweep_some(&store, &blobs, later, &stop).await, Ok(5));
        assert_eq!(store.trash(9, later).unwrap(), [""; 0]);
        for n in 0..BATCH + 3 {
            assert!(blobs.get_object(&format!("o/{n}")).await.is_err());
        }
    }
}
