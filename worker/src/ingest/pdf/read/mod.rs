//! Reads a PDF as Markdown with the offset of each page. It runs in the sandbox, because parsers may crash.
//!
//! hayro reports which glyphs are drawn where. Everything else is derived from their positions, and from the file's
//! tags if their order is plausible.

mod blocks;
mod figures;
mod file;
mod fonts;
mod forms;
mod furniture;
mod lines;
mod markdown;
mod marks;
mod noise;
mod order;
mod page;
mod picture;
mod script;
mod tables;
mod tagged;
mod tags;
#[cfg(test)]
mod tests;

use hayro_interpret::InterpreterCache;
use serde::{Deserialize, Serialize};

pub use self::figures::photograph;
pub use self::file::PdfFault;
pub use self::picture::Figure;

use self::blocks::{Block, Words};
use self::file::{opened, text_string};
use self::fonts::{Fonts, Verdict};
use self::furniture::Sheet;
use self::marks::Mark;
use self::order::Item;
use self::script::is_cjk;

/// A PDF's text.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Read {
    /// The title in the file's metadata.
    pub title: Option<String>,
    /// The author in the file's metadata.
    pub author: Option<String>,
    /// The text, in reading order.
    pub markdown: String,
    /// The byte offset of each page in the Markdown.
    pub pages: Vec<usize>,
    /// The pictures that may lead the document, the likeliest first.
    pub figures: Vec<Figure>,
}

/// Pages that are read: the first ones.
const PAGES: usize = 200;
/// A document with fewer letters has no text.
const LETTERS: usize = 24;
/// With so many letters, a text counts even beside more unknown glyphs, up to `UNKNOWN` for each letter. Fewer are the
/// labels of figures.
const ENOUGH: usize = 400;
const UNKNOWN: usize = 10;

/// Reads a PDF.
///
/// # Errors
/// [`PdfFault`].
pub fn read(bytes: &[u8]) -> Result<Read, PdfFault> {
    let pdf = opened(bytes)?;
    let pages = pdf.pages();
    if pages.is_empty() {
        return Err(PdfFault::Invalid);
    }
    let cache = InterpreterCache::new();
    let mut left = page::most_glyphs();
    let mut fonts = Fonts::default();
    let mut drawn = Vec::with_capacity(pages.len().min(PAGES));
    let places = tags::places(&pdf);
    for (number, page) in pages.iter().take(PAGES).enumerate() {
        // The pages before are enough text.
        let Some(page) = page::read(&pdf, page, places.get(number), &cache, &mut fonts, &mut left) else { break };
        drawn.push(page);
    }
    if drawn.is_empty() {
        return Err(PdfFault::TooComplex);
    }
    drop_noise(&mut drawn, &fonts.judged());
    let known = drawn.iter().flat_map(|d| &d.glyphs).filter(|g| g.text.chars().any(char::is_alphanumeric)).count();
    let unknown: usize = drawn.iter().map(|d| d.unknown).sum();
    if known < LETTERS || known < unknown && (known < ENOUGH || unknown > UNKNOWN * known) {
        return Err(PdfFault::NoText);
    }
    let metadata = pdf.metadata();
    let said = |bytes: &Option<Box<[u8]>>| bytes.as_deref().map(text_string).filter(|t| !t.is_empty());
    let (title, author) = (said(&metadata.title), said(&metadata.author));
    let figures = figures::candidates(&drawn);
    let (markdown, pages) = text(drawn);
    Ok(Read { title, author, markdown, pages, figures })
}

/// Removes glyphs that are not text, and counts them as unknown.
fn drop_noise(drawn: &mut [page::Drawn], verdicts: &[Verdict]) {
    for page in drawn {
        let before = page.glyphs.len();
        page.glyphs.retain(|g| match verdicts[g.font] {
            Verdict::Text => true,
            Verdict::Said => !g.guessed,
            Verdict::Noise => false,
        });
        page.unknown += before - page.glyphs.len();
    }
}

