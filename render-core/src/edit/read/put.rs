//! Elements that are added to a page, and elements that go elsewhere on it.

use crate::content::Direction;
use crate::design::{Part, SlotId};
use crate::tree::{Node, Tree};

use super::super::reshape::{end_of_content, escaped};
use super::super::{Beside, Elements, Op, Reshape};
use super::clause::{Bag, Kind};
use super::done::Done;
use super::icons;
use super::lex::{fold, is_url};
use super::sense::{Sense, W};
use super::state::{State, Subject};
use super::things::{FRAME, called, content, of_part, tree};

/// Containers whose children stand one below the other.
const COLUMNS: [&str; 5] = ["page", "column", "card", "band", "paper"];
/// What may be moved to a side of the page; texts are aligned.
const MOVABLE: [&str; 18] = [
    "picture", "svg", "art", "img", "chart", "table", "list", "icon", "badge", "emoji", "rule", "arrow", "qr", "pill",
    "button", "figure", "rating", "avatar",
];

/// "add a rocket icon above the headline", "put a line under the title", "add a QR code for https://…".
pub(super) fn add(bag: &mut Bag<'_>, st: &mut State<'_, '_>) -> Option<Done> {
    if !bag.take(&[W::Add, W::Show]) && !bag.has(&[W::Set]) {
        return None;
    }
    let tree = tree(st)?;
    let place = bag.take_word(&[W::Before, W::After, W::Top, W::Bottom, W::Up, W::Down, W::Left, W::Right]);
    // "A line under the headline" is no text where nothing is said that it should read.
    let ruled = bag
        .toks
        .iter()
        .any(|tok| tok.kind == Kind::Sense(Sense::Part(Part::Supporting)) && fold(bag.words(tok)).starts_with("line "));
    let parts = bag.parts();
    let address = bag.take_one(|kind| match kind {
        Kind::Name(text) | Kind::Quoted(text) if is_url(text) => Some(text.clone()),
        _ => None,
    });
    let things = called(bag);
    let is = |name: &str| things.contains(&name);
    let below = matches!(place, Some(W::After | W::Bottom | W::Down | W::Right));
    let above = matches!(place, Some(W::Before | W::Top | W::Up | W::Left));
    let (element, before) = if is("qr") || bag.take(&[W::Code]) {
        let Some(address) = address else {
            return Some(Done::No("Say what the code leads to: “add a QR code for https://…”.".into()));
        };
        (format!("<qr id=\"{}\" value=\"{}\" width=\"22%\"/>", free(&tree, "qr"), escaped(&address)), above)
    } else if is("icon") && address.is_none() {
        bag.take(&[W::Icon, W::Item]);
        let icon = icons::left(bag, st)?;
        (format!("<icon id=\"{}\" name=\"{}\" size=\"2xl\" ink=\"accent\"/>", free(&tree, "icon"), icon.name()), !below)
    } else if (is("rule") || ruled) && address.is_none() && !bag.any(|kind| matches!(kind, Kind::Quoted(_))) {
        bag.take(&[W::Line]);
        (format!("<rule id=\"{}\" ink=\"accent\" width=\"30%\"/>", free(&tree, "rule")), above)
    } else if is("arrow") && address.is_none() {
        (format!("<arrow id=\"{}\" size=\"xl\"/>", free(&tree, "arrow")), above)
    } else if is("rating") && address.is_none() {
        let stars = bag.number().map_or(5.0, |n| n.clamp(0.0, 5.0));
        (format!("<rating id=\"{}\" value=\"{stars}\"/>", free(&tree, "rating")), above)
    } else {
        return None;
    };
    let near = parts.first().copied().filter(|_| !ruled).unwrap_or(Part::Headline);
    let text = of_part(&tree, near).first().map(|node| node.id.clone());
    let (beside, of) = match text {
        // What nobody gave a place stands at the end, but for what leads a text.
        _ if place.is_none() && parts.is_empty() && !before => end_of_content(&tree),
        Some(id) => (if before { Beside::Before } else { Beside::After }, in_column(&tree, &id)),
        None => end_of_content(&tree),
    };
    st.push(Op::Element(Reshape::Put { element, place: beside, of }));
    Some(Done::Yes(vec![Subject::Page]))
}

/// An id that no element has.
pub(super) fn free(tree: &Tree, name: &str) -> String {
    let ids = (1..).map(|n| format!("{name}-new-{n}"));
    ids.take(1_000).find(|id| tree.find(id).is_none()).unwrap_or_else(|| format!("{name}-new"))
}

