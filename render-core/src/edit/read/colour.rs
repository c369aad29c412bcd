//! Colours by name, and variants of colours: darker, warmer, paler.

use crate::scene::Color;
use crate::scene::color::Oklch;

/// Names and colours: the CSS names as separate words, and other everyday names. Each name occurs once.
static NAMES: &str = include_str!("words/colours.txt");

/// The direction in which a colour is changed.
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

/// The OKLCH hues, in degrees, towards which colours get warmer or cooler.
const ORANGE: f32 = 60.0;
const BLUE: f32 = 245.0;

/// Returns every name with its colour.
pub(super) fn names() -> impl Iterator<Item = (&'static str, Color)> {
    NAMES.lines().filter(|l| !l.starts_with('#')).filter_map(|l| {
        let (name, hex) = l.rsplit_once(' ')?;
        Some((name, Color::parse(hex)?))
    })
}

/// Returns a colour changed one way. `by` is the step in lightness, from 0 to 1, which other directions scale to their
/// own units. A plain "darker" is 0.12.
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

/// Turns a colour's hue towards `to` in proportion to `by` and adds a little chroma. A grey gets the hue at once.
fn turned(lch: Oklch, to: f32, by: f32) -> Oklch {
    if lch.is_grey() {
        return Oklch { c: lch.c.max(0.02) + 0.15 * by, h: to, l: lch.l.clamp(0.06, 0.975) };
    }
    let apart = (to - lch.h + 540.0).rem_euclid(360.0) - 180.0;
    let turn = apart.clamp(-250.0 * by, 250.0 * by);
    Oklch { c: lch.c + 0.08 * by, h: (lch.h + turn).rem_euclid(360.0), ..lch }
}

/// Returns the shade of a named colour that a word beside it asks for: "dark red", "light blue", "pale green".
pub(super) fn shade(color: Color, dark: bool, pale: bool) -> Color {
    let lch = color.to_oklch();
    let to = match (dark, pale) {
        (true, _) => Oklch { l: (lch.l * 0.62).min(0.4), c: lch.c * 0.8, ..lch },
        (_, true) => Oklch { l: lch.l.max(0.9), c: lch.c.min(0.06), ..lch },
        _ => Oklch { l: (lch.l + 0.22).clamp(0.8, 0.93), c: lch.c * 0.55, ..lch },
    };
    to.to_color()
}

/// Returns whether a background of this colour is dark.
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
