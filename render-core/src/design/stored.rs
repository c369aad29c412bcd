//! The stored form of a [`Page`]: versioned, self-describing (JSON under zstd), apart from the domain type.

use super::Page;

/// Why stored bytes are not a page.
#[derive(Debug, thiserror::Error)]
pub enum StoredError {
    /// Not zstd, not JSON, or over [`crate::limits::PAGE_BYTES`].
    #[error("these bytes are not a stored page: {0}")]
    Malformed(String),
    /// Written by a newer engine.
    #[error("a page of version {0} is newer than this engine")]
    Newer(u32),
}

/// The bytes of a page.
pub fn encode(page: &Page) -> Vec<u8> {
    unimplemented!("{page:?}")
}

/// The page in `bytes`, of any version up to the current one.
///
/// # Errors
/// [`StoredError`].
pub fn decode(bytes: &[u8]) -> Result<Page, StoredError> {
    unimplemented!("{bytes:?}")
}
