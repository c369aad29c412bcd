//! What the pages of a set must hold together before they are drawn: no headline stands twice, and no page repeats another.

use std::collections::BTreeSet;

use super::PageOutline;

/// Settles the pages behind the cover: a headline that stood before is left out where the page says something without it,
/// and a page that says nothing new is removed.
pub(super) fn settle(pages: &mut Vec<PageOutline>) {
    let (mut titles, mut texts) = (BTreeSet::new(), BTreeSet::new());
    let mut index = 0;
    pages.retain_mut(|page| {
        index += 1;
        if index == 1 {
            titles.extend(title(page));
            return true;
        }
        if title(page).is_some_and(|t| !titles.insert(t)) {
            if page.body.is_none() && page.items.is_empty() && page.figure.is_none() {
                return false;
            }
            page.title = None;
        }
        let said = body(page);
        // Only pages of a few words may be alike.
        said.is_empty() || texts.insert(said)
    });
}

/// The letters of a page's headline.
fn title(page: &PageOutline) -> Option<String> {
    page.title.as_ref().and_then(|t| t.wordings.first()).map(|text| letters(text)).filter(|t| !t.is_empty())
}

/// The letters of everything that a page shows under its headline.
fn body(page: &PageOutline) -> String {
    let first = |copy: &super::Copy| copy.wordings.first().map(|w| letters(w)).unwrap_or_default();
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
    use crate::outline::{Copy, PageKind};

    fn copy(text: &str) -> Option<Copy> {
        (!text.is_empty()).then(|| Copy { wordings: vec![text.to_owned()], span: None })
    }

    fn page(title: &str, body: &str) -> PageOutline {
        PageOutline { title: copy(title), body: copy(body), ..PageOutline::blank(PageKind::Point, 0.5) }
    }

    #[test]
    fn a_headline_stands_once_and_a_page_that_repeats_another_goes() {
        let mut pages = vec![
            page("Gardens", ""),
            page("Water early", "At dawn."),
            page("Water early.", "Twice a week."),
            page("Water EARLY", ""),
            page("Mulch", "At dawn."),
            page("gardens", "A cover's title may open a page."),
        ];
        settle(&mut pages);
        let said: Vec<(Option<&str>, Option<&str>)> = pages
            .iter()
            .map(|p| [&p.title, &p.body].map(|c| c.as_ref().map(|c| c.wordings[0].as_str())).into())
            .collect();
        assert_eq!(
            said,
            [
                (Some("Gardens"), None),
                (Some("Water early"), Some("At dawn.")),
                (None, Some("Twice a week.")),
                (None, Some("A cover's title may open a page.")),
            ]
        );
    }
}
