//! Which archetypes a page is tried in: those that set its kind, by how well they fit what it says, how much the style
//! likes them, whether the page before looked the same, and a seeded tie-break, so that another seed shows another.

use super::candidate::Wording;
use super::charts;
use crate::compose::TABLE;
use crate::content::{durations, number, words};
use crate::design::{Archetype, Recipe, Theme, dealt, drawn, drawn_for};
use crate::format::Format;
use crate::outline::{Copy, PageKind, PageOutline};

/// What a page's neighbours and its place say about its look.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Context {
    /// The archetype of the page before.
    pub before: Option<Archetype>,
    /// Everything drawn by chance is drawn from this.
    pub seed: u64,
    /// Whether there is a photograph to show.
    pub photo: bool,
}

/// How much of a choice each part is: fit, the style's taste, another look than the page before, chance.
const FIT: f32 = 1.0;
const TASTE: f32 = 0.6;
const REPEATED: f32 = 0.25;
const CHANCE: f32 = 0.3;
/// How far from the best those are that suit as well, and under what they are dealt.
const ALIKE: f32 = 0.13;
const TURNS: u64 = 12;

/// The archetypes that can set a page in a format, with their scores, best first.
pub(super) fn archetypes(
    said: &PageOutline,
    format: &Format,
    theme: &Theme,
    context: Context,
) -> Vec<(Archetype, f32)> {
    let mut out: Vec<(Archetype, f32)> = Archetype::ALL
        .into_iter()
        .filter(|a| a.kinds().contains(&said.kind) && theme.uses(*a))
        .filter(|a| suits(*a, theme, context))
        .filter_map(|a| {
            let fit = fit(a, said, format)?;
            let repeated = if context.before == Some(a) { REPEATED } else { 0.0 };
            Some((a, FIT * fit + TASTE * theme.likes(a) - repeated))
        })
        .collect();
    // Of those that suit as well as each other, it is one's turn.
    let best = out.iter().map(|(_, score)| *score).fold(f32::MIN, f32::max);
    let alike: Vec<Archetype> = out.iter().filter(|(_, score)| *score >= best - ALIKE).map(|(a, _)| *a).collect();
    let turn = alike.get(dealt(context.seed, alike.len(), TURNS)).copied();
    for (archetype, score) in &mut out {
        *score += CHANCE * if turn == Some(*archetype) { 1.0 } else { 0.5 * chance(*archetype, context.seed) };
    }
    out.sort_by(|a, b| b.1.total_cmp(&a.1));
    out
}

/// Whether what a page would show is what the archetype is made for.
fn suits(archetype: Archetype, theme: &Theme, context: Context) -> bool {
    match archetype {
        Archetype::CoverSplit => context.photo,
        // A style that likes it has other covers too.
        Archetype::CoverLockup => drawn(context.seed, 8).is_multiple_of(2),
        // Its art stands on a grid; any other would be a patch.
        Archetype::CoverMosaic => super::dress::recipe(theme, context.seed) == Recipe::Mosaic,
        _ => true,
    }
}

