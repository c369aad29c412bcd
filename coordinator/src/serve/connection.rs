//! Handles one connection from its first byte to its last.

use std::net::IpAddr;
use std::pin::Pin;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::body::Bytes;
use hyper::server::conn::{http1, http2};
use hyper_util::rt::{TokioIo, TokioTimer};
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite};
use tokio::net::TcpStream;
use tokio::time::{sleep, timeout};
use tokio_util::sync::CancellationToken;

use super::answer::Answers;
use super::flow::{Flow, Requests};
use super::gate::Slot;
use super::pace::Paced;
use super::peer::{Peer, Refusal};
use super::socket::{Home, Socket, hear_out};
use super::tls::{HTTP2, Tls};
use super::watched::{FIRST_BYTE_TIME, HEADER_TIME, Watched};

/// Timeout of a TLS handshake.
const HANDSHAKE_TIME: Duration = Duration::from_secs(10);
/// Timeout of a connection that is refused because there are too many.
const CROWD_TIME: Duration = Duration::from_secs(5);
/// Timeout for the first byte of a connection that was opened while the service was told to stop.
const STOP_TIME: Duration = Duration::from_millis(250);
/// Timeout for an idle connection to end after it was told to.
const ENDING_TIME: Duration = Duration::from_secs(10);

/// HTTP/1 buffer size in bytes: limits a request's head and the buffered part of a body.
const BUFFER: usize = 64 << 10;
/// Maximum size in bytes of a request's head in HTTP/2, as RFC 9113, 6.5.2 counts it.
const HEADER_LIST: u32 = 64 << 10;
/// Maximum number of concurrent requests per HTTP/2 connection.
const STREAMS: u32 = 100;
/// Maximum number of requests that an HTTP/2 client may reset before they are accepted. Beyond that the connection is
/// closed (CVE-2023-44487).
const TAKEN_BACK: usize = 20;
/// Maximum number of HTTP/2 streams that the server resets for a client's errors. Beyond that the connection is closed
/// (CVE-2025-8671).
const FAULTS: usize = 100;
/// Bytes of a response that an HTTP/2 connection buffers for writing.
const SEND_BUFFER: usize = 64 << 10;
/// Interval of HTTP/2 pings, and the timeout for the client's reply.
const PING: (Duration, Duration) = (Duration::from_secs(30), Duration::from_secs(20));

/// The first bytes of HTTP/2 with prior knowledge (RFC 9113, 3.4).
const PREFACE: &[u8; 24] = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";
/// The first byte of TLS: a handshake record.
const TLS_RECORD: u8 = 0x16;

/// What the connections of a listener share.
pub struct Shared {
    /// The router.
    pub router: Router,
    /// Certificate and key, if the listener uses TLS.
    pub tls: Option<Arc<Tls>>,
    /// Whether the router creates refusals.
    pub refusals: bool,
    /// Cancelled when no new requests are accepted.
    pub stop: CancellationToken,
    /// Cancelled when all connections must end.
    pub cut: CancellationToken,
}

/// An accepted connection.
pub struct Connection {
    shared: Arc<Shared>,
    peer: IpAddr,
    slot: Slot,
    crowded: bool,
}

/// Whether the client may still be sending.
enum Ended {
    Over,
    Sending,
}

/// An HTTP connection of hyper.
trait Speaker: Future<Output = hyper::Result<()>> {
    /// Shuts down gracefully, once no request is in progress.
    fn finish(self: Pin<&mut Self>);
}

impl<S: AsyncRead + AsyncWrite + Unpin + 'static> Speaker for http1::Connection<TokioIo<S>, Requests> {
    fn finish(self: Pin<&mut Self>) {
        self.graceful_shutdown();
    }
}

impl<S: AsyncRead + AsyncWrite + Unpin + 'static> Speaker for http2::Connection<TokioIo<S>, Requests, Paced> {
    fn finish(self: Pin<&mut Self>) {
        self.graceful_shutdown();
    }
}

impl Connection {
    /// Creates a connection of this client.
    pub fn new(shared: Arc<Shared>, peer: IpAddr, slot: Slot, crowded: bool) -> Self {
        Self { shared, peer, slot, crowded }
    }

    /// Serves the connection to its end.
    pub async fn run(self, stream: TcpStream) {
        // Send small responses at once.
        let _ = stream.set_nodelay(true);
        let home = Home::default();
        let whole = async {
            let ended = match self.crowded {
                true => timeout(CROWD_TIME, self.serve(stream, &home)).await.unwrap_or(Ended::Sending),
                false => self.serve(stream, &home).await,
            };
            if let (Ended::Sending, Some(stream)) = (ended, home.take()) {
                hear_out(stream).await;
            }
        };
        tokio::select! {
            () = whole => {}
            () = self.shared.cut.cancelled() => {}
        }
        drop(self.slot);
    }

