//! Removes page furniture: navigation, notices, toolbars, lists of other pages, comments, and hidden elements.

use dom_query::{Document, NodeRef};

use super::names::Names;
use super::phrases;
use super::weight::Weights;

/// Depth limit of elements; deeper ones are removed.
const DEPTH: usize = 200;
/// The share of a page's text beyond which an element is not furniture, whatever its name.
const SHARE: f32 = 0.4;
/// The same for an element that is beside the content by its element type or role, if the content is elsewhere.
const BESIDE: f32 = 0.75;
/// The share of links from which a group of them leads elsewhere.
const LINKED: f32 = 0.75;
/// The same for a group whose name says so.
const LINKING: f32 = 0.35;
/// Characters of the longest element that is furniture because it is short.
const SHORT: u32 = 250;
/// Siblings of a node that are checked, and nodes of a figure.
const SIBLINGS: usize = 32;
/// Characters of the shortest paragraph that is prose.
const PROSE: u32 = 100;
/// Minimum cards of a group that leads elsewhere, and characters of the longest of them.
const CARDS: usize = 3;
const CARD: u32 = 350;
/// Characters of the longest text that is checked as a line.
const LINE: u32 = 140;

/// Elements that never contain content.
const NEVER: &[&str] = &[
    "script", "style", "noscript", "template", "iframe", "frame", "object", "embed", "video", "audio", "canvas", "svg",
    "button", "input", "select", "textarea", "option", "datalist", "dialog", "menu", "nav", "link", "meta", "map",
    "progress", "meter", "label",
];
/// Elements that rarely contain content.
const SELDOM: &[&str] = &["aside", "form", "fieldset"];
/// Inline elements, whose classes mean many things.
const LINE_LEVEL: &[&str] = &[
    "a", "abbr", "b", "bdi", "cite", "code", "data", "em", "font", "i", "ins", "kbd", "label", "mark", "q", "s",
    "samp", "small", "span", "strong", "sub", "sup", "time", "u", "var",
];
/// Roles of elements that are not content (WAI-ARIA landmarks and widgets).
const ROLES: &[&str] = &[
    "navigation",
    "contentinfo",
    "complementary",
    "dialog",
    "alertdialog",
    "search",
    "menu",
    "menubar",
    "toolbar",
    "tablist",
    "button",
    "alert",
    "status",
    "tooltip",
    "doc-toc",
    "doc-endnotes",
    "note-navigation",
];

/// Removes the furniture of a page.
pub(super) fn strip(page: &Document, author: Option<&str>) {
    let weights = Weights::of(page);
    let stripper = Stripper { total: page.body().map_or(0, |b| weights.text(&b)), weights, author };
    let mut open = vec![(page.root(), 0)];
    let mut bereft = Vec::new();
    while let Some((node, depth)) = open.pop() {
        if depth > DEPTH || node.is_comment() || (node.is_element() && stripper.is_furniture(&node)) {
            bereft.extend(stripper.heading_over(&node));
            node.remove_from_parent();
            continue;
        }
        open.extend(node.children_it(true).map(|child| (child, depth + 1)));
    }
    strip_headed(page);
    for heading in bereft.into_iter().filter(has_nothing_below) {
        heading.remove_from_parent();
    }
}

/// Returns whether a heading is the last of its container, or directly precedes another of the same or a higher level.
fn has_nothing_below(heading: &NodeRef<'_>) -> bool {
    let Some(own) = level(heading) else { return false };
    let says = |n: &NodeRef<'_>| n.is_text() && !n.text().trim().is_empty();
    let mut below = std::iter::successors(heading.next_sibling(), NodeRef::next_sibling).take(SIBLINGS);
    let next = below.find(|n| says(n) || n.descendants_it().any(|d| says(&d)));
    next.is_none_or(|n| level(&n).is_some_and(|l| l <= own))
}

struct Stripper<'a> {
    weights: Weights,
    /// Characters of the whole page.
    total: u32,
    author: Option<&'a str>,
}

