//! Normalises inline marks as people and programs write them: links of every kind, notes, tildes, highlights, emoji
//! names.

use std::ops::Range;

use super::code::Code;
use super::edits::Edit;
use super::references::{self, References};
use crate::cancel;
use crate::content::words::has;

/// Maximum bytes of a link address.
const ADDRESS: usize = 3_000;
/// Maximum bytes of a highlight and of an emoji name.
const HIGHLIGHT: usize = 400;
const NAME: usize = 40;
/// Maximum open brackets.
const OPEN: usize = 40;
/// WordPress shortcodes whose content is not prose, separated by white space, and all known shortcodes.
const DROPPED: &str = "caption embed gallery audio video playlist youtube vimeo code sourcecode";
const SHORTCODES: &str = "caption embed gallery audio video playlist youtube vimeo code sourcecode contact-form button row column \
    vc_row vc_column vc_column_text et_pb_section et_pb_row et_pb_text";

/// Returns the edits that turn such marks into standard Markdown.
pub(super) fn edits(text: &str, code: &Code) -> Vec<Edit> {
    let mut definitions = Vec::new();
    let references = references::of(text, code, &mut definitions);
    let mut finder = Finder { text, references, open: Vec::new(), highlighted: 0, out: Vec::new() };
    let bytes = text.as_bytes();
    let mut at = 0;
    let mut skip = definitions.iter().peekable();
    while at < bytes.len() {
        cancel::tick();
        while skip.next_if(|d| d.range.end <= at).is_some() {}
        if let Some(definition) = skip.peek().filter(|d| d.range.contains(&at)) {
            at = definition.range.end;
            continue;
        }
        if matches!(bytes[at], b'`' | b'~')
            && let Some(end) = code.end_at(at)
        {
            at = end;
            continue;
        }
        at = finder.mark(at).unwrap_or(at + 1).max(at + 1);
    }
    let mut out = finder.out;
    out.extend(definitions);
    out.sort_by_key(|e| (e.range.start, e.range.end));
    // A mark may close within a range that another edit removes.
    let mut end = 0;
    out.retain(|e| {
        let apart = e.range.start >= end;
        end = if apart { e.range.end } else { end };
        apart
    });
    out
}

struct Finder<'a> {
    text: &'a str,
    references: References,
    /// Offsets of the open brackets in this paragraph.
    open: Vec<usize>,
    /// End of the mark that closes the current highlight.
    highlighted: usize,
    out: Vec<Edit>,
}

