//! Parses plain text into a flat list of blocks, by the form of its lines.

use super::blocks::{Clean, Form, Raw};
use super::dialect::lines::{boxed, is_ordinal};
use super::number;
use crate::{cancel, limits};

/// Maximum characters of a heading line.
const HEADING: usize = 90;
/// A line of at least this many characters that ends a sentence ends its paragraph too, because authors do not wrap
/// such long lines.
const LONG_LINE: usize = 100;

/// A line of the source, trimmed.
#[derive(Clone, Copy)]
struct Line<'a> {
    text: &'a str,
    at: usize,
    /// Columns of white space before it.
    indent: usize,
}

/// Parses a plain text into blocks.
pub(super) fn read(text: &str) -> Vec<Raw> {
    let lines = lines(text);
    let mut reader = Reader::default();
    for (i, line) in lines.iter().enumerate() {
        cancel::tick();
        if reader.out.len() >= limits::DOCUMENT_BLOCKS {
            break;
        }
        let next = lines.get(i + 1).copied().filter(|n| !n.text.is_empty());
        if line.text.is_empty() {
            reader.close();
        } else if let Some((ordinal, skip)) = marker(line.text) {
            reader.item(line, ordinal, skip);
        } else {
            reader.text(line, next);
        }
    }
    reader.close();
    number_headings(&mut reader.out);
    reader.out
}

/// The blocks so far, and the one that further lines may belong to.
#[derive(Default)]
struct Reader {
    out: Vec<Raw>,
    open: Option<Raw>,
    /// Number of the current list.
    list: u32,
    in_list: bool,
    /// Columns of the items that contain the open one, outermost first.
    indents: Vec<usize>,
}

impl Reader {
    fn close(&mut self) {
        close(&mut self.out, &mut self.open);
    }

    /// Reads a line that begins with a list marker of `skip` bytes.
    fn item(&mut self, line: &Line<'_>, ordinal: Option<u32>, skip: usize) {
        self.indents.retain(|column| *column < line.indent);
        let parent = self.open.as_mut().filter(|raw| matches!(raw.form, Form::Item { .. }));
        if let Some(raw) = parent.filter(|_| !self.indents.is_empty()) {
            let depth = u8::try_from(self.indents.len()).unwrap_or(u8::MAX);
            raw.children.push((depth, words(line, skip)));
            self.indents.push(line.indent);
            return;
        }
        self.indents = vec![line.indent];
        self.close();
        if !self.in_list || ordinal == Some(1) {
            self.list += 1;
        }
        self.in_list = true;
        let (task, skip) = task(line.text, skip);
        let form = Form::Item { list: self.list, ordinal };
        self.open = Some(Raw { task, ..Raw::new(form, words(line, skip)) });
    }

    /// Reads a line without a marker, which begins a block or continues the open one. `next` is the following line,
    /// if it is not empty.
    fn text(&mut self, line: &Line<'_>, next: Option<Line<'_>>) {
        let Some(raw) = &mut self.open else { return self.begin(line, next) };
        if line.indent > 0
            && let Some((_, text)) = raw.children.last_mut()
        {
            let at = line.at;
            text.line_break(at - 1..at);
            text.push(line.text, at..at + line.text.len());
            return;
        }
        let so_far = raw.clean.text.trim_end();
        let is_item = matches!(raw.form, Form::Item { .. });
        if is_item && raw.lead.is_none() && heading_like(so_far) && starts_anew(line.text) {
            raw.lead = Some(so_far.len());
        }
        let ended =
            so_far.ends_with(['.', '!', '?', '”', '"', '»', '…']) && so_far.chars().nth(LONG_LINE - 1).is_some();
        if ended && !is_item && starts_anew(line.text) {
            self.close();
            self.open = Some(Raw::new(Form::Paragraph, words(line, 0)));
        } else {
            raw.clean.line_break(line.at - 1..line.at);
            raw.clean.push(line.text, line.at..line.at + line.text.len());
        }
    }

