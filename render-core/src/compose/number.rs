//! Moving a page to another place of its carousel.

use crate::design::{Page, Slide, Writing};
use crate::elements::VOCABULARY;
use crate::markup;
use crate::outline::Locale;
use crate::text::{kanji_numerals, numerals};
use crate::tree::Run;

/// The id of the element that says which slide a page is.
const COUNTER: &str = "counter";

/// Which slide of how many a page is, as its foot says it: "3 / 8".
pub(super) fn counter(slide: Slide, locale: &Locale, writing: Writing) -> String {
    let written = |n| match writing {
        Writing::Vertical => kanji_numerals(n),
        Writing::Horizontal => numerals(n, &locale.language),
    };
    format!("{} / {}", written(slide.index + 1), written(slide.count))
}

/// A page as another slide of its carousel. Its template numbers it; in the text of a page that an editor rewrote, the element
/// `counter` is changed where it still says what it said.
pub fn renumbered(page: &Page, slide: Slide) -> Page {
    let moved = Page { slide: Some(slide), ..page.clone() };
    let (Some(was), Some(own)) = (page.slide.filter(|_| page.whole), &page.authored) else { return moved };
    let said = |slide| counter(slide, &page.locale, page.writing);
    let Ok(mut tree) = markup::parse(own, &VOCABULARY) else { return moved };
    let Some(node) = tree.find_mut(COUNTER).filter(|node| node.text() == said(was)) else { return moved };
    node.words = vec![Run::plain(said(slide))];
    Page { authored: Some(markup::print(&tree)), ..moved }
}
