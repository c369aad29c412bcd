//! Decides whether a font file from outside may be used. Runs in the sandbox, because a malicious file may crash the
//! parser.
//!
//! The check performs every later operation on a face once, for every glyph and character, so a file that passes has
//! been read completely.

use std::sync::Arc;

use harfrust::{Buffer, Font, ShapeOptions, ShaperFont};
use skrifa::instance::{LocationRef, Size};
use skrifa::outline::{DrawSettings, OutlinePen};
use skrifa::raw::TableProvider;
use skrifa::raw::tables::os2::SelectionFlags;
use skrifa::string::StringId;
use skrifa::{FontRef, GlyphId, MetadataProvider, Tag};

use crate::limits::{FONT_BYTES, FONT_CHARACTERS, FONT_ELEMENTS, GLYPH_ELEMENTS};
use crate::text::character::is_invisible;

/// Why a font is rejected.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum FontFault {
    /// The file is neither sfnt nor WOFF.
    #[error("it is not a TrueType, OpenType or WOFF font")]
    NotAFont,
    /// The file holds several faces.
    #[error("it is a font collection: split it into one file per face")]
    Collection,
    /// Larger than [`FONT_BYTES`], compressed or decompressed.
    #[error("it is larger than {} MiB", FONT_BYTES >> 20)]
    TooLarge,
    /// The WOFF file can't be decompressed.
    #[error("it can't be decompressed: {0}")]
    Packed(String),
    /// A table is missing or can't be read.
    #[error("its table {0} is missing or broken")]
    Table(&'static str),
    /// Its owner forbids embedding (OS/2 `fsType`).
    #[error("its licence forbids embedding")]
    Restricted,
    /// A name, measure or weight is out of range.
    #[error("its {0} is invalid")]
    Senseless(&'static str),
    /// A glyph can't be drawn.
    #[error("its glyph {0} can't be drawn")]
    Glyph(u32),
    /// More points or characters than any real face needs.
    #[error("its outlines have too many points, or it has too many characters")]
    TooComplex,
    /// A character maps to a missing glyph.
    #[error("it maps U+{0:04X} to a glyph that it doesn't have")]
    Map(u32),
    /// No character has an outline; the face may consist of pictures.
    #[error("none of its characters has an outline")]
    Empty,
    /// The substitutions or positions can't be applied.
    #[error("its shaping rules can't be applied")]
    Shaping,
}

/// The description in a face.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Description {
    pub family: String,
    pub weight: u16,
}

/// Longest name of a family, in characters.
const NAME_CHARS: usize = 64;
/// Number of characters that are shaped at once.
const SAMPLE: usize = 48;

/// Returns the plain sfnt file of the one face in `bytes` (TrueType or OpenType, bare or in WOFF or WOFF2), after
/// reading every glyph and character. For a variable face, this checks the default instance.
///
/// This takes up to several seconds. A malicious file may make it panic or exhaust memory, so run it in a process of
/// its own.
///
/// # Errors
/// [`FontFault`].
pub fn check_font(bytes: &[u8]) -> Result<Vec<u8>, FontFault> {
    if bytes.len() > FONT_BYTES {
        return Err(FontFault::TooLarge);
    }
    let sfnt = match bytes {
        [b'w', b'O', b'F', b'2', ..] => wuff::decompress_woff2(bytes).map_err(packed)?,
        [b'w', b'O', b'F', b'F', ..] => wuff::decompress_woff1(bytes).map_err(packed)?,
        _ => bytes.to_vec(),
    };
    match &sfnt[..] {
        [0, 1, 0, 0, ..] | [b'O', b'T', b'T', b'O', ..] | [b't', b'r', b'u', b'e', ..] => {}
        [b't', b't', b'c', b'f', ..] => return Err(FontFault::Collection),
        _ => return Err(FontFault::NotAFont),
    }
    if sfnt.len() > FONT_BYTES {
        return Err(FontFault::TooLarge);
    }
    let font = FontRef::new(&sfnt).map_err(|_| FontFault::NotAFont)?;
    describe(&font)?;
    tables(&font)?;
    let inked = outlines(&font)?;
    let characters = characters(&font, &inked)?;
    shape(Font::new(harfrust::font::Blob::Shared(Arc::new(sfnt.clone())), 0), &characters)?;
    Ok(sfnt)
}

fn packed(e: wuff::WuffErr) -> FontFault {
    FontFault::Packed(e.to_string())
}

/// Returns the family and weight of a face.
pub(super) fn describe(font: &FontRef) -> Result<Description, FontFault> {
    let name = |id| font.localized_strings(id).english_or_first().map(|name| name.chars().collect::<String>());
    let family = name(StringId::TYPOGRAPHIC_FAMILY_NAME).or_else(|| name(StringId::FAMILY_NAME));
    let mut family = family.map(|name| name.trim().to_owned()).unwrap_or_default();
    if family.is_empty() || family.chars().count() > NAME_CHARS || family.contains(is_invisible) {
        return Err(FontFault::Senseless("family name"));
    }
    let os2 = font.os2().map_err(|_| FontFault::Table("OS/2"))?;
    // A family holds only upright faces, so italics form a family of their own.
    if os2.fs_selection().intersects(SelectionFlags::ITALIC | SelectionFlags::OBLIQUE) && !family.ends_with("Italic") {
        family.push_str(" Italic");
    }
    let weight = os2.us_weight_class();
    if !(1..=1000).contains(&weight) {
        return Err(FontFault::Senseless("weight"));
    }
    Ok(Description { family, weight: weight.clamp(100, 900) })
}

