//! Keys of the store: names of blobs, and keys that the writer of an object chooses.

use std::fmt;
use std::str::FromStr;

use object_store::path::Path;
use sha2::{Digest as _, Sha256};

use super::error::BlobError;
use crate::protocol::BlobId;

/// Maximum length of a key in bytes.
pub const KEY_BYTES: usize = 512;

/// Key prefix of blobs within the store.
pub(super) const BLOB_PREFIX: &str = "blobs/";

/// A string that is not a blob's name, which is 64 lower-case hexadecimal digits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("expected 64 lower-case hexadecimal digits")]
pub struct NotABlobId;

impl BlobId {
    /// Returns the name of these bytes.
    pub fn of(bytes: &[u8]) -> Self {
        Self(Sha256::digest(bytes).into())
    }
}

impl fmt::Display for BlobId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&hex::encode(self.0))
    }
}

impl FromStr for BlobId {
    type Err = NotABlobId;

    fn from_str(s: &str) -> Result<Self, NotABlobId> {
        // A blob has exactly one name: upper case would be a second spelling.
        if s.bytes().any(|b| b.is_ascii_uppercase()) {
            return Err(NotABlobId);
        }
        let mut id = [0; 32];
        hex::decode_to_slice(s, &mut id).map_err(|_| NotABlobId)?;
        Ok(Self(id))
    }
}

/// Returns the path of a blob.
pub(super) fn blob_path(id: &BlobId) -> Path {
    let name = id.to_string();
    let (folder, rest) = name.split_at(2);
    Path::from(format!("{BLOB_PREFIX}{folder}/{rest}"))
}

/// Returns the path of an object's key: segments of ASCII letters, digits, `-`, `_` and `.`, none of them empty or
/// starting with a dot. Keys of blobs are refused, because their names are the hash of their content.
pub(super) fn object_path(key: &str) -> Result<Path, BlobError> {
    let segment = |s: &str| {
        !s.is_empty()
            && !s.starts_with('.')
            && s.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'_' | b'.'))
    };
    if key.len() > KEY_BYTES || key.starts_with(BLOB_PREFIX) || !key.split('/').all(segment) {
        // Cut short, because the key appears in messages.
        return Err(BlobError::BadKey(key.chars().take(80).collect()));
    }
    Ok(Path::from(key))
}
