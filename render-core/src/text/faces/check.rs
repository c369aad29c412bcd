//! Whether a font file from outside may be used: run within the sandbox, for what reads it may break.
//!
//! All that is later done with a face is done to it here, once for every glyph and character: what comes through has
//! been read as a whole.

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

/// Why a font isn't used.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum FontFault {
    /// Neither sfnt nor WOFF.
    #[error("it is no TrueType, OpenType or WOFF font")]
    NotAFont,
    /// Several faces in one file.
    #[error("it is a collection: take its faces apart first")]
    Collection,
    /// Over [`FONT_BYTES`], packed or unpacked.
    #[error("it is larger than {} MiB", FONT_BYTES >> 20)]
    TooLarge,
    /// WOFF that can't be unpacked.
    #[error("it can't be unpacked: {0}")]
    Packed(String),
    /// A table is missing or can't be read.
    #[error("its table {0} is missing or broken")]
    Table(&'static str),
    /// Its owner forbids embedding (OS/2 `fsType`).
    #[error("its licence forbids embedding")]
    Restricted,
    /// A name, measure or weight that can't be meant.
    #[error("its {0} can't be meant")]
    Senseless(&'static str),
    /// A glyph that can't be drawn.
    #[error("its glyph {0} can't be drawn")]
    Glyph(u32),
    /// More points or characters than any face needs.
    #[error("its outlines have too many points, or it has too many characters")]
    TooComplex,
    /// A character stands for a glyph that isn't there.
    #[error("it maps U+{0:04X} to a glyph that it doesn't have")]
    Map(u32),
    /// No character has an outline: a face of pictures, perhaps.
    #[error("none of its characters has an outline")]
    Empty,
    /// Its substitutions or positions can't be applied.
    #[error("its rules of shaping can't be applied")]
    Shaping,
}

/// What a face says of itself.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Description {
    pub family: String,
    pub weight: u16,
}

/// Characters of a family's name.
const NAME_CHARS: usize = 64;
/// Characters that are shaped at once.
const SAMPLE: usize = 48;

/// The plain sfnt file of one face within `bytes` (TrueType or OpenType, bare or in WOFF or WOFF2), after every glyph
/// and character of it was read. Of a variable face the default instance is meant.
///
/// It takes up to some seconds, and may panic or take too much memory where the file is made for that: it belongs into
/// a process of its own.
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

/// Family and weight of a face.
pub(super) fn describe(font: &FontRef) -> Result<Description, FontFault> {
    let name = |id| font.localized_strings(id).english_or_first().map(|name| name.chars().collect::<String>());
    let family = name(StringId::TYPOGRAPHIC_FAMILY_NAME).or_else(|| name(StringId::FAMILY_NAME));
    let mut family = family.map(|name| name.trim().to_owned()).unwrap_or_default();
    if family.is_empty() || family.chars().count() > NAME_CHARS || family.contains(is_invisible) {
        return Err(FontFault::Senseless("family name"));
    }
    let os2 = font.os2().map_err(|_| FontFault::Table("OS/2"))?;
    // A family stands upright: its italics are one of their own.
    if os2.fs_selection().intersects(SelectionFlags::ITALIC | SelectionFlags::OBLIQUE) && !family.ends_with("Italic") {
        family.push_str(" Italic");
    }
    let weight = os2.us_weight_class();
    if !(1..=1000).contains(&weight) {
        return Err(FontFault::Senseless("weight"));
    }
    Ok(Description { family, weight: weight.clamp(100, 900) })
}

/// OpenType 1.9.1, "OS/2", fsType: of several permissions the least restrictive holds.
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
    // Lines that stand more than four em apart were never meant.
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
    // What is there must be whole; most faces lack one or the other.
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

/// Whether each glyph has an outline.
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

/// Every character that has an outline.
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

/// Shapes every character beside its neighbours, from both sides.
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

/// Counts what an outline is made of.
#[derive(Default)]
struct Counter {
    elements: usize,
    /// A coordinate is no number.
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
