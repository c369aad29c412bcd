//! Single pages that represent the whole source: every kind of page that the source fills and the format supports.

use super::material::{Material, STRONG_QUOTE, STRONG_STAT, Topic};
use super::offers::{self, Entry};
use super::tone::Budget;
use super::{Outline, PageKind, PageOutline, Request, structure};
use crate::cancel;
use crate::content::spans::Spans;
use crate::content::{BlockKind, Sourced, guard};
use crate::format::{Density, Format, Purpose};
use crate::warning::{Warning, WarningCode, quoted};

/// Fewest points of a list.
const LEAST: usize = 2;
/// Aspect ratio from which a page is a strip, and the penalty of a list of several items there.
const STRIP: f32 = 5.0;
const CROWDED: f32 = 0.4;
/// Least score of a list page that is the whole text: above a cover's, which would leave the list out.
const LISTED: f32 = 0.72;
/// Most items of a list that fits on every page.
const SHORT: usize = 3;
/// Penalty of a page that leaves out points which another page shows.
const LOSS: f32 = 0.12;
/// Number of points that are tried as pages of their own.
const POINTS: usize = 3;

pub(super) fn outlines(request: &Request<'_>) -> Vec<Outline> {
    let offers = offers::of(request.document);
    let material =
        Material::of(request.document, &offers, Budget::of(request.format.density, &request.document.language));
    let purpose = request.format.purpose;
    let mut out: Vec<Outline> = pages(&material, request.format.density)
        .into_iter()
        .filter(|page| page.title.is_some() && !is_headless(&material, page))
        .map(|mut page| {
            // A strip has room for a line or two: a statement, but no list.
            let crowded = if page.items.len() > 1 && request.format.size_du().aspect() > STRIP { CROWDED } else { 0.0 };
            page.score = (page.score + favour(purpose, page.kind) - crowded).clamp(0.0, 1.0);
            let warnings = left_out(&unsaid(&material, &page), None).into_iter().collect();
            Outline { pages: vec![page], warnings }
        })
        .collect();
    // A purpose restricts the kinds of page if the source has content for one of them.
    let serves = |o: &Outline| o.pages.iter().all(|p| made_for(purpose).contains(&p.kind));
    if out.iter().any(serves) {
        out.retain(serves);
    }
    // If one page holds all items of a short list, pages with a single item are dropped. A text that introduces its
    // points may still get a cover.
    let introduced = request.document.dek.is_some()
        || request.document.blocks.iter().any(|b| matches!(b.kind, BlockKind::Hook(_) | BlockKind::Quote { .. }));
    if material.topics.len() <= SHORT && !introduced && out.iter().any(|o| o.warnings.is_empty()) {
        out.retain(|o| o.warnings.is_empty());
    }
    // If one page shows every point, pages that leave some out get a penalty.
    if out.iter().any(|o| o.warnings.is_empty()) {
        out.iter_mut().filter(|o| !o.warnings.is_empty()).flat_map(|o| &mut o.pages).for_each(|p| p.score -= LOSS);
    }
    let score = |o: &Outline| o.pages.first().map_or(0.0, |p| p.score);
    out.sort_by(|a, b| score(b).total_cmp(&score(a)));
    out
}

/// Returns whether a page of one point omits the text's title because the title is too long for a kicker.
fn is_headless(material: &Material<'_>, page: &PageOutline) -> bool {
    let pointed = matches!(page.kind, PageKind::Point | PageKind::Step);
    pointed && page.kicker.is_none() && material.title().is_some()
}

/// Returns the heads of points and list items that a page doesn't show, in order.
fn unsaid<'a>(material: &Material<'a>, page: &PageOutline) -> Vec<&'a Sourced> {
    let texts: Vec<String> = page.texts().map(|text| guard::folded(text).collect()).collect();
    let spans: Spans = page.copies().filter_map(|c| c.span).chain(page.figure.as_ref().map(|f| f.span)).collect();
    let items = material.lists.iter().flat_map(|l| l.entries.iter().map(|e| &e.point));
    let mut heads: Vec<&'a Sourced> = material.topics.iter().map(|t| t.point).chain(items).map(|p| &p.head).collect();
    heads.retain(|head| {
        cancel::tick();
        let folded: String = guard::folded(&head.text).collect();
        !spans.overlap(head.span) && !texts.iter().any(|text| text.contains(&folded))
    });
    heads.sort_by_key(|head| head.span.start);
    heads
}

