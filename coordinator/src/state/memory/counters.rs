//! Counters of finished and failed images since the process started, and of the images that each worker rendered in the
//! last minute. The metrics and the console poll them.

use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, Ordering};

use parking_lot::Mutex;

use crate::clock::Millis;

/// Length in seconds of the window over which a worker's images are counted.
const LATELY_S: usize = 60;

/// Images since the process started.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Counts {
    /// Finished.
    pub done: u64,
    /// Permanently failed.
    pub failed: u64,
}

impl Counts {
    /// Returns the difference to an earlier reading.
    pub fn since(self, before: Self) -> Self {
        Self { done: self.done - before.done, failed: self.failed - before.failed }
    }
}

/// The counters.
#[derive(Debug, Default)]
pub(in crate::state) struct Counters {
    done: AtomicU64,
    failed: AtomicU64,
    drawn: Mutex<HashMap<String, Lately>>,
}

/// Images of one worker, by second. The count of second `s` is at index `s` modulo the length.
#[derive(Debug)]
struct Lately {
    counts: [u32; LATELY_S],
    /// The newest second counted.
    second: u64,
}

impl Lately {
    /// Clears the counts that are more than a minute older than `second`.
    fn go_on(&mut self, second: u64) {
        let gone = second.saturating_sub(self.second).min(LATELY_S as u64);
        for at in self.second + 1..=self.second + gone {
            self.counts[at as usize % LATELY_S] = 0;
        }
        self.second = self.second.max(second);
    }
}

fn second_of(now: Millis) -> u64 {
    u64::try_from(now.0 / 1_000).unwrap_or(0)
}

impl Counters {
    /// Counts an image that a worker rendered.
    pub(in crate::state) fn drawn(&self, worker: String, now: Millis) {
        let second = second_of(now);
        let mut drawn = self.drawn.lock();
        let lately = drawn.entry(worker).or_insert(Lately { counts: [0; LATELY_S], second });
        lately.go_on(second);
        lately.counts[second as usize % LATELY_S] += 1;
    }

    /// Returns the images that each worker rendered in the last minute, and forgets workers that rendered none.
    pub(in crate::state) fn lately(&self, now: Millis) -> HashMap<String, u32> {
        let mut drawn = self.drawn.lock();
        drawn.values_mut().for_each(|lately| lately.go_on(second_of(now)));
        drawn.retain(|_, lately| lately.counts.iter().any(|count| *count > 0));
        drawn.iter().map(|(worker, lately)| (worker.clone(), lately.counts.iter().sum())).collect()
    }

    pub(in crate::state) fn add(&self, outputs: u32, failed: bool) {
        let counter = if failed { &self.failed } else { &self.done };
        counter.fetch_add(outputs.into(), Ordering::Relaxed);
    }

    pub(in crate::state) fn now(&self) -> Counts {
        Counts { done: self.done.load(Ordering::Relaxed), failed: self.failed.load(Ordering::Relaxed) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn images_of_the_last_minute_are_counted_by_worker() {
        let (counters, at) = (Counters::default(), |second: i64| Millis(1_700_000_000_000 + second * 1_000));
        for second in [0, 0, 30, 59] {
            counters.drawn("a".into(), at(second));
        }
        counters.drawn("b".into(), at(59));
        let lately = |second| {
            let mut lately: Vec<_> = counters.lately(at(second)).into_iter().collect();
            lately.sort();
            lately
        };
        assert_eq!(lately(59), [("a".into(), 4), ("b".into(), 1)]);
        assert_eq!(lately(60), [("a".into(), 2), ("b".into(), 1)]);
        // A clock that was set back removes no counts.
        counters.drawn("a".into(), at(58));
        assert_eq!(lately(90), [("a".into(), 2), ("b".into(), 1)]);
        counters.drawn("c".into(), at(500));
        assert_eq!(lately(500), [("c".into(), 1)]);
    }
}