    /// Begins a heading or a paragraph.
    fn begin(&mut self, line: &Line<'_>, next: Option<Line<'_>>) {
        let first = self.out.is_empty();
        let before_text =
            next.is_some_and(|n| n.text.chars().count() > 1 && starts_anew(n.text) && line.text.chars().count() < 70);
        let stands_out = next.is_none() || before_text && (first || stands_over(line.text, next));
        let form = match (stands_out && heading_like(line.text), first) {
            (true, true) => Form::Heading(1, None),
            (true, false) => Form::Heading(2, None),
            (false, _) => Form::Paragraph,
        };
        // A line that announces a list separates it from the previous one.
        self.in_list &= form == Form::Paragraph && !line.text.ends_with([':', '：']);
        let is_heading = form != Form::Paragraph;
        self.open = Some(Raw::new(form, words(line, 0)));
        if is_heading {
            self.close();
        }
    }
}

fn lines(text: &str) -> Vec<Line<'_>> {
    let mut at = 0;
    text.split('\n')
        .map(|raw| {
            let start = at + (raw.len() - raw.trim_start().len());
            at += raw.len() + 1;
            let indent = raw[..raw.len() - raw.trim_start().len()].chars().map(|c| if c == '\t' { 4 } else { 1 }).sum();
            Line { text: raw.trim(), at: start, indent }
        })
        .collect()
}

fn words(line: &Line<'_>, skip: usize) -> Clean {
    let mut clean = Clean::default();
    clean.push(&line.text[skip..], line.at + skip..line.at + line.text.len());
    clean
}

fn close(out: &mut Vec<Raw>, open: &mut Option<Raw>) {
    if let Some(mut raw) = open.take() {
        raw.clean = raw.clean.finish();
        raw.children = raw.children.into_iter().map(|(depth, text)| (depth, text.finish())).collect();
        if !raw.clean.text.is_empty() {
            out.push(raw);
        }
    }
}

/// Returns whether the checkbox before an item is ticked, if it has one, and the bytes before its words.
fn task(line: &str, skip: usize) -> (Option<bool>, usize) {
    let boxes = [("[ ]", false), ("[x]", true), ("[X]", true), ("☐", false), ("☑", true), ("☒", true), ("✅", true)];
    let rest = &line[skip..];
    match boxes.into_iter().find(|(mark, _)| rest.starts_with(mark)) {
        Some((mark, done)) => {
            let words = rest[mark.len()..].trim_start();
            if words.is_empty() { (None, skip) } else { (Some(done), line.len() - words.len()) }
        }
        None => (line.starts_with(['☐', '☑', '☒']).then(|| !line.starts_with('☐')), skip),
    }
}

/// Returns the number of a list marker, if it has one, and the marker's length in bytes.
fn marker(line: &str) -> Option<(Option<u32>, usize)> {
    let first = line.chars().next()?;
    if matches!(
        first,
        '-' | '*'
            | '+'
            | '•'
            | '‣'
            | '◦'
            | '▪'
            | '●'
            | '○'
            | '■'
            | '□'
            | '►'
            | '▸'
            | '➤'
            | '➢'
            | '–'
            | '·'
            | '✓'
            | '✔'
            | '☐'
            | '☑'
            | '☒'
    ) {
        let rest = &line[first.len_utf8()..];
        return rest.starts_with([' ', '\t']).then(|| (None, line.len() - rest.trim_start().len()));
    }
    if let Some((n, len)) = boxed(line) {
        let words = line[len..].trim_start();
        return (!words.is_empty()).then(|| (Some(n), line.len() - words.len()));
    }
    let open = usize::from(first == '(');
    let numeral: String =
        line[open..].chars().take_while(|c| number::digit(*c).is_some()).map(number::ascii).take(3).collect();
    if !(1..=2).contains(&numeral.len()) {
        return None;
    }
    let rest = line[open..].trim_start_matches(|c| number::digit(c).is_some());
    let mark = rest.chars().next().filter(|c| matches!(c, '.' | ')' | ':' | '、' | '．' | '）'))?;
    let after = &rest[mark.len_utf8()..];
    let n = numeral.parse().ok()?;
    // "14. August" is the day of a month.
    if mark == '.' && is_ordinal(n, after.trim_start()) {
        return None;
    }
    if matches!(mark, '、' | '．' | '）') && !after.trim().is_empty() {
        return Some((Some(n), line.len() - after.trim_start().len()));
    }
    after.starts_with([' ', '\t']).then(|| (Some(n), line.len() - after.trim_start().len()))
}

