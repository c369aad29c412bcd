//! The text as a flat list of headings, paragraphs, list items and quotations, before anyone asks what they mean.

use super::Sourced;
pub(super) use super::clean::Clean;
use super::dialect::edits::Edited;

/// What a stretch of the source is by its form.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Form {
    /// A heading; 1 is the title's level. The number in front of it, where it has one.
    Heading(u8, Option<u32>),
    /// Prose.
    Paragraph,
    /// An item of the list that it names; its number where the list counts.
    Item {
        /// Which list of the source.
        list: u32,
        /// 1, 2, …; `None` for bullets.
        ordinal: Option<u32>,
    },
    /// A quotation set off from the text.
    Quote,
    /// Rows of cells. Its words are all cells, one behind the other.
    Table,
}

/// A stretch of the source.
#[derive(Debug, Clone)]
pub(super) struct Raw {
    /// What it is by its form.
    pub form: Form,
    /// Its words.
    pub clean: Clean,
    /// How many bytes at its start are set apart as its head (bold, or a line of its own).
    pub lead: Option<usize>,
    /// Of a quotation with a list of one item, where the words of that item begin.
    pub item: Option<usize>,
    /// The items of the lists below this item, and how far below: 1 is its own list.
    pub children: Vec<(u8, Clean)>,
    /// Who says it, where a label names somebody.
    pub speaker: Option<Sourced>,
    /// Whether all of it is set in bold.
    pub bold: bool,
    /// Whether the box in front of an item is ticked, where there is one.
    pub task: Option<bool>,
    /// The cells of a table, header first.
    pub rows: Vec<Vec<Clean>>,
}

impl Raw {
    /// A stretch with no head and no children.
    pub fn new(form: Form, clean: Clean) -> Self {
        Self {
            form,
            clean,
            lead: None,
            item: None,
            children: Vec::new(),
            speaker: None,
            bold: false,
            task: None,
            rows: Vec::new(),
        }
    }

    /// Moves its places from an edited text to the source of that.
    pub fn relocate(&mut self, edited: &Edited) {
        self.clean.relocate(edited);
        self.children.iter_mut().for_each(|(_, c)| c.relocate(edited));
        self.rows.iter_mut().flatten().for_each(|c| c.relocate(edited));
    }

    /// Its own words, then those of the items below it.
    pub fn texts(&self) -> impl Iterator<Item = &Clean> {
        std::iter::once(&self.clean).chain(self.children.iter().map(|(_, c)| c))
    }
}
