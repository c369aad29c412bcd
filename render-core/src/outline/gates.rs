//! Consistency checks on the pages of a set before they are drawn: no headline occurs twice, and no
//! page repeats another.

use std::collections::BTreeSet;

use super::wording::CLAIM;
use super::{Copy, ItemCopy, PageKind, PageOutline};
use crate::content::{Language, says_alone, segment};

/// Fewest letters of a text that counts as repeated if a longer text contains it. Shorter texts may
/// occur in any other.
const PART: usize = 24;

/// Adjusts the pages after a cover and returns which of them are kept. A repeated headline is
/// removed if the page has other content. A page is rejected if it says nothing new or has fewer
/// words than the number paired with it. A page with a figure or a quotation has no minimum.
pub(super) fn settle<'p>(
    cover: &PageOutline,
    pages: impl Iterator<Item = (&'p mut PageOutline, usize)>,
    language: &Language,
) -> Vec<bool> {
    let (mut titles, mut texts) = (BTreeSet::new(), vec![body(cover)]);
    titles.extend(title(cover));
    titles.extend(cover.body.as_ref().and_then(letters_of));
    let stands = |(page, least): (&mut PageOutline, usize)| {
        if title(page).is_some_and(|t| !titles.insert(t)) {
            if page.body.is_none() && page.items.is_empty() && page.figure.is_none() {
                return false;
            }
            demote(page, &mut titles, language);
        }
        let said = body(page);
        let repeats = |text: &String| {
            let within = said.len() >= PART && text.contains(&said) || text.len() >= PART && said.contains(text);
            *text == said || within
        };
        // Only pages without text under the headline may be alike.
        let new = said.is_empty() || !texts.iter().any(repeats);
        texts.push(said);
        new && !is_thin(page, least)
    };
    pages.map(stands).collect()
}

/// Turns a page's repeated headline into its kicker. The sentence that introduces the page's items
/// becomes the headline if it is short enough and does not refer to what stood before it ("These include:").
fn demote(page: &mut PageOutline, titles: &mut BTreeSet<String>, language: &Language) {
    page.kicker = page.title.take();
    let Some(lead) = page.body.as_ref().filter(|_| !page.items.is_empty()) else { return };
    let bare = |words: &String| words.trim_end_matches([':', '：', ' ']).to_owned();
    let fits = |words: &String| words.chars().count() <= CLAIM && says_alone(words, language);
    let short: Vec<String> = lead.wordings.iter().map(bare).filter(fits).collect();
    let title = Copy { wordings: short, span: lead.span };
    if letters_of(&title).is_some_and(|own| titles.insert(own)) {
        page.title = Some(title);
        page.body = None;
    }
}

/// Returns whether a page has fewer words than `least`.
fn is_thin(page: &PageOutline, least: usize) -> bool {
    let telling = page.figure.is_some() || page.attribution.is_some() || page.kind == PageKind::Quote;
    let own = [&page.title, &page.body, &page.note].into_iter().flatten();
    let copies = own.chain(&page.groups).chain(page.items.iter().flat_map(ItemCopy::copies));
    let words = copies.filter_map(|c| c.wordings.first()).map(|text| segment::count_words(text));
    !telling && words.sum::<usize>() < least
}

/// Returns the letters of a page's headline.
fn title(page: &PageOutline) -> Option<String> {
    page.title.as_ref().and_then(letters_of)
}

/// Returns the letters of a copy's fullest wording.
fn letters_of(copy: &Copy) -> Option<String> {
    copy.wordings.first().map(|text| letters(text)).filter(|t| !t.is_empty())
}

/// Returns the letters of everything under a page's headline.
fn body(page: &PageOutline) -> String {
    let first = |copy: &Copy| copy.wordings.first().map(|w| letters(w)).unwrap_or_default();
    let items = page.items.iter().flat_map(|item| item.copies().map(first));
    let figure = page.figure.iter().map(|f| letters(&f.value));
    page.body.iter().map(first).chain(figure).chain(items).collect()
}

