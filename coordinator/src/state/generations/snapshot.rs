//! Reading generations: one, or a list.

use std::collections::BTreeMap;
use std::ops::Range;

use render_core::warning::Warning;
use uuid::Uuid;

use crate::state::error::StateError;
use crate::state::rows::arrangement::{ArrangedSet, Arrangement};
use crate::state::rows::generations::Generation;
use crate::state::rows::keyspace::{self, pair};
use crate::state::rows::outputs::{Edit, End, Output};
use crate::state::rows::schema::{ARRANGEMENTS, EDITS, GENERATIONS, OUTPUTS, WARNINGS};
use crate::state::search::filter::Filter;
use crate::state::store::{Shared, Store};

/// Maximum number of warnings per source (the request, the plan, an output).
pub(in crate::state) const WARNINGS_EACH: usize = fleet::protocol::WARNINGS;
/// Place of the first warning of the plan among a generation's warnings. The request's warnings come before.
pub(in crate::state) const PLAN_WARNINGS: u32 = 1_000;
/// Place of the first warning of the outputs, with [`WARNINGS_EACH`] places per output.
pub(in crate::state) const OUTPUT_WARNINGS: u32 = 2_000;

/// A warning of a generation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GenerationWarning {
    /// The warning.
    pub warning: Warning,
    /// The place of the output that it concerns, if it concerns one.
    pub output: Option<u32>,
}

/// Returns the warnings in a generation's rows, without duplicates.
pub(in crate::state) fn told<'a>(rows: impl IntoIterator<Item = &'a (sled::IVec, Warning)>) -> Vec<GenerationWarning> {
    let mut all: Vec<GenerationWarning> = Vec::new();
    for (key, warning) in rows {
        let output = keyspace::place(key).and_then(|place| place.checked_sub(OUTPUT_WARNINGS));
        let told =
            GenerationWarning { warning: warning.clone(), output: output.map(|place| place / WARNINGS_EACH as u32) };
        if !all.contains(&told) {
            all.push(told);
        }
    }
    all
}

/// A consistent view of a generation.
#[derive(Debug, Clone, PartialEq)]
pub struct Snapshot {
    /// The generation.
    pub generation: Generation,
    /// Its outputs in order; empty until a terminal status.
    pub outputs: Vec<Output>,
    /// Its warnings: those of the request, the plan and the outputs.
    pub warnings: Vec<GenerationWarning>,
    /// Edits of its outputs that are in progress or failed last, by the outputs' places.
    pub edits: Vec<(u32, Edit)>,
    /// The arrangement of its carousels.
    pub arrangement: Arrangement,
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
    pub(in crate::state) fn carousel(&self, place: u32) -> Option<ArrangedSet> {
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

    /// Returns the images that a bundle of this generation contains: its ready outputs, of one format or all, with
    /// their places, in the order shown. Empty until the generation has ended, and once its images were deleted.
    pub fn exported(&self, format: Option<&str>) -> Vec<(u32, &Output)> {
        if !self.generation.may_have_images() {
            return Vec::new();
        }
        let order = self.order().into_iter();
        let all = order.filter_map(|place| Some((place, self.outputs.get(place as usize)?)));
        let asked = all.filter(|(_, output)| format.is_none_or(|format| output.format == format));
        asked.filter(|(_, output)| matches!(output.end, Some(End::Ready(_)))).collect()
    }
}

impl Store {
    /// Returns an account's generation. Generations of other accounts are not found.
    ///
    /// # Errors
    /// [`StateError`].
    pub fn generation(&self, account: Uuid, id: Uuid) -> Result<Option<Snapshot>, StateError> {
        let found = self.shared.tables.get(&GENERATIONS, &pair(account, id))?;
        let snapshot = found.map(|g| self.snapshot(g)).transpose()?.flatten();
        self.settle()?;
        Ok(snapshot)
    }

    /// Returns up to `limit` of an account's generations that match `filter`, the newest first, only those older than
    /// `after`. Also returns whether there are more.
    ///
    /// # Errors
    /// [`StateError`].
    pub fn generations(
        &self,
        account: Uuid,
        filter: &Filter,
        after: Option<Uuid>,
        limit: usize,
    ) -> Result<(Vec<Snapshot>, bool), StateError> {
        let Shared { tables, index, .. } = &*self.shared;
        let (mut found, mut after) = (Vec::new(), after);
        loop {
            let wanted = limit + 1 - found.len();
            let ids = index.find(account, filter, after, wanted);
            for id in &ids {
                // It may have changed or gone since the index was asked.
                let Some(generation) = tables.get(&GENERATIONS, &pair(account, *id))? else { continue };
                if !filter.holds(&generation, tables)? {
                    continue;
                }
                if found.len() == limit {
                    self.settle()?;
                    return Ok((found, true));
                }
                found.extend(self.snapshot(generation)?);
            }
            if ids.len() < wanted {
                self.settle()?;
                return Ok((found, false));
            }
            after = ids.last().copied();
        }
    }

    /// Reads the rest of a generation whose row was read before. If its status is terminal, all its outputs exist,
    /// unless it was deleted since.
    fn snapshot(&self, generation: Generation) -> Result<Option<Snapshot>, StateError> {
        let outputs = if generation.status.is_terminal() { self.outputs(generation.id)? } else { Vec::new() };
        if generation.status.is_terminal() && outputs.len() < generation.total as usize {
            return Ok(None);
        }
        let warnings = self.warnings(generation.id)?;
        let edits = if outputs.is_empty() { Vec::new() } else { self.edits(generation.id)? };
        let arrangement = self.shared.tables.get(&ARRANGEMENTS, generation.id.as_bytes())?.unwrap_or_default();
        Ok(Some(Snapshot { generation, outputs, warnings, edits, arrangement }))
    }

    /// Returns the edits of a generation's outputs, by their places.
    fn edits(&self, generation: Uuid) -> Result<Vec<(u32, Edit)>, StateError> {
        let rows = self.shared.tables.scan(&EDITS, generation.as_bytes());
        rows.map(|row| row.map(|(key, edit)| (keyspace::place(&key).unwrap_or(u32::MAX), edit))).collect()
    }

    pub(in crate::state) fn outputs(&self, generation: Uuid) -> Result<Vec<Output>, StateError> {
        self.shared.tables.scan(&OUTPUTS, generation.as_bytes()).map(|row| Ok(row?.1)).collect()
    }

    /// Returns the warnings of a generation, without duplicates.
    pub(in crate::state) fn warnings(&self, generation: Uuid) -> Result<Vec<GenerationWarning>, StateError> {
        let rows = self.shared.tables.scan(&WARNINGS, generation.as_bytes()).collect::<Result<Vec<_>, _>>()?;
        Ok(told(&rows))
    }
}

impl Snapshot {
    /// Returns whether slides were added, removed or moved since the generation was created.
    pub fn is_rearranged(&self) -> bool {
        self.order() != (0..self.generation.total).collect::<Vec<_>>()
    }
}
