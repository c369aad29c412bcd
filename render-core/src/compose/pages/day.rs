//! A date set large: its day as a figure, the weekday and the month beside it.

use std::ops::Range;

use super::super::setter::{Set, Setter, Spec};
use crate::design::{SlotId, Voice};
use crate::scene::TextLevel;

/// Of the figure's height: the words beside it, and the room between.
const BESIDE: (f32, f32) = (0.27, 0.18);

/// A date that has its size, but no place yet.
pub(super) struct Day<'a> {
    day: Set<'a>,
    before: Option<Set<'a>>,
    after: Option<Set<'a>>,
    /// From the left edge to the farthest ink.
    pub width: f32,
    /// From the figure's cap line to its baseline.
    pub height: f32,
}

/// The first item that is a date with a day that can stand alone, and where it stands in the item's words.
pub(super) fn find(setter: &Setter<'_>) -> Option<(u8, Range<usize>)> {
    let count = setter.page.item_count().min(crate::limits::PAGE_ITEMS) as u8;
    let language = &setter.page.locale.language;
    (0..count).find_map(|n| Some((n, crate::content::day_of(setter.text(SlotId::ItemHead(n))?, language)?)))
}

impl<'a> Day<'a> {
    /// The date of item `n`, its day at `at`, in at most `width` × `height`.
    pub fn fit(setter: &Setter<'a>, n: u8, at: Range<usize>, width: f32, height: f32) -> Option<Self> {
        let text = setter.text(SlotId::ItemHead(n))?;
        let is_edge = |c: char| c.is_whitespace() || matches!(c, ',' | '.' | '،');
        let before = Some(text[..at.start].trim_matches(is_edge)).filter(|t| !t.is_empty());
        let after = Some(text[at.end..].trim_matches(is_edge)).filter(|t| !t.is_empty());
        let (lead, palette) = (setter.frame.lead, &setter.page.palette);
        let ink = if setter.page.field == crate::design::Field::Base { palette.accent_text } else { palette.ink };
        let slot = SlotId::ItemHead(n);
        let figure = |size: f32| {
            let spec = Spec::new(slot, &text[at.clone()], Voice::Figure, TextLevel::Hero, ink, (size, size)).lines(1);
            setter.set(spec, 100.0 * size)
        };
        // Everything scales with the size.
        let trial = figure(100.0);
        let size = (100.0 * height / trial.height()).min(100.0 * 0.54 * width / trial.reach()).min(16.0 * lead);
        let day = figure(size);
        let room = width - day.reach() - BESIDE.1 * day.height();
        let words = |text: &'a str, size: f32| {
            let range = (0.8 * lead, size.max(0.8 * lead));
            setter.set(Spec::new(slot, text, Voice::Display, TextLevel::Head, palette.ink, range).lines(1), room)
        };
        let most = BESIDE.0 * day.height() / 0.72;
        let both = [before, after].map(|t| t.map(|t| words(t, most)));
        let least = both.iter().flatten().map(|s| s.laid.size).fold(f32::INFINITY, f32::min);
        let [before, after] = [before, after].map(|t| t.map(|t| words(t, least)));
        let reach = [&before, &after].into_iter().flatten().map(Set::reach).fold(0.0, f32::max);
        let beside = if reach > 0.0 { BESIDE.1 * day.height() + reach } else { 0.0 };
        let whole = [&before, &after].into_iter().flatten().all(|s| s.fits);
        let (width, height) = (day.reach() + beside, day.height());
        let two = before.is_none() || after.is_none() || 2.0 * least * 0.72 <= 0.92 * height;
        (whole && two).then_some(Self { day, before, after, width, height })
    }

    /// Places it with the figure's cap line at `y`.
    pub fn place(&self, setter: &mut Setter<'a>, x: f32, y: f32) {
        setter.place(&self.day, x, y);
        let left = x + self.day.reach() + BESIDE.1 * self.height;
        let base = |set: &Set<'_>| y + self.height - set.height();
        if let Some(before) = &self.before {
            let cap = if self.after.is_some() { y } else { base(before) };
            setter.place(before, left, cap);
        }
        if let Some(after) = &self.after {
            setter.place(after, left, base(after));
        }
    }
}
