//! Access to a store: how it is opened, and its requests with their timeouts and retries.

use std::ops::Range;
use std::path::Path as FsPath;
use std::sync::Arc;
use std::time::Duration;

use object_store::local::LocalFileSystem;
use object_store::memory::InMemory;
use object_store::path::Path;
use object_store::{GetOptions, GetRange, ObjectStore, ObjectStoreExt};
use tokio::sync::watch;
use tokio::time::{Instant, sleep, timeout_at};

use super::clock::{Clock, NO_BLOB};
use super::error::{BlobError, within_limit};
use super::key::blob_path;
use super::location::{Access, Direct, Location};
use super::stored::{Metadata, Object};
use crate::protocol::LEASE_S;
use crate::room::Room;

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
    pub(super) store: Arc<dyn ObjectStore>,
    /// Whether the store keeps content types; a folder does not.
    pub(super) attributes: bool,
    retries: RetryPolicy,
    /// The disk reserve, if the store is a folder on this machine.
    room: Option<Room>,
    /// Creates signed URLs, if the store supports them.
    pub(super) direct: Option<Arc<Direct>>,
    /// What the store last reported about this machine's clock.
    clock: Clock,
}

impl Blobs {
    /// Opens the store at a location. Creates a folder that is missing; a bucket must exist.
    ///
    /// # Errors
    /// [`BlobError::Store`] where it can't be opened, or where neither `access` nor the environment supplies a required
    /// setting; [`BlobError::Secret`].
    pub fn at(location: &Location, access: &Access) -> Result<Self, BlobError> {
        match location {
            Location::Folder(folder) => Self::local(folder),
            Location::Bucket { bucket, prefix } => {
                let (store, direct) = Direct::open(bucket, prefix.as_deref(), access)?;
                Ok(Self { direct: Some(Arc::new(direct)), ..Self::over(store) })
            }
        }
    }

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

    /// Returns a channel that holds the store's message while the store refuses this machine's clock, else `None`.
    pub fn clock(&self) -> watch::Receiver<Option<String>> {
        self.clock.subscribe()
    }

    /// Sends a request to the store, so that [`Self::clock`] is up to date.
    pub async fn ask_for_the_time(&self) {
        let once = RetryPolicy { attempts: 1, ..self.retries };
        let (blobs, path) = (self.clone().with_retries(once), blob_path(&NO_BLOB));
        // [`Clock::note`] records the result; nothing else of it matters.
        let _ = blobs.attempts(&path, 1, || blobs.open(&path)).await;
    }

    /// Verifies that `bytes` bytes are stored at `path`.
    pub(super) async fn verify(&self, path: &Path, bytes: u64) -> Result<(), BlobError> {
        match self.size(path).await {
            Ok(there) if there == bytes => Ok(()),
            // A missing or short object after a put is a fault of the store, so the caller retries.
            Ok(_) | Err(BlobError::NotFound(_)) => Err(BlobError::Damaged(path.to_string())),
            Err(error) => Err(error),
        }
    }

    pub(super) fn fits(&self, path: &Path, bytes: u64) -> Result<(), BlobError> {
        within_limit(path, bytes)?;
        Ok(self.room.as_ref().map_or(Ok(()), |room| room.check(bytes))?)
    }

    pub(super) async fn open(&self, path: &Path) -> Result<Object, BlobError> {
        self.open_part(path, None).await
    }

    pub(super) async fn open_part(&self, path: &Path, part: Option<Range<u64>>) -> Result<Object, BlobError> {
        let options = GetOptions { range: part.map(GetRange::Bounded), ..GetOptions::default() };
        let got = self.store.get_opts(path, options).await.map_err(|e| BlobError::from_store(path, e))?;
        Object::of(got, path)
    }

    pub(super) async fn head(&self, path: &Path) -> Result<Metadata, BlobError> {
        Ok(Metadata::of(&self.store.head(path).await.map_err(|e| BlobError::from_store(path, e))?))
    }

    async fn size(&self, path: &Path) -> Result<u64, BlobError> {
        Ok(self.head(path).await?.bytes)
    }

    /// Retries `call`, which makes `requests` requests in sequence, until it succeeds, fails for good, or its time or
    /// attempts run out.
    pub(super) async fn attempts<T, F>(&self, path: &Path, requests: u32, call: impl Fn() -> F) -> Result<T, BlobError>
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
