//! Elements of the page's text by what people call them: "the arrow", "the cards", "the stars".

use std::collections::{HashMap, HashSet};
use std::sync::OnceLock;

use crate::compose;
use crate::content::Language;
use crate::design::{Background, Part, SlotId};
use crate::elements::VOCABULARY;
use crate::icon::Icon;
use crate::markup;
use crate::pictures;
use crate::tree::{Node, Tree};

use super::super::{Elements, Op, Reshape};
use super::clause::{Bag, Kind, Tok, plain_words};
use super::done::Done;
use super::icons;
use super::lex::fold;
use super::lexicon;
use super::sense::{Sense, W};
use super::state::{State, Subject};

/// Words of the longest name of a thing.
const LONGEST: usize = 5;
/// The sizes of type and marks, from the smallest.
const SIZES: [&str; 10] = ["xs", "sm", "md", "lg", "xl", "2xl", "3xl", "hero", "giant", "colossal"];
/// Elements that take the room that is left.
const SHOWN: [&str; 6] = ["picture", "svg", "img", "art", "chart", "table"];

/// The page's own lines, which stay where they are.
pub(super) const FRAME: [&str; 3] = ["head", "foot", "foot-end"];

/// What a phrase stands for.
type Table = HashMap<String, Vec<&'static str>>;

fn names() -> &'static Table {
    static READ: OnceLock<Table> = OnceLock::new();
    READ.get_or_init(|| {
        let mut table = Table::new();
        for line in include_str!("things.txt").lines().filter(|line| !line.starts_with('#')) {
            let Some((elements, phrases)) = line.split_once(" = ") else { continue };
            for phrase in phrases.split("; ") {
                table.entry(fold(phrase.trim())).or_default().extend(elements.split_whitespace());
            }
        }
        table
    })
}

/// The page's text after the ops so far; `None` where they can't be done or the text can't be read.
pub(super) fn tree(st: &State<'_, '_>) -> Option<Tree> {
    let mut tree = markup::parse(&compose::text(st.page()).ok()?, &VOCABULARY).ok()?;
    for op in &st.ops {
        if let Op::Element(change) = op {
            change.change(&mut tree).ok()?;
        }
    }
    Some(tree)
}

/// Whether the page's points have numerals.
pub(super) fn has_numerals(st: &State<'_, '_>) -> bool {
    st.heads().len() > 1 && tree(st).is_some_and(|tree| tree.root.walk().any(|node| node.name() == "numeral"))
}

/// The longest phrase of a table at a token, and how many tokens it takes.
pub(super) fn phrase<'t, V>(bag: &Bag<'_>, at: usize, table: &'t HashMap<String, V>) -> Option<(&'t V, usize)> {
    (1..=LONGEST.min(bag.toks.len() - at)).rev().find_map(|n| {
        let quoted = |i: usize| bag.toks.get(i).is_some_and(|tok| matches!(tok.kind, Kind::Quoted(_)));
        if (at..at + n).any(|i| quoted(i) || bag.is_used(i)) {
            return None;
        }
        table.get(&fold(bag.slice(at..at + n))).map(|found| (found, n))
    })
}

