//! The event log of a generation: its events, by number. A client that lost its event stream resumes from the last
//! number that it saw, with any process. An event is either a landed output or a change of the generation's status. A
//! stream sends only the latest status change, but every landed output.

use uuid::Uuid;

use crate::state::database::tables::{Abort, Tx};
use crate::state::error::StateError;
use crate::state::generations::read::{arrangement_of, edits_of};
use crate::state::generations::snapshot::Snapshot;
use crate::state::rows::generations::EventLog;
use crate::state::rows::keyspace::{pair, placed};
use crate::state::rows::outputs::{End, Output};
use crate::state::rows::schema::{EVENT_LOGS, GENERATIONS, OUTPUTS};
use crate::state::store::Store;

/// Records a status change of a generation.
pub(in crate::state) fn moved(tx: &Tx<'_>, generation: Uuid) -> Result<(), Abort> {
    let log = tx.get(&EVENT_LOGS, generation.as_bytes())?.unwrap_or_default();
    tx.put(&EVENT_LOGS, generation.as_bytes(), &EventLog { told: log.told + 1, ..log })
}

/// Records that an output landed, and the status change that comes with it.
pub(in crate::state) fn landed(tx: &Tx<'_>, generation: Uuid, place: u32) -> Result<(), Abort> {
    let EventLog { told, mut landed } = tx.get(&EVENT_LOGS, generation.as_bytes())?.unwrap_or_default();
    landed.push((place, told + 1));
    tx.put(&EVENT_LOGS, generation.as_bytes(), &EventLog { told: told + 2, landed })
}

/// A generation as its event stream shows it.
#[derive(Debug, Clone, PartialEq)]
pub struct Look {
    /// The generation. Outputs and warnings are included only at a terminal status.
    pub snapshot: Snapshot,
    /// Number of the latest status change.
    pub told: u32,
    /// Event number, place and record of the outputs that landed after the requested event, in order of their numbers.
    pub landed: Vec<(u32, u32, Output)>,
}

impl Store {
    /// Returns a generation and the outputs that landed after event number `after`. Returns all landed outputs if
    /// `after` is 0 or a number that was not assigned yet.
    ///
    /// # Errors
    /// [`StateError`].
    pub fn look(&self, account: Uuid, id: Uuid, after: u32) -> Result<Option<Look>, StateError> {
        // A read-only transaction, so that all rows come from one snapshot.
        let (look, _) = self.shared.tables.transact(|tx| {
            let Some(generation) = tx.get(&GENERATIONS, &pair(account, id))? else { return Ok(None) };
            let log = tx.get(&EVENT_LOGS, id.as_bytes())?.unwrap_or_default();
            let after = if after > log.told { 0 } else { after };
            let arrangement = arrangement_of(tx, id)?;
            let mut landed = Vec::new();
            for (place, number) in log.numbered(generation.total) {
                if (number > after || after == 0) && !arrangement.is_removed(place) {
                    let output = tx.need(&OUTPUTS, &placed(id, place))?;
                    if matches!(output.end, Some(End::Ready(_))) {
                        landed.push((number, place, output));
                    }
                }
            }
            let mut outputs = Vec::new();
            if generation.status.is_terminal() {
                for place in 0..generation.total {
                    outputs.push(tx.need(&OUTPUTS, &placed(id, place))?);
                }
            }
            let edits = if outputs.is_empty() { Vec::new() } else { edits_of(tx, &generation)? };
            let snapshot = Snapshot { generation, outputs, warnings: Vec::new(), edits, arrangement };
            Ok(Some(Look { snapshot, told: log.told, landed }))
        })?;
        let Some(mut look) = look else { return Ok(None) };
        if look.snapshot.generation.status.is_terminal() {
            look.snapshot.warnings = self.warnings(id)?;
        }
        self.settle()?;
        Ok(Some(look))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::state::rows::golden;

    #[test]
    fn rows_stay_as_they_are() {
        golden(&EventLog { told: 7, landed: vec![(3, 4), (0, 6)] }, "01070203040006");
    }

    #[test]
    fn outputs_are_numbered_as_they_landed() {
        let log = EventLog { told: 7, landed: vec![(3, 4), (0, 6)] };
        assert_eq!(log.numbered(4), [(1, 0), (2, 0), (3, 4), (0, 6)]);
        assert_eq!(EventLog::default().numbered(2), [(0, 0), (1, 0)]);
    }
}
