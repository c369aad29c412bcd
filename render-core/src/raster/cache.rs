//! A cache that all threads share, bounded in bytes.

use std::collections::HashMap;
use std::hash::{BuildHasher, BuildHasherDefault, DefaultHasher, Hash};
use std::sync::Arc;

use parking_lot::Mutex;

const SHARDS: usize = 16;

/// Values by key. A shard that is full is cleared.
pub(super) struct Cache<K, V> {
    shards: [Mutex<Shard<K, V>>; SHARDS],
    /// Upper limit for the bytes of a shard.
    most: usize,
}

struct Shard<K, V> {
    /// The hasher has no random key: keys come from the vendored faces, so nobody can choose colliding ones.
    known: HashMap<K, Arc<V>, BuildHasherDefault<DefaultHasher>>,
    bytes: usize,
}

impl<K, V> Default for Shard<K, V> {
    fn default() -> Self {
        Self { known: HashMap::default(), bytes: 0 }
    }
}

impl<K: Eq + Hash, V> Cache<K, V> {
    /// Creates a cache of at most `bytes`.
    pub fn new(bytes: usize) -> Self {
        Self { shards: std::array::from_fn(|_| Mutex::default()), most: bytes / SHARDS }
    }

    /// Returns the value of `key`. On a miss, `make` returns the value and the bytes that it takes.
    pub fn get(&self, key: K, make: impl FnOnce() -> (V, usize)) -> Arc<V> {
        let hash = BuildHasherDefault::<DefaultHasher>::default().hash_one(&key);
        let shard = &self.shards[hash as usize % SHARDS];
        let lock = || shard.lock();
        if let Some(found) = lock().known.get(&key) {
            return Arc::clone(found);
        }
        // Makes the value outside the lock. If two threads make the same value, the first one is kept.
        let (made, cost) = make();
        let mut shard = lock();
        if shard.bytes + cost > self.most {
            *shard = Shard::default();
        }
        if let Some(found) = shard.known.get(&key) {
            return Arc::clone(found);
        }
        let made = Arc::new(made);
        shard.bytes += cost;
        shard.known.insert(key, Arc::clone(&made));
        made
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_known_is_not_made_again() {
        let cache = Cache::new(1 << 20);
        let first = cache.get(7, || ("seven", 10));
        let second = cache.get(7, || unreachable!("it is there"));
        assert!(Arc::ptr_eq(&first, &second));
    }

    #[test]
    fn a_full_shard_starts_afresh() {
        let cache = Cache::new(100 * SHARDS);
        for i in 0..10_000 {
            cache.get(i, || (i, 10));
        }
        for shard in &cache.shards {
            let shard = shard.lock();
            assert!(shard.bytes <= 100 && shard.known.len() * 10 == shard.bytes, "{}", shard.bytes);
        }
    }
}