impl Stripper<'_> {
    fn is_furniture(&self, node: &NodeRef<'_>) -> bool {
        let Some(name) = node.node_name() else { return false };
        if NEVER.contains(&&*name) || is_hidden(node) {
            return true;
        }
        if matches!(&*name, "html" | "head" | "body" | "main" | "article") {
            return false;
        }
        let text = self.weights.text(node);
        let names = Names::of(node.attr("class").as_deref(), node.attr("id").as_deref());
        if names.notice() && !holds_content(node) {
            return true;
        }
        let share = text as f32 / self.total.max(1) as f32;
        let role = node.attr("role").is_some_and(|role| ROLES.contains(&&*role.to_ascii_lowercase()));
        if share <= BESIDE
            && (role || &*name == "aside")
            && !holds_content(node)
            && (share <= SHARE || self.is_beside(node))
        {
            return true;
        }
        // An element with much of the page's text contains its content too.
        if share > SHARE {
            return false;
        }
        SELDOM.contains(&&*name)
            || (name.starts_with("amp-") && !matches!(&*name, "amp-img" | "amp-fit-text" | "amp-accordion"))
            || (matches!(&*name, "header" | "footer") && is_of_the_page(node, &name))
            || role
            || node.attr("aria-hidden").is_some_and(|v| &*v == "true")
            || self.is_named(node, &name, &names, text)
            || (&*name == "sup" && is_mark(node))
            || (&*name == "a" && is_anchor(node))
            || (text <= SHORT && is_beside_picture(node, &name))
            || self.leads_elsewhere(node, &name, text)
            || self.is_group_of_cards(node, &name)
            || self.is_line(node, &name, text)
    }

    /// Returns the heading directly above a node that has text.
    fn heading_over<'a>(&self, node: &NodeRef<'a>) -> Option<NodeRef<'a>> {
        if self.weights.text(node) == 0 {
            return None;
        }
        let mut before = std::iter::successors(node.prev_sibling(), NodeRef::prev_sibling).take(SIBLINGS);
        before.find(|n| self.weights.text(n) > 0).filter(|n| level(n).is_some_and(|l| l > 1))
    }

    /// Returns whether the names of an element mark it as furniture.
    fn is_named(&self, node: &NodeRef<'_>, name: &str, names: &Names, text: u32) -> bool {
        // An inline element that is alone on its line counts as a block.
        let within_line = LINE_LEVEL.contains(&name)
            && node.parent().is_some_and(|p| self.weights.text(&p) > text || level(&p).is_some() || p.has_name("a"));
        if within_line {
            return names.inline_furniture();
        }
        let quoted = || node.ancestors_it(None).any(|a| a.has_name("blockquote") || a.has_name("q"));
        let is_quote = matches!(name, "blockquote" | "q" | "pre" | "code" | "figure" | "table");
        // Sites may name a container after one thing in it.
        let prose = || self.weights.linked(node) < 0.3 && self.paragraphs(node) >= 2;
        (names.furniture() && name != "blockquote" && (names.long_furniture() || !prose()))
            || (text <= SHORT && !is_quote && names.short_furniture() && !holds_content(node) && !quoted())
            || (names.linking_furniture()
                && text > 0
                && self.weights.linked(node) >= LINKING
                && !is_quote
                && name != "p")
    }

    /// Counts the paragraphs of prose within a node, up to two.
    fn paragraphs(&self, node: &NodeRef<'_>) -> usize {
        node.descendants_it().filter(|n| n.has_name("p") && self.weights.text(n) >= PROSE).take(2).count()
    }

    /// Returns whether the page has an article outside a node.
    fn is_beside(&self, node: &NodeRef<'_>) -> bool {
        let Some(parent) = node.parent() else { return false };
        let within = |n: &NodeRef<'_>| n.has_name("article") || n.attr("role").is_some_and(|r| &*r == "article");
        parent.children_it(false).any(|n| n.id != node.id && (within(&n) || n.descendants_it().any(|d| within(&d))))
    }

    /// Returns whether a node contains cards that lead to other pages: short blocks, each with a link.
    fn is_group_of_cards(&self, node: &NodeRef<'_>, name: &str) -> bool {
        if !matches!(name, "ul" | "ol" | "div" | "section") {
            return false;
        }
        let children: Vec<_> =
            node.children_it(false).filter(|n| n.is_element() && self.weights.text(n) > 0).take(60).collect();
        let cards = children.iter().filter(|n| self.is_card(n)).count();
        cards >= CARDS && cards * 10 >= children.len() * 8
    }

    /// Returns whether a node is a short block with a link: its heading is one, or most of it is within one.
    fn is_card(&self, node: &NodeRef<'_>) -> bool {
        let text = self.weights.text(node);
        if text > CARD
            || text == 0
            || !matches!(node.node_name().as_deref(), Some("li" | "div" | "article" | "section" | "a"))
        {
            return false;
        }
        let blocks = || {
            let block = |n: &NodeRef<'_>| {
                level(n).is_some() || ["p", "div", "img", "picture", "time"].iter().any(|name| n.has_name(name))
            };
            node.descendants_it().filter(block).take(2).count() >= 2
        };
        let headed = || {
            node.descendants_it().any(|n| level(&n).is_some() && self.weights.linked(&n) > 0.9)
                || (node.descendants_it().any(|n| level(&n).is_some()) && self.weights.linked(node) > 0.9)
        };
        headed() || (self.weights.linked(node) >= 0.5 && blocks())
    }

    /// Returns whether a node is a group of links, or a lone link.
    fn leads_elsewhere(&self, node: &NodeRef<'_>, name: &str, text: u32) -> bool {
        let linked = self.weights.linked(node);
        match name {
            "ul" | "ol" | "div" | "section" | "dl" | "table" => {
                linked >= LINKED && text > 0 && node.find_descendants_up_to("a", 2) >= 2
            }
            // A cell of a layout table.
            "td" | "center" => linked >= LINKED && node.find_descendants_up_to("a", 4) >= 4,
            "p" => linked >= 0.95 && text < LINE / 2 && node.find_descendants_up_to("a", 1) >= 1,
            // A link within the page that is alone between blocks.
            "a" => {
                let within = node.attr("href").is_some_and(|h| h.starts_with('#'));
                within
                    && node.parent().is_some_and(|p| {
                        ["body", "main", "article", "div", "section", "header"].iter().any(|n| p.has_name(n))
                    })
            }
            _ => false,
        }
    }

    /// Returns whether a node is a short block with the text of furniture.
    fn is_line(&self, node: &NodeRef<'_>, name: &str, text: u32) -> bool {
        if text == 0
            || text > LINE
            || !matches!(name, "p" | "div" | "span" | "li" | "small" | "h5" | "h6" | "address" | "td")
        {
            return false;
        }
        let line = node.text();
        phrases::is_furniture_line(&line)
            || is_trail(node, &line)
            || is_small_print(node, &line)
            || (name != "li" && name != "td" && phrases::is_furniture_paragraph(&line))
            || (matches!(name, "p" | "div" | "address")
                && node.find_descendants_up_to("h1", 1) == 0
                && phrases::is_byline(&line, self.author))
    }
}

