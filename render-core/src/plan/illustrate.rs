//! Which pictures show what pages say. A page without one keeps its style's ornament.

use crate::content::Language;
use crate::outline::{Copy, PageKind, PageOutline};
use crate::pictures;

/// Characters of the longest text that is read as a headline.
const HEADLINE: usize = 90;

/// The pictures for a page, the best first; none for kinds of pages that are pictures themselves.
fn candidates(said: &PageOutline, language: &Language) -> Vec<&'static str> {
    let shows = matches!(said.kind, PageKind::Cover | PageKind::Point | PageKind::Step | PageKind::Question);
    if !shows || said.figure.is_some() {
        return Vec::new();
    }
    let first = |copy: &Option<Copy>| copy.as_ref().and_then(|c| c.wordings.first()).cloned().unwrap_or_default();
    // A short text without a headline is one.
    let (title, body) = (first(&said.title), first(&said.body));
    let short = title.is_empty() && body.chars().count() <= HEADLINE;
    let (headline, text) = if short { (body, String::new()) } else { (title, body) };
    pictures::meant(&headline, &text, language.primary()).into_iter().map(|entry| entry.name).collect()
}

/// The best picture for a page that stands alone.
pub(super) fn best(said: &PageOutline, language: &Language) -> Option<&'static str> {
    candidates(said, language).first().copied()
}

/// A picture for each page of a set, none twice.
pub(super) fn set(pages: &[PageOutline], language: &Language) -> Vec<Option<&'static str>> {
    let mut used: Vec<&str> = Vec::new();
    let one = |said: &PageOutline| {
        let picture = candidates(said, language).into_iter().find(|name| !used.contains(name));
        used.extend(picture);
        picture
    };
    pages.iter().map(one).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn page(kind: PageKind, title: &str) -> PageOutline {
        let title = Some(Copy { wordings: vec![title.to_owned()], span: None });
        PageOutline { title, ..PageOutline::blank(kind, 0.5) }
    }

    #[test]
    fn a_set_shows_a_picture_once_and_none_on_lists() {
        let pages = [
            page(PageKind::Cover, "A bridge between two teams"),
            page(PageKind::Point, "Nobody mends the bridge"),
            page(PageKind::List, "A pyramid of needs"),
            page(PageKind::Point, "The pyramid of the boss"),
        ];
        assert_eq!(set(&pages, &Language::english()), [Some("bridge"), None, None, Some("pyramid")]);
    }
}
