//! How far the scrub of the object store is. It goes on there after a restart.

use serde::{Deserialize, Serialize};

use super::table::Record;
use super::{SCRUBS, StateError, Store};
use crate::clock::Millis;

/// The only key of the table.
const KEY: &[u8] = b"scrub";

/// Where a pass is.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum ScrubAt {
    /// Among the images, after the output whose row has this key.
    Images(Vec<u8>),
    /// Among the blobs, before those whose names begin with this byte.
    Blobs(u8),
}

/// A pass over everything that is stored.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Pass {
    /// When it began.
    pub began: Millis,
    /// When it ended; zero while it goes on.
    pub ended: Millis,
    /// Objects and blobs that were read.
    pub objects: u64,
    /// Bytes that were read.
    pub bytes: u64,
    /// Objects and blobs that were damaged or missing.
    pub damaged: u64,
}

/// How far it is.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct ScrubProgress {
    /// The pass under way, where it is, how many outputs there were when it began, and how many of them are done.
    pub now: Option<(Pass, ScrubAt, u64, u64)>,
    /// The last pass that came to its end.
    pub last: Option<Pass>,
}

impl Record for ScrubProgress {}

impl Store {
    /// How far the scrub is.
    ///
    /// # Errors
    /// [`StateError`].
    pub fn scrub_progress(&self) -> Result<ScrubProgress, StateError> {
        Ok(self.shared.tables.get(&SCRUBS, KEY)?.unwrap_or_default())
    }

    /// Notes how far the scrub is.
    ///
    /// # Errors
    /// [`StateError`].
    pub fn note_scrub(&self, progress: &ScrubProgress) -> Result<(), StateError> {
        self.commit(|tx| tx.put(&SCRUBS, KEY, progress))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::state::records::golden;

    #[test]
    fn rows_stay_as_they_are() {
        let pass = Pass { began: Millis(1), ended: Millis(2), objects: 3, bytes: 4, damaged: 5 };
        let last = Some(pass);
        golden(&ScrubProgress { now: None, last }, "0100010204030405");
        for (at, bytes) in [(ScrubAt::Images(vec![9]), "000109"), (ScrubAt::Blobs(6), "0106")] {
            let now = Some((pass, at, 7, 8));
            golden(&ScrubProgress { now, last: None }, &format!("01010204030405{bytes}070800"));
        }
    }
}
