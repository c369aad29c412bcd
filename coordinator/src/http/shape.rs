//! The final form of every response: errors in the contract's format, the request's id, and caching.

use axum::http::{HeaderName, HeaderValue, header};
use axum::response::Response;
use uuid::Uuid;

use super::error::ApiError;

const REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");

/// Adds the request's id, and converts errors to the contract's format.
pub fn shaped(response: Response, id: Uuid) -> Response {
    let response = match ApiError::in_place_of(&response) {
        Some(error) => {
            let mut answer = error.answer(id);
            if let Some(methods) = response.headers().get(header::ALLOW) {
                answer.headers_mut().insert(header::ALLOW, methods.clone());
            }
            answer
        }
        None => response,
    };
    marked(response, id)
}

/// Adds the request's id, and `Cache-Control: no-store` unless the response has its own.
pub fn marked(mut response: Response, id: Uuid) -> Response {
    let headers = response.headers_mut();
    if let Ok(id) = HeaderValue::from_str(&id.to_string()) {
        headers.insert(REQUEST_ID, id);
    }
    headers.entry(header::CACHE_CONTROL).or_insert(HeaderValue::from_static("no-store"));
    response
}
