//! Object storage: a folder, a bucket, or memory for tests.
//!
//! The store holds two kinds of data. *Blobs* are named by the SHA-256 of their bytes (`blobs/ab/cdef…`), written once
//! and verified when read: inputs, documents, pages. *Objects* have a key chosen by the writer, and clients fetch them:
//! images and thumbnails.

use std::fmt;
use std::hash::{BuildHasher, RandomState};
use std::ops::Range;
use std::path::Path as FsPath;
use std::str::FromStr;
use std::sync::{Arc, LazyLock};
use std::time::{Duration, SystemTime};

use bytes::Bytes;
use futures::stream::{BoxStream, StreamExt};
use object_store::local::LocalFileSystem;
use object_store::memory::InMemory;
use object_store::path::Path;
use object_store::{
    Attribute, Attributes, GetOptions, GetRange, ObjectMeta, ObjectStore, ObjectStoreExt, PutMode, PutOptions,
    PutPayload,
};
use sha2::{Digest as _, Sha256};
use tokio::time::{Instant, sleep, timeout_at};

use crate::protocol::{BlobId, LEASE_S};
use crate::room::{NoRoom, Room};

use clock::Clock;
pub use digest::Digest;
use location::Direct;
pub use location::{Access, Location};

/// Maximum size of a blob or an object in bytes: above the largest input and the largest image.
pub const OBJECT_BYTES: u64 = 256 << 20;
/// Maximum length of a key in bytes.
pub const KEY_BYTES: usize = 512;

/// [`Blobs::put_blob`] writes a blob again if the stored copy is older than this: blobs without references are deleted
/// by their age.
const FRESH: Duration = Duration::from_secs(6 * 3600);
/// Key prefix of blobs within the store.
const BLOB_PREFIX: &str = "blobs/";

/// Why bytes could not be stored or read.
#[derive(Debug, thiserror::Error)]
pub enum BlobError {
    /// Nothing is stored at this key.
    #[error("nothing is stored at {0}")]
    NotFound(String),
    /// The stored bytes differ from those that were written.
    #[error("the bytes stored at {0} are damaged")]
    Damaged(String),
    /// The key is not allowed.
    #[error("invalid object key: {0:?}")]
    BadKey(String),
    /// The size exceeds [`OBJECT_BYTES`].
    #[error("{key}: {bytes} bytes are over the limit of {OBJECT_BYTES}")]
    TooLarge {
        /// The key.
        key: String,
        /// The size in bytes.
        bytes: u64,
    },
    /// The disk does not have enough free space.
    #[error(transparent)]
    NoRoom(#[from] NoRoom),
    /// The store did not answer in time.
    #[error("the object store did not answer in time for {0}")]
    TimedOut(String),
    /// The file with the store's secret can't be read.
    #[error("{0}, the secret of the object store, can't be read: {1}")]
    Secret(String, String),
    /// The store refused the request or failed.
    #[error("the object store failed: {0}")]
    Store(#[source] object_store::Error),
}

impl BlobError {
    /// Returns whether the same call may succeed later.
    pub fn retry(&self) -> bool {
        match self {
            Self::NotFound(_) | Self::BadKey(_) | Self::TooLarge { .. } | Self::Secret(..) => false,
            Self::Damaged(_) | Self::TimedOut(_) | Self::NoRoom(_) => true,
            Self::Store(e) => !matches!(
                e,
                object_store::Error::NotSupported { .. }
                    | object_store::Error::NotImplemented { .. }
                    | object_store::Error::InvalidPath { .. }
                    | object_store::Error::UnknownConfigurationKey { .. }
            ),
        }
    }

    /// Returns whether the store refused the request for lack of permissions.
    pub fn is_refused(&self) -> bool {
        matches!(self, Self::Store(object_store::Error::PermissionDenied { .. }))
    }

    fn from_store(key: &Path, error: object_store::Error) -> Self {
        match error {
            object_store::Error::NotFound { .. } => Self::NotFound(key.to_string()),
            other => Self::Store(other),
        }
    }
}

/// Timeouts and retries of calls to the store.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RetryPolicy {
    /// Timeout for a call with all its attempts.
    pub whole: Duration,
    /// Timeout for one request.
    pub attempt: Duration,
    /// Maximum attempts.
    pub attempts: u32,
    /// Pause after the first attempt; doubles after each further one.
    pub pause: Duration,
}

impl Default for RetryPolicy {
    /// Gives up before a lease expires, so that a worker still holds its claim when it reports that storing failed.
    fn default() -> Self {
        Self {
            whole: Duration::from_secs(LEASE_S - 3),
            attempt: Duration::from_secs(7),
            attempts: 5,
            pause: Duration::from_millis(100),
        }
    }
}

/// The object store. Clones share it.
#[derive(Debug, Clone)]
pub struct Blobs {
    store: Arc<dyn ObjectStore>,
    /// Whether the store keeps content types; a folder does not.
    attributes: bool,
    retries: RetryPolicy,
    /// The disk reserve, if the store is a folder on this machine.
    room: Option<Room>,
    /// Creates signed URLs, if the store supports them.
    direct: Option<Arc<Direct>>,
    /// What the store last reported about this machine's clock.
    clock: Clock,
}

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

/// An object, or a part of it, opened for reading.
pub struct Object {
    /// The number of bytes to read.
    pub bytes: u64,
    /// Metadata of the whole object.
    pub metadata: Metadata,
    stream: BoxStream<'static, object_store::Result<Bytes>>,
    key: Path,
}

impl Blobs {
    /// Opens a store in `folder`, creating the folder if it is missing. A put returns once the bytes are on disk.
    ///
    /// # Errors
    /// [`BlobError::Store`] where the folder can't be created or opened.
    pub fn local(folder: &FsPath) -> Result<Self, BlobError> {
        let failed = |source: std::io::Error| {
            BlobError::Store(object_store::Error::Generic { store: "LocalFileSystem", source: Box::new(source) })
        };
        std::fs::create_dir_all(folder).map_err(failed)?;
        let store = LocalFileSystem::new_with_prefix(folder)
            .map_err(BlobError::Store)?
            .with_fsync(true)
            .with_automatic_cleanup(true);
        Ok(Self { attributes: false, ..Self::over(Arc::new(store)) })
    }

