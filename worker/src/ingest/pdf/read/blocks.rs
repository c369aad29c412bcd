//! Groups lines into paragraphs, headings and lists.

use std::collections::BTreeSet;

use super::lines::Piece;
use super::order::Item;
use super::script::is_cjk;
use super::tables::{Table, is_marker, is_numeral};

/// A part of the text.
#[derive(Debug, Clone, PartialEq)]
pub enum Block {
    /// A heading of a size and weight; its level is determined later.
    Heading {
        text: String,
        size: f32,
        bold: bool,
    },
    Paragraph(String),
    /// An item, with its numeral if it has one.
    Item {
        numeral: Option<String>,
        text: String,
    },
    Table(Table),
}

/// A line of one column, joined from its pieces.
#[derive(Debug, Clone)]
struct Line {
    marker: Option<String>,
    text: String,
    x0: f32,
    /// Where the words start, after a marker.
    inner: f32,
    x1: f32,
    y: f32,
    size: f32,
    bold: bool,
}

/// Appends the blocks of one column. `body` is the size of the body text.
pub fn blocks(group: Vec<Item>, tables: &[Table], body: f32, words: &Words, out: &mut Vec<(Block, bool)>) {
    let mut lines: Vec<Line> = Vec::new();
    for item in group {
        match item {
            Item::Piece(piece) => add(&mut lines, piece),
            Item::Table(n, ..) => {
                paragraphs(std::mem::take(&mut lines), body, words, out);
                out.push((Block::Table(tables[n].clone()), false));
            }
        }
    }
    paragraphs(lines, body, words, out);
}

fn add(lines: &mut Vec<Line>, piece: Piece) {
    let (marker, text) = split_marker(&piece.text);
    if let Some(last) = lines.last_mut()
        && (last.y - piece.y).abs() < 0.35 * last.size.max(piece.size)
        && last.x1 <= piece.x0 + 0.5 * piece.size
    {
        if last.text.is_empty() {
            (last.inner, last.size, last.bold) = (piece.x0, piece.size, piece.bold);
        } else {
            last.text.push(' ');
        }
        last.text.push_str(&piece.text);
        last.x1 = piece.x1;
        return;
    }
    // Markers are narrow; their words start at about this distance.
    let inner = if marker.is_some() { piece.x0 + 1.2 * piece.size } else { piece.x0 };
    let Piece { x0, x1, y, size, bold, .. } = piece;
    lines.push(Line { marker, text, x0, inner, x1, y, size, bold });
}

/// Splits a marker from the text after it.
fn split_marker(text: &str) -> (Option<String>, String) {
    if is_marker(text) && !matches!(text, "–" | "-") {
        return (Some(text.to_owned()), String::new());
    }
    match text.split_once(' ') {
        Some((first, rest)) if is_marker(first) => (Some(first.to_owned()), rest.trim().to_owned()),
        _ => {
            // A bullet may directly precede its word.
            let rest = text.strip_prefix(['•', '▪', '●', '■', '‣', '◦']).filter(|r| !r.is_empty());
            match rest {
                Some(rest) => (Some("•".into()), rest.trim().to_owned()),
                None => (None, text.to_owned()),
            }
        }
    }
}

fn paragraphs(lines: Vec<Line>, body: f32, words: &Words, out: &mut Vec<(Block, bool)>) {
    let (left, right) = lines.iter().fold((f32::MAX, f32::MIN), |(a, b), l| (a.min(l.x0), b.max(l.x1)));
    let leading = leading(&lines);
    let mut from = 0;
    for i in 1..=lines.len() {
        if i < lines.len() && goes_on(&lines[from], &lines[i - 1], &lines[i], body, leading, right) {
            continue;
        }
        let paragraph = &lines[from..i];
        let continues = paragraph[0].x0 < left + 0.8 * paragraph[0].size;
        let text = words.joined(paragraph.iter().map(|l| l.text.as_str()));
        if !text.is_empty() {
            out.push((block(paragraph, text, body), continues));
        }
        from = i;
    }
}

/// Returns the usual distance of baselines.
fn leading(lines: &[Line]) -> f32 {
    let mut gaps: Vec<f32> = lines.windows(2).map(|w| (w[1].y - w[0].y) / w[1].size).filter(|g| *g > 0.7).collect();
    gaps.sort_by(f32::total_cmp);
    gaps.get(gaps.len() * 2 / 5).copied().unwrap_or(1.3).clamp(1.0, 1.9)
}

