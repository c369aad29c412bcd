//! Encoding of row keys. Numbers are big-endian, so keys sort by value. Ids are UUID v7, so rows sort by age.

use uuid::Uuid;

use crate::credits::Movement;
use crate::state::error::StateError;

/// Decodes a key that is an id.
pub(in crate::state) fn id(key: &[u8]) -> Result<Uuid, StateError> {
    Uuid::from_slice(key).map_err(|e| StateError::Unreadable(e.to_string()))
}

/// Returns the key of a row that belongs to another one, such as a generation of an account.
pub(in crate::state) fn pair(a: Uuid, b: Uuid) -> Vec<u8> {
    [a.as_bytes().as_slice(), b.as_bytes()].concat()
}

/// Returns the key of a generation's row at a place.
pub(in crate::state) fn placed(generation: Uuid, place: u32) -> Vec<u8> {
    [generation.as_bytes().as_slice(), &place.to_be_bytes()].concat()
}

/// Returns the key of a version of an output, which is given by its place in its generation.
pub(in crate::state) fn versioned(generation: Uuid, place: u32, version: u32) -> Vec<u8> {
    [generation.as_bytes().as_slice(), &place.to_be_bytes(), &version.to_be_bytes()].concat()
}

/// Returns the place in a [`placed`] key.
pub(in crate::state) fn place(key: &[u8]) -> Option<u32> {
    key.get(16..20).and_then(|p| p.try_into().ok()).map(u32::from_be_bytes)
}

/// The key of a ledger entry. Each key exists at most once.
///
/// For credits that move without a generation, the account's id replaces the generation's. [`grants`] lists the meaning
/// of the version then.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::state) struct EntryKey {
    pub(in crate::state) account: Uuid,
    pub(in crate::state) generation: Uuid,
    pub(in crate::state) output: Uuid,
    pub(in crate::state) version: u32,
    pub(in crate::state) round: u32,
    pub(in crate::state) movement: Movement,
}

/// Versions of entries without a generation.
pub(in crate::state) mod grants {
    /// The credits that an account starts with.
    pub const FIRST: u32 = 0;
    /// The credits of a month: the round is the month's number.
    pub const MONTH: u32 = 1;
    /// A top-up: the output is its id.
    pub const TOPUP: u32 = 2;
    /// A pack: the output is its id; in an expiry, the round is the month in which it ended.
    pub const PACK: u32 = 3;
    /// The difference of a better plan for the rest of a month: the output is the plan change's id.
    pub const RAISE: u32 = 4;
}

impl EntryKey {
    pub(in crate::state) fn bytes(&self) -> Vec<u8> {
        let movement = match self.movement {
            Movement::Grant => 0,
            Movement::Hold => 1,
            Movement::Capture => 2,
            Movement::Release => 3,
            Movement::Expiry => 4,
        };
        [
            self.account.as_bytes().as_slice(),
            self.generation.as_bytes(),
            self.output.as_bytes(),
            &self.version.to_be_bytes(),
            &self.round.to_be_bytes(),
            &[movement],
        ]
        .concat()
    }

    /// Decodes a key.
    pub(in crate::state) fn read(key: &[u8]) -> Option<Self> {
        let uuid = |at: usize| Uuid::from_slice(key.get(at..at + 16)?).ok();
        let number = |at: usize| key.get(at..at + 4)?.try_into().ok().map(u32::from_be_bytes);
        Some(Self {
            account: uuid(0)?,
            generation: uuid(16)?,
            output: uuid(32)?,
            version: number(48)?,
            round: number(52)?,
            movement: Self::movement(key)?,
        })
    }

    /// Returns the movement in a key.
    pub(in crate::state) fn movement(key: &[u8]) -> Option<Movement> {
        match key.last()? {
            0 => Some(Movement::Grant),
            1 => Some(Movement::Hold),
            2 => Some(Movement::Capture),
            3 => Some(Movement::Release),
            4 => Some(Movement::Expiry),
            _ => None,
        }
    }
}

/// Returns the row key of an account's idempotency key.
pub(in crate::state) fn idempotency(account: Uuid, key: &str) -> Vec<u8> {
    [account.as_bytes().as_slice(), key.as_bytes()].concat()
}

/// Returns the row key of an account's ledger entry by its number.
pub(in crate::state) fn numbered(account: Uuid, number: u64) -> Vec<u8> {
    [account.as_bytes().as_slice(), &number.to_be_bytes()].concat()
}

/// Returns the account and the idempotency key of an [`idempotency`] row.
pub(in crate::state) fn idempotency_parts(row: &[u8]) -> Result<(Uuid, String), StateError> {
    let unreadable = || StateError::Unreadable("an idempotency key".into());
    let (account, key) = row.split_at_checked(16).ok_or_else(unreadable)?;
    let key = std::str::from_utf8(key).map_err(|_| unreadable())?;
    Ok((Uuid::from_slice(account).map_err(|_| unreadable())?, key.to_owned()))
}

/// Returns the key of a row of the response to an idempotency key. Idempotency keys are visible ASCII, so a zero byte
/// terminates them.
pub(in crate::state) fn answer(account: Uuid, key: &str, part: u16) -> Vec<u8> {
    [account.as_bytes().as_slice(), key.as_bytes(), &[0], &part.to_be_bytes()].concat()
}
