//! Templates: the layouts of a page, one file of `assets/templates` each.
//!
//! A file's header says what content the template suits. It is followed by the page in the page language with slots and
//! loops, which `compose` fills. Adding a template takes one file: no Rust code names a template.

mod header;

use std::fmt;
use std::sync::OnceLock;

pub use header::{Header, Use};

use crate::outline::PageKind;

include!(concat!(env!("OUT_DIR"), "/templates.rs"));

/// A template.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Template(u16);

struct File {
    name: String,
    header: Header,
    text: String,
}

#[derive(Default)]
struct Library {
    files: Vec<File>,
    parts: Vec<(String, String)>,
}

static LIBRARY: OnceLock<Library> = OnceLock::new();

fn library() -> &'static Library {
    LIBRARY.get_or_init(|| {
        let own = |files: &[(&str, &str)]| -> Vec<(String, String)> {
            files.iter().map(|(name, text)| ((*name).to_owned(), (*text).to_owned())).collect()
        };
        let read = Library::read(own(PARTS), own(TEMPLATES));
        debug_assert!(read.is_ok(), "{:?}", read.as_ref().err());
        read.unwrap_or_default()
    })
}

impl Library {
    fn read(parts: Vec<(String, String)>, files: Vec<(String, String)>) -> Result<Self, String> {
        let file = |(name, text): (String, String)| {
            let (header, body) = header::read(&text).map_err(|e| format!("{name}: {e}"))?;
            Ok::<_, String>(File { text: body.to_owned(), name, header })
        };
        Ok(Self { parts, files: files.into_iter().map(file).collect::<Result<_, _>>()? })
    }
}

/// Replaces the built-in templates, for programs that try templates out: names and texts of the shared files, and of
/// the templates. Must be called before any template is used.
///
/// # Errors
/// A description of what is wrong with a file, or that templates are already in use.
pub fn load(parts: Vec<(String, String)>, files: Vec<(String, String)>) -> Result<(), String> {
    LIBRARY.set(Library::read(parts, files)?).map_err(|_| "templates are in use already".to_owned())
}

/// Returns names and texts of the files that templates share.
pub fn parts() -> impl Iterator<Item = (&'static str, &'static str)> {
    library().parts.iter().map(|(name, text)| (name.as_str(), text.as_str()))
}

impl Template {
    /// Returns every template, ordered by name.
    pub fn all() -> impl DoubleEndedIterator<Item = Self> + Clone {
        (0..u16::try_from(library().files.len()).unwrap_or(u16::MAX)).map(Self)
    }

    /// Returns the template with this name.
    pub fn by_name(name: &str) -> Option<Self> {
        Self::all().find(|t| t.name() == name)
    }

    /// Returns the template with a name that is known to exist, for specimens and tests.
    ///
    /// # Panics
    /// If there is no such template.
    pub fn named(name: &str) -> Self {
        Self::by_name(name).unwrap_or_else(|| panic!("there is no template {name:?}"))
    }

    /// Returns the first template that only supports this kind of page.
    pub fn first_of(kind: PageKind) -> Option<Self> {
        Self::all().find(|t| t.kinds() == [kind])
    }

    fn file(self) -> &'static File {
        &library().files[usize::from(self.0)]
    }

    /// Returns its index among all templates.
    pub(crate) fn index(self) -> usize {
        usize::from(self.0)
    }

    /// Returns its name, in kebab case.
    pub fn name(self) -> &'static str {
        &self.file().name
    }

    /// Returns its header.
    pub fn header(self) -> &'static Header {
        &self.file().header
    }

    /// Returns the text after its header.
    pub fn text(self) -> &'static str {
        &self.file().text
    }

    /// Returns the kinds of page that it supports.
    pub fn kinds(self) -> &'static [PageKind] {
        &self.header().kinds
    }

    /// Returns whether it divides the page into fields itself, so that the page uses the style's background.
    pub fn has_own_field(self) -> bool {
        self.header().has("field")
    }

    /// Returns whether its content can be placed anywhere between head and foot, because it is no list, chart or field
    /// that fills the page.
    pub fn stands_free(self) -> bool {
        self.header().has("free")
    }

    /// Returns whether it can show an icon for each item.
    pub fn has_icons(self) -> bool {
        self.header().has("icons")
    }

    /// Returns whether it draws the share that its page's art shows. Then the art stays.
    pub fn draws_share(self) -> bool {
        self.header().has("share")
    }

    /// Returns whether it shows the page's photograph.
    pub fn shows_photo(self) -> bool {
        self.header().has("photo")
    }

    /// Returns whether it has room for art.
    pub fn shows_art(self) -> bool {
        self.header().has("art")
    }

    /// Returns whether it highlights one of its items or groups.
    pub fn highlights(self) -> bool {
        self.header().has("highlight")
    }

    /// Returns whether it highlights one of its groups.
    pub fn highlights_groups(self) -> bool {
        self.header().has("series")
    }

    /// Returns whether all its words have the same role, so that none dominates.
    pub fn is_plain(self) -> bool {
        self.header().has("plain")
    }
}

impl fmt::Debug for Template {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kind_of_page_has_a_template_for_any_content() {
        for kind in PageKind::ALL {
            let sets = |t: &Template| t.kinds().contains(&kind);
            assert!(Template::all().any(|t| sets(&t)), "{}", kind.name());
        }
    }

    #[test]
    fn names_find_their_templates() {
        for template in Template::all() {
            assert_eq!(Template::by_name(template.name()), Some(template));
        }
        assert_eq!(Template::by_name("no-such-template"), None);
    }
}
