//! Whose page it is: the brand's logo at the start of the head, with air around it, or its name where it has none.

use super::setter::{Setter, Spec};
use crate::design::{Archetype, SlotId, Voice};
use crate::scene::{Affine, Coverage, ImageFit, Item, Paint, Point, Rect, Role, TextLevel};

/// Height of a logo, in sizes of small text: a mark is higher than a line of lettering of the same weight.
const MARK: f32 = 1.9;
const LETTERING: f32 = 1.35;
/// Height of a mark that a name stands beside.
const BESIDE: f32 = 1.5;
/// The aspect from which a logo is lettering.
const WIDE: f32 = 2.4;
/// The aspect up to which a logo is a mark without words.
const SQUARE: f32 = 1.25;
/// The contrast under which a logo is not seen on its ground, and stands on a plate.
const SEEN: f32 = 1.9;

/// Whether the page's foot names the brand: where the page stands alone and its foot has an address to stand beside, and the
/// style has it so or two fields that meet leave the head to what is said. A logo stands at the head, where it is seen.
pub(super) fn stands_low(setter: &Setter<'_>) -> bool {
    let page = setter.page;
    let has = |slot| setter.text(slot).is_some();
    (setter.theme.signs_low || page.archetype == Archetype::MythFact)
        && has(SlotId::Handle)
        && page.slide.is_none()
        && page.logo.as_ref().is_none_or(|l| l.pixels.is_none())
        && has(SlotId::Brand)
        && page.archetype != Archetype::ArticleCard
        && !(page.archetype.names_source() && has(SlotId::Attribution))
}

/// Draws logo or name in the first line of `area`, and returns where it ends; `None` where the page is nobody's.
pub(super) fn draw(setter: &mut Setter<'_>, area: Rect) -> Option<f32> {
    setter.text(SlotId::Brand)?;
    let frame = setter.frame;
    // The cap height of small text, on whose middle the logo stands.
    let middle = area.y0 + 0.36 * frame.small;
    let ground = if setter.banded { setter.page.palette.field } else { setter.parts[0].ground };
    if let Some(image) = setter.page.logo.as_ref().and_then(|l| l.pixels.clone()) {
        let aspect = image.width() as f32 / image.height() as f32;
        let height = frame.small
            * match aspect {
                a if a >= WIDE => LETTERING,
                a if a <= SQUARE => BESIDE,
                _ => MARK,
            };
        let width = (height * aspect).min(0.42 * area.w());
        let height = width / aspect;
        let rect = Rect::at(area.x0, middle - 0.5 * height, width, height);
        let mut end = rect.x1;
        let tone = setter.page.logo.as_ref().and_then(|l| l.tone());
        if tone.is_some_and(|t| t.contrast(ground) < SEEN) {
            let plate = if ground.luminance() > 0.3 { setter.page.palette.ink } else { crate::scene::Color::WHITE };
            let pad = 0.45 * height.min(frame.small);
            let radius = setter.theme.radius.min(pad);
            setter.mark(Item::rounded(rect.grow(pad), [radius; 4], plate, Role::Field));
            end += pad;
        }
        let paint = Paint::Image { image, rect, fit: ImageFit::Contain, focus: Point::new(0.5, 0.5) };
        // A page that is read from the right is mirrored in the end; its logo must not be.
        let transform =
            if setter.is_rtl() { Affine([-1.0, 0.0, 0.0, 1.0, rect.x0 + rect.x1, 0.0]) } else { Affine::IDENTITY };
        let coverage = Coverage::Rect { rect, radii: [0.0; 4], stroke: None };
        setter.mark(Item { transform, ..Item::new(coverage, paint, Role::Mark) });
        // A mark says less than a name: it stands before it.
        return Some(if aspect <= SQUARE { write(setter, end + 0.55 * frame.small, &area) } else { end });
    }
    Some(write(setter, area.x0, &area))
}

/// Writes the brand's name from `x`, and returns where it ends.
fn write(setter: &mut Setter<'_>, x: f32, area: &Rect) -> f32 {
    let (frame, name) = (setter.frame, setter.text(SlotId::Brand).unwrap_or_default());
    let ink = if setter.banded { setter.page.palette.on_field } else { setter.parts[0].ink };
    let spec = Spec::new(SlotId::Brand, name, Voice::Head, TextLevel::Small, ink, (frame.small, frame.small)).lines(1);
    let set = setter.set(spec, 0.6 * area.w());
    setter.place(&set, x, area.y0);
    x + set.reach()
}
