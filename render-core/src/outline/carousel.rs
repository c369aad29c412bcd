//! A set of exactly n pages: a cover, the points of the source with their support, and a recap with
//! the call to action.

use std::collections::BTreeSet;
use std::ops::Range;

use super::candidates::{self, Candidate, FULL, Known, LISTED, NAMED, Says, Spread, Unit};
use super::material::{Material, Topic};
use super::offers::{self, Entry};
use super::single::left_out;
use super::support::{self, Around};
use super::tone::Budget;
use super::{ItemCopy, Outline, PageKind, PageOutline, Request, TooLittle, closing, gates, series, structure};
use crate::cancel;
use crate::content::spans::Spans;
use crate::content::{BlockKind, Language, Sourced, Span, segment, words};
use crate::format::Format;

/// Most points that share a page, and most points of a text whose points are combined.
const SHARED: usize = 6;
const COMBINED: usize = 60;
/// Most words of a heading that only names something.
const LABEL: usize = 2;
/// Opening words of English headings that name a section and claim nothing, and the word count from
/// which such a heading may still be a claim.
const NAMES: &str = "the|a|an|how|what|why|where|who|when|our|about|some|first|introduction|but|and|or|for|from|with";
const SENTENCE: usize = 8;
/// Endings of English nouns that name a section.
const NOUNS: [&str; 10] = ["tion", "sion", "ment", "ness", "ency", "ance", "ence", "ship", "ing", "ity"];
/// Score that support adds to a point, and cost of each further point of a list.
const SUPPORTED: f32 = 0.5;
const CROWD: f32 = 0.4;

/// Returns the outline of `n` pages; `None` where the document has no content.
///
/// # Errors
/// [`TooLittle`] if some of the pages would be empty or repeat others.
pub(super) fn outline(request: &Request<'_>, n: u32) -> Result<Option<Outline>, TooLittle> {
    let offers = offers::of(request.document);
    let material =
        Material::of_set(request.document, &offers, Budget::of(request.format.density, &request.document.language));
    if material.cover().title.is_none() {
        return Ok(None);
    }
    let known = Known::of(&material);
    let carried = |n: u32| {
        cancel::check();
        let set =
            |apart: bool, split: bool| set(&material, &known, request.format, Spread { n, apart, split, ends: false });
        // Lists are split last: a few of their items say less than all of them.
        let apart = |made: u32| set(true, false).map_err(|apart| made.max(apart));
        set(false, false).or_else(apart).or_else(|made| set(true, true).map_err(|split| made.max(split)))
    };
    // Material that fills some pages of a set may not fill a set of that many pages.
    let fewer = |made: u32| (1..=made.min(n - 1)).rev().find(|fewer| carried(*fewer).is_ok());
    carried(n).map(Some).map_err(|made| TooLittle { carries: fewer(made).unwrap_or(1) })
}

