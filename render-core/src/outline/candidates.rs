//! Every unit that a body page of a set can show, with its priority.

use super::material::{Material, STRONG_QUOTE, STRONG_STAT, Saying, Topic};
use super::offers::{Entry, List};
use super::support::{self, Around};
use super::{PageOutline, structure};
use crate::cancel;
use crate::content::spans::Spans;
use crate::content::{Block, BlockKind, Point, Sourced, Span, Stat};
use crate::content::{announces, merit, says_alone, segment, stands_alone, stated, words};

/// Fewest pages of a set with a recap and a contrast page.
pub(super) const FULL: u32 = 5;
/// Fewest pages of a set with a second contrast page.
const LONG: u32 = 8;
/// Fewest points that make a shared page a list.
pub(super) const LISTED: usize = 3;
/// Reduction in priority of a point of prose whose page has no headline, or only the first clause
/// of its sentence as one.
const UNHEADED: f32 = 0.3;
const PARTED: f32 = 0.1;
/// Highest priority of a page that repeats the facts of an announcement.
const REPEATED: f32 = 0.5;
/// Priority of the first, second and third quotation with a speaker among points of prose.
const SAID: [f32; 3] = [10.6, 10.45, 10.3];
/// Priority of the first lists of prose that a sentence introduces, among points without a heading, and their number.
const LED: (f32, usize) = (10.65, 2);
/// Bonus in priority for the point that ends a text.
const CLOSING: f32 = 0.5;
/// Priority of the sentence that ends a text: above any point of prose, below points with a
/// heading.
const ENDS: f32 = 12.0;
const ENDS_HEADED: f32 = 9.95;
/// Priority of a supporting sentence per log odds that it stands alone on a page.
const MERIT: f32 = 0.3;
/// Fewest words of a sentence with a page of its own.
const FILLED: usize = 9;
/// Fewest words that make a statement: "Meet less".
const SAYS: usize = 2;
/// Fewest words of a heading that makes a statement by itself.
pub(super) const NAMED: usize = 3;

