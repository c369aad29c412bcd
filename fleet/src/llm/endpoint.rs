//! Requests to one endpoint.

use std::ops::ControlFlow;
use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use http_body_util::{BodyExt, Full, Limited};
use hyper::client::conn::http1;
use hyper::header::{
    ACCEPT, ACCEPT_ENCODING, AUTHORIZATION, CONNECTION, CONTENT_TYPE, HOST, HeaderValue, RETRY_AFTER, USER_AGENT,
};
use hyper::{Request, Uri};
use hyper_util::rt::TokioIo;
use tokio::net::TcpStream;
use tokio::task::JoinSet;
use tokio::time::timeout;
use tokio_rustls::rustls::ClientConfig;
use url::Url;

use super::error::{ANSWER_BYTES, LlmError};
use super::settings::BadSetting;
use crate::net::dial::{self, Stream};

/// Value of the `User-Agent` header.
const AGENT: &str = concat!("Vivid/", env!("CARGO_PKG_VERSION"));
/// Timeout for connecting, TLS included.
const CONNECT: Duration = Duration::from_secs(5);
/// Maximum bytes of a response's headers.
const HEADER_BYTES: usize = 64 << 10;

/// The HTTP endpoint of a model.
pub(super) struct Endpoint {
    host: url::Host<String>,
    port: u16,
    /// Value of the `Host` header.
    authority: String,
    /// Path of the API, without a trailing slash.
    base: String,
    authorization: Option<HeaderValue>,
    tls: Option<Arc<ClientConfig>>,
}

/// The head of a response, and its body if that was not streamed.
pub(super) struct Reply {
    pub status: u16,
    pub retry_after: Option<Duration>,
    /// `None` where the body was a stream of events.
    pub body: Option<Bytes>,
}

/// Receives the bytes of a stream of events; breaks to stop reading.
pub(super) type Sink<'a> = dyn FnMut(&[u8]) -> ControlFlow<()> + Send + 'a;

impl Reply {
    /// Returns the error that the status stands for.
    pub fn error(&self) -> Option<LlmError> {
        match self.status {
            200..=299 => None,
            300..=399 => Some(LlmError::Redirect),
            status => Some(LlmError::Status(status)),
        }
    }
}

impl Endpoint {
    pub fn new(base: &str, key: Option<&str>) -> Result<Self, BadSetting> {
        let url = Url::parse(base.trim()).map_err(|_| BadSetting::Url)?;
        let safe = match url.scheme() {
            "https" => true,
            "http" => false,
            _ => return Err(BadSetting::Url),
        };
        let plain = url.username().is_empty() && url.password().is_none();
        if !plain || url.query().is_some() || url.fragment().is_some() {
            return Err(BadSetting::Url);
        }
        let host = url.host().ok_or(BadSetting::Url)?.to_owned();
        let port = url.port_or_known_default().ok_or(BadSetting::Url)?;
        let base = url.path().trim_end_matches('/').to_owned();
        let authorization = key.filter(|k| !k.is_empty()).map(bearer);
        Ok(Self {
            authority: url.port().map_or_else(|| host.to_string(), |port| format!("{host}:{port}")),
            host,
            port,
            base: format!("{base}/").parse::<Uri>().map(|_| base).map_err(|_| BadSetting::Url)?,
            authorization: authorization.transpose()?,
            tls: safe.then(|| dial::tls(dial::roots())),
        })
    }

    /// Posts `body` to a path of the API. Passes a stream of events to `events` as it arrives; buffers any other
    /// response.
    pub async fn post(&self, path: &str, body: Vec<u8>, events: &mut Sink<'_>) -> Result<Reply, LlmError> {
        self.send(self.request(path, Some(body)), Some(events)).await
    }

    /// Gets a path of the API.
    pub async fn get(&self, path: &str) -> Result<Reply, LlmError> {
        self.send(self.request(path, None), None).await
    }