/// Builds a set of pages. Fails with the number of pages that the material fills if that is not all
/// of them.
fn set(material: &Material<'_>, known: &Known, format: &Format, spread: Spread) -> Result<Outline, u32> {
    let n = spread.n;
    let mut pages = vec![material.cover()];
    let points = material.topics.len() as u32;
    // With exactly one page per point, the last point closes the set and carries the call to
    // action.
    let exact = n >= FULL && points == n - 1;
    // Questions summarise nothing.
    let says = |i: usize| !matches!(known.says[i], Says::Label);
    let closing = closing::page(material, says).filter(|_| !material.asks());
    // A single line is no recap; the call to action goes on the last point's page.
    let closing = closing.filter(|page| page.items.len() >= 2 || n < FULL);
    // Two lines close a short set; in a long one they leave a page nearly empty.
    let full = closing.as_ref().is_some_and(|page| page.items.len() >= LISTED || page.cta.is_some());
    // A single point is not repeated.
    let several = closing.is_some() && (points >= 2 || material.call().is_some());
    let recap = several && (n == 2 || n >= FULL && full && !exact);
    let slots = (n as usize).saturating_sub(1 + usize::from(recap));
    let ends = n >= FULL && !recap && !exact && !material.counts();
    let (bodies, missing) = settled(material, known, &pages[0], slots, Spread { ends, ..spread });
    pages.extend(bodies);
    // A recap closes a short set if nothing else fills its last page.
    let recap = recap || several && n > 1 && pages.len() == slots;
    let made = pages.len() as u32 + u32::from(recap);
    if made < n {
        return Err(made);
    }
    if recap {
        // The recap summarises the pages only if they have several points.
        let shown = |i: usize| says(i) && !missing.contains(&&material.topics[i].point.head);
        let all = (0..material.topics.len()).filter(|i| shown(*i)).count();
        // A recap of a few out of many points is no summary.
        let sums_up = |page: &PageOutline| page.items.len() >= LISTED && 3 * page.items.len() >= 2 * all;
        let told = closing::page(material, shown).filter(sums_up);
        // Date and place of an event are already on its page. Recap lines that are sentences of the
        // text would repeat them.
        let facts =
            |page: &PageOutline| matches!(page.kind, PageKind::Event | PageKind::Offer | PageKind::Announcement);
        let repeats = material.is_prose() || pages.iter().any(facts);
        let apart = || (!spread.apart).then_some(Spread { apart: true, ..spread });
        // For most languages, headings that claim something can't be detected.
        let ends = material.language().primary() != "en" && material.document.ending.is_some();
        if (repeats || ends || told.as_ref().is_none_or(|page| labels(page, material.language())))
            && !material.counts()
            && n >= FULL
            && let Some(whole) = without_recap(material, known, format, spread)
                .or_else(|| without_recap(material, known, format, apart()?))
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

/// Returns whether the lines of a recap only name sections of the source: more than a third are
/// single words, questions, or titles as in a table of contents ("First steps", "The role of the
/// crew"). In Slavic languages two words can be an instruction: "Чините вместе".
fn labels(page: &PageOutline, language: &Language) -> bool {
    let english = language.primary() == "en";
    let names = |item: &&ItemCopy| {
        let text = item.head.wordings.first().map_or("", String::as_str);
        let slavic = words::has("ru uk pl cs sk sl hr sr bg", language.primary());
        let least = if slavic || text.chars().any(words::is_unspaced) { 2 } else { NAMED };
        // "Making debt visible" names the topic of a section.
        let first = text.split_whitespace().next().unwrap_or("");
        let opens = words::opens_with(NAMES, text) || first.len() > "thing".len() && first.ends_with("ing");
        let last = text.rsplit(' ').next().unwrap_or("");
        let noun = segment::count_words(text) <= NAMED + 1 && NOUNS.iter().any(|ending| last.ends_with(ending));
        // "On why one waits" names the topic of an answer.
        let about = words::opens_with("on", text);
        // "Responsive, inclusive design" has no function word, so it makes no claim, and "We can help" claims too little.
        let own = segment::words_of(text);
        let holds = own.iter().any(|word| words::is_function("en", word));
        let spoken = own.iter().any(|word| words::has("we you i they you're we're you’re we’re", word));
        let slogan = segment::count_words(text) <= NAMED && (!holds || spoken);
        let named = english && (opens && segment::count_words(text) < SENTENCE || noun || about || slogan);
        segment::count_words(text) < least || named || text.ends_with(['?', '？', '؟'])
    };
    3 * page.items.iter().filter(names).count() > page.items.len()
}

/// Returns the set with another page of the source in place of the recap; `None` where the source
/// has none.
fn without_recap(material: &Material<'_>, known: &Known, format: &Format, spread: Spread) -> Option<Outline> {
    let mut pages = vec![material.cover()];
    let spread = Spread { ends: true, ..spread };
    let (bodies, missing) = settled(material, known, &pages[0], spread.n as usize - 1, spread);
    pages.extend(bodies);
    if let Some(last) = pages.last_mut() {
        last.cta = material.call();
    }
    let warnings = left_out(&missing, Some(format)).into_iter().collect();
    (pages.len() == spread.n as usize).then_some(Outline { pages, warnings })
}

/// Returns the pages between cover and recap, and the heads of the points that are on none of them.
/// A candidate whose page is rejected is replaced by the next one.
fn settled<'a>(
    material: &Material<'a>,
    known: &Known,
    cover: &PageOutline,
    slots: usize,
    spread: Spread,
) -> (Vec<PageOutline>, Vec<&'a Sourced>) {
    let all = candidates::all(material, known, spread);
    let mut rejected = BTreeSet::new();
    loop {
        cancel::check();
        let (chosen, missing) =
            bodies(material, known, (slots, spread.ends), all.iter().copied().filter(|c| !rejected.contains(&c.place)));
        let mut pages = build_pages(material, &chosen);
        if material.tone().exact {
            return (pages, missing);
        }
        // No counted point may be missing, and points that share pages are the whole text.
        let least = chosen.iter().map(|c| match c.unit {
            Unit::Group(..) => 0,
            Unit::Topic(_) if material.counts() => 0,
            _ => spread.least(),
        });
        let stand = gates::settle(cover, pages.iter_mut().zip(least), material.language());
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

/// Builds the pages of units. Words that one page owns appear on no other.
fn build_pages(material: &Material<'_>, chosen: &[Candidate<'_>]) -> Vec<PageOutline> {
    let owned: Vec<Vec<Span>> = chosen.iter().map(|c| c.unit.own_spans(material)).collect();
    let mut pages: Vec<PageOutline> = Vec::with_capacity(chosen.len());
    for (place, candidate) in chosen.iter().enumerate() {
        let others = owned.iter().enumerate().filter(|(other, _)| *other != place);
        let taken: Spans = others.flat_map(|(_, spans)| spans.iter().copied()).collect();
        // A sentence with a page of its own follows what stands before it in the source: no later sentence stands here.
        let ends = match chosen.get(place + 1).map(|next| next.unit) {
            Some(Unit::Sentence(next)) => next.span.start,
            _ => u32::MAX,
        };
        let around = Around { taken: &taken, ends, before: pages.last() };
        pages.push(series::in_rows(page(material, candidate.unit, &around), material.tone()));
    }
    pages
}

fn page(material: &Material<'_>, unit: Unit<'_>, around: &Around<'_>) -> PageOutline {
    match unit {
        Unit::Topic(i) => support::page(material, &material.topics[i], around),
        Unit::Aside(topic) => support::page(material, &topic, around),
        Unit::Part(topic, lead) => {
            let page = support::page(material, &topic, around);
            let lead = lead.and_then(|lead| material.lead_over(lead));
            PageOutline { kicker: lead.or_else(|| page.kicker.clone()), ..page }
        }
        Unit::Group(from, to) => {
            let group = &material.topics[from..to];
            // A heading of one or two words without text says little next to points that are
            // explained.
            let names = |topic: &Topic<'_>| segment::count_words(&topic.point.head.text) <= LABEL;
            let told = |topic: &&Topic<'_>| {
                topic.number.is_some() || topic.is_sentence() || !topic.point.body.is_empty() || !names(topic)
            };
            let told: Vec<&Topic<'_>> = group.iter().filter(told).collect();
            let shown: Vec<&Topic<'_>> = match told[..] {
                [one] if !material.tone().exact && group.len() > 1 => return support::page(material, one, around),
                [_, _, ..] if !material.tone().exact => told,
                _ => group.iter().collect(),
            };
            let list = material.list(None, shown.iter().map(|topic| topic.item()), 0.6);
            // The numerals of a grouped page continue from the previous page. The set's title is
            // its kicker.
            let number = group.first().and_then(|t| t.number);
            PageOutline { number, kicker: material.kicker(), title: None, ..list }
        }
        Unit::Stat(stat, score) => PageOutline { kicker: material.over(stat.label.span), ..material.stat(stat, score) },
        Unit::Saying(saying) => PageOutline { kicker: material.over(saying.text.span), ..material.quoted(&saying) },
        Unit::List(list, items) => {
            let page = material.list(list.title.as_ref(), items.iter().map(Entry::item), 0.6);
            // A sentence that is too long for a headline still introduces the items.
            let introduces = |title: &&Sourced| title.text.ends_with([':', '：']) && page.title == material.title();
            let lead = list.lead.as_ref().or_else(|| list.title.as_ref().filter(introduces));
            PageOutline { body: lead.and_then(|lead| material.lead(lead)), ..page }
        }
        Unit::Structure(block) => {
            let page = structure::page(material, block).unwrap_or_else(|| material.cover());
            // The cover already shows the text under the title.
            let body = page.body.filter(|_| !matches!(block.kind, BlockKind::Announcement(_)));
            PageOutline { kicker: page.kicker.or_else(|| material.kicker()), body, ..page }
        }
        Unit::Figures => structure::figures(material).unwrap_or_else(|| material.cover()),
        Unit::Sentence(words) => material.sentence(words),
    }
}

