//! The wordings of a page that are worth trying, fullest first.

use crate::compose::Composed;
use crate::content::{front, segment};
use crate::design::Template;
use crate::format::Format;
use crate::limits;
use crate::outline::{Copy, ItemCopy, PageKind, PageOutline};
use crate::warning::{Warning, WarningCode, quoted};

/// Most characters of words that a warning quotes.
const QUOTED: usize = 80;

/// A page holds this many times more characters in rows under heads than in prose.
const ROWS: f32 = 1.3;

/// How a page's copy is shortened.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Wording {
    /// Index of the wording of each copy; a copy with fewer wordings uses its last one.
    pub level: usize,
    /// Whether the body is kept.
    pub body: bool,
    /// Whether the closing note is kept.
    pub note: bool,
    /// How many of the kept items keep their sentences: those with the shortest ones.
    pub bodies: usize,
    /// How many items are kept.
    pub items: usize,
    /// How many items there were.
    pub of: usize,
}

impl Wording {
    /// Creates the fullest wording of everything in `said`.
    pub fn whole(said: &PageOutline) -> Self {
        let (bodies, of) = (said.items.len(), said.items.len());
        Self { level: 0, body: said.body.is_some(), note: said.note.is_some(), bodies, items: of, of }
    }

    /// Returns `said` in this wording. On a page that shows a handle, the call to action has no address.
    pub fn kept(&self, said: &PageOutline, signed: bool) -> PageOutline {
        let one = |copy: &Copy| Copy { wordings: vec![self.of(copy).to_owned()], span: copy.span };
        let optional = |copy: &Option<Copy>, stays: bool| copy.as_ref().filter(|_| stays).map(one);
        let items = said.items.iter().zip(self.tells(said)).map(|(item, told)| ItemCopy {
            head: one(&item.head),
            body: optional(&item.body, told),
            omitted: None,
            label: optional(&item.label, true),
            cells: item.cells.iter().map(one).collect(),
            ..item.clone()
        });
        PageOutline {
            kicker: optional(&said.kicker, true),
            title: optional(&said.title, true),
            body: optional(&said.body, self.body),
            items: items.collect(),
            groups: said.groups.iter().map(one).collect(),
            attribution: optional(&said.attribution, true),
            note: optional(&said.note, self.note),
            cta: said.cta.as_ref().map(|copy| match signed {
                true => Copy { wordings: vec![Self::shortest(copy).to_owned()], span: copy.span },
                false => one(copy),
            }),
            ..said.clone()
        }
    }

