//! A set of exactly n pages: a cover, the points of the source with what supports them, and a recap with the call to action.

use std::collections::BTreeSet;
use std::ops::Range;

use super::material::{Material, STRONG_QUOTE, STRONG_STAT, Saying, Topic};
use super::offers::{self, Entry, List};
use super::single::left_out;
use super::support::{self, Around};
use super::wording::Budget;
use super::{Outline, PageOutline, Request, TooLittle, closing, gates, structure};
use crate::cancel;
use crate::content::spans::Spans;
use crate::content::{Block, BlockKind, Sourced, Span, Stat};
use crate::content::{says_alone, segment, stands_alone, words};
use crate::format::Format;

/// Pages from which a set has a recap and a contrast page.
const FULL: u32 = 5;
/// Pages from which a set can hold a second contrast page.
const LONG: u32 = 8;
/// Most points that share a page, and most of a text whose points are combined.
const SHARED: usize = 6;
const COMBINED: usize = 60;
/// Points from which a shared page is a list.
const LISTED: usize = 3;
/// Fewest words of a sentence with a page of its own.
const FILLED: usize = 9;
/// Fewest words that say anything: "Meet less".
const SAYS: usize = 2;
/// Fewest words of a heading that says something by itself.
const NAMED: usize = 3;
/// What support adds to the worth of a point, and what each further point of a list costs.
const SUPPORTED: f32 = 0.5;
const CROWD: f32 = 0.4;

/// A page that a body slot could hold.
#[derive(Clone, Copy)]
enum Unit<'a> {
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
struct Candidate<'a> {
    unit: Unit<'a>,
    at: u32,
    want: f32,
    /// Its place among all candidates, the most wanted first.
    place: usize,
}

impl<'a> Candidate<'a> {
    fn new(unit: Unit<'a>, at: u32, want: f32) -> Self {
        Self { unit, at, want, place: 0 }
    }
}

/// The outline of `n` pages; `None` where the document says nothing.
///
/// # Errors
/// [`TooLittle`] where some of the pages would stand empty or repeat others.
pub(super) fn outline(request: &Request<'_>, n: u32) -> Result<Option<Outline>, TooLittle> {
    let offers = offers::of(request.document);
    let material = Material::of_set(request.document, &offers, Budget::of(request.format.density));
    if material.cover().title.is_none() {
        return Ok(None);
    }
    let known = Known::of(&material);
    let carried = |n: u32| {
        cancel::check();
        let set = |apart: bool| set(&material, &known, request.format, Spread { n, apart });
        set(false).or_else(|whole| set(true).map_err(|apart| whole.max(apart)))
    };
    // What fills some pages of a set may not fill a set of as many.
    let fewer = |made: u32| (1..=made.min(n - 1)).rev().find(|fewer| carried(*fewer).is_ok());
    carried(n).map(Some).map_err(|made| TooLittle { carries: fewer(made).unwrap_or(1) })
}

/// What holds for sets of any number of pages.
struct Known {
    /// What each point says.
    says: Vec<Says>,
    /// The items that the pages of points show: a list or a structure among them needs no page of its own.
    told: Spans,
}

impl Known {
    fn of(material: &Material<'_>) -> Self {
        let alone = Around { taken: Spans::NONE, before: None };
        let pages = material.topics.iter().map(|topic| support::page(material, topic, &alone));
        let told = pages.flat_map(|page| page.items).filter_map(|item| item.head.span).collect();
        Self { says: material.topics.iter().map(|topic| says(material, topic)).collect(), told }
    }
}

/// How material is shared out.
#[derive(Clone, Copy)]
struct Spread {
    /// Pages of the set.
    n: u32,
    /// Whether what can stand on one page comes apart where each part fills a page: lists into their items, points into
    /// their sentences.
    apart: bool,
}

impl Spread {
    /// Fewest words of a page.
    fn least(self) -> usize {
        if self.apart { SAYS } else { FILLED }
    }
}

