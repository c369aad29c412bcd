//! An outline that somebody else wrote: a copywriter, who may be a language model and may have been lied to. Nothing of it
//! is taken on trust: kinds, counts and lengths, marks of markup, the language, and what it claims are checked here,
//! and what passes gets its shorter wordings by deletion, as every outline does.

use std::collections::BTreeSet;
use std::fmt;

use serde::{Deserialize, Serialize};

use super::claims::is_claim;
use super::tone::{Budget, Tone};
use super::wording;
use super::{Copy, Figure, ItemCopy, Outline, PageKind, PageOutline, labels};
use crate::content::{Evidence, Language, Sourced, Span, guard, segment};
use crate::format::{Format, Purpose};

/// Pages from which a set ends in a recap.
const FULL: u32 = 5;
/// Faults that are named at most: the first ones are enough to learn from.
const FAULTS: usize = 12;
/// Content words from which an outline must share some with its source, and the share.
const STRAY: (usize, f32) = (8, 0.5);
/// Letters of a word's beginning by which it is found again in another form.
const STEM: usize = 4;

/// What a page says, in a copywriter's words. What a page doesn't have is left out or empty.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct WrittenPage {
    /// Its part in the set, by the names of [`PageKind`].
    pub kind: String,
    /// The headline; the words of a quotation; what a figure means.
    pub title: String,
    /// What supports it.
    pub body: Option<String>,
    /// The items of a list or a recap.
    pub items: Vec<WrittenItem>,
    /// A figure, with sign and currency.
    pub value: Option<String>,
    /// What stands behind it: "%", "h a week".
    pub unit: Option<String>,
    /// Who said it; where a figure comes from.
    pub attribution: Option<String>,
    /// What to do now.
    pub cta: Option<String>,
}

/// An item in a copywriter's words.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct WrittenItem {
    /// The item in a few words.
    pub head: String,
    /// A sentence about it.
    pub body: Option<String>,
}

/// How many characters and items the slots of a page hold.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Room {
    /// A headline.
    pub title: usize,
    /// What supports it.
    pub body: usize,
    /// The words of a quotation, the meaning of a figure.
    pub statement: usize,
    /// The head of an item, and a line of the recap.
    pub item_head: usize,
    /// The sentence of an item.
    pub item_body: usize,
    /// Items of a page.
    pub items: usize,
    /// A figure with its unit.
    pub value: usize,
    /// A name.
    pub attribution: usize,
    /// A call.
    pub cta: usize,
}

impl Room {
    /// What a page of `format` holds. Wide and low ones hold less.
    pub fn of(format: &Format) -> Self {
        // In letters, as prompts count them.
        let budget = Budget::of(format.density, &Language::english());
        let by = match format.size_du().aspect() {
            a if a > 2.2 => 0.5,
            a if a > 1.2 => 0.7,
            a if a > 0.9 => 0.85,
            _ => 1.0,
        };
        let of = |chars: usize| (chars as f32 * by) as usize;
        Self {
            title: of(budget.title),
            body: of(budget.body),
            statement: of(180),
            item_head: of(40),
            item_body: of(budget.item),
            items: if by < 0.6 { 3 } else { budget.items },
            value: 12,
            attribution: 50,
            cta: 40,
        }
    }

    /// The room that is left where both have to hold.
    pub fn least(self, other: Self) -> Self {
        Self {
            title: self.title.min(other.title),
            body: self.body.min(other.body),
            statement: self.statement.min(other.statement),
            item_head: self.item_head.min(other.item_head),
            item_body: self.item_body.min(other.item_body),
            items: self.items.min(other.items),
            value: self.value.min(other.value),
            attribution: self.attribution.min(other.attribution),
            cta: self.cta.min(other.cta),
        }
    }
}

/// How far a copywriter may go beyond the source.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Licence {
    /// Nothing but what the source says: every number and every quotation stands there.
    Source,
    /// The source is an idea to be developed. Small numbers may be new; shares, money, large numbers, quotations,
    /// addresses and codes stand in the idea.
    Idea,
}