/// OpenType 1.9.1, "OS/2", fsType: of several permissions, the least restrictive one applies.
fn may_be_embedded(fs_type: u16) -> bool {
    const RESTRICTED: u16 = 0x2;
    const MORE: u16 = 0x4 | 0x8;
    const BITMAPS_ONLY: u16 = 0x200;
    (fs_type & RESTRICTED == 0 || fs_type & MORE != 0) && fs_type & BITMAPS_ONLY == 0
}

fn tables(font: &FontRef) -> Result<(), FontFault> {
    let os2 = font.os2().map_err(|_| FontFault::Table("OS/2"))?;
    if !may_be_embedded(os2.fs_type()) {
        return Err(FontFault::Restricted);
    }
    let head = font.head().map_err(|_| FontFault::Table("head"))?;
    if !(16..=16_384).contains(&head.units_per_em()) {
        return Err(FontFault::Senseless("em"));
    }
    let hhea = font.hhea().map_err(|_| FontFault::Table("hhea"))?;
    // No real face has lines more than four em apart.
    let most = 4 * i32::from(head.units_per_em());
    let (ascent, descent) = (hhea.ascender().to_i16(), hhea.descender().to_i16());
    if i32::from(ascent).abs() > most || i32::from(descent).abs() > most {
        return Err(FontFault::Senseless("line height"));
    }
    let glyphs = font.maxp().map_err(|_| FontFault::Table("maxp"))?.num_glyphs();
    let advances = font.hmtx().map_err(|_| FontFault::Table("hmtx"))?;
    if (0..u32::from(glyphs)).any(|g| advances.advance(GlyphId::new(g)).is_none()) {
        return Err(FontFault::Table("hmtx"));
    }
    font.cmap().map_err(|_| FontFault::Table("cmap"))?;
    font.name().map_err(|_| FontFault::Table("name"))?;
    let there = |tag: &[u8; 4]| font.table_data(Tag::new(tag)).is_some();
    // These tables are optional, but must be valid if present.
    if there(b"GSUB") && font.gsub().is_err() {
        return Err(FontFault::Table("GSUB"));
    }
    if there(b"GPOS") && font.gpos().is_err() {
        return Err(FontFault::Table("GPOS"));
    }
    if there(b"GDEF") && font.gdef().is_err() {
        return Err(FontFault::Table("GDEF"));
    }
    Ok(())
}

/// Returns for each glyph whether it has an outline.
fn outlines(font: &FontRef) -> Result<Vec<bool>, FontFault> {
    let glyphs = font.outline_glyphs();
    let count = font.maxp().map_err(|_| FontFault::Table("maxp"))?.num_glyphs();
    let mut inked = vec![false; count.into()];
    let mut all = 0;
    for (id, glyph) in glyphs.iter() {
        let mut pen = Counter::default();
        glyph
            .draw(DrawSettings::unhinted(Size::unscaled(), LocationRef::default()), &mut pen)
            .map_err(|_| FontFault::Glyph(id.to_u32()))?;
        all += pen.elements;
        if let Some(inked) = inked.get_mut(id.to_u32() as usize) {
            *inked = pen.elements > 0;
        }
        if pen.elements > GLYPH_ELEMENTS || all > FONT_ELEMENTS {
            return Err(FontFault::TooComplex);
        }
        if pen.wild {
            return Err(FontFault::Glyph(id.to_u32()));
        }
    }
    Ok(inked)
}

/// Returns every character that has an outline.
fn characters(font: &FontRef, inked: &[bool]) -> Result<Vec<char>, FontFault> {
    let mut characters = Vec::new();
    for (code, glyph) in font.charmap().mappings() {
        let inked = inked.get(glyph.to_u32() as usize).ok_or(FontFault::Map(code))?;
        characters.extend(char::from_u32(code).filter(|_| *inked));
        if characters.len() > FONT_CHARACTERS {
            return Err(FontFault::TooComplex);
        }
    }
    if characters.is_empty() { Err(FontFault::Empty) } else { Ok(characters) }
}

/// Shapes every character next to its neighbours, in both directions.
fn shape(font: Option<Font>, characters: &[char]) -> Result<(), FontFault> {
    let font = font.ok_or(FontFault::Shaping)?;
    let shaper = ShaperFont::new(&font);
    let mut buffer = Buffer::new();
    for sample in characters.chunks(SAMPLE) {
        for backwards in [false, true] {
            buffer.clear();
            let forwards: String = sample.iter().collect();
            buffer.push_str(&if backwards { forwards.chars().rev().collect() } else { forwards });
            buffer.guess_segment_properties();
            harfrust::shape(&shaper, &mut buffer, ShapeOptions::new()).map_err(|_| FontFault::Shaping)?;
        }
    }
    Ok(())
}

/// Counts the points of an outline.
#[derive(Default)]
struct Counter {
    elements: usize,
    /// Whether a coordinate isn't a number.
    wild: bool,
}

impl Counter {
    fn add(&mut self, coordinates: &[f32]) {
        self.elements += 1;
        self.wild |= coordinates.iter().any(|v| !v.is_finite());
    }
}

impl OutlinePen for Counter {
    fn move_to(&mut self, x: f32, y: f32) {
        self.add(&[x, y]);
    }

    fn line_to(&mut self, x: f32, y: f32) {
        self.add(&[x, y]);
    }

    fn quad_to(&mut self, cx: f32, cy: f32, x: f32, y: f32) {
        self.add(&[cx, cy, x, y]);
    }

    fn curve_to(&mut self, ax: f32, ay: f32, bx: f32, by: f32, x: f32, y: f32) {
        self.add(&[ax, ay, bx, by, x, y]);
    }

    fn close(&mut self) {}
}