/// A set of pages; how many the material fills of it where that is not all.
fn set(material: &Material<'_>, known: &Known, format: &Format, spread: Spread) -> Result<Outline, u32> {
    let n = spread.n;
    let mut pages = vec![material.cover()];
    let points = material.topics.len() as u32;
    // One point a page and no more: the last of them closes the set and carries the call.
    let exact = n >= FULL && points == n - 1;
    // Questions sum up nothing.
    let says = |i: usize| !matches!(known.says[i], Says::Label);
    let closing = closing::page(material, says).filter(|_| !material.asks());
    // Two lines close a short set; in a long one they leave a page nearly empty.
    let full = closing.as_ref().is_some_and(|page| page.items.len() >= LISTED || page.cta.is_some());
    // One thing alone is not said again.
    let several = closing.is_some() && (points >= 2 || material.call().is_some());
    let recap = several && (n == 2 || n >= FULL && full && !exact);
    let slots = (n as usize).saturating_sub(1 + usize::from(recap));
    let (bodies, missing) = settled(material, known, &pages[0], slots, spread);
    pages.extend(bodies);
    // A recap closes a short set where there is nothing else for its last page.
    let recap = recap || several && n > 1 && pages.len() == slots;
    let made = pages.len() as u32 + u32::from(recap);
    if made < n {
        return Err(made);
    }
    if recap {
        // It sums up what the pages say, where that is several things.
        let shown = |i: usize| says(i) && !missing.contains(&&material.topics[i].point.head);
        let told = closing::page(material, shown).filter(|page| page.items.len() >= LISTED);
        if told.is_none()
            && material.call.is_none()
            && n >= FULL
            && let Some(whole) = without_recap(material, known, format, spread)
        {
            return Ok(whole);
        }
        pages.extend(told.or(closing));
    } else if n > 1
        && let Some(last) = pages.last_mut()
    {
        last.cta = material.call();
    }
    Ok(Outline { pages, warnings: left_out(&missing, Some(format)).into_iter().collect() })
}

/// The set with another page of its source in place of the recap; `None` where the source has none.
fn without_recap(material: &Material<'_>, known: &Known, format: &Format, spread: Spread) -> Option<Outline> {
    let mut pages = vec![material.cover()];
    let (bodies, missing) = settled(material, known, &pages[0], spread.n as usize - 1, spread);
    pages.extend(bodies);
    let warnings = left_out(&missing, Some(format)).into_iter().collect();
    (pages.len() == spread.n as usize).then_some(Outline { pages, warnings })
}

/// The pages between the cover and the recap, and the heads of the points that are on none of them. What makes no page gives
/// its place to what else there is.
fn settled<'a>(
    material: &Material<'a>,
    known: &Known,
    cover: &PageOutline,
    slots: usize,
    spread: Spread,
) -> (Vec<PageOutline>, Vec<&'a Sourced>) {
    let all = candidates(material, known, spread);
    let mut rejected = BTreeSet::new();
    loop {
        cancel::check();
        let (chosen, missing) =
            bodies(material, known, slots, all.iter().copied().filter(|c| !rejected.contains(&c.place)));
        let mut pages = told(material, &chosen);
        if material.tone().exact {
            return (pages, missing);
        }
        // None of counted points may go missing, and points that share pages are all of the text.
        let least = chosen.iter().map(|c| match c.unit {
            Unit::Group(..) => 0,
            Unit::Topic(_) if material.counts() => 0,
            _ => spread.least(),
        });
        let stand = gates::settle(cover, pages.iter_mut().zip(least));
        let fallen = chosen.iter().zip(&stand).filter(|(_, stands)| !**stands).map(|(c, _)| c.place);
        let before = rejected.len();
        rejected.extend(fallen);
        if rejected.len() == before || rejected.len() > slots {
            let mut stand = stand.into_iter();
            pages.retain(|_| stand.next().unwrap_or(true));
            return (pages, missing);
        }
    }
}

/// The pages of units. Words that one of them shows on its own stand on no other.
fn told(material: &Material<'_>, chosen: &[Candidate<'_>]) -> Vec<PageOutline> {
    let owned: Vec<Option<Span>> = chosen.iter().map(|c| c.unit.own_span(material)).collect();
    let mut pages: Vec<PageOutline> = Vec::with_capacity(chosen.len());
    for (place, candidate) in chosen.iter().enumerate() {
        let others = owned.iter().enumerate().filter(|(other, _)| *other != place);
        let taken: Spans = others.filter_map(|(_, span)| *span).collect();
        let around = Around { taken: &taken, before: pages.last() };
        pages.push(page(material, candidate.unit, &around));
    }
    pages
}

impl Unit<'_> {
    /// The words that only this page may show.
    fn own_span(&self, material: &Material<'_>) -> Option<Span> {
        match self {
            Self::Topic(i) => Some(material.topics[*i].point.head.span),
            Self::Aside(topic) | Self::Part(topic, _) => Some(topic.point.head.span),
            Self::Stat(stat, _) => Some(stat.label.span),
            Self::Saying(saying) => Some(saying.text.span),
            Self::Sentence(words) => Some(words.span),
            // An announcement is all of the text.
            Self::Structure(block) if matches!(block.kind, BlockKind::Announcement(_)) => None,
            Self::Structure(block) => Some(block.span),
            _ => None,
        }
    }
}

