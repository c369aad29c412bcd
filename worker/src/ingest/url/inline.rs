//! Builds the words of a line: collapses white space, and escapes them so that Markdown reads them as words.

/// Returns a text without control characters and without characters that only guide a browser.
pub(super) fn plain(text: &str) -> String {
    let mut line = Line::default();
    line.push(text);
    line.text.trim_end().to_owned()
}

/// A line under construction.
#[derive(Default)]
pub(super) struct Line {
    /// The words so far, white space collapsed, not escaped; intended line breaks are kept.
    text: String,
    /// The byte ranges of bold words.
    bold: Vec<(usize, usize)>,
    /// Where the open bold words start.
    bold_from: Option<usize>,
}

impl Line {
    /// Adds text of the page.
    pub fn push(&mut self, text: &str) {
        for c in text.chars() {
            match c {
                // Not the no-break space, which is intended.
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

    /// Adds an intended line break.
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

    /// Converts the text after the first `from` bytes to superscript or subscript, if every character has such a form.
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

    /// Returns the words, and clears the line.
    pub fn take_plain(&mut self) -> String {
        let taken = std::mem::take(self);
        taken.text.trim().to_owned()
    }

    /// Returns the lines as Markdown, and clears the line. Bold words at the start are marked, because they name what
    /// follows; other bold words become plain words.
    pub fn take(&mut self) -> Vec<String> {
        let from_before = self.bold_from.is_some();
        let mut taken = std::mem::take(self);
        if from_before {
            // A bold element around several blocks continues in the next one.
            taken.close_bold();
            self.bold_from = Some(0);
        }
        let end = taken.text.trim_end().len();
        let start = taken.text.len() - taken.text.trim_start().len();
        let mut marked = 0;
        // Adjacent bold words are merged.
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
        // Markdown closes bold words only before a space.
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

/// Escapes what Markdown would read as inline markup.
pub(super) fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 8);
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        let special = match c {
            '\\' | '*' | '_' | '`' | '[' | ']' | '<' | '~' => true,
            // Possibly an entity.
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

/// Escapes what Markdown would read as markup at the start of a line.
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
