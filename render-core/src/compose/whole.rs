//! The full text of a page with head and foot, for changes to the page itself: by an editor, a program, or a language
//! model.

use super::authored::{named_beside, refilled, slots, split_slots};
use super::written;
use crate::design::{Background, Manner, Page, Slot, SlotId};
use crate::elements::VOCABULARY;
use crate::tree::{Colour, Fault};
use crate::{markup, pictures};

/// A page that was rewritten.
#[derive(Debug, Clone, PartialEq)]
pub struct Rewritten {
    /// Its text, as [`text`] writes it.
    pub text: String,
    /// Its words, in reading order.
    pub slots: Vec<Slot>,
    /// Its background.
    pub background: Background,
    /// The ground that replaces the background's own.
    pub ground: Option<Colour>,
}

/// Attributes of a page that determine its palette. The page stores the resulting palette instead.
const PALETTE: [&str; 2] = ["field", "bg"];

/// Returns the text of a page. [`rewritten`] turns it back into the same page.
///
/// # Errors
/// A description of the mistake in its template, or in its author's text.
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
        None if page.background != Background::Base => tree.root.set("field", page.background.name()),
        None => {}
    }
    Ok(markup::print(&tree))
}

/// Returns a page's text for composing, without the attributes that its palette already includes.
pub(super) fn settable(own: &str, slots: &[Slot]) -> Result<String, String> {
    let mut tree = refilled(own, slots)?;
    tree.root.attributes.retain(|(name, _)| !PALETTE.contains(name));
    Ok(markup::print(&tree))
}

/// Reads a page that was rewritten. Elements with words but without a slot get one, so that edits reach them.
///
/// # Errors
/// Its faults, element by element.
pub fn rewritten(text: &str) -> Result<Rewritten, Vec<Fault>> {
    let mut tree = markup::parse(text, &VOCABULARY)?;
    pictures::resolve(&tree, Manner::Flat, 0)?;
    named_beside(&mut tree);
    let background = match tree.root.get("field") {
        Some("accent") => Background::Accent,
        Some("close") => Background::Close,
        _ => Background::Base,
    };
    let mut slots = slots(&tree);
    for split in split_slots(&tree) {
        // A headline comes first, and a sentence after it.
        let at = usize::from(split.id != SlotId::Title && slots.first().is_some_and(|slot| slot.id == SlotId::Title));
        slots.insert(at, split);
    }
    Ok(Rewritten { text: markup::print(&tree), slots, background, ground: tree.root.colour("bg") })
}

/// Returns faults as one text, a line each: `element: message`.
pub fn listed(faults: &[Fault]) -> String {
    faults.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n")
}
