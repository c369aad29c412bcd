//! Chooses pictures for pages: first those that the page's words name, then those of the things that its headline
//! mentions, then those of things in its text that the source mentions often. A page without one keeps its style's
//! ornament.

use std::collections::BTreeMap;

use super::senses;
use crate::content::{Document, Language};
use crate::icon::Icon;
use crate::outline::{Copy, PageKind, PageOutline};
use crate::pictures;

/// Most characters of a text that is treated as a headline.
const HEADLINE: usize = 90;

/// Fewest pages that must mention a thing before one of them shows it.
const TOPIC: usize = 2;
/// Fewest passages of the source that must mention a thing before a page of it shows it.
const OFTEN: usize = 3;
/// Most passages of the source for each that calls for a picture of its subject.
const MOST: usize = 12;
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
    // A text without a headline makes the claim itself.
    let claim = if headline.is_empty() { senses::claimed(&text, language) } else { text.clone() };
    let code = language.primary();
    let claim = if claim.is_empty() { listed(said) } else { claim };
    // The other side of an interview asks about anything. Only what it asks about is a claim.
    let told = if senses::is_asked(&headline, &text, language) { "" } else { &claim };
    let called = pictures::illustrating(&headline, told, code, |name| about.is_called(name));
    let called: Vec<&str> = called.into_iter().map(|entry| entry.name).collect();
    let mut out: Vec<&str> = Vec::new();
    for name in called.into_iter().chain(pictured(said, &headline, told, about, language)) {
        if !out.contains(&name) {
            out.push(name);
        }
    }
    out.sort_by_key(|name| senses::is_actor(name));
    out
}

/// Returns pictures of the things with an icon that a page mentions: those of its headline, then those of its text that
/// other pages or several passages of the source mention too, most frequent first, if their words have a single sense.
fn pictured(said: &PageOutline, headline: &str, text: &str, about: &Topics, language: &Language) -> Vec<&'static str> {
    let cover = said.kind == PageKind::Cover;
    let clear = |name: &str| headline.is_empty() || !senses::is_ambiguous(name);
    let mut told: Vec<&str> = Vec::new();
    if !cover {
        told.extend(spoken_of(text, language).filter(|name| about.is_topic(name) && clear(name)));
        told.sort_by_key(|name| std::cmp::Reverse((about.pages(name), about.passages(name))));
    }
    let claim = if headline.is_empty() { text } else { headline };
    // Pictures of actors say little about the subject and could stand on every page of a set.
    let fits = |name: &&str| senses::shows(name, claim, language) && (cover || !senses::is_actor(name));
    spoken_of(headline, language).chain(told).filter(fits).collect()
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

/// Returns what a page lists, as a text.
fn listed(said: &PageOutline) -> String {
    let heads = said.items.iter().filter_map(|item| item.head.wordings.first());
    heads.map(String::as_str).collect::<Vec<_>>().join(". ")
}

/// Returns pictures of the things that a headline mentions, in any language with icon keywords: from the picture
/// vocabulary, or else the emoji.
fn spoken_of(headline: &str, language: &Language) -> impl Iterator<Item = &'static str> {
    let emoji = Icon::things(headline, language).into_iter().filter_map(Icon::emoji);
    emoji.filter_map(|emoji| match pictures::of_emoji(emoji) {
        Some(entry) => Some(entry.name),
        None => emoji.chars().next().is_some_and(is_thing).then_some(emoji),
    })
}

