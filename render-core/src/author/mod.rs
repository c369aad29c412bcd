//! Pages that an author composes in the page language. The author may be a language model and may have been
//! manipulated, so nothing is trusted: the text, its limits, its claims and its language are checked here.
//!
//! ```text
//! answer --markup--> trees --claims, set--> faults for the author
//!                       \--salvage--> outline: pages as composed, and their words for templates to fall back on
//! ```

mod claims;
mod reference;
mod salvage;
mod set;
#[cfg(test)]
mod tests;
mod typeset;
mod words;

use std::fmt;

pub use reference::{EXAMPLE, reference, room};

use crate::compose::named;
use crate::content::{Evidence, Language};
use crate::design::Manner;
use crate::elements::VOCABULARY;
use crate::format::{Density, Format, Purpose};
use crate::outline::{Outline, PageKind, PageOutline};
use crate::tree::{self, Tree};
use crate::{markup, pictures};

/// Fewest pages of a set that ends in a recap.
const FULL: u32 = 5;
/// Most faults that are reported: the first ones are enough to learn from.
const FAULTS: usize = 24;
/// The start of the fault for an attribute that its element doesn't declare.
const UNKNOWN: &str = "takes no attribute";
/// The text before the other element in a fault about overlapping words.
const OTHER: &str = "its words lie over those of ";
/// Most characters of an element's words that a fault quotes.
const QUOTED: usize = 48;

/// How far an author may go beyond the source.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Licence {
    /// Only what the source says: it contains every number and every quotation.
    Source,
    /// The source is an idea to be developed. Small numbers may be new; shares, money, large numbers, quotations,
    /// addresses and codes must be in the idea.
    Idea,
}

/// The task of an author.
#[derive(Debug, Clone)]
pub struct Commission<'a> {
    /// Number of pages: `None` for a visual, the slide count for a carousel.
    pub slides: Option<u32>,
    /// The purpose of the pages.
    pub purpose: Purpose,
    /// How closely the pages are read.
    pub density: Density,
    /// The title that replaces the author's, if the cover has a given one.
    pub title: Option<&'a str>,
    /// The language of the pages.
    pub language: &'a Language,
    /// The language of the source.
    pub source_language: &'a Language,
    /// The text of the source.
    pub source: &'a str,
    /// The claims that the source supports.
    pub evidence: &'a Evidence,
    /// How far the pages may depart from the source's words.
    pub licence: Licence,
    /// Number of things that the pages count: 5 of "5 tips".
    pub count: Option<u32>,
    /// Words that the pages must contain: a code, a price, a date.
    pub kept: Vec<String>,
    /// Number of photographs of the source that pages may show, as `photo-1`, `photo-2` …
    pub photos: usize,
}

/// A fault of pages, in terms that their author can act on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fault {
    /// The page's index in its set, from 0; `None` for a fault of the whole set.
    page: Option<usize>,
    /// The format, if the fault only occurs in one of several.
    format: Option<&'static str>,
    /// What is wrong, and with which element.
    message: String,
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(page) = self.page {
            write!(f, "page {}", page + 1)?;
            if let Some(format) = self.format {
                write!(f, " as {format}")?;
            }
            f.write_str(if self.message.starts_with('<') { ", " } else { ": " })?;
        }
        f.write_str(&self.message)
    }
}

/// The usable part of an answer.
#[derive(Debug, Clone, PartialEq)]
pub struct Reading {
    /// The pages, without the parts that must not be shown.
    pub outline: Outline,
    /// The faults of the answer; empty if it is used unchanged.
    pub faults: Vec<Fault>,
}

