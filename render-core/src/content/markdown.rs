//! Parses Markdown (CommonMark) into a flat list of blocks.

use std::ops::Range;

use pulldown_cmark::{CodeBlockKind, Event, HeadingLevel, Options, Parser, Tag, TagEnd};

use super::blocks::{Clean, Form, Raw};
use super::clean::Link;
use super::dialect;
use super::dialect::marks::{self, BREAK, EM_OFF, EM_ON, STRONG_OFF, STRONG_ON};
use super::listing::{self, Listing};
use super::words::is_unspaced;
use crate::{cancel, limits};

/// Whether a text contains Markdown beyond a list, which plain text has too.
pub(super) fn looks_like(text: &str) -> bool {
    let mut before_blank = true;
    text.lines().any(|line| {
        let trimmed = line.trim_start();
        let hashes = trimmed.bytes().take_while(|b| *b == b'#').count();
        let behind = trimmed[hashes..].chars().next();
        let spaced = behind.is_some_and(char::is_whitespace);
        let heading = (1..=6).contains(&hashes) && (spaced || hashes > 1 && behind.is_some_and(char::is_alphanumeric));
        let rule = trimmed.len() >= 3 && (trimmed.bytes().all(|b| b == b'=') || trimmed.bytes().all(|b| b == b'-'));
        let underlined = rule && !before_blank;
        before_blank = trimmed.is_empty();
        let inline =
            trimmed.contains("**") || trimmed.contains("](") || trimmed.contains("][") || trimmed.starts_with("![");
        let columns = trimmed.len() >= 5 && trimmed.contains("-|") && trimmed.bytes().all(|b| b"|-: ".contains(&b));
        let task = ["- [ ] ", "- [x] ", "- [X] ", "* [ ] ", "* [x] "].iter().any(|t| trimmed.starts_with(t));
        heading || underlined || inline || columns || task || trimmed.starts_with("> ") || trimmed.starts_with("```")
    }) || dialect::is_marked_up(text)
}

/// Parses CommonMark into blocks and listings. Pictures are skipped.
pub(super) fn read(text: &str) -> (Vec<Raw>, Vec<Listing>) {
    let mut options = Options::ENABLE_TABLES
        | Options::ENABLE_STRIKETHROUGH
        | Options::ENABLE_TASKLISTS
        | Options::ENABLE_DEFINITION_LIST;
    options.set(Options::ENABLE_FOOTNOTES, has_footnotes(text));
    let mut reader = Reader { text, ..Reader::default() };
    for (event, range) in Parser::new_ext(text, options).into_offset_iter() {
        if reader.out.len() >= limits::DOCUMENT_BLOCKS {
            break;
        }
        cancel::tick();
        reader.take(event, range);
    }
    reader.close();
    (reader.out, reader.listings)
}

/// Whether the text has footnotes to parse. Marks without a definition are plain words. The parser's time grows with
/// the square of the marks, so footnotes are disabled for texts with too many.
fn has_footnotes(text: &str) -> bool {
    let defines = |line: &str| line.trim_start().strip_prefix("[^").is_some_and(|rest| rest.contains("]:"));
    text.matches("[^").take(limits::FOOTNOTE_MARKS + 1).count() <= limits::FOOTNOTE_MARKS && text.lines().any(defines)
}

/// Joins two bullet lists that only a picture separates.
pub(super) fn join_lists(raws: &mut [Raw]) {
    let bullets = |raw: &Raw| if let Form::Item { list, ordinal: None } = raw.form { Some(list) } else { None };
    // The list that is being joined, and its target.
    let mut joined: Option<(u32, u32)> = None;
    for i in 1..raws.len() {
        let (Some(last), Some(own)) = (bullets(&raws[i - 1]), bullets(&raws[i])) else {
            joined = None;
            continue;
        };
        let list = match joined.filter(|(from, _)| *from == own) {
            Some((_, to)) => to,
            None => last,
        };
        if own != list {
            joined = Some((own, list));
            raws[i].form = Form::Item { list, ordinal: None };
        }
    }
}

