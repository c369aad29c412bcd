//! A disk reserve. Writes stop while some space is left, because a completely full disk prevents repairs too, and a
//! database that can't finish a write has to be opened again.

use std::fmt;
use std::io;
use std::path::Path;
use std::sync::Arc;

/// The disk of a folder, and how much of it stays free.
#[derive(Clone)]
pub struct Room {
    free: Arc<dyn Fn() -> io::Result<u64> + Send + Sync>,
    reserve: u64,
}

/// The error for a disk without enough free space.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("the disk has {} MiB left, and {} MiB are kept free", .free >> 20, .reserve >> 20)]
pub struct NoRoom {
    /// Free bytes.
    pub free: u64,
    /// Bytes that must stay free.
    pub reserve: u64,
}

impl Room {
    /// Returns the disk of `folder`, of which `reserve` bytes must stay free.
    pub fn of(folder: &Path, reserve: u64) -> Self {
        let folder = folder.to_owned();
        Self::told(move || free(&folder), reserve)
    }

    /// Returns a disk whose free bytes `free` reports.
    pub fn told(free: impl Fn() -> io::Result<u64> + Send + Sync + 'static, reserve: u64) -> Self {
        Self { free: Arc::new(free), reserve }
    }

    /// Returns the free bytes.
    ///
    /// # Errors
    /// The system's error, where it does not report them.
    pub fn free(&self) -> io::Result<u64> {
        (self.free)()
    }

    /// Returns the bytes that must stay free.
    pub fn reserve(&self) -> u64 {
        self.reserve
    }

    /// Refuses a write of `bytes` bytes that would use the reserve. Allows it if the free space is unknown.
    ///
    /// # Errors
    /// [`NoRoom`].
    pub fn check(&self, bytes: u64) -> Result<(), NoRoom> {
        match self.free() {
            Ok(free) if free < self.reserve.saturating_add(bytes) => Err(NoRoom { free, reserve: self.reserve }),
            _ => Ok(()),
        }
    }
}

impl fmt::Debug for Room {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Room").field("reserve", &self.reserve).finish_non_exhaustive()
    }
}

#[cfg(unix)]
fn free(folder: &Path) -> io::Result<u64> {
    let disk = rustix::fs::statvfs(folder)?;
    Ok(disk.f_bavail.saturating_mul(disk.f_frsize))
}

#[cfg(not(unix))]
fn free(_: &Path) -> io::Result<u64> {
    Err(io::ErrorKind::Unsupported.into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_kept_free_stays_free() {
        let room = Room::told(|| Ok(100), 60);
        assert_eq!((room.check(0), room.check(40)), (Ok(()), Ok(())));
        assert_eq!(room.check(41), Err(NoRoom { free: 100, reserve: 60 }));
        assert!(Room::told(|| Err(io::ErrorKind::Other.into()), 1 << 60).check(1).is_ok(), "nothing is known");
    }

    #[cfg(unix)]
    #[test]
    fn the_system_tells() {
        let folder = tempfile::tempdir().unwrap();
        assert!(Room::of(folder.path(), 0).free().unwrap() > 0);
        assert!(Room::of(folder.path(), u64::MAX).check(0).is_err());
        assert!(Room::of(&folder.path().join("gone"), 0).free().is_err());
    }
}
