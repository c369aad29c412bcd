//! Changes of the images that outputs show.

use fleet::protocol::image_keys;
use uuid::Uuid;

use crate::clock::Millis;
use crate::state::database::tables::{Abort, Tx};
use crate::state::jobs::claims::call_off;
use crate::state::objects::deletion_queue;
use crate::state::objects::digests::Key;
use crate::state::objects::storage::Change;
use crate::state::rows::generations::Generation;
use crate::state::rows::keyspace::{pair, placed, versioned};
use crate::state::rows::outputs::{End, Image, Output, Version};
use crate::state::rows::schema::{DIGESTS, GENERATIONS, OUTPUTS, PAGE_WORDS, REPAIRS, VERSIONS, WORDINGS};

/// Deletes the rows that belong to a deleted image, and cancels its repair.
pub(in crate::state) fn forget(tx: &Tx<'_>, image: &Image, now: Millis) -> Result<(), Abort> {
    if let Some(repair) = tx.get(&REPAIRS, image.object.as_bytes())?
        && let Some(lease) = call_off(tx, repair.job)?
        && let Some(key) = Key::read(&image.object)
    {
        let extension = image.object.rsplit_once('.').map_or("bin", |(_, extension)| extension);
        let Key { generation, output, version, .. } = key;
        let folder = lease.folder.as_deref();
        deletion_queue::put_late_keys(
            tx,
            image_keys(folder, generation, output, version, lease.nonce, extension),
            now,
        )?;
    }
    tx.remove(&DIGESTS, image.thumbnail.as_bytes())?;
    tx.remove(&REPAIRS, image.object.as_bytes())
}

/// Makes an output show a new version.
pub(in crate::state) fn show(
    tx: &Tx<'_>,
    generation: &Generation,
    place: u32,
    output: Output,
    version: Version,
) -> Result<Output, Abort> {
    let number = output.version + 1;
    if output.version == 1 {
        let first = Version::first(generation, &output)?;
        tx.put(&VERSIONS, &versioned(generation.id, place, 1), &first)?;
    }
    tx.put(&VERSIONS, &versioned(generation.id, place, number), &version)?;
    let Version { page, alt_text, image, .. } = version;
    let shown = Output { version: number, page: Some(page), alt_text, end: Some(End::Ready(image)), ..output };
    tx.put(&OUTPUTS, &placed(generation.id, place), &shown)?;
    tx.shows(&GENERATIONS, &pair(generation.account, generation.id));
    Ok(shown)
}

/// Removes all versions of an output except the output's own row, and records in `change` what is no longer stored.
pub(in crate::state) fn drop_all(
    tx: &Tx<'_>,
    generation: Uuid,
    place: u32,
    output: &Output,
    change: &mut Change,
    now: Millis,
) -> Result<(), Abort> {
    throw_away(tx, generation, place, output, change, now)?;
    // A single version has no row.
    output.page.filter(|_| output.version == 1).iter().for_each(|page| change.remove_blob(page));
    for number in 1..=output.version + 1 {
        let row = versioned(generation, place, number);
        if output.version > 1
            && let Some(version) = tx.get(&VERSIONS, &row)?
        {
            change.remove_blob(&version.page);
        }
        tx.remove(&VERSIONS, &row)?;
        tx.remove(&WORDINGS, &row)?;
        tx.remove(&PAGE_WORDS, &row)?;
    }
    Ok(())
}

/// Queues the images of all versions of an output for deletion, and records that in `change`.
pub(in crate::state) fn throw_away(
    tx: &Tx<'_>,
    generation: Uuid,
    place: u32,
    output: &Output,
    change: &mut Change,
    now: Millis,
) -> Result<(), Abort> {
    if let Some(End::Ready(image)) = &output.end {
        image.throw_away(tx, now)?;
        if output.version == 1 {
            change.remove_image(image);
        }
    }
    for number in 1..=output.version {
        if let Some(version) = tx.get(&VERSIONS, &versioned(generation, place, number))? {
            version.image.throw_away(tx, now)?;
            if output.version > 1 {
                change.remove_image(&version.image);
            }
        }
    }
    Ok(())
}

impl Image {
    /// Queues the image and its thumbnail for deletion.
    pub(in crate::state) fn throw_away(&self, tx: &Tx<'_>, now: Millis) -> Result<(), Abort> {
        forget(tx, self, now)?;
        deletion_queue::put(tx, &self.object, now)?;
        deletion_queue::put(tx, &self.thumbnail, now)
    }
}
