//! Whether stored objects are what was rendered, and what is done where they are not.
//!
//! Before an object is served its bytes are compared with the hash that was stored for it. The result is kept, bounded in
//! number and time, together with what the store says of the object without reading it (entity tag, size and time; of a file
//! its inode too), so an object that is read again costs a look into a table. What changed in any of these is read anew.
//! Damage that changes none of them is found when the result expires, or by the scrub ([`crate::scrub`]).
//!
//! A damaged or missing image is rendered again from its page ([`crate::state::Repairing`]); until that is done it is not
//! served.

mod verified;

use std::collections::HashMap;
use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use fleet::blobs::{BlobError, Blobs, Digest, Object, Standing};
use fleet::protocol::BlobId;
use tokio::sync::{OwnedMutexGuard, Semaphore};

use crate::clock::Millis;
use crate::meters;
use crate::state::{Expected, PREVIEWS, Repairing, StateError, Store};
use verified::Verified;

/// Objects that are hashed at once: each keeps a thread and the disk busy, or waits for a bucket.
const AT_ONCE: usize = 32;
/// Tries at an object that is replaced while it is opened.
const OPENINGS: usize = 3;
/// Hexadecimal digits of a SHA-256.
const HASH_DIGITS: usize = 64;

/// What answers of idempotent requests begin with; the account's id comes next.
pub const ANSWERS: &str = "answers/";

/// Why an object can't be served.
#[derive(Debug, thiserror::Error)]
pub enum Unsound {
    /// Nothing names it, or it was removed.
    #[error("nothing is stored under this key")]
    NotFound,
    /// Its bytes are not those that were stored, or are missing.
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
    /// It is rendered again.
    UnderWay,
    /// It can't be made again by the service.
    Impossible,
}

/// How damage was found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Found {
    /// A client asked for the object.
    Read,
    /// The scrub came to it.
    Scrub,
}

impl Found {
    /// Both, for the counters.
    pub const ALL: [Self; 2] = [Self::Read, Self::Scrub];

    /// Its name in metrics and the log.
    pub fn name(self) -> &'static str {
        match self {
            Self::Read => "read",
            Self::Scrub => "scrub",
        }
    }
}

/// What an examination found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Examined {
    /// The bytes are those that were stored.
    Sound(Standing),
    /// No row names the object.
    Unnamed,
    /// They are not, or are missing.
    Damaged(Repair),
}

/// What an object should hold.
struct Wanted {
    /// `None` where the hash was never taken.
    sha256: Option<[u8; 32]>,
    /// The image that it is or belongs to.
    image: Option<Expected>,
}

/// Compares objects with their hashes. Clones share what is known.
#[derive(Clone)]
pub struct Integrity {
    shared: Arc<Shared>,
}

struct Shared {
    store: Store,
    blobs: Blobs,
    verified: Verified,
    /// Who is hashing which object, so that many readers of one wait for one hash.
    flights: Mutex<HashMap<String, Arc<tokio::sync::Mutex<()>>>>,
    room: Semaphore,
    began: Instant,
    /// When an object was last read, in milliseconds since `began`.
    last_read: AtomicU64,
    /// Objects that were hashed.
    hashed: AtomicU64,
}

/// The right to hash an object, until dropped.
struct Flight<'a> {
    all: &'a Mutex<HashMap<String, Arc<tokio::sync::Mutex<()>>>>,
    key: String,
    guard: Option<OwnedMutexGuard<()>>,
}

impl Drop for Flight<'_> {
    fn drop(&mut self) {
        self.guard = None;
        let mut all = self.all.lock().unwrap_or_else(PoisonError::into_inner);
        // Nobody else waits for it.
        if all.get(&self.key).is_some_and(|lock| Arc::strong_count(lock) == 1) {
            all.remove(&self.key);
        }
    }
}

impl Integrity {
    /// Of the objects that this state names in this store.
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

