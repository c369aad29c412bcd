//! Parses pages: from well-formed XML to trees.

use std::collections::HashSet;

use roxmltree::{Document, Node as Xml, ParsingOptions};

use super::ids::{Ids, written};
use super::malformed::explain;
use super::names::find;
use super::tolerant::{Repaired, repair};
use super::words::Words;
use super::{declared, is_blank, shortened};
use crate::limits::{DRAWING_BYTES, MARKUP_BYTES, PAGE_DEPTH, PAGE_FAULTS, SLIDES};
use crate::tree::{Fault, Group, Holds, Marks, Node, Tree, Vocabulary};

/// Maximum number of elements, shapes, inline elements and pieces of words in one text.
const NODES: u32 = 20_000;
/// Maximum number of faults of one page that are collected before they are sorted and cut to [`PAGE_FAULTS`].
const COLLECTED: usize = 10 * PAGE_FAULTS;

/// Parses a page.
///
/// # Errors
///
/// All faults of the text, in document order, [`PAGE_FAULTS`] at most.
pub fn parse(text: &str, vocabulary: &Vocabulary) -> Result<Tree, Vec<Fault>> {
    let only = read(text, vocabulary, 1)?.pop();
    only.ok_or_else(|| vec![Fault::new("page", "the text holds no <page>")])
}

/// Parses consecutive pages, or those within one `<pages>` element.
///
/// # Errors
///
/// All faults of the text, in document order, [`PAGE_FAULTS`] at most. Faults name the elements of the second page
/// `page-2/headline-1` and so on.
pub fn parse_all(text: &str, vocabulary: &Vocabulary) -> Result<Vec<Tree>, Vec<Fault>> {
    read(text, vocabulary, SLIDES as usize)
}

/// The readable part of a page: undeclared parts are missing in its tree. `None` if nothing remains.
pub type Partial = (Option<Tree>, Vec<Fault>);

/// Parses pages like [`parse_all`], and keeps the readable parts of those with faults. Faults name elements by their
/// ids within their page.
///
/// # Errors
///
/// The faults of a text that contains no pages at all.
pub fn parse_each(text: &str, vocabulary: &Vocabulary) -> Result<Vec<Partial>, Vec<Fault>> {
    Ok(each(text, vocabulary, SLIDES as usize)?.1)
}

fn read(text: &str, vocabulary: &Vocabulary, most: usize) -> Result<Vec<Tree>, Vec<Fault>> {
    let (mut faults, partial) = each(text, vocabulary, most)?;
    let mut trees = Vec::new();
    for (n, (tree, mut wrong)) in partial.into_iter().enumerate() {
        if n > 0 {
            wrong.iter_mut().for_each(|fault| fault.element = format!("page-{}/{}", n + 1, fault.element));
        }
        faults.append(&mut wrong);
        trees.extend(tree);
    }
    if faults.is_empty() { Ok(trees) } else { Err(listed(faults)) }
}

/// Returns the faults of the text itself, and its pages.
fn each(text: &str, vocabulary: &Vocabulary, most: usize) -> Result<(Vec<Fault>, Vec<Partial>), Vec<Fault>> {
    let refused = |message: String| vec![Fault::new("page", message)];
    if text.len() > MARKUP_BYTES {
        return Err(refused(format!("has {} bytes; {MARKUP_BYTES} are the most", text.len())));
    }
    let repaired = repair(text).map_err(|fault| vec![fault])?;
    let options = ParsingOptions { nodes_limit: NODES, ..ParsingOptions::default() };
    let document = Document::parse_with_options(&repaired.text, options);
    let document = document.map_err(|error| vec![explain(&error, &repaired, text)])?;
    let mut faults = repaired.faults.clone();
    let pages = pages(&document, &mut faults);
    if pages.len() > most {
        return Err(refused(format!("the text holds {} pages; {most} may stand in it", pages.len())));
    }
    if pages.is_empty() && faults.is_empty() {
        return Err(refused("the text holds no <page>".to_owned()));
    }
    Ok((faults, pages.into_iter().map(|page| Reader::read(page, vocabulary, &repaired)).collect()))
}

/// Returns the faults to report.
fn listed(mut faults: Vec<Fault>) -> Vec<Fault> {
    let mut seen = HashSet::new();
    faults.retain(|fault| seen.insert(fault.clone()));
    if faults.len() > PAGE_FAULTS {
        faults.truncate(PAGE_FAULTS - 1);
        faults.push(Fault::new("page", format!("has more faults; these are the first {}", PAGE_FAULTS - 1)));
    }
    faults
}

