//! Edits: new versions of outputs, from when they are confirmed until their images are there or can't be had.
//!
//! An edit changes one output, or several slides of a set: then all of them or none. Each is a job of its own, and the
//! versions become visible, and are paid, in the one transaction that the last image comes with. Until then the outputs are
//! as they were. An output is edited by one edit at a time: its row here says by which.

use fleet::protocol::{ALT_BYTES, BlobId, Class};
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use super::arrangement;
use super::generations::{Short, afford};
use super::jobs::call_off;
use super::keys::{self, KeyDay};
use super::keyspace::{EntryKey, pair, placed, versioned};
use super::ledger::{self, Posted};
use super::records::{End, Fault, Generation, Image, OpenJob, Output, Work};
use super::storage::{Change, StorageFull};
use super::table::{Abort, Record, Tx};
use super::versions::{self, VERSIONS_MOST, Version, Wording};
use super::{
    EDITS, GENERATIONS, LEDGER, OUTPUTS, StateError, Store, VERSIONS, WORDINGS, clip, outbox, page_words, trash,
};
use crate::clock::Millis;
use crate::credits::Movement;

/// An edit of an output, by (generation, place): under way, or failed and not tried again since.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Edit {
    /// Tells it from others; the same for all outputs that it changes.
    pub id: Uuid,
    /// The version of this output that it makes.
    pub version: u32,
    /// Counts the attempts at that version: credits are held anew for each.
    pub(super) round: u32,
    /// The places of all outputs that it changes.
    pub(super) set: Vec<u32>,
    /// The new page.
    pub(super) page: BlobId,
    /// What is said of it for those who can't see it.
    pub(super) alt_text: String,
    /// Credits held for this output.
    pub(super) cost: u64,
    /// When it was confirmed.
    pub begun: Millis,
    /// The new image, while others of the set are yet to come.
    pub(super) drawn: Option<Image>,
    /// Why it failed; without, it is under way.
    pub fault: Option<Fault>,
}

impl Record for Edit {}

/// An edit that is confirmed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EditOrder {
    /// Whose it is.
    pub account: Uuid,
    /// The generation.
    pub generation: Uuid,
    /// The key that it came by, which it is counted for.
    pub key: Option<Uuid>,
    /// What the client wrote.
    pub prompt: String,
    /// The refined instruction.
    pub instruction: String,
    /// The pages that change.
    pub pages: Vec<NewPage>,
}

/// A page that changes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewPage {
    /// The place of its output.
    pub place: u32,
    /// The version of the output that the page was made of.
    pub of: u32,
    /// The stored page.
    pub page: BlobId,
    /// Bytes of it.
    pub bytes: u64,
    /// What is said of it for those who can't see it.
    pub alt_text: String,
    /// What it says, to be searched.
    pub words: String,
    /// Credits that the change costs.
    pub cost: u64,
}

/// Why an output is not edited.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Uneditable {
    /// There is no such generation, or it is another account's.
    NoGeneration,
    /// There is no such output, or it is another account's.
    NoOutput,
    /// There is no such version.
    NoVersion,
    /// It has no image yet, or has none any more.
    NotReady,
    /// Another edit of it is under way.
    InProgress,
    /// It shows another version by now.
    Moved,
    /// It has as many versions as it may have.
    TooMany,
    /// Too much waits already.
    Full,
    /// The account has not got the credits.
    Insufficient {
        /// What it costs.
        required: u64,
        /// What there is.
        available: u64,
    },
    /// The account's storage is used up.
    StorageFull(StorageFull),
}

/// What became of an edit.
#[derive(Debug, Clone, PartialEq)]
pub enum EditEnd {
    /// It is under way.
    UnderWay,
    /// Its versions are there.
    Done,
    /// It failed; nothing changed.
    Failed(Fault),
    /// The generation was deleted, or nothing is known of it any more.
    Gone,
}

/// The edits that a generation has rows of.
pub(super) fn of(tx: &Tx<'_>, generation: &Generation) -> Result<Vec<(u32, Edit)>, Abort> {
    let mut edits = Vec::new();
    for place in 0..generation.total {
        edits.extend(tx.get(&EDITS, &placed(generation.id, place))?.map(|edit| (place, edit)));
    }
    Ok(edits)
}

