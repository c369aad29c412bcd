//! Rows of responses that are stored under idempotency keys.

use serde::{Deserialize, Serialize};
use uuid::Uuid;

use crate::clock::Millis;
use crate::state::rows::encoding::Record;

/// Seconds for which an idempotency key is kept.
pub(in crate::state) const IDEMPOTENCY_S: u64 = 24 * 3600;

/// The response stored for an idempotency key, keyed by (account, key).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(in crate::state) struct Idempotency {
    /// SHA-256 of the request.
    pub(in crate::state) request: [u8; 32],
    /// The id of the created object in versions that did not store responses; nil since.
    pub(in crate::state) made: Uuid,
    pub(in crate::state) at: Millis,
}

impl Idempotency {
    /// Returns whether the key is still kept.
    pub(in crate::state) fn is_remembered(&self, now: Millis) -> bool {
        self.at.plus_seconds(IDEMPOTENCY_S) > now
    }
}

impl Record for Idempotency {}

/// A row of a response, keyed by (account, idempotency key, part).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(in crate::state) enum AnswerPart {
    /// The first row: everything but the body, and the number of rows that follow.
    Head { status: u16, location: Option<String>, parts: u16 },
    /// Bytes of the body.
    Bytes(Vec<u8>),
    /// The key of the object that holds the body.
    Object(String),
}

impl Record for AnswerPart {}
