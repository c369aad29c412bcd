//! The outermost middleware. For every request it assigns an id, authenticates the caller, applies the rate limit and
//! checks the size of the head. For every response it adds the request id, the rate limit and the CORS headers, and
//! converts framework errors to the contract's error format.

use std::borrow::Cow;
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
use tracing::Instrument;
use uuid::Uuid;

use crate::access::{Identity, Presence, Sender, client_address};
use crate::api::{derive, designs, generations, page_text, pages};
use crate::app::App;
use crate::budget::Holder;
use crate::clock::Millis;
use crate::console::{self, pages::fault};
use crate::http::cors::Cors;
use crate::http::error::ApiError;
use crate::http::metered::Meter;
use crate::http::shape::{marked, shaped};
use crate::limits::{Rate, RateClass, Subject};
use crate::metrics;
use crate::serve::{Peer, Refusal};
use crate::urls::FILES;

/// Maximum number of headers in a request.
const HEADERS: usize = 100;
/// Maximum length of a request's path and query in bytes.
const URI_BYTES: usize = 16 << 10;

const LIMIT: HeaderName = HeaderName::from_static("x-ratelimit-limit");
const REMAINING: HeaderName = HeaderName::from_static("x-ratelimit-remaining");
const RESET: HeaderName = HeaderName::from_static("x-ratelimit-reset");

/// Runs the outermost layer.
pub async fn frame(State(app): State<Arc<App>>, mut request: Request, next: Next) -> Response {
    let id = Uuid::now_v7();
    let began = Instant::now();
    let now = Millis::now();
    let class = class_of(&request);
    let refusal = request.extensions().get::<Refusal>().copied();
    let cors = Cors::new(&app.cors);
    let allowed = cors.allowed(request.headers());
    let is_preflight = cors.is_preflight(request.method(), request.headers());
    let is_head = *request.method() == Method::HEAD;
    let reader = Reader::of(&request);
    // The metric label is the route, not the path: clients can send any number of unknown paths, which have no route.
    let route =
        request.extensions().get::<MatchedPath>().map_or(Cow::Borrowed("none"), |m| Cow::Owned(m.as_str().to_owned()));
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
        // Unparsable requests and requests that a browser sends on its own (preflights) don't count against the rate
        // limit.
        (app.limiter.look(address, class, now), Holder::Strangers)
    } else {
        counted(&mut request, &app, address, class, now)
    };
    let refused = refused(&request, refusal, rate, class, now);
    let response = match refused {
        Some(error) => error.into_response(),
        None if is_preflight => cors.preflight(),
        None => {
            // When the handler ends, the meter returns the body's share of the byte budget.
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
    cors.mark(allowed, response.headers_mut());
    if is_head {
        response = without_body(response);
    }
    let status = response.status().as_u16();
    tracing::debug!(parent: &span, status, ms = began.elapsed().as_millis(), "answered");
    metrics::answered(class_name(class), route, status, began.elapsed());
    response
}

/// Counts a request against the rate limit of its sender and records the sender in the request's extensions. Returns
/// the limit and the holder whose share of the byte budget the body uses.
fn counted(request: &mut Request, app: &App, address: Subject, class: RateClass, now: Millis) -> (Rate, Holder) {
    match Area::of(request.uri().path()) {
        // Login requests always count by client address, even if the caller has a session.
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

/// Returns the error for a request that is rejected before a handler sees it, or `None`.
fn refused(request: &Request, refusal: Option<Refusal>, rate: Rate, class: RateClass, now: Millis) -> Option<ApiError> {
    if let Some(refusal) = refusal {
        Some(ApiError::Refused(refusal))
    } else if !rate.allowed {
        metrics::rate_limited(class_name(class));
        Some(ApiError::RateLimited(rate.wait_s(now)))
    } else if request.headers().len() > HEADERS {
        Some(ApiError::HeadersTooLarge)
    } else if request.uri().path_and_query().is_some_and(|p| p.as_str().len() > URI_BYTES) {
        Some(ApiError::UriTooLong)
    } else {
        None
    }
}

/// Adds the headers that every response carries.
fn finish(response: Response, id: Uuid, rate: Rate, reader: Reader, app: &App) -> Response {
    // Prefer the limit that the handler set, which is the tighter one.
    let rate = response.extensions().get::<Rate>().copied().unwrap_or(rate);
    let mut response = match (reader, ApiError::in_place_of(&response)) {
        (Reader::Person, Some(error)) => {
            let page = |title: &str, message: &str| fault::page(app.console.prefix(), title, message, id);
            marked(error.shown(page), id)
        }
        _ => shaped(response, id),
    };
    let headers = response.headers_mut();
    headers.insert(LIMIT, rate.limit.into());
    headers.insert(REMAINING, rate.remaining.into());
    // Rounded up, so that the new window has started by then.
    headers.insert(RESET, HeaderValue::from((rate.reset.0 + 999) / 1000));
    response
}

/// Who reads a response.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Reader {
    /// A program: errors are JSON.
    Program,
    /// A person who navigates in a browser: errors are HTML pages.
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

/// The part of the service that a path belongs to.
enum Area {
    /// The API: accepts keys and sessions.
    Api,
    /// The console's own endpoints: accept sessions only.
    Console,
    /// Everything else.
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

/// Builds the response to a HEAD request: it keeps the `Content-Length` and drops the body, which HTTP/2 would send.
fn without_body(response: Response) -> Response {
    let (mut head, body) = response.into_parts();
    if let Some(bytes) = body.size_hint().exact().filter(|n| *n > 0) {
        head.headers.entry(header::CONTENT_LENGTH).or_insert(bytes.into());
    }
    Response::from_parts(head, Body::empty())
}

/// Returns whether a POST to `path` creates a generation and counts towards the rate limit of generations.
fn creates(path: &str) -> bool {
    path == generations::PATH || path == pages::PATH || derive::REFERENCE_PATHS.contains(&path) || {
        let action =
            path.strip_prefix(generations::PATH).and_then(|rest| rest.rsplit_once('/')).map(|(_, action)| action);
        action.is_some_and(|action| derive::ACTIONS.contains(&action))
    }
}

fn class_of(request: &Request) -> RateClass {
    match *request.method() {
        // Listing designs renders images, as previews do, so it shares their limit.
        Method::GET if designs::lists(request.uri().path()) => RateClass::Preview,
        Method::GET | Method::HEAD => RateClass::Get,
        Method::POST if creates(request.uri().path()) => RateClass::Generate,
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
