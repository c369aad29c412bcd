//! What a document offers to pages: its points in order, its figures, quotations and lists, and their scores.

use std::ops::Range;

use super::answer::Told;
use super::even::evened;
use super::offers::{Entry, List, Offer};
use super::tone::{Budget, Tone};
use super::wording;
use super::{Copy, Figure, ItemCopy, PageKind, PageOutline, example, halves, heading};
use crate::content::spans::Spans;
use crate::content::{BlockKind, Document, FactKind, Language, Point, Sourced, Span, Stat};
use crate::content::{capitalised, number, says_alone, segment};

/// Score from which a key point is a main point of the source and not part of its setting.
const MAIN: f32 = 0.5;
/// Most items of a page on which each may be longer, and fewest of one on which each is shorter.
const FEW: usize = 3;
const MANY: usize = 5;
/// Most characters of a sentence that introduces a list on its page.
const LEAD: usize = 180;
/// Most characters of a quotation on a page of a set, and of one that has no shorter form.
const SHOWN: usize = 200;
const QUOTED: usize = 240;
/// Fewest words of a sentence that introduces a list.
const LED: usize = 3;
/// Score of a heading over a list.
const HEADING: f32 = 0.8;
/// Score of a list whose items are the headings of a text.
const HEADED: f32 = 0.95;
/// Fewest sections of a text that is made of sections.
const SECTIONS: usize = 3;
/// Share of a text's bytes from which a list is the subject of the text.
const MOSTLY: f32 = 0.4;
/// Score from which a figure can stand on a page of its own.
pub(super) const STRONG_STAT: f32 = 0.6;
/// Score from which a quotation can stand on a page of its own.
pub(super) const STRONG_QUOTE: f32 = 0.6;

/// A point that a text makes.
#[derive(Debug, Clone, Copy)]
pub(super) struct Topic<'a> {
    /// A label that its head always needs.
    pub label: Option<&'a Sourced>,
    /// Head and support.
    pub point: &'a Point,
    /// Its number, if the source counts.
    pub number: Option<u32>,
    /// Whether it is a step.
    pub step: bool,
    /// Its score, 0–1.
    pub score: f32,
}

/// A quotation.
#[derive(Debug, Clone, Copy)]
pub(super) struct Saying<'a> {
    /// The words.
    pub text: &'a Sourced,
    /// The speaker.
    pub who: Option<&'a Sourced>,
    /// Its score, 0–1.
    pub score: f32,
}

/// A document's content, sorted by the kinds of page that it can fill.
pub(super) struct Material<'a> {
    pub document: &'a Document,
    pub budget: Budget,
    tone: Tone,
    /// The points in order.
    pub topics: Vec<Topic<'a>>,
    /// Whether the points are the items of one list.
    pub listed: bool,
    /// Points that introduce or close the others, in order.
    pub asides: Vec<Topic<'a>>,
    /// Figures, best first.
    pub stats: Vec<(&'a Stat, f32)>,
    /// Quotations, best first.
    pub sayings: Vec<Saying<'a>>,
    /// Lists other than the one that makes the points.
    pub lists: Vec<&'a List>,
    /// The call to action.
    pub call: Option<&'a Sourced>,
    places: Places,
}

/// Start offsets in the source, in ascending order.
#[derive(Default)]
struct Places {
    /// The heads of points and asides.
    heads: Vec<u32>,
    /// The first entries of lists.
    lists: Vec<u32>,
    /// Whether most headings are followed by somebody's words.
    interview: bool,
}

impl<'a> Material<'a> {
    /// Collects what one page can show. `offers` are those of the document's blocks.
    pub fn of(document: &'a Document, offers: &'a [Offer], budget: Budget) -> Self {
        Self::sorted(document, offers, budget, false)
    }

    /// Collects what a set can show: headings over lists and other structures become points too.
    pub fn of_set(document: &'a Document, offers: &'a [Offer], budget: Budget) -> Self {
        Self::sorted(document, offers, budget, true)
    }

