//! Sizes that the pages of a set share.

use super::{Draft, Studio};
use crate::compose::compose;
use crate::design::{Page, SizeCaps, SlotId, Theme};
use crate::inspect::{emptiness, inspect};
use crate::outline::PageKind;
use crate::scene::{Scene, TextBlock, TextLevel};

/// From this share of its gate on, the largest empty rectangle of a slide leaves room for larger type than its set has.
const ROOMY: f32 = 0.6;
/// How much larger that may be.
const GROWN: f32 = 1.3;

impl Studio<'_> {
    /// Composes a page again under the sizes of its set. Where these leave much room, its running text and its items are
    /// somewhat larger: a page that is filled matters more than one size throughout.
    pub(super) fn fitted(&self, draft: Draft, caps: SizeCaps) -> Draft {
        let fitted = self.resize(draft, caps);
        let room = emptiness(&fitted.composed.scene);
        if room <= ROOMY * Theme::of(fitted.page.style).emptiness {
            return fitted;
        }
        let grown = |cap: Option<f32>| cap.map(|size| GROWN * size);
        let larger = self.resize(fitted.clone(), SizeCaps { body: grown(caps.body), item: grown(caps.item), ..caps });
        let fills = larger.composed.fits || !fitted.composed.fits;
        if fills && larger.quality.passed && emptiness(&larger.composed.scene) < room { larger } else { fitted }
    }

    /// Composes a page again under the sizes of its set.
    fn resize(&self, draft: Draft, caps: SizeCaps) -> Draft {
        let page = Page { sizes: caps, ..draft.page };
        let composed = compose(&page, self.fonts);
        let quality = inspect(&composed.scene, &page, None);
        Draft { page, composed, quality, ..draft }
    }
}

/// Whether the sizes of a page agree with those of its set. Covers, figures, quotations, recaps, statements and texts
/// without a headline have sizes of their own.
pub(crate) fn shares_sizes(page: &Page, kind: PageKind) -> bool {
    let has = |slot: SlotId| page.text(slot).is_some();
    matches!(kind, PageKind::Point | PageKind::Step | PageKind::List)
        && has(SlotId::Title)
        && (has(SlotId::Body) || page.item_count() > 0)
        && !has(SlotId::Attribution)
        && !has(SlotId::Value)
}

/// Characters of a title or an item beyond which it doesn't make those of the other pages small.
const LONG: usize = 90;

/// The smallest sizes that any of the pages needs, those with very long texts aside.
pub(crate) fn shared_sizes<'s>(scenes: impl Iterator<Item = &'s Scene> + Clone) -> SizeCaps {
    // A text that is much longer than the others is smaller alone.
    let among = |pick: fn(&TextBlock) -> bool, most: usize| {
        let texts = scenes.clone().flat_map(|s| &s.blocks).filter(|b| pick(b) && b.text.chars().count() <= most);
        texts.map(|b| b.size).min_by(f32::total_cmp)
    };
    let least = |pick: fn(&TextBlock) -> bool| among(pick, LONG).or_else(|| among(pick, usize::MAX));
    SizeCaps {
        title: least(|b| b.slot == "title"),
        // Sentences of items are smaller than paragraphs.
        body: among(|b| b.level == TextLevel::Body && !b.slot.starts_with("item."), usize::MAX),
        item: least(|b| b.level == TextLevel::Head && b.slot.starts_with("item.")),
    }
}
