//! Counts request bodies against the byte budget while they are read.

use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::task::{Context, Poll, ready};

use axum::body::{Body, Bytes, HttpBody};
use axum::extract::Request;
use axum::response::{IntoResponse, Response};
use hyper::body::{Frame, SizeHint};
use parking_lot::Mutex;

use super::error::ApiError;
use super::json::{FILE_BODY_BYTES, STRANGERS_BODY_BYTES};
use crate::budget::{Budget, Holder, Share, UsedUp};

/// Bytes by which a share grows at a time if the request declares no length.
const STEP: u64 = 64 << 10;
/// The byte budget share of a request's body. It lives as long as the request.
#[derive(Debug, Clone)]
pub(crate) struct Meter(Arc<Metering>);

#[derive(Debug)]
struct Metering {
    share: Mutex<Share>,
    refused: AtomicBool,
    /// Whether to reserve the declared length in advance. Not for unauthenticated senders, who could exhaust the budget
    /// with declarations alone.
    in_advance: bool,
    /// The share stops growing at this size: later bytes are discarded as they arrive, so they take no memory.
    most: u64,
}

impl Meter {
    /// Wraps the body of `request`, so that it is counted as its handler reads it.
    pub(crate) fn over(request: Request, budget: &Budget, holder: Holder) -> (Request, Self) {
        let is_stranger = holder == Holder::Strangers;
        let most = if is_stranger { STRANGERS_BODY_BYTES } else { FILE_BODY_BYTES } as u64;
        let (share, refused) = (Mutex::new(budget.share(holder)), AtomicBool::new(false));
        let meter = Self(Arc::new(Metering { share, refused, in_advance: !is_stranger, most }));
        if request.body().is_end_stream() {
            return (request, meter);
        }
        let metered = |body| Body::new(Metered { body, seen: None, meter: meter.clone() });
        (request.map(metered), meter)
    }

    /// Returns the response, or 503 if the budget refused the body, however the handler reported that.
    pub(crate) fn settle(&self, response: Response) -> Response {
        if self.0.refused.load(Ordering::Acquire) { ApiError::Busy.into_response() } else { response }
    }

    fn grow_to(&self, bytes: u64) -> Result<(), axum::Error> {
        let mut share = self.0.share.lock();
        share.grow_to(bytes).map_err(|used_up: UsedUp| {
            self.0.refused.store(true, Ordering::Release);
            axum::Error::new(used_up)
        })
    }

    fn bytes(&self) -> u64 {
        self.0.share.lock().bytes()
    }
}

/// The wrapped body.
struct Metered {
    body: Body,
    /// Number of bytes received; `None` before the first poll.
    seen: Option<u64>,
    meter: Meter,
}

impl HttpBody for Metered {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        let this = &mut *self;
        if this.seen.is_none() {
            this.seen = Some(0);
            // Reserved before the first byte is read: a client that waits for 100 (Continue) then does not send a body
            // in vain.
            let declared = this.body.size_hint().exact().filter(|_| this.meter.0.in_advance);
            if let Err(refused) = declared.map_or(Ok(()), |bytes| this.meter.grow_to(bytes.min(this.meter.0.most))) {
                return Poll::Ready(Some(Err(refused)));
            }
        }
        let Some(frame) = ready!(Pin::new(&mut this.body).poll_frame(cx)) else { return Poll::Ready(None) };
        let frame = frame?;
        let seen = this.seen.unwrap_or(0) + frame.data_ref().map_or(0, |data| data.len() as u64);
        this.seen = Some(seen);
        let most = this.meter.0.most;
        if seen > this.meter.bytes() && seen <= most {
            this.meter.grow_to(seen.next_multiple_of(STEP).min(most))?;
        }
        Poll::Ready(Some(Ok(frame)))
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}
