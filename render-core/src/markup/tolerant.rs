//! Makes text well-formed before an XML parser reads it.
//!
//! It makes one pass from start to end. It looks ahead only over text that it then consumes, or over a piece without
//! any `<`, so it takes linear time on any text. Positions in the result map to positions in the source: see
//! [`Repaired::source`].

use super::entities::reference;
use super::{OUTERMOST, is_xml, shortened};
use crate::limits::PAGE_FAULTS;
use crate::tree::Fault;

/// Maximum nesting of elements, including inline elements and shapes.
const DEEPEST: usize = 64;
/// Maximum number of attributes of one element.
const MOST_ATTRIBUTES: usize = 64;

/// Text that is well-formed except for elements that are not closed in order.
#[derive(Debug)]
pub(super) struct Repaired {
    /// The text, inside an [`OUTERMOST`] element.
    pub(super) text: String,
    /// Faults about unreadable parts that were left out.
    pub(super) faults: Vec<Fault>,
    /// Corresponding positions in the text and its source, recorded wherever their distance changes.
    places: Vec<(usize, usize)>,
}

impl Repaired {
    /// Returns the position in the source for a position in the text, both in bytes.
    pub(super) fn source(&self, at: usize) -> usize {
        let next = self.places.partition_point(|(text, _)| *text <= at);
        let (text, source) = next.checked_sub(1).map_or((0, 0), |last| self.places[last]);
        let most = self.places.get(next).map_or(usize::MAX, |(_, source)| *source);
        (source + at.saturating_sub(text)).min(most)
    }
}

/// Makes `source` well-formed. `Err` if it contains something that no page may: a document type, a processing
/// instruction, a comment or quote without an end, or elements that are nested too deeply.
pub(super) fn repair(source: &str) -> Result<Repaired, Fault> {
    let (at, end) = bounds(source);
    let text = String::with_capacity(end - at + 32);
    let to = Repaired { text, faults: Vec::new(), places: Vec::new() };
    let mut scanner = Scanner { source, at, end, depth: 0, reports: Vec::new(), to };
    scanner.push(&["<", OUTERMOST, ">"]);
    while let Some(c) = scanner.peek() {
        if c == '<' {
            scanner.markup()?;
        } else {
            let rest = scanner.rest();
            let words = rest.find('<').unwrap_or(rest.len());
            scanner.escape(words, Piece::Words);
        }
    }
    scanner.mark();
    scanner.push(&["</", OUTERMOST, ">"]);
    let faults = scanner.reports.iter().map(|(at, message)| scanner.wrong(*at, message)).collect();
    Ok(Repaired { faults, ..scanner.to })
}

/// Returns `line 3, column 14` for a position in a text.
pub(super) fn place(text: &str, at: usize) -> String {
    let before = &text[..text.floor_char_boundary(at)];
    let line = before.matches('\n').count() + 1;
    let column = before.rsplit('\n').next().map_or(0, |line| line.chars().count()) + 1;
    format!("line {line}, column {column}")
}

/// Returns where the pages start and end: inside a code fence, after a byte order mark and an XML declaration.
fn bounds(source: &str) -> (usize, usize) {
    let is_skipped = |c: char| c.is_whitespace() || c == '\u{FEFF}';
    let mut body = source.trim_start_matches(is_skipped);
    let mut end = source.trim_end().len();
    if body.starts_with("```") {
        body = &body[body.find(['\n', '<']).unwrap_or(body.len())..];
        body = body.trim_start_matches(is_skipped);
        end = source[..end].strip_suffix("```").map_or(end, str::len);
    }
    if body.strip_prefix("<?xml").is_some_and(|rest| rest.starts_with(char::is_whitespace))
        && let Some(len) = body.find("?>")
    {
        body = &body[len + 2..];
    }
    let start = source.len() - body.len();
    (start, end.max(start))
}

/// Kinds of text that are escaped in different ways.
#[derive(Clone, Copy, PartialEq)]
enum Piece {
    /// Between tags.
    Words,
    /// The value of an attribute.
    Value,
    /// Literal text without references: `&lt;` is four characters.
    Literal,
}

struct Scanner<'a> {
    source: &'a str,
    at: usize,
    end: usize,
    depth: usize,
    /// The reports of what is left out, with positions.
    reports: Vec<(usize, String)>,
    to: Repaired,
}