impl Finder<'_> {
    /// Reads the mark at `at`, if there is one. Returns the offset at which reading continues.
    fn mark(&mut self, at: usize) -> Option<usize> {
        let rest = self.text.get(at..)?;
        match rest.as_bytes()[0] {
            b'\\' if rest.starts_with("\\*\\*") => {
                // A program escaped marks that the author meant as marks.
                self.out.push(Edit::delete(at..at + 4));
                Some(at + 4)
            }
            b'\\' => Some(at + 1 + rest[1..].chars().next().map_or(0, char::len_utf8)),
            b'\n' => {
                if rest[1..].trim_start_matches([' ', '\t', '\r']).starts_with('\n') {
                    self.open.clear();
                }
                None
            }
            b'[' => self.bracket(at),
            b']' => self.link(at),
            b'^' if rest.starts_with("^[") => self.note_inline(at),
            b'!' if rest.starts_with("![[") => self.delete_to(at, "]]"),
            b'~' => self.tilde(at),
            b'=' if rest.starts_with("==") => self.highlight(at),
            b':' => self.named(at),
            _ => None,
        }
    }

    fn delete_to(&mut self, at: usize, close: &str) -> Option<usize> {
        let end = at + self.near(at, HIGHLIGHT).find(close)? + close.len();
        self.out.push(Edit::delete(at..end));
        Some(end)
    }

    /// Returns the text from `at` to the end of its line, at most `most` bytes.
    fn near(&self, at: usize, most: usize) -> &str {
        let end = self.text.floor_char_boundary((at + most).min(self.text.len()));
        self.text[at..end].split('\n').next().unwrap_or("")
    }

    fn bracket(&mut self, at: usize) -> Option<usize> {
        let near = self.near(at, HIGHLIGHT);
        if near.starts_with("[[") {
            // `[[Page|words]]` of a wiki.
            let end = near.find("]]").filter(|end| *end > 2)?;
            let inner = &near[2..end];
            if inner.starts_with(' ') || inner.contains('[') {
                return None;
            }
            let words = inner.rfind('|').map_or(2, |i| 2 + i + 1);
            self.out.push(Edit::delete(at..at + words));
            self.out.push(Edit::delete(at + end..at + end + 2));
            return Some(at + end + 2);
        }
        let end = near.find(']');
        if let Some(inner) = end.map(|end| &near[1..end]) {
            let behind = near[inner.len() + 2..].chars().next();
            let before = self.text[..at].chars().next_back();
            let attached = before.is_some_and(|c| !c.is_whitespace() && !matches!(c, '(' | '[' | '!'));
            let name =
                inner.trim_start_matches('/').split(|c: char| c.is_whitespace() || c == '=').next().unwrap_or("");
            let closes = at + inner.len() + 2;
            let plain = !matches!(behind, Some('(' | ':' | '['));
            if inner.starts_with('^') && plain && attached && !self.references.notes.contains(&inner[1..]) {
                self.out.push(Edit::delete(at..closes));
                return Some(closes);
            }
            // `[1]` of an encyclopaedia, or of a list of addresses below.
            let number = !inner.is_empty() && inner.len() <= 3 && inner.bytes().all(|b| b.is_ascii_digit());
            let cited = before.is_some_and(|c| matches!(c, '.' | ',' | ';' | '。' | '”' | '"' | ']'));
            if number && plain && (self.references.numbers.contains(inner) || cited) {
                let space = self.text[..at].len() - self.text[..at].trim_end_matches(' ').len();
                self.out.push(Edit::delete(at - space..closes));
                return Some(closes);
            }
            if has(SHORTCODES, name) && plain && (inner.contains('=') || inner.starts_with('/') || inner == name) {
                let name = name.to_owned();
                return Some(self.shortcode(at..closes, &name));
            }
        }
        if self.open.len() < OPEN {
            self.open.push(at);
        }
        None
    }

    /// Removes a WordPress shortcode, including its content if that is not prose.
    fn shortcode(&mut self, range: Range<usize>, name: &str) -> usize {
        let near = self.text.floor_char_boundary((range.end + ADDRESS).min(self.text.len()));
        let close = format!("[/{name}]");
        let end = self.text[range.end..near].find(&close).map(|i| range.end + i + close.len());
        let end = end.filter(|_| has(DROPPED, name)).unwrap_or(range.end);
        self.out.push(Edit::delete(range.start..end));
        end
    }

    /// Handles the text after the words of a link: an address, or a reference label.
    fn link(&mut self, at: usize) -> Option<usize> {
        let open = self.open.pop()?;
        let words = &self.text[open + 1..at];
        let rest = &self.text[at + 1..];
        let spaced = rest.strip_prefix(' ').or_else(|| rest.strip_prefix('\n'));
        if rest.starts_with("](") && self.open.is_empty() {
            // There is one bracket too many.
            self.open.push(open);
            self.out.push(Edit::delete(at..at + 1));
            return Some(at + 1);
        }
        if rest.starts_with('(') {
            let end = self.address(at + 1)?;
            let inner = &self.text[at + 2..end - 1];
            let target = if inner.trim_start().starts_with('#') { "(#)" } else { "(x)" };
            self.out.push(Edit::replace(at + 1..end, target));
            return Some(end);
        }
        if spaced.is_some_and(|s| s.starts_with("(http://") || s.starts_with("(https://")) {
            let end = self.address(at + 2)?;
            self.out.push(Edit::replace(at + 1..end, "(x)"));
            return Some(end);
        }
        let label = rest.strip_prefix('[').map(|r| (1, r)).or_else(|| Some((2, spaced?.strip_prefix('[')?)));
        if let Some((from, label)) = label
            && let Some(end) = label[..label.floor_char_boundary(label.len().min(HIGHLIGHT))].find(']')
        {
            let name = if end == 0 { words } else { &label[..end] };
            let defined = self.references.links.contains(&references::folded(name));
            let number = self.references.numbers.contains(name);
            // An undefined label still counts as one if both words and label look like words.
            let worded = words.chars().filter(|c| c.is_alphabetic()).nth(2).is_some()
                && !label.starts_with(|c: char| c.is_ascii_digit());
            let picture = self.text[..open].ends_with('!');
            let short = end == 0 && words.starts_with(|c: char| !c.is_ascii_digit());
            if defined || number || from == 1 && (picture || short || worded && end > 0) {
                let range = at + 1..at + 1 + from + end + 1;
                let next = range.end;
                self.out.push(Edit::replace(range, "(x)"));
                return Some(next);
            }
        }
        if self.references.links.contains(&references::folded(words)) && !rest.starts_with(':') {
            self.out.push(Edit::insert(at + 1, "(x)"));
        }
        None
    }

    /// Returns the end of the address whose parenthesis opens at `open`.
    fn address(&self, open: usize) -> Option<usize> {
        let near = self.text.floor_char_boundary((open + ADDRESS).min(self.text.len()));
        let rest = &self.text[open..near];
        let rest = rest.split("\n\n").next().unwrap_or("");
        let mut depth = 0_i32;
        let mut end = None;
        for (i, c) in rest.char_indices() {
            depth += i32::from(c == '(') - i32::from(c == ')');
            if depth == 0 {
                end = Some(i + 1);
                break;
            }
        }
        let end = end.or_else(|| rest.find(')').map(|i| i + 1))?;
        let inner = rest[1..end - 1].trim();
        let spaced = inner.contains(char::is_whitespace);
        let first = inner.split_whitespace().next().unwrap_or("");
        let marked = first.contains(['/', '#', '.', '<', ':']) || inner.ends_with(['"', '\'', ')']) || first == "x";
        (!spaced || marked).then_some(open + end)
    }

    /// Removes a note within its sentence.
    fn note_inline(&mut self, at: usize) -> Option<usize> {
        let near = self.text.floor_char_boundary((at + ADDRESS).min(self.text.len()));
        let mut depth = 0_i32;
        for (i, c) in self.text[at + 1..near].char_indices() {
            depth += i32::from(c == '[') - i32::from(c == ']');
            if depth == 0 {
                let end = at + 1 + i + 1;
                self.out.push(Edit::delete(at..end));
                return Some(end);
            }
        }
        None
    }

    /// Escapes a single tilde, which means "about" and is not a mark. Two tildes strike out.
    fn tilde(&mut self, at: usize) -> Option<usize> {
        let rest = &self.text[at..];
        let n = rest.bytes().take_while(|b| *b == b'~').count();
        if n != 1 {
            return Some(at + n);
        }
        // `H~2~O`.
        let digits = rest[1..].bytes().take_while(u8::is_ascii_digit).count();
        let below = (1..=3).contains(&digits) && rest[1 + digits..].starts_with('~');
        if below && self.text[..at].ends_with(char::is_alphabetic) {
            self.out.push(Edit::delete(at..at + 1));
            self.out.push(Edit::delete(at + 1 + digits..at + 2 + digits));
            return Some(at + 2 + digits);
        }
        self.out.push(Edit::insert(at, "\\"));
        None
    }

    /// Removes the marks of `==words==`.
    fn highlight(&mut self, at: usize) -> Option<usize> {
        if at < self.highlighted {
            return Some(at + 2);
        }
        let near = self.near(at, HIGHLIGHT);
        let inner = &near[2..];
        let end = inner.find("==").filter(|end| *end > 0)?;
        let words = &inner[..end];
        let before = self.text[..at].chars().next_back();
        let apart = !before.is_some_and(|c| c.is_alphanumeric() || matches!(c, '=' | '!' | '<' | '>'));
        let hugs = !words.starts_with([' ', '=']) && !words.ends_with(' ') && !inner[end..].starts_with("===");
        if !(apart && hugs) {
            return Some(at + near.len() - near.trim_start_matches('=').len());
        }
        let close = at + 2 + end;
        self.highlighted = close + 2;
        self.out.push(Edit::delete(at..at + 2));
        self.out.push(Edit::delete(close..close + 2));
        // The text between the marks is read as well.
        Some(at + 2)
    }

    /// Removes `:tada:`.
    fn named(&mut self, at: usize) -> Option<usize> {
        let near = &self.near(at, NAME)[1..];
        let end = near.find(':')?;
        let name = &near[..end];
        let before = self.text[..at].chars().next_back();
        let behind = near[end + 1..].chars().next();
        let apart = |c: Option<char>| !c.is_some_and(|c| c.is_alphanumeric() || matches!(c, ':' | '/' | '`'));
        let plain =
            name.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || matches!(b, b'_' | b'-' | b'+'));
        let named = plain && name.bytes().filter(u8::is_ascii_lowercase).count() >= 2
            || matches!(name, "+1" | "-1" | "100" | "8ball");
        (named && apart(before) && apart(behind)).then(|| {
            let range = at..at + end + 2;
            let next = range.end;
            self.out.push(Edit::delete(range));
            next
        })
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::edits::Edited;
    use super::*;

    fn read(text: &str) -> String {
        Edited::of(text).apply(&edits(text, &Code::of(text))).text
    }

    #[test]
    fn links_of_every_kind() {
        for (text, want) in [
            ("[a](http://b.example/c_(d)) e", "[a](x) e"),
            ("[a](#b \"c\") d", "[a](#) d"),
            ("[a](http://b.example/x y) c", "[a](x) c"),
            ("[a] (https://b.example) c", "[a](x) c"),
            ("[![a](b)](c) d", "[![a](x)](x) d"),
            ("[sic](as they wrote) x", "[sic](as they wrote) x"),
            ("[Tide tables][tt] x\n\n[tt]: /a", "[Tide tables](x) x\n\n"),
            ("[Tide tables][] x\n[tide tables]: /a", "[Tide tables](x) x\n"),
            ("[Tide tables] x\n\n[tide tables]: <a.html>", "[Tide tables](x) x\n\n"),
            ("[Tide tables][none] x", "[Tide tables](x) x"),
            ("m[i][j] and [x] and [sic]", "m[i][j] and [x] and [sic]"),
            ("([#1081][]) ![][logo] [a b]](/c) d", "([#1081](x)) ![](x) [a b](x) d"),
            ("\\*\\*Ebb\\*\\* and \\*x", "Ebb and \\*x"),
            ("see [1], and [2].\n\n[1] https://a.example\n[2]: https://b.example", "see, and.\n\n\n"),
            ("[[Tides|the tide]] and [[Ebb]] ![[a.png]]", "the tide and Ebb "),
        ] {
            assert_eq!(read(text), want, "{text}");
        }
    }

    #[test]
    fn notes_go() {
        for (text, want) in [
            ("It grew.[^1] Much", "It grew. Much"),
            ("It grew.[^1]\n\n[^1]: Note", "It grew.[^1]\n\n[^1]: Note"),
            ("A set [^a] of letters", "A set [^a] of letters"),
            ("It grew^[so [they] say] much", "It grew much"),
            ("It grew.[12] Much,[3] [4]", "It grew. Much,[4]"),
        ] {
            let want = want.replace("Much,[4]", "Much, [4]");
            assert_eq!(read(text), want, "{text}");
        }
    }

    #[test]
    fn signs_that_are_no_marks() {
        for (text, want) in [
            ("~$108/yr and ~5", "\\~$108/yr and \\~5"),
            ("~~gone~~ H~2~O", "~~gone~~ H2O"),
            ("==very== a == b", "very a == b"),
            ("we did it :tada: :+1:!", "we did it  !"),
            ("10:30:45 a::b::c x:y:z", "10:30:45 a::b::c x:y:z"),
            ("[gallery ids=\"1,2\"]Text [caption id=\"a\"]A boat[/caption]", "Text "),
            ("`[a](b c) ~`", "`[a](b c) ~`"),
        ] {
            assert_eq!(read(text), want, "{text}");
        }
    }

    proptest! {
        #[test]
        fn changes_are_in_order(text in "(\\[|\\]|\\(|\\)|!|\\^|~|==|:|\\\\|`|x|[0-9]|http://a|\\[1\\]|: |é| |\n|\n\n){0,50}") {
            let all = edits(&text, &Code::of(&text));
            prop_assert!(all.windows(2).all(|p| p[0].range.end <= p[1].range.start), "{:?}", all);
            prop_assert!(all.iter().all(|e| text.get(e.range.clone()).is_some()));
        }
    }

    #[test]
    fn nothing_takes_time_by_the_square() {
        for part in ["[", "](", "[a](", "[[a", "==a", ":a", "^[", "[^a]", "~", "[a][b]"] {
            let _ = edits(&part.repeat(30_000), &Code::default());
        }
    }
}