/// How well an archetype suits what a page says, 0–1; `None` where it can't set it.
pub(super) fn fit(archetype: Archetype, said: &PageOutline, format: &Format) -> Option<f32> {
    let aspect = format.size_du().aspect();
    let strip = aspect > 2.5;
    // What text may stand in can be flatter, or less flat, than the canvas.
    let room = format.safe_rect_du();
    let (flat, wide) = (room.w() > 2.5 * room.h(), room.w() > 1.22 * room.h());
    let count = said.items.len();
    let timed = || durations_of(said).is_some();
    Some(match archetype {
        Archetype::CoverLockup => {
            let title = said.title.as_ref()?.wordings.iter().map(|w| w.split_whitespace().count()).min()?;
            if (2..=8).contains(&title) { 0.6 } else { return None }
        }
        // A photograph that comes with the content leads.
        Archetype::CoverSplit => 1.0,
        Archetype::CoverMosaic if aspect < 1.22 => 0.75,
        Archetype::CoverMosaic => return None,
        Archetype::ArticleCard if (1.22..2.5).contains(&aspect) => 0.75,
        Archetype::ArticleCard => return None,
        // It has no place for what stands beside items.
        Archetype::ListGrid if said.items.iter().any(|i| i.label.is_some()) => return None,
        Archetype::ListGrid if said.kind == PageKind::List || strip => 0.6,
        Archetype::ListGrid => 0.35,
        Archetype::FillStat
        | Archetype::Donut
        | Archetype::Pictogram
        | Archetype::BeforeAfter
        | Archetype::KpiBento
        | Archetype::LineChart
        | Archetype::BarRank => charts::fit(archetype, said, format)?,
        // An example is shown as one; else its words are among the others.
        Archetype::ExampleSlide => (count == 2 && longest_head(said) <= CARDED).then_some(1.0)?,
        Archetype::PointSlide | Archetype::StepSlide if count > 0 => return None,
        Archetype::MythFact => myth_fact(said)?,
        Archetype::SplitVs | Archetype::ProsCons => two_sides(said, format)?,
        Archetype::CompareTable => table(said, format)?,
        Archetype::Definition | Archetype::Qa => said.title.is_some().then_some(0.6)?,
        Archetype::TimelineV if flat || !(2..=10).contains(&count) => return None,
        Archetype::TimelineV if wide => 0.55,
        Archetype::TimelineV => 0.8,
        Archetype::TimelineH if !wide || !(2..=8).contains(&count) => return None,
        Archetype::TimelineH if count > 6 => 0.4,
        Archetype::TimelineH => 0.75,
        Archetype::ProcessRows if flat || !(2..=10).contains(&count) => return None,
        Archetype::ProcessRows => 0.6 + if timed() { 0.25 } else { 0.0 },
        Archetype::ProcessFlow if !(3..=6).contains(&count) || longest_head(said) > SHORT => return None,
        Archetype::ProcessFlow => 0.6 + if wide { 0.15 } else { 0.0 } - if timed() { 0.15 } else { 0.0 },
        Archetype::Checklist if said.kind == PageKind::Checklist => 0.8,
        Archetype::Checklist if count >= 4 && are_imperatives(said) => 0.6,
        Archetype::Checklist => return None,
        Archetype::Cycle if flat || !(3..=6).contains(&count) || longest_head(said) > SHORT => return None,
        Archetype::Cycle if is_circular(said) => 0.95,
        Archetype::Cycle => return None,
        Archetype::Funnel if !(3..=5).contains(&count) || said.groups.len() > 1 || !falls(said) => return None,
        Archetype::Funnel => 0.6,
        Archetype::Tree if !has_leaves(said) => return None,
        Archetype::Tree => 0.7,
        Archetype::ListNumbered if !(2..=5).contains(&count) => return None,
        Archetype::ListNumbered => 0.5 + if said.title.iter().any(|t| counts(t, count)) { 0.08 } else { 0.0 },
        // Few can tell more than so many depths of a colour apart.
        Archetype::ListBands if !(2..=6).contains(&count) || said.items.iter().any(|i| i.label.is_some()) => {
            return None;
        }
        Archetype::ListBands if flat => 0.35,
        Archetype::ListBands => 0.6,
        Archetype::TipsBento if !(3..=6).contains(&count) || longest_head(said) > TILED => return None,
        Archetype::TipsBento if longest_head(said) > SHORT => 0.5,
        Archetype::TipsBento => 0.6,
        _ => 0.5,
    })
}

/// A belief and what is true: one statement each.
fn myth_fact(said: &PageOutline) -> Option<f32> {
    let groups: Vec<u8> = said.items.iter().map(|i| i.group).collect();
    (groups == [0, 1]).then_some(0.7)
}

