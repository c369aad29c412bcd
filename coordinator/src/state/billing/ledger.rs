//! The ledger: every movement of credits, each recorded at most once, and the balance that results from them.

use uuid::Uuid;

use crate::accounts::MonthlyCredits;
use crate::balance::{Balance, PACKS, Share, Source};
use crate::clock::{Millis, Month};
use crate::credits::Movement;
use crate::state::database::tables::{Abort, Tx};
use crate::state::error::StateError;
use crate::state::rows::encoding::clip;
use crate::state::rows::keyspace::{EntryKey, grants, numbered};
use crate::state::rows::ledger::{Entry, EntryPlace};
use crate::state::rows::schema::{ACCOUNTS, BALANCES, LEDGER, LEDGER_ORDER};
use crate::state::store::Store;

/// Maximum length of a note in bytes.
const NOTE_BYTES: usize = 400;
/// Expiry time of credits that don't expire.
const NEVER: Millis = Millis(i64::MAX);

/// The output that credits move for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::state) struct Posted {
    pub(in crate::state) account: Uuid,
    pub(in crate::state) generation: Uuid,
    pub(in crate::state) output: Uuid,
    pub(in crate::state) version: u32,
    pub(in crate::state) round: u32,
    pub(in crate::state) amount: u64,
}

/// Credits to grant.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Gift {
    /// Its id. Repeated grants with the same id have no effect.
    pub id: Uuid,
    /// Number of credits.
    pub amount: u64,
    /// When they expire; `None` for a top-up.
    pub expires: Option<Millis>,
    /// The reason.
    pub note: Option<String>,
}

/// Result of a grant.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Gave {
    /// The balance after the grant.
    Granted(Balance),
    /// There is no such account.
    NoAccount,
    /// The account has the maximum number of packs.
    TooManyPacks,
    /// The balance would overflow.
    TooMuch,
}

/// A ledger entry with its context.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LedgerLine {
    /// The kind of movement.
    pub movement: Movement,
    /// The generation, if the entry belongs to one.
    pub generation: Option<Uuid>,
    /// The generation's output, if the entry belongs to one.
    pub output: Option<Uuid>,
    /// The version of the output's design.
    pub version: u32,
    /// The retry round of the generation.
    pub round: u32,
    /// The entry.
    pub entry: Entry,
}

/// Records a movement for an output and updates the balance. A movement that is already in the ledger changes nothing.
pub(in crate::state) fn post(tx: &Tx<'_>, posted: &Posted, movement: Movement, at: Millis) -> Result<(), Abort> {
    let Posted { account, generation, output, version, round, amount } = *posted;
    let key = EntryKey { account, generation, output, version, round, movement };
    if tx.get(&LEDGER, &key.bytes())?.is_some() {
        return Ok(());
    }
    let mut balance = tx.get(&BALANCES, account.as_bytes())?.unwrap_or_default();
    let shares = match movement {
        Movement::Hold => balance.hold(amount)?,
        Movement::Capture => {
            balance.capture(amount)?;
            held_from(tx, &key)?
        }
        Movement::Release => balance.release(amount, &held_from(tx, &key)?, at)?,
        Movement::Grant | Movement::Expiry => return Err(StateError::Missing("an output's movement").into()),
    };
    enter(tx, &key, Line { amount, shares, note: None }, balance, at)
}

/// Returns the sources of a hold's credits.
fn held_from(tx: &Tx<'_>, key: &EntryKey) -> Result<Vec<Share>, Abort> {
    let hold = EntryKey { movement: Movement::Hold, ..*key };
    Ok(tx.get(&LEDGER, &hold.bytes())?.map(|entry| entry.shares).unwrap_or_default())
}

struct Line {
    amount: u64,
    shares: Vec<Share>,
    note: Option<String>,
}

/// Writes an entry, its place in the order, and the resulting balance.
fn enter(tx: &Tx<'_>, key: &EntryKey, line: Line, mut balance: Balance, at: Millis) -> Result<(), Abort> {
    balance.entries += 1;
    tx.moved(key.movement, line.amount);
    let Line { amount, shares, note } = line;
    let (number, available, reserved) = (balance.entries, balance.available(), balance.reserved);
    let bytes = key.bytes();
    tx.put(&LEDGER, &bytes, &Entry { amount, at, number, available, reserved, shares, note })?;
    tx.put(&LEDGER_ORDER, &numbered(key.account, number), &EntryPlace(bytes))?;
    tx.put(&BALANCES, key.account.as_bytes(), &balance)
}

/// Returns the key of an entry without a generation.
fn without_generation(account: Uuid, id: Uuid, what: u32, round: u32, movement: Movement) -> EntryKey {
    EntryKey { account, generation: account, output: id, version: what, round, movement }
}

