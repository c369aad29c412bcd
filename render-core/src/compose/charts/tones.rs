//! The colours of data: one series or bar in the accent, the others quiet, each seen on its ground.

use super::super::setter::Setter;
use crate::scene::Color;

/// A mark is told from its ground by this contrast at least (WCAG 2.2, 1.4.11).
const SEEN: f32 = 3.0;
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
        let mixed = |share: f32| p.ink2.alpha(share).over(p.bg);
        // The style's own relatives of the accent where they are seen and can't be taken for it; else grey.
        let apart = |c: &Color| c.contrast(p.bg) >= SEEN && c.contrast(p.accent) >= 1.4;
        let quiet =
            [p.line, p.accent2].into_iter().find(apart).filter(|_| !setter.theme.card.is_some_and(|c| c.stroke > 0.0));
        let grey = || [0.45, 0.55, 0.65, 0.8].map(mixed).into_iter().find(|c| c.contrast(p.bg) >= SEEN);
        let hero = if p.accent.contrast(p.bg) >= 1.35 { p.accent } else { p.ink };
        Self {
            hero,
            hero_text: p.accent_text,
            quiet: quiet.or_else(grey).unwrap_or(p.ink2),
            track: if p.surface.contrast(p.bg) >= 1.12 { p.surface } else { p.line },
        }
    }
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
