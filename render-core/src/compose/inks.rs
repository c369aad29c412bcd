//! The inks of a field: what text, rules and marks are drawn in that stand on it.

use crate::design::Palette;
use crate::scene::Color;
use crate::scene::color::Oklch;

/// Contrast, WCAG and APCA, that small text keeps on a field.
const READS: (f32, f32) = (4.9, 62.0);
/// Contrast, likewise, of a figure that is as large as a headline.
const LARGE: (f32, f32) = (3.3, 52.0);
/// WCAG's contrast of small text.
const SMALL: f32 = 4.5;
/// How far an accent may be moved in lightness before it is another colour.
const MOVED: f32 = 0.3;

/// A field, and the inks on it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Inks {
    /// The field.
    pub ground: Color,
    /// Headlines.
    pub ink: Color,
    /// Supporting text.
    pub quiet: Color,
    /// Rules.
    pub line: Color,
    /// The accent where it is text.
    pub accent: Color,
}

impl Inks {
    /// On the page itself.
    pub fn page(p: &Palette) -> Self {
        Self { ground: p.bg, ink: p.ink, quiet: p.ink2, line: p.line, accent: p.accent_text }
    }

    /// The accent where it is large: nearer to itself than what small text needs.
    pub fn large_accent(&self, p: &Palette) -> Color {
        let (seed, small) = (p.accent.to_oklch(), self.accent.to_oklch());
        let turned = (seed.h - small.h).abs().min(360.0 - (seed.h - small.h).abs());
        if self.ground != p.bg || turned > 20.0 {
            return self.accent;
        }
        let reads = |c: &Color| c.contrast(self.ground) >= LARGE.0 && c.apca(self.ground) >= LARGE.1;
        let between = |n: u8| {
            let t = f32::from(n) / 20.0;
            Oklch { l: seed.l + t * (small.l - seed.l), c: seed.c + t * (small.c - seed.c), h: seed.h }.to_color()
        };
        (0..=20).map(between).find(reads).unwrap_or(self.accent)
    }

    /// On the palette's second field.
    pub fn field(p: &Palette) -> Self {
        Self::on(p.field, p.on_field, p)
    }

    /// On `ground`, where headlines are in `ink`.
    pub fn on(ground: Color, ink: Color, p: &Palette) -> Self {
        let quiet = (0..7).rev().map(|n| mix(ink, ground, 0.05 * n as f32)).find(|c| reads(*c, ground));
        Self { ground, ink, quiet: quiet.unwrap_or(ink), line: mix(ground, ink, 0.26), accent: accent(ground, ink, p) }
    }
}

/// The accent on `ground`: itself, or so much lighter or darker that it reads; else another colour of the palette that
/// does and that isn't the ink.
fn accent(ground: Color, ink: Color, p: &Palette) -> Color {
    let seed = p.accent.to_oklch();
    let up = ground.luminance() < 0.18;
    let moved = (0..=60)
        .map(|n| 0.005 * n as f32)
        .filter(|by| *by <= MOVED)
        .map(|by| Oklch { l: if up { seed.l + by } else { seed.l - by }, ..seed }.to_color());
    moved.chain([p.art[1], p.accent2, p.art[2]]).find(|c| reads(*c, ground) && c.contrast(ink) >= 1.15).unwrap_or(ink)
}

/// The ink of text on a fill: `first` where it reads there, else whichever of the palette's does, else the nearest to black
/// or white.
pub(super) fn ink_on(fill: Color, first: Color, p: &Palette) -> Color {
    let inks = [first, p.ink, p.bg, p.on_accent, p.on_field];
    let found = inks.into_iter().find(|ink| ink.contrast(fill) >= SMALL);
    found.unwrap_or(if fill.luminance() > 0.18 { Color::BLACK } else { Color::WHITE })
}

/// Whether small text in `ink` reads on `ground`.
pub(super) fn reads(ink: Color, ground: Color) -> bool {
    ink.contrast(ground) >= READS.0 && ink.apca(ground) >= READS.1
}

/// `share` of the way from `a` to `b`, in OKLab.
pub(super) fn mix(a: Color, b: Color, share: f32) -> Color {
    let (from, to) = (a.to_oklab(), b.to_oklab());
    Color::from_oklab([0, 1, 2].map(|i| from[i] + (to[i] - from[i]) * share))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::design::{Field, Style};

    #[test]
    fn what_stands_on_the_second_field_reads() {
        for style in Style::ALL {
            for seed in 0..12 {
                let p = Palette::pick(style, Field::Base, seed);
                let on = Inks::field(&p);
                for (name, ink) in [("ink", on.ink), ("quiet", on.quiet), ("accent", on.accent)] {
                    let ratio = ink.contrast(on.ground);
                    assert!(ratio >= 4.5, "{style:?} {seed} {name} {}: {ratio}", ink.to_hex());
                }
                assert!(on.line.contrast(on.ground) >= 1.1, "{style:?} {seed}");
            }
        }
    }
}
