//! Rewrites a page as a whole in the page language.

use std::collections::BTreeSet;

use crate::compose::{self, Composed};
use crate::design::{Page, Part, SizeCaps, Slot, SlotId, Which};
use crate::elements::VOCABULARY;
use crate::inspect::{misses, proof_canvas, without_text};
use crate::markup;
use crate::raster::cpu::CpuRasteriser;
use crate::raster::{Pixmap, Rasteriser};
use crate::scene::Scene;
use crate::tree::Tree;

use super::super::Op;
use super::super::target::sizes;
use super::{ApplyError, Change, Work, no};

/// A note reports a text whose size is below this share of its old size.
const SMALLER: f32 = 0.88;
/// The most source lines to report as changed elements.
const TOLD: usize = 6;

impl Work<'_, '_> {
    /// Replaces the page by `text`: every element, including head and foot.
    pub(super) fn rewrite(&mut self, text: &str) -> Result<Op, ApplyError> {
        let new = compose::rewritten(text).or_else(|faults| no(compose::listed(&faults)))?;
        let now = compose::text(&self.page).or_else(no)?;
        let before = compose::rewritten(&now).or_else(|faults| no(compose::listed(&faults)))?;
        let op = Op::Page(new.text.clone());
        if new.text == before.text {
            return Ok(op);
        }
        let page = &mut self.page;
        page.authored = Some(new.text);
        page.whole = true;
        page.slots = new.slots;
        page.items = Vec::new();
        page.picture = None;
        if (new.background, new.ground) != (before.background, before.ground) {
            page.background = new.background;
            self.repaint();
        }
        self.hold_sizes(text);
        let composed = self.composed();
        let faults = self.faults(&composed);
        if faults.is_empty() { Ok(op) } else { no(faults.join("\n")) }
    }

    /// Caps the size of texts whose size range didn't change at their old size, so that they don't grow into the room
    /// that removed elements leave. The old size is the one before the whole edit, which may rewrite the page several
    /// times.
    fn hold_sizes(&mut self, after: &str) {
        let Ok(before) = compose::text(self.target.page) else { return };
        let trees = [before.as_str(), after].map(|text| markup::parse(text, &VOCABULARY).ok());
        let [Some(before), Some(after)] = trees else { return };
        let range = |tree: &Tree, slot: SlotId| tree.find(&slot.to_string())?.get("fit").map(str::to_owned);
        let scene = &self.target.scene;
        let size = |slot: SlotId| {
            let same = range(&before, slot).is_some() && range(&before, slot) == range(&after, slot);
            sizes(scene, Which::One(slot)).max_by(f32::total_cmp).filter(|_| same)
        };
        self.page.sizes =
            SizeCaps { title: size(SlotId::Title), body: size(SlotId::Body), item: size(SlotId::ItemHead(0)) };
    }

    /// Notes which of the texts with capped sizes became clearly smaller.
    pub(super) fn tell_smaller(&mut self, scene: &Scene) {
        let SizeCaps { title, body, item } = self.page.sizes;
        for (slot, was) in [(SlotId::Title, title), (SlotId::Body, body), (SlotId::ItemHead(0), item)] {
            let is = sizes(scene, Which::One(slot)).max_by(f32::total_cmp);
            let (Some(was), Some(is), Some(part)) = (was, is, Part::of(slot)) else { continue };
            if is < SMALLER * was {
                self.note(format!("Type is smaller to make room: {} at {is:.0} instead of {was:.0}.", part.name()));
            }
        }
    }

    /// Returns what is wrong with the page, one line per element.
    fn faults(&self, composed: &Composed) -> Vec<String> {
        if !composed.faults.is_empty() {
            return composed.faults.iter().map(ToString::to_string).collect();
        }
        let scene = &composed.scene;
        let mut pixels = Pixmap { width: 0, height: 0, data: Vec::new() };
        if CpuRasteriser::new().draw(&without_text(scene), proof_canvas(scene), self.fonts(), &mut pixels).is_err() {
            return Vec::new();
        }
        let missed = misses(scene, &self.page, &pixels);
        missed.into_iter().map(|miss| format!("{}: {}", miss.slot, miss.message)).collect()
    }
}

/// Returns the texts that a rewritten page changes. If no text differs, returns the changed elements.
pub(super) fn changes(before: &Page, page: &Page) -> Vec<Change> {
    // A page that was not a whole page before has no slots for its head and foot.
    let whole = compose::text(before).ok().and_then(|text| compose::rewritten(&text).ok());
    let before_slots = whole.map_or_else(|| before.slots.clone(), |whole| whole.slots);
    let text = |slots: &[Slot], id| slots.iter().find(|slot| slot.id == id).map_or("", |slot| &slot.text).to_owned();
    let slots = before_slots.iter().chain(&page.slots).map(|slot| slot.id);
    let mut seen = Vec::new();
    let mut out: Vec<Change> = Vec::new();
    for slot in slots {
        let (from, to) = (text(&before_slots, slot), text(&page.slots, slot));
        if !seen.contains(&slot) && from != to {
            out.push(Change { what: Which::One(slot).to_string(), from, to });
        }
        seen.push(slot);
    }
    let lines = |page: &Page| compose::text(page).unwrap_or_default();
    let (old, new) = (lines(before), lines(page));
    let only = |all: &str, other: &str| {
        let known: BTreeSet<&str> = other.lines().map(str::trim).collect();
        let own = all.lines().map(str::trim).filter(|line| line.starts_with('<') && !line.starts_with("</"));
        let own: Vec<&str> = own.filter(|line| !known.contains(line)).take(TOLD).collect();
        own.join(" ")
    };
    let (from, to) = (only(&old, &new), only(&new, &old));
    if out.is_empty() && from != to {
        out.push(Change { what: "page".to_owned(), from, to });
    }
    out
}

#[cfg(test)]
#[path = "rewritten_tests.rs"]
mod tests;
