//! Since when the object store has failed everybody: what comes to it late has not to wait for as long again.

use std::sync::{Mutex, MutexGuard, PoisonError};

use crate::clock::Millis;

/// Failures further apart than this are not one outage: jobs that wait for the store come to it more often.
const APART_S: u64 = 60;

/// What workers said of the store lately.
#[derive(Debug, Default)]
pub(super) struct Outage(Mutex<Option<Span>>);

#[derive(Debug, Clone, Copy)]
struct Span {
    since: Millis,
    last: Millis,
}

impl Outage {
    /// Since when there has been nothing but failures, with one now.
    pub(super) fn since(&self, now: Millis) -> Millis {
        self.span().filter(|span| now <= span.last.plus_seconds(APART_S)).map_or(now, |span| span.since)
    }

    /// Notes a failure.
    pub(super) fn failed(&self, now: Millis) {
        let since = self.since(now);
        *self.span() = Some(Span { since, last: now });
    }

    /// Notes that something was stored.
    pub(super) fn ended(&self) {
        *self.span() = None;
    }

    fn span(&self) -> MutexGuard<'_, Option<Span>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
