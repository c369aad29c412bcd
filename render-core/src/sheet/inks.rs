//! [`Inks`]: the colours of the palette's roles on a given ground, so that words and marks are visible on any ground.

use crate::design::{Palette, ink_for, readable};
use crate::scene::Color;
use crate::scene::color::Oklch;
use crate::tree::{Colour, Role};

/// Least contrast of a visible mark on its ground.
const SEEN: f32 = 1.6;
/// Least contrast of a neighbouring surface.
const APART: f32 = 1.04;
/// Contrast below which two inks look the same.
const TOLD: f32 = 1.5;
/// Chroma from which a colour is not grey.
const COLOURED: f32 = 0.06;
/// Least contrast of large type: a little over the 3 of WCAG.
const LARGE: f32 = 3.15;
/// Least distance in OKLab of two series of data.
const DISTINCT: f32 = 0.11;

/// The colours of a page on one ground.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Inks {
    palette: Palette,
    /// The colour under words and marks.
    pub ground: Color,
}

impl Inks {
    /// Returns the colours of a page on its own ground.
    pub fn of(palette: Palette) -> Self {
        Self { palette, ground: palette.bg }
    }

    /// Returns the colours on another ground of the same page.
    pub fn on(self, ground: Color) -> Self {
        Self { ground, ..self }
    }

    fn own(&self) -> bool {
        self.ground == self.palette.bg
    }

    /// Returns the ink of headlines and running text.
    pub fn ink(&self) -> Color {
        let p = &self.palette;
        if self.own() {
            return p.ink;
        }
        let candidates = [p.ink, p.on_field, p.on_accent, p.bg];
        let reads = |c: &&Color| c.contrast(self.ground) >= 7.0;
        let best = |a: &&Color, b: &&Color| a.contrast(self.ground).total_cmp(&b.contrast(self.ground));
        let found = candidates.iter().find(reads).or_else(|| candidates.iter().max_by(best));
        let ink = found.copied().unwrap_or(p.ink);
        // A darker or lighter shade of the palette's own ink suits its colours better than black or white.
        let moved = readable(ink, self.ground);
        let darker = |c: Color| c.luminance() < self.ground.luminance();
        if darker(moved) == darker(ink) { moved } else { readable(ink_for(self.ground), self.ground) }
    }

    /// Returns the ink of supporting text.
    pub fn ink2(&self) -> Color {
        let p = &self.palette;
        if self.own() || (readable(p.ink2, self.ground) == p.ink2 && self.ink() == p.ink) {
            return p.ink2;
        }
        readable(mix(self.ink(), self.ground, 0.24), self.ground)
    }

    /// Returns the accent as text.
    pub fn accent_ink(&self) -> Color {
        let p = &self.palette;
        if self.own() {
            return p.accent_text;
        }
        let moved = readable(p.accent_text, self.ground);
        let near = (moved.to_oklch().l - p.accent_text.to_oklch().l).abs() < 0.25;
        if near && moved.contrast(self.ink()) >= 1.2 { moved } else { self.ink() }
    }

    /// Returns the ink of emphasised words: the accent, or for `large` type another colour of the palette if the accent
    /// looks like `ink`. Returns `None` if there is none.
    pub fn emphasis(&self, ink: Color, large: bool) -> Option<Color> {
        let accent = Some(self.accent_ink()).filter(|accent| accent.contrast(ink) >= TOLD);
        let lighter = |c: Color| c.luminance() > self.ground.luminance();
        let other = |c: &Color| {
            let told = c.distance(ink) >= DISTINCT && c.to_oklch().c >= COLOURED;
            told && lighter(*c) == lighter(ink) && c.contrast(self.ground) >= LARGE
        };
        accent.or_else(|| self.palette.art.into_iter().filter(|_| large).find(other))
    }

    /// Returns the accent of marks.
    pub fn accent(&self) -> Color {
        let p = &self.palette;
        if p.accent.contrast(self.ground) >= SEEN { p.accent } else { self.ink() }
    }

    /// Returns the ink of text on marks in the accent.
    pub fn on_accent(&self) -> Color {
        let p = &self.palette;
        if self.accent() == p.accent { p.on_accent } else { self.on(self.accent()).ink() }
    }

    /// Returns the colour of rules and inactive marks.
    pub fn line(&self) -> Color {
        if self.own() { self.palette.line } else { mix(self.ink(), self.ground, 0.78) }
    }

