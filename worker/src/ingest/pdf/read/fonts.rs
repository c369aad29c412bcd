//! Maps glyphs to text: by the file's mapping, else by their font's, else by their codes if the result reads as words.

use std::collections::BTreeMap;

use hayro_interpret::font::Glyph as PdfGlyph;
use hayro_interpret::hayro_cmap::BfString;
use skrifa::{FontRef, MetadataProvider};

use super::noise::is_noise;

/// Characters of a font's text that are judged.
const SAMPLE: usize = 4_000;
/// Fonts of a document that are distinguished; the rest is judged as one.
const FONTS: usize = 1_000;
/// Glyphs that suffice to show that a font uses standard codes.
const USUAL: usize = 20;
/// The codes 11 to 15 of TeX's text fonts: ligatures.
const TEX: [&str; 5] = ["ff", "fi", "fl", "ffi", "ffl"];

/// The fonts of a document.
#[derive(Debug, Default)]
pub struct Fonts {
    numbers: BTreeMap<u128, usize>,
    all: Vec<Font>,
}

/// The keys of fonts that have no key of their own.
const TYPE_1: u128 = 1;
const TYPE_3: u128 = 3;

#[derive(Debug, Default)]
struct Font {
    /// Its own character map, by glyph ID.
    own: BTreeMap<u32, char>,
    bold: bool,
    /// The beginning of its text.
    sample: String,
    glyphs: usize,
    guessed: usize,
    /// Glyphs whose mapping in the file equals that of their code.
    usual: usize,
}

/// The text of a glyph.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Meaning {
    pub text: String,
    /// Whether only the code suggests it.
    pub guessed: bool,
}

impl Fonts {
    /// Returns the number of a glyph's font. All fonts of Type 1 share one number, and so do those of Type 3.
    pub fn number(&mut self, glyph: &PdfGlyph<'_>) -> usize {
        let (key, data) = match glyph {
            PdfGlyph::Outline(outline) => match outline.font_data() {
                Some(data) => (data.cache_key, Some(data)),
                None => (TYPE_1, None),
            },
            PdfGlyph::Type3(_) => (TYPE_3, None),
        };
        if let Some(number) = self.numbers.get(&key) {
            return *number;
        }
        let mut font = Font::default();
        if let Some(data) = data {
            let named = |name: &str| ["Bold", "Black", "Heavy", "Semibold", "Demi"].iter().any(|b| name.contains(b));
            font.bold = data.weight.is_some_and(|w| w >= 600) || data.postscript_name.as_deref().is_some_and(named);
            font.own = own(data.data.as_ref().as_ref());
        }
        if self.all.len() < FONTS {
            self.all.push(font);
        }
        let number = self.all.len() - 1;
        self.numbers.insert(key, number);
        number
    }

    /// Returns whether the glyphs of a font are drawings (Type 3).
    pub fn is_drawn(&self, font: usize) -> bool {
        self.numbers.get(&TYPE_3) == Some(&font)
    }

    /// Returns whether a font is bold.
    pub fn is_bold(&self, font: usize) -> bool {
        self.all[font].bold
    }

    /// Returns the text of a glyph of a font.
    pub fn meaning(&mut self, font: usize, glyph: &PdfGlyph<'_>) -> Option<Meaning> {
        let font = &mut self.all[font];
        font.glyphs += 1;
        let (said, guess) = (mapped(glyph).or_else(|| font.own(glyph)), guessed(glyph.char_code()));
        font.usual += usize::from(said.is_some() && said == guess);
        let said = said.map(|text| Meaning { text, guessed: false });
        let meaning = said.or_else(|| guess.map(|text| Meaning { text, guessed: true }))?;
        font.guessed += usize::from(meaning.guessed);
        if font.sample.len() < SAMPLE {
            font.sample.push_str(&meaning.text);
        }
        Some(meaning)
    }

    /// Judges which fonts yield text, and whether their guesses count.
    pub fn judged(&self) -> Vec<Verdict> {
        self.all.iter().map(Font::judged).collect()
    }
}

/// Which glyphs of a font are text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verdict {
    /// All.
    Text,
    /// Those that aren't guessed.
    Said,
    /// Nothing.
    Noise,
}

impl Font {
    fn own(&self, glyph: &PdfGlyph<'_>) -> Option<String> {
        let PdfGlyph::Outline(outline) = glyph else { return None };
        self.own.get(&outline.glyph_id().to_u32()).map(|c| c.to_string())
    }

    fn judged(&self) -> Verdict {
        let mostly = 2 * self.guessed > self.glyphs;
        // If the known codes are standard, the unknown ones are too.
        let usual = self.usual >= USUAL && 10 * self.usual >= 9 * (self.glyphs - self.guessed);
        match is_noise(&self.sample, mostly) {
            false if mostly || usual || self.guessed == 0 => Verdict::Text,
            true if !mostly || self.guessed == self.glyphs => Verdict::Noise,
            _ => Verdict::Said,
        }
    }
}

/// Returns the file's mapping of a glyph.
fn mapped(glyph: &PdfGlyph<'_>) -> Option<String> {
    let text = match glyph.as_unicode()? {
        BfString::Char(c) => c.to_string(),
        BfString::String(s) => s,
    };
    let nothing = |c: char| matches!(c, '\0'..='\u{8}' | '\u{fffd}');
    (!text.chars().all(nothing) || text.is_empty()).then_some(text)
}

/// Returns the characters of a font file, by glyph ID.
fn own(file: &[u8]) -> BTreeMap<u32, char> {
    let mut own = BTreeMap::new();
    let Ok(font) = FontRef::new(file) else { return own };
    for (code, glyph) in font.charmap().mappings() {
        let c = char::from_u32(code).filter(|c| !matches!(c, '\0'..='\u{1f}' | '\u{e000}'..='\u{f8ff}'));
        // Of several characters with one glyph, the first is the usual one.
        if let Some(c) = c {
            own.entry(glyph.to_u32()).or_insert(c);
        }
    }
    own
}

/// Returns the text of a code in ASCII, Windows-1252 or TeX's text fonts.
fn guessed(code: u32) -> Option<String> {
    match code {
        11..=15 => Some(TEX[code as usize - 11].to_owned()),
        0x20..=0x7e | 0xa0..=0xff => char::from_u32(code).map(String::from),
        0x80..=0x9f => {
            let byte = u8::try_from(code).ok()?;
            Some(encoding_rs::WINDOWS_1252.decode_without_bom_handling(&[byte]).0.into_owned())
        }
        0x100.. => char::from_u32(code).filter(|c| c.is_alphanumeric()).map(String::from),
        _ => None,
    }
}
