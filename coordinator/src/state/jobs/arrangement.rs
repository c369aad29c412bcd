//! Order of the slides of carousels: the order that a client chose, and changes of it.
//!
//! Outputs keep their places, because versions, jobs and the ledger refer to them. One row per generation says which
//! places its carousels show, and in which order. A removed slide keeps its output, so that it can be restored. An
//! added slide is a new output after all others: the generation is reopened for it, as a retry reopens one.

use fleet::protocol::{ALT_BYTES, BlobId};
use uuid::Uuid;

use crate::clock::Millis;
use crate::credits::Movement;
use crate::state::billing::holds::{Short, afford, held};
use crate::state::billing::ledger;
use crate::state::database::tables::{Abort, Tx};
use crate::state::error::StateError;
use crate::state::generations::read::{arrangement_of, edit_under_way, read_outputs};
use crate::state::generations::snapshot::Snapshot;
use crate::state::generations::{event_log, output_index};
use crate::state::idempotency::{Keyed, Once, once};
use crate::state::jobs::edits::{self, EditOrder, Uneditable};
use crate::state::jobs::orders::PlannedOutput;
use crate::state::jobs::outbox;
use crate::state::people::keys;
use crate::state::rows::arrangement::ArrangedSet;
use crate::state::rows::encoding::clip;
use crate::state::rows::generations::Generation;
use crate::state::rows::jobs::drawing;
use crate::state::rows::keys::KeyDay;
use crate::state::rows::keyspace::{pair, placed};
use crate::state::rows::outputs::{Output, OutputAt};
use crate::state::rows::schema::{ARRANGEMENTS, GENERATIONS, OUTPUTS};
use crate::state::search::page_words;
use crate::state::store::Store;

/// A new order of the slides of a carousel.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ArrangeOrder {
    /// Existing slides that change with the order: their page numbers, for free, or their words. May be empty.
    pub renumbered: EditOrder,
    /// The places that the carousel showed when the client worked out the order. If they changed since, the order is
    /// refused.
    pub before: Vec<u32>,
    /// The places to show, in order; at least one.
    pub slides: Vec<ArrangedSlide>,
}

/// A slide in a new order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ArrangedSlide {
    /// The output at this place, which was shown or removed before.
    Kept(u32),
    /// A new output.
    Added(AddedSlide),
}

/// A new slide.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AddedSlide {
    /// What to render. Its slide number is ignored: the arrangement determines the position.
    pub output: PlannedOutput,
    /// The stored page.
    pub page: BlobId,
    /// Size of the page in bytes.
    pub bytes: u64,
    /// A description for people who can't see it.
    pub alt_text: String,
    /// What it says, to be searched.
    pub words: String,
}

/// Result of an order.
#[derive(Debug, Clone, PartialEq)]
pub struct Arranged {
    /// The edit that changes existing slides, with the place and the version of one of them.
    pub edit: Option<(Uuid, u32, u32)>,
    /// The places that the carousel now shows, in order.
    pub shown: Vec<u32>,
    /// Credits reserved: for copies, and for slides whose words change.
    pub cost: u64,
    /// The part of them reserved for slides whose words change.
    pub edit_cost: u64,
    /// The generation, without its outputs.
    pub snapshot: Snapshot,
}

impl ArrangeOrder {
    fn added(&self) -> impl Iterator<Item = &AddedSlide> {
        self.slides.iter().filter_map(|slide| match slide {
            ArrangedSlide::Added(added) => Some(added),
            ArrangedSlide::Kept(_) => None,
        })
    }

    fn kept(&self) -> impl Iterator<Item = u32> {
        self.slides.iter().filter_map(|slide| match slide {
            ArrangedSlide::Kept(place) => Some(*place),
            ArrangedSlide::Added(_) => None,
        })
    }

    /// Returns its cost in credits.
    fn cost(&self) -> u64 {
        self.added().map(|added| added.output.cost).sum::<u64>() + self.edit_cost()
    }

    fn edit_cost(&self) -> u64 {
        self.renumbered.pages.iter().map(|page| page.cost).sum()
    }
}

impl Store {
    /// Rearranges the slides of a carousel. The new order applies at once. Slides whose page numbers change are edited
    /// for free. Added slides are rendered in the reopened generation, and their credits are reserved. Refuses to
    /// render more than `room` outputs.
    ///
    /// # Errors
    /// [`StateError`].
    pub fn arrange(
        &self,
        order: &ArrangeOrder,
        room: u64,
        keyed: Option<&Keyed<Arranged>>,
        now: Millis,
    ) -> Result<Once<Arranged, Uneditable>, StateError> {
        let ArrangeOrder { renumbered: edit, .. } = order;
        let rendered = order.added().count() + edit.pages.len();
        let arrange = |tx: &Tx<'_>| {
            let (snapshot, set, outputs) = match arrangeable(tx, order)? {
                Ok(found) => found,
                Err(why) => return Ok(Err(why)),
            };
            if rendered as u64 > room {
                return Ok(Err(Uneditable::Full));
            }
            if let Err(Short { required, available }) =
                afford(tx, edit.account, order.cost(), &self.shared.monthly, now)?
            {
                return Ok(Err(Uneditable::Insufficient { required, available }));
            }
            let mut change = edit.change(&outputs);
            for AddedSlide { output, page, bytes, .. } in order.added() {
                change.add_blob(page, Some(*bytes));
                change.open(output.width, output.height);
            }
            if let Err(full) = change.fits(tx, self.storage_quotas())? {
                return Ok(Err(Uneditable::StorageFull(full)));
            }
            change.apply(tx)?;
            carry_out(tx, order, snapshot, set, &outputs, now).map(Ok)
        };
        self.commit_and(
            |tx: &Tx<'_>| once(tx, edit.account, keyed, now, || arrange(tx)),
            |arranged| {
                if matches!(arranged, Once::Made(_)) {
                    self.add_backlog(rendered as i64);
                    self.ring();
                    self.tell(edit.generation);
                }
            },
        )
    }
}

