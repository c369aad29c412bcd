//! Compares every balance with the sum of its ledger.

use uuid::Uuid;

use crate::state::error::StateError;
use crate::state::rows::keyspace;
use crate::state::rows::schema::{ACCOUNTS, BALANCES};
use crate::state::store::Store;

impl Store {
    /// Returns the accounts whose balance differs from the sum of their ledger. Credits may move during the check.
    ///
    /// # Errors
    /// [`StateError`].
    pub fn unbalanced(&self) -> Result<Vec<Uuid>, StateError> {
        let tables = &self.shared.tables;
        let mut unbalanced = Vec::new();
        for row in tables.scan(&ACCOUNTS, &[]) {
            let account = keyspace::id(&row?.0)?;
            let balance = tables.get(&BALANCES, account.as_bytes())?.unwrap_or_default();
            // Entries added in the meantime have higher numbers.
            if self.audit_to(account, balance.entries)? != (balance.available(), balance.reserved) {
                tracing::error!(%account, "balance differs from ledger");
                unbalanced.push(account);
            }
        }
        Ok(unbalanced)
    }
}
