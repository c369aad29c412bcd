//! Everything of which a body page of a set can be made, and how much each is wanted.

use super::material::{Material, STRONG_QUOTE, STRONG_STAT, Saying, Topic};
use super::offers::{Entry, List};
use super::support::{self, Around};
use super::{PageOutline, structure};
use crate::cancel;
use crate::content::spans::Spans;
use crate::content::{Block, BlockKind, Sourced, Span, Stat};
use crate::content::{announces, says_alone, segment, stands_alone, words};

/// Pages from which a set has a recap and a contrast page.
pub(super) const FULL: u32 = 5;
/// Pages from which a set can hold a second contrast page.
const LONG: u32 = 8;
/// Points from which a shared page is a list.
pub(super) const LISTED: usize = 3;
/// How much less a point of prose is wanted whose page has no headline, or the first clause of its sentence for one.
const UNHEADED: f32 = 0.3;
const PARTED: f32 = 0.1;
/// How much a page is wanted at most that repeats the facts of an announcement.
const REPEATED: f32 = 0.5;
/// How much the first, the second and the third quotation with a speaker is wanted among points of prose.
const SAID: [f32; 3] = [10.6, 10.45, 10.3];
/// How much more the point is wanted with which a text ends.
const CLOSING: f32 = 0.5;
/// How much the sentence with which a text ends is wanted: more than any point of prose, and less than what has a heading.
const ENDS: f32 = 12.0;
const ENDS_HEADED: f32 = 9.95;
/// Fewest words of a sentence with a page of its own.
const FILLED: usize = 9;
/// Fewest words that say anything: "Meet less".
const SAYS: usize = 2;
/// Fewest words of a heading that says something by itself.
pub(super) const NAMED: usize = 3;

/// A page that a body slot could hold.
#[derive(Clone, Copy)]
pub(super) enum Unit<'a> {
    /// The point of that index.
    Topic(usize),
    /// Several counted points that share a page.
    Group(usize, usize),
    /// What stands before the points, or behind them.
    Aside(Topic<'a>),
    Stat(&'a Stat, f32),
    Saying(Saying<'a>),
    /// An item of a list, and what leads to the list.
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

/// A unit, where the source says it, and how much it is wanted.
#[derive(Clone, Copy)]
pub(super) struct Candidate<'a> {
    pub unit: Unit<'a>,
    pub at: u32,
    pub want: f32,
    /// Its place among all candidates, the most wanted first.
    pub place: usize,
}

impl<'a> Candidate<'a> {
    pub fn new(unit: Unit<'a>, at: u32, want: f32) -> Self {
        Self { unit, at, want, place: 0 }
    }
}

/// What holds for sets of any number of pages.
pub(super) struct Known {
    /// What each point says.
    pub says: Vec<Says>,
    /// The items that the pages of points show: a list or a structure among them needs no page of its own.
    pub told: Spans,
}

impl Known {
    pub fn of(material: &Material<'_>) -> Self {
        let alone = Around { taken: Spans::NONE, before: None };
        let pages = material.topics.iter().map(|topic| support::page(material, topic, &alone));
        let told = pages.flat_map(|page| page.items).filter_map(|item| item.head.span).collect();
        Self { says: material.topics.iter().map(|topic| says(material, topic)).collect(), told }
    }
}

/// How material is shared out.
#[derive(Clone, Copy)]
pub(super) struct Spread {
    /// Pages of the set.
    pub n: u32,
    /// Whether points come apart into their sentences where each fills a page.
    pub apart: bool,
    /// Whether lists come apart into their items.
    pub split: bool,
    /// Whether the last page shows the sentence with which the source ends.
    pub ends: bool,
}

impl Spread {
    /// Fewest words of a page.
    pub fn least(self) -> usize {
        if self.apart { SAYS } else { FILLED }
    }
}

impl Unit<'_> {
    /// The words that only this page may show.
    pub fn own_spans(&self, material: &Material<'_>) -> Vec<Span> {
        match self {
            Self::Topic(i) => vec![material.topics[*i].point.head.span],
            Self::Aside(topic) | Self::Part(topic, _) => vec![topic.point.head.span],
            Self::Stat(stat, _) => vec![stat.label.span],
            Self::Saying(saying) => vec![saying.text.span],
            Self::Sentence(words) => vec![words.span],
            Self::List(_, entries) => entries.iter().map(|entry| entry.point.head.span).collect(),
            // An announcement is all of the text.
            Self::Structure(block) if matches!(block.kind, BlockKind::Announcement(_)) => Vec::new(),
            Self::Structure(block) => vec![block.span],
            Self::Group(..) | Self::Figures => Vec::new(),
        }
    }
}

/// Everything of which a page of its own can be made, the most wanted first: points, then what else the source offers.
pub(super) fn all<'a>(material: &Material<'a>, known: &Known, spread: Spread) -> Vec<Candidate<'a>> {
    let Spread { n, apart, split, ends } = spread;
    let mut out = Vec::new();
    let last = ending(material);
    for (i, topic) in material.topics.iter().enumerate() {
        let want = match known.says[i] {
            // None of a counted list may go missing.
            _ if material.counts() => 20.0,
            // "Consider, for example, some of our work" stands for its section where nothing else is left.
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
        // What the author heads is said before what only leads to it.
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

/// Lists that no other page shows, each on as many pages as it takes.
fn lists<'a>(material: &Material<'a>, shown: &Spans, told: &Spans) -> Vec<Candidate<'a>> {
    let mut out = Vec::new();
    for list in &material.lists {
        let first = list.entries.first().map(|e| e.point.head.span);
        if first.is_some_and(|f| shown.overlap(f) || told.overlap(f)) {
            continue;
        }
        // A list that doesn't fit on a page continues on the next.
        let pages = list.entries.len().div_ceil(material.budget.items).max(1);
        for (k, part) in list.entries.chunks(list.entries.len().div_ceil(pages).max(1)).enumerate() {
            let at = part.first().map_or(0, |e| e.point.head.span.start);
            // A list of figures changes the pace as a page for one of them would.
            let figures = part.iter().any(|e| material.stats.iter().any(|(s, _)| e.point.head.span.overlaps(s.span)));
            // Items that nothing introduces are fragments to whoever hasn't read the source.
            let bare =
                list.lead.is_none() && list.title.as_ref().is_none_or(|t| t.span == material.document.title.span);
            let less = if bare { 3.0 } else { 0.1 * k as f32 };
            let want = if figures { 7.5 } else { 6.0 } - less;
            out.push(Candidate::new(Unit::List(list, part), at, want));
        }
    }
    out
}

