//! The mark: a small file beside the segments that records up to which commit the service acknowledged, and which
//! segment is the first.
//!
//! A journal that lost its end or its first segments still looks like a valid journal with fewer commits, so the loss
//! shows only outside of it. The mark is written after every flush of the journal and is not flushed itself. It
//! survives a crash of the process. After a power failure it may be older than the journal, which is harmless.
//!
//! ```text
//! "VIVIDMRK"
//! acknowledged (56)   position of the last commit that was flushed
//! first (8)           number of the commit that the first segment follows
//! verified (8)        number of the last commit in the newest verified export
//! SHA-256 of everything before (32)
//! ```

use std::fs::{File, OpenOptions};
use std::io;
use std::path::{Path, PathBuf};

use sha2::{Digest as _, Sha256};

use super::digest::Position;
use super::files::write_at;

pub(super) const MAGIC: [u8; 8] = *b"VIVIDMRK";
const BYTES: usize = 8 + Position::BYTES + 8 + 8 + 32;
/// Name of the file.
pub(super) const NAME: &str = "mark";

/// The contents of a mark.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Mark {
    /// The last commit that was flushed.
    pub(super) acknowledged: Position,
    /// The commit that the first segment follows.
    pub(super) first: u64,
    /// The last commit in the newest verified export.
    pub(super) verified: u64,
}

impl Mark {
    fn bytes(&self) -> [u8; BYTES] {
        let mut bytes = [0; BYTES];
        bytes[..8].copy_from_slice(&MAGIC);
        bytes[8..64].copy_from_slice(&self.acknowledged.bytes());
        bytes[64..72].copy_from_slice(&self.first.to_be_bytes());
        bytes[72..80].copy_from_slice(&self.verified.to_be_bytes());
        let hash = Sha256::digest(&bytes[..80]);
        bytes[80..].copy_from_slice(&hash);
        bytes
    }

    /// Reads the mark in `folder`. Returns `None` if it is missing or damaged.
    pub(super) fn read(folder: &Path) -> Option<Self> {
        let bytes: [u8; BYTES] = std::fs::read(folder.join(NAME)).ok()?.try_into().ok()?;
        let number = |at: usize| bytes[at..at + 8].try_into().map(u64::from_be_bytes).ok();
        let mark = Self { acknowledged: Position::read(&bytes[8..64])?, first: number(64)?, verified: number(72)? };
        (mark.bytes() == bytes).then_some(mark)
    }
}

/// The file of a mark, open for writing.
#[derive(Debug)]
pub(super) struct MarkFile {
    file: File,
    mark: Mark,
}

impl MarkFile {
    /// Opens or creates the file in `folder`, writes `mark` and flushes it.
    pub(super) fn open(folder: &Path, mark: Mark) -> io::Result<Self> {
        let path: PathBuf = folder.join(NAME);
        // Don't truncate: on a full disk that would destroy the existing mark.
        let file = OpenOptions::new().write(true).create(true).truncate(false).open(path)?;
        let this = Self { file, mark };
        this.write()?;
        this.file.set_len(BYTES as u64)?;
        this.file.sync_all()?;
        Ok(this)
    }

    pub(super) fn mark(&self) -> Mark {
        self.mark
    }

    /// Replaces the mark without flushing it.
    pub(super) fn set(&mut self, mark: Mark) -> io::Result<()> {
        self.mark = mark;
        self.write()
    }

    /// Flushes the file.
    pub(super) fn sync(&self) -> io::Result<()> {
        self.file.sync_data()
    }

    fn write(&self) -> io::Result<()> {
        write_at(&self.file, &self.mark.bytes(), 0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mark_is_read_as_it_was_written_and_damage_is_seen() {
        let folder = tempfile::tempdir().unwrap();
        assert_eq!(Mark::read(folder.path()), None);
        let acknowledged = Position { seq: 7, hash: [1; 32], ..Position::default() };
        let mut file = MarkFile::open(folder.path(), Mark::default()).unwrap();
        let mark = Mark { acknowledged, first: 3, verified: 5 };
        file.set(mark).unwrap();
        assert_eq!(Mark::read(folder.path()), Some(mark));
        let mut bytes = std::fs::read(folder.path().join(NAME)).unwrap();
        bytes[30] ^= 4;
        std::fs::write(folder.path().join(NAME), &bytes).unwrap();
        assert_eq!(Mark::read(folder.path()), None);
        std::fs::write(folder.path().join(NAME), &bytes[..40]).unwrap();
        assert_eq!(Mark::read(folder.path()), None);
    }
}
