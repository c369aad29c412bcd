//! Answers that hyper doesn't let the router give: to what can't be read as a request. The router is asked all the same,
//! for a request that carries the reason, and what it says is written here.

use std::time::SystemTime;

use axum::Router;
use axum::body::Body;
use futures::FutureExt;
use futures::future::BoxFuture;
use hyper::Request;
use tower::ServiceExt;

use crate::api::{Peer, Refusal};

/// Bytes of such an answer's body, which is a few lines.
const BODY: usize = 64 << 10;

/// Asks the router in place of a request that can't be read.
pub struct Answers {
    /// What answers.
    pub router: Router,
    /// Who sent it.
    pub peer: Peer,
}

impl Answers {
    /// The whole answer as HTTP/1.1 writes it.
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

/// Why hyper gives this answer, where it gives one by itself: it writes a bare head, and the router's answers all carry
/// an id.
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