/// The tokens with the elements that are called by what they show: "the briefcase", "the heart".
pub(super) fn recognised(prompt: &str, toks: &[Tok], st: &State<'_, '_>) -> Vec<Tok> {
    let mut toks = toks.to_vec();
    if !toks.iter().any(|tok| tok.kind == Kind::Unknown) {
        return toks;
    }
    let Some(tree) = tree(st) else { return toks };
    let languages = languages(prompt, st);
    // Behind these stand words for the page, and things that are not there yet.
    let link = |tok: &Tok| [W::To, W::With, W::For, W::As].iter().any(|word| tok.is(*word));
    let end = toks.iter().position(link).unwrap_or(toks.len());
    let said: Vec<String> = st.slots().iter().flat_map(|(_, text)| plain_words(text)).collect();
    let pictures: Vec<&Node> = tree.root.walk().filter(|node| matches!(node.name(), "picture" | "svg")).collect();
    let shows_it = |tok: &Tok| [W::Icon, W::Photo, W::Art, W::Emoji].iter().any(|word| tok.is(*word));
    for at in 0..end {
        let named = toks.get(at + 1).is_some_and(shows_it);
        let Some(tok) = toks.get_mut(at).filter(|tok| tok.kind == Kind::Unknown && !tok.slip) else { continue };
        let word = prompt.get(tok.at.clone()).map(fold).unwrap_or_default();
        // A word of the page's text is that text, unless it is said to be a picture.
        if said.contains(&word) && !named {
            continue;
        }
        let shown = tree.root.walk().find(|node| shows(node, &word, &languages));
        // People call a picture by what they take it for.
        let drawn = || languages.iter().any(|of| !pictures::meant(&word, "", of.primary()).is_empty());
        let only = if let [node] = pictures[..] { Some(node).filter(|_| word.len() > 3 && drawn()) } else { None };
        if let Some(node) = shown.or(only) {
            tok.kind = Kind::Element(node.id.clone());
        }
    }
    toks
}

/// The words of a prompt, folded, that name a picture or an icon of the page.
pub(super) fn shown(prompt: &str, st: &State<'_, '_>) -> HashSet<String> {
    let Some(tree) = tree(st) else { return HashSet::new() };
    let (languages, nodes) = (languages(prompt, st), content(&tree));
    let words = plain_words(prompt).into_iter();
    words.filter(|word| nodes.iter().any(|node| shows(node, word, &languages))).collect()
}

/// The languages in which a prompt may call a thing: English, that of the page, and its own.
fn languages(prompt: &str, st: &State<'_, '_>) -> [Language; 3] {
    let own = lexicon::language(prompt).and_then(|code| Language::parse(code).ok());
    [Language::english(), st.page().locale.language.clone(), own.unwrap_or_else(Language::english)]
}

/// The elements of a page without those of its own head and foot.
pub(super) fn content(tree: &Tree) -> Vec<&Node> {
    let frame: HashSet<&str> = FRAME
        .iter()
        .filter_map(|id| tree.find(id))
        .flat_map(|node| node.walk().map(|inner| inner.id.as_str()))
        .collect();
    tree.root.walk().filter(|node| !frame.contains(node.id.as_str())).collect()
}

/// Whether somebody may call an element so by what it shows.
fn shows(node: &Node, word: &str, languages: &[Language]) -> bool {
    if word.chars().count() < 3 {
        return false;
    }
    let name = match node.name() {
        "icon" | "picture" => node.get("name"),
        "badge" => node.get("icon"),
        _ => None,
    };
    let emoji = match node.name() {
        "picture" | "badge" => node.get("emoji").map(str::to_owned),
        "emoji" => Some(node.text()),
        _ => None,
    };
    let meant = || languages.iter().flat_map(|language| Icon::things(word, language));
    let same = |part: &str| part == word || word.strip_suffix('s') == Some(part);
    name.is_some_and(|name| name.split('-').any(same) || meant().any(|icon| icon.name() == name))
        || emoji.is_some_and(|emoji| meant().any(|icon| icon.emoji() == Some(emoji.as_str())))
}

/// The elements that a clause calls by what they show.
pub(super) fn called_by_look<'t>(bag: &mut Bag<'_>, tree: &'t Tree) -> Vec<&'t Node> {
    let ids = bag.take_all(|kind| if let Kind::Element(id) = kind { Some(id.clone()) } else { None });
    ids.iter().filter_map(|id| tree.find(id)).collect()
}

