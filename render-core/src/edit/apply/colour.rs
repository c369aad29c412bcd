//! Sets colours. If text in or on a requested colour would be unreadable, the nearest readable colour is used.

use crate::compose::compose;
use crate::design::{Background, Page, Palette, Part, SlotId, Which, field_for_text, ink_for, readable};
use crate::scene::color::Oklch;
use crate::scene::{Color, Paint, Scene};

use super::super::{Hue, Op};
use super::{ApplyError, Work, no};

/// The least contrast of an accent to its ground. An accent below it is moved to the first contrast of [`MARK`] or, if
/// that would wash out its colour, to the second.
const SEEN: f32 = 1.6;
const MARK: (f32, f32) = (3.0, 2.1);
/// The least contrast of a field to the page's ground, and the contrast that a field below it gets.
const FIELD: (f32, f32) = (1.25, 1.6);
/// The share of its contrast (above 1) that art must keep on another ground.
const KEPT: f32 = 0.6;
/// The least contrast of small text.
const READ: f32 = 4.5;
/// Colours closer than this in OKLab look the same.
const ALIKE: f32 = 0.012;
/// Text whose lightness in OKLCH differs by more than this from the one asked for is another colour: grey for white.
const OTHER: f32 = 0.35;

impl Work<'_, '_> {
    /// Sets a colour of the page.
    pub(super) fn colour(&mut self, hue: Hue, to: Color) -> Result<Op, ApplyError> {
        let to = to.alpha(1.0);
        let before = self.page.palette;
        let p = &mut self.page.palette;
        let reached = match hue {
            Hue::Background => {
                if !alike(p.bg, to) {
                    self.page.palette = self.on_ground(to);
                }
                self.page.palette.bg
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
                    if self.page.palette.accent.contrast(self.page.palette.bg) < FIELD.0 {
                        self.note("That accent is hardly told from the page's ground.");
                    }
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
            // Use the brand kit's logo for this ground.
            if let (Some(brand), Some(logo)) = (self.target.brand, &mut self.page.logo) {
                *logo = brand.logo_on(reached).cloned().unwrap_or_else(|| logo.clone());
            }
        }
        if hue == Hue::Text && (reached.to_oklch().l - to.to_oklch().l).abs() > OTHER {
            return no(format!(
                "Text in {} can't be read on this page's ground. Change the ground as well.",
                to.to_hex()
            ));
        }
        if !alike(reached, to) {
            self.note(format!("{} is set as {}, so that text can be read.", to.to_hex(), reached.to_hex()));
        }
        Ok(Op::Colour { hue, to: reached })
    }

    /// Returns the page's colours on another ground. Between a light and a dark ground they become the style's colours
    /// for such a ground. The accent changes with them if it is the style's own, otherwise it stays.
    fn on_ground(&self, to: Color) -> Palette {
        let palette = self.page.palette;
        if is_night(palette.bg) == is_night(palette.on_ground(to).bg) {
            return grounded(palette, palette, to);
        }
        let styled = |background: Background| self.styled(background);
        let near = |p: &Palette| libm::fabsf(p.bg.to_oklch().l - to.to_oklch().l);
        let all = [Background::Base, Background::Close, Background::Accent].map(styled);
        let there = all.into_iter().filter(|p| is_night(p.bg) != is_night(palette.bg));
        let Some(own) = there.min_by(|a, b| near(a).total_cmp(&near(b))) else {
            return grounded(palette, palette, to);
        };
        let is_own = palette.accent == self.styled(self.page.background).accent;
        let accent = if is_own { own } else { palette };
        let kept =
            Palette { accent: accent.accent, accent_text: accent.accent_text, on_accent: accent.on_accent, ..palette };
        grounded(kept, own, to)
    }

    /// Makes the accent visible on a page whose design shows it nowhere: on the kicker, the figure, the labels, the
    /// attribution or the rules.
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
        self.note(
            "This design shows no accent, and no text or rule of this page takes one; the headline, the supporting text \
             and the background take a colour of their own.",
        );
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
        // Store the requested colour: on each ground, composing uses the nearest readable one.
        asked.push((which, to));
        if let Some(other) = inks(self).into_iter().find(|ink| !alike(*ink, to)) {
            self.note(format!("{} is set as {}, so that it can be read there.", to.to_hex(), other.to_hex()));
        }
        Ok(Op::Ink { which, to })
    }
}

/// Returns whether two scenes of a page differ visibly in colour.
fn differ(a: &Scene, b: &Scene) -> bool {
    if a.items.len() != b.items.len() {
        return true;
    }
    a.items.iter().zip(&b.items).any(|(a, b)| match (&a.paint, &b.paint) {
        (Paint::Solid(x), Paint::Solid(y)) => x.distance(*y) >= ALIKE,
        (x, y) => x != y,
    })
}

