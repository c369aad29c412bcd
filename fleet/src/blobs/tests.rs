use std::fmt;
use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use async_trait::async_trait;
use bytes::Bytes;
use futures::TryStreamExt;
use futures::stream::BoxStream;
use object_store::memory::InMemory;
use object_store::path::Path;
use object_store::{
    CopyOptions, GetOptions, GetResult, ListResult, MultipartUpload, ObjectMeta, ObjectStore, PutMultipartOptions,
    PutOptions, PutPayload, PutResult,
};
use proptest::prelude::*;

use super::key::{blob_path, object_path};
use super::*;
use crate::protocol::{BlobId, LEASE_S};

/// A store that fails its first `failures` calls, or never answers them.
#[derive(Debug)]
struct Faulty {
    inner: InMemory,
    failures: AtomicU32,
    silent: bool,
    calls: AtomicU32,
}

impl Faulty {
    fn new(failures: u32, silent: bool) -> Arc<Self> {
        Arc::new(Self { inner: InMemory::new(), failures: failures.into(), silent, calls: 0.into() })
    }

    async fn fault(&self) -> object_store::Result<()> {
        self.calls.fetch_add(1, Ordering::SeqCst);
        let failing = self.failures.fetch_update(Ordering::SeqCst, Ordering::SeqCst, |n| n.checked_sub(1)).is_ok();
        match (failing, self.silent) {
            (true, true) => std::future::pending().await,
            (true, false) => Err(object_store::Error::Generic { store: "faulty", source: "fault".into() }),
            (false, _) => Ok(()),
        }
    }
}

impl fmt::Display for Faulty {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("faulty")
    }
}

#[async_trait]
impl ObjectStore for Faulty {
    async fn put_opts(&self, at: &Path, payload: PutPayload, opts: PutOptions) -> object_store::Result<PutResult> {
        self.fault().await?;
        self.inner.put_opts(at, payload, opts).await
    }
    async fn put_multipart_opts(
        &self,
        at: &Path,
        opts: PutMultipartOptions,
    ) -> object_store::Result<Box<dyn MultipartUpload>> {
        self.inner.put_multipart_opts(at, opts).await
    }
    async fn get_opts(&self, at: &Path, options: GetOptions) -> object_store::Result<GetResult> {
        self.fault().await?;
        self.inner.get_opts(at, options).await
    }
    async fn get_ranges(&self, at: &Path, ranges: &[Range<u64>]) -> object_store::Result<Vec<Bytes>> {
        self.inner.get_ranges(at, ranges).await
    }
    fn delete_stream(
        &self,
        locations: BoxStream<'static, object_store::Result<Path>>,
    ) -> BoxStream<'static, object_store::Result<Path>> {
        self.inner.delete_stream(locations)
    }
    fn list(&self, prefix: Option<&Path>) -> BoxStream<'static, object_store::Result<ObjectMeta>> {
        self.inner.list(prefix)
    }
    async fn list_with_delimiter(&self, prefix: Option<&Path>) -> object_store::Result<ListResult> {
        self.inner.list_with_delimiter(prefix).await
    }
    async fn copy_opts(&self, from: &Path, to: &Path, options: CopyOptions) -> object_store::Result<()> {
        self.inner.copy_opts(from, to, options).await
    }
}

fn hasty() -> RetryPolicy {
    RetryPolicy {
        whole: Duration::from_secs(5),
        attempt: Duration::from_millis(100),
        attempts: 4,
        pause: Duration::from_millis(1),
    }
}