fn page(material: &Material<'_>, unit: Unit<'_>, around: &Around<'_>) -> PageOutline {
    match unit {
        Unit::Topic(i) => support::page(material, &material.topics[i], around),
        Unit::Aside(topic) => support::page(material, &topic, around),
        Unit::Part(topic, lead) => {
            let page = support::page(material, &topic, around);
            let lead = lead.and_then(|lead| material.lead(lead));
            PageOutline { kicker: lead.or_else(|| page.kicker.clone()), ..page }
        }
        Unit::Group(from, to) => {
            let group = &material.topics[from..to];
            let list = material.list(None, group.iter().map(Topic::item), 0.6);
            // The numerals of a grouped page go on where the page before stopped. The set's title stands over it small.
            let number = group.first().and_then(|t| t.number);
            PageOutline { number, kicker: material.kicker(), title: None, ..list }
        }
        Unit::Stat(stat, score) => PageOutline { kicker: material.kicker(), ..material.stat(stat, score) },
        Unit::Saying(saying) => PageOutline { kicker: material.kicker(), ..material.quoted(&saying) },
        Unit::List(list, items) => {
            let page = material.list(list.title.as_ref(), items.iter().map(Entry::item), 0.6);
            let lead = list.lead.as_ref().and_then(|lead| material.lead(lead));
            PageOutline { kicker: lead.or_else(|| page.kicker.clone()), ..page }
        }
        Unit::Structure(block) => {
            let page = structure::page(material, block).unwrap_or_else(|| material.cover());
            // What stands under the title, the cover has said.
            let body = page.body.filter(|_| !matches!(block.kind, BlockKind::Announcement(_)));
            PageOutline { kicker: page.kicker.or_else(|| material.kicker()), body, ..page }
        }
        Unit::Figures => structure::figures(material).unwrap_or_else(|| material.cover()),
        Unit::Sentence(words) => material.sentence(words),
    }
}

/// What fills the body slots, in the source's order: at most `slots`; and the heads of the points that are on none of them.
/// `all` are the candidates, the most wanted first.
fn bodies<'a>(
    material: &Material<'a>,
    known: &Known,
    slots: usize,
    all: impl Iterator<Item = Candidate<'a>>,
) -> (Vec<Candidate<'a>>, Vec<&'a Sourced>) {
    if slots == 0 {
        // Two pages: the recap names the points; more of them than it holds are lost.
        return (Vec::new(), Vec::new());
    }
    let topics = &material.topics;
    if topics.len() > slots {
        // Sentences that stand for stretches of prose are chosen among; what the author heads is all said.
        let headed = topics.iter().filter(|t| !t.is_sentence()).count();
        let groups = match material.counts() {
            true => Some(grouped(material, slots)),
            false if material.asks() => None,
            false if 3 * headed >= 2 * topics.len() => combined(material, slots),
            false => None,
        };
        if let Some(groups) = groups {
            return (groups, Vec::new());
        }
    }
    let mut chosen: Vec<Candidate<'a>> = Vec::new();
    for candidate in all {
        if chosen.len() == slots {
            break;
        }
        // A sentence that is a stat's label or stands in a list would be said twice.
        let own = candidate.unit.own_span(material);
        let twice = own.is_some_and(|s| chosen.iter().filter_map(|c| c.unit.own_span(material)).any(|o| o.overlaps(s)));
        if !twice {
            chosen.push(candidate);
        }
    }
    let missing: Vec<&'a Sourced> = (0..topics.len())
        .filter(|i| material.counts() || !matches!(known.says[*i], Says::Label))
        .filter(|i| {
            // A point that opens with a chosen figure is on that figure's page.
            let head = topics[*i].point.head.span;
            !chosen.iter().filter_map(|c| c.unit.own_span(material)).any(|o| o.overlaps(head))
        })
        .map(|i| &topics[i].point.head)
        .collect();
    chosen.sort_by_key(|c| c.at);
    (chosen, missing)
}

/// Counted points on fewer pages than there are points: neighbours share a page.
fn grouped<'a>(material: &Material<'a>, slots: usize) -> Vec<Candidate<'a>> {
    let n = material.topics.len();
    // Later groups are the larger ones: a set opens with its points one by one.
    units((0..slots).map(|k| k * n / slots..(k + 1) * n / slots).collect())
}

/// Points on fewer pages than there are points: neighbours that are worth least share a page. `None` where pages would
/// hold more points than a list has.
fn combined<'a>(material: &Material<'a>, slots: usize) -> Option<Vec<Candidate<'a>>> {
    let topics = &material.topics;
    if topics.len() > slots * SHARED || topics.len() > COMBINED {
        return None;
    }
    let worth: Vec<f32> =
        topics.iter().map(|t| t.score + if support::is_supported(material, t) { SUPPORTED } else { 0.0 }).collect();
    let mut groups: Vec<Range<usize>> = (0..topics.len()).map(|i| i..i + 1).collect();
    while groups.len() > slots {
        cancel::tick();
        // A page of two points is a pair, no list; one of many says little about each.
        let cost = |k: &usize| {
            let both = groups[*k].start..groups[*k + 1].end;
            let crowd = both.len().saturating_sub(LISTED) as f32;
            worth[both].iter().sum::<f32>() + CROWD * crowd
        };
        let fits = |k: &usize| groups[*k].len() + groups[*k + 1].len() <= SHARED;
        let least = (0..groups.len() - 1).filter(fits).min_by(|a, b| cost(a).total_cmp(&cost(b)))?;
        let next = groups.remove(least + 1);
        groups[least].end = next.end;
    }
    Some(units(groups))
}

