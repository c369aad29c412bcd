//! Identifies a state and a point in its history: the digest of a set of rows, and the position of a commit.

use sha2::{Digest as _, Sha256};

/// SHA-256 of a record. The next record contains it as its predecessor.
pub(in crate::state) type Hash = [u8; 32];

/// Digest of a set of rows: the sum modulo 2^128 of a hash of each row. It does not depend on the order of the rows,
/// and a commit updates it from only the rows that it replaces and writes.
///
/// The digest detects damage, not forgery: anyone who can write the files can also compute it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(in crate::state) struct Digest(u128);

impl Digest {
    /// Adds a row to the set.
    pub(in crate::state) fn add(&mut self, table: &str, key: &[u8], row: &[u8]) {
        self.0 = self.0.wrapping_add(hash(table, key, row));
    }

    /// Removes a row from the set.
    pub(in crate::state) fn remove(&mut self, table: &str, key: &[u8], row: &[u8]) {
        self.0 = self.0.wrapping_sub(hash(table, key, row));
    }

    /// Returns the digest of the union of two disjoint sets.
    pub(in crate::state) fn join(self, other: Self) -> Self {
        Self(self.0.wrapping_add(other.0))
    }
}

fn hash(table: &str, key: &[u8], row: &[u8]) -> u128 {
    let mut hash = Sha256::new();
    for part in [table.as_bytes(), key] {
        hash.update((part.len() as u32).to_be_bytes());
        hash.update(part);
    }
    hash.update(row);
    let hash: [u8; 32] = hash.finalize().into();
    u128::from_be_bytes(hash[..16].try_into().expect("the first half of 32 bytes is 16 bytes"))
}

/// A point in the history: a commit, and the state after it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(in crate::state) struct Position {
    /// Number of commits so far, including this one.
    pub(in crate::state) seq: u64,
    /// Hash of the commit's record; zeros if no record was written yet.
    pub(in crate::state) hash: Hash,
    /// Digest of all rows after the commit.
    pub(in crate::state) digest: Digest,
}

impl Position {
    /// Size of an encoded position.
    pub(in crate::state) const BYTES: usize = 8 + 32 + 16;

    /// Encodes the position: sequence number, hash, digest.
    pub(in crate::state) fn bytes(&self) -> [u8; Self::BYTES] {
        let mut bytes = [0; Self::BYTES];
        bytes[..8].copy_from_slice(&self.seq.to_be_bytes());
        bytes[8..40].copy_from_slice(&self.hash);
        bytes[40..].copy_from_slice(&self.digest.0.to_be_bytes());
        bytes
    }

    /// Decodes a position. Returns `None` if `bytes` has the wrong length.
    pub(in crate::state) fn read(bytes: &[u8]) -> Option<Self> {
        let bytes: &[u8; Self::BYTES] = bytes.try_into().ok()?;
        Some(Self {
            seq: u64::from_be_bytes(bytes[..8].try_into().ok()?),
            hash: bytes[8..40].try_into().ok()?,
            digest: Digest(u128::from_be_bytes(bytes[40..].try_into().ok()?)),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_digest_is_that_of_a_set() {
        let rows = [("a", b"k1", b"one"), ("a", b"k2", b"two"), ("b", b"k1", b"one")];
        let of = |order: &[usize]| {
            let mut digest = Digest::default();
            order.iter().for_each(|&n| digest.add(rows[n].0, rows[n].1, rows[n].2));
            digest
        };
        assert_eq!(of(&[0, 1, 2]), of(&[2, 0, 1]));
        assert_ne!(of(&[0, 1]), of(&[1, 2]), "the table counts");
        let mut less = of(&[0, 1, 2]);
        less.remove("a", b"k2", b"two");
        assert_eq!(less, of(&[0, 2]));
        assert_eq!(of(&[0]).join(of(&[1, 2])), of(&[0, 1, 2]));
        let (mut one, mut other) = (Digest::default(), Digest::default());
        one.add("ab", b"c", b"");
        other.add("a", b"bc", b"");
        assert_ne!(one, other, "parts don't run into each other");
    }

    #[test]
    fn a_position_survives_its_bytes() {
        let mut digest = Digest::default();
        digest.add("t", b"k", b"v");
        let position = Position { seq: 7, hash: [9; 32], digest };
        assert_eq!(Position::read(&position.bytes()), Some(position));
        assert_eq!(Position::read(&position.bytes()[1..]), None);
    }
}