/// What was ordered.
#[derive(Debug, Clone)]
pub struct Commission<'a> {
    /// How many pages: `None` for a visual, the slide count for a carousel.
    pub slides: Option<u32>,
    /// What the pages are for.
    pub purpose: Purpose,
    /// What they hold.
    pub room: Room,
    /// The title to use instead of the writer's, where the cover has one of its own choice.
    pub title: Option<&'a str>,
    /// What they are written in.
    pub language: &'a Language,
    /// What the source is written in.
    pub source_language: &'a Language,
    /// What the source says.
    pub source: &'a str,
    /// What it gives the right to say.
    pub evidence: &'a Evidence,
    /// How far its words may be left behind.
    pub licence: Licence,
    /// Things that the pages count: 5 of "5 tips".
    pub count: Option<u32>,
    /// Words that must stand on the pages: a code, a price, a date.
    pub kept: Vec<String>,
}

/// What is wrong with an outline, in words that its writer can mend it by.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fault(String);

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl Commission<'_> {
    /// The kinds that a page at `place` may be of.
    pub fn kinds(&self, place: usize) -> &'static [PageKind] {
        use PageKind::{Cover, List, Point, Quote, Recap, Stat, Step};
        match self.slides {
            // A quotation in another language, or a figure where there is none, would be made up: the offline path takes
            // a cover as well.
            None => match self.purpose {
                Purpose::Any => &[Cover, List, Point, Step, Stat, Quote],
                Purpose::Quote | Purpose::Testimonial if self.translates() => &[Quote, Cover],
                Purpose::Quote | Purpose::Testimonial => &[Quote],
                Purpose::Stat if !self.evidence.has_numbers() => &[Stat, Cover],
                Purpose::Stat => &[Stat],
                Purpose::Announcement | Purpose::Cover => &[Cover],
                Purpose::Document => &[List, Point],
            },
            Some(_) if place == 0 => &[Cover],
            Some(n) if place + 1 == n as usize && (n == 2 || n >= FULL) => &[Recap, Point, Step, List],
            Some(_) => &[Point, Step, List, Stat, Quote],
        }
    }

    /// Whether the pages are in another language than the source.
    fn translates(&self) -> bool {
        self.language.primary() != self.source_language.primary()
    }

    /// How many pages are wanted.
    pub fn pages(&self) -> usize {
        self.slides.map_or(1, |n| n as usize)
    }

    /// The outline that the pages make.
    ///
    /// # Errors
    /// Every [`Fault`], up to a dozen.
    pub fn accept(&self, pages: &[WrittenPage]) -> Result<Outline, Vec<Fault>> {
        let mut faults = Faults::default();
        if pages.len() != self.pages() {
            faults.add(format!("there must be exactly {} pages, not {}", self.pages(), pages.len()));
            return Err(faults.0);
        }
        let kinds: Vec<Option<PageKind>> =
            pages.iter().enumerate().map(|(i, page)| self.kind(i, page, &mut faults)).collect();
        for (i, (page, kind)) in pages.iter().zip(&kinds).enumerate() {
            if let Some(kind) = kind {
                self.check_page(i, page, *kind, &mut faults);
            }
        }
        self.check_set(pages, &kinds, &mut faults);
        if !faults.0.is_empty() {
            return Err(faults.0);
        }
        let mut step = 0;
        let mut outlines: Vec<PageOutline> = Vec::new();
        for (page, kind) in pages.iter().zip(kinds.into_iter().flatten()) {
            step += u32::from(kind == PageKind::Step);
            let number = (kind == PageKind::Step && self.slides.is_some()).then_some(step);
            let kicker = outlines.first().and_then(|cover| cover.title.as_ref()).and_then(wording::kicker);
            outlines.push(PageOutline { number, kicker, ..self.page(page, kind) });
        }
        // Every page says something, or it would be blank.
        if let Some(i) = outlines.iter().position(|p| p.title.is_none()) {
            faults.add(format!("page {}: title has no words", i + 1));
            return Err(faults.0);
        }
        Ok(Outline { pages: outlines, warnings: Vec::new() })
    }

    fn kind(&self, place: usize, page: &WrittenPage, faults: &mut Faults) -> Option<PageKind> {
        let name = page.kind.trim().to_lowercase();
        let kinds = self.kinds(place);
        let kind = kinds.iter().find(|k| k.name() == name).copied();
        if kind.is_none() {
            let names: Vec<&str> = kinds.iter().map(|k| k.name()).collect();
            faults.add(format!("page {}: kind must be one of {}", place + 1, names.join(", ")));
        }
        kind
    }

    fn check_page(&self, place: usize, page: &WrittenPage, kind: PageKind, faults: &mut Faults) {
        let n = place + 1;
        let room = &self.room;
        let title_room = match kind {
            PageKind::Quote | PageKind::Stat => room.statement,
            _ => room.title,
        };
        let figure = [&page.value, &page.unit].into_iter().flatten().cloned().collect::<Vec<_>>().join(" ");
        let mut slots: Vec<(String, &str, usize)> = vec![("title".into(), page.title.as_str(), title_room)];
        let optional = [
            ("body", &page.body, room.body),
            ("attribution", &page.attribution, room.attribution),
            ("cta", &page.cta, room.cta),
        ];
        slots.extend(optional.into_iter().filter_map(|(name, text, most)| Some((name.into(), text.as_deref()?, most))));
        for (i, item) in page.items.iter().enumerate() {
            slots.push((format!("items[{i}].head"), &item.head, room.item_head));
            slots.extend(item.body.as_deref().map(|b| (format!("items[{i}].body"), b, room.item_body)));
        }
        slots.push(("value and unit".into(), &figure, room.value));
        for (name, text, most) in &slots {
            let chars = text.trim().chars().count();
            if chars > *most {
                faults.add(format!("page {n}: {name} has {chars} characters; at most {most} fit"));
            }
            if let Some(why) = markup(text) {
                faults.add(format!("page {n}: {name} {why}"));
            }
            self.check_claims(n, name, text, faults);
        }
        let says = |text: &str| text.chars().any(char::is_alphanumeric);
        if !says(&page.title) && kind != PageKind::Recap {
            faults.add(format!("page {n}: title has no words"));
        }
        let lists = matches!(kind, PageKind::List | PageKind::Recap);
        if lists && !(2..=room.items).contains(&page.items.len()) {
            faults.add(format!("page {n}: a {} has from 2 to {} items", kind.name(), room.items));
        }
        if page.items.iter().any(|i| !says(&i.head)) {
            faults.add(format!("page {n}: an item has no head"));
        }
        match kind {
            PageKind::Stat if !page.value.as_deref().is_some_and(|v| v.chars().any(char::is_numeric)) => {
                faults.add(format!("page {n}: a stat has a figure in value"));
            }
            PageKind::Stat if self.evidence.allows(&figure).is_err() => {
                faults.add(format!("page {n}: the source has no figure {figure}"));
            }
            PageKind::Quote if self.evidence.allows_quotation(&page.title).is_err() => {
                faults.add(format!("page {n}: a quotation must stand in the source word for word"));
            }
            // A name is spelled otherwise in another script.
            PageKind::Quote
                if !self.translates()
                    && page.attribution.as_deref().is_some_and(|who| self.evidence.allows_quotation(who).is_err()) =>
            {
                faults.add(format!("page {n}: attribution: the source names nobody so"));
            }
            _ => {}
        }
    }

    /// Numbers, quotations, addresses and codes that the source doesn't have.
    fn check_claims(&self, n: usize, name: &str, text: &str, faults: &mut Faults) {
        let bound = match self.licence {
            Licence::Source => true,
            Licence::Idea => is_claim(text),
        };
        if bound && let Err(unsourced) = self.evidence.allows(text) {
            faults.add(format!("page {n}: {name}: {unsourced}"));
        }
        if let Err(unsourced) = self.evidence.allows_addresses(text) {
            faults.add(format!("page {n}: {name}: {unsourced}"));
        }
    }

    /// What holds for all pages together.
    fn check_set(&self, pages: &[WrittenPage], kinds: &[Option<PageKind>], faults: &mut Faults) {
        let all: Vec<&str> = pages.iter().flat_map(texts).collect();
        let whole = all.join("\n");
        let mut titles = BTreeSet::new();
        for (i, page) in pages.iter().enumerate() {
            let bare = folded(&page.title);
            if !bare.is_empty() && !titles.insert(bare) {
                faults.add(format!("page {}: its title stands on another page already", i + 1));
            }
        }
        if let Some(other) = self.language.surely_another(&whole) {
            faults.add(format!("the words must be in {}, not in {other}", self.language));
        }
        let folded_whole = folded(&whole);
        for kept in self.kept.iter().filter(|k| !folded_whole.contains(&folded(k))) {
            faults.add(format!("“{kept}” must stand on the pages"));
        }
        if let Some(count) = self.count {
            self.check_count(count as usize, pages, kinds, faults);
        }
        if self.licence == Licence::Source && !self.translates() && strays(&whole, self.source) {
            faults.add("the pages speak of things that the source doesn't speak of".into());
        }
    }

    /// What is counted all stands there, as far as pages can hold it.
    fn check_count(&self, count: usize, pages: &[WrittenPage], kinds: &[Option<PageKind>], faults: &mut Faults) {
        let bodies = self.pages().saturating_sub(if self.pages() >= FULL as usize { 2 } else { 1 });
        let holds = if self.slides.is_some() { bodies * self.room.items } else { self.room.items };
        let there: usize = pages
            .iter()
            .zip(kinds)
            .map(|(page, kind)| match kind {
                Some(PageKind::List) => page.items.len(),
                Some(PageKind::Step | PageKind::Point) => 1,
                _ => 0,
            })
            .sum();
        // A cover, a figure or a quotation alone counts nothing.
        let counts = self.slides.is_some() || kinds.first() == Some(&Some(PageKind::List));
        if counts && bodies.max(1) * self.room.items >= count && holds >= count && there < count {
            faults.add(format!("{count} things are counted, and only {there} stand on the pages"));
        }
    }

    fn page(&self, page: &WrittenPage, kind: PageKind) -> PageOutline {
        // Every shorter wording is a deletion of the copywriter's own.
        let tone = &Tone { language: self.language.clone(), exact: false };
        let words = |text: &str| Sourced { text: text.trim().to_owned(), span: Span { start: 0, end: 0 } };
        let optional = |text: &Option<String>| text.as_deref().map(words).filter(|w| !w.text.is_empty());
        let support =
            |text: &Option<String>, most: usize| optional(text).and_then(|w| wording::support(&[&w], most, tone));
        let title = match kind {
            PageKind::Quote => wording::quotation(&words(&page.title), tone),
            PageKind::Stat => wording::label(&words(&page.title), tone),
            PageKind::Recap if page.title.trim().is_empty() => {
                Some(Copy { wordings: vec![labels::recap(self.language).to_owned()], span: None })
            }
            PageKind::Cover => wording::headline(&words(self.title.unwrap_or(&page.title)), tone),
            _ => wording::headline(&words(&page.title), tone),
        };
        let item = |item: &WrittenItem| {
            let head = wording::headline(&words(&item.head), tone)?;
            Some(ItemCopy::new(head, support(&item.body, self.room.item_body)))
        };
        let figure = page.value.as_deref().map(str::trim).filter(|_| kind == PageKind::Stat).map(|value| Figure {
            value: value.to_owned(),
            unit: page.unit.as_deref().unwrap_or("").trim().to_owned(),
            number: number(value),
            span: Span { start: 0, end: 0 },
        });
        let lists = matches!(kind, PageKind::List | PageKind::Recap);
        PageOutline {
            title,
            body: support(&page.body, self.room.body),
            items: page.items.iter().filter(|_| lists).filter_map(item).collect(),
            figure,
            attribution: optional(&page.attribution).and_then(|w| wording::name(&w, tone)),
            cta: optional(&page.cta).and_then(|w| wording::call(&w, tone)),
            ..PageOutline::blank(kind, 0.8)
        }
    }
}

