//! Gets from a judged URL to a response: resolves the host, judges its addresses, dials one of them, and sends one
//! request over the connection.

use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use hyper::body::{Body, Incoming};
use hyper::client::conn::http1;
use hyper::{Request, Response, Uri};
use hyper_util::rt::TokioIo;
use render_core::limits;
use tokio::task::JoinSet;
use tokio::time::timeout;
use tokio_rustls::rustls::{ClientConfig, RootCertStore};

use super::dial::{self, Dialler, Stream};
use super::error::FetchError;
use super::guard::{Checked, Guard};
use super::refusal::{Refusal, Target};
use super::resolve::Resolver;

/// Connects to targets that the guard accepts.
pub(super) struct Connector {
    pub(super) guard: Guard,
    resolver: Arc<dyn Resolver>,
    dialler: Arc<dyn Dialler>,
    tls: Arc<ClientConfig>,
    /// Timeout for resolving a name; and for connecting, TLS included, to any of a host's addresses.
    time: Duration,
}

/// A response whose body is still to be read. Dropping it closes the connection.
pub(super) struct Answered {
    pub(super) answer: Response<Incoming>,
    /// The task that transfers bytes while the body is read.
    pub(super) driver: JoinSet<hyper::Result<()>>,
}

impl Connector {
    pub(super) fn new(
        guard: Guard,
        resolver: Arc<dyn Resolver>,
        dialler: Arc<dyn Dialler>,
        roots: RootCertStore,
        time: Duration,
    ) -> Self {
        Self { guard, resolver, dialler, tls: dial::tls(roots), time }
    }

    /// Opens a stream to one of the addresses of `target`.
    pub(super) async fn connect(&self, target: &Target) -> Result<Box<dyn Stream>, FetchError> {
        let addresses = timeout(self.time, self.guard.addresses(target, &*self.resolver));
        let addresses = addresses.await.unwrap_or(Err(FetchError::TimedOut))?;
        timeout(self.time, self.dial(target, &addresses)).await.unwrap_or(Err(FetchError::TimedOut))
    }

    /// Opens a stream to the first of `addresses` that answers, in their order.
    async fn dial(&self, target: &Target, addresses: &[Checked]) -> Result<Box<dyn Stream>, FetchError> {
        let mut failure = FetchError::Unreachable("no address".into());
        // Each address gets a share of the time, so that none uses up the time of the others.
        let each = self.time / u32::try_from(addresses.len()).unwrap_or(1).max(1);
        for address in addresses {
            match timeout(each, self.dialler.dial(*address)).await {
                Ok(Ok(stream)) if target.url.scheme() == "https" => {
                    let within = dial::within_tls(&self.tls, &target.host, stream).await;
                    return within.map_err(|e| FetchError::Tls(e.to_string()));
                }
                Ok(Ok(stream)) => return Ok(stream),
                Ok(Err(e)) => failure = FetchError::Unreachable(e.kind().to_string()),
                Err(_) => failure = FetchError::TimedOut,
            }
        }
        Err(failure)
    }
}

/// Sends one request over a stream, and waits up to `time` for the head of its response.
pub(super) async fn ask<B>(stream: Box<dyn Stream>, request: Request<B>, time: Duration) -> Result<Answered, FetchError>
where
    B: Body<Data = Bytes, Error = std::convert::Infallible> + Send + 'static,
{
    let handshake = http1::Builder::new()
        .max_buf_size(2 * limits::FETCH_HEADER_BYTES)
        .max_header_size(limits::FETCH_HEADER_BYTES)
        .max_headers(limits::FETCH_HEADERS)
        .handshake::<_, B>(TokioIo::new(stream));
    let (mut sender, connection) = handshake.await?;
    // The connection ends when this request ends, for whatever reason.
    let mut driver = JoinSet::new();
    driver.spawn(connection);
    let answer = timeout(time, sender.send_request(request)).await;
    let answer = answer.map_err(|_| FetchError::TimedOut)?.map_err(|e| match e {
        e if e.is_parse_too_large() => FetchError::Headers,
        e => e.into(),
    })?;
    Ok(Answered { answer, driver })
}

/// Returns the path and query of a request, and its `Host`.
pub(super) fn asked_for(target: &Target) -> Result<(Uri, String), FetchError> {
    let url = &target.url;
    let path = match url.query() {
        Some(query) => format!("{}?{query}", url.path()),
        None => url.path().to_owned(),
    };
    // The parsers of both libraries are strict, each in its own way, so a URL can fail here.
    let uri: Uri = path.parse().map_err(|_| Refusal::Malformed)?;
    let host = match url.port() {
        Some(port) => format!("{}:{port}", target.host_name()),
        None => target.host_name(),
    };
    Ok((uri, host))
}