/// The elements that lead to one, from the page down to itself.
fn path<'t>(node: &'t Node, id: &str) -> Option<Vec<&'t Node>> {
    if node.id == id {
        return Some(vec![node]);
    }
    let below = node.children.iter().find_map(|child| path(child, id))?;
    Some([node].into_iter().chain(below).collect())
}

/// The id of the element, or of what holds it, that has neighbours above and below.
fn in_column(tree: &Tree, id: &str) -> String {
    let path = path(&tree.root, id).unwrap_or_default();
    let found =
        path.windows(2).rev().find(|pair| COLUMNS.contains(&pair[0].name()) && pair[0].get("flow") != Some("row"));
    found.map_or_else(|| id.to_owned(), |pair| pair[1].id.clone())
}

/// "add 🎉 to the headline": an emoji at the end of a text, or at its start.
pub(super) fn emoji(bag: &mut Bag<'_>, st: &mut State<'_, '_>) -> Option<Done> {
    if !bag.take(&[W::Add, W::Show]) && !bag.has(&[W::Set, W::Use]) {
        return None;
    }
    let emoji = super::pictures::emoji_in(bag)?;
    if bag.has(&[W::Replace, W::Swap, W::Rename]) {
        return None;
    }
    bag.take(&[W::Emoji, W::Icon]);
    bag.take_unknown();
    let first = bag.take(&[W::Before, W::Start, W::Left, W::Top]);
    bag.take(&[W::After, W::End, W::Right, W::Bottom, W::Text]);
    let slot = match (bag.parts().as_slice(), bag.items().as_slice()) {
        ([part], []) => super::wording::slot_of(*part)?,
        ([] | [Part::Points], [item]) => SlotId::ItemHead(st.here(*item)?),
        ([], []) => SlotId::Title,
        _ => return None,
    };
    let text = st.text(slot)?;
    let to = if first { format!("{emoji} {text}") } else { format!("{text} {emoji}") };
    st.push(Op::Words { slot, to });
    Some(Done::Yes(vec![Subject::Page]))
}

/// "move the picture to the left", "put the button above the text", "swap the two sides".
pub(super) fn move_to(bag: &mut Bag<'_>, st: &mut State<'_, '_>) -> Option<Done> {
    if !bag.has(&[W::Move, W::Set, W::Align, W::Swap]) {
        return None;
    }
    let sides = [W::Left, W::Right, W::Top, W::Bottom, W::Up, W::Down, W::Before, W::After, W::Start, W::End];
    let tree = tree(st)?;
    let Some(at) = bag.toks.iter().position(|tok| tok.word().is_some_and(|word| sides.contains(&word))) else {
        return swap(bag, st, &tree);
    };
    let side = bag.toks.get(at)?.word()?;
    let mut front = bag.clone();
    let mut back = bag.clone();
    front.take_range(at..bag.toks.len());
    back.take_range(0..at + 1);
    let what = subject(&mut front, &tree)?;
    let beside = subject(&mut back, &tree);
    // The text as a whole is aligned, and stands at the top or the bottom, by rules of its own.
    let texts = [Part::Headline, Part::Supporting, Part::Figure, Part::Kicker];
    if beside.is_none()
        && tree.find(&what).and_then(|node| Part::of(node.id.parse().ok()?)).is_some_and(|p| texts.contains(&p))
    {
        return None;
    }
    let rtl = st.page().locale.direction == Direction::Rtl;
    let change = match (side, beside) {
        (W::Before | W::After, Some(other)) => {
            let of = in_column(&tree, &other);
            let place = if side == W::Before { Beside::Before } else { Beside::After };
            // What stands in one line with it goes above or below that line.
            Reshape::Move { element: what, place, of }
        }
        (W::Before | W::After, None) | (_, Some(_)) => return None,
        (W::Top | W::Up, None) => aside(&tree, &what, false, true)?,
        (W::Bottom | W::Down, None) => aside(&tree, &what, false, false)?,
        (W::Left, None) => aside(&tree, &what, true, !rtl)?,
        (W::Right, None) => aside(&tree, &what, true, rtl)?,
        (side, None) => aside(&tree, &what, true, side == W::Start)?,
    };
    let n = bag.toks.len();
    // Every other word must be known, so that nothing of what is asked is left out.
    let known =
        |tok: &super::clause::Tok| tok.kind != Kind::Unknown && !matches!(tok.kind, Kind::Sense(Sense::Colour(_)));
    let meant = called(&mut front.clone());
    if !bag.toks.iter().all(|tok| known(tok) || !meant.is_empty())
        || bag.has(&[W::Bigger, W::Smaller, W::Remove, W::Increase, W::Decrease])
        || bag.has(&[W::Photo]) && !matches!(side, W::Before | W::After)
    {
        return None;
    }
    bag.take_range(0..n);
    st.push(Op::Element(change));
    Some(Done::Yes(vec![Subject::Page]))
}

