//! Edits: new versions of outputs, from confirmation until their images are ready or have failed.
//!
//! An edit changes one output, or several slides of a carousel: either all of them or none. Each output has its own
//! job. The transaction of the last image makes all new versions visible and captures their credits. Until then the
//! outputs stay as they were. An output can be part of only one edit at a time: its row here says which one.

use fleet::protocol::{ALT_BYTES, BlobId};
use uuid::Uuid;

use crate::clock::Millis;
use crate::credits::Movement;
use crate::state::billing::holds::{Short, afford};
use crate::state::billing::ledger::{self, Posted};
use crate::state::database::tables::{Abort, Tx};
use crate::state::error::StateError;
use crate::state::generations::read::{arrangement_of, edit_under_way};
use crate::state::jobs::claims::call_off;
use crate::state::jobs::{images, outbox};
use crate::state::objects::deletion_queue;
use crate::state::objects::storage::{Change, StorageFull};
use crate::state::people::keys;
use crate::state::rows::encoding::clip;
use crate::state::rows::generations::{Fault, Generation};
use crate::state::rows::jobs::OpenJob;
use crate::state::rows::keys::KeyDay;
use crate::state::rows::keyspace::{EntryKey, pair, placed, versioned};
use crate::state::rows::outputs::{Edit, End, Image, Output, VERSIONS_MOST, Version, Wording};
use crate::state::rows::schema::{EDITS, GENERATIONS, LEDGER, OUTPUTS, VERSIONS, WORDINGS};
use crate::state::search::page_words;
use crate::state::store::Store;

/// A confirmed edit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EditOrder {
    /// The account.
    pub account: Uuid,
    /// The generation.
    pub generation: Uuid,
    /// The API key of the request, whose usage counts the edit.
    pub key: Option<Uuid>,
    /// The client's prompt.
    pub prompt: String,
    /// The refined instruction.
    pub instruction: String,
    /// The pages to change.
    pub pages: Vec<NewPage>,
}

/// A page that an edit changes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewPage {
    /// The place of its output.
    pub place: u32,
    /// The version of the output that the new page was made from.
    pub of: u32,
    /// The stored page.
    pub page: BlobId,
    /// Size of the page in bytes.
    pub bytes: u64,
    /// The alternative text of the page.
    pub alt_text: String,
    /// The words of the page, for searching.
    pub words: String,
    /// Cost of the change in credits.
    pub cost: u64,
}

/// Why an output can't be edited.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Uneditable {
    /// The generation doesn't exist, or it belongs to another account.
    NoGeneration,
    /// The output doesn't exist, or it belongs to another account.
    NoOutput,
    /// The version doesn't exist.
    NoVersion,
    /// It has no image yet, or its image was deleted.
    NotReady,
    /// Another edit of it is in progress.
    InProgress,
    /// It shows a different version by now.
    Moved,
    /// It has the maximum number of versions.
    TooMany,
    /// The service has too many waiting outputs.
    Full,
    /// The account lacks the credits.
    Insufficient {
        /// The cost in credits.
        required: u64,
        /// The available credits.
        available: u64,
    },
    /// The account's storage quota is used up.
    StorageFull(StorageFull),
}

/// State of an edit.
#[derive(Debug, Clone, PartialEq)]
pub enum EditEnd {
    /// It is in progress.
    UnderWay,
    /// Its versions are visible.
    Done,
    /// It failed, and nothing changed.
    Failed(Fault),
    /// The generation was deleted, or the edit is no longer known.
    Gone,
}

/// Returns an output that has an image, if its generation has ended and its images are kept.
pub(in crate::state) fn editable(
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
        if found.id == output && !arrangement_of(tx, id)?.is_removed(place) {
            let ready = generation.may_have_images() && matches!(found.end, Some(End::Ready(_)));
            return Ok(if ready { Ok((generation, place, found)) } else { Err(Uneditable::NotReady) });
        }
    }
    Ok(Err(Uneditable::NoOutput))
}

