//! Groups glyphs into pieces of lines: glyphs on one baseline without a gap.

use icu_normalizer::ComposingNormalizerBorrowed;

use super::noise::without_noise;
use super::page::Glyph;

/// A piece of a line.
#[derive(Debug, Clone, PartialEq)]
pub struct Piece {
    pub text: String,
    pub x0: f32,
    pub x1: f32,
    /// The baseline.
    pub y: f32,
    /// The em of most of its letters.
    pub size: f32,
    /// Whether most of its letters are bold.
    pub bold: bool,
    /// The part of its page that it belongs to, if tags order the page.
    pub part: Option<usize>,
}

impl Piece {
    pub fn top(&self) -> f32 {
        self.y - 0.8 * self.size
    }

    pub fn bottom(&self) -> f32 {
        self.y + 0.2 * self.size
    }
}

/// The gap between words, in em.
const WORD: f32 = 0.16;
/// The gap, in em, from which pieces are separate: a gutter, or the space between cells.
const APART: f32 = 1.1;

/// Returns the pieces of a page, from top to bottom.
pub fn pieces(mut glyphs: Vec<Glyph>) -> Vec<Piece> {
    glyphs.retain(|g| !g.text.is_empty());
    let mut pieces = Vec::new();
    for mut row in rows(glyphs) {
        row.sort_by(|a, b| a.x0.total_cmp(&b.x0));
        // Some producers draw a glyph twice to make it bold.
        row.dedup_by(|b, a| a.text == b.text && (a.x0 - b.x0).abs() < 0.1 * a.size && !a.text.trim().is_empty());
        let mut from = 0;
        for i in 1..=row.len() {
            if i == row.len() || gap(&row, i) > APART * row[i - 1].size.max(row[i].size) {
                pieces.extend(piece(&row[from..i]));
                from = i;
            }
        }
    }
    pieces.sort_by(|a, b| a.y.total_cmp(&b.y).then(a.x0.total_cmp(&b.x0)));
    pieces
}

/// Returns the gap between the last ink before glyph `i` and the next ink.
fn gap(row: &[Glyph], i: usize) -> f32 {
    let ink = |g: &&Glyph| !g.text.trim().is_empty();
    let reach = row[..i].iter().rev().take(40).filter(ink).map(|g| g.x1).fold(f32::MIN, f32::max);
    match row[i..].iter().find(ink) {
        Some(next) if reach > f32::MIN => next.x0 - reach,
        _ => 0.0,
    }
}

/// Groups glyphs by baseline; superscripts and subscripts join the line that they belong to.
fn rows(mut glyphs: Vec<Glyph>) -> Vec<Vec<Glyph>> {
    glyphs.sort_by(|a, b| a.y.total_cmp(&b.y));
    let mut rows: Vec<Vec<Glyph>> = Vec::new();
    for glyph in glyphs {
        match rows.last_mut() {
            Some(row) if glyph.y - row[0].y <= 0.22 * row[0].size.min(glyph.size) => row.push(glyph),
            _ => rows.push(vec![glyph]),
        }
    }
    let mut out: Vec<Vec<Glyph>> = Vec::new();
    let size = |row: &[Glyph]| row.iter().map(|g| g.size).fold(0.0, f32::max);
    let mut i = 0;
    while i < rows.len() {
        let row = std::mem::take(&mut rows[i]);
        // Small characters beside a line of larger letters, within its height.
        let joins = |small: &[Glyph], large: &[Glyph]| {
            let (s, l) = (size(small), size(large));
            (s < 0.8 * l || small.iter().all(|g| g.text.chars().all(is_rtl_mark)))
                && small.len() < large.len()
                && (small[0].y - large[0].y).abs() < 0.6 * l
                && small.iter().all(|g| {
                    large.iter().any(|n| {
                        (g.x0 - n.x1).abs() < 0.4 * l
                            || (n.x0 - g.x1).abs() < 0.4 * l
                            || small.iter().any(|m| m.x1 <= g.x0 && g.x0 - m.x1 < 0.4 * l)
                    })
                })
        };
        if let Some(next) = rows.get_mut(i + 1).filter(|next| !next.is_empty() && joins(&row, next)) {
            next.extend(row);
            let y = next[0].y;
            next.iter_mut().for_each(|g| g.y = y);
        } else if let Some(last) = out.last_mut().filter(|last| joins(&row, last)) {
            last.extend(row);
        } else {
            out.push(row);
        }
        i += 1;
    }
    out
}

