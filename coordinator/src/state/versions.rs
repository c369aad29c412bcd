//! Versions of outputs: what each version showed, and how to restore one.
//!
//! An output's row holds what it shows now. This table holds every version that an edit or a restore created, and, from
//! the first of those on, also the original version. Version numbers have no gaps, so an output's version number gives
//! all its rows.

use fleet::protocol::BlobId;
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use super::answers::{Keyed, Once, once};
use super::arrangement;
use super::edits::{self, Edit, Uneditable};
use super::keyspace::{EntryKey, pair, placed, versioned};
use super::records::{End, Generation, Image, Output};
use super::storage::Change;
use super::table::{Abort, LONGEST_ROW, Record, Tx};
use super::{
    EDITS, GENERATIONS, LEDGER, OUTPUTS, PAGE_WORDS, Snapshot, StateError, Store, VERSIONS, WORDINGS, clip, page_words,
    repairs, trash,
};
use crate::clock::Millis;
use crate::credits::Movement;

/// Maximum number of versions per output.
pub const VERSIONS_MOST: u32 = 1_000;
/// Maximum size of a stored prompt in bytes. The longest allowed prompt fits.
const PROMPT_BYTES: usize = 8_000;
/// Maximum size of a stored instruction in bytes.
const INSTRUCTION_BYTES: usize = 16_000;

/// A version of an output, keyed by (generation, place, version).
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Version {
    /// The stored page.
    pub page: BlobId,
    /// A description for people who can't see it.
    pub alt_text: String,
    /// Its image.
    pub image: Image,
    /// The edit that created it.
    pub edit: Option<Uuid>,
    /// The version that it restores, if it was created by a restore.
    pub restored: Option<u32>,
    /// When it was created.
    pub at: Millis,
}

/// The wording of the request for a version, keyed like the version.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Wording {
    /// The client's prompt.
    pub prompt: String,
    /// The refined instruction.
    pub instruction: String,
}

impl Record for Version {}
impl Record for Wording {
    const BYTES: usize = LONGEST_ROW;
}

impl Wording {
    /// Truncates the texts to fit into a row.
    pub(super) fn new(prompt: &str, instruction: &str) -> Self {
        Self { prompt: clip(prompt, PROMPT_BYTES), instruction: clip(instruction, INSTRUCTION_BYTES) }
    }
}

/// A version in a list.
#[derive(Debug, Clone, PartialEq)]
pub struct PastVersion {
    /// Its number.
    pub number: u32,
    /// The version.
    pub version: Version,
    /// The wording of its request.
    pub wording: Option<Wording>,
    /// Whether retention deleted its image.
    pub gone: bool,
}

/// The versions of an output.
#[derive(Debug, Clone, PartialEq)]
pub struct History {
    /// The versions, the newest first.
    pub versions: Vec<PastVersion>,
    /// Whether there are older ones.
    pub more: bool,
    /// The version that the output shows now.
    pub current: u32,
}

/// An output within its generation.
#[derive(Debug, Clone, PartialEq)]
pub struct Placed {
    /// The generation with all its outputs.
    pub snapshot: Snapshot,
    /// The output's place among them.
    pub place: u32,
}

impl Placed {
    /// Returns the output.
    pub fn output(&self) -> Option<&Output> {
        self.snapshot.outputs.get(self.place as usize)
    }

    /// Returns its image, if it has one.
    pub fn image(&self) -> Option<&Image> {
        match self.output()?.end.as_ref()? {
            End::Ready(image) => Some(image),
            End::Failed(_) => None,
        }
    }

    /// Returns whether it can be edited: it has an image, its generation has ended, and its images are kept.
    pub fn is_editable(&self) -> bool {
        self.image().is_some() && self.snapshot.generation.may_have_images()
    }

    /// Returns the edit of it that is in progress.
    pub fn edit(&self) -> Option<&Edit> {
        let mut edits = self.snapshot.edits.iter();
        edits.find(|(place, edit)| *place == self.place && edit.fault.is_none()).map(|(_, edit)| edit)
    }

    /// Returns the outputs that may be edited together with it, with their places: the output itself and, for a slide,
    /// the other ready slides of its carousel.
    pub fn set(&self) -> Vec<(u32, &Output)> {
        let set = self.snapshot.sets().into_iter().find(|set| set.contains(&self.place)).unwrap_or_default();
        let ready = |place: u32| {
            let output = self.snapshot.outputs.get(place as usize)?;
            matches!(output.end, Some(End::Ready(_))).then_some((place, output))
        };
        set.into_iter().filter_map(ready).collect()
    }
}

