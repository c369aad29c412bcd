//! Why a call gave no answer.

/// Maximum bytes of an answer, a hundred times the size that prompts request.
pub const ANSWER_BYTES: usize = 1 << 20;

/// Why a call gave no answer.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum LlmError {
    /// The job's tokens or time, or the day's tokens, are used up.
    #[error("the budget of {0} is used up")]
    Budget(&'static str),
    /// The endpoint failed repeatedly, so calls skip it for a while.
    #[error("the endpoint failed repeatedly, so calls skip it for a while")]
    Resting,
    /// Connecting to the endpoint failed.
    #[error("connecting to the endpoint failed ({0})")]
    Unreachable(String),
    /// No answer in time.
    #[error("the endpoint did not answer in time")]
    TimedOut,
    /// The answer is not HTTP, or ended too early.
    #[error("the endpoint's answer could not be read ({0})")]
    Http(String),
    /// The endpoint redirects to another address.
    #[error("the endpoint answered with a redirect, which is not followed")]
    Redirect,
    /// The endpoint answered with an error.
    #[error("the endpoint answered with status {0}")]
    Status(u16),
    /// The answer has more than [`ANSWER_BYTES`].
    #[error("the endpoint's answer is too large")]
    TooLarge,
    /// The answer violates the protocol.
    #[error("the endpoint's answer violates the protocol ({0})")]
    Malformed(&'static str),
    /// The answer reached its limit of tokens or time.
    #[error("the model's answer was cut off")]
    CutOff,
    /// The model refused to answer.
    #[error("the model refused to answer")]
    Declined,
}

impl LlmError {
    /// Returns whether a retry a moment later may succeed.
    pub fn may_pass(&self) -> bool {
        match self {
            Self::Unreachable(_) | Self::Http(_) | Self::Malformed(_) => true,
            Self::Status(status) => matches!(status, 408 | 409 | 425 | 429 | 500..),
            _ => false,
        }
    }

    /// Returns whether the endpoint is at fault, rather than this call.
    pub(super) fn is_the_endpoints(&self) -> bool {
        self.may_pass() || matches!(self, Self::TimedOut | Self::Redirect | Self::Status(401 | 403))
    }

    /// Returns the error's name as a metric label.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Budget(_) => "budget",
            Self::Resting => "resting",
            Self::Unreachable(_) => "unreachable",
            Self::TimedOut => "timed_out",
            Self::Http(_) => "broken_off",
            Self::Redirect => "redirect",
            Self::Status(429) => "rate_limited",
            Self::Status(_) => "status",
            Self::TooLarge => "too_large",
            Self::Malformed(_) => "malformed",
            Self::CutOff => "cut_off",
            Self::Declined => "declined",
        }
    }
}
