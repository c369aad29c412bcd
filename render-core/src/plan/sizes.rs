//! Sizes that the pages of a set share.

use super::{Draft, Studio};
use crate::compose::compose;
use crate::design::{Page, SizeCaps, SlotId, Theme};
use crate::inspect::{emptiness, inspect};
use crate::outline::PageKind;
use crate::scene::{Scene, TextBlock, TextLevel};

/// Share of its limit from which the largest empty rectangle of a slide leaves room for larger type than the set's.
const ROOMY: f32 = 0.6;
/// How much larger that type may be: running text, and items, which readers compare with those of other pages. The
/// second step is for slides that are still emptier than their style allows.
const GROWN: [(f32, f32); 2] = [(1.3, 1.12), (1.6, 1.4)];
/// How much larger headlines with at most this many characters may be.
const SHOUTED: f32 = 1.6;
const SHORT: usize = 24;
/// How much larger paragraphs with at most this many characters may be, and all other paragraphs.
const STRESSED: f32 = 1.5;
const BRIEF: usize = 160;
const EASED: f32 = 1.2;

impl Studio<'_> {
    /// Composes a page again with the sizes of its set. If these leave much room, running text and items grow: a filled
    /// page matters more than uniform sizes.
    pub(super) fn fitted(&self, draft: Draft, caps: SizeCaps) -> Draft {
        let caps = caps_of(&draft.page, caps);
        let mut fitted = self.resize(draft, caps);
        let limit = Theme::of(fitted.page.style).emptiness;
        for ((body, item), most) in GROWN.into_iter().zip([ROOMY * limit, limit]) {
            let room = emptiness(&fitted.composed.scene);
            if room <= most {
                break;
            }
            let grown = |cap: Option<f32>, by: f32| cap.map(|size| by * size);
            let larger = SizeCaps { body: grown(caps.body, body), item: grown(caps.item, item), ..caps };
            let larger = self.resize(fitted.clone(), larger);
            let fills = larger.composed.fits || !fitted.composed.fits;
            if fills && larger.quality.passed && emptiness(&larger.composed.scene) < room {
                fitted = larger;
            }
        }
        fitted
    }

    /// Composes a page again with the sizes of its set.
    fn resize(&self, draft: Draft, caps: SizeCaps) -> Draft {
        let page = Page { sizes: caps, ..draft.page };
        let composed = compose(&page, self.fonts);
        let quality = inspect(&composed.scene, &page, None);
        Draft { page, composed, quality, ..draft }
    }
}

/// Returns whether a page uses the sizes of its set. Covers, figures, quotations, recaps, statements, texts without a
/// headline and authored pages have sizes of their own.
pub(crate) fn shares_sizes(page: &Page, kind: PageKind) -> bool {
    let has = |slot: SlotId| page.text(slot).is_some();
    matches!(kind, PageKind::Point | PageKind::Step | PageKind::List)
        && page.authored.is_none()
        && has(SlotId::Title)
        && (has(SlotId::Body) || page.item_count() > 0)
        && !has(SlotId::Attribution)
        && !has(SlotId::Value)
}

/// Returns the sizes of a set for one of its pages. The longest text must not make all others small, so a short
/// headline and a short paragraph may be larger.
pub(crate) fn caps_of(page: &Page, caps: SizeCaps) -> SizeCaps {
    let holds = |slot: SlotId, most: usize| page.text(slot).is_some_and(|text| text.chars().count() <= most);
    let grown = |cap: Option<f32>, by: f32| cap.map(|size| by * size);
    let title = if holds(SlotId::Title, SHORT) { SHOUTED } else { 1.0 };
    let body = if holds(SlotId::Body, BRIEF) { STRESSED } else { EASED };
    SizeCaps { title: grown(caps.title, title), body: grown(caps.body, body), ..caps }
}

/// Titles and items with more characters than this don't limit the sizes of the other pages.
const LONG: usize = 90;

/// Returns the smallest sizes that any of the pages needs, without very long texts.
pub(crate) fn shared_sizes<'s>(scenes: impl Iterator<Item = &'s Scene> + Clone) -> SizeCaps {
    // A text that is much longer than the others shrinks alone.
    let among = |pick: fn(&TextBlock) -> bool, most: usize| {
        let texts = scenes.clone().flat_map(|s| &s.blocks).filter(|b| pick(b) && b.text.chars().count() <= most);
        texts.map(|b| b.size).min_by(f32::total_cmp)
    };
    let least = |pick: fn(&TextBlock) -> bool| among(pick, LONG).or_else(|| among(pick, usize::MAX));
    SizeCaps {
        title: least(|b| b.slot == "title"),
        // The sentences of items are smaller than paragraphs and don't count.
        body: among(|b| b.level == TextLevel::Body && !b.slot.starts_with("item."), usize::MAX),
        item: least(|b| b.level == TextLevel::Head && b.slot.starts_with("item.")),
    }
}
