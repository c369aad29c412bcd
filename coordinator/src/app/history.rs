//! Load of the service over the last day, one point per minute, for the admins' page. It starts empty with every start
//! of the process; long-term storage is the job of the metrics.

use std::collections::VecDeque;
use std::sync::Arc;
use std::time::Duration;

use parking_lot::Mutex;
use serde::Serialize;
use tokio::time::{MissedTickBehavior, interval};
use tokio_util::sync::CancellationToken;

use super::Work;
use crate::clock::Millis;
use crate::metrics;
use crate::state::{Counts, Store};

/// Number of points kept.
const POINTS: usize = 24 * 60;
/// Seconds between two points.
const EVERY_S: u64 = 60;
/// Seconds between samples. A point holds the maximum of its samples.
const LOOK_S: u64 = 5;

/// The values of one minute.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
struct Point {
    at: i64,
    waiting: u64,
    oldest_s: u64,
    busy: u64,
    slots: u64,
    done: u64,
    failed: u64,
}

/// The points as parallel arrays.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Series {
    every_s: u64,
    /// Start of each minute in Unix seconds.
    at: Vec<i64>,
    /// Waiting tickets.
    waiting: Vec<u64>,
    /// Seconds for which the oldest ticket had waited.
    oldest_s: Vec<u64>,
    /// Concurrent jobs.
    busy: Vec<u64>,
    /// Maximum number of concurrent jobs.
    slots: Vec<u64>,
    /// Images finished in that minute.
    done: Vec<u64>,
    /// Images that failed in that minute.
    failed: Vec<u64>,
}

/// The stored points. Clones share them.
#[derive(Debug, Clone, Default)]
pub struct History(Arc<Mutex<VecDeque<Point>>>);

impl History {
    /// Returns all points.
    pub fn series(&self) -> Series {
        let points = self.0.lock();
        let mut series = Series { every_s: EVERY_S, ..Series::default() };
        for point in points.iter() {
            series.at.push(point.at);
            series.waiting.push(point.waiting);
            series.oldest_s.push(point.oldest_s);
            series.busy.push(point.busy);
            series.slots.push(point.slots);
            series.done.push(point.done);
            series.failed.push(point.failed);
        }
        series
    }

    /// Adds a sample taken at `now`, in Unix seconds.
    fn look(&self, now: i64, seen: Point) {
        let mut points = self.0.lock();
        let minute = now - now.rem_euclid(EVERY_S as i64);
        match points.back_mut().filter(|last| last.at == minute) {
            Some(last) => {
                last.waiting = last.waiting.max(seen.waiting);
                last.oldest_s = last.oldest_s.max(seen.oldest_s);
                last.busy = last.busy.max(seen.busy);
                last.slots = last.slots.max(seen.slots);
                last.done += seen.done;
                last.failed += seen.failed;
            }
            None => points.push_back(Point { at: minute, ..seen }),
        }
        while points.len() > POINTS {
            points.pop_front();
        }
    }

    /// Takes samples until `stop` is cancelled.
    pub async fn keep(self, work: Work, store: Store, stop: CancellationToken) {
        let mut tick = interval(Duration::from_secs(LOOK_S));
        tick.set_missed_tick_behavior(MissedTickBehavior::Delay);
        let mut before = store.counts();
        while stop.run_until_cancelled(tick.tick()).await.is_some() {
            let counts = store.counts();
            let Counts { done, failed } = counts.since(before);
            before = counts;
            let (busy, slots) = work.load();
            metrics::fleet(work.count(), slots, busy);
            let waiting = work.queued.depths().iter().map(|(_, waiting)| *waiting as u64).sum();
            let oldest_s = work.queued.oldest().unwrap_or_default().as_secs();
            self.look(Millis::now().seconds(), Point { at: 0, waiting, oldest_s, busy, slots, done, failed });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_minute_says_the_most_that_was_seen_and_all_that_was_done() {
        let history = History::default();
        let seen = |waiting, done| Point { waiting, done, ..Point::default() };
        history.look(120, seen(3, 2));
        history.look(179, seen(1, 5));
        history.look(180, seen(0, 1));
        let series = history.series();
        assert_eq!((series.at, series.waiting, series.done), (vec![120, 180], vec![3, 0], vec![7, 1]));
    }

    #[test]
    fn a_day_is_kept() {
        let history = History::default();
        for minute in 0..(POINTS as i64 + 5) {
            history.look(minute * 60, Point::default());
        }
        let series = history.series();
        assert_eq!((series.at.len(), series.at[0]), (POINTS, 300));
    }
}
