//! Colours: as they are asked for where text is read in them and on them, else as near as it is.

use crate::compose::compose;
use crate::design::{Page, Palette, Part, SlotId, Which, field_for_text, ink_for, readable};
use crate::scene::color::Oklch;
use crate::scene::{Color, Paint, Scene};

use super::super::{Hue, Op};
use super::{ApplyError, Work, no};

/// An accent is told from its ground by this contrast at least; one that isn't is moved until it is told as a mark must be.
const SEEN: f32 = 1.6;
const MARK: f32 = 3.0;
/// A field is told from the page's ground by this contrast at least.
const FIELD: f32 = 1.25;
/// Contrasts whose logarithms are nearer than this are as strong to the eye.
const KEPT: f32 = 0.3;
/// The contrast that small text keeps.
const READ: f32 = 4.5;
/// Colours nearer than this in OKLab are one at a glance.
const ALIKE: f32 = 0.012;

impl Work<'_, '_> {
    /// Sets a colour of the page.
    pub(super) fn colour(&mut self, hue: Hue, to: Color) -> Result<Op, ApplyError> {
        let to = to.alpha(1.0);
        let before = self.page.palette;
        let p = &mut self.page.palette;
        let reached = match hue {
            Hue::Background => {
                if !alike(p.bg, to) {
                    *p = grounded(before, to);
                }
                p.bg
            }
            Hue::Text => {
                let ink = readable(to, p.bg);
                (p.ink, p.ink2) = (ink, ink);
                ink
            }
            Hue::Accent => {
                if !alike(p.accent, to) {
                    accented(p, to);
                    self.reach(&before);
                }
                self.page.palette.accent
            }
            Hue::Cards => {
                p.surface = under(to, p.ink);
                p.surface
            }
            Hue::Panel => {
                p.field = field_for_text(to);
                p.on_field = ink_for(p.field);
                p.field
            }
            Hue::Lines => {
                p.line = to;
                to
            }
        };
        if hue == Hue::Background {
            // The kit's logo for such a ground.
            if let (Some(brand), Some(logo)) = (self.target.brand, &mut self.page.logo) {
                *logo = brand.logo_on(reached).cloned().unwrap_or_else(|| logo.clone());
            }
        }
        if !alike(reached, to) {
            self.note(format!("{} is set as {}, so that text can be read.", to.to_hex(), reached.to_hex()));
        }
        Ok(Op::Colour { hue, to: reached })
    }

    /// Brings the accent to where it is seen, on a page whose design shows it nowhere: to its kicker, its figure, its labels,
    /// who said it, or its rules.
    fn reach(&mut self, before: &Palette) {
        let plain = compose(&Page { palette: *before, ..self.page.clone() }, self.fonts()).scene;
        let is_seen = |work: &Self| differ(&plain, &work.composed().scene);
        if is_seen(self) {
            return;
        }
        let p = self.page.palette;
        for part in [Part::Kicker, Part::Figure, Part::Labels, Part::Attribution] {
            let inks = self.page.adjust.inks.clone();
            self.page.adjust.inks.retain(|(which, _)| *which != Which::All(part));
            self.page.adjust.inks.push((Which::All(part), p.accent));
            if is_seen(self) {
                self.note(format!("This design shows no accent: it is set on the {}.", part.name()));
                return;
            }
            self.page.adjust.inks = inks;
        }
        self.page.palette.line = p.accent;
        if is_seen(self) {
            self.note("This design shows no accent: it is set on the rules.");
            return;
        }
        self.page.palette.line = p.line;
        self.note("This design shows no accent, and nothing on this page could take it.");
    }

    /// Sets the colour of some texts.
    pub(super) fn ink(&mut self, which: Which, to: Color) -> Result<Op, ApplyError> {
        let to = to.alpha(1.0);
        let of = |b: &crate::scene::TextBlock| b.slot.parse().is_ok_and(|slot: SlotId| which.has(slot));
        let inks = |work: &Self| -> Vec<Color> {
            work.composed().scene.blocks.iter().filter(|b| of(b)).map(|b| b.color).collect()
        };
        let now = inks(self);
        if now.is_empty() {
            return no(format!("This page has no {which}."));
        }
        if now.iter().all(|ink| *ink == to) {
            return Ok(Op::Ink { which, to });
        }
        let asked = &mut self.page.adjust.inks;
        asked.retain(|(said, _)| match (which, said) {
            (Which::All(_), Which::One(slot)) => !which.has(*slot),
            _ => *said != which,
        });
        // As it is asked for: on each ground it is as near to that as it is read there.
        asked.push((which, to));
        if let Some(other) = inks(self).into_iter().find(|ink| !alike(*ink, to)) {
            self.note(format!("{} is set as {}, so that it can be read there.", to.to_hex(), other.to_hex()));
        }
        Ok(Op::Ink { which, to })
    }
}

