//! Sends a message to a URL that a user supplied: one request, judged and dialled like a fetch, without redirects.

use std::time::Duration;

use bytes::Bytes;
use http_body_util::{BodyExt, Full};
use hyper::Request;
use hyper::body::Incoming;
use hyper::header::{CONNECTION, CONTENT_TYPE, HOST, USER_AGENT};
use tokio::time::timeout;

use super::connect::{Answered, Connector, ask, asked_for};
use super::error::FetchError;
use super::parts::Parts;
use super::refusal::{Refusal, Target};

/// The `User-Agent`.
const AGENT: &str = concat!("Vivid/", env!("CARGO_PKG_VERSION"));
/// Maximum bytes to read of a response's body, so that the receiver can finish sending it; the content is ignored.
const ANSWER_BYTES: usize = 4 << 10;
/// Timeout for reading these bytes.
const ANSWER_TIME: Duration = Duration::from_secs(1);

/// A message to send.
#[derive(Debug, Clone)]
pub struct Message {
    /// The receiver's URL.
    pub url: String,
    /// Headers in addition to those of every message, by lower-case name.
    pub headers: Vec<(&'static str, String)>,
    /// A JSON body.
    pub body: Bytes,
}

/// Sends messages.
pub struct Poster {
    connector: Connector,
    /// Timeout from resolving the name to the head of the response.
    total: Duration,
}

impl Poster {
    /// Creates a poster from these parts. Of the limits, it uses only `total` and `connect`.
    pub fn new(parts: Parts) -> Self {
        let Parts { guard, resolver, dialler, roots, limits } = parts;
        Self { connector: Connector::new(guard, resolver, dialler, roots, limits.connect), total: limits.total }
    }

    /// Sends `message` once and returns the status of the response, whatever it is.
    ///
    /// # Errors
    /// [`FetchError`], where there is no response.
    pub async fn post(&self, message: Message) -> Result<u16, FetchError> {
        let exchange = timeout(self.total, self.exchange(message)).await;
        let Answered { answer, driver: _driver } = exchange.unwrap_or(Err(FetchError::TimedOut))?;
        let status = answer.status().as_u16();
        // The status stands even if the body never arrives completely.
        let _ = timeout(ANSWER_TIME, drain(answer.into_body())).await;
        Ok(status)
    }

    async fn exchange(&self, message: Message) -> Result<Answered, FetchError> {
        let target = self.connector.guard.judge(&message.url)?;
        let request = request(&target, message)?;
        let stream = self.connector.connect(&target).await?;
        ask(stream, request, self.total).await
    }
}

fn request(target: &Target, message: Message) -> Result<Request<Full<Bytes>>, FetchError> {
    let (uri, host) = asked_for(target)?;
    let mut request = Request::post(uri)
        .header(HOST, host)
        .header(USER_AGENT, AGENT)
        .header(CONTENT_TYPE, "application/json")
        .header(CONNECTION, "close");
    for (name, value) in message.headers {
        request = request.header(name, value);
    }
    Ok(request.body(Full::new(message.body)).map_err(|_| Refusal::Malformed)?)
}

/// Reads and discards the body, up to [`ANSWER_BYTES`].
async fn drain(mut body: Incoming) {
    let mut left = ANSWER_BYTES;
    while let Some(Ok(frame)) = body.frame().await {
        let read = frame.data_ref().map_or(0, Bytes::len);
        match left.checked_sub(read) {
            Some(rest) => left = rest,
            None => return,
        }
    }
}
