//! The cells of one sheet, without hidden rows and columns.

use std::ops::ControlFlow;

use super::formats::Formats;
use crate::ingest::file::fault::FileFault;
use crate::ingest::file::grid;
use crate::ingest::file::xml::{self, Element};

/// Columns up to which values are read.
const COLUMNS: usize = 256;

/// A displayed value.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) enum Value {
    #[default]
    Blank,
    Number(String),
    Text(String),
    /// A shared string, by its index.
    Shared(usize),
}

/// Returns the first rows of a sheet; `cut` means that its text may end anywhere.
///
/// # Errors
/// [`FileFault`].
pub(super) fn rows(text: &str, cut: bool, formats: &Formats) -> Result<Vec<Vec<Value>>, FileFault> {
    let hidden = hidden_columns(text)?;
    let (mut rows, mut last) = (Vec::new(), 0);
    xml::each_child(text, "sheetData", cut, |row| {
        let place = row.number("r").unwrap_or(last + 1);
        let is_hidden = matches!(row.attr("hidden"), Some("1" | "true"));
        if !is_hidden {
            // Omitted rows are blank; a blank row separates two tables.
            if place > last + 1 && !rows.is_empty() {
                rows.push(Vec::new());
            }
            rows.push(cells(&row, &hidden, formats));
        }
        last = place;
        Ok(if rows.len() >= grid::ROWS { ControlFlow::Break(()) } else { ControlFlow::Continue(()) })
    })?;
    Ok(rows)
}

fn cells(row: &Element, hidden: &[bool], formats: &Formats) -> Vec<Value> {
    let mut values: Vec<Value> = Vec::new();
    let mut next = 0;
    for cell in row.children().filter(|e| &*e.name == "c") {
        let column = cell.attr("r").and_then(column).unwrap_or(next);
        next = column + 1;
        if column >= COLUMNS {
            break;
        }
        if values.len() <= column {
            values.resize(column + 1, Value::Blank);
        }
        values[column] = value(cell, formats);
    }
    let is_hidden = |column: usize| hidden.get(column).copied().unwrap_or(false);
    values.into_iter().enumerate().filter(|(column, _)| !is_hidden(*column)).map(|(_, value)| value).collect()
}

fn value(cell: &Element, formats: &Formats) -> Value {
    let text = || cell.child("v").map(Element::text).unwrap_or_default();
    match cell.attr("t").unwrap_or("n") {
        "s" => text().trim().parse().map_or(Value::Blank, Value::Shared),
        "str" => Value::Text(text()),
        "inlineStr" => cell.child("is").map_or(Value::Blank, |is| Value::Text(rich(is))),
        "b" => Value::Text(if text().trim() == "1" { "TRUE" } else { "FALSE" }.to_owned()),
        "d" => Value::Number(text().trim().trim_end_matches("T00:00:00").to_owned()),
        // A formula's error is not shown.
        "e" => Value::Blank,
        _ => match text().trim().parse::<f64>() {
            Ok(number) if number.is_finite() => {
                let shown = formats.shown(cell.number("s").unwrap_or(0), number);
                if shown.is_empty() { Value::Blank } else { Value::Number(shown) }
            }
            _ => Value::Blank,
        },
    }
}

/// Returns the words of a rich text; skips its phonetic guides.
pub(super) fn rich(text: &Element) -> String {
    let parts = text.children().filter_map(|part| match &*part.name {
        "t" => Some(part.text()),
        "r" => part.child("t").map(Element::text),
        _ => None,
    });
    parts.collect()
}

/// Returns the column of a reference such as `AB12`, from 0.
fn column(reference: &str) -> Option<usize> {
    let letters = reference.bytes().take_while(u8::is_ascii_alphabetic).take(4);
    let number = letters.fold(0, |n, letter| n * 26 + usize::from(letter.to_ascii_uppercase() - b'A') + 1);
    number.checked_sub(1)
}

/// Returns which columns are hidden.
fn hidden_columns(text: &str) -> Result<Vec<bool>, FileFault> {
    let mut hidden = vec![false; COLUMNS];
    // They precede the cells, so the search stops there: the cells may be long.
    let Some(end) = text.find("sheetData") else { return Ok(hidden) };
    let Some(start) = text[..end].rfind("<cols").or_else(|| text[..end].rfind(":cols")) else { return Ok(hidden) };
    let start = text[..=start].rfind('<').unwrap_or(start);
    xml::each_child(&text[start..end], "cols", true, |column| {
        let (from, to) = (column.number("min").unwrap_or(1).max(1), column.number("max").unwrap_or(0).min(COLUMNS));
        if matches!(column.attr("hidden"), Some("1" | "true")) && from <= to {
            hidden[from - 1..to].fill(true);
        }
        Ok(ControlFlow::Continue(()))
    })?;
    Ok(hidden)
}
