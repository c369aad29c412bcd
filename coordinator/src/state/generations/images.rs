//! Which image a version of an output shows, and whether retention deleted it.

use crate::clock::Millis;
use crate::credits::Movement;
use crate::state::database::tables::{Abort, Tx};
use crate::state::rows::generations::Generation;
use crate::state::rows::keyspace::{EntryKey, versioned};
use crate::state::rows::outputs::{End, Output, Version};
use crate::state::rows::schema::{LEDGER, VERSIONS};

/// Returns a version of an output as it was rendered: from its row, or from the output's row if there is only one
/// version.
pub(in crate::state) fn rendered(
    tx: &Tx<'_>,
    generation: &Generation,
    place: u32,
    output: &Output,
    version: u32,
) -> Result<Option<Version>, Abort> {
    if let Some(row) = tx.get(&VERSIONS, &versioned(generation.id, place, version))? {
        return Ok(Some(row));
    }
    let only = version == 1 && output.version == 1 && matches!(output.end, Some(End::Ready(_)));
    Ok(if only { Some(Version::first(generation, output)?) } else { None })
}

/// Returns whether retention deleted the image of a version, or, if `version` is `None`, the image of the output's only
/// version.
pub(in crate::state) fn image_is_gone(
    tx: &Tx<'_>,
    generation: &Generation,
    place: u32,
    output: &Output,
    version: Option<&Version>,
) -> Result<bool, Abort> {
    let Some(deleted) = generation.images_deleted else { return Ok(false) };
    match version {
        Some(version) => is_gone(tx, generation, place, output, version),
        None => Ok(first_made(tx, generation, output)?.is_none_or(|made| made <= deleted)),
    }
}

/// Returns whether retention deleted the image of a version. A retry creates images after the deletion, so some images
/// of a generation may be gone while others exist.
pub(in crate::state) fn is_gone(
    tx: &Tx<'_>,
    generation: &Generation,
    place: u32,
    output: &Output,
    version: &Version,
) -> Result<bool, Abort> {
    let Some(deleted) = generation.images_deleted else { return Ok(false) };
    // A restore creates a new version with an old image. Follow the restored versions back to the one that created the
    // image.
    let (mut at, mut restored, mut edit) = (version.at, version.restored, version.edit);
    // An image is never newer than a version that shows it.
    while at > deleted {
        let Some(number) = restored else {
            // The first version has its generation's completion time, which changes with a retry.
            return Ok(edit.is_none() && first_made(tx, generation, output)?.is_some_and(|made| made <= deleted));
        };
        let Some(same) = tx.get(&VERSIONS, &versioned(generation.id, place, number))? else { return Ok(true) };
        (at, restored, edit) = (same.at, same.restored, same.edit);
    }
    Ok(true)
}

/// Returns when the image of an output's first version was created, which is when its credits were captured.
fn first_made(tx: &Tx<'_>, generation: &Generation, output: &Output) -> Result<Option<Millis>, Abort> {
    for round in 0..=generation.round {
        let (account, generation, output) = (generation.account, generation.id, output.id);
        let key = EntryKey { account, generation, output, version: 1, round, movement: Movement::Capture };
        if let Some(entry) = tx.get(&LEDGER, &key.bytes())? {
            return Ok(Some(entry.at));
        }
    }
    Ok(None)
}