    fn sorted(document: &'a Document, offers: &'a [Offer], budget: Budget, in_set: bool) -> Self {
        let mut out = Self {
            document,
            budget,
            tone: Tone { language: document.language.clone(), exact: document.exact },
            topics: Vec::new(),
            listed: false,
            asides: Vec::new(),
            stats: Vec::new(),
            sayings: Vec::new(),
            lists: Vec::new(),
            call: None,
            places: Places::default(),
        };
        let counted = counted(document, offers);
        let least = if counted.is_some() { f32::INFINITY } else { MAIN };
        for (i, (block, offer)) in document.blocks.iter().zip(offers).enumerate() {
            for list in offer.lists.iter().filter(|list| list.says_words()) {
                if counted == Some(i) {
                    out.topics = counted_topics(list, block.score);
                    out.listed = true;
                } else {
                    out.lists.push(list);
                }
            }
            for entry in &offer.points {
                let topic = Topic::of(entry, block.score);
                if block.score >= least { out.topics.push(topic) } else { out.asides.push(topic) }
            }
            out.asides.extend(offer.asides.iter().map(|e| Topic::of(e, block.score)));
            // A figure in a series says less than one in a sentence of its own.
            out.stats.extend(offer.stats.iter().map(|s| (s, 0.5 * block.score)));
            match &block.kind {
                BlockKind::Stat(stat) => out.stats.push((stat, block.score)),
                BlockKind::Quote { text, who } => {
                    out.sayings.push(Saying { text, who: who.as_ref(), score: block.score });
                }
                BlockKind::CallToAction(call) => out.call = Some(call),
                _ => {}
            }
        }
        if in_set {
            out.head_lists(offers);
        }
        // The facts of an announcement share a page; its other sentences become the points.
        if out.topics.is_empty() && !document.exact && document.announcement().is_some() {
            out.topics = std::mem::take(&mut out.asides);
        }
        // If a text is one list with fewer sentences than items, the items become the points.
        let longest = (0..out.lists.len()).max_by_key(|i| (out.lists[*i].entries.len(), std::cmp::Reverse(*i)));
        if out.topics.is_empty()
            && let Some(at) = longest.filter(|i| out.lists[*i].entries.len() >= out.asides.len())
            // A list of names stays a list.
            && (out.asides.len() < SECTIONS || out.lists[at].says_claims())
        {
            let list = out.lists.remove(at);
            out.topics = list.entries.iter().map(|e| Topic::of(e, 0.7)).collect();
            out.listed = true;
        }
        if out.topics.is_empty() {
            out.topics = std::mem::take(&mut out.asides);
        }
        // A time of day is no figure.
        if let Some(announcement) = document.announcement().filter(|_| !document.exact) {
            let dated = announcement.facts.iter().filter(|f| matches!(f.kind, FactKind::Date | FactKind::Time));
            let spans: Vec<Span> = dated.map(|f| f.words.span).collect();
            out.stats.retain(|(stat, _)| !spans.iter().any(|s| s.overlaps(stat.span)));
        }
        out.stats.sort_by(|a, b| b.1.total_cmp(&a.1));
        out.sayings.sort_by(|a, b| b.score.total_cmp(&a.score));
        out.place();
        out
    }