impl<'a> Scanner<'a> {
    fn rest(&self) -> &'a str {
        &self.source[self.at..self.end]
    }

    fn peek(&self) -> Option<char> {
        self.rest().chars().next()
    }

    fn push(&mut self, texts: &[&str]) {
        self.to.text.extend(texts.iter().copied());
    }

    /// Records that the end of the text corresponds to the current position in the source.
    fn mark(&mut self) {
        let (text, source) = (self.to.text.len(), self.at);
        let known = self.to.places.last().is_some_and(|(t, s)| text.checked_sub(*t) == source.checked_sub(*s));
        if !known {
            self.to.places.push((text, source));
        }
    }

    fn wrong(&self, at: usize, message: &str) -> Fault {
        Fault::new("page", format!("{}: {message}", place(self.source, at)))
    }

    /// Reports a part that is left out.
    fn report(&mut self, at: usize, message: String) {
        if self.reports.len() < PAGE_FAULTS {
            self.reports.push((at, message));
        }
    }

    /// Copies `len` bytes of the source as text without markup.
    fn escape(&mut self, len: usize, piece: Piece) {
        let until = self.at + len;
        let is_special = |c: char| matches!(c, '<' | '>' | '&') || c == '"' && piece == Piece::Value || !is_xml(c);
        while self.at < until {
            self.mark();
            let rest = &self.source[self.at..until];
            let plain = rest.find(is_special).unwrap_or(rest.len());
            self.push(&[&rest[..plain]]);
            self.at += plain;
            let special = &rest[plain..];
            let Some(c) = special.chars().next() else { break };
            let (used, with) = match c {
                '<' => (1, "&lt;".into()),
                '>' => (1, "&gt;".into()),
                '"' => (1, "&quot;".into()),
                '&' if piece == Piece::Literal => (1, "&amp;".into()),
                '&' => reference(special),
                _ => (c.len_utf8(), "".into()),
            };
            self.push(&[&with]);
            self.at += used;
        }
    }

    /// Reads markup that starts with `<`.
    fn markup(&mut self) -> Result<(), Fault> {
        let rest = self.rest();
        let mut after = rest[1..].chars();
        match (after.next(), after.next()) {
            _ if rest.starts_with("<!--") => {
                let len = rest[4..].find("-->").ok_or_else(|| self.wrong(self.at, "the comment has no end"))?;
                self.at += 4 + len + 3;
            }
            _ if rest.starts_with("<![CDATA[") => {
                self.at += 9;
                let len = rest[9..].find("]]>").unwrap_or(rest.len() - 9);
                self.escape(len, Piece::Literal);
                self.at = (self.at + 3).min(self.end);
            }
            (Some('!'), _) if is_declaration(rest) => {
                return Err(self.wrong(self.at, "a document type or entity may not stand in a page"));
            }
            (Some('?'), Some(c)) if c.is_alphabetic() => {
                return Err(self.wrong(self.at, "a processing instruction may not stand in a page"));
            }
            (Some('/'), Some(c)) if c.is_alphabetic() => self.end_tag(),
            (Some(c), _) if c.is_alphabetic() => self.start_tag()?,
            _ => self.stray(),
        }
        Ok(())
    }

    /// Reads a `<` that starts no markup.
    fn stray(&mut self) {
        self.escape(1, Piece::Words);
    }

    fn end_tag(&mut self) {
        self.mark();
        let written = tag_name(&self.rest()[2..]);
        self.at += 2 + written.len();
        self.skip_space();
        if self.peek() == Some('>') {
            self.at += 1;
        }
        let name = local(written);
        if !is_break(name) {
            self.depth = self.depth.saturating_sub(1);
            self.push(&["</", name, ">"]);
        }
    }

    fn start_tag(&mut self) -> Result<(), Fault> {
        self.mark();
        let before = (self.at, self.to.text.len(), self.to.places.len(), self.reports.len());
        let written = tag_name(&self.rest()[1..]);
        let name = if is_break(local(written)) { "br" } else { local(written) };
        self.at += 1 + written.len();
        self.push(&["<", name]);
        let starts_none = |c: char| !c.is_whitespace() && !matches!(c, '<' | '>' | '/');
        let is_empty = if self.peek().is_some_and(starts_none) { None } else { self.attributes()? };
        let Some(is_empty) = is_empty else {
            self.at = before.0;
            self.to.text.truncate(before.1);
            self.to.places.truncate(before.2);
            self.reports.truncate(before.3);
            self.stray();
            return Ok(());
        };
        if is_empty || name == "br" {
            self.push(&["/>"]);
            return Ok(());
        }
        self.push(&[">"]);
        self.depth += 1;
        if self.depth > DEEPEST {
            return Err(self.wrong(before.0, &format!("elements stand more than {DEEPEST} deep within one another")));
        }
        Ok(())
    }

    /// Reads the rest of a start tag and returns whether the element ends with it. Returns `None` if it is no tag:
    /// without an end and any value, the `<` belongs to words, as in `if a <b then`.
    fn attributes(&mut self) -> Result<Option<bool>, Fault> {
        let mut count = 0;
        let mut is_tag = false;
        loop {
            self.skip_space();
            match self.peek() {
                None | Some('<') => return Ok(is_tag.then_some(false)),
                Some('>') => {
                    self.at += 1;
                    return Ok(Some(false));
                }
                Some('/') if self.rest().starts_with("/>") => {
                    self.at += 2;
                    return Ok(Some(true));
                }
                Some(_) => is_tag |= self.attribute(&mut count)?,
            }
        }
    }

    /// Reads an attribute, or a stray character between attributes. Returns whether it has a value.
    fn attribute(&mut self, count: &mut usize) -> Result<bool, Fault> {
        let at = self.at;
        let is_end = |c: char| c.is_whitespace() || matches!(c, '=' | '>' | '/' | '<' | '"' | '\'');
        let written = &self.rest()[..self.rest().find(is_end).unwrap_or(self.rest().len())];
        if written.is_empty() {
            self.at += 1;
            return Ok(false);
        }
        self.at += written.len();
        self.skip_space();
        let has_value = self.peek() == Some('=');
        let mut len = 0;
        let mut quote = 0;
        if has_value {
            self.at += 1;
            self.skip_space();
            (len, quote) = match self.peek() {
                Some(q @ ('"' | '\'')) => {
                    self.at += 1;
                    let end = self.rest().find(q);
                    let what = || self.wrong(at, &format!("the value of {} has no closing quote", shortened(written)));
                    (end.ok_or_else(what)?, 1)
                }
                _ => (bare_value(self.rest()), 0),
            };
        }
        if self.keeps(at, written, count) {
            // Records the position of the name, then that of the value.
            self.push(&[" "]);
            let value = std::mem::replace(&mut self.at, at);
            self.mark();
            self.at = value;
            self.push(&[local(written), "=\""]);
            self.escape(len, Piece::Value);
            self.push(&["\""]);
        } else {
            self.at += len;
        }
        self.at += quote;
        self.mark();
        Ok(has_value)
    }

    /// Returns whether an attribute is kept. Namespace declarations are dropped; invalid names are reported.
    fn keeps(&mut self, at: usize, written: &str, count: &mut usize) -> bool {
        if written == "xmlns" || written.starts_with("xmlns:") {
            return false;
        }
        *count += 1;
        let is_name = |name: &str| {
            name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_') && tag_name(name).len() == name.len()
        };
        if *count > MOST_ATTRIBUTES {
            if *count == MOST_ATTRIBUTES + 1 {
                self.report(at, format!("an element has more than {MOST_ATTRIBUTES} attributes"));
            }
            return false;
        }
        if !is_name(local(written)) {
            self.report(at, format!("{} is no name of an attribute", shortened(written)));
            return false;
        }
        true
    }

    fn skip_space(&mut self) {
        let rest = self.rest();
        self.at += rest.len() - rest.trim_start().len();
    }
}

