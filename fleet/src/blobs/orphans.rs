//! Lists blobs, and deletes those without references.

use std::time::SystemTime;

use futures::stream::{BoxStream, StreamExt};
use object_store::ObjectStoreExt;
use object_store::path::Path;

use super::error::BlobError;
use super::key::{BLOB_PREFIX, blob_path};
use super::store::Blobs;
use super::stored::Metadata;
use crate::protocol::BlobId;

impl Blobs {
    /// Returns every blob, in no particular order. Skips files that are not blobs.
    pub fn blobs(&self) -> BoxStream<'_, Result<(BlobId, Metadata), BlobError>> {
        self.listed(&Path::from(BLOB_PREFIX))
    }

    fn listed(&self, folder: &Path) -> BoxStream<'_, Result<(BlobId, Metadata), BlobError>> {
        let listed = self.store.list(Some(folder)).filter_map(move |found| {
            let blob = match found {
                Ok(meta) => blob_at(&meta.location).map(|id| Ok((id, Metadata::of(&meta)))),
                Err(e) => Some(Err(BlobError::Store(e))),
            };
            std::future::ready(blob)
        });
        listed.boxed()
    }

    /// Returns the blobs whose names begin with this byte, in no particular order.
    pub fn blobs_in(&self, first: u8) -> BoxStream<'_, Result<(BlobId, Metadata), BlobError>> {
        self.listed(&Path::from(format!("{BLOB_PREFIX}{first:02x}")))
    }

    /// Deletes a blob if it was stored before `before`, and returns whether it did. A blob that was put again since
    /// ([`Blobs::put_blob`]) stays.
    ///
    /// # Errors
    /// [`BlobError::TimedOut`], [`BlobError::Store`].
    pub async fn delete_blob(&self, id: &BlobId, before: SystemTime) -> Result<bool, BlobError> {
        let path = blob_path(id);
        self.attempts(&path, 2, || async {
            match self.head(&path).await {
                Ok(there) if there.modified < before => {}
                Ok(_) | Err(BlobError::NotFound(_)) => return Ok(false),
                Err(e) => return Err(e),
            }
            match self.store.delete(&path).await {
                Ok(()) => Ok(true),
                Err(object_store::Error::NotFound { .. }) => Ok(false),
                Err(e) => Err(BlobError::from_store(&path, e)),
            }
        })
        .await
    }
}

/// Returns the blob at a path.
fn blob_at(path: &Path) -> Option<BlobId> {
    let (folder, rest) = path.as_ref().strip_prefix(BLOB_PREFIX)?.split_once('/')?;
    format!("{folder}{rest}").parse().ok().filter(|id| blob_path(id) == *path)
}

#[cfg(test)]
mod tests {
    use std::fs::File;
    use std::time::Duration;

    use futures::TryStreamExt;

    use super::*;

    #[tokio::test]
    async fn what_is_old_goes_unless_it_was_put_again() {
        let folder = tempfile::tempdir().unwrap();
        let blobs = Blobs::local(folder.path()).unwrap();
        let (day, now) = (Duration::from_secs(24 * 3600), SystemTime::now());
        let mut ids = Vec::new();
        for (n, age) in [(0, 0), (1, 2), (2, 2)] {
            let id = blobs.put_blob(vec![n; 9].into()).await.unwrap();
            let file = folder.path().join(blob_path(&id).as_ref());
            File::options().write(true).open(file).unwrap().set_modified(now - age * day).unwrap();
            ids.push(id);
        }
        blobs.put_object("images/a.png", b"x".as_slice().into(), "image/png").await.unwrap();
        std::fs::write(folder.path().join("blobs/notes.txt"), "mine").unwrap();
        let listed: Vec<_> = blobs.blobs().try_collect().await.unwrap();
        assert_eq!(listed.len(), 3);
        let mut by_byte = 0;
        for first in 0..=u8::MAX {
            let some: Vec<_> = blobs.blobs_in(first).try_collect().await.unwrap();
            assert!(some.iter().all(|(id, _)| id.0[0] == first && ids.contains(id)));
            by_byte += some.len();
        }
        assert_eq!(by_byte, 3);
        let old = |age: Duration| listed.iter().filter(|(_, s)| s.modified < now - age).count();
        assert_eq!((old(day), old(3 * day)), (2, 0));

        blobs.put_blob(vec![1; 9].into()).await.unwrap();
        let mut gone = Vec::new();
        for id in &ids {
            gone.push(blobs.delete_blob(id, now - day).await.unwrap());
        }
        assert_eq!(gone, [false, false, true]);
        assert!(blobs.get_blob(&ids[1]).await.is_ok() && blobs.get_blob(&ids[2]).await.is_err());
        assert!(!blobs.delete_blob(&ids[2], now).await.unwrap(), "it is gone already");
    }
}