    /// Returns the words of `copy` at this level.
    pub fn of<'a>(&self, copy: &'a Copy) -> &'a str {
        let last = copy.wordings.len().saturating_sub(1);
        copy.wordings.get(self.level.min(last)).map_or("", String::as_str)
    }

    /// Returns the shortest words of `copy`.
    pub fn shortest(copy: &Copy) -> &str {
        copy.wordings.last().map_or("", String::as_str)
    }

    /// Returns which of the items keep their sentences.
    pub fn tells(&self, said: &PageOutline) -> Vec<bool> {
        let mut told = vec![false; self.items.min(said.items.len())];
        let length = |i: usize| said.items[i].body.as_ref().map(|body| self.of(body).chars().count());
        let mut order: Vec<(usize, usize)> = (0..told.len()).filter_map(|i| Some((length(i)?, i))).collect();
        order.sort_unstable();
        for (_, i) in order.into_iter().take(self.bodies) {
            told[i] = true;
        }
        told
    }

    /// Returns the warnings about what this wording of `said`, once composed, leaves out.
    pub fn warnings(&self, said: &PageOutline, composed: &Composed) -> Vec<Warning> {
        let shortened = |message| Warning::new(WarningCode::ContentShortened, message);
        composed.warnings.iter().cloned().chain(self.costs(said).into_iter().map(shortened)).collect()
    }

    /// Returns what this wording of `said` leaves out, a sentence each.
    fn costs(&self, said: &PageOutline) -> Vec<String> {
        let mut out = Vec::new();
        if let Some((full, words)) = said.title.as_ref().and_then(|title| self.shortened(title)) {
            out.push(format!("The headline is shortened to fit: “{full}” became “{words}”."));
        }
        if let Some(body) = &said.body {
            let cut = self.shortened(body).map(|(full, words)| front(lost(full, words), QUOTED));
            if !self.body {
                let words = front(self.of(body), QUOTED);
                out.push(format!("There was no room for the text under the headline: “{words}”."));
            } else if let Some(cut) = cut {
                out.push(format!("The text under the headline is shortened to fit: “{cut}” is left out."));
            }
        }
        if let Some(note) = said.note.as_ref().filter(|_| !self.note) {
            out.push(format!("There was no room for the note: “{}”.", front(self.of(note), QUOTED)));
        }
        for (full, words) in said.attribution.iter().chain(&said.cta).filter_map(|copy| self.shortened(copy)) {
            out.push(format!("“{full}” is shortened to fit: it became “{words}”."));
        }
        out.extend(self.items(said));
        out
    }

    /// Returns what this wording leaves out of a page's items.
    fn items(&self, said: &PageOutline) -> Vec<String> {
        let mut out = Vec::new();
        let kept = || said.items.iter().take(self.items);
        // A recap only repeats in short what other pages say.
        let is_recap = said.kind == PageKind::Recap;
        let heads = kept().filter(|_| !is_recap).flat_map(|i| i.label.iter().chain([&i.head]).chain(&i.cells));
        let cuts = |copies: &mut dyn Iterator<Item = &Copy>| -> Vec<String> {
            let cuts = copies.filter_map(|copy| self.shortened(copy));
            cuts.map(|(full, words)| front(lost(full, words), QUOTED).to_owned()).collect()
        };
        let cut_heads = cuts(&mut said.groups.iter().chain(heads));
        if !cut_heads.is_empty() {
            out.push(format!("Items are shortened to fit, without {}.", quoted(cut_heads)));
        }
        let tells = self.tells(said);
        let told =
            |told: bool| kept().zip(&tells).filter(move |(_, t)| **t == told).filter_map(|(i, _)| i.body.as_ref());
        let cut_bodies = cuts(&mut told(true));
        if !cut_bodies.is_empty() {
            let without = quoted(&cut_bodies);
            out.push(format!("The text of {} items is shortened to fit, without {without}.", cut_bodies.len()));
        }
        let bodies = told(false).chain(kept().filter_map(|i| i.omitted.as_ref()));
        let bodies: Vec<&str> = bodies.map(|body| front(self.of(body), QUOTED)).collect();
        if !bodies.is_empty() {
            let (n, of) = (bodies.len(), self.items);
            out.push(format!("There was no room for the text of {n} of {of} items: {}.", quoted(bodies)));
        }
        if self.items < self.of {
            let heads = quoted(said.items.iter().take(self.of).skip(self.items).map(|i| self.of(&i.head)));
            out.push(format!("{} of {} items fit on the page; {heads} were left out.", self.items, self.of));
        }
        out
    }

    /// Returns the fullest wording of `copy` and its words at this level, if these are fewer.
    fn shortened<'a>(&self, copy: &'a Copy) -> Option<(&'a str, &'a str)> {
        let full = copy.wordings.first()?;
        let words = self.of(copy);
        (full != words).then_some((full.as_str(), words))
    }
}

/// Returns the part of `full` that is missing in `words`, which were made from it by deletion: from the first to the
/// last deleted character.
fn lost<'a>(full: &'a str, words: &str) -> &'a str {
    let same = |(a, b): &(char, char)| a == b || a.to_lowercase().eq(b.to_lowercase());
    let bytes = |pairs: &mut dyn Iterator<Item = (char, char)>| -> usize {
        pairs.take_while(same).map(|(a, _)| a.len_utf8()).sum()
    };
    let from = bytes(&mut full.chars().zip(words.chars()));
    let rest = &full[from..];
    let kept = words.chars().count() - full[..from].chars().count();
    let behind = bytes(&mut rest.chars().rev().zip(words.chars().rev()).take(kept));
    rest[..rest.len() - behind].trim_matches(|c: char| c.is_whitespace() || matches!(c, ',' | ';' | ':' | '–' | '—'))
}

