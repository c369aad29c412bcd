//! Chooses pictures for pages: first those that the page's words name, then those of the things that its headline
//! mentions. A page without one keeps its style's ornament.

use super::senses;
use crate::content::Language;
use crate::icon::Icon;
use crate::outline::{Copy, PageKind, PageOutline};
use crate::pictures;

/// Most characters of a text that is treated as a headline.
const HEADLINE: usize = 90;

/// Fewest pages that must mention a thing before one of them shows it.
const TOPIC: usize = 2;
/// Fewest pages that must mention a thing for it to be the subject of the set.
const ABOUT: usize = 3;

/// Returns the pictures for a page, best first; none for kinds of pages that are pictures themselves. `about` holds the
/// things that the whole set mentions.
fn candidates(said: &PageOutline, about: &Topics, language: &Language) -> Vec<&'static str> {
    if !is_illustrated(said) {
        return Vec::new();
    }
    let (headline, text) = words(said);
    let headline = senses::claimed(&headline, language);
    // The text under a headline may mention anything. It only adds pictures of things that other pages mention too,
    // most frequent first, and only for words with a single sense.
    let called = pictures::meant(&headline, &text, language.primary()).into_iter().map(|entry| entry.name);
    let clear = |name: &str| headline.is_empty() || !senses::is_ambiguous(name);
    let shared = |name: &&str| said.kind != PageKind::Cover && about.pages(name) >= TOPIC && clear(name);
    let mut told: Vec<&str> = spoken_of(&text, language).filter(shared).collect();
    told.sort_by_key(|name| std::cmp::Reverse(about.pages(name)));
    let mut out: Vec<&str> = Vec::new();
    let said_of = if headline.is_empty() { &text } else { &headline };
    for name in called.chain(spoken_of(&headline, language)).chain(told) {
        // Pictures of actors say little about the subject and could stand on every page of a set.
        let fits = senses::shows(name, said_of, language) && (said.kind == PageKind::Cover || !senses::is_actor(name));
        if fits && !out.contains(&name) {
            out.push(name);
        }
    }
    out.sort_by_key(|name| senses::is_actor(name));
    out
}

/// Returns whether a page of this kind can have a picture beside its words.
fn is_illustrated(said: &PageOutline) -> bool {
    let shows =
        matches!(said.kind, PageKind::Cover | PageKind::Point | PageKind::Step | PageKind::Question | PageKind::List);
    shows && said.figure.is_none()
}

/// Returns the headline of a page and the text under it. A short text without a headline counts as the headline.
fn words(said: &PageOutline) -> (String, String) {
    let first = |copy: &Option<Copy>| copy.as_ref().and_then(|c| c.wordings.first()).cloned().unwrap_or_default();
    let (title, body) = (first(&said.title), first(&said.body));
    let short = title.is_empty() && body.chars().count() <= HEADLINE;
    if short { (body, String::new()) } else { (title, body) }
}

/// Returns pictures of the things that a headline mentions, in any language with icon keywords: from the picture
/// vocabulary, or else the emoji.
fn spoken_of(headline: &str, language: &Language) -> impl Iterator<Item = &'static str> {
    let emoji = Icon::meanings(headline, language).into_iter().filter_map(Icon::emoji);
    emoji.filter_map(|emoji| match pictures::of_emoji(emoji) {
        Some(entry) => Some(entry.name),
        None => emoji.chars().next().is_some_and(is_thing).then_some(emoji),
    })
}

/// Returns whether an emoji shows a thing. Faces, people and signs make no picture, nor do emoji that only convey a
/// colour (a drop, a palette) or a general idea of help (a lifebuoy).
fn is_thing(first: char) -> bool {
    let person = matches!(first,
        '\u{1F464}'..='\u{1F483}' | '\u{1F485}'..='\u{1F487}' | '\u{1F600}'..='\u{1F64F}' | '\u{1F6B6}'
        | '\u{1F910}'..='\u{1F93A}' | '\u{1F970}'..='\u{1F97A}' | '\u{1F9B8}'..='\u{1F9B9}' | '\u{1F9CD}'..='\u{1F9DF}');
    let sign = matches!(first, '\u{2190}'..='\u{21FF}' | '\u{2700}' | '\u{2705}' | '\u{2714}' | '\u{2716}' | '\u{274C}'..='\u{2757}'
        | '\u{2795}'..='\u{27BF}' | '\u{1F170}'..='\u{1F251}' | '\u{1F4AF}' | '\u{1F500}'..='\u{1F506}' | '\u{1F51E}'..='\u{1F524}'
        | '\u{1F532}'..='\u{1F53D}' | '\u{1F6AB}' | '\u{1F3A8}' | '\u{1F4A7}' | '\u{1F6DF}' | '\u{1F7E0}'..='\u{1F7EB}' | '\u{2B00}'..='\u{2BFF}' | '\u{3030}'..='\u{3299}');
    !person && !sign && !first.is_ascii()
}

/// Returns the best picture for a single page.
pub(super) fn best(said: &PageOutline, language: &Language) -> Option<&'static str> {
    candidates(said, &Topics::default(), language).first().copied()
}

/// Returns a picture for each page of a set, without duplicates. A cover whose words mention nothing that can be shown
/// gets the picture of the set's subject.
pub(super) fn set(pages: &[PageOutline], language: &Language) -> Vec<Option<&'static str>> {
    let about = Topics::of(pages, language);
    let mut used: Vec<&str> = Vec::new();
    let one = |(index, said): (usize, &PageOutline)| {
        let own = candidates(said, &about, language).into_iter().find(|name| !used.contains(name));
        let opens = index == 0 && said.kind == PageKind::Cover;
        let picture = own.or_else(|| if opens { about.main() } else { None });
        used.extend(picture);
        picture
    };
    pages.iter().enumerate().map(one).collect()
}

