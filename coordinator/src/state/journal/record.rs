//! The encoding of one commit. A record describes its commit completely, so that a reader that has only the records
//! before it can check and apply it.
//!
//! ```text
//! "VREC"
//! length (4)         of the whole record, from its first byte to its last
//! number (8)         of the commit; the first one is 1
//! predecessor (32)   hash of the record before
//! time (8)           milliseconds since 1970
//! digest (16)        of all rows after the commit
//! changes (4)        how many there are
//! changes            kind (1: 1 puts a row, 2 removes it), name of the table (1 + n), key (2 + n), and of a put the row (4 + n)
//! hash (32)          SHA-256 of everything before
//! ```
//!
//! Numbers are big-endian.

use sha2::{Digest as _, Sha256};

use super::digest::{Digest, Hash, Position};
use crate::clock::Millis;

const MAGIC: [u8; 4] = *b"VREC";
const HASH_BYTES: usize = 32;
/// Size of the header before the changes.
const HEAD_BYTES: usize = 4 + 4 + 8 + 32 + 8 + 16 + 4;
/// Maximum size of a record in bytes. The largest commits remove a generation with all its versions: some thousand
/// rows.
pub(in crate::state) const RECORD_BYTES: usize = 64 << 20;

const PUT: u8 = 1;
const REMOVE: u8 = 2;

/// A change of one row.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::state) struct Change<'a> {
    /// The table's name.
    pub(in crate::state) table: &'a str,
    pub(in crate::state) key: &'a [u8],
    /// The new row; `None` removes the row.
    pub(in crate::state) row: Option<&'a [u8]>,
}

/// A decoded record.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::state) struct Record<'a> {
    /// Hash of the record before.
    pub(in crate::state) previous: Hash,
    /// The position of its commit.
    pub(in crate::state) position: Position,
    /// When the commit was made.
    pub(in crate::state) at: Millis,
    pub(in crate::state) changes: Vec<Change<'a>>,
    /// Size of the record in bytes.
    pub(in crate::state) bytes: usize,
}

/// Encodes the commit that follows `last`, and returns the position after it. Returns `None` if the record would exceed
/// [`RECORD_BYTES`], or if a name or key is too long.
pub(super) fn encode<'a>(
    last: &Position,
    digest: Digest,
    at: Millis,
    changes: impl ExactSizeIterator<Item = Change<'a>>,
) -> Option<(Vec<u8>, Position)> {
    let seq = last.seq + 1;
    let mut bytes = Vec::with_capacity(HEAD_BYTES + HASH_BYTES + 256 * changes.len());
    bytes.extend(MAGIC);
    bytes.extend([0; 4]);
    bytes.extend(seq.to_be_bytes());
    bytes.extend(last.hash);
    bytes.extend(at.0.to_be_bytes());
    bytes.extend(&Position { digest, ..Position::default() }.bytes()[40..]);
    bytes.extend(u32::try_from(changes.len()).ok()?.to_be_bytes());
    for Change { table, key, row } in changes {
        bytes.push(if row.is_some() { PUT } else { REMOVE });
        bytes.push(u8::try_from(table.len()).ok()?);
        bytes.extend(table.as_bytes());
        bytes.extend(u16::try_from(key.len()).ok()?.to_be_bytes());
        bytes.extend(key);
        if let Some(row) = row {
            bytes.extend(u32::try_from(row.len()).ok()?.to_be_bytes());
            bytes.extend(row);
        }
    }
    let length = Some(bytes.len() + HASH_BYTES).filter(|length| *length <= RECORD_BYTES)?;
    bytes[4..8].copy_from_slice(&u32::try_from(length).ok()?.to_be_bytes());
    let hash: Hash = Sha256::digest(&bytes).into();
    bytes.extend(hash);
    Some((bytes, Position { seq, hash, digest }))
}

