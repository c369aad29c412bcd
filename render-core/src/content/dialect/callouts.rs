//! Removes lines that mark a section of a text rather than contain prose: call-outs of GitHub, Docusaurus and MkDocs,
//! MDX imports, placeholders for a table of contents.

use super::code::{Code, lines};
use super::edits::Edit;
use crate::content::words::{common, is_one_of};

/// Maximum lines of an import.
const IMPORT: usize = 30;
/// Maximum characters of a call-out label.
const LABEL: usize = 24;

/// Returns the edits that remove such lines.
pub(super) fn edits(text: &str, code: &Code) -> Vec<Edit> {
    let all: Vec<(usize, &str)> = lines(text).collect();
    let mut finder = Finder { lines: &all, code, out: Vec::new() };
    let mut i = 0;
    while i < all.len() {
        i = finder.line(i);
    }
    finder.out
}

struct Finder<'a> {
    lines: &'a [(usize, &'a str)],
    code: &'a Code,
    out: Vec<Edit>,
}

impl Finder<'_> {
    /// Reads line `i`. Returns the index of the next line to read.
    fn line(&mut self, i: usize) -> usize {
        let (at, line) = self.lines[i];
        let bare = line.trim();
        if bare.is_empty() || self.code.end_at(at).is_some() {
            return i + 1;
        }
        let fresh = i == 0 || self.lines[i - 1].1.trim().is_empty();
        if bare.starts_with(":::") {
            self.container(at, line);
        } else if bare.starts_with('>') {
            return self.quote(i);
        } else if let Some(rest) = ["!!! ", "??? ", "???+ "].into_iter().find_map(|m| line.strip_prefix(m)) {
            return self.indented(i, rest);
        } else if is_contents(bare) {
            self.out.push(Edit::delete(at..at + line.len()));
        } else if let Some(end) = self.module(i) {
            let (last, line) = self.lines[end - 1];
            self.out.push(Edit::delete(at..last + line.len()));
            return end;
        } else if fresh && bare.starts_with("%%") && bare.ends_with("%%") && bare.len() > 4 {
            self.out.push(Edit::delete(at..at + line.len()));
        }
        i + 1
    }

    /// Handles `:::note Title`, `:::note[Title]`, `::: {.note}` and the closing line. A custom title is kept, as a
    /// bold line.
    fn container(&mut self, at: usize, line: &str) {
        let end = at + line.len();
        let rest = line.trim().trim_start_matches(':').trim_start();
        let kind = rest.split(|c: char| !c.is_alphanumeric() && c != '-').next().unwrap_or("");
        let title = rest[kind.len()..].trim();
        let title = title.strip_prefix('[').and_then(|t| t.split(']').next()).unwrap_or(title);
        let says = title.chars().any(char::is_alphabetic) && !title.contains(['{', '=']) && !kind.is_empty();
        if says && !is_label(title) {
            let from = at + (title.as_ptr() as usize - line.as_ptr() as usize);
            self.out.push(Edit::replace(at..from, "\n**"));
            self.out.push(Edit::replace(from + title.len()..end, "**\n"));
        } else {
            // The removed line separates the blocks around it.
            self.out.push(Edit::delete(at..end));
        }
    }

    /// Turns `> [!NOTE]` and `> **Note:** …` from quotations into prose.
    fn quote(&mut self, i: usize) -> usize {
        let (at, line) = self.lines[i];
        let words = line.trim_start().trim_start_matches(['>', ' ']);
        let start = at + line.len() - words.len();
        let label = alert(words).or_else(|| labelled(words));
        let end =
            (i..self.lines.len()).find(|k| !self.lines[*k].1.trim_start().starts_with('>')).unwrap_or(self.lines.len());
        let Some(label) = label else { return end };
        self.out.push(Edit::delete(at..start + label));
        for (at, line) in &self.lines[i + 1..end] {
            let words = line.trim_start().strip_prefix('>').map_or("", |w| w.strip_prefix(' ').unwrap_or(w));
            self.out.push(Edit::delete(*at..at + line.len() - words.len()));
        }
        end
    }

    /// Handles `!!! note "Title"` above indented lines.
    fn indented(&mut self, i: usize, rest: &str) -> usize {
        let (at, line) = self.lines[i];
        let title = rest.split('"').nth(1).filter(|t| !is_label(t) && !t.trim().is_empty());
        match title {
            Some(title) => {
                let from = at + (title.as_ptr() as usize - line.as_ptr() as usize);
                self.out.push(Edit::replace(at..from, "\n**"));
                self.out.push(Edit::replace(from + title.len()..at + line.len(), "**\n"));
            }
            None => self.out.push(Edit::delete(at..at + line.len())),
        }
        let mut k = i + 1;
        while let Some((at, line)) = self.lines.get(k) {
            let indent = line.len() - line.trim_start_matches([' ', '\t']).len();
            if line.trim().is_empty() {
                k += 1;
                continue;
            }
            if indent < 4 && !line.starts_with('\t') {
                break;
            }
            self.out.push(Edit::delete(*at..at + indent.min(4)));
            k += 1;
        }
        k
    }

    /// Returns the line after an MDX `import` or `export` that begins at line `i`.
    fn module(&self, i: usize) -> Option<usize> {
        let line = self.lines[i].1;
        let import = line.strip_prefix("import ");
        let export = line.strip_prefix("export ");
        if let Some(rest) = import {
            let quoted = |l: &str| l.trim_end().trim_end_matches(';').ends_with(['"', '\'']);
            let from = |l: &str| quoted(l) && (l.contains(" from ") || l.contains("}from "));
            if rest.starts_with(['"', '\'']) && quoted(line) || from(line) {
                return Some(i + 1);
            }
            let opens = rest.trim_end().ends_with(['{', ',']);
            let last = (i + 1..self.lines.len().min(i + IMPORT)).find(|k| quoted(self.lines[*k].1));
            return last.filter(|_| opens && rest.contains('{')).map(|k| k + 1);
        }
        let rest = export?;
        let kind = rest.split_whitespace().next()?;
        let declares =
            matches!(kind, "const" | "let" | "var" | "function" | "default" | "async") || rest.starts_with(['{', '*']);
        let code = rest.contains(['=', '{', '(']) || rest.trim_end().ends_with(';');
        if !(declares && code) {
            return None;
        }
        // An export ends with its line, or with the line that closes the last brace.
        let mut depth = 0_i32;
        for k in i..self.lines.len().min(i + 10 * IMPORT) {
            let count = |open: &[char], close: &[char]| {
                let of = |set: &[char]| self.lines[k].1.chars().filter(|c| set.contains(c)).count() as i32;
                of(open) - of(close)
            };
            depth += count(&['{', '(', '['], &['}', ')', ']']);
            if depth <= 0 {
                return Some(k + 1);
            }
        }
        None
    }
}

