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
            "There are too many connections. Try again in a moment, and reuse open connections.".into()
        }
        Refusal::BadHost => {
            "Send exactly one Host header (HTTP/2: :authority) with a host and, optionally, a port.".into()
        }
        Refusal::Malformed => "This is not a valid HTTP/1.1 or HTTP/2 request.".into(),
        Refusal::HeadersTooLarge => ApiError::HeadersTooLarge.message(),
        Refusal::UriTooLong => ApiError::UriTooLong.message(),
        Refusal::HeadTimeout => {
            "The head of the request did not arrive in time. Check the connection and send the request again.".into()
        }
        Refusal::NotEncrypted => "This port accepts only TLS. Use https instead of http.".into(),
    }
}
