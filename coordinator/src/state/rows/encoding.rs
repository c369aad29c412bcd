//! Encoding of rows: a version, then bincode.

use std::borrow::Cow;

use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::state::error::StateError;

/// Maximum size of a row in bytes: enough for a generation with the longest URL, title and list of formats. Larger
/// content is a blob, and the row holds its hash.
pub(in crate::state) const ROW_BYTES: usize = 6144;
/// Maximum size of a row in any table, including tables with unusually large rows.
pub(in crate::state) const LONGEST_ROW: usize = 24_576;

/// Truncates `text` to at most `bytes` at a character boundary, so that it fits into a row.
pub(in crate::state) fn clip(text: &str, bytes: usize) -> String {
    text[..text.floor_char_boundary(bytes)].to_owned()
}

/// A type that is stored in a table.
///
/// The encoding is fixed: a changed type gets a new version, and `decode` keeps reading the old ones.
pub(in crate::state) trait Record: Serialize + DeserializeOwned {
    /// First byte of every row.
    const VERSION: u8 = 1;
    /// Maximum size of its rows, at most [`LONGEST_ROW`].
    const BYTES: usize = ROW_BYTES;

    /// Converts the body of a row of version `from` to version `from` + 1. `None` if there was no such version.
    fn upgraded(from: u8, body: &[u8]) -> Option<Vec<u8>> {
        let _ = (from, body);
        None
    }
}

/// Encodes a record: its version, then bincode.
pub(in crate::state) fn encode<R: Record>(record: &R) -> Result<Vec<u8>, StateError> {
    let mut row = vec![R::VERSION];
    bincode::serde::encode_into_std_write(record, &mut row, bincode::config::standard())
        .map_err(|e| StateError::Unreadable(e.to_string()))?;
    if row.len() > R::BYTES {
        return Err(StateError::RowTooLarge(row.len()));
    }
    Ok(row)
}

/// Decodes the record in `row`.
pub(in crate::state) fn decode<R: Record>(row: &[u8]) -> Result<R, StateError> {
    let unreadable = |why: String| StateError::Unreadable(why);
    let (version, body) = row.split_first().ok_or_else(|| unreadable("an empty row".into()))?;
    let mut body = Cow::Borrowed(body);
    for from in *version..R::VERSION {
        body = Cow::Owned(R::upgraded(from, &body).ok_or_else(|| unreadable(format!("a row of version {from}")))?);
    }
    if *version > R::VERSION {
        return Err(unreadable(format!("a row of version {version}")));
    }
    // Without a limit, a damaged length field would be allocated.
    let config = bincode::config::standard().with_limit::<LONGEST_ROW>();
    let (record, read) = bincode::serde::decode_from_slice(&body, config).map_err(|e| unreadable(e.to_string()))?;
    if read != body.len() {
        return Err(unreadable(format!("{} bytes after the record", body.len() - read)));
    }
    Ok(record)
}

/// Checks that `row` decodes as an `R`, of this version or an older one.
pub(in crate::state) fn reads<R: Record>(row: &[u8]) -> Result<(), StateError> {
    decode::<R>(row).map(drop)
}