fn pages(material: &Material<'_>, density: Density) -> Vec<PageOutline> {
    let mut out = Vec::new();
    let call = material.call();
    let with_call = |page: PageOutline| PageOutline { cta: call.clone(), ..page };
    out.push(with_call(material.cover()));
    if material.topics.len() >= LEAST {
        let points = listed(material);
        let counted = if material.counts() { 0.12 } else { 0.0 };
        let bodies = points.iter().filter(|t| !t.point.body.is_empty()).count() as f32 / points.len().max(1) as f32;
        let heads = points.iter().map(|t| t.point.head.text.chars().count()).sum::<usize>() / points.len().max(1);
        // Heads that are whole sentences make a page of prose, not a list.
        let terse = if heads <= 45 { 0.1 } else { -0.15 };
        let more = if matches!(density, Density::Poster | Density::Banner) { 0.0 } else { 0.1 };
        let score = 0.6 + counted + 0.05 * bodies + terse + more;
        let score = if material.listed { score.max(LISTED) } else { score };
        out.push(with_call(material.list(Some(&material.document.title), points.into_iter().map(Topic::item), score)));
    }
    for list in material.lists.iter().filter(|l| l.entries.len() >= LEAST) {
        // A list in a meaningful order is shown to its end, as far as the page has room.
        let most = if list.whole { material.budget.items.max(8) } else { material.budget.items };
        let items = &list.entries[..most.min(list.entries.len())];
        out.push(material.list(list.title.as_ref(), items.iter().map(Entry::item), 0.6));
    }
    out.extend(structured(material).into_iter().map(with_call));
    let mut best: Vec<_> = material.topics.iter().collect();
    best.sort_by(|a, b| b.score.total_cmp(&a.score));
    for topic in best.into_iter().take(POINTS) {
        let mut page = material.topic(topic, |_| true);
        // One of several counted points can't represent all of them.
        page.score = if topic.number.is_some() { 0.4 } else { 0.35 + 0.3 * topic.score };
        out.push(page);
    }
    for (stat, score) in material.stats.iter().filter(|s| s.1 >= STRONG_STAT - 0.15).take(2) {
        out.push(material.stat(stat, 0.25 + 0.45 * score));
    }
    for saying in material.sayings.iter().filter(|s| s.score >= STRONG_QUOTE - 0.15).take(2) {
        let mut page = material.saying(saying);
        page.score = 0.2 + 0.45 * saying.score;
        out.push(page);
    }
    out
}

/// Returns the pages that show a structure of the source. The larger its share of the source, the higher the score.
fn structured(material: &Material<'_>) -> Vec<PageOutline> {
    let length = |span: crate::content::Span| span.end.saturating_sub(span.start) as f32;
    let whole: f32 = material.document.blocks.iter().map(|b| length(b.span)).sum::<f32>().max(1.0);
    let pages = material.document.blocks.iter().filter_map(|block| {
        let page = structure::page(material, block)?;
        let share = length(block.span) / whole;
        Some(PageOutline { score: 0.5 + 0.38 * share + 0.06 * page.score, ..page })
    });
    let mut out: Vec<PageOutline> = pages.collect();
    // A single announcement page covers the whole text.
    let subject = |p: &PageOutline| matches!(p.kind, PageKind::Announcement | PageKind::Offer | PageKind::Event);
    for page in out.iter_mut().filter(|p| subject(p)) {
        page.score += 0.2;
    }
    out.extend(structure::figures(material).map(|p| PageOutline { score: 0.56 + 0.02 * p.items.len() as f32, ..p }));
    out
}

/// Returns the points of a list page, in order.
fn listed<'m, 'a>(material: &'m Material<'a>) -> Vec<&'m Topic<'a>> {
    let most = if material.counts() { material.budget.items.max(8) } else { material.budget.items };
    let mut order: Vec<usize> = (0..material.topics.len()).collect();
    if !material.counts() {
        order.sort_by(|a, b| material.topics[*b].score.total_cmp(&material.topics[*a].score));
    }
    order.truncate(most);
    order.sort_unstable();
    order.into_iter().map(|i| &material.topics[i]).collect()
}

/// Returns a warning that names the heads that no page shows: of the set in `format`, else of the single page that the
/// warning belongs to.
pub(super) fn left_out(words: &[&Sourced], format: Option<&Format>) -> Option<Warning> {
    if words.is_empty() {
        return None;
    }
    let heads = quoted(words.iter().map(|head| head.text.trim_end_matches('.')));
    let place = format.map_or(String::new(), |f| format!(" in {}", f.id));
    let message = format!("There was no room{place} for {heads}.");
    Some(Warning::new(WarningCode::ContentShortened, message))
}

/// Returns the kinds of page that serve a purpose.
pub(super) fn made_for(purpose: Purpose) -> &'static [PageKind] {
    use PageKind::{Announcement, Cover, Event, Figures, List, Offer, Point, Quote, Series, Stat, Table};
    match purpose {
        Purpose::Any => &PageKind::ALL,
        Purpose::Quote | Purpose::Testimonial => &[Quote],
        Purpose::Stat => &[Stat, Figures, Series],
        Purpose::Announcement => &[Cover, Announcement, Offer, Event],
        Purpose::Cover => &[Cover],
        Purpose::Document => &[
            List,
            Point,
            Table,
            Series,
            Figures,
            PageKind::Timeline,
            PageKind::Process,
            PageKind::Checklist,
            PageKind::Versus,
            PageKind::ProsCons,
            PageKind::Tree,
        ],
    }
}

fn favour(purpose: Purpose, kind: PageKind) -> f32 {
    match (purpose, kind) {
        (Purpose::Any, _) => 0.0,
        (Purpose::Document, PageKind::List) => 0.25,
        _ if made_for(purpose).contains(&kind) => 0.2,
        _ => 0.0,
    }
}