/// "swap the wallet for a pie chart", "change the bookmark to a share icon": another icon or drawing for one that is there.
pub(super) fn redrawn(bag: &mut Bag<'_>, st: &mut State<'_, '_>) -> Option<Done> {
    if !bag.any(|kind| matches!(kind, Kind::Element(_)))
        || !bag.take(&[W::Swap, W::Replace]) && !bag.has(&[W::Set, W::Use])
    {
        return None;
    }
    let tree = tree(st)?;
    let [node] = called_by_look(bag, &tree)[..] else { return None };
    bag.take(&[W::Icon, W::Art, W::Photo, W::Emoji, W::Other]);
    let link = bag.toks.iter().position(|tok| [W::To, W::With, W::For].iter().any(|word| tok.is(*word)))?;
    let n = bag.toks.len();
    let words = bag.slice(link + 1..n).to_owned();
    let give = |name: &str, value: &str| {
        Op::Element(Reshape::Give {
            to: Elements::One(node.id.clone()),
            name: name.to_owned(),
            value: value.to_owned(),
        })
    };
    let icon = icons::called(&words, st);
    let op = match node.name() {
        "icon" => give("name", icon?.name()),
        "badge" => give("icon", icon?.name()),
        "picture" => Op::Drawing(super::pictures::depicted(&words, "", st).into_iter().next()?),
        _ => return None,
    };
    bag.take_range(link..n);
    st.push(op);
    Some(Done::Yes(vec![Subject::Art]))
}

/// The elements that a clause names and the page has, each name once; what names them is made use of.
pub(super) fn named(bag: &mut Bag<'_>, tree: &Tree) -> Vec<&'static str> {
    let mut out: Vec<&'static str> = Vec::new();
    let mut at = 0;
    while at < bag.toks.len() {
        // "It" may stand for the picture, and "them" for the icons.
        let thing = match bag.toks.get(at).filter(|_| !bag.is_used(at)).and_then(Tok::word) {
            Some(W::Icon) => Some("icons"),
            Some(W::Photo | W::Art) => Some("picture"),
            _ => None,
        };
        let meant = || Some((names().get(thing?)?, 1));
        let Some((elements, n)) = phrase(bag, at, names()).or_else(meant) else {
            at += 1;
            continue;
        };
        let has = |name: &&str| tree.root.walk().any(|node| node.name() == *name);
        let shown: Vec<&str> = elements.iter().copied().filter(has).collect();
        if !shown.is_empty() {
            bag.take_range(at..at + n);
        }
        out.extend(shown.into_iter().filter(|name| !out.contains(name)).collect::<Vec<_>>());
        at += n;
    }
    out
}

/// The elements that a clause names, whether the page has them or not.
pub(super) fn called(bag: &mut Bag<'_>) -> Vec<&'static str> {
    let mut out = Vec::new();
    let mut at = 0;
    while at < bag.toks.len() {
        let found = phrase(bag, at, names());
        let n = found.map_or(0, |(_, n)| n);
        out.extend(found.map(|(elements, _)| elements.iter().copied()).into_iter().flatten());
        bag.take_range(at..at + n);
        at += n.max(1);
    }
    out
}

/// The nodes that say a part, in document order.
pub(super) fn of_part(tree: &Tree, part: Part) -> Vec<&Node> {
    let is = |node: &&Node| node.id.parse::<SlotId>().is_ok_and(|slot| Part::of(slot) == Some(part));
    tree.root.walk().filter(is).collect()
}

/// The smallest element of one of some names that holds all of an item.
pub(super) fn around<'t>(tree: &'t Tree, item: u8, names: &[&str]) -> Option<&'t Node> {
    let begins = format!("item.{item}.");
    let own = |node: &Node| node.id == format!("item.{item}") || node.id.starts_with(&begins);
    let other = |node: &Node| node.id.starts_with("item.") && !own(node);
    let holds = |node: &&Node| names.contains(&node.name()) && node.walk().any(own) && !node.walk().any(other);
    tree.root.walk().filter(holds).last()
}

