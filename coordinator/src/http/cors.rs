//! CORS (the Fetch standard's protocol): which other origins may call the API from a browser, and which response
//! headers their pages may read. Disabled unless the operator configures origins.

use axum::http::{HeaderMap, HeaderName, HeaderValue, Method, header};
use axum::response::{IntoResponse, Response};

use super::error;
use crate::config::Origin;

/// Seconds for which a browser may cache a preflight response. Browsers cap this at two hours.
const MAX_AGE: HeaderValue = HeaderValue::from_static("7200");
const METHODS: HeaderValue = HeaderValue::from_static("GET, HEAD, POST, PUT, PATCH, DELETE");
/// Request headers that a page may send, in addition to the safelisted ones.
const REQUEST_HEADERS: HeaderValue = HeaderValue::from_static(
    "X-API-Key, Authorization, Content-Type, Idempotency-Key, Last-Event-ID, Range, If-Range, If-None-Match, If-Modified-Since",
);
/// Response headers that a page may read, in addition to the safelisted ones.
const EXPOSED: HeaderValue = HeaderValue::from_static(
    "X-Request-Id, X-RateLimit-Limit, X-RateLimit-Remaining, X-RateLimit-Reset, Retry-After, Location, WWW-Authenticate, \
     Idempotent-Replayed, Allow, ETag, Accept-Ranges, Content-Range",
);

/// The origins whose pages may call the API.
#[derive(Debug, Clone, Copy)]
pub struct Cors<'a> {
    origins: &'a [Origin],
}

impl<'a> Cors<'a> {
    /// Allows these origins.
    pub fn new(origins: &'a [Origin]) -> Self {
        Self { origins }
    }

    /// Returns the value of `Access-Control-Allow-Origin` for a request with these headers, or `None` if its origin is
    /// not allowed.
    pub fn allowed(&self, request: &HeaderMap) -> Option<HeaderValue> {
        if self.is_open() {
            return Some(HeaderValue::from_static("*"));
        }
        let origin = request.get(header::ORIGIN)?;
        let allowed = |one: &Origin| matches!(one, Origin::One(o) if o.as_bytes() == origin.as_bytes());
        self.origins.iter().any(allowed).then(|| origin.clone())
    }

    /// Whether the request is a CORS preflight. Preflights are answered without a key.
    pub fn is_preflight(&self, method: &Method, headers: &HeaderMap) -> bool {
        *method == Method::OPTIONS
            && headers.contains_key(header::ORIGIN)
            && headers.contains_key(header::ACCESS_CONTROL_REQUEST_METHOD)
            && self.allowed(headers).is_some()
    }

    /// The response to a preflight, without the headers that [`Cors::mark`] adds.
    pub fn preflight(&self) -> Response {
        let says: [(HeaderName, HeaderValue); 3] = [
            (header::ACCESS_CONTROL_ALLOW_METHODS, METHODS),
            (header::ACCESS_CONTROL_ALLOW_HEADERS, REQUEST_HEADERS),
            (header::ACCESS_CONTROL_MAX_AGE, MAX_AGE),
        ];
        (says, error::nothing_left()).into_response()
    }

    /// Adds the CORS headers to a response.
    pub fn mark(&self, allowed: Option<HeaderValue>, answer: &mut HeaderMap) {
        if !self.origins.is_empty() && !self.is_open() {
            // Set for disallowed origins too, so that a cache does not serve their response to an allowed origin.
            answer.append(header::VARY, HeaderValue::from_static("Origin"));
        }
        if let Some(origin) = allowed {
            answer.insert(header::ACCESS_CONTROL_ALLOW_ORIGIN, origin);
            answer.insert(header::ACCESS_CONTROL_EXPOSE_HEADERS, EXPOSED);
        }
    }

    fn is_open(&self) -> bool {
        self.origins.contains(&Origin::Any)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn asking(origin: &'static str) -> HeaderMap {
        let mut headers = HeaderMap::new();
        headers.insert(header::ORIGIN, HeaderValue::from_static(origin));
        headers.insert(header::ACCESS_CONTROL_REQUEST_METHOD, HeaderValue::from_static("POST"));
        headers
    }

    fn of(origins: &[&str]) -> Cors<'static> {
        Cors::new(origins.iter().map(|o| o.parse().unwrap()).collect::<Vec<_>>().leak())
    }

    #[test]
    fn only_the_origins_that_were_named_may_call() {
        let cors = of(&["https://a.example", "http://localhost:3000"]);
        assert_eq!(cors.allowed(&asking("https://a.example")).unwrap(), "https://a.example");
        assert!(cors.is_preflight(&Method::OPTIONS, &asking("http://localhost:3000")));
        for other in ["https://a.example:8443", "http://a.example", "https://a.example.evil.example", "null", "*"] {
            assert_eq!(cors.allowed(&asking(other)), None, "{other}");
            assert!(!cors.is_preflight(&Method::OPTIONS, &asking(other)), "{other}");
        }
        assert_eq!(cors.allowed(&HeaderMap::new()), None);
        assert!(!cors.is_preflight(&Method::POST, &asking("https://a.example")));
    }

    #[test]
    fn everybody_may_or_nobody() {
        let marked = |cors: &Cors<'_>, headers: &HeaderMap| {
            let mut answer = HeaderMap::new();
            cors.mark(cors.allowed(headers), &mut answer);
            answer
        };
        let open = marked(&of(&["https://a.example", "*"]), &asking("https://b.example"));
        assert_eq!(open[header::ACCESS_CONTROL_ALLOW_ORIGIN], "*");
        assert!(!open.contains_key(header::VARY));
        assert!(marked(&of(&[]), &asking("https://b.example")).is_empty());
        assert!(!of(&[]).is_preflight(&Method::OPTIONS, &asking("https://b.example")));
        let refused = marked(&of(&["https://a.example"]), &asking("https://b.example"));
        assert_eq!((refused.len(), &refused[header::VARY]), (1, &HeaderValue::from_static("Origin")));
    }
}
