//! One connection, from its first byte to its last.

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
use super::socket::{Home, Socket, hear_out};
use super::tls::{HTTP2, Tls};
use super::watched::{FIRST_BYTE_TIME, HEADER_TIME, Watched};
use crate::api::{Peer, Refusal};

/// Time for a TLS handshake.
const HANDSHAKE_TIME: Duration = Duration::from_secs(10);
/// Time for a connection that is told that there are too many.
const CROWD_TIME: Duration = Duration::from_secs(5);
/// Time for the first byte of a connection that was made as the service was told to stop.
const STOP_TIME: Duration = Duration::from_millis(250);
/// Time for a connection to end once it was told to and nothing is under way.
const ENDING_TIME: Duration = Duration::from_secs(10);

/// Bytes of a request's head, and of what is held of a body or an answer, in HTTP/1.
const BUFFER: usize = 64 << 10;
/// Bytes of a request's head in HTTP/2, as its RFC counts them (9113, 6.5.2).
const HEADER_LIST: u32 = 64 << 10;
/// Requests at once on a connection of HTTP/2.
const STREAMS: u32 = 100;
/// Requests of a connection of HTTP/2 that the client took back before they were looked at; beyond, the connection is
/// ended (CVE-2023-44487).
const TAKEN_BACK: usize = 20;
/// Streams of a connection of HTTP/2 that were reset here for the client's faults; beyond, it is ended (CVE-2025-8671).
const FAULTS: usize = 100;
/// Bytes of an answer that a connection of HTTP/2 holds until they are written.
const SEND_BUFFER: usize = 64 << 10;
/// Between two looks whether a client of HTTP/2 is still there, and time for it to say so.
const PING: (Duration, Duration) = (Duration::from_secs(30), Duration::from_secs(20));

/// The first bytes of HTTP/2 where nobody agreed on it before (RFC 9113, 3.4).
const PREFACE: &[u8; 24] = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";
/// The first byte of TLS: a record of a handshake.
const TLS_RECORD: u8 = 0x16;

/// What the connections of a listener share.
pub struct Shared {
    /// What answers.
    pub router: Router,
    /// Certificate and key, where TLS is spoken.
    pub tls: Option<Arc<Tls>>,
    /// Whether the router knows how to refuse.
    pub refusals: bool,
    /// Cancelled once nothing new is to begin.
    pub stop: CancellationToken,
    /// Cancelled once everything is to end.
    pub cut: CancellationToken,
}

/// A connection that was accepted.
pub struct Connection {
    shared: Arc<Shared>,
    peer: IpAddr,
    slot: Slot,
    crowded: bool,
}

/// Whether the peer may still be sending.
enum Ended {
    Over,
    Sending,
}

/// What speaks HTTP.
trait Speaker: Future<Output = hyper::Result<()>> {
    /// Ends it once nothing is under way.
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
    /// A connection of this peer.
    pub fn new(shared: Arc<Shared>, peer: IpAddr, slot: Slot, crowded: bool) -> Self {
        Self { shared, peer, slot, crowded }
    }

    /// Serves it to its end.
    pub async fn run(self, stream: TcpStream) {
        // Small answers go out at once.
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
        // Silent, gone, or broken.
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

    /// Ends shortly after the service was told to stop.
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
        // The watch keeps the time.
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

    /// Lets it speak until it has ended, by itself or because it was told to.
    async fn drive(&self, mut speaker: Pin<Box<impl Speaker>>, flow: &Flow, last: bool) -> Ended {
        // One that ends with its first answer must give that first.
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
            // The client went away or spoke something that isn't HTTP.
            tracing::debug!(error = %e, peer = %self.peer, "a connection ended early");
        }
        if last || ended.is_err() || flow.left_unread() { Ended::Sending } else { Ended::Over }
    }
}

/// Reads until it is seen whether this is HTTP/2; returns that, and what was read.
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
