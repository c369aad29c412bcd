//! API keys: named, scoped, shown once. A key is found by half of its digest when it calls, and by its id among those of
//! its account. What a key did is counted by day.

use serde::{Deserialize, Serialize};
use uuid::Uuid;

use super::keyspace::{self, pair, placed};
use super::table::{Abort, Record, Tx};
use super::{KEY_DAYS, KEY_INDEX, KEY_SHELVES, KEYS, StateError, Store};
use crate::accounts::Scopes;
use crate::clock::{Day, Millis};
use crate::keys::{ApiKey, KeyDigest};

/// Keys of an account that are valid at once.
pub const LIVE_KEYS: usize = 100;
/// Seconds that a key may stay valid after it was rotated, at most.
pub const GRACE_S: u64 = 30 * 24 * 3600;
/// Days for which it is kept what a key did.
pub const USAGE_DAYS: u32 = 400;
/// Keys of an account that are remembered after they ended, so that whoever still uses one is told. Those and the valid
/// ones fit a row.
const ENDED_KEYS: usize = 100;
/// Bytes of a key's name.
const NAME_BYTES: usize = 400;

/// An API key, by the first half of its SHA-256.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct KeyRecord {
    /// Its name within the service; the key itself is nowhere.
    pub id: Uuid,
    /// The account that it opens.
    pub account: Uuid,
    /// What its holder calls it.
    pub name: String,
    /// What it may be used for.
    pub scopes: Scopes,
    /// When it was made.
    pub created: Millis,
    /// When it was revoked.
    pub revoked: Option<Millis>,
    /// The whole SHA-256 of the key.
    pub digest: KeyDigest,
    /// When it was last used, to the minute.
    pub used: Option<Millis>,
    /// The key that took its place.
    pub replaced: Option<Replaced>,
    /// Its last characters, by which people tell keys apart; `None` of one from before they were kept.
    pub ending: Option<String>,
}

/// What a key was rotated to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Replaced {
    /// The new key's id.
    pub by: Uuid,
    /// Until when the old one is valid.
    pub until: Millis,
}

impl KeyRecord {
    fn fresh(account: Uuid, name: &str, scopes: Scopes, now: Millis) -> Result<(Self, ApiKey), StateError> {
        let key = ApiKey::generate().map_err(|e| StateError::Randomness(e.to_string()))?;
        let record = Self {
            id: Uuid::now_v7(),
            account,
            name: super::clip(name, NAME_BYTES),
            scopes,
            created: now,
            revoked: None,
            digest: key.digest(),
            used: None,
            replaced: None,
            ending: Some(key.ending().to_owned()),
        };
        Ok((record, key))
    }

    /// Whether it opens the account.
    pub fn is_valid(&self, now: Millis) -> bool {
        self.revoked.is_none() && self.replaced.is_none_or(|r| r.until > now)
    }
}

/// Where the row of a key is, by (account, key).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct KeyAt {
    pub(super) row: [u8; 16],
}

/// The keys of an account, by its id: how many are valid, without a look at them all.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub(super) struct KeyShelf {
    /// Each with when it ends or ended.
    pub(super) keys: Vec<(Uuid, Option<Millis>)>,
}

/// What a key did on a day, by (key, day).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct KeyDay {
    /// Requests that it made.
    pub requests: u64,
    /// Generations that were accepted from it.
    pub generations: u64,
    /// Credits that were charged for them; what came back is not taken off.
    pub credits: u64,
}

impl Record for KeyRecord {
    /// 2: `used` and `replaced`. 3: `ending`.
    const VERSION: u8 = 3;

    fn upgraded(from: u8, body: &[u8]) -> Option<Vec<u8>> {
        match from {
            1 => Some([body, &[0, 0]].concat()),
            2 => Some([body, &[0]].concat()),
            _ => None,
        }
    }
}
impl Record for KeyAt {}
impl Record for KeyShelf {}
impl Record for KeyDay {}

impl KeyShelf {
    fn with(mut self, id: Uuid, now: Millis) -> Result<Self, StateError> {
        let live = self.keys.iter().filter(|(_, end)| end.is_none_or(|at| at > now)).count();
        if live >= LIVE_KEYS {
            return Err(StateError::TooManyKeys);
        }
        self.keys.push((id, None));
        Ok(self)
    }

    fn ending(mut self, id: Uuid, at: Millis) -> Self {
        for (_, end) in self.keys.iter_mut().filter(|(key, _)| *key == id) {
            *end = Some(end.map_or(at, |end| end.min(at)));
        }
        self
    }