/// Decodes the record at the start of `bytes`.
///
/// # Errors
/// Returns the reason, in words, if there is no valid record.
pub(super) fn decode(bytes: &[u8]) -> Result<Record<'_>, &'static str> {
    let head = bytes.get(..HEAD_BYTES).ok_or("it is truncated")?;
    if head[..4] != MAGIC {
        return Err("no record begins here");
    }
    let length = number(&head[4..8]);
    let whole = Some(length)
        .filter(|length| (HEAD_BYTES + HASH_BYTES..=RECORD_BYTES).contains(length))
        .ok_or("its length is invalid")?;
    let whole = bytes.get(..whole).ok_or("it is truncated")?;
    let (said, hash) = whole.split_at(length - HASH_BYTES);
    if Sha256::digest(said).as_slice() != hash {
        return Err("its checksum doesn't match");
    }
    // The checksum matches, so the bytes are those that were written.
    let position = Position::read(&[&head[8..16], hash, &head[56..72]].concat()).ok_or("its head can't be read")?;
    let mut rest = &said[HEAD_BYTES..];
    let changes = (0..number(&head[72..76])).map(|_| change(&mut rest)).collect::<Option<Vec<_>>>();
    let changes = changes.filter(|_| rest.is_empty()).ok_or("its changes can't be read")?;
    let at = i64::from_be_bytes(head[48..56].try_into().map_err(|_| "its head can't be read")?);
    let previous = head[16..48].try_into().map_err(|_| "its head can't be read")?;
    Ok(Record { previous, position, at: Millis(at), changes, bytes: length })
}

/// Finds the first readable record in `bytes`, and returns its offset.
pub(super) fn find(bytes: &[u8]) -> Option<(usize, Record<'_>)> {
    memchr::memmem::find_iter(bytes, &MAGIC).find_map(|at| Some((at, decode(&bytes[at..]).ok()?)))
}

fn change<'a>(rest: &mut &'a [u8]) -> Option<Change<'a>> {
    let [kind, name] = *take(rest, 2)? else { return None };
    let table = std::str::from_utf8(take(rest, usize::from(name))?).ok()?;
    let key = number(take(rest, 2)?);
    let key = take(rest, key)?;
    let row = match kind {
        PUT => {
            let row = number(take(rest, 4)?);
            Some(take(rest, row)?)
        }
        REMOVE => None,
        _ => return None,
    };
    Some(Change { table, key, row })
}

fn take<'a>(rest: &mut &'a [u8], length: usize) -> Option<&'a [u8]> {
    let (taken, left) = rest.split_at_checked(length)?;
    *rest = left;
    Some(taken)
}

/// Decodes a big-endian number of up to four bytes.
fn number(bytes: &[u8]) -> usize {
    bytes.iter().fold(0, |number, byte| number << 8 | usize::from(*byte))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn one(seq: u64) -> (Vec<u8>, Position) {
        let mut digest = Digest::default();
        digest.add("t", b"k", b"v");
        let last = Position { seq: seq - 1, hash: [3; 32], digest: Digest::default() };
        let changes = [
            Change { table: "t", key: b"k", row: Some(b"v") },
            Change { table: "gone", key: b"", row: None },
            Change { table: "t", key: b"empty", row: Some(b"") },
        ];
        encode(&last, digest, Millis(1_795_348_800_000), changes.into_iter()).unwrap()
    }

    #[test]
    fn a_record_says_what_was_written() {
        let (bytes, position) = one(5);
        let record = decode(&bytes).unwrap();
        assert_eq!((record.position, record.previous, record.bytes), (position, [3; 32], bytes.len()));
        assert_eq!((record.at, record.changes.len()), (Millis(1_795_348_800_000), 3));
        assert_eq!(record.changes[1], Change { table: "gone", key: b"", row: None });
        assert_eq!(record.changes[2].row, Some(&b""[..]));
    }

    #[test]
    fn a_record_is_found_behind_anything() {
        let (bytes, position) = one(5);
        let behind = [b"VRECnoise VREC".as_slice(), &bytes, b"more"].concat();
        let (at, record) = find(&behind).unwrap();
        assert_eq!((at, record.position), (14, position));
        assert_eq!(find(&behind[20..]), None);
    }

    #[test]
    fn no_changed_bit_and_no_cut_goes_unnoticed() {
        let (bytes, _) = one(1);
        for at in 0..bytes.len() {
            assert!(decode(&bytes[..at]).is_err(), "cut at {at}");
            for bit in 0..8 {
                let mut damaged = bytes.clone();
                damaged[at] ^= 1 << bit;
                assert!(decode(&damaged).is_err(), "bit {bit} of byte {at}");
            }
        }
    }

    #[test]
    fn the_bytes_stay_as_they_are() {
        let (bytes, _) = one(1);
        let hash = hex::encode(Sha256::digest(&bytes));
        assert_eq!(
            hash, "d0e428208c91a16a1036450e52328174f616833856ddd31d2084b457df7d57c1",
            "the format changed: it needs a new version"
        );
    }
}
