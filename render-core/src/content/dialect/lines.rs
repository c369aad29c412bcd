//! Normalises openings of Markdown lines that deviate from CommonMark: `#Title` without a space, ordinal dates that
//! look like list items, digits in boxes and circles, bullets of word processors.

use super::code::{Code, lines};
use super::edits::Edit;
use crate::content::number;
use crate::content::words::{common, is_one_of};

/// Minimum lines that open with a picture character to be list items.
const PICTURED: usize = 3;
/// Lines within which the second of several numbers is looked for.
const NEAR: usize = 60;
/// Bullets of word processors.
const BULLETS: [char; 14] = ['•', '‣', '◦', '▪', '●', '○', '■', '□', '►', '▸', '➤', '➢', '✓', '✔'];

/// Returns the edits that turn such lines into standard Markdown.
pub(super) fn edits(text: &str, code: &Code) -> Vec<Edit> {
    let all: Vec<(usize, &str)> = lines(text).collect();
    let mut out = Vec::new();
    for i in 0..all.len() {
        let (at, line) = all[i];
        let bare = line.trim_start_matches([' ', '\t', '>']);
        if bare.is_empty() || code.end_at(at + line.len() - bare.len()).is_some() {
            continue;
        }
        let finder = Finder { lines: &all, i };
        let place = at + (line.len() - bare.len());
        let edit = finder
            .heading(bare, place)
            .or_else(|| finder.boxed(bare, place))
            .or_else(|| finder.bullet(bare, place))
            .or_else(|| finder.number(bare, place))
            .or_else(|| finder.pictured(bare, place));
        out.extend(edit);
    }
    out
}

/// Returns the edits that turn lines of plain text that open with picture characters into list items.
pub(super) fn pictures(text: &str) -> Vec<Edit> {
    let all: Vec<(usize, &str)> = lines(text).collect();
    let edit = |i: usize| {
        let (at, line) = all[i];
        let bare = line.trim_start();
        Finder { lines: &all, i }.pictured(bare, at + (line.len() - bare.len()))
    };
    (0..all.len()).filter_map(edit).collect()
}

struct Finder<'a> {
    lines: &'a [(usize, &'a str)],
    /// Index of the current line.
    i: usize,
}

