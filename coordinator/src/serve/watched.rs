//! Timeouts of a connection, below hyper: detects clients that keep the connection open without using it or send a
//! request one byte at a time. It also replaces hyper's bare error responses by responses in the API's format.

use std::io;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};
use std::time::Duration;

use axum::body::Bytes;
use futures::FutureExt;
use futures::future::BoxFuture;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::time::{Instant, Sleep, sleep_until};

use super::answer::{Answers, own_of_hyper};
use super::flow::Flow;
use super::peer::Refusal;

/// Timeout for a request's head to arrive, from its first byte.
pub const HEADER_TIME: Duration = Duration::from_secs(10);
/// Timeout for the first byte of a connection.
pub const FIRST_BYTE_TIME: Duration = Duration::from_secs(10);
/// Timeout of a connection without requests.
pub const IDLE_TIME: Duration = Duration::from_secs(75);

/// State of the connection, with the deadline of that state.
#[derive(Debug, Clone, Copy)]
enum Phase {
    /// No request is in progress.
    Idle(Instant),
    /// A request's head has started to arrive. HTTP/1 only: HTTP/2 limits its heads itself.
    Head(Instant),
    /// Requests are in progress. At the deadline they are checked again.
    Busy(Instant),
    /// The connection was told to end.
    Ending,
}

/// State of an error response that replaces hyper's.
enum Own {
    None,
    Asked(BoxFuture<'static, Vec<u8>>),
    Writing(Vec<u8>, usize),
    Written,
}

/// A connection with timeouts.
pub struct Watched<S> {
    io: S,
    /// Bytes that were already read from it.
    before: Bytes,
    flow: Arc<Flow>,
    /// Number of requests at the last check.
    begun: usize,
    phase: Phase,
    /// May fire early and is then reset, because most requests end long before it.
    timer: Option<Pin<Box<Sleep>>>,
    /// Whether the arriving head has got beyond its first line.
    lined: bool,
    /// Creates error responses. HTTP/1 only, and only if the router creates refusals.
    answers: Option<Answers>,
    own: Own,
    is_http2: bool,
}

impl<S: AsyncRead + AsyncWrite + Unpin> Watched<S> {
    /// Creates an HTTP/1 connection. `before` are the bytes already read.
    pub fn http1(io: S, before: Bytes, flow: Arc<Flow>, answers: Option<Answers>) -> Self {
        let phase = match before.is_empty() {
            true => Phase::Idle(Instant::now() + FIRST_BYTE_TIME),
            false => Phase::Head(Instant::now() + HEADER_TIME),
        };
        let lined = before.contains(&b'\n');
        Self { io, before, flow, begun: 0, phase, timer: None, lined, answers, own: Own::None, is_http2: false }
    }

    /// Creates an HTTP/2 connection. `before` are the bytes already read.
    pub fn http2(io: S, before: Bytes, flow: Arc<Flow>) -> Self {
        let phase = Phase::Idle(Instant::now() + IDLE_TIME);
        let (answers, own) = (None, Own::None);
        Self { io, before, flow, begun: 0, phase, timer: None, lined: false, answers, own, is_http2: true }
    }

    /// Updates the state for requests that started or ended.
    fn look(&mut self) {
        let (begun, busy) = (self.flow.begun(), self.flow.is_busy());
        let soon = Instant::now() + IDLE_TIME;
        self.phase = match self.phase {
            Phase::Ending => Phase::Ending,
            _ if busy && (begun != self.begun || !matches!(self.phase, Phase::Busy(_))) => Phase::Busy(soon),
            Phase::Busy(_) if !busy => Phase::Idle(soon),
            _ if begun != self.begun => Phase::Idle(soon),
            as_before => as_before,
        };
        if begun != self.begun {
            self.begun = begun;
            self.lined = false;
        }
    }

    fn heard(&mut self, bytes: &[u8]) {
        if self.is_http2 || bytes.is_empty() {
            return;
        }
        if let Phase::Idle(_) = self.phase {
            self.phase = Phase::Head(Instant::now() + HEADER_TIME);
            self.lined = false;
        }
        if let Phase::Head(_) = self.phase {
            self.lined |= bytes.contains(&b'\n');
        }
    }