/// The edit of an output that is under way.
pub(super) fn under_way(tx: &Tx<'_>, generation: Uuid, place: u32) -> Result<Option<Edit>, Abort> {
    Ok(tx.get(&EDITS, &placed(generation, place))?.filter(|edit| edit.fault.is_none()))
}

/// An output that has an image, in a generation that has ended and whose images are kept.
pub(super) fn editable(
    tx: &Tx<'_>,
    account: Uuid,
    id: Uuid,
    output: Uuid,
) -> Result<Result<(Generation, u32, Output), Uneditable>, Abort> {
    let Some(generation) = tx.get(&GENERATIONS, &pair(account, id))? else {
        return Ok(Err(Uneditable::NoGeneration));
    };
    for place in 0..generation.total {
        let found = tx.need(&OUTPUTS, &placed(id, place))?;
        if found.id == output && !arrangement::of(tx, id)?.is_removed(place) {
            let ready = generation.may_have_images() && matches!(found.end, Some(End::Ready(_)));
            return Ok(if ready { Ok((generation, place, found)) } else { Err(Uneditable::NotReady) });
        }
    }
    Ok(Err(Uneditable::NoOutput))
}

impl Edit {
    /// The ledger's view of it.
    fn held(&self, generation: &Generation, output: &Output) -> Posted {
        Posted {
            account: generation.account,
            generation: generation.id,
            output: output.id,
            version: self.version,
            round: self.round,
            amount: self.cost,
        }
    }
}

/// How often credits were held for a version that came to nothing.
fn attempts(tx: &Tx<'_>, generation: &Generation, output: &Output, version: u32) -> Result<u32, Abort> {
    let mut round = 0;
    loop {
        let (account, generation, output) = (generation.account, generation.id, output.id);
        let key = EntryKey { account, generation, output, version, round, movement: Movement::Hold };
        if tx.get(&LEDGER, &key.bytes())?.is_none() {
            return Ok(round);
        }
        round += 1;
    }
}

/// The outputs that an order changes, where it can be carried out.
pub(super) fn check(tx: &Tx<'_>, order: &EditOrder) -> Result<Result<(Generation, Vec<Output>), Uneditable>, Abort> {
    let Some(generation) = tx.get(&GENERATIONS, &pair(order.account, order.generation))? else {
        return Ok(Err(Uneditable::NoGeneration));
    };
    if !generation.may_have_images() {
        return Ok(Err(Uneditable::NotReady));
    }
    let mut outputs = Vec::new();
    for page in &order.pages {
        let Some(output) = tx.get(&OUTPUTS, &placed(generation.id, page.place))? else {
            return Ok(Err(Uneditable::NoOutput));
        };
        if !matches!(output.end, Some(End::Ready(_))) {
            return Ok(Err(Uneditable::NotReady));
        }
        if under_way(tx, generation.id, page.place)?.is_some() {
            return Ok(Err(Uneditable::InProgress));
        }
        if output.version != page.of {
            return Ok(Err(Uneditable::Moved));
        }
        if output.version >= VERSIONS_MOST {
            return Ok(Err(Uneditable::TooMany));
        }
        outputs.push(output);
    }
    Ok(Ok((generation, outputs)))
}