fn units<'a>(groups: Vec<Range<usize>>) -> Vec<Candidate<'a>> {
    let unit = |group: Range<usize>| {
        let at = group.start as u32;
        let unit = if group.len() == 1 { Unit::Topic(group.start) } else { Unit::Group(group.start, group.end) };
        Candidate::new(unit, at, 1.0)
    };
    groups.into_iter().map(unit).collect()
}

/// Everything of which a page of its own can be made, the most wanted first: points, then what else the source offers.
fn candidates<'a>(material: &Material<'a>, known: &Known, spread: Spread) -> Vec<Candidate<'a>> {
    let Spread { n, apart } = spread;
    let mut out = Vec::new();
    for (i, topic) in material.topics.iter().enumerate() {
        let want = match known.says[i] {
            // None of a counted list may go missing.
            _ if material.counts() => 20.0,
            Says::Claim => 10.0 + topic.score,
            Says::Words if apart => 3.5,
            Says::Words | Says::Label => continue,
        };
        out.push(Candidate::new(Unit::Topic(i), topic.point.head.span.start, want));
    }
    let first = out.iter().map(|c| c.at).min().unwrap_or(0);
    out.extend(contrasts(material, n));
    for aside in &material.asides {
        let at = aside.point.head.span.start;
        let stake = at < first;
        // What the author heads is said before what only leads to it.
        let headed = !aside.is_sentence() && support::is_supported(material, aside);
        let leans = aside.is_sentence() && !says_alone(&aside.point.head.text, material.language());
        let want = aside.score
            + if headed {
                8.5
            } else if stake && !leans {
                8.0
            } else {
                1.0
            };
        out.push(Candidate::new(Unit::Aside(*aside), at, want));
    }
    let mut told = known.told.clone();
    let parts: Vec<Candidate<'a>> = if apart { parts(material) } else { Vec::new() };
    parts.iter().filter_map(|c| c.unit.own_span(material)).for_each(|span| told.push(span));
    out.extend(parts);
    let (structures, shown) = structures(material, &told);
    out.extend(structures);
    if n >= LONG && !material.tone().exact && structure::figures(material).is_some() {
        let at = material.stats.iter().map(|(s, _)| s.span.start).min().unwrap_or(0);
        out.push(Candidate::new(Unit::Figures, at, 6.8));
    }
    for list in &material.lists {
        let first = list.entries.first().map(|e| e.point.head.span);
        if first.is_some_and(|f| shown.overlap(f) || told.overlap(f)) {
            continue;
        }
        // A list that doesn't fit on a page continues on the next.
        let pages = list.entries.len().div_ceil(material.budget.items).max(1);
        for (k, part) in list.entries.chunks(list.entries.len().div_ceil(pages).max(1)).enumerate() {
            let at = part.first().map_or(0, |e| e.point.head.span.start);
            let want = 6.0 - 0.1 * k as f32;
            out.push(Candidate::new(Unit::List(list, part), at, want));
        }
    }
    for topic in material.topics.iter().chain(&material.asides) {
        // The first sentence stays with its head; each further one is wanted less.
        let kept = usize::from(!apart || !fills(material, &topic.point.head, spread));
        let filling = |(_, words): &(usize, &Sourced)| fills(material, words, spread);
        for (k, words) in topic.point.body.iter().enumerate().skip(kept).filter(filling) {
            // What points at other sentences comes last.
            let less = if says_alone(&words.text, material.language()) { 0.3 * k as f32 } else { 2.5 };
            out.push(Candidate::new(Unit::Sentence(words), words.span.start, 5.0 - less));
        }
    }
    out.sort_by(|a, b| b.want.total_cmp(&a.want).then(a.at.cmp(&b.at)));
    out.iter_mut().enumerate().for_each(|(place, candidate)| candidate.place = place);
    out
}

/// What a point says on a page of its own.
#[derive(Clone, Copy)]
enum Says {
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
    let facts: Vec<Span> = announced.iter().flat_map(announced_spans).collect();
    let mut contrasts: Vec<(Candidate<'a>, f32)> = Vec::new();
    for (stat, score) in material.stats.iter().filter(|(s, _)| !facts.iter().any(|f| f.overlaps(s.span))) {
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
    contrasts.into_iter().enumerate().map(move |(k, (candidate, strength))| {
        let want = match k {
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
