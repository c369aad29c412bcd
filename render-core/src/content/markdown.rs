//! Markdown (CommonMark) to a flat list of blocks.

use std::ops::Range;

use pulldown_cmark::{Event, HeadingLevel, Options, Parser, Tag, TagEnd};

use super::blocks::{Clean, Form, Raw};
use crate::{cancel, limits};

/// Characters of the longest bold paragraph that is a heading.
const BOLD_HEADING: usize = 90;

/// Whether a text shows that it is Markdown by more than a list, which plain text has too.
pub(super) fn looks_like(text: &str) -> bool {
    let mut before_blank = true;
    text.lines().any(|line| {
        let trimmed = line.trim_start();
        let hashes = trimmed.bytes().take_while(|b| *b == b'#').count();
        let heading = (1..=6).contains(&hashes) && trimmed[hashes..].starts_with(' ');
        let rule = trimmed.len() >= 3 && (trimmed.bytes().all(|b| b == b'=') || trimmed.bytes().all(|b| b == b'-'));
        let underlined = rule && !before_blank;
        before_blank = trimmed.is_empty();
        let inline = trimmed.contains("**") || trimmed.contains("](");
        let columns = trimmed.len() >= 5 && trimmed.contains("-|") && trimmed.bytes().all(|b| b"|-: ".contains(&b));
        let task = ["- [ ] ", "- [x] ", "- [X] ", "* [ ] ", "* [x] "].iter().any(|t| trimmed.starts_with(t));
        heading || underlined || inline || columns || task || trimmed.starts_with("> ") || trimmed.starts_with("```")
    })
}

/// The blocks of a Markdown text: code, pictures and front matter are not read.
pub(super) fn read(text: &str) -> Vec<Raw> {
    let mut options = Options::ENABLE_TABLES
        | Options::ENABLE_STRIKETHROUGH
        | Options::ENABLE_TASKLISTS
        | Options::ENABLE_YAML_STYLE_METADATA_BLOCKS;
    options.set(Options::ENABLE_FOOTNOTES, has_footnotes(text));
    let mut reader = Reader::default();
    for (event, range) in Parser::new_ext(text, options).into_offset_iter() {
        if reader.out.len() >= limits::DOCUMENT_BLOCKS {
            break;
        }
        cancel::tick();
        reader.take(event, range);
    }
    reader.close();
    reader.out
}

/// Whether there are notes to read as such. Marks without a note are words; and the parser's time grows with the square
/// of the marks, so a text with too many has none.
fn has_footnotes(text: &str) -> bool {
    let defines = |line: &str| line.trim_start().strip_prefix("[^").is_some_and(|rest| rest.contains("]:"));
    text.matches("[^").take(limits::FOOTNOTE_MARKS + 1).count() <= limits::FOOTNOTE_MARKS && text.lines().any(defines)
}

#[derive(Default)]
struct Reader {
    out: Vec<Raw>,
    /// What is being read.
    open: Option<Raw>,
    /// Open lists: which one, and the next number.
    lists: Vec<(u32, Option<u64>)>,
    lists_seen: u32,
    /// Index in `out` of the item at depth 1, and whether a deeper item is being read.
    child: Option<(u8, Clean)>,
    /// The cell that is being read.
    cell: Option<Clean>,
    quote_depth: u32,
    /// Depth of things that aren't read.
    skip: u32,
    strong_from: Option<usize>,
    /// Marks of emphasis that are open, and where the words within the outermost begin.
    emphasis: (u32, usize),
}

impl Reader {
    fn take(&mut self, event: Event<'_>, range: Range<usize>) {
        match event {
            Event::Start(tag) if self.skip > 0 || unread(&tag) => {
                self.skip += 1;
            }
            Event::End(_) if self.skip > 0 => self.skip -= 1,
            _ if self.skip > 0 => {}
            Event::Start(tag) => self.start(&tag),
            Event::End(tag) => self.end(tag),
            Event::Text(t) | Event::Code(t) => {
                // The range of code holds its backticks; its words lie somewhere inside.
                if let Some(cell) = &mut self.cell {
                    cell.push(&t, range.clone());
                }
                self.target().push(&t, range);
            }
            Event::TaskListMarker(done) => {
                if let (None, Some(open)) = (&self.child, &mut self.open) {
                    open.task = Some(done);
                }
            }
            Event::SoftBreak | Event::HardBreak => self.target().line_break(range),
            Event::Rule => self.close(),
            Event::Html(_)
            | Event::InlineHtml(_)
            | Event::FootnoteReference(_)
            | Event::InlineMath(_)
            | Event::DisplayMath(_) => {}
        }
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
            Tag::Strong => {
                let at = self.target().text.len();
                self.strong_from = Some(at);
                self.open_emphasis();
            }
            Tag::Emphasis => self.open_emphasis(),
            _ => {}
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
            TagEnd::Emphasis => self.close_emphasis(),
            TagEnd::Strong => {
                self.close_emphasis();
                let from = self.strong_from.take();
                if let (Some(0), None, Some(open)) = (from, &self.child, &mut self.open) {
                    open.lead.get_or_insert(open.clean.text.trim_end().len());
                }
            }
            _ => {}
        }
    }

    /// Where words go: the child item, the open block, or a new paragraph (text of a tight list after a nested one).
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
        let Some(mut raw) = self.open.take() else { return };
        raw.clean = raw.clean.finish();
        if raw.clean.text.is_empty() && raw.children.is_empty() {
            return;
        }
        let whole = raw.lead.is_some_and(|lead| lead >= raw.clean.text.len());
        if raw.form == Form::Paragraph
            && whole
            && raw.clean.text.chars().count() <= BOLD_HEADING
            && !ends_sentence(&raw.clean.text)
        {
            raw.form = Form::Heading(5, None);
        }
        if whole {
            raw.lead = None;
        }
        self.out.push(raw);
    }
}

fn ends_sentence(text: &str) -> bool {
    text.ends_with(['.', ':', ';', ',', '。', '：', '；', '，', '।'])
}

fn unread(tag: &Tag<'_>) -> bool {
    matches!(
        tag,
        Tag::CodeBlock(_)
            | Tag::HtmlBlock
            | Tag::Image { .. }
            | Tag::MetadataBlock(_)
            | Tag::FootnoteDefinition(_)
            | Tag::Strikethrough
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
        read(text).into_iter().map(|r| (r.form, r.clean.text)).collect()
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
            (Form::Heading(5, None), "Bold line"),
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
        let got = read("- **Head.** Body words.\n  - child\n- second\n\n  more\n");
        assert_eq!(got.len(), 2);
        assert_eq!(got[0].lead, Some("Head.".len()));
        assert_eq!(got[0].children.len(), 1);
        assert_eq!((got[1].clean.text.as_str(), got[1].lead), ("second more", Some("second".len())));
    }

    #[test]
    fn nothing_nests_too_deep() {
        let deep = format!("{}x", "> ".repeat(5_000));
        assert!(read(&deep).len() <= 1);
        let deep = (0..500).map(|i| format!("{}- x\n", " ".repeat(2 * i))).collect::<String>();
        assert!(!read(&deep).is_empty());
    }
}
