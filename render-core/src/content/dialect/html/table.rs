//! Converts an HTML table to Markdown rows.

use super::tags::{Kind, Tag};

/// Maximum number of columns.
const COLUMNS: usize = 24;

/// A table that is being written.
#[derive(Debug, Clone, PartialEq, Default)]
pub(super) struct Table {
    /// Number of cells of the open row.
    cells: usize,
    in_row: bool,
    in_cell: bool,
    rows: usize,
}

impl Table {
    /// Creates a table for the tags between two table tags, if it holds data: at least two rows of at least two
    /// cells, and neither a table nor a list inside. Other tables only arrange a page's layout.
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

    /// Begins a row.
    pub fn row(&mut self, prefix: &str) -> String {
        let before = self.end_row();
        self.in_row = true;
        self.cells = 0;
        format!("{before}\n{prefix}| ")
    }

    /// Begins a cell that spans `columns` columns.
    pub fn cell(&mut self, columns: usize) -> String {
        let before = self.end_cell();
        let begun = if self.in_row { String::new() } else { self.row("") };
        let columns = columns.clamp(1, COLUMNS);
        self.cells += columns;
        self.in_cell = true;
        format!("{before}{begun}{}", "| ".repeat(columns - 1))
    }

    /// Ends the open cell, if there is one.
    pub fn end_cell(&mut self) -> String {
        if std::mem::take(&mut self.in_cell) { " | ".to_owned() } else { String::new() }
    }

    /// Ends the open row, if there is one. The first row is the header.
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