/// Returns the pieces of a page from top to bottom, with their parts if its tags order it.
fn pieces(glyphs: Vec<page::Glyph>, marks: &[Mark]) -> Vec<lines::Piece> {
    let parts = match tagged::parts(glyphs, marks) {
        Ok(parts) => parts,
        Err(glyphs) => return lines::pieces(glyphs),
    };
    let of_part = |(n, part)| lines::pieces(part).into_iter().map(move |p| lines::Piece { part: Some(n), ..p });
    let mut pieces: Vec<_> = parts.into_iter().enumerate().flat_map(of_part).collect();
    pieces.sort_by(|a, b| a.y.total_cmp(&b.y).then(a.x0.total_cmp(&b.x0)));
    pieces
}

fn text(drawn: Vec<page::Drawn>) -> (String, Vec<usize>) {
    let mut rules = Vec::new();
    let mut sheets: Vec<Sheet> = Vec::new();
    for page in drawn {
        rules.push(page.rules);
        sheets.push(Sheet { pieces: pieces(page.glyphs, &page.marks), height: page.height });
    }
    let body = lines::most(sheets.iter().flat_map(|s| &s.pieces).flat_map(|p| {
        // A size is weighted by its letters, in tens.
        std::iter::repeat_n(p.size, p.text.chars().count().div_ceil(10))
    }));
    drop_furniture(&mut sheets, body);
    let words = Words::new(sheets.iter().flat_map(|s| &s.pieces).map(|p| p.text.as_str()));
    let rtl = is_rtl(&sheets);

    let mut parts: Vec<(usize, Block)> = Vec::new();
    for (number, (mut sheet, rules)) in sheets.into_iter().zip(rules).enumerate() {
        let tables = tables::tables(&mut sheet.pieces, &rules);
        let placed = tables.iter().enumerate().map(|(n, t)| Item::Table(n, t.bounds, t.part));
        let items = sheet.pieces.into_iter().map(Item::Piece).chain(placed).collect();
        for group in order::ordered(items, rtl) {
            let mut found = Vec::new();
            blocks::blocks(group, &tables, body, &words, &mut found);
            for (i, (block, continues)) in found.into_iter().enumerate() {
                let before = parts.last_mut().map(|(_, b)| b);
                if i > 0 || !continues || !joined(before, &block, &words) {
                    parts.push((number, block));
                }
            }
        }
    }
    let levels = markdown::Levels::new(parts.iter().map(|(_, b)| b));
    let (mut out, mut pages) = (String::new(), Vec::new());
    for (number, block) in &parts {
        while pages.len() <= *number {
            pages.push(out.len());
        }
        markdown::write(block, &levels, &mut out);
    }
    (out, pages)
}

/// Removes furniture, unless the pages contain nothing else: then it is their text.
fn drop_furniture(sheets: &mut [Sheet], body: f32) {
    let whole: Vec<Vec<lines::Piece>> = sheets.iter().map(|s| s.pieces.clone()).collect();
    furniture::drop_furniture(sheets, body);
    let left = sheets.iter().flat_map(|s| &s.pieces).flat_map(|p| p.text.chars());
    if left.filter(|c| c.is_alphanumeric()).take(LETTERS).count() < LETTERS {
        sheets.iter_mut().zip(whole).for_each(|(sheet, pieces)| sheet.pieces = pieces);
    }
}

/// Returns whether most letters belong to a right-to-left script.
fn is_rtl(sheets: &[Sheet]) -> bool {
    let letters = || sheets.iter().flat_map(|s| &s.pieces).flat_map(|p| p.text.chars()).filter(|c| c.is_alphabetic());
    2 * letters().filter(|c| matches!(c, '\u{590}'..='\u{8ff}')).count() > letters().count()
}

/// Joins a paragraph to the previous one if a column or page ended within a sentence.
fn joined(before: Option<&mut Block>, block: &Block, words: &Words) -> bool {
    let (Some(Block::Paragraph(before) | Block::Item { text: before, .. }), Block::Paragraph(text)) = (before, block)
    else {
        return false;
    };
    let goes_on = text.starts_with(|c: char| c.is_lowercase() || c.is_ascii_digit() || is_cjk(c));
    if blocks::ends(before) || !goes_on {
        return false;
    }
    *before = words.joined([before.as_str(), text.as_str()].into_iter());
    true
}
