//! Errors of requests that are rejected while they are read, before any handler sees them.

use axum::http::StatusCode;

use super::{ApiError, INVALID, Kind, Refusal};

/// Returns the error's status, type and code.
pub(super) fn kind(refusal: Refusal) -> Kind {
    match refusal {
        Refusal::TooManyConnections => (StatusCode::SERVICE_UNAVAILABLE, "unavailable", "too_many_connections"),
        Refusal::BadHost => (StatusCode::BAD_REQUEST, INVALID, "host_invalid"),
        Refusal::Malformed => (StatusCode::BAD_REQUEST, INVALID, "malformed_request"),
        Refusal::HeadersTooLarge => ApiError::HeadersTooLarge.kind(),
        Refusal::UriTooLong => ApiError::UriTooLong.kind(),
        Refusal::HeadTimeout => ApiError::BodyTimeout.kind(),
        Refusal::NotEncrypted => (StatusCode::BAD_REQUEST, INVALID, "tls_required"),
    }
}

/// Returns a sentence that tells the client what is wrong and what to do.
pub(super) fn message(refusal: Refusal) -> String {
    match refusal {
        Refusal::TooManyConnections => {
            "There are too many connections. Try again in a moment, and use open connections again.".into()
        }
        Refusal::BadHost => "Send one Host header (HTTP/2: :authority) that names a host and a port at most.".into(),
        Refusal::Malformed => "This can't be read as a request in HTTP/1.1 or HTTP/2.".into(),
        Refusal::HeadersTooLarge => ApiError::HeadersTooLarge.message(),
        Refusal::UriTooLong => ApiError::UriTooLong.message(),
        Refusal::HeadTimeout => "The head of the request did not arrive in time. Send it again, faster.".into(),
        Refusal::NotEncrypted => "This service speaks TLS here: use https instead of http.".into(),
    }
}
