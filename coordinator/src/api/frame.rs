//! What every request goes through and every answer carries: an id, the caller, the rate limit, ceilings on the head,
//! what browsers want to know, and the contract's shape for whatever went wrong.

use std::net::{IpAddr, Ipv4Addr};
use std::panic::AssertUnwindSafe;
use std::sync::Arc;
use std::time::Instant;

use axum::body::{Body, HttpBody};
use axum::extract::{MatchedPath, Request, State};
use axum::http::{HeaderName, HeaderValue, Method, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use futures::FutureExt;
use metrics::SharedString;
use tracing::Instrument;
use uuid::Uuid;

use super::App;
use super::caller::{Identity, client_address};
use super::error::ApiError;
use super::metered::Meter;
use super::{designs, generations, page_text};
use crate::budget::Holder;
use crate::clock::Millis;
use crate::console::{self, visitor::Presence};
use crate::limits::{Rate, RateClass, Subject};
use crate::meters;
use crate::urls::FILES;

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

/// Whose window a request that opens a session counts in: its client's address; an extension of those.
#[derive(Debug, Clone, Copy)]
pub struct Sender(pub Subject);

/// Why a request is answered without a look at it; an extension of those that this holds for. Where nothing could be
/// read as a request, it is on one that stands in for it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Refusal {
    /// There are too many connections, or too many of this client.
    TooManyConnections,
    /// It says no host, more than one, or what is none.
    BadHost,
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
    let is_head = *request.method() == Method::HEAD;
    let reader = Reader::of(&request);
    // A path that is not served has no route. It is no label: clients can make up any number of them.
    let route = request
        .extensions()
        .get::<MatchedPath>()
        .map_or_else(|| "none".into(), |m| SharedString::from(m.as_str().to_owned()));
    let span = tracing::info_span!(
        "request",
        %id,
        method = %request.method(),
        path = request.uri().path(),
        generation = tracing::field::Empty,
    );

    let peer = request.extensions().get::<Peer>().map_or(IpAddr::V4(Ipv4Addr::UNSPECIFIED), |p| p.0);
    let address = Subject::of_address(client_address(peer, request.headers(), &app.trusted_proxies));
    let (rate, holder) = if refusal.is_some() || is_preflight {
        // Neither what never came as a request nor what a browser sends on its own counts.
        (app.limiter.look(address, class, now), Holder::Strangers)
    } else {
        counted(&mut request, &app, address, class, now)
    };
    let refused = refused(&request, refusal, rate, class, now);
    let response = match refused {
        Some(error) => error.into_response(),
        None if is_preflight => app.cors.preflight(),
        None => {
            // What the body takes of the byte budget is given back when the handler has ended.
            let (request, meter) = Meter::over(request, &app.bodies.budget, holder);
            let answered = AssertUnwindSafe(next.run(request)).catch_unwind().instrument(span.clone()).await;
            let answered = answered.unwrap_or_else(|_| {
                tracing::error!(parent: &span, "a handler panicked");
                ApiError::Internal.into_response()
            });
            meter.settle(answered)
        }
    };
    let mut response = finish(response, id, rate, reader, &app);
    app.cors.mark(allowed, response.headers_mut());
    if is_head {
        response = without_body(response);
    }
    let status = response.status().as_u16();
    tracing::debug!(parent: &span, status, ms = began.elapsed().as_millis(), "answered");
    meters::answered(class_name(class), route, status, began.elapsed());
    response
}

/// Counts a request against the limit of whoever sent it, who is noted in the request's extensions. Returns the limit and
/// whose share of the byte budget its body takes.
fn counted(request: &mut Request, app: &App, address: Subject, class: RateClass, now: Millis) -> (Rate, Holder) {
    match Area::of(request.uri().path()) {
        // What opens a session counts by its address, whoever it is.
        Area::Console if class == RateClass::Login => {
            request.extensions_mut().insert(Sender(address));
            (app.limiter.count(address, class, now), Holder::Strangers)
        }
        Area::Console => {
            let presence = Presence::read(request, app, now);
            let holder = presence.holder();
            let rate = app.limiter.count(presence.subject().unwrap_or(address), class, now);
            if rate.allowed {
                presence.used(app, now);
            }
            request.extensions_mut().insert(presence);
            (rate, holder)
        }
        Area::Api => {
            let identity = Identity::read(request, app, now);
            let holder = identity.holder();
            let rate = app.limiter.count(identity.subject().unwrap_or(address), class, now);
            if rate.allowed {
                identity.used(app, now);
            }
            request.extensions_mut().insert(identity);
            (rate, holder)
        }
        Area::Elsewhere => (app.limiter.look(address, class, now), Holder::Strangers),
    }
}

