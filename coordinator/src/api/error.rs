//! Every answer that isn't a success: the only place that knows their status codes.

mod conflict;
mod from;
mod missing;
mod refused;

pub use conflict::Conflict;
pub use missing::Missing;

use std::borrow::Cow;

use axum::Json;
use axum::body::Body;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

use super::frame::Refusal;
use super::spec::names;
use crate::accounts::Scope;
use crate::console::pages;
use crate::integrity::Repair;
use crate::state::StorageFull;

/// Faults listed in one answer.
pub const DETAILS: usize = 50;

/// One fault of a request.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
#[schema(as = ErrorDetail)]
pub struct Detail {
    /// The field, as the request names it.
    #[schema(examples("outputFormats[0]"))]
    pub field: String,
    /// The exact cause.
    #[schema(value_type = names::DetailCode)]
    pub code: &'static str,
    /// What to do, in a sentence.
    #[schema(examples("There is no format \"instagram_pst\". Did you mean instagram_post?"))]
    pub message: String,
    /// The element of a page, with `page_invalid`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false, examples("headline-1"))]
    pub element: Option<String>,
}

/// Every answer that isn't a success.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = Error)]
pub(super) struct ErrorAnswer<'a> {
    /// Its type.
    #[schema(value_type = names::ErrorType)]
    error: &'static str,
    /// What to do, in a sentence.
    message: String,
    /// The exact cause.
    #[schema(value_type = names::ErrorCode)]
    code: &'static str,
    /// The id of the request, as in `X-Request-Id`.
    request_id: Uuid,
    /// Every fault of the request, with `validation_failed`, `page_invalid` and `invalid_cursor`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false, max_items = 50, value_type = Option<Vec<Detail>>)]
    details: Option<Cow<'a, [Detail]>>,
    /// Credits that it takes, with 402.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    required: Option<u64>,
    /// Credits that the account can spend, with `insufficient_credits`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    available: Option<u64>,
    /// The `maxCredits` of the request, with `max_credits_exceeded`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    max_credits: Option<u64>,
}

impl Detail {
    /// A fault of `field`.
    pub fn new(field: impl Into<String>, code: &'static str, message: impl Into<String>) -> Self {
        Self { field: field.into(), code, message: message.into(), element: None }
    }
}

