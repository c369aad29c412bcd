//! Converts paragraphs and tables of the body to blocks.

use std::ops::ControlFlow;

use render_core::limits;

use super::numbering::Numbering;
use super::runs::{Runs, UNREAD};
use super::styles::{Role, Styles, listed, outline};
use crate::ingest::file::blocks::{Block, Line};
use crate::ingest::file::grid::COLUMNS;
use crate::ingest::file::xml::Element;

/// Characters of a data table's longest cell; a table with a longer one is layout.
const CELL: usize = 300;
/// Nesting depth of text boxes.
const BOXES: usize = 4;

/// Reads the body.
pub(super) struct Body<'a> {
    styles: &'a Styles,
    numbering: Numbering,
    boxes: usize,
    pub blocks: Vec<Block>,
}

impl<'a> Body<'a> {
    pub fn new(styles: &'a Styles, numbering: Numbering) -> Self {
        Self { styles, numbering, boxes: 0, blocks: Vec::new() }
    }

    /// Reads a child of the body, until the document's block limit is reached.
    pub fn take(&mut self, element: &Element) -> ControlFlow<()> {
        match &*element.name {
            "p" => self.paragraph(element),
            "tbl" => self.table(element),
            name if UNREAD.contains(&name) || is_contents(element) => {}
            // Content controls, insertions and the like.
            _ => element.children().try_for_each(|child| self.take(child))?,
        }
        if self.blocks.len() > limits::DOCUMENT_BLOCKS { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }

    fn paragraph(&mut self, paragraph: &Element) {
        let own = paragraph.child("pPr");
        let named = own.and_then(|p| p.child("pStyle")).and_then(|e| e.attr("val"));
        let style = self.styles.of_paragraph(named);
        let role = own.and_then(outline).filter(|_| style.role == Role::Body).unwrap_or(style.role);
        // The look of headings and quotations comes from their style and is not emphasis.
        let emphasis = if role == Role::Body { style.emphasis } else { style.emphasis.plain() };
        let mut runs = Runs::new(self.styles, emphasis);
        runs.take(paragraph);
        let Runs { line, boxes, .. } = runs;
        let list = own.and_then(listed).or(style.list).filter(|(id, _)| self.numbering.has(id));
        if !line.is_blank() {
            match (role, list) {
                (Role::Aside, _) => {}
                (Role::Title, _) => self.blocks.push(Block::Title(line)),
                (Role::Heading(level), _) => self.blocks.push(Block::Heading(level, line)),
                (_, Some((id, level))) => {
                    let number = self.numbering.count(&id, level);
                    self.blocks.push(Block::Item(level, number, line));
                }
                (Role::Quote, None) => self.blocks.push(Block::Quote(line)),
                (Role::Body, None) => self.blocks.push(Block::Paragraph(line)),
            }
        }
        if self.boxes < BOXES {
            self.boxes += 1;
            for content in boxes {
                let _ = content.children().try_for_each(|child| self.take(child));
            }
            self.boxes -= 1;
        }
    }

    fn table(&mut self, table: &Element) {
        let rows = rows(table);
        let mut cells: Vec<Vec<String>> = Vec::new();
        let (mut long, mut nested) = (false, false);
        for row in rows.iter().take(limits::TABLE_ROWS + 1) {
            let mut read: Vec<String> = Vec::new();
            for cell in row {
                let properties = cell.child("tcPr");
                let merge = properties.and_then(|p| p.child("vMerge"));
                // The lower part of a merged cell repeats its upper part.
                let continues = merge.is_some_and(|m| m.attr("val") != Some("restart"));
                let above = cells.last().and_then(|above: &Vec<String>| above.get(read.len())).cloned();
                let text = match above.filter(|_| continues) {
                    Some(above) => above,
                    None => self.cell(cell),
                };
                long |= text.chars().count() > CELL;
                nested |= cell.find("tbl").is_some();
                let across = properties.and_then(|p| p.child("gridSpan")).and_then(|e| e.number("val")).unwrap_or(1);
                let across = across.clamp(1, COLUMNS);
                read.extend(std::iter::repeat_n(text, across.min(COLUMNS.saturating_sub(read.len()))));
            }
            cells.push(read);
        }
        let columns = cells.iter().map(Vec::len).max().unwrap_or(0);
        if long || nested || columns < 2 || cells.len() < 2 {
            // A layout table is read cell by cell.
            for cell in rows.into_iter().flatten() {
                if cell.children().try_for_each(|child| self.take(child)).is_break() {
                    return;
                }
            }
        } else if cells.iter().flatten().any(|cell| !cell.is_empty()) {
            self.blocks.push(Block::Table(cells));
        }
    }

    /// Returns the words of a cell in one line.
    fn cell(&self, cell: &Element) -> String {
        let mut texts = Vec::new();
        let mut open: Vec<&Element> = vec![cell];
        while let Some(element) = open.pop() {
            if &*element.name == "p" {
                let named = element.at(&["pPr", "pStyle"]).and_then(|e| e.attr("val"));
                let mut runs = Runs::new(self.styles, self.styles.of_paragraph(named).emphasis);
                runs.take(element);
                texts.push(Line::text(&runs.line));
            } else if !UNREAD.contains(&&*element.name) {
                let deeper = open.len();
                open.extend(element.children());
                open[deeper..].reverse();
            }
        }
        texts.retain(|text| !text.is_empty());
        texts.join(" ")
    }
}

/// Returns the rows of a table as cells, including those in content controls; skips deleted rows.
fn rows(table: &Element) -> Vec<Vec<&Element>> {
    fn collect<'a>(holder: &'a Element, name: &str, out: &mut Vec<&'a Element>) {
        for child in holder.children() {
            match &*child.name {
                found if found == name => out.push(child),
                "sdt" | "sdtContent" | "ins" | "customXml" => collect(child, name, out),
                _ => {}
            }
        }
    }
    let (mut found, mut rows) = (Vec::new(), Vec::new());
    collect(table, "tr", &mut found);
    for row in found.into_iter().filter(|row| row.at(&["trPr", "del"]).is_none()) {
        let mut cells = Vec::new();
        collect(row, "tc", &mut cells);
        rows.push(cells);
    }
    rows
}

/// Returns whether a content control holds a table of contents.
fn is_contents(element: &Element) -> bool {
    let gallery = element.at(&["sdtPr", "docPartObj", "docPartGallery"]).and_then(|e| e.attr("val"));
    gallery.is_some_and(|gallery| matches!(gallery, "Table of Contents" | "Bibliographies"))
}