/// "swap the photo and the text": two things change places.
fn swap(bag: &mut Bag<'_>, st: &mut State<'_, '_>, tree: &Tree) -> Option<Done> {
    let links = [W::And, W::With, W::To, W::For];
    let at = bag.toks.iter().position(|tok| tok.word().is_some_and(|word| links.contains(&word)))?;
    if !bag.has(&[W::Swap]) || bag.any(|kind| *kind == Kind::Unknown) {
        return None;
    }
    let (mut front, mut back) = (bag.clone(), bag.clone());
    let n = bag.toks.len();
    front.take_range(at..n);
    back.take_range(0..at + 1);
    let (first, second) = (subject(&mut front, tree)?, subject(&mut back, tree)?);
    let (first, second) = (path(&tree.root, &first)?, path(&tree.root, &second)?);
    // What of each stands in the smallest box that holds both.
    let common = first.iter().zip(&second).take_while(|(a, b)| a.id == b.id).count();
    let (parent, a, b) = (first.get(common.checked_sub(1)?)?, first.get(common)?, second.get(common)?);
    let place = |node: &Node| parent.children.iter().position(|child| child.id == node.id);
    let (early, late) = if place(a)? < place(b)? { (a, b) } else { (b, a) };
    let before_late = parent.children.get(place(late)?.checked_sub(1)?)?;
    bag.take_range(0..n);
    let moved = |what: &Node, place, of: &Node| {
        Op::Element(Reshape::Move { element: what.id.clone(), place, of: of.id.clone() })
    };
    st.push(moved(late, Beside::Before, early));
    if before_late.id != early.id {
        st.push(moved(early, Beside::After, before_late));
    }
    Some(Done::Yes(vec![Subject::Page]))
}

/// The id of the element that some tokens name.
fn subject(bag: &mut Bag<'_>, tree: &Tree) -> Option<String> {
    if let [node] = super::things::called_by_look(bag, tree)[..] {
        return Some(node.id.clone());
    }
    let things = super::things::named(bag, tree);
    let thing = things.iter().filter(|name| MOVABLE.contains(name)).find_map(|name| {
        let found: Vec<&Node> = content(tree).into_iter().filter(|node| node.name() == *name).collect();
        // Several of them are moved by hand.
        if let [node] = found[..] { Some(node.id.clone()) } else { None }
    });
    let part = || {
        let found: Vec<&Node> = bag.clone().parts().first().map(|part| of_part(tree, *part)).unwrap_or_default();
        let own = content(tree);
        found.into_iter().find(|node| own.iter().any(|other| other.id == node.id)).map(|node| node.id.clone())
    };
    let text = || bag.has(&[W::Text]).then(|| tree.find("main")).flatten().map(|node| node.id.clone());
    thing.or_else(part).or_else(text)
}

/// An element at a side of the page: first or last among its neighbours, side by side or one below the other.
fn aside(tree: &Tree, id: &str, across: bool, first: bool) -> Option<Reshape> {
    let path = path(&tree.root, id)?;
    let flows = |parent: &Node| match across {
        true => parent.name() == "row" || parent.get("flow") == Some("row"),
        false => COLUMNS.contains(&parent.name()) && parent.get("flow") != Some("row"),
    };
    // The widest line that the element is a part of.
    let Some(pair) = path.windows(2).find(|pair| flows(pair[0]) && pair[0].children.len() > 1) else {
        let anchor = match (across, first) {
            (true, true) => "left",
            (true, false) => "right",
            (false, true) => "top",
            (false, false) => "bottom",
        };
        let drawn = tree.find(id).filter(|node| matches!(node.name(), "picture" | "svg"))?;
        let to = Elements::One(drawn.id.clone());
        return Some(Reshape::Give { to, name: "position".to_owned(), value: anchor.to_owned() });
    };
    let (parent, branch) = (pair[0], pair[1]);
    let others: Vec<&Node> =
        parent.children.iter().filter(|c| c.id != branch.id && !FRAME.contains(&c.id.as_str())).collect();
    let (place, of) = match first {
        true => (Beside::Before, others.first()?),
        false => (Beside::After, others.last()?),
    };
    Some(Reshape::Move { element: branch.id.clone(), place, of: of.id.clone() })
}
