//! The words of a page without its composition: for templates, if the page itself doesn't fit.

use crate::compose::page_slots;
use crate::design::SlotId;
use crate::outline::WrittenPage;
use crate::tree::{Run, Tree};

/// Returns the words of a page whose elements are named.
pub(super) fn of(tree: &Tree) -> WrittenPage {
    let mut page = WrittenPage::default();
    for slot in page_slots(tree) {
        let text = slot.text.replace('\n', " ");
        match slot.id {
            SlotId::Title => page.title = text,
            SlotId::Body => page.body = Some(text),
            SlotId::Note => page.note = Some(text),
            SlotId::Value => page.value = Some(text),
            SlotId::Unit => page.unit = Some(text),
            SlotId::Attribution => page.attribution = Some(text),
            SlotId::Cta => page.cta = Some(text),
            SlotId::ItemHead(_) => page.items.push((text, None)),
            SlotId::ItemBody(_) => {
                if let Some((_, body)) = page.items.last_mut() {
                    *body = Some(text);
                }
            }
            _ => {}
        }
    }
    // Without a headline, the text under a figure becomes the title.
    if page.title.is_empty() {
        let lone = page.body.take().or_else(|| page.note.take());
        page.title = lone.or_else(|| page.items.first().map(|(head, _)| head.clone())).unwrap_or_default();
    }
    page
}

/// Returns the page's number in a counted set: the only number in a separate badge.
pub(super) fn number(tree: &Tree) -> Option<u32> {
    let badges = tree.root.walk().filter(|n| matches!(n.name(), "badge" | "numeral"));
    let mut numbers = badges.filter_map(|n| n.text().trim().parse::<u32>().ok());
    numbers.next().filter(|_| numbers.next().is_none())
}

/// Returns a page with another headline, if one is given.
pub(super) fn titled(tree: &Tree, title: Option<&str>) -> Tree {
    let mut tree = tree.clone();
    if let Some(node) = title.and_then(|_| tree.find_mut(&SlotId::Title.to_string())) {
        node.words = title.map(Run::plain).into_iter().collect();
    }
    tree
}