/// Faults, each once and not without end.
#[derive(Default)]
struct Faults(Vec<Fault>);

impl Faults {
    fn add(&mut self, fault: String) {
        let fault = Fault(fault);
        if self.0.len() < FAULTS && !self.0.contains(&fault) {
            self.0.push(fault);
        }
    }
}

/// Every text of a page.
fn texts(page: &WrittenPage) -> Vec<&str> {
    let items = page.items.iter().flat_map(|i| std::iter::once(i.head.as_str()).chain(i.body.as_deref()));
    let optional = [&page.body, &page.value, &page.unit, &page.attribution, &page.cta];
    let optional = optional.into_iter().filter_map(|t| t.as_deref());
    std::iter::once(page.title.as_str()).chain(optional).chain(items).collect()
}

/// What of a text is no plain text, or would be set as a mark that it isn't.
fn markup(text: &str) -> Option<&'static str> {
    let tag = text.match_indices('<').any(|(i, _)| {
        let next = text[i + 1..].chars().next();
        next.is_some_and(|c| c.is_ascii_alphabetic() || matches!(c, '/' | '!')) && text[i..].contains('>')
    });
    let invisible = |c: char| {
        c.is_control()
            || matches!(c, '\u{200b}' | '\u{feff}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{e0000}'..='\u{e007f}')
    };
    let trimmed = text.trim();
    if text.chars().any(invisible) {
        return Some("holds characters that can't be seen, or line breaks");
    }
    let marks = ["**", "__", "```", "](", "{{", "}}", "&nbsp;", "&amp;", "&lt;"];
    if tag || marks.iter().any(|m| text.contains(m)) || trimmed.starts_with(['#', '>', '*', '`']) && trimmed.len() > 1 {
        // "#sleep" is a word of its own.
        let hashtag = trimmed.strip_prefix('#').is_some_and(|t| t.starts_with(char::is_alphanumeric)) && !tag;
        if !hashtag || marks.iter().any(|m| text.contains(m)) {
            return Some("holds markup; plain text is wanted");
        }
    }
    (trimmed.ends_with('…') || trimmed.ends_with("...")).then_some("ends in an ellipsis; finish it")
}

