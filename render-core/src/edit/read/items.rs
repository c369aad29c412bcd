//! Rules about the items of a page: which there are, in which order, and which of them stands out.

use crate::design::{Part, SlotId, Template, Which};

use super::super::{Beside, Elements, ItemWords, Op, Reshape};
use super::clause::{Bag, Kind};
use super::done::Done;
use super::lex::fold;
use super::sense::{Sense, W};
use super::state::{State, Subject};
use super::things;

fn done(st: &mut State<'_, '_>, list: Vec<ItemWords>) -> Done {
    if list.is_empty() {
        return Done::No("A page of points needs at least one of them.".into());
    }
    st.push(Op::Items(list));
    Done::Yes(vec![Subject::Text(Which::All(Part::Points))])
}

fn none() -> Done {
    Done::No("This page has no points.".into())
}

/// Moves, swaps, sorts and turns round.
pub(super) fn arrange(bag: &mut Bag<'_>, st: &mut State<'_, '_>) -> Option<Done> {
    let mut list = st.items();
    // "Thyme first and Lavender last" goes on without a verb.
    let placed =
        bag.has(&[W::Top, W::Bottom, W::Start, W::End]) || bag.any(|k| matches!(k, Kind::Sense(Sense::Ordinal(_))));
    let moved = placed && matches!(st.ops.last(), Some(Op::Items(_)));
    let says = moved || bag.has(&[W::Swap, W::Replace, W::Move, W::Set]);
    if says && bag.any(|k| matches!(k, Kind::Items(_))) {
        let named: Vec<Option<usize>> = bag.items().iter().map(|i| st.now_at(*i)).collect();
        if !bag.take(&[W::Swap]) {
            return relocate(bag, st, list, &named);
        }
        bag.take(&[W::Item, W::Bar, W::Card]);
        let [Some(a), Some(b)] = named[..] else { return None };
        if a >= list.len() || b >= list.len() {
            return None;
        }
        list.swap(a, b);
        return Some(done(st, list));
    }
    // "swap the two points".
    let both = bag.has(&[W::Item, W::Bar, W::Card]) && list.len() == 2;
    if both && bag.has(&[W::Swap]) && !bag.any(|k| matches!(k, Kind::Sense(Sense::Part(_)))) {
        bag.take(&[W::Swap, W::Item, W::Bar, W::Card]);
        bag.number();
        list.reverse();
        return Some(done(st, list));
    }
    if bag.take(&[W::Reverse]) {
        bag.take(&[W::Item, W::Bar, W::Card, W::Sort, W::Chart, W::All]);
        if list.len() < 2 {
            return Some(none());
        }
        list.reverse();
        return Some(done(st, list));
    }
    if bag.take(&[W::Sort]) {
        bag.take(&[W::Item, W::Bar, W::Card, W::Chart, W::All, W::Text]);
        let by_name = bag.take(&[W::Alphabet]);
        bag.take(&[W::Value, W::Number]);
        let order = bag.take_word(&[W::Ascending, W::Descending]);
        let grows = bag.take(&[W::Smaller]) || order == Some(W::Ascending);
        bag.take(&[W::Bigger]);
        if list.len() < 2 {
            return Some(none());
        }
        sort(st, &mut list, by_name, grows, order);
        return Some(done(st, list));
    }
    None
}

/// Moves the first of the named items to where the clause says; the second is the one that it is to stand beside.
fn relocate(
    bag: &mut Bag<'_>,
    st: &mut State<'_, '_>,
    mut list: Vec<ItemWords>,
    named: &[Option<usize>],
) -> Option<Done> {
    const PLACES: [W; 10] =
        [W::Top, W::Bottom, W::Start, W::End, W::Up, W::Down, W::After, W::Before, W::Left, W::Right];
    bag.take(&[W::Move, W::Set]);
    let place = bag.take_word(&PLACES);
    let ordinal = bag.take_one(|kind| if let Kind::Sense(Sense::Ordinal(n)) = kind { Some(*n) } else { None });
    bag.take(&[W::Item, W::Card, W::Bar]);
    // "The first to the top and the third to the end" are two moves.
    if named.len() > 2 || named.len() == 2 && !matches!(place, Some(W::After | W::Before)) {
        return None;
    }
    let from = named.first().copied().flatten().filter(|from| *from < list.len())?;
    let item = list.remove(from);
    // Counted without the one that moves.
    let other = named.get(1).copied().flatten().map(|other| if other > from { other - 1 } else { other });
    let at = match (ordinal, place) {
        (Some(0), _) => list.len(),
        (Some(n), _) => usize::from(n) - 1,
        (None, Some(W::Top | W::Start)) => 0,
        (None, Some(W::Bottom | W::End)) => list.len(),
        (None, Some(W::Up)) => from.saturating_sub(1),
        (None, Some(W::Down)) => from + 1,
        (None, Some(W::After)) => other? + 1,
        (None, Some(W::Before)) => other?,
        _ => return None,
    };
    list.insert(at.min(list.len()), item);
    Some(done(st, list))
}