    /// Creates a store in memory, which ends with its last clone.
    pub fn memory() -> Self {
        Self::over(Arc::new(InMemory::new()))
    }

    /// Wraps any other store that keeps content types.
    pub fn over(store: Arc<dyn ObjectStore>) -> Self {
        let (retries, clock) = (RetryPolicy::default(), Clock::default());
        Self { store, attributes: true, retries, room: None, direct: None, clock }
    }

    /// Returns the same store with these timeouts and retries.
    #[must_use]
    pub fn with_retries(self, retries: RetryPolicy) -> Self {
        Self { retries, ..self }
    }

    /// Returns the same store, which refuses writes while its disk has less free space than the reserve.
    #[must_use]
    pub fn with_room(self, room: Room) -> Self {
        Self { room: Some(room), ..self }
    }

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

    /// Verifies that `bytes` bytes are stored at `path`.
    async fn verify(&self, path: &Path, bytes: u64) -> Result<(), BlobError> {
        match self.size(path).await {
            Ok(there) if there == bytes => Ok(()),
            // A missing or short object after a put is a fault of the store, so the caller retries.
            Ok(_) | Err(BlobError::NotFound(_)) => Err(BlobError::Damaged(path.to_string())),
            Err(error) => Err(error),
        }
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

    /// Opens a blob, or a part of it, without verifying its hash: see [`Self::check_blob`].
    ///
    /// # Errors
    /// [`BlobError::NotFound`], [`BlobError::TimedOut`], [`BlobError::Store`].
    pub async fn open_blob(&self, id: &BlobId, part: Option<Range<u64>>) -> Result<Object, BlobError> {
        let path = blob_path(id);
        self.attempts(&path, 1, || self.open_part(&path, part.clone())).await
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

    fn fits(&self, path: &Path, bytes: u64) -> Result<(), BlobError> {
        within_limit(path, bytes)?;
        Ok(self.room.as_ref().map_or(Ok(()), |room| room.check(bytes))?)
    }

    async fn open(&self, path: &Path) -> Result<Object, BlobError> {
        self.open_part(path, None).await
    }

    async fn open_part(&self, path: &Path, part: Option<Range<u64>>) -> Result<Object, BlobError> {
        let options = GetOptions { range: part.map(GetRange::Bounded), ..GetOptions::default() };
        let got = self.store.get_opts(path, options).await.map_err(|e| BlobError::from_store(path, e))?;
        within_limit(path, got.meta.size)?;
        let metadata = Metadata::of(&got.meta);
        let bytes = got.range.end - got.range.start;
        Ok(Object { bytes, metadata, stream: got.into_stream(), key: path.clone() })
    }

    async fn head(&self, path: &Path) -> Result<Metadata, BlobError> {
        Ok(Metadata::of(&self.store.head(path).await.map_err(|e| BlobError::from_store(path, e))?))
    }

    async fn size(&self, path: &Path) -> Result<u64, BlobError> {
        Ok(self.head(path).await?.bytes)
    }

    /// Retries `call`, which makes `requests` requests in sequence, until it succeeds, fails for good, or its time or
    /// attempts run out.
    async fn attempts<T, F>(&self, path: &Path, requests: u32, call: impl Fn() -> F) -> Result<T, BlobError>
    where
        F: Future<Output = Result<T, BlobError>>,
    {
        let end = Instant::now() + self.retries.whole;
        let mut pause = self.retries.pause;
        let mut attempt = 1;
        loop {
            let until = end.min(Instant::now() + self.retries.attempt * requests);
            let result = timeout_at(until, call()).await.unwrap_or_else(|_| Err(BlobError::TimedOut(path.to_string())));
            self.clock.note(&result);
            match result {
                Err(e) if e.retry() && attempt < self.retries.attempts && Instant::now() + pause < end => {
                    tracing::debug!(key = %path, attempt, error = %e, "retrying: object store call failed");
                }
                result => return result,
            }
            sleep(pause).await;
            pause *= 2;
            attempt += 1;
        }
    }
}

impl Metadata {
    fn of(meta: &ObjectMeta) -> Self {
        // The hasher has a random key, so that nobody can craft two objects with the same mark.
        static HASHER: LazyLock<RandomState> = LazyLock::new(RandomState::new);
        let modified: SystemTime = meta.last_modified.into();
        let mark = HASHER.hash_one((&meta.e_tag, &meta.version, meta.size, modified));
        Self { bytes: meta.size, modified, mark }
    }
}

impl Object {
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

/// A string that is not a blob's name, which is 64 lower-case hexadecimal digits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("expected 64 lower-case hexadecimal digits")]
pub struct NotABlobId;

impl BlobId {
    /// Returns the name of these bytes.
    pub fn of(bytes: &[u8]) -> Self {
        Self(Sha256::digest(bytes).into())
    }
}

impl fmt::Display for BlobId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&hex::encode(self.0))
    }
}

impl FromStr for BlobId {
    type Err = NotABlobId;

