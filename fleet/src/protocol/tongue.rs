//! The version of the protocol that a worker speaks: its own, or the one before where the coordinator is that old.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use tokio::time::Instant;

use super::{LEASE_S, PROTOCOL_VERSION};

/// A coordinator that gives no answer for so long may have been replaced by one of another version.
const FORGOTTEN: Duration = Duration::from_secs(LEASE_S);

/// What is known of the coordinator's version. Clones share it.
#[derive(Debug, Clone, Default)]
pub struct Tongue(Arc<Mutex<Heard>>);

#[derive(Debug, Default)]
struct Heard {
    /// `None` while nothing was heard of it.
    spoken: Option<u8>,
    /// When the first question was asked since the last answer.
    silent: Option<Instant>,
}

impl Tongue {
    /// The version to speak; this process's own while nothing is known.
    pub fn spoken(&self) -> u8 {
        self.known().unwrap_or(PROTOCOL_VERSION)
    }

    /// The version to speak, where the coordinator was heard.
    pub fn known(&self) -> Option<u8> {
        self.with(|heard| heard.spoken)
    }

    /// Notes that the coordinator's own version is this one. One that is further away is spoken to in the version nearest
    /// to it: it says itself that it understands nothing.
    pub fn heard(&self, version: u8) {
        let near = version.clamp(PROTOCOL_VERSION - 1, PROTOCOL_VERSION);
        let before = self.with(|heard| {
            heard.silent = None;
            heard.spoken.replace(near)
        });
        if before != Some(near) && near != PROTOCOL_VERSION {
            tracing::warn!(version, own = PROTOCOL_VERSION, "the coordinator speaks the protocol's version before");
        }
    }

    /// Notes that a question is about to be asked. Where those before got no answer for long, nothing is known of the
    /// coordinator any more.
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