/// Why a request has no success.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ApiError {
    /// The body is not JSON, or not an object.
    InvalidJson(String),
    /// Faults of the body or the query.
    Invalid(Vec<Detail>),
    /// Faults of pages in the page language.
    PageInvalid(Vec<Detail>),
    /// A logo that can't be used, and why.
    LogoInvalid(String),
    /// A prompt that can't be one.
    InvalidPrompt(String),
    /// An instruction outside the grammar, and what is wrong with it.
    InstructionNotUnderstood(String),
    /// The cursor is not one that the list gave, and what is wrong with it.
    InvalidCursor(&'static str),
    /// A header that can't be used.
    InvalidHeader(String),
    /// No key was sent.
    KeyMissing,
    /// What was sent is no key.
    KeyInvalid,
    /// The key was revoked.
    KeyRevoked,
    /// No session's cookie was sent where nothing else will do.
    SessionMissing,
    /// The session is over, or there never was one.
    SessionInvalid,
    /// The e-mail address or the password is wrong; which of them is not told.
    CredentialsInvalid,
    /// The account has not got the credits.
    InsufficientCredits {
        /// What it costs.
        required: u64,
        /// What there is.
        available: u64,
    },
    /// It costs more than the request allows.
    MaxCreditsExceeded {
        /// What it costs.
        required: u64,
        /// What the request allows.
        max_credits: u64,
    },
    /// The account is deactivated.
    AccountDeactivated,
    /// The key is not for this.
    InsufficientScope(Scope),
    /// The member's role is not for this.
    RoleRequired,
    /// A request of a session that changes something came without its token.
    CsrfTokenInvalid,
    /// A browser sent it from a page of another origin.
    OriginNotAllowed,
    /// The plan doesn't include it.
    PlanRequired(String),
    /// The signature of an image URL is wrong.
    BadSignature,
    /// Nothing is there.
    NotFound,
    /// The operator's token is missing or wrong.
    AdminTokenInvalid,
    /// There is nothing of this kind with the given id.
    Missing(Missing),
    /// The path is there, the method isn't.
    MethodNotAllowed,
    /// The body did not arrive in time.
    BodyTimeout,
    /// The request conflicts with the current state.
    Conflict(Conflict),
    /// The link to set a password by was valid once.
    LinkExpired,
    /// The image URL was valid once.
    UrlExpired,
    /// An export would be larger than exports may be.
    ExportTooLarge,
    /// The upload was kept its time.
    UploadExpired,
    /// The generation's input was deleted because nothing was made of it.
    InputExpired,
    /// The account keeps as much as its plan includes.
    StorageQuota(StorageFull),
    /// The body is too large.
    BodyTooLarge(usize),
    /// The path and query are too long.
    UriTooLong,
    /// The body is not of a type that can be read.
    UnsupportedMediaType(String),
    /// Too many or too large headers.
    HeadersTooLarge,
    /// No byte of the range that was asked for is there; there are so many.
    RangeNotSatisfiable(u64),
    /// Nothing was looked at.
    Refused(Refusal),
    /// Too many requests; again in so many seconds.
    RateLimited(u64),
    /// The account has as many streams open as it may have.
    TooManyStreams(u32),
    /// A fault of the service.
    Internal,
    /// The new version of an image could not be drawn, and why.
    EditFailed(String),
    /// Nothing here works on jobs.
    NoWorkers,
    /// The edit was not worked out in time.
    EditTimedOut,
    /// Too much is waiting already.
    QueueFull,
    /// The disk or the object store fails.
    StorageUnavailable,
    /// What is stored is damaged or missing.
    StorageDamaged(Repair),
    /// What failed when the service last looked whether it can do its work.
    NotReady(Vec<Detail>),
    /// The account has as much being worked on while its clients wait as it may, or the byte budget of bodies is used up for
    /// the moment.
    Busy,
    /// The service is about to stop.
    ShuttingDown,
}

/// The status, type and code of an error.
type Kind = (StatusCode, &'static str, &'static str);

/// The type of errors that the request itself causes.
const INVALID: &str = "invalid_request";