/// Returns the picture with which a set ends: that of its last page, or else `subject`, the picture that the cover
/// shows.
pub(super) fn closing(
    last: &PageOutline,
    own: Option<&'static str>,
    subject: Option<&'static str>,
) -> Option<&'static str> {
    own.or_else(|| subject.filter(|name| is_illustrated(last) && !senses::is_actor(name)))
}

/// Returns the icon of what a cover's picture shows: that of the word that selected the picture, or else the one with
/// the picture's name.
pub(super) fn motif(picture: &str, pages: &[PageOutline], language: &Language) -> Option<Icon> {
    let shows = |icon: &Icon| {
        let emoji = icon.emoji();
        emoji == Some(picture) || emoji.and_then(pictures::of_emoji).is_some_and(|entry| entry.name == picture)
    };
    let said = pages.iter().flat_map(|page| <[String; 2]>::from(words(page)));
    let mentioned = said.flat_map(|text| Icon::meanings(&text, language)).find(shows);
    mentioned.or_else(|| Icon::by_name(picture)).filter(|_| !senses::is_actor(picture))
}

/// The things that a set mentions, in the order of first mention, with the number of pages.
#[derive(Debug, Default)]
struct Topics(Vec<(&'static str, usize)>);

impl Topics {
    fn of(pages: &[PageOutline], language: &Language) -> Self {
        let mut counts: Vec<(&str, usize)> = Vec::new();
        for page in pages {
            let (headline, text) = words(page);
            let mut spoken: Vec<&str> = Vec::new();
            for name in spoken_of(&headline, language).chain(spoken_of(&text, language)) {
                if !spoken.contains(&name) {
                    spoken.push(name);
                }
            }
            for name in spoken {
                match counts.iter_mut().find(|(counted, _)| *counted == name) {
                    Some((_, count)) => *count += 1,
                    None => counts.push((name, 1)),
                }
            }
        }
        Self(counts)
    }

    /// Returns the number of pages that mention a thing.
    fn pages(&self, name: &str) -> usize {
        self.0.iter().find(|(counted, _)| *counted == name).map_or(0, |(_, pages)| *pages)
    }

    /// Returns the thing that most pages mention, at least [`ABOUT`] of them; on a tie, the first.
    fn main(&self) -> Option<&'static str> {
        let most = self.0.iter().rev().filter(|(name, _)| !senses::is_actor(name)).max_by_key(|(_, pages)| *pages)?;
        (most.1 >= ABOUT).then_some(most.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn page(kind: PageKind, title: &str) -> PageOutline {
        let title = Some(Copy { wordings: vec![title.to_owned()], span: None });
        PageOutline { title, ..PageOutline::blank(kind, 0.5) }
    }

    #[test]
    fn a_set_shows_a_picture_once() {
        let pages = [
            page(PageKind::Cover, "A bridge between two teams"),
            page(PageKind::Point, "Nobody mends the bridge"),
            page(PageKind::List, "A pyramid of needs"),
            page(PageKind::Point, "The pyramid of the boss"),
        ];
        let english = Language::english();
        let shown = set(&pages, &english);
        assert_eq!(shown, [Some("bridge"), None, Some("pyramid"), None]);
        // The last page repeats the picture of the cover.
        assert_eq!(closing(&pages[3], shown[3], shown[0]), Some("bridge"));
        assert_eq!(closing(&pages[2], shown[2], shown[0]), Some("pyramid"));
        assert_eq!(closing(&page(PageKind::Point, "The end"), None, Some("people")), None);
        assert_eq!(motif("bridge", &pages, &english).and_then(Icon::emoji), Some("🌉"));
    }

    fn page_saying(kind: PageKind, title: &str, body: &str) -> PageOutline {
        let body = Some(Copy { wordings: vec![body.to_owned()], span: None });
        PageOutline { body, ..page(kind, title) }
    }

    #[test]
    fn headlines_show_the_things_that_they_speak_of_in_any_language() {
        let shown =
            |title: &str, code: &str| best(&page(PageKind::Point, title), &Language::parse(code).expect("a language"));
        assert_eq!(shown("Mend the bicycle first", "en"), Some("bicycle"));
        assert_eq!(shown("Napraw najpierw rower", "pl"), Some("bicycle"));
        assert_eq!(shown("Nothing that can be seen", "en"), None);
    }

    #[test]
    fn texts_show_only_what_the_set_speaks_of_again() {
        let alone = [
            page(PageKind::Cover, "What we did"),
            page_saying(PageKind::Point, "It was late", "A bicycle stood there."),
        ];
        assert_eq!(set(&alone, &Language::english()), [None, None]);
        let again = [
            page(PageKind::Cover, "What we did"),
            page_saying(PageKind::Point, "It was late", "A bicycle stood there."),
            page_saying(PageKind::Point, "It was early", "We took the bicycle."),
        ];
        assert_eq!(set(&again, &Language::english()), [None, Some("bicycle"), None]);
        let about = [&again[..], &[page_saying(PageKind::Point, "It was noon", "The bicycle was gone.")]].concat();
        // The cover shows the subject of the set, and no page repeats it.
        assert_eq!(set(&about, &Language::english()), [Some("bicycle"), None, None, None]);
        assert_eq!(motif("bicycle", &about, &Language::english()).and_then(Icon::emoji), Some("🚲"));
    }
}
