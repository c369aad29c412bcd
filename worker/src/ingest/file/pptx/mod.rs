//! PowerPoint presentations (ISO/IEC 29500-1, clauses 19 and 21): each visible slide's title, then its texts and
//! tables. Notes, hidden slides, footers and slide numbers are skipped.

#[cfg(test)]
mod tests;

use super::archive::Archive;
use super::blocks::{Block, Line, Style};
use super::docx::main_part;
use super::fault::FileFault;
use super::grid::COLUMNS;
use super::text::Read;
use super::xlsx::targets;
use super::xml::{self, Element};
use super::{blocks, properties};

/// Slides that are read.
const SLIDES: usize = 300;
/// A text box with one paragraph of more characters is not a list item.
const ITEM: usize = 160;

/// Reads a file.
///
/// # Errors
/// [`FileFault`].
pub(super) fn read(file: &[u8]) -> Result<Read, FileFault> {
    let mut archive = Archive::open(file)?;
    let main = main_part(&mut archive)?;
    let presentation = xml::tree(&archive.needed(&main)?)?;
    let targets = targets(&mut archive, &main)?;
    let ids = presentation.child("sldIdLst").into_iter().flat_map(Element::children);
    // The relationship's ID is the second attribute `id`, with a prefix of its own.
    let parts: Vec<&String> =
        ids.filter_map(|slide| slide.attrs("id").find_map(|id| targets.get(id))).take(SLIDES).collect();
    let mut all = Vec::new();
    let mut before = String::new();
    for (place, part) in parts.into_iter().enumerate() {
        let Some(text) = archive.text(part)? else { continue };
        let slide = xml::tree(&text)?;
        if matches!(slide.attr("show"), Some("0" | "false")) {
            continue;
        }
        let read = Slide::of(&slide);
        if let Some(title) = read.title {
            let text = title.text();
            // Skips the title of a slide that continues the previous one.
            if text != before {
                all.push(if place == 0 && read.is_cover { Block::Title(title) } else { Block::Heading(1, title) });
            }
            before = text;
        }
        all.extend(read.blocks);
    }
    let said = properties::core(&mut archive)?;
    Ok(Read { author: None, language: said.language, markdown: blocks::markdown(&all, said.title.as_deref()) })
}

/// The content of a slide.
#[derive(Default)]
struct Slide {
    title: Option<Line>,
    /// Whether it is a title slide, by the kind of its title.
    is_cover: bool,
    blocks: Vec<Block>,
}

impl Slide {
    fn of(slide: &Element) -> Self {
        let mut read = Self::default();
        if let Some(shapes) = slide.at(&["cSld", "spTree"]) {
            read.shapes(shapes);
        }
        read
    }

    fn shapes(&mut self, holder: &Element) {
        for shape in holder.children() {
            let is_hidden = shape.children().filter_map(|c| c.child("cNvPr")).any(|p| p.attr("hidden") == Some("1"));
            if is_hidden {
                continue;
            }
            match &*shape.name {
                "sp" => self.shape(shape),
                "grpSp" => self.shapes(shape),
                "AlternateContent" => shape.child("Choice").into_iter().for_each(|choice| self.shapes(choice)),
                "graphicFrame" => {
                    if let Some(table) = shape.find("tbl") {
                        self.table(table);
                    }
                }
                _ => {}
            }
        }
    }

    fn shape(&mut self, shape: &Element) {
        let Some(body) = shape.child("txBody") else { return };
        let placeholder = shape.at(&["nvSpPr", "nvPr", "ph"]);
        let kind = placeholder.map(|ph| ph.attr("type").unwrap_or("body"));
        match kind {
            Some("title" | "ctrTitle") if self.title.is_none() => {
                let line = title(body);
                if !line.is_blank() {
                    self.title = Some(line);
                    self.is_cover = kind == Some("ctrTitle");
                }
            }
            Some("dt" | "ftr" | "hdr" | "sldNum") => {}
            // A content placeholder has bullets from its layout; a text box has only its own.
            Some("body" | "obj" | "half" | "qtr") => self.text(body, true),
            _ => self.text(body, false),
        }
    }