    /// Records where heads and lists begin.
    fn place(&mut self) {
        let mut heads: Vec<u32> =
            self.topics.iter().chain(&self.asides).map(|topic| topic.point.head.span.start).collect();
        heads.sort_unstable();
        let mut lists: Vec<u32> =
            self.lists.iter().filter_map(|list| list.entries.first()).map(|e| e.point.head.span.start).collect();
        lists.sort_unstable();
        self.places = Places { heads, lists, interview: false };
        let mut said: Vec<u32> = self.sayings.iter().filter(|s| s.who.is_some()).map(|s| s.text.span.start).collect();
        said.sort_unstable();
        let headed = || self.topics.iter().filter(|topic| !topic.is_sentence());
        let speaks = |topic: &&Topic<'_>| {
            let section = self.section(topic);
            said.get(said.partition_point(|at| *at < section.start)).is_some_and(|at| *at < section.end)
        };
        let (all, spoken) = (headed().count(), headed().filter(speaks).count());
        self.places.interview = all >= SECTIONS && 3 * spoken >= 2 * all;
    }

    /// Makes points of the headings over lists and other structures that fill their sections.
    fn head_lists(&mut self, offers: &'a [Offer]) {
        if self.listed || self.tone.exact || self.is_prose() {
            return;
        }
        let known: Spans = self.topics.iter().chain(&self.asides).map(|t| t.point.head.span).collect();
        let title = self.document.title.span;
        let new = |entry: &&Entry| {
            let span = entry.point.head.span;
            span.end > span.start && !known.overlap(span) && !title.overlaps(span)
        };
        let headings: Vec<Topic<'a>> =
            offers.iter().filter_map(|o| o.heading.as_ref()).filter(new).map(|e| Topic::of(e, HEADING)).collect();
        // A single heading over a single list is the title of that list.
        if self.topics.len() + headings.len() < SECTIONS {
            return;
        }
        self.topics.extend(headings);
        self.topics.sort_by_key(|t| t.point.head.span.start);
        self.topics.dedup_by_key(|t| t.point.head.span.start);
    }

    pub fn tone(&self) -> &Tone {
        &self.tone
    }

    pub fn language(&self) -> &Language {
        &self.tone.language
    }

    /// Returns whether the source counts its points. Then none may be missing.
    pub fn counts(&self) -> bool {
        self.topics.first().is_some_and(|t| t.number.is_some())
    }

    /// Returns whether most points are questions. Each is shown with its answer, or not at all.
    pub fn asks(&self) -> bool {
        let asked = self.topics.iter().filter(|t| t.point.head.text.trim_end().ends_with(['?', '？', '؟'])).count();
        !self.tone.exact && 2 * asked > self.topics.len()
    }

    /// Returns whether the points are sentences of a text without headings.
    pub fn is_prose(&self) -> bool {
        !self.listed && !self.topics.is_empty() && self.topics.iter().all(Topic::is_sentence)
    }

    /// Returns whether most headings are followed by somebody's words.
    pub fn is_interview(&self) -> bool {
        self.places.interview
    }

    pub fn title(&self) -> Option<Copy> {
        wording::headline(&self.document.title, &self.tone)
    }

    pub fn kicker(&self) -> Option<Copy> {
        self.title().as_ref().and_then(wording::kicker)
    }

    /// Returns the kicker over words with a page of their own: the heading of their section, else the set's title.
    pub fn over(&self, words: Span) -> Option<Copy> {
        let heads =
            self.topics.iter().filter(|topic| !topic.is_sentence() && self.section(topic).contains(&words.start));
        let heading = heads.max_by_key(|topic| topic.point.head.span.start).and_then(|topic| self.claim(topic));
        heading.or_else(|| self.kicker())
    }

    pub fn call(&self) -> Option<Copy> {
        self.call.and_then(|c| wording::call(c, &self.tone))
    }

    /// Returns the sentence between a list's headline and its items; of one that is too long, the last clause.
    pub fn lead(&self, words: &Sourced) -> Option<Copy> {
        // "These include:" adds nothing to the heading.
        let says = self.tone.exact || segment::count_words(&words.text) >= LED;
        let fits = |text: &str| text.chars().count() <= LEAD;
        let mut text = words.text.trim().to_owned();
        if !fits(&text) && !self.tone.exact {
            text = capitalised(halves::last(&text, self.language().primary())?);
        }
        (says && fits(&text)).then(|| wording::copy(vec![text], Some(words.span)))?
    }

    /// Returns the sentence that introduces a list as the kicker over one of its items; `None` if it is too long.
    pub fn lead_over(&self, words: &Sourced) -> Option<Copy> {
        // "Out of those conversations:" refers to something that the page doesn't show.
        let alone = self.tone.exact || says_alone(&words.text.replace([':', '：'], ""), self.language());
        wording::kicker(&wording::headline(words, &self.tone)?).filter(|_| alone)
    }

    /// The cover.
    pub fn cover(&self) -> PageOutline {
        let hook = self.document.blocks.iter().find_map(|b| match &b.kind {
            BlockKind::Hook(words) => Some(words),
            _ => None,
        });
        let dek: Vec<&Sourced> = self.document.dek.as_ref().or(hook).into_iter().collect();
        let body = wording::support(&dek, self.budget.body * 3 / 4, &self.tone);
        let score = if body.is_some() { 0.7 } else { 0.6 };
        PageOutline { title: self.title(), body, ..PageOutline::blank(PageKind::Cover, score) }
    }

    /// Returns the bytes of the source from a point's head to the next head.
    pub fn section(&self, topic: &Topic<'_>) -> Range<u32> {
        let (from, heads) = (topic.point.head.span.start, &self.places.heads);
        from..heads.get(heads.partition_point(|head| *head <= from)).copied().unwrap_or(u32::MAX)
    }

    /// Returns the headline of a point's page; `None` if it can't be short enough. A long heading with text of its own
    /// may be cut.
    pub fn claim(&self, topic: &Topic<'_>) -> Option<Copy> {
        let head = &topic.point.head;
        let whole = wording::claim(wording::labelled(topic.label, head, &self.tone)?, &self.tone);
        let headed = topic.label.is_none() && !topic.is_sentence() && self.has_words(topic);
        whole.or_else(|| heading::front(head, &self.tone).filter(|_| headed))
    }

    /// Returns whether a point's head has content: sentences, or a list in its section.
    fn has_words(&self, topic: &Topic<'_>) -> bool {
        let (section, lists) = (self.section(topic), &self.places.lists);
        let next = lists.get(lists.partition_point(|at| *at < section.start));
        topic.point.sentences().next().is_some() || next.is_some_and(|at| *at < section.end)
    }

    /// Returns the entries of a list as items of a page; `None` if one of them has no words that fit.
    pub fn list_items(&self, entries: &[Entry]) -> Option<Vec<ItemCopy>> {
        let budget = self.budget_of(entries.len());
        let item = |entry: &Entry| wording::item(entry.label.as_ref(), &entry.point, &budget, &self.tone);
        Some(evened(entries.iter().map(item).collect::<Option<_>>()?, &budget))
    }

    /// Returns the budget of a page with `count` items: each of a few may be longer, each of many is shorter.
    fn budget_of(&self, count: usize) -> Budget {
        let item = match count {
            0..=FEW => self.budget.item * 3 / 2,
            MANY.. => self.budget.item * 3 / 4,
            _ => self.budget.item,
        };
        Budget { item, ..self.budget }
    }

    /// Returns the entries of a long list of names, in the same way.
    pub fn name_items(&self, entries: &[Entry]) -> Option<Vec<ItemCopy>> {
        entries.iter().map(|entry| wording::bare_item(&entry.point, &self.budget, &self.tone)).collect()
    }

    /// Builds a page for one point, of the sentences for which `leaves` holds.
    pub fn topic(&self, topic: &Topic<'_>, leaves: impl Fn(&Sourced) -> bool) -> PageOutline {
        let free = |s: &&Sourced| leaves(s);
        let kind = if topic.number.is_some() || topic.step { PageKind::Step } else { PageKind::Point };
        let all: Vec<&Sourced> = topic.point.sentences().filter(free).collect();
        let example = example::of(&all).filter(|_| !self.tone.exact);
        let said = |b: &&Sourced| free(b) && example.as_ref().is_none_or(|e| !e.spans.contains(&b.span));
        let mut body: Vec<&Sourced> = topic.point.body.iter().filter(said).collect();
        // A sentence that repeats the headline doesn't support it.
        let told = Told::of(&topic.point.head.text, &self.tone);
        let new = |s: &&Sourced| said(s) && !told.holds(&s.text);
        if topic.point.sentences().any(|s| new(&s)) {
            body.retain(new);
        }
        if body.is_empty() {
            let follows = |s: &&Sourced| !topic.is_sentence() || s.span.start >= topic.point.head.span.end;
            body.extend(topic.point.more.iter().filter(new).filter(follows));
        }
        let (items, groups) = example.map_or_else(Default::default, |e| (e.items, e.groups));
        let title = self.claim(topic);
        // A claim that is too long for a headline opens the text instead.
        let opening = topic.label.map(|label| wording::joined_words(label, &topic.point.head));
        let opening = opening.as_ref().unwrap_or(&topic.point.head);
        let (title, body) = match title {
            Some(title) => (Some(title), wording::support(&body, self.budget.body, &self.tone)),
            None => self.unheaded(opening, &body),
        };
        PageOutline {
            kicker: self.kicker(),
            title,
            body,
            items,
            groups,
            number: topic.number,
            ..PageOutline::blank(kind, 0.55 + 0.3 * topic.score)
        }
    }

    /// Returns whether a point's sentence has a first clause that makes a headline.
    pub fn parts_in_two(&self, topic: &Topic<'_>) -> bool {
        topic.label.is_none() && halves::of(&topic.point.head, &self.tone).is_some()
    }

    /// Returns headline and text of a page whose first sentence is too long for a headline: the first clause and the
    /// rest, else no headline and the whole sentence with what follows it.
    fn unheaded(&self, opening: &Sourced, body: &[&Sourced]) -> (Option<Copy>, Option<Copy>) {
        if let Some((front, rest)) = halves::of(opening, &self.tone) {
            return (Some(front), Some(rest));
        }
        let all: Vec<&Sourced> = std::iter::once(opening).chain(body.iter().copied()).collect();
        (None, wording::support(&all, self.budget.body, &self.tone))
    }

    /// Builds a page for a sentence that supports a point.
    pub fn sentence(&self, words: &Sourced) -> PageOutline {
        let (first, rest) = wording::first_sentence(words, &self.tone);
        let title = wording::headline(&first, &self.tone).and_then(|t| wording::claim(t, &self.tone));
        let (title, body) = match (title, &rest) {
            (Some(title), rest) => {
                let rest: Vec<&Sourced> = rest.iter().collect();
                (Some(title), wording::support(&rest, self.budget.body, &self.tone))
            }
            (None, None) => self.unheaded(words, &[]),
            (None, Some(_)) => (None, wording::support(&[words], self.budget.body, &self.tone)),
        };
        PageOutline { kicker: self.kicker(), title, body, ..PageOutline::blank(PageKind::Point, 0.5) }
    }

    /// Builds a page for several points.
    pub fn list<'p>(
        &self,
        title: Option<&Sourced>,
        points: impl Iterator<Item = (Option<&'p Sourced>, &'p Point)>,
        score: f32,
    ) -> PageOutline {
        let points: Vec<(Option<&Sourced>, &Point)> = points.collect();
        let budget = self.budget_of(points.len());
        let items = points.into_iter().filter_map(|(label, p)| wording::item(label, p, &budget, &self.tone));
        let items = evened(items.collect(), &budget);
        let own = title.and_then(|t| wording::headline(t, &self.tone)).and_then(|t| wording::claim(t, &self.tone));
        let kicker = own.as_ref().filter(|o| Some(*o) != self.title().as_ref()).and_then(|_| self.kicker());
        PageOutline { kicker, title: own.or_else(|| self.title()), items, ..PageOutline::blank(PageKind::List, score) }
    }

    pub fn stat(&self, stat: &Stat, score: f32) -> PageOutline {
        let figure =
            Figure { value: stat.value.clone(), unit: stat.unit.clone(), number: stat.number, span: stat.span };
        let label = wording::label(&stat.label, &self.tone);
        let title = label.clone().and_then(|label| wording::claim(label, &self.tone));
        // A label of many words becomes the text next to the figure, with its full stop.
        let sentence = || wording::support(&[&stat.label], self.budget.body, &self.tone).or(label);
        let (kind, body) = if title.is_some() { (PageKind::Stat, None) } else { (PageKind::Point, sentence()) };
        PageOutline {
            title,
            body,
            figure: Some(figure),
            attribution: stat.source.as_ref().and_then(|who| wording::name(who, &self.tone)),
            ..PageOutline::blank(kind, score)
        }
    }

    pub fn saying(&self, saying: &Saying<'_>) -> PageOutline {
        let attribution = saying.who.and_then(|who| wording::name(who, &self.tone));
        let title = wording::quotation(saying.text, &self.tone);
        PageOutline { title, attribution, ..PageOutline::blank(PageKind::Quote, saying.score) }
    }

    /// Builds a page of a set for a quotation. A long quotation becomes text without a headline.
    pub fn quoted(&self, saying: &Saying<'_>) -> PageOutline {
        let page = PageOutline { title: self.quotation(saying), ..self.saying(saying) };
        let short = page.title.clone().and_then(|title| wording::claim(title, &self.tone));
        match (short, &page.attribution) {
            (None, Some(_)) => PageOutline { title: None, body: page.title, kind: PageKind::Point, ..page },
            _ => page,
        }
    }

    /// Returns the words of a quotation on a page of a set: of a long one, its first sentences.
    pub fn quotation(&self, saying: &Saying<'_>) -> Option<Copy> {
        let mut words = wording::quotation(saying.text, &self.tone)?;
        let short = |wording: &String| wording.chars().count() <= SHOWN;
        if words.wordings.iter().any(short) {
            words.wordings.retain(short);
        }
        Some(words)
    }

    /// Returns whether a page of a set can show a quotation without becoming a wall of text.
    pub fn is_brief(&self, saying: &Saying<'_>) -> bool {
        let least = self.quotation(saying).and_then(|words| words.wordings.last().map(|w| w.chars().count()));
        least.is_some_and(|least| least <= QUOTED)
    }
}

