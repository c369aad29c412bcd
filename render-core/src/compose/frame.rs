//! The frame of a page: where text may stand, how large it must be at least, and the unit that spacing is counted in.

use crate::content::Direction;
use crate::design::{Archetype, Field, Page, Theme};
use crate::format::Density;
use crate::scene::{Rect, Size};
use crate::sheet::type_sizes;

/// The shape of the area that text may stand in. Archetypes are composed anew for each, not scaled.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Shape {
    /// Clearly higher than wide: stories, pins, long infographics.
    Tall,
    /// From 4:5 to about square.
    Upright,
    /// Wider than high: slides, link previews.
    Wide,
    /// Strips: cover photographs, leaderboards.
    Strip,
}

/// The frame of one page, in du.
#[derive(Debug, Clone, Copy)]
pub(super) struct Frame {
    /// The canvas.
    pub size: Size,
    /// Where text may stand: inside the margin and the format's safe area.
    pub text: Rect,
    /// Spacing is counted in multiples of this: 1 on a canvas 1080 du wide, more where the canvas is seen smaller.
    pub k: f32,
    /// Size of labels and page numbers.
    pub small: f32,
    /// Size of running text.
    pub body: f32,
    /// What display type is a multiple of: the body's size on posters, more where running text is small.
    pub lead: f32,
    /// Whether slides of this format are swiped through.
    pub cued: bool,
    /// Smallest size of a page's own paragraphs, and of the heads of items.
    pub body_floor: f32,
    /// Smallest size of the sentences of items.
    pub item_floor: f32,
}

/// The margin in which the opening mark of a quotation hangs, in du: what it takes at the sizes of quotations, and the air
/// that text keeps from the edge.
const HUNG: f32 = 112.0;

/// Whether a page stands alone on the words of somebody: the slides of a set share one margin, and words in a bubble have
/// their own.
fn hangs_a_mark(page: &Page, theme: &Theme, size: &Size) -> bool {
    let shape = Frame::shape_of(&Rect::new(0.0, 0.0, size.w, size.h));
    page.archetype == Archetype::Quote
        && page.slide.is_none()
        && matches!(shape, Shape::Tall | Shape::Upright)
        && !is_in_bubble(page, theme, shape)
}

/// Whether a quotation in an area of this shape stands in a bubble, said aloud: where the style draws things with an
/// outline, and there is room for a tail.
pub(super) fn is_in_bubble(page: &Page, theme: &Theme, shape: Shape) -> bool {
    theme.card.is_some_and(|card| card.stroke > 0.0) && page.field != Field::Close && shape != Shape::Strip
}

impl Frame {
    pub fn of(page: &Page, theme: &Theme) -> Self {
        let format = page.format.format();
        let size = format.size_du();
        let (body_floor, item_floor) = (format.smallest_body(), format.smallest_note());
        let [small, body, lead] = type_sizes(format);
        let k = small / 26.0;
        let margin = theme.margin * if size.aspect() > 2.2 { k.min(1.6) } else { k.clamp(0.85, 1.25) };
        let margin = margin.min(0.09 * size.h.min(size.w) + 24.0);
        let margin = margin * f32::from(page.adjust.space) / 100.0;
        let margin = if hangs_a_mark(page, theme, &size) { margin.max(HUNG) } else { margin };
        // Round letters and ascenders rise over the cap line that text is placed by; they stay in the safe area too.
        let rise = 0.3 * body;
        let safe = format.safe_rect_du();
        // A page that is read from right to left is composed as if it weren't, and mirrored in the end.
        let safe = match page.locale.language.direction() {
            Direction::Rtl => Rect { x0: size.w - safe.x1, x1: size.w - safe.x0, ..safe },
            Direction::Ltr => safe,
        };
        let safe = Rect::new(safe.x0, safe.y0 + rise, safe.x1, safe.y1 - 0.3 * rise);
        let text = safe.intersect(&Rect::new(0.0, 0.0, size.w, size.h).grow(-margin));
        Self {
            size,
            text,
            k,
            small,
            body,
            lead,
            cued: matches!(format.density, Density::Poster | Density::Banner),
            body_floor,
            item_floor,
        }
    }

    /// The shape of an area.
    pub fn shape_of(area: &Rect) -> Shape {
        match area.w() / area.h() {
            a if a < 0.66 => Shape::Tall,
            // A square stays upright under a head and over a foot.
            a if a < 1.36 => Shape::Upright,
            a if a < 2.5 => Shape::Wide,
            _ => Shape::Strip,
        }
    }

    /// Whether there is room for a head and a foot line around the content.
    pub fn has_chrome(&self) -> bool {
        self.text.h() > 17.0 * self.small && self.text.w() > 14.0 * self.small
    }
}