    /// Takes off those that ended so long before others that they are forgotten.
    fn forgetting(mut self, now: Millis) -> (Self, Vec<Uuid>) {
        let mut ended: Vec<(Millis, Uuid)> =
            self.keys.iter().filter_map(|(id, end)| Some(((*end).filter(|at| *at <= now)?, *id))).collect();
        ended.sort_unstable();
        let old = ended.len().saturating_sub(ENDED_KEYS);
        let forgotten: Vec<Uuid> = ended.into_iter().take(old).map(|(_, id)| id).collect();
        self.keys.retain(|(id, _)| !forgotten.contains(id));
        (self, forgotten)
    }
}

impl Store {
    /// Makes a key for an account. The key itself is only in what this returns.
    ///
    /// # Errors
    /// [`StateError::TooManyKeys`] beyond [`LIVE_KEYS`] valid ones.
    pub fn create_key(
        &self,
        account: Uuid,
        name: &str,
        scopes: Scopes,
        now: Millis,
    ) -> Result<(KeyRecord, ApiKey), StateError> {
        let (record, key) = KeyRecord::fresh(account, name, scopes, now)?;
        self.commit(|tx| {
            let shelf = tx.get(&KEY_SHELVES, account.as_bytes())?.unwrap_or_default();
            put_shelf(tx, account, shelf.with(record.id, now)?, now)?;
            put_new(tx, &record)
        })?;
        Ok((record, key))
    }

    /// An account's keys, newest first: the valid ones and those that ended of late.
    ///
    /// # Errors
    /// [`StateError`].
    pub fn keys(&self, account: Uuid) -> Result<Vec<KeyRecord>, StateError> {
        let tables = &self.shared.tables;
        let mut keys = Vec::new();
        for row in tables.scan(&KEY_INDEX, account.as_bytes()).rev() {
            // Forgotten in between where it isn't there.
            if let Some(key) = tables.get(&KEYS, &row?.1.row)? {
                keys.push(self.shared.recent.on_key(key));
            }
        }
        self.settle()?;
        Ok(keys)
    }

    /// One of the account's keys; another account's is not there.
    ///
    /// # Errors
    /// [`StateError`].
    pub fn key(&self, account: Uuid, id: Uuid) -> Result<Option<KeyRecord>, StateError> {
        let tables = &self.shared.tables;
        let Some(at) = tables.get(&KEY_INDEX, &pair(account, id))? else { return Ok(None) };
        let key = tables.get(&KEYS, &at.row)?.map(|key| self.shared.recent.on_key(key));
        self.settle()?;
        Ok(key)
    }

    /// Makes a key in the place of another one, with its name and scopes; the old one is valid for `grace_s` seconds
    /// more, at most [`GRACE_S`]. None where the account has no such key, or it ended or was rotated before.
    ///
    /// # Errors
    /// [`StateError::TooManyKeys`] where both together are more than may be valid.
    pub fn rotate_key(
        &self,
        account: Uuid,
        id: Uuid,
        grace_s: u64,
        now: Millis,
    ) -> Result<Option<(KeyRecord, ApiKey)>, StateError> {
        let Some(old) = self.key(account, id)? else { return Ok(None) };
        let (record, key) = KeyRecord::fresh(account, &old.name, old.scopes, now)?;
        let replaced = Replaced { by: record.id, until: now.plus_seconds(grace_s.min(GRACE_S)) };
        let rotated = self.commit(|tx| -> Result<bool, Abort> {
            let old = find(tx, account, id)?.filter(|key| key.is_valid(now) && key.replaced.is_none());
            let Some(old) = old else { return Ok(false) };
            let shelf = tx.get(&KEY_SHELVES, account.as_bytes())?.unwrap_or_default().ending(id, replaced.until);
            tx.put(&KEYS, old.digest.row(), &KeyRecord { replaced: Some(replaced), ..old })?;
            put_shelf(tx, account, shelf.with(record.id, now)?, now)?;
            put_new(tx, &record)?;
            Ok(true)
        })?;
        Ok(rotated.then_some((record, key)))
    }

    /// Revokes a key: from then on it is refused. Says whether the account has such a key, revoked before or not.
    ///
    /// # Errors
    /// [`StateError`].
    pub fn revoke_key(&self, account: Uuid, id: Uuid, now: Millis) -> Result<bool, StateError> {
        self.commit(|tx| {
            let Some(key) = find(tx, account, id)? else { return Ok(false) };
            let shelf = tx.get(&KEY_SHELVES, account.as_bytes())?.unwrap_or_default().ending(id, now);
            tx.put(&KEYS, key.digest.row(), &KeyRecord { revoked: key.revoked.or(Some(now)), ..key })?;
            put_shelf(tx, account, shelf, now)?;
            Ok(true)
        })
    }

