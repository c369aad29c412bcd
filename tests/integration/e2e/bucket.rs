//! Tests of what coordinator and workers expect from a bucket, with a server that checks signatures and conditions.

use std::time::Duration;

use bytes::Bytes;
use fleet::blobs::{Access, BlobError, Blobs};
use fleet::protocol::BlobId;
use http::Method;

use crate::service::exchange;
use crate::storage::{BUCKET, Storage};

const KEY: &str = "outputs/0190/a-1.png";
const MINUTE: Duration = Duration::from_secs(60);

/// Opens the bucket under a prefix, with this secret.
fn blobs(storage: &Storage, secret: &str) -> Blobs {
    under(storage, "promises", secret)
}

/// The same under any prefix.
pub fn under(storage: &Storage, prefix: &str, secret: &str) -> Blobs {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("secret");
    std::fs::write(&file, secret).unwrap();
    let access = Access {
        endpoint: Some(storage.url.clone()),
        region: Some("us-east-1".into()),
        key_id: Some("test".into()),
        key_file: Some(file),
    };
    Blobs::at(&format!("s3://{BUCKET}/{prefix}").parse().unwrap(), &access).unwrap()
}

/// Requests a complete URL directly from the store, and returns the response.
fn fetched(storage: &Storage, there: &str) -> String {
    let path = there.strip_prefix(&storage.url).expect("it leads to the store");
    let host = storage.url.strip_prefix("http://").unwrap();
    let asked = format!("GET {path} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n");
    exchange(host, asked.as_bytes()).unwrap()
}

#[tokio::test]
async fn blobs_are_put_where_they_are_absent() {
    let Some(storage) = Storage::start() else { return };
    let blobs = blobs(&storage, "test");
    let bytes = Bytes::from(vec![7_u8; 100_000]);
    let mut puts = tokio::task::JoinSet::new();
    for _ in 0..20 {
        let (blobs, bytes) = (blobs.clone(), bytes.clone());
        puts.spawn(async move { blobs.put_blob(bytes).await.unwrap() });
    }
    let ids = puts.join_all().await;
    let id = BlobId::of(&bytes);
    assert!(ids.iter().all(|one| *one == id));
    // The blob already existed, and the second write leaves it unchanged.
    assert_eq!(blobs.put_blob(bytes.clone()).await.unwrap(), id);
    assert_eq!(blobs.get_blob(&id).await.unwrap(), bytes);
    let absent = blobs.get_blob(&BlobId([0; 32])).await;
    assert!(matches!(absent, Err(BlobError::NotFound(_))), "{absent:?}");
}

#[tokio::test]
async fn objects_are_put_read_in_parts_and_removed() {
    let Some(storage) = Storage::start() else { return };
    let blobs = blobs(&storage, "test");
    let bytes = Bytes::from((0..200_u8).cycle().take(100_000).collect::<Vec<_>>());
    blobs.put_object(KEY, bytes.clone(), "image/png").await.unwrap();
    blobs.put_object(KEY, bytes.slice(..50_000), "image/png").await.unwrap();
    let object = blobs.get_object(KEY).await.unwrap();
    assert_eq!(object.bytes, 50_000);
    assert_eq!(object.bytes().await.unwrap(), bytes.slice(..50_000));
    assert_eq!(blobs.object_metadata(KEY).await.unwrap().bytes, 50_000);
    let part = blobs.get_object_part(KEY, 9..12).await.unwrap();
    assert_eq!(part.bytes().await.unwrap(), bytes.slice(9..12));
    assert!(blobs.get_object_part(KEY, 50_000..50_001).await.is_err());
    for _ in 0..2 {
        blobs.delete(KEY).await.unwrap();
    }
    assert!(matches!(blobs.get_object(KEY).await, Err(BlobError::NotFound(_))));
    assert!(matches!(blobs.object_metadata(KEY).await, Err(BlobError::NotFound(_))));
}

#[tokio::test]
async fn its_own_addresses_are_good_for_one_object_and_a_while() {
    let Some(storage) = Storage::start() else { return };
    let blobs = blobs(&storage, "test");
    for (key, bytes) in [(KEY, "shown"), ("outputs/0190/b-1.png", "hidden")] {
        blobs.put_object(key, Bytes::from_static(bytes.as_bytes()), "image/png").await.unwrap();
    }
    let address = async |lifetime| blobs.address(Method::GET, KEY, lifetime).await.unwrap().unwrap();
    let there = address(MINUTE).await;
    let answer = fetched(&storage, &there);
    assert!(answer.starts_with("HTTP/1.1 200") && answer.ends_with("shown"), "{answer}");
    assert!(answer.to_ascii_lowercase().contains("content-type: image/png"), "{answer}");
    for wrong in [there.replace("a-1.png", "b-1.png"), there.split('?').next().unwrap().to_owned()] {
        let answer = fetched(&storage, &wrong);
        assert!(answer.starts_with("HTTP/1.1 403"), "{wrong}: {answer}");
    }
    let brief = address(Duration::from_secs(1)).await;
    tokio::time::sleep(Duration::from_secs(3)).await;
    assert!(fetched(&storage, &brief).starts_with("HTTP/1.1 403"), "its time is over");
}

#[tokio::test]
async fn nobody_without_the_key_reads_or_writes() {
    let Some(storage) = Storage::start() else { return };
    let (ours, theirs) = (blobs(&storage, "test"), blobs(&storage, "another"));
    let id = ours.put_blob(Bytes::from_static(b"ours")).await.unwrap();
    assert!(matches!(theirs.get_blob(&id).await, Err(BlobError::Store(_))));
    assert!(matches!(theirs.put_blob(Bytes::from_static(b"theirs")).await, Err(BlobError::Store(_))));
    assert_eq!(ours.get_blob(&id).await.unwrap(), "ours");
}
