//! The slides of carousels in the order that a client gave them, and changing that order.
//!
//! Outputs keep their places: versions, jobs and the ledger refer to them. A row per generation says which places its
//! carousels show, and in which order. A slide that is removed keeps its output, so that it can be put back. A slide that is
//! added is a new output behind all others: the generation is reopened for it, as a retry reopens one.

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
use super::{ARRANGEMENTS, GENERATIONS, OUTPUTS, StateError, Store, clip, course, ledger, outbox};
use crate::clock::Millis;
use crate::credits::Movement;

/// How the carousels of a generation are arranged, by its id. Without a row they are as they were created.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Arrangement {
    sets: Vec<ArrangedSet>,
}

/// A carousel whose slides were rearranged.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
struct ArrangedSet {
    /// The place of its first output at creation, which names the carousel.
    first: u32,
    /// The places of its slides, in the order shown.
    shown: Vec<u32>,
    /// The places of its removed slides.
    removed: Vec<u32>,
}

impl Record for Arrangement {}

impl Arrangement {
    /// Index of the slide at a place, where its carousel was rearranged and shows it.
    pub fn slide(&self, place: u32) -> Option<u32> {
        let index = |set: &ArrangedSet| set.shown.iter().position(|p| *p == place);
        self.sets.iter().find_map(index).and_then(|index| u32::try_from(index).ok())
    }

    /// Whether the slide at a place was removed.
    pub fn is_removed(&self, place: u32) -> bool {
        self.removed().any(|removed| removed == place)
    }

    /// The places of all removed slides.
    pub fn removed(&self) -> impl Iterator<Item = u32> {
        self.sets.iter().flat_map(|set| &set.removed).copied()
    }
}

impl Snapshot {
    /// The carousels and visuals as they were created, as runs of places.
    fn created(&self) -> impl Iterator<Item = Range<u32>> {
        let mut next = 0;
        self.generation.request.formats.iter().map(move |(_, slides)| {
            let start = next;
            next += slides.unwrap_or(1);
            start..next
        })
    }

    /// The carousels and visuals of the generation, each as the places of its outputs in the order shown.
    pub fn sets(&self) -> Vec<Vec<u32>> {
        let arranged = |run: Range<u32>| {
            let set = self.arrangement.sets.iter().find(|set| set.first == run.start);
            set.map_or_else(|| run.collect(), |set| set.shown.clone())
        };
        self.created().map(arranged).collect()
    }

    /// The place of an output by its id, whether it is shown or removed.
    pub fn place(&self, output: Uuid) -> Option<u32> {
        (0..).zip(&self.outputs).find(|(_, o)| o.id == output).map(|(place, _)| place)
    }

    /// The places of all outputs that are shown, in order.
    pub fn order(&self) -> Vec<u32> {
        self.sets().concat()
    }

    /// How many slides each carousel has, by the id of its format.
    pub fn counts(&self) -> BTreeMap<String, u32> {
        let mut place = 0;
        let count = |(format, slides): &(String, Option<u32>)| {
            let first = place;
            place += slides.unwrap_or(1);
            let arranged = self.arrangement.sets.iter().find(|set| set.first == first);
            Some((format.clone(), arranged.map_or((*slides)?, |set| set.shown.len() as u32)))
        };
        self.generation.request.formats.iter().filter_map(count).collect()
    }

    /// Index of the slide at a place in its carousel; `None` for a visual.
    pub fn slide(&self, place: u32, output: &Output) -> Option<u32> {
        output.slide.map(|created| self.arrangement.slide(place).unwrap_or(created))
    }

    /// Place of the first output at creation, of the carousel that shows or removed the output at `place`.
    fn carousel(&self, place: u32) -> Option<u32> {
        let arranged = self.arrangement.sets.iter();
        let mut arranged = arranged.filter(|set| set.shown.contains(&place) || set.removed.contains(&place));
        let created = || self.created().find(|run| run.contains(&place)).map(|run| run.start);
        self.outputs.get(place as usize)?.slide?;
        arranged.next().map(|set| set.first).or_else(created)
    }

    /// The carousel that the output at `place` belongs to, whether it is shown or removed: the places shown, in order, and
    /// those removed. `None` for a visual.
    pub fn slides(&self, place: u32) -> Option<(Vec<u32>, Vec<u32>)> {
        let first = self.carousel(place)?;
        let arranged = self.arrangement.sets.iter().find(|set| set.first == first);
        let created = || self.sets().into_iter().find(|set| set.first() == Some(&first)).unwrap_or_default();
        Some(arranged.map_or_else(|| (created(), Vec::new()), |set| (set.shown.clone(), set.removed.clone())))
    }
}

/// A new order of the slides of a carousel.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ArrangeOrder {
    /// The slides that are there already and change with it, at no cost: their page numbers do. May be none.
    pub renumbered: EditOrder,
    /// The places that the carousel showed when the order was worked out, in order.
    pub before: Vec<u32>,
    /// What it is to show, in order; at least one.
    pub slides: Vec<ArrangedSlide>,
}

/// A slide of a new order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ArrangedSlide {
    /// The output at this place, shown or removed until now.
    Kept(u32),
    /// A new output.
    Added(AddedSlide),
}

