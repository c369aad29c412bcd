//! The course of a generation: its events by number, from which a stream goes on where it broke off, in whichever
//! process. An event is either an output that landed or news of where the generation stands. Of the latter only the last
//! is told; outputs are told each.

use serde::{Deserialize, Serialize};
use uuid::Uuid;

use super::generations::Snapshot;
use super::keyspace::{pair, placed};
use super::records::{End, Output};
use super::table::{Abort, Record, Tx};
use super::{COURSES, GENERATIONS, OUTPUTS, StateError, Store, arrangement, edits};

/// What happened to a generation, by its id. Where there is none, it was accepted and nothing else.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Course {
    /// Number of the latest news of where it stands. Acceptance is the first.
    pub(super) told: u32,
    /// Place and number of every output that landed.
    pub(super) landed: Vec<(u32, u32)>,
}

impl Record for Course {}

impl Default for Course {
    fn default() -> Self {
        Self { told: 1, landed: Vec::new() }
    }
}

/// Notes that a generation stands elsewhere than before.
pub(super) fn moved(tx: &Tx<'_>, generation: Uuid) -> Result<(), Abort> {
    let course = tx.get(&COURSES, generation.as_bytes())?.unwrap_or_default();
    tx.put(&COURSES, generation.as_bytes(), &Course { told: course.told + 1, ..course })
}

/// Notes that an output landed, and with it that the generation stands elsewhere.
pub(super) fn landed(tx: &Tx<'_>, generation: Uuid, place: u32) -> Result<(), Abort> {
    let Course { told, mut landed } = tx.get(&COURSES, generation.as_bytes())?.unwrap_or_default();
    landed.push((place, told + 1));
    tx.put(&COURSES, generation.as_bytes(), &Course { told: told + 2, landed })
}

/// A generation as a stream shows it.
#[derive(Debug, Clone, PartialEq)]
pub struct Look {
    /// The generation. Its outputs and warnings are there at a terminal status.
    pub snapshot: Snapshot,
    /// Number of the latest news of where it stands.
    pub told: u32,
    /// Number, place and record of the outputs that landed after the event asked for, in this order.
    pub landed: Vec<(u32, u32, Output)>,
}

impl Store {
    /// A generation, and what landed after the event number `after`; of all of them after 0, and after a number that was
    /// not given out yet.
    ///
    /// # Errors
    /// [`StateError`].
    pub fn look(&self, account: Uuid, id: Uuid, after: u32) -> Result<Option<Look>, StateError> {
        // A transaction, though it changes nothing: all of it is of one moment.
        let (look, _) = self.shared.tables.transact(|tx| {
            let Some(generation) = tx.get(&GENERATIONS, &pair(account, id))? else { return Ok(None) };
            let course = tx.get(&COURSES, id.as_bytes())?.unwrap_or_default();
            let after = if after > course.told { 0 } else { after };
            let arrangement = arrangement::of(tx, id)?;
            let mut landed = Vec::new();
            for (place, number) in course.numbered(generation.total) {
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
            let edits = if outputs.is_empty() { Vec::new() } else { edits::of(tx, &generation)? };
            let snapshot = Snapshot { generation, outputs, warnings: Vec::new(), edits, arrangement };
            Ok(Some(Look { snapshot, told: course.told, landed }))
        })?;
        let Some(mut look) = look else { return Ok(None) };
        if look.snapshot.generation.status.is_terminal() {
            look.snapshot.warnings = self.warnings(id)?;
        }
        self.settle()?;
        Ok(Some(look))
    }
}

impl Course {
    /// The places of `total` outputs that may have landed, with their numbers, in the order of these. What landed before
    /// courses were kept has number 0.
    fn numbered(&self, total: u32) -> Vec<(u32, u32)> {
        let known = |place: &u32| self.landed.iter().any(|(p, _)| p == place);
        let earlier = (0..total).filter(|place| !known(place)).map(|place| (place, 0));
        earlier.chain(self.landed.iter().copied()).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::state::records::golden;

    #[test]
    fn rows_stay_as_they_are() {
        golden(&Course { told: 7, landed: vec![(3, 4), (0, 6)] }, "01070203040006");
    }

    #[test]
    fn outputs_are_numbered_as_they_landed() {
        let course = Course { told: 7, landed: vec![(3, 4), (0, 6)] };
        assert_eq!(course.numbered(4), [(1, 0), (2, 0), (3, 4), (0, 6)]);
        assert_eq!(Course::default().numbered(2), [(0, 0), (1, 0)]);
    }
}
