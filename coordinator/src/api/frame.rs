//! What every request goes through and every answer carries: an id, the caller, the rate limit, ceilings on the head,
//! what browsers want to know, and the contract's shape for whatever went wrong.

use std::net::{IpAddr, Ipv4Addr};
use std::panic::AssertUnwindSafe;
use std::sync::Arc;
use std::time::Instant;

use axum::body::{Body, HttpBody};
use axum::extract::{Request, State};
use axum::http::{HeaderName, HeaderValue, Method, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use futures::FutureExt;
use tracing::Instrument;
use uuid::Uuid;

use super::App;
use super::caller::{Identity, client_address};
use super::error::ApiError;
use crate::clock::Millis;
use crate::limits::{Rate, RateClass, Subject};
use crate::meters;

/// Headers of a request.
const HEADERS: usize = 100;
/// Bytes of its path and query.
const URI_BYTES: usize = 16 << 10;

const REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");
const LIMIT: HeaderName = HeaderName::from_static("x-ratelimit-limit");
const REMAINING: HeaderName = HeaderName::from_static("x-ratelimit-remaining");
const RESET: HeaderName = HeaderName::from_static("x-ratelimit-reset");

/// The address at the other end of the connection; an extension of every request.
#[derive(Debug, Clone, Copy)]
pub struct Peer(pub IpAddr);

/// Why a request is answered without a look at it; an extension of those that this holds for. Where nothing could be
/// read as a request, it is on one that stands in for it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Refusal {
    /// There are too many connections, or too many of this client.
    TooManyConnections,
    /// What was sent can't be read as HTTP/1.
    Malformed,
    /// Too many or too large headers.
    HeadersTooLarge,
    /// The first line is too long.
    UriTooLong,
    /// The head did not arrive in time.
    HeadTimeout,
    /// It came in the clear where TLS is spoken.
    NotEncrypted,
}

/// The outermost layer.
pub async fn frame(State(app): State<Arc<App>>, mut request: Request, next: Next) -> Response {
    let id = Uuid::now_v7();
    let began = Instant::now();
    let now = Millis::now();
    let class = class_of(&request);
    let refusal = request.extensions().get::<Refusal>().copied();
    let allowed = app.cors.allowed(request.headers());
    let is_preflight = app.cors.is_preflight(request.method(), request.headers());
    let counted = refusal.is_none() && !is_preflight && is_api(request.uri().path());
    let is_head = *request.method() == Method::HEAD;
    let span = tracing::info_span!("request", %id, method = %request.method(), path = request.uri().path());

    let peer = request.extensions().get::<Peer>().map_or(IpAddr::V4(Ipv4Addr::UNSPECIFIED), |p| p.0);
    let address = Subject::of_address(client_address(peer, request.headers(), &app.trusted_proxies));
    let rate = if counted {
        let identity = Identity::read(request.headers(), &app.store);
        let subject = identity.0.as_ref().map_or(address, |caller| Subject::Account(caller.account_id));
        request.extensions_mut().insert(identity);
        app.limiter.count(subject, class, now)
    } else {
        app.limiter.look(address, class, now)
    };

    let refused = if let Some(refusal) = refusal {
        Some(ApiError::Refused(refusal))
    } else if !rate.allowed {
        // At least one: a window that ends within this second has not ended yet.
        Some(ApiError::RateLimited(u64::try_from((rate.reset.0 - now.0 + 999) / 1000).unwrap_or(1).max(1)))
    } else if request.headers().len() > HEADERS {
        Some(ApiError::HeadersTooLarge)
    } else if request.uri().path_and_query().is_some_and(|p| p.as_str().len() > URI_BYTES) {
        Some(ApiError::UriTooLong)
    } else {
        None
    };
    let response = match refused {
        Some(error) => error.into_response(),
        None if is_preflight => app.cors.preflight(),
        None => {
            let answered = AssertUnwindSafe(next.run(request)).catch_unwind().instrument(span.clone()).await;
            answered.unwrap_or_else(|_| {
                tracing::error!(parent: &span, "a handler panicked");
                ApiError::Internal.into_response()
            })
        }
    };
    let mut response = finish(response, id, rate);
    app.cors.mark(allowed, response.headers_mut());
    if is_head {
        response = without_body(response);
    }
    let status = response.status().as_u16();
    tracing::debug!(parent: &span, status, ms = began.elapsed().as_millis(), "answered");
    meters::answered(class_name(class), status, began.elapsed());
    response
}

/// Puts on what every answer carries.
fn finish(response: Response, id: Uuid, rate: Rate) -> Response {
    let mut response = match ApiError::in_place_of(&response) {
        Some(error) => {
            let mut answer = error.answer(id);
            if let Some(methods) = response.headers().get(header::ALLOW) {
                answer.headers_mut().insert(header::ALLOW, methods.clone());
            }
            answer
        }
        None => response,
    };
    let headers = response.headers_mut();
    if let Ok(id) = HeaderValue::from_str(&id.to_string()) {
        headers.insert(REQUEST_ID, id);
    }
    headers.insert(LIMIT, rate.limit.into());
    headers.insert(REMAINING, rate.remaining.into());
    // Rounded up: whoever waits for it finds a new window.
    headers.insert(RESET, HeaderValue::from((rate.reset.0 + 999) / 1000));
    headers.entry(header::CACHE_CONTROL).or_insert(HeaderValue::from_static("no-store"));
    response
}

/// An answer to HEAD: it says how long its body would be. HTTP/2 would send what is there.
fn without_body(response: Response) -> Response {
    let (mut head, body) = response.into_parts();
    if let Some(bytes) = body.size_hint().exact().filter(|n| *n > 0) {
        head.headers.entry(header::CONTENT_LENGTH).or_insert(bytes.into());
    }
    Response::from_parts(head, Body::empty())
}

fn is_api(path: &str) -> bool {
    path == "/api" || path.starts_with("/api/")
}

fn class_of(request: &Request) -> RateClass {
    match *request.method() {
        Method::GET | Method::HEAD => RateClass::Get,
        Method::POST if request.uri().path() == "/api/generations" => RateClass::Generate,
        _ => RateClass::Other,
    }
}

fn class_name(class: RateClass) -> &'static str {
    match class {
        RateClass::Get => "get",
        RateClass::Generate => "generate",
        RateClass::Other => "other",
    }
}
