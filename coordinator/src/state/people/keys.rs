//! API keys: named, scoped, and shown only once. A request finds its key by half of its digest; the API finds it by its
//! id within the account. Usage of keys is counted by day.

use uuid::Uuid;

use crate::accounts::Scopes;
use crate::clock::{Day, Millis};
use crate::keys::ApiKey;
use crate::state::database::tables::{Abort, Tx};
use crate::state::error::StateError;
use crate::state::rows::encoding::clip;
use crate::state::rows::keys::{KeyAt, KeyDay, KeyRecord, KeyShelf, Replaced};
use crate::state::rows::keyspace::{self, pair, placed};
use crate::state::rows::schema::{KEY_DAYS, KEY_INDEX, KEY_SHELVES, KEYS};
use crate::state::store::Store;

/// Maximum number of valid keys per account.
pub const LIVE_KEYS: usize = 100;
/// Maximum number of seconds that a key stays valid after rotation.
pub const GRACE_S: u64 = 30 * 24 * 3600;
/// Days for which the usage of keys is kept.
pub const USAGE_DAYS: u32 = 400;
/// Number of ended keys that an account keeps, so that a client that still uses one gets a specific error. Together
/// with the valid keys they fit into a row.
const ENDED_KEYS: usize = 100;
/// Maximum length of a key's name in bytes.
const NAME_BYTES: usize = 400;

impl KeyRecord {
    fn fresh(account: Uuid, name: &str, scopes: Scopes, now: Millis) -> Result<(Self, ApiKey), StateError> {
        let key = ApiKey::generate().map_err(|e| StateError::Randomness(e.to_string()))?;
        let record = Self {
            id: Uuid::now_v7(),
            account,
            name: clip(name, NAME_BYTES),
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
}

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

    /// Removes ended keys beyond [`ENDED_KEYS`], the oldest first.
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
    /// Creates a key for an account. The key itself is available only in the returned value.
    ///
    /// # Errors
    /// [`StateError::TooManyKeys`] if the account has [`LIVE_KEYS`] valid keys.
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

    /// Returns an account's keys, the newest first: valid keys and recently ended ones.
    ///
    /// # Errors
    /// [`StateError`].
    pub fn keys(&self, account: Uuid) -> Result<Vec<KeyRecord>, StateError> {
        let tables = &self.shared.tables;
        let mut keys = Vec::new();
        for row in tables.scan(&KEY_INDEX, account.as_bytes()).rev() {
            // The key may have been removed between the two reads.
            if let Some(key) = tables.get(&KEYS, &row?.1.row)? {
                keys.push(self.shared.recent.on_key(key));
            }
        }
        self.settle()?;
        Ok(keys)
    }

    /// Returns one of the account's keys. Keys of other accounts are not found.
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

    /// Replaces a key by a new one with the same name and scopes. The old key stays valid for `grace_s` seconds, at
    /// most [`GRACE_S`]. Returns `None` if the account has no such key, or if it has ended or was rotated before.
    ///
    /// # Errors
    /// [`StateError::TooManyKeys`] if both keys together exceed the limit of valid keys.
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

    /// Revokes a key, which is refused from then on. Returns whether the account has such a key, even if it was revoked
    /// before.
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

    /// Returns the usage of one of the account's keys on each of the last `days` days with any usage, the oldest first.
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

    /// Builds the index and the shelves if the state comes from a version that had none.
    pub(in crate::state) fn index_keys(&self) -> Result<(), StateError> {
        let tables = &self.shared.tables;
        if tables.scan(&KEY_INDEX, &[]).next().is_some() {
            return Ok(());
        }
        let keys = tables.scan(&KEYS, &[]).map(|row| Ok(row?.1)).collect::<Result<Vec<_>, StateError>>()?;
        if keys.is_empty() {
            return Ok(());
        }
        // In one transaction: a partial index would look like a complete one.
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

    /// Deletes usage of keys older than [`USAGE_DAYS`].
    pub(in crate::state) fn forget_key_days(&self, now: Millis) -> Result<(), StateError> {
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

/// Adds to the usage of a key on a day.
pub(in crate::state) fn add_to_day(tx: &Tx<'_>, key: Uuid, day: Day, more: KeyDay) -> Result<(), Abort> {
    let row = placed(key, day.0);
    let so_far = tx.get(&KEY_DAYS, &row)?.unwrap_or_default();
    let sum = KeyDay {
        requests: so_far.requests.saturating_add(more.requests),
        generations: so_far.generations.saturating_add(more.generations),
        credits: so_far.credits.saturating_add(more.credits),
    };
    tx.put(&KEY_DAYS, &row, &sum)
}

/// Reads a key of the account within a transaction.
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

/// Stores the shelf, and removes the keys that it drops.
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
