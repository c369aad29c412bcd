//! A ZIP archive of parts, unpacked under limits. What an entry says of its own size is not believed.

use std::io::{Cursor, Read};

use encoding_rs::{UTF_8, UTF_16BE, UTF_16LE};
use zip::ZipArchive;
use zip::result::ZipError;

use super::fault::FileFault;

/// Entries of an archive.
const ENTRIES: usize = 20_000;
/// Bytes of one part, unpacked.
const PART_BYTES: usize = 48 << 20;
/// Bytes of all parts that are read of one file, unpacked.
const FILE_BYTES: usize = 96 << 20;

/// The parts of a file.
pub(super) struct Archive<'a> {
    zip: ZipArchive<Cursor<&'a [u8]>>,
    /// Bytes that may still be unpacked.
    left: usize,
}

impl<'a> Archive<'a> {
    /// Opens an archive.
    ///
    /// # Errors
    /// [`FileFault::Invalid`], [`FileFault::TooComplex`].
    pub fn open(file: &'a [u8]) -> Result<Self, FileFault> {
        let zip = ZipArchive::new(Cursor::new(file)).map_err(|_| FileFault::Invalid)?;
        if zip.len() > ENTRIES { Err(FileFault::TooComplex) } else { Ok(Self { zip, left: FILE_BYTES }) }
    }

    /// Whether there is a part of this name.
    pub fn has(&self, name: &str) -> bool {
        self.zip.index_for_name(name).is_some()
    }

    /// The text of a part; none where there is no such part.
    ///
    /// # Errors
    /// [`FileFault`], where the part is broken, encrypted, or larger than is read.
    pub fn text(&mut self, name: &str) -> Result<Option<String>, FileFault> {
        match self.unpacked(name)? {
            Some((_, true)) => Err(FileFault::TooComplex),
            Some((bytes, false)) => decoded(bytes).map(Some),
            None => Ok(None),
        }
    }

    /// The text of a part that must be there.
    ///
    /// # Errors
    /// As [`Archive::text`], and [`FileFault::Invalid`] where it is missing.
    pub fn needed(&mut self, name: &str) -> Result<String, FileFault> {
        self.text(name)?.ok_or(FileFault::Invalid)
    }

    /// The beginning of a part whose end may be left out, and whether it was.
    ///
    /// # Errors
    /// As [`Archive::text`].
    pub fn beginning(&mut self, name: &str) -> Result<Option<(String, bool)>, FileFault> {
        let Some((mut bytes, cut)) = self.unpacked(name)? else { return Ok(None) };
        if cut && !bytes.starts_with(b"\xff\xfe") && !bytes.starts_with(b"\xfe\xff") {
            // Not within a character.
            let end = bytes.iter().rposition(|b| *b == b'>').map_or(0, |at| at + 1);
            bytes.truncate(end);
        }
        Ok(Some((decoded(bytes)?, cut)))
    }

    /// The bytes of a part, and whether they are only its beginning.
    fn unpacked(&mut self, name: &str) -> Result<Option<(Vec<u8>, bool)>, FileFault> {
        let most = PART_BYTES.min(self.left);
        let entry = match self.zip.by_name(name) {
            Ok(entry) => entry,
            Err(ZipError::FileNotFound) => return Ok(None),
            Err(ZipError::UnsupportedArchive(ZipError::PASSWORD_REQUIRED)) => return Err(FileFault::Encrypted),
            Err(_) => return Err(FileFault::Invalid),
        };
        let mut bytes = Vec::new();
        entry.take(most as u64 + 1).read_to_end(&mut bytes).map_err(|_| FileFault::Invalid)?;
        let cut = bytes.len() > most;
        bytes.truncate(most);
        self.left -= bytes.len();
        Ok(Some((bytes, cut)))
    }
}

/// The text of an XML part: UTF-8, or UTF-16 with its mark (OPC, 10.1.4 allows no other).
fn decoded(bytes: Vec<u8>) -> Result<String, FileFault> {
    let (encoding, mark) = match bytes.as_slice() {
        [0xff, 0xfe, ..] => (UTF_16LE, 2),
        [0xfe, 0xff, ..] => (UTF_16BE, 2),
        [0xef, 0xbb, 0xbf, ..] => (UTF_8, 3),
        _ => return Ok(String::from_utf8(bytes).unwrap_or_else(|e| String::from_utf8_lossy(e.as_bytes()).into_owned())),
    };
    Ok(encoding.decode_without_bom_handling(&bytes[mark..]).0.into_owned())
}

/// The path that `target` names where it stands in the part `base` (OPC, 6.2): relative to its folder, or from the root.
pub(super) fn resolved(base: &str, target: &str) -> String {
    let target = target.split(['#', '?']).next().unwrap_or(target);
    let mut segments: Vec<&str> = match target.strip_prefix('/') {
        Some(_) => Vec::new(),
        None => base.split('/').collect(),
    };
    segments.pop();
    for segment in target.split('/') {
        match segment {
            "" | "." => {}
            ".." => drop(segments.pop()),
            name => segments.push(name),
        }
    }
    segments.join("/")
}
