//! Pages that an author composed in the page language: their slots, and the frame around them.
//!
//! An author writes headlines, labels and items without referring to slots. [`named`] sets the ids of these elements to
//! names of slots, in reading order, so that estimates, alt texts and edits of words treat such a page like any other.

use std::ops::Range;

use crate::design::{Background, Brand, Colours, Page, Palette, Slot, SlotId};
use crate::elements::VOCABULARY;
use crate::markup;
use crate::sheet::grounded;
use crate::tree::{Colour, Group, Holds, Marks, Node, Role, Run, Tree};

/// The name of a page's photograph in templates.
pub(super) const PHOTO: &str = "photo";
/// The maximum number of items of a page that are slots.
const ITEMS: u8 = 60;
/// Ids that the frame around a page uses.
const FRAME: [&str; 8] = ["page", "main", "under", "head", "foot", "cue", "band", "foot-end"];
/// Elements that mean nothing without words next to them.
const MARKS: [&str; 9] = ["badge", "icon", "emoji", "rule", "arrow", "check", "cross", "toggle", "rating"];
/// Slots whose words may stand in several elements, with the prefix of these elements' ids.
const SPLIT: [(SlotId, &str); 2] = [(SlotId::Title, "title."), (SlotId::Body, "body.")];
/// Maximum length of emphasised words that stay on one line.
const TOGETHER: usize = 18;
/// Elements that adapt to the remaining space, and the share of the page that they should get.
const PICTURES: [&str; 3] = ["picture", "svg", "img"];
const SHOWN: &str = "36%";
/// Layout attributes of the page that its `main` column takes over, and their defaults for a column that fills a page.
const LAYOUT: [(&str, &str); 3] = [("gap", "5"), ("align", "stretch"), ("justify", "start")];

/// An authored page's content, as text for the frame of the page.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Inside {
    /// Elements in the page language: the page's content.
    pub main: String,
    /// A picture behind the content that covers the whole page.
    pub under: Option<String>,
}

/// An authored page, as planned.
#[derive(Debug, Clone, PartialEq)]
pub struct Authored {
    /// Variants of the page to try, best first; the last is the author's text. There is at least one.
    pub ways: Vec<Way>,
    /// The background in its attributes.
    pub background: Option<Background>,
    /// The ground in its attributes, which replaces the background's own.
    pub ground: Option<Colour>,
    /// Index of the source's picture that it shows, from 0.
    pub photo: Option<usize>,
    /// Its alt text.
    pub alt: Option<String>,
}

/// A variant of an authored page.
#[derive(Debug, Clone, PartialEq)]
pub struct Way {
    /// Its text. The name of its photograph is `photo`.
    pub text: String,
    /// Its words, in reading order.
    pub slots: Vec<Slot>,
}

impl Authored {
    /// Reads a page whose elements are [`named`]; `None` if it can't be parsed.
    pub fn read(text: &str) -> Option<Self> {
        let mut tree = markup::parse(text, &VOCABULARY).ok()?;
        let background = match tree.root.has("field").then(|| tree.root.get("field")).flatten() {
            Some("accent") => Some(Background::Accent),
            Some("close") => Some(Background::Close),
            Some(_) => Some(Background::Base),
            None => None,
        };
        let ground = tree.root.colour("bg");
        let mut photo = None;
        each(&mut tree.root, &mut |node| {
            if let Some(n) = node.get("src").and_then(photo_number) {
                photo = photo.or(Some(n));
                node.set("src", PHOTO);
            }
        });
        let alt = tree.root.get("alt").map(str::to_owned);
        // Improved variants: emphasised words stay on one line, and pictures get room, as far as the page has space for
        // that.
        let mut ways = vec![tree.clone()];
        let mut better = tree;
        for improve in [together as fn(&mut Node) -> bool, widened] {
            if improve(&mut better.root) {
                ways.push(better.clone());
            }
        }
        let way = |tree: Tree| Way { text: markup::print(&tree), slots: slots(&tree) };
        Some(Self { ways: ways.into_iter().rev().map(way).collect(), background, ground, photo, alt })
    }
}