fn letters(text: &str) -> String {
    text.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::outline::PageKind;

    fn copy(text: &str) -> Option<Copy> {
        (!text.is_empty()).then(|| Copy { wordings: vec![text.to_owned()], span: None })
    }

    fn page(title: &str, body: &str) -> PageOutline {
        PageOutline { title: copy(title), body: copy(body), ..PageOutline::blank(PageKind::Point, 0.5) }
    }

    #[test]
    fn a_headline_stands_once_and_a_page_that_repeats_another_goes() {
        let mut pages = [
            page("Water early", "At dawn."),
            page("Water early.", "Twice a week."),
            page("Water EARLY", ""),
            page("Mulch", "At dawn."),
            page("gardens", "A cover's title may open a page."),
            page("Paths", "A cover's title may open a page. And more."),
        ];
        let stand = settle(&page("Gardens", ""), pages.iter_mut().map(|page| (page, 0)), &Language::english());
        let said: Vec<(Option<&str>, Option<&str>)> = pages
            .iter()
            .zip(stand)
            .filter_map(|(page, stands)| stands.then_some(page))
            .map(|p| [&p.title, &p.body].map(|c| c.as_ref().map(|c| c.wordings[0].as_str())).into())
            .collect();
        assert_eq!(
            said,
            [
                (Some("Water early"), Some("At dawn.")),
                (None, Some("Twice a week.")),
                (None, Some("A cover's title may open a page.")),
            ]
        );
    }

    #[test]
    fn what_leads_to_items_stands_in_place_of_a_repeated_headline() {
        let item = |text: &str| ItemCopy::new(copy(text).expect("words"), None);
        let list = |title: &str, lead: &str, items: [&str; 2]| PageOutline {
            items: items.map(item).into(),
            ..page(title, lead)
        };
        let mut pages = [
            page("Watering", "At dawn, while the soil is cool."),
            list("Watering", "What you need:", ["A hose", "A can"]),
            list("Watering", "What you need:", ["Time", "Patience"]),
        ];
        settle(&page("Gardens", ""), pages.iter_mut().map(|page| (page, 0)), &Language::english());
        let said = |copy: &Option<Copy>| copy.as_ref().map(|c| c.wordings[0].clone()).unwrap_or_default();
        let heads = pages.iter().map(|p| [said(&p.kicker), said(&p.title)]).collect::<Vec<_>>();
        assert_eq!(heads[1], ["Watering", "What you need"]);
        assert_eq!(heads[2], ["Watering", ""]);
    }

    #[test]
    fn what_refers_back_does_not_become_a_headline() {
        for lead in ["These include:", "One way of doing that is:"] {
            let items = ["A hose", "A can"].map(|text| ItemCopy::new(copy(text).expect("words"), None)).into();
            let mut pages =
                [page("Watering", "At dawn, while the soil is cool."), PageOutline { items, ..page("Watering", lead) }];
            settle(&page("Gardens", ""), pages.iter_mut().map(|page| (page, 0)), &Language::english());
            assert_eq!((&pages[1].title, &pages[1].body), (&None, &copy(lead)));
        }
    }

    #[test]
    fn a_page_of_few_words_may_not_stand() {
        let mut pages =
            vec![page("Reviews", ""), page("Water early", "At dawn, while the soil is still cool from the night.")];
        let stand = |pages: &mut [PageOutline]| {
            settle(&page("Gardens", ""), pages.iter_mut().map(|page| (page, 9)), &Language::english())
        };
        assert_eq!(stand(&mut pages), [false, true]);
        pages[0].attribution = copy("Ada Moor");
        assert_eq!(stand(&mut pages), [true, true]);
    }

    #[test]
    fn the_line_under_the_title_heads_no_page() {
        let mut pages = [page("Get ready!", "Water at dawn."), page("Mulch", "Bark keeps the soil cool.")];
        let stand =
            settle(&page("Gardens", "Get ready!"), pages.iter_mut().map(|page| (page, 0)), &Language::english());
        assert_eq!(stand, [true, true]);
        assert_eq!((&pages[0].title, &pages[0].kicker), (&None, &copy("Get ready!")));
    }
}