    fn text(&mut self, body: &Element, bulleted: bool) {
        let paragraphs: Vec<(&Element, Line)> = (body.children().filter(|e| &*e.name == "p"))
            .map(|paragraph| (paragraph, line(paragraph)))
            .filter(|(_, line)| !line.is_blank())
            .collect();
        let is_alone = paragraphs.len() == 1;
        let mut numbers: Vec<u64> = Vec::new();
        for (paragraph, line) in paragraphs {
            let properties = paragraph.child("pPr");
            let has = |name: &str| properties.is_some_and(|p| p.child(name).is_some());
            let level = properties.and_then(|p| p.number("lvl")).unwrap_or(0).min(8);
            let numbered = properties.and_then(|p| p.child("buAutoNum"));
            let number = numbered.map(|format| {
                if numbers.len() != level + 1 {
                    numbers.resize(level + 1, format.number("startAt").unwrap_or(1) as u64);
                }
                let number = numbers[level];
                numbers[level] += 1;
                number
            });
            let is_plain = has("buNone") || is_alone && line.text().chars().count() > ITEM;
            let is_item = number.is_some() || has("buChar") || has("buBlip") || bulleted && !is_plain && !is_alone;
            if number.is_none() {
                numbers.truncate(level);
            }
            self.blocks.push(if is_item { Block::Item(level, number, line) } else { Block::Paragraph(line) });
        }
    }

    fn table(&mut self, table: &Element) {
        let mut rows: Vec<Vec<String>> = Vec::new();
        for row in table.children().filter(|e| &*e.name == "tr") {
            let mut cells: Vec<String> = Vec::new();
            for cell in row.children().filter(|e| &*e.name == "tc").take(COLUMNS) {
                let is = |name: &str| matches!(cell.attr(name), Some("1" | "true"));
                // The other cells of a merged one are empty, so they repeat the first.
                let merged = match (is("hMerge"), is("vMerge")) {
                    (true, _) => cells.last().cloned(),
                    (_, true) => rows.last().and_then(|above| above.get(cells.len())).cloned(),
                    _ => None,
                };
                let own = || {
                    let paragraphs = cell.child("txBody").into_iter().flat_map(Element::children);
                    let texts = paragraphs.filter(|e| &*e.name == "p").map(|p| line(p).text());
                    texts.filter(|text| !text.is_empty()).collect::<Vec<_>>().join(" ")
                };
                cells.push(merged.unwrap_or_else(own));
            }
            rows.push(cells);
        }
        if rows.iter().flatten().any(|cell| !cell.is_empty()) {
            self.blocks.push(Block::Table(rows));
        }
    }
}

/// Returns the paragraphs of a title in one line.
fn title(body: &Element) -> Line {
    let mut whole = Line::default();
    for paragraph in body.children().filter(|e| &*e.name == "p") {
        whole.push(&line(paragraph).text(), Style::default());
        whole.push(" ", Style::default());
    }
    whole
}

/// The words of a paragraph.
fn line(paragraph: &Element) -> Line {
    let mut line = Line::default();
    for part in paragraph.children() {
        match &*part.name {
            "r" | "fld" => {
                let is_computed = part.attr("type").is_some_and(|t| t == "slidenum" || t.starts_with("datetime"));
                let properties = part.child("rPr");
                let is = |name: &str| properties.and_then(|p| p.attr(name)).is_some_and(|v| v == "1" || v == "true");
                let struck = properties.and_then(|p| p.attr("strike")).is_some_and(|strike| strike != "noStrike");
                if let (Some(text), false, false) = (part.child("t"), struck, is_computed) {
                    line.push(&text.text(), Style { bold: is("b"), italic: is("i") });
                }
            }
            "br" => line.push("\n", Style::default()),
            _ => {}
        }
    }
    line
}