/// Joins short emphasised words of headlines with no-break spaces, so that they stay together. Returns whether there
/// are any.
fn together(page: &mut Node) -> bool {
    let mut found = false;
    each(page, &mut |node| {
        for run in node.words.iter_mut().filter(|run| run.marks.em) {
            let bare = run.text.trim();
            if node.element.name == "headline" && bare.contains(' ') && bare.chars().count() <= TOGETHER {
                run.text = run.text.replace(bare, &bare.replace(' ', "\u{a0}"));
                found = true;
            }
        }
    });
    found
}

/// Gives pictures that share the page with words a minimum size. Returns whether there are any.
fn widened(page: &mut Node) -> bool {
    let mut found = false;
    for child in &mut page.children {
        let grows = child.number("grow").is_some_and(|grow| grow > 0.0);
        let sized = child.has("basis") || child.has("height") || child.get("bleed") == Some("all");
        if PICTURES.contains(&child.name()) && grows && !sized {
            child.set("basis", SHOWN);
            found = true;
        }
    }
    found
}

/// Returns the palette of a designed page on `background`. With `named`, the ground that its author chose replaces the
/// background's own.
pub fn repainted(page: &Page, brand: Option<&Brand>, background: Background, named: bool) -> Palette {
    let colours = page.colours(brand);
    match &page.authored {
        Some(text) => painted(&colours, background, named.then(|| ground(text)).flatten()),
        None => colours.on(background),
    }
}

fn ground(authored: &str) -> Option<Colour> {
    markup::parse(authored, &VOCABULARY).ok()?.root.colour("bg")
}

/// Returns the palette of an authored page, on the given `ground` in place of its background's own, and with the same
/// art colours on every page of its set.
pub fn painted(colours: &Colours<'_>, background: Background, ground: Option<Colour>) -> Palette {
    let chosen = match ground {
        Some(Colour::Role(Role::Art(n))) => colours.on_chosen(n),
        _ => None,
    };
    let art = colours.on(Background::Base).art;
    // Roles refer to the colours of the set, whatever the background.
    let palette = Palette { art, ..colours.on(background) };
    chosen.unwrap_or_else(|| Palette { art, ..ground.map_or(palette, |to| grounded(palette, to)) })
}

/// Returns the index, from 0, of a source's picture that an author calls `photo-1`, `photo-2` …
pub fn photo_number(src: &str) -> Option<usize> {
    src.trim().strip_prefix("photo-")?.parse::<usize>().ok()?.checked_sub(1)
}

fn each(node: &mut Node, change: &mut dyn FnMut(&mut Node)) {
    change(node);
    node.children.iter_mut().for_each(|child| each(child, change));
}

/// Sets the ids of elements that hold the words of slots to the names of these slots.
pub fn named(tree: &mut Tree) {
    freed(&mut tree.root);
    let (mut names, mut open) = (Names::default(), None);
    for child in &mut tree.root.children {
        names.element(child, &mut open);
    }
    // Figures without words are no items; the others are numbered without gaps.
    let heads: Vec<u8> = (0..names.items).filter(|n| names.used.contains(&SlotId::ItemHead(*n))).collect();
    each(&mut tree.root, &mut |node| {
        let Ok(SlotId::Cell(n, _)) = node.id.parse::<SlotId>() else { return };
        if !heads.contains(&n) {
            node.id = format!("{}-alone-{n}", node.name());
        }
    });
    renumber(&mut tree.root, &|n| heads.iter().position(|head| *head == n).map(|n| n as u8));
}

/// Like `named`, for a page with some named elements: elements with names of slots keep them, and head and foot stay
/// unchanged.
pub(super) fn named_beside(tree: &mut Tree) {
    freed(&mut tree.root);
    let used: Vec<SlotId> = tree.root.walk().filter_map(|node| node.id.parse().ok()).collect();
    let number = |id: &SlotId| match *id {
        SlotId::ItemHead(n) | SlotId::ItemBody(n) | SlotId::ItemLabel(n) | SlotId::Cell(n, _) => Some(n),
        _ => None,
    };
    let items = used.iter().filter_map(number).max().map_or(0, |n| n.saturating_add(1));
    let (mut names, mut open) = (Names { used, items, others: 0, beside: true }, None);
    tree.root.children.iter_mut().for_each(|child| names.element(child, &mut open));
}

