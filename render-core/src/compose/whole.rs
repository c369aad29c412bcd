//! The whole text of a page, its head and foot included, for whoever changes the page itself: an editor by hand, a program,
//! or a language model.

use super::authored::{named_beside, refilled, slots, split_title};
use super::written;
use crate::design::{Field, Manner, Page, Slot, SlotId};
use crate::elements::VOCABULARY;
use crate::tree::{Colour, Fault};
use crate::{markup, pictures};

/// A page as somebody rewrote it.
#[derive(Debug, Clone, PartialEq)]
pub struct Rewritten {
    /// Its text, as [`text`] writes it.
    pub text: String,
    /// Its words, in reading order.
    pub slots: Vec<Slot>,
    /// The field that it stands on.
    pub field: Field,
    /// The ground in place of the field's own.
    pub ground: Option<Colour>,
}

/// Attributes of a page that decide its palette: the page stores what came of them.
const PALETTE: [&str; 2] = ["field", "bg"];

/// The text of a page, from which [`rewritten`] makes the same page.
///
/// # Errors
/// What is wrong with its template, or with the text that its author composed.
pub fn text(page: &Page) -> Result<String, String> {
    if let Some(own) = page.authored.as_deref().filter(|_| page.whole) {
        return Ok(markup::print(&refilled(own, &page.slots)?));
    }
    let mut tree = markup::parse(&written(page)?, &VOCABULARY).map_err(|faults| listed(&faults))?;
    let own = page.authored.as_deref().and_then(|text| markup::parse(text, &VOCABULARY).ok());
    match own {
        Some(own) => {
            let named = own.root.attributes.iter().filter(|(name, _)| PALETTE.contains(name));
            named.for_each(|(name, value)| tree.root.set(name, value.clone()));
        }
        None if page.field != Field::Base => tree.root.set("field", page.field.name()),
        None => {}
    }
    Ok(markup::print(&tree))
}

/// A page's text for its setting, without what its palette has already.
pub(super) fn settable(own: &str, slots: &[Slot]) -> Result<String, String> {
    let mut tree = refilled(own, slots)?;
    tree.root.attributes.retain(|(name, _)| !PALETTE.contains(name));
    Ok(markup::print(&tree))
}

/// Reads a page that was rewritten. Elements that say something and have no slot yet get one, so that edits reach them.
///
/// # Errors
/// Its faults, element by element.
pub fn rewritten(text: &str) -> Result<Rewritten, Vec<Fault>> {
    let mut tree = markup::parse(text, &VOCABULARY)?;
    pictures::resolve(&tree, Manner::Flat, 0)?;
    named_beside(&mut tree);
    let field = match tree.root.get("field") {
        Some("accent") => Field::Accent,
        Some("close") => Field::Close,
        _ => Field::Base,
    };
    let title = split_title(&tree).map(|text| Slot { id: SlotId::Title, text, span: None, emphasis: Vec::new() });
    let slots = title.into_iter().chain(slots(&tree)).collect();
    Ok(Rewritten { text: markup::print(&tree), slots, field, ground: tree.root.colour("bg") })
}

/// Faults as one text, a line each: `element: message`.
pub fn listed(faults: &[Fault]) -> String {
    faults.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n")
}