impl<'a> Finder<'a> {
    /// Returns the line `d` lines further on, trimmed, or an empty string if there is none.
    fn near(&self, d: isize) -> &'a str {
        let line = self.i.checked_add_signed(d).and_then(|i| self.lines.get(i));
        line.map_or("", |(_, line)| line.trim())
    }

    /// Handles `#Title`, where the space is missing or is a no-break space.
    fn heading(&self, bare: &str, at: usize) -> Option<Edit> {
        let hashes = bare.bytes().take_while(|b| *b == b'#').count();
        if !(1..=6).contains(&hashes) {
            return None;
        }
        let words = &bare[hashes..];
        let first = words.chars().next()?;
        if matches!(first, '\u{a0}' | '\u{3000}' | '\u{202f}' | '\u{2003}') {
            return Some(Edit::replace(at + hashes..at + hashes + first.len_utf8(), " "));
        }
        if !first.is_alphanumeric()
            && !matches!(first, '*' | '_' | '`' | '"' | '“' | '„' | '«' | '¿' | '¡' | '「' | '[')
        {
            return None;
        }
        let heading = hashes > 1 || self.is_title(words, first);
        heading.then(|| Edit::insert(at + hashes, " "))
    }

    /// Whether the words after a single number sign are a title rather than a tag or an issue number.
    fn is_title(&self, words: &str, first: char) -> bool {
        let fresh = self.near(-1).is_empty();
        let several = words.split_whitespace().count() > 1;
        let tags =
            words.split_whitespace().skip(1).any(|w| w.starts_with('#')) || self.near(1).starts_with('#') && !several;
        let ends = self.i + 1 >= self.lines.len() || self.lines[self.i + 1..].iter().all(|(_, l)| l.trim().is_empty());
        let sentence = words.trim_end().ends_with(['.', ',', ';', '。']);
        fresh
            && !tags
            && !ends
            && !sentence
            && !first.is_ascii_digit()
            && (several || first.is_uppercase() || !first.is_lowercase())
    }

    /// Handles `1️⃣ First`, `① First`: a number in a box or a circle.
    fn boxed(&self, bare: &str, at: usize) -> Option<Edit> {
        let (n, len) = boxed(bare)?;
        let rest = &bare[len..];
        let words = rest.trim_start();
        // A single number is not a list.
        let follows = n > 1
            || self.lines[self.i + 1..]
                .iter()
                .take(NEAR)
                .any(|(_, l)| boxed(l.trim_start()).is_some_and(|(m, _)| m == 2));
        (follows && !words.is_empty()).then(|| {
            let space = rest.len() - words.len();
            Edit::replace(at..at + len + space, format!("{n}. "))
        })
    }

    /// Handles `• item`, and a bullet followed by a no-break space.
    fn bullet(&self, bare: &str, at: usize) -> Option<Edit> {
        let first = bare.chars().next()?;
        let rest = &bare[first.len_utf8()..];
        let space = rest.chars().next().filter(|c| c.is_whitespace())?;
        let word = BULLETS.contains(&first) || first == '\u{b7}' || matches!(first, '–' | '—') && self.is_dashed();
        let odd = matches!(first, '-' | '*' | '+') && !matches!(space, ' ' | '\t');
        let end = at + first.len_utf8() + space.len_utf8();
        (word || odd).then(|| Edit::replace(at..end, "- "))
    }

    /// Whether a neighbouring line opens with a dash too. A single dash marks a speaker or an attribution.
    fn is_dashed(&self) -> bool {
        [-1, 1].into_iter().any(|d| self.near(d).starts_with(['–', '—']))
    }

    /// Handles `14. August 2026 eröffnen wir`, `1986. What a year`: a number with a period that is no list number.
    fn number(&self, bare: &str, at: usize) -> Option<Edit> {
        let digits = bare.bytes().take_while(u8::is_ascii_digit).count();
        let n: u32 = bare[..digits].parse().ok()?;
        let rest = bare[digits..].strip_prefix('.')?.strip_prefix(' ')?;
        let year = digits >= 3;
        (year || is_ordinal(n, rest) && !self.is_counted(n)).then(|| Edit::insert(at + digits, "\\"))
    }

    /// Whether a line nearby has the number before or after `n`.
    fn is_counted(&self, n: u32) -> bool {
        let number = |line: &str| -> Option<u32> {
            let digits = line.bytes().take_while(u8::is_ascii_digit).count();
            line[digits..].starts_with(". ").then(|| line[..digits].parse().ok()).flatten()
        };
        let before = (1..=6).filter_map(|d| number(self.near(-d)));
        let behind = (1..=6).filter_map(|d| number(self.near(d)));
        before.into_iter().any(|m| m + 1 == n) || behind.into_iter().any(|m| m == n + 1)
    }

    /// Turns lines that each open with a picture character into list items.
    fn pictured(&self, bare: &str, at: usize) -> Option<Edit> {
        if !opens_with_picture(bare) {
            return None;
        }
        // Count neighbours, skipping single blank lines.
        let run = |step: isize| {
            let mut n = 0;
            let mut d = step;
            loop {
                let line = self.near(d);
                match opens_with_picture(line) {
                    true => n += 1,
                    false if line.is_empty() && opens_with_picture(self.near(d + step)) => {}
                    false => return n,
                }
                if n >= PICTURED {
                    return n;
                }
                d += step;
            }
        };
        // A sign that means "no" is kept, because it is more than a bullet.
        let kept = bare.starts_with(['❌', '🚫', '⛔', '👎', '✖', '✗', '✘']);
        let picture = if kept { 0 } else { bare.find(' ').map_or(0, |end| end + 1) };
        (1 + run(-1) + run(1) >= PICTURED).then(|| Edit::replace(at..at + picture, "- "))
    }
}

/// Whether the text after a number and a period makes the number the day of a month.
pub(in crate::content) fn is_ordinal(n: u32, rest: &str) -> bool {
    let word: String = rest.chars().take_while(|c| c.is_alphabetic()).flat_map(char::to_lowercase).collect();
    (1..=31).contains(&n) && word.chars().count() >= 3 && is_one_of(common::ORDINAL_MONTHS, &word)
}