async fn keeps_its_promises(blobs: Blobs) {
    let bytes = Bytes::from(vec![7_u8; 100_000]);
    let id = blobs.put_blob(bytes.clone()).await.unwrap();
    assert_eq!(id, BlobId::of(&bytes));
    assert_eq!(blobs.put_blob(bytes.clone()).await.unwrap(), id, "again is the same");
    assert_eq!(blobs.get_blob(&id).await.unwrap(), bytes);
    let empty = blobs.put_blob(Bytes::new()).await.unwrap();
    assert_eq!(blobs.get_blob(&empty).await.unwrap(), Bytes::new());
    assert!(matches!(blobs.get_blob(&BlobId([0; 32])).await, Err(BlobError::NotFound(_))));

    let key = "outputs/0190/a-1.png";
    blobs.put_object(key, bytes.clone(), "image/png").await.unwrap();
    blobs.put_object(key, bytes.slice(..50_000), "image/png").await.unwrap();
    let object = blobs.get_object(key).await.unwrap();
    assert_eq!(object.bytes, 50_000);
    assert_eq!(object.bytes().await.unwrap(), bytes.slice(..50_000));
    let parts: Vec<Bytes> = blobs.get_object(key).await.unwrap().into_stream().try_collect().await.unwrap();
    assert_eq!(parts.concat(), bytes[..50_000]);
    let metadata = blobs.object_metadata(key).await.unwrap();
    let part = blobs.get_object_part(key, 9..12).await.unwrap();
    assert_eq!((part.bytes, part.metadata, metadata.bytes), (3, metadata, 50_000));
    assert_eq!(part.bytes().await.unwrap(), bytes.slice(9..12));
    assert!(blobs.get_object_part(key, 50_000..50_001).await.is_err());
    blobs.delete(key).await.unwrap();
    blobs.delete(key).await.unwrap();
    assert!(matches!(blobs.get_object(key).await, Err(BlobError::NotFound(_))));
    assert!(matches!(blobs.object_metadata(key).await, Err(BlobError::NotFound(_))));
}

#[tokio::test]
async fn memory_keeps_its_promises() {
    keeps_its_promises(Blobs::memory()).await;
}

#[tokio::test]
async fn a_folder_keeps_its_promises() {
    let folder = tempfile::tempdir().unwrap();
    keeps_its_promises(Blobs::local(&folder.path().join("not/yet/there")).unwrap()).await;
}

#[tokio::test]
async fn a_folder_is_found_again_and_emptied() {
    let folder = tempfile::tempdir().unwrap();
    let id = {
        let blobs = Blobs::local(folder.path()).unwrap();
        blobs.put_object("outputs/x/y.png", Bytes::from_static(b"y"), "image/png").await.unwrap();
        blobs.put_blob(Bytes::from_static(b"kept")).await.unwrap()
    };
    let blobs = Blobs::local(folder.path()).unwrap();
    assert_eq!(blobs.get_blob(&id).await.unwrap(), "kept");
    blobs.delete("outputs/x/y.png").await.unwrap();
    assert!(!folder.path().join("outputs").exists(), "empty folders stay behind");
}

#[tokio::test]
async fn damage_is_seen_and_healed() {
    let folder = tempfile::tempdir().unwrap();
    let blobs = Blobs::local(folder.path()).unwrap().with_retries(hasty());
    let id = blobs.put_blob(Bytes::from_static(b"as it was written")).await.unwrap();
    let name = id.to_string();
    let file = folder.path().join("blobs").join(&name[..2]).join(&name[2..]);
    for damage in ["As it was written", "as it", ""] {
        std::fs::write(&file, damage).unwrap();
        assert!(matches!(blobs.get_blob(&id).await, Err(BlobError::Damaged(_))), "{damage:?}");
    }
    let heal = async || {
        blobs.put_blob(Bytes::from_static(b"as it was written")).await.unwrap();
        assert_eq!(blobs.get_blob(&id).await.unwrap(), "as it was written");
    };
    heal().await;
    // Larger than the store reads.
    std::fs::File::create(&file).unwrap().set_len(OBJECT_BYTES + 1).unwrap();
    assert!(matches!(blobs.get_blob(&id).await, Err(BlobError::TooLarge { .. })));
    heal().await;
}

