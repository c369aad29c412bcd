//! In-flight tracking of a connection's requests: which are in progress, and whether their bodies were read.

use std::convert::Infallible;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::task::{Context, Poll};

use axum::Router;
use axum::body::{Body, Bytes, HttpBody};
use futures::FutureExt;
use futures::future::BoxFuture;
use hyper::body::{Frame, Incoming, SizeHint};
use hyper::{Request, Response};
use tokio::sync::Notify;
use tower::ServiceExt;

use super::host;
use super::pace::Pace;
use super::peer::{Peer, Refusal};

/// Bytes of a response passed to HTTP/2 at once, which limits what a stalled client leaves buffered.
const PIECE: usize = 16 << 10;

/// The requests of a connection.
#[derive(Default)]
pub struct Flow {
    under_way: AtomicUsize,
    begun: AtomicUsize,
    unread: AtomicUsize,
    /// Notified when the connection should end as soon as it is idle.
    pub close: Notify,
}

impl Flow {
    /// Returns whether a request or its response is in progress.
    pub fn is_busy(&self) -> bool {
        self.under_way.load(Ordering::Acquire) > 0
    }

    /// Returns the number of requests so far.
    pub fn begun(&self) -> usize {
        self.begun.load(Ordering::Acquire)
    }

    /// Returns whether a request body was left unread.
    pub fn left_unread(&self) -> bool {
        self.unread.load(Ordering::Acquire) > 0
    }
}

/// Counts a request as in progress until dropped.
struct UnderWay(Arc<Flow>);

impl UnderWay {
    fn begin(flow: &Arc<Flow>) -> Self {
        flow.under_way.fetch_add(1, Ordering::AcqRel);
        flow.begun.fetch_add(1, Ordering::AcqRel);
        Self(Arc::clone(flow))
    }
}

impl Drop for UnderWay {
    fn drop(&mut self) {
        self.0.under_way.fetch_sub(1, Ordering::AcqRel);
    }
}

/// Passes the requests of a connection to the router.
#[derive(Clone)]
pub struct Requests {
    /// The router.
    pub router: Router,
    /// The client.
    pub peer: Peer,
    /// Why all requests are refused, if they are.
    pub refusal: Option<Refusal>,
    /// Whether the connection ends with the first response.
    pub last: bool,
    /// The requests of the connection.
    pub flow: Arc<Flow>,
}

impl hyper::service::Service<Request<Incoming>> for Requests {
    type Response = Response<Answer>;
    type Error = Infallible;
    type Future = BoxFuture<'static, Result<Response<Answer>, Infallible>>;

    fn call(&self, request: Request<Incoming>) -> Self::Future {
        // Count before the first poll, because the reader of the connection checks at once.
        let under_way = UnderWay::begin(&self.flow);
        let flow = &self.flow;
        let mut request = request.map(|body| match body.is_end_stream() {
            true => Body::empty(),
            false => Body::new(Sent { body, ended: false, flow: Arc::clone(flow) }),
        });
        request.extensions_mut().insert(self.peer);
        if let Some(refusal) = self.refusal.or_else(|| host::fault(&request)) {
            request.extensions_mut().insert(refusal);
        }
        if self.last {
            self.flow.close.notify_one();
        }
        let answered = self.router.clone().oneshot(request);
        async move {
            let response = answered.await?;
            let pace = Pace::of_task();
            Ok(response.map(|body| Answer { body, rest: Bytes::new(), pace, _under_way: under_way }))
        }
        .boxed()
    }
}

/// The body of a request.
struct Sent {
    body: Incoming,
    ended: bool,
    flow: Arc<Flow>,
}

impl HttpBody for Sent {
    type Data = Bytes;
    type Error = hyper::Error;

    fn poll_frame(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Result<Frame<Bytes>, hyper::Error>>> {
        let frame = Pin::new(&mut self.body).poll_frame(cx);
        self.ended |= matches!(frame, Poll::Ready(None)) || self.body.is_end_stream();
        frame
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}

impl Drop for Sent {
    fn drop(&mut self) {
        if !self.ended {
            self.flow.unread.fetch_add(1, Ordering::AcqRel);
        }
    }
}

/// The body of a response.
pub struct Answer {
    body: Body,
    /// The rest of a frame that is sent in pieces.
    rest: Bytes,
    /// The write timeout of an HTTP/2 response.
    pace: Option<Arc<Pace>>,
    _under_way: UnderWay,
}

impl Answer {
    /// Returns the first piece of `data`, and keeps the rest.
    fn piece(&mut self, mut data: Bytes) -> Bytes {
        let Some(pace) = &self.pace else { return data };
        pace.offered();
        if data.len() > PIECE {
            self.rest = data.split_off(PIECE);
        }
        data
    }
}

impl HttpBody for Answer {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        if let Some(pace) = &self.pace {
            pace.taken();
        }
        if !self.rest.is_empty() {
            let rest = std::mem::take(&mut self.rest);
            return Poll::Ready(Some(Ok(Frame::data(self.piece(rest)))));
        }
        Pin::new(&mut self.body).poll_frame(cx).map(|frame| match frame? {
            Ok(frame) => Some(Ok(match frame.into_data() {
                Ok(data) => Frame::data(self.piece(data)),
                Err(other) => other,
            })),
            Err(e) => Some(Err(e)),
        })
    }

    fn is_end_stream(&self) -> bool {
        self.rest.is_empty() && self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        let rest = self.rest.len() as u64;
        let mut hint = self.body.size_hint();
        if let Some(upper) = hint.upper() {
            hint.set_upper(upper + rest);
        }
        hint.set_lower(hint.lower() + rest);
        hint
    }
}
