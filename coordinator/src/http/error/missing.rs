//! Errors of requests that name something that doesn't exist.

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
    /// The error code.
    pub(super) fn code(self) -> &'static str {
        match self {
            Self::Account => "account_not_found",
            Self::DeadLetter => "dead_letter_not_found",
            Self::Generation => "generation_not_found",
            Self::Output => "output_not_found",
            Self::Format => "format_not_found",
            Self::Brand => "brand_not_found",
            Self::Upload => "upload_not_found",
            Self::Key => "key_not_found",
            Self::Member => "member_not_found",
            Self::Session => "session_not_found",
            Self::Link => "link_not_found",
            Self::Webhook => "webhook_not_found",
            Self::Delivery => "delivery_not_found",
        }
    }

    /// Returns a sentence that tells the client what is wrong and what to do.
    pub(super) fn message(self) -> &'static str {
        match self {
            Self::Account => "There is no account with this id.",
            Self::DeadLetter => "There is no dead letter with this id.",
            Self::Generation => "There is no generation with this id.",
            Self::Output => "There is no image with this id.",
            Self::Format => "This generation has no images in this format.",
            Self::Brand => "There is no brand kit with this id.",
            Self::Upload => "There is no upload with this id.",
            Self::Key => "There is no API key with this id.",
            Self::Member => "There is no member with this id.",
            Self::Session => "There is no session with this id.",
            Self::Link => "This link does not exist or was already used. Ask for a new one.",
            Self::Webhook => "There is no webhook with this id.",
            Self::Delivery => "There is no delivery with this id. Deliveries are kept for seven days.",
        }
    }
}