    /// Waits for the deadline of the state and acts on it. Ready if nothing more is to be read.
    fn poll_time(&mut self, cx: &mut Context<'_>) -> Poll<()> {
        loop {
            let (Phase::Idle(until) | Phase::Head(until) | Phase::Busy(until)) = self.phase else {
                return Poll::Pending;
            };
            let timer = self.timer.get_or_insert_with(|| Box::pin(sleep_until(until)));
            if timer.deadline() > until {
                timer.as_mut().reset(until);
            }
            ready!(timer.as_mut().poll(cx));
            if timer.deadline() < until {
                timer.as_mut().reset(until);
                continue;
            }
            match self.phase {
                Phase::Head(_) => {
                    self.refuse(Refusal::HeadTimeout);
                    return Poll::Ready(());
                }
                Phase::Idle(_) => {
                    self.phase = Phase::Ending;
                    self.flow.close.notify_one();
                }
                // The requests ended without waking this task, or are still in progress.
                Phase::Busy(_) if self.flow.is_busy() => self.phase = Phase::Busy(Instant::now() + IDLE_TIME),
                _ => self.look(),
            }
        }
    }

    fn refuse(&mut self, refusal: Refusal) {
        self.phase = Phase::Ending;
        self.own = match &self.answers {
            Some(answers) => Own::Asked(answers.to(refusal)),
            None => Own::Written,
        };
    }

    /// Returns whether `written` is a response that hyper sends by itself. If so, replaces it.
    fn is_bare(&mut self, written: &[u8]) -> bool {
        if self.answers.is_none() || self.flow.is_busy() {
            return false;
        }
        let Some(mut refusal) = own_of_hyper(written) else { return false };
        if refusal == Refusal::HeadersTooLarge && !self.lined {
            refusal = Refusal::UriTooLong;
        }
        self.refuse(refusal);
        true
    }

    /// Writes the replacement response, if there is one.
    fn poll_own(&mut self, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        loop {
            match &mut self.own {
                Own::None | Own::Written => return Poll::Ready(Ok(())),
                Own::Asked(answer) => {
                    let answer = ready!(answer.poll_unpin(cx));
                    self.own = Own::Writing(answer, 0);
                }
                Own::Writing(answer, at) if *at < answer.len() => {
                    let n = ready!(Pin::new(&mut self.io).poll_write(cx, &answer[*at..]))?;
                    if n == 0 {
                        return Poll::Ready(Err(io::ErrorKind::WriteZero.into()));
                    }
                    *at += n;
                }
                Own::Writing(..) => {
                    ready!(Pin::new(&mut self.io).poll_flush(cx))?;
                    self.own = Own::Written;
                }
            }
        }
    }
}

impl<S: AsyncRead + AsyncWrite + Unpin> AsyncRead for Watched<S> {
    fn poll_read(mut self: Pin<&mut Self>, cx: &mut Context<'_>, buf: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        let this = &mut *self;
        this.look();
        if !this.before.is_empty() {
            let n = this.before.len().min(buf.remaining());
            buf.put_slice(&this.before.split_to(n));
            return Poll::Ready(Ok(()));
        }
        if matches!(this.own, Own::None) {
            let filled = buf.filled().len();
            if let Poll::Ready(read) = Pin::new(&mut this.io).poll_read(cx, buf) {
                this.heard(&buf.filled()[filled..]);
                return Poll::Ready(read);
            }
            ready!(this.poll_time(cx));
        }
        ready!(this.poll_own(cx))?;
        Poll::Ready(Err(io::ErrorKind::TimedOut.into()))
    }
}

impl<S: AsyncRead + AsyncWrite + Unpin> AsyncWrite for Watched<S> {
    fn poll_write(mut self: Pin<&mut Self>, cx: &mut Context<'_>, buf: &[u8]) -> Poll<io::Result<usize>> {
        if !matches!(self.own, Own::None) || self.is_bare(buf) {
            return Poll::Ready(Ok(buf.len()));
        }
        Pin::new(&mut self.io).poll_write(cx, buf)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        bufs: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let only = || bufs.iter().find(|b| !b.is_empty()).map_or(&[][..], |b| b);
        if !matches!(self.own, Own::None) || self.is_bare(only()) {
            return Poll::Ready(Ok(bufs.iter().map(|b| b.len()).sum()));
        }
        Pin::new(&mut self.io).poll_write_vectored(cx, bufs)
    }

    fn is_write_vectored(&self) -> bool {
        self.io.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        ready!(self.poll_own(cx))?;
        Pin::new(&mut self.io).poll_flush(cx)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        ready!(self.poll_own(cx))?;
        Pin::new(&mut self.io).poll_shutdown(cx)
    }
}
