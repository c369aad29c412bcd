//! How rows are addressed. Numbers are big-endian, so keys sort as what they say; ids are UUID v7, so rows sort by age.

use uuid::Uuid;

use super::StateError;
use crate::credits::Movement;

/// A row of one thing within another: a generation of an account.
pub(super) fn pair(a: Uuid, b: Uuid) -> Vec<u8> {
    [a.as_bytes().as_slice(), b.as_bytes()].concat()
}

/// A row of a generation by its place.
pub(super) fn placed(generation: Uuid, place: u32) -> Vec<u8> {
    [generation.as_bytes().as_slice(), &place.to_be_bytes()].concat()
}

/// What a ledger entry is for. Each exists at most once.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct EntryKey {
    pub(super) account: Uuid,
    pub(super) generation: Uuid,
    pub(super) output: Uuid,
    pub(super) version: u32,
    pub(super) round: u32,
    pub(super) movement: Movement,
}

impl EntryKey {
    pub(super) fn bytes(&self) -> Vec<u8> {
        let movement = match self.movement {
            Movement::Grant => 0,
            Movement::Hold => 1,
            Movement::Capture => 2,
            Movement::Release => 3,
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

    /// The movement that a key names.
    pub(super) fn movement(key: &[u8]) -> Option<Movement> {
        match key.last()? {
            0 => Some(Movement::Grant),
            1 => Some(Movement::Hold),
            2 => Some(Movement::Capture),
            3 => Some(Movement::Release),
            _ => None,
        }
    }
}

/// An account's idempotency key.
pub(super) fn idempotency(account: Uuid, key: &str) -> Vec<u8> {
    [account.as_bytes().as_slice(), key.as_bytes()].concat()
}

/// The account and the key of an [`idempotency`] row.
pub(super) fn idempotency_parts(row: &[u8]) -> Result<(Uuid, String), StateError> {
    let unreadable = || StateError::Unreadable("an idempotency key".into());
    let (account, key) = row.split_at_checked(16).ok_or_else(unreadable)?;
    let key = std::str::from_utf8(key).map_err(|_| unreadable())?;
    Ok((Uuid::from_slice(account).map_err(|_| unreadable())?, key.to_owned()))
}

/// A row of the answer under an account's idempotency key. Keys are visible ASCII, so a zero ends them.
pub(super) fn answer(account: Uuid, key: &str, part: u16) -> Vec<u8> {
    [account.as_bytes().as_slice(), key.as_bytes(), &[0], &part.to_be_bytes()].concat()
}
