//! Cells of tables. A spreadsheet also stores each value as it is displayed.

use crate::ingest::file::blocks::{Block, squeezed};
use crate::ingest::file::grid::{self, Cell};
use crate::ingest::file::xml::Element;

/// Columns up to which values are read.
const COLUMNS: usize = 256;

/// Returns the blocks of a sheet.
pub(super) fn blocks(table: &Element) -> Vec<Block> {
    let rows = cells(table, |cell| {
        let texts: Vec<String> = cell.children().filter(|e| &*e.name == "p").map(|p| squeezed(&p.text())).collect();
        texts.join(" ")
    });
    grid::blocks(&rows)
}

/// Returns the cells of a table's visible rows, each read with `text`.
pub(super) fn cells(table: &Element, text: impl Fn(&Element) -> String) -> Vec<Vec<Cell>> {
    let (mut columns, mut found) = (Vec::new(), Vec::new());
    collect(table, "table-column", &mut columns);
    collect(table, "table-row", &mut found);
    let hidden: Vec<bool> = (columns.iter())
        .flat_map(|c| std::iter::repeat_n(is_hidden(c), c.number("number-columns-repeated").unwrap_or(1).min(COLUMNS)))
        .take(COLUMNS)
        .collect();
    let mut rows = Vec::new();
    for row in found.into_iter().filter(|row| !is_hidden(row)) {
        let read = row_of(row, &hidden, &text);
        // Blank rows repeat up to the end of a sheet.
        let is_blank = read.iter().all(|cell| cell.text.is_empty());
        let times = row.number("number-rows-repeated").unwrap_or(1).clamp(1, if is_blank { 1 } else { grid::ROWS });
        for _ in 0..times.min(grid::ROWS.saturating_sub(rows.len())) {
            rows.push(read.clone());
        }
        if rows.len() >= grid::ROWS {
            break;
        }
    }
    while rows.last().is_some_and(|row| row.iter().all(|cell| cell.text.is_empty())) {
        rows.pop();
    }
    rows
}

fn row_of(row: &Element, hidden: &[bool], text: &impl Fn(&Element) -> String) -> Vec<Cell> {
    let mut cells: Vec<Cell> = Vec::new();
    let mut column = 0;
    for cell in row.children().filter(|e| matches!(&*e.name, "table-cell" | "covered-table-cell")) {
        if column >= COLUMNS {
            break;
        }
        let is_number = matches!(cell.attr("value-type"), Some("float" | "percentage" | "currency" | "date" | "time"));
        let read = Cell { text: text(cell), is_number };
        let times = cell.number("number-columns-repeated").unwrap_or(1).clamp(1, COLUMNS - column);
        for _ in 0..times {
            if !hidden.get(column).copied().unwrap_or(false) {
                cells.push(read.clone());
            }
            column += 1;
        }
    }
    while cells.last().is_some_and(|cell| cell.text.is_empty()) {
        cells.pop();
    }
    cells
}

fn is_hidden(element: &Element) -> bool {
    matches!(element.attr("visibility"), Some("collapse" | "filter"))
}

/// Collects the elements of a name within a table, including grouped ones, but not within its cells.
fn collect<'a>(holder: &'a Element, name: &str, out: &mut Vec<&'a Element>) {
    for child in holder.children() {
        match &*child.name {
            found if found == name => out.push(child),
            "table-rows"
            | "table-header-rows"
            | "table-row-group"
            | "table-columns"
            | "table-header-columns"
            | "table-column-group" => collect(child, name, out),
            _ => {}
        }
    }
}
