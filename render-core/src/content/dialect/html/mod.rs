//! Converts HTML within Markdown to Markdown, so that the text between tags is read like any other text.
//!
//! CommonMark treats a line with a tag as raw HTML and leaves it unparsed, but authors mean its words. Here, HTML
//! paragraphs, headings, lists and tables become Markdown ones, pictures and scripts are removed, and the text
//! between tags keeps its Markdown marks.

mod parts;
mod pictures;
mod table;
pub(super) mod tags;

use std::ops::Range;

pub(in crate::content) use self::parts::name_in;
pub(in crate::content) use self::pictures::{Shown, shown};

use self::table::Table;
use self::tags::{Kind, Tag};
use super::code::Code;
use super::edits::Edit;
use super::marks;
use crate::cancel;
use crate::content::words::has;

/// Elements that are removed with their content, separated by white space.
const DROPPED: &str = "script style svg iframe video audio object noscript template form select textarea button nav figure picture \
    math head pre canvas map del s strike rt rp caption datalist menu title";
/// Block elements, separated by white space.
const BLOCKS: &str = "p div section article main aside header footer center address details fieldset legend hgroup body html \
    figcaption dl tbody thead tfoot search";
/// Maximum tags within a link.
const LINK_TAGS: usize = 12;
/// Maximum tags searched for the one that closes an element.
const LOOK: usize = 2_000;
/// Maximum nesting depth of elements.
const DEPTH: usize = 40;
/// Maximum nesting depth of lists.
const LISTS: usize = 6;
/// Maximum nesting depth of quotations.
const QUOTES: usize = 3;

/// Returns the edits that turn HTML into Markdown.
pub(super) fn edits(text: &str, code: &Code) -> Vec<Edit> {
    let tags = tags::of(text, code);
    if tags.is_empty() {
        return Vec::new();
    }
    let mut writer =
        Writer { text, code, tags: &tags, out: Vec::new(), open: Vec::new(), unclosed: Vec::new(), in_link: false };
    let mut at = 0;
    let mut i = 0;
    while let Some(tag) = tags.get(i) {
        cancel::tick();
        if tag.range.start >= at {
            writer.words(at..tag.range.start);
            let (next, end) = writer.tag(i);
            (i, at) = (next, end);
        } else {
            i += 1;
        }
    }
    writer.words(at..text.len());
    writer.out
}

/// An open element that affects its content.
#[derive(Debug, Clone, PartialEq)]
enum Open {
    /// A block, by the name of the element.
    Block(String),
    /// A single line: a heading, a summary, a term.
    Line(String),
    List {
        counts: bool,
        name: String,
    },
    Item,
    Quote(String),
    Table(Table),
}

struct Writer<'a> {
    text: &'a str,
    code: &'a Code,
    tags: &'a [Tag<'a>],
    out: Vec<Edit>,
    open: Vec<Open>,
    /// Names of elements that are known to have no further closing tag.
    unclosed: Vec<String>,
    /// Whether the words of a link are being written.
    in_link: bool,
}

impl<'a> Writer<'a> {
    /// Reads tag `i`. Returns the index of the next tag and the byte offset at which reading continues.
    fn tag(&mut self, i: usize) -> (usize, usize) {
        let tag = &self.tags[i];
        let range = tag.range.clone();
        let past = (i + 1, range.end);
        match tag.kind {
            Kind::Literal => self.out.push(Edit::insert(range.start, "\\")),
            Kind::Comment => self.out.push(Edit::delete(range)),
            Kind::Open if has(DROPPED, &tag.name) => return self.drop(i),
            Kind::Open | Kind::Empty => return self.opens(i),
            Kind::Close => self.closes(i),
        }
        past
    }

