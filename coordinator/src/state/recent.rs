//! Values that change with every request: when keys and sessions were last used, and how many requests a key made. They
//! are counted in memory and written in batches once a minute. A crash loses up to a minute of them, and nothing
//! depends on them.

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use uuid::Uuid;

use super::keys::{KeyDay, KeyRecord, add_to_day};
use super::sessions::Session;
use super::table::{Abort, Tx};
use super::{KEYS, SESSIONS, StateError, Store};
use crate::clock::{Day, Millis};
use crate::keys::KeyDigest;

/// Keys and sessions written per transaction.
const BATCH: usize = 200;

/// The values that aren't written yet.
#[derive(Debug, Default)]
pub(super) struct Recent(Mutex<HashMap<Uuid, Use>>);

/// The use of one key or session, keyed by its id.
#[derive(Debug, Clone)]
struct Use {
    of: Of,
    last: Millis,
    /// Requests by day: at most two days, around midnight.
    requests: Vec<(Day, u64)>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Of {
    Key(KeyDigest),
    Session(KeyDigest),
}

impl Recent {
    fn uses(&self) -> MutexGuard<'_, HashMap<Uuid, Use>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn note(&self, id: Uuid, of: Of, day: Option<Day>, now: Millis) {
        let mut uses = self.uses();
        let this = uses.entry(id).or_insert_with(|| Use { of, last: now, requests: Vec::new() });
        this.last = this.last.max(now);
        if let Some(day) = day {
            this.count(day, 1);
        }
    }

    fn last(&self, id: Uuid) -> Option<Millis> {
        self.uses().get(&id).map(|this| this.last)
    }

    /// Returns a key with its unwritten use applied.
    pub(super) fn on_key(&self, key: KeyRecord) -> KeyRecord {
        KeyRecord { used: key.used.max(self.last(key.id)), ..key }
    }

    /// Returns a session with its unwritten use applied.
    pub(super) fn on_session(&self, session: Session) -> Session {
        let seen = self.last(session.id).map_or(session.seen, |last| last.max(session.seen));
        Session { seen, ..session }
    }

    /// Returns the unwritten request counts of a key.
    pub(super) fn requests_of(&self, key: Uuid) -> Vec<(Day, u64)> {
        self.uses().get(&key).map_or_else(Vec::new, |this| this.requests.clone())
    }

    /// Restores a batch that could not be written.
    fn put_back(&self, batch: &[(Uuid, Use)]) {
        let mut uses = self.uses();
        for (id, earlier) in batch {
            let this = uses.entry(*id).or_insert_with(|| Use { requests: Vec::new(), ..earlier.clone() });
            this.last = this.last.max(earlier.last);
            for (day, n) in &earlier.requests {
                this.count(*day, *n);
            }
        }
    }
}

impl Use {
    fn count(&mut self, day: Day, n: u64) {
        match self.requests.iter_mut().find(|(d, _)| *d == day) {
            Some((_, sum)) => *sum += n,
            None => self.requests.push((day, n)),
        }
    }

    fn write(&self, tx: &Tx<'_>, id: Uuid) -> Result<(), Abort> {
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
