//! Measurements of the planned pages of one article.

use std::sync::LazyLock;

use regex::Regex;
use render_core::design::{Page, SlotId};

use super::source::Headed;
use super::targets::Measure;

/// Maximum characters of a body page's headline.
const HEADLINE: usize = 70;
/// Minimum words of a body page.
const WORDS: usize = 9;
/// Letters per word in scripts without spaces between words.
const LETTERS: usize = 2;
/// Number of words of a section heading that fits on a page.
const HEADING_WORDS: std::ops::RangeInclusive<usize> = 2..=12;
/// Number of headings for which a carousel has room.
const HEADINGS: std::ops::RangeInclusive<usize> = 3..=7;
/// The layout of a plain point.
const POINT: &str = "point-slide";
/// Kinds of pages that may be short: figures, quotations and statements.
const SHORT_KINDS: [&str; 5] = ["stat", "series", "figures", "quote", "statement"];

static TAG: LazyLock<Regex> = LazyLock::new(|| regex("<[^>]+>"));
static NO_WORD: LazyLock<Regex> = LazyLock::new(|| regex(r"[^\p{L}\p{N}_]+"));
static NO_SPACES: LazyLock<Regex> =
    LazyLock::new(|| regex(r"[\p{Han}\p{Hiragana}\p{Katakana}\p{Thai}\p{Lao}\p{Khmer}\p{Myanmar}&&\p{L}]"));
static LEFTOVER: LazyLock<Regex> = LazyLock::new(|| {
    regex(
        r"(?i)click (here|below)|read more|in this (post|article|blog|interview)|subscribe|check out|follow us|sign up for|this (post|article) (is|was|originally)|photo by|image:|https?://|\]\(|\*\*|^#|<[a-z]+|\{\{|\{%|\+\+\+|^---",
    )
});

fn regex(pattern: &str) -> Regex {
    Regex::new(pattern).expect("the pattern is valid")
}

/// How many of how many cases meet a condition, with examples of failures.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finding {
    pub measure: Measure,
    pub count: usize,
    pub of: usize,
    pub against: Vec<String>,
}

/// The content of a page, as in an estimate.
#[derive(Debug, Clone)]
pub struct Said {
    /// Name of its template.
    pub layout: &'static str,
    /// Whether it is a figure, a quotation or a statement.
    pub may_be_short: bool,
    /// Its texts in reading order.
    pub texts: Vec<(SlotId, String)>,
}

impl Said {
    /// Reads a planned page.
    pub fn of(page: &Page) -> Self {
        let kinds = page.template.kinds();
        Self {
            layout: page.template.name(),
            may_be_short: kinds.iter().all(|kind| SHORT_KINDS.contains(&kind.name())),
            texts: page.slots.iter().map(|slot| (slot.id, slot.text.clone())).collect(),
        }
    }

    /// Returns the first text of a slot, or an empty string.
    fn text(&self, id: SlotId) -> &str {
        self.texts.iter().find(|(slot, _)| *slot == id).map_or("", |(_, text)| text)
    }

    /// Returns its texts except the kicker, which repeats the title of the set.
    fn own_texts(&self) -> impl Iterator<Item = &str> {
        self.texts.iter().filter(|(slot, _)| *slot != SlotId::Kicker).map(|(_, text)| text.as_str())
    }

    fn is_unsupported(&self) -> bool {
        self.layout == POINT && self.text(SlotId::Body).is_empty()
    }
}

/// Returns the body pages of a carousel: those between the cover and a recap at the end.
pub fn body(pages: &[Said]) -> &[Said] {
    match pages {
        [_, body @ .., last] if last.layout.starts_with("recap") => body,
        [_, body @ ..] => body,
        [] => &[],
    }
}

