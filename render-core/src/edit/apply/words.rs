//! Changes a page's content: words of slots, items, emphasis.

use std::ops::Range;

use crate::compose::rearranged;
use crate::content::number;
use crate::design::{ItemData, Page, Part, Slot, SlotId, Which};
use crate::icon::Icon;
use crate::limits;
use crate::outline::{PageKind, ratio};
use crate::text::polish;

use super::super::reshape::escaped;
use super::super::{ItemWords, Op, phrase};
use super::{ApplyError, Work, no};

/// The most characters of a slot. No slot has room for as many.
const LONGEST: usize = 600;
/// The most characters of an alternative text.
const ALT: usize = 400;

impl Work<'_, '_> {
    /// Sets the words of a slot.
    pub(super) fn words(&mut self, slot: SlotId, to: &str) -> Result<Op, ApplyError> {
        let name = Which::One(slot);
        let to = self.polished(to);
        if to.chars().count() > LONGEST {
            return no(format!("The {name} can have at most {LONGEST} characters."));
        }
        let said = self.page.text(slot).map(str::to_owned);
        if to.is_empty() {
            return self.taken_off(slot, said.is_some());
        }
        if let SlotId::Cell(..) | SlotId::Value = slot {
            self.count(slot, said.as_deref(), &to)?;
        }
        match self.page.slots.iter_mut().find(|s| s.id == slot) {
            Some(found) if found.text != to => {
                let kept = found.emphasis.iter().filter_map(|r| found.text.get(r.start as usize..r.end as usize));
                found.emphasis = kept.filter_map(|words| place_of(&to, words)).collect();
                found.emphasis.sort_by_key(|r| r.start);
                // The new words don't come from the source document.
                found.span = None;
                found.text.clone_from(&to);
            }
            Some(_) => {}
            None => return self.insert(slot, to),
        }
        Ok(Op::Words { slot, to })
    }

    fn polished(&self, to: &str) -> String {
        let gap = |c: char| c.is_whitespace() && c != '\u{a0}';
        let words = |line: &str| line.split(gap).filter(|word| !word.is_empty()).collect::<Vec<_>>().join(" ");
        let lines = to.lines().map(words);
        let text = lines.filter(|l| !l.is_empty()).collect::<Vec<_>>().join("\n");
        polish(&text, &self.page.locale.language)
    }

    /// Adds a text that the page doesn't have. If its layout has no place for it, the page gets an element for it.
    fn insert(&mut self, slot: SlotId, text: String) -> Result<Op, ApplyError> {
        let items = self.page.item_count();
        let has = |n: u8| usize::from(n) < items;
        let possible = match slot {
            SlotId::Body
            | SlotId::Note
            | SlotId::Kicker
            | SlotId::Cta
            | SlotId::Attribution
            | SlotId::Handle
            | SlotId::Title => true,
            SlotId::Brand => true,
            SlotId::ItemBody(n) | SlotId::ItemLabel(n) => has(n),
            SlotId::Unit => self.page.text(SlotId::Value).is_some(),
            SlotId::Number => items > 0 && text.parse::<u32>().is_ok(),
            _ => false,
        };
        if !possible {
            return no(format!("This page has no {}.", Which::One(slot)));
        }
        let at = self.page.slots.iter().position(|s| rank(s.id) > rank(slot)).unwrap_or(self.page.slots.len());
        self.page.slots.insert(at, Slot { id: slot, text: text.clone(), span: None, emphasis: Vec::new() });
        // A list shows its first number at its first point.
        let name = if slot == SlotId::Number { "item.0.number".to_owned() } else { slot.to_string() };
        let shown = self.composed().scene.blocks.iter().any(|b| b.slot == name || b.slot == slot.to_string());
        if shown {
            return Ok(Op::Words { slot, to: text });
        }
        self.page.slots.retain(|s| s.id != slot);
        let name = match slot {
            SlotId::Handle | SlotId::Note | SlotId::Attribution => "caption",
            SlotId::Cta => "button",
            SlotId::Body => "lead",
            _ => return no(format!("This layout has no place for a {}.", Which::One(slot))),
        };
        self.put_last(format!("<{name} id=\"{slot}\">{}</{name}>", escaped(&text)))
    }

