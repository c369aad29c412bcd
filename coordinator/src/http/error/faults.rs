//! All error codes of the contract, with their status and an example message, for the OpenAPI document.

use std::collections::BTreeSet;

use super::{ApiError, Conflict, Detail, Missing};
use crate::accounts::Scope;
use crate::http::names;
use crate::integrity::Repair;
use crate::serve::Refusal;
use crate::state::{Status, StorageFull};

/// One error code of the contract.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fault {
    /// The response status.
    pub status: u16,
    /// The error type: the field `error`.
    pub error: &'static str,
    /// The error code.
    pub code: &'static str,
    /// An example message.
    pub message: String,
    /// Whether the response has `Retry-After`.
    pub again: bool,
}

/// Defines a function that returns a value of every variant of an enum. A variant that is not listed is a compile
/// error.
macro_rules! every {
    ($list:ident: $of:ident { $($variant:ident $with:tt),+ $(,)? }) => {
        fn $list() -> Vec<$of> {
            #[allow(dead_code, reason = "never called: it fails to compile if the list lacks a variant")]
            fn complete(error: &$of) {
                match error {
                    $($of::$variant { .. } => {})+
                }
            }
            vec![$(every!(@ $of $variant $with)),+]
        }
    };
    (@ $of:ident $variant:ident []) => { $of::$variant };
    (@ $of:ident $variant:ident ($value:expr)) => { $of::$variant($value) };
    (@ $of:ident $variant:ident { $($field:ident: $value:expr),+ }) => { $of::$variant { $($field: $value),+ } };
}

names::lists! {
    ErrorType = "The type of an error.",
        types();
    ErrorCode = "The exact cause of an error.",
        codes();
}

every! {
    errors: ApiError {
        InvalidJson("expected value at line 1 column 1".into()),
        Invalid(vec![Detail::new("outputFormats", "missing_field", "Name the formats to make in outputFormats.")]),
        PageInvalid(vec![Detail { element: Some("headline-1".into()), ..Detail::new("pages", "page_invalid", "61 characters, 45 fit") }]),
        LogoInvalid("the picture is broken".into()),
        InvalidPrompt("Say in prompt what to change, as a string.".into()),
        InstructionNotUnderstood("the instruction can't be read at \"bigger\"".into()),
        InvalidCursor("cursor must be the nextCursor of a page of this list. Leave it out for the first page."),
        InvalidHeader("Idempotency-Key must be sent once, as 1 to 255 visible ASCII characters.".into()),
        KeyMissing[],
        KeyInvalid[],
        KeyRevoked[],
        SessionMissing[],
        SessionInvalid[],
        CredentialsInvalid[],
        InsufficientCredits { required: 40, available: 25 },
        MaxCreditsExceeded { required: 40, max_credits: 30 },
        AccountDeactivated[],
        InsufficientScope(Scope::GenerationsWrite),
        RoleRequired[],
        CsrfTokenInvalid[],
        OriginNotAllowed[],
        PlanRequired("4K is for paid plans. Ask for 2K, or change the plan.".into()),
        BadSignature[],
        NotFound[],
        Missing(Missing::Generation),
        AdminTokenInvalid[],
        MethodNotAllowed[],
        BodyTimeout[],
        Conflict(Conflict::IdempotencyConflict),
        LinkExpired[],
        UrlExpired[],
        ExportTooLarge[],
        UploadExpired[],
        InputExpired[],
        StorageQuota(StorageFull { required: 26_214_400, used: 255_852_544, quota: 268_435_456 }),
        BodyTooLarge(1_048_576),
        UriTooLong[],
        UnsupportedMediaType("Send the body as JSON, with Content-Type: application/json.".into()),
        HeadersTooLarge[],
        RangeNotSatisfiable(183_042),
        Refused(Refusal::TooManyConnections),
        RateLimited(42),
        TooManyStreams(8),
        Internal[],
        EditFailed("something went wrong inside the renderer".into()),
        NoWorkers[],
        EditTimedOut[],
        QueueFull[],
        Busy[],
        StorageUnavailable[],
        StorageDamaged(Repair::UnderWay),
        NotReady(vec![Detail::new("disk", "check_failed", "The disk of the state has 12 MiB left, and 64 MiB are kept free.")]),
        ShuttingDown[],
    }
}

every! {
    missing: Missing {
        Generation[],
        Output[],
        Format[],
        Brand[],
        Upload[],
        Account[],
        DeadLetter[],
        Key[],
        Member[],
        Session[],
        Link[],
        Webhook[],
        Delivery[],
    }
}

every! {
    conflicts: Conflict {
        IdempotencyConflict[],
        IdempotencyInProgress[],
        KeyEnded[],
        EmailTaken[],
        LastHolder[],
        MemberDisabled[],
        NotCancellable(Status::Completed),
        NotRetryable(Status::Completed),
        NotExportable[],
        NotEditable[],
        WrittenPages[],
        NotFinished(Status::Processing),
        EditInProgress[],
        StaleInstruction[],
        WebhookDisabled[],
    }
}

/// Codes that only the console and the operator's API return.
const ELSEWHERE: [&str; 18] = [
    "session_missing",
    "session_invalid",
    "credentials_invalid",
    "role_required",
    "csrf_token_invalid",
    "origin_not_allowed",
    "admin_token_invalid",
    "account_not_found",
    "dead_letter_not_found",
    "key_not_found",
    "member_not_found",
    "session_not_found",
    "link_not_found",
    "key_ended",
    "email_taken",
    "last_holder",
    "member_disabled",
    "link_expired",
];

/// Codes of connections that are refused before there is a request. No operation documents them.
#[cfg(test)]
pub const OF_CONNECTIONS: [(u16, &str); 4] =
    [(400, "host_invalid"), (400, "malformed_request"), (400, "tls_required"), (503, "too_many_connections")];

/// Returns every code once, sorted by status.
pub fn all() -> Vec<Fault> {
    let mut faults: Vec<Fault> = Vec::new();
    let refused = [Refusal::BadHost, Refusal::Malformed, Refusal::NotEncrypted].map(ApiError::Refused);
    let missing = missing().into_iter().map(ApiError::Missing);
    let conflicts = conflicts().into_iter().map(ApiError::Conflict);
    for error in errors().into_iter().chain(missing).chain(conflicts).chain(refused) {
        let (status, kind, code) = error.kind();
        if faults.iter().all(|f| f.code != code) {
            let again = error.seconds_to_wait().is_some();
            faults.push(Fault { status: status.as_u16(), error: kind, code, message: error.message(), again });
        }
    }
    faults.sort_by_key(|f| f.status);
    faults
}

/// Returns every error type.
pub fn types() -> BTreeSet<&'static str> {
    all().into_iter().map(|f| f.error).collect()
}

/// Returns every code that a client of the API can receive.
pub fn codes() -> Vec<&'static str> {
    all().into_iter().map(|f| f.code).filter(|code| !ELSEWHERE.contains(code)).collect()
}
