//! Every answer that isn't a success, as the document lists them: which code comes with which status, and what it says.

use std::collections::BTreeSet;

use super::super::error::{ApiError, Detail};
use super::super::frame::Refusal;
use crate::accounts::Scope;
use crate::state::Status;

/// One code of the contract.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fault {
    /// The status of its answers.
    pub status: u16,
    /// Its type: the field `error`.
    pub error: &'static str,
    /// Its code.
    pub code: &'static str,
    /// What such an answer says, for an example.
    pub message: String,
    /// Whether its answers say when to try again.
    pub again: bool,
}

/// An error of every kind; that none is missing is seen by the compiler.
macro_rules! every {
    ($($variant:ident $with:tt),+ $(,)?) => {
        fn errors() -> Vec<ApiError> {
            #[allow(dead_code, reason = "it is there to be compiled: a variant that the list lacks is no pattern of it")]
            fn complete(error: &ApiError) {
                match error {
                    $(ApiError::$variant { .. } => {})+
                }
            }
            vec![$(every!(@ $variant $with)),+]
        }
    };
    (@ $variant:ident []) => { ApiError::$variant };
    (@ $variant:ident ($value:expr)) => { ApiError::$variant($value) };
    (@ $variant:ident { $($field:ident: $value:expr),+ }) => { ApiError::$variant { $($field: $value),+ } };
}

every! {
    InvalidJson("expected value at line 1 column 1".into()),
    Invalid(vec![Detail::new("outputFormats", "missing_field", "Name the formats to make in outputFormats.")]),
    LogoInvalid("the picture is broken".into()),
    InvalidCursor[],
    InvalidHeader("Idempotency-Key must be sent once, as 1 to 255 visible ASCII characters.".into()),
    KeyMissing[],
    KeyInvalid[],
    KeyRevoked[],
    SessionMissing[],
    SessionInvalid[],
    CredentialsInvalid[],
    InsufficientCredits { required: 40, available: 25 },
    MaxCreditsExceeded { required: 40, available: 30 },
    AccountDeactivated[],
    InsufficientScope(Scope::GenerationsWrite),
    RoleRequired[],
    CsrfTokenInvalid[],
    OriginNotAllowed[],
    PlanRequired("4K is for paid plans. Ask for 2K, or change the plan.".into()),
    BadSignature[],
    NotFound[],
    GenerationNotFound[],
    BrandNotFound[],
    UploadNotFound[],
    AdminTokenInvalid[],
    AccountNotFound[],
    DeadLetterNotFound[],
    KeyNotFound[],
    MemberNotFound[],
    SessionNotFound[],
    LinkNotFound[],
    WebhookNotFound[],
    MethodNotAllowed[],
    BodyTimeout[],
    IdempotencyConflict[],
    IdempotencyInProgress[],
    KeyEnded[],
    EmailTaken[],
    LastHolder[],
    MemberDisabled[],
    LinkExpired[],
    NotCancellable(Status::Completed),
    NotRetryable(Status::Completed),
    UrlExpired[],
    UploadExpired[],
    BodyTooLarge(1_048_576),
    UriTooLong[],
    UnsupportedMediaType("Send the body as JSON, with Content-Type: application/json.".into()),
    HeadersTooLarge[],
    RangeNotSatisfiable(183_042),
    Refused(Refusal::TooManyConnections),
    RateLimited(42),
    TooManyStreams(8),
    Internal[],
    NoWorkers[],
    QueueFull[],
    StorageUnavailable[],
    NotReady(vec![Detail::new("disk", "check_failed", "The disk of the state has 12 MiB left, and 64 MiB are kept free.")]),
    ShuttingDown[],
}

/// Every code once, by status.
pub fn all() -> Vec<Fault> {
    let mut faults: Vec<Fault> = Vec::new();
    for error in errors() {
        let (status, kind, code) = error.kind();
        if faults.iter().all(|f| f.code != code) {
            let again = error.seconds_to_wait().is_some();
            faults.push(Fault { status: status.as_u16(), error: kind, code, message: error.message(), again });
        }
    }
    faults.sort_by_key(|f| f.status);
    faults
}

/// Every type.
pub fn types() -> BTreeSet<&'static str> {
    all().into_iter().map(|f| f.error).collect()
}

/// Every code.
pub fn codes() -> Vec<&'static str> {
    all().into_iter().map(|f| f.code).collect()
}
