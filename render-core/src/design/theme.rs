//! The tokens of a style: its type, space, colour and art. Each style has a file in `styles`.

use super::palette::Branding;
use super::{Background, Palette, Recipe};
use crate::content::Language;
use crate::icon::IconSet;
use crate::outline::PageKind;
use crate::scene::Color;
use crate::text::{Family, Fonts};

/// The tokens of a style.
#[derive(Debug, Clone, Copy)]
pub struct Theme {
    /// Its position among the styles, from 0.
    pub rank: u32,
    /// Its look and the content that suits it, for authors.
    pub about: &'static str,
    /// Font families to choose from, the style's first choice first.
    pub faces: &'static [Faces],
    /// Families to use if none of `faces` has the characters, tried in order before the fallback list.
    pub stand_ins: &'static [Faces],
    /// Families for Japanese if the style has its own, with the Latin that matches.
    pub japanese: Option<Faces>,
    /// Distance of text from the canvas's edge in du.
    pub margin: f32,
    /// Corner radius of cards and bars in du.
    pub radius: f32,
    /// Width of rules in du.
    pub rule: f32,
    /// Width of the strokes of charts, icons and rails in du.
    pub stroke: f32,
    /// Art for leading pages; the seed picks one.
    pub lead_art: &'static [Recipe],
    /// How list items are numbered.
    pub numerals: Numerals,
    /// The icon set.
    pub icons: IconSet,
    /// How the last words of a headline are emphasised.
    pub flourish: Flourish,
    /// Distance of a fine frame from the canvas's edge in du, if the style draws one.
    pub frame: Option<f32>,
    /// Whether a single page with an address shows its brand in the foot, next to the address.
    pub signs_low: bool,
    /// Whether headlines of pages with content get a band in the palette's field colour.
    pub band: bool,
    /// How tiles are drawn; `None` if the style uses rules instead.
    pub card: Option<Card>,
    /// How the two sides of a divided page are separated.
    pub cut: Cut,
    /// Number of backgrounds on a page of one point.
    pub fields: Fields,
    /// How tiles are coloured.
    pub tiles: Tiles,
    /// How points on rails and discs with numerals are drawn.
    pub nodes: Nodes,
    /// How pictures are drawn.
    pub manner: Manner,
    /// Puts a brand's colours in the places of the style's schemes with the same role.
    pub brand: fn(Branding<'_>),
    /// Returns the background of pages of a kind with art of a recipe, for a seed, on an upright (false) or a wide
    /// canvas (true), if the style prefers one.
    pub background: fn(PageKind, Recipe, u64, bool) -> Option<Background>,
    /// Returns the art of pages of a kind, if the style prefers one.
    pub kind_art: fn(PageKind) -> Option<Recipe>,
    /// Whether Japanese covers use vertical columns.
    pub columns: bool,
    /// Whether photographs next to the points of a set are drawn as duotones in two colours of the palette.
    pub duotone: bool,
    /// Number of hues that a page may have before it looks restless.
    pub hues: f32,
    /// Largest share of the canvas that may be an empty rectangle.
    pub emptiness: f32,
    /// How the backgrounds of a set follow one another.
    pub rhythm: Rhythm,
    /// Other names of the style.
    pub called: &'static [&'static str],
    /// Colours of the style, by scheme; `palette` gives each its role.
    pub schemes: &'static [&'static [u32]],
    /// Returns the palette of a background from a scheme's colours.
    pub palette: fn(Background, &[Color]) -> Palette,
    /// Returns font, weight, tracking and leading of a voice.
    pub voices: fn(Voice, &Faces) -> Setting,
}

/// The font families of a page.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Faces {
    /// The family of headlines and figures.
    pub display: Family,
    /// The family of all other text.
    pub body: Family,
    /// The family of data such as dates and counters; the body's family if a style has no third one.
    pub data: Family,
}

/// How a style draws pictures.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Manner {
    /// Flat fills.
    Flat,
    /// Flat fills in thick outlines.
    Outlined,
    /// Fine lines with few fills.
    Line,
    /// Solids in isometric view, in three shades.
    Isometric,
}

impl Manner {
    /// Every manner.
    pub const ALL: [Self; 4] = [Self::Flat, Self::Outlined, Self::Line, Self::Isometric];

    /// Returns its name in the templates of pictures.
    pub fn name(self) -> &'static str {
        match self {
            Self::Flat => "flat",
            Self::Outlined => "outlined",
            Self::Line => "line",
            Self::Isometric => "isometric",
        }
    }
}

/// How the backgrounds of a set follow one another.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Rhythm {
    /// One background, except on the contrasting slide and the last one.
    Steady,
    /// A different background on every slide.
    Fresh,
    /// One background, and a mark in the accent that moves along the progress line from slide to slide.
    Travelling(Traveller),
}

/// The mark that moves along the progress line.
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
    /// In the colour of supporting text.
    Plain,
    /// In the accent.
    Accent,
    /// As small italic Roman numerals, in the accent.
    Roman,
}

/// How the last words of a headline are emphasised.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Flourish {
    /// No emphasis.
    None,
    /// Another font: its family, weight, and size relative to the headline's.
    Italic(Family, u16, f32),
    /// A wavy line under one word.
    Squiggle,
    /// A block in the headline's ink behind the words, which take the background's colour, if the page has little else.
    Block,
}

/// How the two sides of a comparison are separated.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Cut {
    /// Two fields that meet at a straight edge.
    Straight,
    /// Two fields that meet at a wave.
    Wave,
    /// One field with a rule across it.
    Rule,
}

/// Number of backgrounds on a page of one point.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fields {
    /// One.
    One,
    /// Two; the support has the second.
    Lower,
    /// Two; the point itself has the second.
    Upper,
}

/// How a style draws tiles.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Card {
    /// Width of the outline in du; 0 for none.
    pub stroke: f32,
    /// Offset of its hard shadow to the right and down in du; 0 for none.
    pub shadow: f32,
    /// Largest rotation of tiles, in degrees.
    pub tilt: f32,
}

/// How a style colours tiles.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Tiles {
    /// One in the accent, the others in the surface colour.
    One,
    /// Each in a different one of the art's colours.
    Flats,
}

/// How a style draws points on rails and discs with numerals.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Nodes {
    /// Rings; the highlighted one is filled with the accent.
    Ring,
    /// Like `Ring`, but the highlighted one glows.
    Lit,
    /// Filled with the ink, or with the accent if highlighted. Squares if the style has no round corners.
    Solid,
    /// Filled with the colours of tiles, with an outline.
    Outlined,
}

/// The typographic role of a text on its page; a style gives each role a font.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Voice {
    /// Headlines and quotations.
    Display,
    /// Large figures and numerals: the display font, spaced so that the digits don't touch.
    Figure,
    /// Heads within a page.
    Head,
    /// Running text.
    Body,
    /// Labels and all small text.
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
    /// The font's stylistic set; 0 for its plain forms.
    pub stylistic_set: u8,
}

impl Setting {
    /// Creates a setting with the plain forms of `family`. Only Inter Tight uses its open 6 and 9, so that figures stay
    /// distinct at large sizes.
    pub(super) fn of(family: Family, weight: u16, tracking: f32, leading: f32) -> Self {
        Self { family, weight, tracking, leading, stylistic_set: u8::from(family == Family::InterTight) }
    }
}

impl Theme {
    /// Returns the fonts that `seed` picks among those that have every character of `text`. If none has, returns the
    /// style's own for the language, then a stand-in, then the fonts that miss the fewest characters; the fallback list
    /// supplies the rest.
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

    /// Returns font, weight, tracking and leading of a voice.
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
