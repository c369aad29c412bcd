//! The version of the protocol that a worker speaks: its own, or the one before where the coordinator is that old.

use std::sync::Arc;
use std::sync::atomic::{AtomicU8, Ordering};

use super::PROTOCOL_VERSION;

/// What is known of the coordinator's version. Clones share it.
#[derive(Debug, Clone, Default)]
pub struct Tongue {
    /// 0 while nothing was heard of it.
    spoken: Arc<AtomicU8>,
}

impl Tongue {
    /// The version to speak; this process's own while nothing is known.
    pub fn spoken(&self) -> u8 {
        self.known().unwrap_or(PROTOCOL_VERSION)
    }

    /// The version to speak, where the coordinator was heard.
    pub fn known(&self) -> Option<u8> {
        Some(self.spoken.load(Ordering::Relaxed)).filter(|version| *version > 0)
    }

    /// Notes that the coordinator's own version is this one. One that is further away is spoken to in the version nearest
    /// to it: it says itself that it understands nothing.
    pub fn heard(&self, version: u8) {
        let near = version.clamp(PROTOCOL_VERSION - 1, PROTOCOL_VERSION);
        if self.spoken.swap(near, Ordering::Relaxed) != near && near != PROTOCOL_VERSION {
            tracing::warn!(version, own = PROTOCOL_VERSION, "the coordinator speaks the protocol's version before");
        }
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
}
