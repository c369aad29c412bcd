//! Values that change with every request: when keys and sessions were last used, and how many requests a key made. They
//! are counted in memory and written in batches once a minute. A crash loses up to a minute of them, and nothing
//! depends on them.

use std::collections::HashMap;

use parking_lot::{Mutex, MutexGuard};
use uuid::Uuid;

use crate::clock::{Day, Millis};
use crate::keys::KeyDigest;
use crate::state::rows::keys::KeyRecord;
use crate::state::rows::members::Session;

/// The values that aren't written yet.
#[derive(Debug, Default)]
pub(in crate::state) struct Recent(Mutex<HashMap<Uuid, Use>>);

/// The use of one key or session, keyed by its id.
#[derive(Debug, Clone)]
pub(in crate::state) struct Use {
    pub(in crate::state) of: Of,
    pub(in crate::state) last: Millis,
    /// Requests by day: at most two days, around midnight.
    pub(in crate::state) requests: Vec<(Day, u64)>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::state) enum Of {
    Key(KeyDigest),
    Session(KeyDigest),
}

impl Recent {
    pub(in crate::state) fn uses(&self) -> MutexGuard<'_, HashMap<Uuid, Use>> {
        self.0.lock()
    }

    pub(in crate::state) fn note(&self, id: Uuid, of: Of, day: Option<Day>, now: Millis) {
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
    pub(in crate::state) fn on_key(&self, key: KeyRecord) -> KeyRecord {
        KeyRecord { used: key.used.max(self.last(key.id)), ..key }
    }

    /// Returns a session with its unwritten use applied.
    pub(in crate::state) fn on_session(&self, session: Session) -> Session {
        let seen = self.last(session.id).map_or(session.seen, |last| last.max(session.seen));
        Session { seen, ..session }
    }

    /// Returns the unwritten request counts of a key.
    pub(in crate::state) fn requests_of(&self, key: Uuid) -> Vec<(Day, u64)> {
        self.uses().get(&key).map_or_else(Vec::new, |this| this.requests.clone())
    }

    /// Restores a batch that could not be written.
    pub(in crate::state) fn put_back(&self, batch: &[(Uuid, Use)]) {
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
}
