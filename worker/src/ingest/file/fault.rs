//! Why a file can't be read.

use fleet::files::FileKind;
use fleet::protocol::{Failure, FailureCode};
use serde::{Deserialize, Serialize};

use crate::failure;

/// Why a file can't be read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error, Serialize, Deserialize)]
pub(crate) enum FileFault {
    /// Not a valid file of its kind.
    #[error("it is broken, or not what it claims to be")]
    Invalid,
    /// It declares XML entities, which can make a small file huge.
    #[error("it declares XML entities, which are not expanded")]
    Entities,
    /// Protected by a password or DRM.
    #[error("it is encrypted; save it without a password and send it again")]
    Encrypted,
    /// Without text.
    #[error("it contains no text; text in pictures is not read")]
    NoText,
    /// Over the limits.
    #[error("its unpacked content exceeds the limits; send a part of it, or a PDF")]
    TooComplex,
}

impl FileFault {
    /// Returns the failure with the API's code and a sentence.
    pub fn failure(self, kind: FileKind) -> Failure {
        let code = match self {
            Self::Invalid | Self::Entities => FailureCode::FileInvalid,
            Self::Encrypted => FailureCode::FileEncrypted,
            Self::NoText => FailureCode::NoContent,
            Self::TooComplex => FailureCode::FileTooComplex,
        };
        failure::lasting(code, format!("The {} file could not be read: {self}.", kind.name()))
    }
}
