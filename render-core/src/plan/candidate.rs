//! The wordings of a page that are worth trying, fullest first.

use crate::compose::Composed;
use crate::content::front;
use crate::format::{Density, Format};
use crate::limits;
use crate::outline::{Copy, PageKind, PageOutline};
use crate::warning::{Warning, WarningCode};

/// Characters of words that a warning quotes.
const QUOTED: usize = 80;

/// How a page's copy is cut.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Wording {
    /// Which wording of each copy: the nth, or its last.
    pub level: usize,
    /// Whether supporting text stays.
    pub body: bool,
    /// Whether the sentences of items stay.
    pub item_bodies: bool,
    /// How many items stay.
    pub items: usize,
    /// How many there were.
    pub of: usize,
}

impl Wording {
    /// The words of `copy` at this level.
    pub fn of<'a>(&self, copy: &'a Copy) -> &'a str {
        let last = copy.wordings.len().saturating_sub(1);
        copy.wordings.get(self.level.min(last)).map_or("", String::as_str)
    }

    /// The words of `copy` that take the least room.
    pub fn shortest(copy: &Copy) -> &str {
        copy.wordings.last().map_or("", String::as_str)
    }

    /// What this wording of `said` and its composition cost the reader.
    pub fn warnings(&self, said: &PageOutline, composed: &Composed) -> Vec<Warning> {
        let mut warnings = composed.warnings.clone();
        let mut shortened = |message: String| warnings.push(Warning::new(WarningCode::ContentShortened, message));
        let cut = |copy: &&Copy| copy.wordings.first().is_some_and(|full| *full != self.of(copy));
        if let Some((title, full)) = said.title.as_ref().filter(cut).and_then(|t| Some((t, t.wordings.first()?))) {
            shortened(format!("The headline is shortened to fit: “{full}” stands as “{}”.", self.of(title)));
        }
        // A recap says again, in short, what other pages say.
        let heads = said.items.iter().take(self.items).map(|i| &i.head).filter(cut).count();
        if heads > 0 && said.kind != PageKind::Recap {
            shortened(format!("{heads} of {} items are shortened to fit.", self.items));
        }
        if let Some(body) = said.body.as_ref().filter(|_| !self.body) {
            shortened(format!(
                "There was no room for the text under the headline: “{}”.",
                front(self.of(body), QUOTED)
            ));
        }
        let bodies = said.items.iter().take(self.items).filter(|i| i.body.is_some()).count();
        if bodies > 0 && !self.item_bodies {
            shortened(format!("There was no room for the text of {bodies} of {} items.", self.items));
        }
        if self.items < self.of {
            shortened(format!("{} of {} items fit on the page; the rest was left out.", self.items, self.of));
        }
        warnings
    }
}

/// Wordings of `said` from the fullest that the format's reader would bear to the shortest.
pub(super) fn wordings(said: &PageOutline, format: &Format) -> Vec<Wording> {
    let most = said.copies().map(|c| c.wordings.len()).max().unwrap_or(1).max(1);
    // A chart of some of its rows would claim something else than one of all of them.
    let charted = said.kind == PageKind::Series;
    let of = said.items.len().min(if charted { limits::CHART_ROWS } else { limits::PAGE_ITEMS });
    let has_body = said.body.is_some();
    let has_item_bodies = said.items.iter().any(|i| i.body.is_some());
    let mut out = Vec::new();
    let all = Wording { level: 0, body: has_body, item_bodies: has_item_bodies, items: of, of };
    out.extend((0..most).map(|level| Wording { level, ..all }));
    if has_item_bodies {
        out.extend((0..most).map(|level| Wording { level, item_bodies: false, ..all }));
    }
    if has_body {
        out.extend((0..most).map(|level| Wording { level, body: false, item_bodies: false, ..all }));
    }
    // A recap or a list of fewer items is still one; the counts of "5 tips" are kept as long as anything else can give.
    // The first facts of an event are those that it can't do without.
    let least = match said.kind {
        PageKind::List | PageKind::Recap => 2,
        PageKind::Announcement | PageKind::Event | PageKind::Offer => 1.min(of),
        _ => of,
    };
    for items in (least..of).rev() {
        out.push(Wording { level: most - 1, body: false, item_bodies: false, items, ..all });
    }
    let budget = budget(format);
    let within = out.iter().position(|w| length(said, w) <= budget).unwrap_or(out.len() - 1);
    out.split_off(within)
}

/// Characters that a page of this format should carry at most.
fn budget(format: &Format) -> usize {
    let size = format.size_du();
    let by = match size.aspect() {
        a if a > 2.2 => 0.45,
        a if a > 1.2 => 0.62,
        a if a > 0.9 => 0.85,
        _ => 1.0,
    };
    let full = match format.density {
        Density::Banner => 220.0,
        Density::Poster => 400.0,
        Density::Slide => 900.0,
        Density::Document => 1_500.0,
    };
    (full * by) as usize
}

fn length(said: &PageOutline, wording: &Wording) -> usize {
    let len = |copy: &Copy| wording.of(copy).chars().count();
    // The rows of a long series are seen, not read.
    let read = if said.kind == PageKind::Series { limits::PAGE_ITEMS } else { wording.items };
    let items = said.items.iter().take(wording.items.min(read)).map(|item| {
        let beside = item.label.iter().chain(&item.cells).map(len).sum::<usize>();
        len(&item.head) + beside + item.body.as_ref().filter(|_| wording.item_bodies).map_or(0, len)
    });
    said.title.as_ref().map_or(0, len)
        + said.body.as_ref().filter(|_| wording.body).map_or(0, len)
        + items.sum::<usize>()
}
