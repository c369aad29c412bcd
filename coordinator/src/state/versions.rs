//! The versions of outputs: what each showed, and going back to one.
//!
//! An output's row says what it shows now. Here stands every version that an edit or a restore made, and with the first of
//! those the version before it too; numbers count up without gaps, so the rows of an output are known from its number.

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

/// Versions that an output may have.
pub const VERSIONS_MOST: u32 = 1_000;
/// Bytes of a prompt that are kept, to be shown: of the longest, all.
const PROMPT_BYTES: usize = 8_000;
/// Bytes of an instruction that are kept, to be shown.
const INSTRUCTION_BYTES: usize = 16_000;

/// A version of an output, by (generation, place, version).
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Version {
    /// The stored page.
    pub page: BlobId,
    /// A description for people who can't see it.
    pub alt_text: String,
    /// Its image.
    pub image: Image,
    /// The edit that made it.
    pub edit: Option<Uuid>,
    /// The version that it is the same as, where it came by going back.
    pub restored: Option<u32>,
    /// When it was made.
    pub at: Millis,
}

/// What a version was asked for with, by the key of the version.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Wording {
    /// What the client wrote.
    pub prompt: String,
    /// The refined instruction.
    pub instruction: String,
}

impl Record for Version {}
impl Record for Wording {
    const BYTES: usize = LONGEST_ROW;
}

impl Wording {
    /// As it fits a row.
    pub(super) fn new(prompt: &str, instruction: &str) -> Self {
        Self { prompt: clip(prompt, PROMPT_BYTES), instruction: clip(instruction, INSTRUCTION_BYTES) }
    }
}

/// A version as a list shows it.
#[derive(Debug, Clone, PartialEq)]
pub struct PastVersion {
    /// Its number.
    pub number: u32,
    /// It.
    pub version: Version,
    /// What it was asked for with.
    pub wording: Option<Wording>,
    /// Whether its image was deleted because it was old.
    pub gone: bool,
}

/// What an output showed and shows.
#[derive(Debug, Clone, PartialEq)]
pub struct History {
    /// The versions, the newest first.
    pub versions: Vec<PastVersion>,
    /// Whether there are older ones.
    pub more: bool,
    /// The version that it shows.
    pub current: u32,
}

/// An output, in its generation.
#[derive(Debug, Clone, PartialEq)]
pub struct Placed {
    /// The generation, with all of its outputs.
    pub snapshot: Snapshot,
    /// The output's place among these.
    pub place: u32,
}

impl Placed {
    /// The output.
    pub fn output(&self) -> Option<&Output> {
        self.snapshot.outputs.get(self.place as usize)
    }

    /// Its image, where it has one.
    pub fn image(&self) -> Option<&Image> {
        match self.output()?.end.as_ref()? {
            End::Ready(image) => Some(image),
            End::Failed(_) => None,
        }
    }

    /// Whether it can be edited: it has an image, its generation has ended, and its images are kept.
    pub fn is_editable(&self) -> bool {
        self.image().is_some() && self.snapshot.generation.may_have_images()
    }

    /// The edit of it that is under way.
    pub fn edit(&self) -> Option<&Edit> {
        let mut edits = self.snapshot.edits.iter();
        edits.find(|(place, edit)| *place == self.place && edit.fault.is_none()).map(|(_, edit)| edit)
    }

    /// The outputs that may be edited with it, and their places: it, and where it is a slide, the other slides of its
    /// carousel that are ready.
    pub fn set(&self) -> Vec<(u32, &Output)> {
        let set = self.snapshot.sets().into_iter().find(|set| set.contains(&self.place)).unwrap_or_default();
        let ready = |place: u32| {
            let output = self.snapshot.outputs.get(place as usize)?;
            matches!(output.end, Some(End::Ready(_))).then_some((place, output))
        };
        set.into_iter().filter_map(ready).collect()
    }
}

/// Has an output show a new version.
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

/// Takes away all versions of an output but what its row says, and notes in `change` what is no longer kept.
pub(super) fn drop_all(
    tx: &Tx<'_>,
    generation: Uuid,
    place: u32,
    output: &Output,
    change: &mut Change,
    now: Millis,
) -> Result<(), Abort> {
    throw_away(tx, generation, place, output, change, now)?;
    // The only version has no row.
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

/// Has the images of all versions of an output removed, and notes that in `change`.
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

/// Whether the image of a version, or without one that of the output's only version, was deleted because it was old.
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

/// Whether the image of a version was deleted because it was old. A retry makes images after that, so that a generation has
/// some whose images are there and some whose images are not.
pub(super) fn is_gone(
    tx: &Tx<'_>,
    generation: &Generation,
    place: u32,
    output: &Output,
    version: &Version,
) -> Result<bool, Abort> {
    let Some(deleted) = generation.images_deleted else { return Ok(false) };
    // Going back makes a version of now and an image of then: of which it is, the version says that it is the same as.
    let (mut at, mut restored, mut edit) = (version.at, version.restored, version.edit);
    // No image is younger than a version that shows it.
    while at > deleted {
        let Some(number) = restored else {
            // The first one has the time at which its generation ended, which is anew after a retry.
            return Ok(edit.is_none() && first_made(tx, generation, output)?.is_some_and(|made| made <= deleted));
        };
        let Some(same) = tx.get(&VERSIONS, &versioned(generation.id, place, number))? else { return Ok(true) };
        (at, restored, edit) = (same.at, same.restored, same.edit);
    }
    Ok(true)
}

/// When the image of an output's first version was made: as it was paid.
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
    /// Has it and its thumbnail removed.
    pub(super) fn throw_away(&self, tx: &Tx<'_>, now: Millis) -> Result<(), Abort> {
        repairs::forget(tx, self, now)?;
        trash::put(tx, &self.object, now)?;
        trash::put(tx, &self.thumbnail, now)
    }
}

impl Version {
    /// The one that a generation was made with.
    pub(super) fn first(generation: &Generation, output: &Output) -> Result<Self, StateError> {
        let (Some(page), Some(End::Ready(image))) = (output.page, output.end.clone()) else {
            return Err(StateError::Missing("images"));
        };
        let at = generation.completed.unwrap_or(generation.created);
        Ok(Self { page, alt_text: output.alt_text.clone(), image, edit: None, restored: None, at })
    }
}

/// An output that goes back to what it showed in an earlier version.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Back {
    /// The output's id.
    pub output: Uuid,
    /// The version that it is to show again.
    pub to: u32,
    /// The version that it must show now; any where `None`.
    pub from: Option<u32>,
}

/// An output that can go back: its generation, its place, the output, and the version that comes back.
type Restorable = (Generation, u32, Output, Version);

/// Finds what goes back.
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
    /// One of an account's outputs, by its id; `within` a generation, where that is known.
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
        // A transaction, though it changes nothing: all of it is of one moment.
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

    /// The key of the thumbnail of a version of one of an account's outputs.
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

    /// Up to `limit` versions of one of an account's outputs, the newest first, before the version `before`.
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
                // It was deleted since.
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

    /// Has outputs of a generation show what they showed in earlier versions, each as a new version; one that shows it already
    /// stays as it is. It costs nothing, and all of them go back or none. `backs` begins with the output that is returned.
    /// A version whose image was deleted because it was old can't come back.
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
            // All are checked before the first one is changed.
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
                // Nothing new is stored; what was is referred to once more.
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