/// Content that can fill one body page.
#[derive(Clone, Copy)]
pub(super) enum Unit<'a> {
    /// The point with this index.
    Topic(usize),
    /// Several points, by start and end index, that share a page.
    Group(usize, usize),
    /// A point that introduces or closes the others.
    Aside(Topic<'a>),
    Stat(&'a Stat, f32),
    Saying(Saying<'a>),
    /// An item of a list, and the sentence that introduces the list.
    Part(Topic<'a>, Option<&'a Sourced>),
    /// Entries of a list inside the text.
    List(&'a List, &'a [Entry]),
    /// A structure of the source.
    Structure(&'a Block),
    /// The figures that the source states.
    Figures,
    /// A sentence that supports a point.
    Sentence(&'a Sourced),
}

/// A unit, its position in the source, and its priority.
#[derive(Clone, Copy)]
pub(super) struct Candidate<'a> {
    pub unit: Unit<'a>,
    pub at: u32,
    pub want: f32,
    /// Rank among all candidates; 0 has the highest priority.
    pub place: usize,
}

impl<'a> Candidate<'a> {
    pub fn new(unit: Unit<'a>, at: u32, want: f32) -> Self {
        Self { unit, at, want, place: 0 }
    }
}

/// Facts about the points that don't depend on the number of pages.
pub(super) struct Known {
    /// What each point makes of a page.
    pub says: Vec<Says>,
    /// The items that the pages of points show. A list or structure that contains them needs no
    /// page of its own.
    pub told: Spans,
}

impl Known {
    pub fn of(material: &Material<'_>) -> Self {
        let pages = material.topics.iter().map(|topic| support::page(material, topic, &Around::NONE));
        let told = pages.flat_map(|page| page.items).filter_map(|item| item.head.span).collect();
        Self { says: material.topics.iter().map(|topic| says(material, topic)).collect(), told }
    }
}

/// How the material is distributed over pages.
#[derive(Clone, Copy)]
pub(super) struct Spread {
    /// Pages of the set.
    pub n: u32,
    /// Whether points are split into their sentences where each sentence fills a page.
    pub apart: bool,
    /// Whether lists are split into their items.
    pub split: bool,
    /// Whether the last page shows the sentence that ends the source.
    pub ends: bool,
}

impl Spread {
    /// Fewest words of a page.
    pub fn least(self) -> usize {
        if self.apart { SAYS } else { FILLED }
    }
}

impl Unit<'_> {
    /// Returns the words that no other page may show.
    pub fn own_spans(&self, material: &Material<'_>) -> Vec<Span> {
        match self {
            Self::Topic(i) => vec![material.topics[*i].point.head.span],
            Self::Aside(topic) | Self::Part(topic, _) => vec![topic.point.head.span],
            Self::Stat(stat, _) => vec![stat.label.span],
            Self::Saying(saying) => vec![saying.text.span],
            Self::Sentence(words) => vec![words.span],
            Self::List(_, entries) => entries.iter().map(|entry| entry.point.head.span).collect(),
            // An announcement spans the whole text.
            Self::Structure(block) if matches!(block.kind, BlockKind::Announcement(_)) => Vec::new(),
            Self::Structure(block) => vec![block.span],
            Self::Group(..) | Self::Figures => Vec::new(),
        }
    }
}

/// Returns all units that can fill a page, highest priority first: points, then the rest of the
/// source.
pub(super) fn all<'a>(material: &Material<'a>, known: &Known, spread: Spread) -> Vec<Candidate<'a>> {
    let Spread { n, apart, split, ends } = spread;
    let mut out = Vec::new();
    let last = ending(material);
    for (i, topic) in material.topics.iter().enumerate() {
        let want = match known.says[i] {
            // No item of a counted list may be missing.
            _ if material.counts() => 20.0,
            // "Consider, for example, some of our work" represents its section only where nothing
            // else is left.
            Says::Claim if topic.is_sentence() && announces(&topic.point.head.text, material.language()) => 2.0,
            // A sentence too long for a headline stands on its page without one.
            Says::Claim if topic.is_sentence() && material.claim(topic).is_none() => {
                10.0 + topic.score - if material.parts_in_two(topic) { PARTED } else { UNHEADED }
            }
            Says::Claim => 10.0 + topic.score,
            Says::Words if apart => 3.5,
            Says::Words | Says::Label => continue,
        };
        let at = topic.point.head.span.start;
        let closes = if last == Some(at) { CLOSING } else { 0.0 };
        out.push(Candidate::new(Unit::Topic(i), at, want + closes));
    }
    let first = out.iter().map(|c| c.at).min().unwrap_or(0);
    out.extend(contrasts(material, n));
    for aside in &material.asides {
        let at = aside.point.head.span.start;
        let stake = at < first;
        // Points with a heading take precedence over sentences that only introduce them.
        let headed = !aside.is_sentence() && support::is_supported(material, aside);
        let leans = aside.is_sentence() && !says_alone(&aside.point.head.text, material.language());
        let base = match () {
            () if last == Some(at) => 9.0 + CLOSING,
            () if headed => 8.5,
            () if stake && !leans => 8.0,
            () => 1.0,
        };
        out.push(Candidate::new(Unit::Aside(*aside), at, base + aside.score));
    }
    let mut told = known.told.clone();
    let parts: Vec<Candidate<'a>> = if split { parts(material) } else { Vec::new() };
    parts.iter().flat_map(|c| c.unit.own_spans(material)).for_each(|span| told.push(span));
    out.extend(parts);
    let (structures, shown) = structures(material, &told);
    out.extend(structures);
    if n >= LONG && !material.tone().exact && structure::figures(material).is_some() {
        let at = material.stats.iter().map(|(s, _)| s.span.start).min().unwrap_or(0);
        out.push(Candidate::new(Unit::Figures, at, 6.8));
    }
    out.extend(lists(material, &shown, &told));
    out.extend(sentences(material, spread));
    out.extend(closing(material).filter(|_| ends));
    let facts = facts(material);
    out.iter_mut().filter(|c| repeats(material, &c.unit, &facts)).for_each(|c| c.want = c.want.min(REPEATED));
    out.sort_by(|a, b| b.want.total_cmp(&a.want).then(a.at.cmp(&b.at)));
    out.iter_mut().enumerate().for_each(|(place, candidate)| candidate.place = place);
    out
}

