//! Converts a chapter to blocks. Chapters contain content only, so there is no page furniture to remove as on the web.

use crate::ingest::file::blocks::{Block, Line, Style, squeezed};
use crate::ingest::file::grid::COLUMNS;
use crate::ingest::file::xml::{Element, Node};

/// Elements whose words are skipped.
const UNREAD: [&str; 15] = [
    "head",
    "script",
    "style",
    "nav",
    "svg",
    "math",
    "audio",
    "video",
    "object",
    "iframe",
    "del",
    "s",
    "rt",
    "rp",
    "figcaption",
];
/// Inline elements.
const IN_LINE: [&str; 26] = [
    "a", "abbr", "b", "bdi", "bdo", "big", "cite", "code", "dfn", "em", "font", "i", "ins", "kbd", "mark", "q", "ruby",
    "samp", "small", "span", "strong", "sub", "sup", "tt", "u", "var",
];

/// Returns the blocks of a chapter.
pub(super) fn blocks(chapter: &Element) -> Vec<Block> {
    let mut reader = Reader::default();
    if let Some(body) = chapter.child("body") {
        reader.take(body, Style::default());
    }
    reader.flush();
    reader.blocks
}

#[derive(Default)]
struct Reader {
    blocks: Vec<Block>,
    line: Line,
    /// Open lists: the next number of each, `None` for bullets.
    lists: Vec<Option<u64>>,
    /// The number of the item, if the line is the first of one.
    item: Option<Option<u64>>,
    quotes: usize,
}

impl Reader {
    fn take(&mut self, holder: &Element, style: Style) {
        for node in &holder.nodes {
            match node {
                Node::Text(text) => self.line.push(&text.replace(['\n', '\r', '\t'], " "), style),
                Node::Element(element) => self.element(element, style),
            }
        }
    }

    fn element(&mut self, element: &Element, style: Style) {
        let name = element.name.to_ascii_lowercase();
        match &*name {
            name if UNREAD.contains(&name) || is_note(element) => {}
            "br" => self.line.push("\n", style),
            "b" | "strong" => self.take(element, Style { bold: true, ..style }),
            "i" | "em" | "cite" => self.take(element, Style { italic: true, ..style }),
            name if IN_LINE.contains(&name) => self.take(element, style),
            "h1" | "h2" | "h3" | "h4" | "h5" | "h6" => {
                self.flush();
                self.take(element, Style::default());
                let line = std::mem::take(&mut self.line);
                if !line.is_blank() {
                    self.blocks.push(Block::Heading(name.as_bytes()[1] - b'0', line));
                }
            }
            "ul" | "ol" => {
                self.flush();
                let start = element.number("start").unwrap_or(1) as u64;
                self.lists.push((&*name == "ol").then_some(start));
                self.take(element, style);
                self.flush();
                self.lists.pop();
            }
            "li" => {
                self.flush();
                let number = self.lists.last_mut().and_then(|next| {
                    let number = *next;
                    *next = number.map(|n| n.saturating_add(1));
                    number
                });
                self.item = Some(number);
                self.take(element, style);
                self.flush();
                self.item = None;
            }
            "blockquote" => {
                self.flush();
                self.quotes += 1;
                self.take(element, style);
                self.flush();
                self.quotes -= 1;
            }
            "table" => self.table(element),
            _ => {
                self.flush();
                self.take(element, style);
                self.flush();
            }
        }
    }

    /// Ends the current line.
    fn flush(&mut self) {
        let line = std::mem::take(&mut self.line);
        if line.is_blank() {
            return;
        }
        self.blocks.push(match self.item.take() {
            Some(number) => Block::Item(self.lists.len().saturating_sub(1), number, line),
            None if self.quotes > 0 => Block::Quote(line),
            None => Block::Paragraph(line),
        });
    }

    fn table(&mut self, table: &Element) {
        self.flush();
        let mut rows = Vec::new();
        let mut open: Vec<&Element> = vec![table];
        while let Some(element) = open.pop() {
            if &*element.name == "tr" {
                let cells = element.children().filter(|e| matches!(&*e.name, "td" | "th")).take(COLUMNS);
                rows.push(cells.map(|cell| squeezed(&cell.text())).collect::<Vec<_>>());
            } else if !matches!(&*element.name, "td" | "th" | "caption") {
                let deeper = open.len();
                open.extend(element.children());
                open[deeper..].reverse();
            }
        }
        let is_data = rows.len() > 1 && rows.iter().any(|row| row.len() > 1);
        if is_data && rows.iter().flatten().any(|cell| !cell.is_empty()) {
            self.blocks.push(Block::Table(rows));
        } else {
            // A layout table.
            for cell in rows.into_iter().flatten().filter(|cell| !cell.is_empty()) {
                self.blocks.push(Block::Paragraph(Line::plain(&cell)));
            }
        }
    }
}

/// Returns whether an element is a note, a reference to one, or the number of a printed page.
fn is_note(element: &Element) -> bool {
    const NOTES: [&str; 8] =
        ["footnote", "footnotes", "rearnote", "rearnotes", "endnote", "endnotes", "noteref", "pagebreak"];
    let kinds = [element.attr("type"), element.attr("role")];
    let mut names = kinds.into_iter().flatten().flat_map(str::split_whitespace);
    names.any(|kind| NOTES.contains(&kind.trim_start_matches("doc-")))
}
