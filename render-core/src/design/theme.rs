//! What a style sets its type and space in: the tokens behind [`Style`].

use super::{Faces, Recipe, Style};
use crate::content::Language;
use crate::text::{Family, Fonts};

/// The tokens of a style.
#[derive(Debug, Clone, Copy)]
pub struct Theme {
    /// The style.
    pub style: Style,
    /// Families to choose from, the style's first choice first.
    pub faces: &'static [Faces],
    /// Families for Japanese where the style has its own, with the Latin among it.
    pub japanese: Option<Faces>,
    /// Distance of text from the canvas's edge in du.
    pub margin: f32,
    /// Corner radius of cards and bars in du.
    pub radius: f32,
    /// Width of rules in du.
    pub rule: f32,
    /// Art for pages that lead, first choice first.
    pub lead_art: &'static [Recipe],
    /// Whether list items carry numerals in the accent.
    pub accent_numerals: bool,
}

/// The part that a text plays on its page; a style gives each part a face.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Voice {
    /// Headlines and quotations.
    Display,
    /// Large figures and numerals: the display face, its digits set so that they don't touch.
    Figure,
    /// Heads within a page.
    Head,
    /// Running text.
    Body,
    /// Labels and everything small.
    Label,
    /// Numerals, counters, dates.
    Data,
}

/// Weight, tracking and leading of a voice.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Setting {
    /// The family.
    pub family: Family,
    /// Weight, 100–900.
    pub weight: u16,
    /// Letter spacing in em at large sizes.
    pub tracking: f32,
    /// Distance of baselines as a multiple of the size.
    pub leading: f32,
    /// The face's stylistic set; 0 for its plain forms.
    pub stylistic_set: u8,
}

const MODERN: Theme = Theme {
    style: Style::Modern,
    faces: &[
        Faces { display: Family::Manrope, body: Family::Manrope, data: Family::Manrope },
        Faces { display: Family::HankenGrotesk, body: Family::HankenGrotesk, data: Family::HankenGrotesk },
    ],
    japanese: None,
    margin: 72.0,
    radius: 28.0,
    rule: 2.0,
    lead_art: &[Recipe::Mosaic, Recipe::Contours],
    accent_numerals: true,
};

const MINIMAL: Theme = Theme {
    style: Style::Minimal,
    faces: &[
        Faces { display: Family::InstrumentSerif, body: Family::InstrumentSans, data: Family::InstrumentSans },
        Faces { display: Family::InterTight, body: Family::InterTight, data: Family::InterTight },
    ],
    japanese: Some(Faces {
        display: Family::ShipporiMincho,
        body: Family::ShipporiMincho,
        data: Family::ShipporiMincho,
    }),
    margin: 88.0,
    radius: 0.0,
    rule: 2.0,
    lead_art: &[Recipe::Arc],
    accent_numerals: false,
};

const DARK: Theme = Theme {
    style: Style::Dark,
    faces: &[
        Faces { display: Family::SpaceGrotesk, body: Family::SpaceGrotesk, data: Family::GeistMono },
        Faces { display: Family::Geist, body: Family::Geist, data: Family::GeistMono },
    ],
    japanese: None,
    margin: 76.0,
    radius: 32.0,
    rule: 3.0,
    lead_art: &[Recipe::Limb, Recipe::Contours],
    accent_numerals: true,
};