/// Returns the number in a box or a circle that opens a text, and its byte length.
pub(in crate::content) fn boxed(text: &str) -> Option<(u32, usize)> {
    let c = text.chars().next()?;
    if let Some(digit) = number::digit(c).filter(|_| c.is_ascii_digit()) {
        let rest = &text[1..];
        let selector = rest.strip_prefix('\u{fe0f}').unwrap_or(rest);
        let rest = selector.strip_prefix('\u{20e3}')?;
        return Some((digit, text.len() - rest.len()));
    }
    let n = match c {
        '🔟' => 10,
        '①'..='⑳' => c as u32 - '①' as u32 + 1,
        '❶'..='❿' => c as u32 - '❶' as u32 + 1,
        '➀'..='➉' => c as u32 - '➀' as u32 + 1,
        '➊'..='➓' => c as u32 - '➊' as u32 + 1,
        '⓵'..='⓾' => c as u32 - '⓵' as u32 + 1,
        _ => return None,
    };
    Some((n, c.len_utf8()))
}

/// Whether a line opens with a picture character followed by words.
fn opens_with_picture(line: &str) -> bool {
    let Some(first) = line.chars().next() else { return false };
    let picture = matches!(first, '\u{2190}'..='\u{21ff}' | '\u{2300}'..='\u{23ff}' | '\u{25a0}'..='\u{27bf}' | '\u{2b00}'..='\u{2bff}'
        | '\u{1f300}'..='\u{1faff}' | '\u{1f1e6}'..='\u{1f1ff}');
    let rest =
        line.trim_start_matches(|c: char| !c.is_alphanumeric() && !c.is_ascii_punctuation() && !c.is_whitespace());
    picture
        && boxed(line).is_none()
        && rest.starts_with(' ')
        && rest.trim_start().starts_with(|c: char| c.is_alphanumeric() || matches!(c, '*' | '_' | '['))
}

#[cfg(test)]
mod tests {
    use super::super::edits::Edited;
    use super::*;

    fn read(text: &str) -> String {
        Edited::of(text).apply(&edits(text, &Code::of(text))).text
    }

    #[test]
    fn headings_without_a_space() {
        for (text, want) in [
            ("#Low water\n\nText", "# Low water\n\nText"),
            ("##Tides\nText", "## Tides\nText"),
            ("#\u{a0}Tides\nText", "# Tides\nText"),
            ("#Tides\n\nText", "# Tides\n\nText"),
            ("Text\n\n#tides #sea", "Text\n\n#tides #sea"),
            ("Text\n\n#Tides", "Text\n\n#Tides"),
            ("#123 is fixed\n\nText", "#123 is fixed\n\nText"),
            ("Text\n#tides are high\nx", "Text\n#tides are high\nx"),
        ] {
            assert_eq!(read(text), want, "{text}");
        }
    }

    #[test]
    fn ordinals_are_no_items() {
        for (text, want) in [
            ("14. August 2026 eröffnen wir.", "14\\. August 2026 eröffnen wir."),
            ("1. maj er det forår.", "1\\. maj er det forår."),
            ("1986. What a year.", "1986\\. What a year."),
            ("1. August\n2. September", "1. August\n2. September"),
            ("3. Rest first", "3. Rest first"),
        ] {
            assert_eq!(read(text), want, "{text}");
        }
    }

    #[test]
    fn numbers_in_boxes_and_odd_bullets_are_items() {
        for (text, want) in [
            ("1️⃣ Rest\n2️⃣ Walk", "1. Rest\n2. Walk"),
            ("① Rest\n\n② Walk", "1. Rest\n\n2. Walk"),
            ("1️⃣ is a picture", "1️⃣ is a picture"),
            ("• Rest\n•\tWalk", "- Rest\n- Walk"),
            ("-\u{a0}Rest", "- Rest"),
            ("– Rest\n– Walk", "- Rest\n- Walk"),
            ("– Ada Moor", "– Ada Moor"),
            ("✅ Rest\n🚶 Walk\n\n❌ Run", "- Rest\n- Walk\n\n- ❌ Run"),
            ("🎉 We are open", "🎉 We are open"),
        ] {
            assert_eq!(read(text), want, "{text}");
        }
    }
}