/// "remove the arrow", "get rid of the lines", "no stars": things that no other rule takes off.
pub(super) fn take_off(bag: &mut Bag<'_>, st: &mut State<'_, '_>) -> Option<Done> {
    if !bag.take(&[W::Remove, W::None]) {
        return None;
    }
    let own = [
        "rule", "arrow", "check", "cross", "badge", "pill", "toggle", "progress", "rating", "avatar", "icon", "numeral",
    ];
    let more = ["paper", "ticket", "table", "chart", "qr", "picture", "svg", "art"];
    let tree = tree(st)?;
    let shown = called_by_look(bag, &tree);
    let things = named(bag, &tree);
    if things.is_empty() && shown.is_empty() || !things.iter().all(|name| own.contains(name) || more.contains(name)) {
        return None;
    }
    // The colour and the place say which thing is meant.
    bag.colours();
    bag.take(&[W::All, W::Top, W::Bottom, W::Left, W::Right, W::Centre, W::Corner, W::After, W::Before, W::Background]);
    bag.parts();
    let items = bag.items();
    let ops = things.iter().flat_map(|name| match items.as_slice() {
        [] => vec![Elements::Every((*name).to_owned())],
        items => {
            let within = items.iter().filter_map(|item| around(&tree, *item, &["card", "row", "column", "item"]));
            let own = within.flat_map(|node| node.walk().filter(|inner| inner.name() == *name));
            own.map(|node| Elements::One(node.id.clone())).collect()
        }
    });
    let seen = shown.iter().map(|node| Elements::One(node.id.clone()));
    // "The clock icon": what it shows says which.
    let ops: Vec<Elements> = if shown.is_empty() { ops.collect() } else { seen.collect() };
    if ops.is_empty() {
        return None;
    }
    ops.into_iter().for_each(|of| st.push(Op::Element(Reshape::Take(of))));
    Some(Done::Yes(Vec::new()))
}

/// "Lose the box": cards in the colour of the page's ground. What stands on them stays.
pub(super) fn uncarded(bag: &mut Bag<'_>, st: &mut State<'_, '_>) -> bool {
    let cards = tree(st).is_some_and(|tree| tree.root.walk().any(|node| node.name() == "card"));
    if !cards || st.page().background != Background::Base || !bag.take(&[W::Card]) {
        return false;
    }
    bag.colours();
    let to = Elements::Every("card".to_owned());
    st.push(Op::Element(Reshape::Give { to, name: "fill".to_owned(), value: "bg".to_owned() }));
    true
}

/// "make the icons bigger", "the picture is too small".
pub(super) fn sized(bag: &mut Bag<'_>, st: &mut State<'_, '_>) -> Option<Done> {
    let way = bag.take_word(&super::pictures::SIZES)?;
    let too = bag.take(&[W::Too]);
    let (bit, much) = (bag.take(&[W::Bit]), bag.take(&[W::Much]));
    bag.take(&[W::Bigger, W::Smaller, W::Size, W::All, W::Show, W::More]);
    if bag.any(|kind| matches!(kind, Kind::Sense(Sense::Part(_)) | Kind::Num(_))) {
        return None;
    }
    let tree = tree(st)?;
    let shown = called_by_look(bag, &tree);
    let things = named(bag, &tree);
    let names: Vec<&str> = things.iter().copied().filter(|name| *name != "img" || things.len() == 1).collect();
    let items = bag.items();
    let grows = matches!(way, W::Bigger | W::Huge | W::Largest | W::Increase | W::Double) != too;
    let steps = if much || matches!(way, W::Huge | W::Largest | W::Tiny | W::Double | W::Half) { 2 } else { 1 };
    let by = if bit { 1.25 } else { 1.0 + 0.6 * steps as f64 };
    let inside = |node: &&Node| {
        if !shown.is_empty() {
            return shown.iter().any(|own| own.id == node.id);
        }
        names.contains(&node.name())
            && (items.is_empty()
                || items.iter().any(|item| {
                    around(&tree, *item, &["card", "row", "column", "item"])
                        .is_some_and(|block| block.walk().any(|inner| inner.id == node.id))
                }))
    };
    let meant: Vec<&Node> = content(&tree).into_iter().filter(inside).collect();
    let changes: Vec<Op> = meant.iter().flat_map(|node| resized(node, grows, steps, by)).collect();
    if changes.is_empty() {
        return None;
    }
    changes.into_iter().for_each(|op| st.push(op));
    Some(Done::Yes(Vec::new()))
}