#[derive(Default)]
struct Reader<'a> {
    text: &'a str,
    out: Vec<Raw>,
    listings: Vec<Listing>,
    /// The code block that is being read.
    code: Option<Listing>,
    /// The alternative text of a picture and its range, used as the text of a heading that has no other.
    picture: Option<(String, Range<usize>)>,
    in_picture: bool,
    /// Start of the text of each open link, and whether it leads to a place in the document.
    links: Vec<(usize, bool)>,
    /// The block that is being read.
    open: Option<Raw>,
    /// Open lists: their ids and next numbers.
    lists: Vec<(u32, Option<u64>)>,
    lists_seen: u32,
    /// The nested item that is being read, with its depth.
    child: Option<(u8, Clean)>,
    /// The table cell that is being read.
    cell: Option<Clean>,
    quote_depth: u32,
    /// Number of list items in the quotation that is being read.
    quote_items: u32,
    /// Nesting depth within skipped elements.
    skip: u32,
    strong_from: Option<usize>,
    /// Number of open emphasis marks, and where the text of the outermost begins.
    emphasis: (u32, usize),
}

impl Reader<'_> {
    fn take(&mut self, event: Event<'_>, range: Range<usize>) {
        match event {
            Event::Start(Tag::CodeBlock(kind)) if self.skip == 0 => {
                let language = match &kind {
                    CodeBlockKind::Fenced(info) => listing::language(info),
                    CodeBlockKind::Indented => None,
                };
                self.code = Some(Listing::new(language, range));
            }
            Event::End(TagEnd::CodeBlock) if self.skip == 0 => {
                let room = self.listings.len() < limits::LISTINGS;
                self.listings.extend(self.code.take().filter(|_| room));
            }
            Event::Text(t) if self.code.is_some() => {
                if let Some(code) = &mut self.code {
                    code.push(&t);
                }
            }
            Event::Start(tag) if self.skip > 0 || unread(&tag) => {
                self.in_picture |= self.skip == 0 && matches!(tag, Tag::Image { .. });
                self.skip += 1;
            }
            Event::End(_) if self.skip > 0 => {
                self.skip -= 1;
                self.in_picture &= self.skip > 0;
            }
            Event::Text(t) | Event::Code(t) if self.in_picture => {
                self.picture.get_or_insert_with(|| (t.into_string(), range));
            }
            _ if self.skip > 0 => {}
            Event::Start(tag) => self.start(&tag),
            Event::End(tag) => self.end(tag),
            Event::Text(t) => self.words(&t, range),
            // The range of code includes its backticks. Its text is somewhere inside.
            Event::Code(t) => {
                // Emphasis marks inside a code span that were meant to enclose it.
                let inner = t.strip_prefix("**").and_then(|t| t.strip_suffix("**")).filter(|t| !t.contains('*'));
                self.push(inner.unwrap_or(&t), range);
            }
            Event::TaskListMarker(done) => {
                if let (None, Some(open)) = (&self.child, &mut self.open) {
                    open.task = Some(done);
                }
            }
            // Text within one mark stays on one line, even if its author wrapped it.
            Event::SoftBreak if self.is_marked() => self.words(" ", range),
            Event::SoftBreak | Event::HardBreak => self.line_break(range),
            Event::Rule => self.close(),
            Event::Html(_)
            | Event::InlineHtml(_)
            | Event::FootnoteReference(_)
            | Event::InlineMath(_)
            | Event::DisplayMath(_) => {}
        }
    }

    /// Appends words and handles the private mark characters in them.
    fn words(&mut self, text: &str, range: Range<usize>) {
        let verbatim = text.len() == range.len();
        let stray = verbatim && text.contains('*');
        if !stray && !text.contains(marks::is_mark) {
            return self.push(text, range);
        }
        let mut from = 0;
        let mut marks: Vec<(usize, &str)> = text.match_indices(marks::is_mark).collect();
        if stray {
            // Asterisks that emphasise nothing.
            marks.extend(text.match_indices('*').filter(|(at, _)| self.is_stray(range.start + at)));
            marks.sort_unstable();
        }
        let place =
            |from: usize, to: usize| if verbatim { range.start + from..range.start + to } else { range.clone() };
        for (at, mark) in marks {
            if at < from {
                continue;
            }
            self.push(&text[from..at], place(from, at));
            from = at + mark.len();
            match mark.chars().next() {
                Some(STRONG_ON) => self.open_strong(),
                Some(STRONG_OFF) => self.close_strong(),
                Some(EM_ON) => self.open_emphasis(),
                Some(EM_OFF) => self.close_emphasis(),
                Some(BREAK) => self.line_break(place(at, from)),
                _ => {}
            }
        }
        self.push(&text[from..], place(from, text.len()));
    }

    fn push(&mut self, text: &str, range: Range<usize>) {
        if let Some(cell) = &mut self.cell {
            cell.push(text, range.clone());
        }
        self.target().push(text, range);
    }

    /// Whether emphasis or a link is open.
    fn is_marked(&self) -> bool {
        self.emphasis.0 > 0 || !self.links.is_empty()
    }

    fn line_break(&mut self, range: Range<usize>) {
        if let Some(cell) = &mut self.cell {
            cell.push(" ", range.clone());
        }
        self.target().line_break(range);
    }

    /// Whether the asterisk at `at` is an unused emphasis mark rather than a sign: `x**2`, `2 * 3`, `Leser*innen`.
    fn is_stray(&self, at: usize) -> bool {
        let bytes = self.text.as_bytes();
        let run = bytes[at..].iter().take_while(|b| **b == b'*').count()
            + bytes[..at].iter().rev().take_while(|b| **b == b'*').count();
        let before = self.text[..at].trim_end_matches(['*', '\\']).chars().next_back();
        let behind = self.text[at..].trim_start_matches(['*', '\\']).chars().next();
        let digit = |c: Option<char>| c.is_some_and(|c| c.is_ascii_digit());
        let letter = |c: Option<char>| c.is_some_and(|c| c.is_alphanumeric() && !is_unspaced(c));
        let space = |c: Option<char>| c.is_none_or(char::is_whitespace);
        let single = run == 1;
        let power = letter(before) && letter(behind) && (single || digit(before) || digit(behind));
        !(power || single && space(before) && space(behind) && before.is_some() && behind.is_some())
    }

    fn start(&mut self, tag: &Tag<'_>) {
        match tag {
            Tag::Heading { level, .. } => {
                self.close();
                self.open = Some(Raw::new(Form::Heading(depth(*level), None), Clean::default()));
            }
            Tag::BlockQuote(_) => {
                if self.quote_depth == 0 && self.lists.is_empty() {
                    self.close();
                    self.open = Some(Raw::new(Form::Quote, Clean::default()));
                    self.quote_items = 0;
                }
                self.quote_depth += 1;
            }
            Tag::List(first) => {
                if self.lists.is_empty() && self.quote_depth == 0 {
                    self.close();
                }
                self.lists_seen += 1;
                self.lists.push((self.lists_seen, *first));
            }
            Tag::Item => self.item(),
            Tag::Paragraph => match &mut self.open {
                // A further paragraph of an item or a quotation.
                Some(open) if !self.lists.is_empty() || self.quote_depth > 0 => {
                    if !open.clean.text.is_empty() && open.lead.is_none() && matches!(open.form, Form::Item { .. }) {
                        open.lead = Some(open.clean.text.trim_end().len());
                    }
                    let at = open.clean.whole().end as usize;
                    open.clean.line_break(at..at);
                }
                _ => {
                    self.close();
                    self.open = Some(Raw::new(Form::Paragraph, Clean::default()));
                }
            },
            Tag::Table(_) => {
                self.close();
                self.open = Some(Raw::new(Form::Table, Clean::default()));
            }
            Tag::TableHead | Tag::TableRow => {
                if let Some(open) = &mut self.open {
                    open.rows.push(Vec::new());
                }
            }
            Tag::TableCell => self.cell = Some(Clean::default()),
            Tag::DefinitionList => {
                if self.lists.is_empty() && self.quote_depth == 0 {
                    self.close();
                }
                self.lists_seen += 1;
                self.lists.push((self.lists_seen, None));
            }
            Tag::DefinitionListTitle => self.item(),
            Tag::DefinitionListDefinition => {
                let clean = self.target();
                let at = clean.whole().end as usize;
                clean.line_break(at..at);
            }
            Tag::Strong => self.open_strong(),
            Tag::Emphasis => self.open_emphasis(),
            Tag::Link { dest_url, .. } => {
                let at = self.target().text.len();
                self.links.push((at, dest_url.starts_with('#')));
            }
            _ => {}
        }
    }

    fn open_strong(&mut self) {
        let at = self.target().text.len();
        self.strong_from = Some(at);
        self.open_emphasis();
    }

    fn close_strong(&mut self) {
        self.close_emphasis();
        let from = self.strong_from.take();
        if let (Some(from), None, Some(open)) = (from, &self.child, &mut self.open) {
            let end = open.clean.text.trim_end().len();
            match open.lead {
                None if from == 0 => open.lead = Some(end),
                // "**21 new** [**fellows**](…)" is one head.
                Some(lead) if from > 0 && from <= lead + 1 => open.lead = Some(end),
                _ => {}
            }
        }
    }

    fn open_emphasis(&mut self) {
        let (depth, from) = self.emphasis;
        let from = if depth == 0 { self.target().text.len() } else { from };
        self.emphasis = (depth + 1, from);
    }

    fn close_emphasis(&mut self) {
        let (depth, from) = self.emphasis;
        self.emphasis.0 = depth.saturating_sub(1);
        if depth == 1 {
            let clean = self.target();
            clean.emphasis.push(from..clean.text.len());
        }
    }

    fn item(&mut self) {
        if self.quote_depth > 0 {
            self.quote_items += 1;
            let alone = self.quote_items == 1;
            let clean = self.target();
            let at = clean.whole().end as usize;
            clean.line_break(at..at);
            let lead = clean.text.len();
            if let Some(open) = &mut self.open {
                open.item = alone.then_some(lead);
            }
            return;
        }
        let deep = self.lists.len() > 1;
        let Some((list, next)) = self.lists.last_mut() else { return };
        let (list, ordinal) = (*list, next.map(|n| u32::try_from(n).unwrap_or(u32::MAX)));
        if let Some(n) = next {
            *n += 1;
        }
        if deep {
            self.finish_child();
            let depth = u8::try_from(self.lists.len() - 1).unwrap_or(u8::MAX);
            self.child = Some((depth, Clean::default()));
        } else {
            self.close();
            self.open = Some(Raw::new(Form::Item { list, ordinal }, Clean::default()));
        }
    }

    fn end(&mut self, tag: TagEnd) {
        match tag {
            TagEnd::Heading(_) | TagEnd::Table => self.close(),
            TagEnd::TableCell => {
                if let (Some(cell), Some(open)) = (self.cell.take(), &mut self.open) {
                    let cell = cell.finish();
                    let at = cell.whole().end as usize;
                    if !cell.text.is_empty() {
                        open.clean.line_break(at..at);
                    }
                    if let Some(row) = open.rows.last_mut() {
                        row.push(cell);
                    }
                }
            }
            TagEnd::Paragraph if self.lists.is_empty() && self.quote_depth == 0 => self.close(),
            TagEnd::BlockQuote(_) => {
                self.quote_depth = self.quote_depth.saturating_sub(1);
                if self.quote_depth == 0 && self.lists.is_empty() {
                    self.close();
                }
            }
            TagEnd::Item if self.lists.len() > 1 => self.finish_child(),
            TagEnd::Item if self.quote_depth == 0 => self.close(),
            TagEnd::List(_) => {
                self.lists.pop();
            }
            TagEnd::DefinitionListTitle => {
                if let (None, Some(open)) = (&self.child, &mut self.open) {
                    open.lead = Some(open.clean.text.trim_end().len());
                }
            }
            TagEnd::DefinitionList => {
                self.lists.pop();
                if self.lists.is_empty() && self.quote_depth == 0 {
                    self.close();
                }
            }
            TagEnd::Emphasis => self.close_emphasis(),
            TagEnd::Strong => self.close_strong(),
            TagEnd::Link => {
                if let Some((from, inner)) = self.links.pop() {
                    let clean = self.target();
                    let range = from..clean.text.len();
                    clean.links.push(Link { range, inner });
                }
            }
            _ => {}
        }
    }

    /// Returns where words are appended: the child item, the open block, or a new paragraph (text of a tight list
    /// after a nested one).
    fn target(&mut self) -> &mut Clean {
        if let Some((_, child)) = &mut self.child {
            return child;
        }
        &mut self.open.get_or_insert_with(|| Raw::new(Form::Paragraph, Clean::default())).clean
    }

    fn finish_child(&mut self) {
        if let (Some((depth, child)), Some(open)) = (self.child.take(), &mut self.open) {
            let child = child.finish();
            if !child.text.is_empty() {
                open.children.push((depth, child));
            }
        }
    }

    fn close(&mut self) {
        self.finish_child();
        self.strong_from = None;
        self.emphasis.0 = 0;
        self.links.clear();
        let picture = self.picture.take();
        let Some(mut raw) = self.open.take() else { return };
        raw.clean = raw.clean.finish();
        if let (Form::Heading(..), true, Some((name, range))) = (&raw.form, raw.clean.text.is_empty(), picture) {
            // A heading that is a picture takes the picture's alternative text.
            raw.clean.push(&name, range);
            raw.clean = raw.clean.finish();
        }
        if raw.clean.text.is_empty() && raw.children.is_empty() {
            return;
        }
        if raw.lead.is_some_and(|lead| lead >= raw.clean.text.len()) {
            raw.bold = true;
            raw.lead = None;
        }
        self.out.push(raw);
    }
}

