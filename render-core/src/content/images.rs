//! The pictures of a source: photographs, screenshots and diagrams by address, with their captions and positions.
//! Their text is not part of the document's text.

use std::borrow::Cow;
use std::ops::Range;

use pulldown_cmark::{Event, Options, Parser, Tag, TagEnd};
use serde::{Deserialize, Serialize};

use super::Span;
use super::dialect::{self, Shown};
use crate::{cancel, limits};

/// Maximum characters kept of an alternative text or a caption, and of an address.
const WORDS: usize = 300;
const ADDRESS: usize = 2_000;
/// Pictures whose shorter edge is below this many pixels are inline signs.
const SMALL: u32 = 100;
/// Words in addresses of pictures that do not illustrate the source.
const SIGNS: [&str; 18] = [
    "badge", "badges", "shields", "shield", "icon", "icons", "favicon", "logo", "logos", "avatar", "avatars",
    "gravatar", "emoji", "emojis", "spacer", "sprite", "sprites", "1x1",
];

/// A picture of the source.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SourceImage {
    /// The address: HTTP, or relative to the address of the source.
    pub url: String,
    /// The alternative text.
    pub alt: String,
    /// The caption.
    pub caption: String,
    /// Byte offset in the source.
    pub at: u32,
    /// The section that contains the picture, from its heading to the next one. `None` before the first heading.
    pub section: Option<Span>,
    /// The placement, if the picture was supplied along with the source.
    #[serde(default)]
    pub given: Option<Given>,
}

/// The placement of a picture that was supplied along with the source.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Given {
    /// On the cover.
    Cover,
    /// Anywhere with enough room.
    Any,
}

impl SourceImage {
    /// Creates a picture that was supplied along with the source.
    pub fn given(url: String, alt: String, place: Given) -> Self {
        Self { url, alt, caption: String::new(), at: 0, section: None, given: Some(place) }
    }

    /// Returns the caption, or the alternative text if there is none.
    pub fn words(&self) -> &str {
        if self.caption.is_empty() { &self.alt } else { &self.caption }
    }
}

/// The heading of a section: its offset, and whether it is the document title.
pub(super) struct Head {
    pub start: u32,
    pub is_title: bool,
}

/// Returns the pictures of a Markdown text in `body`, in order, without duplicates.
pub(super) fn of(text: &str, body: Range<usize>, heads: &[Head]) -> Vec<SourceImage> {
    let from = body.start;
    let Some(text) = text.get(body) else { return Vec::new() };
    if !text.contains("![") && !text.contains("<img") && !text.contains("<IMG") {
        return Vec::new();
    }
    let mut found = marked(text);
    found.extend(dialect::shown(text));
    found.sort_by_key(|shown| shown.at);
    let mut out: Vec<SourceImage> = Vec::new();
    for shown in found {
        let url = shown.url.trim();
        if out.len() < limits::PHOTOS && shows_something(&shown) && out.iter().all(|image| image.url != url) {
            let at = (from + shown.at) as u32;
            let kept = |words: &str| {
                words.split_whitespace().collect::<Vec<_>>().join(" ").chars().take(WORDS).collect::<String>()
            };
            let (alt, caption) = (kept(&shown.alt), kept(&shown.caption));
            out.push(SourceImage { url: url.to_owned(), alt, caption, at, section: section(at, heads), given: None });
        }
    }
    out
}

/// Removes the pictures of a Markdown text. Readers don't see alternative texts, so these may contain instructions to
/// a model, and they are not facts of the source.
pub fn without_pictures(text: &str) -> Cow<'_, str> {
    if !text.contains("![") {
        return Cow::Borrowed(text);
    }
    let events = Parser::new_ext(text, Options::empty()).into_offset_iter();
    let mut out = String::with_capacity(text.len());
    let mut from = 0;
    for (event, range) in events {
        cancel::tick();
        // A picture inside another picture's alternative text starts within the removed range.
        if matches!(event, Event::Start(Tag::Image { .. })) && range.start >= from {
            out += &text[from..range.start];
            from = range.end;
        }
    }
    out += &text[from..];
    Cow::Owned(out)
}

/// Returns the section that contains the offset `at`.
fn section(at: u32, heads: &[Head]) -> Option<Span> {
    let before = heads.iter().rposition(|head| head.start <= at).filter(|i| !heads[*i].is_title)?;
    let end = heads.get(before + 1).map_or(u32::MAX, |next| next.start);
    Some(Span { start: heads[before].start, end })
}

/// Returns the pictures in Markdown syntax.
fn marked(text: &str) -> Vec<Shown> {
    let mut out = Vec::new();
    let mut open: Option<Shown> = None;
    for (event, range) in Parser::new_ext(text, Options::empty()).into_offset_iter() {
        cancel::tick();
        match event {
            Event::Start(Tag::Image { dest_url, title, .. }) if open.is_none() => {
                let caption = title.into_string();
                let url = dest_url.into_string();
                open = Some(Shown { at: range.start, url, alt: String::new(), caption, size: [None; 2] });
            }
            Event::Text(words) | Event::Code(words) => {
                if let Some(shown) = &mut open {
                    shown.alt += &words;
                }
            }
            Event::SoftBreak => {
                if let Some(shown) = &mut open {
                    shown.alt.push(' ');
                }
            }
            Event::End(TagEnd::Image) => {
                out.extend(open.take().map(|mut shown| {
                    if shown.caption.is_empty() {
                        shown.caption = dialect::caption_below(text, range.end).unwrap_or_default().to_owned();
                    }
                    shown
                }));
            }
            _ => {}
        }
    }
    out
}