/// Renames shapes whose ids are names of slots or of the frame, such as "note", and the references to them.
fn freed(page: &mut Node) {
    let is_taken = |node: &Node| {
        let named = FRAME.contains(&node.id.as_str()) || node.id.parse::<SlotId>().is_ok();
        matches!(node.element.group, Group::Shapes) && named
    };
    each(page, &mut |svg| {
        let taken: Vec<String> = match svg.name() {
            "svg" => svg.walk().filter(|n| is_taken(n)).map(|n| n.id.clone()).collect(),
            _ => Vec::new(),
        };
        for id in taken {
            let other = format!("shape-{id}");
            let references = [format!("#{id}"), format!("url(#{id})")];
            each(svg, &mut |node| {
                if node.id == id {
                    node.id.clone_from(&other);
                }
                for (_, value) in node.attributes.iter_mut().filter(|(_, v)| references.iter().any(|r| r == v.trim())) {
                    *value = value.replace(&format!("#{id}"), &format!("#{other}"));
                }
            });
        }
    });
}

/// Renumbers the items of a page; items for which `to` returns `None` keep their number.
fn renumber(node: &mut Node, to: &dyn Fn(u8) -> Option<u8>) {
    each(node, &mut |node| {
        let Some(rest) = node.id.strip_prefix("item.") else { return };
        let (number, part) = rest.split_once('.').map_or((rest, None), |(n, part)| (n, Some(part)));
        let Some(number) = number.parse().ok().and_then(to) else { return };
        node.id = part.map_or_else(|| format!("item.{number}"), |part| format!("item.{number}.{part}"));
    });
}

/// Returns a page with its items in another order. `from` gives the old index of each item, or `None` for a new one
/// that looks like the last. Returns `None` if the items aren't siblings, because then the author's layout has no place
/// for them.
pub fn rearranged(text: &str, from: &[Option<u8>]) -> Option<String> {
    let mut tree = markup::parse(text, &VOCABULARY).ok()?;
    let count = slots(&tree).iter().filter(|s| matches!(s.id, SlotId::ItemHead(_))).count();
    let parent = parent_of_items(&mut tree.root, count)?;
    let places: Vec<usize> =
        (0..parent.children.len()).filter(|i| !items_in(&parent.children[*i]).is_empty()).collect();
    let blocks: Vec<Node> = places.iter().map(|i| parent.children[*i].clone()).collect();
    let mut made = 0;
    let arranged: Vec<Node> = (0..)
        .zip(from)
        .map(|(n, from)| {
            let mut block = from.map_or_else(|| blocks.last(), |old| blocks.get(usize::from(old))).cloned()?;
            renumber(&mut block, &|_| Some(n));
            if from.is_none() {
                made += 1;
                each(&mut block, &mut |node| {
                    if !node.id.is_empty() && node.id.parse::<SlotId>().is_err() {
                        node.id = format!("{}-new-{made}", node.id);
                    }
                });
            }
            Some(block)
        })
        .collect::<Option<_>>()?;
    let mut arranged = arranged.into_iter();
    let mut children = Vec::with_capacity(parent.children.len());
    for (i, child) in std::mem::take(&mut parent.children).into_iter().enumerate() {
        // Elements between items stay while items follow them.
        let between = i > places[0] && places.last().is_some_and(|last| i < *last);
        match places.contains(&i) {
            true => children.extend(arranged.next()),
            false if between && arranged.len() == 0 => {}
            false => children.push(child),
        }
        if places.last() == Some(&i) {
            children.extend(arranged.by_ref());
        }
    }
    parent.children = children;
    tree.check().is_empty().then(|| markup::print(&tree))
}

/// Returns the element whose children hold the `count` items of a page, one each, in order.
fn parent_of_items(node: &mut Node, count: usize) -> Option<&mut Node> {
    let held: Vec<Vec<u8>> = node.children.iter().map(items_in).filter(|items| !items.is_empty()).collect();
    if held.len() == count && (0..).zip(&held).all(|(n, items): (u8, _)| *items == [n]) {
        return Some(node);
    }
    let holder = node.children.iter().position(|child| items_in(child).len() == count)?;
    parent_of_items(&mut node.children[holder], count)
}

