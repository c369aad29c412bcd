//! Why bytes could not be stored or read.

use object_store::path::Path;

use crate::room::NoRoom;

/// Maximum size of a blob or an object in bytes: above the largest input and the largest image.
pub const OBJECT_BYTES: u64 = 256 << 20;

/// Why bytes could not be stored or read.
#[derive(Debug, thiserror::Error)]
pub enum BlobError {
    /// Nothing is stored at this key.
    #[error("nothing is stored at {0}")]
    NotFound(String),
    /// The stored bytes differ from those that were written.
    #[error("the bytes stored at {0} are damaged")]
    Damaged(String),
    /// The key is not allowed.
    #[error("invalid object key: {0:?}")]
    BadKey(String),
    /// The size exceeds [`OBJECT_BYTES`].
    #[error("{key}: {bytes} bytes are over the limit of {OBJECT_BYTES}")]
    TooLarge {
        /// The key.
        key: String,
        /// The size in bytes.
        bytes: u64,
    },
    /// The disk does not have enough free space.
    #[error(transparent)]
    NoRoom(#[from] NoRoom),
    /// The store did not answer in time.
    #[error("the object store did not answer in time for {0}")]
    TimedOut(String),
    /// The file with the store's secret can't be read.
    #[error("{0}, the secret of the object store, can't be read: {1}")]
    Secret(String, String),
    /// The store refused the request or failed.
    #[error("the object store failed: {0}")]
    Store(#[source] object_store::Error),
}

impl BlobError {
    /// Returns whether the same call may succeed later.
    pub fn retry(&self) -> bool {
        match self {
            Self::NotFound(_) | Self::BadKey(_) | Self::TooLarge { .. } | Self::Secret(..) => false,
            Self::Damaged(_) | Self::TimedOut(_) | Self::NoRoom(_) => true,
            Self::Store(e) => !matches!(
                e,
                object_store::Error::NotSupported { .. }
                    | object_store::Error::NotImplemented { .. }
                    | object_store::Error::InvalidPath { .. }
                    | object_store::Error::UnknownConfigurationKey { .. }
            ),
        }
    }

    /// Returns whether the store refused the request for lack of permissions.
    pub fn is_refused(&self) -> bool {
        matches!(self, Self::Store(object_store::Error::PermissionDenied { .. }))
    }

    pub(super) fn from_store(key: &Path, error: object_store::Error) -> Self {
        match error {
            object_store::Error::NotFound { .. } => Self::NotFound(key.to_string()),
            other => Self::Store(other),
        }
    }
}

/// Refuses more bytes than the store accepts.
pub(super) fn within_limit(path: &Path, bytes: u64) -> Result<(), BlobError> {
    if bytes > OBJECT_BYTES {
        return Err(BlobError::TooLarge { key: path.to_string(), bytes });
    }
    Ok(())
}
