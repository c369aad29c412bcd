//! The response to a request that failed: JSON for programs, a page for people.

use std::borrow::Cow;

use axum::Json;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

use super::{ApiError, DETAILS, Detail};
use crate::http::names;

/// An error response.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = Error)]
pub struct ErrorAnswer<'a> {
    /// The type of the error.
    #[schema(value_type = names::ErrorType)]
    error: &'static str,
    /// What is wrong and how to fix it, in a sentence.
    message: String,
    /// The exact cause.
    #[schema(value_type = names::ErrorCode)]
    code: &'static str,
    /// The id of the request, the same as in `X-Request-Id`.
    request_id: Uuid,
    /// Every fault of the request, with `validation_failed`, `page_invalid` and `invalid_cursor`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false, max_items = 50, value_type = Option<Vec<Detail>>)]
    details: Option<Cow<'a, [Detail]>>,
    /// The price of the request in credits, with status 402.
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

impl ApiError {
    /// Builds the full response to the request with this id.
    pub fn answer(&self, request_id: Uuid) -> Response {
        let row = self.error_code().row();
        let mut body = ErrorAnswer {
            error: row.error,
            message: self.message(),
            code: row.code,
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
        let mut answer = (row.status, Json(body)).into_response();
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

    /// Builds the same response as an HTML page, which `page` renders from a title and the error's message.
    pub fn shown(&self, page: impl FnOnce(&str, &str) -> Response) -> Response {
        let status = self.error_code().row().status;
        let title = match status {
            StatusCode::NOT_FOUND => "This page is not here",
            StatusCode::FORBIDDEN => "Not for this account",
            StatusCode::TOO_MANY_REQUESTS => "Too fast",
            status if status.is_client_error() => "That can't be shown",
            _ => "Something went wrong",
        };
        let mut page = page(title, &self.message());
        *page.status_mut() = status;
        page
    }
}
