//! Handles elements whose content must be read before they are written: headings, links, superscripts, removed
//! elements.

use std::ops::Range;

use super::super::edits::Edit;
use super::tags::{Kind, Tag};
use super::{BLOCKS, LINK_TAGS, Open, Writer};
use crate::content::words::has;

impl Writer<'_> {
    /// Removes an element with its content.
    pub(super) fn drop(&mut self, i: usize) -> (usize, usize) {
        let tag = &self.tags[i];
        let close = self.close_of(i);
        // A figure may contain a quotation, with its author in the caption.
        let within = close.map(|c| &self.tags[i + 1..c]);
        let quotes = tag.name == "figure" && within.is_some_and(|all| all.iter().any(|t| t.name == "blockquote"));
        match close.filter(|_| !quotes) {
            Some(c) => {
                let range = tag.range.start..self.tags[c].range.end;
                let alone =
                    !matches!(tag.name.as_str(), "del" | "s" | "strike" | "rt" | "rp" | "svg" | "button" | "picture");
                let with = if alone { self.parted() } else { String::new() };
                self.out.push(Edit::replace(range.clone(), with));
                (c + 1, range.end)
            }
            None => {
                self.out.push(Edit::delete(tag.range.clone()));
                (i + 1, tag.range.end)
            }
        }
    }

    pub(super) fn heading(&mut self, i: usize) -> (usize, usize) {
        let tag = &self.tags[i];
        let range = tag.range.clone();
        let close = self.close_of(i);
        // In a cell or a term it is not a heading of the document.
        if self.in_line() || tag.kind == Kind::Empty {
            self.out.push(Edit::delete(range.clone()));
            return (i + 1, range.end);
        }
        let level = tag.name[1..].parse().unwrap_or(1_usize);
        let with = format!("{}{} ", self.parted(), "#".repeat(level));
        self.out.push(Edit::replace(range.clone(), with));
        self.push(Open::Line(tag.name.clone()));
        // A heading that is a picture takes the picture's name.
        let within = &self.tags[i + 1..close.unwrap_or(i + 1).max(i + 1)];
        if let Some(end) = close.map(|c| self.tags[c].range.start) {
            let says = gaps(self.text, range.end..end, within).any(|gap| gap.chars().any(char::is_alphanumeric));
            let picture =
                within.iter().position(|t| t.name == "img" && t.attribute("alt").is_some_and(|a| !a.trim().is_empty()));
            if let Some(k) = picture.filter(|_| !says && end - range.end < 4_000) {
                let picture = &within[k];
                let alt = name_in(picture.attribute("alt").unwrap_or_default());
                let start = alt.as_ptr() as usize - self.text.as_ptr() as usize;
                self.out.push(Edit::delete(range.end..start));
                self.out.push(Edit::delete(start + alt.len()..end));
                return (i + 1 + within.len(), end);
            }
        }
        (i + 1, range.end)
    }

    /// Writes a link. Its text is kept, with a target that says whether it leads to a place in this document.
    pub(super) fn link(&mut self, i: usize) -> (usize, usize) {
        let tag = &self.tags[i];
        let close = (i + 1..self.tags.len().min(i + LINK_TAGS)).find(|k| self.tags[*k].name == "a");
        let close = close.filter(|k| {
            let within = &self.tags[i + 1..*k];
            let plain = within
                .iter()
                .all(|t| !has(BLOCKS, &t.name) && !matches!(t.name.as_str(), "li" | "tr" | "td" | "h1" | "h2" | "h3"));
            self.tags[*k].kind == Kind::Close && plain
        });
        let target = tag.attribute("href");
        let range = tag.range.clone();
        let says = close.is_some_and(|c| {
            let within = range.end..self.tags[c].range.start;
            gaps(self.text, within, &self.tags[i + 1..c]).any(|gap| gap.chars().any(char::is_alphanumeric))
        });
        let Some((c, target)) = close.zip(target).filter(|_| says) else {
            self.out.push(Edit::delete(range.clone()));
            return (i + 1, range.end);
        };
        let end = self.tags[c].range.clone();
        self.out.push(Edit::replace(range.clone(), "["));
        let mut at = range.end;
        self.in_link = true;
        for k in i + 1..c {
            if self.tags[k].range.start >= at {
                self.words(at..self.tags[k].range.start);
                at = self.tag(k).1;
            }
        }
        self.words(at.min(end.start)..end.start);
        self.in_link = false;
        self.out.push(Edit::replace(end.clone(), if target.starts_with('#') { "](#)" } else { "](x)" }));
        (c + 1, end.end)
    }

    /// Writes superscript text: a power or a trade mark sign. The number of a note is removed.
    pub(super) fn raised(&mut self, i: usize) -> (usize, usize) {
        let tag = &self.tags[i];
        let next = self.tags.get(i + 1).filter(|t| t.name == "sup" && t.kind == Kind::Close);
        let range = tag.range.clone();
        let close = next.map(|t| t.range.clone()).or_else(|| self.close_of(i).map(|c| self.tags[c].range.clone()));
        let Some(close) = close.filter(|c| c.start - range.end < 200) else {
            self.out.push(Edit::delete(range.clone()));
            return (i + 1, range.end);
        };
        let inner = self.text[range.end..close.start].trim();
        let before = &self.text[..range.start];
        let base: String = before.chars().rev().take_while(|c| c.is_alphanumeric()).take(4).collect();
        let power: Option<String> = inner.chars().map(superscript).collect();
        let measured = base.chars().count() <= 3 && !base.is_empty();
        let skip = self.tags[i..].partition_point(|t| t.range.start < close.end);
        let with = match power {
            Some(power) if measured && power.chars().count() <= 3 => power,
            Some(_) => String::new(),
            None if next.is_none() || inner.contains('[') => String::new(),
            None => {
                self.out.push(Edit::delete(range));
                self.out.push(Edit::delete(close.clone()));
                return (i + skip, close.end);
            }
        };
        self.out.push(Edit::replace(range.start..close.end, with));
        (i + skip, close.end)
    }
}

/// Returns the name of a picture without the word for its kind.
pub(in crate::content) fn name_in(alt: &str) -> &str {
    let alt = alt.trim();
    let kinds = ["logo", "banner", "icon", "header", "image", "screenshot"];
    let word = alt.split_whitespace().next_back().filter(|w| kinds.contains(&w.to_ascii_lowercase().as_str()));
    match word {
        Some(word) if word.len() < alt.len() => alt[..alt.len() - word.len()].trim_end(),
        _ => alt,
    }
}

fn superscript(c: char) -> Option<char> {
    Some(match c {
        '0' => '⁰',
        '1' => '¹',
        '2' => '²',
        '3' => '³',
        '4'..='9' => char::from_u32('⁴' as u32 + (c as u32 - '4' as u32))?,
        '+' => '⁺',
        '-' | '−' => '⁻',
        'n' => 'ⁿ',
        _ => return None,
    })
}

/// Returns the text between tags.
fn gaps<'t>(text: &'t str, range: Range<usize>, tags: &'t [Tag<'t>]) -> impl Iterator<Item = &'t str> {
    let ends = tags.iter().map(|t| t.range.clone()).chain(std::iter::once(range.end..range.end));
    let mut at = range.start;
    ends.map(move |tag| {
        let gap = text.get(at..tag.start).unwrap_or("");
        at = tag.end;
        gap
    })
}