/// Grants credits once per key.
fn grant(
    tx: &Tx<'_>,
    key: &EntryKey,
    share: Share,
    expires: Millis,
    note: Option<String>,
    at: Millis,
) -> Result<(), Abort> {
    if tx.get(&LEDGER, &key.bytes())?.is_some() {
        return Ok(());
    }
    let mut balance = tx.get(&BALANCES, key.account.as_bytes())?.unwrap_or_default();
    balance.grant(share, expires)?;
    if share.amount == 0 {
        return tx.put(&BALANCES, key.account.as_bytes(), &balance);
    }
    enter(tx, key, Line { amount: share.amount, shares: vec![share], note }, balance, at)
}

/// Grants the credits that a new account starts with.
pub(in crate::state) fn first_grant(tx: &Tx<'_>, account: Uuid, amount: u64, at: Millis) -> Result<(), Abort> {
    let key = without_generation(account, Uuid::nil(), grants::FIRST, 0, Movement::Grant);
    grant(tx, &key, Share { source: Source::Topup, amount }, NEVER, None, at)
}

/// Returns the balance after removing expired credits and granting the month's credits. An inactive account gets no
/// monthly credits.
pub(in crate::state) fn renewed(
    tx: &Tx<'_>,
    account: Uuid,
    monthly: &MonthlyCredits,
    now: Millis,
) -> Result<Balance, Abort> {
    let before = tx.get(&BALANCES, account.as_bytes())?.unwrap_or_default();
    if !before.is_due(now) {
        return Ok(before);
    }
    for pack in before.ended(now) {
        end(tx, account, Source::Pack(pack.id), pack.id, grants::PACK, Month::of(pack.expires), now)?;
    }
    let month = Month::of(now);
    if before.month < month {
        end(tx, account, Source::Monthly(before.month), Uuid::nil(), grants::MONTH, before.month, now)?;
        if let Some(owner) = tx.get(&ACCOUNTS, account.as_bytes())?.filter(|a| a.active) {
            let key = without_generation(account, Uuid::nil(), grants::MONTH, month.0, Movement::Grant);
            let share = Share { source: Source::Monthly(month), amount: monthly.of(owner.plan) };
            grant(tx, &key, share, NEVER, None, now)?;
        }
    }
    Ok(tx.get(&BALANCES, account.as_bytes())?.unwrap_or_default())
}

/// Expires the remaining credits of a source.
fn end(
    tx: &Tx<'_>,
    account: Uuid,
    source: Source,
    id: Uuid,
    what: u32,
    month: Month,
    now: Millis,
) -> Result<(), Abort> {
    let mut balance = tx.get(&BALANCES, account.as_bytes())?.unwrap_or_default();
    let amount = balance.expire(source);
    if amount == 0 {
        return tx.put(&BALANCES, account.as_bytes(), &balance);
    }
    let key = without_generation(account, id, what, month.0, Movement::Expiry);
    enter(tx, &key, Line { amount, shares: vec![Share { source, amount }], note: None }, balance, now)
}

/// Grants the difference of a better plan for the rest of the month. `change` is the id of the plan change.
pub(in crate::state) fn raise(tx: &Tx<'_>, account: Uuid, change: Uuid, more: u64, now: Millis) -> Result<(), Abort> {
    let key = without_generation(account, change, grants::RAISE, 0, Movement::Grant);
    grant(tx, &key, Share { source: Source::Monthly(Month::of(now)), amount: more }, NEVER, None, now)
}

impl Store {
    /// Returns an account's current balance. Due expiries and monthly grants are recorded first. If the state isn't
    /// writable, they are only computed.
    ///
    /// # Errors
    /// [`StateError`].
    pub fn balance(&self, account: Uuid, now: Millis) -> Result<Balance, StateError> {
        let balance = self.shared.tables.get(&BALANCES, account.as_bytes())?.unwrap_or_default();
        if !balance.is_due(now) {
            return Ok(balance);
        }
        match self.commit(|tx| renewed(tx, account, &self.shared.monthly, now)) {
            Err(StateError::NoRoom(_) | StateError::Storage(_)) => self.foreseen(account, balance, now),
            renewed => renewed,
        }
    }

    /// Computes the balance that [`renewed`] will produce.
    fn foreseen(&self, account: Uuid, mut balance: Balance, now: Millis) -> Result<Balance, StateError> {
        let ended: Vec<_> = balance.ended(now).collect();
        for pack in ended {
            balance.expire(Source::Pack(pack.id));
        }
        let month = Month::of(now);
        if balance.month < month {
            balance.expire(Source::Monthly(balance.month));
            if let Some(owner) = self.shared.tables.get(&ACCOUNTS, account.as_bytes())?.filter(|a| a.active) {
                let share = Share { source: Source::Monthly(month), amount: self.shared.monthly.of(owner.plan) };
                balance.grant(share, NEVER)?;
            }
        }
        Ok(balance)
    }