/// Returns whether an emoji shows a thing. Faces, people and signs make no picture, nor do emoji that only convey a
/// colour (a drop, a palette) or a general idea of help (a lifebuoy).
fn is_thing(first: char) -> bool {
    let person = matches!(
        first,
        '\u{1F464}'..='\u{1F483}'
            | '\u{1F485}'..='\u{1F487}'
            | '\u{1F600}'..='\u{1F64F}'
            | '\u{1F6B6}'
            | '\u{1F910}'..='\u{1F93A}'
            | '\u{1F970}'..='\u{1F97A}'
            | '\u{1F9B8}'..='\u{1F9B9}'
            | '\u{1F9CD}'..='\u{1F9DF}'
    );
    let sign = matches!(
        first,
        '\u{2190}'..='\u{21FF}'
            | '\u{2700}'
            | '\u{2705}'
            | '\u{2714}'
            | '\u{2716}'
            | '\u{274C}'..='\u{2757}'
            | '\u{2795}'..='\u{27BF}'
            | '\u{1F170}'..='\u{1F251}'
            | '\u{1F4AF}'
            | '\u{1F500}'..='\u{1F506}'
            | '\u{1F51E}'..='\u{1F524}'
            | '\u{1F532}'..='\u{1F53D}'
            | '\u{1F6AB}'
            | '\u{1F3A8}'
            | '\u{1F4A7}'
            | '\u{1F6DF}'
            | '\u{1F7E0}'..='\u{1F7EB}'
            | '\u{2B00}'..='\u{2BFF}'
            | '\u{3030}'..='\u{3299}'
    );
    !person && !sign && !first.is_ascii()
}

/// Returns the best picture for a single page.
pub(super) fn best(said: &PageOutline, language: &Language) -> Option<&'static str> {
    candidates(said, &Topics::default(), language).first().copied()
}

/// Returns a picture for each page of a set from a document, without duplicates and without two of a family in a row.
/// A cover whose words mention nothing that can be shown gets the picture of the set's subject.
pub(super) fn set(pages: &[PageOutline], document: &Document, language: &Language) -> Vec<Option<&'static str>> {
    let about = Topics::of(pages, document, language);
    let mut shown: Vec<Option<&str>> = Vec::with_capacity(pages.len());
    for (index, said) in pages.iter().enumerate() {
        let before = shown.last().copied().flatten();
        let fits = |name: &&str| {
            !shown.contains(&Some(*name)) && !before.is_some_and(|before| senses::are_alike(before, name))
        };
        let own = candidates(said, &about, language).into_iter().find(fits);
        let opens = index == 0 && said.kind == PageKind::Cover;
        shown.push(own.or_else(|| if opens { about.main() } else { None }));
    }
    shown
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
    let mentioned = said.flat_map(|text| Icon::things(&text, language)).find(shows);
    mentioned.or_else(|| Icon::by_name(picture)).filter(|_| !senses::is_actor(picture))
}

/// The things that a set mentions, in the order of first mention, with the number of pages and of passages of the
/// source.
#[derive(Debug, Default)]
struct Topics {
    pages: Vec<(&'static str, usize)>,
    passages: BTreeMap<&'static str, usize>,
    /// The number of passages of the source.
    read: usize,
    /// The number of passages whose words call for a picture.
    called: BTreeMap<&'static str, usize>,
}

impl Topics {
    fn of(pages: &[PageOutline], document: &Document, language: &Language) -> Self {
        let mut out = Self::default();
        for page in pages {
            let (headline, text) = words(page);
            for name in distinct(spoken_of(&headline, language).chain(spoken_of(&text, language))) {
                match out.pages.iter_mut().find(|(counted, _)| *counted == name) {
                    Some((_, count)) => *count += 1,
                    None => out.pages.push((name, 1)),
                }
            }
        }
        for passage in document.words() {
            out.read += 1;
            for name in distinct(spoken_of(&passage.text, language)) {
                *out.passages.entry(name).or_default() += 1;
            }
            for entry in pictures::mentioned(&passage.text, language.primary()) {
                *out.called.entry(entry.name).or_default() += 1;
            }
        }
        out
    }

    /// Returns the number of pages that mention a thing.
    fn pages(&self, name: &str) -> usize {
        self.pages.iter().find(|(counted, _)| *counted == name).map_or(0, |(_, pages)| *pages)
    }

