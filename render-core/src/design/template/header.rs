//! Headers of templates: the content that a template suits.
//!
//! ```xml
//! <template about="Things side by side, ruled off or on tiles" kinds="list process checklist" has="band icons">
//!   <use when="kind == 'list' or shape == 'strip'" score="0.6"/>
//!   <use score="0.35"/>
//!   <affinity bold="0.1" elegant="-1"/>
//! </template>
//! ```
//!
//! `carries="0.8"` means that a template shows only this share of the words that its format allows; longer wordings are
//! not tried with it. The first `use` whose condition holds gives the template's score for a page, 0 to 1; the template
//! is never used for a page where none holds. `affinity` is added for pages of a style; a style with -1 never uses the
//! template.

use roxmltree::Document;

use crate::outline::PageKind;

/// The content of a template's header.
#[derive(Debug, Clone, PartialEq)]
pub struct Header {
    /// What it shows, in a few words.
    pub about: String,
    /// The kinds of page that it supports.
    pub kinds: Vec<PageKind>,
    /// Its traits, by name: see [`Header::has`].
    pub traits: Vec<String>,
    /// When it is used; the first condition that holds decides.
    pub uses: Vec<Use>,
    /// The share of a format's text budget that it can show; 1 if the file doesn't say.
    pub carries: f32,
    /// Preferences of styles, −1 to 1, by name.
    pub affinity: Vec<(String, f32)>,
}

/// A condition, and the template's score for pages that meet it.
#[derive(Debug, Clone, PartialEq)]
pub struct Use {
    /// An expression over the facts about a page; `None` always holds.
    pub when: Option<String>,
    /// 0–1.
    pub score: f32,
}

/// Names that `has` may list.
const TRAITS: [&str; 11] = [
    // Styles with bands put the headline on one.
    "band",
    // It divides the page into fields itself, so that the page uses the style's own background.
    "field",
    // Its content may be placed at the top, in the middle or at the foot.
    "free",
    // It shows an icon for each item if all have one.
    "icons",
    // It draws the share that the page's art shows.
    "share",
    // All its words have the same role, so that none dominates.
    "plain",
    // It shows the page's photograph.
    "photo",
    // It has room for art.
    "art",
    // It highlights one of its items.
    "highlight",
    // It highlights one of its groups: a line, a column.
    "series",
    // It numbers its items.
    "numbered",
];

impl Header {
    /// Returns whether it lists a trait: `band`, `field`, `free`, `icons`, `share`, `plain`, `photo`, `art`,
    /// `highlight`, `series`, `numbered`.
    pub fn has(&self, name: &str) -> bool {
        debug_assert!(TRAITS.contains(&name), "{name} is no trait");
        self.traits.iter().any(|t| t == name)
    }

    /// Returns a style's preference for it, −1 to 1.
    pub fn affinity(&self, style: &str) -> f32 {
        self.affinity.iter().find(|(name, _)| name == style).map_or(0.0, |(_, by)| *by)
    }
}

/// Splits a file into its header and the text after it.
pub(super) fn read(text: &str) -> Result<(Header, &str), String> {
    const END: &str = "</template>";
    let end = text.find(END).ok_or("has no header")? + END.len();
    let (header, body) = text.split_at(end);
    let document = Document::parse(header).map_err(|e| e.to_string())?;
    let root = document.root_element();
    let words = |name: &str| -> Vec<String> {
        root.attribute(name).unwrap_or_default().split_whitespace().map(str::to_owned).collect()
    };
    let traits = words("has");
    if let Some(unknown) = traits.iter().find(|t| !TRAITS.contains(&t.as_str())) {
        return Err(format!("has=\"{unknown}\" is none of {}", TRAITS.join(", ")));
    }
    let number = |text: &str| text.parse::<f32>().map_err(|_| format!("{text:?} is no number"));
    let mut uses = Vec::new();
    let mut affinity = Vec::new();
    for node in root.children().filter(|n| n.is_element()) {
        match node.tag_name().name() {
            "use" => uses.push(Use {
                when: node.attribute("when").map(str::to_owned),
                score: number(node.attribute("score").ok_or("a use has no score")?)?,
            }),
            "affinity" => {
                for attribute in node.attributes() {
                    affinity.push((attribute.name().to_owned(), number(attribute.value())?));
                }
            }
            other => return Err(format!("<{other}> is nothing that a header holds")),
        }
    }
    let kind = |name: String| PageKind::by_name(&name).ok_or_else(|| format!("{name} is no kind of page"));
    let kinds = words("kinds").into_iter().map(kind).collect::<Result<_, _>>()?;
    let carries = root.attribute("carries").map_or(Ok(1.0), number)?;
    let about = root.attribute("about").ok_or("about is missing")?.to_owned();
    Ok((Header { about, kinds, traits, uses, carries, affinity }, body))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_header_is_read() {
        let text = "<template about=\"a\" kinds=\"list process\" has=\"band\" carries=\"0.8\"><use when=\"items > 2\" score=\".5\"/>\
                    <affinity bold=\"-1\"/></template>\n<page/>";
        let (header, body) = read(text).expect("a header");
        assert_eq!((header.kinds.as_slice(), body.trim()), (&[PageKind::List, PageKind::Process][..], "<page/>"));
        assert!((header.carries - 0.8).abs() < 1e-6);
        assert_eq!(header.uses, [Use { when: Some("items > 2".to_owned()), score: 0.5 }]);
        assert_eq!((header.affinity("bold"), header.affinity("dark")), (-1.0, 0.0));
        assert!(header.has("band") && !header.has("icons"));
        for wrong in ["<page/>", "<template about=\"a\" has=\"wings\"></template>", "<template></template>"] {
            assert!(read(wrong).is_err(), "{wrong}");
        }
    }
}
