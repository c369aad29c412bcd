//! Rows of the ledger, of balances and of token usage.

use serde::{Deserialize, Serialize};

use crate::balance::{Balance, Share};
use crate::clock::Millis;
use crate::state::rows::encoding::Record;

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

impl Record for Entry {
    /// 2: everything after `at`.
    const VERSION: u8 = 2;

    fn upgraded(from: u8, body: &[u8]) -> Option<Vec<u8>> {
        (from == 1).then(|| [body, &[0; 5]].concat())
    }
}

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

impl Record for Balance {
    /// 2: months, packs, and a count of entries; before, all credits were top-up.
    const VERSION: u8 = 2;

    fn upgraded(from: u8, body: &[u8]) -> Option<Vec<u8>> {
        (from == 1).then(|| [body, &[0; 4]].concat())
    }
}
