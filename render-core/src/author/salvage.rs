//! Recovers what is usable of a page without the parts that must not be shown.

use super::claims::coloured;
use crate::content::Language;
use crate::design::Manner;
use crate::elements::VOCABULARY;
use crate::icon::Icon;
use crate::markup::{self, Partial};
use crate::pictures;
use crate::tree::{Fault, Kind, Node, Tree};

/// Elements that can serve as the headline of a page.
const HEADS: [&str; 3] = ["headline", "quote", "figure"];

/// Returns the pages of a text that contains one, as far as they can be parsed. If a page can't be parsed at all, for
/// example because it exceeds a limit, its headline is kept, so that the author's other pages aren't lost.
pub(super) fn read(page: &str) -> Vec<Partial> {
    markup::parse_each(page, &VOCABULARY).unwrap_or_else(|faults| vec![(headed(page), faults)])
}

/// Creates a page from the first headline in a text; `None` if it has none.
fn headed(page: &str) -> Option<Tree> {
    let (_, behind) = page.split_once("<headline")?;
    let (inside, _) = behind.split_once("</headline>")?;
    // The text between tags, with entities unchanged.
    let words: String = inside.split('>').skip(1).filter_map(|part| part.split('<').next()).collect();
    let alone = format!("<page><headline>{}</headline></page>", words.trim());
    markup::parse_each(&alone, &VOCABULARY).ok()?.into_iter().find_map(|(tree, _)| tree)
}

/// Replaces names of icons that don't exist by icons with that meaning, and removes these faults from the list.
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

/// Removes the elements that `claimed` names, colours outside the palette, and attributes that can't be read. Returns
/// whether the page can be shown as composed; its words can be used either way.
pub(super) fn salvage(tree: &mut Tree, claimed: &[Fault], wrong: &[Fault]) -> bool {
    let lost: Vec<&str> = claimed.iter().map(|fault| fault.element.as_str()).collect();
    recolour(&mut tree.root);
    without(&mut tree.root, &lost);
    // Without its headline, a page no longer matches the author's composition.
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

/// Removes marks from a node whose content was removed.
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

/// Removes colours outside the palette from a node.
fn recolour(node: &mut Node) {
    let own = coloured(node);
    node.attributes.retain(|(name, _)| !own.contains(name));
    node.children.iter_mut().for_each(recolour);
}

/// Removes elements from a node, and boxes that held nothing else.
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
