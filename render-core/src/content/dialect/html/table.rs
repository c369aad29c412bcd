//! A table of HTML on its way to rows of Markdown.

use super::tags::{Kind, Tag};

/// Most columns.
const COLUMNS: usize = 24;

/// A table that is being written.
#[derive(Debug, Clone, PartialEq, Default)]
pub(super) struct Table {
    /// Cells of the row that is open.
    cells: usize,
    in_row: bool,
    in_cell: bool,
    rows: usize,
}

impl Table {
    /// The table between two tags, where it holds data: two rows or more of two cells or more, and neither a table nor a
    /// list within. Any other arranges a page.
    pub fn of(tags: &[Tag<'_>]) -> Option<Self> {
        let mut rows: Vec<usize> = Vec::new();
        for tag in tags.iter().filter(|t| t.kind != Kind::Close) {
            match tag.name.as_str() {
                "table" | "ul" | "ol" | "pre" | "h1" | "h2" | "h3" => return None,
                "tr" => rows.push(0),
                "td" | "th" => *rows.last_mut()? += 1,
                _ => {}
            }
        }
        let widest = rows.iter().copied().max().unwrap_or(0);
        let full = rows.iter().filter(|n| **n >= 2).count();
        (full >= 2 && widest <= COLUMNS).then(Self::default)
    }

    /// A row begins.
    pub fn row(&mut self, prefix: &str) -> String {
        let before = self.end_row();
        self.in_row = true;
        self.cells = 0;
        format!("{before}\n{prefix}| ")
    }

    /// A cell begins that takes some columns.
    pub fn cell(&mut self, columns: usize) -> String {
        let before = self.end_cell();
        let begun = if self.in_row { String::new() } else { self.row("") };
        let columns = columns.clamp(1, COLUMNS);
        self.cells += columns;
        self.in_cell = true;
        format!("{before}{begun}{}", "| ".repeat(columns - 1))
    }

    /// The open cell ends, if there is one.
    pub fn end_cell(&mut self) -> String {
        if std::mem::take(&mut self.in_cell) { " | ".to_owned() } else { String::new() }
    }

    /// The open row ends, if there is one. The first is the header.
    pub fn end_row(&mut self) -> String {
        let cell = self.end_cell();
        if !std::mem::take(&mut self.in_row) {
            return cell;
        }
        self.rows += 1;
        match self.rows {
            1 => format!("{cell}\n|{}", " --- |".repeat(self.cells.max(1))),
            _ => cell,
        }
    }
}