/// Points on both sides, of which a page can hold as many rows as its shape has room for.
fn two_sides(said: &PageOutline, format: &Format) -> Option<f32> {
    let side = |n: u8| said.items.iter().filter(|i| i.group == n).count();
    let (left, right) = (side(0), side(1));
    let rows = left.max(right);
    let most = if format.size_du().aspect() > 2.5 { 3 } else { 6 };
    let named = said.groups.len() == 2 && left + right == said.items.len();
    (named && left > 0 && right > 0 && rows <= most).then_some(if rows <= 4 { 0.7 } else { 0.5 })
}

/// Rows of cells, as many as can be read: cells are short, and no row is empty.
fn table(said: &PageOutline, format: &Format) -> Option<f32> {
    let aspect = format.size_du().aspect();
    let (columns, rows) = (said.items.iter().map(|i| i.cells.len()).max()?, said.items.len());
    let most = if aspect > 2.5 { 4 } else { TABLE.1 };
    let wide = said.items.iter().flat_map(|i| &i.cells).map(|c| Wording::shortest(c).chars().count()).max()?;
    let longest = if columns == TABLE.0 && aspect < 1.2 { 20 } else { 34 };
    let sound = (1..=TABLE.0).contains(&columns) && (2..=most).contains(&rows) && wide <= longest;
    sound.then_some(if columns == 1 { 0.5 } else { 0.7 })
}

/// Characters of a head that stands beside a point of a chain.
const SHORT: usize = 26;
/// Characters of a head on a tile, which has room for three lines.
const TILED: usize = 40;
/// Characters of a head on a card, which is half as wide as the page.
const CARDED: usize = 90;

/// Characters of the longest head, in its shortest wording.
fn longest_head(said: &PageOutline) -> usize {
    let shortest = |c: &Copy| c.wordings.last().map_or(0, |w| w.chars().count());
    said.items.iter().map(|i| shortest(&i.head)).max().unwrap_or(0)
}

/// How long each item takes, where all of them say so.
fn durations_of(said: &PageOutline) -> Option<Vec<f64>> {
    let labels: Option<Vec<&str>> =
        said.items.iter().map(|i| i.label.as_ref()?.wordings.first().map(String::as_str)).collect();
    labels.filter(|l| l.len() >= 2).and_then(|l| durations(&l))
}

/// Whether most items say what to do, without more about it.
fn are_imperatives(said: &PageOutline) -> bool {
    let heads = || said.items.iter().filter_map(|i| i.head.wordings.first());
    let told = heads().filter(|h| words::is_imperative(h)).count();
    5 * told >= 3 * said.items.len() && said.items.iter().all(|i| i.body.is_none() && i.label.is_none())
}

/// Whether a title says how many things there are.
fn counts(title: &Copy, count: usize) -> bool {
    let numbers = title.wordings.first().map(|w| number::all(w)).unwrap_or_default();
    numbers.iter().any(|n| n.values.contains(&(count as f64)))
}

/// Whether the page says that its last step leads to the first.
fn is_circular(said: &PageOutline) -> bool {
    fn first(copy: &Copy) -> Option<&str> {
        copy.wordings.first().map(String::as_str)
    }
    let last = said.items.last().into_iter().flat_map(|i| [Some(&i.head), i.body.as_ref()]).flatten();
    let heads = said.items.iter().map(|i| &i.head);
    said.title.iter().chain(&said.body).chain(heads).filter_map(first).any(words::is_cycle)
        || last.filter_map(first).any(words::is_return)
}

/// Whether each item is one value, and less than the one before; the last can still be seen beside the first.
fn falls(said: &PageOutline) -> bool {
    let values: Option<Vec<f64>> = said
        .items
        .iter()
        .map(|i| match i.numbers[..] {
            [n] if i.cells.len() == 1 => Some(n),
            _ => None,
        })
        .collect();
    let falls =
        |v: &[f64]| v.windows(2).all(|w| w[0] > w[1]) && v.last().zip(v.first()).is_some_and(|(l, f)| *l >= 0.01 * f);
    values.is_some_and(|v| falls(&v))
}

