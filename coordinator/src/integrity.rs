//! Integrity of stored objects: verifies that they are what was rendered, and starts repairs of damaged ones.
//!
//! Before an object is served, its bytes are compared with the stored hash. The result is cached, limited in number and
//! time, together with the object's metadata that the store returns without reading it (entity tag, size and time, and
//! the inode of a file). So reading the same object again costs one table lookup. If any of the metadata changes, the
//! object is read and hashed again. Damage that changes none of it is found when the result expires, or by the scrub
//! ([`crate::scrub`]).
//!
//! A damaged or missing image is rendered again from its page ([`crate::state::Repairing`]). Until then it is not
//! served.

mod verified;

use std::collections::HashMap;
use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use fleet::blobs::{BlobError, Blobs, Digest, Metadata, Object};
use fleet::protocol::BlobId;
use parking_lot::Mutex;
use tokio::sync::{OwnedMutexGuard, Semaphore};

use crate::clock::Millis;
use crate::metrics;
use crate::state::{Expected, PREVIEWS, Repairing, StateError, Store};
use verified::Verified;

/// Maximum number of objects hashed at once: each keeps a thread and the disk busy, or waits for a bucket.
const AT_ONCE: usize = 32;
/// Attempts to open an object that is being replaced.
const OPENINGS: usize = 3;
/// Number of hexadecimal digits of a SHA-256.
const HASH_DIGITS: usize = 64;

/// Prefix of the keys of responses to idempotent requests. The account's id follows.
pub const ANSWERS: &str = "answers/";

/// Why an object can't be served.
#[derive(Debug, thiserror::Error)]
pub enum Unsound {
    /// No row references the object, or it was removed.
    #[error("nothing is stored under this key")]
    NotFound,
    /// The bytes are damaged or missing.
    #[error("the stored bytes are damaged or missing ({0:?})")]
    Damaged(Repair),
    /// The object store failed.
    #[error(transparent)]
    Blob(BlobError),
    /// The state failed.
    #[error(transparent)]
    State(#[from] StateError),
}

/// What is done about damage.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Repair {
    /// The object is being rendered again.
    UnderWay,
    /// The service can't recreate the object.
    Impossible,
}

/// How damage was found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Found {
    /// By a client's request for the object.
    Read,
    /// By the scrub.
    Scrub,
}

impl Found {
    /// Both, for the counters.
    pub const ALL: [Self; 2] = [Self::Read, Self::Scrub];

    /// Returns its name in metrics and logs.
    pub fn name(self) -> &'static str {
        match self {
            Self::Read => "read",
            Self::Scrub => "scrub",
        }
    }
}

/// Result of an examination.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Examined {
    /// The bytes are as they were stored.
    Sound(Metadata),
    /// No row references the object.
    Unnamed,
    /// The bytes are damaged or missing.
    Damaged(Repair),
}

/// The expected contents of an object.
struct Wanted {
    /// `None` if the hash was never recorded.
    sha256: Option<[u8; 32]>,
    /// The image that the object is or belongs to.
    image: Option<Expected>,
}

/// Verifies objects. Clones share the cached results.
#[derive(Clone)]
pub struct Integrity {
    shared: Arc<Shared>,
}

struct Shared {
    store: Store,
    blobs: Blobs,
    verified: Verified,
    /// Objects being hashed. Concurrent readers of an object share one hash computation.
    flights: Mutex<HashMap<String, Arc<tokio::sync::Mutex<()>>>>,
    room: Semaphore,
    began: Instant,
    /// When an object was last read, in milliseconds since `began`.
    last_read: AtomicU64,
    /// Number of objects hashed.
    hashed: AtomicU64,
}

/// The exclusive right to hash an object. Dropping it releases the right.
struct Flight<'a> {
    all: &'a Mutex<HashMap<String, Arc<tokio::sync::Mutex<()>>>>,
    key: String,
    guard: Option<OwnedMutexGuard<()>>,
}

impl Drop for Flight<'_> {
    fn drop(&mut self) {
        self.guard = None;
        let mut all = self.all.lock();
        // No other task waits for this object.
        if all.get(&self.key).is_some_and(|lock| Arc::strong_count(lock) == 1) {
            all.remove(&self.key);
        }
    }
}

impl Integrity {
    /// Creates a verifier of the objects that this state references in this store.
    pub fn new(store: Store, blobs: Blobs) -> Self {
        let shared = Shared {
            store,
            blobs,
            verified: Verified::default(),
            flights: Mutex::default(),
            room: Semaphore::new(AT_ONCE),
            began: Instant::now(),
            last_read: AtomicU64::new(0),
            hashed: AtomicU64::new(0),
        };
        Self { shared: Arc::new(shared) }
    }