/// Returns the lists that no other page shows, each split over as many pages as it needs.
fn lists<'a>(material: &Material<'a>, shown: &Spans, told: &Spans) -> Vec<Candidate<'a>> {
    let mut out = Vec::new();
    let mut led = 0;
    for list in &material.lists {
        let first = list.entries.first().map(|e| e.point.head.span);
        if first.is_some_and(|f| shown.overlap(f) || told.overlap(f)) {
            continue;
        }
        // A list that doesn't fit on a page continues on the next.
        let pages = list.entries.len().div_ceil(material.budget.items).max(1);
        for (k, part) in list.entries.chunks(list.entries.len().div_ceil(pages).max(1)).enumerate() {
            let at = part.first().map_or(0, |e| e.point.head.span.start);
            // A list of figures varies the pace like a page with a single figure.
            let figures = part.iter().any(|e| material.stats.iter().any(|(s, _)| e.point.head.span.overlaps(s.span)));
            // Without an introduction, items are fragments to readers who haven't seen the source.
            let is_led = list.lead.as_ref().is_some_and(|lead| material.lead(lead).is_some());
            let bare = !is_led && list.title.as_ref().is_none_or(|t| t.span == material.document.title.span);
            let less = if bare { 3.0 } else { 0.1 * k as f32 };
            let want = match figures {
                // A list that a sentence introduces says more than most single sentences.
                _ if is_led && part.len() >= LISTED && k == 0 && led < LED.1 => {
                    led += 1;
                    LED.0
                }
                true => 7.5 - less,
                false => 6.0 - less,
            };
            out.push(Candidate::new(Unit::List(list, part), at, want));
        }
    }
    out
}

/// Returns the sentence that ends the source.
pub(super) fn closing<'a>(material: &Material<'a>) -> Option<Candidate<'a>> {
    let ending = material.document.ending.as_ref()?;
    // Where the author used headings, the points under them come first.
    let headed = || material.topics.iter().filter(|topic| !topic.is_sentence());
    let want = if headed().next().is_some() { ENDS_HEADED } else { ENDS };
    // The only sentence under a heading stays with it: a heading alone says little.
    let only =
        |point: &Point| point.sentences().count() == 1 && point.sentences().all(|s| s.span.overlaps(ending.span));
    if headed().any(|topic| only(topic.point)) {
        return None;
    }
    let plain = !material.tone().exact && !material.is_interview() && material.document.announcement().is_none();
    plain.then(|| Candidate::new(Unit::Sentence(ending), ending.span.start, want))
}

/// Returns the supporting sentences that are long enough for a page of their own.
fn sentences<'a>(material: &Material<'a>, spread: Spread) -> Vec<Candidate<'a>> {
    let mut out = Vec::new();
    for topic in material.topics.iter().chain(&material.asides) {
        // The first sentence stays with its head; each further one has a lower priority.
        let kept = usize::from(!spread.apart || !fills(material, &topic.point.head, spread));
        // Earlier sentences would appear after the text on the point's own page, out of order.
        let first =
            topic.point.body.first().filter(|_| !spread.apart && !topic.is_sentence()).map_or(0, |s| s.span.start);
        let filling = |(_, words): &(usize, &Sourced)| words.span.start >= first && fills(material, words, spread);
        for (k, words) in topic.point.sentences().enumerate().skip(kept).filter(filling) {
            // Sentences that refer to other sentences come last.
            let less = if says_alone(&words.text, material.language()) { 0.3 * k as f32 } else { 2.5 };
            let merit = MERIT * merit(&words.text, material.language().primary()).clamp(-2.0, 2.0);
            out.push(Candidate::new(Unit::Sentence(words), words.span.start, 5.0 - less + merit));
        }
    }
    out
}

/// Returns where the last point of prose begins if it can close a set: it depends on no other
/// sentence and announces nothing.
fn ending(material: &Material<'_>) -> Option<u32> {
    if material.tone().exact || material.counts() || material.document.announcement().is_some() {
        return None;
    }
    let all = material.topics.iter().chain(&material.asides);
    let last = all.max_by_key(|topic| topic.point.head.span.start)?;
    let text = last.point.head.text.as_str();
    let asks = text.ends_with(['?', '？', '؟', ':', '：']);
    let says = segment::count_words(text) >= FILLED && !asks && says_alone(text, material.language());
    (last.is_sentence() && says).then_some(last.point.head.span.start)
}

/// Returns the spans of an announcement's facts, which its page shows.
fn facts(material: &Material<'_>) -> Vec<Span> {
    let announcement = material.document.announcement().filter(|_| !material.tone().exact);
    announcement.map_or_else(Vec::new, |a| a.facts.iter().map(|fact| fact.words.span).collect())
}