/// Whether a line could be a heading: short, with letters, and not the end of a sentence.
pub(super) fn heading_like(line: &str) -> bool {
    // This check is cheap because it runs for the growing text of an item at each of its lines.
    let short = line.chars().nth(1).is_some() && line.chars().nth(HEADING).is_none();
    let first = line.chars().take(HEADING).find(|c| c.is_alphanumeric());
    short
        && first.is_some_and(|c| !c.is_lowercase())
        && line.chars().any(char::is_alphabetic)
        && !line.ends_with([
            '.', ',', ';', ':', '…', '”', '"', '»', '。', '，', '；', '：', '、', '」', '』', '।', '۔', '،',
        ])
        && !line.starts_with(['“', '"', '„', '«', '「', '『', '—', '–', '@'])
        && !line.contains("://")
}

/// Whether a line starts something new rather than continuing the previous line.
fn starts_anew(line: &str) -> bool {
    line.chars().find(|c| c.is_alphanumeric()).is_some_and(|c| !c.is_lowercase())
}

/// Whether a short line precedes a much longer paragraph.
fn stands_over(line: &str, next: Option<Line<'_>>) -> bool {
    // "Step 3: …", in any language.
    let front: Vec<char> = line.chars().take(14).collect();
    let counts = front.windows(2).any(|w| number::digit(w[0]).is_some() && matches!(w[1], '：' | ':'));
    next.is_some_and(|n| {
        counts || n.text.chars().count() > 90 || marker(n.text).is_some() || n.text.len() > 2 * line.len()
    })
}

/// Turns numbered lines with prose under each into numbered headings.
fn number_headings(out: &mut [Raw]) {
    for i in 0..out.len() {
        let prose_below = matches!(out.get(i + 1).map(|r| &r.form), Some(Form::Paragraph));
        if let Form::Item { ordinal: Some(n), .. } = out[i].form
            && prose_below
            && out[i].lead.is_none()
            && heading_like(&out[i].clean.text)
            && (n > 1 || out[i..].iter().any(|r| matches!(r.form, Form::Item { ordinal: Some(2), .. })))
            && (n == 1 || out[..i].iter().any(|r| r.form == Form::Heading(2, Some(n - 1))))
        {
            out[i].form = Form::Heading(2, Some(n));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn forms(text: &str) -> Vec<(Form, String)> {
        read(text).into_iter().map(|r| (r.form, r.clean.text)).collect()
    }

    #[test]
    fn reads_headings_lists_and_paragraphs() {
        let got = forms("A title\n\nProse that goes on\nover two lines.\n\nPart one\n\nMore prose.\n\n- a\n- b\n• c");
        let bullet = Form::Item { list: 1, ordinal: None };
        let want = [
            (Form::Heading(1, None), "A title"),
            (Form::Paragraph, "Prose that goes on over two lines."),
            (Form::Heading(2, None), "Part one"),
            (Form::Paragraph, "More prose."),
            (bullet.clone(), "a"),
            (bullet.clone(), "b"),
            (bullet, "c"),
        ];
        assert_eq!(got, want.into_iter().map(|(f, t)| (f, t.to_owned())).collect::<Vec<_>>());
    }

    #[test]
    fn numbered_lines_over_prose_are_headings() {
        let got = forms("Two tips\n\n1. Rest first\n\nSleep is cheap.\n\n2. Then walk\n\nWalking is too.");
        assert_eq!(got[1], (Form::Heading(2, Some(1)), "Rest first".to_owned()));
        assert_eq!(got[3], (Form::Heading(2, Some(2)), "Then walk".to_owned()));
    }

    #[test]
    fn items_with_a_line_below_have_a_head() {
        let got = read("1. Rest first\nSleep is cheap.\n2. Then walk\nWalking is too.");
        assert_eq!(got.len(), 2);
        assert_eq!(got[0].lead, Some("Rest first".len()));
        assert_eq!(got[0].clean.text, "Rest first Sleep is cheap.");
    }

    #[test]
    fn markers() {
        assert_eq!(marker("12) twelve"), Some((Some(12), 4)));
        assert_eq!(marker("(3) three"), Some((Some(3), 4)));
        assert_eq!(marker("- dash"), Some((None, 2)));
        assert_eq!(marker("3.5 percent"), None);
        assert_eq!(marker("-5 degrees"), None);
        assert_eq!(marker("2024. A year"), None);
        assert_eq!(marker("14. August 2026 eröffnen wir"), None);
        assert_eq!(marker("1️⃣ Rest first"), Some((Some(1), "1️⃣ ".len())));
        assert_eq!(marker("③ Rest"), Some((Some(3), "③ ".len())));
    }
}