fn piece(glyphs: &[Glyph]) -> Option<Piece> {
    let inked: Vec<&Glyph> = glyphs.iter().filter(|g| !g.text.trim().is_empty()).collect();
    let (first, last) = (inked.first()?, inked.last()?);
    let size = most(inked.iter().map(|g| g.size));
    let bold = 2 * inked.iter().filter(|g| g.bold).count() > inked.len();
    let base = inked.iter().find(|g| g.size >= 0.95 * size).unwrap_or(first);
    // In letter-spaced text, the gap between letters does not separate words.
    let mut gaps: Vec<f32> = inked.windows(2).map(|w| (w[1].x0 - w[0].x1) / size).collect();
    gaps.sort_by(f32::total_cmp);
    let spaced = gaps.get(gaps.len() / 4).copied().unwrap_or(0.0).max(0.0);
    let blanks = glyphs.iter().filter(|g| g.text.trim().is_empty()).count();
    let word = spaced + if 14 * blanks >= glyphs.len() { 1.8 * WORD } else { WORD };
    let mut text = String::new();
    let mut end = first.x0;
    for glyph in glyphs {
        let blank = glyph.text.trim().is_empty();
        if glyph.text.chars().all(is_rtl_mark) {
            // Right-to-left lines are reversed as a whole, so a mark that follows its letter is inserted before it
            // here.
            let at = text.char_indices().next_back().map_or(0, |(at, _)| at);
            text.insert_str(at, &glyph.text);
            continue;
        }
        if !blank && (glyph.x0 - end) / size > word && !text.is_empty() && !text.ends_with(' ') {
            text.push(' ');
        }
        if blank {
            if !text.is_empty() && !text.ends_with(' ') {
                text.push(' ');
            }
        } else {
            let letters: Vec<char> = glyph.text.chars().flat_map(plain).collect();
            // The letters of a ligature are already in reading order.
            match letters.iter().all(|c| is_rtl(*c)) {
                true => text.extend(letters.into_iter().rev()),
                false => text.extend(letters),
            }
            end = end.max(glyph.x1);
        }
    }
    let text = without_noise(&logical(without_leaders(text.trim())));
    (!text.is_empty()).then(|| Piece { text, x0: first.x0, x1: last.x1.max(end), y: base.y, size, bold, part: None })
}

/// Returns the most frequent value, with a tolerance of 3 %.
pub fn most(values: impl Iterator<Item = f32>) -> f32 {
    let mut values: Vec<f32> = values.collect();
    values.sort_by(f32::total_cmp);
    let mut best = (0, values.first().copied().unwrap_or(0.0));
    let mut from = 0;
    for to in 0..values.len() {
        while values[from] < values[to] * 0.97 {
            from += 1;
        }
        if to + 1 - from > best.0 {
            best = (to + 1 - from, values[to]);
        }
    }
    best.1
}

/// Expands ligatures to letters, and removes invisible characters.
fn plain(c: char) -> Vec<char> {
    match c {
        '\u{fb00}'..='\u{fb4f}'
        | '\u{fb50}'..='\u{fdff}'
        | '\u{fe70}'..='\u{fefc}'
        | '\u{2f00}'..='\u{2fd5}'
        | '\u{fe10}'..='\u{fe19}'
        | '\u{fe30}'..='\u{fe48}' => {
            let mut bytes = [0; 4];
            ComposingNormalizerBorrowed::new_nfkc().normalize(c.encode_utf8(&mut bytes)).chars().collect()
        }
        '\0'..='\u{1f}' | '\u{200b}' | '\u{feff}' | '\u{fffd}' | '\u{e000}'..='\u{f8ff}' => Vec::new(),
        '\u{a0}' => vec![' '],
        _ => vec![c],
    }
}

/// Removes the dot leaders of a line in a table of contents.
fn without_leaders(text: &str) -> &str {
    let dots = |t: &str| t.chars().filter(|c| matches!(c, '.' | '…' | '·')).count();
    let at = [". . . .", ".....", "……", "····"].into_iter().filter_map(|leader| text.find(leader)).min();
    match at {
        Some(at) if 2 * dots(&text[at..]) + 8 >= text[at..].chars().count() => text[..at].trim_end(),
        _ => text,
    }
}

