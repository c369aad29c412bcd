//! Accounts, and the callers who act for them.

use uuid::Uuid;

use crate::accounts::{Plan, Scopes};
use crate::clock::Millis;
use crate::keys::{ApiKey, KeyDigest};
use crate::state::billing::ledger;
use crate::state::database::tables::{Abort, Tx};
use crate::state::error::StateError;
use crate::state::people::sessions::Visitor;
use crate::state::rows::accounts::{Account, Meta};
use crate::state::rows::encoding::clip;
use crate::state::rows::keys::KeyRecord;
use crate::state::rows::members::Session;
use crate::state::rows::schema::{ACCOUNTS, KEYS, META, META_KEY};
use crate::state::store::Store;

/// Maximum length of an account's name in bytes.
const NAME_BYTES: usize = 400;

/// Changes to an account; `None` leaves a field as it is.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct AccountChange {
    /// The name.
    pub name: Option<String>,
    /// The plan.
    pub plan: Option<Plan>,
    /// Whether the account may use the service.
    pub active: Option<bool>,
}

/// The caller of a request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Caller {
    /// The account's id.
    pub account_id: Uuid,
    /// The account.
    pub account: Account,
    /// How the caller authenticated.
    pub by: By,
}

/// How a caller authenticated.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum By {
    /// An API key.
    Key(KeyRecord),
    /// A member's session.
    Session(Session),
}

impl Caller {
    /// Returns the scopes of the call. A session has all scopes.
    pub fn scopes(&self) -> Scopes {
        match &self.by {
            By::Key(key) => key.scopes,
            By::Session(_) => Scopes::ALL,
        }
    }

    /// Returns the id of the API key, if the call uses one.
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
    /// Creates an account with `credits` credits that don't expire, and its plan's credits for the month.
    ///
    /// # Errors
    /// [`StateError`].
    pub fn create_account(&self, account: &Account, credits: u64) -> Result<Uuid, StateError> {
        let id = Uuid::now_v7();
        self.commit(|tx| self.put_account(tx, id, account, credits))?;
        Ok(id)
    }

    fn put_account(&self, tx: &Tx<'_>, id: Uuid, account: &Account, credits: u64) -> Result<(), Abort> {
        tx.put(&ACCOUNTS, id.as_bytes(), account)?;
        ledger::first_grant(tx, id, credits, account.created)?;
        ledger::renewed(tx, id, &self.shared.monthly, account.created).map(drop)
    }

    /// Returns an account.
    ///
    /// # Errors
    /// [`StateError`].
    pub fn account(&self, id: Uuid) -> Result<Option<Account>, StateError> {
        self.shared.tables.get(&ACCOUNTS, id.as_bytes())
    }

    /// Returns up to `limit` accounts in order of creation, only those after `after`. Also returns whether there are
    /// more.
    ///
    /// # Errors
    /// [`StateError`].
    pub fn accounts(&self, after: Option<Uuid>, limit: usize) -> Result<(Vec<(Uuid, Account)>, bool), StateError> {
        let mut start = after.map_or_else(Vec::new, |id| id.as_bytes().to_vec());
        // The first key after `after`.
        start.push(0);
        let mut rows = self.shared.tables.range(&ACCOUNTS, start, vec![u8::MAX; 17]);
        let mut accounts = Vec::new();
        for row in rows.by_ref().take(limit) {
            let (key, account) = row?;
            accounts.push((Uuid::from_slice(&key).map_err(|e| StateError::Unreadable(e.to_string()))?, account));
        }
        Ok((accounts, rows.next().is_some()))
    }

    /// Changes an account. Returns `None` if there is none. A better plan grants the difference for the rest of the
    /// month at once; a lesser plan takes effect next month.
    ///
    /// # Errors
    /// [`StateError`].
    pub fn change_account(&self, id: Uuid, change: &AccountChange, now: Millis) -> Result<Option<Account>, StateError> {
        let (changed, monthly) = (Uuid::now_v7(), &self.shared.monthly);
        self.commit(|tx| {
            let Some(before) = tx.get(&ACCOUNTS, id.as_bytes())? else { return Ok(None) };
            ledger::renewed(tx, id, monthly, now)?;
            let after = Account {
                name: change.name.as_deref().map_or_else(|| before.name.clone(), |name| clip(name, NAME_BYTES)),
                plan: change.plan.unwrap_or(before.plan),
                active: change.active.unwrap_or(before.active),
                created: before.created,
            };
            tx.put(&ACCOUNTS, id.as_bytes(), &after)?;
            let more = monthly.of(after.plan).saturating_sub(monthly.of(before.plan));
            if before.active && more > 0 {
                ledger::raise(tx, id, changed, more, now)?;
            }
            ledger::renewed(tx, id, monthly, now)?;
            Ok(Some(after))
        })
    }

    /// Returns the caller that a key belongs to, revoked or not.
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

    /// On the first start, creates the first account and a key to it. Returns `None` on later starts. Until
    /// [`Self::first_key_shown`] is called, every start counts as the first and creates another key, so that a crash in
    /// between locks nobody out.
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
                    self.put_account(tx, id, account, credits)?;
                    tx.put(&META, META_KEY, &Meta { first_account: Some((id, false)), ..meta.clone() })
                })?;
                id
            }
        };
        let made = match self.create_key(id, "first key", Scopes::ALL, now) {
            // That many starts were interrupted: revoke the oldest of their keys.
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

    /// Records that the key of [`Self::first_key`] was shown.
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