    /// Returns the tag that closes the element of tag `i`.
    fn close_of(&mut self, i: usize) -> Option<usize> {
        let name = &self.tags[i].name;
        if self.unclosed.contains(name) {
            return None;
        }
        let mut depth = 0_usize;
        let near = || self.tags.iter().enumerate().skip(i).take(LOOK).filter(|(_, t)| t.name == *name);
        for (k, tag) in near() {
            match tag.kind {
                Kind::Open => depth += 1,
                Kind::Close => depth = depth.saturating_sub(1),
                _ => {}
            }
            if depth == 0 {
                return Some(k);
            }
        }
        // If tags are unbalanced, the first closing tag is taken.
        let next = near().find(|(_, t)| t.kind == Kind::Close).map(|(k, _)| k);
        if next.is_none() && i + LOOK >= self.tags.len() {
            let name = name.clone();
            self.unclosed.push(name);
        }
        next
    }

    fn opens(&mut self, i: usize) -> (usize, usize) {
        let tag = &self.tags[i];
        let range = tag.range.clone();
        let name = tag.name.as_str();
        let past = (i + 1, range.end);
        let empty = tag.kind == Kind::Empty;
        let inline = self.is_inline(range.start);
        let with = match name {
            "b" | "strong" if !empty => marks::STRONG_ON.to_string(),
            "i" | "em" if !empty => marks::EM_ON.to_string(),
            "br" if self.in_line() => " ".to_owned(),
            "br" => marks::BREAK.to_string(),
            "q" => "\"".to_owned(),
            "a" => return self.link(i),
            "sup" => return self.raised(i),
            "hr" if !inline => format!("{}---{}", self.parted(), self.line_end()),
            "h1" | "h2" | "h3" | "h4" | "h5" | "h6" if !inline => return self.heading(i),
            "summary" if !inline => {
                let with = format!("{}{}", self.parted(), marks::STRONG_ON);
                self.push(Open::Line(name.to_owned()));
                with
            }
            "ul" | "ol" | "dir" if !inline => {
                self.close_term();
                let with = self.parted();
                self.push(Open::List { counts: name == "ol", name: name.to_owned() });
                with
            }
            "li" if inline => marks::BREAK.to_string(),
            "li" => self.item(),
            "dt" if !inline => {
                let with = self.parted();
                self.push(Open::Line(name.to_owned()));
                with
            }
            "dd" if !inline => {
                self.close_term();
                format!("{}: ", self.line_end())
            }
            "blockquote" if !inline => self.quote(tag),
            "aside" | "div" | "p" if !inline && is_quote(tag) && !self.in_quote() => self.quote(tag),
            "table" if !inline => self.table(i),
            "tr" | "td" | "th" => self.cell(tag),
            "cite" | "footer" | "figcaption" | "p" | "div" | "span" if self.in_quote() && self.is_credit(i) => {
                format!("{}{}", self.break_line(), self.dash(range.end))
            }
            _ if (has(BLOCKS, name) || tag.kind == Kind::Open && self.is_container(tag)) && !inline => {
                let with = self.parted();
                if !empty && !matches!(name, "p" | "tbody" | "thead" | "tfoot") && !self.in_line() {
                    self.push(Open::Block(name.to_owned()));
                }
                with
            }
            _ => String::new(),
        };
        self.out.push(Edit::replace(range, with));
        past
    }

    fn closes(&mut self, i: usize) {
        let tag = &self.tags[i];
        let range = tag.range.clone();
        let name = tag.name.as_str();
        let with = match name {
            "b" | "strong" => marks::STRONG_OFF.to_string(),
            "i" | "em" => marks::EM_OFF.to_string(),
            "q" => "\"".to_owned(),
            "td" | "th" => self.with_table(Table::end_cell).unwrap_or_else(|| self.parted()),
            "tr" => self.with_table(Table::end_row).unwrap_or_default(),
            _ if self.is_inline(range.start) => String::new(),
            "summary" => match self.close(|o| *o == Open::Line("summary".to_owned())) {
                true => format!("{}{}", marks::STRONG_OFF, self.parted()),
                false => String::new(),
            },
            "li" => {
                self.close(|o| *o == Open::Item);
                String::new()
            }
            "table" => {
                let end = self.with_table(Table::end_row).unwrap_or_default();
                self.close(|o| matches!(o, Open::Table(_)));
                format!("{end}{}", self.parted())
            }
            _ => {
                let opened = |o: &Open| match o {
                    Open::Block(n) | Open::Line(n) | Open::Quote(n) => n == name,
                    Open::List { name: n, .. } => n == name,
                    _ => false,
                };
                let closed = self.close(opened);
                let parts = name != "dt" && (closed || has(BLOCKS, name) && !self.in_line());
                if parts { self.parted() } else { String::new() }
            }
        };
        self.out.push(Edit::replace(range, with));
    }

