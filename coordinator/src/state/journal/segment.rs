//! A file of the journal: a header that gives the position where the segment starts, then records.
//!
//! ```text
//! "VIVIDJNL", the format's version (1)
//! base (56)    position of the commit before its first record
//! SHA-256 of everything before (32)
//! records
//! ```
//!
//! The file name is the number of that commit, in twenty digits, and `.journal`.

use std::fs::{File, OpenOptions};
use std::io;
use std::path::{Path, PathBuf};

use sha2::{Digest as _, Sha256};

use super::digest::Position;
use super::files::{sync_folder, write_at};
use super::mark;
use super::record::{self, Record};

const MAGIC: [u8; 8] = *b"VIVIDJNL";
const FORMAT: u8 = 1;
/// Size of the header in bytes.
pub(super) const HEAD_BYTES: usize = 8 + 1 + Position::BYTES + 32;
const EXTENSION: &str = "journal";

/// Returns the segments in `folder`, in order, each with the number of the commit that it follows, taken from its name.
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

/// Returns whether the file starts like a segment or mark of a journal, whatever its name.
pub(in crate::state) fn is_one(path: &Path) -> bool {
    use std::io::Read;
    let mut head = [0; MAGIC.len()];
    File::open(path).and_then(|mut file| file.read_exact(&mut head)).is_ok() && (head == MAGIC || head == mark::MAGIC)
}

/// Creates and flushes the segment that follows `base` in `folder`. The file appears with its complete header or not at
/// all. It replaces a file of the same name, which can hold no record.
pub(super) fn create(folder: &Path, base: &Position) -> io::Result<File> {
    let path = folder.join(format!("{:020}.{EXTENSION}", base.seq));
    let unfinished = path.with_extension("new");
    let file = OpenOptions::new().read(true).write(true).create(true).truncate(true).open(&unfinished)?;
    let mut head = [&MAGIC[..], &[FORMAT], &base.bytes()].concat();
    let hash = Sha256::digest(&head);
    head.extend(hash);
    write_at(&file, &head, 0)?;
    file.sync_all()?;
    std::fs::rename(&unfinished, &path)?;
    // If the folder can't be flushed, remove the file: writing continues in the previous segment.
    sync_folder(folder).inspect_err(|_| drop(std::fs::remove_file(&path)))?;
    Ok(file)
}

/// The bytes of a segment.
pub(super) struct Segment {
    bytes: Vec<u8>,
}

impl Segment {
    pub(super) fn read(path: &Path) -> io::Result<Self> {
        Ok(Self { bytes: std::fs::read(path)? })
    }

    /// Returns the position where the segment starts, or `None` if its header is damaged.
    pub(super) fn base(&self) -> Option<Position> {
        let (said, hash) = self.bytes.get(..HEAD_BYTES)?.split_at(HEAD_BYTES - 32);
        let is_sound = said[..8] == MAGIC && said[8] == FORMAT && Sha256::digest(said).as_slice() == hash;
        Position::read(&said[9..]).filter(|_| is_sound)
    }

    /// Iterates over the records from the first up to the last that is readable and follows its predecessor.
    pub(super) fn records(&self) -> Records<'_> {
        let base = self.base();
        Records {
            bytes: &self.bytes,
            at: HEAD_BYTES.min(self.bytes.len()),
            last: base.unwrap_or_default(),
            fault: None,
        }
    }

    /// Iterates over every readable record, and skips damaged bytes between them.
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

/// Iterator over the records of a segment.
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
    /// Returns the offset in bytes of the end of the last record read.
    pub(super) fn end(&self) -> usize {
        self.at
    }

    /// Returns the position of the last record read, or the base if none was read.
    pub(super) fn position(&self) -> Position {
        self.last
    }

    /// Returns why bytes remain after the last record.
    pub(super) fn fault(&self) -> Option<&'static str> {
        self.fault
    }
}