fn alike(a: Color, b: Color) -> bool {
    let (a, b) = (a.to_oklab(), b.to_oklab());
    (0..3).map(|i| (a[i] - b[i]) * (a[i] - b[i])).sum::<f32>() < ALIKE * ALIKE
}

/// Returns a palette on another ground. The accent stays visible. Art and field keep the contrast that they had to the
/// ground they were chosen for. `own` are the style's own colours on such a ground.
fn grounded(palette: Palette, own: Palette, to: Color) -> Palette {
    let mut on = palette.on_ground(to);
    if is_night(palette.bg) != is_night(on.bg) {
        on.line = as_seen(own.line, own.bg, on.bg);
        (on.field, on.on_field) = (own.field, own.on_field);
    }
    if on.accent.contrast(on.bg) < SEEN {
        let accent = seen(on.accent, on.bg).unwrap_or(on.ink);
        accented(&mut on, accent);
    }
    let same = [(own.bg, on.bg), (own.accent, on.accent), (palette.accent, on.accent), (own.ink, on.ink)];
    let moved = |c: Color| {
        let named = same.iter().find(|(was, _)| *was == c).map(|(_, is)| *is);
        named.unwrap_or_else(|| as_seen(c, own.bg, on.bg))
    };
    on.art = own.art.map(moved);
    on.accent2 = moved(own.accent2);
    if on.field.contrast(on.bg) < FIELD.0 {
        on.field = field_for_text(as_far(on.field, on.bg, FIELD.1));
        on.on_field = ink_for(on.field);
    }
    on
}

/// Returns whether a ground is dark and takes light text.
fn is_night(ground: Color) -> bool {
    ground.luminance() < 0.18
}

/// Returns an accent in the nearest lightness that has enough contrast to a ground, lighter or darker, whichever keeps
/// more chroma.
fn seen(accent: Color, ground: Color) -> Option<Color> {
    let seed = accent.to_oklch();
    let moved = |by: f32, least: f32| {
        let mut all = (1..80).map(|n| Oklch { l: (seed.l + by * n as f32).clamp(0.0, 1.0), ..seed }.to_color());
        all.find(|c| c.contrast(ground) >= least)
    };
    let strongest = |least: f32| {
        let sides = [moved(-0.01, least), moved(0.01, least)].into_iter().flatten();
        sides.max_by(|a, b| a.to_oklch().c.total_cmp(&b.to_oklch().c))
    };
    let full = strongest(MARK.0);
    full.filter(|c| c.to_oklch().c >= 0.7 * seed.c).or_else(|| strongest(MARK.1)).or(full)
}

/// Returns a colour of art for another ground. If its contrast there is too low, it gets the contrast that it had
/// before.
fn as_seen(color: Color, was: Color, ground: Color) -> Color {
    let wanted = color.contrast(was);
    if color.contrast(ground) - 1.0 >= KEPT * (wanted - 1.0) { color } else { as_far(color, ground, wanted) }
}

/// Returns a colour in the lightness whose contrast to a ground is nearest to `wanted`: lighter than a dark ground,
/// darker than a light one.
fn as_far(color: Color, ground: Color, wanted: f32) -> Color {
    let (seed, from) = (color.to_oklch(), ground.to_oklch().l);
    let to = if is_night(ground) { 1.0 } else { 0.0 };
    let steps = (0..=100).map(|n| Oklch { l: from + (to - from) * n as f32 / 100.0, ..seed }.to_color());
    let off = |c: &Color| libm::fabsf(libm::logf(c.contrast(ground) / wanted));
    steps.min_by(|a, b| off(a).total_cmp(&off(b))).unwrap_or(color)
}

/// Sets another accent in a palette and updates the colours derived from it.
fn accented(p: &mut Palette, to: Color) {
    // Buttons have text on the accent.
    let accent = if ink_for(to).contrast(to) >= READ { to } else { field_for_text(to) };
    let old = *p;
    let (from, seed) = (old.accent.to_oklch(), accent.to_oklch());
    // A derived colour keeps its lightness and scales its chroma with the new accent.
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

/// Returns a field under text of colour `ink`: `to` if the text is readable on it, else a lighter or darker variant.
fn under(to: Color, ink: Color) -> Color {
    let seed = to.to_oklch();
    let away = if ink.luminance() < 0.18 { 0.01 } else { -0.01 };
    let moved = (0..100).map(|n| Oklch { l: (seed.l + away * n as f32).clamp(0.0, 1.0), ..seed }.to_color());
    let read = |c: &Color| ink.contrast(*c) >= READ + 0.4;
    if read(&to) { to } else { moved.into_iter().find(read).unwrap_or(to) }
}
