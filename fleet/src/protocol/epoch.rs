//! The position of a ticket in the history of its job.

use serde::{Deserialize, Serialize};

/// Number of epochs reserved for each round or edit in the encoding.
const SPAN: u32 = 10_000;
/// Offset within a span from which the job is quarantined.
const QUARANTINE: u32 = SPAN / 2;
/// The encoding of the first epoch of edits, above those of all rounds.
const EDITS: u32 = 1 << 30;

/// What a job is enqueued for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Series {
    /// This round of its generation, from 0.
    Round(u32),
    /// An edit that makes this version of the image.
    Edit(u32),
}

/// The position of a ticket in the history of its job: each time the job is enqueued, it gets a later epoch. A claim
/// carries the epoch of its ticket, so an outdated ticket claims nothing.
///
/// In messages and stored rows an epoch is a `u32`. Each series has 10,000 numbers there, the second half of which is
/// for quarantined jobs. Those of rounds begin at 1, and those of edits at 2³⁰.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(from = "u32", into = "u32")]
pub struct Epoch {
    /// What the job is enqueued for.
    pub series: Series,
    /// Whether the job has lost a worker in this series. It may have crashed the worker.
    pub quarantined: bool,
    /// How often the job was enqueued again in this series, or since it is quarantined.
    pub repeats: u32,
}

impl Epoch {
    /// Returns the first epoch of a series.
    pub fn first(series: Series) -> Self {
        Self { series, quarantined: false, repeats: 0 }
    }

    /// Returns the epoch with which the job is enqueued again. `lost` says that its worker disappeared.
    pub fn next(self, lost: bool) -> Self {
        if lost && !self.quarantined {
            return Self { quarantined: true, repeats: 0, ..self };
        }
        // A series has a limited number of epochs: the one after its last is the first of the next.
        Self::from(u32::from(self).saturating_add(1))
    }

    /// Returns whether the job was enqueued only once in this series: no worker has claimed it before.
    pub fn is_fresh(self) -> bool {
        !self.quarantined && self.repeats == 0
    }
}

impl From<Epoch> for u32 {
    fn from(epoch: Epoch) -> Self {
        let (start, number) = match epoch.series {
            Series::Round(round) => (1, round),
            Series::Edit(version) => (EDITS, version),
        };
        let offset = if epoch.quarantined { QUARANTINE } else { 0 };
        number.saturating_mul(SPAN).saturating_add(start).saturating_add(offset).saturating_add(epoch.repeats)
    }
}

impl From<u32> for Epoch {
    fn from(encoded: u32) -> Self {
        let (number, offset, series): (_, _, fn(u32) -> Series) = match encoded.checked_sub(EDITS) {
            Some(edit) => (edit / SPAN, edit % SPAN, Series::Edit),
            None => {
                let round = encoded.saturating_sub(1);
                (round / SPAN, round % SPAN, Series::Round)
            }
        };
        let quarantined = offset >= QUARANTINE;
        Self { series: series(number), quarantined, repeats: if quarantined { offset - QUARANTINE } else { offset } }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stored_numbers_keep_their_meaning() {
        let round = |round, quarantined, repeats| Epoch { series: Series::Round(round), quarantined, repeats };
        let edit = |version, quarantined, repeats| Epoch { series: Series::Edit(version), quarantined, repeats };
        for (number, epoch) in [
            (1, round(0, false, 0)),
            (2, round(0, false, 1)),
            (5_000, round(0, false, 4_999)),
            (5_001, round(0, true, 0)),
            (10_000, round(0, true, 4_999)),
            (10_001, round(1, false, 0)),
            (35_002, round(3, true, 1)),
            (EDITS, edit(0, false, 0)),
            (EDITS + 20_003, edit(2, false, 3)),
            (EDITS + 75_000, edit(7, true, 0)),
        ] {
            assert_eq!((Epoch::from(number), u32::from(epoch)), (epoch, number));
        }
        // Every number but 0, which no version has written, is read and written unchanged.
        for number in (1..=60_000).chain(EDITS - 20_000..EDITS + 60_000).chain(u32::MAX - 60_000..=u32::MAX) {
            assert_eq!(u32::from(Epoch::from(number)), number);
        }
        assert_eq!(Epoch::from(0), round(0, false, 0));
    }

    #[test]
    fn a_job_that_lost_a_worker_is_quarantined_until_its_next_series() {
        for series in [Series::Round(0), Series::Round(3), Series::Edit(0), Series::Edit(7)] {
            let first = Epoch::first(series);
            assert!(first.is_fresh() && !first.quarantined);
            let again = first.next(false);
            assert!(again > first && !again.is_fresh() && !again.quarantined);
            for before in [first, again] {
                let lost = before.next(true);
                assert!(lost > before && lost.quarantined && !lost.is_fresh());
                // A quarantined job stays quarantined, for whatever reason it is enqueued again.
                let later = lost.next(false);
                assert_eq!(lost.next(true), later);
                assert!(later > lost && later.quarantined);
            }
        }
    }
}
