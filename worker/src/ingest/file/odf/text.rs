//! Converts headings, paragraphs, lists and tables to blocks. Skips tracked deletions, notes, comments, indexes and
//! hidden text.

use std::ops::ControlFlow;

use render_core::limits;

use super::sheets;
use super::styles::{Resolved, Styles};
use crate::ingest::file::blocks::{Block, Line, Style};
use crate::ingest::file::xml::{Element, Node};

/// Elements whose text is not part of the document's words.
const UNREAD: [&str; 19] = [
    "tracked-changes",
    "note",
    "annotation",
    "annotation-end",
    "table-of-content",
    "illustration-index",
    "table-index",
    "object-index",
    "user-index",
    "alphabetical-index",
    "bibliography",
    "sequence-decls",
    "variable-decls",
    "user-field-decls",
    "forms",
    "hidden-text",
    "hidden-paragraph",
    "ruby-text",
    "notes",
];

/// Reads the body of a text, or the pages of a presentation.
pub(super) struct Text<'a> {
    styles: &'a Styles,
    pub blocks: Vec<Block>,
}

/// The position of a paragraph in lists.
#[derive(Clone, Copy, Default)]
struct Place<'a> {
    /// The style of the outermost list that specifies one.
    style: Option<&'a str>,
    /// Number of lists around it.
    depth: usize,
    number: Option<u64>,
}

impl<'a> Text<'a> {
    pub fn new(styles: &'a Styles) -> Self {
        Self { styles, blocks: Vec::new() }
    }

