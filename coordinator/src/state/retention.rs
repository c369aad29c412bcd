//! Generations that were kept long enough.

use uuid::Uuid;

use super::{GENERATIONS, StateError, Store, keyspace::pair};
use crate::clock::Millis;

impl Store {
    /// Deletes up to `most` generations that were accepted before `before` and have ended, with their images. Returns how
    /// many.
    ///
    /// # Errors
    /// [`StateError`].
    pub fn delete_old(&self, before: Millis, most: usize, now: Millis) -> Result<usize, StateError> {
        let mut deleted = 0;
        for account in self.shared.index.accounts() {
            let mut after = Uuid::nil();
            while deleted < most {
                let old = self.shared.index.oldest(account, before, after, most - deleted);
                let Some(last) = old.last() else { break };
                after = *last;
                for id in old {
                    let kept = self.shared.tables.get(&GENERATIONS, &pair(account, id))?;
                    // One that is still worked on goes the next time.
                    if kept.is_some_and(|generation| generation.status.is_terminal()) {
                        deleted += usize::from(self.delete_generation(account, id, now)?);
                    }
                }
            }
        }
        Ok(deleted)
    }
}
