//! Handles emphasis that CommonMark does not recognise. CommonMark requires a space or punctuation next to a mark,
//! which scripts without spaces do not have. It also reads multiplication signs as marks.

use std::ops::Range;

use super::code::{Code, lines};
use super::edits::Edit;
use super::marks::{EM_OFF, EM_ON, STRONG_OFF, STRONG_ON};
use crate::content::words::is_unspaced;

/// Maximum bytes between the marks of one emphasis.
const LONGEST: usize = 2_000;

/// Returns the edits that turn such marks into emphasis.
pub(super) fn edits(text: &str, code: &Code) -> Vec<Edit> {
    let mut out = Vec::new();
    let mut from: Option<usize> = None;
    for (at, line) in lines(text) {
        // Emphasis ends with its block.
        let bare = line.trim_start();
        let opens = bare.starts_with(['#', '|', '>', '-', '+'])
            || bare.starts_with("* ")
            || bare.starts_with(|c: char| c.is_ascii_digit());
        if let Some(start) = from.filter(|_| opens || bare.is_empty()) {
            block(text, start..at, code, &mut out);
            from = None;
        }
        if !bare.is_empty() {
            from.get_or_insert(at);
        }
    }
    if let Some(start) = from {
        block(text, start..text.len(), code, &mut out);
    }
    out
}

/// A run of marks.
struct Run {
    range: Range<usize>,
    mark: u8,
    before: Option<char>,
    behind: Option<char>,
}

impl Run {
    fn opens(&self) -> bool {
        self.behind.is_some_and(|c| !c.is_whitespace())
    }

    fn closes(&self) -> bool {
        self.before.is_some_and(|c| !c.is_whitespace())
    }

    /// Whether CommonMark treats the run as an opening one.
    fn is_left(&self) -> bool {
        let flanks = self.opens() && (!is_sign(self.behind) || is_apart(self.before));
        flanks && (self.mark == b'*' || is_apart(self.before))
    }

    /// Whether CommonMark treats the run as a closing one.
    fn is_right(&self) -> bool {
        let flanks = self.closes() && (!is_sign(self.before) || is_apart(self.behind));
        flanks && (self.mark == b'*' || is_apart(self.behind))
    }
}

/// Handles the marks of one block.
fn block(text: &str, range: Range<usize>, code: &Code, out: &mut Vec<Edit>) {
    let own = out.len();
    let found = runs(text, range, code, out);
    let mut open: Vec<&Run> = Vec::new();
    let mut pairs: Vec<Edit> = Vec::new();
    for run in &found {
        let same = open.iter().rposition(|o| {
            let near = run.range.start - o.range.end <= LONGEST;
            o.mark == run.mark && o.range.len() == run.range.len() && near
        });
        match same.filter(|_| run.closes()) {
            Some(at) => {
                let first = open[at];
                let meant =
                    first.mark == b'*' || first.before.is_some_and(is_unspaced) || run.behind.is_some_and(is_unspaced);
                let broken = !(first.is_left() && run.is_right());
                if broken && meant && run.range.start > first.range.end {
                    let strong = run.range.len() > 1;
                    let (on, off) = if strong { (STRONG_ON, STRONG_OFF) } else { (EM_ON, EM_OFF) };
                    pairs.push(Edit::replace(first.range.clone(), on.to_string()));
                    pairs.push(Edit::replace(run.range.clone(), off.to_string()));
                }
                open.truncate(at);
            }
            None if run.opens() => open.push(run),
            None => {}
        }
        if open.len() > 32 {
            open.remove(0);
        }
    }
    out.extend(pairs);
    // Edits of multiplication signs were added before the pairs.
    out[own..].sort_by_key(|e| e.range.start);
}

