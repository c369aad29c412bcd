//! Excel workbooks (ISO/IEC 29500-1, clause 18): the visible sheets in order, values as their formats display them.
//!
//! A spreadsheet crate would return values without their formats (3.5 for 350 %) and hold a sheet as a full rectangle,
//! so that a single value in the last cell would take gigabytes.

mod codes;
mod dates;
mod formats;
mod sheet;

#[cfg(test)]
mod tests;

use std::collections::BTreeMap;
use std::ops::ControlFlow;

use self::formats::Formats;
use self::sheet::Value;
use super::archive::{Archive, resolved};
use super::blocks::{Block, Line};
use super::docx::main_part;
use super::fault::FileFault;
use super::grid::{self, Cell};
use super::text::Read;
use super::xml::{self, Element};
use super::{blocks, properties};

/// Sheets that are read.
const SHEETS: usize = 50;

/// Reads a file.
///
/// # Errors
/// [`FileFault`].
pub(super) fn read(file: &[u8]) -> Result<Read, FileFault> {
    let mut archive = Archive::open(file)?;
    let main = main_part(&mut archive)?;
    let workbook = xml::tree(&archive.needed(&main)?)?;
    let targets = targets(&mut archive, &main)?;
    let since_1904 =
        workbook.child("workbookPr").and_then(|p| p.attr("date1904")).is_some_and(|v| v != "0" && v != "false");
    let formats = match archive.text(&resolved(&main, "styles.xml"))? {
        Some(text) => Formats::of(&xml::tree(&text)?, since_1904),
        None => Formats::default(),
    };
    let mut sheets = Vec::new();
    for (name, part) in visible(&workbook, &targets, &main).into_iter().take(SHEETS) {
        if let Some((text, cut)) = archive.beginning(&part)? {
            sheets.push((name, sheet::rows(&text, cut, &formats)?));
        }
    }
    let shared = shared(&mut archive, &resolved(&main, "sharedStrings.xml"), &sheets)?;
    let said = properties::core(&mut archive)?;
    let read = sheets.into_iter().map(|(name, rows)| {
        let cell = |value: Value| match value {
            Value::Blank => Cell::default(),
            Value::Number(text) => Cell { text, is_number: true },
            Value::Text(text) => Cell { text, is_number: false },
            Value::Shared(place) => Cell { text: shared.get(&place).cloned().unwrap_or_default(), is_number: false },
        };
        let rows: Vec<Vec<Cell>> = rows.into_iter().map(|row| row.into_iter().map(cell).collect()).collect();
        (name, grid::blocks(&rows))
    });
    let markdown = blocks::markdown(&headed(read.collect()), said.title.as_deref());
    Ok(Read { author: None, language: said.language, markdown })
}

/// Returns the blocks of sheets, each under its name. A lone sheet gets a heading only if its author chose the name.
pub(super) fn headed(sheets: Vec<(String, Vec<Block>)>) -> Vec<Block> {
    let sheets: Vec<_> = sheets.into_iter().filter(|(_, blocks)| !blocks.is_empty()).collect();
    let is_lone = sheets.len() == 1;
    let mut all = Vec::new();
    for (name, blocks) in sheets {
        if !is_lone || !is_default(&name) {
            all.push(Block::Heading(1, Line::plain(&name)));
        }
        all.extend(blocks);
    }
    all
}

/// Returns whether a program chose a sheet's name: one word and a number, as in "Sheet1" or "Tabelle 2".
fn is_default(name: &str) -> bool {
    let word = name.trim_end_matches(|c: char| c.is_ascii_digit());
    let known = ["sheet", "tabelle", "feuil", "feuille", "hoja", "planilha", "foglio", "blad", "лист", "ark", "arkusz"];
    word.len() < name.len() && known.contains(&word.trim().to_lowercase().as_str())
}

/// Returns the targets of the main part's relationships, by ID.
pub(super) fn targets(archive: &mut Archive<'_>, main: &str) -> Result<BTreeMap<String, String>, FileFault> {
    let (folder, name) = main.rsplit_once('/').unwrap_or(("", main));
    let part = format!("{folder}/_rels/{name}.rels");
    let relationships = xml::tree(&archive.needed(part.trim_start_matches('/'))?)?;
    let read = |r: &Element| Some((r.attr("Id")?.to_owned(), resolved(main, r.attr("Target")?)));
    Ok(relationships.children().filter(|r| r.attr("TargetMode") != Some("External")).filter_map(read).collect())
}

/// Returns the names and parts of the visible sheets.
fn visible(workbook: &Element, targets: &BTreeMap<String, String>, main: &str) -> Vec<(String, String)> {
    let sheets = workbook.child("sheets").into_iter().flat_map(Element::children);
    let shown = sheets.filter(|sheet| sheet.attr("state").is_none_or(|state| state == "visible"));
    let named = shown.filter_map(|sheet| {
        let part = targets.get(sheet.attr("id")?)?;
        // Chart sheets have no cells.
        let has_cells = part.starts_with(&resolved(main, "worksheets/"));
        has_cells.then(|| (sheet.attr("name").unwrap_or_default().to_owned(), part.clone()))
    });
    named.collect()
}

/// Returns the shared strings that the sheets refer to.
fn shared(
    archive: &mut Archive<'_>,
    part: &str,
    sheets: &[(String, Vec<Vec<Value>>)],
) -> Result<BTreeMap<usize, String>, FileFault> {
    let values = sheets.iter().flat_map(|(_, rows)| rows).flatten();
    let mut wanted: BTreeMap<usize, String> = values
        .filter_map(|v| if let Value::Shared(place) = v { Some((*place, String::new())) } else { None })
        .collect();
    let Some(last) = wanted.keys().next_back().copied() else { return Ok(wanted) };
    let Some((text, cut)) = archive.beginning(part)? else { return Ok(wanted) };
    let mut place = 0;
    xml::each_child(&text, "sst", cut, |item| {
        if let Some(text) = wanted.get_mut(&place) {
            *text = sheet::rich(&item);
        }
        place += 1;
        Ok(if place > last { ControlFlow::Break(()) } else { ControlFlow::Continue(()) })
    })?;
    Ok(wanted)
}
