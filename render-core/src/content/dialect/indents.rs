//! Handles paragraphs that are only indented. CommonMark treats them as code, but most are verse, letters, or text
//! from a word processor.

use super::code::{Code, lines};
use super::edits::Edit;
use crate::content::words::is_unspaced;

/// Columns of indentation from which a line is code.
const CODE: usize = 4;
/// Minimum average words of an indented line of prose.
const WORDS: usize = 4;

/// Returns the edits that remove the indentation of prose.
pub(super) fn edits(text: &str, code: &Code) -> Vec<Edit> {
    let all: Vec<(usize, &str)> = lines(text).collect();
    let mut out = Vec::new();
    let mut in_list = false;
    let mut i = 0;
    while i < all.len() {
        let (at, line) = all[i];
        let words = line.trim_start_matches([' ', '\t']);
        let fresh = i == 0 || all[i - 1].1.trim().is_empty();
        if words.trim().is_empty() || code.end_at(at).is_some() {
            i += 1;
        } else if columns(line) < CODE {
            // The content of a list item is indented too.
            in_list = is_item(words) || in_list && !fresh;
            i += 1;
        } else if in_list || !fresh {
            i += 1;
        } else {
            let end =
                (i..all.len()).find(|k| !all[*k].1.trim().is_empty() && columns(all[*k].1) < CODE).unwrap_or(all.len());
            let block: Vec<&str> = all[i..end].iter().map(|(_, l)| l.trim()).filter(|l| !l.is_empty()).collect();
            if is_prose(&block) {
                let spaces = |l: &str| l.len() - l.trim_start_matches([' ', '\t']).len();
                out.extend(all[i..end].iter().map(|(at, l)| Edit::delete(*at..at + spaces(l))));
            }
            i = end;
        }
    }
    out
}

/// Returns the columns of white space before a line.
fn columns(line: &str) -> usize {
    line.chars().take_while(|c| c.is_whitespace()).map(|c| if c == '\t' { CODE } else { 1 }).sum()
}

fn is_item(line: &str) -> bool {
    let digits = line.len() - line.trim_start_matches(|c: char| c.is_ascii_digit()).len();
    ["- ", "* ", "+ ", "-\t", "*\t", "• "].iter().any(|m| line.starts_with(m))
        || digits > 0 && line[digits..].starts_with(['.', ')'])
        || line.starts_with(": ")
}

/// Whether lines are sentences rather than code.
fn is_prose(lines: &[&str]) -> bool {
    let text = lines.join(" ");
    let words = text.split_whitespace().count();
    let signs = text.chars().filter(|c| "{}<>=;|\\$#@&^/".contains(*c)).count();
    let ends = text.ends_with(['.', '!', '?', '…', '”', '"', ':', ')', '*', '。', '！', '？', ',']);
    let unspaced = text.chars().filter(|c| is_unspaced(*c)).count() > 12;
    let opens = text.starts_with(|c: char| c.is_alphabetic() && !c.is_lowercase() || "\"“„«¿¡*_[".contains(c));
    (words >= WORDS * lines.len().max(2) || unspaced) && signs * 60 <= text.chars().count() && ends && opens
}

#[cfg(test)]
mod tests {
    use super::super::edits::Edited;
    use super::*;

    fn read(text: &str) -> String {
        Edited::of(text).apply(&edits(text, &Code::of(text))).text
    }

    #[test]
    fn prose_that_is_indented() {
        for (text, want) in [
            (
                "A.\n\n    He went home, and the door fell shut behind him.\n\nB.",
                "A.\n\nHe went home, and the door fell shut behind him.\n\nB.",
            ),
            (
                "\tHe went home, and then the door\n\tfell shut *behind* him.",
                "He went home, and then the door\nfell shut *behind* him.",
            ),
        ] {
            assert_eq!(read(text), want, "{text}");
        }
        for text in [
            "A:\n\n    $ git commit -m \"it works now, at last.\"\n",
            "    let a = b;\n    let c = d;",
            "- Item\n\n    He went home, and the door fell shut behind him.",
            "    total 3 of 4",
        ] {
            assert_eq!(read(text), text, "{text}");
        }
    }
}
