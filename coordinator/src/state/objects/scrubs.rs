//! Progress of the object store's scrub. The scrub resumes from here after a restart.

use crate::state::error::StateError;
use crate::state::rows::objects::ScrubProgress;
use crate::state::rows::schema::SCRUBS;
use crate::state::store::Store;

/// The only key of the table.
const KEY: &[u8] = b"scrub";

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
    use crate::clock::Millis;
    use crate::state::rows::golden;
    use crate::state::{Pass, ScrubAt};

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
