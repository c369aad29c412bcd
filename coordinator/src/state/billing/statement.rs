//! The ledger as people read it: a row for what one request did. A carousel is held and paid slide by slide; what was
//! held and then paid is one row, for only holding it changed what can be spent.

use uuid::Uuid;

use crate::credits::Movement;
use crate::state::billing::ledger::LedgerLine;
use crate::state::error::StateError;
use crate::state::rows::keyspace::EntryKey;
use crate::state::rows::schema::LEDGER;
use crate::state::store::Store;

/// Entries that are read at once.
const READ: usize = 500;
/// Entries that a page looks at: a row that is longer than that goes on in another.
const ENTRIES: usize = 20_000;

/// What one request did to the credits.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StatementRow {
    /// Its latest entry: all but `amount` is that of the whole row.
    pub line: LedgerLine,
    /// Credits, in all.
    pub amount: u64,
    /// Of what was held, what was paid by now.
    pub paid: u64,
    /// Of what was held, what was given back by now.
    pub back: u64,
    /// Entries that the row stands for: an output each.
    pub outputs: u32,
    /// The number of its earliest entry.
    first: u64,
}

impl StatementRow {
    /// Whether an entry belongs to the same request.
    fn takes(&self, line: &LedgerLine) -> bool {
        let of = |line: &LedgerLine| (line.movement, line.generation, line.version, line.round);
        line.generation.is_some() && of(&self.line) == of(line)
    }
}

impl Store {
    /// Up to `limit` rows of an account's statement, the newest first, before the entry of number `before`; and the
    /// number before which there are more.
    ///
    /// # Errors
    /// [`StateError`].
    pub fn statement(
        &self,
        account: Uuid,
        before: Option<u64>,
        limit: usize,
    ) -> Result<(Vec<StatementRow>, Option<u64>), StateError> {
        let (mut rows, mut after, mut looked): (Vec<StatementRow>, _, _) = (Vec::new(), before, 0);
        loop {
            let (lines, more) = self.ledger(account, after, READ)?;
            looked += lines.len();
            after = lines.last().map(|line| line.entry.number);
            // Paying what is held changes nothing that could be spent.
            for line in lines.into_iter().filter(|line| line.movement != Movement::Capture) {
                if !rows.last().is_some_and(|row| row.takes(&line)) {
                    if rows.len() == limit {
                        let last = rows.last().map(|row| row.first);
                        return Ok((rows, last));
                    }
                    rows.push(StatementRow { line: line.clone(), amount: 0, paid: 0, back: 0, outputs: 0, first: 0 });
                }
                if let Some(row) = rows.last_mut() {
                    self.add_to(account, row, &line)?;
                }
            }
            if !more {
                return Ok((rows, None));
            }
            if looked >= ENTRIES {
                return Ok((rows, after));
            }
        }
    }

    /// Adds an entry to its row, and what became of what it held.
    fn add_to(&self, account: Uuid, row: &mut StatementRow, held: &LedgerLine) -> Result<(), StateError> {
        (row.amount, row.outputs, row.first) = (row.amount + held.entry.amount, row.outputs + 1, held.entry.number);
        let (Movement::Hold, Some(generation), Some(output)) = (held.movement, held.generation, held.output) else {
            return Ok(());
        };
        let key = EntryKey {
            account,
            generation,
            output,
            version: held.version,
            round: held.round,
            movement: Movement::Capture,
        };
        let settled = |movement| self.shared.tables.get(&LEDGER, &EntryKey { movement, ..key }.bytes());
        row.paid += settled(Movement::Capture)?.map_or(0, |entry| entry.amount);
        row.back += settled(Movement::Release)?.map_or(0, |entry| entry.amount);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::credits;
    use crate::state::tests::{T0, bench};

    #[test]
    fn a_row_is_what_one_request_did_and_pages_are_of_rows() {
        let b = bench(100_000);
        for _ in 0..3 {
            b.accept(40);
            b.drain(T0);
        }
        let waiting = b.accept(7);
        let pages = |limit| {
            let (mut all, mut before) = (Vec::new(), None);
            loop {
                let (rows, next) = b.store.statement(b.account, before, limit).unwrap();
                assert!(rows.len() <= limit);
                all.extend(rows);
                before = next;
                if next.is_none() {
                    return all;
                }
            }
        };
        let rows = pages(20);
        let shown: Vec<_> = rows.iter().map(|row| (row.line.movement, row.outputs, row.amount, row.paid)).collect();
        let carousel = (Movement::Hold, 40, 40 * credits::SLIDE, 40 * credits::SLIDE);
        let held = (Movement::Hold, 7, 7 * credits::SLIDE, 0);
        assert_eq!(shown, [held, carousel, carousel, carousel, (Movement::Grant, 1, 100_000, 0)]);
        // Each row changes the balance by what it says.
        for pair in rows.windows(2) {
            assert_eq!(pair[0].line.entry.available + pair[0].amount, pair[1].line.entry.available);
        }
        for limit in 1..4 {
            assert_eq!(pages(limit), rows, "{limit} a page");
        }
        b.store.cancel(b.account, waiting, None, T0).unwrap();
        let rows = pages(20);
        assert_eq!((rows[0].line.movement, rows[0].outputs, rows[1].back), (Movement::Release, 7, 7 * credits::SLIDE));
    }
}