/// Returns whether a node is a breadcrumb trail: "Home > News > Bridges".
fn is_trail(node: &NodeRef<'_>, line: &str) -> bool {
    line.matches(['>', '›', '»', '→']).count() >= 2 && node.find_descendants_up_to("a", 2) >= 2
}

/// Returns whether a block is entirely in a smaller size, as older pages set their small print.
fn is_small_print(node: &NodeRef<'_>, line: &str) -> bool {
    let whole = line.chars().filter(|c| !c.is_whitespace()).count();
    let small = node
        .children_it(false)
        .find(|c| c.has_name("font") && c.attr("size").is_some_and(|s| matches!(s.trim(), "-1" | "-2" | "-3" | "1")));
    small.is_some_and(|s| s.text().chars().filter(|c| !c.is_whitespace()).count() == whole)
}

/// Returns whether a superscript is a footnote mark: a link within the page, or words in brackets.
fn is_mark(node: &NodeRef<'_>) -> bool {
    let linked = node.descendants_it().any(|n| n.has_name("a") && n.attr("href").is_some_and(|h| h.contains('#')));
    let text = node.text();
    linked || (text.trim_start().starts_with('[') && text.trim_end().ends_with(']'))
}

/// Returns whether a link is the anchor of a heading: a symbol rather than a word.
fn is_anchor(node: &NodeRef<'_>) -> bool {
    let text = node.text();
    let mark = text.trim();
    !mark.chars().any(char::is_alphanumeric)
        && node.attr("href").is_some_and(|h| h.contains('#'))
        && node.ancestors_it(Some(3)).any(|a| level(&a).is_some())
}

/// Returns whether a node in a figure is beside its picture and neither caption nor content: a credit, a button.
fn is_beside_picture(node: &NodeRef<'_>, name: &str) -> bool {
    const KEPT: [&str; 10] =
        ["img", "picture", "amp-img", "source", "figcaption", "figure", "table", "pre", "blockquote", "code"];
    if KEPT.contains(&name) {
        return false;
    }
    let Some(figure) = node.parent().filter(|p| p.has_name("figure")) else { return false };
    let holds = |n: &NodeRef<'_>, names: &[&str]| {
        n.descendants_it().take(SIBLINGS).any(|d| names.iter().any(|name| d.has_name(name)))
    };
    holds(&figure, &["img", "picture", "amp-img"]) && !holds(node, &KEPT)
}

