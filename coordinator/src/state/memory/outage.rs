//! Tracks since when every upload to the object store has failed, so that a job that fails late in an outage doesn't
//! wait the full time again.

use parking_lot::Mutex;

use crate::clock::Millis;

/// Failures further apart than this belong to different outages: jobs that wait for the store retry more often.
const APART_S: u64 = 60;

/// The current run of failures that workers reported.
#[derive(Debug, Default)]
pub(in crate::state) struct Outage(Mutex<Option<Span>>);

#[derive(Debug, Clone, Copy)]
struct Span {
    since: Millis,
    last: Millis,
}

impl Outage {
    /// Returns when the current run of failures started, assuming a failure at `now`.
    pub(in crate::state) fn since(&self, now: Millis) -> Millis {
        self.0.lock().filter(|span| now <= span.last.plus_seconds(APART_S)).map_or(now, |span| span.since)
    }

    /// Records a failure.
    pub(in crate::state) fn failed(&self, now: Millis) {
        let since = self.since(now);
        *self.0.lock() = Some(Span { since, last: now });
    }

    /// Ends the outage: a worker stored an object.
    pub(in crate::state) fn ended(&self) {
        *self.0.lock() = None;
    }
}