/// Most words of a headline that needs the text under it.
const NAMED: usize = 5;
/// A page may hold this many times its budget of characters before it drops items.
const CROWDED: usize = 2;
/// A page may hold this many times its budget before its items drop their sentences, if these fit at a legible size.
const EVEN: f32 = 2.4;

/// Returns the wordings of `said` from the fullest that suits the format's readers and the template to the shortest.
pub(super) fn wordings(said: &PageOutline, format: &Format, template: Template) -> Vec<Wording> {
    if said.whole {
        return vec![Wording::whole(said)];
    }
    let most = said.copies().map(|c| c.wordings.len()).max().unwrap_or(1).max(1);
    // A chart of only some rows would make a different claim.
    let charted = said.kind == PageKind::Series;
    let of = said.items.len().min(if charted { limits::CHART_ROWS } else { limits::PAGE_ITEMS });
    let has_body = said.body.is_some();
    let bodies = said.items.iter().take(of).filter(|i| i.body.is_some()).count();
    let mut out = Vec::new();
    let whole = Wording { level: 0, body: has_body, note: said.note.is_some(), bodies, items: of, of };
    out.extend((0..most).map(|level| Wording { level, ..whole }));
    // The note is dropped first.
    let all = Wording { note: false, ..whole };
    if whole.note {
        out.extend((0..most).map(|level| Wording { level, ..all }));
    }
    // All items keep their sentences or none does: one without looks forgotten among others. Under a headline, they need
    // no introduction.
    if bodies > 0 && has_body && said.title.is_some() {
        out.push(Wording { level: most - 1, body: false, ..all });
    }
    if bodies > 0 {
        out.extend((0..most).map(|level| Wording { level, bodies: 0, ..all }));
    }
    // A page without other content keeps its body: an answer, a quotation, the text under a short name.
    let named = said.title.as_ref().is_some_and(|title| segment::count_words(Wording::shortest(title)) <= NAMED);
    let bare = of == 0 && said.figure.is_none() && (named || said.attribution.is_some());
    let keeps = said.kind == PageKind::Question || bare;
    if has_body && !keeps && (said.title.is_some() || said.figure.is_some() || of > 0) {
        out.extend((0..most).map(|level| Wording { level, body: false, bodies: 0, ..all }));
    }
    // A recap or a list remains one with fewer items. The number in "5 tips" stays true as long as anything else can be
    // dropped. The first facts of an event are essential.
    let least = match said.kind {
        PageKind::List | PageKind::Recap => 2,
        PageKind::Announcement | PageKind::Event | PageKind::Offer => 1.min(of),
        _ => of,
    };
    for items in (least..of).rev() {
        out.push(Wording { level: most - 1, body: false, bodies: 0, items, ..all });
    }
    // Readers scan rows under heads instead of reading them through, so a page holds more of them than of prose.
    let rows = if bodies > 0 { ROWS } else { 1.0 };
    let budget = (format.characters() * template.header().carries * rows) as usize;
    let within = out.iter().position(|w| length(said, w) <= budget).unwrap_or(out.len() - 1);
    // A shortened list looks complete, and items without their introduction are fragments. So a page may exceed its
    // budget before it drops either.
    let crowded = |led: bool| {
        let last = out.iter().rposition(|w| w.items == of && (w.body == has_body || !led));
        last.filter(|last| of > 0 && length(said, &out[*last]) <= CROWDED * budget)
    };
    // An item without a sentence looks forgotten among others that have one.
    let even =
        out.iter().position(|w| w.items == of && w.bodies == bodies && length(said, w) as f32 <= EVEN * budget as f32);
    let even = even.filter(|_| bodies > 1);
    let most = even.or_else(|| crowded(true)).or_else(|| crowded(false));
    out.split_off(most.map_or(within, |most| within.min(most)))
}

/// Returns whether a page lacks the sentences that its items have.
pub(super) fn untold(said: &PageOutline, kept: &PageOutline) -> bool {
    let told = |page: &PageOutline| page.items.iter().any(|item| item.body.is_some());
    told(said) && !told(kept)
}

/// Returns the number of characters of the fullest wording of `said`.
pub(super) fn fullest(said: &PageOutline) -> usize {
    let bodies = said.items.len();
    length(said, &Wording { level: 0, body: true, note: true, bodies, items: bodies, of: bodies })
}

