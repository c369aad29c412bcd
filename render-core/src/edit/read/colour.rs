//! Colours by name, and colours moved: darker, warmer, paler.

use crate::scene::Color;
use crate::scene::color::Oklch;

/// Names and colours: those of CSS in words, and what else people say. A name stands once.
static NAMES: &str = include_str!("words/colours.txt");

/// Which way a colour is moved.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Way {
    /// Less light.
    Darker,
    /// More light.
    Lighter,
    /// Towards orange.
    Warmer,
    /// Towards blue.
    Cooler,
    /// More chroma.
    Vivid,
    /// Less chroma.
    Muted,
}

/// Hues in OKLCH degrees that warm and cool colours are turned to.
const ORANGE: f32 = 60.0;
const BLUE: f32 = 245.0;

/// Every name with its colour.
pub(super) fn names() -> impl Iterator<Item = (&'static str, Color)> {
    NAMES.lines().filter(|l| !l.starts_with('#')).filter_map(|l| {
        let (name, hex) = l.rsplit_once(' ')?;
        Some((name, Color::parse(hex)?))
    })
}

/// A colour moved one way, by as many twelfths of lightness as `by` says hundredths: 0.12 is "darker".
pub(super) fn moved(color: Color, way: Way, by: f32) -> Color {
    let lch = color.to_oklch();
    let to = match way {
        Way::Darker => Oklch { l: (lch.l - by).max(0.0), ..lch },
        Way::Lighter => Oklch { l: (lch.l + by).min(1.0), ..lch },
        Way::Warmer => turned(lch, ORANGE, by),
        Way::Cooler => turned(lch, BLUE, by),
        Way::Vivid => Oklch { c: if lch.is_grey() { lch.c } else { lch.c * (1.0 + 3.0 * by) + 0.15 * by }, ..lch },
        Way::Muted => Oklch { c: lch.c * (1.0 - 3.5 * by).max(0.0), ..lch },
    };
    to.to_color()
}

/// Turned towards a hue by as much as `by` asks, with a little more chroma. A grey takes the hue at once.
fn turned(lch: Oklch, to: f32, by: f32) -> Oklch {
    if lch.is_grey() {
        return Oklch { c: lch.c.max(0.02) + 0.15 * by, h: to, l: lch.l.clamp(0.06, 0.975) };
    }
    let apart = (to - lch.h + 540.0).rem_euclid(360.0) - 180.0;
    let turn = apart.clamp(-250.0 * by, 250.0 * by);
    Oklch { c: lch.c + 0.08 * by, h: (lch.h + turn).rem_euclid(360.0), ..lch }
}

/// A named colour as a word before or after it changes it: "dark red", "light blue", "pale green".
pub(super) fn shade(color: Color, dark: bool, pale: bool) -> Color {
    let lch = color.to_oklch();
    let to = match (dark, pale) {
        (true, _) => Oklch { l: (lch.l * 0.62).min(0.4), c: lch.c * 0.8, ..lch },
        (_, true) => Oklch { l: lch.l.max(0.9), c: lch.c.min(0.06), ..lch },
        _ => Oklch { l: (lch.l + 0.22).clamp(0.8, 0.93), c: lch.c * 0.55, ..lch },
    };
    to.to_color()
}

/// Whether a field of this colour is dark.
pub(super) fn is_dark(color: Color) -> bool {
    color.to_oklch().l < 0.5
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_stand_once_and_every_line_is_one() {
        let mut seen: Vec<&str> = names().map(|(name, _)| name).collect();
        let lines = NAMES.lines().filter(|l| !l.starts_with('#') && !l.is_empty()).count();
        assert_eq!(seen.len(), lines);
        seen.sort_unstable();
        assert!(seen.windows(2).all(|w| w[0] != w[1]), "{seen:?}");
    }

    #[test]
    fn darker_is_darker_and_warmer_is_nearer_to_orange() {
        let blue = Color::hex(0x2060c0);
        assert!(moved(blue, Way::Darker, 0.12).to_oklch().l < blue.to_oklch().l - 0.1);
        assert!(moved(Color::hex(0xf0f0f0), Way::Warmer, 0.12).to_oklch().is_warm());
        assert!(!moved(Color::hex(0xf0f0f0), Way::Cooler, 0.12).to_oklch().is_warm());
        assert!(moved(blue, Way::Muted, 0.12).to_oklch().c < blue.to_oklch().c);
    }
}
