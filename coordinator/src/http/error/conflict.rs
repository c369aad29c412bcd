//! Errors of requests that the current state does not allow.

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
    /// The error code.
    pub(super) fn code(self) -> &'static str {
        match self {
            Self::IdempotencyConflict => "idempotency_conflict",
            Self::IdempotencyInProgress => "idempotency_in_progress",
            Self::KeyEnded => "key_ended",
            Self::EmailTaken => "email_taken",
            Self::LastHolder => "last_holder",
            Self::MemberDisabled => "member_disabled",
            Self::NotCancellable(_) => "not_cancellable",
            Self::NotRetryable(_) => "not_retryable",
            Self::NotEditable | Self::NotFinished(_) => "not_ready",
            Self::WrittenPages => "written_pages",
            Self::NotExportable => "not_exportable",
            Self::EditInProgress => "edit_in_progress",
            Self::WebhookDisabled => "webhook_disabled",
            Self::StaleInstruction => "stale_instruction",
        }
    }

    /// Returns a sentence that tells the client what is wrong and what to do.
    pub(super) fn message(self) -> String {
        match self {
            Self::IdempotencyConflict => {
                "This Idempotency-Key was used for another request. Use a new key for a new request.".into()
            }
            Self::IdempotencyInProgress => {
                "The same request is in progress. Send it again in a moment to get its response.".into()
            }
            Self::KeyEnded => "This API key has ended or was already rotated. Create a new one.".into(),
            Self::EmailTaken => "Another member already has this e-mail address. Use a different one.".into(),
            Self::LastHolder => "The account needs a holder. Make another member a holder first.".into(),
            Self::MemberDisabled => "This member is disabled. Enable it first.".into(),
            Self::NotCancellable(status) => {
                format!("This generation is {}. Only a pending or processing generation can be cancelled.", status.name())
            }
            Self::NotRetryable(status) => {
                format!("This generation is {}. Only a partial or failed generation can be retried.", status.name())
            }
            Self::NotExportable => {
                "There are no images to export: the generation has not ended yet, all of its images failed, or they were deleted."
                    .into()
            }
            Self::WrittenPages => {
                "These images were rendered from pages in the page language. Change the pages and render them again.".into()
            }
            Self::NotEditable => {
                "This image is not ready, or was deleted. Only images of a generation that has ended can be edited."
                    .into()
            }
            Self::NotFinished(status) => format!(
                "This generation is {}. Only finished images can be used; wait until it has some.",
                status.name()
            ),
            Self::EditInProgress => "Another edit of this image is in progress. Wait until it ends, then try again.".into(),
            Self::WebhookDisabled => "This webhook is disabled. Set active to true first.".into(),
            Self::StaleInstruction => {
                "The image has changed since this instruction was made. Send the prompt again for a new one.".into()
            }
        }
    }
}