    /// Renews every account's monthly credits. Returns the number of accounts that changed.
    ///
    /// # Errors
    /// [`StateError`].
    pub fn renew(&self, now: Millis) -> Result<usize, StateError> {
        let mut due = Vec::new();
        for row in self.shared.tables.scan(&BALANCES, &[]) {
            let (key, balance) = row?;
            if balance.is_due(now) {
                due.push((Uuid::from_slice(&key).map_err(|e| StateError::Unreadable(e.to_string()))?, balance));
            }
        }
        let mut changed = 0;
        for (account, before) in due {
            let after = self.commit(|tx| renewed(tx, account, &self.shared.monthly, now))?;
            changed += usize::from(after != before);
        }
        Ok(changed)
    }

    /// Grants an account credits, once per id.
    ///
    /// # Errors
    /// [`StateError`].
    pub fn give(&self, account: Uuid, gift: &Gift, now: Millis) -> Result<Gave, StateError> {
        self.commit(|tx| {
            if tx.get(&ACCOUNTS, account.as_bytes())?.is_none() {
                return Ok(Gave::NoAccount);
            }
            let before = renewed(tx, account, &self.shared.monthly, now)?;
            let (source, what) = match gift.expires {
                Some(_) => (Source::Pack(gift.id), grants::PACK),
                None => (Source::Topup, grants::TOPUP),
            };
            let key = without_generation(account, gift.id, what, 0, Movement::Grant);
            let is_new = tx.get(&LEDGER, &key.bytes())?.is_none();
            if is_new && gift.expires.is_some() && before.packs.len() >= PACKS {
                return Ok(Gave::TooManyPacks);
            }
            let share = Share { source, amount: gift.amount };
            if before.clone().grant(share, NEVER).is_err() {
                return Ok(Gave::TooMuch);
            }
            let note = gift.note.as_deref().map(|note| clip(note, NOTE_BYTES));
            grant(tx, &key, share, gift.expires.unwrap_or(NEVER), note, now)?;
            Ok(Gave::Granted(tx.get(&BALANCES, account.as_bytes())?.unwrap_or_default()))
        })
    }

    /// Returns up to `limit` entries of an account's ledger, the newest first, only those before the entry number
    /// `before`. Also returns whether there are more.
    ///
    /// # Errors
    /// [`StateError`].
    pub fn ledger(
        &self,
        account: Uuid,
        before: Option<u64>,
        limit: usize,
    ) -> Result<(Vec<LedgerLine>, bool), StateError> {
        let tables = &self.shared.tables;
        let end = numbered(account, before.unwrap_or(u64::MAX));
        let mut rows = tables.range(&LEDGER_ORDER, numbered(account, 0), end).rev();
        let mut lines = Vec::new();
        for row in rows.by_ref().take(limit) {
            let (_, EntryPlace(bytes)) = row?;
            let entry = tables.get(&LEDGER, &bytes)?.ok_or(StateError::Missing(LEDGER.name()))?;
            lines.push(LedgerLine::of(&bytes, entry)?);
        }
        let more = rows.next().is_some();
        self.settle()?;
        Ok((lines, more))
    }

    /// Computes the available and the reserved credits from all ledger entries.
    ///
    /// # Errors
    /// [`StateError`]; [`StateError::Unreadable`] if the entries sum to a negative amount.
    pub fn audit(&self, account: Uuid) -> Result<(u64, u64), StateError> {
        self.audit_to(account, u64::MAX)
    }

    /// Like [`Self::audit`], for the entries up to number `last`.
    pub(in crate::state) fn audit_to(&self, account: Uuid, last: u64) -> Result<(u64, u64), StateError> {
        let (mut granted, mut held, mut captured, mut released, mut expired) = (0u64, 0u64, 0, 0, 0);
        for row in self.shared.tables.scan(&LEDGER, account.as_bytes()) {
            let (key, entry) = row?;
            if entry.number > last {
                continue;
            }
            match EntryKey::movement(&key) {
                Some(Movement::Grant) => granted += entry.amount,
                Some(Movement::Hold) => held += entry.amount,
                Some(Movement::Capture) => captured += entry.amount,
                Some(Movement::Release) => released += entry.amount,
                Some(Movement::Expiry) => expired += entry.amount,
                None => return Err(StateError::Unreadable("a ledger key".into())),
            }
        }
        let negative = || StateError::Unreadable("a ledger with a negative sum".into());
        let available = (granted + released).checked_sub(held + expired).ok_or_else(negative)?;
        Ok((available, held.checked_sub(captured + released).ok_or_else(negative)?))
    }
}

impl LedgerLine {
    fn of(key: &[u8], entry: Entry) -> Result<Self, StateError> {
        let key = EntryKey::read(key).ok_or_else(|| StateError::Unreadable("a ledger key".into()))?;
        let is_for_one = key.generation != key.account;
        let (generation, output) = (is_for_one.then_some(key.generation), is_for_one.then_some(key.output));
        let (version, round) = if is_for_one { (key.version, key.round) } else { (0, 0) };
        Ok(Self { movement: key.movement, generation, output, version, round, entry })
    }
}

#[cfg(test)]
#[path = "ledger_tests.rs"]
mod tests;
