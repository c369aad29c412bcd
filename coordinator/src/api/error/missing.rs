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
            Self::Account => "There is no account of this id.",
            Self::DeadLetter => "No job of this id was given up.",
            Self::Generation => "There is no generation of this id.",
            Self::Output => "There is no image of this id.",
            Self::Format => "This generation has no images of this format.",
            Self::Brand => "There is no brand kit of this id.",
            Self::Upload => "There is no upload of this id.",
            Self::Key => "There is no API key of this id.",
            Self::Member => "There is no member of this id.",
            Self::Session => "There is no session of this id.",
            Self::Link => "There is no such link; it may have been used. Ask for a new one.",
            Self::Webhook => "There is no webhook of this id.",
            Self::Delivery => "There is no delivery of this id; deliveries are kept for seven days.",
        }
    }
}
