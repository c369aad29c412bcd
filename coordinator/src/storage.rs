//! Keeps account of what accounts store: measures what is not measured yet, and checks the running totals once a day.

use std::time::Duration;

use fleet::blobs::{BlobError, Blobs};
use futures::{StreamExt, stream};
use tokio::time::{Instant, MissedTickBehavior, interval_at};
use tokio_util::sync::CancellationToken;

use crate::meters;
use crate::state::{StateError, StorageCheck, Store, StoredThing};

/// From the start to the first look.
const FIRST: Duration = Duration::from_secs(60);
/// Between looks for what is to be measured.
const EVERY: Duration = Duration::from_secs(3600);
/// Totals are checked with the first look and every so many.
const CHECK_EVERY: u32 = 24;
/// Things measured between two notes of it, and at the same time.
const BATCH: usize = 200;
const AT_ONCE: usize = 8;

/// Measures and checks until `stop` is cancelled.
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
            Some(Err(error)) => tracing::error!(%error, "what accounts keep can't be checked"),
        }
    }
}

/// Asks the object store for the sizes that are not known: of what older versions stored, and of what could not be measured
/// when it was stored.
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
/// Reads up to so many items behind a key.
type Read<T> = fn(&Store, &[u8], usize) -> Result<Batch<T>, StateError>;

/// Reads what accounts keep in batches. Nothing is locked between two of them.
#[derive(Debug, Default)]
pub(crate) struct Batches {
    /// The last key that was read.
    after: Vec<u8>,
}

impl Batches {
    /// The next items that `read` finds behind a key. `None` at the end.
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

/// The bytes of a blob, or of the thumbnail of an image, which is what isn't known of one; nothing where the object store
/// can't say.
async fn size(blobs: &Blobs, thing: &StoredThing) -> Option<u64> {
    let standing = match thing {
        StoredThing::Blob(id) => blobs.blob_standing(id).await,
        StoredThing::Image(key) => blobs.standing(&thumbnail(key)).await,
    };
    match standing {
        Ok(standing) => Some(standing.bytes),
        // What isn't there takes no room.
        Err(BlobError::NotFound(_)) => Some(0),
        Err(error) => {
            tracing::warn!(%error, "something stored can't be measured yet");
            None
        }
    }
}

/// The key of the thumbnail of an image, as `fleet::protocol::image_keys` makes both.
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
                tracing::error!(%account, rows, "what an account keeps was counted wrong, and is corrected");
                meters::storage_corrected();
            }
            StorageCheck::Busy => tracing::info!(%account, "an account was too busy for a check of what it keeps"),
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
