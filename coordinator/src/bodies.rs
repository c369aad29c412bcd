//! Storage of large request bodies while they are received and read: on disk while they arrive, and in memory only
//! while they are processed, a few at a time.
//!
//! A client may take a minute to send a body of 36 MB, and fifty clients may do so at once. So a body larger than
//! [`IN_MEMORY`] is written to an unnamed file in the data folder, 256 KiB at a time. Processing such a body takes
//! several times its size (the text, the parsed JSON, the decoded file). So a task first acquires permits for the
//! working memory, and waits for them in order.

use std::collections::HashMap;
use std::fs::File;
use std::io::{Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Weak};
use std::time::Duration;

use bytes::Bytes;
use fleet::room::{NoRoom, Room};
use parking_lot::Mutex;
use sha2::{Digest, Sha256};
use tokio::sync::{AcquireError, OwnedSemaphorePermit, Semaphore};
use tokio::task::spawn_blocking;
use uuid::Uuid;

use crate::budget::Budget;

/// Maximum number of bytes of a body held in memory while it arrives.
pub const IN_MEMORY: u64 = 1 << 20;
/// Bytes per write to disk.
const WRITTEN_AT_ONCE: usize = 256 << 10;
/// Bytes of memory for processing large bodies and files: two of the largest bodies with a file in base64.
const WORKING_BYTES: u64 = 144 << 20;
/// The part of it that one account may use. Further requests of the account wait for each other and not in the common
/// queue.
const ACCOUNT_WORKING_BYTES: u64 = WORKING_BYTES / 2;
/// Bytes per permit of the working memory.
const UNIT: u64 = 1 << 10;
/// How long a request waits for working memory.
const WAIT: Duration = Duration::from_secs(30);