/// Returns the length in bytes of `[!NOTE]` and the fold mark after it.
fn alert(words: &str) -> Option<usize> {
    let inner = words.strip_prefix("[!")?;
    let close = inner.find(']')?;
    let kind = &inner[..close];
    let plain =
        !kind.is_empty() && kind.len() <= LABEL && kind.chars().all(|c| c.is_alphanumeric() || matches!(c, '-' | '_'));
    let behind = &inner[close + 1..];
    let fold = behind.len() - behind.trim_start_matches(['+', '-', ' ']).len();
    plain.then_some(2 + close + 1 + fold)
}

/// Returns the length in bytes of a label such as `**Note:**`, up to the text after it.
fn labelled(words: &str) -> Option<usize> {
    let open = words.trim_start_matches(|c: char| !c.is_alphanumeric());
    let lead = words.len() - open.len();
    let label = open.split([':', '*', '_', '：', '\n']).next()?;
    let rest = &open[label.len()..];
    let marked =
        rest.starts_with([':', '：']) || words.contains("**") && rest.starts_with(['*', '_']) || rest.trim().is_empty();
    let behind = rest.len() - rest.trim_start_matches([':', '：', '*', '_', ' ']).len();
    (is_label(label) && marked && lead <= LABEL).then_some(lead + label.len() + behind)
}

/// Whether words only name a call-out: "Note", "Warning".
fn is_label(words: &str) -> bool {
    is_one_of(common::LABELS, words.trim().trim_end_matches([':', '：', '!']).trim().to_lowercase().as_str())
}

/// Whether a line is a placeholder for a table of contents, or a page break.
fn is_contents(line: &str) -> bool {
    let lower = line.to_ascii_lowercase();
    const PLACES: &str =
        "[toc]|[[toc]]|[[_toc_]]|@[toc]|\\newpage|\\pagebreak|\\tableofcontents|{toc}|__toc__|[//]: # (toc)|${toc}";
    is_one_of(PLACES, &lower) || lower.starts_with("[//]: #") || lower.starts_with("[comment]: ")
}

#[cfg(test)]
mod tests {
    use super::super::edits::Edited;
    use super::*;

    fn without(text: &str) -> String {
        Edited::of(text).apply(&edits(text, &Code::of(text))).text
    }

    #[test]
    fn callouts_become_prose() {
        for (text, want) in [
            ("> [!NOTE]\n> It is cold.\n> Very.\n\nMore", "\nIt is cold.\nVery.\n\nMore"),
            ("> [!tip]+ Rest first\n> It helps.", "Rest first\nIt helps."),
            ("> **Note:** It is cold.", "It is cold."),
            ("> ⚠️ **Warning**\n> It is cold.", "\nIt is cold."),
            ("> Slow is smooth.\n> — Ada", "> Slow is smooth.\n> — Ada"),
            (":::note\nIt is cold.\n:::", "\nIt is cold.\n"),
            (":::tip Rest first\nIt helps.\n:::", "\n**Rest first**\n\nIt helps.\n"),
            (":::warning[Mind the gap]\nx\n:::", "\n**Mind the gap**\n\nx\n"),
            ("::: {.callout-note}\nx\n:::", "\nx\n"),
            ("!!! note\n    It is cold.\n\n    Very.\nMore", "\nIt is cold.\n\nVery.\nMore"),
            ("??? tip \"Rest first\"\n    It helps.", "\n**Rest first**\n\nIt helps."),
        ] {
            assert_eq!(without(text), want, "{text}");
        }
    }

    #[test]
    fn modules_and_places_go() {
        for (text, want) in [
            ("import A from './a'\nimport {B} from \"b\";\n\nText", "\n\n\nText"),
            ("import {\n  A,\n  B\n} from 'x'\nText", "\nText"),
            ("export const meta = {\n  a: 1\n}\n\nText", "\n\nText"),
            ("export default ({children}) => <A>{children}</A>\n\nText", "\n\nText"),
            ("[TOC]\n\nText", "\n\nText"),
            ("[[_TOC_]]\nText", "\nText"),
        ] {
            assert_eq!(without(text), want, "{text}");
        }
        for text in [
            "import duties rise from May",
            "export controls = new",
            "`import a from 'b'`",
            "```\nimport a from 'b'\n```",
        ] {
            assert_eq!(without(text), text);
        }
    }
}
