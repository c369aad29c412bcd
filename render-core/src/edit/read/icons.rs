//! Rules about the icons of items.

use crate::content::Language;
use crate::design::SlotId;
use crate::icon::Icon;

use super::super::Op;
use super::clause::{Bag, Kind, plain_words};
use super::done::Done;
use super::sense::W;
use super::state::{State, Subject};

fn unsuited() -> Done {
    Done::No("This layout has no icons; tiles (“use a bento grid”) have.".into())
}

/// Reads a clause that removes icons: "remove the icons", "no icon on point 2".
pub(super) fn remove(bag: &mut Bag<'_>, st: &mut State<'_, '_>) -> Option<Done> {
    if !bag.take(&[W::Remove, W::None, W::Less]) || !bag.take(&[W::Icon]) {
        return None;
    }
    let items = bag.items();
    bag.take(&[W::Item, W::Card, W::All, W::Bar]);
    let mut icons = st.icons();
    if icons.is_empty() || icons.iter().all(Option::is_none) && st.ops.is_empty() {
        return Some(Done::No("This page has no icons.".into()));
    }
    if items.is_empty() {
        icons.fill(None);
    }
    for item in items {
        if let Some(icon) = icons.get_mut(usize::from(st.here(item)?)) {
            *icon = None;
        }
    }
    st.push(Op::Icons(icons));
    Some(Done::Yes(vec![Subject::Icons]))
}

/// Reads a clause that sets icons: "use a clock for the second point", "other icon on point 3", "show icons".
pub(super) fn set(bag: &mut Bag<'_>, st: &mut State<'_, '_>) -> Option<Done> {
    let says_icon = bag.take(&[W::Icon]);
    let items = bag.items();
    if bag.any(|k| matches!(k, Kind::Sense(super::sense::Sense::Part(_)))) {
        return None;
    }
    // "use a clock for the second point" doesn't mention icons, nor any other part of a page.
    let uses = bag.has(&[W::Use, W::Set, W::Show, W::Add]) && bag.has(&[W::For, W::On, W::As]) && items.len() == 1;
    if !says_icon && !uses {
        return None;
    }
    let other = bag.take(&[W::Other]);
    let shows = bag.take(&[W::Show, W::Add]);
    bag.take(&[W::Replace, W::Item, W::Card, W::Bar, W::All, W::Swap, W::Start]);
    let mut icons = st.icons();
    let suits = st.page().template.has_icons();
    let quotes = bag.quotes();
    let named = quotes.first().cloned().or_else(|| words_left(bag));
    let icon = named.as_deref().and_then(|name| called(name, st));
    bag.take_unknown();
    if let Some(name) = named.filter(|_| icon.is_none()) {
        return says_icon.then(|| Done::No(format!("There is no icon for “{name}”.")));
    }
    if !suits || icons.is_empty() {
        return Some(unsuited());
    }
    match (icon, items.as_slice()) {
        (Some(icon), [item]) => *icons.get_mut(usize::from(st.here(*item)?))? = Some(icon),
        (None, []) if shows => {
            let heads = st.items();
            let of = |head: &str| Icon::by_meaning(head, &st.page().locale.language);
            icons = heads.iter().zip(&icons).map(|(i, now)| now.or_else(|| of(&i.head))).collect();
        }
        (None, items) if other && says_icon => {
            let all: Vec<u8> = (0..u8::try_from(icons.len()).unwrap_or(0)).collect();
            for item in if items.is_empty() { &all } else { items } {
                let at = usize::from(if items.is_empty() { *item } else { st.here(*item)? });
                let next = next_icon(st, at, &icons);
                *icons.get_mut(at)? = next;
            }
            st.note("Which other icon was meant wasn't said; name one to choose it.");
        }
        _ => return None,
    }
    st.push(Op::Icons(icons));
    Some(Done::Yes(vec![Subject::Icons]))
}

/// Returns an icon that the item's words suggest and the page doesn't use yet, else the next unused icon of the
/// vocabulary.
fn next_icon(st: &State<'_, '_>, at: usize, icons: &[Option<Icon>]) -> Option<Icon> {
    let now = icons.get(at).copied().flatten();
    let n = u8::try_from(at).ok()?;
    let said = [SlotId::ItemBody(n), SlotId::ItemHead(n)].into_iter().filter_map(|s| st.text(s));
    let words = said.flat_map(|t| plain_words(&t));
    let language = &st.page().locale.language;
    let meant = words.filter_map(|w| Icon::by_meaning(&w, language)).find(|i| !icons.contains(&Some(*i)));
    let mut all = Icon::all();
    meant.or_else(|| {
        let after = all.by_ref().skip_while(|i| Some(*i) != now).skip(1).find(|i| !icons.contains(&Some(*i)));
        after.or_else(|| Icon::all().find(|i| !icons.contains(&Some(*i))))
    })
}

/// Returns the icon with this name or meaning.
pub(super) fn called(name: &str, st: &State<'_, '_>) -> Option<Icon> {
    let kebab = plain_words(name).join("-");
    Icon::by_name(&kebab)
        .or_else(|| Icon::by_meaning(name, &Language::english()))
        .or_else(|| Icon::by_meaning(name, &st.page().locale.language))
}

/// Takes the icon that the unused words of a clause name.
pub(super) fn left(bag: &mut Bag<'_>, st: &State<'_, '_>) -> Option<Icon> {
    let quoted = bag.quotes().first().cloned();
    let icon = called(&quoted.or_else(|| words_left(bag))?, st)?;
    bag.take_unknown();
    Some(icon)
}

/// Returns the unused unknown words of a clause, which may name an icon.
fn words_left(bag: &mut Bag<'_>) -> Option<String> {
    let unknown = bag.unknown();
    (!unknown.is_empty()).then(|| unknown.join(" "))
}