/// Returns the name at the start of a tag.
fn tag_name(text: &str) -> &str {
    let is_part = |c: char| c.is_alphanumeric() || matches!(c, '-' | '_' | '.' | ':');
    &text[..text.find(|c| !is_part(c)).unwrap_or(text.len())]
}

/// Returns a name without its namespace prefix: all names of the language share one namespace.
fn local(name: &str) -> &str {
    name.trim_end_matches(':').rsplit(':').next().unwrap_or(name)
}

fn is_break(name: &str) -> bool {
    name.eq_ignore_ascii_case("br")
}

/// Returns the length in bytes of a value without quotes.
fn bare_value(text: &str) -> usize {
    let len = text.find(|c: char| c.is_whitespace() || matches!(c, '<' | '>')).unwrap_or(text.len());
    // The slash of `/>` ends the tag.
    if text[len..].starts_with('>') && text[..len].ends_with('/') { len - 1 } else { len }
}

/// Returns whether text that starts with `<!` is a declaration as in a document type.
fn is_declaration(text: &str) -> bool {
    let is = |name: &str| text.get(2..2 + name.len()).is_some_and(|t| t.eq_ignore_ascii_case(name));
    ["DOCTYPE", "ENTITY", "ELEMENT", "ATTLIST", "NOTATION"].into_iter().any(is)
}