/// By their numbers where a chart is drawn from them, else by their names.
fn sort(st: &mut State<'_, '_>, list: &mut [ItemWords], by_name: bool, grows: bool, order: Option<W>) {
    let heads = st.heads();
    let number = |item: &ItemWords| {
        let at = heads.iter().position(|h| *h == item.head)?;
        st.page().items.get(at)?.numbers.first().copied()
    };
    if !by_name && list.iter().all(|i| number(i).is_some()) {
        list.sort_by(|a, b| {
            let by = number(a).unwrap_or(0.0).total_cmp(&number(b).unwrap_or(0.0));
            if grows { by } else { by.reverse() }
        });
        if order.is_none() && !grows {
            st.note("The points are sorted by their figures, the largest first.");
        }
        return;
    }
    list.sort_by_key(|a| fold(&a.head));
    if order == Some(W::Descending) {
        list.reverse();
    }
    if !by_name {
        st.note("The points are sorted by their names.");
    }
}

/// "remove the third point".
pub(super) fn remove(bag: &mut Bag<'_>, st: &mut State<'_, '_>) -> Option<Done> {
    if !bag.take(&[W::Remove]) || bag.any(|k| matches!(k, Kind::Sense(Sense::Part(_)))) {
        return None;
    }
    let mut items = bag.items();
    if bag.take(&[W::Textless]) {
        bag.take(&[W::Item]);
        let count = u8::try_from(st.heads().len()).unwrap_or(u8::MAX);
        items = (0..count).filter(|n| st.text(SlotId::ItemBody(*n)).is_none()).collect();
        if items.is_empty() || items.len() == usize::from(count) {
            return Some(Done::No("Either all points of this page have a text or none has.".into()));
        }
    }
    if items.is_empty() {
        // "remove the last".
        items = bag.take_all(|k| match k {
            Kind::Sense(Sense::Ordinal(n)) => Some(*n),
            _ => None,
        });
        let n = u8::try_from(st.heads().len()).unwrap_or(u8::MAX);
        items = items.into_iter().map(|i| if i == 0 { n.saturating_sub(1) } else { i - 1 }).collect();
        if items.iter().any(|i| *i >= n) {
            return None;
        }
    }
    bag.take(&[W::Item, W::Bar, W::Card]);
    if items.is_empty() {
        return None;
    }
    let gone: Vec<String> = items.iter().filter_map(|i| st.text(SlotId::ItemHead(*i))).collect();
    let list = st.items().into_iter().filter(|i| !gone.contains(&i.head)).collect();
    Some(done(st, list))
}

/// Items by their heads, off the page.
pub(super) fn remove_named(st: &mut State<'_, '_>, heads: &[String]) -> Option<Done> {
    let gone: Vec<String> = heads.iter().map(|h| fold(h)).collect();
    let all = st.items();
    let before = all.len();
    let list: Vec<ItemWords> = all.into_iter().filter(|i| !gone.contains(&fold(&i.head))).collect();
    if list.len() == before {
        let named = heads.first().map(String::as_str).unwrap_or_default();
        return Some(Done::No(format!("This page has no point “{named}”.")));
    }
    Some(done(st, list))
}

/// "highlight the second bar".
pub(super) fn highlight(bag: &mut Bag<'_>, st: &mut State<'_, '_>) -> Option<Done> {
    let off = bag.take(&[W::Remove, W::None, W::Not]);
    let on = bag.take(&[W::Highlight, W::Emphasis]);
    if !on {
        return None;
    }
    let items = bag.items();
    let general = bag.take(&[W::Item, W::Bar, W::Card, W::None, W::Chart]);
    if off {
        if items.is_empty() && !general {
            return None;
        }
        st.push(Op::Highlight(None));
        return Some(Done::Yes(vec![Subject::Chart]));
    }
    bag.take(&[W::More, W::Much, W::Bit]);
    if let [item] = items.as_slice() {
        let at = st.here(*item)?;
        st.push(Op::Highlight(Some(at)));
        return Some(Done::Yes(vec![Subject::Item(at)]));
    }
    if items.len() > 1 {
        return Some(Done::No("One point at a time can stand out.".into()));
    }
    // A text stands out by its weight.
    let parts = bag.parts();
    let [part] = parts.as_slice() else { return None };
    if *part == Part::Figure || *part == Part::Headline {
        let size = st.size(Which::All(*part))?;
        st.note(format!("To stand out more, the {} is set larger.", part.name()));
        st.push(Op::Size { which: Which::All(*part), to: super::sizes::du(size * 1.25) });
    } else {
        st.note(format!("To stand out more, the {} is set bold.", part.name()));
        st.push(Op::Weight { part: *part, to: 700 });
    }
    Some(Done::Yes(vec![Subject::Text(Which::All(*part))]))
}