/// Takes an image of an edit; with the last one of its set the new versions are shown, and paid. Returns how many are.
pub(super) fn drawn(
    tx: &Tx<'_>,
    job: &OpenJob,
    place: u32,
    image: Image,
    thumbnail: Option<u64>,
    now: Millis,
) -> Result<u32, Abort> {
    let generation = tx.need(&GENERATIONS, &pair(job.account, job.generation))?;
    let row = placed(generation.id, place);
    let output = tx.need(&OUTPUTS, &row)?;
    let mut change = Change::of(job.account);
    change.add_image(&image, thumbnail);
    change.close(output.width, output.height);
    change.apply(tx)?;
    // Its page was counted when the edit began, and goes on as the version's.
    let edit = Edit { drawn: Some(image), ..tx.need(&EDITS, &row)? };
    let set = edit.set.clone();
    tx.put(&EDITS, &row, &edit)?;
    let mut edits = Vec::new();
    for place in set {
        let edit = tx.need(&EDITS, &placed(generation.id, place))?;
        let Some(image) = edit.drawn.clone() else { return Ok(0) };
        edits.push((place, edit, image));
    }
    let count = edits.len() as u32;
    for (place, edit, image) in edits {
        let row = placed(generation.id, place);
        let output = tx.need(&OUTPUTS, &row)?;
        ledger::post(tx, &edit.held(&generation, &output), Movement::Capture, now)?;
        let version =
            Version { page: edit.page, alt_text: edit.alt_text, image, edit: Some(edit.id), restored: None, at: now };
        versions::show(tx, &generation, place, output, version)?;
        tx.remove(&EDITS, &row)?;
    }
    tx.edited("executed", count);
    Ok(count)
}

/// Ends the edit that a job is part of, as failed: the outputs stay as they are, and the credits go back. Returns how many
/// outputs it was to change.
pub(super) fn fail(tx: &Tx<'_>, job: &OpenJob, place: u32, fault: &Fault, now: Millis) -> Result<u32, Abort> {
    let generation = tx.need(&GENERATIONS, &pair(job.account, job.generation))?;
    let Some(edit) = under_way(tx, generation.id, place)? else { return Ok(0) };
    for place in &edit.set {
        let row = placed(generation.id, *place);
        let edit = tx.need(&EDITS, &row)?;
        undo(tx, &generation, *place, &edit, now)?;
        tx.put(&EDITS, &row, &Edit { drawn: None, fault: Some(fault.clone()), ..edit })?;
    }
    tx.edited("failed", edit.set.len() as u32);
    Ok(edit.set.len() as u32)
}

/// Calls off the edit of an output whose generation is deleted. Returns how many outputs that concerns: this one, or none.
pub(super) fn call_off_edit(tx: &Tx<'_>, generation: &Generation, place: u32, now: Millis) -> Result<u32, Abort> {
    let edit = under_way(tx, generation.id, place)?;
    if let Some(edit) = &edit {
        undo(tx, generation, place, edit, now)?;
    }
    tx.remove(&EDITS, &placed(generation.id, place))?;
    Ok(u32::from(edit.is_some()))
}

/// Closes the job of an edit, gives back what is held for it, and has removed what it made or may yet make.
fn undo(tx: &Tx<'_>, generation: &Generation, place: u32, edit: &Edit, now: Millis) -> Result<(), Abort> {
    let output = tx.need(&OUTPUTS, &placed(generation.id, place))?;
    if let Some(lease) = call_off(tx, output.id)? {
        trash::put_late(tx, generation, output.id, edit.version, &lease, now)?;
    }
    let mut change = Change::of(generation.account);
    change.remove_blob(&edit.page);
    match &edit.drawn {
        Some(image) => {
            image.throw_away(tx, now)?;
            change.remove_image(image);
        }
        None => change.close(output.width, output.height),
    }
    change.apply(tx)?;
    ledger::post(tx, &edit.held(generation, &output), Movement::Release, now)?;
    page_words::put(tx, generation.id, place, edit.version, "")?;
    tx.remove(&WORDINGS, &versioned(generation.id, place, edit.version))
}

/// Begins the edit `id` of the outputs that `order` changes: holds its credits and posts a job for each.
pub(super) fn open(
    tx: &Tx<'_>,
    generation: &Generation,
    outputs: &[Output],
    order: &EditOrder,
    id: Uuid,
    now: Millis,
) -> Result<(), Abort> {
    let set: Vec<u32> = order.pages.iter().map(|page| page.place).collect();
    for (page, output) in order.pages.iter().zip(outputs) {
        let version = output.version + 1;
        let edit = Edit {
            id,
            version,
            round: attempts(tx, generation, output, version)?,
            set: set.clone(),
            page: page.page,
            alt_text: clip(&page.alt_text, ALT_BYTES),
            cost: page.cost,
            begun: now,
            drawn: None,
            fault: None,
        };
        ledger::post(tx, &edit.held(generation, output), Movement::Hold, now)?;
        tx.put(&EDITS, &placed(generation.id, page.place), &edit)?;
        let wording = Wording::new(&order.prompt, &order.instruction);
        tx.put(&WORDINGS, &versioned(generation.id, page.place, version), &wording)?;
        page_words::put(tx, generation.id, page.place, version, &page.words)?;
        outbox::post(tx, output.id, &OpenJob::of_edit(generation, page.place, version))?;
    }
    Ok(())
}

