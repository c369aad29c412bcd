//! The tokens of a style: what its type, space, colour and art are made of. Each style has a file of its own in `styles`.

use super::palette::Branding;
use super::{Field, Palette, Recipe};
use crate::content::Language;
use crate::icon::IconSet;
use crate::outline::PageKind;
use crate::scene::Color;
use crate::text::{Family, Fonts};

/// The tokens of a style.
#[derive(Debug, Clone, Copy)]
pub struct Theme {
    /// Where it stands among the styles, from 0.
    pub rank: u32,
    /// How it looks and what suits it, for authors.
    pub about: &'static str,
    /// Families to choose from, the style's first choice first.
    pub faces: &'static [Faces],
    /// Families where none of those has the characters, tried in order before the fallback list fills in.
    pub stand_ins: &'static [Faces],
    /// Families for Japanese where the style has its own, with the Latin among it.
    pub japanese: Option<Faces>,
    /// Distance of text from the canvas's edge in du.
    pub margin: f32,
    /// Corner radius of cards and bars in du.
    pub radius: f32,
    /// Width of rules in du.
    pub rule: f32,
    /// Width of the strokes of charts, icons and rails in du.
    pub stroke: f32,
    /// Art for pages that lead, as seeds are dealt it.
    pub lead_art: &'static [Recipe],
    /// How list items are numbered.
    pub numerals: Numerals,
    /// The family that its icons come from.
    pub icons: IconSet,
    /// How the last words of a headline are told apart.
    pub flourish: Flourish,
    /// Distance of a fine frame from the canvas's edge in du, where the style draws one.
    pub frame: Option<f32>,
    /// Whether a page that stands alone and says where to go names its brand in the foot, beside the address.
    pub signs_low: bool,
    /// Whether headlines of pages with content stand on a band of the palette's field.
    pub band: bool,
    /// How tiles are drawn; `None` where the style rules off instead.
    pub card: Option<Card>,
    /// How the two sides of a divided page are told apart.
    pub cut: Cut,
    /// On how many fields a page of one point stands.
    pub fields: Fields,
    /// How tiles are coloured.
    pub tiles: Tiles,
    /// How points on rails and discs with numerals are drawn.
    pub nodes: Nodes,
    /// How pictures are drawn.
    pub manner: Manner,
    /// Puts a brand's colours where the style's schemes have colours of that part.
    pub brand: fn(Branding<'_>),
    /// The field of pages of a kind with art of a recipe, for a seed, on an upright (false) or a wide canvas (true), where
    /// the style has a habit.
    pub field: fn(PageKind, Recipe, u64, bool) -> Option<Field>,
    /// The art of pages of a kind, where the style has a habit.
    pub kind_art: fn(PageKind) -> Option<Recipe>,
    /// Whether Japanese covers are set in columns.
    pub columns: bool,
    /// Whether photographs beside the points of a set are seen between two colours of the palette.
    pub duotone: bool,
    /// How many hues a page may have before it looks restless.
    pub hues: f32,
    /// The share of the canvas that the largest empty rectangle of a page may have.
    pub emptiness: f32,
    /// How the grounds of a set follow one another.
    pub rhythm: Rhythm,
    /// What people call the style beside its name.
    pub called: &'static [&'static str],
    /// Colours of the style, by scheme: what each stands for, its palette says.
    pub schemes: &'static [&'static [u32]],
    /// The palette of a field from a scheme's colours.
    pub palette: fn(Field, &[Color]) -> Palette,
    /// Face, weight, tracking and leading of a voice.
    pub voices: fn(Voice, &Faces) -> Setting,
}

/// The families of a page.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Faces {
    /// The family of headlines and figures.
    pub display: Family,
    /// The family of all other text.
    pub body: Family,
    /// The family of data such as dates and counters; that of the body where a style has no third one.
    pub data: Family,
}

/// How a style draws pictures.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Manner {
    /// Flat fills.
    Flat,
    /// Flat fills in thick outlines.
    Outlined,
    /// Fine lines, and few fills.
    Line,
    /// Solids seen from above a corner, in three shades.
    Isometric,
}

impl Manner {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::Flat, Self::Outlined, Self::Line, Self::Isometric];

    /// Its name in the templates of pictures.
    pub fn name(self) -> &'static str {
        match self {
            Self::Flat => "flat",
            Self::Outlined => "outlined",
            Self::Line => "line",
            Self::Isometric => "isometric",
        }
    }
}