/// Returns whether `line` continues the paragraph that starts with `first` and so far ends with `last`.
fn goes_on(first: &Line, last: &Line, line: &Line, body: f32, leading: f32, right: f32) -> bool {
    let same = (line.size - last.size).abs() < 0.07 * last.size && (line.bold == last.bold || first.marker.is_some());
    // A bold lead-in belongs to the paragraph that follows it.
    let led = last.bold
        && !line.bold
        && (line.size - last.size).abs() < 0.07 * last.size
        && last.x1 > right - 2.0 * last.size;
    let gap = (line.y - last.y) / last.size.max(line.size);
    if line.marker.is_some() || !(same || led) || !(0.3..leading * 1.28).contains(&gap) {
        return false;
    }
    let heading = first.size > 1.12 * body;
    if first.marker.is_some() {
        // Continuation lines of an item are indented like its words.
        return line.x0 > first.x0 + 0.5 * first.size
            || (line.x0 - first.x0).abs() < 0.3 * first.size && gap < leading * 1.08 && !ends(&last.text);
    }
    if heading {
        return true;
    }
    let short = last.x1 < right - 0.18 * (right - first.x0).max(1.0);
    let indented = line.x0 > last.x0 + 0.7 * line.size && line.x0 < last.x0 + 4.0 * line.size;
    let outdented = line.x0 < last.x0 - 0.7 * line.size && std::ptr::eq(first, last);
    !((short && ends(&last.text)) || (indented && !short) || (indented && ends(&last.text)) || (outdented && short))
}

/// Returns whether a sentence ends there.
pub fn ends(text: &str) -> bool {
    let text = text.trim_end_matches(['"', '”', '’', '»', '“', ')', '」', '』', '\'']);
    text.ends_with(['.', '!', '?', ':', '…', '。', '！', '？', '؟', '।', ';'])
}

fn block(lines: &[Line], text: String, body: f32) -> Block {
    let first = &lines[0];
    let bold = lines.iter().all(|l| l.bold);
    let length = text.chars().count();
    let large = first.size > 1.12 * body;
    let heading = (large && length < 200 && lines.len() <= 5)
        || (bold && lines.len() <= 3 && length < 120 && !text.ends_with(['.', ',', ';']));
    let letters = text.chars().any(char::is_alphabetic);
    match &first.marker {
        Some(marker) if !(heading && is_numeral(marker)) => {
            let numeral = is_numeral(marker).then(|| marker.clone());
            Block::Item { numeral, text }
        }
        Some(marker) => Block::Heading { text: format!("{marker} {text}"), size: first.size, bold },
        None if heading && letters => Block::Heading { text, size: first.size, bold },
        None => Block::Paragraph(text),
    }
}

/// The words of the document, which decide whether a hyphen at the end of a line stays.
#[derive(Debug, Default)]
pub struct Words(BTreeSet<String>);

impl Words {
    /// Collects all words within lines.
    pub fn new<'a>(texts: impl Iterator<Item = &'a str>) -> Self {
        let mut words = BTreeSet::new();
        for text in texts {
            let inner = text.split_whitespace().map(|w| w.trim_matches(|c: char| !c.is_alphanumeric() && c != '-'));
            words.extend(inner.filter(|w| w.chars().count() > 2 && !w.ends_with('-')).map(str::to_lowercase));
        }
        Self(words)
    }

    /// Joins lines: rejoins words that were hyphenated at a line's end, and adds no spaces to scripts without them.
    pub fn joined<'a>(&self, lines: impl Iterator<Item = &'a str>) -> String {
        let mut out = String::new();
        for line in lines {
            let line = line.trim();
            let (Some(last), Some(next)) = (out.chars().last(), line.chars().next()) else {
                out.push_str(line);
                continue;
            };
            match last {
                '\u{ad}' => _ = out.pop(),
                '-' | '\u{2010}'
                    if next.is_alphabetic() && out.chars().rev().nth(1).is_some_and(char::is_alphabetic) =>
                {
                    if self.parted(&out, line) {
                        out.pop();
                    }
                }
                _ if is_cjk(last) && is_cjk(next) => {}
                _ => out.push(' '),
            }
            out.push_str(line);
        }
        out.replace('\u{ad}', "")
    }

    /// Returns whether the hyphen between both exists only because the line ended.
    fn parted(&self, before: &str, after: &str) -> bool {
        let end = |c: char| !c.is_alphanumeric() && c != '-';
        let head = before.trim_end_matches(['-', '\u{2010}']).rsplit(end).next().unwrap_or("").to_lowercase();
        let tail = after.split(end).next().unwrap_or("").to_lowercase();
        if self.0.contains(&format!("{head}{tail}")) {
            return true;
        }
        after.starts_with(char::is_lowercase) && !self.0.contains(&format!("{head}-{tail}"))
    }
}
