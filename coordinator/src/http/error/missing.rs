//! Errors of requests that name something that doesn't exist.

use super::codes::ErrorCode;

/// What doesn't exist: nothing of this kind has the given id, or it belongs to another account.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Missing {
    /// An account.
    Account,
    /// A job that was given up.
    DeadLetter,
    /// A generation.
    Generation,
    /// An output of a generation.
    Output,
    /// A format among those of a generation.
    Format,
    /// A brand kit.
    Brand,
    /// An upload.
    Upload,
    /// An API key.
    Key,
    /// A member of an account.
    Member,
    /// A session of a member.
    Session,
    /// A link for setting a password, which works only once.
    Link,
    /// A webhook.
    Webhook,
    /// A delivery of a webhook.
    Delivery,
}

impl Missing {
    /// Returns which row of the table the error has.
    pub(super) fn error_code(self) -> ErrorCode {
        match self {
            Self::Account => ErrorCode::AccountNotFound,
            Self::DeadLetter => ErrorCode::DeadLetterNotFound,
            Self::Generation => ErrorCode::GenerationNotFound,
            Self::Output => ErrorCode::OutputNotFound,
            Self::Format => ErrorCode::FormatNotFound,
            Self::Brand => ErrorCode::BrandNotFound,
            Self::Upload => ErrorCode::UploadNotFound,
            Self::Key => ErrorCode::KeyNotFound,
            Self::Member => ErrorCode::MemberNotFound,
            Self::Session => ErrorCode::SessionNotFound,
            Self::Link => ErrorCode::LinkNotFound,
            Self::Webhook => ErrorCode::WebhookNotFound,
            Self::Delivery => ErrorCode::DeliveryNotFound,
        }
    }
}
