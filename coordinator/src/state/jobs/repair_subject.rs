//! The subject of a repair job.

use fleet::protocol::BlobId;

use crate::state::database::tables::{Abort, Tx};
use crate::state::generations::images::rendered;
use crate::state::rows::generations::Generation;
use crate::state::rows::keyspace::placed;
use crate::state::rows::outputs::{Output, Version};
use crate::state::rows::schema::{OUTPUTS, REPAIRS};

/// The subject of a repair job: the output, and the version to render.
pub(in crate::state) struct Subject {
    pub(in crate::state) output: Output,
    pub(in crate::state) version: Version,
}

/// Returns the subject of a repair job, if the repair is in progress.
pub(in crate::state) fn subject(
    tx: &Tx<'_>,
    generation: &Generation,
    place: u32,
    version: u32,
) -> Result<Option<Subject>, Abort> {
    let Some(output) = tx.get(&OUTPUTS, &placed(generation.id, place))? else { return Ok(None) };
    let Some(version) = rendered(tx, generation, place, &output, version)? else { return Ok(None) };
    let under_way = tx.get(&REPAIRS, version.image.object.as_bytes())?.is_some_and(|repair| repair.fault.is_none());
    Ok(under_way.then_some(Subject { output, version }))
}

impl Subject {
    /// Returns the page to render.
    pub(in crate::state) fn page(&self) -> BlobId {
        self.version.page
    }
}