    /// Returns the number of passages of the source that mention a thing.
    fn passages(&self, name: &str) -> usize {
        self.passages.get(name).copied().unwrap_or(0)
    }

    /// Returns whether the set or its source mentions a thing more than in passing.
    fn is_topic(&self, name: &str) -> bool {
        self.pages(name) >= TOPIC || self.passages(name) >= OFTEN
    }

    /// Returns whether the words of several passages of the source call for a picture.
    fn is_called(&self, name: &str) -> bool {
        self.called.get(name).is_some_and(|called| *called >= OFTEN && MOST * called >= self.read)
    }

    /// Returns the thing that most pages mention, at least [`ABOUT`] of them; on a tie, the first.
    fn main(&self) -> Option<&'static str> {
        let most =
            self.pages.iter().rev().filter(|(name, _)| !senses::is_ambiguous(name)).max_by_key(|(_, pages)| *pages)?;
        (most.1 >= ABOUT).then_some(most.0)
    }
}

/// Returns names without duplicates, in the order of first mention.
fn distinct(names: impl Iterator<Item = &'static str>) -> Vec<&'static str> {
    let mut out: Vec<&str> = Vec::new();
    for name in names {
        if !out.contains(&name) {
            out.push(name);
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::content::read_text;
    use crate::outline::ItemCopy;

    /// A source that mentions nothing that can be shown.
    const QUIET: &str = "It was late when we did it, and nobody knew why.";

    fn source(text: &str) -> Document {
        read_text(text).expect("a document")
    }

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
        let shown = set(&pages, &source(QUIET), &english);
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
    fn neighbours_show_different_kinds_of_things() {
        let pages = [
            page(PageKind::Cover, "It was late"),
            page(PageKind::Point, "The hourglass was old"),
            page(PageKind::Point, "The clocks were older"),
            page(PageKind::Point, "The bicycle was new"),
            page(PageKind::Point, "The clocks were older"),
        ];
        let shown = set(&pages, &source(QUIET), &Language::english());
        assert_eq!(shown, [None, Some("hourglass"), None, Some("bicycle"), Some("clock")]);
    }

    #[test]
    fn lists_show_what_they_list_often() {
        let item = |head: &str| ItemCopy::new(Copy { wordings: vec![head.to_owned()], span: None }, None);
        let items = vec![item("A pyramid of stone"), item("A pyramid of glass")];
        let said = PageOutline { items, ..page(PageKind::List, "What was there") };
        assert_eq!(best(&said, &Language::english()), Some("pyramid"));
    }

    #[test]
    fn texts_show_only_what_the_set_speaks_of_again() {
        let alone = [
            page(PageKind::Cover, "What we did"),
            page_saying(PageKind::Point, "It was late", "A bicycle stood there."),
        ];
        assert_eq!(set(&alone, &source(QUIET), &Language::english()), [None, None]);
        let often = "# What we did\n\nA bicycle stood there.\n\nNobody took the bicycle.\n\nSo the bicycle stayed.";
        assert_eq!(set(&alone, &source(often), &Language::english()), [None, Some("bicycle")]);
        let again = [
            page(PageKind::Cover, "What we did"),
            page_saying(PageKind::Point, "It was late", "A bicycle stood there."),
            page_saying(PageKind::Point, "It was early", "We took the bicycle."),
        ];
        assert_eq!(set(&again, &source(QUIET), &Language::english()), [None, Some("bicycle"), None]);
        let about = [&again[..], &[page_saying(PageKind::Point, "It was noon", "The bicycle was gone.")]].concat();
        // The cover shows the subject of the set, and no page repeats it.
        assert_eq!(set(&about, &source(QUIET), &Language::english()), [Some("bicycle"), None, None, None]);
        assert_eq!(motif("bicycle", &about, &Language::english()).and_then(Icon::emoji), Some("🚲"));
    }
}
