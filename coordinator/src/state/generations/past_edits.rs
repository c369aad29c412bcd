//! The edits that the shown versions of a generation's outputs contain, oldest first.

use fleet::protocol::BlobId;
use uuid::Uuid;

use crate::state::error::StateError;
use crate::state::generations::snapshot::Snapshot;
use crate::state::rows::generations::Generation;
use crate::state::rows::keyspace::versioned;
use crate::state::rows::outputs::Version;
use crate::state::rows::schema::{VERSIONS, WORDINGS};
use crate::state::store::Store;

/// The edits of an output that was requested at creation and is still part of the generation.
#[derive(Debug, Clone, PartialEq)]
pub struct OutputEdits {
    /// Format id.
    pub format: String,
    /// The slide at creation, from 0; `None` for a visual.
    pub slide: Option<u32>,
    /// The page of its first version.
    pub first: BlobId,
    /// The edits from that version to the shown version.
    pub edits: Vec<PastEdit>,
}

/// One edit.
#[derive(Debug, Clone, PartialEq)]
pub struct PastEdit {
    /// The refined instruction, clipped if it is long.
    pub instruction: String,
    /// The stored page before it.
    pub before: BlobId,
    /// The stored page after it.
    pub after: BlobId,
}

impl Store {
    /// Returns a generation and the edits of each output that has any.
    ///
    /// # Errors
    /// [`StateError`].
    pub fn past_edits(&self, account: Uuid, id: Uuid) -> Result<Option<(Snapshot, Vec<OutputEdits>)>, StateError> {
        let Some(found) = self.generation(account, id)? else { return Ok(None) };
        let mut edited = Vec::new();
        for (place, output) in (0..).zip(&found.outputs) {
            if output.version < 2 || found.generation.is_added(place) || found.arrangement.is_removed(place) {
                continue;
            }
            let Some((first, edits)) = self.edits_shown(&found.generation, place, output.version)? else { continue };
            let (format, slide) = (output.format.clone(), output.slide);
            edited.push(OutputEdits { format, slide, first, edits });
        }
        Ok(Some((found, edited)))
    }

    /// Returns the page of an output's first version and the edits that lead from it to the version `shown`. A version
    /// that restores an earlier one has the edits of that version. `None` if a version was deleted in the meantime.
    fn edits_shown(
        &self,
        generation: &Generation,
        place: u32,
        shown: u32,
    ) -> Result<Option<(BlobId, Vec<PastEdit>)>, StateError> {
        let tables = &self.shared.tables;
        let version = |number: u32| -> Result<Option<Version>, StateError> {
            tables.get(&VERSIONS, &versioned(generation.id, place, number))
        };
        let (mut number, mut edits) = (shown, Vec::new());
        let Some(mut current) = version(number)? else { return Ok(None) };
        while number > 1 {
            if let Some(restored) = current.restored.filter(|restored| *restored < number) {
                let Some(same) = version(restored)? else { return Ok(None) };
                (number, current) = (restored, same);
                continue;
            }
            let Some(before) = version(number - 1)? else { return Ok(None) };
            let wording = tables.get(&WORDINGS, &versioned(generation.id, place, number))?.unwrap_or_default();
            edits.push(PastEdit { instruction: wording.instruction, before: before.page, after: current.page });
            (number, current) = (number - 1, before);
        }
        edits.reverse();
        Ok(Some((current.page, edits)))
    }
}
