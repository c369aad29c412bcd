//! What the stored forms of pages and brands share: their error and the names of families.

use crate::text::Family;

/// The reason why stored bytes are not a page or not a brand.
#[derive(Debug, thiserror::Error)]
pub enum StoredError {
    /// Not zstd, not JSON, over [`PAGE_BYTES`](crate::limits::PAGE_BYTES), or naming something this engine doesn't have.
    #[error("these bytes are not what was stored: {0}")]
    Malformed(String),
    /// Written by a newer engine.
    #[error("what is stored is of version {0}, newer than this engine")]
    Newer(u32),
}

/// The prefix of the name of a family that an operator added.
const ADDED: &str = "added:";
/// The names of a brand's own families. The brand knows their faces.
const OWN: [(&str, Family); 2] = [("own:heading", Family::OwnHeading), ("own:body", Family::OwnBody)];

/// The error for the name of something that this engine doesn't have.
pub(super) fn unknown(what: &str, name: &str) -> StoredError {
    StoredError::Malformed(format!("unknown {what} {name:?}"))
}

/// The name of a family as it is stored.
pub(crate) fn family_name(family: Family) -> String {
    match (family, OWN.iter().find(|(_, own)| *own == family)) {
        (_, Some((name, _))) => (*name).to_owned(),
        (Family::Added(name), None) => format!("{ADDED}{name}"),
        (vendored, None) => vendored.name().to_owned(),
    }
}

/// The family of a name as [`family_name`] gives it.
pub(crate) fn family_named(name: &str) -> Option<Family> {
    let own = OWN.iter().find(|(own, _)| *own == name).map(|(_, family)| *family);
    own.or_else(|| name.strip_prefix(ADDED).map(Family::added)).or_else(|| Family::from_name(name))
}
