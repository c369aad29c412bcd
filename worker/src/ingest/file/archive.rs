//! Reads the parts of a ZIP archive, within limits. It does not trust the sizes that entries declare.

use std::io::{Cursor, Read};

use encoding_rs::{UTF_8, UTF_16BE, UTF_16LE};
use zip::ZipArchive;
use zip::result::ZipError;

use super::fault::FileFault;

/// Entries of an archive.
const ENTRIES: usize = 20_000;
/// Bytes of one part, unpacked.
const PART_BYTES: usize = 48 << 20;
/// Bytes of all parts of one file, unpacked.
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

    /// Returns whether a part of this name exists.
    pub fn has(&self, name: &str) -> bool {
        self.zip.index_for_name(name).is_some()
    }

    /// Returns the text of a part; `None` if it does not exist.
    ///
    /// # Errors
    /// [`FileFault`] if the part is broken, encrypted, or too large.
    pub fn text(&mut self, name: &str) -> Result<Option<String>, FileFault> {
        match self.unpacked(name)? {
            Some((_, true)) => Err(FileFault::TooComplex),
            Some((bytes, false)) => decoded(bytes).map(Some),
            None => Ok(None),
        }
    }

    /// Returns the text of a required part.
    ///
    /// # Errors
    /// As [`Archive::text`], and [`FileFault::Invalid`] if it is missing.
    pub fn needed(&mut self, name: &str) -> Result<String, FileFault> {
        self.text(name)?.ok_or(FileFault::Invalid)
    }

    /// Returns the beginning of a part that may be truncated, and whether it was.
    ///
    /// # Errors
    /// As [`Archive::text`].
    pub fn beginning(&mut self, name: &str) -> Result<Option<(String, bool)>, FileFault> {
        let Some((mut bytes, cut)) = self.unpacked(name)? else { return Ok(None) };
        if cut && !bytes.starts_with(b"\xff\xfe") && !bytes.starts_with(b"\xfe\xff") {
            // Ends after a tag, so that no character is cut.
            let end = bytes.iter().rposition(|b| *b == b'>').map_or(0, |at| at + 1);
            bytes.truncate(end);
        }
        Ok(Some((decoded(bytes)?, cut)))
    }

    /// Returns the bytes of a part, and whether they were truncated.
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

/// Decodes an XML part: UTF-8, or UTF-16 with a byte order mark (OPC, 10.1.4 allows no other).
fn decoded(bytes: Vec<u8>) -> Result<String, FileFault> {
    let (encoding, mark) = match bytes.as_slice() {
        [0xff, 0xfe, ..] => (UTF_16LE, 2),
        [0xfe, 0xff, ..] => (UTF_16BE, 2),
        [0xef, 0xbb, 0xbf, ..] => (UTF_8, 3),
        _ => return Ok(String::from_utf8(bytes).unwrap_or_else(|e| String::from_utf8_lossy(e.as_bytes()).into_owned())),
    };
    Ok(encoding.decode_without_bom_handling(&bytes[mark..]).0.into_owned())
}

/// Resolves the reference `target` in the part `base` (OPC, 6.2): relative to its folder, or from the root.
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