impl Edit {
    /// Returns what the edit's credits move for.
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

/// Returns how many times credits were reserved for a version.
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

/// Returns the outputs that an order changes, if it can be carried out.
pub(in crate::state) fn check(
    tx: &Tx<'_>,
    order: &EditOrder,
) -> Result<Result<(Generation, Vec<Output>), Uneditable>, Abort> {
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
        if edit_under_way(tx, generation.id, page.place)?.is_some() {
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

/// Stores an image of an edit. The last image of the edit makes the new versions visible and captures their credits.
/// Returns how many outputs ended.
pub(in crate::state) fn drawn(
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
    // The page was counted when the edit began. The reference passes on to the version.
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
        images::show(tx, &generation, place, output, version)?;
        tx.remove(&EDITS, &row)?;
    }
    tx.edited("executed", count);
    Ok(count)
}

/// Fails the edit that a job belongs to: the outputs stay as they are, and the credits are refunded. Returns how many
/// outputs the edit was to change.
pub(in crate::state) fn fail(tx: &Tx<'_>, job: &OpenJob, place: u32, fault: &Fault, now: Millis) -> Result<u32, Abort> {
    let generation = tx.need(&GENERATIONS, &pair(job.account, job.generation))?;
    let Some(edit) = edit_under_way(tx, generation.id, place)? else { return Ok(0) };
    for place in &edit.set {
        let row = placed(generation.id, *place);
        let edit = tx.need(&EDITS, &row)?;
        undo(tx, &generation, *place, &edit, now)?;
        tx.put(&EDITS, &row, &Edit { drawn: None, fault: Some(fault.clone()), ..edit })?;
    }
    tx.edited("failed", edit.set.len() as u32);
    Ok(edit.set.len() as u32)
}

/// Cancels the edit of an output whose generation is deleted. Returns 1 if an edit was in progress, otherwise 0.
pub(in crate::state) fn call_off_edit(
    tx: &Tx<'_>,
    generation: &Generation,
    place: u32,
    now: Millis,
) -> Result<u32, Abort> {
    let edit = edit_under_way(tx, generation.id, place)?;
    if let Some(edit) = &edit {
        undo(tx, generation, place, edit, now)?;
    }
    tx.remove(&EDITS, &placed(generation.id, place))?;
    Ok(u32::from(edit.is_some()))
}

/// Closes the job of an edit, refunds its credits, and queues its objects for deletion, including those that a worker
/// may still store.
fn undo(tx: &Tx<'_>, generation: &Generation, place: u32, edit: &Edit, now: Millis) -> Result<(), Abort> {
    let output = tx.need(&OUTPUTS, &placed(generation.id, place))?;
    if let Some(lease) = call_off(tx, output.id)? {
        deletion_queue::put_late(tx, generation, output.id, edit.version, &lease, now)?;
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

/// Starts the edit `id` of the outputs in `order`: reserves its credits and enqueues a job for each output.
pub(in crate::state) fn open(
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
    /// Returns what the edit adds to the account's storage. `outputs` are the outputs that it changes.
    pub(in crate::state) fn change(&self, outputs: &[Output]) -> Change {
        let mut change = Change::of(self.account);
        for (page, output) in self.pages.iter().zip(outputs) {
            change.add_blob(&page.page, Some(page.bytes));
            change.open(output.width, output.height);
        }
        change
    }
}

impl Store {
    /// Starts a confirmed edit: reserves its credits and enqueues its jobs. Refuses to take on more than `room`
    /// outputs. Returns the edit's id.
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
            let arrangement = arrangement_of(tx, generation.id)?;
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

    /// Returns the state of the edit `edit`, which creates a version of the output at `place`.
    ///
    /// # Errors
    /// [`StateError`].
    pub fn edit_end(&self, generation: Uuid, place: u32, edit: Uuid, version: u32) -> Result<EditEnd, StateError> {
        // A read-only transaction, so that all rows come from one snapshot.
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