    /// Returns the metadata of an object whose bytes are as they were stored.
    ///
    /// # Errors
    /// [`Unsound`]. A damaged or missing image is queued to be rendered again.
    pub async fn sound(&self, key: &str) -> Result<Metadata, Unsound> {
        let Shared { blobs, verified, began, last_read, .. } = &*self.shared;
        last_read.store(u64::try_from(began.elapsed().as_millis()).unwrap_or(u64::MAX), Ordering::Relaxed);
        let there = match blobs.object_metadata(key).await {
            Ok(metadata) => Some(metadata),
            Err(BlobError::NotFound(_)) => None,
            Err(BlobError::BadKey(_)) => return Err(Unsound::NotFound),
            Err(e) => return Err(Unsound::Blob(e)),
        };
        let known = || there.filter(|metadata| verified.holds(key, metadata.mark, Instant::now()));
        if let Some(metadata) = known() {
            return Ok(metadata);
        }
        let _alone = self.alone(key).await;
        if let Some(metadata) = known() {
            return Ok(metadata);
        }
        match self.examine(key, Found::Read).await? {
            Examined::Sound(metadata) => Ok(metadata),
            Examined::Unnamed => Err(Unsound::NotFound),
            Examined::Damaged(repair) => Err(Unsound::Damaged(repair)),
        }
    }

    /// Returns the metadata of a blob whose bytes match its name.
    ///
    /// # Errors
    /// As [`Blobs::check_blob`].
    pub async fn sound_blob(&self, id: &BlobId) -> Result<Metadata, BlobError> {
        let Shared { blobs, verified, .. } = &*self.shared;
        let (key, there) = (id.to_string(), blobs.blob_metadata(id).await?);
        if verified.holds(&key, there.mark, Instant::now()) {
            return Ok(there);
        }
        let _room = self.shared.room.acquire().await;
        let checked = blobs.check_blob(id).await?;
        verified.put(&key, checked.mark, Instant::now());
        Ok(checked)
    }

    /// Opens a verified object, whole or in part, and makes sure that it hasn't changed since.
    ///
    /// # Errors
    /// [`Unsound`].
    pub async fn open(&self, key: &str, sound: Metadata, part: Option<Range<u64>>) -> Result<Object, Unsound> {
        let (blobs, mut expected) = (&self.shared.blobs, sound);
        for _ in 0..OPENINGS {
            let opened = match part.clone() {
                Some(part) => blobs.get_object_part(key, part).await,
                None => blobs.get_object(key).await,
            };
            match opened {
                Ok(object) if object.metadata.mark == expected.mark => return Ok(object),
                Ok(_) | Err(BlobError::NotFound(_)) => {}
                Err(e) => return Err(Unsound::Blob(e)),
            }
            // The object was replaced in the meantime, possibly by its repair.
            expected = self.sound(key).await?;
            if expected.bytes != sound.bytes {
                break;
            }
        }
        Err(Unsound::Damaged(Repair::UnderWay))
    }

    /// Reads a whole object and compares it with what was stored, ignoring cached results. Damage is counted and
    /// logged, and a repair is started.
    ///
    /// # Errors
    /// [`Unsound::Blob`], [`Unsound::State`].
    pub async fn examine(&self, key: &str, found: Found) -> Result<Examined, Unsound> {
        let _room = self.shared.room.acquire().await;
        let Some(mut wanted) = self.wanted(key).await? else { return Ok(Examined::Unnamed) };
        let mut digest = self.digest(key).await?;
        if let Some(sound) = self.fits(key, &wanted, digest).await? {
            return Ok(Examined::Sound(sound));
        }
        // Repeat both: the read may have failed, or the object may have been repaired or removed in the meantime.
        wanted = match self.wanted(key).await? {
            Some(wanted) => wanted,
            None => return Ok(Examined::Unnamed),
        };
        digest = self.digest(key).await?;
        if let Some(sound) = self.fits(key, &wanted, digest).await? {
            return Ok(Examined::Sound(sound));
        }
        if self.shared.store.is_deletion_queued(key, Millis::now())? {
            return Ok(Examined::Unnamed);
        }
        self.shared.verified.forget(key);
        self.damaged(key, &wanted, digest.is_none(), found).await
    }

    /// Returns whether no object was read for at least `since`.
    pub fn is_quiet(&self, since: Duration) -> bool {
        let last = Duration::from_millis(self.shared.last_read.load(Ordering::Relaxed));
        self.shared.began.elapsed().saturating_sub(last) >= since
    }

    /// Returns the number of objects hashed since the process started.
    pub fn hashed(&self) -> u64 {
        self.shared.hashed.load(Ordering::Relaxed)
    }

    /// Returns the state that references the objects.
    pub fn store(&self) -> &Store {
        &self.shared.store
    }

    /// Returns the object store.
    pub fn blobs(&self) -> &Blobs {
        &self.shared.blobs
    }