/// Chooses at most `slots` candidates for the body pages, in the source's order, and returns the
/// heads of the points that are on none of them. `all` are the candidates, highest priority first.
fn bodies<'a>(
    material: &Material<'a>,
    known: &Known,
    (slots, ends): (usize, bool),
    all: impl Iterator<Item = Candidate<'a>>,
) -> (Vec<Candidate<'a>>, Vec<&'a Sourced>) {
    if slots == 0 {
        // Two pages: the recap names the points; points beyond its limit are lost.
        return (Vec::new(), Vec::new());
    }
    let topics = &material.topics;
    if topics.len() > slots {
        // Only some sentences of prose are chosen, but every point with a heading is shown. Answers
        // stay with their questions and speakers, or are left out.
        let headed = topics.iter().filter(|t| !t.is_sentence()).count();
        let groups = match material.counts() {
            true => Some(grouped(material, slots)),
            false if material.asks() || material.is_interview() => None,
            false if 3 * headed >= 2 * topics.len() => {
                let closing = candidates::closing(material).filter(|_| ends && slots > LISTED);
                let points = combined(material, slots - usize::from(closing.is_some()));
                points.map(|points| points.into_iter().chain(closing).collect())
            }
            false => None,
        };
        if let Some(groups) = groups {
            return (groups, Vec::new());
        }
    }
    let mut chosen: Vec<Candidate<'a>> = Vec::new();
    let mut shown = Spans::default();
    for candidate in all {
        if chosen.len() == slots {
            break;
        }
        // A sentence that is a stat's label or an item of a list would appear twice.
        let own = candidate.unit.own_spans(material);
        if !own.iter().any(|span| shown.overlap(*span)) {
            own.into_iter().for_each(|span| shown.push(span));
            chosen.push(candidate);
        }
    }
    let missing: Vec<&'a Sourced> = (0..topics.len())
        .filter(|i| material.counts() || !matches!(known.says[*i], Says::Label))
        .filter(|i| {
            // A point that opens with a chosen figure is on that figure's page.
            !shown.overlap(topics[*i].point.head.span)
        })
        .map(|i| &topics[i].point.head)
        .collect();
    chosen.sort_by_key(|c| c.at);
    (chosen, missing)
}

/// Combines counted points when there are fewer pages than points: neighbours share a page.
fn grouped<'a>(material: &Material<'a>, slots: usize) -> Vec<Candidate<'a>> {
    let n = material.topics.len();
    // Later groups are larger, so that a set opens with single points.
    units((0..slots).map(|k| k * n / slots..(k + 1) * n / slots).collect())
}

/// Combines points when there are fewer pages than points: neighbours with the lowest scores share
/// a page. Returns `None` if a page would hold more points than a list allows.
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
        // A page of two points is a pair and no list; a page of many says little about each.
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
