//! Which pictures show what pages say: first those whose words the page says, then those of the things that its headline
//! speaks of. A page without one keeps its style's ornament.

use crate::content::Language;
use crate::icon::Icon;
use crate::outline::{Copy, PageKind, PageOutline};
use crate::pictures;

/// Characters of the longest text that is read as a headline.
const HEADLINE: usize = 90;

/// Pages that must speak of a thing for the set to be about it.
const TOPIC: usize = 2;

/// The pictures for a page, the best first; none for kinds of pages that are pictures themselves.
fn candidates(said: &PageOutline, language: &Language) -> Vec<&'static str> {
    let shows = matches!(said.kind, PageKind::Cover | PageKind::Point | PageKind::Step | PageKind::Question);
    if !shows || said.figure.is_some() {
        return Vec::new();
    }
    let (headline, text) = words(said);
    let mut out: Vec<&str> = Vec::new();
    let called = pictures::meant(&headline, &text, language.primary()).into_iter().map(|entry| entry.name);
    for name in called.chain(spoken_of(&headline, language)) {
        if !out.contains(&name) {
            out.push(name);
        }
    }
    out
}

/// The headline of a page and the text under it. A short text without a headline is one.
fn words(said: &PageOutline) -> (String, String) {
    let first = |copy: &Option<Copy>| copy.as_ref().and_then(|c| c.wordings.first()).cloned().unwrap_or_default();
    let (title, body) = (first(&said.title), first(&said.body));
    let short = title.is_empty() && body.chars().count() <= HEADLINE;
    if short { (body, String::new()) } else { (title, body) }
}

/// Pictures of the things that a headline speaks of, in any language that icons are known in: that of the vocabulary, or
/// else the emoji.
fn spoken_of(headline: &str, language: &Language) -> impl Iterator<Item = &'static str> {
    let emoji = Icon::meanings(headline, language).into_iter().filter_map(Icon::emoji);
    emoji.filter_map(|emoji| match pictures::of_emoji(emoji) {
        Some(entry) => Some(entry.name),
        None => emoji.chars().next().is_some_and(is_thing).then_some(emoji),
    })
}

/// Whether an emoji shows a thing. Faces, people and signs make no picture.
fn is_thing(first: char) -> bool {
    let person = matches!(first,
        '\u{1F464}'..='\u{1F483}' | '\u{1F485}'..='\u{1F487}' | '\u{1F600}'..='\u{1F64F}' | '\u{1F6B6}'
        | '\u{1F910}'..='\u{1F93A}' | '\u{1F970}'..='\u{1F97A}' | '\u{1F9B8}'..='\u{1F9B9}' | '\u{1F9CD}'..='\u{1F9DF}');
    let sign = matches!(first, '\u{2190}'..='\u{21FF}' | '\u{2700}' | '\u{2705}' | '\u{2714}' | '\u{2716}' | '\u{274C}'..='\u{2757}'
        | '\u{2795}'..='\u{27BF}' | '\u{1F170}'..='\u{1F251}' | '\u{1F4AF}' | '\u{1F500}'..='\u{1F506}' | '\u{1F51E}'..='\u{1F524}'
        | '\u{1F532}'..='\u{1F53D}' | '\u{1F6AB}' | '\u{1F7E0}'..='\u{1F7EB}' | '\u{2B00}'..='\u{2BFF}' | '\u{3030}'..='\u{3299}');
    !person && !sign && !first.is_ascii()
}

/// The best picture for a page that stands alone.
pub(super) fn best(said: &PageOutline, language: &Language) -> Option<&'static str> {
    candidates(said, language).first().copied()
}

/// A picture for each page of a set, none twice. A cover whose headline speaks of nothing that can be shown has the picture
/// of what its set is about.
pub(super) fn set(pages: &[PageOutline], language: &Language) -> Vec<Option<&'static str>> {
    let mut used: Vec<&str> = Vec::new();
    let one = |(index, said): (usize, &PageOutline)| {
        let own = candidates(said, language).into_iter().find(|name| !used.contains(name));
        let opens = index == 0 && said.kind == PageKind::Cover;
        let picture = own.or_else(|| if opens { topic(&pages[1..], language) } else { None });
        used.extend(picture);
        picture
    };
    pages.iter().enumerate().map(one).collect()
}

/// The picture of what most pages speak of, at least [`TOPIC`] of them.
fn topic(pages: &[PageOutline], language: &Language) -> Option<&'static str> {
    let mut counts: Vec<(&str, usize)> = Vec::new();
    for page in pages {
        let (headline, text) = words(page);
        let mut spoken: Vec<&str> = spoken_of(&format!("{headline}. {text}"), language).collect();
        spoken.sort_unstable();
        spoken.dedup();
        for name in spoken {
            match counts.iter_mut().find(|(counted, _)| *counted == name) {
                Some((_, count)) => *count += 1,
                None => counts.push((name, 1)),
            }
        }
    }
    // Of several that are spoken of as often, the first.
    counts.into_iter().rev().max_by_key(|(_, count)| *count).filter(|(_, count)| *count >= TOPIC).map(|(name, _)| name)
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
