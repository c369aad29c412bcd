//! Blobs: bytes that are named by their hash, written once, and verified when read.

use std::ops::Range;
use std::time::Duration;

use bytes::Bytes;
use object_store::{ObjectStoreExt, PutMode, PutOptions, PutPayload};

use super::digest::Digest;
use super::error::BlobError;
use super::key::blob_path;
use super::store::Blobs;
use super::stored::{Metadata, Object};
use crate::protocol::BlobId;

/// [`Blobs::put_blob`] writes a blob again if the stored copy is older than this: blobs without references are deleted
/// by their age.
const FRESH: Duration = Duration::from_secs(6 * 3600);

impl Blobs {
    /// Stores bytes under their hash, and verifies that they are there. Bytes that the store already holds are written
    /// again only if they are old or damaged.
    ///
    /// # Errors
    /// [`BlobError::TooLarge`], [`BlobError::NoRoom`], [`BlobError::TimedOut`], [`BlobError::Store`].
    pub async fn put_blob(&self, bytes: Bytes) -> Result<BlobId, BlobError> {
        let id = BlobId::of(&bytes);
        let path = blob_path(&id);
        self.fits(&path, bytes.len() as u64)?;
        self.attempts(&path, 4, || async {
            let put = PutOptions { mode: PutMode::Create, ..PutOptions::default() };
            match self.store.put_opts(&path, PutPayload::from_bytes(bytes.clone()), put).await {
                Ok(_) => {}
                Err(object_store::Error::AlreadyExists { .. }) => {
                    // The right bytes are at hand, so they replace a copy that is damaged, too large or unreadable.
                    match self.hash(&path).await {
                        Ok(Digest { sha256, metadata })
                            if sha256 == id.0 && metadata.modified.elapsed().is_ok_and(|age| age < FRESH) =>
                        {
                            return Ok(());
                        }
                        Ok(_) | Err(BlobError::Damaged(_) | BlobError::TooLarge { .. } | BlobError::NotFound(_)) => {}
                        Err(e) => return Err(e),
                    }
                    let put = self.store.put(&path, PutPayload::from_bytes(bytes.clone())).await;
                    put.map_err(|e| BlobError::from_store(&path, e))?;
                }
                Err(e) => return Err(BlobError::from_store(&path, e)),
            }
            self.verify(&path, bytes.len() as u64).await
        })
        .await?;
        Ok(id)
    }

    /// Returns the metadata of a blob. Does not read the bytes, so does not compare them with the hash.
    ///
    /// # Errors
    /// [`BlobError::NotFound`], [`BlobError::TimedOut`], [`BlobError::Store`].
    pub async fn blob_metadata(&self, id: &BlobId) -> Result<Metadata, BlobError> {
        let path = blob_path(id);
        self.attempts(&path, 1, || self.head(&path)).await
    }

    /// Returns the bytes of a blob, verified against its hash.
    ///
    /// # Errors
    /// [`BlobError::NotFound`], [`BlobError::Damaged`], [`BlobError::TooLarge`], [`BlobError::TimedOut`],
    /// [`BlobError::Store`].
    pub async fn get_blob(&self, id: &BlobId) -> Result<Bytes, BlobError> {
        let path = blob_path(id);
        self.attempts(&path, 1, || async {
            let bytes = self.open(&path).await?.bytes().await?;
            if BlobId::of(&bytes) == *id { Ok(bytes) } else { Err(BlobError::Damaged(path.to_string())) }
        })
        .await
    }

    /// Opens a blob, or a part of it, without verifying its hash: see [`Self::check_blob`].
    ///
    /// # Errors
    /// [`BlobError::NotFound`], [`BlobError::TimedOut`], [`BlobError::Store`].
    pub async fn open_blob(&self, id: &BlobId, part: Option<Range<u64>>) -> Result<Object, BlobError> {
        let path = blob_path(id);
        self.attempts(&path, 1, || self.open_part(&path, part.clone())).await
    }
}