/// Counts descendants without collecting them all.
trait Count {
    fn find_descendants_up_to(&self, name: &str, most: usize) -> usize;
}

impl Count for NodeRef<'_> {
    fn find_descendants_up_to(&self, name: &str, most: usize) -> usize {
        self.descendants_it().filter(|n| n.has_name(name)).take(most).count()
    }
}

/// Returns whether a header or footer belongs to the page rather than to an article or a quotation.
fn is_of_the_page(node: &NodeRef<'_>, name: &str) -> bool {
    let above = |names: &[&str]| node.ancestors_it(None).any(|a| names.iter().any(|n| a.has_name(n)));
    match name {
        "header" => {
            !above(&["article", "main", "section", "blockquote", "figure"]) && node.find_descendants_up_to("h1", 1) == 0
        }
        // The footer of an article has tags and toolbars.
        _ => !above(&["blockquote", "figure"]),
    }
}

/// Returns whether a node contains the page's own content.
fn holds_content(node: &NodeRef<'_>) -> bool {
    node.descendants_it().any(|n| ["main", "article", "h1"].iter().any(|name| n.has_name(name)))
}

/// Returns whether an element is for machines only: words that no reader sees are not content.
fn is_hidden(node: &NodeRef<'_>) -> bool {
    if node.has_attr("hidden") {
        return true;
    }
    let Some(style) = node.attr("style") else { return false };
    let style: String = style.chars().filter(|c| !c.is_whitespace()).flat_map(char::to_lowercase).collect();
    let mut colours = [None, None];
    for declaration in style.split(';') {
        let Some((property, value)) = declaration.split_once(':') else { continue };
        let value = value.trim_end_matches("!important");
        match property {
            "display" if value == "none" => return true,
            "visibility" if value == "hidden" || value == "collapse" => return true,
            "font-size" if tiny(value) => return true,
            "color" => colours[0] = Some(value.to_owned()),
            "background" | "background-color" => colours[1] = Some(value.to_owned()),
            _ => {}
        }
    }
    matches!(colours, [Some(ink), Some(paper)] if ink == paper)
}

/// Returns whether a font size is too small to read.
fn tiny(size: &str) -> bool {
    let number = size.trim_end_matches(|c: char| c.is_ascii_alphabetic() || c == '%');
    let limit = match &size[number.len()..] {
        "px" | "pt" | "" => 3.0,
        "em" | "rem" => 0.2,
        "%" => 20.0,
        _ => return false,
    };
    number.parse::<f32>().is_ok_and(|n| n < limit)
}

/// Removes the content below headings such as "Read more", with the heading.
fn strip_headed(page: &Document) {
    for heading in page.select("h2, h3, h4, h5, h6").nodes() {
        if !phrases::heads_furniture(&heading.text()) {
            continue;
        }
        let level = level(heading).unwrap_or(6);
        // Removes a whole container if it starts with the heading and has no other heading of the same or a higher
        // level.
        let own = heading.parent().filter(|parent| {
            !["body", "main", "article", "html"].iter().any(|n| parent.has_name(n))
                && begins_with(parent, heading)
                && !parent.descendants_it().any(|n| n.id != heading.id && self::level(&n).is_some_and(|l| l <= level))
        });
        match own {
            Some(container) => container.remove_from_parent(),
            None => {
                let mut next = heading.next_sibling();
                while let Some(node) = next {
                    if holds_heading(&node, level) {
                        break;
                    }
                    next = node.next_sibling();
                    node.remove_from_parent();
                }
                heading.remove_from_parent();
            }
        }
    }
}

/// Returns whether `parent` has no text before `heading`.
fn begins_with(parent: &NodeRef<'_>, heading: &NodeRef<'_>) -> bool {
    parent.children_it(false).take_while(|n| n.id != heading.id).all(|n| n.text().trim().is_empty())
}

fn holds_heading(node: &NodeRef<'_>, level_of: u8) -> bool {
    level(node).is_some_and(|l| l <= level_of)
        || node.descendants_it().any(|n| level(&n).is_some_and(|l| l <= level_of))
}

/// Returns the level of a heading, 1–6.
pub(super) fn level(node: &NodeRef<'_>) -> Option<u8> {
    let name = node.node_name()?;
    match (*name).as_bytes() {
        [b'h', digit @ b'1'..=b'6'] => Some(digit - b'0'),
        _ => None,
    }
}