    fn taken_off(&mut self, slot: SlotId, was_there: bool) -> Result<Op, ApplyError> {
        if let SlotId::ItemHead(n) = slot {
            let items = heads(&self.page);
            if usize::from(n) >= items.len() {
                return no(format!("This page has no {}.", Which::One(slot)));
            }
            let rest = items.into_iter().enumerate().filter(|(i, _)| *i != usize::from(n));
            let rest: Vec<ItemWords> = rest.map(|(_, head)| ItemWords { head, body: None }).collect();
            return self.items(&rest);
        }
        let needed = match slot {
            SlotId::Title => !self.page.template.kinds().iter().any(|k| carries_without_title(*k)),
            SlotId::Value | SlotId::Cell(..) | SlotId::Group(_) => true,
            SlotId::Body => {
                let kinds = self.page.template.kinds();
                kinds.iter().all(|k| matches!(k, PageKind::Definition | PageKind::Question))
            }
            _ => false,
        };
        if needed && was_there {
            return no(format!("The {} is what this page is about; it can be changed, not removed.", Which::One(slot)));
        }
        self.page.slots.retain(|s| s.id != slot);
        Ok(Op::Words { slot, to: String::new() })
    }

    /// Updates the value of a figure that is drawn to scale, so that the drawing matches the text.
    fn count(&mut self, slot: SlotId, said: Option<&str>, to: &str) -> Result<(), ApplyError> {
        let value = |text: &str| number::all(text).first().and_then(|n| n.values.first().copied());
        match slot {
            SlotId::Cell(item, cell) => {
                let data = self.page.items.get_mut(usize::from(item));
                let Some(drawn) = data.and_then(|d| d.numbers.get_mut(usize::from(cell))) else { return Ok(()) };
                let Some(number) = value(to).filter(|n| n.is_finite()) else {
                    return no(format!("The {} is drawn to scale: it needs a number.", Which::One(slot)));
                };
                // "18.4 thousand" may be drawn as 18.4 or as 18 400: keep the scale of the old value.
                let scale = match (said.and_then(value), *drawn) {
                    (Some(before), drawn) if before != 0.0 && drawn != 0.0 => drawn / before,
                    _ => 1.0,
                };
                *drawn = number * scale;
                Ok(())
            }
            _ => {
                let Some(art) = self.page.art.as_mut().filter(|a| a.value.is_some()) else { return Ok(()) };
                if !self.page.template.draws_share() {
                    return Ok(());
                }
                let share = match ratio(to) {
                    Some((part, of)) => Some(f64::from(part) / f64::from(of.max(1))),
                    None => value(to).map(|v| v / 100.0),
                };
                match share.filter(|s| (0.0..=1.0).contains(s)) {
                    Some(share) => art.value = Some(share as f32),
                    None => return no("The figure is drawn as a share: it needs a number from 0 to 100 per cent."),
                }
                Ok(())
            }
        }
    }

    /// Replaces `from` wherever the page contains it.
    pub(super) fn replace(&mut self, from: &str, to: &str) -> Result<Op, ApplyError> {
        let says: Vec<(SlotId, String)> = self
            .page
            .slots
            .iter()
            .filter_map(|s| phrase::replaced(&s.text, from, to, false).map(|text| (s.id, text)))
            .collect();
        for (slot, text) in says {
            self.words(slot, &text)?;
        }
        Ok(Op::Replace { from: from.to_owned(), to: to.to_owned() })
    }

    /// Sets the items, in this order.
    pub(super) fn items(&mut self, wanted: &[ItemWords]) -> Result<Op, ApplyError> {
        let page = &self.page;
        let had = heads(page);
        if had.is_empty() {
            return no("This page has no points.");
        }
        let charted = page.items.iter().any(|i| !i.numbers.is_empty());
        let most = if charted { limits::CHART_ROWS } else { limits::PAGE_ITEMS };
        let least = usize::from(!page.template.kinds().iter().any(|k| carries_without_items(*k)));
        if wanted.len() < least || wanted.len() > most {
            return no(format!("This layout takes {least} to {most} points."));
        }
        let mut free: Vec<Option<u8>> = (0..had.len()).map(|n| u8::try_from(n).ok()).collect();
        let (mut slots, mut data, mut done) = (Vec::new(), Vec::new(), Vec::new());
        // The old index of each item.
        let mut from = Vec::new();
        for (n, item) in wanted.iter().enumerate() {
            let n = n as u8;
            let head = self.polished(&item.head);
            let body = item.body.as_ref().map(|b| self.polished(b));
            let found = had.iter().zip(&mut free).find(|(h, free)| **h == head && free.is_some());
            let old = found.and_then(|(_, free)| free.take());
            from.push(old);
            match old {
                Some(old) => {
                    slots.extend(self.page.slots.iter().filter_map(|s| {
                        let id = renumbered(s.id, old, n)?;
                        let is_new = matches!(id, SlotId::ItemBody(_)) && body.is_some();
                        (!is_new).then(|| Slot { id, ..s.clone() })
                    }));
                    data.push(self.page.items.get(usize::from(old)).cloned().unwrap_or_default());
                }
                None if charted => return no(format!("“{head}” would be a row of a chart without a figure.")),
                None if head.is_empty() => return no("A point needs words."),
                None => {
                    slots.push(Slot { id: SlotId::ItemHead(n), text: head.clone(), span: None, emphasis: Vec::new() });
                    let icon = self.page.items.iter().any(|i| i.icon.is_some());
                    let icon = Icon::by_meaning(&head, &self.page.locale.language).filter(|_| icon);
                    data.push(ItemData { icon, ..ItemData::default() });
                }
            }
            if let Some(body) = body.clone().filter(|b| !b.is_empty()) {
                slots.push(Slot { id: SlotId::ItemBody(n), text: body, span: None, emphasis: Vec::new() });
            }
            done.push(ItemWords { head, body });
        }
        if let Some(own) = &self.page.authored
            && (from.len() != had.len() || from.iter().enumerate().any(|(n, old)| *old != u8::try_from(n).ok()))
        {
            let Some(text) = rearranged(own, &from) else {
                return no(
                    "This page has a fixed number and order of points. Ask for another layout first, then change them.",
                );
            };
            self.page.authored = Some(text);
        }
        self.follow(&from);
        let plain = data.iter().all(|d| *d == ItemData::default());
        let at = self.page.slots.iter().position(|s| is_item(s.id)).unwrap_or(self.page.slots.len());
        self.page.slots.retain(|s| !is_item(s.id));
        let at = at.min(self.page.slots.len());
        self.page.slots.splice(at..at, slots);
        self.page.items = if plain { Vec::new() } else { data };
        Ok(Op::Items(done))
    }