/// Whether every group has something under it, and all of it can stand on a page.
fn has_leaves(said: &PageOutline) -> bool {
    let under = |n: usize| said.items.iter().filter(|i| usize::from(i.group) == n).count();
    (2..=5).contains(&said.groups.len()) && (0..said.groups.len()).all(|n| under(n) > 0) && said.items.len() <= 14
}

/// 0–1, the same for a seed and an archetype wherever they meet.
fn chance(archetype: Archetype, seed: u64) -> f32 {
    (drawn_for(seed, archetype.name()) >> 40) as f32 / (1_u64 << 24) as f32
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::outline::ItemCopy;

    fn copy(text: &str) -> Copy {
        Copy { wordings: vec![text.to_owned()], span: None }
    }

    fn page(kind: PageKind, title: &str, heads: &[&str]) -> PageOutline {
        let items = heads.iter().map(|h| ItemCopy::new(copy(h), None)).collect();
        PageOutline { title: Some(copy(title)), items, ..PageOutline::blank(kind, 0.8) }
    }

    fn fits(archetype: Archetype, said: &PageOutline, id: &str) -> Option<f32> {
        fit(archetype, said, Format::by_id(id).expect("in the catalogue"))
    }

    #[test]
    fn a_cycle_is_one_that_is_said_to_be() {
        let round = page(PageKind::Process, "The water cycle", &["Rain", "Rivers", "Seas"]);
        let straight = page(PageKind::Process, "Never lose a file again", &["Name it", "Date it", "Keep it"]);
        let returns = page(PageKind::Process, "A calm desk", &["Clear it", "Work", "Start over"]);
        assert!(fits(Archetype::Cycle, &round, "instagram_post").is_some());
        assert!(fits(Archetype::Cycle, &straight, "instagram_post").is_none());
        assert!(fits(Archetype::Cycle, &returns, "instagram_post").is_some());
        assert!(fits(Archetype::Cycle, &round, "ad_leaderboard").is_none());
    }

    #[test]
    fn a_list_of_imperatives_can_be_ticked_off() {
        let told = page(PageKind::List, "Before you go", &["Turn it off", "Take the keys", "Lock up", "Send a note"]);
        let named = page(PageKind::List, "In the box", &["A lamp", "Two keys", "One cable", "A note"]);
        assert!(fits(Archetype::Checklist, &told, "instagram_post").is_some());
        assert!(fits(Archetype::Checklist, &named, "instagram_post").is_none());
    }

    #[test]
    fn a_funnel_falls() {
        let with = |numbers: &[f64]| {
            let item = |n: &f64| ItemCopy {
                numbers: vec![*n],
                cells: vec![copy(&n.to_string())],
                ..ItemCopy::new(copy("Stage"), None)
            };
            PageOutline { items: numbers.iter().map(item).collect(), ..page(PageKind::Series, "Sales", &[]) }
        };
        assert!(fits(Archetype::Funnel, &with(&[90.0, 40.0, 12.0]), "instagram_post").is_some());
        for numbers in
            [&[90.0, 40.0, 40.0][..], &[12.0, 40.0, 90.0], &[90.0, 40.0], &[90_000.0, 40.0, 1.0], &[9.0, 2.0, -1.0]]
        {
            assert!(fits(Archetype::Funnel, &with(numbers), "instagram_post").is_none(), "{numbers:?}");
        }
    }

    #[test]
    fn what_runs_along_the_lines_needs_them() {
        let said = page(PageKind::Timeline, "A year", &["March", "May", "July"]);
        assert!(fits(Archetype::TimelineH, &said, "instagram_post").is_none());
        assert!(fits(Archetype::TimelineV, &said, "ad_leaderboard").is_none());
        assert!(fits(Archetype::TimelineH, &said, "ad_leaderboard").is_some());
    }
}
