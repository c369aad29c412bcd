//! Rows of the ledger, of balances and of token usage.

use serde::{Deserialize, Serialize};

use crate::balance::{Balance, Share};
use crate::clock::Millis;
use crate::state::rows::encoding::{Record, versions};

/// A ledger entry, keyed by (account, generation, output, version, round, movement).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Entry {
    /// Number of credits.
    pub amount: u64,
    /// When.
    pub at: Millis,
    /// Number of the entry within its account, from 1; 0 in entries of versions that didn't number them.
    pub number: u64,
    /// Available credits after the entry.
    pub available: u64,
    /// Reserved credits after the entry.
    pub reserved: u64,
    /// Where the credits came from or went to.
    pub shares: Vec<Share>,
    /// The note of whoever granted them.
    pub note: Option<String>,
}

/// Version 1 of [`Entry`]. It knew no balances, sources and notes.
#[derive(Deserialize)]
struct EntryV1 {
    amount: u64,
    at: Millis,
}

impl From<EntryV1> for Entry {
    fn from(EntryV1 { amount, at }: EntryV1) -> Self {
        Self { amount, at, number: 0, available: 0, reserved: 0, shares: Vec::new(), note: None }
    }
}

versions! { Entry as EntryRow: 1 => V1(EntryV1), 2 => V2(Entry) }

/// The key of a ledger entry, stored by (account, number of the entry).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(in crate::state) struct EntryPlace(pub(in crate::state) Vec<u8>);

impl Record for EntryPlace {}

/// Tokens that an account used on the last day on which it used any, keyed by the account's id.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub(in crate::state) struct TokenDay {
    /// The day, counted from 1970-01-01.
    pub(in crate::state) day: u32,
    /// Tokens used, including grants that aren't reported yet.
    pub(in crate::state) used: u64,
}

impl Record for TokenDay {}

/// A grant of tokens, and its day.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Granted {
    pub(in crate::state) day: u32,
    /// Number of tokens.
    pub tokens: u64,
}

/// Version 1 of [`Balance`]. All credits were top-up.
#[derive(Deserialize)]
struct BalanceV1 {
    topup: u64,
    reserved: u64,
}

impl From<BalanceV1> for Balance {
    fn from(BalanceV1 { topup, reserved }: BalanceV1) -> Self {
        Self { topup, reserved, ..Self::default() }
    }
}

versions! { Balance as BalanceRow: 1 => V1(BalanceV1), 2 => V2(Balance) }
