//! Why a request to another host failed.

use super::refusal::Refusal;
use crate::protocol::FailureCode;

/// Why a fetch failed.
#[derive(Debug, thiserror::Error)]
pub enum FetchError {
    /// The URL, or a redirect target, is not allowed.
    #[error(transparent)]
    Refused(#[from] Refusal),
    /// The name has no address, or no resolver answered. The reason is only for the log.
    #[error("the host's name could not be resolved")]
    Unresolved(String),
    /// Connecting to every address of the host failed.
    #[error("connecting to the host failed ({0})")]
    Unreachable(String),
    /// The host has no valid certificate, or supports no secure version of TLS.
    #[error("no secure connection could be established ({0})")]
    Tls(String),
    /// The response is not HTTP, or ended too early.
    #[error("the host's answer could not be read ({0})")]
    Http(#[from] hyper::Error),
    /// The response has too many headers, or they are too long.
    #[error("the headers of the host's answer are too large")]
    Headers,
    /// The response is an error.
    #[error("the host answered with status {0}")]
    Status(u16),
    /// A redirect whose location is not a URL.
    #[error("the host redirects to a location that is not a URL")]
    Redirect,
    /// A redirect to a URL that was already visited.
    #[error("the host redirects in a loop")]
    Loop,
    /// More redirects than allowed.
    #[error("the host redirects more than {0} times")]
    Redirects(usize),
    /// The host did not answer in time, before the body.
    #[error("the host did not answer in time")]
    TimedOut,
    /// The body arrives too slowly, or takes too long.
    #[error("the host sends the page too slowly")]
    TooSlow,
    /// The decompressed body exceeds this many bytes.
    #[error("the page is larger than {0} bytes")]
    TooLarge(usize),
    /// The body has an encoding that the request does not accept.
    #[error("the page has the content encoding {0:?}, which is not supported")]
    Packing(String),
    /// The body can't be decompressed.
    #[error("the page can't be decompressed ({0})")]
    Packed(String),
    /// The response is not of a requested kind.
    #[error("the URL leads to content that is not supported ({0})")]
    Type(String),
}

impl FetchError {
    /// Returns the API's error code.
    pub fn code(&self) -> FailureCode {
        match self {
            Self::Refused(_) => FailureCode::UrlNotAllowed,
            Self::TooLarge(_) => FailureCode::UrlTooLarge,
            Self::Type(_) => FailureCode::UrlUnsupportedType,
            _ => FailureCode::UrlFetchFailed,
        }
    }

    /// Returns whether a retry may succeed.
    pub fn retry(&self) -> bool {
        match self {
            Self::Unresolved(_) | Self::Unreachable(_) | Self::TimedOut => true,
            Self::Http(e) => !e.is_parse(),
            // Temporary client errors, and errors of the server.
            Self::Status(status) => matches!(status, 408 | 425 | 429 | 500..),
            _ => false,
        }
    }
}
