//! Repairs tables whose delimiter row is missing, or has a different number of cells than the header.

use super::code::{Code, lines};
use super::edits::Edit;

/// Maximum cells of a row.
const CELLS: usize = 24;

/// Returns the edits that give each table its delimiter row.
pub(super) fn edits(text: &str, code: &Code) -> Vec<Edit> {
    let all: Vec<(usize, &str)> = lines(text).collect();
    let mut out = Vec::new();
    for i in 1..all.len() {
        let ((above, header), (at, line)) = (all[i - 1], all[i]);
        let cells = cells(header);
        if !(2..=CELLS).contains(&cells) || code.end_at(at).is_some() || code.end_at(above).is_some() {
            continue;
        }
        let rule = || format!("|{}", " --- |".repeat(cells));
        let first = i < 2 || !all[i - 2].1.trim_start().starts_with('|');
        if is_rule(line) {
            if self::cells(line) != cells && first {
                out.push(Edit::replace(at..at + line.trim_end().len(), rule()));
            }
        } else if first && is_row(header) && is_row(line) && !is_rule(header) {
            out.push(Edit::insert(at, format!("{}\n", rule())));
        }
    }
    out
}

/// Whether a line is a row between two bars.
fn is_row(line: &str) -> bool {
    let bare = line.trim();
    bare.len() > 2 && bare.starts_with('|') && bare.ends_with('|')
}

/// Whether a line is the delimiter row under a header.
fn is_rule(line: &str) -> bool {
    let bare = line.trim();
    bare.contains('|') && bare.contains("--") && bare.bytes().all(|b| b"|-: ".contains(&b))
}

/// Returns the number of cells of a row. Escaped bars do not separate cells.
fn cells(line: &str) -> usize {
    let bare = line.trim();
    let bare = bare.strip_prefix('|').unwrap_or(bare);
    let bare = bare.strip_suffix('|').unwrap_or(bare);
    let bars = bare.match_indices('|').filter(|(at, _)| !bare[..*at].ends_with('\\')).count();
    if line.contains('|') { bars + 1 } else { 0 }
}

#[cfg(test)]
mod tests {
    use super::super::edits::Edited;
    use super::*;

    fn read(text: &str) -> String {
        Edited::of(text).apply(&edits(text, &Code::of(text))).text
    }

    #[test]
    fn every_table_has_its_rule() {
        for (text, want) in [
            ("| a | b |\n| --- |\n| c | d |", "| a | b |\n| --- | --- |\n| c | d |"),
            ("| a | b |\n| c | d |\n| e | f |", "| a | b |\n| --- | --- |\n| c | d |\n| e | f |"),
            ("| a | b |\n|:--|--:|\n| c | d |", "| a | b |\n|:--|--:|\n| c | d |"),
            ("one | two\nthree", "one | two\nthree"),
            ("|| A | B |\n|:-:|-|---|\n| 1 | c | d |", "|| A | B |\n|:-:|-|---|\n| 1 | c | d |"),
            (
                "| a | b |\n|---|---|\n| c | d\n| e | f |\n| g | h |",
                "| a | b |\n|---|---|\n| c | d\n| e | f |\n| g | h |",
            ),
        ] {
            assert_eq!(read(text), want, "{text}");
        }
    }
}