    async fn alone(&self, key: &str) -> Flight<'_> {
        let all = &self.shared.flights;
        let lock = Arc::clone(all.lock().entry(key.to_owned()).or_default());
        // Create it before waiting, so that a cancelled wait leaves no entry behind.
        let mut flight = Flight { all, key: key.to_owned(), guard: None };
        flight.guard = Some(lock.lock_owned().await);
        flight
    }

    async fn wanted(&self, key: &str) -> Result<Option<Wanted>, StateError> {
        let named = key.to_owned();
        if let Some(image) = self.shared.store.run(move |store| store.expected(&named)).await? {
            return Ok(Some(Wanted { sha256: image.sha256, image: Some(image) }));
        }
        let is_hashed = key.starts_with(PREVIEWS) || key.starts_with(ANSWERS);
        Ok(is_hashed.then(|| Wanted { sha256: hash_in(key), image: None }))
    }

    /// Hashes an object. Returns `None` if it is missing or unreadable.
    async fn digest(&self, key: &str) -> Result<Option<Digest>, Unsound> {
        self.shared.hashed.fetch_add(1, Ordering::Relaxed);
        match self.shared.blobs.digest(key).await {
            Ok(digest) => Ok(Some(digest)),
            Err(BlobError::NotFound(_) | BlobError::Damaged(_) | BlobError::TooLarge { .. }) => Ok(None),
            Err(e) => Err(Unsound::Blob(e)),
        }
    }

    /// Returns the object's metadata if its bytes are as expected. If a thumbnail has no hash, records the current one.
    async fn fits(&self, key: &str, wanted: &Wanted, digest: Option<Digest>) -> Result<Option<Metadata>, Unsound> {
        let Some(digest) = digest else { return Ok(None) };
        let is_same = match (wanted.sha256, &wanted.image) {
            (Some(sha256), _) => sha256 == digest.sha256,
            (None, Some(_)) => {
                let key = key.to_owned();
                match self.shared.store.run(move |store| store.record_digest(&key, digest.sha256)).await {
                    // Recorded once the disk has space again; reads continue in the meantime.
                    Err(StateError::NoRoom(_)) => true,
                    recorded => recorded?,
                }
            }
            // A preview or response of an older version has no hash in its name. It expires within a day.
            (None, None) => true,
        };
        if is_same {
            self.shared.verified.put(key, digest.metadata.mark, Instant::now());
        }
        Ok(is_same.then_some(digest.metadata))
    }

    async fn damaged(&self, key: &str, wanted: &Wanted, missing: bool, found: Found) -> Result<Examined, Unsound> {
        let kind = kind(key, wanted);
        let (repair, is_new, why) = match wanted.image.clone() {
            // A preview that is missing was removed because it expired, so it isn't damaged.
            None if missing => return Ok(Examined::Unnamed),
            None => (Repair::Impossible, true, None),
            Some(image) => {
                let urgent = found == Found::Read;
                let begin = move |store: &Store| store.begin_repair(&image, urgent, Millis::now());
                match self.shared.store.run(begin).await? {
                    Repairing::Begun => (Repair::UnderWay, true, None),
                    Repairing::UnderWay | Repairing::Full => (Repair::UnderWay, false, None),
                    Repairing::Failed(fault) => (Repair::Impossible, false, Some(fault.message)),
                    Repairing::Unnamed => return Ok(Examined::Unnamed),
                }
            }
        };
        if is_new {
            metrics::object_damaged(kind, found.name());
            tracing::error!(key, kind, missing, found = found.name(), ?repair, "stored object damaged");
        } else if let Some(why) = why {
            tracing::warn!(key, kind, why, "repair of a damaged image failed");
        }
        Ok(Examined::Damaged(repair))
    }
}

/// Returns the kind of an object, for metrics and logs.
fn kind(key: &str, wanted: &Wanted) -> &'static str {
    match &wanted.image {
        Some(image) if image.thumbnail == key => "thumbnail",
        Some(_) => "image",
        None if key.starts_with(PREVIEWS) => "preview",
        None => "answer",
    }
}

/// All kinds of objects that can be damaged, for the counters.
pub const KINDS: [&str; 5] = ["image", "thumbnail", "preview", "answer", "blob"];

/// Logs and counts a damaged or missing blob that a row references.
pub fn blob_damaged(error: &BlobError, found: Found) {
    metrics::object_damaged("blob", found.name());
    tracing::error!(%error, found = found.name(), "stored blob damaged or missing");
}

/// Returns an object name that contains the SHA-256 of the object's bytes, after a prefix and an id.
pub fn hashed_name(prefix: &str, id: uuid::Uuid, bytes: &[u8], extension: &str) -> String {
    format!("{prefix}{id}-{}.{extension}", BlobId::of(bytes))
}

/// Returns the media type of an object by the extension of its key.
pub fn content_type(key: &str) -> &'static str {
    match key.rsplit_once('.').map(|(_, extension)| extension) {
        Some("png") => "image/png",
        Some("jpg" | "jpeg") => "image/jpeg",
        Some("webp") => "image/webp",
        Some("pdf") => "application/pdf",
        Some("zip") => "application/zip",
        _ => "application/octet-stream",
    }
}

/// Returns the hash in such a name.
fn hash_in(key: &str) -> Option<[u8; 32]> {
    let (name, _) = key.rsplit('/').next()?.rsplit_once('.')?;
    let (_, digits) = name.rsplit_once('-')?;
    if digits.len() != HASH_DIGITS {
        return None;
    }
    digits.parse::<BlobId>().ok().map(|id| id.0)
}

#[cfg(test)]
pub(crate) mod tests;