/// The generation and carousel of an order, and the outputs that the order edits.
type Arrangeable = (Snapshot, ArrangedSet, Vec<Output>);

/// Returns what an order refers to, if it can be carried out.
fn arrangeable(tx: &Tx<'_>, order: &ArrangeOrder) -> Result<Result<Arrangeable, Uneditable>, Abort> {
    let (generation, outputs) = match edits::check(tx, &order.renumbered)? {
        Ok(found) => found,
        Err(why) => return Ok(Err(why)),
    };
    // Outputs of a cancelled generation never end, so a reopened one could never end again.
    if order.added().next().is_some() && generation.status.extended().is_err() {
        return Ok(Err(Uneditable::NotReady));
    }
    let snapshot = Snapshot {
        outputs: read_outputs(tx, &generation)?,
        arrangement: arrangement_of(tx, generation.id)?,
        generation,
        warnings: Vec::new(),
        edits: Vec::new(),
    };
    let set = order.before.first().and_then(|first| snapshot.carousel(*first));
    let Some(set) = set.filter(|set| set.shown == order.before) else { return Ok(Err(Uneditable::Moved)) };
    for place in set.shown.iter().copied().chain(order.kept()) {
        if edit_under_way(tx, snapshot.generation.id, place)?.is_some() {
            return Ok(Err(Uneditable::InProgress));
        }
    }
    Ok(Ok((snapshot, set, outputs)))
}

/// Carries out an order that [`arrangeable`] accepted.
fn carry_out(
    tx: &Tx<'_>,
    order: &ArrangeOrder,
    snapshot: Snapshot,
    set: ArrangedSet,
    outputs: &[Output],
    now: Millis,
) -> Result<Arranged, Abort> {
    let edit = &order.renumbered;
    let Snapshot { mut generation, mut arrangement, .. } = snapshot;
    let (id, total) = (Uuid::now_v7(), generation.total);
    edits::open(tx, &generation, outputs, edit, id, now)?;
    let mut shown = Vec::with_capacity(order.slides.len());
    for slide in &order.slides {
        shown.push(match slide {
            ArrangedSlide::Kept(place) => *place,
            ArrangedSlide::Added(added) => extend(tx, &mut generation, added, now)?,
        });
    }
    let removed = set.shown.into_iter().chain(set.removed).filter(|place| !shown.contains(place)).collect();
    arrangement.put(ArrangedSet { first: set.first, shown: shown.clone(), removed });
    tx.put(&ARRANGEMENTS, generation.id.as_bytes(), &arrangement)?;
    tx.shows(&GENERATIONS, &pair(edit.account, generation.id));
    if generation.total > total {
        generation.status = generation.status.extended()?;
        generation.completed = None;
        tx.put(&GENERATIONS, &pair(edit.account, generation.id), &generation)?;
    }
    event_log::moved(tx, generation.id)?;
    if let Some(key) = edit.key {
        keys::add_to_day(tx, key, now.day(), KeyDay { credits: order.cost(), ..KeyDay::default() })?;
    }
    let edit = edit.pages.first().map(|page| (id, page.place, page.of + 1));
    let snapshot = Snapshot { generation, outputs: Vec::new(), warnings: Vec::new(), edits: Vec::new(), arrangement };
    Ok(Arranged { edit, shown, cost: order.cost(), edit_cost: order.edit_cost(), snapshot })
}

/// Appends an output to a generation and enqueues the job that renders it. Returns its place.
fn extend(tx: &Tx<'_>, generation: &mut Generation, added: &AddedSlide, now: Millis) -> Result<u32, Abort> {
    let place = generation.total;
    let output = Output { page: Some(added.page), alt_text: clip(&added.alt_text, ALT_BYTES), ..added.output.record() };
    tx.put(&OUTPUTS, &placed(generation.id, place), &output)?;
    page_words::put(tx, generation.id, place, output.version, &added.words)?;
    output_index::put_one(tx, output.id, &OutputAt { account: generation.account, generation: generation.id, place })?;
    ledger::post(tx, &held(generation, &output), Movement::Hold, now)?;
    outbox::post(tx, output.id, &drawing(generation, place))?;
    generation.total += 1;
    generation.charged += output.cost;
    Ok(place)
}

#[cfg(test)]
#[path = "arrangement_tests.rs"]
mod tests;
