//! What failed lately, whosever it was.

use super::generations::Filter;
use super::keyspace::pair;
use super::records::{Fault, Generation};
use super::status::Status;
use super::{ACCOUNTS, GENERATIONS, StateError, Store};

/// A generation of which something failed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Failed {
    /// The generation.
    pub generation: Generation,
    /// What its account is called.
    pub account_name: String,
    /// Why.
    pub fault: Fault,
}

impl Store {
    /// Up to `limit` generations that failed, in whole or in part, of all accounts; the newest first.
    ///
    /// # Errors
    /// [`StateError`].
    pub fn failures(&self, limit: usize) -> Result<Vec<Failed>, StateError> {
        let mut ids = Vec::new();
        for account in self.shared.index.accounts() {
            for status in [Status::Failed, Status::Partial] {
                let filter = Filter { status: Some(status), ..Filter::default() };
                ids.extend(self.shared.index.find(account, &filter, None, limit).into_iter().map(|id| (id, account)));
            }
        }
        // Ids sort by when they were made.
        ids.sort_unstable_by(|a, b| b.cmp(a));
        ids.truncate(limit);
        let (tables, mut failures) = (&self.shared.tables, Vec::with_capacity(ids.len()));
        for (id, account) in ids {
            // Between two reads it may have been deleted, or tried again.
            let Some(generation) = tables.get(&GENERATIONS, &pair(account, id))? else { continue };
            let Some(fault) = generation.fault.clone() else { continue };
            let account_name =
                tables.get(&ACCOUNTS, account.as_bytes())?.map(|account| account.name).unwrap_or_default();
            failures.push(Failed { generation, account_name, fault });
        }
        Ok(failures)
    }
}
