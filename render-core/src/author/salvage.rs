//! What is left of a page without what may not stand on it.

use super::claims::coloured;
use crate::content::Language;
use crate::design::Manner;
use crate::elements::VOCABULARY;
use crate::icon::Icon;
use crate::markup::{self, Partial};
use crate::pictures;
use crate::tree::{Fault, Kind, Node, Tree};

/// Elements that a page can be headed by.
const HEADS: [&str; 3] = ["headline", "quote", "figure"];

/// The pages of a text that holds one, as far as they can be read. Of a page that can't be read at all, such as one that
/// exceeds a limit, the headline remains, so that it does not cost the author the other pages.
pub(super) fn read(page: &str) -> Vec<Partial> {
    markup::parse_each(page, &VOCABULARY).unwrap_or_else(|faults| vec![(headed(page), faults)])
}

/// A page of the first headline in a text; `None` where it has none.
fn headed(page: &str) -> Option<Tree> {
    let (_, behind) = page.split_once("<headline")?;
    let (inside, _) = behind.split_once("</headline>")?;
    // What stands between marks is text, with its entities as they are written.
    let words: String = inside.split('>').skip(1).filter_map(|part| part.split('<').next()).collect();
    let alone = format!("<page><headline>{}</headline></page>", words.trim());
    markup::parse_each(&alone, &VOCABULARY).ok()?.into_iter().find_map(|(tree, _)| tree)
}

/// Finds icons by what they are about where an author calls them by names that they don't have, and takes these faults
/// off the list.
pub(super) fn icons(tree: &mut Tree, wrong: &mut Vec<Fault>) {
    const NONE: &str = " is no icon";
    wrong.retain(|fault| {
        let Some(node) = tree.find_mut(&fault.element).filter(|_| fault.message.contains(NONE)) else { return true };
        let of_icon = |name: &str| node.element.attribute(name).is_some_and(|a| a.kind == Kind::Icon);
        let names: Vec<(&'static str, String)> = node.attributes.iter().filter(|(n, _)| of_icon(n)).cloned().collect();
        let Some((attribute, name)) = names.into_iter().find(|(_, name)| Icon::by_name(name.trim()).is_none()) else {
            return true;
        };
        let words = name.replace(['-', '_'], " ");
        let Some(icon) = Icon::by_meaning(&words, &Language::english()) else { return true };
        node.set(attribute, icon.name());
        false
    });
}

/// Removes the elements that `claimed` names, colours that the palette doesn't have, and attributes that can't be read.
/// Returns whether the page can be shown as it was composed; its words can be used either way.
pub(super) fn salvage(tree: &mut Tree, claimed: &[Fault], wrong: &[Fault]) -> bool {
    let lost: Vec<&str> = claimed.iter().map(|fault| fault.element.as_str()).collect();
    recolour(&mut tree.root);
    without(&mut tree.root, &lost);
    // A page without its headline isn't what was composed.
    if !tree.root.walk().any(|node| HEADS.contains(&node.name()) && !node.words.is_empty()) {
        return false;
    }
    if wrong.is_empty() {
        return true;
    }
    tree.root.drop_unreadable();
    unmarked(&mut tree.root);
    tree.check().is_empty() && pictures::resolve(tree, Manner::Flat, 0).is_ok()
}

/// Takes marks off a node that have lost what they show.
fn unmarked(node: &mut Node) {
    node.children.retain_mut(|child| {
        unmarked(child);
        let shows = |name: &str| child.has(name);
        match child.name() {
            "icon" | "picture" => shows("name") || shows("emoji"),
            "badge" => !child.words.is_empty() || shows("icon") || shows("emoji"),
            _ => true,
        }
    });
}

/// Takes colours off a node that the palette doesn't have.
fn recolour(node: &mut Node) {
    let own = coloured(node);
    node.attributes.retain(|(name, _)| !own.contains(name));
    node.children.iter_mut().for_each(recolour);
}

/// Takes elements off a node, and boxes that held nothing else.
fn without(node: &mut Node, lost: &[&str]) {
    node.children.retain_mut(|child| {
        if lost.contains(&child.id.as_str()) {
            return false;
        }
        let had = child.children.len();
        without(child, lost);
        had == 0 || !child.children.is_empty() || !child.words.is_empty()
    });
}
