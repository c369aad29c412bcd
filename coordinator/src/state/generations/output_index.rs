//! The output index: finds an output's account, generation and place by the output's id alone.

use std::collections::HashMap;

use uuid::Uuid;

use crate::state::database::tables::{Abort, Tx};
use crate::state::error::StateError;
use crate::state::rows::keyspace::{self, place};
use crate::state::rows::outputs::{Output, OutputAt};
use crate::state::rows::schema::{GENERATIONS, OUTPUT_PLACES, OUTPUTS};
use crate::state::store::Store;

/// Rows written per transaction while the index is built.
const AT_ONCE: usize = 500;
/// Key of a marker row that says the index is complete, also for outputs of versions that had no index.
const ALL: Uuid = Uuid::nil();

/// Indexes the outputs of a generation.
pub(in crate::state) fn put(tx: &Tx<'_>, account: Uuid, generation: Uuid, outputs: &[Output]) -> Result<(), Abort> {
    for (place, output) in (0..).zip(outputs) {
        put_one(tx, output.id, &OutputAt { account, generation, place })?;
    }
    Ok(())
}

/// Indexes one output.
pub(in crate::state) fn put_one(tx: &Tx<'_>, output: Uuid, at: &OutputAt) -> Result<(), Abort> {
    tx.put(&OUTPUT_PLACES, output.as_bytes(), at)
}

/// Marks the index as complete. Call it on a state that has no outputs yet.
pub(in crate::state) fn begin(tx: &Tx<'_>) -> Result<(), Abort> {
    let all = OutputAt { account: ALL, generation: ALL, place: 0 };
    tx.put(&OUTPUT_PLACES, ALL.as_bytes(), &all)
}

impl Store {
    /// Returns the generation and place of an output if it belongs to `account`.
    ///
    /// # Errors
    /// [`StateError`].
    pub fn output_place(&self, account: Uuid, output: Uuid) -> Result<Option<(Uuid, u32)>, StateError> {
        let found = self.shared.tables.get(&OUTPUT_PLACES, output.as_bytes())?;
        Ok(found.filter(|at| output != ALL && at.account == account).map(|at| (at.generation, at.place)))
    }

    /// Builds the index if the state comes from a version that had none.
    pub(in crate::state) fn index_outputs(&self) -> Result<(), StateError> {
        let tables = &self.shared.tables;
        if tables.get(&OUTPUT_PLACES, ALL.as_bytes())?.is_some() {
            return Ok(());
        }
        let mut owners = HashMap::new();
        for row in tables.scan(&GENERATIONS, &[]) {
            let (_, generation) = row?;
            owners.insert(generation.id, generation.account);
        }
        let mut some = Vec::with_capacity(AT_ONCE);
        let write = |some: &mut Vec<(Uuid, OutputAt)>| {
            self.commit(|tx| some.iter().try_for_each(|(id, at)| tx.put(&OUTPUT_PLACES, id.as_bytes(), at)))?;
            some.clear();
            Ok::<_, StateError>(())
        };
        for row in tables.scan(&OUTPUTS, &[]) {
            let (key, output) = row?;
            let (Some(generation), Some(place)) = (key.get(..16), place(&key)) else { continue };
            let generation = keyspace::id(generation)?;
            let Some(account) = owners.get(&generation) else { continue };
            some.push((output.id, OutputAt { account: *account, generation, place }));
            if some.len() == AT_ONCE {
                write(&mut some)?;
            }
        }
        write(&mut some)?;
        self.commit(begin)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::state::rows::golden;
    use crate::state::tests::{T0, bench};

    #[test]
    fn rows_stay_as_they_are() {
        let id = Uuid::from_u128(0x0192_0000_0000_7000_8000_0000_0000_0001);
        let bytes = "1001920000000070008000000000000001";
        golden(&OutputAt { account: id, generation: id, place: 3 }, &format!("01{bytes}{bytes}03"));
    }

    #[test]
    fn outputs_are_found_by_their_ids_those_of_older_states_too() {
        let b = bench(100_000);
        let ids: Vec<Uuid> = (0..3).map(|_| b.accept(2)).collect();
        b.drain(T0);
        let outputs: Vec<(Uuid, u32, Uuid)> = ids
            .iter()
            .flat_map(|id| (0..).zip(b.get(*id).outputs).map(|(place, o)| (*id, place, o.id)).collect::<Vec<_>>())
            .collect();
        let hold = || {
            for (generation, place, output) in &outputs {
                assert_eq!(b.store.output_place(b.account, *output), Ok(Some((*generation, *place))));
                assert_eq!(b.store.output_place(Uuid::now_v7(), *output), Ok(None), "another account's");
            }
        };
        hold();
        assert_eq!(b.store.output_place(b.account, Uuid::now_v7()), Ok(None));
        assert_eq!(b.store.output_place(ALL, ALL), Ok(None));
        // The state as an older version left it, without an index.
        let rows: Vec<_> = b.store.shared.tables.scan(&OUTPUT_PLACES, &[]).map(|row| row.unwrap().0).collect();
        assert_eq!(rows.len(), 7);
        b.store.commit(|tx| rows.iter().try_for_each(|key| tx.remove(&OUTPUT_PLACES, key))).unwrap();
        assert_eq!(b.store.output_place(b.account, outputs[0].2), Ok(None));
        b.store.index_outputs().unwrap();
        hold();
        b.store.delete_generation(b.account, ids[0], T0).unwrap();
        assert_eq!(b.store.output_place(b.account, outputs[0].2), Ok(None));
        assert_eq!(b.store.shared.tables.scan(&OUTPUT_PLACES, &[]).count(), 5);
    }
}