/// Returns the numbers of the items in an element, without duplicates.
fn items_in(node: &Node) -> Vec<u8> {
    let mut out: Vec<u8> = Vec::new();
    for id in node.walk().filter_map(|n| n.id.parse::<SlotId>().ok()) {
        if let SlotId::ItemHead(n) | SlotId::ItemBody(n) | SlotId::ItemLabel(n) | SlotId::Cell(n, _) = id
            && !out.contains(&n)
        {
            out.push(n);
        }
    }
    out
}

/// Returns the words of a page whose elements are [`named`], in reading order.
pub fn slots(tree: &Tree) -> Vec<Slot> {
    tree.root.walk().flat_map(parts).map(|(id, runs)| slot(id, &runs)).collect()
}

/// The names given so far.
#[derive(Default)]
struct Names {
    used: Vec<SlotId>,
    /// Number of items.
    items: u8,
    /// Number of elements without a slot whose ids clashed.
    others: usize,
    /// Whether elements with names of slots keep them.
    beside: bool,
}

impl Names {
    /// Names an element and its content. `open` is the current item of the same parent.
    fn element(&mut self, node: &mut Node, open: &mut Option<u8>) {
        if self.beside && ["head", "foot"].contains(&node.id.as_str()) {
            return;
        }
        let id = match node.name() {
            _ if self.beside && node.id.parse::<SlotId>().is_ok() => None,
            "item" => self.begin().and_then(|n| self.first(SlotId::ItemHead(n))),
            _ if node.words.is_empty() => None,
            _ if self.beside && !node.words.iter().any(|run| run.text.contains(char::is_alphanumeric)) => None,
            "headline" | "quote" => self.first(SlotId::Title).or_else(|| self.head(open)),
            "lead" => self.first(SlotId::Body).or_else(|| self.first(SlotId::Note)).or_else(|| self.head(open)),
            "figure" => self.first(SlotId::Value).or_else(|| self.begun(open).map(|n| SlotId::Cell(n, 0))),
            "button" => self.first(SlotId::Cta).or_else(|| self.head(open)),
            "source" => self.first(SlotId::Attribution),
            "label" | "pill" => self.head(open),
            "caption" => {
                let label = self.untold(*open).or_else(|| open.and_then(|n| self.first(SlotId::ItemLabel(n))));
                label.or_else(|| self.first(SlotId::Note)).or_else(|| self.head(open))
            }
            "text" => {
                let body = self.untold(*open).or_else(|| open.and_then(|n| self.first(SlotId::ItemBody(n))));
                let lone = body.is_none() && self.items == 0;
                body.or_else(|| lone.then(|| self.first(SlotId::Body)).flatten()).or_else(|| self.head(open))
            }
            _ => None,
        };
        match id {
            Some(SlotId::ItemHead(n)) if node.name() == "item" => node.id = format!("item.{n}"),
            Some(id) => node.id = id.to_string(),
            None if !self.beside && (FRAME.contains(&node.id.as_str()) || node.id.parse::<SlotId>().is_ok()) => {
                self.others += 1;
                node.id = format!("{}-other-{}", node.name(), self.others);
            }
            None => {}
        }
        // A label and the text below it make one item; content of another box starts another item.
        let (mut inner, before) = (*open, self.items);
        for child in &mut node.children {
            self.element(child, &mut inner);
        }
        if node.element.holds == Holds::Elements && inner != *open {
            // A row with a mark and a label is the head of an item; its text may follow below.
            let is_head = node.name() == "row" && self.items == before + 1;
            *open = inner.filter(|_| is_head);
        }
    }

    /// Returns a slot that a page has only once, if it isn't used yet.
    fn first(&mut self, id: SlotId) -> Option<SlotId> {
        let free = !self.used.contains(&id);
        if free {
            self.used.push(id);
        }
        free.then_some(id)
    }

