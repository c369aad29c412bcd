//! Objects: bytes under a key that the writer chooses.

use std::ops::Range;
use std::time::Duration;

use bytes::Bytes;
use hyper::Method;
use object_store::{Attribute, Attributes, ObjectStoreExt, PutOptions, PutPayload};

use super::error::BlobError;
use super::key::object_path;
use super::store::Blobs;
use super::stored::{Metadata, Object};

impl Blobs {
    /// Stores an object under `key`, replacing any previous one, and verifies that it is there.
    ///
    /// # Errors
    /// [`BlobError::BadKey`], [`BlobError::TooLarge`], [`BlobError::NoRoom`], [`BlobError::Damaged`],
    /// [`BlobError::TimedOut`], [`BlobError::Store`].
    pub async fn put_object(&self, key: &str, bytes: Bytes, content_type: &str) -> Result<(), BlobError> {
        let path = object_path(key)?;
        self.fits(&path, bytes.len() as u64)?;
        self.attempts(&path, 2, || async {
            let mut put = PutOptions::default();
            if self.attributes {
                put.attributes = Attributes::from_iter([(Attribute::ContentType, content_type.to_owned())]);
            }
            self.store
                .put_opts(&path, PutPayload::from_bytes(bytes.clone()), put)
                .await
                .map_err(|e| BlobError::from_store(&path, e))?;
            self.verify(&path, bytes.len() as u64).await
        })
        .await
    }

    /// Opens an object for reading.
    ///
    /// # Errors
    /// [`BlobError::BadKey`], [`BlobError::NotFound`], [`BlobError::TooLarge`], [`BlobError::TimedOut`],
    /// [`BlobError::Store`].
    pub async fn get_object(&self, key: &str) -> Result<Object, BlobError> {
        let path = object_path(key)?;
        self.attempts(&path, 1, || self.open(&path)).await
    }

    /// Opens a part of an object for reading. The part must not be empty and must end within the object.
    ///
    /// # Errors
    /// As [`Self::get_object`]; [`BlobError::Store`] where there is no such part.
    pub async fn get_object_part(&self, key: &str, part: Range<u64>) -> Result<Object, BlobError> {
        let path = object_path(key)?;
        self.attempts(&path, 1, || self.open_part(&path, Some(part.clone()))).await
    }

    /// Returns the metadata of an object.
    ///
    /// # Errors
    /// [`BlobError::BadKey`], [`BlobError::NotFound`], [`BlobError::TimedOut`], [`BlobError::Store`].
    pub async fn object_metadata(&self, key: &str) -> Result<Metadata, BlobError> {
        let path = object_path(key)?;
        self.attempts(&path, 1, || self.head(&path)).await
    }

    /// Deletes an object. Succeeds if the object does not exist.
    ///
    /// # Errors
    /// [`BlobError::BadKey`], [`BlobError::TimedOut`], [`BlobError::Store`].
    pub async fn delete(&self, key: &str) -> Result<(), BlobError> {
        let path = object_path(key)?;
        self.attempts(&path, 1, || async {
            match self.store.delete(&path).await {
                Ok(()) | Err(object_store::Error::NotFound { .. }) => Ok(()),
                Err(e) => Err(BlobError::from_store(&path, e)),
            }
        })
        .await
    }

    /// Returns a signed URL at which a client can access an object directly, with this method and for this lifetime;
    /// `None` if the store has no URLs. Does not check that the object exists.
    ///
    /// # Errors
    /// [`BlobError::BadKey`], [`BlobError::Store`] where signing fails.
    pub async fn address(&self, method: Method, key: &str, lifetime: Duration) -> Result<Option<String>, BlobError> {
        let path = object_path(key)?;
        match &self.direct {
            Some(direct) => Ok(Some(direct.address(method, path, lifetime).await?)),
            None => Ok(None),
        }
    }
}
