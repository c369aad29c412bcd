//! Orphan collection: removes inputs, documents, pages, photographs and brand files that no row references any more.
//! They come from deleted generations, expired uploads, changed brand kits, and requests that stored something but were
//! refused or interrupted. Until they are removed, they count against the accounts that stored them.

use std::collections::HashSet;
use std::time::{Duration, SystemTime};

use fleet::blobs::{BlobError, Blobs};
use fleet::protocol::BlobId;
use futures::{StreamExt, TryStreamExt};
use render_core::design::Brand;
use render_core::leaf;
use tokio::time::{Instant, MissedTickBehavior, interval_at};
use tokio_util::sync::CancellationToken;

use super::storage::Batches;
use crate::metrics;
use crate::state::{StateError, Store};

/// Delay from the start to the first run.
const FIRST: Duration = Duration::from_secs(600);
/// Interval between runs.
const EVERY: Duration = Duration::from_secs(6 * 3600);
/// Minimum age of a blob before it may be removed: far longer than the time from storing a blob to referencing it, and
/// longer than the time within which a put of an existing blob skips storing it again.
const AGE: Duration = Duration::from_secs(24 * 3600);

/// Why a run stopped.
#[derive(Debug, thiserror::Error)]
enum LeftoversError {
    #[error(transparent)]
    State(#[from] StateError),
    #[error(transparent)]
    Store(#[from] BlobError),
    /// The blobs that the brand references are unknown, so nothing may be removed.
    #[error("the brand {0} can't be read: {1}")]
    Brand(BlobId, String),
    /// The same for a page.
    #[error("the page {0} can't be read: {1}")]
    Page(BlobId, String),
}

/// Runs orphan collection until `stop` is cancelled.
pub async fn run(store: Store, blobs: Blobs, stop: CancellationToken) {
    let mut tick = interval_at(Instant::now() + FIRST, EVERY);
    tick.set_missed_tick_behavior(MissedTickBehavior::Delay);
    loop {
        tokio::select! {
            () = stop.cancelled() => return,
            _ = tick.tick() => {}
        }
        match stop.run_until_cancelled(remove(&store, &blobs, SystemTime::now())).await {
            None => return,
            Some(Ok(0)) => {}
            Some(Ok(count)) => {
                tracing::info!(count, "orphaned blobs removed");
                metrics::objects_swept(count);
            }
            Some(Err(error)) => tracing::error!(%error, "orphan collection failed"),
        }
    }
}

/// Removes the blobs that are older than [`AGE`] and unreferenced, and stops counting them against accounts. Returns
/// their number.
async fn remove(store: &Store, blobs: &Blobs, now: SystemTime) -> Result<usize, LeftoversError> {
    // A new state that replaced a lost one references none of the existing blobs. Keep those, because the lost state
    // may yet be restored.
    let Some(began) = store.run(Store::began).await? else { return Ok(0) };
    let ours = SystemTime::UNIX_EPOCH + Duration::from_millis(u64::try_from(began.0).unwrap_or(0));
    let Some(before) = now.checked_sub(AGE) else { return Ok(0) };
    // List the blobs first, so that references added since then are collected below.
    let old = blobs
        .blobs()
        .try_filter(|(_, metadata)| std::future::ready(metadata.modified >= ours && metadata.modified < before));
    let old: Vec<BlobId> = old.map(|found| found.map(|(id, _)| id)).try_collect().await?;
    let is_idle = old.is_empty() && store.run(|store| store.unreferenced(&[], 1)).await?.is_empty();
    if is_idle {
        return Ok(0);
    }
    let named = named(store, blobs).await?;
    let mut removed = 0;
    for id in old.iter().filter(|id| !named.contains(id)) {
        removed += usize::from(blobs.delete_blob(id, before).await?);
    }
    uncount(store, blobs, &named).await?;
    Ok(removed)
}

/// Stops counting blobs against accounts that no longer reference them: blobs that are gone from the object store, and
/// blobs that stay because another account references them.
async fn uncount(store: &Store, blobs: &Blobs, named: &HashSet<BlobId>) -> Result<(), LeftoversError> {
    let mut batches = Batches::default();
    while let Some(some) = batches.next(store, Store::unreferenced).await? {
        let mut gone = Vec::new();
        for (key, id) in some {
            if named.contains(&id) || matches!(blobs.blob_metadata(&id).await, Err(BlobError::NotFound(_))) {
                gone.push(key);
            }
        }
        store.run(move |store| store.uncount(&gone)).await?;
    }
    Ok(())
}

/// Returns the GC roots: the blobs that rows reference, and those that the brands and pages among them reference.
async fn named(store: &Store, blobs: &Blobs) -> Result<HashSet<BlobId>, LeftoversError> {
    let mut named = store.run(Store::gc_roots).await?;
    for id in &named.brands {
        let bytes = match blobs.get_blob(id).await {
            Ok(bytes) => bytes,
            Err(BlobError::NotFound(_)) => continue,
            Err(e) => return Err(e.into()),
        };
        let brand = Brand::decode(&bytes).map_err(|e| LeftoversError::Brand(*id, e.to_string()))?;
        let logos = brand.logo.iter().chain(&brand.logo_dark).map(|logo| logo.key);
        named.blobs.extend(logos.chain(brand.faces.iter().map(|face| face.key)).map(|key| BlobId(key.0)));
    }
    for id in &named.pages {
        let bytes = match blobs.get_blob(id).await {
            Ok(bytes) => bytes,
            Err(BlobError::NotFound(_)) => continue,
            Err(e) => return Err(e.into()),
        };
        let mut page = leaf::decode(&bytes).map_err(|e| LeftoversError::Page(*id, e.to_string()))?;
        named.blobs.extend(page.photos_mut().filter_map(|photo| photo.key.parse::<BlobId>().ok()));
    }
    Ok(named.blobs)
}

#[cfg(test)]
mod tests {
    use std::fs::File;
    use std::path::Path;

    use render_core::design::{FaceFile, FileKey, Logo};
    use render_core::text::Family;

    use super::*;
    use crate::accounts::Plan;
    use crate::clock::Millis;
    use crate::state::{Account, Kit, KitContent, KitLogo, Order};

    const DAY: Duration = Duration::from_secs(24 * 3600);

    /// Sets the age of all existing files.
    fn age(folder: &Path, age: Duration) {
        for entry in std::fs::read_dir(folder).unwrap().map(Result::unwrap) {
            if entry.path().is_dir() {
                self::age(&entry.path(), age);
            } else {
                let file = File::options().write(true).open(entry.path()).unwrap();
                file.set_modified(SystemTime::now() - age).unwrap();
            }
        }
    }

    #[tokio::test]
    async fn what_nothing_names_goes_and_all_else_stays() {
        let folder = tempfile::tempdir().unwrap();
        let (store, lying) = (Store::open(&folder.path().join("state")).unwrap(), folder.path().join("store"));
        let blobs = Blobs::local(&lying).unwrap();
        let put = async |text: &str| blobs.put_blob(text.to_owned().into()).await.unwrap();
        let (input, left, old_logo, face, new_logo) =
            (put("input").await, put("left").await, put("old").await, put("face").await, put("new").await);
        // The brand of a generation references a logo that its kit no longer has.
        let logo = Logo { key: FileKey(old_logo.0), width: 1, height: 1, pixels: None };
        let faces = vec![FaceFile { family: Family::OwnBody, key: FileKey(face.0) }];
        let brand = Brand { name: "Acme".into(), logo: Some(logo), faces, ..Brand::default() };
        let brand = blobs.put_blob(brand.encode().into()).await.unwrap();

        assert_eq!(remove(&store, &blobs, SystemTime::now() + 9 * DAY).await.unwrap(), 0, "whose they are isn't known");
        let created = Millis::now().minus_seconds(3 * DAY.as_secs());
        let account = Account { name: "a".into(), plan: Plan::Pro, active: true, created };
        let account = store.create_account(&account, 100).unwrap();
        let order = crate::state::tests::order(account, 1);
        let request = crate::state::Request { input, ..order.request };
        store.accept(&Order { request, brand: Some(brand), ..order }).unwrap();
        let logo = Some(KitLogo { blob: new_logo, width: 1, height: 1 });
        let content = KitContent { name: "Acme".into(), ..KitContent::default() };
        let id = uuid::Uuid::now_v7();
        let kit = Kit { id, content, logo, logo_dark: None, created, updated: created };
        store.make_kit(account, &kit, false, 9, None).unwrap();

        let mut removed = Vec::new();
        for days in [0, 5, 2, 2] {
            age(&lying, days * DAY);
            removed.push(remove(&store, &blobs, SystemTime::now()).await.unwrap());
        }
        assert_eq!(removed, [0, 0, 1, 0], "too young, older than the state, left over, gone");
        assert!(blobs.get_blob(&left).await.is_err());
        for id in [input, brand, old_logo, face, new_logo] {
            assert!(blobs.get_blob(&id).await.is_ok());
        }
    }
}
