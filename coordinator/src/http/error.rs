//! All error responses of the API. `codes` has the table of their status codes, error codes and messages.

mod answer;
pub(crate) mod codes;
mod conflict;
mod from;
mod missing;

pub use answer::ErrorAnswer;
pub use conflict::Conflict;
pub use missing::Missing;

use std::fmt::Display;

use axum::Json;
use axum::body::Body;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde::Serialize;
use utoipa::ToSchema;

use self::codes::{ErrorCode, Retry};
use super::names;
use crate::accounts::Scope;
use crate::integrity::Repair;
use crate::serve::Refusal;
use crate::state::StorageFull;

/// Maximum number of faults listed in one response.
pub const DETAILS: usize = 50;

/// One fault in a request.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
#[schema(as = ErrorDetail)]
pub struct Detail {
    /// The field, as the request names it.
    #[schema(examples("outputFormats[0]"))]
    pub field: String,
    /// The exact cause.
    #[schema(value_type = names::DetailCode)]
    pub code: &'static str,
    /// What is wrong and how to fix it, in a sentence.
    #[schema(examples("There is no format \"instagram_pst\". Did you mean instagram_post?"))]
    pub message: String,
    /// The page element that is at fault, with `page_invalid`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false, examples("headline-1"))]
    pub element: Option<String>,
}

impl Detail {
    /// Creates a fault of `field`.
    pub fn new(field: impl Into<String>, code: &'static str, message: impl Into<String>) -> Self {
        Self { field: field.into(), code, message: message.into(), element: None }
    }
}

/// Why a request failed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ApiError {
    /// The body is not JSON, or not an object.
    InvalidJson(String),
    /// Faults of the body or the query.
    Invalid(Vec<Detail>),
    /// Faults in pages in the page language.
    PageInvalid(Vec<Detail>),
    /// The logo can't be used, with the reason.
    LogoInvalid(String),
    /// The prompt is invalid.
    InvalidPrompt(String),
    /// The instruction does not match the grammar, with the reason.
    InstructionNotUnderstood(String),
    /// The cursor is not one that the list returned, with the reason.
    InvalidCursor(&'static str),
    /// A header is invalid.
    InvalidHeader(String),
    /// No key was sent.
    KeyMissing,
    /// What was sent is not a valid key.
    KeyInvalid,
    /// The key was revoked.
    KeyRevoked,
    /// No session cookie was sent to a path that accepts only sessions.
    SessionMissing,
    /// The session has ended or never existed.
    SessionInvalid,
    /// The e-mail address or the password is wrong. The response does not say which.
    CredentialsInvalid,
    /// The account does not have enough credits.
    InsufficientCredits {
        /// The price of the request.
        required: u64,
        /// The credits that the account has.
        available: u64,
    },
    /// The price exceeds the request's own limit.
    MaxCreditsExceeded {
        /// The price of the request.
        required: u64,
        /// The limit set by the request.
        max_credits: u64,
    },
    /// The account is deactivated.
    AccountDeactivated,
    /// The key lacks this scope.
    InsufficientScope(Scope),
    /// The member's role does not allow this.
    RoleRequired,
    /// A session request that changes something lacks the CSRF token.
    CsrfTokenInvalid,
    /// A browser sent the request from a page of another origin.
    OriginNotAllowed,
    /// The account's plan does not include this.
    PlanRequired(String),
    /// The signature of an image URL is wrong.
    BadSignature,
    /// The path does not exist.
    NotFound,
    /// The operator's token is missing or wrong.
    AdminTokenInvalid,
    /// Nothing of this kind has the given id.
    Missing(Missing),
    /// The path exists, but does not support the method.
    MethodNotAllowed,
    /// The body did not arrive in time.
    BodyTimeout,
    /// The request conflicts with the current state.
    Conflict(Conflict),
    /// The password link has expired.
    LinkExpired,
    /// The image URL has expired.
    UrlExpired,
    /// The export would exceed the maximum size, which is this many bytes.
    ExportTooLarge(u64),
    /// The upload has expired.
    UploadExpired,
    /// The generation's input was deleted because the generation produced nothing.
    InputExpired,
    /// The account has used up the storage that its plan includes.
    StorageQuota(StorageFull),
    /// The body is too large.
    BodyTooLarge(usize),
    /// The path and query are too long.
    UriTooLong,
    /// The body's media type is not supported.
    UnsupportedMediaType(String),
    /// Too many or too large headers.
    HeadersTooLarge,
    /// The requested range contains no byte of the file, which has this many bytes.
    RangeNotSatisfiable(u64),
    /// The request was rejected before a handler saw it.
    Refused(Refusal),
    /// Too many requests. The client may retry after this many seconds.
    RateLimited(u64),
    /// The account has the maximum number of event streams open.
    TooManyStreams(u32),
    /// An internal error.
    Internal,
    /// The new version of an image could not be rendered, with the reason.
    EditFailed(String),
    /// This process has no workers.
    NoWorkers,
    /// The edit was not computed in time.
    EditTimedOut,
    /// Too many jobs are waiting.
    QueueFull,
    /// The disk or the object store failed.
    StorageUnavailable,
    /// A stored object is damaged or missing.
    StorageDamaged(Repair),
    /// The checks that failed in the service's last self-check.
    NotReady(Vec<Detail>),
    /// The account has reached its limit of concurrent requests, or the byte budget for bodies is used up for the
    /// moment.
    Busy,
    /// The service is shutting down.
    ShuttingDown,
}

