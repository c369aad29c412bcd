//! The negotiated protocol version of a worker: its own, or the previous one if the coordinator is older.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use tokio::time::Instant;

use super::{LEASE_S, PROTOCOL_VERSION};

/// After this long without an answer, the coordinator may have been replaced by one of another version.
const FORGOTTEN: Duration = Duration::from_secs(LEASE_S);

/// The negotiated protocol version. Clones share it.
#[derive(Debug, Clone, Default)]
pub struct Tongue(Arc<Mutex<Heard>>);

#[derive(Debug, Default)]
struct Heard {
    /// `None` until the coordinator has answered.
    spoken: Option<u8>,
    /// When the first request since the last answer was sent.
    silent: Option<Instant>,
}

impl Tongue {
    /// Returns the version to use: this process's own until the coordinator has answered.
    pub fn spoken(&self) -> u8 {
        self.known().unwrap_or(PROTOCOL_VERSION)
    }

    /// Returns the negotiated version; `None` until the coordinator has answered.
    pub fn known(&self) -> Option<u8> {
        self.with(|heard| heard.spoken)
    }

    /// Records the coordinator's own version. If it is neither this version nor the previous one, the worker uses the
    /// nearest of the two, and the coordinator answers that it can't read the message.
    pub fn heard(&self, version: u8) {
        let near = version.clamp(PROTOCOL_VERSION - 1, PROTOCOL_VERSION);
        let before = self.with(|heard| {
            heard.silent = None;
            heard.spoken.replace(near)
        });
        if before != Some(near) && near != PROTOCOL_VERSION {
            tracing::warn!(version, own = PROTOCOL_VERSION, "using the previous protocol version: older coordinator");
        }
    }

    /// Records that a request is about to be sent. Forgets the coordinator's version if earlier requests have had no
    /// answer for [`LEASE_S`] seconds.
    pub fn asking(&self) {
        self.with(|heard| {
            if heard.silent.get_or_insert_with(Instant::now).elapsed() >= FORGOTTEN {
                *heard = Heard::default();
            }
        });
    }

    fn with<T>(&self, f: impl FnOnce(&mut Heard) -> T) -> T {
        f(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_coordinators_version_is_spoken_where_it_is_near() {
        let tongue = Tongue::default();
        assert_eq!((tongue.known(), tongue.spoken()), (None, PROTOCOL_VERSION));
        for (heard, spoken) in [
            (PROTOCOL_VERSION - 1, PROTOCOL_VERSION - 1),
            (PROTOCOL_VERSION, PROTOCOL_VERSION),
            (1, PROTOCOL_VERSION - 1),
            (PROTOCOL_VERSION + 1, PROTOCOL_VERSION),
        ] {
            tongue.heard(heard);
            assert_eq!((tongue.clone().known(), tongue.spoken()), (Some(spoken), spoken));
        }
    }

    #[tokio::test(start_paused = true)]
    async fn a_coordinator_that_stays_silent_is_forgotten() {
        let tongue = Tongue::default();
        tongue.heard(PROTOCOL_VERSION);
        tongue.asking();
        tokio::time::advance(FORGOTTEN / 2).await;
        tongue.asking();
        assert_eq!(tongue.known(), Some(PROTOCOL_VERSION));
        tongue.heard(PROTOCOL_VERSION);
        tongue.asking();
        tokio::time::advance(FORGOTTEN / 2).await;
        tongue.asking();
        assert_eq!(tongue.known(), Some(PROTOCOL_VERSION), "it has answered in between");
        tokio::time::advance(FORGOTTEN / 2).await;
        tongue.asking();
        assert_eq!((tongue.known(), tongue.spoken()), (None, PROTOCOL_VERSION));
    }
}
