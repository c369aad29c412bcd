//! Progress of the object store's scrub. The scrub resumes from here after a restart.

use serde::{Deserialize, Serialize};

use super::table::Record;
use super::{SCRUBS, StateError, Store};
use crate::clock::Millis;

/// The only key of the table.
const KEY: &[u8] = b"scrub";

/// Position of a pass.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum ScrubAt {
    /// Among the images, after the output whose row has this key.
    Images(Vec<u8>),
    /// Among the blobs, before those whose names begin with this byte.
    Blobs(u8),
}

/// A pass over all stored objects.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Pass {
    /// When it started.
    pub began: Millis,
    /// When it ended; zero while it runs.
    pub ended: Millis,
    /// Objects and blobs read.
    pub objects: u64,
    /// Bytes read.
    pub bytes: u64,
    /// Objects and blobs that were damaged or missing.
    pub damaged: u64,
}

/// Progress of the scrub.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct ScrubProgress {
    /// The current pass, its position, the number of outputs when it started, and the number of outputs done.
    pub now: Option<(Pass, ScrubAt, u64, u64)>,
    /// The last completed pass.
    pub last: Option<Pass>,
}

impl Record for ScrubProgress {}

impl Store {
    /// Returns the progress of the scrub.
    ///
    /// # Errors
    /// [`StateError`].
    pub fn scrub_progress(&self) -> Result<ScrubProgress, StateError> {
        Ok(self.shared.tables.get(&SCRUBS, KEY)?.unwrap_or_default())
    }

    /// Stores the progress of the scrub.
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