impl ApiError {
    /// Its status, type and code.
    pub(super) fn kind(&self) -> Kind {
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

    /// Everything that it says: its message, or that of each fault where it has several.
    pub(crate) fn told(&self) -> Vec<String> {
        match self {
            Self::Invalid(details) => details.iter().map(|detail| detail.message.clone()).collect(),
            other => vec![other.message()],
        }
    }

    /// Tells the client what to do, in a sentence.
    pub(super) fn message(&self) -> String {
        match self {
            Self::InvalidJson(why) => format!("The body can't be read as a JSON object: {why}."),
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
            Self::KeyInvalid => "This is not a valid API key. Look for a typing error, or make a new key.".into(),
            Self::KeyRevoked => "This API key was revoked. Use another one.".into(),
            Self::InsufficientCredits { required, available } => {
                format!("This costs {required} credits, and the account has {available}.")
            }
            Self::MaxCreditsExceeded { required, max_credits } => {
                format!("This costs {required} credits, more than the {max_credits} that maxCredits allows.")
            }
            Self::SessionMissing => "Log in first.".into(),
            Self::SessionInvalid => "This session is over. Log in again.".into(),
            Self::CredentialsInvalid => "The e-mail address or the password is wrong.".into(),
            Self::AccountDeactivated => "This account is deactivated.".into(),
            Self::InsufficientScope(scope) => format!("This API key lacks the scope {}.", scope.name()),
            Self::RoleRequired => "Only a holder of the account may do this.".into(),
            Self::CsrfTokenInvalid => "Send the session's csrfToken in the header X-CSRF-Token.".into(),
            Self::OriginNotAllowed => "This is taken from pages of the service itself alone.".into(),
            Self::BadSignature => {
                "This is not a URL that the service gave out. Read the generation or brand kit for one.".into()
            }
            Self::NotFound => "There is nothing at this path.".into(),
            Self::AdminTokenInvalid => {
                "Send the operator's token as Authorization: Bearer …; it lies in the data folder, in admin-token."
                    .into()
            }
            Self::Conflict(conflict) => conflict.message(),
            Self::LinkExpired => "This link has expired. Ask for a new one.".into(),
            Self::Missing(missing) => missing.message().into(),
            Self::MethodNotAllowed => "This path doesn't take this method; Allow names those that it takes.".into(),
            Self::BodyTimeout => "The body did not arrive in time. Send it again, faster.".into(),
            Self::UrlExpired => "This image URL has expired. Read the generation or brand kit for a fresh one.".into(),
            Self::ExportTooLarge => export_too_large(),
            Self::UploadExpired => "This upload has expired. Upload the file again.".into(),
            Self::InputExpired => {
                "The input of this generation was deleted a while after it had failed. Create it again.".into()
            }
            Self::StorageQuota(full) => over_quota(full),
            Self::BodyTooLarge(limit) => format!("The body is larger than the {limit} bytes that are read."),
            Self::UriTooLong => "The path and query are too long.".into(),
            Self::HeadersTooLarge => "The request has too many headers, or too large ones.".into(),
            Self::RangeNotSatisfiable(bytes) => format!("The range lies beyond the end: there are {bytes} bytes."),
            Self::Refused(refusal) => refused::message(*refusal),
            Self::RateLimited(seconds) => format!("Too many requests. Try again in {seconds} s."),
            Self::TooManyStreams(most) => {
                format!("The account has {most} event streams open already. Close one of them, or read the generation.")
            }
            Self::Internal => "Something went wrong here. Try again; requestId helps to find the cause.".into(),
            Self::EditFailed(why) => {
                let why = why.trim_end_matches('.');
                format!("The new version could not be drawn: {why}. Nothing was changed or charged; try again.")
            }
            Self::NoWorkers => "No worker is there to do this. Try again once one is.".into(),
            Self::EditTimedOut => {
                "The edit could not be worked out in 60 seconds. Nothing was changed or charged; try again.".into()
            }
            Self::QueueFull => "Too much work is waiting. Try again in a minute.".into(),
            Self::StorageUnavailable => "The storage can't be reached. Try again in a minute.".into(),
            Self::StorageDamaged(repair) => damaged(*repair).into(),
            Self::NotReady(details) => not_ready(details),
            Self::Busy => {
                "Too many requests like this one are under way, for this account or in all. Try again in a few seconds."
                    .into()
            }
            Self::ShuttingDown => "The service is restarting. Try again in a moment.".into(),
        }
    }

    /// Seconds after which it is worth trying again, where that is all it takes.
    pub(super) fn seconds_to_wait(&self) -> Option<u64> {
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

    /// How to authenticate (RFC 9110, section 11.6.1), of a 401. None names `Basic`, for which browsers open a dialog.
    fn challenge(&self) -> Option<&'static str> {
        match self {
            Self::KeyMissing => Some("Bearer realm=\"vivid\""),
            Self::KeyInvalid | Self::KeyRevoked => Some("Bearer realm=\"vivid\", error=\"invalid_token\""),
            Self::AdminTokenInvalid => Some("Bearer realm=\"vivid operator\""),
            Self::SessionMissing | Self::SessionInvalid | Self::CredentialsInvalid => Some("Cookie realm=\"vivid\""),
            _ => None,
        }
    }

    /// The whole answer, to the request of this id.
    pub fn answer(&self, request_id: Uuid) -> Response {
        let (status, error, code) = self.kind();
        let mut body = ErrorAnswer {
            error,
            message: self.message(),
            code,
            request_id,
            details: None,
            required: None,
            available: None,
            max_credits: None,
        };
        match self {
            Self::Invalid(details) | Self::PageInvalid(details) | Self::NotReady(details) => {
                body.details = Some(Cow::Borrowed(&details[..details.len().min(DETAILS)]));
            }
            Self::InvalidCursor(why) => {
                body.details = Some(Cow::Owned(vec![Detail::new("cursor", "invalid_value", *why)]));
            }
            Self::InsufficientCredits { required, available } => {
                (body.required, body.available) = (Some(*required), Some(*available));
            }
            Self::MaxCreditsExceeded { required, max_credits } => {
                (body.required, body.max_credits) = (Some(*required), Some(*max_credits));
            }
            _ => {}
        }
        let mut answer = (status, Json(body)).into_response();
        if let Some(challenge) = self.challenge() {
            answer.headers_mut().insert(header::WWW_AUTHENTICATE, HeaderValue::from_static(challenge));
        }
        if let Some(seconds) = self.seconds_to_wait() {
            answer.headers_mut().insert(header::RETRY_AFTER, HeaderValue::from(seconds));
        }
        if let Self::RangeNotSatisfiable(bytes) = self
            && let Ok(range) = HeaderValue::try_from(format!("bytes */{bytes}"))
        {
            answer.headers_mut().insert(header::CONTENT_RANGE, range);
        }
        answer
    }

    /// The same as a page for people.
    pub(super) fn shown(&self, request_id: Uuid, prefix: &str) -> Response {
        let status = self.kind().0;
        let title = match status {
            StatusCode::NOT_FOUND => "This page is not here",
            StatusCode::FORBIDDEN => "Not for this account",
            StatusCode::TOO_MANY_REQUESTS => "Too fast",
            status if status.is_client_error() => "That can't be shown",
            _ => "Something went wrong",
        };
        let mut page = pages::fault::page(prefix, title, &self.message(), request_id);
        *page.status_mut() = status;
        page
    }

    /// The answer in place of one that the framework made: an error without a body of the contract.
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

/// One fault in its own words, with its element where it has one; of several, how many there are.
fn summed_up(what: &str, details: &[Detail]) -> String {
    match details {
        [Detail { element: Some(element), message, .. }] => format!("{element}: {message}"),
        [one] => one.message.clone(),
        many => format!("The {what} has {} faults; each is in details.", many.len()),
    }
}

/// Says that the account's storage is used up.
fn over_quota(StorageFull { required, used, quota }: &StorageFull) -> String {
    format!(
        "This takes {required} bytes of storage; the account uses {used} of the {quota} that its plan includes. Delete \
         generations, or change the plan."
    )
}

/// Says that an export has more bytes than one may have.
fn export_too_large() -> String {
    let most = super::exports::EXPORT_BYTES >> 20;
    format!("This export would be larger than {most} MiB. Export one format at a time, with formatId.")
}

/// What to tell a client about a stored object that is damaged.
fn damaged(repair: Repair) -> &'static str {
    match repair {
        Repair::UnderWay => {
            "The stored image is damaged. It is rendered again, free of charge; try again in a few seconds."
        }
        Repair::Impossible => {
            "What is stored for this is damaged or missing, and could not be made again. The operator has been told."
        }
    }
}

/// What to tell a client if these checks failed.
fn not_ready(details: &[Detail]) -> String {
    let names = details.iter().map(|d| d.field.as_str()).collect::<Vec<_>>().join(", ");
    format!("Not ready: {names}; details say what is the matter.")
}

impl IntoResponse for ApiError {
    /// A carrier of the error; the outermost layer, which knows the request's id, writes the body.
    fn into_response(self) -> Response {
        let mut response = Response::new(Body::empty());
        *response.status_mut() = self.kind().0;
        response.extensions_mut().insert(self);
        response
    }
}

/// 201 with a body and where it will be found.
pub fn created_at(location: &str, body: &impl Serialize) -> Response {
    let mut response = created(body);
    if let Ok(location) = HeaderValue::from_str(location) {
        response.headers_mut().insert(header::LOCATION, location);
    }
    response
}

/// 204: it is done, and nothing is left to show.
pub fn nothing_left() -> Response {
    StatusCode::NO_CONTENT.into_response()
}

/// 201 with a body.
pub fn created(body: &impl Serialize) -> Response {
    (StatusCode::CREATED, Json(body)).into_response()
}
