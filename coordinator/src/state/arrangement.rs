//! Order of the slides of carousels: the order that a client chose, and changes of it.
//!
//! Outputs keep their places, because versions, jobs and the ledger refer to them. One row per generation says which
//! places its carousels show, and in which order. A removed slide keeps its output, so that it can be restored. An
//! added slide is a new output after all others: the generation is reopened for it, as a retry reopens one.

use std::collections::BTreeMap;
use std::ops::Range;

use fleet::protocol::{ALT_BYTES, BlobId};
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use super::answers::{Keyed, Once, once};
use super::edits::{self, EditOrder, Uneditable};
use super::generations::{PlannedOutput, Short, Snapshot, afford, held};
use super::keys::{self, KeyDay};
use super::keyspace::{pair, placed};
use super::places::{self, OutputAt};
use super::records::{Generation, Output};
use super::reports::{drawing, read_outputs};
use super::table::{Abort, Record, Tx};
use super::{ARRANGEMENTS, GENERATIONS, OUTPUTS, StateError, Store, clip, course, ledger, outbox, page_words};
use crate::clock::Millis;
use crate::credits::Movement;

/// The arrangement of a generation's carousels, keyed by the generation's id. Without a row they are as created.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Arrangement {
    sets: Vec<ArrangedSet>,
}

/// A carousel whose slides were rearranged.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
struct ArrangedSet {
    /// The place of its first output at creation, which identifies the carousel.
    first: u32,
    /// The places of its slides, in the order shown.
    shown: Vec<u32>,
    /// The places of its removed slides.
    removed: Vec<u32>,
}

impl Record for Arrangement {}

impl Arrangement {
    /// Returns the index of the slide at a place, if its carousel was rearranged and shows it.
    pub fn slide(&self, place: u32) -> Option<u32> {
        let index = |set: &ArrangedSet| set.shown.iter().position(|p| *p == place);
        self.sets.iter().find_map(index).and_then(|index| u32::try_from(index).ok())
    }

    /// Returns whether the slide at a place was removed.
    pub fn is_removed(&self, place: u32) -> bool {
        self.removed().any(|removed| removed == place)
    }

    /// Returns the places of all removed slides.
    pub fn removed(&self) -> impl Iterator<Item = u32> {
        self.sets.iter().flat_map(|set| &set.removed).copied()
    }
}

impl Generation {
    /// Returns the requested carousels and visuals as ranges of places, each with its format and whether it is a
    /// carousel.
    fn created(&self) -> impl Iterator<Item = (Range<u32>, &str, bool)> {
        let mut next = 0;
        self.request.formats.iter().map(move |(format, slides)| {
            let start = next;
            next += slides.unwrap_or(1);
            (start..next, format.as_str(), slides.is_some())
        })
    }

    /// Returns whether the output at a place was added after the generation was created.
    pub(super) fn is_added(&self, place: u32) -> bool {
        self.created().all(|(run, ..)| !run.contains(&place))
    }
}

impl Snapshot {
    /// Returns the rearranged carousel that starts with the output at `first`.
    fn arranged(&self, first: u32) -> Option<&ArrangedSet> {
        self.arrangement.sets.iter().find(|set| set.first == first)
    }

    /// Returns the generation's carousels and visuals, each as the places of its outputs in the order shown.
    pub fn sets(&self) -> Vec<Vec<u32>> {
        let shown = |run: Range<u32>| match self.arranged(run.start) {
            Some(set) => set.shown.clone(),
            None => run.collect(),
        };
        self.generation.created().map(|(run, ..)| shown(run)).collect()
    }

    /// Returns the place of an output by its id, whether it is shown or removed.
    pub fn place(&self, output: Uuid) -> Option<u32> {
        (0..).zip(&self.outputs).find(|(_, o)| o.id == output).map(|(place, _)| place)
    }

    /// Returns the places of all shown outputs, in order.
    pub fn order(&self) -> Vec<u32> {
        self.sets().concat()
    }

