//! A set of exactly n pages: a cover, the points of the source with what supports them, and a recap with the call to action.

use std::collections::BTreeSet;
use std::ops::Range;

use super::material::{Material, STRONG_QUOTE, STRONG_STAT, Saying, Topic};
use super::offers::{self, Entry};
use super::said::Said;
use super::single::left_out;
use super::support::{self, Around};
use super::wording::Budget;
use super::{Outline, PageOutline, Request, gates, structure};
use crate::cancel;
use crate::content::spans::Spans;
use crate::content::{Block, BlockKind, Sourced, Span, Stat};
use crate::content::{comes_apart, segment, words};
use crate::format::Format;
use crate::warning::{Warning, WarningCode};

/// Pages from which a set has a recap and a contrast page.
const FULL: u32 = 5;
/// Pages from which a set can hold a second contrast page.
const LONG: u32 = 8;
/// Most points that share a page, and most of a text whose points are combined.
const SHARED: usize = 6;
const COMBINED: usize = 60;
/// Points from which a shared page is a list.
const LISTED: usize = 3;
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
    /// A list inside the text.
    List(Option<&'a Sourced>, &'a [Entry]),
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
}

/// The outline of `n` pages, or `None` where the document says nothing.
pub(super) fn outline(request: &Request<'_>, n: u32) -> Option<Outline> {
    let offers = offers::of(request.document);
    let material = Material::of_set(request.document, &offers, Budget::of(request.format.density));
    let cover = material.cover();
    cover.title.as_ref()?;
    let mut warnings = Vec::new();
    let mut pages = vec![cover];
    let points = material.topics.len() as u32;
    // One point a page and no more: the last of them closes the set and carries the call.
    let exact = n >= FULL && points == n - 1;
    // One thing alone is not said again.
    let several = points >= 2 || material.call().is_some();
    let recap = n == 2 || (n >= FULL && !exact && several);
    let slots = (n as usize).saturating_sub(1 + usize::from(recap));
    let (chosen, missing) = bodies(&material, slots, n);
    warnings.extend(left_out(&missing, Some(request.format)));
    pages.extend(told(&material, &chosen));
    if !material.tone().exact {
        gates::settle(&mut pages);
    }
    warnings.extend(split(&material, request.format, &mut pages, slots + 1));
    if recap {
        pages.push(material.recap());
    } else if n > 1
        && let Some(last) = pages.last_mut()
    {
        last.cta = material.call();
    }
    Some(Outline { pages, warnings })
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
            Self::Aside(topic) => Some(topic.point.head.span),
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
        Unit::Group(from, to) => {
            let group = &material.topics[from..to];
            let list = material.list(None, group.iter().map(Topic::item), 0.6);
            // The numerals of a grouped page go on where the page before stopped. The set's title stands over it small.
            let number = group.first().and_then(|t| t.number);
            PageOutline { number, kicker: material.kicker(), title: None, ..list }
        }
        Unit::Stat(stat, score) => PageOutline { kicker: material.kicker(), ..material.stat(stat, score) },
        Unit::Saying(saying) => PageOutline { kicker: material.kicker(), ..material.quoted(&saying) },
        Unit::List(title, items) => material.list(title, items.iter().map(Entry::item), 0.6),
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
fn bodies<'a>(material: &Material<'a>, slots: usize, n: u32) -> (Vec<Candidate<'a>>, Vec<&'a Sourced>) {
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
            false if 3 * headed >= 2 * topics.len() => combined(material, slots),
            false => None,
        };
        if let Some(groups) = groups {
            return (groups, Vec::new());
        }
    }
    let mut all = candidates(material, n);
    // Points come first; what else the source offers fills the pages that they leave.
    all.sort_by(|a, b| b.want.total_cmp(&a.want).then(a.at.cmp(&b.at)));
    let mut chosen: Vec<Candidate<'a>> = Vec::new();
    let mut shown_too: Vec<Candidate<'a>> = Vec::new();
    for candidate in all {
        if chosen.len() == slots {
            break;
        }
        // A sentence that is a stat's label or stands in a list would be said twice.
        let own = candidate.unit.own_span(material);
        let twice = own.is_some_and(|s| chosen.iter().filter_map(|c| c.unit.own_span(material)).any(|o| o.overlaps(s)));
        if !twice {
            chosen.push(candidate);
        } else if matches!(candidate.unit, Unit::Stat(..)) {
            shown_too.push(candidate);
        }
    }
    // Where there are pages to spare, a figure that a point states is shown large as well.
    let spare = slots.saturating_sub(chosen.len());
    chosen.extend(shown_too.into_iter().take(spare));
    let missing: Vec<&'a Sourced> = (0..topics.len())
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
        Candidate { unit, at, want: 1.0 }
    };
    groups.into_iter().map(unit).collect()
}

