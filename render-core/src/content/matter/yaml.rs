//! Parses YAML front matter as people write it, which is often invalid. It is read line by line, so that a malformed
//! line affects no other.

use std::ops::Range;

use super::entries::{Entries, Value, listed, unquoted};
use crate::content::dialect::code::lines;

/// Maximum bytes of a key.
const KEY: usize = 60;
/// Maximum nesting depth of keys.
const DEPTH: usize = 8;

/// A line between the fences.
struct Line<'a> {
    /// Offset of its first byte.
    at: usize,
    indent: usize,
    /// The trimmed text.
    text: &'a str,
}

/// Parses the front matter at `range` of the source.
pub(super) fn read(source: &str, range: Range<usize>) -> Entries {
    let all: Vec<Line<'_>> = lines(&source[range.clone()])
        .map(|(at, line)| {
            let indent = line.len() - line.trim_start().len();
            Line { at: range.start + at + indent, indent, text: line.trim() }
        })
        .collect();
    let mut reader = Reader { source, lines: &all, i: 0, path: Vec::new(), out: Entries::default() };
    while reader.i < all.len() {
        reader.line();
    }
    reader.out
}

/// Returns the key that opens a line, and the rest of the line after its colon.
pub(super) fn key_of(line: &str) -> Option<(&str, &str)> {
    let (key, rest) = match line.strip_prefix('"').and_then(|l| l.split_once('"')) {
        Some((key, rest)) => (key, rest.trim_start().strip_prefix(':')?),
        None => {
            let at = line.find(':')?;
            (line[..at].trim_end(), &line[at + 1..])
        }
    };
    let plain = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | '.' | ' ' | '@' | '$' | '/');
    let named = key.starts_with(char::is_alphabetic) || key.starts_with(['_', '@', '$']);
    let short = key.len() <= KEY && key.split(' ').count() <= 4;
    let parted = rest.is_empty() || rest.starts_with([' ', '\t', '"', '\'', '[']);
    (named && short && parted && key.chars().all(plain)).then(|| (key, rest.trim()))
}

struct Reader<'a> {
    source: &'a str,
    lines: &'a [Line<'a>],
    i: usize,
    /// The enclosing keys with their indentation.
    path: Vec<(usize, String)>,
    out: Entries,
}

impl<'a> Reader<'a> {
    /// Reads the next entry, or skips a line that is none.
    fn line(&mut self) {
        let line = &self.lines[self.i];
        self.i += 1;
        if line.text.is_empty() || line.text.starts_with('#') {
            return;
        }
        match line.text.strip_prefix("- ").or_else(|| line.text.strip_prefix("-\t")) {
            Some(item) => self.item(line, item),
            None => self.entry(line.indent, line.text, line.at),
        }
    }

    /// Reads a list element under the innermost key that is not indented further.
    fn item(&mut self, line: &Line<'a>, item: &'a str) {
        self.path.retain(|(indent, _)| *indent <= line.indent);
        let words = item.trim_start();
        let at = line.at + line.text.len() - words.len();
        // A mapping within the list: `- name: Ada`.
        if !words.starts_with(['"', '\'']) && key_of(words).is_some_and(|(key, _)| !key.contains(' ')) {
            self.entry(line.indent + (line.text.len() - words.len()), words, at);
            return;
        }
        let key = self.key("");
        let value = self.scalar(line.indent, words, at);
        self.out.push(&key, value);
    }

    fn entry(&mut self, indent: usize, text: &'a str, at: usize) {
        let Some((key, rest)) = key_of(text) else { return };
        self.path.retain(|(outer, _)| *outer < indent);
        let name = self.key(key);
        if rest.is_empty() && self.path.len() < DEPTH {
            // The value follows on the lines below: a list, nested keys, or words.
            let words = self.lines.get(self.i).filter(|next| {
                let within = next.indent > indent && !next.text.starts_with(['-', '#']);
                within && !next.text.is_empty() && key_of(next.text).is_none()
            });
            if words.is_some() {
                let value = self.folded(indent, at + text.len());
                self.out.push(&name, value);
            } else {
                self.path.push((indent, key.to_lowercase()));
            }
            return;
        }
        let at = at + text.len() - rest.len();
        if rest.starts_with(['>', '|']) && rest[1..].trim_matches(|c: char| "+-0123456789 ".contains(c)).is_empty() {
            let value = self.folded(indent, at);
            self.out.push(&name, value);
        } else if rest.starts_with('[') {
            self.list(&name, rest, at);
        } else if !matches!(rest, "null" | "~" | "true" | "false" | "{}") {
            let value = self.scalar(indent, rest, at);
            self.out.push(&name, value);
        }
    }

    fn key(&self, last: &str) -> String {
        let outer = self.path.iter().map(|(_, key)| key.as_str());
        let last = last.to_lowercase();
        outer.chain((!last.is_empty()).then_some(last.as_str())).collect::<Vec<_>>().join(".")
    }

    /// Reads a list between brackets, over as many lines as it takes.
    fn list(&mut self, key: &str, first: &'a str, at: usize) {
        let mut end = at + first.len();
        while !self.source[at..end].trim_end().ends_with(']') {
            let Some(next) = self.lines.get(self.i).filter(|l| key_of(l.text).is_none()) else { break };
            end = next.at + next.text.len();
            self.i += 1;
        }
        for (offset, item) in listed(&self.source[at..end]) {
            let range = at + offset..at + offset + item.len();
            self.out.push(key, Value { text: unquoted(item), range });
        }
    }