impl ApiError {
    /// Returns which row of the table the error has.
    pub(crate) fn error_code(&self) -> ErrorCode {
        match self {
            Self::InvalidJson(_) => ErrorCode::InvalidJson,
            Self::Invalid(_) | Self::InvalidHeader(_) => ErrorCode::ValidationFailed,
            Self::PageInvalid(_) => ErrorCode::PageInvalid,
            Self::LogoInvalid(_) => ErrorCode::LogoInvalid,
            Self::InvalidPrompt(_) => ErrorCode::InvalidPrompt,
            Self::InstructionNotUnderstood(_) => ErrorCode::InstructionNotUnderstood,
            Self::InvalidCursor(_) => ErrorCode::InvalidCursor,
            Self::KeyMissing => ErrorCode::ApiKeyMissing,
            Self::KeyInvalid => ErrorCode::ApiKeyInvalid,
            Self::KeyRevoked => ErrorCode::ApiKeyRevoked,
            Self::SessionMissing => ErrorCode::SessionMissing,
            Self::SessionInvalid => ErrorCode::SessionInvalid,
            Self::CredentialsInvalid => ErrorCode::CredentialsInvalid,
            Self::InsufficientCredits { .. } => ErrorCode::InsufficientCredits,
            Self::MaxCreditsExceeded { .. } => ErrorCode::MaxCreditsExceeded,
            Self::AccountDeactivated => ErrorCode::AccountDeactivated,
            Self::InsufficientScope(_) => ErrorCode::InsufficientScope,
            Self::RoleRequired => ErrorCode::RoleRequired,
            Self::CsrfTokenInvalid => ErrorCode::CsrfTokenInvalid,
            Self::OriginNotAllowed => ErrorCode::OriginNotAllowed,
            Self::PlanRequired(_) => ErrorCode::PlanRequired,
            Self::BadSignature => ErrorCode::SignatureInvalid,
            Self::NotFound => ErrorCode::NotFound,
            Self::AdminTokenInvalid => ErrorCode::AdminTokenInvalid,
            Self::Missing(missing) => missing.error_code(),
            Self::MethodNotAllowed => ErrorCode::MethodNotAllowed,
            Self::BodyTimeout => ErrorCode::BodyTimeout,
            Self::Conflict(conflict) => conflict.error_code(),
            Self::LinkExpired => ErrorCode::LinkExpired,
            Self::UrlExpired => ErrorCode::UrlExpired,
            Self::UploadExpired => ErrorCode::UploadExpired,
            Self::InputExpired => ErrorCode::InputExpired,
            Self::StorageQuota(_) => ErrorCode::StorageQuota,
            Self::ExportTooLarge(_) => ErrorCode::ExportTooLarge,
            Self::BodyTooLarge(_) => ErrorCode::BodyTooLarge,
            Self::UriTooLong => ErrorCode::UriTooLong,
            Self::UnsupportedMediaType(_) => ErrorCode::UnsupportedMediaType,
            Self::HeadersTooLarge => ErrorCode::HeadersTooLarge,
            Self::RangeNotSatisfiable(_) => ErrorCode::RangeNotSatisfiable,
            Self::Refused(refusal) => of_refusal(*refusal),
            Self::RateLimited(_) => ErrorCode::RateLimitExceeded,
            Self::TooManyStreams(_) => ErrorCode::TooManyStreams,
            Self::Internal => ErrorCode::Internal,
            Self::EditFailed(_) => ErrorCode::EditFailed,
            Self::NoWorkers => ErrorCode::NoWorkers,
            Self::EditTimedOut => ErrorCode::EditTimedOut,
            Self::QueueFull => ErrorCode::QueueFull,
            Self::Busy => ErrorCode::Busy,
            Self::StorageUnavailable => ErrorCode::StorageUnavailable,
            Self::NotReady(_) => ErrorCode::NotReady,
            Self::StorageDamaged(Repair::UnderWay) => ErrorCode::ImageDamaged,
            Self::StorageDamaged(Repair::Impossible) => ErrorCode::BlobDamaged,
            Self::ShuttingDown => ErrorCode::ShuttingDown,
        }
    }