/// All measurements of one article.
pub fn measured(headed: &Headed, pages: &[Said]) -> Vec<Finding> {
    let body = body(pages);
    let any = |measure, against: Vec<String>| {
        let count = usize::from(!against.is_empty());
        Finding { measure, count, of: 1, against }
    };
    let each = |measure, of, against: Vec<String>| Finding { measure, count: against.len(), of, against };
    let texts = || pages.iter().flat_map(Said::own_texts);
    let leftovers = texts().filter(|text| has_leftovers(text)).map(str::to_owned).collect();
    let headlines = body.iter().map(|page| page.text(SlotId::Title));
    let long = headlines.filter(|title| title.chars().count() > HEADLINE).map(str::to_owned).collect();
    let points = body.iter().filter(|page| page.layout == POINT).count();
    let mostly = (2 * points > body.len()).then(|| format!("{points} of {}", body.len()));
    let pairs = body.windows(2).filter(|pair| pair[0].layout == pair[1].layout);
    let same = pairs.map(|pair| pair[0].layout.to_owned()).collect();
    let unsupported = body.iter().filter(|page| page.is_unsupported()).map(|page| page.text(SlotId::Title).to_owned());
    let joined = |page: &Said| page.own_texts().collect::<Vec<_>>().join(" ");
    let told = |page: &Said| format!("{}: {}", page.layout, joined(page));
    let spaced = |page: &&Said| joined(page).split_whitespace().count() < WORDS;
    let short = |page: &&Said| !page.may_be_short && words(&joined(page)) < WORDS;
    let mut found = vec![
        each(Measure::Leftovers, texts().count(), leftovers),
        each(Measure::LongHeadlines, body.len(), long),
        any(Measure::MostlyPoints, mostly.into_iter().collect()),
        any(Measure::SameNeighbours, same),
        any(Measure::UnsupportedPoint, unsupported.collect()),
        any(Measure::ShortPage, body.iter().filter(short).map(told).collect()),
        any(Measure::ShortPageOfAny, body.iter().filter(spaced).map(told).collect()),
    ];
    if let (Some(title), Some(cover)) = (&headed.title, pages.first()) {
        let shown = cover.text(SlotId::Title);
        let held = has(title, shown);
        let against = (!held).then(|| format!("{title} → {shown}")).into_iter().collect();
        found.push(Finding { measure: Measure::CoverTitle, count: usize::from(held), of: 1, against });
    }
    found.extend(sections(headed, body));
    found
}

/// Counts the author's headings that reach body pages, if the carousel has room for them.
fn sections(headed: &Headed, body: &[Said]) -> Option<Finding> {
    let fits = |heading: &&String| HEADING_WORDS.contains(&heading.split_whitespace().count());
    let fitting: Vec<&String> = headed.sections.iter().filter(fits).collect();
    if !HEADINGS.contains(&fitting.len()) {
        return None;
    }
    let texts = || body.iter().flat_map(|page| &page.texts);
    let lost: Vec<String> =
        fitting.iter().filter(|h| !texts().any(|(_, text)| has(h, text))).map(|h| (*h).clone()).collect();
    let of = fitting.len();
    Some(Finding { measure: Measure::Sections, count: of - lost.len(), of, against: lost })
}

/// Whether a text contains markup, front matter, navigation or boilerplate.
pub fn has_leftovers(text: &str) -> bool {
    LEFTOVER.is_match(text)
}

/// Whether one of two texts contains the other, comparing only letters and digits. An empty text contains nothing.
pub fn has(a: &str, b: &str) -> bool {
    let (a, b) = (norm(a), norm(b));
    !a.is_empty() && !b.is_empty() && (a.contains(&b) || b.contains(&a))
}

/// Returns a text in lower case, without tags, with each run of characters other than letters, digits and `_` as a
/// space.
fn norm(text: &str) -> String {
    let lower = TAG.replace_all(text, "").to_lowercase();
    NO_WORD.replace_all(&lower, " ").trim().to_owned()
}