impl EditOrder {
    /// What it adds to the account's storage; `outputs` are those that it changes.
    pub(super) fn change(&self, outputs: &[Output]) -> Change {
        let mut change = Change::of(self.account);
        for (page, output) in self.pages.iter().zip(outputs) {
            change.add_blob(&page.page, Some(page.bytes));
            change.open(output.width, output.height);
        }
        change
    }
}

impl Store {
    /// Begins an edit that was confirmed: its credits are held and its jobs posted. At most `room` outputs are taken on.
    /// Returns its id.
    ///
    /// # Errors
    /// [`StateError`].
    pub fn begin_edit(
        &self,
        order: &EditOrder,
        room: u64,
        now: Millis,
    ) -> Result<Result<Uuid, Uneditable>, StateError> {
        let (id, count) = (Uuid::now_v7(), order.pages.len() as u64);
        let cost = order.pages.iter().map(|page| page.cost).sum();
        let begin = |tx: &Tx<'_>| {
            let (generation, outputs) = match check(tx, order)? {
                Ok(found) => found,
                Err(why) => return Ok(Err(why)),
            };
            let arrangement = arrangement::of(tx, generation.id)?;
            if order.pages.iter().any(|page| arrangement.is_removed(page.place)) {
                return Ok(Err(Uneditable::NoOutput));
            }
            if count > room {
                return Ok(Err(Uneditable::Full));
            }
            if let Err(Short { required, available }) = afford(tx, order.account, cost, &self.shared.monthly, now)? {
                return Ok(Err(Uneditable::Insufficient { required, available }));
            }
            let change = order.change(&outputs);
            if let Err(full) = change.fits(tx, self.storage_quotas())? {
                return Ok(Err(Uneditable::StorageFull(full)));
            }
            change.apply(tx)?;
            open(tx, &generation, &outputs, order, id, now)?;
            if let Some(key) = order.key {
                keys::add_to_day(tx, key, now.day(), KeyDay { credits: cost, ..KeyDay::default() })?;
            }
            Ok(Ok(id))
        };
        self.commit_and(begin, |begun| {
            if begun.is_ok() {
                self.add_backlog(count as i64);
                self.ring();
            }
        })
    }

    /// What became of the edit `edit`, which makes a version of the output at `place`.
    ///
    /// # Errors
    /// [`StateError`].
    pub fn edit_end(&self, generation: Uuid, place: u32, edit: Uuid, version: u32) -> Result<EditEnd, StateError> {
        // A transaction, though it changes nothing: all of it is of one moment.
        let (end, _) = self.shared.tables.transact(|tx| {
            if let Some(row) = tx.get(&EDITS, &placed(generation, place))?.filter(|row| row.id == edit) {
                return Ok(row.fault.map_or(EditEnd::UnderWay, EditEnd::Failed));
            }
            let made = tx.get(&VERSIONS, &versioned(generation, place, version))?;
            let done = made.is_some_and(|made| made.edit == Some(edit));
            Ok(if done { EditEnd::Done } else { EditEnd::Gone })
        })?;
        self.settle()?;
        Ok(end)
    }
}

impl OpenJob {
    /// The job that draws the new version of the output at a place. It has the output's id: nothing else of an output that
    /// is ready has a job.
    fn of_edit(generation: &Generation, place: u32, version: u32) -> Self {
        Self::at_epoch(generation.account, generation.id, Work::Edit(place), Class::Edit, Self::edit_epoch(version))
    }
}