/// Returns whether a page mostly repeats facts that another page shows: in half of its head's
/// words, or in the text under a short name.
fn repeats(material: &Material<'_>, unit: &Unit<'_>, facts: &[Span]) -> bool {
    let mostly = |words: &Sourced| {
        let own = words.span.end.saturating_sub(words.span.start);
        let shared = facts.iter().map(|f| f.end.min(words.span.end).saturating_sub(f.start.max(words.span.start)));
        own > 0 && 2 * shared.sum::<u32>() >= own
    };
    match unit {
        Unit::Topic(i) => {
            let point = &material.topics[*i].point;
            let named = segment::count_words(&point.head.text) <= SAYS;
            let states = |words: &Sourced| facts.iter().any(|fact| fact.overlaps(words.span));
            mostly(&point.head) || named && point.body.first().is_some_and(states)
        }
        Unit::Aside(topic) | Unit::Part(topic, _) => mostly(&topic.point.head),
        Unit::Sentence(words) => mostly(words),
        _ => false,
    }
}

/// What a point makes of a page of its own.
#[derive(Clone, Copy)]
pub(super) enum Says {
    /// A claim with support, or a sentence that fills a page.
    Claim,
    /// A few words.
    Words,
    /// The name of a section without content.
    Label,
}

fn says(material: &Material<'_>, topic: &Topic<'_>) -> Says {
    match segment::count_words(&topic.point.head.text) {
        _ if material.tone().exact || support::is_supported(material, topic) => Says::Claim,
        // A question without its answer says little.
        FILLED.. if !topic.point.head.text.trim_end().ends_with(['?', '？', '؟']) => Says::Claim,
        NAMED.. => Says::Words,
        // If a list is the whole text, its items are the content.
        SAYS.. if material.listed => Says::Words,
        _ => Says::Label,
    }
}

/// Returns the items of lists whose items mostly fill a page each, and quotations without a
/// speaker.
fn parts<'a>(material: &Material<'a>) -> Vec<Candidate<'a>> {
    let lexicon = words::of(material.language().primary());
    let filled = |entry: &&Entry| {
        let words = std::iter::once(&entry.point.head).chain(entry.point.body.first());
        words.map(|w| segment::count_words(&w.text)).sum::<usize>() >= FILLED
    };
    let lists = material.lists.iter().filter(|l| 2 * l.entries.iter().filter(filled).count() > l.entries.len());
    let each = lists.flat_map(|l| l.entries.iter().map(move |entry| (entry, l.lead.as_ref().or(l.title.as_ref()))));
    let items = each.filter(|(entry, _)| filled(entry)).map(|(entry, lead)| {
        let head = &entry.point.head;
        let want = if stands_alone(&head.text, lexicon) { 4.0 } else { 2.0 };
        Candidate::new(Unit::Part(Topic::of(entry, 0.0), lead), head.span.start, want)
    });
    let sayings = material
        .sayings
        .iter()
        .filter(|s| s.who.is_none())
        .map(|saying| Candidate::new(Unit::Saying(*saying), saying.text.span.start, 3.0 + saying.score));
    items.chain(sayings).collect()
}

/// Returns whether a sentence can stand on a page of its own: it doesn't depend on the previous
/// one, and is long enough. If points are split into sentences, a few words are enough.
fn fills(material: &Material<'_>, words: &Sourced, spread: Spread) -> bool {
    let lexicon = words::of(material.language().primary());
    material.tone().exact || segment::count_words(&words.text) >= spread.least() && stands_alone(&words.text, lexicon)
}

