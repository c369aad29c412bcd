//! Failures, with the codes and messages of the API.

use ::metrics::counter;
use fleet::blobs::BlobError;
use fleet::fair_semaphore::Busy;
use fleet::protocol::{Failure, FailureCode};

use crate::metrics;

/// Returns a failure that a retry may avoid.
pub(crate) fn passing(code: FailureCode, message: impl Into<String>) -> Failure {
    Failure { code: code.into(), message: message.into(), retry: true, tokens: None, usage: None }
}

/// Returns a failure that a retry of the same job meets again.
pub(crate) fn lasting(code: FailureCode, message: impl Into<String>) -> Failure {
    Failure { code: code.into(), message: message.into(), retry: false, tokens: None, usage: None }
}

/// Returns the failure for an error of the object store. The error itself stays in the log: it may name hosts and
/// folders.
pub(crate) fn storage(error: &BlobError) -> Failure {
    tracing::warn!(%error, retry = error.retry(), "the object store failed");
    Failure {
        code: FailureCode::StorageFailed.into(),
        message: "the image store could not be reached or refused the request; try again later".into(),
        retry: error.retry(),
        tokens: None,
        usage: None,
    }
}

/// Returns the failure for a blob that a job refers to and that could not be read.
pub(crate) fn unread(error: &BlobError) -> Failure {
    // The blob was stored before the job was enqueued, so only a fault of the store can have removed or changed it.
    match error {
        BlobError::Damaged(_) | BlobError::NotFound(_) | BlobError::TooLarge { .. } => {}
        // Without permission to list, some stores answer so for an object that does not exist.
        _ if error.is_refused() && !error.is_of_the_clock() => {
            tracing::error!(%error, "a stored blob is missing, or the store's policy refuses it");
            counter!(metrics::DAMAGED).increment(1);
            return storage(error);
        }
        _ => return storage(error),
    }
    tracing::error!(%error, "a stored blob is damaged or missing");
    counter!(metrics::DAMAGED).increment(1);
    Failure {
        code: FailureCode::StorageDamaged.into(),
        message: "a stored file that this needs is damaged or missing; the operator has to restore it".into(),
        retry: error.retry(),
        tokens: None,
        usage: None,
    }
}

/// The account already has as many requests queued as it may.
pub(crate) fn busy(why: Busy) -> Failure {
    passing(FailureCode::Busy, why.to_string())
}

/// A stage panicked: a fault of this program. The number of claims that a job may have bounds the retries.
pub(crate) fn panicked() -> Failure {
    passing(FailureCode::RenderFailed, "something went wrong inside the renderer")
}

/// A stage exceeded its deadline. A retry on another machine may wait for less; a stage that was `computing` takes as
/// long again.
pub(crate) fn late(stage: &str, computing: bool) -> Failure {
    let message = format!("the stage {stage} exceeded its time limit");
    if computing { lasting(FailureCode::TimedOut, message) } else { passing(FailureCode::TimedOut, message) }
}