/// Whether a picture may illustrate the source: it is not a badge, icon, avatar or tracking pixel, and its file type
/// can be displayed.
fn shows_something(shown: &Shown) -> bool {
    let url = shown.url.trim();
    let scheme = url.split_once(':').map(|(scheme, _)| scheme).filter(|s| s.chars().all(|c| c.is_ascii_alphanumeric()));
    let web = scheme.is_none_or(|s| s.eq_ignore_ascii_case("http") || s.eq_ignore_ascii_case("https"));
    let address = url.split(['?', '#']).next().unwrap_or("").to_ascii_lowercase();
    let mut words = address.split(|c: char| !c.is_ascii_alphanumeric());
    let tiny = shown.size.iter().flatten().any(|edge| *edge < SMALL);
    let drawn = address.ends_with(".svg") || address.ends_with(".ico");
    !url.is_empty() && url.len() <= ADDRESS && web && !tiny && !drawn && !words.any(|word| SIGNS.contains(&word))
}

#[cfg(test)]
mod tests {
    use super::super::{ReadOptions, read_text, read_text_with};
    use super::*;

    const TEXT: &str = "# The lamp on the quay\n\n![The lamp at dusk](https://a.example/lamp.jpg)\n\nThe lamp went out in \
        March, and nobody came to mend it for a month.\n\n## The keeper\n\nShe climbs the tower every night with a can of oil. \
        It takes her an hour.\n\n![](https://a.example/keeper.jpg \"The keeper on the stairs\")\n\n## The boats\n\nThe boats \
        wait behind the wall until the light is back. They have no other sign.\n\n![boats][b]\n*Boats behind the wall*\n\n[b]: \
        https://a.example/boats.png\n";

    #[test]
    fn pictures_are_kept_with_their_words_and_sections() {
        let document = read_text(TEXT).unwrap();
        let urls: Vec<&str> = document.images.iter().map(|i| i.url.rsplit('/').next().unwrap()).collect();
        assert_eq!(urls, ["lamp.jpg", "keeper.jpg", "boats.png"]);
        let words: Vec<&str> = document.images.iter().map(SourceImage::words).collect();
        assert_eq!(words, ["The lamp at dusk", "The keeper on the stairs", "Boats behind the wall"]);
        assert_eq!(document.images[0].section, None);
        let heads = ["## The keeper", "## The boats"].map(|head| TEXT.find(head).unwrap());
        for (image, head) in document.images[1..].iter().zip(heads) {
            let section = image.section.unwrap();
            // The span of a heading may exclude its mark.
            assert!((head..head + 4).contains(&(section.start as usize)), "{image:?}");
            assert!(section.start < image.at && image.at < section.end);
        }
        let said: Vec<&str> = document.words().iter().map(|w| w.text.as_str()).collect();
        assert!(
            said.iter().all(|w| !w.contains("stairs") && !w.contains("dusk") && !w.contains("a.example")),
            "{said:?}"
        );
    }

    #[test]
    fn pictures_of_html_have_the_captions_of_their_figures() {
        let text = "# Tides\n\n<figure>\n<img src=\"tide.jpg?w=1&amp;h=2\" alt=\"The &quot;old&quot; mole\">\n\
            <figcaption>High <b>water</b> at the mole</figcaption></figure>\n\n<p>The sea rises twice a day.</p>\n\n\
            <img data-src='//cdn.example/ebb.webp' src='data:image/gif;base64,AA' width=\"640\">\n";
        let document = read_text_with(text, &ReadOptions { markdown: true, ..ReadOptions::default() }).unwrap();
        let told: Vec<(&str, &str, &str)> =
            document.images.iter().map(|i| (i.url.as_str(), i.alt.as_str(), i.caption.as_str())).collect();
        let first = ("tide.jpg?w=1&h=2", "The \"old\" mole", "High water at the mole");
        assert_eq!(told, [first, ("//cdn.example/ebb.webp", "", "")]);
    }

    #[test]
    fn badges_icons_and_pixels_are_left_out() {
        let text = "# Tool\n\nIt mends nets while you sleep, all night long.\n\n\
            ![build](https://img.shields.io/build.png) ![x](https://a.example/logo.png) \
            ![x](https://a.example/u/avatar-3.jpg) ![x](data:image/png;base64,AA) ![x](ftp://a.example/b.png) \
            ![x](https://a.example/drawing.svg) <img src=\"https://a.example/p.gif\" width=\"1\" height=\"1\"> \
            `![x](https://a.example/code.png)` ![y](https://a.example/y.png) ![y](https://a.example/y.png)\n";
        let urls: Vec<String> = read_text(text).unwrap().images.into_iter().map(|i| i.url).collect();
        assert_eq!(urls, ["https://a.example/y.png"]);
        let many: String = (0..40).map(|n| format!("![](https://a.example/{n}.png)\n\n")).collect();
        assert_eq!(
            read_text(&format!("# Nets\n\nThey are mended at night.\n\n{many}")).unwrap().images.len(),
            limits::PHOTOS
        );
    }
}
