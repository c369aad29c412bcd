//! The file format of an export, a logical copy of the state: every row of every table, as it is stored.
//!
//! ```text
//! "VIVIDEXP", the format's version (1 byte)
//! zstd of:
//!   length (4 bytes) and JSON of the head: the version of the service that wrote it, the time, the names of the tables
//!   entries: 1, table (2), length of the key (2), of the row (4), key, row    puts the row
//!            2, table (2), length of the key (2), key                         removes the row
//!            3                                      up to here each key occurs once; from here on, keys may recur
//!            0, number of entries (8), position (56)                         the end
//! SHA-256 of everything before
//! ```
//!
//! Numbers are big-endian. A later entry for a key replaces an earlier one. The position is that of the commit whose
//! state the copy holds. The first version of the format has no 3 and no position.

use std::collections::HashMap;
use std::fs::File;
use std::io::{BufReader, BufWriter, Read, Seek, SeekFrom, Take, Write};
use std::path::Path;

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use crate::clock::Millis;
use crate::state::error::StateError;
use crate::state::journal::{Digest as RowsDigest, Position};
use crate::state::rows::encoding::LONGEST_ROW;

const MAGIC: [u8; 8] = *b"VIVIDEXP";
const FORMAT: u8 = 2;
const DIGEST_BYTES: u64 = 32;
/// Maximum size of the head in bytes, including the names of all tables.
const HEAD_BYTES: u32 = 64 << 10;
/// Maximum size of a key in bytes. The longest is an account's id and an idempotency key of 255 characters.
const KEY_BYTES: u16 = 1024;
/// A fast level, which still shrinks rows to a fifth.
const LEVEL: i32 = 3;

const END: u8 = 0;
const PUT: u8 = 1;
const REMOVE: u8 = 2;
const SCANNED: u8 = 3;

/// Metadata of a copy.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(in crate::state) struct Head {
    /// Version of the service that wrote the copy.
    pub(in crate::state) service: String,
    /// When the copy was started.
    pub(in crate::state) at: Millis,
    /// Names of the tables. Entries refer to tables by their index.
    pub(in crate::state) tables: Vec<String>,
}

/// A change of a row.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::state) struct Entry {
    /// Index of the table in the head.
    pub(in crate::state) table: usize,
    pub(in crate::state) key: Vec<u8>,
    /// The row; `None` if no row has this key.
    pub(in crate::state) row: Option<Vec<u8>>,
}

/// Writes a copy.
pub(in crate::state) struct Writer {
    body: zstd::Encoder<'static, Hashed>,
    entries: u64,
}

/// A file, and the hash of the bytes written to it.
struct Hashed {
    file: BufWriter<File>,
    hash: Sha256,
}

impl Write for Hashed {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        let written = self.file.write(bytes)?;
        self.hash.update(&bytes[..written]);
        Ok(written)
    }

    fn flush(&mut self) -> std::io::Result<()> {
        self.file.flush()
    }
}

impl Writer {
    /// Starts a copy in `file`.
    pub(in crate::state) fn new(file: File, head: &Head) -> Result<Self, StateError> {
        let mut hashed = Hashed { file: BufWriter::new(file), hash: Sha256::new() };
        hashed.write_all(&MAGIC).and_then(|()| hashed.write_all(&[FORMAT])).map_err(failed)?;
        let mut body = zstd::Encoder::new(hashed, LEVEL).map_err(failed)?;
        let head = serde_json::to_vec(head).map_err(|e| StateError::Storage(e.to_string()))?;
        let length = u32::try_from(head.len()).unwrap_or(u32::MAX).to_be_bytes();
        body.write_all(&length).and_then(|()| body.write_all(&head)).map_err(failed)?;
        Ok(Self { body, entries: 0 })
    }

