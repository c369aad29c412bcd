//! The words of a line: white space folded, and written so that Markdown reads them as words.

/// Text as it is meant: without control characters and marks that only guide a browser.
pub(super) fn plain(text: &str) -> String {
    let mut line = Line::default();
    line.push(text);
    line.text.trim_end().to_owned()
}

/// A line in the making.
#[derive(Default)]
pub(super) struct Line {
    /// The words so far, white space folded, not escaped; line breaks that were meant stand as such.
    text: String,
    /// Where bold words begin and end.
    bold: Vec<(usize, usize)>,
    /// Where the open bold words begin.
    bold_from: Option<usize>,
}

impl Line {
    /// Adds text as it stands in the page.
    pub fn push(&mut self, text: &str) {
        for c in text.chars() {
            match c {
                // Not the space that doesn't break: it is meant.
                ' ' | '\t' | '\n' | '\r' | '\u{c}' | '\u{85}' | '\u{2028}' | '\u{2029}' | '\u{3000}' => {
                    if !self.text.is_empty() && !self.text.ends_with([' ', '\n']) {
                        self.text.push(' ');
                    }
                }
                // Soft hyphens, zero-width spaces and byte order marks.
                '\u{ad}' | '\u{200b}' | '\u{feff}' | '\u{2060}' => {}
                c if c.is_control() => {}
                c => self.text.push(c),
            }
        }
    }

    /// A line break that is meant.
    pub fn break_line(&mut self) {
        let bare = self.text.trim_end_matches(' ').len();
        self.text.truncate(bare);
        if !self.text.is_empty() && !self.text.ends_with('\n') {
            self.text.push('\n');
        }
    }

    pub fn open_bold(&mut self) {
        self.bold_from.get_or_insert(self.text.len());
    }

    pub fn close_bold(&mut self) {
        if let Some(from) = self.bold_from.take() {
            self.bold.push((from, self.text.len()));
        }
    }

    /// Bytes so far.
    pub fn len(&self) -> usize {
        self.text.len()
    }

    /// Sets what follows the first `from` bytes as superscript or subscript, where all of it can be.
    pub fn raise(&mut self, from: usize, above: bool) {
        const ABOVE: [char; 10] = ['⁰', '¹', '²', '³', '⁴', '⁵', '⁶', '⁷', '⁸', '⁹'];
        const BELOW: [char; 10] = ['₀', '₁', '₂', '₃', '₄', '₅', '₆', '₇', '₈', '₉'];
        let set = |c: char| match (c, above) {
            ('-' | '−', true) => Some('⁻'),
            ('n', true) => Some('ⁿ'),
            _ => c.to_digit(10).map(|d| if above { ABOVE[d as usize] } else { BELOW[d as usize] }),
        };
        let raised: Option<String> = self.text.get(from..).and_then(|t| t.chars().map(set).collect());
        if let Some(raised) = raised {
            self.text.truncate(from);
            self.text += &raised;
        }
    }

    /// The words, and the line is empty again.
    pub fn take_plain(&mut self) -> String {
        let taken = std::mem::take(self);
        taken.text.trim().to_owned()
    }

    /// The lines as Markdown, and the line is empty again. Words that are bold from the start are marked, for they name
    /// what follows; other bold words are words.
    pub fn take(&mut self) -> Vec<String> {
        let from_before = self.bold_from.is_some();
        let mut taken = std::mem::take(self);
        if from_before {
            // A bold element around several blocks goes on in the next.
            taken.close_bold();
            self.bold_from = Some(0);
        }
        let end = taken.text.trim_end().len();
        let start = taken.text.len() - taken.text.trim_start().len();
        let mut marked = 0;
        // Neighbouring bold words are one.
        for (from, to) in &taken.bold {
            let gap = taken.text.get(marked.max(start)..*from).unwrap_or("");
            if gap.trim().is_empty() && *to > marked {
                marked = *to;
            } else {
                break;
            }
        }
        let marked = taken.text[..marked.min(end)].trim_end().len();
        let rest = &taken.text[marked..end.max(marked)];
        // Markdown closes bold words before a space only.
        let marks = marked > start
            && !taken.text[start..marked].contains('\n')
            && (rest.is_empty() || rest.starts_with([' ', '\n']));
        let whole = if marks {
            format!("**{}**{}", escaped(&taken.text[start..marked]), escaped(rest))
        } else {
            escaped(taken.text[start..].trim())
        };
        whole.split('\n').map(str::trim).filter(|l| !l.is_empty()).map(guarded).collect()
    }
}

/// Words with a backslash before what Markdown would read as marks, wherever it stands.
pub(super) fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 8);
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        let special = match c {
            '\\' | '*' | '_' | '`' | '[' | ']' | '<' | '~' => true,
            // An entity, maybe.
            '&' => chars.peek().is_some_and(|n| n.is_ascii_alphanumeric() || *n == '#'),
            _ => false,
        };
        if special {
            out.push('\\');
        }
        out.push(c);
    }
    out
}

/// A line with a backslash before what Markdown would read as a mark at its beginning.
pub(super) fn guarded(line: &str) -> String {
    let digits = line.bytes().take_while(u8::is_ascii_digit).count();
    let rest = &line[digits..];
    if (1..=9).contains(&digits) && rest.starts_with(['.', ')']) {
        return format!("{}\\{rest}", &line[..digits]);
    }
    if line.starts_with(['#', '+', '-', '=', '>', '|', ':']) { format!("\\{line}") } else { line.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(parts: &[(&str, bool)]) -> String {
        let mut line = Line::default();
        for (text, bold) in parts {
            if *bold {
                line.open_bold();
            }
            line.push(text);
            if *bold {
                line.close_bold();
            }
        }
        line.take().join("\n")
    }

    #[test]
    fn bold_words_are_marked_where_they_begin_a_line() {
        for (parts, markdown) in [
            (&[("Head.", true), (" Body.", false)][..], "**Head.** Body."),
            (&[(" ", false), (" Head. ", true), ("Body.", false)], "**Head.** Body."),
            (&[("Head", true), (": body", false)], "Head: body"),
            (&[("One ", true), ("two", true)], "**One two**"),
            (&[("A ", false), ("bold", true), (" word", false)], "A bold word"),
            (&[("All", true)], "**All**"),
            (&[("", true), ("none", false)], "none"),
        ] {
            assert_eq!(line(parts), markdown, "{parts:?}");
        }
    }

    #[test]
    fn words_stay_words() {
        for (text, markdown) in [
            ("a  b\n\tc\u{ad}d", "a b cd"),
            ("2 * 3 < 7 & x_y &amp; [z]", r"2 \* 3 \< 7 & x\_y \&amp; \[z\]"),
            ("# no heading", r"\# no heading"),
            ("1. no item", r"1\. no item"),
            ("- no item", r"\- no item"),
            ("> no quotation", r"\> no quotation"),
            ("1.5 is a number", r"1\.5 is a number"),
            ("«\u{a0}ici\u{a0}»", "«\u{a0}ici\u{a0}»"),
        ] {
            assert_eq!(line(&[(text, false)]), markdown);
        }
    }

    #[test]
    fn meant_breaks_are_kept() {
        let mut line = Line::default();
        line.push("one ");
        line.break_line();
        line.break_line();
        line.push(" - two");
        assert_eq!(line.take(), ["one", r"\- two"]);
    }
}
