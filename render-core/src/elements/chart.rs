//! `chart`: numbers as bars, lines, rings and dots, with direct labels.

use super::Made;
use super::charting::{Chart, bars, columns, donut, dots, lines, slope};
use crate::sheet::{Boxed, With};
use crate::tree::{Attribute, Element, Group, Holds, Kind, Node};

const ELEMENT: Element = Element {
    name: "chart",
    group: Group::Data,
    about: "numbers drawn to scale from items with label and value, or values for several series (named in series, \
            separated by |); accent is the series that counts, ranks puts 1 on top in a slope",
    holds: Holds::Only(&["item"]),
    attributes: &[
        Attribute::or("kind", KIND, "bar"),
        Attribute::new("series", Kind::Words),
        Attribute::new("unit", Kind::Words),
        Attribute::new("max", Kind::Number(0.0, 1e12)),
        Attribute::new("accent", Kind::Whole(1, 12)),
        Attribute::or("ranks", Kind::Flag, "false"),
    ],
};

const KIND: Kind = Kind::Choice(&["bar", "column", "grouped", "stacked", "line", "area", "donut", "slope", "dot"]);

pub const MADE: Made = Made { element: &ELEMENT, build_box: Some(build_box) };

fn build_box(node: &Node, with: &With<'_>) -> Boxed {
    let chart = Chart::of(node, with);
    if chart.entries.is_empty() {
        return Boxed::empty();
    }
    let negative = chart.numbers().any(|n| n < 0.0);
    let boxed = match node.get("kind").unwrap_or("bar") {
        "column" if !negative => columns::columns(&chart, with),
        "grouped" => bars::grouped(&chart, with),
        "stacked" => bars::stacked(&chart, with),
        "line" => lines::lines(&chart, false, with),
        "area" => lines::lines(&chart, true, with),
        "donut" => donut::donut(&chart, with),
        "slope" => slope::slope(&chart, node.flag("ranks"), with),
        "dot" => dots::dots(&chart, with),
        _ if chart.count() > 1 => bars::grouped(&chart, with),
        _ => bars::single(&chart, with),
    };
    boxed.growing(1.0)
}