    async fn send(&self, request: Request<Full<Bytes>>, events: Option<&mut Sink<'_>>) -> Result<Reply, LlmError> {
        let stream = timeout(CONNECT, self.connect());
        let stream = stream.await.map_err(|_| LlmError::Unreachable("no answer in time".into()))??;
        let broken = |e: hyper::Error| LlmError::Http(e.to_string());
        let handshake = http1::Builder::new()
            .max_buf_size(2 * HEADER_BYTES)
            .max_header_size(HEADER_BYTES)
            .handshake(TokioIo::new(stream));
        let (mut sender, connection) = handshake.await.map_err(broken)?;
        // The connection ends when this request ends, for whatever reason.
        let mut driver = JoinSet::new();
        driver.spawn(connection);
        let answer = sender.send_request(request).await.map_err(broken)?;
        let status = answer.status().as_u16();
        let retry_after = answer.headers().get(RETRY_AFTER).and_then(|v| v.to_str().ok()).and_then(seconds);
        let media = answer.headers().get(CONTENT_TYPE).and_then(|v| v.to_str().ok()).unwrap_or_default();
        let streams = answer.status().is_success() && media.trim_start().starts_with("text/event-stream");
        if let Some(events) = events.filter(|_| streams) {
            let mut body = answer.into_body();
            while let Some(frame) = body.frame().await {
                let frame = frame.map_err(broken)?;
                if frame.data_ref().is_some_and(|bytes| events(bytes).is_break()) {
                    break;
                }
            }
            return Ok(Reply { status, retry_after, body: None });
        }
        let body = Limited::new(answer.into_body(), ANSWER_BYTES).collect().await.map_err(|e| {
            match e.downcast_ref::<http_body_util::LengthLimitError>() {
                Some(_) => LlmError::TooLarge,
                None => LlmError::Http(e.to_string()),
            }
        })?;
        Ok(Reply { status, retry_after, body: Some(body.to_bytes()) })
    }

    async fn connect(&self) -> Result<Box<dyn Stream>, LlmError> {
        let failed = |e: std::io::Error| LlmError::Unreachable(e.kind().to_string());
        let stream = match &self.host {
            url::Host::Domain(name) => TcpStream::connect((name.as_str(), self.port)).await,
            url::Host::Ipv4(address) => TcpStream::connect((*address, self.port)).await,
            url::Host::Ipv6(address) => TcpStream::connect((*address, self.port)).await,
        };
        let stream = stream.map_err(failed)?;
        stream.set_nodelay(true).map_err(failed)?;
        match &self.tls {
            Some(tls) => dial::within_tls(tls, &self.host, Box::new(stream)).await.map_err(failed),
            None => Ok(Box::new(stream)),
        }
    }

    /// Builds a request: a POST if there is a body, else a GET.
    fn request(&self, path: &str, body: Option<Vec<u8>>) -> Request<Full<Bytes>> {
        let posts = body.is_some();
        let mut request = Request::new(Full::new(Bytes::from(body.unwrap_or_default())));
        *request.method_mut() = if posts { hyper::Method::POST } else { hyper::Method::GET };
        *request.uri_mut() = format!("{}/{path}", self.base).parse().expect("the base was parsed, and paths are ASCII");
        let headers = request.headers_mut();
        let host = HeaderValue::from_str(&self.authority).expect("a parsed host is ASCII");
        headers.insert(HOST, host);
        headers.insert(USER_AGENT, HeaderValue::from_static(AGENT));
        if posts {
            headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
        }
        headers.insert(ACCEPT, HeaderValue::from_static("application/json, text/event-stream"));
        headers.insert(ACCEPT_ENCODING, HeaderValue::from_static("identity"));
        headers.insert(CONNECTION, HeaderValue::from_static("close"));
        if let Some(authorization) = &self.authorization {
            headers.insert(AUTHORIZATION, authorization.clone());
        }
        request
    }
}

/// Returns the `Authorization` header for `key`.
fn bearer(key: &str) -> Result<HeaderValue, BadSetting> {
    let mut value = HeaderValue::from_str(&format!("Bearer {key}")).map_err(|_| BadSetting::Key)?;
    value.set_sensitive(true);
    Ok(value)
}

/// Parses a `Retry-After` in seconds. Dates are not supported.
fn seconds(value: &str) -> Option<Duration> {
    let seconds: f64 = value.trim().parse().ok()?;
    Duration::try_from_secs_f64(seconds).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_that_can_be_meant() {
        let path = |base: &str| Endpoint::new(base, None).map(|e| (e.authority, e.port, e.base));
        let of = |a: &str, port, path: &str| Ok((a.to_owned(), port, path.to_owned()));
        assert_eq!(path("https://api.example.org/v1/"), of("api.example.org", 443, "/v1"));
        assert_eq!(path("http://127.0.0.1:11434/v1"), of("127.0.0.1:11434", 11434, "/v1"));
        assert_eq!(path("http://[::1]:8000"), of("[::1]:8000", 8000, ""));
        for wrong in ["", "api.example.org", "ftp://x/", "https://me:pw@x/v1", "https://x/v1?a=b", "https://x/#a"] {
            assert_eq!(path(wrong), Err(BadSetting::Url), "{wrong}");
        }
        assert!(matches!(Endpoint::new("http://x", Some("a\nb")), Err(BadSetting::Key)));
    }

    #[test]
    fn waits_that_can_be_meant() {
        assert_eq!(seconds(" 2 "), Some(Duration::from_secs(2)));
        assert_eq!(seconds("0.5"), Some(Duration::from_millis(500)));
        for odd in ["", "-1", "NaN", "inf", "1e400", "Wed, 21 Oct 2026 07:28:00 GMT"] {
            assert_eq!(seconds(odd), None, "{odd}");
        }
    }
}