    /// Pushes an open element. Elements beyond the depth limit are ignored.
    fn push(&mut self, element: Open) {
        if self.open.len() < DEPTH {
            self.open.push(element);
        }
    }

    /// Closes the innermost element that matches `is`, and everything open inside it.
    fn close(&mut self, is: impl Fn(&Open) -> bool) -> bool {
        let at = self.open.iter().rposition(is);
        if let Some(at) = at {
            self.open.truncate(at);
        }
        at.is_some()
    }

    fn close_term(&mut self) {
        if matches!(self.open.last(), Some(Open::Line(name)) if name == "dt") {
            self.open.pop();
        }
    }

    fn item(&mut self) -> String {
        self.close_term();
        if let Some(at) = self.open.iter().rposition(|o| matches!(o, Open::List { .. })) {
            self.open.truncate(at + 1);
        }
        let lists = self.open.iter().filter(|o| matches!(o, Open::List { .. })).count();
        let counts = matches!(self.open.last(), Some(Open::List { counts: true, .. }));
        let indent = " ".repeat(4 * lists.saturating_sub(1).min(LISTS));
        let mark = if counts { "1. " } else { "- " };
        let with = format!("\n{}{indent}{mark}", "> ".repeat(self.quotes()));
        self.push(Open::Item);
        with
    }

    fn quote(&mut self, tag: &Tag<'_>) -> String {
        let before = self.parted();
        self.push(Open::Quote(tag.name.clone()));
        format!("{before}> ")
    }

    fn table(&mut self, i: usize) -> String {
        let close = self.close_of(i).unwrap_or(self.tags.len());
        let with = self.parted();
        match Table::of(&self.tags[i + 1..close]) {
            Some(table) => self.push(Open::Table(table)),
            None => self.push(Open::Block("table".to_owned())),
        }
        with
    }

    fn cell(&mut self, tag: &Tag<'_>) -> String {
        let columns = tag.attribute("colspan").and_then(|n| n.parse().ok()).unwrap_or(1);
        let prefix = "> ".repeat(self.quotes());
        let is_row = tag.name == "tr";
        let begun = self.with_table(|table| if is_row { table.row(&prefix) } else { table.cell(columns) });
        begun.unwrap_or_else(|| self.parted())
    }

    fn with_table(&mut self, f: impl FnOnce(&mut Table) -> String) -> Option<String> {
        self.open.iter_mut().rev().find_map(|o| if let Open::Table(t) = o { Some(t) } else { None }).map(f)
    }

    /// Writes the words between two tags. Within an element, lines lose their indentation and get the Markdown prefix
    /// of the open elements.
    fn words(&mut self, range: Range<usize>) {
        if self.open.is_empty() && !self.in_link || range.is_empty() {
            return;
        }
        let one_line = self.in_line() || self.in_link;
        let in_table = self.open.iter().any(|o| matches!(o, Open::Table(_)));
        let bytes = self.text.as_bytes();
        let mut at = range.start;
        while let Some(found) = memchr::memchr2(b'\n', b'|', &bytes[at..range.end]) {
            let here = at + found;
            at = here + 1;
            if bytes[here] == b'|' {
                if in_table {
                    self.out.push(Edit::insert(here, "\\"));
                }
                continue;
            }
            if let Some(end) = self.code.end_at(here).filter(|_| !one_line) {
                at = end.min(range.end).max(at);
                continue;
            }
            let rest = &self.text[at..];
            let line = rest.split('\n').next().unwrap_or("");
            let indent = line.len() - line.trim_start_matches([' ', '\t']).len();
            // The next line starts at its first word. A list keeps its relative indentation.
            let listed = self.is_listed(line.trim_start());
            let kept = if listed { indent.saturating_sub(self.base()) } else { 0 };
            let end = (at + indent - kept.min(indent)).min(range.end);
            if one_line {
                self.out.push(Edit::replace(here..end, " "));
            } else {
                let with = format!("\n{}", self.prefix());
                self.out.push(Edit::replace(here..end, with));
            }
            at = end.max(at);
        }
    }