impl Theme {
    /// The tokens of `style`.
    pub fn of(style: Style) -> &'static Self {
        match style {
            Style::Modern => &MODERN,
            Style::Minimal => &MINIMAL,
            Style::Dark => &DARK,
        }
    }

    /// The faces that `seed` picks among those that have every character of `text`; where none has, the style's own for
    /// its language, else those that have most (the fallback list fills in the rest).
    pub fn choose_faces(&self, text: &str, language: &Language, seed: u64, fonts: &Fonts) -> Faces {
        let n = self.faces.len();
        // Palettes are picked by the low bits of the seed: other bits keep faces from being tied to colours.
        let first = ((seed >> 7) % n as u64) as usize;
        let order = || (0..n).map(|i| self.faces[(first + i) % n]);
        let covers = |f: &Faces| fonts.covers_text(f.display, text) && fonts.covers_text(f.body, text);
        let own = || self.japanese.filter(|_| language.primary() == "ja");
        order().find(covers).or_else(own).unwrap_or_else(|| {
            let missing =
                |f: &Faces| text.chars().filter(|c| !fonts.covers_text(f.display, c.encode_utf8(&mut [0; 4]))).count();
            order().min_by_key(missing).unwrap_or(self.faces[first])
        })
    }

    /// Face, weight, tracking and leading of a voice.
    pub fn setting(&self, voice: Voice, faces: &Faces) -> Setting {
        use Voice::{Body, Data, Display, Figure, Head, Label};
        let of = |family, weight, tracking, leading| {
            // Inter Tight's open 6 and 9 keep figures apart from each other in large sizes.
            let stylistic_set = u8::from(family == Family::InterTight);
            Setting { family, weight, tracking, leading, stylistic_set }
        };
        let (d, b, m) = (faces.display, faces.body, faces.data);
        match (self.style, voice) {
            (_, Figure) => Setting { tracking: -0.012, ..self.setting(Display, faces) },
            (Style::Modern, Display) if d == Family::HankenGrotesk => of(d, 700, -0.042, 1.0),
            (Style::Modern, Display) => of(d, 800, -0.046, 1.0),
            (Style::Modern, Head) => of(b, 700, -0.02, 1.16),
            (Style::Modern, Body) => of(b, 500, -0.01, 1.38),
            (Style::Modern, Label) => of(b, 600, -0.01, 1.3),
            (Style::Modern, Data) => of(m, 700, -0.01, 1.0),
            (Style::Minimal, Display) if d == Family::ShipporiMincho => of(d, 500, 0.03, 1.3),
            (Style::Minimal, Head) if b == Family::ShipporiMincho => of(b, 700, 0.03, 1.4),
            (Style::Minimal, Body) if b == Family::ShipporiMincho => of(b, 500, 0.04, 1.7),
            (Style::Minimal, Label) if b == Family::ShipporiMincho => of(b, 500, 0.05, 1.3),
            (Style::Minimal, Data) if m == Family::ShipporiMincho => of(m, 500, 0.03, 1.0),
            (Style::Minimal, Display) if d == Family::InstrumentSerif => of(d, 400, -0.02, 1.0),
            (Style::Minimal, Display) => of(d, 600, -0.024, 1.04),
            (Style::Minimal, Head) => of(b, 600, -0.004, 1.2),
            (Style::Minimal, Body) => of(b, 400, -0.004, 1.38),
            (Style::Minimal, Label) => of(b, 500, 0.0, 1.3),
            (Style::Minimal, Data) => of(m, 400, 0.0, 1.0),
            (Style::Dark, Display) if d == Family::Geist => of(d, 600, -0.034, 1.0),
            (Style::Dark, Display) => of(d, 600, -0.046, 0.98),
            (Style::Dark, Head) => of(b, 600, -0.014, 1.16),
            (Style::Dark, Body) => of(b, if b == Family::Geist { 400 } else { 500 }, -0.01, 1.36),
            (Style::Dark, Label) => of(b, 500, -0.01, 1.3),
            (Style::Dark, Data) => of(m, 500, -0.03, 1.0),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn japanese_takes_the_face_that_the_style_has_for_it() {
        let fonts = Fonts::new();
        let language = |tag| Language::parse(tag).expect("a language");
        let chosen = |style, text, tag| Theme::of(style).choose_faces(text, &language(tag), 1 << 7, &fonts).display;
        assert_eq!(chosen(Style::Minimal, "眠りを深くする", "ja"), Family::ShipporiMincho);
        assert_ne!(chosen(Style::Minimal, "Deep sleep", "ja"), Family::ShipporiMincho);
        assert_ne!(chosen(Style::Minimal, "深层睡眠", "zh"), Family::ShipporiMincho);
        assert_ne!(chosen(Style::Modern, "眠りを深くする", "ja"), Family::ShipporiMincho);
    }
}
