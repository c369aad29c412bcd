//! Things made once and shared by all threads, bounded in bytes.

use std::collections::HashMap;
use std::hash::{BuildHasher, BuildHasherDefault, DefaultHasher, Hash};
use std::sync::{Arc, Mutex, PoisonError};

const SHARDS: usize = 16;

/// What is kept by a key: a shard that is full starts afresh.
pub(super) struct Cache<K, V> {
    shards: [Mutex<Shard<K, V>>; SHARDS],
    /// Bytes that a shard holds at most.
    most: usize,
}

struct Shard<K, V> {
    /// By keyless hashes: what is asked for comes from the vendored faces, not from those who could choose collisions.
    known: HashMap<K, Arc<V>, BuildHasherDefault<DefaultHasher>>,
    bytes: usize,
}

impl<K, V> Default for Shard<K, V> {
    fn default() -> Self {
        Self { known: HashMap::default(), bytes: 0 }
    }
}

impl<K: Eq + Hash, V> Cache<K, V> {
    /// Of at most `bytes`.
    pub fn new(bytes: usize) -> Self {
        Self { shards: std::array::from_fn(|_| Mutex::default()), most: bytes / SHARDS }
    }

    /// What belongs to `key`: made, with the bytes it takes, where it isn't there.
    pub fn get(&self, key: K, make: impl FnOnce() -> (V, usize)) -> Arc<V> {
        let hash = BuildHasherDefault::<DefaultHasher>::default().hash_one(&key);
        let shard = &self.shards[hash as usize % SHARDS];
        let lock = || shard.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(found) = lock().known.get(&key) {
            return Arc::clone(found);
        }
        // Made outside the lock; two threads may make the same, and the first stays.
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
            let shard = shard.lock().unwrap();
            assert!(shard.bytes <= 100 && shard.known.len() * 10 == shard.bytes, "{}", shard.bytes);
        }
    }
}
