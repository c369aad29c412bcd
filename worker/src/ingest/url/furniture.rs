//! What is on a page and not of it: navigation, notices, bars, lists of other pages, comments, and what is not shown.

use dom_query::{Document, NodeRef};

use super::phrases;
use super::weight::Weights;

/// Levels of elements that are read; what lies deeper is left out.
const DEPTH: usize = 200;
/// The share of a page's text beyond which a part of it is not furniture, whatever it is called.
const SHARE: f32 = 0.4;
/// The share of links from which a group of them leads elsewhere.
const LINKED: f32 = 0.75;
/// Characters of the longest line that is looked at as such.
const LINE: u32 = 140;

/// Elements that never hold what a page says.
const NEVER: &[&str] = &[
    "script", "style", "noscript", "template", "iframe", "frame", "object", "embed", "video", "audio", "canvas", "svg",
    "button", "input", "select", "textarea", "option", "datalist", "dialog", "menu", "nav", "link", "meta", "map",
    "progress", "meter", "label",
];
/// Elements that hold it rarely.
const SELDOM: &[&str] = &["aside", "form", "fieldset"];
/// Elements within a line, whose classes mean many things.
const LINE_LEVEL: &[&str] = &[
    "a", "abbr", "b", "bdi", "cite", "code", "data", "em", "font", "i", "ins", "kbd", "label", "mark", "q", "s",
    "samp", "small", "span", "strong", "sub", "sup", "time", "u", "var",
];
/// Roles of what is not the content (WAI-ARIA landmarks and widgets).
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

/// Takes the furniture out of a page.
pub(super) fn strip(page: &Document, author: Option<&str>) {
    let weights = Weights::of(page);
    let stripper = Stripper { total: page.body().map_or(0, |b| weights.text(&b)), weights, author };
    let mut open = vec![(page.root(), 0)];
    while let Some((node, depth)) = open.pop() {
        if depth > DEPTH || node.is_comment() || (node.is_element() && stripper.is_furniture(&node)) {
            node.remove_from_parent();
            continue;
        }
        open.extend(node.children_it(true).map(|child| (child, depth + 1)));
    }
    strip_headed(page);
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
        let names: Vec<_> = [node.attr("class"), node.attr("id")].into_iter().flatten().collect();
        if names.iter().any(|n| phrases::names_notice(n)) && !holds_content(node) {
            return true;
        }
        // What holds much of the page holds its content too.
        if text as f32 > self.total as f32 * SHARE {
            return false;
        }
        SELDOM.contains(&&*name)
            || (name.starts_with("amp-") && !matches!(&*name, "amp-img" | "amp-fit-text" | "amp-accordion"))
            || (matches!(&*name, "header" | "footer") && is_of_the_page(node, &name))
            || node.attr("role").is_some_and(|role| ROLES.contains(&&*role.to_ascii_lowercase()))
            || node.attr("aria-hidden").is_some_and(|v| &*v == "true")
            || names.iter().any(|names| {
                let within_line = LINE_LEVEL.contains(&&*name);
                if within_line { phrases::names_inline_furniture(names) } else { phrases::names_furniture(names) }
            })
            || (&*name == "sup" && is_mark(node))
            || self.leads_elsewhere(node, &name, text)
            || self.is_line(node, &name, text)
    }

    /// A group of links, or a link that stands alone.
    fn leads_elsewhere(&self, node: &NodeRef<'_>, name: &str, text: u32) -> bool {
        let linked = self.weights.linked(node);
        match name {
            "ul" | "ol" | "div" | "section" | "dl" | "table" => {
                linked >= LINKED && text > 0 && node.find_descendants_up_to("a", 2) >= 2
            }
            // A cell of a table that lays out the page.
            "td" | "center" => linked >= LINKED && node.find_descendants_up_to("a", 4) >= 4,
            "p" => linked >= 0.95 && text < LINE / 2 && node.find_descendants_up_to("a", 1) >= 1,
            // Within the page, or by itself between blocks.
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

    /// A short block that says what furniture says.
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
            || (matches!(name, "p" | "div" | "address")
                && node.find_descendants_up_to("h1", 1) == 0
                && phrases::is_byline(&line, self.author))
    }
}

/// "Home > News > Bridges".
fn is_trail(node: &NodeRef<'_>, line: &str) -> bool {
    line.matches(['>', '›', '»', '→']).count() >= 2 && node.find_descendants_up_to("a", 2) >= 2
}

/// A block that is all in a smaller size, as pages of an older kind set what is not their matter.
fn is_small_print(node: &NodeRef<'_>, line: &str) -> bool {
    let whole = line.chars().filter(|c| !c.is_whitespace()).count();
    let small = node
        .children_it(false)
        .find(|c| c.has_name("font") && c.attr("size").is_some_and(|s| matches!(s.trim(), "-1" | "-2" | "-3" | "1")));
    small.is_some_and(|s| s.text().chars().filter(|c| !c.is_whitespace()).count() == whole)
}

/// Whether a superscript is the mark of a footnote: a link within the page, or words in brackets.
fn is_mark(node: &NodeRef<'_>) -> bool {
    let linked = node.descendants_it().any(|n| n.has_name("a") && n.attr("href").is_some_and(|h| h.contains('#')));
    let text = node.text();
    linked || (text.trim_start().starts_with('[') && text.trim_end().ends_with(']'))
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

/// Whether a header or footer belongs to the page and not to an article or a quotation within it.
fn is_of_the_page(node: &NodeRef<'_>, name: &str) -> bool {
    let above = |names: &[&str]| node.ancestors_it(None).any(|a| names.iter().any(|n| a.has_name(n)));
    match name {
        "header" => {
            !above(&["article", "main", "section", "blockquote", "figure"]) && node.find_descendants_up_to("h1", 1) == 0
        }
        // An article's own footer has its tags and bars.
        _ => !above(&["blockquote", "figure"]),
    }
}

/// Whether the page's own content stands within.
fn holds_content(node: &NodeRef<'_>) -> bool {
    node.descendants_it().any(|n| ["main", "article", "h1"].iter().any(|name| n.has_name(name)))
}

/// Whether an element is there for machines only: words that no reader sees are not what the page says.
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

/// A size that nobody can read.
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

/// Takes out what stands under headings such as "Read more", with the heading.
fn strip_headed(page: &Document) {
    for heading in page.select("h2, h3, h4, h5, h6").nodes() {
        if !phrases::heads_furniture(&heading.text()) {
            continue;
        }
        let level = level(heading).unwrap_or(6);
        // A container of its own goes whole: one that begins with the heading, and holds no other as high.
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

/// Whether nothing is said in `parent` before `heading`.
fn begins_with(parent: &NodeRef<'_>, heading: &NodeRef<'_>) -> bool {
    parent.children_it(false).take_while(|n| n.id != heading.id).all(|n| n.text().trim().is_empty())
}

fn holds_heading(node: &NodeRef<'_>, level_of: u8) -> bool {
    level(node).is_some_and(|l| l <= level_of)
        || node.descendants_it().any(|n| level(&n).is_some_and(|l| l <= level_of))
}

/// 1–6 for a heading.
pub(super) fn level(node: &NodeRef<'_>) -> Option<u8> {
    let name = node.node_name()?;
    match (*name).as_bytes() {
        [b'h', digit @ b'1'..=b'6'] => Some(digit - b'0'),
        _ => None,
    }
}
