//! A message to where a user wants it: one request, judged and dialled as a fetch is, and no redirects.

use std::time::Duration;

use bytes::Bytes;
use http_body_util::{BodyExt, Full};
use hyper::Request;
use hyper::body::Incoming;
use hyper::header::{CONNECTION, CONTENT_TYPE, HOST, USER_AGENT};
use tokio::time::timeout;

use super::connect::{Answered, Connector, ask, asked_for};
use super::fetch::{FetchError, Parts};
use super::refusal::{Refusal, Target};

/// Who sends.
const AGENT: &str = concat!("Vivid/", env!("CARGO_PKG_VERSION"));
/// Bytes of an answer's body that are read, so that who answers gets to finish; they say nothing that counts.
const ANSWER_BYTES: usize = 4 << 10;
/// Time for these bytes.
const ANSWER_TIME: Duration = Duration::from_secs(1);

/// What is sent.
#[derive(Debug, Clone)]
pub struct Message {
    /// Where to.
    pub url: String,
    /// Headers beside those of every message, by their names in lower case.
    pub headers: Vec<(&'static str, String)>,
    /// JSON.
    pub body: Bytes,
}

/// Sends messages.
pub struct Poster {
    connector: Connector,
    /// From the look-up to the head of the answer.
    total: Duration,
}

impl Poster {
    /// A poster of these parts. Of the limits, `total` and `connect` are its own.
    pub fn new(parts: Parts) -> Self {
        let Parts { guard, resolver, dialler, roots, limits } = parts;
        Self { connector: Connector::new(guard, resolver, dialler, roots, limits.connect), total: limits.total }
    }

    /// Sends `message` once and returns the status of the answer, whatever that is.
    ///
    /// # Errors
    /// [`FetchError`], where there is no answer.
    pub async fn post(&self, message: Message) -> Result<u16, FetchError> {
        let exchange = timeout(self.total, self.exchange(message)).await;
        let Answered { answer, driver: _driver } = exchange.unwrap_or(Err(FetchError::TimedOut))?;
        let status = answer.status().as_u16();
        // What was answered stands, whether or not all of it comes.
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

/// Reads on until enough was read.
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