    /// What one of the account's keys did on each of the last `days` days on which it did something, oldest first.
    ///
    /// # Errors
    /// [`StateError`].
    pub fn key_usage(
        &self,
        account: Uuid,
        id: Uuid,
        days: u32,
        now: Millis,
    ) -> Result<Option<Vec<(Day, KeyDay)>>, StateError> {
        let tables = &self.shared.tables;
        if tables.get(&KEY_INDEX, &pair(account, id))?.is_none() {
            return Ok(None);
        }
        let today = now.day();
        let first = today.minus(days.saturating_sub(1));
        let mut usage = std::collections::BTreeMap::new();
        for row in tables.range(&KEY_DAYS, placed(id, first.0), placed(id, today.0.saturating_add(1))) {
            let (key, day) = row?;
            usage.insert(Day(keyspace::place(&key).unwrap_or_default()), day);
        }
        for (day, requests) in self.shared.recent.requests_of(id) {
            if (first..=today).contains(&day) {
                usage.entry(day).or_insert_with(KeyDay::default).requests += requests;
            }
        }
        self.settle()?;
        Ok(Some(usage.into_iter().collect()))
    }

    /// Makes the index and the shelves for keys of a time before there were any.
    pub(super) fn index_keys(&self) -> Result<(), StateError> {
        let tables = &self.shared.tables;
        if tables.scan(&KEY_INDEX, &[]).next().is_some() {
            return Ok(());
        }
        let keys = tables.scan(&KEYS, &[]).map(|row| Ok(row?.1)).collect::<Result<Vec<_>, StateError>>()?;
        if keys.is_empty() {
            return Ok(());
        }
        // All at once: half an index would look like a whole one.
        self.commit(|tx| {
            for key in &keys {
                tx.put(&KEY_INDEX, &pair(key.account, key.id), &KeyAt::of(key))?;
                let mut shelf = tx.get(&KEY_SHELVES, key.account.as_bytes())?.unwrap_or_default();
                shelf.keys.push((key.id, key.revoked));
                tx.put(&KEY_SHELVES, key.account.as_bytes(), &shelf)?;
            }
            Ok(())
        })
    }

    /// Forgets what keys did more than [`USAGE_DAYS`] ago.
    pub(super) fn forget_key_days(&self, now: Millis) -> Result<(), StateError> {
        let first = now.day().minus(USAGE_DAYS);
        for row in self.shared.tables.scan(&KEY_DAYS, &[]) {
            let (key, day) = row?;
            if keyspace::place(&key).is_none_or(|day| Day(day) < first) {
                self.shared.tables.remove_if(&KEY_DAYS, &key, &day)?;
            }
        }
        Ok(())
    }
}

impl KeyAt {
    fn of(key: &KeyRecord) -> Self {
        let mut row = [0; 16];
        row.copy_from_slice(key.digest.row());
        Self { row }
    }
}

/// Adds to what a key did on a day.
pub(super) fn add_to_day(tx: &Tx<'_>, key: Uuid, day: Day, more: KeyDay) -> Result<(), Abort> {
    let row = placed(key, day.0);
    let so_far = tx.get(&KEY_DAYS, &row)?.unwrap_or_default();
    let sum = KeyDay {
        requests: so_far.requests.saturating_add(more.requests),
        generations: so_far.generations.saturating_add(more.generations),
        credits: so_far.credits.saturating_add(more.credits),
    };
    tx.put(&KEY_DAYS, &row, &sum)
}

/// A key of the account as the transaction finds it.
fn find(tx: &Tx<'_>, account: Uuid, id: Uuid) -> Result<Option<KeyRecord>, Abort> {
    match tx.get(&KEY_INDEX, &pair(account, id))? {
        Some(at) => tx.get(&KEYS, &at.row),
        None => Ok(None),
    }
}

fn put_new(tx: &Tx<'_>, key: &KeyRecord) -> Result<(), Abort> {
    tx.put(&KEYS, key.digest.row(), key)?;
    tx.put(&KEY_INDEX, &pair(key.account, key.id), &KeyAt::of(key))
}

/// Keeps the shelf, and drops the keys that it forgets.
fn put_shelf(tx: &Tx<'_>, account: Uuid, shelf: KeyShelf, now: Millis) -> Result<(), Abort> {
    let (shelf, forgotten) = shelf.forgetting(now);
    for id in forgotten {
        if let Some(at) = tx.get(&KEY_INDEX, &pair(account, id))? {
            tx.remove(&KEYS, &at.row)?;
        }
        tx.remove(&KEY_INDEX, &pair(account, id))?;
    }
    tx.put(&KEY_SHELVES, account.as_bytes(), &shelf)
}
