//! Scores how well charts suit a page: what can be counted, measured, ranked or followed over time without claiming
//! more than the source does.

use crate::format::Format;
use crate::outline::{Copy, ItemCopy, PageKind, PageOutline, in_order};

/// Number of rows of a single line, and of several lines, which already show a development with two rows.
const COURSE: std::ops::RangeInclusive<usize> = 4..=60;
const COURSES: std::ops::RangeInclusive<usize> = 2..=60;
/// Number of bars that are read at a glance, and number of bars that can be told apart.
const RANKED: std::ops::RangeInclusive<usize> = 3..=8;
const BARS: std::ops::RangeInclusive<usize> = 2..=24;
/// Most series that can be told apart by the labels at their ends.
const SERIES: usize = 3;
/// Largest number with a usable scale.
const MOST: f64 = 1e15;

/// Returns the items that have numbers, if all of them are finite.
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

/// Scores two figures of one unit and one sign.
pub(super) fn pair(said: &PageOutline) -> Option<f32> {
    let rows = rows(said)?;
    let [first, second] = rows.as_slice() else { return None };
    let unit = |row: &ItemCopy| row.cells.get(1).map(|c| words(c).to_owned());
    let sound = |row: &ItemCopy| row.numbers.len() == 1 && row.numbers[0] >= 0.0 && !row.cells.is_empty();
    let one_unit = said.kind != PageKind::Figures || unit(first) == unit(second);
    let some = first.numbers[0] > 0.0 || second.numbers[0] > 0.0;
    let alone = said.items.len() == 2;
    (sound(first) && sound(second) && one_unit && some && alone).then_some(0.9)
}

/// Scores three to six figures, each with a label.
pub(super) fn figures(said: &PageOutline) -> Option<f32> {
    const MOST: usize = 6;
    let short = |i: &ItemCopy| letters(&i.cells[0]) <= 12 && letters(&i.head) <= 48;
    let rows = rows(said)?;
    let all = rows.len() == said.items.len() && rows.iter().all(|r| !r.cells.is_empty());
    ((3..=MOST).contains(&rows.len()) && all).then(|| if rows.iter().all(|r| short(r)) { 0.8 } else { 0.4 })
}

/// Scores values of one to three series along an ordered axis.
pub(super) fn course(said: &PageOutline) -> Option<f32> {
    let rows = rows(said)?;
    let series = rows.iter().map(|r| r.numbers.len()).max()?;
    let count = if series == 1 { COURSE } else { COURSES };
    let named = series == 1 || said.groups.len() >= series;
    let scaled = rows.iter().all(|r| r.numbers.iter().all(|n| n.abs() <= MOST));
    let notes = said.items.len() - rows.len();
    if !count.contains(&rows.len()) || series > SERIES || !named || !scaled || notes > 3 {
        return None;
    }
    // A single line between unordered things suggests a path from one to the next; several lines at least compare
    // series.
    let ordered = in_order(rows.iter().map(|r| words(&r.head)));
    let short = rows.iter().all(|r| letters(&r.head) <= 24);
    match (ordered && short, series) {
        (true, _) => Some(if rows.len() >= 6 || series > 1 { 0.9 } else { 0.7 }),
        (false, 1) => None,
        (false, _) => Some(0.2),
    }
}

/// Scores values of one series over a few things.
pub(super) fn ranking(said: &PageOutline, format: &Format) -> Option<f32> {
    let rows = rows(said)?;
    let tall = format.size_du().aspect() < 0.7;
    let one = rows.len() == said.items.len() && rows.iter().all(|r| r.numbers.len() == 1 && !r.cells.is_empty());
    let short = rows.iter().all(|r| letters(&r.head) <= 44 && r.cells.first().is_none_or(|cell| letters(cell) <= 16));
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
    use super::super::choice::fit;
    use super::super::facts::Around;
    use super::*;
    use crate::content::Span;
    use crate::design::Template;
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

    #[test]
    fn rows_without_written_values_are_no_ranking() {
        let mut said = series(&["January", "April", "August"], 1);
        said.items.iter_mut().for_each(|item| item.cells.clear());
        assert_eq!(ranking(&said, Format::by_id("instagram_post").unwrap()), None);
    }

    /// Returns the chart that suits a page best on a tall post.
    fn best(said: &PageOutline) -> Option<&'static str> {
        let format = Format::by_id("instagram_post").expect("in the catalogue");
        let scored = Template::all().filter_map(|t| Some((fit(t, said, format, Around::default())?, t)));
        scored.max_by(|a, b| a.0.total_cmp(&b.0)).map(|(_, t)| t.name())
    }

    #[test]
    fn time_is_a_line_and_towns_are_ranked() {
        let years = ["2019", "2020", "2021", "2022", "2023", "2024"];
        assert_eq!(best(&series(&years, 1)), Some("line-chart"));
        assert_eq!(best(&series(&years, 3)), Some("line-chart"));
        assert_eq!(best(&series(&["Berlin", "Paris", "Rome", "Oslo", "Bern"], 1)), Some("bar-rank"));
        assert_eq!(best(&series(&["Before", "After"], 1)), Some("before-after"));
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
        assert_eq!(best(&said), Some("line-chart"));
    }

    #[test]
    fn shares_are_counted_where_they_are_few() {
        assert_eq!(best(&stat("3 in 4", "", 0.75, "people agree")), Some("pictogram"));
        assert_eq!(best(&stat("4", "%", 4.0, "of rain sinks in")), Some("pictogram"));
        let most = best(&stat("62.5", "%", 62.5, "of rain is lost"));
        assert!(matches!(most, Some("donut" | "fill-stat")), "{most:?}");
        assert_eq!(best(&stat("62", "%", 62.0, "less water")), Some("big-stat"), "no share of anything");
    }
}