/// Everything of which a page of its own can be made in a carousel of `n` pages.
fn candidates<'a>(material: &Material<'a>, n: u32) -> Vec<Candidate<'a>> {
    let mut out = Vec::new();
    for (i, topic) in material.topics.iter().enumerate() {
        // None of a counted list may go missing.
        let want = if material.counts() { 20.0 } else { 10.0 + topic.score };
        out.push(Candidate { unit: Unit::Topic(i), at: topic.point.head.span.start, want });
    }
    let first = out.iter().map(|c| c.at).min().unwrap_or(0);
    out.extend(contrasts(material, n));
    for aside in &material.asides {
        let at = aside.point.head.span.start;
        let stake = at < first;
        let want = if stake { 8.0 } else { 1.0 } + aside.score;
        out.push(Candidate { unit: Unit::Aside(*aside), at, want });
    }
    let told = listed_by_points(material);
    let (structures, shown) = structures(material, &told);
    out.extend(structures);
    if n >= LONG && !material.tone().exact && structure::figures(material).is_some() {
        let at = material.stats.iter().map(|(s, _)| s.span.start).min().unwrap_or(0);
        out.push(Candidate { unit: Unit::Figures, at, want: 6.8 });
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
            out.push(Candidate { unit: Unit::List(list.title.as_ref(), part), at, want });
        }
    }
    for topic in material.topics.iter().chain(&material.asides) {
        // The first sentence stays with its head; each further one is wanted less.
        for (k, words) in topic.point.body.iter().enumerate().skip(1) {
            let reads = if segment::count_words(&words.text) >= 4 { 0.0 } else { -1.0 };
            out.push(Candidate {
                unit: Unit::Sentence(words),
                at: words.span.start,
                want: 5.0 - 0.3 * k as f32 + reads,
            });
        }
    }
    out
}

/// The items that the pages of points show: a list or a structure among them needs no page of its own.
fn listed_by_points(material: &Material<'_>) -> Spans {
    let alone = Around { taken: Spans::NONE, before: None };
    let pages = material.topics.iter().map(|topic| support::page(material, topic, &alone));
    pages.flat_map(|page| page.items).filter_map(|item| item.head.span).collect()
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
        contrasts.push((Candidate { unit, at: stat.label.span.start, want: 2.0 + score }, score - STRONG_STAT));
    }
    for saying in material.sayings.iter().filter(|s| s.who.is_some() || material.tone().exact) {
        let unit = Unit::Saying(*saying);
        contrasts.push((
            Candidate { unit, at: saying.text.span.start, want: 2.5 + saying.score },
            saying.score - STRONG_QUOTE,
        ));
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
/// said, and so are the words around the block.
/// What the pages of points show already is left out.
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
            out.push(Candidate { unit: Unit::Structure(block), at: span.start, want });
            shown.push(span);
        }
    }
    (out, shown)
}

/// Where the facts stand that an announcement's page shows.
fn announced_spans(page: &PageOutline) -> impl Iterator<Item = Span> {
    page.items.iter().filter_map(|item| item.head.span).chain(page.figure.as_ref().map(|f| f.span))
}