/// The item of that head, to stand out.
pub(super) fn highlight_named(bag: &mut Bag<'_>, st: &mut State<'_, '_>, head: &str) -> Option<Done> {
    bag.take(&[W::Highlight, W::Emphasis, W::Bold, W::Bolder, W::Item, W::Bar, W::Card]);
    let at = st.items().iter().position(|i| fold(&i.head) == fold(head))?;
    let at = u8::try_from(at).ok()?;
    st.push(Op::Highlight(Some(at)));
    Some(Done::Yes(vec![Subject::Item(at)]))
}

/// Numbers the points of a page where they stand: the marks of its list, or a numeral over each head that has no mark.
fn numerals(st: &mut State<'_, '_>) -> Option<Done> {
    let tree = things::tree(st)?;
    let has = |name: &str| tree.root.walk().any(|node| node.name() == name);
    if has("list") {
        let to = Elements::Every("list".to_owned());
        st.push(Op::Element(Reshape::Give { to, name: "marks".to_owned(), value: "number".to_owned() }));
        return Some(Done::Yes(vec![Subject::Text(Which::All(Part::Points))]));
    }
    let heads: Vec<String> = (0..st.heads().len()).map(|n| format!("item.{n}.head")).collect();
    let marks = ["icon", "badge", "numeral", "check", "cross", "avatar", "steps", "timeline"];
    let marked = things::content(&tree).iter().any(|node| marks.contains(&node.name()));
    if heads.len() < 2 || marked || !heads.iter().all(|id| tree.find(id).is_some_and(|node| node.name() == "label")) {
        return None;
    }
    for (n, head) in heads.into_iter().enumerate() {
        let (number, row) = (n + 1, format!("row-new-{}", n + 1));
        let numeral =
            format!("<numeral id=\"numeral-new-{number}\" fit=\"md..lg\" ink=\"accent-ink\">{number}</numeral>");
        let element = format!("<row id=\"{row}\" gap=\"3\" align=\"baseline\">{numeral}</row>");
        let wide = Reshape::Give { to: Elements::One(head.clone()), name: "grow".to_owned(), value: "1".to_owned() };
        st.push(Op::Element(Reshape::Put { element, place: Beside::Before, of: head.clone() }));
        st.push(Op::Element(wide));
        st.push(Op::Element(Reshape::Move { element: head, place: Beside::Last, of: row }));
    }
    Some(Done::Yes(vec![Subject::Text(Which::All(Part::Points))]))
}

/// "number the points".
pub(super) fn number_points(bag: &mut Bag<'_>, st: &mut State<'_, '_>) -> Option<Done> {
    let first = bag.toks.iter().find(|t| !t.is_fill()).map(|t| t.kind.clone());
    let verb = matches!(
        first,
        Some(Kind::Sense(Sense::Word(W::Number | W::Enumerate) | Sense::Part(Part::Counter | Part::Figure)))
    ) || bag.has(&[W::Numbered, W::Enumerate])
        || bag.has(&[W::Add]) && bag.has(&[W::Number]);
    // "number the points 1 to 5".
    let listed = verb && !bag.items().is_empty();
    if !verb || !(bag.take(&[W::Item, W::This, W::It]) || listed) {
        return None;
    }
    if !bag.take(&[W::Number, W::Numbered, W::Enumerate]) {
        bag.take_one(|k| matches!(k, Kind::Sense(Sense::Part(Part::Counter | Part::Figure))).then_some(()))?;
    }
    bag.take(&[W::Add, W::All]);
    bag.take_all(|k| matches!(k, Kind::Num(_)).then_some(()));
    if let Some(done) = numerals(st) {
        return Some(done);
    }
    let numbered = Template::all().find(|t| t.header().has("numbered"))?;
    let done = super::layout::to(st, numbered)?;
    // In a set, only what is counted has numerals.
    if matches!(done, Done::Yes(_)) && st.page().slide.is_some() && st.page().text(SlotId::Number).is_none() {
        st.push(Op::Words { slot: SlotId::Number, to: "1".to_owned() });
    }
    Some(done)
}