    /// What is known of an object whose bytes are those that were stored.
    ///
    /// # Errors
    /// [`Unsound`]. An image that is damaged or missing is rendered again from then on.
    pub async fn sound(&self, key: &str) -> Result<Standing, Unsound> {
        let Shared { blobs, verified, began, last_read, .. } = &*self.shared;
        last_read.store(u64::try_from(began.elapsed().as_millis()).unwrap_or(u64::MAX), Ordering::Relaxed);
        let there = match blobs.standing(key).await {
            Ok(standing) => Some(standing),
            Err(BlobError::NotFound(_)) => None,
            Err(BlobError::BadKey(_)) => return Err(Unsound::NotFound),
            Err(e) => return Err(Unsound::Blob(e)),
        };
        let known = || there.filter(|standing| verified.holds(key, standing.mark, Instant::now()));
        if let Some(standing) = known() {
            return Ok(standing);
        }
        let _alone = self.alone(key).await;
        if let Some(standing) = known() {
            return Ok(standing);
        }
        match self.examine(key, Found::Read).await? {
            Examined::Sound(standing) => Ok(standing),
            Examined::Unnamed => Err(Unsound::NotFound),
            Examined::Damaged(repair) => Err(Unsound::Damaged(repair)),
        }
    }

    /// What is known of a blob whose bytes are those that its name says.
    ///
    /// # Errors
    /// As [`Blobs::check_blob`].
    pub async fn sound_blob(&self, id: &BlobId) -> Result<Standing, BlobError> {
        let Shared { blobs, verified, .. } = &*self.shared;
        let (key, there) = (id.to_string(), blobs.blob_standing(id).await?);
        if verified.holds(&key, there.mark, Instant::now()) {
            return Ok(there);
        }
        let _room = self.shared.room.acquire().await;
        let checked = blobs.check_blob(id).await?;
        verified.put(&key, checked.mark, Instant::now());
        Ok(checked)
    }

    /// Opens an object that was found sound, whole or in part, and makes sure that it is still the same.
    ///
    /// # Errors
    /// [`Unsound`].
    pub async fn open(&self, key: &str, sound: Standing, part: Option<Range<u64>>) -> Result<Object, Unsound> {
        let (blobs, mut expected) = (&self.shared.blobs, sound);
        for _ in 0..OPENINGS {
            let opened = match part.clone() {
                Some(part) => blobs.get_object_part(key, part).await,
                None => blobs.get_object(key).await,
            };
            match opened {
                Ok(object) if object.standing.mark == expected.mark => return Ok(object),
                Ok(_) | Err(BlobError::NotFound(_)) => {}
                Err(e) => return Err(Unsound::Blob(e)),
            }
            // It was replaced meanwhile, maybe by its repair.
            expected = self.sound(key).await?;
            if expected.bytes != sound.bytes {
                break;
            }
        }
        Err(Unsound::Damaged(Repair::UnderWay))
    }

