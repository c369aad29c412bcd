//! A connection as hyper sees it: watched for clients that keep it open without using it or send their request one byte
//! at a time, and with answers in the contract's shape where hyper gives bare ones.

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
use crate::api::Refusal;

/// Time for a request's head to arrive, from its first byte on.
pub const HEADER_TIME: Duration = Duration::from_secs(10);
/// Time for the first byte of a connection.
pub const FIRST_BYTE_TIME: Duration = Duration::from_secs(10);
/// Time that a connection may stay without a request.
pub const IDLE_TIME: Duration = Duration::from_secs(75);

/// Where a connection stands, and until when.
#[derive(Debug, Clone, Copy)]
enum Phase {
    /// Nothing is under way.
    Idle(Instant),
    /// A head has begun to arrive. Of HTTP/1 only: HTTP/2 bounds its heads by itself.
    Head(Instant),
    /// Requests are under way; it is looked at again then.
    Busy(Instant),
    /// It was told to end.
    Ending,
}

/// An answer of ours.
enum Own {
    None,
    Asked(BoxFuture<'static, Vec<u8>>),
    Writing(Vec<u8>, usize),
    Written,
}

/// The connection.
pub struct Watched<S> {
    io: S,
    /// Read from it already.
    before: Bytes,
    flow: Arc<Flow>,
    /// Requests when last looked at.
    begun: usize,
    phase: Phase,
    /// May fire early, and is then set anew: most requests end long before it.
    timer: Option<Pin<Box<Sleep>>>,
    /// Whether the head that is arriving has got beyond its first line.
    lined: bool,
    /// Of HTTP/1, where the router knows how to refuse.
    answers: Option<Answers>,
    own: Own,
    is_http2: bool,
}

impl<S: AsyncRead + AsyncWrite + Unpin> Watched<S> {
    /// HTTP/1, of which `before` was read already.
    pub fn http1(io: S, before: Bytes, flow: Arc<Flow>, answers: Option<Answers>) -> Self {
        let phase = match before.is_empty() {
            true => Phase::Idle(Instant::now() + FIRST_BYTE_TIME),
            false => Phase::Head(Instant::now() + HEADER_TIME),
        };
        let lined = before.contains(&b'\n');
        Self { io, before, flow, begun: 0, phase, timer: None, lined, answers, own: Own::None, is_http2: false }
    }

    /// HTTP/2, of which `before` was read already.
    pub fn http2(io: S, before: Bytes, flow: Arc<Flow>) -> Self {
        let phase = Phase::Idle(Instant::now() + IDLE_TIME);
        let (answers, own) = (None, Own::None);
        Self { io, before, flow, begun: 0, phase, timer: None, lined: false, answers, own, is_http2: true }
    }

    /// Notices requests that began or ended.
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

    /// Waits for the end of the phase, and does what is then to be done. Ready where nothing more is to be read.
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
                // Over with nothing that woke this, or still at it.
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

    /// Whether `written` is an answer that hyper gives by itself: then it is ours to give.
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

    /// Writes our own answer, where there is one.
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