impl Commission<'_> {
    /// Returns the requested number of pages.
    pub fn pages(&self) -> usize {
        self.slides.map_or(1, |n| n as usize)
    }

    /// Reads an answer: pages in the page language, possibly with other text around them.
    ///
    /// # Errors
    /// Every [`Fault`], up to two dozen, if the answer gives no set even after the faulty parts are removed.
    pub fn read(&self, answer: &str) -> Result<Reading, Vec<Fault>> {
        let text = pages_in(answer).ok_or_else(|| vec![Fault::of_set("the answer holds no <page>…</page>")])?;
        let mut pages: Vec<markup::Partial> = pages(text).into_iter().flat_map(salvage::read).collect();
        let mut faults = Faults::default();
        let wanted = self.pages();
        if pages.len() != wanted {
            faults.set(format!("there must be exactly {wanted} pages, not {}", pages.len()));
        }
        if pages.len() < wanted {
            return Err(faults.0);
        }
        pages.truncate(wanted);
        let mut outlines: Vec<PageOutline> = Vec::with_capacity(wanted);
        let mut unusable = false;
        let mut trees: Vec<Tree> = Vec::with_capacity(wanted);
        for (index, (tree, mut wrong)) in pages.into_iter().enumerate() {
            let Some(mut tree) = tree else {
                let why = wrong.first().map_or_else(String::new, |fault| format!(": {}", fault.message));
                faults.page(index, format!("can't be read{why}"));
                return Err(faults.0);
            };
            // Undeclared attributes are ignored.
            wrong.retain(|fault| !fault.message.starts_with(UNKNOWN));
            salvage::icons(&mut tree, &mut wrong);
            if wrong.is_empty() {
                wrong = pictures::resolve(&tree, Manner::Flat, 0).err().unwrap_or_default();
            }
            let claimed = self.claims(&tree);
            let coloured = claims::colours(&tree);
            let places = claims::places(&tree);
            faults.extend(
                wrong
                    .iter()
                    .chain(&claimed)
                    .chain(&coloured)
                    .chain(&places)
                    .map(|fault| Fault::of(index, fault, &tree)),
            );
            let sound = salvage::salvage(&mut tree, &claimed, &wrong);
            typeset::typeset(&mut tree, self.language);
            named(&mut tree);
            let outline = self.page(index, &tree, sound);
            unusable |= outline.title.is_none();
            outlines.push(outline);
            trees.push(tree);
        }
        self.check_set(&trees, &mut faults);
        if unusable || self.language.surely_another(&set::spoken(&trees)).is_some() {
            return Err(faults.0);
        }
        Ok(Reading { outline: Outline { pages: outlines, warnings: Vec::new() }, faults: faults.0 })
    }

    /// Returns the content of a page, including the page itself if it is `sound`.
    fn page(&self, index: usize, tree: &Tree, sound: bool) -> PageOutline {
        let mut said = words::of(tree);
        let kind = self.kind(index, tree, &said);
        if index == 0
            && let Some(title) = self.title
        {
            title.clone_into(&mut said.title);
        }
        let mut page = said.outline(kind, self.density, self.language);
        page.number = words::number(tree);
        // A given title replaces the author's when the page is planned.
        page.authored = sound.then(|| markup::print(&words::titled(tree, self.title.filter(|_| index == 0))));
        page
    }

    /// Returns the role of a page in its set.
    fn kind(&self, index: usize, tree: &Tree, said: &crate::outline::WrittenPage) -> PageKind {
        let last = self.slides.is_some_and(|n| index + 1 == n as usize && (n == 2 || n >= FULL));
        let quotes = tree.root.walk().any(|n| n.name() == "quote") && said.items.is_empty();
        match () {
            () if self.slides.is_some() && index == 0 => PageKind::Cover,
            () if last && (!said.items.is_empty() || said.cta.is_some()) => PageKind::Recap,
            () if said.value.is_some() && said.items.is_empty() => PageKind::Stat,
            () if quotes => PageKind::Quote,
            () if said.items.len() > 1 => PageKind::List,
            () if self.slides.is_some() || said.body.is_some() => PageKind::Point,
            () => PageKind::Cover,
        }
    }

    /// Returns whether the pages are in another language than the source.
    fn translates(&self) -> bool {
        self.language.primary() != self.source_language.primary()
    }
}

impl Fault {
    /// Creates a fault of the whole set.
    fn of_set(message: impl Into<String>) -> Self {
        Self { page: None, format: None, message: message.into() }
    }

    /// Creates a fault of an element of page `index`. It describes the element by its words.
    pub fn of(index: usize, fault: &tree::Fault, tree: &Tree) -> Self {
        // Another element in the message is described in the same way.
        let message = match fault.message.split_once(OTHER) {
            Some((what, id)) => {
                let other = described(tree, id);
                format!(
                    "{what}{OTHER}{}; leave more space between them (gap), or say less",
                    other.as_deref().unwrap_or(id)
                )
            }
            None => fault.message.clone(),
        };
        let message = match described(tree, &fault.element) {
            Some(element) => format!("{element}: {message}"),
            None if fault.element == "page" => message,
            None => format!("{}: {message}", fault.element),
        };
        Self { page: Some(index), format: None, message }
    }