/// Whether two drawings of a page are told apart by their colours: something larger than a dot has another one.
fn differ(a: &Scene, b: &Scene) -> bool {
    if a.items.len() != b.items.len() {
        return true;
    }
    a.items.iter().zip(&b.items).any(|(a, b)| match (&a.paint, &b.paint) {
        (Paint::Solid(x), Paint::Solid(y)) => !alike(*x, *y),
        (x, y) => x != y,
    })
}

fn alike(a: Color, b: Color) -> bool {
    let (a, b) = (a.to_oklab(), b.to_oklab());
    (0..3).map(|i| (a[i] - b[i]) * (a[i] - b[i])).sum::<f32>() < ALIKE * ALIKE
}

/// A palette on another ground: its accent seen there, and its art and its field as far from that ground as they were from
/// the one before, so that nothing sinks into it and nothing shouts.
fn grounded(palette: Palette, to: Color) -> Palette {
    let mut on = palette.on_ground(to);
    if on.accent.contrast(on.bg) < SEEN {
        let seed = on.accent.to_oklch();
        let away = if on.bg.luminance() > 0.18 { -0.01 } else { 0.01 };
        let moved = (1..80).map(|n| Oklch { l: (seed.l + away * n as f32).clamp(0.0, 1.0), ..seed }.to_color());
        let seen = moved.into_iter().find(|c| c.contrast(on.bg) >= MARK).unwrap_or(on.ink);
        accented(&mut on, seen);
    }
    let same = [
        (palette.bg, on.bg),
        (palette.accent, on.accent),
        (palette.ink, on.ink),
        (palette.surface, on.surface),
        (palette.line, on.line),
        (palette.tint, on.tint),
    ];
    let moved = |c: Color| {
        let named = same.iter().find(|(was, _)| *was == c).map(|(_, is)| *is);
        named.unwrap_or_else(|| as_far(c, palette.bg, on.bg))
    };
    on.art = palette.art.map(moved);
    on.accent2 = moved(palette.accent2);
    if on.field.contrast(on.bg) < FIELD {
        on.field = field_for_text(as_far(palette.field, palette.bg, on.bg));
        on.on_field = ink_for(on.field);
    }
    on
}

/// A colour that stood out from one ground, in the lightness in which it stands out as much from another one.
fn as_far(color: Color, was: Color, ground: Color) -> Color {
    let wanted = color.contrast(was);
    let off = |c: &Color| libm::fabsf(libm::logf(c.contrast(ground) / wanted));
    if off(&color) < KEPT {
        return color;
    }
    let seed = color.to_oklch();
    // On the side on which the ground has more room.
    let lighter = ground.luminance() < 0.18;
    let from = ground.to_oklch().l;
    let steps = (0..=100).map(|n| {
        let share = n as f32 / 100.0;
        let l = if lighter { from + (1.0 - from) * share } else { from * (1.0 - share) };
        Oklch { l, ..seed }.to_color()
    });
    steps.min_by(|a, b| off(a).total_cmp(&off(b))).unwrap_or(color)
}

/// Puts another accent into a palette, and what follows from it.
fn accented(p: &mut Palette, to: Color) {
    // Words stand on buttons.
    let accent = if ink_for(to).contrast(to) >= READ { to } else { field_for_text(to) };
    let old = *p;
    let (from, seed) = (old.accent.to_oklch(), accent.to_oklch());
    // What was derived from the old accent is as far from the new one.
    let derived = |c: Color| {
        let lch = c.to_oklch();
        let chroma = if from.c > 0.02 { (lch.c / from.c * seed.c).min(0.35) } else { lch.c.min(seed.c) };
        Oklch { l: lch.l, c: chroma, h: if seed.is_grey() { lch.h } else { seed.h } }.to_color()
    };
    let kin = |c: Color| {
        let lch = c.to_oklch();
        let apart = (lch.h - from.h).abs();
        !lch.is_grey() && !from.is_grey() && apart.min(360.0 - apart) < 30.0
    };
    p.accent = accent;
    p.on_accent = ink_for(accent);
    p.accent_text = readable(accent, old.bg);
    for (slot, was) in [(&mut p.accent2, old.accent2), (&mut p.tint, old.tint)] {
        if kin(was) {
            *slot = derived(was);
        }
    }
    for slot in &mut p.art {
        *slot = match *slot {
            c if c == old.accent => accent,
            c if kin(c) && c != old.ink && c != old.bg => derived(c),
            c => c,
        };
    }
    if old.field == old.accent || kin(old.field) {
        p.field = field_for_text(accent);
        p.on_field = ink_for(p.field);
    }
}

/// A field under text of `ink`: as it is asked for where that is read, else lighter or darker.
fn under(to: Color, ink: Color) -> Color {
    let seed = to.to_oklch();
    let away = if ink.luminance() < 0.18 { 0.01 } else { -0.01 };
    let moved = (0..100).map(|n| Oklch { l: (seed.l + away * n as f32).clamp(0.0, 1.0), ..seed }.to_color());
    let read = |c: &Color| ink.contrast(*c) >= READ + 0.4;
    if read(&to) { to } else { moved.into_iter().find(read).unwrap_or(to) }
}
