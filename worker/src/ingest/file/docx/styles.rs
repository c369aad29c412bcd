//! Styles: which paragraphs are headings, quotations or items, and how runs are emphasised.

use std::collections::BTreeMap;

use crate::ingest::file::xml::Element;

/// Length limit of a chain of base styles.
const CHAIN: usize = 12;

/// The purpose of a style, from its name.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) enum Role {
    #[default]
    Body,
    Title,
    Heading(u8),
    Quote,
    /// Tables of contents, captions and the like, which are not read.
    Aside,
}

/// Bold, italic, hidden and struck, each if specified.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Emphasis {
    pub bold: Option<bool>,
    pub italic: Option<bool>,
    pub hidden: Option<bool>,
    pub struck: Option<bool>,
}

impl Emphasis {
    /// Reads a run's own properties.
    pub fn of(properties: Option<&Element>) -> Self {
        let Some(properties) = properties else { return Self::default() };
        let struck = [is_on(properties, "strike"), is_on(properties, "dstrike")];
        Self {
            bold: is_on(properties, "b"),
            italic: is_on(properties, "i"),
            hidden: is_on(properties, "vanish").or(is_on(properties, "webHidden")),
            struck: struck.into_iter().flatten().reduce(|a, b| a || b),
        }
    }

    /// Returns the same without bold and italic.
    pub fn plain(self) -> Self {
        Self { bold: None, italic: None, ..self }
    }

    /// Fills unspecified values from `under`.
    pub fn over(self, under: Self) -> Self {
        Self {
            bold: self.bold.or(under.bold),
            italic: self.italic.or(under.italic),
            hidden: self.hidden.or(under.hidden),
            struck: self.struck.or(under.struck),
        }
    }
}

/// A list and a level in it; list 0 means no list.
pub(super) type Listed = (String, usize);

/// A style merged with its base styles.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Resolved {
    pub role: Role,
    pub emphasis: Emphasis,
    pub list: Option<Listed>,
}

#[derive(Debug, Default)]
struct Style {
    based_on: Option<String>,
    role: Option<Role>,
    emphasis: Emphasis,
    list: Option<Listed>,
}

/// The styles of a document.
#[derive(Debug, Default)]
pub(super) struct Styles {
    by_id: BTreeMap<String, Style>,
    /// The style of paragraphs that specify none.
    default: Option<String>,
    /// The default language tag.
    pub language: Option<String>,
}

impl Styles {
    pub fn of(root: &Element) -> Self {
        let language = root.at(&["docDefaults", "rPrDefault", "rPr", "lang"]).and_then(|lang| lang.attr("val"));
        let mut styles = Self { language: language.map(str::to_owned), ..Self::default() };
        for style in root.children().filter(|e| &*e.name == "style") {
            let Some(id) = style.attr("styleId") else { continue };
            let is_paragraph = style.attr("type") == Some("paragraph");
            if is_paragraph && matches!(style.attr("default"), Some("1" | "true" | "on")) {
                styles.default = Some(id.to_owned());
            }
            let properties = style.child("pPr");
            let name = style.child("name").and_then(|name| name.attr("val")).unwrap_or_default();
            let named = role(name);
            let outlined = properties.and_then(outline);
            let read = Style {
                based_on: style.child("basedOn").and_then(|e| e.attr("val")).map(str::to_owned),
                role: if is_paragraph { named.or(outlined) } else { None },
                emphasis: Emphasis::of(style.child("rPr")),
                list: properties.and_then(listed).map(|(list, level)| (list, list_level(name).unwrap_or(level))),
            };
            styles.by_id.insert(id.to_owned(), read);
        }
        styles
    }

    /// Returns the merged style of a paragraph or a run.
    pub fn resolve(&self, id: Option<&str>) -> Resolved {
        let mut found = Resolved::default();
        let (mut role, mut next) = (None, id);
        for _ in 0..CHAIN {
            let Some(style) = next.and_then(|id| self.by_id.get(id)) else { break };
            role = role.or(style.role);
            found.emphasis = found.emphasis.over(style.emphasis);
            found.list = found.list.or_else(|| style.list.clone());
            next = style.based_on.as_deref();
        }
        found.role = role.unwrap_or_default();
        found
    }

    /// Returns the style of a paragraph, which is the default one if it specifies none.
    pub fn of_paragraph(&self, id: Option<&str>) -> Resolved {
        self.resolve(id.or(self.default.as_deref()))
    }
}

/// Returns the role from the outline level in paragraph properties: 9 is body text.
pub(super) fn outline(properties: &Element) -> Option<Role> {
    let level = properties.child("outlineLvl")?.number("val")?;
    Some(if level < 9 { Role::Heading(level as u8 + 1) } else { Role::Body })
}

/// Returns the list in paragraph properties.
pub(super) fn listed(properties: &Element) -> Option<Listed> {
    let list = properties.child("numPr")?;
    let id = list.child("numId").and_then(|e| e.attr("val"));
    let level = list.child("ilvl").and_then(|e| e.number("val")).unwrap_or(0);
    Some((id?.to_owned(), level))
}

/// Returns the level of a built-in list style from its name ("List Bullet 2"), because each level is a list of its own.
fn list_level(style: &str) -> Option<usize> {
    let name = style.to_ascii_lowercase();
    let (kind, level) = name.rsplit_once(' ')?;
    let level: usize = level.parse().ok()?;
    matches!(kind, "list bullet" | "list number").then(|| level.saturating_sub(1))
}

/// Returns the purpose of a style. Built-in styles have English names in files, whatever the program's language.
fn role(name: &str) -> Option<Role> {
    let name = name.to_ascii_lowercase();
    if let Some(level) = name.strip_prefix("heading ").and_then(|n| n.parse::<u8>().ok()) {
        return Some(Role::Heading(level.clamp(1, 9)));
    }
    match name.as_str() {
        "title" => Some(Role::Title),
        "quote" | "intense quote" | "quotations" | "block text" => Some(Role::Quote),
        "caption" | "toc heading" | "table of figures" | "footnote text" | "endnote text" => Some(Role::Aside),
        _ if name.starts_with("toc ") || name.starts_with("index ") || name.starts_with("contents ") => {
            Some(Role::Aside)
        }
        _ => None,
    }
}

/// Returns whether a switch such as `<w:b w:val="0"/>` is on; `None` if the element is missing.
fn is_on(properties: &Element, name: &str) -> Option<bool> {
    properties.child(name).map(|element| !matches!(element.attr("val"), Some("0" | "false" | "off" | "none")))
}
