//! Why a page can't be read.

use fleet::protocol::FailureCode;
use serde::{Deserialize, Serialize};

/// Limit of a page's nodes. The longest pages of the web have some 50,000.
pub(super) const ELEMENTS: usize = 200_000;

/// Why a page can't be read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error, Serialize, Deserialize)]
pub(crate) enum PageError {
    /// It has only furniture, or too little text to use.
    #[error("the page has no text of its own; scripts may build it in the browser")]
    Thin,
    /// Too many elements.
    #[error("the page has more than {} elements", ELEMENTS)]
    TooComplex,
}

impl PageError {
    /// Returns the API's code.
    pub fn code(self) -> FailureCode {
        match self {
            Self::Thin => FailureCode::NoContent,
            Self::TooComplex => FailureCode::UrlTooLarge,
        }
    }
}
