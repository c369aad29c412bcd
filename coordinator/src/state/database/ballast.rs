//! Disk space reserved on the state's disk, which the service frees when the disk is completely full. sled writes a
//! snapshot whenever it opens, and a start may have commits to replay. Without some free space, a service that was
//! killed on a full disk could not even read its state.

use std::fs::File;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use fleet::room::Room;

/// Minimum number of reserved bytes. What opening writes grows with the database, but much more slowly.
const LEAST_BYTES: u64 = 8 << 20;
/// The reserve is the database's size divided by this.
const PART: u64 = 16;
/// Name of the file in the state's folder.
pub(in crate::state) const NAME: &str = "ballast";

/// The file that occupies the reserved space.
#[derive(Debug, Clone)]
pub(in crate::state) struct Ballast(PathBuf);

impl Ballast {
    /// Returns the ballast of the state in `folder`.
    pub(in crate::state) fn of(folder: &Path) -> Self {
        Self(folder.join(NAME))
    }

    /// Frees the space. Returns whether there was any.
    pub(in crate::state) fn drop(&self) -> bool {
        std::fs::remove_file(&self.0).is_ok()
    }

    /// Reserves space for a database of `database` bytes, unless it is already reserved or the disk lacks room.
    pub(in crate::state) fn lay(&self, database: u64, room: &Room) {
        let bytes = LEAST_BYTES.max(database / PART);
        if self.0.exists() || room.check(bytes).is_err() {
            return;
        }
        if let Err(error) = allocate(&self.0, bytes) {
            tracing::warn!(%error, "disk reserve not created");
            self.drop();
        }
    }
}

/// Creates a file whose `bytes` bytes are allocated on the disk.
fn allocate(path: &Path, bytes: u64) -> io::Result<()> {
    let mut file = File::create(path)?;
    #[cfg(unix)]
    if rustix::fs::fallocate(&file, rustix::fs::FallocateFlags::empty(), 0, bytes).is_ok() {
        return file.sync_all();
    }
    let zeros = vec![0; 1 << 16];
    let mut left = bytes;
    while left > 0 {
        let length = left.min(zeros.len() as u64);
        file.write_all(&zeros[..length as usize])?;
        left -= length;
    }
    file.sync_all()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_takes_its_bytes_where_there_is_room_and_gives_them_back() {
        let folder = tempfile::tempdir().unwrap();
        let ballast = Ballast::of(folder.path());
        assert!(!ballast.drop());
        ballast.lay(0, &Room::told(|| Ok(LEAST_BYTES), 1));
        assert!(!folder.path().join(NAME).exists(), "the reserve is kept");
        ballast.lay(LEAST_BYTES * PART * 2, &Room::told(|| Ok(LEAST_BYTES * 3), 1));
        assert_eq!(std::fs::metadata(folder.path().join(NAME)).unwrap().len(), LEAST_BYTES * 2);
        assert!(ballast.drop() && !ballast.drop());
    }
}
