//! Finds HTML pictures, with the captions of their figures.

use super::tags::{self, Kind, Tag};
use crate::content::dialect::code::Code;

/// Attributes that contain a picture's address. Pages that load pictures lazily use another attribute than `src`.
const SOURCES: [&str; 4] = ["data-src", "data-lazy-src", "data-original", "src"];
/// Maximum tags within a figure.
const FIGURE: usize = 60;

/// A picture in a source.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::content) struct Shown {
    /// Byte offset of the picture.
    pub at: usize,
    /// The address as written.
    pub url: String,
    /// The alternative text.
    pub alt: String,
    /// The caption.
    pub caption: String,
    /// The declared width and height, in pixels.
    pub size: [Option<u32>; 2],
}

/// Returns the pictures of a text.
pub(in crate::content) fn shown(text: &str) -> Vec<Shown> {
    let tags = tags::of(text, &Code::of(text));
    let mut out = Vec::new();
    for (i, tag) in tags.iter().enumerate() {
        if tag.name != "img" || tag.kind == Kind::Close {
            continue;
        }
        let written =
            |name: &&str| tag.attribute(name).filter(|url| !url.trim().is_empty() && !url.starts_with("data:"));
        let Some(url) = SOURCES.iter().find_map(written) else { continue };
        out.push(Shown {
            at: tag.range.start,
            url: unescaped(url),
            alt: unescaped(tag.attribute("alt").unwrap_or_default()),
            caption: caption(text, &tags, i).unwrap_or_default(),
            size: ["width", "height"].map(|name| pixels(tag.attribute(name)?)),
        });
    }
    out
}

/// Returns the caption of the figure that contains tag `i`.
fn caption(text: &str, tags: &[Tag<'_>], i: usize) -> Option<String> {
    let is = |tag: &Tag<'_>, name: &str, kind: Kind| tag.name == name && tag.kind == kind;
    let figure = tags[..i].iter().rev().take(FIGURE).find(|tag| tag.name == "figure")?;
    if figure.kind != Kind::Open {
        return None;
    }
    let opened = tags[..i].iter().rposition(|tag| tag.range == figure.range)?;
    let within = tags[opened + 1..].iter().take(FIGURE).take_while(|tag| tag.name != "figure");
    let within: Vec<&Tag<'_>> = within.collect();
    let from = within.iter().position(|tag| is(tag, "figcaption", Kind::Open))?;
    let to = from + within[from..].iter().position(|tag| is(tag, "figcaption", Kind::Close))?;
    let gaps = within[from..=to].windows(2).map(|pair| &text[pair[0].range.end..pair[1].range.start]);
    Some(unescaped(gaps.collect::<String>().trim()))
}

/// Parses a length in pixels.
fn pixels(text: &str) -> Option<u32> {
    text.trim().trim_end_matches("px").parse().ok()
}

/// Replaces character references.
fn unescaped(text: &str) -> String {
    let names = [("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&#39;", "'"), ("&nbsp;", " "), ("&amp;", "&")];
    names.iter().fold(text.to_owned(), |text, (name, c)| text.replace(name, c))
}