    /// Returns the number of slides of each carousel, by the id of its format.
    pub fn counts(&self) -> BTreeMap<String, u32> {
        let carousels = self.generation.created().filter(|(.., is_carousel)| *is_carousel);
        let count = |run: Range<u32>| self.arranged(run.start).map_or(run.len(), |set| set.shown.len()) as u32;
        carousels.map(|(run, format, _)| (format.to_owned(), count(run))).collect()
    }

    /// Returns the index of the slide at a place in its carousel; `None` for a visual.
    pub fn slide(&self, place: u32, output: &Output) -> Option<u32> {
        output.slide.map(|created| self.arrangement.slide(place).unwrap_or(created))
    }

    /// Returns the current arrangement of the carousel that contains the output at `place`, whether that is shown or
    /// removed. `None` for a visual.
    fn carousel(&self, place: u32) -> Option<ArrangedSet> {
        self.outputs.get(place as usize)?.slide?;
        let has = |set: &&ArrangedSet| set.shown.contains(&place) || set.removed.contains(&place);
        if let Some(set) = self.arrangement.sets.iter().find(has) {
            return Some(set.clone());
        }
        let (run, ..) = self.generation.created().find(|(run, ..)| run.contains(&place))?;
        Some(ArrangedSet { first: run.start, shown: run.collect(), removed: Vec::new() })
    }

    /// Returns the slides of the carousel that contains the output at `place`: the places shown, in order, and the
    /// places removed. `None` for a visual.
    pub fn slides(&self, place: u32) -> Option<(Vec<u32>, Vec<u32>)> {
        self.carousel(place).map(|set| (set.shown, set.removed))
    }
}

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

/// Returns the arrangement of a generation.
pub(super) fn of(tx: &Tx<'_>, generation: Uuid) -> Result<Arrangement, Abort> {
    Ok(tx.get(&ARRANGEMENTS, generation.as_bytes())?.unwrap_or_default())
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
        arrangement: of(tx, generation.id)?,
        generation,
        warnings: Vec::new(),
        edits: Vec::new(),
    };
    let set = order.before.first().and_then(|first| snapshot.carousel(*first));
    let Some(set) = set.filter(|set| set.shown == order.before) else { return Ok(Err(Uneditable::Moved)) };
    for place in set.shown.iter().copied().chain(order.kept()) {
        if edits::under_way(tx, snapshot.generation.id, place)?.is_some() {
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
    course::moved(tx, generation.id)?;
    if let Some(key) = edit.key {
        keys::add_to_day(tx, key, now.day(), KeyDay { credits: order.cost(), ..KeyDay::default() })?;
    }
    let edit = edit.pages.first().map(|page| (id, page.place, page.of + 1));
    let snapshot = Snapshot { generation, outputs: Vec::new(), warnings: Vec::new(), edits: Vec::new(), arrangement };
    Ok(Arranged { edit, shown, cost: order.cost(), edit_cost: order.edit_cost(), snapshot })
}

impl Arrangement {
    fn put(&mut self, set: ArrangedSet) {
        self.sets.retain(|other| other.first != set.first);
        self.sets.push(set);
    }
}

/// Appends an output to a generation and enqueues the job that renders it. Returns its place.
fn extend(tx: &Tx<'_>, generation: &mut Generation, added: &AddedSlide, now: Millis) -> Result<u32, Abort> {
    let place = generation.total;
    let output = Output { page: Some(added.page), alt_text: clip(&added.alt_text, ALT_BYTES), ..added.output.record() };
    tx.put(&OUTPUTS, &placed(generation.id, place), &output)?;
    page_words::put(tx, generation.id, place, output.version, &added.words)?;
    places::put_one(tx, output.id, &OutputAt { account: generation.account, generation: generation.id, place })?;
    ledger::post(tx, &held(generation, &output), Movement::Hold, now)?;
    outbox::post(tx, output.id, &drawing(generation, place))?;
    generation.total += 1;
    generation.charged += output.cost;
    Ok(place)
}

#[cfg(test)]
#[path = "arrangement_tests.rs"]
mod tests;
