//! Rules about layout and style.

use crate::design::Template;
use crate::outline::PageKind;

use super::super::Op;
use super::clause::{Bag, Kind};
use super::done::Done;
use super::sense::{Sense, W};
use super::state::{State, Subject};
use super::type_rules;

/// Returns whether two layouts suit a common kind of page.
fn share(a: Template, b: Template) -> bool {
    a.kinds().iter().any(|k| b.kinds().contains(k))
}

/// Returns the layouts of the page's style that suit its kind of page, including its current layout.
fn fitting(st: &State<'_, '_>) -> Vec<Template> {
    let page = st.page();
    let style = page.style;
    let photo = page.photo.is_some();
    let all = Template::all().filter(|a| share(*a, page.template));
    all.filter(|a| (!a.shows_photo() || photo) && (style.uses(*a) || *a == page.template)).collect()
}

/// Sets a layout if it suits the page.
pub(super) fn to(st: &mut State<'_, '_>, template: Template) -> Option<Done> {
    let now = st.page().template;
    if !share(now, template) {
        let rest = if fitting(st).iter().any(|other| *other != now) {
            "“another layout” shows those that suit it"
        } else {
            "it has no other one"
        };
        return Some(Done::No(format!("What this page says doesn't suit that layout; {rest}.")));
    }
    st.push(Op::Layout(template));
    Some(Done::Yes(vec![Subject::Page]))
}

/// Reads a clause about a style or layout: "make it elegant", "as a checklist", "another layout".
pub(super) fn set(bag: &mut Bag<'_>, st: &mut State<'_, '_>) -> Option<Done> {
    let layouts = bag.take_all(|k| match k {
        Kind::Sense(Sense::Layout(a)) => Some(*a),
        _ => None,
    });
    if let Some(template) = layouts.first().copied() {
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
        return to(st, template);
    }
    if bag.take(&[W::Layout]) {
        let other = bag.take(&[W::Other, W::Replace, W::Swap, W::More]) || bag.has(&[W::Set]);
        if !other {
            return None;
        }
        let now = st.page().template;
        let all = fitting(st);
        let at = all.iter().position(|a| *a == now).unwrap_or(0);
        let next = all.iter().cycle().skip(at + 1).take(all.len()).find(|a| **a != now);
        return match next {
            Some(next) => to(st, *next),
            None => Some(Done::No("What this page says has no other layout.".into())),
        };
    }
    if bag.take(&[W::Chart]) && bag.take(&[W::Other, W::Replace]) {
        let charts =
            |a: &Template| a.kinds().iter().any(|k| matches!(k, PageKind::Series | PageKind::Stat | PageKind::Figures));
        let now = st.page().template;
        let all: Vec<Template> = fitting(st).into_iter().filter(charts).collect();
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
            .and_then(|w| type_rules::called(if w == W::Dark { "dark" } else { "bold" }));
    }
    bag.take(&[W::More, W::Bit, W::Much, W::Art, W::Other, W::Layout, W::Face, W::Text, W::Colour]);
    let Some(style) = style else {
        if looks && (bag.has(&[W::Set]) || !bag.toks.is_empty()) && bag.toks.iter().any(|t| t.is(W::Other)) {
            let all: Vec<crate::design::Style> = crate::design::Style::all().collect();
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