/// Returns the number of characters of a wording.
pub(super) fn length(said: &PageOutline, wording: &Wording) -> usize {
    let len = |copy: &Copy| wording.of(copy).chars().count();
    // Readers see the rows of a long series as a shape and don't read them.
    let read = if said.kind == PageKind::Series { limits::PAGE_ITEMS } else { wording.items };
    let tells = wording.tells(said);
    let items = said.items.iter().zip(tells).take(read).map(|(item, told)| {
        let beside = item.label.iter().chain(&item.cells).map(len).sum::<usize>();
        len(&item.head) + beside + item.body.as_ref().filter(|_| told).map_or(0, len)
    });
    said.title.as_ref().map_or(0, len)
        + said.body.as_ref().filter(|_| wording.body).map_or(0, len)
        + said.note.as_ref().filter(|_| wording.note).map_or(0, len)
        + items.sum::<usize>()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn copy(wordings: &[&str]) -> Copy {
        Copy { wordings: wordings.iter().map(|w| (*w).to_owned()).collect(), span: None }
    }

    #[test]
    fn all_items_keep_their_sentences_or_none_does() {
        let page = |sentence: &str| PageOutline {
            items: vec![ItemCopy::new(copy(&["Count the boats"]), Some(copy(&[sentence]))); 4],
            ..PageOutline::blank(PageKind::List, 0.5)
        };
        let format = Format::by_id("instagram_carousel").unwrap();
        let bodies = |sentence: &str| -> Vec<usize> {
            wordings(&page(sentence), format, Template::named("list-bands")).iter().map(|w| w.bodies).collect()
        };
        let told = "The crew counts all of the boats at dawn, because fog comes from the sea.";
        assert_eq!(bodies(told)[0], 4);
        assert!(bodies(told).iter().all(|told| [0, 4].contains(told)));
        assert_eq!(bodies(&told.repeat(6))[0], 0);
    }

    #[test]
    fn whatever_a_wording_leaves_out_is_named() {
        let items = vec![
            ItemCopy::new(
                copy(&["Water early, which helps", "Water early"]),
                Some(copy(&["At dawn. Or at six.", "At dawn."])),
            ),
            ItemCopy { omitted: Some(copy(&["All of it, at length"])), ..ItemCopy::new(copy(&["Mulch"]), None) },
            ItemCopy::new(copy(&["Wait"]), None),
        ];
        let said = PageOutline {
            title: Some(copy(&["The garden: how it thrives", "The garden"])),
            body: Some(copy(&["It is dry. It is hot.", "It is dry."])),
            attribution: Some(copy(&["Ada Moor, gardener", "Ada Moor"])),
            items,
            ..PageOutline::blank(PageKind::List, 0.5)
        };
        let full = Wording { level: 0, body: true, note: true, bodies: 2, items: 3, of: 3 };
        assert_eq!(full.costs(&said), ["There was no room for the text of 1 of 3 items: “All of it, at length”."]);
        let costs = Wording { level: 1, ..full }.costs(&said);
        for lost in
            ["“The garden”", "“It is hot.”", "“Ada Moor”", "“which helps”", "“Or at six.”", "“All of it, at length”"]
        {
            assert!(costs.iter().any(|cost| cost.contains(lost)), "{lost}: {costs:?}");
        }
        let costs = Wording { level: 1, body: false, note: true, bodies: 0, items: 2, of: 3 }.costs(&said);
        for lost in ["“It is dry.”", "2 of 2 items: “At dawn.”, “All of it, at length”", "“Wait”"] {
            assert!(costs.iter().any(|cost| cost.contains(lost)), "{lost}: {costs:?}");
        }
    }

    #[test]
    fn what_a_wording_has_lost_is_named() {
        assert_eq!(lost("Water early. The ground is cool then.", "Water early."), "The ground is cool then.");
        assert_eq!(lost("The team (all nine) moved.", "The team moved."), "(all nine)");
        assert_eq!(lost("However, they moved.", "They moved."), "However");
        assert_eq!(lost("They moved, which helped.", "They moved."), "which helped");
        assert_eq!(lost("aaa", "a"), "aa");
        assert_eq!(lost("Ein Dach: für alle", "Ein Dach"), "für alle");
    }
}