/// Returns the runs of marks in a block. A mark between digits is a multiplication sign.
fn runs(text: &str, range: Range<usize>, code: &Code, out: &mut Vec<Edit>) -> Vec<Run> {
    let bytes = text.as_bytes();
    let mut found = Vec::new();
    let mut at = range.start;
    while let Some(i) = memchr::memchr3(b'*', b'_', b'\\', &bytes[at..range.end]) {
        let start = at + i;
        let mark = bytes[start];
        let end = start + bytes[start..range.end].iter().take_while(|b| **b == mark).count();
        at = end;
        if let Some(end) = code.end_at(start) {
            at = end.min(range.end);
            continue;
        }
        if mark == b'\\' {
            at = text.ceil_char_boundary(start + 2).min(range.end);
            continue;
        }
        let before = text[range.start..start].chars().next_back();
        let behind = text[end..range.end].chars().next();
        let digits = [before, behind].iter().all(|c| c.is_some_and(|c| c.is_ascii_digit()));
        let gendered = mark == b'*'
            && end - start == 1
            && before.is_some_and(char::is_alphabetic)
            && is_ending(&text[end..range.end]);
        if digits && mark == b'*' || gendered {
            out.extend((start..end).map(|i| Edit::insert(i, "\\")));
        } else if mark == b'*' && end - start == 4 && !is_apart(before) && !is_apart(behind) {
            // One emphasis ends where the next begins.
            out.push(Edit::delete(start..end));
        } else if end - start <= 3 {
            found.push(Run { range: start..end, mark, before, behind });
        }
    }
    found
}

/// Whether a gender-neutral German ending follows the asterisk: "Leser*innen", "jede*r".
fn is_ending(rest: &str) -> bool {
    let word = &rest[..rest.find(|c: char| !c.is_alphabetic()).unwrap_or(rest.len())];
    matches!(word, "in" | "innen" | "r" | "n" | "e" | "m" | "s" | "rin" | "frau")
}

fn is_sign(c: Option<char>) -> bool {
    c.is_some_and(|c| {
        !c.is_alphanumeric() && !c.is_whitespace() && !super::marks::is_mark(c) && !crate::content::words::is_mark(c)
    })
}

fn is_apart(c: Option<char>) -> bool {
    c.is_none_or(char::is_whitespace) || is_sign(c)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::edits::Edited;
    use super::*;

    fn read(text: &str) -> String {
        let marked = Edited::of(text).apply(&edits(text, &Code::of(text))).text;
        marked.replace(STRONG_ON, "<b>").replace(STRONG_OFF, "</b>").replace(EM_ON, "<i>").replace(EM_OFF, "</i>")
    }

    #[test]
    fn marks_beside_letters_without_spaces() {
        for (text, want) in [
            ("**很重要的事。**所以", "<b>很重要的事。</b>所以"),
            ("これは**「重要」**です", "これは<b>「重要」</b>です"),
            ("これは_重要_です", "これは<i>重要</i>です"),
            ("**„Ja“**sagte er", "<b>„Ja“</b>sagte er"),
            ("**plain** words", "**plain** words"),
            ("很**重要**的", "很**重要**的"),
        ] {
            assert_eq!(read(text), want, "{text}");
        }
    }

    #[test]
    fn signs_of_multiplication_stay() {
        assert_eq!(read("60*40*20 cm and 2*3*4 and 2**8"), "60\\*40\\*20 cm and 2\\*3\\*4 and 2\\*\\*8");
        assert_eq!(read("Leser*innen und jede*r"), "Leser\\*innen und jede\\*r");
        assert_eq!(read("**m****ake**"), "**make**");
        assert_eq!(read("*a*b*c* `2*3`"), "*a*b*c* `2*3`");
        assert_eq!(read("* item 2*3*\n* item"), "* item 2\\*3*\n* item");
    }

    proptest! {
        #[test]
        fn changes_are_in_order(text in "(\\*{1,3}|_|\\\\|`|[0-9]|[a-z]|很|。| |\n|\n\n|- |# ){0,40}") {
            let all = edits(&text, &Code::of(&text));
            prop_assert!(all.windows(2).all(|p| p[0].range.end <= p[1].range.start), "{:?}", all);
        }
    }
}
