//! Blocks of a document, and their conversion to Markdown, the input of the next steps.

use render_core::limits;

use super::properties::is_title;

/// Bytes of Markdown that are written; the rest is dropped.
const BYTES: usize = 1 << 20;
/// Levels of lists that are distinguished.
const LISTS: usize = 2;
/// Levels of headings in Markdown.
const LEVELS: u8 = 6;

/// The emphasis of words.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Style {
    pub bold: bool,
    pub italic: bool,
}

/// The words of a block. A line end in the text is a break by the author.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Line {
    spans: Vec<(String, Style)>,
}

/// A block.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Block {
    /// The title of the document.
    Title(Line),
    /// A heading and its level, from 1.
    Heading(u8, Line),
    Paragraph(Line),
    /// An item of a list: its level, from 0, and its number if the list is numbered.
    Item(usize, Option<u64>, Line),
    Quote(Line),
    /// Rows of cells, the first of which holds the column headings.
    Table(Vec<Vec<String>>),
}

impl Line {
    pub fn plain(text: &str) -> Self {
        let mut line = Self::default();
        line.push(text, Style::default());
        line
    }

    pub fn push(&mut self, text: &str, style: Style) {
        if text.is_empty() {
            return;
        }
        match self.spans.last_mut() {
            // Spaces between words of one emphasis belong to it.
            Some((before, same)) if *same == style => before.push_str(text),
            _ => self.spans.push((text.to_owned(), style)),
        }
    }

    pub fn is_blank(&self) -> bool {
        self.spans.iter().all(|(text, _)| text.trim().is_empty())
    }

    /// Returns the words alone, in one line.
    pub fn text(&self) -> String {
        let text: String = self.spans.iter().map(|(text, _)| text.as_str()).collect();
        squeezed(&text)
    }

    /// Returns the words as Markdown, one text for each line of the author.
    fn markdown(&self) -> Vec<String> {
        let mut lines = vec![Vec::new()];
        for (text, style) in &self.spans {
            for (n, part) in text.split('\n').enumerate() {
                if n > 0 {
                    lines.push(Vec::new());
                }
                if let Some(line) = lines.last_mut() {
                    line.push((part, *style));
                }
            }
        }
        lines.iter().map(|spans| emphasised(spans)).filter(|line| !line.is_empty()).collect()
    }

    /// Returns the words as Markdown in one line, without emphasis.
    fn head(&self) -> String {
        escaped_line(&self.text())
    }
}

/// Writes spans as one line of Markdown. Drops emphasis within a word, because CommonMark has no safe notation for it.
fn emphasised(spans: &[(&str, Style)]) -> String {
    let mut out = String::new();
    let mut merged: Vec<(String, Style)> = Vec::new();
    for (text, style) in spans.iter().filter(|(text, _)| !text.is_empty()) {
        let blank = text.trim().is_empty();
        match merged.last_mut() {
            Some((before, same)) if same == style || blank => before.push_str(text),
            _ => merged.push(((*text).to_owned(), if blank { Style::default() } else { *style })),
        }
    }
    for (place, (text, style)) in merged.iter().enumerate() {
        let marks = match style {
            Style { bold: true, italic: true } => "***",
            Style { bold: true, .. } => "**",
            Style { italic: true, .. } => "*",
            Style { .. } => "",
        };
        let core = text.trim();
        let next = merged.get(place + 1).and_then(|(next, _)| next.chars().next());
        let joins = |outer: Option<char>, inner: Option<char>| matches!((outer, inner), (Some(a), Some(b)) if a.is_alphanumeric() && !b.is_whitespace());
        let marked = !marks.is_empty()
            && core.chars().any(char::is_alphanumeric)
            && !joins(out.chars().next_back(), text.chars().next())
            && !joins(next, text.chars().next_back())
            // A mark next to punctuation neither opens nor closes emphasis in front of a word.
            && !out.ends_with('*');
        if marked {
            let (lead, trail) = (text.len() - text.trim_start().len(), text.trim_end().len());
            out.push_str(&escaped(&text[..lead]));
            out.push_str(marks);
            out.push_str(&escaped(core));
            out.push_str(marks);
            out.push_str(&escaped(&text[trail..]));
        } else {
            out.push_str(&escaped(text));
        }
    }
    guarded(&squeezed(&out))
}

