//! Where large request bodies lie while they are received and read: on disk while they arrive, in memory only while they
//! are worked on, and then a few at a time.
//!
//! A client may take a minute to send a body of 36 MB, and fifty clients may do so at once. So a body beyond [`IN_MEMORY`]
//! goes to an unnamed file in the data folder, 256 KiB at a time. Reading such a body takes several times its size (the
//! text, what JSON makes of it, the file in it), so whoever does takes its place in the working memory first, and waits in
//! line for it.

use std::collections::HashMap;
use std::fs::File;
use std::io::{Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError, Weak};
use std::time::Duration;

use bytes::Bytes;
use fleet::room::{NoRoom, Room};
use sha2::{Digest, Sha256};
use tokio::sync::{AcquireError, OwnedSemaphorePermit, Semaphore};
use tokio::task::spawn_blocking;
use uuid::Uuid;

use crate::budget::Budget;

/// Bytes of a body that are held in memory while it arrives.
pub const IN_MEMORY: u64 = 1 << 20;
/// Bytes that are written to disk at once.
const WRITTEN_AT_ONCE: usize = 256 << 10;
/// Bytes of memory in which large bodies and files are worked on: two of the largest bodies with a file in base64.
const WORKING_BYTES: u64 = 144 << 20;
/// Of these, what one account may have. Its further requests wait for each other, and not in the line of all.
const ACCOUNT_WORKING_BYTES: u64 = WORKING_BYTES / 2;
/// The unit in which working memory is counted.
const UNIT: u64 = 1 << 10;
/// Time that a request waits for its place in the working memory.
const WAIT: Duration = Duration::from_secs(30);

/// Why a body cannot be kept or read.
#[derive(Debug, thiserror::Error)]
pub enum BodyFault {
    /// No place in the working memory came free in time.
    #[error("the working memory is in use")]
    Busy,
    /// The disk has no room.
    #[error(transparent)]
    NoRoom(#[from] NoRoom),
    /// The disk fails.
    #[error("a body can't be kept on disk: {0}")]
    Disk(#[from] std::io::Error),
}

/// The byte budget of bodies, the disk that large ones lie on, and the memory in which they are worked on.
#[derive(Debug, Clone)]
pub struct Bodies {
    /// How many bytes of bodies are held at once.
    pub budget: Budget,
    folder: PathBuf,
    room: Option<Room>,
    working: Arc<Semaphore>,
    /// What each account may have of it, where an account has or wants any.
    by_account: Arc<Mutex<HashMap<Uuid, Weak<Semaphore>>>>,
}

impl Bodies {
    /// With large bodies in unnamed files in `folder`.
    pub fn new(budget: Budget, folder: &Path) -> Self {
        let working = Arc::new(Semaphore::new(units(WORKING_BYTES) as usize));
        Self { budget, folder: folder.to_owned(), room: None, working, by_account: Arc::default() }
    }

    /// The same, with nothing written while the folder's disk has no room.
    #[must_use]
    pub fn with_room(self, room: Room) -> Self {
        Self { room: Some(room), ..self }
    }

    /// Begins to receive a body, of the declared length where one is known. Its bytes are added to `digest`.
    pub fn receive(&self, declared: Option<u64>, digest: Sha256) -> Receiver {
        let is_large = declared.is_some_and(|bytes| bytes > IN_MEMORY);
        let (file, held) = (None, Vec::new());
        Receiver { bodies: self.clone(), held, file, is_large, bytes: 0, digest }
    }

    /// A place of `bytes` in the working memory for this account, in turn. None is larger than what an account may have.
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
        let mut all = self.by_account.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = all.get(&account).and_then(Weak::upgrade) {
            return known;
        }
        // Few are at work at a time, so looking at all of them costs little.
        all.retain(|_, of_account| of_account.strong_count() > 0);
        let fresh = Arc::new(Semaphore::new(units(ACCOUNT_WORKING_BYTES) as usize));
        all.insert(account, Arc::downgrade(&fresh));
        fresh
    }
}

/// Units of so many bytes, which are no more than [`WORKING_BYTES`].
fn units(bytes: u64) -> u32 {
    u32::try_from(bytes.min(WORKING_BYTES).div_ceil(UNIT)).expect("working memory has far fewer units")
}

/// A place in the working memory: what it takes of the account's part and of all of it. Free again when dropped.
#[derive(Debug)]
pub struct Working(OwnedSemaphorePermit, OwnedSemaphorePermit);

impl Working {
    /// Gives back all but `bytes`.
    pub fn shrink_to(&mut self, bytes: u64) {
        let keep = units(bytes) as usize;
        for permit in [&mut self.0, &mut self.1] {
            // What is split off is free again when it is dropped.
            drop(permit.split(permit.num_permits().saturating_sub(keep)));
        }
    }
}

/// A body that is arriving.
#[derive(Debug)]
pub struct Receiver {
    bodies: Bodies,
    held: Vec<u8>,
    file: Option<File>,
    /// Whether it goes to disk from its first byte.
    is_large: bool,
    bytes: u64,
    digest: Sha256,
}

impl Receiver {
    /// Takes the next bytes.
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
            // Without a name, so that it is gone with this process, however that ends.
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

    /// The whole body.
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

/// A body that has arrived.
#[derive(Debug)]
pub struct Received {
    bodies: Bodies,
    place: Place,
    /// How many bytes it has.
    pub bytes: u64,
    /// Its digest.
    pub digest: [u8; 32],
}

#[derive(Debug)]
enum Place {
    Memory(Bytes),
    Disk(File),
}

/// A body in memory, and the place in the working memory that it takes, where it takes one.
#[derive(Debug)]
pub struct Loaded {
    /// The body.
    pub bytes: Bytes,
    /// Held as long as anything that was made of the body is.
    pub working: Option<Working>,
}

impl Received {
    /// Reads it into memory, with a place for `copies` times its size where it is large.
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
        assert_eq!(bodies.by_account.lock().unwrap().len(), 3);
        drop((half, _other, _five));
        assert_eq!(bodies.working.available_permits(), units(WORKING_BYTES) as usize);
        bodies.working(Uuid::from_u128(9), 1).await.unwrap();
        assert_eq!(bodies.by_account.lock().unwrap().len(), 1, "whoever has nothing is forgotten");
    }

    #[tokio::test]
    async fn a_full_disk_takes_no_body() {
        let folder = tempfile::tempdir().unwrap();
        let bodies = bodies(folder.path()).with_room(Room::told(|| Ok(100), 50));
        let mut receiver = bodies.receive(None, Sha256::new());
        assert!(matches!(receiver.take(&vec![0; 2 << 20]).await, Err(BodyFault::NoRoom(_))));
    }
}
