//! recap-cta: what was said as a ruled list, and what to do now as the one button of the set.

use super::super::chrome::arrow;
use super::super::emblem;
use super::super::frame::{Frame, Shape};
use super::super::setter::{Set, Setter, Spec};
use super::rows::{Ruling, solve};
use super::underlined;
use crate::design::{SlotId, Voice};
use crate::icon::Icon;
use crate::scene::{Item, Point, Rect, Role, TextLevel};
use crate::text::Align;

pub(super) fn set(setter: &mut Setter<'_>, area: Rect) {
    let (frame, palette) = (setter.frame, setter.page.palette);
    let k = frame.k;
    let text = setter.text(SlotId::Title).unwrap_or_default();
    let title = Spec::new(
        SlotId::Title,
        text,
        Voice::Display,
        TextLevel::Hero,
        palette.ink,
        // A title of a word or two has the room to be loud.
        (1.6 * frame.lead, if text.chars().count() <= 14 { 3.9 } else { 3.0 } * frame.lead),
    )
    .lines(3)
    .capped(setter.page.sizes.title);
    let ruling = Ruling {
        columns: 1,
        numerals: true,
        bodies: false,
        closed: true,
        most: 1.15 * (0.5 + 0.5 * frame.lead / frame.body),
        body: 1.0,
    };
    match Frame::shape_of(&area) {
        Shape::Tall | Shape::Upright => {
            let cta = Action::of(setter, area.w());
            let foot = cta.as_ref().map_or(0.0, |c| c.height() + 72.0 * k);
            let head = setter.set_at_most(title, area.w(), 0.3 * area.h());
            let gap = 72.0 * k;
            let rows = solve(setter, ruling, area.w(), area.h() - foot - head.depth() - gap);
            setter.place(&head, area.x0, area.y0);
            // What is left over stands between the head and the list, as on every other slide.
            let y = area.y1 - foot - rows.height;
            let y = y.min(area.y0 + head.depth() + 2.2 * gap);
            rows.place(setter, area.x0, y);
            if let Some(cta) = cta {
                let below = y + rows.height + 72.0 * k;
                let y = below.max(area.y1 - cta.height() - 0.5 * (area.y1 - cta.height() - below));
                cta.place(setter, area.x0, y, area.x1);
            }
        }
        Shape::Wide | Shape::Strip => {
            let left = 0.44 * area.w();
            let gutter = 72.0 * k;
            let cta = Action::of(setter, left);
            let foot = cta.as_ref().map_or(0.0, |c| c.height() + 48.0 * k);
            let head = setter.set_at_most(title, left, (0.6 * area.h()).min(area.h() - foot));
            setter.place(&head, area.x0, area.y0);
            if let Some(cta) = cta {
                cta.place(setter, area.x0, area.y1 - cta.height(), area.x0 + left);
            }
            let x = area.x0 + left + gutter;
            let rows = solve(setter, ruling, area.x1 - x, area.h());
            rows.place(setter, x, area.y0 + 0.5 * (area.h() - rows.height).max(0.0));
        }
    }
}

/// Whether a call asks to keep the page rather than to go somewhere: by its first word, or wherever its language puts it.
fn keeps(call: &str) -> bool {
    const KEEP: [&str; 16] = [
        "save",
        "bookmark",
        "keep",
        "speichern",
        "speichere",
        "merken",
        "merk",
        "guarda",
        "guardar",
        "enregistrez",
        "enregistre",
        "salva",
        "salve",
        "bewaar",
        "kaydet",
        "сохрани",
    ];
    let first = call.split_whitespace().next().unwrap_or_default().to_lowercase();
    KEEP.contains(&first.trim_matches(|c: char| !c.is_alphabetic())) || call.contains("保存") || call.contains("收藏")
}

/// The call to action: a button where its words fit one line, else a line of text with an arrow.
struct Action<'a> {
    set: Set<'a>,
    /// The address it leads to, beside the button where there is room.
    aside: Option<Set<'a>>,
    button: bool,
    pad: f32,
}

impl<'a> Action<'a> {
    fn of(setter: &Setter<'a>, width: f32) -> Option<Self> {
        let (frame, palette) = (setter.frame, &setter.page.palette);
        let b = frame.body;
        let text = setter.text(SlotId::Cta)?;
        let spec = |ink, range| Spec::new(SlotId::Cta, text, Voice::Head, TextLevel::Head, ink, range);
        let pad = if width < 22.0 * b { b } else { 1.4 * b };
        let set = setter.set(
            spec(palette.on_accent, (frame.small.max(0.84 * frame.body_floor), 1.05 * b)).lines(1),
            width - 2.0 * pad - 1.7 * b,
        );
        if set.fits {
            let room = width - set.laid.width - 2.0 * pad - 1.6 * set.laid.size - 2.0 * b;
            let aside = setter.text(SlotId::Handle).map(|text| {
                let range = (frame.small, 0.86 * b);
                let spec = Spec::new(SlotId::Handle, text, Voice::Label, TextLevel::Small, palette.ink2, range);
                setter.set(underlined(spec.lines(1).align(Align::End)), room)
            });
            return Some(Self { set, aside: aside.filter(|a| a.fits), button: true, pad });
        }
        let set = setter.set(underlined(spec(palette.accent_text, (frame.body_floor, 1.05 * b)).lines(3)), width);
        Some(Self { set, aside: None, button: false, pad: 0.0 })
    }

    fn height(&self) -> f32 {
        if self.button { self.set.height() + 2.0 * self.set.laid.size * 1.05 } else { self.set.depth() }
    }

    /// Places it at (x, y); what stands beside it ends at `right`.
    fn place(&self, setter: &mut Setter<'a>, x: f32, y: f32, right: f32) {
        if !self.button {
            setter.place(&self.set, x, y);
            return;
        }
        let palette = setter.page.palette;
        let (h, size) = (self.height(), self.set.laid.size);
        let arrow_room = 1.6 * size;
        let width = self.set.laid.width + 2.0 * self.pad + arrow_room;
        let r = if setter.theme.radius > 0.0 { h / 2.0 } else { 0.0 };
        setter.mark(Item::rounded(Rect::at(x, y, width, h), [r; 4], palette.accent, Role::Field));
        setter.place(&self.set, x + self.pad, y + (h - self.set.height()) / 2.0);
        let center = Point::new(x + width - self.pad - 0.36 * size, y + h / 2.0);
        let kept = keeps(self.set.spec.text).then(|| Icon::by_name("bookmark")?.drawing(setter.theme.icons)).flatten();
        match kept {
            Some(bookmark) => emblem::draw(setter, &bookmark, center, 1.15 * size, palette.on_accent),
            None => setter.mark(arrow(center, 0.72 * size, 0.085 * size, palette.on_accent)),
        }
        if let Some(aside) = &self.aside {
            setter.place(aside, right - aside.width, y + (h - aside.height()) / 2.0);
        }
    }
}
