//! Columns side by side, from zero, with their values above and their labels below.

use super::entry::name;
use super::{Chart, Entry, Manner, Tones, bar, legend, plot, strut, thinned, value, widest};
use crate::design::Voice;
use crate::scene::TextLevel;
use crate::sheet::{Boxed, Extent, Justify, Look, Place, Plan, Ranged, With, Words};
use crate::text::Align;
use crate::tree::Step;

/// Up to this many columns all have labels, of up to two lines; with more, only some have.
const FEW: usize = 8;
/// Up to this many columns all have values; with more, only highlighted ones and the highest.
const SAID: usize = 10;
/// Width of a column relative to the distance of two.
const WIDE: f32 = 0.66;

/// Draws columns, grouped if there are several series.
pub fn columns(chart: &Chart<'_>, with: &With<'_>) -> Boxed {
    let tones = Tones::of(with);
    let (n, count) = (chart.entries.len(), chart.count());
    let hero = chart.hero.unwrap_or(count.saturating_sub(1));
    let colors = tones.series(with, count, Some(hero));
    let (_, high) = chart.ends(chart.numbers());
    let marked = chart.marked();
    let top = chart.numbers().fold(0.0, f64::max);
    let cells = chart.entries.iter().map(|entry| {
        let bars = entry.numbers.iter().zip(&entry.written).enumerate().map(|(i, (number, text))| {
            let share = (number.max(0.0) / high) as f32;
            let loud = entry.mark || !marked;
            let color = match colors.get(i) {
                Some(_) if !loud => tones.quiet,
                Some(color) if count > 1 => *color,
                _ => tones.hero,
            };
            let said = n * count <= SAID || entry.mark || !marked && *number >= top;
            let value = said.then(|| {
                let fit = if n * count <= 5 { (Step::Sm, Step::Lg) } else { (Step::Xs, Step::Md) };
                let ink = if loud && i == hero { with.inks.ink() } else { with.inks.ink2() };
                let manner = Manner { fit, ink, loud: loud && i == hero, align: Align::Center };
                let own = value(text, &format!("{}.value-{}", entry.node.id, i + 1), with, manner);
                grouped(own, chart.id).with(|lay| lay.pad = [0.0; 4])
            });
            let value = value.unwrap_or_else(Boxed::empty);
            let above = Boxed::empty().growing(1.0 - share);
            let thick = with.frame.room.w() * WIDE / (n * count).max(1) as f32;
            let bar = bar(with, thick.min(2.0 * with.size(Step::Lg)), color).growing(share).looking(flat);
            let space = Boxed::empty().with(|lay| lay.least_height = with.step(1) + 0.1 * with.size(Step::Md));
            Boxed::column(0.0, vec![above, value, space, bar]).growing(1.0)
        });
        let wide = if count > 1 { 0.86 } else { WIDE };
        let bars = Boxed::row(with.step(1) * 0.5, Place::Stretch, bars.collect());
        let bars =
            bars.with(|lay| (lay.width, lay.place, lay.grow) = (Some(Extent::Share(wide)), Some(Place::Center), 1.0));
        Boxed::column(0.0, vec![bars]).with(|lay| {
            (lay.width, lay.justify) = (Some(Extent::Share(1.0 / n as f32)), Justify::End);
        })
    });
    let strut = strut(Ranged { min: plot(with).min.h, max: plot(with).max.h });
    let plot = Boxed::row(0.0, Place::Stretch, cells.chain([strut]).collect()).with(|lay| {
        lay.grow = 1.0;
    });
    let floor = Boxed::empty().filled(with.inks.line(), 0.0).with(|lay| lay.least_height = with.rule());
    let space = Boxed::empty().with(|lay| lay.least_height = with.step(2));
    let mut boxes = vec![plot, floor, space, labels(&chart.entries, with)];
    if let Some(legend) = legend(chart, with, &colors, hero) {
        boxes.splice(0..0, [legend, Boxed::empty().with(|lay| lay.least_height = with.step(4))]);
    }
    Boxed::column(0.0, boxes)
}

/// Removes the rounding of a look's lower corners.
fn flat(look: &mut Look) {
    (look.radii[2], look.radii[3]) = (0.0, 0.0);
}

/// Puts words into the size group of the chart's values.
fn grouped(mut boxed: Boxed, id: &str) -> Boxed {
    if let crate::sheet::Content::Words(words) = &mut boxed.content {
        words.group = Some(format!("{id}.values"));
    }
    boxed
}

/// Returns the labels below: all of a few, or some of many.
fn labels(entries: &[Entry<'_>], with: &With<'_>) -> Boxed {
    let n = entries.len();
    let few = n <= FEW;
    let label = |entry: &Entry<'_>| {
        let (id, runs) = name(entry.node)?;
        let ink = if entry.mark { with.inks.ink() } else { with.inks.ink2() };
        let (lines, most) = if few { (3, Step::Sm) } else { (1, Step::Xs) };
        let plan = Plan {
            id: &id,
            ink: Some(ink),
            align: Some(Align::Center),
            level: TextLevel::Small,
            ..Plan::at(Voice::Label, Step::Xs, lines)
        };
        Some(Boxed::words(Words::new(&runs, plan.fit(Step::Xs, most), with)))
    };
    let labels: Vec<Option<Boxed>> = entries.iter().map(label).collect();
    if few {
        let cells = labels.into_iter().map(|label| {
            Boxed::column(0.0, label.into_iter().collect()).with(|lay| {
                (lay.width, lay.pad) =
                    (Some(Extent::Share(1.0 / n as f32)), [0.0, with.step(1) * 0.5, 0.0, with.step(1) * 0.5])
            })
        });
        return Boxed::row(0.0, Place::Start, cells.collect());
    }
    axis(labels, |i| (i as f32 + 0.5) / n as f32, with)
}

/// Returns labels along an axis, at the positions that `at` returns: as many as have room, if possible ending with the
/// last.
pub fn axis(labels: Vec<Option<Boxed>>, at: impl Fn(usize) -> f32, with: &With<'_>) -> Boxed {
    let room = with.frame.room.w();
    let n = labels.len();
    let widths: Vec<f32> = labels.iter().map(|l| l.as_ref().map_or(0.0, widest)).collect();
    let pitch = if n > 1 { (at(1) - at(0)) * room } else { room };
    let mut shown = thinned(&widths, pitch, with.step(3));
    if let Some(step) = shown.get(1).filter(|s| **s > 1 && !(n - 1).is_multiple_of(**s)) {
        // The end of an axis is more informative than a round step, so the nearest step that reaches the end is used,
        // if there is one.
        let whole = (*step..n).find(|s| (n - 1).is_multiple_of(*s)).unwrap_or(n - 1);
        shown = (0..n).step_by(whole).collect();
    }
    let pinned = labels.into_iter().enumerate().filter(|(i, _)| shown.contains(i)).filter_map(|(i, label)| {
        let half = 0.5 * widths[i] / room;
        let own = match at(i) {
            x if x - half < 1e-3 && i == 0 => 0.0,
            x if x + half > 0.999 && i + 1 == n => 1.0,
            _ => 0.5,
        };
        let to = if own == 0.5 { at(i) } else { own };
        Some(label?.pinned((to, 0.0), (own, 0.0)))
    });
    Boxed::layer(pinned.collect())
}
