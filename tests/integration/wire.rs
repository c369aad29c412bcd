//! Requests as raw bytes and frames, for tests that an HTTP library would not allow.

use std::net::SocketAddr;

use h2::client::SendRequest;
use reqwest::header::{HeaderMap, HeaderName, HeaderValue};
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::task::JoinHandle;

use crate::service::{Answer, exchange_bytes};

/// A request, which may be invalid.
#[derive(Debug, Clone)]
pub struct Said {
    /// The method.
    pub method: String,
    /// The path and query, as sent.
    pub path: String,
    /// Header names and values.
    pub headers: Vec<(String, Vec<u8>)>,
    /// The body.
    pub body: Vec<u8>,
    /// Whether the body is chunked without a declared length (HTTP/1.1).
    pub chunked: bool,
}

impl Said {
    /// Creates a request without a body.
    pub fn new(method: &str, path: &str) -> Self {
        Self { method: method.into(), path: path.into(), headers: Vec::new(), body: Vec::new(), chunked: false }
    }

    /// Adds a header.
    pub fn header(mut self, name: &str, value: impl Into<Vec<u8>>) -> Self {
        self.headers.push((name.into(), value.into()));
        self
    }

    /// Sets the body.
    pub fn body(self, body: impl Into<Vec<u8>>) -> Self {
        Self { body: body.into(), ..self }
    }

    /// Sets a JSON body.
    pub fn json(self, body: impl Into<Vec<u8>>) -> Self {
        self.header("content-type", "application/json").body(body)
    }

    /// Encodes the request as HTTP/1.1 with `Connection: close`.
    pub fn bytes(&self) -> Vec<u8> {
        let mut bytes =
            format!("{} {} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n", self.method, self.path).into_bytes();
        for (name, value) in &self.headers {
            bytes.extend([name.as_bytes(), b": ", value, b"\r\n"].concat());
        }
        if self.chunked {
            bytes.extend(b"Transfer-Encoding: chunked\r\n\r\n");
            for chunk in self.body.chunks(0x8000) {
                bytes.extend([format!("{:x}\r\n", chunk.len()).as_bytes(), chunk, b"\r\n"].concat());
            }
            bytes.extend(b"0\r\n\r\n");
            return bytes;
        }
        if !self.body.is_empty() {
            bytes.extend(format!("Content-Length: {}\r\n", self.body.len()).into_bytes());
        }
        bytes.extend(b"\r\n");
        bytes.extend(&self.body);
        bytes
    }

    /// Sends the request over HTTP/1.1 and returns the response.
    pub fn over_http1(&self, address: &str) -> Answer {
        parse(&exchange_bytes(address, &self.bytes()).unwrap())
    }

    /// Sends the request over an HTTP/2 connection and returns the response. `None` if the client library rejects the
    /// request.
    pub async fn over_http2(&self, connection: &Http2) -> Option<Answer> {
        let mut request = http::Request::builder()
            .method(self.method.as_str())
            .uri(format!("http://x{}", self.path))
            .version(http::Version::HTTP_2);
        for (name, value) in &self.headers {
            request = request.header(name.as_str(), value.as_slice());
        }
        let request = request.body(()).ok()?;
        let mut sender = connection.sender.clone().ready().await.unwrap();
        let (answer, mut stream) = sender.send_request(request, self.body.is_empty()).unwrap();
        if !self.body.is_empty() {
            // A server that has already responded may stop reading.
            let _ = stream.send_data(self.body.clone().into(), true);
        }
        let (head, mut body) = answer.await.unwrap().into_parts();
        let mut bytes = Vec::new();
        while let Some(part) = body.data().await {
            let part = part.unwrap();
            let _ = body.flow_control().release_capacity(part.len());
            bytes.extend_from_slice(&part);
        }
        Some(Answer { status: head.status.as_u16(), headers: head.headers, body: bytes })
    }
}

/// Parses a complete HTTP/1.1 response.
pub fn parse(raw: &[u8]) -> Answer {
    let shown = || String::from_utf8_lossy(&raw[..raw.len().min(2000)]).into_owned();
    let end = raw.windows(4).position(|w| w == b"\r\n\r\n").unwrap_or_else(|| panic!("no head: {:?}", shown()));
    let head = std::str::from_utf8(&raw[..end]).unwrap();
    let mut lines = head.split("\r\n");
    let first = lines.next().unwrap();
    let status = first.strip_prefix("HTTP/1.1 ").and_then(|s| s.get(..3)?.parse().ok());
    let status = status.unwrap_or_else(|| panic!("no status: {:?}", shown()));
    let mut headers = HeaderMap::new();
    for line in lines {
        let (name, value) = line.split_once(':').unwrap_or_else(|| panic!("no header: {line:?}"));
        let name = name.parse::<HeaderName>().unwrap();
        headers.append(name, HeaderValue::from_str(value.trim()).unwrap());
    }
    let length = headers.get("content-length").and_then(|n| n.to_str().ok()?.parse::<usize>().ok());
    let body = raw[end + 4..].to_vec();
    assert!(length.is_none_or(|n| n == body.len()), "{length:?}, and {} came: {:?}", body.len(), shown());
    Answer { status, headers, body }
}

/// Sends bytes on any stream and reads the response to its end. Fails if the connection is reset.
pub async fn ask<S: AsyncRead + AsyncWrite + Unpin>(stream: &mut S, bytes: &[u8]) -> std::io::Result<Answer> {
    stream.write_all(bytes).await?;
    let mut raw = Vec::new();
    stream.read_to_end(&mut raw).await?;
    Ok(parse(&raw))
}

/// An HTTP/2 connection.
pub struct Http2 {
    /// Sends requests.
    pub sender: SendRequest<bytes::Bytes>,
    /// The result when the connection ends.
    pub ended: JoinHandle<Result<(), h2::Error>>,
}

impl Http2 {
    /// Connects without TLS, with prior knowledge.
    pub async fn connect(address: &str) -> Self {
        Self::on(TcpStream::connect(address.parse::<SocketAddr>().unwrap()).await.unwrap()).await
    }

    /// Starts HTTP/2 on this stream.
    pub async fn on(stream: impl AsyncRead + AsyncWrite + Unpin + Send + 'static) -> Self {
        let mut builder = h2::client::Builder::new();
        // This many requests may start before the server has announced its limit.
        builder.initial_max_send_streams(100);
        let (sender, connection) = builder.handshake(stream).await.unwrap();
        Self { sender, ended: tokio::spawn(connection) }
    }
}