/// The sentence with which the source ends.
pub(super) fn closing<'a>(material: &Material<'a>) -> Option<Candidate<'a>> {
    let ending = material.document.ending.as_ref()?;
    // Where the author heads what is said, all of that is said first.
    let headed = material.topics.iter().any(|topic| !topic.is_sentence());
    let want = if headed { ENDS_HEADED } else { ENDS };
    let plain = !material.tone().exact && !material.is_interview() && material.document.announcement().is_none();
    plain.then(|| Candidate::new(Unit::Sentence(ending), ending.span.start, want))
}

/// The sentences that support points and fill a page each.
fn sentences<'a>(material: &Material<'a>, spread: Spread) -> Vec<Candidate<'a>> {
    let mut out = Vec::new();
    for topic in material.topics.iter().chain(&material.asides) {
        // The first sentence stays with its head; each further one is wanted less.
        let kept = usize::from(!spread.apart || !fills(material, &topic.point.head, spread));
        // Sentences in front of the text on the point's own page would come after it.
        let first =
            topic.point.body.first().filter(|_| !spread.apart && !topic.is_sentence()).map_or(0, |s| s.span.start);
        let filling = |(_, words): &(usize, &Sourced)| words.span.start >= first && fills(material, words, spread);
        for (k, words) in topic.point.sentences().enumerate().skip(kept).filter(filling) {
            // What points at other sentences comes last.
            let less = if says_alone(&words.text, material.language()) { 0.3 * k as f32 } else { 2.5 };
            out.push(Candidate::new(Unit::Sentence(words), words.span.start, 5.0 - less));
        }
    }
    out
}

/// Where the last point of prose begins that can close a set: it leans on nothing and announces nothing.
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

/// Where the facts of an announcement stand, which its page shows.
fn facts(material: &Material<'_>) -> Vec<Span> {
    let announcement = material.document.announcement().filter(|_| !material.tone().exact);
    announcement.map_or_else(Vec::new, |a| a.facts.iter().map(|fact| fact.words.span).collect())
}

/// Whether a page says little more than facts that another shows: half of its head's words, or of what stands under a name.
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

/// What a point says on a page of its own.
#[derive(Clone, Copy)]
pub(super) enum Says {
    /// A claim with support, or a sentence that fills a page.
    Claim,
    /// A few words.
    Words,
    /// The name of a part that nothing is left of.
    Label,
}