/// Returns the `<page>` elements of a text. Other content is a fault.
fn pages<'a, 'i>(document: &'a Document<'i>, faults: &mut Vec<Fault>) -> Vec<Xml<'a, 'i>> {
    let mut outside = |within: Xml<'a, 'i>| {
        if within.children().any(|n| n.is_text() && !is_white(n)) {
            faults.push(Fault::new("page", "words stand outside <page>"));
        }
        within.children().filter(Xml::is_element).collect::<Vec<_>>()
    };
    let mut found = outside(document.root_element());
    if let [only] = found[..]
        && only.has_tag_name("pages")
    {
        found = outside(only);
        if let Some(attribute) = only.attributes().next() {
            faults.push(Fault::new("page", format!("<pages> takes no attribute {}", shortened(attribute.name()))));
        }
    }
    for other in found.extract_if(.., |n| !n.has_tag_name("page")).take(PAGE_FAULTS) {
        faults.push(Fault::new("page", format!("<{}> stands outside <page>", shortened(other.tag_name().name()))));
    }
    found
}

fn is_white(text: Xml<'_, '_>) -> bool {
    text.text().is_none_or(|t| t.chars().all(is_blank))
}

/// Returns whether `name` is an inline element.
fn is_inline(name: &str) -> bool {
    name == "br" || Marks::default().named(name).is_some()
}

/// Reads one page.
struct Reader<'a> {
    vocabulary: &'a Vocabulary,
    repaired: &'a Repaired,
    ids: Ids,
    faults: Vec<Fault>,
}

impl<'a> Reader<'a> {
    /// Returns a page's tree and faults, including those of the check.
    fn read(page: Xml<'_, '_>, vocabulary: &'a Vocabulary, repaired: &'a Repaired) -> (Option<Tree>, Vec<Fault>) {
        let mut reader = Self { vocabulary, repaired, ids: Ids::of(page), faults: Vec::new() };
        let tree = reader.element(page, 1, false).map(|root| Tree { root });
        let mut checked = tree.as_ref().map(Tree::check).unwrap_or_default();
        let Self { ids, mut faults, .. } = reader;
        // The last fault only gives the number of further ones.
        checked.truncate(PAGE_FAULTS);
        faults.append(&mut checked);
        faults.sort_by_key(|fault| ids.position(&fault.element));
        (tree, faults)
    }

    fn fault(&mut self, element: &str, message: impl Into<String>) {
        if self.faults.len() < COLLECTED {
            self.faults.push(Fault::new(element, message));
        }
    }

    /// Reads an element with its content. `depth` counts from the page, which is 1.
    fn element(&mut self, xml: Xml<'_, '_>, depth: usize, in_drawing: bool) -> Option<Node> {
        let name = xml.tag_name().name();
        let (id, wrong) = match written(xml) {
            Ok(id) => (id, None),
            Err(id) => (None, Some(id)),
        };
        let element = match find(self.vocabulary, name, in_drawing) {
            Ok(element) => element,
            Err(unknown) => {
                let label = self.ids.next(&shortened(name), id);
                self.fault(&label, unknown.message);
                if unknown.is_slip && depth < deepest(in_drawing) {
                    let inside = xml.children().filter(|n| n.is_element() && !is_inline(n.tag_name().name()));
                    inside.for_each(|child| drop(self.element(child, depth + 1, in_drawing)));
                }
                return None;
            }
        };
        let is_named = element.group != Group::Shapes || id.is_some();
        let id = if is_named { self.ids.next(element.name, id) } else { String::new() };
        let mut node = Node::new(element, id);
        let label = label(&node).to_owned();
        self.ids.note(&label);
        if let Some(wrong) = wrong {
            let wrong = shortened(wrong);
            self.fault(&label, format!("id=\"{wrong}\" is no id of letters, digits, -, _ and ., 64 at most"));
        }
        self.attributes(xml, &mut node, &label);
        let in_drawing = match element.name {
            "svg" => true,
            // Holds elements as on a page.
            "place" => false,
            _ => in_drawing,
        };
        let bytes = self.repaired.source(xml.range().end) - self.repaired.source(xml.range().start);
        if element.name == "svg" && bytes > DRAWING_BYTES {
            self.fault(&label, format!("has {bytes} bytes; {DRAWING_BYTES} are the most"));
        } else {
            self.contents(xml, &mut node, depth, in_drawing);
        }
        Some(node)
    }

