//! Errors of requests that the current state does not allow.

use super::codes::ErrorCode;
use crate::state::Status;

/// Why the current state does not allow a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Conflict {
    /// Another request was made with the same idempotency key.
    IdempotencyConflict,
    /// The same request is still being processed.
    IdempotencyInProgress,
    /// The key has already ended, or was rotated before.
    KeyEnded,
    /// Another member has the e-mail address.
    EmailTaken,
    /// The account would be left without a holder.
    LastHolder,
    /// The member is not allowed to log in.
    MemberDisabled,
    /// A generation that has ended can't be cancelled.
    NotCancellable(Status),
    /// Only a generation that is partial or failed can be tried again.
    NotRetryable(Status),
    /// The generation has not ended yet, or has no images.
    NotExportable,
    /// The image does not exist yet, or was deleted.
    NotEditable,
    /// The images were rendered from pages in the page language. To change them, the client changes the pages.
    WrittenPages,
    /// The generation has not ended, or has no finished images that others can be made from.
    NotFinished(Status),
    /// Another edit of the image is in progress.
    EditInProgress,
    /// The webhook is switched off, or its receiver is gone.
    WebhookDisabled,
    /// The instruction was made for another version of the image.
    StaleInstruction,
}

impl Conflict {
    /// Returns which row of the table the error has.
    pub(super) fn error_code(self) -> ErrorCode {
        match self {
            Self::IdempotencyConflict => ErrorCode::IdempotencyConflict,
            Self::IdempotencyInProgress => ErrorCode::IdempotencyInProgress,
            Self::KeyEnded => ErrorCode::KeyEnded,
            Self::EmailTaken => ErrorCode::EmailTaken,
            Self::LastHolder => ErrorCode::LastHolder,
            Self::MemberDisabled => ErrorCode::MemberDisabled,
            Self::NotCancellable(_) => ErrorCode::NotCancellable,
            Self::NotRetryable(_) => ErrorCode::NotRetryable,
            Self::NotExportable => ErrorCode::NotExportable,
            Self::NotEditable => ErrorCode::NotEditable,
            Self::WrittenPages => ErrorCode::WrittenPages,
            Self::NotFinished(_) => ErrorCode::NotFinished,
            Self::EditInProgress => ErrorCode::EditInProgress,
            Self::WebhookDisabled => ErrorCode::WebhookDisabled,
            Self::StaleInstruction => ErrorCode::StaleInstruction,
        }
    }
}
