//! Compares every balance with the ledger that it sums up.

use uuid::Uuid;

use super::{ACCOUNTS, BALANCES, StateError, Store, keyspace};

impl Store {
    /// The accounts whose balance is not the sum of their ledger. Credits may move meanwhile.
    ///
    /// # Errors
    /// [`StateError`].
    pub fn unbalanced(&self) -> Result<Vec<Uuid>, StateError> {
        let tables = &self.shared.tables;
        let mut unbalanced = Vec::new();
        for row in tables.scan(&ACCOUNTS, &[]) {
            let account = keyspace::id(&row?.0)?;
            let balance = tables.get(&BALANCES, account.as_bytes())?.unwrap_or_default();
            // Entries that come meanwhile have higher numbers.
            if self.audit_to(account, balance.entries)? != (balance.available(), balance.reserved) {
                tracing::error!(%account, "balance differs from ledger");
                unbalanced.push(account);
            }
        }
        Ok(unbalanced)
    }
}