    /// Appends the current row of `key`.
    pub(in crate::state) fn entry(&mut self, table: usize, key: &[u8], row: Option<&[u8]>) -> Result<(), StateError> {
        let too_long = || StateError::Unreadable(format!("a key of {} bytes", key.len()));
        let key_length = u16::try_from(key.len()).ok().filter(|l| *l <= KEY_BYTES).ok_or_else(too_long)?;
        let mut head = [0; 9];
        head[0] = if row.is_some() { PUT } else { REMOVE };
        head[1..3].copy_from_slice(&u16::try_from(table).map_err(|_| too_long())?.to_be_bytes());
        head[3..5].copy_from_slice(&key_length.to_be_bytes());
        let mut length = 5;
        if let Some(row) = row {
            let bytes = u32::try_from(row.len()).map_err(|_| StateError::RowTooLarge(row.len()))?;
            head[5..9].copy_from_slice(&bytes.to_be_bytes());
            length = 9;
        }
        let body = &mut self.body;
        body.write_all(&head[..length]).and_then(|()| body.write_all(key)).map_err(failed)?;
        body.write_all(row.unwrap_or_default()).map_err(failed)?;
        self.entries += 1;
        Ok(())
    }

    /// Marks the point where every row was written once. From here on, rows follow that changed in the meantime.
    pub(in crate::state) fn scanned(&mut self) -> Result<(), StateError> {
        self.body.write_all(&[SCANNED]).map_err(failed)
    }

    /// Ends the copy, which holds the state after the commit at `position`. Returns the file's size in bytes once it is
    /// on the disk.
    pub(in crate::state) fn finish(mut self, position: &Position) -> Result<u64, StateError> {
        let end = [&[END], self.entries.to_be_bytes().as_slice(), &position.bytes()].concat();
        self.body.write_all(&end).map_err(failed)?;
        let Hashed { mut file, hash } = self.body.finish().map_err(failed)?;
        file.write_all(&hash.finalize()).map_err(failed)?;
        let mut file = file.into_inner().map_err(|e| failed(e.into_error()))?;
        file.sync_all().map_err(failed)?;
        file.stream_position().map_err(failed)
    }
}

/// Reads a copy.
pub(in crate::state) struct Reader {
    body: BufReader<zstd::Decoder<'static, BufReader<Take<File>>>>,
    head: Head,
    format: u8,
    entries: u64,
    /// Whether keys may follow that occurred before.
    scanned: bool,
    position: Option<Position>,
}

impl Reader {
    /// Opens a copy and verifies its checksum.
    ///
    /// # Errors
    /// [`StateError::NoCopy`], [`StateError::Storage`].
    pub(in crate::state) fn open(path: &Path) -> Result<Self, StateError> {
        let no_copy = |why: &str| StateError::NoCopy(why.into());
        let mut file = File::open(path).map_err(failed)?;
        let bytes = file.metadata().map_err(failed)?.len();
        let begin = MAGIC.len() as u64 + 1;
        let content =
            bytes.checked_sub(DIGEST_BYTES).filter(|b| *b > begin).ok_or_else(|| no_copy("it is too short"))?;
        let mut first = [0; MAGIC.len() + 1];
        file.read_exact(&mut first).map_err(failed)?;
        if first[..MAGIC.len()] != MAGIC {
            return Err(no_copy("it is none"));
        }
        let format = first[MAGIC.len()];
        if !(1..=FORMAT).contains(&format) {
            return Err(no_copy("a newer version of the service wrote it"));
        }
        file.seek(SeekFrom::Start(0)).map_err(failed)?;
        let (mut hash, mut whole) = (Sha256::new(), BufReader::with_capacity(1 << 20, (&mut file).take(content)));
        std::io::copy(&mut whole, &mut HashOnly(&mut hash)).map_err(failed)?;
        let mut said = [0; DIGEST_BYTES as usize];
        file.seek(SeekFrom::Start(content)).and_then(|_| file.read_exact(&mut said)).map_err(failed)?;
        if hash.finalize().as_slice() != said {
            return Err(no_copy("it is damaged or truncated: its checksum doesn't match"));
        }
        file.seek(SeekFrom::Start(begin)).map_err(failed)?;
        let compressed = BufReader::new(file.take(content - begin));
        let mut body = BufReader::new(zstd::Decoder::with_buffer(compressed).map_err(failed)?);
        let length = u32::from_be_bytes(array(&mut body)?);
        if length > HEAD_BYTES {
            return Err(no_copy("its head is too long"));
        }
        let head = serde_json::from_slice(&bytes_of(&mut body, length as usize)?)
            .map_err(|e| StateError::NoCopy(format!("its head can't be read: {e}")))?;
        Ok(Self { body, head, format, entries: 0, scanned: false, position: None })
    }

    pub(in crate::state) fn head(&self) -> &Head {
        &self.head
    }