/// How the grounds of a set follow one another.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Rhythm {
    /// One ground, but for the slide that contrasts and the last one.
    Steady,
    /// Another ground on every slide.
    Fresh,
    /// One ground, and a mark in the accent that travels along the line that shows a slide's place.
    Travelling(Traveller),
}

/// The mark that travels through a set.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Traveller {
    /// A disc.
    Disc,
    /// A tab.
    Band,
    /// A thin tab.
    Rule,
}

/// How the items of a list are numbered.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Numerals {
    /// In the ink of supporting text.
    Plain,
    /// In the accent.
    Accent,
    /// In small italic Roman numerals, in the accent.
    Roman,
}

/// How the last words of a headline are told apart from the first.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Flourish {
    /// Not at all.
    None,
    /// In another face: its family, weight, and size against the headline's.
    Italic(Family, u16, f32),
    /// By a wavy line under one word.
    Squiggle,
    /// On a block of the headline's ink, in the colour of its ground, where the headline is all but alone.
    Block,
}

/// How the two sides of a page are told apart that sets one thing against another.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Cut {
    /// Two fields that meet in a straight edge.
    Straight,
    /// Two fields that meet in a wave.
    Wave,
    /// One field, and a rule across it.
    Rule,
}

/// On how many fields a page of one point stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fields {
    /// On one.
    One,
    /// On two: what supports the point has the second.
    Lower,
    /// On two: the point itself has the second.
    Upper,
}

/// How a style draws tiles.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Card {
    /// Width of the outline in du; 0 for none.
    pub stroke: f32,
    /// How far its hard shadow is shifted right and down in du; 0 for none.
    pub shadow: f32,
    /// How far tiles are turned at most, in degrees.
    pub tilt: f32,
}

/// How a style colours tiles.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Tiles {
    /// One in the accent, the others in the surface.
    One,
    /// Each in another of the art's colours.
    Flats,
}

/// How a style draws points on rails, and discs with numerals in them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Nodes {
    /// Rings; the one that is marked is filled with the accent.
    Ring,
    /// Likewise, and the one that is marked glows.
    Lit,
    /// Filled: with the ink, and the accent where it is marked. Squares where the style has no round corners.
    Solid,
    /// Filled with the colours of tiles, in an outline.
    Outlined,
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

impl Setting {
    /// `family` in its plain forms; Inter Tight's open 6 and 9 keep figures apart from each other in large sizes.
    pub(super) fn of(family: Family, weight: u16, tracking: f32, leading: f32) -> Self {
        Self { family, weight, tracking, leading, stylistic_set: u8::from(family == Family::InterTight) }
    }
}

impl Theme {
    /// The faces that `seed` picks among those that have every character of `text`; where none has, the style's own for
    /// its language, its stand-ins, else those that have most (the fallback list fills in the rest).
    pub fn choose_faces(&self, text: &str, language: &Language, seed: u64, fonts: &Fonts) -> Faces {
        let n = self.faces.len();
        let first = (super::drawn(seed, 1) % n as u64) as usize;
        let order = || (0..n).map(|i| self.faces[(first + i) % n]);
        let covers = |f: &Faces| fonts.covers_text(f.display, text) && fonts.covers_text(f.body, text);
        let own = || self.japanese.filter(|_| language.primary() == "ja");
        let stand_in = || self.stand_ins.iter().copied().find(covers);
        order().find(covers).or_else(own).or_else(stand_in).unwrap_or_else(|| {
            let missing =
                |f: &Faces| text.chars().filter(|c| !fonts.covers_text(f.display, c.encode_utf8(&mut [0; 4]))).count();
            order().min_by_key(missing).unwrap_or(self.faces[first])
        })
    }

    /// Face, weight, tracking and leading of a voice.
    pub fn setting(&self, voice: Voice, faces: &Faces) -> Setting {
        (self.voices)(voice, faces)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::design::Style;

    #[test]
    fn japanese_takes_the_face_that_the_style_has_for_it() {
        let fonts = Fonts::new();
        let language = |tag| Language::parse(tag).expect("a language");
        let chosen = |style, text, tag| Theme::of(style).choose_faces(text, &language(tag), 1, &fonts).display;
        assert_eq!(chosen(Style::MINIMAL, "眠りを深くする", "ja"), Family::ShipporiMincho);
        assert_ne!(chosen(Style::MINIMAL, "Deep sleep", "ja"), Family::ShipporiMincho);
        assert_ne!(chosen(Style::MINIMAL, "深层睡眠", "zh"), Family::ShipporiMincho);
        assert_ne!(chosen(Style::MODERN, "眠りを深くする", "ja"), Family::ShipporiMincho);
    }
}