    fn from_str(s: &str) -> Result<Self, NotABlobId> {
        // A blob has exactly one name: upper case would be a second spelling.
        if s.bytes().any(|b| b.is_ascii_uppercase()) {
            return Err(NotABlobId);
        }
        let mut id = [0; 32];
        hex::decode_to_slice(s, &mut id).map_err(|_| NotABlobId)?;
        Ok(Self(id))
    }
}

fn blob_path(id: &BlobId) -> Path {
    let name = id.to_string();
    let (folder, rest) = name.split_at(2);
    Path::from(format!("{BLOB_PREFIX}{folder}/{rest}"))
}

/// Returns the path of an object's key: segments of ASCII letters, digits, `-`, `_` and `.`, none of them empty or
/// starting with a dot. Keys of blobs are refused, because their names are the hash of their content.
fn object_path(key: &str) -> Result<Path, BlobError> {
    let segment = |s: &str| {
        !s.is_empty()
            && !s.starts_with('.')
            && s.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'_' | b'.'))
    };
    if key.len() > KEY_BYTES || key.starts_with(BLOB_PREFIX) || !key.split('/').all(segment) {
        // Cut short, because the key appears in messages.
        return Err(BlobError::BadKey(key.chars().take(80).collect()));
    }
    Ok(Path::from(key))
}

fn within_limit(path: &Path, bytes: u64) -> Result<(), BlobError> {
    if bytes > OBJECT_BYTES {
        return Err(BlobError::TooLarge { key: path.to_string(), bytes });
    }
    Ok(())
}

mod clock;
mod digest;
mod location;
mod orphans;

#[cfg(test)]
mod tests;