/// What makes an element larger or smaller.
fn resized(node: &Node, grows: bool, steps: usize, by: f64) -> Vec<Op> {
    let give = |name: &str, value: String| {
        Op::Element(Reshape::Give { to: Elements::One(node.id.clone()), name: name.to_owned(), value })
    };
    let sized = ["size", "fit"].into_iter().find(|name| node.get(name).is_some());
    if let Some((name, size)) = sized.and_then(|name| Some((name, node.get(name)?))) {
        let shifted = |step: &str| {
            let at = SIZES.iter().position(|name| *name == step)?;
            let to = if grows { at + steps } else { at.saturating_sub(steps) };
            SIZES.get(to.min(SIZES.len() - 1)).copied()
        };
        let bounds: Option<Vec<&str>> = size.split("..").map(|step| shifted(step.trim())).collect();
        return bounds.map(|bounds| give(name, bounds.join(".."))).into_iter().collect();
    }
    if !SHOWN.contains(&node.name()) {
        return Vec::new();
    }
    let scaled = |value: f64, most: f64| if grows { (value * by).min(most) } else { value / by };
    let share = ["basis", "height", "width"].into_iter().find_map(|name| {
        let percent = node.get(name)?.strip_suffix('%')?.parse::<f64>().ok()?;
        Some(give(name, format!("{:.0}%", scaled(percent.max(4.0), 75.0))))
    });
    if share.is_none() && matches!(node.name(), "picture" | "svg") {
        // Alone it has all the room that the texts leave, so they give way, or it is drawn smaller in its room.
        return vec![if grows { give("basis", "55%".to_owned()) } else { give("width", "60%".to_owned()) }];
    }
    let grow = node.number("grow").filter(|grow| *grow > 0.0);
    let grow = grow.map(|grow| give("grow", format!("{:.2}", scaled(grow, 9.0))));
    share.into_iter().chain(grow).collect()
}

/// "make the icons green": a colour for marks that have no colour of their own in other rules.
pub(super) fn painted(bag: &mut Bag<'_>, st: &mut State<'_, '_>) -> Option<Done> {
    let marks =
        ["icon", "badge", "arrow", "check", "cross", "pill", "toggle", "progress", "rating", "avatar", "numeral"];
    let instead = bag.toks.iter().any(|tok| {
        let word = fold(bag.words(tok));
        word.starts_with("instead") || matches!(word.as_str(), "statt" | "anstatt" | "not")
    });
    let colours = bag.toks.iter().filter(|tok| matches!(tok.kind, Kind::Sense(Sense::Colour(_)))).count();
    if !(colours == 1 || colours == 2 && instead) {
        return None;
    }
    let colour = *bag.colours().first()?;
    bag.take(&[W::All, W::Colour, W::Show, W::Add, W::Replace, W::Not]);
    let tree = tree(st)?;
    let shown = called_by_look(bag, &tree);
    let things = named(bag, &tree);
    let paint = |name: &str| if matches!(name, "icon" | "arrow" | "numeral") { "ink" } else { "fill" };
    if let [node] = shown[..] {
        if !marks.contains(&node.name()) {
            return None;
        }
        let to = Elements::One(node.id.clone());
        st.push(Op::Element(Reshape::Give { to, name: paint(node.name()).to_owned(), value: colour.to_hex() }));
        return Some(Done::Yes(Vec::new()));
    }
    if things.is_empty() || !things.iter().all(|name| marks.contains(name)) {
        return None;
    }
    for name in things {
        let attribute = paint(name);
        let to = Elements::Every(name.to_owned());
        st.push(Op::Element(Reshape::Give { to, name: attribute.to_owned(), value: colour.to_hex() }));
    }
    Some(Done::Yes(Vec::new()))
}
