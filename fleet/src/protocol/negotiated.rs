//! The negotiated protocol version of a worker: its own, or the previous one if the coordinator is older.

use std::sync::Arc;
use std::time::Duration;

use parking_lot::Mutex;
use tokio::time::Instant;

use super::{LEASE_S, PROTOCOL_VERSION};

/// After this long without an answer, the coordinator may have been replaced by one of another version.
const FORGET_AFTER: Duration = Duration::from_secs(LEASE_S);

/// The negotiated protocol version. Clones share it.
#[derive(Debug, Clone, Default)]
pub struct NegotiatedVersion(Arc<Mutex<Answered>>);

#[derive(Debug, Default)]
struct Answered {
    /// `None` until the coordinator has answered.
    version: Option<u8>,
    /// When the first request since the last answer was sent.
    unanswered: Option<Instant>,
}

impl NegotiatedVersion {
    /// Returns the version to use: this process's own until the coordinator has answered.
    pub fn version(&self) -> u8 {
        self.known().unwrap_or(PROTOCOL_VERSION)
    }

    /// Returns the negotiated version; `None` until the coordinator has answered.
    pub fn known(&self) -> Option<u8> {
        self.with(|state| state.version)
    }

    /// Records the coordinator's own version. If it is neither this version nor the previous one, the worker uses the
    /// nearest of the two, and the coordinator answers that it can't read the message.
    pub fn record_answer(&self, version: u8) {
        let near = version.clamp(PROTOCOL_VERSION - 1, PROTOCOL_VERSION);
        let before = self.with(|state| {
            state.unanswered = None;
            state.version.replace(near)
        });
        if before != Some(near) && near != PROTOCOL_VERSION {
            tracing::warn!(version, own = PROTOCOL_VERSION, "using the previous protocol version: older coordinator");
        }
    }

    /// Records that a request is about to be sent. Forgets the coordinator's version if earlier requests have had no
    /// answer for [`LEASE_S`] seconds.
    pub fn record_request(&self) {
        self.with(|state| {
            if state.unanswered.get_or_insert_with(Instant::now).elapsed() >= FORGET_AFTER {
                *state = Answered::default();
            }
        });
    }

    fn with<T>(&self, f: impl FnOnce(&mut Answered) -> T) -> T {
        f(&mut self.0.lock())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_coordinators_version_is_used_where_it_is_near() {
        let negotiated = NegotiatedVersion::default();
        assert_eq!((negotiated.known(), negotiated.version()), (None, PROTOCOL_VERSION));
        for (theirs, used) in [
            (PROTOCOL_VERSION - 1, PROTOCOL_VERSION - 1),
            (PROTOCOL_VERSION, PROTOCOL_VERSION),
            (1, PROTOCOL_VERSION - 1),
            (PROTOCOL_VERSION + 1, PROTOCOL_VERSION),
        ] {
            negotiated.record_answer(theirs);
            assert_eq!((negotiated.clone().known(), negotiated.version()), (Some(used), used));
        }
    }

    #[tokio::test(start_paused = true)]
    async fn a_coordinator_that_stays_silent_is_forgotten() {
        let negotiated = NegotiatedVersion::default();
        negotiated.record_answer(PROTOCOL_VERSION);
        negotiated.record_request();
        tokio::time::advance(FORGET_AFTER / 2).await;
        negotiated.record_request();
        assert_eq!(negotiated.known(), Some(PROTOCOL_VERSION));
        negotiated.record_answer(PROTOCOL_VERSION);
        negotiated.record_request();
        tokio::time::advance(FORGET_AFTER / 2).await;
        negotiated.record_request();
        assert_eq!(negotiated.known(), Some(PROTOCOL_VERSION), "it has answered in between");
        tokio::time::advance(FORGET_AFTER / 2).await;
        negotiated.record_request();
        assert_eq!((negotiated.known(), negotiated.version()), (None, PROTOCOL_VERSION));
    }
}