/// Returns figures and quotations, which vary the pace of a carousel, strongest first.
fn contrasts<'a>(material: &Material<'a>, n: u32) -> impl Iterator<Item = Candidate<'a>> + use<'a> {
    // Facts on the announcement's page get no page of their own.
    let announced = material.document.blocks.iter().find(|b| matches!(b.kind, BlockKind::Announcement(_)));
    let announced = announced.filter(|_| !material.tone().exact).and_then(|block| structure::page(material, block));
    let mut taken: Spans = announced.iter().flat_map(announced_spans).collect();
    let mut contrasts: Vec<(Candidate<'a>, f32)> = Vec::new();
    // A figure inside a list stays with the list.
    let lists = material.lists.iter().filter(|list| list.entries.len() >= LISTED);
    lists.flat_map(|list| &list.entries).for_each(|entry| taken.push(entry.point.head.span));
    for (stat, score) in material.stats.iter().filter(|(s, _)| !taken.overlap(s.span)) {
        let spoken = spoken(material, stat);
        let unit = if spoken { Unit::Sentence(&stat.label) } else { Unit::Stat(stat, *score) };
        let strength = if spoken { (score - STRONG_STAT).max(0.0) } else { score - STRONG_STAT };
        contrasts.push((Candidate::new(unit, stat.label.span.start, 2.0 + score), strength));
    }
    // An answer is not quoted next to its question.
    let quoted = |s: &&Saying<'_>| s.who.is_some() && (s.score >= STRONG_QUOTE || !material.asks());
    for saying in material.sayings.iter().filter(|s| quoted(s) || material.tone().exact) {
        let unit = Unit::Saying(*saying);
        let strength = if material.is_brief(saying) { saying.score - STRONG_QUOTE } else { -1.0 };
        contrasts.push((Candidate::new(unit, saying.text.span.start, 2.5 + saying.score), strength));
    }
    contrasts.sort_by(|a, b| b.1.total_cmp(&a.1));
    let prose = 2 * material.topics.iter().filter(|topic| topic.is_sentence()).count() > material.topics.len();
    let mut said = 0;
    contrasts.into_iter().enumerate().map(move |(k, (candidate, strength))| {
        // A speaker's own words say more than the sentences around them.
        let speaks = prose && n >= FULL && strength >= 0.0 && matches!(candidate.unit, Unit::Saying(_));
        said += usize::from(speaks);
        let want = match k {
            _ if speaks && said <= SAID.len() => SAID[said - 1],
            // Without a page for it, the figure or quotation appears on its point's page.
            _ if strength < 0.0 => candidate.want,
            0 if n >= FULL => 9.9,
            1 if n >= LONG => 7.0,
            2 if n >= 2 * LONG => 6.5,
            _ => candidate.want + 1.0,
        };
        Candidate { want, ..candidate }
    })
}

/// Returns whether a figure is best shown within its sentence: its label is that sentence, which stands alone.
fn spoken(material: &Material<'_>, stat: &Stat) -> bool {
    let label = &stat.label.text;
    let language = material.language();
    !material.tone().exact
        && label.contains(&stat.value)
        && says_alone(label, language)
        && stated(label, language.primary()).is_some()
}

/// Returns blocks that a page can show in their own form, and their spans. A document that is set
/// verbatim has none, because each of its sentences and the words around each block must be shown.
/// Blocks that the pages of points already show are skipped.
fn structures<'a>(material: &Material<'a>, told: &Spans) -> (Vec<Candidate<'a>>, Spans) {
    let heads: Spans = material.topics.iter().map(|t| t.point.head.span).collect();
    let (mut out, mut shown) = (Vec::new(), Spans::default());
    for block in material.document.blocks.iter().filter(|_| !material.tone().exact) {
        let want = match &block.kind {
            BlockKind::Series(_) | BlockKind::Table(_) | BlockKind::Compare(_) | BlockKind::ProsCons(_) => 10.75,
            // The programme of an event goes before what else is told about it.
            BlockKind::Timeline { .. } if material.document.announcement().is_some() => 11.5,
            BlockKind::Timeline { .. } => 10.7,
            BlockKind::Announcement(_) => 12.0,
            BlockKind::Checklist { .. } | BlockKind::Hierarchy { .. } | BlockKind::Steps { .. } => 8.5,
            _ => continue,
        };
        let facts = match &block.kind {
            BlockKind::Announcement(announcement) => announcement.main_facts().next().map(|f| f.words.span),
            _ => None,
        };
        let span = facts.unwrap_or(block.span);
        cancel::check();
        // A block that the points are made of is shown point by point.
        let told = heads.overlap(span) || told.overlap(span);
        if !told && structure::page(material, block).is_some() {
            out.push(Candidate::new(Unit::Structure(block), span.start, want));
            shown.push(span);
        }
    }
    (out, shown)
}

/// Returns the spans of the facts on an announcement's page.
fn announced_spans(page: &PageOutline) -> impl Iterator<Item = Span> {
    page.items.iter().filter_map(|item| item.head.span).chain(page.figure.as_ref().map(|f| f.span))
}
