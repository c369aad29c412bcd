//! Hashes of stored bytes, to compare them with those that were written.

use std::fs::File;
use std::io::Read;

use futures::stream::StreamExt;
use object_store::path::Path;
use object_store::{GetOptions, GetResultPayload};
use sha2::{Digest as _, Sha256};

use super::error::{BlobError, within_limit};
use super::key::{blob_path, object_path};
use super::store::Blobs;
use super::stored::Metadata;
use crate::protocol::BlobId;

/// Bytes of a file to read at once.
const CHUNK: usize = 256 << 10;

/// The hash of an object, and its metadata.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Digest {
    /// Their SHA-256.
    pub sha256: [u8; 32],
    /// Metadata of the object that was read.
    pub metadata: Metadata,
}

impl Blobs {
    /// Reads a whole object and hashes it. Holds only a part of it in memory at a time.
    ///
    /// # Errors
    /// [`BlobError::BadKey`], [`BlobError::NotFound`], [`BlobError::TooLarge`], [`BlobError::TimedOut`],
    /// [`BlobError::Damaged`] where it ends early in each attempt, [`BlobError::Store`].
    pub async fn digest(&self, key: &str) -> Result<Digest, BlobError> {
        let path = object_path(key)?;
        self.attempts(&path, 2, || self.hash(&path)).await
    }

    /// Reads a whole blob and compares its hash with its name.
    ///
    /// # Errors
    /// As [`Self::digest`]; [`BlobError::Damaged`] where the hash differs.
    pub async fn check_blob(&self, id: &BlobId) -> Result<Metadata, BlobError> {
        let path = blob_path(id);
        let found = self.attempts(&path, 2, || self.hash(&path)).await?;
        if found.sha256 == id.0 { Ok(found.metadata) } else { Err(BlobError::Damaged(path.to_string())) }
    }

    pub(super) async fn hash(&self, path: &Path) -> Result<Digest, BlobError> {
        let got = self.store.get_opts(path, GetOptions::default()).await.map_err(|e| BlobError::from_store(path, e))?;
        within_limit(path, got.meta.size)?;
        let metadata = Metadata::of(&got.meta);
        let (sha256, bytes) = match got.payload {
            // One thread reads a file in large parts: a task per small part costs more than the hash.
            GetResultPayload::File(file, _) => tokio::task::spawn_blocking(move || hash_file(file))
                .await
                .unwrap_or_else(|e| Err(std::io::Error::other(e)))
                .map_err(|error| {
                    // An unreadable sector counts as damage.
                    tracing::warn!(%error, key = %path, "stored file not read: I/O error");
                    BlobError::Damaged(path.to_string())
                })?,
            GetResultPayload::Stream(mut stream) => {
                let (mut hash, mut bytes) = (Sha256::new(), 0);
                while let Some(part) = stream.next().await {
                    let part = part.map_err(|e| BlobError::from_store(path, e))?;
                    hash.update(&part);
                    bytes += part.len() as u64;
                }
                (hash.finalize().into(), bytes)
            }
        };
        // The transfer was cut off, or the object changed meanwhile: the caller retries.
        if bytes != metadata.bytes {
            return Err(BlobError::Damaged(path.to_string()));
        }
        Ok(Digest { sha256, metadata })
    }
}

fn hash_file(mut file: File) -> std::io::Result<([u8; 32], u64)> {
    let (mut hash, mut bytes, mut chunk) = (Sha256::new(), 0, vec![0; CHUNK]);
    loop {
        match file.read(&mut chunk) {
            Ok(0) => return Ok((hash.finalize().into(), bytes)),
            Ok(n) => {
                hash.update(&chunk[..n]);
                bytes += n as u64;
            }
            Err(e) if e.kind() == std::io::ErrorKind::Interrupted => {}
            Err(e) => return Err(e),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::blobs::RetryPolicy;

    fn impatient(blobs: Blobs) -> Blobs {
        blobs.with_retries(RetryPolicy { pause: Duration::from_millis(1), ..RetryPolicy::default() })
    }

    #[tokio::test]
    async fn digests_are_those_of_the_bytes_and_marks_change_with_the_file() {
        let folder = tempfile::tempdir().unwrap();
        for blobs in [Blobs::local(folder.path()).unwrap(), Blobs::memory()].map(impatient) {
            let bytes: Vec<u8> = (0..700_000_u32).map(|n| n as u8).collect();
            blobs.put_object("images/a.png", bytes.clone().into(), "image/png").await.unwrap();
            let found = blobs.digest("images/a.png").await.unwrap();
            assert_eq!(found.sha256, BlobId::of(&bytes).0);
            assert_eq!(found.metadata, blobs.object_metadata("images/a.png").await.unwrap());
            let opened = blobs.get_object_part("images/a.png", 5..9).await.unwrap().metadata;
            assert_eq!(opened, found.metadata, "a part has the mark of the whole");
            blobs.put_object("images/a.png", bytes.into(), "image/png").await.unwrap();
            assert_ne!(blobs.object_metadata("images/a.png").await.unwrap().mark, found.metadata.mark);
            assert!(matches!(blobs.digest("images/b.png").await, Err(BlobError::NotFound(_))));
        }
    }

    #[tokio::test]
    async fn i17_a_damaged_blob_is_never_read_and_is_healed_by_whoever_puts_it() {
        let folder = tempfile::tempdir().unwrap();
        let blobs = impatient(Blobs::local(folder.path()).unwrap());
        let bytes = vec![7_u8; 5_000];
        let id = blobs.put_blob(bytes.clone().into()).await.unwrap();
        let file = folder.path().join(blob_path(&id).as_ref());
        let (mut flipped, half) = (bytes.clone(), bytes[..2_500].to_vec());
        flipped[1_234] ^= 1;
        for damaged in [flipped, half] {
            std::fs::write(&file, damaged).unwrap();
            assert!(matches!(blobs.get_blob(&id).await, Err(BlobError::Damaged(_))));
            assert!(matches!(blobs.check_blob(&id).await, Err(BlobError::Damaged(_))));
            assert_eq!(blobs.put_blob(bytes.clone().into()).await.unwrap(), id);
            assert_eq!(blobs.get_blob(&id).await.unwrap(), bytes);
            blobs.check_blob(&id).await.unwrap();
        }
        std::fs::remove_file(&file).unwrap();
        assert!(matches!(blobs.check_blob(&id).await, Err(BlobError::NotFound(_))));
        blobs.put_blob(bytes.clone().into()).await.unwrap();
        assert_eq!(blobs.get_blob(&id).await.unwrap(), bytes);
    }
}