    /// Reads an object from end to end and compares it with what was stored, whatever is known of it. Damage is counted and
    /// logged, and its repair begun.
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
        // Once more, both: it may have been read wrongly, or repaired or removed meanwhile.
        wanted = match self.wanted(key).await? {
            Some(wanted) => wanted,
            None => return Ok(Examined::Unnamed),
        };
        digest = self.digest(key).await?;
        if let Some(sound) = self.fits(key, &wanted, digest).await? {
            return Ok(Examined::Sound(sound));
        }
        if self.shared.store.is_trash(key, Millis::now())? {
            return Ok(Examined::Unnamed);
        }
        self.shared.verified.forget(key);
        self.damaged(key, &wanted, digest.is_none(), found).await
    }

    /// Whether nobody has read an object for so long.
    pub fn is_quiet(&self, since: Duration) -> bool {
        let last = Duration::from_millis(self.shared.last_read.load(Ordering::Relaxed));
        self.shared.began.elapsed().saturating_sub(last) >= since
    }

    /// Objects that were hashed since the process began.
    pub fn hashed(&self) -> u64 {
        self.shared.hashed.load(Ordering::Relaxed)
    }

    /// The state whose objects these are.
    pub fn store(&self) -> &Store {
        &self.shared.store
    }

    /// Where they lie.
    pub fn blobs(&self) -> &Blobs {
        &self.shared.blobs
    }

    async fn alone(&self, key: &str) -> Flight<'_> {
        let all = &self.shared.flights;
        let lock = Arc::clone(all.lock().unwrap_or_else(PoisonError::into_inner).entry(key.to_owned()).or_default());
        // Made before the wait, so that one that is called off leaves nothing behind.
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

    /// What is there; `None` where nothing is, or what is can't be read.
    async fn digest(&self, key: &str) -> Result<Option<Digest>, Unsound> {
        self.shared.hashed.fetch_add(1, Ordering::Relaxed);
        match self.shared.blobs.digest(key).await {
            Ok(digest) => Ok(Some(digest)),
            Err(BlobError::NotFound(_) | BlobError::Damaged(_) | BlobError::TooLarge { .. }) => Ok(None),
            Err(e) => Err(Unsound::Blob(e)),
        }
    }

    /// Whether what is there is what is wanted. A thumbnail without a hash gets that of what is there.
    async fn fits(&self, key: &str, wanted: &Wanted, digest: Option<Digest>) -> Result<Option<Standing>, Unsound> {
        let Some(digest) = digest else { return Ok(None) };
        let is_same = match (wanted.sha256, &wanted.image) {
            (Some(sha256), _) => sha256 == digest.sha256,
            (None, Some(_)) => {
                let key = key.to_owned();
                match self.shared.store.run(move |store| store.record_digest(&key, digest.sha256)).await {
                    // Recorded once the disk has room again; reads go on meanwhile.
                    Err(StateError::NoRoom(_)) => true,
                    recorded => recorded?,
                }
            }
            // A preview or answer whose name has no hash: from a version before, and gone within a day.
            (None, None) => true,
        };
        if is_same {
            self.shared.verified.put(key, digest.standing.mark, Instant::now());
        }
        Ok(is_same.then_some(digest.standing))
    }

    async fn damaged(&self, key: &str, wanted: &Wanted, missing: bool, found: Found) -> Result<Examined, Unsound> {
        let kind = kind(key, wanted);
        let (repair, is_new, why) = match wanted.image.clone() {
            // A preview goes when it is due, and is missing then without being damaged.
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
            meters::object_damaged(kind, found);
            tracing::error!(key, kind, missing, found = found.name(), ?repair, "a stored object is damaged");
        } else if let Some(why) = why {
            tracing::warn!(key, kind, why, "a damaged image could not be rendered again");
        }
        Ok(Examined::Damaged(repair))
    }
}

/// What an object is, in metrics and the log.
fn kind(key: &str, wanted: &Wanted) -> &'static str {
    match &wanted.image {
        Some(image) if image.thumbnail == key => "thumbnail",
        Some(_) => "image",
        None if key.starts_with(PREVIEWS) => "preview",
        None => "answer",
    }
}

/// Every kind of object that can be damaged, for the counters.
pub const KINDS: [&str; 5] = ["image", "thumbnail", "preview", "answer", "blob"];

/// Logs and counts that a blob is damaged or missing which a row names.
pub fn blob_damaged(error: &BlobError, found: Found) {
    meters::object_damaged("blob", found);
    tracing::error!(%error, found = found.name(), "a stored blob is damaged or missing");
}

/// The name of an object that is named by its bytes: what the prefix, an id and the SHA-256 of the bytes make.
pub fn hashed_name(prefix: &str, id: uuid::Uuid, bytes: &[u8], extension: &str) -> String {
    format!("{prefix}{id}-{}.{extension}", BlobId::of(bytes))
}

/// The media type of an image, by the extension of its key.
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

/// The hash in such a name.
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
