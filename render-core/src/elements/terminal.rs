//! `terminal`: a dark window with lines of code.

use super::Made;
use super::material::screen;
use super::shared::text_box;
use crate::design::Voice;
use crate::scene::{Item, Point, Role, Size};
use crate::sheet::{Boxed, Justify, Place, Plan, Ranged, With, Words, mix};
use crate::text::Align;
use crate::tree::{Attribute, Element, Fit, Group, Holds, Kind, Node, Run, Step};

/// Prompts before a command.
const PROMPTS: [&str; 4] = ["$ ", "> ", "% ", "❯ "];
/// Prefixes of a comment.
const REMARKS: [&str; 2] = ["# ", "// "];

const ELEMENT: Element = Element {
    name: "terminal",
    group: Group::Devices,
    about: "a dark window of code, one line between each <br/>; \"$ \" begins a command, \"# \" a remark",
    holds: Holds::Words,
    attributes: &[Attribute::new("title", Kind::Words), Attribute::or("fit", Kind::Fit, "sm..lg")],
};

pub const MADE: Made = Made { element: &ELEMENT, build_box: Some(build_box) };

fn build_box(node: &Node, with: &With<'_>) -> Boxed {
    let ground = screen(with);
    let inner = with.on(ground);
    let (radius, pad) = (with.radius(0.8).min(with.step(5)), with.step(4));
    let lines = lines(&node.words).into_iter().enumerate().map(|(n, runs)| line(node, n + 1, runs, &inner));
    let body = Boxed::column(with.step(4), lines.collect()).padded(pad, pad);
    let bar = bar(node, &inner, radius, pad);
    Boxed::column(0.0, vec![bar, body]).filled(ground, radius).looking(|look| {
        look.border = with.outline();
        let by = with.theme().card.map_or(0.0, |card| card.shadow) * with.frame.k;
        // A shadow in the window's own colour would only make it look thicker.
        look.shadow = (by > 0.0 && with.inks.ink() != ground).then(|| (by, with.inks.ink()));
    })
}

/// The bar at the top: three dots, and the title.
fn bar(node: &Node, inner: &With<'_>, radius: f32, pad: f32) -> Boxed {
    let fill = mix(inner.inks.ink(), inner.inks.ground, 0.9);
    let on_bar = inner.on(fill);
    let dot = mix(on_bar.inks.ink(), fill, 0.66);
    let side = |step| 0.42 * inner.frame.size(step);
    let size = |step| Size::new(4.4 * side(step), side(step));
    let dots = Boxed::drawn(Ranged { min: size(Step::Xs), max: size(Step::Sm) }, move |rect| {
        let r = 0.5 * rect.h().min(rect.w() / 4.4);
        let at = |i: f32| Point::new(rect.x0 + r + 3.4 * r * i, rect.center().y);
        [0.0, 1.0, 2.0].map(|i| Item::circle(at(i), r, dot, Role::Mark)).to_vec()
    });
    let mut boxes = vec![dots.rigid()];
    if let Some(title) = node.get("title") {
        let plan = Plan { code: true, ink: Some(on_bar.inks.ink2()), ..Plan::at(Voice::Data, Step::Xs, 1) };
        boxes.push(text_box(title, &format!("{}.title", node.id), &on_bar, plan.fit(Step::Xs, Step::Sm)));
    }
    let above = inner.step(2) + 0.2 * inner.size(Step::Sm);
    let bar = Boxed::row(inner.step(3), Place::Center, boxes).padded(above, pad);
    bar.looking(|look| (look.fill, look.radii) = (Some(fill), [radius, radius, 0.0, 0.0]))
}

/// Splits the words at their line breaks.
fn lines(words: &[Run]) -> Vec<Vec<Run>> {
    let mut lines = vec![Vec::new()];
    for run in words {
        for (n, text) in run.text.split('\n').enumerate() {
            if n > 0 {
                lines.push(Vec::new());
            }
            if let (Some(line), false) = (lines.last_mut(), text.is_empty()) {
                line.push(Run { text: text.to_owned(), marks: run.marks });
            }
        }
    }
    lines
}

fn line(node: &Node, n: usize, mut runs: Vec<Run>, inner: &With<'_>) -> Boxed {
    let first = runs.first().map_or("", |run| run.text.as_str());
    let prompt = PROMPTS.into_iter().find(|p| first.starts_with(p));
    let remark = REMARKS.iter().any(|r| first.starts_with(r));
    let inks = &inner.inks;
    let ink = if remark {
        mix(inks.ink(), inks.ground, 0.42)
    } else if prompt.is_some() {
        inks.ink()
    } else {
        inks.ink2()
    };
    let id = format!("{}.{n}", node.id);
    let plan = Plan {
        id: &id,
        code: true,
        group: Some(&node.id),
        ink: Some(ink),
        fit: node.fit("fit").unwrap_or(Fit { min: Step::Sm, max: Step::Md }),
        ..Plan::at(Voice::Body, Step::Sm, 6)
    };
    // Code is always left-aligned, whatever the page's direction.
    let rtl = inner.frame.rtl;
    let inner = &inner.aligned(if rtl { Align::End } else { Align::Start });
    let row = |mut boxes: Vec<Boxed>| {
        if rtl {
            boxes.reverse();
        }
        let row = Boxed::row(inner.step(2), Place::Start, boxes);
        row.with(|lay| lay.justify = if rtl { Justify::End } else { Justify::Start })
    };
    let Some(prompt) = prompt else { return row(vec![Boxed::words(Words::new(&runs, plan, inner))]) };
    if let Some(run) = runs.first_mut() {
        run.text = run.text.trim_start_matches(prompt).to_owned();
    }
    let mark = text_box(prompt.trim(), &format!("{id}.prompt"), inner, Plan { ink: Some(inks.accent_ink()), ..plan });
    let words = Boxed::words(Words::new(&runs, plan, inner));
    row(vec![mark.rigid(), words])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tree::Marks;

    #[test]
    fn lines_keep_their_marks() {
        let strong = Marks { strong: true, ..Marks::default() };
        let runs = [Run::plain("$ ls\na "), Run { text: "b\nc".to_owned(), marks: strong }];
        let lines = lines(&runs);
        assert_eq!(lines.len(), 3);
        assert_eq!(lines[1][1], Run { text: "b".to_owned(), marks: strong });
        assert_eq!(lines[2][0].text, "c");
    }
}
