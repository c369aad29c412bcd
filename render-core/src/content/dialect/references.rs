//! Collects the definitions of links and notes, which are not prose themselves.

use std::collections::BTreeSet;

use super::code::{Code, lines};
use super::edits::Edit;

/// Maximum bytes of a label.
const LABEL: usize = 300;

/// The labels that a text defines.
#[derive(Debug, Default)]
pub(super) struct References {
    /// Labels of links, folded.
    pub links: BTreeSet<String>,
    /// Numbers of a list of addresses.
    pub numbers: BTreeSet<String>,
    /// Labels of notes.
    pub notes: BTreeSet<String>,
}

/// Collects the definitions, and removes those of links.
pub(super) fn of(text: &str, code: &Code, out: &mut Vec<Edit>) -> References {
    let mut found = References::default();
    for (at, line) in lines(text) {
        let bare = line.trim_start_matches([' ', '\t', '>']);
        let start = at + line.len() - bare.len();
        if !bare.starts_with('[') || code.end_at(start).is_some() {
            continue;
        }
        let Some((label, rest)) = label_of(bare) else { continue };
        let defined = rest.strip_prefix(':');
        if let Some(note) = label.strip_prefix('^') {
            if defined.is_some() {
                found.notes.insert(note.to_owned());
            }
            continue;
        }
        let target = defined.unwrap_or(rest).trim();
        let number = !label.is_empty() && label.len() <= 3 && label.bytes().all(|b| b.is_ascii_digit());
        // Numbered notes are not prose, even if they contain no address.
        let listed = number && (is_address(target) || defined.is_some());
        if listed {
            found.numbers.insert(label.to_owned());
        } else if defined.is_some() && is_target(target) {
            found.links.insert(folded(label));
        } else {
            continue;
        }
        out.push(Edit::delete(start..at + line.len()));
    }
    found
}

/// Returns the label in brackets that opens a text, and the rest.
fn label_of(text: &str) -> Option<(&str, &str)> {
    let near = text.floor_char_boundary(text.len().min(LABEL));
    let end = text[..near].find(']')?;
    Some((&text[1..end], &text[end + 1..]))
}

/// Returns a label in the form used for comparison, ignoring case and white space.
pub(super) fn folded(label: &str) -> String {
    label.split_whitespace().collect::<Vec<_>>().join(" ").to_lowercase()
}

/// Whether a text is the target of a definition: an address, optionally followed by a title.
fn is_target(text: &str) -> bool {
    let mut words = text.splitn(2, char::is_whitespace);
    let Some(first) = words.next().filter(|f| !f.is_empty()) else { return false };
    let title = words.next().map_or("", str::trim);
    let titled = title.is_empty() || title.starts_with(['"', '\'', '(']);
    titled && (first.contains(['/', '#', '.', '<', '@']) || first.contains(':') || first == "x")
}

/// Whether a text starts with an address.
fn is_address(text: &str) -> bool {
    let first = text.split_whitespace().next().unwrap_or("").trim_start_matches('<');
    first.starts_with("http://") || first.starts_with("https://") || first.starts_with("www.")
}

#[cfg(test)]
mod tests {
    use super::super::edits::Edited;
    use super::*;

    #[test]
    fn definitions_are_collected_and_go() {
        let text = "See [Tide  Tables][] and [1].\n\n[tide tables]: https://a.example \"T\"\n[1] https://b.example\n[^n]: A note.\n\
            [Note]: this is prose.\n`[c]: /d`\n[2]: A note.";
        let mut edits = Vec::new();
        let found = of(text, &Code::of(text), &mut edits);
        assert!(found.links.contains("tide tables") && found.numbers.contains("1") && found.notes.contains("n"));
        assert!(found.numbers.contains("2"));
        assert_eq!(found.links.len(), 1);
        let rest = Edited::of(text).apply(&edits).text;
        assert_eq!(rest, "See [Tide  Tables][] and [1].\n\n\n\n[^n]: A note.\n[Note]: this is prose.\n`[c]: /d`\n");
    }
}