/// Makes an output show a new version.
pub(super) fn show(
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
pub(super) fn drop_all(
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
pub(super) fn throw_away(
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

/// Returns whether retention deleted the image of a version, or, if `version` is `None`, the image of the output's only
/// version.
pub(super) fn image_is_gone(
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
pub(super) fn is_gone(
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

impl Image {
    /// Queues the image and its thumbnail for deletion.
    pub(super) fn throw_away(&self, tx: &Tx<'_>, now: Millis) -> Result<(), Abort> {
        repairs::forget(tx, self, now)?;
        trash::put(tx, &self.object, now)?;
        trash::put(tx, &self.thumbnail, now)
    }
}

impl Version {
    /// Returns the first version of an output, which its generation created.
    pub(super) fn first(generation: &Generation, output: &Output) -> Result<Self, StateError> {
        let (Some(page), Some(End::Ready(image))) = (output.page, output.end.clone()) else {
            return Err(StateError::Missing("images"));
        };
        let at = generation.completed.unwrap_or(generation.created);
        Ok(Self { page, alt_text: output.alt_text.clone(), image, edit: None, restored: None, at })
    }
}

/// A request to restore an earlier version of an output.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Back {
    /// The output's id.
    pub output: Uuid,
    /// The version to show again.
    pub to: u32,
    /// The version that the output must show now; `None` accepts any.
    pub from: Option<u32>,
}

/// The generation, place and output of a restore, and the version to restore.
type Restorable = (Generation, u32, Output, Version);

/// Finds what a restore refers to, if it can be carried out.
fn restorable(tx: &Tx<'_>, account: Uuid, id: Uuid, back: Back) -> Result<Result<Restorable, Uneditable>, Abort> {
    let (generation, place, output) = match edits::editable(tx, account, id, back.output)? {
        Ok(found) => found,
        Err(why) => return Ok(Err(why)),
    };
    if edits::under_way(tx, id, place)?.is_some() {
        return Ok(Err(Uneditable::InProgress));
    }
    if back.from.is_some_and(|from| from != output.version) {
        return Ok(Err(Uneditable::Moved));
    }
    let version = match tx.get(&VERSIONS, &versioned(id, place, back.to))? {
        Some(version) => version,
        None if (back.to, output.version) == (1, 1) => Version::first(&generation, &output)?,
        None => return Ok(Err(Uneditable::NoVersion)),
    };
    if is_gone(tx, &generation, place, &output, &version)? {
        return Ok(Err(Uneditable::NotReady));
    }
    if back.to != output.version && output.version >= VERSIONS_MOST {
        return Ok(Err(Uneditable::TooMany));
    }
    Ok(Ok((generation, place, output, version)))
}

impl Store {
    /// Returns one of an account's outputs by its id. `within` is its generation, if known.
    ///
    /// # Errors
    /// [`StateError`].
    pub fn placed(
        &self,
        account: Uuid,
        within: Option<Uuid>,
        output: Uuid,
    ) -> Result<Result<Placed, Uneditable>, StateError> {
        let id = match within {
            Some(id) => id,
            None => match self.output_place(account, output)? {
                Some((id, _)) => id,
                None => return Ok(Err(Uneditable::NoOutput)),
            },
        };
        // A read-only transaction, so that all rows come from one snapshot.
        let (found, _) = self.shared.tables.transact(|tx| {
            let Some(generation) = tx.get(&GENERATIONS, &pair(account, id))? else {
                return Ok(Err(Uneditable::NoGeneration));
            };
            let mut outputs = Vec::new();
            for place in 0..generation.total {
                outputs.push(tx.need(&OUTPUTS, &placed(id, place))?);
            }
            let edits = edits::of(tx, &generation)?;
            let arrangement = arrangement::of(tx, id)?;
            let found = (0..).zip(&outputs).find(|(place, o)| o.id == output && !arrangement.is_removed(*place));
            let Some((place, _)) = found else { return Ok(Err(Uneditable::NoOutput)) };
            let snapshot = Snapshot { generation, outputs, warnings: Vec::new(), edits, arrangement };
            Ok(Ok(Placed { snapshot, place }))
        })?;
        self.settle()?;
        Ok(found)
    }

    /// Returns the key of the thumbnail of a version of one of an account's outputs.
    ///
    /// # Errors
    /// [`StateError`].
    pub fn thumbnail(&self, account: Uuid, output: Uuid, version: u32) -> Result<Option<String>, StateError> {
        let Some((generation, place)) = self.output_place(account, output)? else { return Ok(None) };
        let tables = &self.shared.tables;
        let shown = tables.get(&OUTPUTS, &placed(generation, place))?.filter(|shown| shown.version == version);
        if let Some(Output { end: Some(End::Ready(image)), .. }) = shown {
            return Ok(Some(image.thumbnail));
        }
        let past = tables.get(&VERSIONS, &versioned(generation, place, version))?;
        Ok(past.map(|past| past.image.thumbnail))
    }

    /// Returns up to `limit` versions of one of an account's outputs, the newest first, only those before the version
    /// `before`.
    ///
    /// # Errors
    /// [`StateError`].
    pub fn history(
        &self,
        account: Uuid,
        generation: Uuid,
        output: Uuid,
        before: Option<u32>,
        limit: usize,
    ) -> Result<Result<(Placed, History), Uneditable>, StateError> {
        let found = match self.placed(account, Some(generation), output)? {
            Ok(found) => found,
            Err(why) => return Ok(Err(why)),
        };
        let Some(output) = found.output().filter(|o| matches!(o.end, Some(End::Ready(_)))) else {
            return Ok(Err(Uneditable::NotReady));
        };
        let tables = &self.shared.tables;
        let current = output.version;
        let newest = before.map_or(current, |before| before.saturating_sub(1).min(current));
        let mut versions = Vec::new();
        for number in (1..=newest).rev().take(limit) {
            let row = versioned(generation, found.place, number);
            let version = match tables.get(&VERSIONS, &row)? {
                Some(version) => version,
                None if current == 1 => Version::first(&found.snapshot.generation, output)?,
                // The generation was deleted in the meantime.
                None => return Ok(Err(Uneditable::NoGeneration)),
            };
            versions.push(PastVersion { number, version, wording: tables.get(&WORDINGS, &row)?, gone: false });
        }
        let generation = &found.snapshot.generation;
        if generation.images_deleted.is_some() {
            let (gone, _) = tables.transact(|tx| {
                let gone = versions.iter().map(|past| is_gone(tx, generation, found.place, output, &past.version));
                gone.collect::<Result<Vec<bool>, Abort>>()
            })?;
            for (past, gone) in versions.iter_mut().zip(gone) {
                past.gone = gone;
            }
        }
        let more = newest as usize > versions.len();
        let history = History { versions, more, current };
        Ok(Ok((found, history)))
    }

    /// Restores earlier versions of outputs of a generation, each as a new version. An output that already shows the
    /// version is left alone. A restore is free, and it applies to all outputs or none. The first element of `backs` is
    /// the output that is returned. A version whose image was deleted by retention can't be restored.
    ///
    /// # Errors
    /// [`StateError`].
    pub fn restore(
        &self,
        account: Uuid,
        id: Uuid,
        backs: &[Back],
        keyed: Option<&Keyed<Placed>>,
        now: Millis,
    ) -> Result<Once<Placed, Uneditable>, StateError> {
        let restore = |tx: &Tx<'_>| {
            // Check all outputs before changing the first.
            let mut found = Vec::new();
            for back in backs {
                match restorable(tx, account, id, *back)? {
                    Ok(one) => found.push(one),
                    Err(why) => return Ok(Err(why)),
                }
            }
            let Some((generation, place, ..)) = found.first().cloned() else { return Ok(Err(Uneditable::NoOutput)) };
            for ((generation, place, output, version), back) in found.into_iter().zip(backs) {
                if back.to == output.version {
                    continue;
                }
                let version = Version { edit: None, restored: Some(back.to), at: now, ..version };
                // No new content: the stored content gets one more reference.
                let mut change = Change::of(account);
                change.add_blob(&version.page, None);
                change.add_image(&version.image, None);
                change.apply(tx)?;
                page_words::put_again(tx, id, place, back.to, output.version + 1)?;
                show(tx, &generation, place, output, version)?;
                tx.remove(&EDITS, &placed(id, place))?;
                tx.edited("restored", 1);
            }
            let outputs = super::reports::read_outputs(tx, &generation)?;
            let edits = edits::of(tx, &generation)?;
            let arrangement = arrangement::of(tx, id)?;
            let snapshot = Snapshot { generation, outputs, warnings: Vec::new(), edits, arrangement };
            Ok(Ok(Placed { snapshot, place }))
        };
        self.commit_and(
            |tx| once(tx, account, keyed, now, || restore(tx)),
            |restored| {
                if matches!(restored, Once::Made(_)) {
                    self.tell(id);
                }
            },
        )
    }
}
