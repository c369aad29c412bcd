//! A file of the journal: a head that says where it begins in the history, then records.
//!
//! ```text
//! "VIVIDJNL", the format's version (1)
//! base (56)    position of the commit before its first record
//! SHA-256 of everything before (32)
//! records
//! ```
//!
//! Its name is the number of that commit, in twenty digits, and `.journal`.

use std::fs::{File, OpenOptions};
use std::io;
use std::path::{Path, PathBuf};

use sha2::{Digest as _, Sha256};

use super::digest::Position;
use super::record::{self, Record};

const MAGIC: [u8; 8] = *b"VIVIDJNL";
const FORMAT: u8 = 1;
/// Bytes before the first record.
pub(super) const HEAD_BYTES: usize = 8 + 1 + Position::BYTES + 32;
const EXTENSION: &str = "journal";

/// The segments in `folder` with the commits that they follow, as their names say, in order.
pub(super) fn list(folder: &Path) -> io::Result<Vec<(u64, PathBuf)>> {
    let mut segments = Vec::new();
    for file in std::fs::read_dir(folder)? {
        let path = file?.path();
        let name = path.file_stem().and_then(|name| name.to_str()).filter(|name| name.len() == 20);
        let number = name.and_then(|name| name.parse().ok());
        if let Some(number) = number.filter(|_| path.extension().is_some_and(|e| e == EXTENSION)) {
            segments.push((number, path));
        }
    }
    segments.sort();
    Ok(segments)
}

/// Whether the file begins as a segment or the mark of a journal does, whatever its name is.
pub(in crate::state) fn is_one(path: &Path) -> bool {
    use std::io::Read;
    let mut head = [0; MAGIC.len()];
    File::open(path).and_then(|mut file| file.read_exact(&mut head)).is_ok()
        && (head == MAGIC || head == super::mark::MAGIC)
}

/// Makes the segment that follows `base` in `folder`, and puts it on the disk. It is there with its head or not at all. A file
/// of that name is replaced: it can hold no record.
pub(super) fn create(folder: &Path, base: &Position) -> io::Result<File> {
    let path = folder.join(format!("{:020}.{EXTENSION}", base.seq));
    let unfinished = path.with_extension("new");
    let file = OpenOptions::new().read(true).write(true).create(true).truncate(true).open(&unfinished)?;
    let mut head = [&MAGIC[..], &[FORMAT], &base.bytes()].concat();
    let hash = Sha256::digest(&head);
    head.extend(hash);
    super::write_at(&file, &head, 0)?;
    file.sync_all()?;
    std::fs::rename(&unfinished, &path)?;
    // Where it isn't relied on, it must not be there: the segment before it goes on.
    super::sync_folder(folder).inspect_err(|_| drop(std::fs::remove_file(&path)))?;
    Ok(file)
}

/// A segment's bytes.
pub(super) struct Segment {
    bytes: Vec<u8>,
}

impl Segment {
    pub(super) fn read(path: &Path) -> io::Result<Self> {
        Ok(Self { bytes: std::fs::read(path)? })
    }

    /// Where it begins in the history; `None` if its head is damaged.
    pub(super) fn base(&self) -> Option<Position> {
        let (said, hash) = self.bytes.get(..HEAD_BYTES)?.split_at(HEAD_BYTES - 32);
        let is_sound = said[..8] == MAGIC && said[8] == FORMAT && Sha256::digest(said).as_slice() == hash;
        Position::read(&said[9..]).filter(|_| is_sound)
    }

    /// Its records from the first to the last that can be read and follows the one before.
    pub(super) fn records(&self) -> Records<'_> {
        let base = self.base();
        Records {
            bytes: &self.bytes,
            at: HEAD_BYTES.min(self.bytes.len()),
            last: base.unwrap_or_default(),
            fault: None,
        }
    }

    /// Every record in it that can be read, whatever lies between them.
    pub(super) fn salvage(&self) -> impl Iterator<Item = Record<'_>> {
        let mut rest = self.bytes.as_slice();
        std::iter::from_fn(move || {
            let (at, record) = record::find(rest)?;
            rest = &rest[at + record.bytes..];
            Some(record)
        })
    }

    pub(super) fn len(&self) -> usize {
        self.bytes.len()
    }
}

/// Goes through the records of a segment.
pub(super) struct Records<'a> {
    bytes: &'a [u8],
    at: usize,
    last: Position,
    fault: Option<&'static str>,
}

impl<'a> Iterator for Records<'a> {
    type Item = Record<'a>;

    fn next(&mut self) -> Option<Record<'a>> {
        let rest = self.bytes.get(self.at..).filter(|rest| !rest.is_empty() && self.fault.is_none())?;
        let record = match record::decode(rest) {
            Ok(record) if record.previous != self.last.hash || record.position.seq != self.last.seq + 1 => {
                self.fault = Some("it doesn't follow the one before");
                return None;
            }
            Ok(record) => record,
            Err(why) => {
                self.fault = Some(why);
                return None;
            }
        };
        self.at += record.bytes;
        self.last = record.position;
        Some(record)
    }
}

impl Records<'_> {
    /// Where the last record ends that was read, in bytes.
    pub(super) fn end(&self) -> usize {
        self.at
    }

    /// The last record's position; the base where there was none.
    pub(super) fn position(&self) -> Position {
        self.last
    }

    /// Why there are bytes behind the last record.
    pub(super) fn fault(&self) -> Option<&'static str> {
        self.fault
    }
}