/// Why a body can't be stored or read.
#[derive(Debug, thiserror::Error)]
pub enum BodyFault {
    /// No working memory became free in time.
    #[error("the working memory is in use")]
    Busy,
    /// The disk is full.
    #[error(transparent)]
    NoRoom(#[from] NoRoom),
    /// The disk failed.
    #[error("a body can't be kept on disk: {0}")]
    Disk(#[from] std::io::Error),
}

/// The byte budget of bodies, the disk that stores large ones, and the memory for processing them.
#[derive(Debug, Clone)]
pub struct Bodies {
    /// Budget for the bytes of bodies held at once.
    pub budget: Budget,
    folder: PathBuf,
    room: Option<Room>,
    working: Arc<Semaphore>,
    /// The share of each account that uses or waits for working memory.
    by_account: Arc<Mutex<HashMap<Uuid, Weak<Semaphore>>>>,
}

impl Bodies {
    /// Creates storage that keeps large bodies in unnamed files in `folder`.
    pub fn new(budget: Budget, folder: &Path) -> Self {
        let working = Arc::new(Semaphore::new(units(WORKING_BYTES) as usize));
        Self { budget, folder: folder.to_owned(), room: None, working, by_account: Arc::default() }
    }

    /// Adds a disk reserve: nothing is written while the folder's disk is full.
    #[must_use]
    pub fn with_room(self, room: Room) -> Self {
        Self { room: Some(room), ..self }
    }

    /// Starts to receive a body, with its declared length if known. Its bytes are added to `digest`.
    pub fn receive(&self, declared: Option<u64>, digest: Sha256) -> Receiver {
        let is_large = declared.is_some_and(|bytes| bytes > IN_MEMORY);
        let (file, held) = (None, Vec::new());
        Receiver { bodies: self.clone(), held, file, is_large, bytes: 0, digest }
    }

    /// Waits for `bytes` of working memory for this account, in order. The amount is capped at an account's share.
    ///
    /// # Errors
    /// [`BodyFault::Busy`].
    pub async fn working(&self, account: Uuid, bytes: u64) -> Result<Working, BodyFault> {
        let units = units(bytes.min(ACCOUNT_WORKING_BYTES));
        let of_account = self.of_account(account);
        let turn = async {
            let own = of_account.acquire_many_owned(units).await?;
            Ok::<_, AcquireError>(Working(own, Arc::clone(&self.working).acquire_many_owned(units).await?))
        };
        let turn = tokio::time::timeout(WAIT, turn).await.map_err(|_| BodyFault::Busy)?;
        turn.map_err(|_| BodyFault::Busy)
    }

    fn of_account(&self, account: Uuid) -> Arc<Semaphore> {
        let mut all = self.by_account.lock();
        if let Some(known) = all.get(&account).and_then(Weak::upgrade) {
            return known;
        }
        // Few accounts are active at a time, so scanning all of them is cheap.
        all.retain(|_, of_account| of_account.strong_count() > 0);
        let fresh = Arc::new(Semaphore::new(units(ACCOUNT_WORKING_BYTES) as usize));
        all.insert(account, Arc::downgrade(&fresh));
        fresh
    }
}

/// Converts bytes, at most [`WORKING_BYTES`], to permits.
fn units(bytes: u64) -> u32 {
    u32::try_from(bytes.min(WORKING_BYTES).div_ceil(UNIT)).expect("working memory has far fewer units")
}

/// Permits for working memory, of the account's share and of the whole. Dropping this returns them.
#[derive(Debug)]
pub struct Working(OwnedSemaphorePermit, OwnedSemaphorePermit);

impl Working {
    /// Returns the permits for all but `bytes`.
    pub fn shrink_to(&mut self, bytes: u64) {
        let keep = units(bytes) as usize;
        for permit in [&mut self.0, &mut self.1] {
            // Dropping the split permits returns them.
            drop(permit.split(permit.num_permits().saturating_sub(keep)));
        }
    }
}

/// A body that is being received.
#[derive(Debug)]
pub struct Receiver {
    bodies: Bodies,
    held: Vec<u8>,
    file: Option<File>,
    /// Whether it is written to disk from the start.
    is_large: bool,
    bytes: u64,
    digest: Sha256,
}

impl Receiver {
    /// Appends the next bytes.
    ///
    /// # Errors
    /// [`BodyFault::NoRoom`], [`BodyFault::Disk`].
    pub async fn take(&mut self, part: &[u8]) -> Result<(), BodyFault> {
        self.digest.update(part);
        self.bytes += part.len() as u64;
        self.held.extend_from_slice(part);
        self.is_large |= self.bytes > IN_MEMORY;
        if self.is_large && self.held.len() >= WRITTEN_AT_ONCE { self.write().await } else { Ok(()) }
    }

    async fn write(&mut self) -> Result<(), BodyFault> {
        if let Some(room) = &self.bodies.room {
            room.check(self.held.len() as u64)?;
        }
        let (folder, held, file) = (self.bodies.folder.clone(), std::mem::take(&mut self.held), self.file.take());
        let written = spawn_blocking(move || -> std::io::Result<(File, Vec<u8>)> {
            // An unnamed file disappears with this process, however the process ends.
            let mut file = file.map_or_else(|| tempfile::tempfile_in(folder), Ok)?;
            file.write_all(&held)?;
            let mut held = held;
            held.clear();
            held.shrink_to(2 * WRITTEN_AT_ONCE);
            Ok((file, held))
        });
        let (file, held) = written.await.map_err(std::io::Error::other)??;
        (self.file, self.held) = (Some(file), held);
        Ok(())
    }

    /// Completes the body.
    ///
    /// # Errors
    /// As [`Self::take`].
    pub async fn end(mut self) -> Result<Received, BodyFault> {
        if self.is_large {
            self.write().await?;
        }
        let place = match self.file {
            Some(file) => Place::Disk(file),
            None => Place::Memory(self.held.into()),
        };
        Ok(Received { bodies: self.bodies, place, bytes: self.bytes, digest: self.digest.finalize().into() })
    }
}

/// A completely received body.
#[derive(Debug)]
pub struct Received {
    bodies: Bodies,
    place: Place,
    /// Its size in bytes.
    pub bytes: u64,
    /// Its digest.
    pub digest: [u8; 32],
}

#[derive(Debug)]
enum Place {
    Memory(Bytes),
    Disk(File),
}

/// A body in memory, with the working memory permits of a large body.
#[derive(Debug)]
pub struct Loaded {
    /// The body.
    pub bytes: Bytes,
    /// Hold these for as long as anything made from the body exists.
    pub working: Option<Working>,
}

impl Received {
    /// Reads the body into memory. A large body first acquires working memory for `copies` times its size.
    ///
    /// # Errors
    /// [`BodyFault::Busy`], [`BodyFault::Disk`].
    pub async fn load(self, account: Uuid, copies: u64) -> Result<Loaded, BodyFault> {
        let mut file = match self.place {
            Place::Memory(bytes) => return Ok(Loaded { bytes, working: None }),
            Place::Disk(file) => file,
        };
        let working = self.bodies.working(account, self.bytes.saturating_mul(copies)).await?;
        let length = usize::try_from(self.bytes).map_err(std::io::Error::other)?;
        let read = spawn_blocking(move || {
            let mut bytes = vec![0; length];
            file.seek(SeekFrom::Start(0))?;
            file.read_exact(&mut bytes)?;
            Ok::<_, std::io::Error>(bytes)
        });
        let bytes = read.await.map_err(std::io::Error::other)??;
        Ok(Loaded { bytes: bytes.into(), working: Some(working) })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bodies(folder: &Path) -> Bodies {
        Bodies::new(Budget::new(1 << 30, 1 << 30), folder)
    }

    async fn received(bodies: &Bodies, declared: Option<u64>, body: &[u8]) -> Received {
        let mut receiver = bodies.receive(declared, Sha256::new());
        for part in body.chunks(40_000) {
            receiver.take(part).await.unwrap();
        }
        receiver.end().await.unwrap()
    }

    #[tokio::test]
    async fn i18_large_bodies_lie_on_disk_and_come_back_whole() {
        let folder = tempfile::tempdir().unwrap();
        let bodies = bodies(folder.path());
        for (bytes, declared, is_on_disk) in [
            (0, None, false),
            (IN_MEMORY, Some(IN_MEMORY), false),
            (IN_MEMORY, None, false),
            (IN_MEMORY + 1, None, true),
            (3 << 20, None, true),
            (3 << 20, Some(3 << 20), true),
        ] {
            let body: Vec<u8> = (0..bytes).map(|n| (n % 251) as u8).collect();
            let received = received(&bodies, declared, &body).await;
            assert_eq!(matches!(received.place, Place::Disk(_)), is_on_disk, "{bytes} bytes, {declared:?} declared");
            assert_eq!(received.digest, <[u8; 32]>::from(Sha256::digest(&body)));
            let loaded = received.load(Uuid::nil(), 2).await.unwrap();
            assert_eq!((loaded.bytes == body, loaded.working.is_some()), (true, is_on_disk));
        }
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0, "the files have no names");
        assert_eq!(bodies.working.available_permits() as u64, WORKING_BYTES / UNIT);
    }

    #[tokio::test(start_paused = true)]
    async fn i18_working_memory_is_waited_for_and_not_for_ever() {
        let folder = tempfile::tempdir().unwrap();
        let bodies = bodies(folder.path());
        let [one, two, three] = [1, 2, 3].map(Uuid::from_u128);
        let mut half = bodies.working(one, u64::MAX).await.unwrap();
        assert!(matches!(bodies.working(one, 1).await, Err(BodyFault::Busy)), "an account has half of it");
        let _other = bodies.working(two, u64::MAX).await.unwrap();
        assert!(matches!(bodies.working(three, 1).await, Err(BodyFault::Busy)));
        half.shrink_to(ACCOUNT_WORKING_BYTES - 5 * UNIT);
        let _five = bodies.working(three, 5 * UNIT).await.unwrap();
        assert!(matches!(bodies.working(one, 1).await, Err(BodyFault::Busy)));
        assert_eq!(bodies.by_account.lock().len(), 3);
        drop((half, _other, _five));
        assert_eq!(bodies.working.available_permits(), units(WORKING_BYTES) as usize);
        bodies.working(Uuid::from_u128(9), 1).await.unwrap();
        assert_eq!(bodies.by_account.lock().len(), 1, "whoever has nothing is forgotten");
    }

    #[tokio::test]
    async fn a_full_disk_takes_no_body() {
        let folder = tempfile::tempdir().unwrap();
        let bodies = bodies(folder.path()).with_room(Room::told(|| Ok(100), 50));
        let mut receiver = bodies.receive(None, Sha256::new());
        assert!(matches!(receiver.take(&vec![0; 2 << 20]).await, Err(BodyFault::NoRoom(_))));
    }
}