fn says(material: &Material<'_>, topic: &Topic<'_>) -> Says {
    match segment::count_words(&topic.point.head.text) {
        _ if material.tone().exact || support::is_supported(material, topic) => Says::Claim,
        FILLED.. => Says::Claim,
        NAMED.. => Says::Words,
        // The items of a list that is all of the text are what it says.
        SAYS.. if material.listed => Says::Words,
        _ => Says::Label,
    }
}

/// The items of lists in which most items fill a page each, and quotations without a speaker.
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

/// Whether a sentence can stand on a page of its own: it doesn't lean on the one before, and is no mere remark. Where
/// material comes apart, a few words do.
fn fills(material: &Material<'_>, words: &Sourced, spread: Spread) -> bool {
    let lexicon = words::of(material.language().primary());
    material.tone().exact || segment::count_words(&words.text) >= spread.least() && stands_alone(&words.text, lexicon)
}

/// Figures and quotes, which change the pace of a carousel, the strongest first.
fn contrasts<'a>(material: &Material<'a>, n: u32) -> impl Iterator<Item = Candidate<'a>> + use<'a> {
    // What the page of an announcement shows gets no page of its own.
    let announced = material.document.blocks.iter().find(|b| matches!(b.kind, BlockKind::Announcement(_)));
    let announced = announced.filter(|_| !material.tone().exact).and_then(|block| structure::page(material, block));
    let mut taken: Spans = announced.iter().flat_map(announced_spans).collect();
    let mut contrasts: Vec<(Candidate<'a>, f32)> = Vec::new();
    // A figure that a list states is left to the list.
    let lists = material.lists.iter().filter(|list| list.entries.len() >= LISTED);
    lists.flat_map(|list| &list.entries).for_each(|entry| taken.push(entry.point.head.span));
    for (stat, score) in material.stats.iter().filter(|(s, _)| !taken.overlap(s.span)) {
        let unit = Unit::Stat(stat, *score);
        contrasts.push((Candidate::new(unit, stat.label.span.start, 2.0 + score), score - STRONG_STAT));
    }
    // An answer is not quoted beside its question.
    let quoted = |s: &&Saying<'_>| s.who.is_some() && (s.score >= STRONG_QUOTE || !material.asks());
    for saying in material.sayings.iter().filter(|s| quoted(s) || material.tone().exact) {
        let unit = Unit::Saying(*saying);
        contrasts.push((Candidate::new(unit, saying.text.span.start, 2.5 + saying.score), saying.score - STRONG_QUOTE));
    }
    contrasts.sort_by(|a, b| b.1.total_cmp(&a.1));
    let prose = 2 * material.topics.iter().filter(|topic| topic.is_sentence()).count() > material.topics.len();
    let mut said = 0;
    contrasts.into_iter().enumerate().map(move |(k, (candidate, strength))| {
        // Somebody's own words say more than the sentences around them.
        let speaks = prose && n >= FULL && strength >= 0.0 && matches!(candidate.unit, Unit::Saying(_));
        said += usize::from(speaks);
        let want = match k {
            _ if speaks && said <= SAID.len() => SAID[said - 1],
            // A point shows its own figure or quotation where there is no page for it.
            _ if strength < 0.0 => candidate.want,
            0 if n >= FULL => 9.9,
            1 if n >= LONG => 7.0,
            2 if n >= 2 * LONG => 6.5,
            _ => candidate.want + 1.0,
        };
        Candidate { want, ..candidate }
    })
}

/// Blocks whose form a page shows, and where they stand. A document that is set whole has none: each of its sentences is
/// said, and so are the words around the block. What the pages of points show already is left out.
fn structures<'a>(material: &Material<'a>, told: &Spans) -> (Vec<Candidate<'a>>, Spans) {
    let heads: Spans = material.topics.iter().map(|t| t.point.head.span).collect();
    let (mut out, mut shown) = (Vec::new(), Spans::default());
    for block in material.document.blocks.iter().filter(|_| !material.tone().exact) {
        let want = match &block.kind {
            BlockKind::Series(_) | BlockKind::Table(_) | BlockKind::Compare(_) | BlockKind::ProsCons(_) => 9.8,
            BlockKind::Timeline { .. } => 9.6,
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
        // A block that the points are made of is told point by point.
        let told = heads.overlap(span) || told.overlap(span);
        if !told && structure::page(material, block).is_some() {
            out.push(Candidate::new(Unit::Structure(block), span.start, want));
            shown.push(span);
        }
    }
    (out, shown)
}

/// Where the facts stand that an announcement's page shows.
fn announced_spans(page: &PageOutline) -> impl Iterator<Item = Span> {
    page.items.iter().filter_map(|item| item.head.span).chain(page.figure.as_ref().map(|f| f.span))
}
