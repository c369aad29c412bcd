//! Responses that hyper would send without the router: to input that isn't a valid request. The router still creates
//! the response, from a request that carries the reason, and this module writes it.

use std::time::SystemTime;

use axum::Router;
use axum::body::Body;
use futures::FutureExt;
use futures::future::BoxFuture;
use hyper::Request;
use tower::ServiceExt;

use super::peer::{Peer, Refusal};

/// Maximum size in bytes of such a response's body, which is a few lines.
const BODY: usize = 64 << 10;

/// Asks the router for the response to an unreadable request.
pub struct Answers {
    /// The router.
    pub router: Router,
    /// The client.
    pub peer: Peer,
}

impl Answers {
    /// Returns the complete HTTP/1.1 response.
    pub fn to(&self, refusal: Refusal) -> BoxFuture<'static, Vec<u8>> {
        let mut request = Request::new(Body::empty());
        request.extensions_mut().insert(self.peer);
        request.extensions_mut().insert(refusal);
        let answered = self.router.clone().oneshot(request);
        async move {
            let Ok(response) = answered.await;
            let (head, body) = response.into_parts();
            let body = axum::body::to_bytes(body, BODY).await.unwrap_or_default();
            let date = httpdate::fmt_http_date(SystemTime::now());
            let mut answer = format!("HTTP/1.1 {}\r\n", head.status).into_bytes();
            for (name, value) in &head.headers {
                answer.extend_from_slice(name.as_str().as_bytes());
                answer.extend_from_slice(b": ");
                answer.extend_from_slice(value.as_bytes());
                answer.extend_from_slice(b"\r\n");
            }
            answer.extend_from_slice(
                format!("content-length: {}\r\nconnection: close\r\ndate: {date}\r\n\r\n", body.len()).as_bytes(),
            );
            answer.extend_from_slice(&body);
            answer
        }
        .boxed()
    }
}

/// Returns the reason for a response that hyper sent by itself. Such a response is only a head without a request id,
/// which all of the router's responses have.
pub fn own_of_hyper(written: &[u8]) -> Option<Refusal> {
    let rest = written.strip_prefix(b"HTTP/1.1 4")?;
    let refusal = match rest.get(..2)? {
        b"00" => Refusal::Malformed,
        b"14" => Refusal::UriTooLong,
        b"31" => Refusal::HeadersTooLarge,
        _ => return None,
    };
    let says = |what: &[u8]| written.windows(what.len()).any(|w| w.eq_ignore_ascii_case(what));
    (written.ends_with(b"\r\n\r\n") && !says(b"\r\nx-request-id:")).then_some(refusal)
}