    /// Returns the head of the open item if it has none yet.
    fn untold(&mut self, open: Option<u8>) -> Option<SlotId> {
        self.first(SlotId::ItemHead(open?))
    }

    /// Returns the head of the open item if it has none yet, else that of a new one.
    fn head(&mut self, open: &mut Option<u8>) -> Option<SlotId> {
        if let Some(id) = self.untold(*open) {
            return Some(id);
        }
        let n = self.begun(open)?;
        self.first(SlotId::ItemHead(n))
    }

    /// Begins a new item, which becomes the open one.
    fn begun(&mut self, open: &mut Option<u8>) -> Option<u8> {
        *open = self.begin();
        *open
    }

    fn begin(&mut self) -> Option<u8> {
        let n = self.items;
        self.items = n.checked_add(1).filter(|_| n < ITEMS)?;
        Some(n)
    }
}

/// Returns the slot that an element holds completely; `None` for an element that holds a part, such as `title.1`.
fn slot_of(node: &Node) -> Option<SlotId> {
    let id: SlotId = node.id.parse().ok()?;
    let whole = node.id == id.to_string() || node.name() == "item" && matches!(id, SlotId::ItemHead(_));
    whole.then_some(id)
}

/// Returns the parts of an element's words that are slots.
fn parts(node: &Node) -> Vec<(SlotId, Vec<Run>)> {
    let Some(id) = slot_of(node) else { return Vec::new() };
    let attribute = |name: &str, id: SlotId| Some((id, Run::inline(node.get(name)?)));
    let words = |id: SlotId| (!node.words.is_empty()).then(|| (id, node.words.clone()));
    let found = match (node.name(), id) {
        ("item", SlotId::ItemHead(n)) => vec![
            attribute("label", SlotId::ItemLabel(n)),
            attribute("head", id),
            words(if node.has("head") { SlotId::ItemBody(n) } else { id }),
        ],
        ("figure", SlotId::Value) => vec![words(id), attribute("unit", SlotId::Unit)],
        ("quote", SlotId::Title) => vec![words(id), attribute("by", SlotId::Attribution)],
        _ => vec![words(id)],
    };
    found.into_iter().flatten().collect()
}

/// Creates a slot from runs.
fn slot(id: SlotId, runs: &[Run]) -> Slot {
    let mut slot = Slot { id, text: String::new(), span: None, emphasis: Vec::new() };
    for run in runs {
        let from = slot.text.len() as u32;
        slot.text.push_str(&run.text);
        if run.marks.em {
            slot.emphasis.push(from..slot.text.len() as u32);
        }
    }
    slot
}

/// Returns a page's text with the current words of its slots. Elements without their slot are removed.
///
/// # Errors
/// The faults of the text, for example if another version of the engine wrote it.
pub(super) fn refilled(text: &str, slots: &[Slot]) -> Result<Tree, String> {
    let read = markup::parse(text, &VOCABULARY);
    let mut tree = read.map_err(|faults| faults.iter().map(ToString::to_string).collect::<Vec<_>>().join("; "))?;
    retain(&mut tree.root, slots);
    rejoin(&mut tree, slots);
    Ok(tree)
}

/// Returns an authored page's content, for the frame of its page.
///
/// # Errors
/// As for [`refilled`].
pub(super) fn inside(authored: &str, slots: &[Slot]) -> Result<Inside, String> {
    let mut tree = refilled(authored, slots)?;
    let covers = |node: &Node| matches!(node.name(), "img" | "art" | "svg") && node.get("bleed") == Some("all");
    let under = tree.root.children.first().is_some_and(covers).then(|| tree.root.children.remove(0));
    let under = under.map(|mut node| {
        node.set("at", "fill");
        markup::print(&Tree { root: node })
    });
    let children: String =
        tree.root.children.iter().map(|child| markup::print(&Tree { root: child.clone() })).collect();
    let layout: String = LAYOUT
        .iter()
        .map(|(name, usual)| {
            let own = tree.root.attributes.iter().find(|(n, _)| n == name).map(|(_, value)| value.as_str());
            format!(" {name}=\"{}\"", own.unwrap_or(usual))
        })
        .collect();
    Ok(Inside { main: format!("<column id=\"main\" grow=\"1\"{layout}>{children}</column>"), under })
}