    /// Returns the colour of a card on the ground.
    pub fn surface(&self) -> Color {
        let p = &self.palette;
        if self.own() && p.surface.contrast(p.bg) >= APART { p.surface } else { mix(self.ink(), self.ground, 0.91) }
    }

    /// Returns a pale variant of the accent.
    pub fn tint(&self) -> Color {
        let p = &self.palette;
        if self.own() && p.tint.contrast(p.bg) >= APART { p.tint } else { mix(p.accent, self.ground, 0.8) }
    }

    /// Returns the palette's contrasting field.
    pub fn field(&self) -> Color {
        let p = &self.palette;
        if p.field.contrast(self.ground) >= APART { p.field } else { self.ink() }
    }

    /// Returns the colour of series `n` of a chart, distinct from the ground and from the series before it.
    pub fn data(&self, n: u8) -> Color {
        let p = &self.palette;
        let seed = p.accent.to_oklch();
        let turned = [150.0, 60.0, 220.0, 300.0, 100.0, 20.0].map(|h| {
            let l = if self.ground.to_oklch().l > 0.6 { 0.55 } else { 0.76 };
            Oklch::new(l, seed.c.clamp(0.07, 0.14), seed.h + h).to_color()
        });
        let mut chosen: Vec<Color> = Vec::with_capacity(6);
        for c in [self.accent(), p.accent2].into_iter().chain(p.art).chain([self.ink2()]).chain(turned) {
            if c.contrast(self.ground) >= 1.35 && chosen.iter().all(|o| c.distance(*o) >= DISTINCT) {
                chosen.push(c);
            }
        }
        chosen.get(usize::from(n)).copied().unwrap_or_else(|| self.ink())
    }

    /// Resolves a colour for a shape or a field.
    pub fn fill(&self, colour: Colour) -> Color {
        match colour {
            Colour::Exact(color) => color,
            Colour::Mixed(a, b, share) => {
                mix(self.fill(Colour::Role(a)), self.fill(Colour::Role(b)), f32::from(share) / 100.0)
            }
            Colour::Role(role) => match role {
                Role::Bg => self.palette.bg,
                Role::Surface => self.surface(),
                Role::Ink => self.ink(),
                Role::Ink2 => self.ink2(),
                Role::Line => self.line(),
                Role::Accent => self.accent(),
                Role::AccentInk => self.accent_ink(),
                // The accent itself has a single ink.
                Role::OnAccent if self.ground == self.palette.accent => self.ink(),
                Role::OnAccent => self.on_accent(),
                Role::Tint => self.tint(),
                Role::Field => self.field(),
                Role::OnField => self.on(self.field()).ink(),
                Role::Data(n) => self.data(n),
                Role::Art(n) => self.palette.art[usize::from(n) % self.palette.art.len()],
            },
        }
    }

    /// Resolves a colour for words: its lightness changes until it is readable on the ground.
    pub fn text(&self, colour: Colour) -> Color {
        match colour {
            Colour::Role(Role::Accent | Role::AccentInk) => self.accent_ink(),
            other => readable(self.fill(other), self.ground),
        }
    }
}

/// Mixes `a` and `b` in OKLab, at `share` of the way from `a` to `b`.
pub fn mix(a: Color, b: Color, share: f32) -> Color {
    let (a, b) = (a.to_oklab(), b.to_oklab());
    Color::from_oklab(std::array::from_fn(|i| a[i] + (b[i] - a[i]) * share))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::design::{Background, Style};

    #[test]
    fn words_read_on_every_ground_of_every_palette() {
        for style in Style::all() {
            for background in Background::ALL {
                for seed in 0..12 {
                    let page = Inks::of(Palette::pick(style, background, seed));
                    let grounds = [page.ground, page.surface(), page.accent(), page.tint(), page.field(), page.data(1)];
                    for ground in grounds {
                        let inks = page.on(ground);
                        for (name, ink) in [("ink", inks.ink()), ("ink2", inks.ink2()), ("accent", inks.accent_ink())] {
                            let ratio = ink.contrast(ground);
                            assert!(
                                ratio >= 4.4,
                                "{style:?} {background:?} {seed}: {name} on {}: {ratio}",
                                ground.to_hex()
                            );
                        }
                        assert!(inks.accent().contrast(ground) >= SEEN, "{style:?} {background:?} {seed}");
                        assert!(inks.on_accent().contrast(inks.accent()) >= 4.4, "{style:?} {background:?} {seed}");
                    }
                }
            }
        }
    }
}
