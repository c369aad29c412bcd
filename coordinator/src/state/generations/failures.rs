//! Recent failures of all accounts.

use crate::state::error::StateError;
use crate::state::rows::generations::{Fault, Generation};
use crate::state::rows::keyspace::pair;
use crate::state::rows::schema::{ACCOUNTS, GENERATIONS};
use crate::state::search::filter::Filter;
use crate::state::status::Status;
use crate::state::store::Store;

/// A generation that failed, in whole or in part.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Failed {
    /// The generation.
    pub generation: Generation,
    /// The account's name.
    pub account_name: String,
    /// Why it failed.
    pub fault: Fault,
}

impl Store {
    /// Returns up to `limit` generations of all accounts that failed in whole or in part, the newest first.
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
        // Ids sort by creation time.
        ids.sort_unstable_by(|a, b| b.cmp(a));
        ids.truncate(limit);
        let (tables, mut failures) = (&self.shared.tables, Vec::with_capacity(ids.len()));
        for (id, account) in ids {
            // Between the two reads the generation may have been deleted or retried.
            let Some(generation) = tables.get(&GENERATIONS, &pair(account, id))? else { continue };
            let Some(fault) = generation.fault.clone() else { continue };
            let account_name =
                tables.get(&ACCOUNTS, account.as_bytes())?.map(|account| account.name).unwrap_or_default();
            failures.push(Failed { generation, account_name, fault });
        }
        Ok(failures)
    }
}