    /// Moves adjustments of an item along with it. `from` has the old index of each item.
    fn follow(&mut self, from: &[Option<u8>]) {
        let place = |old: u8| from.iter().position(|f| *f == Some(old)).map(|n| n as u8);
        let moved = |which: Which| match which {
            Which::One(slot) if is_item(slot) => {
                let old = item_of(slot)?;
                place(old).and_then(|new| renumbered(slot, old, new)).map(Which::One)
            }
            other => Some(other),
        };
        let adjust = &mut self.page.adjust;
        adjust.scales = adjust.scales.iter().filter_map(|(w, by)| Some((moved(*w)?, *by))).collect();
        adjust.inks = adjust.inks.iter().filter_map(|(w, ink)| Some((moved(*w)?, *ink))).collect();
        // In charts the highlight is a line, which is not an item.
        if !self.page.template.highlights_groups() {
            adjust.highlight = adjust.highlight.and_then(place);
        }
    }

    /// Emphasises these words of a slot and removes all other emphasis.
    pub(super) fn stress(&mut self, slot: SlotId, words: &[String]) -> Result<Op, ApplyError> {
        let Some(found) = self.page.slots.iter_mut().find(|s| s.id == slot) else {
            return no(format!("This page has no {}.", Which::One(slot)));
        };
        if !matches!(Part::of(slot), Some(Part::Headline | Part::Supporting | Part::Points | Part::Details)) {
            return no(format!("Words of the {} can't be emphasised.", Which::One(slot)));
        }
        let mut ranges: Vec<Range<u32>> = Vec::new();
        for phrase in words {
            let Some(range) = place_of(&found.text, phrase) else {
                return no(format!("The {} doesn't say “{phrase}”.", Which::One(slot)));
            };
            if ranges.iter().all(|r| range.end <= r.start || r.end <= range.start) {
                ranges.push(range);
            }
        }
        ranges.sort_by_key(|r| r.start);
        found.emphasis = ranges;
        Ok(Op::Stress { slot, words: words.to_vec() })
    }
}

/// Returns the heads of a page's items, in order.
pub(super) fn heads(page: &Page) -> Vec<String> {
    (0..page.item_count()).map(|n| page.text(SlotId::ItemHead(n as u8)).unwrap_or_default().to_owned()).collect()
}

/// Returns the first occurrence of `words` in `text`.
fn place_of(text: &str, words: &str) -> Option<Range<u32>> {
    phrase::found(text, words.trim()).first().map(|r| r.start as u32..r.end as u32)
}

fn is_item(slot: SlotId) -> bool {
    matches!(slot, SlotId::ItemHead(_) | SlotId::ItemBody(_) | SlotId::ItemLabel(_) | SlotId::Cell(..))
}

/// Returns the item that a slot belongs to.
fn item_of(slot: SlotId) -> Option<u8> {
    match slot {
        SlotId::ItemHead(n) | SlotId::ItemBody(n) | SlotId::ItemLabel(n) | SlotId::Cell(n, _) => Some(n),
        _ => None,
    }
}

