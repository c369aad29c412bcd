//! Accounts, and who calls for them.

use uuid::Uuid;

use super::keys::KeyRecord;
use super::ledger::{self, Posted};
use super::records::{Account, Meta};
use super::sessions::{Session, Visitor};
use super::{ACCOUNTS, KEYS, META, META_KEY, StateError, Store};
use crate::accounts::Scopes;
use crate::clock::Millis;
use crate::credits::{Balance, Movement};
use crate::keys::{ApiKey, KeyDigest};

/// Whoever calls.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Caller {
    /// The account's id.
    pub account_id: Uuid,
    /// The account.
    pub account: Account,
    /// What the call is made with.
    pub by: By,
}

/// What a call is made with.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum By {
    /// An API key.
    Key(KeyRecord),
    /// A member's session.
    Session(Session),
}

impl Caller {
    /// What the call may be made for. A session may do whatever the API has.
    pub fn scopes(&self) -> Scopes {
        match &self.by {
            By::Key(key) => key.scopes,
            By::Session(_) => Scopes::ALL,
        }
    }

    /// The id of the key that the call is made with.
    pub fn key_id(&self) -> Option<Uuid> {
        match &self.by {
            By::Key(key) => Some(key.id),
            By::Session(_) => None,
        }
    }
}

impl From<Visitor> for Caller {
    fn from(visitor: Visitor) -> Self {
        let Visitor { account_id, account, session, member: _ } = visitor;
        Self { account_id, account, by: By::Session(session) }
    }
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

    /// Whoever this key belongs to, revoked or not.
    ///
    /// # Errors
    /// [`StateError`].
    pub fn caller(&self, digest: KeyDigest) -> Result<Option<Caller>, StateError> {
        let tables = &self.shared.tables;
        // Digests compare in constant time.
        let Some(key) = tables.get(&KEYS, digest.row())?.filter(|key| key.digest == digest) else { return Ok(None) };
        let account = tables.get(&ACCOUNTS, key.account.as_bytes())?.ok_or(StateError::Missing("accounts"))?;
        Ok(Some(Caller { account_id: key.account, account, by: By::Key(key) }))
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
        let made = match self.create_key(id, "first key", Scopes::ALL, now) {
            // As many starts were cut off: the oldest of their keys gives way.
            Err(StateError::TooManyKeys) => {
                if let Some(oldest) = self.keys(id)?.into_iter().rev().find(|key| key.is_valid(now)) {
                    self.revoke_key(id, oldest.id, now)?;
                }
                self.create_key(id, "first key", Scopes::ALL, now)?
            }
            made => made?,
        };
        Ok(Some(made.1))
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