    /// Reads words on the lines below that are indented further than their key.
    fn folded(&mut self, indent: usize, at: usize) -> Value {
        let mut text = String::new();
        let mut range = at..at;
        while let Some(next) = self.lines.get(self.i).filter(|l| l.text.is_empty() || l.indent > indent) {
            self.i += 1;
            if next.text.is_empty() {
                continue;
            }
            range.start = if text.is_empty() { next.at } else { range.start };
            range.end = next.at + next.text.len();
            text.push_str(if text.is_empty() { "" } else { " " });
            text.push_str(next.text);
        }
        Value { text: unquoted(&text), range }
    }

    /// Reads words after a key. They may continue on lines below that are indented further, or while a quotation mark
    /// is open.
    fn scalar(&mut self, indent: usize, first: &'a str, at: usize) -> Value {
        let mark = first.chars().next().filter(|c| matches!(c, '"' | '\''));
        let closed = |text: &str| mark.is_none_or(|m| text.len() > 1 && text.trim_end().ends_with(m));
        let mut text = uncommented(first).to_owned();
        let mut end = at + text.len();
        loop {
            let next = self.lines.get(self.i).filter(|l| {
                let goes_on = l.indent > indent || mark.is_some() && !closed(&text);
                goes_on
                    && !l.text.is_empty()
                    && !l.text.starts_with("- ")
                    && (mark.is_some() || key_of(l.text).is_none())
            });
            // An opening mark that no line below closes is not a quotation mark.
            let open = !closed(&text);
            let Some(next) = next.filter(|l| mark.is_none() || open && (l.indent > indent || self.closes(mark))) else {
                break;
            };
            text.push(' ');
            text.push_str(next.text);
            end = next.at + next.text.len();
            self.i += 1;
        }
        Value { text: unquoted(&text), range: at..end }
    }

    /// Whether one of the next lines, up to the next key, ends with `mark`.
    fn closes(&self, mark: Option<char>) -> bool {
        let below = self.lines[self.i..].iter().take_while(|l| key_of(l.text).is_none());
        below.take(20).any(|l| mark.is_some_and(|m| l.text.ends_with(m)))
    }
}

/// Removes the comment after a value. A number sign directly before a word is no comment: "Issue #12".
fn uncommented(value: &str) -> &str {
    if let Some(mark) = value.chars().next().filter(|c| matches!(c, '"' | '\'')) {
        let close = value[1..].find(mark).map(|i| i + 2);
        let behind = close.map(|end| (end, value[end..].trim_start()));
        return behind.filter(|(_, rest)| rest.starts_with('#')).map_or(value, |(end, _)| &value[..end]);
    }
    value.find(" # ").map_or(value, |at| value[..at].trim_end())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entries(text: &str) -> Vec<(String, Vec<String>)> {
        let read = read(text, 0..text.len());
        read.0.into_iter().map(|e| (e.key, e.values.into_iter().map(|v| v.text).collect())).collect()
    }

    fn entry(text: &str) -> (String, Vec<String>) {
        let mut all = entries(text);
        assert_eq!(all.len(), 1, "{text}: {all:?}");
        all.remove(0)
    }

    #[test]
    fn scalars_in_every_spelling() {
        for (text, want) in [
            ("title: Tides: a guide", "Tides: a guide"),
            ("Title:   \"Tides\"  # draft", "Tides"),
            ("title: 'It's low water'", "It's low water"),
            ("title: \"Low\" water", "\"Low\" water"),
            ("title: Tides # a comment", "Tides"),
            ("title: Issue #12", "Issue #12"),
            ("title: >-\n  Tides\n  and wind\n", "Tides and wind"),
            ("title: |\n  Tides\n\n  and wind", "Tides and wind"),
            ("title:\n  Tides and\n  wind", "Tides and wind"),
            ("title: Tides\n  and wind", "Tides and wind"),
            ("title: \"Tides\n  and wind\"", "Tides and wind"),
            ("title: \"Tides\nand wind\"", "Tides and wind"),
            ("\"title\": Tides", "Tides"),
            ("title: \"Caf\\u00e9\"", "Café"),
        ] {
            assert_eq!(entry(text), ("title".to_owned(), vec![want.to_owned()]), "{text}");
        }
    }

    #[test]
    fn lists_and_keys_within_keys() {
        let list = |text: &str| entry(text).1;
        assert_eq!(list("tags: [a, \"b c\"]"), ["a", "b c"]);
        assert_eq!(list("tags:\n- a\n- b c"), ["a", "b c"]);
        assert_eq!(list("tags:\n  - a\n  - 'b: c'\n"), ["a", "b: c"]);
        assert_eq!(list("tags: [\n  a,\n  b\n]"), ["a", "b"]);
        assert_eq!(
            entries("seo:\n  title: A\ntitle: B\nauthors:\n  - name: Ada Moor\n    url: x\n"),
            [("seo.title", "A"), ("title", "B"), ("authors.name", "Ada Moor"), ("authors.url", "x")]
                .map(|(k, v)| (k.to_owned(), vec![v.to_owned()]))
        );
    }

    #[test]
    fn what_makes_no_sense_costs_nothing() {
        let all = entries("title: A\n%%%\n: x\ndescription: \"open\nlayout: post\nempty:\nhero: false\n");
        let want = [("title", "A"), ("description", "\"open"), ("layout", "post")];
        assert_eq!(all, want.map(|(k, v)| (k.to_owned(), vec![v.to_owned()])));
    }

    #[test]
    fn values_know_their_place() {
        let text = "---\ntitle: \"Low water\"\n";
        let read = read(text, 4..text.len());
        assert_eq!(&text[read.0[0].values[0].range.clone()], "\"Low water\"");
    }
}
