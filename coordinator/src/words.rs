//! What stored pages say, for the search.

use render_core::design::{Page, SlotId};
use render_core::leaf::{self, AnyPage};

/// The words of a stored page, a line each, without what every page of its set repeats. Nothing of a page that can't be
/// read: it is found by its description then.
pub fn of_page(bytes: &[u8]) -> String {
    match leaf::decode(bytes) {
        Ok(AnyPage::Planned(page, _)) => planned(&page),
        Ok(AnyPage::Leaf(leaf)) => spoken(&leaf.markup),
        Err(error) => {
            tracing::warn!(%error, "a stored page can't be read for the search");
            String::new()
        }
    }
}

fn planned(page: &Page) -> String {
    let is_frame = |id: SlotId| matches!(id, SlotId::Brand | SlotId::Handle | SlotId::Counter);
    let slots = page.slots.iter().filter(|slot| !is_frame(slot.id) && !slot.text.trim().is_empty());
    // A line that was broken by hand is one line to those who search for it.
    let mut lines: Vec<String> = slots.map(|slot| slot.text.replace('\n', " ")).collect();
    let authored = page.authored.as_deref().map(spoken).unwrap_or_default();
    let also = authored.lines().filter(|line| !lines.iter().any(|has| has.contains(line.trim())));
    let also: Vec<String> = also.map(str::to_owned).collect();
    lines.extend(also);
    lines.join("\n")
}

/// Everything that a page in the page language says.
fn spoken(markup: &str) -> String {
    leaf::read(markup).map(|trees| trees.iter().map(leaf::spoken).collect::<Vec<_>>().join("\n")).unwrap_or_default()
}