/// Whether most of what a text speaks of stands nowhere in its source.
fn strays(text: &str, source: &str) -> bool {
    let stem = |w: &str| w.chars().take(STEM).collect::<String>();
    let known: BTreeSet<String> = segment::words_of(source).iter().map(|w| stem(w)).collect();
    let words: BTreeSet<String> =
        segment::words_of(text).into_iter().filter(|w| w.chars().filter(|c| c.is_alphabetic()).count() >= 4).collect();
    let (enough, share) = STRAY;
    let found = words.iter().filter(|w| known.contains(&stem(w))).count();
    words.len() >= enough && (found as f32) < share * words.len() as f32
}

/// Letters and digits of a text, as words are compared.
fn folded(text: &str) -> String {
    guard::folded(text).collect()
}

/// The value of a figure as written, for art that stands true to scale; 0 where it is no plain number.
fn number(value: &str) -> f64 {
    // A lone comma that parts no thousands is a decimal one.
    let decimal = value.rsplit_once(',').is_some_and(|(_, behind)| !value.contains('.') && behind.len() != 3);
    let value_en = if decimal { value.replace(',', ".") } else { value.to_owned() };
    let plain: String = value_en.chars().filter(|c| c.is_ascii_digit() || *c == '.').collect();
    let negative = value.trim_start().starts_with(['-', '−']);
    let number = plain.parse::<f64>().unwrap_or(0.0);
    if negative { -number } else { number }
}

#[cfg(test)]
#[path = "written_tests.rs"]
mod tests;