#[tokio::test]
async fn faults_are_retried_and_bounded() {
    for silent in [false, true] {
        let store = Faulty::new(3, silent);
        let blobs = Blobs::over(Arc::clone(&store) as _).with_retries(hasty());
        blobs.put_object("a.png", Bytes::from_static(b"a"), "image/png").await.unwrap();
        assert_eq!(blobs.get_object("a.png").await.unwrap().bytes, 1);

        let store = Faulty::new(u32::MAX, silent);
        let blobs = Blobs::over(Arc::clone(&store) as _).with_retries(hasty());
        let error = blobs.put_blob(Bytes::from_static(b"a")).await.unwrap_err();
        assert!(error.retry(), "{error}");
        assert_eq!(store.calls.load(Ordering::SeqCst), 4);
    }
}

/// Concurrent puts of the same bytes all succeed and store one blob.
#[tokio::test]
async fn a_blob_is_put_where_it_is_absent_whoever_comes_first() {
    let folder = tempfile::tempdir().unwrap();
    for blobs in [Blobs::memory(), Blobs::local(folder.path()).unwrap()] {
        let puts = (0..32).map(|_| blobs.put_blob(Bytes::from(vec![3; 50_000])));
        let ids: Vec<_> = futures::future::join_all(puts).await.into_iter().map(Result::unwrap).collect();
        assert!(ids.iter().all(|id| *id == ids[0]));
        assert_eq!(blobs.get_blob(&ids[0]).await.unwrap().len(), 50_000);
    }
}

#[test]
fn a_worker_gives_up_before_its_lease_runs_out() {
    let RetryPolicy { whole, attempt, .. } = RetryPolicy::default();
    assert!(whole < Duration::from_secs(LEASE_S) && attempt < whole);
}

#[tokio::test]
async fn what_cannot_succeed_is_not_retried() {
    let store = Faulty::new(0, false);
    let blobs = Blobs::over(Arc::clone(&store) as _).with_retries(hasty());
    assert!(!blobs.get_object("nothing.png").await.unwrap_err().retry());
    assert_eq!(store.calls.load(Ordering::SeqCst), 1);
}

#[tokio::test]
async fn keys_stay_inside() {
    let blobs = Blobs::memory();
    let long = "k".repeat(KEY_BYTES + 1);
    for key in [
        "", "/", "/a", "a/", "a//b", "..", "a/../b", "./a", ".hidden", "a b", "a\\b", "a%2fb", "ä", "a\0", "a#1", &long,
    ] {
        assert!(matches!(blobs.get_object(key).await, Err(BlobError::BadKey(_))), "{key:?}");
        assert!(matches!(blobs.put_object(key, Bytes::new(), "x/y").await, Err(BlobError::BadKey(_))), "{key:?}");
        assert!(matches!(blobs.delete(key).await, Err(BlobError::BadKey(_))), "{key:?}");
    }
    let id = blobs.put_blob(Bytes::from_static(b"mine")).await.unwrap();
    assert!(matches!(blobs.delete(blob_path(&id).as_ref()).await, Err(BlobError::BadKey(_))));
}

proptest! {
    #[test]
    fn accepted_keys_are_plain(key in "[a-zA-Z0-9./_%\\\\ -]{0,24}") {
        if let Ok(path) = object_path(&key) {
            prop_assert_eq!(path.as_ref(), key.as_str());
            prop_assert!(!key.contains("..") || key.split('/').all(|s| s != ".."));
        }
    }

    #[test]
    fn names_round_trip(bytes: [u8; 32]) {
        let id = BlobId(bytes);
        prop_assert_eq!(id.to_string().parse(), Ok(id));
    }
}

#[test]
fn names_have_one_spelling() {
    // SHA-256 of nothing (FIPS 180-4).
    let name = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";
    assert_eq!(BlobId::of(b"").to_string(), name);
    assert_eq!(name.parse(), Ok(BlobId::of(b"")));
    for bad in ["", &name[1..], &name.to_uppercase(), &name.replace('e', "g"), &format!("{name}00")] {
        assert_eq!(bad.parse::<BlobId>(), Err(NotABlobId), "{bad:?}");
    }
}

#[tokio::test]
async fn a_store_that_answers_takes_the_clock() {
    let blobs = Blobs::memory();
    blobs.ask_for_the_time().await;
    assert_eq!(*blobs.clock().borrow(), None);
}