/// A slide that is added.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AddedSlide {
    /// What is rendered.
    pub output: PlannedOutput,
    /// The stored page.
    pub page: BlobId,
    /// Bytes of it.
    pub bytes: u64,
    /// A description for people who can't see it.
    pub alt_text: String,
}

/// What came of an order.
#[derive(Debug, Clone, PartialEq)]
pub struct Arranged {
    /// The edit that renumbers slides, with the place and the version of one of them.
    pub edit: Option<(Uuid, u32, u32)>,
    /// The places that the carousel shows now, in order.
    pub shown: Vec<u32>,
    /// Credits held for copies.
    pub cost: u64,
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

    /// Credits that it costs.
    fn cost(&self) -> u64 {
        self.added().map(|added| added.output.cost).sum()
    }
}

/// The arrangement of a generation.
pub(super) fn of(tx: &Tx<'_>, generation: Uuid) -> Result<Arrangement, Abort> {
    Ok(tx.get(&ARRANGEMENTS, generation.as_bytes())?.unwrap_or_default())
}

impl Store {
    /// Rearranges the slides of a carousel: the new order holds at once, slides whose page numbers change are edited at no
    /// cost, and added slides are rendered in the reopened generation, their credits held. At most `room` outputs are
    /// taken on.
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
        let edit = &order.renumbered;
        let (added, drawn) = (order.added().count(), order.added().count() + edit.pages.len());
        let arrange = |tx: &Tx<'_>| {
            let (mut generation, outputs) = match edits::check(tx, edit)? {
                Ok(found) => found,
                Err(why) => return Ok(Err(why)),
            };
            // A cancelled generation has outputs that never end, so that it can't be ended again.
            let extended = generation.status.extended();
            if added > 0 && extended.is_err() {
                return Ok(Err(Uneditable::NotReady));
            }
            let mut snapshot = Snapshot {
                outputs: read_outputs(tx, &generation)?,
                arrangement: of(tx, generation.id)?,
                generation: generation.clone(),
                warnings: Vec::new(),
                edits: Vec::new(),
            };
            let known =
                order.before.first().and_then(|first| Some((snapshot.carousel(*first)?, snapshot.slides(*first)?)));
            let Some((first, (shown, removed))) = known.filter(|(_, (shown, _))| *shown == order.before) else {
                return Ok(Err(Uneditable::Moved));
            };
            for place in shown.iter().copied().chain(order.kept()) {
                if edits::under_way(tx, generation.id, place)?.is_some() {
                    return Ok(Err(Uneditable::InProgress));
                }
            }
            if drawn as u64 > room {
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
            let id = Uuid::now_v7();
            edits::open(tx, &generation, &outputs, edit, id, now)?;
            let mut now_shown = Vec::with_capacity(order.slides.len());
            for slide in &order.slides {
                now_shown.push(match slide {
                    ArrangedSlide::Kept(place) => *place,
                    ArrangedSlide::Added(added) => extend(tx, &mut generation, added, now)?,
                });
            }
            let gone = shown.iter().chain(&removed).filter(|place| !now_shown.contains(place)).copied().collect();
            snapshot.arrangement.put(ArrangedSet { first, shown: now_shown.clone(), removed: gone });
            tx.put(&ARRANGEMENTS, generation.id.as_bytes(), &snapshot.arrangement)?;
            if added > 0 {
                generation.status = extended?;
                generation.completed = None;
                tx.put(&GENERATIONS, &pair(edit.account, generation.id), &generation)?;
            }
            course::moved(tx, generation.id)?;
            if let Some(key) = edit.key {
                keys::add_to_day(tx, key, now.day(), KeyDay { credits: order.cost(), ..KeyDay::default() })?;
            }
            let edit = edit.pages.first().map(|page| (id, page.place, page.of + 1));
            let (outputs, edits) = (Vec::new(), Vec::new());
            let snapshot = Snapshot { generation, outputs, edits, ..snapshot };
            Ok(Ok(Arranged { edit, shown: now_shown, cost: order.cost(), snapshot }))
        };
        let account = edit.account;
        self.commit_and(
            |tx: &Tx<'_>| once(tx, account, keyed, now, || arrange(tx)),
            |arranged| {
                if matches!(arranged, Once::Made(_)) {
                    self.add_backlog(drawn as i64);
                    self.ring();
                    self.tell(edit.generation);
                }
            },
        )
    }
}

impl Arrangement {
    fn put(&mut self, set: ArrangedSet) {
        self.sets.retain(|other| other.first != set.first);
        self.sets.push(set);
    }
}

/// Adds an output behind those of a generation, and posts the job that renders it. Returns its place.
fn extend(tx: &Tx<'_>, generation: &mut Generation, added: &AddedSlide, now: Millis) -> Result<u32, Abort> {
    let place = generation.total;
    let output = Output {
        page: Some(added.page),
        alt_text: clip(&added.alt_text, ALT_BYTES),
        // The first slide of a run of its own: the arrangement says where it stands.
        slide: Some(0),
        ..added.output.record()
    };
    tx.put(&OUTPUTS, &placed(generation.id, place), &output)?;
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