/// Why a request is answered without a handler, if it is.
fn refused(request: &Request, refusal: Option<Refusal>, rate: Rate, class: RateClass, now: Millis) -> Option<ApiError> {
    if let Some(refusal) = refusal {
        Some(ApiError::Refused(refusal))
    } else if !rate.allowed {
        meters::rate_limited(class_name(class));
        Some(ApiError::RateLimited(rate.wait_s(now)))
    } else if request.headers().len() > HEADERS {
        Some(ApiError::HeadersTooLarge)
    } else if request.uri().path_and_query().is_some_and(|p| p.as_str().len() > URI_BYTES) {
        Some(ApiError::UriTooLong)
    } else {
        None
    }
}

/// Adds the headers that every answer carries.
fn finish(response: Response, id: Uuid, rate: Rate, reader: Reader, app: &App) -> Response {
    // A window that the handler found to be the tighter one.
    let rate = response.extensions().get::<Rate>().copied().unwrap_or(rate);
    let mut response = match (reader, ApiError::in_place_of(&response)) {
        (Reader::Person, Some(error)) => marked(error.shown(id, app.console.prefix()), id),
        _ => shaped(response, id),
    };
    let headers = response.headers_mut();
    headers.insert(LIMIT, rate.limit.into());
    headers.insert(REMAINING, rate.remaining.into());
    // Rounded up, so that the new window has begun by then.
    headers.insert(RESET, HeaderValue::from((rate.reset.0 + 999) / 1000));
    response
}

/// With its id, and in the contract's shape where something went wrong.
pub(super) fn shaped(response: Response, id: Uuid) -> Response {
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

/// With its id, and kept by nobody unless it says otherwise.
fn marked(mut response: Response, id: Uuid) -> Response {
    let headers = response.headers_mut();
    if let Ok(id) = HeaderValue::from_str(&id.to_string()) {
        headers.insert(REQUEST_ID, id);
    }
    headers.entry(header::CACHE_CONTROL).or_insert(HeaderValue::from_static("no-store"));
    response
}

/// Who reads an answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Reader {
    /// A program: errors are JSON.
    Program,
    /// Somebody at a browser who goes to a page: errors are pages.
    Person,
}

impl Reader {
    fn of(request: &Request) -> Self {
        let wants_page = || {
            let accepted = request.headers().get_all(header::ACCEPT).iter().filter_map(|v| v.to_str().ok());
            accepted.flat_map(|line| line.split(',')).any(|kind| kind.trim().starts_with("text/html"))
        };
        let is_page = matches!(Area::of(request.uri().path()), Area::Elsewhere)
            && !request.uri().path().starts_with(FILES)
            && matches!(*request.method(), Method::GET | Method::HEAD);
        if is_page && wants_page() { Self::Person } else { Self::Program }
    }
}

/// Which part of the service a path is of.
enum Area {
    /// The API, for keys and sessions.
    Api,
    /// What the console is made of, for sessions alone.
    Console,
    /// All else.
    Elsewhere,
}

impl Area {
    fn of(path: &str) -> Self {
        let within = |area: &str| path.strip_prefix(area).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'));
        match () {
            () if within("/api") => Self::Api,
            () if within(console::PATH) => Self::Console,
            () => Self::Elsewhere,
        }
    }
}

/// An answer to HEAD: it says how long its body would be. HTTP/2 would send what is there.
fn without_body(response: Response) -> Response {
    let (mut head, body) = response.into_parts();
    if let Some(bytes) = body.size_hint().exact().filter(|n| *n > 0) {
        head.headers.entry(header::CONTENT_LENGTH).or_insert(bytes.into());
    }
    Response::from_parts(head, Body::empty())
}

fn class_of(request: &Request) -> RateClass {
    match *request.method() {
        // It draws as previews do.
        Method::GET if designs::lists(request.uri().path()) => RateClass::Preview,
        Method::GET | Method::HEAD => RateClass::Get,
        Method::POST if generations::creates(request.uri().path()) => RateClass::Generate,
        Method::POST if console::is_login(request.uri().path()) => RateClass::Login,
        Method::POST if page_text::previews(request.uri().path()) => RateClass::Preview,
        _ => RateClass::Other,
    }
}

fn class_name(class: RateClass) -> &'static str {
    match class {
        RateClass::Get => "get",
        RateClass::Generate => "generate",
        RateClass::Preview => "preview",
        RateClass::Other => "other",
        RateClass::Login | RateClass::Password => "login",
    }
}
