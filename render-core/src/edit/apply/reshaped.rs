//! Changes the elements of a page. The change edits the page's source text, and from then on the text defines the page.

use crate::compose;
use crate::design::{Art, Page, Theme};
use crate::elements::VOCABULARY;
use crate::tree::{Node, Tree};
use crate::{markup, pictures};

use super::super::reshape::end_of_content;
use super::super::{Elements, Op, Reshape};
use super::{ApplyError, Change, Work, no};

impl Work<'_, '_> {
    /// Applies a change to elements.
    pub(super) fn reshape(&mut self, change: &Reshape) -> Result<Op, ApplyError> {
        let text = compose::text(&self.page).or_else(no)?;
        let mut tree = markup::parse(&text, &VOCABULARY).or_else(|faults| no(compose::listed(&faults)))?;
        let before = tree.clone();
        change.change(&mut tree).or_else(no)?;
        let faults = tree.check();
        if !faults.is_empty() {
            return no(compose::listed(&faults));
        }
        if tree != before {
            let was = matches!(change, Reshape::Give { name, .. } if name == "ink").then(|| self.composed().scene);
            self.rewrite(&markup::print(&tree))?;
            if was.is_some_and(|was| was == self.composed().scene) {
                return no("Words in this colour could not be read on their ground: they stay as they are.");
            }
        }
        Ok(Op::Element(change.clone()))
    }

    /// Adds an element at the end of the page's content.
    pub(super) fn put_last(&mut self, element: String) -> Result<Op, ApplyError> {
        let text = compose::text(&self.page).or_else(no)?;
        let tree = markup::parse(&text, &VOCABULARY).or_else(|faults| no(compose::listed(&faults)))?;
        let (place, of) = end_of_content(&tree);
        self.reshape(&Reshape::Put { element, place, of })
    }

    /// Replaces the page's drawing or ornament by another drawing, or adds the drawing to a page that has neither.
    pub(super) fn drawing(&mut self, name: &str) -> Result<Op, ApplyError> {
        let before = self.page.clone();
        match self.redrawn(name) {
            Ok(true) => Ok(Op::Drawing(name.to_owned())),
            Ok(false) => {
                self.page = before;
                let by = if name.is_ascii() { "name" } else { "emoji" };
                let picture = format!("<picture id=\"picture-new-1\" {by}=\"{name}\" basis=\"32%\" grow=\"1\"/>");
                self.put_last(picture).or_else(|_| no("This page has no room for a drawing."))
            }
            Err(why) => Err(why),
        }
    }

    /// Replaces the page's drawing or ornament. Returns whether the page has a place for one.
    fn redrawn(&mut self, name: &str) -> Result<bool, ApplyError> {
        if !pictures::is_known(name) {
            return no(format!("There is no drawing “{name}”."));
        }
        if self.page.authored.is_some() {
            return self.redraw(name);
        }
        let page = &mut self.page;
        page.picture = Some(name.to_owned());
        if page.art.is_none() {
            let recipe = crate::plan::recipe(Theme::of(page.style), page.seed);
            let recipe = super::look::fitting(recipe, page.background);
            page.art = Some(Art { recipe, seed: super::look::art_seed(page, 1), value: None });
        }
        Ok(self.composed().pictured)
    }

    /// Does the same on a page with its own elements: its first picture, art or SVG becomes the new picture.
    fn redraw(&mut self, name: &str) -> Result<bool, ApplyError> {
        let text = compose::text(&self.page).or_else(no)?;
        let mut tree = markup::parse(&text, &VOCABULARY).or_else(|faults| no(compose::listed(&faults)))?;
        let shown = tree.root.walk().find(|node| matches!(node.name(), "picture" | "art" | "svg"));
        let Some(id) = shown.map(|node| node.id.clone()) else { return Ok(false) };
        let Some(element) = VOCABULARY.find("picture") else { return no("There are no drawings.") };
        let Some(node) = tree.find_mut(&id) else { return Ok(false) };
        let kept = ["grow", "basis", "width", "height", "self", "at", "bleed", "optional", "position"];
        node.element = element;
        node.children.clear();
        node.attributes.retain(|(name, _)| kept.contains(name));
        node.set(if name.is_ascii() { "name" } else { "emoji" }, name);
        self.rewrite(&markup::print(&tree))?;
        Ok(true)
    }
}

/// Describes the effect of a change to elements for the user.
pub(super) fn changes(change: &Reshape, before: &Page, page: &Page) -> Vec<Change> {
    let read = |page: &Page| markup::parse(&compose::text(page).ok()?, &VOCABULARY).ok();
    let (Some(old), Some(new)) = (read(before), read(page)) else { return Vec::new() };
    let one = |what: String, from: String, to: String| vec![Change { what, from, to }];
    let place = |of: &str| new.find(of).map_or_else(|| of.to_owned(), described);
    match change {
        Reshape::Give { to, name, .. } => {
            let value = |tree: &Tree| {
                let found = first(tree, to).and_then(|node| node.get(name));
                found.unwrap_or("as designed").to_owned()
            };
            let name_of = attribute(name);
            let what = first(&new, to).map_or_else(|| name.clone(), |node| format!("{} {name_of}", called(to, node)));
            one(what, value(&old), value(&new))
        }
        Reshape::Take(of) => {
            let what = first(&old, of).map_or_else(|| "element".to_owned(), |node| called(of, node));
            one(what, "shown".to_owned(), "removed".to_owned())
        }
        Reshape::Put { element, place: side, of } => {
            let name = element.trim_start_matches('<').split([' ', '/', '>']).next().unwrap_or("element");
            one(name.to_owned(), "none".to_owned(), format!("{} the {}", side.name(), place(of)))
        }
        Reshape::Mark { words, how, of } => {
            let what = if words.is_empty() { place(of) } else { format!("“{words}”") };
            one(what, "as it was".to_owned(), how.name().to_owned())
        }
        Reshape::Move { element, place: side, of } => {
            one(place(element), "where it was".to_owned(), format!("{} the {}", side.name(), place(of)))
        }
    }
}

fn first<'t>(tree: &'t Tree, of: &Elements) -> Option<&'t Node> {
    tree.root.walk().find(|node| match of {
        Elements::One(id) => node.id == *id,
        Elements::Every(name) => node.name() == name,
    })
}

/// Returns what to call elements: a single one by its words, all of a kind by their name.
fn called(of: &Elements, node: &Node) -> String {
    match of {
        Elements::One(_) => described(node),
        Elements::Every(name) => kind(name).to_owned(),
    }
}

/// Returns the everyday name of an element.
fn kind(name: &str) -> &str {
    match name {
        "img" => "photo",
        "picture" | "svg" => "drawing",
        "rule" => "line",
        "row" | "column" => "group",
        other => other,
    }
}

/// Returns the everyday name of an attribute.
fn attribute(name: &str) -> &str {
    match name {
        "fit" | "size" | "grow" | "basis" | "width" | "height" => "size",
        "ink" | "fill" => "colour",
        "turn" => "angle",
        "letter-spacing" => "letter spacing",
        "line-spacing" => "line spacing",
        other => other,
    }
}

/// Describes an element by its name and its first words.
fn described(node: &Node) -> String {
    const SHOWN: usize = 24;
    let words: String = node.walk().map(Node::text).find(|text| !text.is_empty()).unwrap_or_default();
    let short: String = words.chars().take(SHOWN).collect();
    match () {
        () if words.is_empty() => kind(node.name()).to_owned(),
        () if short.len() < words.len() => format!("{} “{}…”", kind(node.name()), short.trim_end()),
        () => format!("{} “{words}”", kind(node.name())),
    }
}
