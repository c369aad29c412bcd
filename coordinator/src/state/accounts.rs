//! Accounts and their keys.

use uuid::Uuid;

use super::ledger::{self, Posted};
use super::records::{Account, KeyRecord, Meta};
use super::{ACCOUNTS, KEYS, META, META_KEY, StateError, Store};
use crate::accounts::Scopes;
use crate::clock::Millis;
use crate::credits::{Balance, Movement};
use crate::keys::{ApiKey, KeyDigest};

/// Whoever a key belongs to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Caller {
    /// The account's id.
    pub account_id: Uuid,
    /// The account.
    pub account: Account,
    /// The key's record.
    pub key: KeyRecord,
}

impl Store {
    /// Makes an account and grants it credits.
    ///
    /// # Errors
    /// [`StateError`].
    pub fn create_account(&self, account: &Account, credits: u64) -> Result<Uuid, StateError> {
        let id = Uuid::now_v7();
        self.commit(|tx| {
            tx.put(&ACCOUNTS, id.as_bytes(), account)?;
            grant(tx, id, credits, account.created)
        })?;
        Ok(id)
    }

    /// Changes an account's record.
    ///
    /// # Errors
    /// [`StateError`].
    pub fn update_account(&self, id: Uuid, account: &Account) -> Result<(), StateError> {
        self.commit(|tx| {
            tx.need(&ACCOUNTS, id.as_bytes())?;
            tx.put(&ACCOUNTS, id.as_bytes(), account)
        })
    }

    /// Makes a key for an account. The key itself is only in what this returns.
    ///
    /// # Errors
    /// [`StateError`].
    pub fn create_key(&self, account: Uuid, name: &str, scopes: Scopes, now: Millis) -> Result<ApiKey, StateError> {
        let key = ApiKey::generate().map_err(|e| StateError::Randomness(e.to_string()))?;
        let (name, digest) = (super::clip(name, 200), key.digest());
        let record = KeyRecord { id: Uuid::now_v7(), account, name, scopes, created: now, revoked: None, digest };
        self.commit(|tx| tx.put(&KEYS, digest.row(), &record))?;
        Ok(key)
    }

    /// Revokes a key; from then on it is refused.
    ///
    /// # Errors
    /// [`StateError::Missing`] for a key that there never was.
    pub fn revoke_key(&self, digest: KeyDigest, now: Millis) -> Result<(), StateError> {
        self.commit(|tx| {
            let key = tx.need(&KEYS, digest.row())?;
            if key.digest != digest {
                return Err(StateError::Missing(KEYS.name()).into());
            }
            tx.put(&KEYS, digest.row(), &KeyRecord { revoked: key.revoked.or(Some(now)), ..key })
        })
    }

    /// Whoever this key belongs to, revoked or not.
    ///
    /// # Errors
    /// [`StateError`].
    pub fn caller(&self, digest: KeyDigest) -> Result<Option<Caller>, StateError> {
        let tables = &self.shared.tables;
        // Digests compare in constant time.
        let Some(key) = tables.get(&KEYS, digest.row())?.filter(|key| key.digest == digest) else { return Ok(None) };
        let account = tables.get(&ACCOUNTS, key.account.as_bytes())?.ok_or(StateError::Missing("accounts"))?;
        Ok(Some(Caller { account_id: key.account, account, key }))
    }

    /// What an account has.
    ///
    /// # Errors
    /// [`StateError`].
    pub fn balance(&self, account: Uuid) -> Result<Balance, StateError> {
        Ok(self.shared.tables.get(&super::BALANCES, account.as_bytes())?.unwrap_or_default())
    }

    /// On the first start, the account of the house and a key to it; afterwards nothing. Until [`Self::first_key_shown`]
    /// is called every start counts as the first and makes another key, so that a crash in between locks nobody out.
    ///
    /// # Errors
    /// [`StateError`].
    pub fn first_key(&self, account: &Account, credits: u64, now: Millis) -> Result<Option<ApiKey>, StateError> {
        let meta: Meta = self.shared.tables.get(&META, META_KEY)?.ok_or(StateError::Missing("meta"))?;
        let id = match meta.first_account {
            Some((_, true)) => return Ok(None),
            Some((id, false)) => id,
            None => {
                let id = Uuid::now_v7();
                self.commit(|tx| {
                    tx.put(&ACCOUNTS, id.as_bytes(), account)?;
                    grant(tx, id, credits, now)?;
                    tx.put(&META, META_KEY, &Meta { first_account: Some((id, false)), ..meta.clone() })
                })?;
                id
            }
        };
        self.create_key(id, "first key", Scopes::ALL, now).map(Some)
    }

    /// Notes that the key of [`Self::first_key`] has been shown.
    ///
    /// # Errors
    /// [`StateError`].
    pub fn first_key_shown(&self) -> Result<(), StateError> {
        self.commit(|tx| {
            let meta = tx.need(&META, META_KEY)?;
            let first_account = meta.first_account.map(|(id, _)| (id, true));
            tx.put(&META, META_KEY, &Meta { first_account, ..meta })
        })
    }
}

/// Credits that come with an account.
fn grant(tx: &super::table::Tx<'_>, account: Uuid, credits: u64, at: Millis) -> Result<(), super::table::Abort> {
    // The account's own id stands where a generation's would: one grant at its making, once.
    let posted = Posted { account, generation: account, output: Uuid::nil(), version: 0, round: 0, amount: credits };
    ledger::post(tx, &posted, Movement::Grant, at)
}