/// Counts the words of a text, separated by spaces. In scripts without spaces between words, two letters count as one
/// word.
fn words(text: &str) -> usize {
    text.split_whitespace().map(|stretch| NO_SPACES.find_iter(stretch).count().div_ceil(LETTERS).max(1)).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn page(layout: &'static str, texts: &[(SlotId, &str)]) -> Said {
        let texts = texts.iter().map(|(slot, text)| (*slot, (*text).to_owned())).collect();
        Said { layout, may_be_short: layout == "quote", texts }
    }

    fn counted(found: &[Finding], measure: Measure) -> Option<(usize, usize)> {
        found.iter().find(|f| f.measure == measure).map(|f| (f.count, f.of))
    }

    const LONG: &str = "It says enough in nine words and one more";

    #[test]
    fn texts_are_compared_by_letters_and_digits() {
        assert_eq!(norm("  <em>Bees</em>, at — NIGHT_1! "), "bees at night_1");
        assert_eq!(norm("第一章：蜜蜂"), "第一章 蜜蜂");
        assert!(has("Bees at night", "Bees: at night, and by day"));
        assert!(has("Bees at night, and by day", "bees at NIGHT"));
        assert!(!has("Bees at night", "Wasps at night"));
        assert!(!has("", "Bees") && !has("Bees", "—"));
    }

    #[test]
    fn leftovers_are_markup_and_boilerplate() {
        for text in [
            "Click here to go on",
            "Read more",
            "In this post we look",
            "See https://a.example",
            "A [link](x)",
            "**Bold",
            "# Heading",
            "<div>",
            "{{ page.url }}",
            "{% include x %}",
            "+++",
            "---",
            "Photo by Ann",
            "This article was written",
            "CHECK OUT the rest",
        ] {
            assert!(has_leftovers(text), "{text}");
        }
        for text in ["Item #1 of 3", "A < b", "In this town", "It is read, moreover", "a --- b", "Posts are read"] {
            assert!(!has_leftovers(text), "{text}");
        }
    }

    #[test]
    fn words_of_scripts_without_spaces_are_pairs_of_letters() {
        assert_eq!(words("It's a bee, or 2 bees."), 6);
        assert_eq!(words("蜜蜂在夜间也会飞行。"), 5);
        assert_eq!(words("벌은 밤에도 난다"), 3);
    }

    #[test]
    fn body_pages_stand_between_cover_and_recap() {
        let layouts = |names: &[&'static str]| -> Vec<Said> { names.iter().map(|name| page(name, &[])).collect() };
        assert_eq!(body(&layouts(&["cover-type", "quote", "recap-cta"])).len(), 1);
        assert_eq!(body(&layouts(&["cover-type", "quote", "point-slide"])).len(), 2);
        assert!(body(&layouts(&["cover-type"])).is_empty());
        assert!(body(&[]).is_empty());
    }

    #[test]
    fn a_carousel_is_measured() {
        let headed = Headed {
            title: Some("Bees at night".into()),
            sections: ["How they fly", "Where they rest", "What they eat", "Food"].map(str::to_owned).into(),
        };
        let long = "x".repeat(71);
        let pages = [
            page("cover-type", &[(SlotId::Kicker, "**"), (SlotId::Title, "Bees at night")]),
            page("point-slide", &[(SlotId::Title, "How they fly"), (SlotId::Body, LONG)]),
            page("point-slide", &[(SlotId::Title, "Where they rest")]),
            page("quote", &[(SlotId::Title, "Read more")]),
            page("list-grid", &[(SlotId::Title, &long), (SlotId::ItemHead(0), LONG)]),
            page("recap-cta", &[(SlotId::Title, &long), (SlotId::Cta, "What they eat")]),
        ];
        let found = measured(&headed, &pages);
        assert_eq!(counted(&found, Measure::CoverTitle), Some((1, 1)));
        assert_eq!(counted(&found, Measure::Leftovers), Some((1, 9)), "the kicker is left out");
        assert_eq!(counted(&found, Measure::LongHeadlines), Some((1, 4)), "the recap is no body page");
        assert_eq!(counted(&found, Measure::MostlyPoints), Some((0, 1)), "two of four are not more than half");
        assert_eq!(counted(&found, Measure::SameNeighbours), Some((1, 1)));
        assert_eq!(counted(&found, Measure::UnsupportedPoint), Some((1, 1)));
        assert_eq!(counted(&found, Measure::Sections), Some((2, 3)), "one heading is too short to be looked for");
        let against = |measure| &found.iter().find(|f| f.measure == measure).unwrap().against[..];
        assert_eq!(against(Measure::Sections), ["What they eat"]);
        assert_eq!(against(Measure::ShortPage), ["point-slide: Where they rest"], "a quotation may be short");
        assert_eq!(against(Measure::ShortPageOfAny).len(), 2);
    }

    #[test]
    fn what_has_no_title_or_too_few_headings_is_not_asked_for_them() {
        let found = measured(&Headed::default(), &[page("cover-type", &[(SlotId::Title, "Bees")])]);
        assert_eq!(counted(&found, Measure::CoverTitle), None);
        assert_eq!(counted(&found, Measure::Sections), None);
        assert_eq!(counted(&found, Measure::MostlyPoints), Some((0, 1)), "no body page is no more than half of none");
    }
}