/// Fills a set that the source's points, figures and sentences don't fill: heads and their support come apart, then
/// clauses. A source that says less than that repeats itself; the count is kept and the reader told.
fn split(material: &Material<'_>, format: &Format, pages: &mut Vec<PageOutline>, count: usize) -> Option<Warning> {
    let short = count.checked_sub(pages.len()).filter(|short| *short > 0)?;
    let message = format!(
        "The text makes {}; {short} of the pages asked for in {} say less than they could. Fewer slides or a longer text \
         would read better.",
        match material.topics.len() {
            1 => "one point".to_owned(),
            points => format!("{points} points"),
        },
        format.id
    );
    let warning = Some(Warning::new(WarningCode::FewPoints, message));
    // From the back, so that indices before stay true.
    let mut i = pages.len();
    while i > 1 && pages.len() < count {
        i -= 1;
        // A page without a headline is its text.
        if pages[i].title.is_none() {
            continue;
        }
        if let Some(body) = pages[i].body.take() {
            let text = body.wordings.first().cloned().unwrap_or_default();
            let words = Sourced { text, span: body.span.unwrap_or(Span { start: 0, end: 0 }) };
            pages.insert(i + 1, material.sentence(&words));
            // What was split off can be split again.
            i += usize::from(pages[i + 1].body.is_some() && pages.len() < count) * 2;
        }
    }
    let mut said = Said::default();
    pages.iter().flat_map(words_of).for_each(|text| said.push(bare(text).chars()));
    let sources: Vec<Sourced> = material
        .document
        .dek
        .iter()
        .chain(material.lists.iter().flat_map(|l| l.entries.iter().map(|e| &e.point.head)))
        .chain(material.topics.iter().flat_map(|t| std::iter::once(&t.point.head).chain(&t.point.body)))
        .chain(std::iter::once(&material.document.title))
        .cloned()
        .collect();
    let mut seen = BTreeSet::new();
    for clause in sources.iter().flat_map(|s| clauses(material, s)) {
        cancel::tick();
        if pages.len() >= count {
            return warning;
        }
        let words = bare(&clause.text);
        if !seen.insert(words.clone()) {
            continue;
        }
        if !said.holds(&words) {
            said.push(words.chars());
            pages.push(material.sentence(&clause));
        }
    }
    // Now everything is said. What is said again comes in the source's order, but for the cover's title.
    let cover = words_of(&pages[0]).next().map(bare);
    let (own, others): (Vec<&Sourced>, Vec<&Sourced>) = sources.iter().partition(|s| cover == Some(bare(&s.text)));
    let mut again: Vec<&Sourced> = others;
    if again.len() < 2 {
        again.extend(own.first());
    }
    let last = pages.last().and_then(|p| words_of(p).next()).map(bare);
    // Never the same page twice in a row, where there is another.
    if again.len() > 1 && again.first().map(|s| bare(&s.text)) == last {
        again.rotate_left(1);
    }
    for k in 0..count.saturating_sub(pages.len()) {
        pages.push(again.get(k % again.len().max(1)).map_or_else(|| material.cover(), |s| material.sentence(s)));
    }
    warning
}

/// The fullest wording of a page's title and body.
fn words_of(page: &PageOutline) -> impl Iterator<Item = &str> {
    [&page.title, &page.body].into_iter().flatten().filter_map(|text| text.wordings.first().map(String::as_str))
}

/// Its letters and digits, as they are compared.
fn bare(text: &str) -> String {
    text.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

/// Sentences, and clauses that limit nothing of their sentence, of three words or more.
fn clauses(material: &Material<'_>, words: &Sourced) -> Vec<Sourced> {
    let lexicon = words::of(material.language().primary());
    let sentences = segment::sentences(&words.text, lexicon);
    let parts = sentences.into_iter().flat_map(|r| {
        let sentence = &words.text[r];
        let whole = std::iter::once(sentence);
        let clauses = sentence.split([';', ':', '–', '—']).filter(move |c| c.len() < sentence.len());
        whole.chain(clauses.filter(move |_| comes_apart(sentence, lexicon)))
    });
    parts
        .map(|c| c.trim().trim_end_matches(['.', ',']).trim())
        .filter(|c| segment::count_words(c) >= 3)
        .map(|c| Sourced { text: c.to_owned(), span: words.span })
        .collect()
}
