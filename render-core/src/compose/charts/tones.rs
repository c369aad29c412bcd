//! The colours of data: one series or bar in the accent, the others quiet, each seen on its ground.

use super::super::setter::Setter;
use crate::scene::Color;

/// A mark is told from its ground by this contrast at least (WCAG 2.2, 1.4.11).
const SEEN: f32 = 3.0;
/// A quiet mark's chroma at most.
const GREY: f32 = 0.05;
/// A field is told from the ground by this contrast.
const FIELD: f32 = 1.12;
/// Colours nearer than this in OKLab are one at a glance.
const APART: f32 = 0.1;
/// Letters of the shortest stem that words are told by, and what a stem leaves of a word.
const STEM: usize = 4;
const ENDING: usize = 2;

/// The colours of a chart.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(in crate::compose) struct Tones {
    /// The marks that matter.
    pub hero: Color,
    /// Their words.
    pub hero_text: Color,
    /// The marks that they are held against.
    pub quiet: Color,
    /// The ground that a share is a part of.
    pub track: Color,
}

impl Tones {
    /// Those of a page, on its ground.
    pub fn of(setter: &Setter<'_>) -> Self {
        let p = &setter.page.palette;
        let outlined = setter.theme.card.is_some_and(|card| card.stroke > 0.0);
        // The style's own greys where they are seen; a colour would be a second hero.
        let grey = |c: &Color| c.to_oklch().c <= GREY && c.contrast(p.bg) >= SEEN;
        let own = || [p.line, p.accent2].into_iter().find(grey);
        let mixed = || (9..20).map(|n| p.ink2.alpha(0.05 * n as f32).over(p.bg)).find(|c| c.contrast(p.bg) >= SEEN);
        // In an outline anything is seen.
        let pastel = || p.art.into_iter().find(|c| apart(*c, p.accent) && apart(*c, p.bg)).filter(|_| outlined);
        let track = [p.surface, p.tint].into_iter().find(|c| c.contrast(p.bg) >= FIELD).unwrap_or(p.line);
        let seen = |c: &Color| c.contrast(p.bg) >= 1.35 && apart(*c, track);
        Self {
            hero: [p.accent, p.accent2].into_iter().find(seen).unwrap_or(p.ink),
            hero_text: p.accent_text,
            quiet: pastel().or_else(own).or_else(mixed).unwrap_or(p.ink2),
            track,
        }
    }
}

/// Whether two colours are told apart at a glance.
fn apart(a: Color, b: Color) -> bool {
    let (a, b) = (a.to_oklab(), b.to_oklab());
    let squares = (0..3).map(|i| (a[i] - b[i]) * (a[i] - b[i])).sum::<f32>();
    squares >= APART * APART
}

/// Which of some names a headline names first; by the stems of their words, so that "mulch" names the mulched bed.
pub(in crate::compose) fn mentioned<'a>(
    headline: &str,
    names: impl Iterator<Item = (usize, &'a str)>,
) -> Option<usize> {
    let headline = headline.to_lowercase();
    let starts = |stem: &str| {
        let mut found = headline.match_indices(stem).map(|(at, _)| at);
        found.find(|at| headline[..*at].chars().next_back().is_none_or(|c| !c.is_alphanumeric()))
    };
    let place = |name: &str| {
        let name = name.to_lowercase();
        let words = name.split(|c: char| !c.is_alphanumeric()).filter(|w| w.chars().count() >= STEM);
        let stems = words.map(|w| {
            let letters = w.chars().count();
            w.chars().take(letters.saturating_sub(ENDING).max(STEM)).collect::<String>()
        });
        // A short name is looked for as it stands.
        let whole = starts(name.trim()).filter(|at| {
            let behind = headline[at + name.trim().len()..].chars().next();
            !name.trim().is_empty() && behind.is_none_or(|c| !c.is_alphanumeric())
        });
        stems.filter_map(|s| starts(&s)).chain(whole).min()
    };
    let placed = names.filter_map(|(i, name)| Some((place(name)?, i)));
    placed.min().map(|(_, i)| i)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn named(headline: &str, names: &[&str]) -> Option<usize> {
        mentioned(headline, names.iter().copied().enumerate())
    }

    #[test]
    fn the_first_that_is_named_counts() {
        assert_eq!(named("Cloud spend grows three times as fast as revenue", &["Revenue", "Cloud"]), Some(1));
        assert_eq!(named("Beds under mulch need half the water", &["Bare soil", "Mulched"]), Some(1));
        assert_eq!(named("Beds need water", &["Bare soil", "Mulched"]), None);
        assert_eq!(named("Why the UK leads", &["US", "UK"]), Some(1));
        assert_eq!(named("The focus moved", &["US", "UK"]), None);
        assert_eq!(named("", &["", "a"]), None);
    }
}