/// Returns whether a character is a mark on Arabic or Hebrew letters.
fn is_rtl_mark(c: char) -> bool {
    matches!(c, '\u{591}'..='\u{5bd}' | '\u{5bf}' | '\u{5c1}'..='\u{5c7}' | '\u{610}'..='\u{61a}'
        | '\u{64b}'..='\u{65f}' | '\u{670}' | '\u{6d6}'..='\u{6dc}' | '\u{6df}'..='\u{6e8}')
}

fn is_rtl(c: char) -> bool {
    matches!(c, '\u{590}'..='\u{8ff}' | '\u{fb1d}'..='\u{fdff}' | '\u{fe70}'..='\u{fefc}')
}

/// Converts a line from visual to logical order: right-to-left text is reversed, except for numbers and words of other
/// scripts.
fn logical(text: &str) -> String {
    let (rtl, ltr) = text
        .chars()
        .filter(|c| c.is_alphabetic())
        .fold((0, 0), |(r, l), c| if is_rtl(c) { (r + 1, l) } else { (r, l + 1) });
    if rtl <= ltr {
        return text.to_owned();
    }
    // Most producers store a bracket as the visible sign, some as the logical one. The reading whose brackets match is
    // correct.
    let seen = turned(text, true);
    let unclosed = unmatched(&seen);
    if unclosed == 0 {
        return seen;
    }
    let read = turned(text, false);
    if unmatched(&read) < unclosed { read } else { seen }
}

/// Returns the other bracket or quotation mark of a pair.
fn mirrored(c: char) -> char {
    match c {
        '(' => ')',
        ')' => '(',
        '[' => ']',
        ']' => '[',
        '{' => '}',
        '}' => '{',
        '«' => '»',
        '»' => '«',
        c => c,
    }
}

/// Returns the number of unmatched brackets of a text in reading order.
fn unmatched(text: &str) -> usize {
    let (mut open, mut loose) = (Vec::new(), 0);
    for c in text.chars() {
        match c {
            '(' | '[' | '{' | '«' => open.push(c),
            ')' | ']' | '}' | '»' if open.last() == Some(&mirrored(c)) => drop(open.pop()),
            ')' | ']' | '}' | '»' => loose += 1,
            _ => {}
        }
    }
    open.len() + loose
}

/// Reverses a right-to-left line, with its brackets mirrored or unchanged.
fn turned(text: &str, mirror: bool) -> String {
    let mut out = String::with_capacity(text.len());
    let mut kept = String::new();
    let turn = |kept: &mut String, out: &mut String| {
        let tail = kept.len() - kept.trim_start().len();
        out.push_str(&kept.trim_start().chars().rev().collect::<String>());
        out.extend(std::iter::repeat_n(' ', tail));
        kept.clear();
    };
    for c in text.chars().rev() {
        let keeps = c.is_ascii_alphanumeric()
            || (c.is_alphanumeric() && !is_rtl(c))
            || matches!(c, '\u{660}'..='\u{669}' | '\u{6f0}'..='\u{6f9}')
            || (!kept.is_empty() && matches!(c, '.' | ',' | ':' | '/' | '-' | '٫' | '٬'));
        if keeps {
            kept.push(c);
        } else {
            let loose: String = kept.chars().rev().take_while(|c| !c.is_alphanumeric()).collect();
            kept.truncate(kept.len() - loose.len());
            turn(&mut kept, &mut out);
            out.extend(loose.chars().rev());
            out.push(if mirror { mirrored(c) } else { c });
        }
    }
    turn(&mut kept, &mut out);
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn brackets_beside_numbers_close_what_they_open() {
        for (read, seen) in [
            ("סעיף 15(ב)(4) לחוק", "קוחל (4)(ב)15 ףיעס"),
            ("(1) אבג [2] ועוד {3}", "{3} דועו [2] גבא (1)"),
            ("بند 7(أ) و«نص» 12", "12 «صن»و (أ)7 دنب"),
        ] {
            // In visual order, and with logical brackets, as some producers write them.
            let logical_signs: String = seen.chars().map(mirrored).collect();
            assert_eq!(logical(seen), read);
            assert_eq!(logical(&logical_signs), read);
        }
        // A bracket whose pair is on another line can't be decided: the result follows most producers.
        assert_eq!(logical("גבא ("), ") אבג");
    }
}
