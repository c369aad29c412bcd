//! Cache of verified objects, limited in number and time.

use std::collections::HashMap;
use std::hash::{BuildHasher, RandomState};
use std::time::{Duration, Instant};

use parking_lot::Mutex;

/// Maximum number of entries per generation of the cache; there are two. An entry takes about 40 bytes.
const MOST: usize = 1 << 16;
/// How long a verification is valid. Damage that changes neither size, time nor inode is found by the first read after
/// that.
const GOOD_FOR: Duration = Duration::from_secs(6 * 3600);

/// Marks of verified objects, by key.
///
/// Approximates LRU with two maps: a hit moves an entry to the newer map, and when that is full, the older is dropped.
#[derive(Default)]
pub(super) struct Verified {
    hasher: RandomState,
    generations: Mutex<Generations>,
}

#[derive(Default)]
struct Generations {
    young: HashMap<u64, Entry>,
    old: HashMap<u64, Entry>,
}

#[derive(Debug, Clone, Copy)]
struct Entry {
    mark: u64,
    at: Instant,
}

impl Verified {
    /// Returns whether the object with this key and mark was verified recently.
    pub fn holds(&self, key: &str, mark: u64, now: Instant) -> bool {
        // The key itself isn't stored: another key with the same hash would also need the same mark, and both hashes
        // are keyed randomly.
        let key = self.hasher.hash_one(key);
        let mut all = self.generations.lock();
        let is_good = |entry: &Entry| entry.mark == mark && now.saturating_duration_since(entry.at) < GOOD_FOR;
        if let Some(entry) = all.young.get(&key) {
            return is_good(entry);
        }
        let Some(entry) = all.old.remove(&key).filter(is_good) else { return false };
        all.put(key, entry);
        true
    }

    /// Records a verified object.
    pub fn put(&self, key: &str, mark: u64, now: Instant) {
        let key = self.hasher.hash_one(key);
        self.generations.lock().put(key, Entry { mark, at: now });
    }

    /// Removes an object that turned out to be damaged.
    pub fn forget(&self, key: &str) {
        let key = self.hasher.hash_one(key);
        let mut all = self.generations.lock();
        all.young.remove(&key);
        all.old.remove(&key);
    }
}

impl Generations {
    fn put(&mut self, key: u64, entry: Entry) {
        if self.young.len() >= MOST {
            self.old = std::mem::take(&mut self.young);
        }
        self.young.insert(key, entry);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_found_sound_holds_for_its_mark_and_a_time() {
        let (verified, now) = (Verified::default(), Instant::now());
        assert!(!verified.holds("a", 1, now));
        verified.put("a", 1, now);
        assert!(verified.holds("a", 1, now) && !verified.holds("a", 2, now) && !verified.holds("b", 1, now));
        assert!(verified.holds("a", 1, now + GOOD_FOR - Duration::from_secs(1)));
        assert!(!verified.holds("a", 1, now + GOOD_FOR));
        verified.forget("a");
        assert!(!verified.holds("a", 1, now));
    }

    #[test]
    fn what_is_used_stays_and_the_number_is_bounded() {
        let (verified, now) = (Verified::default(), Instant::now());
        verified.put("used", 1, now);
        for n in 0..3 * MOST {
            verified.put(&n.to_string(), 1, now);
            if n.is_multiple_of(1_000) {
                assert!(verified.holds("used", 1, now));
            }
        }
        assert!(!verified.holds("0", 1, now), "the oldest went");
        let all = verified.generations.lock();
        assert!(all.young.len() + all.old.len() <= 2 * MOST + 1);
    }
}
