//! Rows of API keys and of their usage.

use serde::{Deserialize, Serialize};
use uuid::Uuid;

use crate::accounts::Scopes;
use crate::clock::Millis;
use crate::keys::KeyDigest;
use crate::state::rows::encoding::{Record, versions};

/// An API key, keyed by the first half of its SHA-256.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct KeyRecord {
    /// Its id within the service. The key itself is not stored.
    pub id: Uuid,
    /// The account that it gives access to.
    pub account: Uuid,
    /// The name that the account gave it.
    pub name: String,
    /// Its scopes.
    pub scopes: Scopes,
    /// When it was created.
    pub created: Millis,
    /// When it was revoked.
    pub revoked: Option<Millis>,
    /// The full SHA-256 of the key.
    pub digest: KeyDigest,
    /// When it was last used, to the minute.
    pub used: Option<Millis>,
    /// The key that replaced it.
    pub replaced: Option<Replaced>,
    /// Its last characters, by which people recognize it; `None` for keys of versions that did not store them.
    pub ending: Option<String>,
}

impl KeyRecord {
    /// Returns whether the key is accepted at `now`.
    pub fn is_valid(&self, now: Millis) -> bool {
        self.revoked.is_none() && self.replaced.is_none_or(|r| r.until > now)
    }
}

/// Version 1 of [`KeyRecord`].
#[derive(Deserialize)]
struct KeyV1 {
    id: Uuid,
    account: Uuid,
    name: String,
    scopes: Scopes,
    created: Millis,
    revoked: Option<Millis>,
    digest: KeyDigest,
}

/// Version 2 of [`KeyRecord`]. It did not keep the end of the key.
#[derive(Deserialize)]
struct KeyV2 {
    before: KeyV1,
    used: Option<Millis>,
    replaced: Option<Replaced>,
}

impl From<KeyV1> for KeyV2 {
    fn from(before: KeyV1) -> Self {
        Self { before, used: None, replaced: None }
    }
}

impl From<KeyV2> for KeyRecord {
    fn from(KeyV2 { before, used, replaced }: KeyV2) -> Self {
        let KeyV1 { id, account, name, scopes, created, revoked, digest } = before;
        Self { id, account, name, scopes, created, revoked, digest, used, replaced, ending: None }
    }
}

versions! { KeyRecord as KeyRow: 1 => V1(KeyV1), 2 => V2(KeyV2), 3 => V3(KeyRecord) }

/// The replacement of a rotated key.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Replaced {
    /// The new key's id.
    pub by: Uuid,
    /// Until when the old key is valid.
    pub until: Millis,
}

/// The key of a key's row, stored by (account, key).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(in crate::state) struct KeyAt {
    pub(in crate::state) row: [u8; 16],
}

impl Record for KeyAt {}

/// The keys of an account, keyed by the account's id. It gives the number of valid keys without reading them all.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub(in crate::state) struct KeyShelf {
    /// Each key with the time when it ends or ended.
    pub(in crate::state) keys: Vec<(Uuid, Option<Millis>)>,
}

impl Record for KeyShelf {}

/// Usage of a key on one day, keyed by (key, day).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct KeyDay {
    /// Number of requests.
    pub requests: u64,
    /// Number of accepted generations.
    pub generations: u64,
    /// Credits charged. Refunds are not deducted.
    pub credits: u64,
}

impl Record for KeyDay {}
