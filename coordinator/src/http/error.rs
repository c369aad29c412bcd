//! All error responses of the API. This is the only module that assigns their status codes.

mod answer;
mod conflict;
pub(crate) mod faults;
mod from;
mod missing;
mod refused;

pub use answer::ErrorAnswer;
pub use conflict::Conflict;
pub use missing::Missing;

use axum::Json;
use axum::body::Body;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde::Serialize;
use utoipa::ToSchema;

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
    /// The export would exceed the maximum size.
    ExportTooLarge,
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

/// Status, type and code of an error.
type Kind = (StatusCode, &'static str, &'static str);

/// The type of errors that the client's request causes.
const INVALID: &str = "invalid_request";

impl ApiError {
    /// The error's status, type and code.
    pub(crate) fn kind(&self) -> Kind {
        match self {
            Self::InvalidJson(_) => (StatusCode::BAD_REQUEST, INVALID, "invalid_json"),
            Self::Invalid(_) | Self::InvalidHeader(_) => (StatusCode::BAD_REQUEST, INVALID, "validation_failed"),
            Self::PageInvalid(_) => (StatusCode::BAD_REQUEST, INVALID, "page_invalid"),
            Self::LogoInvalid(_) => (StatusCode::BAD_REQUEST, INVALID, "logo_invalid"),
            Self::InvalidPrompt(_) => (StatusCode::BAD_REQUEST, INVALID, "invalid_prompt"),
            Self::InstructionNotUnderstood(_) => (StatusCode::BAD_REQUEST, INVALID, "instruction_not_understood"),
            Self::InvalidCursor(_) => (StatusCode::BAD_REQUEST, INVALID, "invalid_cursor"),
            Self::KeyMissing => (StatusCode::UNAUTHORIZED, "authentication_error", "api_key_missing"),
            Self::KeyInvalid => (StatusCode::UNAUTHORIZED, "authentication_error", "api_key_invalid"),
            Self::KeyRevoked => (StatusCode::UNAUTHORIZED, "authentication_error", "api_key_revoked"),
            Self::SessionMissing => (StatusCode::UNAUTHORIZED, "authentication_error", "session_missing"),
            Self::SessionInvalid => (StatusCode::UNAUTHORIZED, "authentication_error", "session_invalid"),
            Self::CredentialsInvalid => (StatusCode::UNAUTHORIZED, "authentication_error", "credentials_invalid"),
            Self::InsufficientCredits { .. } => {
                (StatusCode::PAYMENT_REQUIRED, "insufficient_credits", "insufficient_credits")
            }
            Self::MaxCreditsExceeded { .. } => {
                (StatusCode::PAYMENT_REQUIRED, "insufficient_credits", "max_credits_exceeded")
            }
            Self::AccountDeactivated => (StatusCode::FORBIDDEN, "permission_error", "account_deactivated"),
            Self::InsufficientScope(_) => (StatusCode::FORBIDDEN, "permission_error", "insufficient_scope"),
            Self::RoleRequired => (StatusCode::FORBIDDEN, "permission_error", "role_required"),
            Self::CsrfTokenInvalid => (StatusCode::FORBIDDEN, "permission_error", "csrf_token_invalid"),
            Self::OriginNotAllowed => (StatusCode::FORBIDDEN, "permission_error", "origin_not_allowed"),
            Self::PlanRequired(_) => (StatusCode::FORBIDDEN, "permission_error", "plan_required"),
            Self::BadSignature => (StatusCode::FORBIDDEN, "permission_error", "signature_invalid"),
            Self::NotFound => (StatusCode::NOT_FOUND, "not_found", "not_found"),
            Self::AdminTokenInvalid => (StatusCode::UNAUTHORIZED, "authentication_error", "admin_token_invalid"),
            Self::Missing(missing) => (StatusCode::NOT_FOUND, "not_found", missing.code()),
            Self::MethodNotAllowed => (StatusCode::METHOD_NOT_ALLOWED, "method_not_allowed", "method_not_allowed"),
            Self::BodyTimeout => (StatusCode::REQUEST_TIMEOUT, INVALID, "request_timeout"),
            Self::Conflict(conflict) => (StatusCode::CONFLICT, "conflict", conflict.code()),
            Self::LinkExpired => (StatusCode::GONE, "gone", "link_expired"),
            Self::UrlExpired => (StatusCode::GONE, "gone", "url_expired"),
            Self::UploadExpired => (StatusCode::GONE, "gone", "upload_expired"),
            Self::InputExpired => (StatusCode::GONE, "gone", "input_expired"),
            Self::StorageQuota(_) => (StatusCode::PAYLOAD_TOO_LARGE, "storage_quota", "storage_quota"),
            Self::ExportTooLarge => (StatusCode::PAYLOAD_TOO_LARGE, INVALID, "export_too_large"),
            Self::BodyTooLarge(_) => (StatusCode::PAYLOAD_TOO_LARGE, INVALID, "body_too_large"),
            Self::UriTooLong => (StatusCode::URI_TOO_LONG, INVALID, "uri_too_long"),
            Self::UnsupportedMediaType(_) => (StatusCode::UNSUPPORTED_MEDIA_TYPE, INVALID, "unsupported_media_type"),
            Self::HeadersTooLarge => (StatusCode::REQUEST_HEADER_FIELDS_TOO_LARGE, INVALID, "headers_too_large"),
            Self::RangeNotSatisfiable(_) => (StatusCode::RANGE_NOT_SATISFIABLE, INVALID, "range_not_satisfiable"),
            Self::Refused(refusal) => refused::kind(*refusal),
            Self::RateLimited(_) => (StatusCode::TOO_MANY_REQUESTS, "rate_limited", "rate_limit_exceeded"),
            Self::TooManyStreams(_) => (StatusCode::TOO_MANY_REQUESTS, "rate_limited", "too_many_streams"),
            Self::Internal => (StatusCode::INTERNAL_SERVER_ERROR, "internal_error", "internal_error"),
            Self::EditFailed(_) => (StatusCode::INTERNAL_SERVER_ERROR, "internal_error", "render_failed"),
            Self::NoWorkers => (StatusCode::SERVICE_UNAVAILABLE, "unavailable", "no_workers"),
            Self::EditTimedOut => (StatusCode::SERVICE_UNAVAILABLE, "unavailable", "edit_timed_out"),
            Self::QueueFull => (StatusCode::SERVICE_UNAVAILABLE, "unavailable", "queue_full"),
            Self::Busy => (StatusCode::SERVICE_UNAVAILABLE, "unavailable", "busy"),
            Self::StorageUnavailable | Self::NotReady(_) => {
                (StatusCode::SERVICE_UNAVAILABLE, "unavailable", "storage_unavailable")
            }
            Self::StorageDamaged(_) => (StatusCode::SERVICE_UNAVAILABLE, "unavailable", "storage_damaged"),
            Self::ShuttingDown => (StatusCode::SERVICE_UNAVAILABLE, "unavailable", "shutting_down"),
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
    pub(crate) fn message(&self) -> String {
        match self {
            Self::InvalidJson(why) => format!("The body is not a valid JSON object: {why}."),
            Self::Invalid(details) => summed_up("request", details),
            Self::PageInvalid(details) => summed_up("page markup", details),
            Self::LogoInvalid(why) => format!("This logo can't be used: {}.", why.trim_end_matches('.')),
            Self::InvalidPrompt(why) => why.clone(),
            Self::InstructionNotUnderstood(why) => format!(
                "This instruction can't be carried out: {}. Send refinedInstruction back as the answer gave it.",
                why.trim_end_matches('.')
            ),
            Self::InvalidCursor(why) => (*why).into(),
            Self::InvalidHeader(why) | Self::PlanRequired(why) | Self::UnsupportedMediaType(why) => why.clone(),
            Self::KeyMissing => "Send your API key in the header X-API-Key, or as Authorization: Bearer.".into(),
            Self::KeyInvalid => "This API key is not valid. Check it for typing errors, or create a new key.".into(),
            Self::KeyRevoked => "This API key was revoked. Use another one.".into(),
            Self::InsufficientCredits { required, available } => {
                format!("This costs {required} credits, but the account has only {available}. Add credits, or request fewer images.")
            }
            Self::MaxCreditsExceeded { required, max_credits } => {
                format!("This costs {required} credits, but maxCredits allows {max_credits}. Raise maxCredits, or request fewer images.")
            }
            Self::SessionMissing => "Log in first.".into(),
            Self::SessionInvalid => "This session has ended. Log in again.".into(),
            Self::CredentialsInvalid => "The e-mail address or the password is wrong.".into(),
            Self::AccountDeactivated => "This account is deactivated.".into(),
            Self::InsufficientScope(scope) => format!("This API key lacks the scope {}.", scope.name()),
            Self::RoleRequired => "Only a holder of the account may do this. Ask one to do it.".into(),
            Self::CsrfTokenInvalid => "Send the session's csrfToken in the header X-CSRF-Token.".into(),
            Self::OriginNotAllowed => "This request is only accepted from the service's own pages.".into(),
            Self::BadSignature => {
                "The signature of this URL is not valid. Read the generation or brand kit to get a valid URL.".into()
            }
            Self::NotFound => "There is nothing at this path.".into(),
            Self::AdminTokenInvalid => {
                "Send the operator's token as Authorization: Bearer …. It is in the file admin-token in the data folder."
                    .into()
            }
            Self::Conflict(conflict) => conflict.message(),
            Self::LinkExpired => "This link has expired. Ask for a new one.".into(),
            Self::Missing(missing) => missing.message().into(),
            Self::MethodNotAllowed => "This path does not support this method. The header Allow lists the supported methods.".into(),
            Self::BodyTimeout => "The body did not arrive in time. Check the connection and send the request again.".into(),
            Self::UrlExpired => "This image URL has expired. Read the generation or brand kit to get a new one.".into(),
            Self::ExportTooLarge => export_too_large(),
            Self::UploadExpired => "This upload has expired. Upload the file again.".into(),
            Self::InputExpired => {
                "The input of this generation was deleted some time after the generation failed. Create a new generation.".into()
            }
            Self::StorageQuota(full) => over_quota(full),
            Self::BodyTooLarge(limit) => format!("The body is larger than {limit} bytes, which is the maximum. Send a smaller one."),
            Self::UriTooLong => "The path and query are too long. Shorten them.".into(),
            Self::HeadersTooLarge => "The request has too many headers, or they are too large. Send fewer or shorter ones.".into(),
            Self::RangeNotSatisfiable(bytes) => format!("The range starts beyond the end: the file has {bytes} bytes."),
            Self::Refused(refusal) => refused::message(*refusal),
            Self::RateLimited(seconds) => format!("Too many requests. Try again in {seconds} s."),
            Self::TooManyStreams(most) => {
                format!("The account already has {most} open event streams, the maximum. Close one, or poll the generation instead.")
            }
            Self::Internal => "An internal error occurred. Try again. If it persists, report the requestId to the operator.".into(),
            Self::EditFailed(why) => {
                let why = why.trim_end_matches('.');
                format!("The new version could not be rendered: {why}. Nothing was changed or charged; try again.")
            }
            Self::NoWorkers => "No worker is available for this request. Try again later.".into(),
            Self::EditTimedOut => {
                "The edit took longer than 60 seconds. Nothing was changed or charged; try again.".into()
            }
            Self::QueueFull => "Too many jobs are waiting. Try again in a minute.".into(),
            Self::StorageUnavailable => "The storage is unavailable. Try again in a minute.".into(),
            Self::StorageDamaged(repair) => damaged(*repair).into(),
            Self::NotReady(details) => not_ready(details),
            Self::Busy => {
                "Too many requests of this kind are in progress, for this account or in total. Try again in a few seconds."
                    .into()
            }
            Self::ShuttingDown => "The service is restarting. Try again in a moment.".into(),
        }
    }

    /// Returns the seconds after which a retry may succeed, for errors that only need time.
    pub(crate) fn seconds_to_wait(&self) -> Option<u64> {
        match self {
            Self::RateLimited(seconds) => Some(*seconds),
            Self::QueueFull | Self::StorageUnavailable | Self::NoWorkers => Some(60),
            Self::StorageDamaged(Repair::UnderWay) => Some(3),
            Self::StorageDamaged(Repair::Impossible) => Some(600),
            Self::NotReady(_) | Self::ShuttingDown | Self::Busy | Self::EditTimedOut | Self::TooManyStreams(_) => {
                Some(5)
            }
            Self::Refused(Refusal::TooManyConnections) => Some(10),
            _ => None,
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

/// Message for an account that has used up its storage.
fn over_quota(StorageFull { required, used, quota }: &StorageFull) -> String {
    format!(
        "This needs {required} bytes of storage, but the account uses {used} of the {quota} that its plan includes. Delete \
         generations, or change the plan."
    )
}

/// Message for an export that exceeds the maximum size.
fn export_too_large() -> String {
    let most = crate::app::EXPORT_BYTES >> 20;
    format!("This export would be larger than {most} MiB. Export one format at a time, with formatId.")
}

/// Message about a damaged stored object.
fn damaged(repair: Repair) -> &'static str {
    match repair {
        Repair::UnderWay => {
            "The stored image is damaged. It is being rendered again, free of charge; try again in a few seconds."
        }
        Repair::Impossible => {
            "The stored data is damaged or missing and can't be restored. The operator has been notified."
        }
    }
}

/// Message that names the checks that failed.
fn not_ready(details: &[Detail]) -> String {
    let names = details.iter().map(|d| d.field.as_str()).collect::<Vec<_>>().join(", ");
    format!("Not ready: {names}. See details for the causes.")
}

impl IntoResponse for ApiError {
    /// Attaches the error to an empty response. The outermost layer knows the request's id and writes the body.
    fn into_response(self) -> Response {
        let mut response = Response::new(Body::empty());
        *response.status_mut() = self.kind().0;
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
