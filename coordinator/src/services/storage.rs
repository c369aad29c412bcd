//! Maintains the storage accounting: measures objects whose size is unknown, and checks the running totals once a day.

use std::time::Duration;

use fleet::blobs::{BlobError, Blobs};
use futures::{StreamExt, stream};
use tokio::time::{Instant, MissedTickBehavior, interval_at};
use tokio_util::sync::CancellationToken;

use crate::metrics;
use crate::state::{StateError, StorageCheck, Store, StoredThing};

/// Delay from the start to the first run.
const FIRST: Duration = Duration::from_secs(60);
/// Interval between measurements.
const EVERY: Duration = Duration::from_secs(3600);
/// The totals are checked in the first run and then in every n-th run.
const CHECK_EVERY: u32 = 24;
/// Objects measured per transaction, and concurrently.
const BATCH: usize = 200;
const AT_ONCE: usize = 8;

/// Runs measurements and checks until `stop` is cancelled.
pub async fn run(store: Store, blobs: Blobs, stop: CancellationToken) {
    let mut tick = interval_at(Instant::now() + FIRST, EVERY);
    tick.set_missed_tick_behavior(MissedTickBehavior::Delay);
    for look in (0..CHECK_EVERY).cycle() {
        tokio::select! {
            () = stop.cancelled() => return,
            _ = tick.tick() => {}
        }
        let round = async {
            measure(&store, &blobs).await?;
            if look == 0 { check(&store).await } else { Ok(()) }
        };
        match stop.run_until_cancelled(round).await {
            None => return,
            Some(Ok(())) => {}
            Some(Err(error)) => tracing::error!(%error, "storage check failed"),
        }
    }
}

/// Asks the object store for unknown sizes: those of objects that older versions stored, and of objects that could not
/// be measured when they were stored.
async fn measure(store: &Store, blobs: &Blobs) -> Result<(), StateError> {
    let mut batches = Batches::default();
    while let Some(some) = batches.next(store, Store::unmeasured).await? {
        let sizes = stream::iter(some).map(async |(key, thing)| Some((key, size(blobs, &thing).await?)));
        let sizes: Vec<_> = sizes.buffer_unordered(AT_ONCE).filter_map(std::future::ready).collect().await;
        if !sizes.is_empty() {
            store.run(move |store| store.measured(&sizes)).await?;
        }
    }
    Ok(())
}

/// Items with their keys.
type Batch<T> = Vec<(Vec<u8>, T)>;
/// Reads up to a number of items after a key.
type Read<T> = fn(&Store, &[u8], usize) -> Result<Batch<T>, StateError>;

/// Reads rows of stored objects in batches. Nothing is locked between batches.
#[derive(Debug, Default)]
pub(crate) struct Batches {
    /// The last key read.
    after: Vec<u8>,
}

impl Batches {
    /// Returns the next items that `read` finds. `None` at the end.
    pub(crate) async fn next<T: Send + 'static>(
        &mut self,
        store: &Store,
        read: Read<T>,
    ) -> Result<Option<Batch<T>>, StateError> {
        let after = self.after.clone();
        let some = store.run(move |store| read(store, &after, BATCH)).await?;
        let Some((last, _)) = some.last() else { return Ok(None) };
        self.after.clone_from(last);
        Ok(Some(some))
    }
}

/// Returns the size of a blob, or of an image's thumbnail, which is the unknown part of an image. `None` if the object
/// store can't tell.
async fn size(blobs: &Blobs, thing: &StoredThing) -> Option<u64> {
    let metadata = match thing {
        StoredThing::Blob(id) => blobs.blob_metadata(id).await,
        StoredThing::Image(key) => blobs.object_metadata(&thumbnail(key)).await,
    };
    match metadata {
        Ok(metadata) => Some(metadata.bytes),
        // A missing object takes no space.
        Err(BlobError::NotFound(_)) => Some(0),
        Err(error) => {
            tracing::warn!(%error, "measuring an object failed: retrying later");
            None
        }
    }
}

/// Returns the key of an image's thumbnail, in the form of `fleet::protocol::image_keys`.
fn thumbnail(image: &str) -> String {
    match image.rsplit_once('.') {
        Some((base, extension)) => format!("{base}-thumb.{extension}"),
        None => format!("{image}-thumb"),
    }
}

/// Compares the totals of all accounts with their rows.
async fn check(store: &Store) -> Result<(), StateError> {
    for account in store.run(Store::account_ids).await? {
        match store.run(move |store| store.check_storage(account)).await? {
            StorageCheck::Right => {}
            StorageCheck::Corrected(rows) => {
                tracing::error!(%account, rows, "storage of an account was wrong: corrected");
                metrics::storage_corrected();
            }
            StorageCheck::Busy => tracing::info!(%account, "storage check skipped: the account kept changing"),
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use fleet::protocol::image_keys;
    use uuid::Uuid;

    use super::*;

    #[test]
    fn thumbnails_are_named_after_their_images() {
        let [image, thumb] = image_keys(None, Uuid::nil(), Uuid::nil(), 3, 7, "webp");
        assert_eq!(thumbnail(&image), thumb);
    }
}