fn unread(tag: &Tag<'_>) -> bool {
    matches!(
        tag,
        Tag::HtmlBlock | Tag::Image { .. } | Tag::MetadataBlock(_) | Tag::FootnoteDefinition(_) | Tag::Strikethrough
    )
}

fn depth(level: HeadingLevel) -> u8 {
    match level {
        HeadingLevel::H1 => 1,
        HeadingLevel::H2 => 2,
        HeadingLevel::H3 => 3,
        HeadingLevel::H4 => 4,
        HeadingLevel::H5 => 5,
        HeadingLevel::H6 => 6,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn forms(text: &str) -> Vec<(Form, String)> {
        read(text).0.into_iter().map(|r| (r.form, r.clean.text)).collect()
    }

    #[test]
    fn reads_the_blocks() {
        let got = forms(
            "# Title\n\nOne *two*\nthree.\n\n1. a\n2. b\n\n> said\n> — who\n\n```\ncode\n```\n\n**Bold line**\n\nend",
        );
        let item = |n| Form::Item { list: 1, ordinal: Some(n) };
        let want = [
            (Form::Heading(1, None), "Title"),
            (Form::Paragraph, "One two three."),
            (item(1), "a"),
            (item(2), "b"),
            (Form::Quote, "said — who"),
            (Form::Paragraph, "Bold line"),
            (Form::Paragraph, "end"),
        ];
        let want: Vec<_> = want.into_iter().map(|(f, t)| (f, t.to_owned())).collect();
        assert_eq!(got, want);
    }

    #[test]
    fn footnotes_are_not_read_and_marks_without_one_are_words() {
        let got = forms("It grew.[^1] Much.\n\n[^1]: Says who.\n\nEnd.");
        assert_eq!(got.iter().map(|(_, t)| t.as_str()).collect::<Vec<_>>(), ["It grew. Much.", "End."]);
        assert_eq!(forms("A set [^a] of letters.")[0].1, "A set [^a] of letters.");
        let many = format!("{}\n\n[^a]: x", "[^a] ".repeat(limits::FOOTNOTE_MARKS));
        assert!(forms(&many)[0].1.contains("^a"));
    }

    #[test]
    fn items_keep_heads_and_children() {
        let (got, _) = read("- **Head.** Body words.\n  - child\n- second\n\n  more\n");
        assert_eq!(got.len(), 2);
        assert_eq!(got[0].lead, Some("Head.".len()));
        assert_eq!(got[0].children.len(), 1);
        assert_eq!((got[1].clean.text.as_str(), got[1].lead), ("second more", Some("second".len())));
    }

    #[test]
    fn definitions_are_items() {
        let (got, _) = read("Ebb\n: The tide goes out.\n\nFlood\n: It comes in.\n");
        let items: Vec<(&str, Option<usize>)> = got.iter().map(|r| (r.clean.text.as_str(), r.lead)).collect();
        assert_eq!(items, [("Ebb The tide goes out.", Some(3)), ("Flood It comes in.", Some(5))]);
        assert!(got.iter().all(|r| matches!(r.form, Form::Item { list: 1, .. })));
    }

    #[test]
    fn code_is_a_listing() {
        let (got, code) = read("A\n\n```rust,ignore\nlet a = 1;\n```\n\n    x = y[1]\n\nB\n");
        assert_eq!(got.iter().map(|r| r.clean.text.as_str()).collect::<Vec<_>>(), ["A", "B"]);
        assert_eq!(code[0].lines, ["let a = 1;"]);
        assert_eq!(code.iter().map(|c| c.language.as_deref()).collect::<Vec<_>>(), [Some("rust"), None]);
    }

    #[test]
    fn stray_marks_and_pictures_are_no_words() {
        let texts = |text: &str| forms(text).into_iter().map(|(_, t)| t).collect::<Vec<_>>();
        assert_eq!(texts("** bold ** text and x**2"), ["bold text and x**2"]);
        assert_eq!(
            texts("m****ake [****](x), 2 * 3, Leser\\*innen, net* of it."),
            ["make , 2 * 3, Leser*innen, net of it."]
        );
        assert_eq!(texts("# ![Tide](x)\n\n![A boat](y) Words"), ["Tide", "Words"]);
        let (got, _) = read("\u{fdd0}Head.\u{fdd1} Body\u{fdd4}line [a](#) [b](x)");
        assert_eq!((got[0].clean.text.as_str(), got[0].lead), ("Head. Body line a b", Some(5)));
        assert_eq!(got[0].clean.links.iter().map(|l| l.inner).collect::<Vec<_>>(), [true, false]);
        assert_eq!(got[0].clean.breaks.len(), 1);
    }

    #[test]
    fn a_picture_parts_no_list() {
        let mut raws = read("- a\n- b\n\n![x](x.png)\n\n- c\n- d\n\nText.\n\n- e").0;
        join_lists(&mut raws);
        let lists: Vec<Option<u32>> =
            raws.iter().map(|r| if let Form::Item { list, .. } = r.form { Some(list) } else { None }).collect();
        assert!(lists[..4].iter().all(|list| *list == lists[0] && list.is_some()), "{lists:?}");
        assert_ne!(lists[5], lists[0]);
    }

    #[test]
    fn nothing_nests_too_deep() {
        let deep = format!("{}x", "> ".repeat(5_000));
        assert!(read(&deep).0.len() <= 1);
        let deep = (0..500).map(|i| format!("{}- x\n", " ".repeat(2 * i))).collect::<String>();
        assert!(!read(&deep).0.is_empty());
    }
}
