//! Credits that an account spent, by day.

use std::collections::BTreeMap;

use uuid::Uuid;

use crate::clock::{Day, Millis};
use crate::credits::Movement;
use crate::state::error::StateError;
use crate::state::store::Store;

/// Ledger entries read per page.
const READ: usize = 1_000;

impl Store {
    /// Returns the credits captured on each of the last `days` days, the oldest first. Days without captures are left
    /// out.
    ///
    /// # Errors
    /// [`StateError`].
    pub fn spending(&self, account: Uuid, days: u32, now: Millis) -> Result<Vec<(Day, u64)>, StateError> {
        let first = now.day().minus(days.saturating_sub(1));
        let (mut spent, mut before) = (BTreeMap::new(), None);
        loop {
            let (lines, more) = self.ledger(account, before, READ)?;
            before = lines.last().map(|line| line.entry.number);
            let older = lines.last().is_none_or(|line| line.entry.at.day() < first);
            for line in lines.iter().filter(|line| line.movement == Movement::Capture) {
                let day = line.entry.at.day();
                if day >= first {
                    *spent.entry(day).or_default() += line.entry.amount;
                }
            }
            if older || !more {
                return Ok(spent.into_iter().collect());
            }
        }
    }
}