    async fn serve(&self, stream: TcpStream, home: &Home) -> Ended {
        let mut first = [0];
        let spoke = tokio::select! {
            spoke = timeout(FIRST_BYTE_TIME, stream.peek(&mut first)) => spoke,
            () = self.stopped() => return Ended::Over,
        };
        // The client is silent, gone, or the connection is broken.
        let Ok(Ok(1)) = spoke else { return Ended::Over };
        let mut refusal = self.crowded.then_some(Refusal::TooManyConnections);
        let mut socket = Socket::lend(stream, home.clone());
        match &self.shared.tls {
            Some(tls) if first[0] == TLS_RECORD => {
                let Ok(Ok(stream)) = timeout(HANDSHAKE_TIME, tls.acceptor().accept(socket)).await else {
                    return Ended::Sending;
                };
                match stream.get_ref().1.alpn_protocol() == Some(HTTP2) {
                    true => self.http2(stream, Bytes::new(), refusal).await,
                    false => self.http1(stream, Bytes::new(), refusal).await,
                }
            }
            Some(_) if !self.shared.refusals => Ended::Sending,
            encrypted => {
                if encrypted.is_some() {
                    refusal = Some(Refusal::NotEncrypted);
                }
                match timeout(HEADER_TIME, beginning(&mut socket)).await {
                    Ok(Ok((true, before))) => self.http2(socket, before, refusal).await,
                    Ok(Ok((false, before))) => self.http1(socket, before, refusal).await,
                    _ => Ended::Sending,
                }
            }
        }
    }

    /// Returns shortly after the service was told to stop.
    async fn stopped(&self) {
        self.shared.stop.cancelled().await;
        sleep(STOP_TIME).await;
    }

    fn requests(&self, refusal: Option<Refusal>, flow: &Arc<Flow>) -> Requests {
        Requests {
            router: self.shared.router.clone(),
            peer: Peer(self.peer),
            refusal,
            last: refusal.is_some() || self.shared.stop.is_cancelled(),
            flow: Arc::clone(flow),
        }
    }

    async fn http1<S>(&self, io: S, before: Bytes, refusal: Option<Refusal>) -> Ended
    where
        S: AsyncRead + AsyncWrite + Unpin + Send + 'static,
    {
        let flow = Arc::<Flow>::default();
        let requests = self.requests(refusal, &flow);
        let answers = || Answers { router: self.shared.router.clone(), peer: Peer(self.peer) };
        let io = Watched::http1(io, before, Arc::clone(&flow), self.shared.refusals.then(answers));
        let mut builder = http1::Builder::new();
        // `Watched` enforces the timeouts.
        builder.timer(TokioTimer::new()).header_read_timeout(None);
        builder.max_buf_size(BUFFER).keep_alive(!requests.last);
        let last = requests.last;
        self.drive(Box::pin(builder.serve_connection(TokioIo::new(io), requests)), &flow, last).await
    }

    async fn http2<S>(&self, io: S, before: Bytes, refusal: Option<Refusal>) -> Ended
    where
        S: AsyncRead + AsyncWrite + Unpin + Send + 'static,
    {
        let flow = Arc::<Flow>::default();
        let requests = self.requests(refusal, &flow);
        let io = Watched::http2(io, before, Arc::clone(&flow));
        let mut builder = http2::Builder::new(Paced::default());
        builder
            .timer(TokioTimer::new())
            .keep_alive_interval(PING.0)
            .keep_alive_timeout(PING.1)
            .max_concurrent_streams(STREAMS)
            .max_header_list_size(HEADER_LIST)
            .max_pending_accept_reset_streams(TAKEN_BACK)
            .max_local_error_reset_streams(FAULTS)
            .max_send_buf_size(SEND_BUFFER);
        let last = requests.last;
        self.drive(Box::pin(builder.serve_connection(TokioIo::new(io), requests)), &flow, last).await
    }

    /// Drives the connection until it ends, by itself or because it was told to.
    async fn drive(&self, mut speaker: Pin<Box<impl Speaker>>, flow: &Flow, last: bool) -> Ended {
        // A connection that ends with its first response must still send that response.
        let mut told = last;
        let ended = loop {
            tokio::select! {
                biased;
                ended = speaker.as_mut() => break ended,
                () = flow.close.notified() => {
                    speaker.as_mut().finish();
                    if flow.is_busy() {
                        told = true;
                        continue;
                    }
                    match timeout(ENDING_TIME, speaker.as_mut()).await {
                        Ok(ended) => break ended,
                        Err(_) => return Ended::Over,
                    }
                }
                () = self.shared.stop.cancelled(), if !told => {
                    told = true;
                    speaker.as_mut().finish();
                }
            }
        };
        if let Err(e) = &ended {
            // The client disconnected or did not speak HTTP.
            tracing::debug!(error = %e, peer = %self.peer, "connection ended early");
        }
        if last || ended.is_err() || flow.left_unread() { Ended::Sending } else { Ended::Over }
    }
}

/// Reads until it is clear whether the client speaks HTTP/2. Returns that, and the bytes read.
async fn beginning(io: &mut Socket) -> std::io::Result<(bool, Bytes)> {
    let mut read = [0; PREFACE.len()];
    let mut n = 0;
    while n < read.len() && read[..n] == PREFACE[..n] {
        match io.read(&mut read[n..]).await? {
            0 => break,
            more => n += more,
        }
    }
    Ok((read == *PREFACE, Bytes::copy_from_slice(&read[..n])))
}