    /// Like `of`, for a page that was read before. Uses the element's id if the page can't be parsed.
    pub fn of_page(index: usize, fault: &tree::Fault, page: &PageOutline) -> Self {
        let tree = page.authored.as_deref().and_then(|text| markup::parse(text, &VOCABULARY).ok());
        match tree {
            Some(tree) => Self::of(index, fault, &tree),
            None => Self { page: Some(index), format: None, message: fault.to_string() },
        }
    }

    /// Creates a fault of a line of page `index`: the line claims more than the source.
    pub fn of_line(index: usize, line: &str, why: &str) -> Self {
        let line: String = line.chars().take(QUOTED).collect();
        let why: String = why.chars().take(4 * QUOTED).collect();
        Self {
            page: Some(index), format: None, message: format!("“{line}”: the source doesn't support this: {why}")
        }
    }

    /// Returns the index of the faulty page, from 0; `None` for a fault of the whole set.
    pub fn page(&self) -> Option<usize> {
        self.page
    }

    /// Returns the fault as one that only occurs in this format.
    #[must_use]
    pub fn within(self, format: &Format) -> Self {
        Self { format: Some(format.id.as_str()), ..self }
    }
}

/// Describes an element by its name and its words; `None` if the page has no element with this id, or if it is the page
/// itself.
fn described(tree: &Tree, id: &str) -> Option<String> {
    // A part of an element is described by the element.
    let is_of = |own: &str| id.strip_prefix(own).is_some_and(|rest| rest.is_empty() || rest.starts_with('.'));
    let node = tree.root.walk().filter(|n| n.name() != "page" && !n.id.is_empty()).find(|n| is_of(&n.id))?;
    let said: String = node.text().replace('\n', " ").chars().take(QUOTED).collect();
    Some(if said.is_empty() { format!("<{}>", node.name()) } else { format!("<{}> “{said}”", node.name()) })
}

/// Faults without duplicates, limited in number.
#[derive(Default)]
struct Faults(Vec<Fault>);

impl Faults {
    /// Adds a fault of the set.
    fn set(&mut self, message: impl Into<String>) {
        self.extend([Fault::of_set(message)]);
    }

    /// Adds a fault of the page at `index`.
    fn page(&mut self, index: usize, message: impl Into<String>) {
        self.extend([Fault { page: Some(index), format: None, message: message.into() }]);
    }

    fn extend(&mut self, faults: impl IntoIterator<Item = Fault>) {
        for fault in faults {
            if self.0.len() < FAULTS && !self.0.contains(&fault) {
                self.0.push(fault);
            }
        }
    }
}

/// Returns the texts of the pages in an answer.
pub fn pages(answer: &str) -> Vec<&str> {
    let mut rest = pages_in(answer).unwrap_or_default();
    let mut out = Vec::new();
    while let Some(end) = rest.find(CLOSES).map(|at| at + CLOSES.len()) {
        let (page, behind) = rest.split_at(end);
        out.extend(page.find(OPENS).map(|from| &page[from..]));
        rest = behind;
    }
    out
}

/// Returns the words of a page, a line for each element, with the values of charts; empty if it can't be parsed.
pub fn lines(page: &str) -> Vec<String> {
    let Ok(pages) = markup::parse_each(page, &VOCABULARY) else { return Vec::new() };
    pages.iter().filter_map(|(tree, _)| tree.as_ref()).flat_map(|tree| tree.root.walk().filter_map(line)).collect()
}

fn line(node: &tree::Node) -> Option<String> {
    let told = |name: &str| {
        let words = node.element.attribute(name).is_some_and(|a| a.kind == tree::Kind::Words);
        words || matches!(name, "value" | "values" | "total")
    };
    let attributes = node.attributes.iter().filter(|(name, _)| told(name)).map(|(_, value)| value.as_str());
    let text = node.text();
    let parts: Vec<&str> = attributes.chain([text.as_str()]).map(str::trim).filter(|part| !part.is_empty()).collect();
    (!parts.is_empty()).then(|| parts.join(": ").replace('\n', " "))
}

/// The start and the end of a page.
const OPENS: &str = "<page";
const CLOSES: &str = "</page>";

/// Returns the part of an answer with its pages: from the first to the last, after the author's reasoning.
fn pages_in(answer: &str) -> Option<&str> {
    let said = answer.rsplit_once("</think>").map_or(answer, |(_, said)| said);
    // An element around all pages is left out.
    let from = said.match_indices(OPENS).map(|(at, _)| at).find(|at| !said[at + OPENS.len()..].starts_with('s'))?;
    let to = said.rfind(CLOSES).map(|at| at + CLOSES.len()).filter(|to| *to > from)?;
    Some(&said[from..to])
}
