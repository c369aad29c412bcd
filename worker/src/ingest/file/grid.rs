//! Converts the cells of a sheet to blocks: finds where its tables begin and end, and which row holds the column
//! headings.

use render_core::limits;

use super::blocks::{Block, Line, Style};

/// Columns of a table that are read.
pub(super) const COLUMNS: usize = 20;
/// Rows of a sheet that are read: three times the rows of one table.
pub(super) const ROWS: usize = 3 * limits::TABLE_ROWS;
/// Characters of one cell.
const CELL: usize = 300;

/// A cell.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Cell {
    /// The displayed text.
    pub text: String,
    /// Whether it is a number or a date.
    pub is_number: bool,
}

impl Cell {
    /// Returns a cell of text; a number if the whole text is one.
    pub fn of_text(text: &str) -> Self {
        let text = text.trim();
        Self { is_number: reads_as_number(text), text: text.to_owned() }
    }

    fn is_blank(&self) -> bool {
        self.text.trim().is_empty()
    }
}

/// Returns whether the whole text is a number: with a sign, a currency, separators, a percent sign.
fn reads_as_number(text: &str) -> bool {
    let text = text.trim_start_matches(['-', '+', '−', '(', '$', '€', '£', '¥']).trim_end_matches([')', '%', '€', '$']);
    let text = text.trim();
    text.starts_with(|c: char| c.is_ascii_digit() || c == '.' || c == ',')
        && text.chars().any(|c| c.is_ascii_digit())
        && text.chars().all(|c| {
            c.is_ascii_digit() || matches!(c, '.' | ',' | '\'' | ' ' | '\u{a0}' | '\u{202f}' | '-' | '/' | ':')
        })
}

/// Returns the blocks of a sheet: tables separated by blank rows, and lone cells as paragraphs.
pub(super) fn blocks(rows: &[Vec<Cell>]) -> Vec<Block> {
    let mut blocks = Vec::new();
    for part in rows.split(|row| row.iter().all(Cell::is_blank)).filter(|part| !part.is_empty()) {
        table(part, &mut blocks);
    }
    blocks
}

/// Converts rows without a blank one among them to a table.
fn table(rows: &[Vec<Cell>], blocks: &mut Vec<Block>) {
    let filled = |row: &Vec<Cell>| row.iter().filter(|cell| !cell.is_blank()).count();
    // Lone cells above a table are its heading and notes.
    let lone = rows.iter().take_while(|row| filled(row) == 1).count();
    let (above, rows) = rows.split_at(lone);
    let is_list = rows.is_empty();
    for row in above {
        let text = row.iter().find(|cell| !cell.is_blank()).map_or("", |cell| cell.text.as_str());
        blocks.push(Block::Paragraph(Line::plain(&clip(text))));
    }
    if is_list {
        return;
    }
    let used = |column: usize| rows.iter().any(|row| row.get(column).is_some_and(|cell| !cell.is_blank()));
    let width = rows.iter().map(Vec::len).max().unwrap_or(0);
    let columns: Vec<usize> = (0..width).filter(|column| used(*column)).take(COLUMNS).collect();
    let texts = |row: &Vec<Cell>| -> Vec<String> {
        columns.iter().map(|column| row.get(*column).map_or(String::new(), |cell| clip(&cell.text))).collect()
    };
    let has_header = rows.len() > 1 && heads(&rows[0], &columns);
    let mut table = Vec::with_capacity(rows.len() + 1);
    if !has_header {
        table.push(vec![String::new(); columns.len()]);
    }
    table.extend(rows.iter().take(limits::TABLE_ROWS + usize::from(has_header)).map(texts));
    if rows.len() == 1 && !has_header {
        // A single row becomes a sentence.
        let mut line = Line::default();
        line.push(&texts(&rows[0]).join(", "), Style::default());
        blocks.push(Block::Paragraph(line));
    } else {
        blocks.push(Block::Table(table));
    }
}

/// Returns whether a row holds column headings: words, or years, in most of the columns.
fn heads(row: &[Cell], columns: &[usize]) -> bool {
    let cells: Vec<&Cell> = columns.iter().filter_map(|column| row.get(*column)).filter(|c| !c.is_blank()).collect();
    let is_year = |cell: &&Cell| cell.text.parse::<u32>().is_ok_and(|year| (1900..=2100).contains(&year));
    let words = cells.iter().filter(|cell| !cell.is_number || is_year(cell)).count();
    let only_years = cells.iter().all(is_year) && cells.len() == columns.len();
    words == cells.len() && !only_years && cells.len() * 2 >= columns.len()
}

/// Truncates a long cell.
fn clip(text: &str) -> String {
    match text.char_indices().nth(CELL) {
        Some((end, _)) => format!("{}…", text[..end].trim_end()),
        None => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rows(text: &str) -> Vec<Vec<Cell>> {
        text.lines().map(|line| line.split(',').map(Cell::of_text).collect()).collect()
    }

    fn written(text: &str) -> String {
        super::super::blocks::markdown(&blocks(&rows(text)), None)
    }

    #[test]
    fn the_row_that_heads_the_columns_is_found() {
        assert_eq!(written("port,range\nBrest,6"), "| port | range |\n| --- | --- |\n| Brest | 6 |\n");
        assert!(written(",2023,2024\nBrest,6,7").starts_with("|  | 2023 | 2024 |\n"));
        assert!(written("Brest,6\nSaint-Malo,12").starts_with("|  |  |\n| --- | --- |\n| Brest | 6 |"));
        assert!(written("2020,2021\n2022,2023").starts_with("|  |  |\n"));
    }

    #[test]
    fn tables_and_what_stands_above_them_are_told_apart() {
        let text = "Tidal range,\nin metres,\nport,,range\nBrest,,6\n,,\nSource: a survey,,\n";
        let expected =
            "Tidal range\n\nin metres\n\n| port | range |\n| --- | --- |\n| Brest | 6 |\n\nSource: a survey\n";
        assert_eq!(written(text), expected);
    }

    #[test]
    fn numbers_are_known_by_their_looks() {
        for text in ["1", "-2.5", "€1,200", "12 %", "1'000", "2025-03-14", "12:30", "(1,234)"] {
            assert!(Cell::of_text(text).is_number, "{text}");
        }
        for text in ["", "Q1", "n/a", "-", "3 ports", "Brest"] {
            assert!(!Cell::of_text(text).is_number, "{text}");
        }
    }
}
