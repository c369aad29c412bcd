//! Rows of accounts, and of the service itself.

use serde::{Deserialize, Serialize};
use uuid::Uuid;

use crate::accounts::Plan;
use crate::clock::Millis;
use crate::state::rows::encoding::Record;

/// An account, keyed by its id.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Account {
    /// The account's name.
    pub name: String,
    /// The plan that it pays for.
    pub plan: Plan,
    /// Whether it may use the service. Requests of an inactive account are refused.
    pub active: bool,
    /// When it was created.
    pub created: Millis,
}

impl Record for Account {}

/// Metadata of the service, at the only key of its table.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(in crate::state) struct Meta {
    /// Secret that signs image URLs.
    pub(in crate::state) signing_secret: [u8; 32],
    /// The account created at the first start, and whether its key was shown.
    pub(in crate::state) first_account: Option<(Uuid, bool)>,
}

impl Record for Meta {}