    /// Whether a line opens a Markdown list item.
    fn is_listed(&self, line: &str) -> bool {
        let digits = line.len() - line.trim_start_matches(|c: char| c.is_ascii_digit()).len();
        ["- ", "* ", "+ "].iter().any(|m| line.starts_with(m)) || digits > 0 && line[digits..].starts_with(['.', ')'])
    }

    /// Returns the minimum indentation in columns of the content of the open elements.
    fn base(&self) -> usize {
        2 * self.open.iter().filter(|o| matches!(o, Open::Block(_) | Open::Quote(_))).count()
    }

    /// Returns the Markdown prefix of a line within the open elements.
    fn prefix(&self) -> String {
        let lists = self.open.iter().filter(|o| matches!(o, Open::List { .. })).count();
        let in_item = self.open.contains(&Open::Item);
        let indent = if in_item { 4 * lists.min(LISTS) } else { 0 };
        format!("{}{}", "> ".repeat(self.quotes()), " ".repeat(indent))
    }

    fn quotes(&self) -> usize {
        self.open.iter().filter(|o| matches!(o, Open::Quote(_))).count().min(QUOTES)
    }

    fn in_quote(&self) -> bool {
        self.quotes() > 0
    }

    /// Whether the open elements allow only one line.
    fn in_line(&self) -> bool {
        self.open.iter().any(|o| matches!(o, Open::Line(_) | Open::Table(_)))
    }

    /// Returns a break between blocks.
    fn parted(&self) -> String {
        if self.in_line() { " ".to_owned() } else { self.break_line() }
    }

    fn break_line(&self) -> String {
        let prefix = self.prefix();
        let blank = prefix.trim_end();
        format!("\n{blank}\n{prefix}")
    }

    fn line_end(&self) -> String {
        format!("\n{}", self.prefix())
    }

    /// Whether a tag is on a Markdown line that it must not break: a heading, an item, a row.
    fn is_inline(&self, at: usize) -> bool {
        if !self.open.is_empty() {
            return false;
        }
        let start = self.text[..at].rfind('\n').map_or(0, |i| i + 1);
        let before = self.text[start..at].trim_start();
        before.starts_with(['#', '|', '>']) || self.is_listed(before)
    }

    /// Whether a tag belongs to a component and is alone on its line.
    fn is_container(&self, tag: &Tag<'_>) -> bool {
        let before = self.text[..tag.range.start].rsplit('\n').next().unwrap_or("");
        let behind = self.text[tag.range.end..].split('\n').next().unwrap_or("");
        !tags::is_known(&tag.name) && before.trim().is_empty() && behind.trim().is_empty()
    }

    /// Whether a tag in a quotation opens the line with the attribution.
    fn is_credit(&self, i: usize) -> bool {
        let tag = &self.tags[i];
        let named = matches!(tag.name.as_str(), "cite" | "footer" | "figcaption");
        let class = tag.attribute("class").unwrap_or("").to_ascii_lowercase();
        named || ["credit", "author", "cite", "attribution", "source", "byline"].iter().any(|c| class.contains(c))
    }

    /// Returns the dash before a name, if the text has none.
    fn dash(&self, at: usize) -> &'static str {
        let rest = self.text[at..].trim_start_matches(|c: char| c.is_whitespace() || matches!(c, '*' | '_' | '('));
        let has =
            rest.starts_with(['—', '–', '―', '-', '~']) || rest.starts_with("&mdash;") || rest.starts_with("&ndash;");
        if has { "" } else { "— " }
    }
}

/// Whether an element is styled as a quotation.
fn is_quote(tag: &Tag<'_>) -> bool {
    let class = tag.attribute("class").unwrap_or("").to_ascii_lowercase();
    let mut names = class.split(|c: char| !c.is_ascii_alphanumeric());
    names.any(|n| matches!(n, "quote" | "pquote" | "pullquote" | "blockquote" | "quotation" | "testimonial"))
}

#[cfg(test)]
mod tests;
