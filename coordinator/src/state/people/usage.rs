//! Records when keys and sessions were last used, and how many requests a key made. The values are collected in
//! memory (`memory/recent.rs`) and written in batches.

use uuid::Uuid;

use crate::clock::Millis;
use crate::state::database::tables::{Abort, Tx};
use crate::state::error::StateError;
use crate::state::memory::recent::{Of, Use};
use crate::state::people::keys::add_to_day;
use crate::state::rows::keys::{KeyDay, KeyRecord};
use crate::state::rows::members::Session;
use crate::state::rows::schema::{KEYS, SESSIONS};
use crate::state::store::Store;

/// Keys and sessions written per transaction.
const BATCH: usize = 200;

impl Use {
    pub(in crate::state) fn write(&self, tx: &Tx<'_>, id: Uuid) -> Result<(), Abort> {
        match self.of {
            // A key or session that was deleted in the meantime is skipped.
            Of::Key(digest) => {
                if let Some(key) = tx.get(&KEYS, digest.row())?.filter(|key| key.digest == digest) {
                    let used = key.used.max(Some(self.last));
                    tx.put(&KEYS, digest.row(), &KeyRecord { used, ..key })?;
                    for (day, requests) in &self.requests {
                        add_to_day(tx, id, *day, KeyDay { requests: *requests, ..KeyDay::default() })?;
                    }
                }
            }
            Of::Session(digest) => {
                if let Some(session) = tx.get(&SESSIONS, digest.row())?.filter(|s| s.digest == digest) {
                    let seen = session.seen.max(self.last);
                    tx.put(&SESSIONS, digest.row(), &Session { seen, ..session })?;
                }
            }
        }
        Ok(())
    }
}

impl Store {
    /// Records a request with a key.
    pub fn key_used(&self, key: &KeyRecord, now: Millis) {
        self.shared.recent.note(key.id, Of::Key(key.digest), Some(now.day()), now);
    }

    /// Records a use of a session.
    pub fn session_used(&self, session: &Session, now: Millis) {
        self.shared.recent.note(session.id, Of::Session(session.digest), None, now);
    }

    /// Writes the use of keys and sessions since the last call. Call it every minute and at shutdown.
    ///
    /// # Errors
    /// [`StateError`]; unwritten values are kept for the next call.
    pub fn write_recent(&self) -> Result<(), StateError> {
        let recent = &self.shared.recent;
        let all: Vec<(Uuid, Use)> = recent.uses().drain().collect();
        let mut batches = all.chunks(BATCH);
        while let Some(batch) = batches.next() {
            let mut stands = false;
            let write = |tx: &Tx<'_>| batch.iter().try_for_each(|(id, this)| this.write(tx, *id));
            let written = self.commit_and(write, |()| stands = true);
            if let Err(e) = written {
                // If the commit is visible, writing the batch again would count it twice.
                if !stands {
                    recent.put_back(batch);
                }
                batches.for_each(|batch| recent.put_back(batch));
                return Err(e);
            }
        }
        Ok(())
    }
}