/// Updates words that stand in several elements, `title.0` and so on, if they changed: the first element gets all
/// words, and the others are removed.
fn rejoin(tree: &mut Tree, slots: &[Slot]) {
    for was in split_slots(tree) {
        let now = slots.iter().find(|slot| slot.id == was.id);
        if now.is_some_and(|now| now.text == was.text) {
            continue;
        }
        let prefix = SPLIT.iter().find(|(id, _)| *id == was.id).map_or("", |(_, prefix)| prefix);
        each(&mut tree.root, &mut |node| match (node.id.strip_prefix(prefix), now) {
            (Some("0"), Some(now)) => node.words = runs_of(&now.text, &now.emphasis),
            _ => node
                .children
                .retain(|child| child.id.strip_prefix(prefix).is_none_or(|part| part == "0" && now.is_some())),
        });
    }
}

/// Returns the slots whose words stand in several elements, with these words.
pub(super) fn split_slots(tree: &Tree) -> Vec<Slot> {
    let joined = |(id, prefix): (SlotId, &str)| {
        let is_part = |node: &&Node| node.id.strip_prefix(prefix).is_some_and(|n| n.parse::<u8>().is_ok());
        let parts = tree.root.walk().filter(is_part);
        let words: Vec<String> = parts.map(|node| node.words.iter().map(|run| run.text.as_str()).collect()).collect();
        let text = words.join(" ");
        (!words.is_empty()).then_some(Slot { id, text, span: None, emphasis: Vec::new() })
    };
    SPLIT.into_iter().filter_map(joined).collect()
}

/// Updates the words of the elements inside a node. Elements without their slot are removed, and so are boxes that only
/// held them.
fn retain(node: &mut Node, slots: &[Slot]) {
    node.children.retain_mut(|child| {
        let had = child.children.len();
        let kept = fill(child, slots);
        retain(child, slots);
        let idle = |n: &Node| MARKS.contains(&n.name());
        let emptied = child.children.len() < had && child.words.is_empty() && child.children.iter().all(idle);
        kept && !emptied
    });
}

/// Updates the words of an element. Returns `false` if its slot no longer exists.
fn fill(node: &mut Node, slots: &[Slot]) -> bool {
    for (id, runs) in parts(node) {
        let now = slots.iter().find(|s| s.id == id);
        let was = slot(id, &runs);
        let attribute = match (node.name(), id) {
            ("item", SlotId::ItemLabel(_)) => Some("label"),
            ("item", SlotId::ItemHead(_)) if node.has("head") => Some("head"),
            ("figure", SlotId::Unit) => Some("unit"),
            ("quote", SlotId::Attribution) => Some("by"),
            _ => None,
        };
        match (now, attribute) {
            (Some(now), _) if now.text == was.text && now.emphasis == was.emphasis => {}
            (Some(now), Some(name)) => node.set(name, now.text.replace('\n', " ")),
            (Some(now), None) => node.words = runs_of(&now.text, &now.emphasis),
            (None, Some("head")) => return false,
            (None, Some(name)) => node.attributes.retain(|(n, _)| *n != name),
            (None, None) if matches!(id, SlotId::ItemBody(_)) && node.name() == "item" => node.words.clear(),
            (None, None) => return false,
        }
    }
    true
}

/// Returns words as runs, with `em` around the emphasised ranges.
fn runs_of(text: &str, emphasis: &[Range<u32>]) -> Vec<Run> {
    let mut out = Vec::new();
    let mut at = 0;
    for range in emphasis {
        let (from, to) = (range.start as usize, range.end as usize);
        let (Some(before), Some(within)) = (text.get(at..from), text.get(from..to)) else { continue };
        out.extend((!before.is_empty()).then(|| Run::plain(before)));
        out.push(Run { text: within.to_owned(), marks: Marks { em: true, ..Marks::default() } });
        at = to;
    }
    let rest = text.get(at..).unwrap_or_default();
    out.extend((!rest.is_empty()).then(|| Run::plain(rest)));
    out
}

#[cfg(test)]
#[path = "authored_tests.rs"]
mod tests;
