//! Styles of paragraphs, runs and lists.

use std::collections::{BTreeMap, BTreeSet};

use crate::ingest::file::xml::Element;

/// Length limit of a chain of base styles.
const CHAIN: usize = 12;

/// A style merged with its base styles.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Resolved {
    pub bold: bool,
    pub italic: bool,
    pub hidden: bool,
    pub is_title: bool,
    pub is_quote: bool,
    pub is_aside: bool,
}

#[derive(Debug, Default)]
struct Style {
    parent: Option<String>,
    bold: Option<bool>,
    italic: Option<bool>,
    hidden: Option<bool>,
    /// The display name.
    shown: Option<String>,
}

/// The styles of a document.
#[derive(Debug, Default)]
pub(super) struct Styles {
    by_name: BTreeMap<String, Style>,
    /// The first numbers of numbered list levels, by style.
    lists: BTreeMap<String, BTreeMap<usize, u64>>,
    /// Styles of hidden tables.
    hidden_tables: BTreeSet<String>,
    language: Option<(String, Option<String>)>,
}

impl Styles {
    /// Adds a style; a later style replaces an earlier one of the same name.
    pub fn add(&mut self, style: &Element) {
        match &*style.name {
            "default-style" if style.attr("family") == Some("paragraph") => {
                let text = style.child("text-properties");
                let language = text.and_then(|t| t.attr("language")).filter(|l| *l != "none" && *l != "zxx");
                let country = text.and_then(|t| t.attr("country")).filter(|c| *c != "none");
                self.language = language.map(|l| (l.to_owned(), country.map(str::to_owned)));
            }
            "list-style" => self.add_list(style),
            "style" => self.add_named(style),
            _ => {}
        }
    }

    fn add_list(&mut self, style: &Element) {
        let Some(name) = style.attr("name") else { return };
        let numbered = style.children().filter(|level| {
            // A level without a number format has no numbers.
            &*level.name == "list-level-style-number"
                && level.attr("num-format").is_some_and(|format| !format.is_empty())
        });
        let levels = numbered.map(|l| (l.number("level").unwrap_or(1), l.number("start-value").unwrap_or(1) as u64));
        self.lists.insert(name.to_owned(), levels.collect());
    }

    fn add_named(&mut self, style: &Element) {
        let Some(name) = style.attr("name") else { return };
        if style.attr("family") == Some("table")
            && style.child("table-properties").and_then(|p| p.attr("display")) == Some("false")
        {
            self.hidden_tables.insert(name.to_owned());
        }
        let text = style.child("text-properties");
        let said = |attribute: &str| text.and_then(|t| t.attr(attribute));
        let struck = said("text-line-through-style").map(|line| line != "none");
        let hidden = said("display").map(|display| display == "none");
        let read = Style {
            parent: style.attr("parent-style-name").map(str::to_owned),
            bold: said("font-weight").map(|weight| weight == "bold" || weight.parse().is_ok_and(|w: u32| w >= 600)),
            italic: said("font-style").map(|slant| matches!(slant, "italic" | "oblique")),
            hidden: if struck == Some(true) { struck } else { hidden },
            shown: style.attr("display-name").map(str::to_owned),
        };
        self.by_name.insert(name.to_owned(), read);
    }

    pub fn resolve(&self, name: Option<&str>) -> Resolved {
        let mut found = Resolved::default();
        let (mut bold, mut italic, mut hidden, mut next) = (None, None, None, name);
        for _ in 0..CHAIN {
            let Some(name) = next else { break };
            let style = self.by_name.get(name);
            let shown = style.and_then(|s| s.shown.as_deref()).unwrap_or(name);
            match shown {
                "Title" => found.is_title = true,
                "Quotations" | "Block Quotation" | "Quote" => found.is_quote = true,
                "Caption" | "Footnote" | "Endnote" => found.is_aside = true,
                _ => found.is_aside |= shown.starts_with("Contents ") || shown.starts_with("Contents_20_"),
            }
            let Some(style) = style else { break };
            (bold, italic, hidden) = (bold.or(style.bold), italic.or(style.italic), hidden.or(style.hidden));
            next = style.parent.as_deref();
        }
        found.bold = bold == Some(true);
        found.italic = italic == Some(true);
        found.hidden = hidden == Some(true);
        found
    }

    /// Returns the first number of a list's level, from level 1; `None` for bullets.
    pub fn start(&self, list: Option<&str>, level: usize) -> Option<u64> {
        self.lists.get(list?)?.get(&level).copied()
    }

    /// Returns whether tables of this style are hidden.
    pub fn hides(&self, table: Option<&str>) -> bool {
        table.is_some_and(|name| self.hidden_tables.contains(name))
    }

    /// Returns the default language tag.
    pub fn language(&self) -> Option<String> {
        let (language, country) = self.language.as_ref()?;
        Some(country.as_ref().map_or_else(|| language.clone(), |country| format!("{language}-{country}")))
    }
}
