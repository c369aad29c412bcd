//! Emphasis: what a style does to words that the source emphasises.

use super::inks::Inks;
use super::setter::{Setter, Spec};
use crate::design::{Archetype, Field, Style, Voice};
use crate::scene::Color;
use crate::text::FaceId;

/// How much heavier emphasised words of running text are.
const HEAVIER: u16 = 200;
/// An italic may be so much lighter than letters whose weight an edit asked for.
const LIGHTER: u16 = 100;
/// Inks whose contrast is below this are one ink to the eye.
const SEEN: f32 = 1.5;
/// A band differs from its ground at least this much, and its ink from it as small text must.
const BAND: (f32, f32) = (1.12, 4.5);

/// How emphasised words are set.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Accent {
    /// Their face, where it is another one.
    pub face: Option<FaceId>,
    /// Their ink.
    pub color: Color,
    /// The band behind them.
    pub band: Option<Color>,
}

impl Accent {
    /// How `words` of a text set as `spec` in `face` are emphasised; `None` where the style has no way that would be seen.
    pub fn of(setter: &Setter<'_>, spec: &Spec<'_>, face: FaceId, words: &str) -> Option<Self> {
        let page = setter.page;
        let p = &page.palette;
        let (voice, ink) = (spec.voice, spec.color);
        let plain = Self { face: None, color: ink, band: None };
        // On a field of its own, the accent is what reads there.
        let accent = spec.ground.map_or(p.accent_text, |ground| Inks::on(ground, ink, p).accent);
        let loud = if spec.ground.is_some() { ink } else { p.ink };
        let colored = (accent.contrast(ink) >= SEEN).then_some(Self { color: accent, ..plain });
        let band = || {
            let ground = spec.ground.unwrap_or(p.bg);
            let fits = |c: &Color| c.contrast(ground) >= BAND.0 && ink.contrast(*c) >= BAND.1;
            let by_field = match page.field {
                Field::Accent => [p.on_accent, p.accent2, p.surface],
                Field::Base | Field::Close => [p.accent2, p.tint, p.surface],
            };
            let band = by_field.into_iter().chain([p.accent, p.accent2]).chain(p.art).find(fits)?;
            Some(Self { band: Some(band), ..plain })
        };
        match (voice, page.style) {
            // Said aloud: the stress of a voice, as a reader would mark it.
            (Voice::Display, Style::Modern) if page.archetype == Archetype::Quote => band(),
            // A field of the accent leaves the accent's ink none.
            (Voice::Display, Style::Modern | Style::Dark | Style::Playful | Style::Corporate) => colored.or_else(band),
            (Voice::Display, Style::Bold) => band().or(colored),
            (Voice::Display, Style::Minimal | Style::Elegant | Style::Creative) => {
                // Most scripts have no italic; one face for some of the words would be a mistake to the eye.
                let covers = |f: &FaceId| setter.fonts.covers_text(setter.fonts.family(*f), words);
                // Nor has every weight one: beside letters that an edit made heavy, its strokes would be another voice's.
                let weight = setter.fonts.weight(face);
                let asked = page.adjust.weight(spec.slot).is_some();
                let keeps = |f: &FaceId| !asked || setter.fonts.weight(*f).abs_diff(weight) <= LIGHTER;
                match setter.fonts.italic(face).filter(covers).filter(keeps) {
                    Some(italic) => Some(Self { face: Some(italic), ..plain }),
                    None => colored.or_else(band),
                }
            }
            (Voice::Head, _) => colored,
            (Voice::Body, _) => {
                let (family, weight) = (setter.fonts.family(face), setter.fonts.weight(face));
                let heavier = setter.fonts.face(family, weight + HEAVIER);
                Some(Self { face: Some(heavier), color: loud, ..plain })
            }
            (Voice::Figure | Voice::Label | Voice::Data, _) => None,
        }
    }
}