/// Collapses runs of white space to single spaces.
pub(super) fn squeezed(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Escapes what Markdown would read as inline markup. Removes control characters and soft hyphens.
fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        if matches!(c, '\\' | '`' | '*' | '_' | '[' | ']' | '<' | '>' | '~' | '&') {
            out.push('\\');
        }
        match c {
            '\u{ad}' | '\u{200b}' | '\u{feff}' => {}
            c if c.is_whitespace() => out.push(' '),
            c if c.is_control() => {}
            c => out.push(c),
        }
    }
    out
}

/// Escapes what Markdown would read as the start of a block.
fn guarded(line: &str) -> String {
    let numbered = line.find(|c: char| !c.is_ascii_digit()).filter(|n| *n > 0 && line[*n..].starts_with(['.', ')']));
    match (line.chars().next(), numbered) {
        (Some('#' | '+' | '-' | '=' | '|'), _) => format!("\\{line}"),
        (_, Some(n)) if !line[n + 1..].starts_with(|c: char| c.is_ascii_digit()) => {
            format!("{}\\{}", &line[..n], &line[n..])
        }
        _ => line.to_owned(),
    }
}

fn escaped_line(text: &str) -> String {
    guarded(&squeezed(&escaped(text)))
}

/// Reduces a text to letters and digits, because repetitions of a title differ in punctuation.
fn bare(text: &str) -> String {
    text.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

/// Returns the Markdown of a document. The title is that of its own block, else `title` if its author wrote it.
pub(super) fn markdown(blocks: &[Block], title: Option<&str>) -> String {
    let own = blocks.iter().find_map(|block| match block {
        Block::Title(line) if !line.is_blank() => Some(line.text()),
        _ => None,
    });
    let title = own.or_else(|| title.filter(|title| is_title(title)).map(squeezed));
    let mut writer = Writer { titled: title.is_some(), ..Writer::default() };
    if let Some(title) = &title {
        writer.out = format!("# {}", escaped_line(title));
    }
    // Skips a repetition of the title.
    let repeated = title.as_deref().map(bare);
    let mut first = true;
    for block in blocks {
        if writer.out.len() > BYTES {
            break;
        }
        let repeats = match block {
            Block::Title(line) => Some(bare(&line.text())) == repeated,
            Block::Heading(_, line) | Block::Paragraph(line) => first && Some(bare(&line.text())) == repeated,
            _ => false,
        };
        if !repeats {
            writer.block(block);
            first = false;
        }
    }
    writer.out.push('\n');
    writer.out
}

#[derive(Default)]
struct Writer {
    out: String,
    titled: bool,
    /// Columns at which the contents of open items start, by level.
    indents: Vec<usize>,
}

impl Writer {
    fn block(&mut self, block: &Block) {
        match block {
            Block::Title(line) => self.heading(1, line),
            Block::Heading(level, line) => self.heading(level.saturating_add(u8::from(self.titled)), line),
            Block::Paragraph(line) => {
                for text in line.markdown() {
                    self.begin();
                    self.out.push_str(&text);
                }
            }
            Block::Item(level, number, line) => self.item(*level, *number, line),
            Block::Quote(line) => {
                let lines = line.markdown();
                if !lines.is_empty() {
                    self.begin();
                    self.out.push_str("> ");
                    self.out.push_str(&lines.join("\n> "));
                }
            }
            Block::Table(rows) => self.table(rows),
        }
    }

    /// Starts a block outside lists.
    fn begin(&mut self) {
        self.indents.clear();
        if !self.out.is_empty() {
            self.out.push_str("\n\n");
        }
    }

    fn heading(&mut self, level: u8, line: &Line) {
        if !line.is_blank() {
            self.begin();
            self.out.extend(std::iter::repeat_n('#', usize::from(level.clamp(1, LEVELS))));
            self.out.push(' ');
            self.out.push_str(&line.head());
        }
    }

    fn item(&mut self, level: usize, number: Option<u64>, line: &Line) {
        let text = line.markdown().join(" ");
        if text.is_empty() {
            return;
        }
        let level = level.min(LISTS - 1).min(self.indents.len());
        let separator = if self.indents.is_empty() { "\n\n" } else { "\n" };
        if !self.out.is_empty() {
            self.out.push_str(separator);
        }
        self.indents.truncate(level);
        let indent = self.indents.last().copied().unwrap_or(0);
        let marker = number.map_or("- ".to_owned(), |number| format!("{number}. "));
        self.out.extend(std::iter::repeat_n(' ', indent));
        self.out.push_str(&marker);
        self.out.push_str(&text);
        self.indents.push(indent + marker.len());
    }

    fn table(&mut self, rows: &[Vec<String>]) {
        let columns = rows.iter().map(Vec::len).max().unwrap_or(0);
        if columns == 0 {
            return;
        }
        self.begin();
        for (n, row) in rows.iter().take(limits::TABLE_ROWS + 1).enumerate() {
            if n > 0 {
                self.out.push('\n');
            }
            self.out.push('|');
            for column in 0..columns {
                let cell = row.get(column).map_or("", String::as_str);
                self.out.push(' ');
                self.out.push_str(&squeezed(&escaped(cell)).replace('|', "\\|"));
                self.out.push_str(" |");
            }
            if n == 0 {
                self.out.push_str("\n|");
                self.out.push_str(&" --- |".repeat(columns));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PLAIN: Style = Style { bold: false, italic: false };
    const BOLD: Style = Style { bold: true, italic: false };
    const ITALIC: Style = Style { bold: false, italic: true };

    fn line(parts: &[(&str, Style)]) -> Line {
        let mut line = Line::default();
        parts.iter().for_each(|(text, style)| line.push(text, *style));
        line
    }

    #[test]
    fn emphasis_keeps_to_whole_words() {
        for (parts, markdown) in [
            (&[("The ", PLAIN), ("spring tide ", BOLD), ("rises.", PLAIN)][..], "The **spring tide** rises."),
            (&[("A", BOLD), (" ", PLAIN), ("B", BOLD)], "**A B**"),
            (&[("un", PLAIN), ("seen", BOLD)], "unseen"),
            (&[("Note", BOLD), (": it falls", PLAIN)], "**Note**: it falls"),
            (&[("Mare", ITALIC), ("Both", Style { bold: true, italic: true })], "MareBoth"),
            (&[("2 * 3 & [x]", PLAIN)], r"2 \* 3 \& \[x\]"),
            (&[("...", BOLD)], "..."),
        ] {
            assert_eq!(line(parts).markdown(), [markdown], "{parts:?}");
        }
        assert_eq!(line(&[("1. no item\n- nor this", PLAIN)]).markdown(), [r"1\. no item", r"\- nor this"]);
        assert_eq!(line(&[("1.5 metres", PLAIN)]).markdown(), ["1.5 metres"]);
    }

    #[test]
    fn blocks_are_written_as_markdown() {
        let item = |level, number, text: &str| Block::Item(level, number, Line::plain(text));
        let blocks = [
            Block::Heading(1, Line::plain("Tides")),
            Block::Heading(1, Line::plain("Springs")),
            item(0, Some(1), "new moon"),
            item(1, None, "the sun helps"),
            item(0, Some(2), "full moon"),
            Block::Paragraph(Line::plain("One.\nTwo.")),
            Block::Quote(Line::plain("It turns.")),
            Block::Table(vec![vec!["port".into(), "range|m".into()], vec!["Brest".into()]]),
        ];
        let expected = "# Tides\n\n## Springs\n\n1. new moon\n   - the sun helps\n2. full moon\n\nOne.\n\nTwo.\n\n> It turns.\n\n\
                        | port | range\\|m |\n| --- | --- |\n| Brest |  |\n";
        assert_eq!(markdown(&blocks, Some("Tides")), expected);
        assert!(markdown(&blocks, None).starts_with("# Tides\n\n# Springs"));
        let titled = [Block::Heading(1, Line::plain("Intro")), Block::Title(Line::plain("On tides"))];
        assert_eq!(markdown(&titled, Some("Template")), "# On tides\n\n## Intro\n");
    }
}
