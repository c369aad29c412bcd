//! Reads rows of a generation within a transaction.

use uuid::Uuid;

use crate::state::database::tables::{Abort, Tx};
use crate::state::rows::arrangement::Arrangement;
use crate::state::rows::generations::Generation;
use crate::state::rows::keyspace::placed;
use crate::state::rows::outputs::{Edit, Output};
use crate::state::rows::schema::{ARRANGEMENTS, EDITS, OUTPUTS};

/// Returns the arrangement of a generation.
pub(in crate::state) fn arrangement_of(tx: &Tx<'_>, generation: Uuid) -> Result<Arrangement, Abort> {
    Ok(tx.get(&ARRANGEMENTS, generation.as_bytes())?.unwrap_or_default())
}

/// Returns the edits that a generation has rows of, with their places.
pub(in crate::state) fn edits_of(tx: &Tx<'_>, generation: &Generation) -> Result<Vec<(u32, Edit)>, Abort> {
    let mut edits = Vec::new();
    for place in 0..generation.total {
        edits.extend(tx.get(&EDITS, &placed(generation.id, place))?.map(|edit| (place, edit)));
    }
    Ok(edits)
}

/// Returns the edit of an output that is in progress.
pub(in crate::state) fn edit_under_way(tx: &Tx<'_>, generation: Uuid, place: u32) -> Result<Option<Edit>, Abort> {
    Ok(tx.get(&EDITS, &placed(generation, place))?.filter(|edit| edit.fault.is_none()))
}

/// Returns the outputs of a generation, in order.
pub(in crate::state) fn read_outputs(tx: &Tx<'_>, generation: &Generation) -> Result<Vec<Output>, Abort> {
    (0..generation.total).map(|place| tx.need(&OUTPUTS, &placed(generation.id, place))).collect()
}
