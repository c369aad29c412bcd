//! How well charts suit what a page says: what can be counted, measured, ranked or followed over time without claiming
//! more than the source does.

use crate::design::Archetype;
use crate::format::Format;
use crate::outline::{Copy, ItemCopy, PageKind, PageOutline, in_order, ratio};

/// Shares that a page can be filled to so that its figure stands across the line and words under it.
const FILLED: std::ops::RangeInclusive<f64> = 0.4..=0.9;
/// Per cents up to which a share is better counted than measured.
const FEW: f64 = 20.0;
/// Rows of one line, and of several, which show even with two what became of each.
const COURSE: std::ops::RangeInclusive<usize> = 4..=60;
const COURSES: std::ops::RangeInclusive<usize> = 2..=60;
/// Rows of bars that are read at a glance, and all that can be told apart.
const RANKED: std::ops::RangeInclusive<usize> = 3..=8;
const BARS: std::ops::RangeInclusive<usize> = 2..=24;
/// Series that can be told apart by their ends.
const SERIES: usize = 3;
/// Numbers beyond this have no scale.
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

/// The items that have numbers, all of them finite.
fn rows(said: &PageOutline) -> Option<Vec<&ItemCopy>> {
    let rows: Vec<&ItemCopy> = said.items.iter().filter(|i| !i.numbers.is_empty()).collect();
    rows.iter().all(|r| r.numbers.iter().all(|n| n.is_finite())).then_some(rows)
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
    let short = |i: &ItemCopy| letters(&i.cells[0]) <= 12 && letters(&i.head) <= 48;
    let rows = rows(said)?;
    let all = rows.len() == said.items.len() && rows.iter().all(|r| !r.cells.is_empty());
    ((3..=most).contains(&rows.len()) && all).then(|| if rows.iter().all(|r| short(r)) { 0.8 } else { 0.4 })
}

/// Values of one to three series over something that runs in order.
fn course(said: &PageOutline) -> Option<f32> {
    let rows = rows(said)?;
    let series = rows.iter().map(|r| r.numbers.len()).max()?;
    let count = if series == 1 { COURSE } else { COURSES };
    let named = series == 1 || said.groups.len() >= series;
    let scaled = rows.iter().all(|r| r.numbers.iter().all(|n| n.abs() <= MOST));
    let notes = said.items.len() - rows.len();
    if !count.contains(&rows.len()) || series > SERIES || !named || !scaled || notes > 3 {
        return None;
    }
    // A line between towns claims a way from one to the next; several are at least held apart by it.
    let ordered = in_order(rows.iter().map(|r| words(&r.head)));
    let short = rows.iter().all(|r| letters(&r.head) <= 24);
    match (ordered && short, series) {
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
    let few = RANKED.contains(&rows.len()) || tall && (3..=12).contains(&rows.len());
    let ordered = in_order(rows.iter().map(|r| words(&r.head)));
    (one && BARS.contains(&rows.len())).then_some(match (few && short, ordered) {
        (true, true) => 0.65,
        (true, false) => 0.9,
        (false, _) => 0.2,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::content::Span;
    use crate::outline::Figure;

    fn copy(text: &str) -> Copy {
        Copy { wordings: vec![text.to_owned()], span: None }
    }

    fn series(heads: &[&str], series: usize) -> PageOutline {
        let item = |(i, head): (usize, &&str)| ItemCopy {
            cells: (0..series).map(|j| copy(&(i + j).to_string())).collect(),
            numbers: (0..series).map(|j| (i + j) as f64).collect(),
            ..ItemCopy::new(copy(head), None)
        };
        PageOutline {
            items: heads.iter().enumerate().map(item).collect(),
            groups: (0..series).map(|j| copy(&format!("Series {j}"))).collect(),
            ..PageOutline::blank(PageKind::Series, 0.5)
        }
    }

    fn stat(value: &str, unit: &str, number: f64, label: &str) -> PageOutline {
        let figure = Figure { value: value.into(), unit: unit.into(), number, span: Span { start: 0, end: 0 } };
        PageOutline { title: Some(copy(label)), figure: Some(figure), ..PageOutline::blank(PageKind::Stat, 0.5) }
    }

    /// The chart that suits a page best on a tall post.
    fn best(said: &PageOutline) -> Option<Archetype> {
        let format = Format::by_id("instagram_post").expect("in the catalogue");
        let fitting = Archetype::ALL.into_iter().filter(|a| a.kinds().contains(&said.kind));
        let scored = fitting.filter_map(|a| Some((fit(a, said, format)?, a)));
        scored.max_by(|a, b| a.0.total_cmp(&b.0)).map(|(_, a)| a)
    }

    #[test]
    fn time_is_a_line_and_towns_are_ranked() {
        let years = ["2019", "2020", "2021", "2022", "2023", "2024"];
        assert_eq!(best(&series(&years, 1)), Some(Archetype::LineChart));
        assert_eq!(best(&series(&years, 3)), Some(Archetype::LineChart));
        assert_eq!(best(&series(&["Berlin", "Paris", "Rome", "Oslo", "Bern"], 1)), Some(Archetype::BarRank));
        assert_eq!(best(&series(&["Before", "After"], 1)), Some(Archetype::BeforeAfter));
    }

    #[test]
    fn every_series_that_the_source_can_have_is_some_chart() {
        let names: Vec<String> = (0..24).map(|i| format!("Town {}", char::from(b'A' + i))).collect();
        let years: Vec<String> = (0..24).map(|i| format!("{}", 2000 + i)).collect();
        for heads in [&names, &years] {
            for count in 2..=24 {
                for columns in 1..=3 {
                    let heads: Vec<&str> = heads.iter().take(count).map(String::as_str).collect();
                    assert!(best(&series(&heads, columns)).is_some(), "{count} rows of {columns}");
                }
            }
        }
    }

    #[test]
    fn numbers_that_are_none_are_no_chart() {
        for bad in [f64::NAN, f64::INFINITY] {
            let mut said = series(&["2019", "2020", "2021", "2022"], 1);
            said.items[1].numbers[0] = bad;
            assert_eq!(best(&said), None);
        }
        let mut said = series(&(0..70).map(|_| "2024").collect::<Vec<_>>(), 1);
        assert_eq!(best(&said), None);
        said.items.truncate(60);
        assert_eq!(best(&said), Some(Archetype::LineChart));
    }

    #[test]
    fn shares_are_counted_where_they_are_few() {
        assert_eq!(best(&stat("3 in 4", "", 0.75, "people agree")), Some(Archetype::Pictogram));
        assert_eq!(best(&stat("4", "%", 4.0, "of rain sinks in")), Some(Archetype::Pictogram));
        let most = best(&stat("62.5", "%", 62.5, "of rain is lost"));
        assert!(matches!(most, Some(Archetype::Donut | Archetype::FillStat)), "{most:?}");
        assert_eq!(best(&stat("62", "%", 62.0, "less water")), None);
    }
}