    /// Returns the commit whose state the copy holds. It is known only at the end, and not in the first version of the
    /// format.
    pub(in crate::state) fn position(&self) -> Option<Position> {
        self.position
    }

    /// Returns the next entry, or `None` at the end.
    ///
    /// # Errors
    /// [`StateError::NoCopy`], [`StateError::Storage`].
    pub(in crate::state) fn next(&mut self) -> Result<Option<Entry>, StateError> {
        let [mut kind] = array(&mut self.body)?;
        if kind == SCANNED && !self.scanned {
            self.scanned = true;
            [kind] = array(&mut self.body)?;
        }
        if kind == END {
            if u64::from_be_bytes(array(&mut self.body)?) != self.entries {
                return Err(StateError::NoCopy("its number of entries doesn't match".into()));
            }
            if self.format > 1 {
                self.position = Position::read(&array::<{ Position::BYTES }>(&mut self.body)?);
            }
            return Ok(None);
        }
        let table = usize::from(u16::from_be_bytes(array(&mut self.body)?));
        let key = u16::from_be_bytes(array(&mut self.body)?);
        if !matches!(kind, PUT | REMOVE) || table >= self.head.tables.len() || key > KEY_BYTES {
            return Err(StateError::NoCopy(format!("entry {} is invalid", self.entries)));
        }
        let row = match kind {
            PUT => {
                let row = u32::from_be_bytes(array(&mut self.body)?) as usize;
                if row > LONGEST_ROW {
                    return Err(StateError::NoCopy(format!("entry {} has a row of {row} bytes", self.entries)));
                }
                Some(row)
            }
            _ => None,
        };
        let key = bytes_of(&mut self.body, usize::from(key))?;
        let row = row.map(|row| bytes_of(&mut self.body, row)).transpose()?;
        self.entries += 1;
        Ok(Some(Entry { table, key, row }))
    }
}

/// Reads the copy in `file` to its end, and compares its rows with the digest of its commit.
///
/// # Errors
/// [`StateError::NoCopy`] if the file is damaged, or if its rows are not those of the state after that commit;
/// [`StateError::Storage`].
pub(in crate::state) fn verify(file: &Path) -> Result<Position, StateError> {
    // The last values of rows that were written again. They are few compared with the rows written once.
    let mut again = HashMap::new();
    let mut copy = Reader::open(file)?;
    while let Some(entry) = copy.next()? {
        if copy.scanned {
            again.insert((entry.table, entry.key), entry.row);
        }
    }
    let no_position = || StateError::NoCopy("it doesn't contain the position of its commit".into());
    let position = copy.position().ok_or_else(no_position)?;
    let (mut copy, mut digest) = (Reader::open(file)?, RowsDigest::default());
    while let Some(Entry { table, key, row }) = copy.next()? {
        if copy.scanned {
            break;
        }
        let place = (table, key);
        if let Some(row) = row.filter(|_| !again.contains_key(&place)) {
            digest.add(&copy.head.tables[table], &place.1, &row);
        }
    }
    for ((table, key), row) in &again {
        if let Some(row) = row {
            digest.add(&copy.head.tables[*table], key, row);
        }
    }
    match digest == position.digest {
        true => Ok(position),
        false => Err(StateError::NoCopy(format!("its rows are not those of commit {}", position.seq))),
    }
}

/// Hashes the bytes written to it.
struct HashOnly<'a>(&'a mut Sha256);

impl Write for HashOnly<'_> {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0.update(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

fn array<const N: usize>(from: &mut impl Read) -> Result<[u8; N], StateError> {
    let mut bytes = [0; N];
    from.read_exact(&mut bytes).map_err(|e| StateError::NoCopy(e.to_string()))?;
    Ok(bytes)
}

/// Reads `length` bytes, at most the size of a row.
fn bytes_of(from: &mut impl Read, length: usize) -> Result<Vec<u8>, StateError> {
    let mut bytes = vec![0; length];
    from.read_exact(&mut bytes).map_err(|e| StateError::NoCopy(e.to_string()))?;
    Ok(bytes)
}

#[expect(clippy::needless_pass_by_value, reason = "it is what map_err hands over")]
fn failed(e: std::io::Error) -> StateError {
    StateError::Storage(e.to_string())
}