    /// Reads a child of the body, until the document's block limit is reached.
    pub fn take(&mut self, element: &Element) -> ControlFlow<()> {
        self.block(element, Place::default());
        if self.blocks.len() > limits::DOCUMENT_BLOCKS { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }

    fn block(&mut self, element: &Element, place: Place<'_>) {
        match &*element.name {
            "h" => self.paragraph(element, Some(element.number("outline-level").unwrap_or(1)), place),
            "p" => self.paragraph(element, None, place),
            "list" => self.list(element, place),
            "table" => {
                if !self.styles.hides(element.attr("style-name")) {
                    self.table(element);
                }
            }
            name if UNREAD.contains(&name) => {}
            "section" if element.attr("display").is_some_and(|display| display != "true") => {}
            // Sections, frames, text boxes and groups.
            _ => element.children().for_each(|child| self.block(child, place)),
        }
    }

    fn paragraph(&mut self, element: &Element, outline: Option<usize>, place: Place<'_>) {
        let style = self.styles.resolve(element.attr("style-name"));
        let mut words = Words { styles: self.styles, line: Line::default(), boxes: Vec::new() };
        // The look of headings and quotations comes from their style and is not emphasis.
        let is_set_off = outline.is_some() || style.is_title || style.is_quote;
        let of_words =
            Resolved { bold: style.bold && !is_set_off, italic: style.italic && !is_set_off, ..style.clone() };
        words.take(element, &of_words);
        let Words { line, boxes, .. } = words;
        if !line.is_blank() && !style.is_aside {
            self.blocks.push(match outline {
                Some(level) => Block::Heading(level.clamp(1, 9) as u8, line),
                None if style.is_title => Block::Title(line),
                None if place.depth > 0 => Block::Item(place.depth - 1, place.number, line),
                None if style.is_quote => Block::Quote(line),
                None => Block::Paragraph(line),
            });
        }
        for content in boxes {
            content.children().for_each(|child| self.block(child, Place::default()));
        }
    }

    fn list(&mut self, list: &Element, around: Place<'_>) {
        let style = list.attr("style-name").or(around.style);
        let depth = around.depth + 1;
        let mut number = self.styles.start(style, depth);
        for item in list.children().filter(|e| matches!(&*e.name, "list-item" | "list-header")) {
            if let (Some(number), Some(start)) = (&mut number, item.number("start-value")) {
                *number = start as u64;
            }
            let mut place = Place { style, depth, number: number.filter(|_| &*item.name == "list-item") };
            for child in item.children() {
                let before = self.blocks.len();
                self.block(child, place);
                // Further paragraphs of an item have no number.
                if matches!(&*child.name, "p" | "h") && self.blocks.len() > before {
                    place.number = None;
                }
            }
            number = number.map(|number| number.saturating_add(1));
        }
    }

    fn table(&mut self, table: &Element) {
        let cells = sheets::cells(table, |cell| self.words(cell));
        let columns = cells.iter().map(Vec::len).max().unwrap_or(0);
        let long = cells.iter().flatten().any(|cell| cell.text.chars().count() > 300);
        if columns < 2 || cells.len() < 2 || long {
            // A layout table is read cell by cell.
            table.children().for_each(|row| self.block(row, Place::default()));
        } else {
            let rows = cells.into_iter().map(|row| row.into_iter().map(|cell| cell.text).collect());
            self.blocks.push(Block::Table(rows.collect()));
        }
    }

    /// Returns the words of a cell in one line. It does not read the contents as blocks, which would read nested tables
    /// again at every level.
    fn words(&self, cell: &Element) -> String {
        let (mut texts, mut open) = (Vec::new(), vec![cell]);
        while let Some(element) = open.pop() {
            match &*element.name {
                "p" | "h" => {
                    let mut words = Words { styles: self.styles, line: Line::default(), boxes: Vec::new() };
                    words.take(element, &self.styles.resolve(element.attr("style-name")));
                    texts.push(words.line.text());
                }
                name if UNREAD.contains(&name) => {}
                _ => {
                    let deeper = open.len();
                    open.extend(element.children());
                    open[deeper..].reverse();
                }
            }
        }
        texts.retain(|text| !text.is_empty());
        texts.join(" ")
    }

    /// Reads a page of a presentation, its title first.
    pub fn slide(&mut self, page: &Element) -> ControlFlow<()> {
        if &*page.name != "page" {
            return ControlFlow::Continue(());
        }
        let class = |frame: &Element| frame.attr("class").map(str::to_owned);
        let (titles, rest): (Vec<&Element>, Vec<&Element>) =
            page.children().partition(|frame| class(frame).as_deref() == Some("title"));
        for frame in titles {
            let text = frame.children().map(Element::text).collect::<Vec<_>>().join(" ");
            let line = Line::plain(&text);
            if !line.is_blank() {
                self.blocks.push(Block::Heading(1, line));
            }
        }
        for frame in rest {
            let is_furniture =
                class(frame).is_some_and(|c| matches!(&*c, "header" | "footer" | "date-time" | "page-number"));
            if !is_furniture {
                self.block(frame, Place::default());
            }
        }
        if self.blocks.len() > limits::DOCUMENT_BLOCKS { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }
}

/// The words of a paragraph.
struct Words<'a> {
    styles: &'a Styles,
    line: Line,
    /// Text boxes that are anchored in it.
    boxes: Vec<&'a Element>,
}

impl<'a> Words<'a> {
    fn take(&mut self, holder: &'a Element, style: &Resolved) {
        if style.hidden {
            return;
        }
        let shown = Style { bold: style.bold, italic: style.italic };
        for node in &holder.nodes {
            let element = match node {
                // Line ends and tabs belong to the file's formatting, not to the author's text.
                Node::Text(text) => {
                    self.line.push(&text.replace(['\n', '\r', '\t'], " "), shown);
                    continue;
                }
                Node::Element(element) => element,
            };
            match &*element.name {
                "s" => self.line.push(" ", shown),
                "tab" => self.line.push(" ", shown),
                "line-break" => self.line.push("\n", shown),
                "span" => {
                    let own = self.styles.resolve(element.attr("style-name"));
                    let inner = Resolved {
                        bold: own.bold || style.bold,
                        italic: own.italic || style.italic,
                        hidden: own.hidden,
                        ..Resolved::default()
                    };
                    self.take(element, &inner);
                }
                "frame" | "custom-shape" | "g" => self.boxes.extend(element.find("text-box")),
                name if UNREAD.contains(&name) => {}
                _ => self.take(element, style),
            }
        }
    }
}