    fn attributes(&mut self, xml: Xml<'_, '_>, node: &mut Node, label: &str) {
        for attribute in declared(node.element).filter(|a| a.name != "id") {
            // Older drawings write xlink:href.
            let linked =
                || xml.attributes().find(|a| attribute.name == "href" && a.name() == "href").map(|a| a.value());
            if let Some(value) = xml.attribute(attribute.name).or_else(linked) {
                node.attributes.push((attribute.name, value.to_owned()));
            }
        }
        let mut unknown = Vec::new();
        for name in xml.attributes().map(|a| a.name()).filter(|name| node.element.attribute(name).is_none()) {
            let lower = name.to_ascii_lowercase();
            if lower == "href" {
                self.fault(label, "href refers to something else; a page holds all that it shows");
            } else if lower.strip_prefix("on").is_some_and(|event| !event.is_empty()) {
                self.fault(label, format!("{} is a script; a script may not stand in a page", shortened(name)));
            } else {
                unknown.push(shortened(name));
            }
        }
        if !unknown.is_empty() {
            let known: Vec<&str> = declared(node.element).map(|a| a.name).collect();
            self.fault(label, format!("takes no attribute {}; it takes {}", unknown.join(", "), known.join(", ")));
        }
    }

    /// Reads the content of an element: words, inline elements and elements.
    fn contents(&mut self, xml: Xml<'_, '_>, node: &mut Node, depth: usize, in_drawing: bool) {
        let is_bare = node.element.holds == Holds::Elements;
        let deepest = deepest(in_drawing);
        let mut words = Words::default();
        let mut is_deep = false;
        for child in xml.children() {
            if child.is_text() {
                words.text(child.text().unwrap_or_default(), Marks::default());
            } else if self.stands_in_words(child, node.element.holds, &words) {
                self.inline(child, Marks::default(), label(node), &mut words);
            } else if child.is_element() {
                if is_bare {
                    self.bare_words(&mut words, node);
                } else {
                    words.space(Marks::default());
                }
                is_deep |= depth >= deepest;
                if depth < deepest {
                    node.children.extend(self.element(child, depth + 1, in_drawing));
                }
            }
        }
        if is_bare {
            self.bare_words(&mut words, node);
        } else {
            node.words = words.finish();
        }
        if is_deep {
            let message = format!("holds elements {deepest} deep; a page may be {PAGE_DEPTH} deep at most");
            self.fault(label(node), message);
        }
    }

    /// Returns whether a child is an inline element. If `code` may also be an element of its own, adjacent words
    /// decide.
    fn stands_in_words(&self, child: Xml<'_, '_>, holds: Holds, words: &Words) -> bool {
        let name = child.tag_name().name();
        if !child.is_element() || !is_inline(name) {
            return false;
        }
        let is_element = match holds {
            Holds::Elements => self.vocabulary.find(name).is_some(),
            Holds::Only(names) => return !names.contains(&name),
            Holds::Nothing | Holds::Words | Holds::WordsAnd(_) => false,
        };
        let follows = || child.next_sibling().is_some_and(|n| n.is_text() && !is_white(n));
        !is_element || child.attributes().next().is_none() && (!words.is_empty() || follows())
    }

    /// Reads an inline element of the words of `owner`.
    fn inline(&mut self, xml: Xml<'_, '_>, mut marks: Marks, owner: &str, words: &mut Words) {
        let name = xml.tag_name().name();
        if let Some(attribute) = xml.attributes().next() {
            self.fault(owner, format!("<{name}> in its words takes no attribute {}", shortened(attribute.name())));
        }
        match marks.named(name) {
            Some(mark) => *mark = true,
            None => words.line_break(marks),
        }
        for child in xml.children() {
            let inside = child.tag_name().name();
            if child.is_text() {
                words.text(child.text().unwrap_or_default(), marks);
            } else if is_inline(inside) {
                self.inline(child, marks, owner, words);
            } else if child.is_element() {
                self.fault(owner, format!("<{}> may not stand in <{name}>, which holds words only", shortened(inside)));
            }
        }
    }

    /// Turns bare words among elements into a `text` element.
    fn bare_words(&mut self, words: &mut Words, node: &mut Node) {
        if words.is_empty() {
            return;
        }
        let runs = std::mem::take(words).finish();
        match self.vocabulary.find("text") {
            Some(text) => {
                let mut child = Node::new(text, self.ids.next(text.name, None));
                child.words = runs;
                node.children.push(child);
            }
            None => self.fault(label(node), "holds no words"),
        }
    }
}

/// Returns the name of an element in faults.
fn label(node: &Node) -> &str {
    if node.id.is_empty() { node.name() } else { &node.id }
}

/// Returns the maximum depth of elements. Shapes may be deeper than their `svg`.
fn deepest(in_drawing: bool) -> usize {
    if in_drawing { 2 * PAGE_DEPTH } else { PAGE_DEPTH }
}