impl<'a> Topic<'a> {
    /// Creates a point without a number.
    pub fn of(entry: &'a Entry, score: f32) -> Self {
        Self { label: entry.label.as_ref(), point: &entry.point, number: None, step: false, score }
    }

    /// Returns whether its head is a whole sentence, as in prose.
    pub fn is_sentence(&self) -> bool {
        self.point.head.text.trim_end().ends_with(['.', '!', '。', '！', '।', '۔'])
    }

    /// Returns the point as an item of a list.
    pub fn item(&self) -> (Option<&'a Sourced>, &'a Point) {
        (self.label, self.point)
    }
}

/// Returns the block whose longest counted list is the subject of the text: its headings are counted, the title names
/// their number, or the text has few sections and consists mostly of this list. A list within a section only belongs to
/// that section.
fn counted(document: &Document, offers: &[Offer]) -> Option<usize> {
    let points = document.blocks.iter().zip(offers).filter(|(b, o)| !o.points.is_empty() && b.score >= 0.7).count();
    let promised: Vec<f64> = number::all(&document.title.text).into_iter().flat_map(|n| n.values).collect();
    let spans = || document.blocks.iter().map(|block| block.span);
    let all = spans().reduce(Span::union).map_or(0, |span| span.end - span.start);
    let main = |list: &&List, score: f32| {
        let headed = score >= HEADED || points < SECTIONS && listed(list) as f32 >= MOSTLY * all as f32;
        let n = list.entries.len();
        list.numbered && n >= SECTIONS.max(points) && (headed || promised.contains(&(n as f64)))
    };
    let longest = |i: usize| {
        let score = document.blocks[i].score;
        let lists = offers[i].lists.iter().filter(|list| main(list, score));
        lists.map(|list| (list.entries.len(), i)).max()
    };
    (0..offers.len()).filter_map(longest).max().map(|(_, i)| i)
}

/// Returns the number of bytes of a list's text.
fn listed(list: &List) -> u32 {
    let words = list.entries.iter().flat_map(|e| std::iter::once(&e.point.head).chain(e.point.sentences()));
    words.map(|words| words.span.end - words.span.start).sum()
}

fn counted_topics(list: &List, score: f32) -> Vec<Topic<'_>> {
    let numbered = (1..).zip(&list.entries);
    numbered.map(|(n, e)| Topic { number: Some(n), step: list.steps, ..Topic::of(e, score) }).collect()
}