/// Returns the slot of item `new` that corresponds to a slot of item `old`.
fn renumbered(slot: SlotId, old: u8, new: u8) -> Option<SlotId> {
    match slot {
        SlotId::ItemHead(n) if n == old => Some(SlotId::ItemHead(new)),
        SlotId::ItemBody(n) if n == old => Some(SlotId::ItemBody(new)),
        SlotId::ItemLabel(n) if n == old => Some(SlotId::ItemLabel(new)),
        SlotId::Cell(n, cell) if n == old => Some(SlotId::Cell(new, cell)),
        _ => None,
    }
}

/// Returns the rank of a slot in reading order.
fn rank(slot: SlotId) -> (u8, u8, u8) {
    match slot {
        SlotId::Brand => (0, 0, 0),
        SlotId::Kicker => (1, 0, 0),
        SlotId::Number => (2, 0, 0),
        SlotId::Value => (3, 0, 0),
        SlotId::Unit => (4, 0, 0),
        SlotId::Title => (5, 0, 0),
        SlotId::Body => (6, 0, 0),
        SlotId::Group(n) => (7, n, 0),
        SlotId::ItemLabel(n) => (8, n, 0),
        SlotId::ItemHead(n) => (8, n, 1),
        SlotId::Cell(n, c) => (8, n, c.saturating_add(2)),
        SlotId::ItemBody(n) => (8, n, u8::MAX),
        SlotId::Attribution => (9, 0, 0),
        SlotId::Note => (10, 0, 0),
        SlotId::Cta => (11, 0, 0),
        SlotId::Handle | SlotId::Counter | SlotId::Axis => (12, 0, 0),
    }
}

/// Returns whether a page of this kind is meaningful without a headline.
fn carries_without_title(kind: PageKind) -> bool {
    !matches!(
        kind,
        PageKind::Cover
            | PageKind::Quote
            | PageKind::Point
            | PageKind::Step
            | PageKind::Definition
            | PageKind::Question
    )
}

/// Returns whether a page of this kind is meaningful without items.
fn carries_without_items(kind: PageKind) -> bool {
    matches!(kind, PageKind::Announcement | PageKind::Event | PageKind::Offer | PageKind::Recap)
}

/// Returns the alternative text of a page after its words changed.
pub(in super::super) fn alt_text(page: &Page) -> String {
    let mut out = String::new();
    let mut value = String::new();
    for slot in &page.slots {
        let text = slot.text.replace('\n', " ");
        match slot.id {
            SlotId::Brand | SlotId::Handle | SlotId::Kicker | SlotId::Counter | SlotId::Axis => continue,
            SlotId::Value => {
                value = text;
                continue;
            }
            SlotId::Unit => {
                let glue = if text.starts_with(char::is_alphabetic) { " " } else { "" };
                value = format!("{value}{glue}{text}");
                continue;
            }
            _ => {}
        }
        let text = if value.is_empty() { text } else { format!("{}: {text}", std::mem::take(&mut value)) };
        let stop = if text.ends_with(['.', '!', '?', '…', '”', ':']) { "" } else { "." };
        if out.chars().count() + text.chars().count() + 2 > ALT {
            break;
        }
        out = format!("{out}{}{text}{stop}", if out.is_empty() { "" } else { " " });
    }
    if !value.is_empty() {
        out = format!("{value}. {out}").trim_end().to_owned();
    }
    if out.is_empty() { page.alt_text.clone() } else { out }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_found_whole_and_in_any_case() {
        assert_eq!(place_of("The cat sat", "CAT"), Some(4..7));
        assert_eq!(place_of("Concatenate the cat", "cat"), Some(16..19));
        assert_eq!(place_of("A\u{a0}cat", "a cat"), Some(0..6));
        assert_eq!(place_of("Category", "cat"), None);
        assert_eq!(place_of("100 % more", "100 %"), Some(0..5));
        assert_eq!(place_of("", "cat"), None);
        assert_eq!(place_of("cat", " "), None);
    }

    #[test]
    fn every_mention_is_replaced_once() {
        let replaced = |text, from, to| phrase::replaced(text, from, to, false);
        assert_eq!(replaced("Cats and cats", "cats", "dogs").as_deref(), Some("Dogs and dogs"));
        assert_eq!(replaced("Cats", "dogs", "x"), None);
        assert_eq!(replaced("cat and cat", "cat", "cat food").as_deref(), Some("cat food and cat food"));
        assert_eq!(replaced("cat food and cat food", "cat", "cat food"), None);
        assert_eq!(replaced("水を飲む", "水", "お茶").as_deref(), Some("お茶を飲む"));
    }
}