    /// Returns the error's message, or the message of each fault if it has several.
    pub(crate) fn told(&self) -> Vec<String> {
        match self {
            Self::Invalid(details) => details.iter().map(|detail| detail.message.clone()).collect(),
            other => vec![other.message()],
        }
    }

    /// Returns a sentence that tells the client what is wrong and what to do.
    fn message(&self) -> String {
        let message = |values: &[(&str, &dyn Display)]| self.error_code().row().message(values);
        match self {
            Self::Invalid(details) => message(&[("why", &summed_up("request", details))]),
            Self::PageInvalid(details) => message(&[("why", &summed_up("page markup", details))]),
            Self::LogoInvalid(why) | Self::InstructionNotUnderstood(why) | Self::EditFailed(why) => {
                message(&[("why", &why.trim_end_matches('.'))])
            }
            Self::InvalidCursor(why) => message(&[("why", why)]),
            Self::InvalidJson(why)
            | Self::InvalidPrompt(why)
            | Self::InvalidHeader(why)
            | Self::PlanRequired(why)
            | Self::UnsupportedMediaType(why) => message(&[("why", why)]),
            Self::InsufficientCredits { required, available } => {
                message(&[("required", required), ("available", available)])
            }
            Self::MaxCreditsExceeded { required, max_credits } => {
                message(&[("required", required), ("max_credits", max_credits)])
            }
            Self::InsufficientScope(scope) => message(&[("scope", &scope.name())]),
            Self::Conflict(
                Conflict::NotCancellable(status) | Conflict::NotRetryable(status) | Conflict::NotFinished(status),
            ) => message(&[("status", &status.name())]),
            Self::ExportTooLarge(bytes) => message(&[("limit", &(bytes >> 20))]),
            Self::StorageQuota(StorageFull { required, used, quota }) => {
                message(&[("required", required), ("used", used), ("quota", quota)])
            }
            Self::BodyTooLarge(limit) => message(&[("limit", limit)]),
            Self::RangeNotSatisfiable(bytes) => message(&[("bytes", bytes)]),
            Self::RateLimited(seconds) => message(&[("seconds", seconds)]),
            Self::TooManyStreams(limit) => message(&[("limit", limit)]),
            Self::NotReady(details) => {
                let checks: Vec<&str> = details.iter().map(|d| d.field.as_str()).collect();
                message(&[("checks", &checks.join(", "))])
            }
            _ => message(&[]),
        }
    }

