//! Rules about structure and style.

use crate::design::{Archetype, Theme};
use crate::outline::PageKind;

use super::super::Op;
use super::clause::{Bag, Kind};
use super::clauses::Done;
use super::sense::{Sense, W};
use super::state::{State, Subject};
use super::type_rules;

/// Whether two structures set a kind of page in common.
fn share(a: Archetype, b: Archetype) -> bool {
    a.kinds().iter().any(|k| b.kinds().contains(k))
}

/// Structures that can stand in for a page's own, in order: those of its style first.
fn fitting(st: &State<'_, '_>) -> Vec<Archetype> {
    let page = st.page();
    let theme = Theme::of(page.style);
    let photo = page.photo.is_some();
    let all = Archetype::ALL.into_iter().filter(|a| share(*a, page.archetype));
    all.filter(|a| (*a != Archetype::CoverSplit || photo) && (theme.uses(*a) || *a == page.archetype)).collect()
}

/// A structure, where the page can have it.
pub(super) fn to(st: &mut State<'_, '_>, archetype: Archetype) -> Option<Done> {
    let now = st.page().archetype;
    if !share(now, archetype) {
        let others: Vec<String> =
            fitting(st).into_iter().filter(|a| *a != now).map(|a| a.name().replace('-', " ")).collect();
        let rest = if others.is_empty() {
            "its content has no other layout".to_owned()
        } else {
            format!("it can be set as {}", others.join(", "))
        };
        return Some(Done::No(format!("What this page says doesn't suit that layout; {rest}.")));
    }
    st.push(Op::Layout(archetype));
    Some(Done::Yes(vec![Subject::Page]))
}

/// Styles and structures: "make it elegant", "as a checklist", "another layout".
pub(super) fn set(bag: &mut Bag<'_>, st: &mut State<'_, '_>) -> Option<Done> {
    let layouts = bag.take_all(|k| match k {
        Kind::Sense(Sense::Layout(a)) => Some(*a),
        _ => None,
    });
    if let Some(archetype) = layouts.first().copied() {
        bag.take(&[
            W::Layout,
            W::Show,
            W::Replace,
            W::Chart,
            W::Item,
            W::Add,
            W::Look,
            W::All,
            W::Art,
            W::Move,
            W::Photo,
            W::Text,
        ]);
        let n = bag.take_all(|k| matches!(k, Kind::Items(_)).then_some(())).len();
        if layouts.len() > 1 || n > 0 || bag.has(&[W::Remove]) {
            return None;
        }
        // The list's upright and sideways rails go by the format where only one suits its style.
        let archetype = match archetype {
            Archetype::TimelineH if st.page().archetype == Archetype::TimelineV => Archetype::TimelineH,
            a => a,
        };
        return to(st, archetype);
    }
    if bag.take(&[W::Layout]) {
        let other = bag.take(&[W::Other, W::Replace, W::Swap, W::More]) || bag.has(&[W::Set]);
        if !other {
            return None;
        }
        let now = st.page().archetype;
        let all = fitting(st);
        let at = all.iter().position(|a| *a == now).unwrap_or(0);
        let next = all.iter().cycle().skip(at + 1).take(all.len()).find(|a| **a != now);
        return match next {
            Some(next) => to(st, *next),
            None => Some(Done::No("What this page says has no other layout.".into())),
        };
    }
    if bag.take(&[W::Chart]) && bag.take(&[W::Other, W::Replace]) {
        let charts = |a: &Archetype| {
            a.kinds().iter().any(|k| matches!(k, PageKind::Series | PageKind::Stat | PageKind::Figures))
        };
        let now = st.page().archetype;
        let all: Vec<Archetype> = fitting(st).into_iter().filter(charts).collect();
        let at = all.iter().position(|a| *a == now).unwrap_or(0);
        let next = all.iter().cycle().skip(at + 1).take(all.len()).find(|a| **a != now).copied();
        return match next {
            Some(next) => to(st, next),
            None => Some(Done::No("What this page says has no other chart.".into())),
        };
    }
    let mut style = bag.take_one(type_rules::style);
    let looks = bag.take(&[W::Look, W::Mode, W::Palette]);
    if style.is_none() && looks {
        style = bag
            .take_word(&[W::Dark, W::Bold, W::Bolder])
            .map(|w| if w == W::Dark { crate::design::Style::Dark } else { crate::design::Style::Bold });
    }
    bag.take(&[W::More, W::Bit, W::Much, W::Art, W::Other, W::Layout, W::Face, W::Text, W::Colour]);
    let Some(style) = style else {
        if looks && (bag.has(&[W::Set]) || !bag.toks.is_empty()) && bag.toks.iter().any(|t| t.is(W::Other)) {
            let all = crate::design::Style::ALL;
            let at = all.iter().position(|s| *s == st.page().style).unwrap_or(0);
            let next = all.iter().cycle().nth(at + 1).copied()?;
            st.note(format!("Which other style was meant wasn't said; {} was taken.", next.name()));
            st.push(Op::Style(next));
            return Some(Done::Yes(vec![Subject::Page]));
        }
        return None;
    };
    st.push(Op::Style(style));
    Some(Done::Yes(vec![Subject::Page]))
}
