//! Shared parts of the stored forms of pages and brands: their error and the names of font families.

use crate::text::Family;

/// The reason why stored bytes can't be read as a page or a brand.
#[derive(Debug, thiserror::Error)]
pub enum StoredError {
    /// Not zstd, not JSON, over [`PAGE_BYTES`](crate::limits::PAGE_BYTES), or with a name that this engine doesn't
    /// support.
    #[error("the stored bytes are malformed: {0}")]
    Malformed(String),
    /// Written by a newer engine.
    #[error("the stored version {0} is newer than this engine supports")]
    Newer(u32),
}

/// The prefix of the names of families that an operator added.
const ADDED: &str = "added:";
/// The names of a brand's own families. The brand holds their font files.
const OWN: [(&str, Family); 2] = [("own:heading", Family::OwnHeading), ("own:body", Family::OwnBody)];

/// Returns the error for a name that this engine doesn't support.
pub(super) fn unknown(what: &str, name: &str) -> StoredError {
    StoredError::Malformed(format!("unknown {what} {name:?}"))
}

/// Returns the stored name of a family.
pub(crate) fn family_name(family: Family) -> String {
    match (family, OWN.iter().find(|(_, own)| *own == family)) {
        (_, Some((name, _))) => (*name).to_owned(),
        (Family::Added(name), None) => format!("{ADDED}{name}"),
        (vendored, None) => vendored.name().to_owned(),
    }
}

/// Returns the family for a name that [`family_name`] returns.
pub(crate) fn family_named(name: &str) -> Option<Family> {
    let own = OWN.iter().find(|(own, _)| *own == name).map(|(_, family)| *family);
    own.or_else(|| name.strip_prefix(ADDED).map(Family::added)).or_else(|| Family::from_name(name))
}
