//! What went wrong, in the words of the contract.

use ::metrics::counter;
use fleet::blobs::BlobError;
use fleet::protocol::Failure;
use fleet::share::Busy;

use crate::metrics;

/// A failure that may pass.
pub(crate) fn passing(code: &str, message: impl Into<String>) -> Failure {
    Failure { code: code.into(), message: message.into(), retry: true, tokens: None, usage: None }
}

/// A failure that the same job will meet again.
pub(crate) fn lasting(code: &str, message: impl Into<String>) -> Failure {
    Failure { code: code.into(), message: message.into(), retry: false, tokens: None, usage: None }
}

/// The object store failed. What it said stays in the log: it may name hosts and folders.
pub(crate) fn storage(error: &BlobError) -> Failure {
    tracing::warn!(%error, retry = error.retry(), "the object store failed");
    Failure {
        code: "storage_failed".into(),
        message: "the image store could not be reached or refused; try again later".into(),
        retry: error.retry(),
        tokens: None,
        usage: None,
    }
}

/// A blob that a job names could not be read.
pub(crate) fn unread(error: &BlobError) -> Failure {
    // It was stored before the job was given out, so only a fault of the store can have removed or changed it.
    match error {
        BlobError::Damaged(_) | BlobError::NotFound(_) | BlobError::TooLarge { .. } => {}
        // Without the right to list, some stores answer so for what is not there.
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
        code: "storage_damaged".into(),
        message: "something that is stored for this is damaged or missing; the operator has to restore it".into(),
        retry: error.retry(),
        tokens: None,
        usage: None,
    }
}

/// The account has as much waiting as it may.
pub(crate) fn busy(why: Busy) -> Failure {
    passing("busy", why.to_string())
}

/// A stage panicked: a fault of this program. Trying again is bounded by the claims a job may have.
pub(crate) fn panicked() -> Failure {
    passing("render_failed", "something went wrong inside the renderer")
}

/// A stage took longer than it may. Waiting for another machine may go better the next time; `computing` doesn't.
pub(crate) fn late(stage: &str, computing: bool) -> Failure {
    let message = format!("the stage {stage} took longer than it may");
    if computing { lasting("timed_out", message) } else { passing("timed_out", message) }
}
