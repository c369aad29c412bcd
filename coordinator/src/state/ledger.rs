//! The ledger: every movement of credits, each at most once, and the balance that they sum up to.

use uuid::Uuid;

use super::keyspace::EntryKey;
use super::records::Entry;
use super::table::{Abort, Tx};
use super::{BALANCES, LEDGER, StateError, Store};
use crate::clock::Millis;
use crate::credits::{Balance, Movement};

/// What credits move for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Posted {
    pub(super) account: Uuid,
    pub(super) generation: Uuid,
    pub(super) output: Uuid,
    pub(super) version: u32,
    pub(super) round: u32,
    pub(super) amount: u64,
}

/// Enters a movement and updates the balance with it. One that is in the ledger already changes nothing.
pub(super) fn post(tx: &Tx<'_>, posted: &Posted, movement: Movement, at: Millis) -> Result<(), Abort> {
    let Posted { account, generation, output, version, round, amount } = *posted;
    let key = EntryKey { account, generation, output, version, round, movement }.bytes();
    if tx.get(&LEDGER, &key)?.is_some() {
        return Ok(());
    }
    let balance = tx.get(&BALANCES, account.as_bytes())?.unwrap_or_default();
    tx.put(&LEDGER, &key, &Entry { amount, at })?;
    tx.moved(movement, amount);
    tx.put(&BALANCES, account.as_bytes(), &balance.after(movement, amount)?)
}

impl Store {
    /// The balance as the entries make it up.
    ///
    /// # Errors
    /// [`StateError`]; [`StateError::Unreadable`] where the entries sum up to less than nothing.
    pub fn audit(&self, account: Uuid) -> Result<Balance, StateError> {
        let (mut granted, mut held, mut captured, mut released) = (0u64, 0, 0, 0);
        for row in self.shared.tables.scan(&LEDGER, account.as_bytes()) {
            let (key, entry) = row?;
            match EntryKey::movement(&key) {
                Some(Movement::Grant) => granted += entry.amount,
                Some(Movement::Hold) => held += entry.amount,
                Some(Movement::Capture) => captured += entry.amount,
                Some(Movement::Release) => released += entry.amount,
                None => return Err(StateError::Unreadable("a ledger key".into())),
            }
        }
        let negative = || StateError::Unreadable("a ledger that sums up to less than nothing".into());
        Ok(Balance {
            available: (granted + released).checked_sub(held).ok_or_else(negative)?,
            reserved: held.checked_sub(captured + released).ok_or_else(negative)?,
        })
    }
}
