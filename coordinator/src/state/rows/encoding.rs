//! Encoding of rows: a version, then bincode.

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
/// The encoding is fixed: a changed type gets a new version, and a type of its own keeps the fields of each old version
/// ([`versions!`]).
pub(in crate::state) trait Record: Serialize + DeserializeOwned {
    /// The version that is written: the first byte of new rows.
    const VERSION: u8 = 1;
    /// Maximum size of its rows, at most [`LONGEST_ROW`].
    const BYTES: usize = ROW_BYTES;

    /// Decodes the body of a row that was written in this version. `None` if there is no such version.
    fn of_version(version: u8, body: &[u8]) -> Option<Result<Self, StateError>> {
        (version == Self::VERSION).then(|| decode_body(body))
    }
}

/// Implements [`Record`] for a type with several versions: declares the enum of its rows, with a type for each version.
/// The last version is the record itself. The type of each other version converts to the next one with `From`.
macro_rules! versions {
    ($record:ident as $rows:ident: $($number:literal => $variant:ident($row:ty)),+ $(,)?) => {
        /// A row, in the version in which it was written.
        enum $rows {
            $($variant($row)),+
        }

        impl $crate::state::rows::encoding::Record for $record {
            const VERSION: u8 = *[$($number),+].last().expect("there is a version");

            fn of_version(version: u8, body: &[u8]) -> Option<Result<Self, $crate::state::error::StateError>> {
                let row = match version {
                    $($number => $crate::state::rows::encoding::decode_body(body).map($rows::$variant),)+
                    _ => return None,
                };
                Some(row.map(Self::from))
            }
        }

        $crate::state::rows::encoding::versions! { @upgrades $record $rows [] $($variant)+ }
    };
    (@upgrades $record:ident $rows:ident [$($arms:tt)*] $newest:ident) => {
        impl From<$rows> for $record {
            fn from(row: $rows) -> Self {
                match row {
                    $($arms)*
                    $rows::$newest(record) => record,
                }
            }
        }
    };
    (@upgrades $record:ident $rows:ident [$($arms:tt)*] $version:ident $next:ident $($later:ident)*) => {
        $crate::state::rows::encoding::versions! {
            @upgrades $record $rows
            [$($arms)* $rows::$version(row) => Self::from($rows::$next(row.into())),]
            $next $($later)*
        }
    };
}
pub(in crate::state) use versions;

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
    let (version, body) = row.split_first().ok_or_else(|| StateError::Unreadable("an empty row".into()))?;
    let unknown = || Err(StateError::Unreadable(format!("a row of version {version}")));
    R::of_version(*version, body).unwrap_or_else(unknown)
}

/// Decodes the whole body of a row, without its version.
pub(in crate::state) fn decode_body<T: DeserializeOwned>(body: &[u8]) -> Result<T, StateError> {
    // Without a limit, a damaged length field would be allocated.
    let config = bincode::config::standard().with_limit::<LONGEST_ROW>();
    let (decoded, read) =
        bincode::serde::decode_from_slice(body, config).map_err(|e| StateError::Unreadable(e.to_string()))?;
    if read != body.len() {
        return Err(StateError::Unreadable(format!("{} bytes after the record", body.len() - read)));
    }
    Ok(decoded)
}

/// Checks that `row` decodes as an `R`, of this version or an older one.
pub(in crate::state) fn reads<R: Record>(row: &[u8]) -> Result<(), StateError> {
    decode::<R>(row).map(drop)
}
