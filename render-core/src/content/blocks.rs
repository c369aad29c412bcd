//! The text as a flat list of headings, paragraphs, list items and quotations, before any interpretation.

use super::Sourced;
pub(super) use super::clean::Clean;
use super::dialect::edits::Edited;

/// The form of a block of the source.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Form {
    /// A heading: its level, where 1 is the title's, and its number, if it has one.
    Heading(u8, Option<u32>),
    /// Prose.
    Paragraph,
    /// A list item.
    Item {
        /// The list that the item belongs to.
        list: u32,
        /// 1, 2, …, or `None` for bullets.
        ordinal: Option<u32>,
    },
    /// A block quotation.
    Quote,
    /// Rows of cells. The block's text is that of all cells, in order.
    Table,
}

/// A block of the source.
#[derive(Debug, Clone)]
pub(super) struct Raw {
    /// The form of the block.
    pub form: Form,
    /// The text of the block.
    pub clean: Clean,
    /// Length in bytes of the head that is set apart at its start (bold, or a line of its own).
    pub lead: Option<usize>,
    /// In a quotation that contains a list of one item, the start of the item's text.
    pub item: Option<usize>,
    /// The items of nested lists and their depth: 1 is a list directly below this item.
    pub children: Vec<(u8, Clean)>,
    /// The speaker, if a label names one.
    pub speaker: Option<Sourced>,
    /// Whether the whole block is bold.
    pub bold: bool,
    /// Whether the checkbox of an item is ticked, if it has one.
    pub task: Option<bool>,
    /// The cells of a table, header first.
    pub rows: Vec<Vec<Clean>>,
}

impl Raw {
    /// Creates a block without head and children.
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

    /// Maps the positions from an edited text back to its source.
    pub fn relocate(&mut self, edited: &Edited) {
        self.clean.relocate(edited);
        self.children.iter_mut().for_each(|(_, c)| c.relocate(edited));
        self.rows.iter_mut().flatten().for_each(|c| c.relocate(edited));
    }

    /// Returns the block's own text, then the texts of the items below it.
    pub fn texts(&self) -> impl Iterator<Item = &Clean> {
        std::iter::once(&self.clean).chain(self.children.iter().map(|(_, c)| c))
    }
}