    /// Returns the seconds after which a retry may succeed, for errors that only need time.
    fn seconds_to_wait(&self) -> Option<u64> {
        match self.error_code().row().retry {
            Retry::Never => None,
            Retry::After(seconds) => Some(seconds),
            Retry::Varies => match self {
                Self::RateLimited(seconds) => Some(*seconds),
                _ => None,
            },
        }
    }

    /// Returns the authentication challenge of a 401 (RFC 9110, section 11.6.1). `Basic` is never used, because
    /// browsers open a dialog for it.
    fn challenge(&self) -> Option<&'static str> {
        match self {
            Self::KeyMissing => Some("Bearer realm=\"vivid\""),
            Self::KeyInvalid | Self::KeyRevoked => Some("Bearer realm=\"vivid\", error=\"invalid_token\""),
            Self::AdminTokenInvalid => Some("Bearer realm=\"vivid operator\""),
            Self::SessionMissing | Self::SessionInvalid | Self::CredentialsInvalid => Some("Cookie realm=\"vivid\""),
            _ => None,
        }
    }

    /// Returns the error that replaces an error response of the framework, which lacks the contract's body.
    pub fn in_place_of(response: &Response) -> Option<Self> {
        let status = response.status();
        if !status.is_client_error() && !status.is_server_error() {
            return None;
        }
        if let Some(error) = response.extensions().get::<Self>() {
            return Some(error.clone());
        }
        Some(match status {
            StatusCode::NOT_FOUND => Self::NotFound,
            StatusCode::METHOD_NOT_ALLOWED => Self::MethodNotAllowed,
            s if s.is_client_error() => Self::InvalidHeader("The request can't be read.".into()),
            _ => Self::Internal,
        })
    }
}

/// Returns the message of a single fault, with its element if it has one, or the number of faults if there are several.
fn summed_up(what: &str, details: &[Detail]) -> String {
    match details {
        [Detail { element: Some(element), message, .. }] => format!("{element}: {message}"),
        [one] => one.message.clone(),
        many => format!("The {what} has {} faults; each is in details.", many.len()),
    }
}

/// Returns the row of a request that is rejected before any handler sees it.
fn of_refusal(refusal: Refusal) -> ErrorCode {
    match refusal {
        Refusal::TooManyConnections => ErrorCode::TooManyConnections,
        Refusal::BadHost => ErrorCode::HostInvalid,
        Refusal::Malformed => ErrorCode::MalformedRequest,
        Refusal::HeadersTooLarge => ErrorCode::HeadersTooLarge,
        Refusal::UriTooLong => ErrorCode::UriTooLong,
        Refusal::HeadTimeout => ErrorCode::HeadTimeout,
        Refusal::NotEncrypted => ErrorCode::TlsRequired,
    }
}

impl IntoResponse for ApiError {
    /// Attaches the error to an empty response. The outermost layer knows the request's id and writes the body.
    fn into_response(self) -> Response {
        let mut response = Response::new(Body::empty());
        *response.status_mut() = self.error_code().row().status;
        response.extensions_mut().insert(self);
        response
    }
}

/// Builds a 201 response with a body and a `Location` header.
pub fn created_at(location: &str, body: &impl Serialize) -> Response {
    let mut response = created(body);
    if let Ok(location) = HeaderValue::from_str(location) {
        response.headers_mut().insert(header::LOCATION, location);
    }
    response
}

/// Builds an empty 204 response.
pub fn nothing_left() -> Response {
    StatusCode::NO_CONTENT.into_response()
}

/// Builds a 201 response with a body.
pub fn created(body: &impl Serialize) -> Response {
    (StatusCode::CREATED, Json(body)).into_response()
}
