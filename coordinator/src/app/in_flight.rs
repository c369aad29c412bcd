//! The idempotency keys of requests in progress.

use std::collections::HashSet;

use parking_lot::Mutex;
use uuid::Uuid;

/// The idempotency keys whose requests are in progress.
#[derive(Debug, Default)]
pub struct InFlight(Mutex<HashSet<(Uuid, String)>>);

/// Holds one key until dropped.
#[derive(Debug)]
pub struct KeyGuard<'a> {
    all: &'a InFlight,
    this: (Uuid, String),
}

impl InFlight {
    /// Takes an account's key. Returns `None` if another request holds it.
    pub fn take(&self, account: Uuid, key: &str) -> Option<KeyGuard<'_>> {
        let this = (account, key.to_owned());
        let free = self.0.lock().insert(this.clone());
        // The guard is built only if the key was free: dropping it frees the key.
        if free { Some(KeyGuard { all: self, this }) } else { None }
    }
}

impl Drop for KeyGuard<'_> {
    fn drop(&mut self) {
        self.all.0.lock().remove(&self.this);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_is_free_again_when_its_request_ends() {
        let all = InFlight::default();
        let (a, b) = (Uuid::from_u128(1), Uuid::from_u128(2));
        let first = all.take(a, "k").unwrap();
        assert!(all.take(a, "k").is_none());
        assert!(all.take(b, "k").is_some() && all.take(a, "l").is_some());
        drop(first);
        assert!(all.take(a, "k").is_some());
    }
}
