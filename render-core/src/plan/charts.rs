//! How well charts suit what a page says: what can be counted, measured, ranked or followed over time without claiming
//! more than the source does.

use crate::design::Archetype;
use crate::format::Format;
use crate::outline::{Copy, ItemCopy, PageKind, PageOutline, in_order, ratio};

/// Shares that a page can be filled to so that its figure stands across the line and words under it.
const FILLED: std::ops::RangeInclusive<f64> = 0.4..=0.9;
/// Per cents up to which a share is better counted than measured.
const FEW: f64 = 20.0;
/// Rows of a chart of lines, and of one of bars where the page is wide or a strip, and where it isn't.
const COURSE: std::ops::RangeInclusive<usize> = 4..=60;
const RANKED: std::ops::RangeInclusive<usize> = 3..=8;
/// Series that can be told apart by their ends.
const SERIES: usize = 3;
/// Numbers beyond this are none that a chart shows.
const MOST: f64 = 1e15;

/// How well a chart suits a page, 0–1; `None` where it can't show it, and for archetypes that are none.
pub(super) fn fit(archetype: Archetype, said: &PageOutline, format: &Format) -> Option<f32> {
    let area = format.safe_rect_du();
    let strip = area.w() / area.h() > 2.5;
    match archetype {
        Archetype::FillStat => fill(said, format),
        Archetype::Donut => said.share().map(|_| if strip { 0.3 } else { 0.55 }),
        Archetype::Pictogram => counted(said),
        Archetype::BeforeAfter => pair(said),
        Archetype::KpiBento => figures(said, strip),
        Archetype::LineChart => course(said),
        Archetype::BarRank => ranking(said, format),
        _ => None,
    }
}

/// Whether the page names its figure as a share in per cent that fills it well.
fn fill(said: &PageOutline, format: &Format) -> Option<f32> {
    let (share, figure) = (said.share()?, said.figure.as_ref()?);
    let short = figure.value.chars().count() <= 4;
    // A very wide page is a band with a line in it.
    let aspect = format.size_du().aspect();
    (figure.unit == "%" && FILLED.contains(&share) && short && aspect < 3.2).then_some(0.55)
}

/// How well a share is counted in units: as its own two numbers, or as a few of a hundred.
fn counted(said: &PageOutline) -> Option<f32> {
    let (share, figure) = (said.share()?, said.figure.as_ref()?);
    if let Some((_, of)) = ratio(&figure.value) {
        return Some(if of <= 20 { 0.9 } else { 0.7 });
    }
    let whole = figure.number.fract() == 0.0 && share < 1.0;
    whole.then_some(if figure.number <= FEW { 0.65 } else { 0.35 })
}

/// The items that have numbers, all of them sound.
fn rows(said: &PageOutline) -> Option<Vec<&ItemCopy>> {
    let rows: Vec<&ItemCopy> = said.items.iter().filter(|i| !i.numbers.is_empty()).collect();
    let sound = |n: &f64| n.is_finite() && n.abs() <= MOST;
    rows.iter().all(|r| r.numbers.iter().all(sound)).then_some(rows)
}

fn words(copy: &Copy) -> &str {
    copy.wordings.first().map_or("", String::as_str)
}

fn letters(copy: &Copy) -> usize {
    words(copy).chars().count()
}

/// Two figures of one unit and one sign.
fn pair(said: &PageOutline) -> Option<f32> {
    let rows = rows(said)?;
    let [first, second] = rows.as_slice() else { return None };
    let unit = |row: &ItemCopy| row.cells.get(1).map(|c| words(c).to_owned());
    let sound = |row: &ItemCopy| row.numbers.len() == 1 && row.numbers[0] >= 0.0 && !row.cells.is_empty();
    let one_unit = said.kind != PageKind::Figures || unit(first) == unit(second);
    let some = first.numbers[0] > 0.0 || second.numbers[0] > 0.0;
    let alone = said.items.len() == 2;
    (sound(first) && sound(second) && one_unit && some && alone).then_some(0.9)
}

/// Three to six figures, each with a word.
fn figures(said: &PageOutline, strip: bool) -> Option<f32> {
    let most = if strip { 4 } else { 6 };
    let short = |i: &ItemCopy| !i.cells.is_empty() && letters(&i.cells[0]) <= 10 && letters(&i.head) <= 48;
    let rows = rows(said)?;
    let all = rows.len() == said.items.len() && rows.iter().all(|r| short(r));
    ((3..=most).contains(&rows.len()) && all).then_some(0.8)
}

/// Values of one to three series over something that runs in order.
fn course(said: &PageOutline) -> Option<f32> {
    let rows = rows(said)?;
    let series = rows.iter().map(|r| r.numbers.len()).max()?;
    let named = series == 1 || said.groups.len() >= series;
    let short = rows.iter().all(|r| letters(&r.head) <= 24);
    let notes = said.items.len() - rows.len();
    if !COURSE.contains(&rows.len()) || series > SERIES || !named || !short || notes > 3 {
        return None;
    }
    // A line between towns claims a way from one to the next.
    let ordered = in_order(rows.iter().map(|r| words(&r.head)));
    match (ordered, series) {
        (true, _) => Some(if rows.len() >= 6 || series > 1 { 0.9 } else { 0.7 }),
        (false, 1) => None,
        (false, _) => Some(0.2),
    }
}

/// Values of one series over a few things.
fn ranking(said: &PageOutline, format: &Format) -> Option<f32> {
    let rows = rows(said)?;
    let tall = format.size_du().aspect() < 0.7;
    let one = rows.len() == said.items.len() && rows.iter().all(|r| r.numbers.len() == 1 && !r.cells.is_empty());
    let short = rows.iter().all(|r| letters(&r.head) <= 44 && letters(&r.cells[0]) <= 16);
    let fits = RANKED.contains(&rows.len()) || tall && (3..=12).contains(&rows.len());
    let ordered = in_order(rows.iter().map(|r| words(&r.head)));
    (one && short && fits).then_some(if ordered { 0.65 } else { 0.9 })
}
