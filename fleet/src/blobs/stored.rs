//! What is stored: its metadata, and its bytes when opened for reading.

use std::fmt;
use std::hash::{BuildHasher, RandomState};
use std::sync::LazyLock;
use std::time::SystemTime;

use bytes::Bytes;
use futures::stream::{BoxStream, StreamExt};
use object_store::path::Path;
use object_store::{GetResult, ObjectMeta};

use super::error::{BlobError, within_limit};

/// Metadata of an object.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Metadata {
    /// Its size in bytes.
    pub bytes: u64,
    /// When it was stored.
    pub modified: SystemTime,
    /// Changes with the store's metadata of the bytes: entity tag (for a file, its inode, time and size), size, time
    /// and version. Comparable only within one process.
    pub mark: u64,
}

impl Metadata {
    pub(super) fn of(meta: &ObjectMeta) -> Self {
        // The hasher has a random key, so that nobody can craft two objects with the same mark.
        static HASHER: LazyLock<RandomState> = LazyLock::new(RandomState::new);
        let modified: SystemTime = meta.last_modified.into();
        let mark = HASHER.hash_one((&meta.e_tag, &meta.version, meta.size, modified));
        Self { bytes: meta.size, modified, mark }
    }
}

/// An object, or a part of it, opened for reading.
pub struct Object {
    /// The number of bytes to read.
    pub bytes: u64,
    /// Metadata of the whole object.
    pub metadata: Metadata,
    stream: BoxStream<'static, object_store::Result<Bytes>>,
    key: Path,
}

impl Object {
    /// Opens what the store returned for `path`.
    ///
    /// # Errors
    /// [`BlobError::TooLarge`].
    pub(super) fn of(got: GetResult, path: &Path) -> Result<Self, BlobError> {
        within_limit(path, got.meta.size)?;
        let metadata = Metadata::of(&got.meta);
        let bytes = got.range.end - got.range.start;
        Ok(Self { bytes, metadata, stream: got.into_stream(), key: path.clone() })
    }

    /// Reads all bytes.
    ///
    /// # Errors
    /// [`BlobError::Damaged`] where their number differs from the announced one; [`BlobError::Store`].
    pub async fn bytes(mut self) -> Result<Bytes, BlobError> {
        // Bytes that arrive in one piece are returned without a copy.
        let mut first = Bytes::new();
        let mut all = Vec::new();
        while let Some(part) = self.stream.next().await {
            let part = part.map_err(|e| BlobError::from_store(&self.key, e))?;
            if first.is_empty() && all.is_empty() {
                first = part;
                continue;
            }
            if all.is_empty() {
                all.reserve(usize::try_from(self.bytes).unwrap_or(0));
                all.extend_from_slice(&std::mem::take(&mut first));
            }
            all.extend_from_slice(&part);
            if all.len() as u64 > self.bytes {
                return Err(BlobError::Damaged(self.key.to_string()));
            }
        }
        let bytes = if all.is_empty() { first } else { Bytes::from(all) };
        if bytes.len() as u64 == self.bytes { Ok(bytes) } else { Err(BlobError::Damaged(self.key.to_string())) }
    }

    /// Returns the bytes as a stream, in order.
    pub fn into_stream(self) -> BoxStream<'static, Result<Bytes, BlobError>> {
        let key = self.key;
        self.stream.map(move |part| part.map_err(|e| BlobError::from_store(&key, e))).boxed()
    }
}

impl fmt::Debug for Object {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Object").field("key", &self.key).field("bytes", &self.bytes).finish_non_exhaustive()
    }
}
