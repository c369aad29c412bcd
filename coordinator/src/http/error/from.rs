//! Converts errors of the state, of the object store and of password hashing to API errors.

use fleet::blobs::BlobError;
use fleet::protocol::{Failure, FailureCode};

use super::{ApiError, Detail};
use crate::integrity::{self, Found, Repair, Unsound};
use crate::passwords::HashError;
use crate::state::{LIVE_KEYS, StateError};

impl ApiError {
    /// Converts the failure of work that a request waits for, and logs it as `what`.
    pub(crate) fn of_failure(failure: &Failure, what: &str) -> Self {
        if failure.is(FailureCode::Busy) {
            return Self::Busy;
        }
        tracing::error!(code = failure.code, why = failure.message, "{what}");
        match () {
            () if failure.is(FailureCode::StorageFailed) => Self::StorageUnavailable,
            () if failure.is(FailureCode::StorageDamaged) => Self::StorageDamaged(Repair::Impossible),
            () => Self::Internal,
        }
    }
}

impl From<Unsound> for ApiError {
    fn from(e: Unsound) -> Self {
        match e {
            Unsound::NotFound => Self::NotFound,
            Unsound::Damaged(repair) => Self::StorageDamaged(repair),
            Unsound::State(e) => e.into(),
            Unsound::Blob(error) => {
                tracing::error!(%error, "reading a stored object failed");
                Self::StorageUnavailable
            }
        }
    }
}

/// For a blob that a row references and that can't be read.
impl From<BlobError> for ApiError {
    fn from(error: BlobError) -> Self {
        match error {
            BlobError::Damaged(_) | BlobError::NotFound(_) => {
                integrity::blob_damaged(&error, Found::Read);
                Self::StorageDamaged(Repair::Impossible)
            }
            error => {
                tracing::error!(%error, "reading a stored blob failed");
                Self::StorageUnavailable
            }
        }
    }
}

impl From<StateError> for ApiError {
    fn from(e: StateError) -> Self {
        if e == StateError::TooManyKeys {
            let message = format!("The account has {LIVE_KEYS} valid API keys, the maximum. Revoke one first.");
            return Self::Invalid(vec![Detail::new("keys", "too_many_keys", message)]);
        }
        tracing::error!(error = %e, "the state failed");
        match e {
            StateError::Storage(_) | StateError::InUse(_) | StateError::NoRoom(_) | StateError::Damaged(_) => {
                Self::StorageUnavailable
            }
            _ => Self::Internal,
        }
    }
}

impl From<HashError> for ApiError {
    fn from(e: HashError) -> Self {
        match e {
            HashError::Busy => Self::QueueFull,
            HashError::Failed(why) => {
                tracing::error!(why, "hashing a password failed");
                Self::Internal
            }
        }
    }
}
