//! Limits on accounts that the process keeps in memory.

use std::sync::OnceLock;

use crate::accounts::StorageQuotas;

/// Limits on storage that the process keeps in memory.
#[derive(Debug, Default)]
pub(in crate::state) struct StorageLimits {
    pub(in crate::state) quotas: OnceLock<StorageQuotas>,
}

/// Limit on accounts' use of the language model.
#[derive(Debug, Default)]
pub(in crate::state) struct TokenLimit {
    /// Tokens per day, and the maximum per grant.
    pub(in crate::state) limit: OnceLock<(u64, u64)>,
}

impl TokenLimit {
    /// Returns the tokens per day and the maximum per grant, or `None` without a limit.
    pub(in crate::state) fn get(&self) -> Option<(u64, u64)> {
        self.limit.get().copied()
    }
}
