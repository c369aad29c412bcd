//! Rules about the look of elements, driven by data: `forms.txt` lists phrases and the attributes that they set.

use std::collections::HashMap;
use std::sync::OnceLock;

use crate::tree::{Node, Tree};

use super::super::{Elements, Op, Reshape};
use super::clause::{Bag, Kind};
use super::done::Done;
use super::lex::fold;
use super::sense::{Sense, W};
use super::state::State;
use super::things::{around, called, named, of_part, phrase, tree};

/// The attribute that a phrase sets on elements.
struct Form {
    attribute: &'static str,
    /// The value to set, and the value that removes the effect.
    value: &'static str,
    off: &'static str,
    /// The elements that support the attribute.
    elements: Vec<&'static str>,
}

fn forms() -> &'static HashMap<String, Vec<Form>> {
    static READ: OnceLock<HashMap<String, Vec<Form>>> = OnceLock::new();
    READ.get_or_init(|| {
        let mut table: HashMap<String, Vec<Form>> = HashMap::new();
        for line in include_str!("forms.txt").lines().filter(|line| !line.starts_with('#')) {
            let Some((what, phrases)) = line.split_once(" = ") else { continue };
            let mut words = what.split_whitespace();
            let Some((attribute, values)) = words.next().and_then(|set| set.split_once('=')) else { continue };
            let Some((value, off)) = values.split_once('|') else { continue };
            let elements: Vec<&str> = words.collect();
            for phrase in phrases.split("; ") {
                let form = Form { attribute, value, off, elements: elements.clone() };
                table.entry(fold(phrase.trim())).or_default().push(form);
            }
        }
        table
    })
}

/// Reads a clause such as "rounded corners", "no shadows on the cards", "a dashed line", "as a donut" or "bullets
/// instead of numbers".
pub(super) fn set(bag: &mut Bag<'_>, st: &mut State<'_, '_>) -> Option<Done> {
    let found = (0..bag.toks.len()).filter_map(|at| phrase(bag, at, forms()).map(|(forms, n)| (forms, at, n)));
    let mut found: Vec<(&Vec<Form>, usize, usize)> = found.collect();
    if found.is_empty() || bag.any(|kind| matches!(kind, Kind::Sense(Sense::Colour(_)) | Kind::Num(_))) {
        return None;
    }
    found.sort_by_key(|(_, at, n)| (std::cmp::Reverse(*n), *at));
    let tree = tree(st)?;
    let all = found.clone();
    let read = found.into_iter().find_map(|(forms, at, n)| {
        let mut bag = bag.clone();
        bag.take_range(at..at + n);
        let ops = asked(&mut bag, forms, &tree, st.everywhere);
        (!ops.is_empty() && bag.is_spent(false)).then_some((bag, ops))
    });
    // "add a border to the cards" on a page without cards.
    let (forms, at, n) = *all.first()?;
    let absent = || {
        let mut bag = bag.clone();
        bag.take_range(at..at + n);
        let things = called(&mut bag);
        let known = forms.iter().any(|form| form.elements.iter().any(|name| things.contains(name)));
        known.then(|| things.first().copied()).flatten()
    };
    let Some((spent, ops)) = read else {
        let words = bag.any(|kind| matches!(kind, Kind::Mark(':') | Kind::Quoted(_)));
        let name = if words { None } else { absent() }?;
        let rest = bag.toks.len();
        bag.take_range(0..rest);
        return Some(Done::No(format!("This page has no {name} that takes this.")));
    };
    *bag = spent;
    ops.into_iter().for_each(|op| st.push(op));
    Some(Done::Yes(Vec::new()))
}

/// Returns the ops that a clause requests with `forms`, and takes the other words that such a clause may contain.
fn asked(bag: &mut Bag<'_>, forms: &[Form], tree: &Tree, everywhere: bool) -> Vec<Op> {
    let off = bag.take(&[W::Remove, W::None, W::Not, W::Less]);
    bag.take(&[W::Add, W::Show, W::More, W::Bit, W::All, W::Replace, W::Swap, W::Line, W::Look]);
    if forms.iter().any(|form| matches!(form.attribute, "letter-spacing" | "line-spacing")) {
        bag.take(&[W::Text]);
    }
    let parts = bag.parts();
    let items = bag.items();
    let things = named(bag, tree);
    let of = |form: &&Form| things.is_empty() || form.elements.iter().any(|name| things.contains(name));
    let ops = forms.iter().filter(of).flat_map(|form| {
        let value = if off { form.off } else { form.value };
        let which = meant(form, tree, &things, &parts, &items, everywhere);
        let give = move |to| Reshape::Give { to, name: form.attribute.to_owned(), value: value.to_owned() };
        which.into_iter().map(give).map(Op::Element)
    });
    ops.collect()
}

/// Returns the elements that a form applies to.
fn meant(
    form: &Form,
    tree: &Tree,
    things: &[&'static str],
    parts: &[crate::design::Part],
    items: &[u8],
    everywhere: bool,
) -> Vec<Elements> {
    let takes = |node: &&Node| form.elements.contains(&node.name()) && node.element.attribute(form.attribute).is_some();
    let one = |node: &Node| Elements::One(node.id.clone());
    if !parts.is_empty() {
        return parts.iter().flat_map(|part| of_part(tree, *part)).filter(|node| takes(node)).map(one).collect();
    }
    if !items.is_empty() {
        return items.iter().filter_map(|item| around(tree, *item, &form.elements)).map(one).collect();
    }
    let named = |name: &&&str| things.is_empty() || things.contains(*name);
    let on_page = |name: &&&str| everywhere || tree.root.walk().any(|node| node.name() == **name && takes(&node));
    // Letter spacing, line spacing and turns apply to one kind of element, unless the clause names elements.
    let single = matches!(form.attribute, "turn" | "letter-spacing" | "line-spacing") && things.is_empty();
    let found = form.elements.iter().filter(named).filter(on_page);
    found.take(if single { 1 } else { usize::MAX }).map(|name| Elements::Every((*name).to_owned())).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::elements::VOCABULARY;

    #[test]
    fn forms_name_elements_and_values_of_the_page_language() {
        for (phrase, forms) in super::forms() {
            for form in forms {
                for name in &form.elements {
                    let element = VOCABULARY.find(name).unwrap_or_else(|| panic!("{phrase}: no element {name}"));
                    assert!(element.attribute(form.attribute).is_some(), "{phrase}: {name} has no {}", form.attribute);
                    for value in [form.value, form.off] {
                        let mut node = Node::new(element, "it");
                        node.set(form.attribute, value);
                        node.drop_unreadable();
                        assert!(node.has(form.attribute), "{phrase}: {}=\"{value}\"", form.attribute);
                    }
                }
            }
        }
    }
}
