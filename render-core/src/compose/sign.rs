//! Whose page it is. The brand's logo stands at the start of the head with air around it, or its name where it has none;
//! on a page of its own the name may stand low instead, in the foot, with the address at the end of the line. An address
//! without a name has the foot for itself, or shares it with where a figure comes from.

use super::chrome::foot_label;
use super::frame::{Frame, Shape};
use super::inks::Inks;
use super::setter::{Set, Setter, Spec};
use crate::design::{Archetype, LogoPlace, SlotId, Voice};
use crate::scene::{Affine, Coverage, Image, ImageFit, Item, Paint, Point, Rect, Role, TextLevel};
use crate::text::Align;

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
/// The shares of the foot's line that a name and an address may take that share it, and an address that a source stands
/// before.
const SHARED: f32 = 0.48;
const AFTER: f32 = 0.4;
/// The lines that a source may take, and what it keeps from an address after it, in units.
pub(super) const SOURCE_LINES: usize = 2;
pub(super) const SOURCE_GAP: f32 = 48.0;

/// Whether the page's foot names the brand: where the page stands alone and its foot has an address to stand beside and the
/// style has it so, or two fields that meet leave the head to what is said. A logo stands at the head, where it is seen.
pub(super) fn stands_low(setter: &Setter<'_>) -> bool {
    let page = setter.page;
    let has = |slot| setter.text(slot).is_some();
    (page.archetype == Archetype::MythFact || setter.theme.signs_low && has(SlotId::Handle))
        && page.slide.is_none()
        && page.logo.as_ref().is_none_or(|l| l.pixels.is_none())
        && has(SlotId::Brand)
        && page.archetype != Archetype::ArticleCard
        && !(page.archetype.names_source() && has(SlotId::Attribution))
}

/// What a signature takes of the line that it stands in, from its start and from its end, and of what is below it.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub(super) struct Taken {
    pub start: f32,
    pub end: f32,
    pub below: f32,
}

/// Draws logo or name in the first line of `area`, and returns what they take of it; `None` where the page is nobody's, or
/// its logo stands elsewhere.
pub(super) fn draw(setter: &mut Setter<'_>, area: Rect) -> Option<Taken> {
    setter.text(SlotId::Brand)?;
    // The cap height of small text, on whose middle the logo stands.
    let middle = area.y0 + 0.36 * setter.frame.small;
    let look = setter.page.adjust.logo;
    let Some(image) = setter.page.logo.as_ref().and_then(|l| l.pixels.clone()) else {
        let name = name(setter, setter.parts[0], false);
        setter.place(&name, area.x0, area.y0);
        return Some(Taken { start: name.reach(), ..Taken::default() });
    };
    if !look.shown {
        return None;
    }
    match look.place {
        LogoPlace::HeadStart | LogoPlace::HeadEnd => {
            let at_end = look.place == LogoPlace::HeadEnd;
            let on = setter.parts[0];
            let mark = mark(setter, image, area, middle, at_end, on);
            let end = if mark.is_sign { beside(setter, &mark, area.y0, at_end, on) } else { mark.end };
            let taken = if at_end { (0.0, area.x1 - end) } else { (end - area.x0, 0.0) };
            Some(Taken { start: taken.0, end: taken.1, below: mark.grown })
        }
        LogoPlace::FootStart | LogoPlace::FootEnd => None,
    }
}

/// Draws the logo in the foot, on the baseline `base`, where an edit wants it there. Returns its height; 0 where it isn't.
pub(super) fn logo_in_foot(setter: &mut Setter<'_>, base: f32) -> f32 {
    let look = setter.page.adjust.logo;
    let at_end = match look.place {
        LogoPlace::FootStart => false,
        LogoPlace::FootEnd => true,
        LogoPlace::HeadStart | LogoPlace::HeadEnd => return 0.0,
    };
    let image = setter.page.logo.as_ref().and_then(|l| l.pixels.clone()).filter(|_| look.shown);
    let Some(image) = image else { return 0.0 };
    let (area, middle) = (setter.frame.text, base - 0.36 * setter.frame.small);
    let on = setter.foot()[usize::from(at_end)];
    let mark = mark(setter, image, area, middle, at_end, on);
    if mark.is_sign && setter.text(SlotId::Brand).is_some() {
        let cap_line = middle - 0.36 * setter.frame.small;
        beside(setter, &mark, cap_line, at_end, on);
    }
    setter.frame.small + mark.grown
}

/// A logo that is drawn.
struct Mark {
    /// Where it ends towards the rest of its line.
    end: f32,
    /// How much higher it is than usual.
    grown: f32,
    /// How far below the middle of its line its own middle is.
    sunk: f32,
    /// It has no words.
    is_sign: bool,
}

/// Draws the logo about `middle`, at the start or at the end of `area`, where it stands on `on`.
fn mark(setter: &mut Setter<'_>, image: Image, area: Rect, middle: f32, at_end: bool, on: Inks) -> Mark {
    let frame = setter.frame;
    let ground =
        if setter.banded && !setter.page.adjust.logo.place.is_low() { setter.page.palette.field } else { on.ground };
    let aspect = image.width() as f32 / image.height() as f32;
    let usual = frame.small
        * match aspect {
            a if a >= WIDE => LETTERING,
            a if a <= SQUARE => BESIDE,
            _ => MARK,
        };
    let look = setter.page.adjust.logo;
    let width = (usual * aspect * f32::from(look.percent) / 100.0).min(0.42 * area.w());
    let height = width / aspect;
    let grown = (height - usual).max(0.0);
    let x = if at_end { area.x1 - width } else { area.x0 };
    // One that is larger than usual grows into the page, not over its edge.
    let sunk = if look.place.is_low() { -0.5 * grown } else { 0.5 * grown };
    let center = middle + sunk;
    let rect = Rect::at(x, center - 0.5 * height, width, height);
    let mut end = if at_end { rect.x0 } else { rect.x1 };
    let tone = setter.page.logo.as_ref().and_then(|l| l.tone());
    if tone.is_some_and(|t| t.contrast(ground) < SEEN) {
        let plate = if ground.luminance() > 0.3 { setter.page.palette.ink } else { crate::scene::Color::WHITE };
        let pad = 0.45 * height.min(frame.small);
        let radius = setter.theme.radius.min(pad);
        setter.mark(Item::rounded(rect.grow(pad), [radius; 4], plate, Role::Field));
        end += if at_end { -pad } else { pad };
    }
    let paint = Paint::Image { image, rect, fit: ImageFit::Contain, focus: Point::new(0.5, 0.5) };
    // A page that is read from the right is mirrored in the end; its logo must not be.
    let transform =
        if setter.is_rtl() { Affine([-1.0, 0.0, 0.0, 1.0, rect.x0 + rect.x1, 0.0]) } else { Affine::IDENTITY };
    let coverage = Coverage::Rect { rect, radii: [0.0; 4], stroke: None };
    setter.mark(Item { transform, ..Item::new(coverage, paint, Role::Mark) });
    Mark { end, grown, sunk, is_sign: aspect <= SQUARE }
}

/// Draws the foot of a page that is signed low, on the baseline `base`: the name, and the address at the end of its line.
/// Returns its height.
pub(super) fn draw_low(setter: &mut Setter<'_>, base: f32) -> f32 {
    let area = setter.frame.text;
    let text = |slot| setter.text(slot).unwrap_or_default();
    let name = foot_label(setter, SlotId::Brand, text(SlotId::Brand), Align::Start);
    let name = Spec { color: setter.foot()[0].ink, ..name };
    let address = foot_label(setter, SlotId::Handle, text(SlotId::Handle), Align::End);
    let [name, address] = [name, address].map(|spec| setter.set(spec, SHARED * area.w()));
    setter.place(&name, area.x0, base - name.height());
    setter.place(&address, area.x1 - address.width, base - address.height());
    name.height()
}

/// Draws the address alone in the foot, on the baseline `base`. Returns the height
/// that it takes from the content: none where it stands at the end of the line that begins with a figure's source, as it
/// does where both have room.
pub(super) fn address(setter: &mut Setter<'_>, base: f32) -> f32 {
    let (page, area) = (setter.page, setter.frame.text);
    let Some(text) = setter.text(SlotId::Handle).filter(|_| page.archetype != Archetype::ArticleCard) else {
        return 0.0;
    };
    let source = setter.text(SlotId::Attribution).filter(|_| page.archetype.names_source());
    if let Some(source) = source.filter(|_| matches!(Frame::shape_of(&area), Shape::Tall | Shape::Upright)) {
        let set = setter.set(foot_label(setter, SlotId::Handle, text, Align::End), AFTER * area.w());
        let from = area.x1 - set.laid.ink.w();
        let source = foot_label(setter, SlotId::Attribution, source, Align::Start).lines(SOURCE_LINES);
        if set.fits && setter.set(source, from - SOURCE_GAP * setter.frame.k - area.x0).fits {
            setter.place(&set, area.x1 - set.width, base - set.height());
            setter.signed_from = Some(from);
            return 0.0;
        }
    }
    let set = setter.set(foot_label(setter, SlotId::Handle, text, Align::Start), area.w());
    setter.place(&set, area.x0, base - set.height());
    set.height()
}

/// The brand's name, set as it stands on `on`; at the end of a line, its own lines end there.
fn name<'a>(setter: &Setter<'a>, on: Inks, at_end: bool) -> Set<'a> {
    let (frame, name) = (setter.frame, setter.text(SlotId::Brand).unwrap_or_default());
    let low = setter.page.adjust.logo.place.is_low();
    let ink = if setter.banded && !low { setter.page.palette.on_field } else { on.ink };
    let spec = Spec::new(SlotId::Brand, name, Voice::Head, TextLevel::Small, ink, (frame.small, frame.small)).lines(1);
    let spec = if low { spec.on(on.ground) } else { spec };
    setter.set(if at_end { spec.align(Align::End) } else { spec }, 0.6 * frame.text.w())
}

/// Writes the brand's name beside its mark, which says less than a name: behind it at the start of a line, before it at
/// the end of one, and in its middle. The mark's line has its cap line at `y`. Returns where the name ends.
fn beside(setter: &mut Setter<'_>, mark: &Mark, y: f32, at_end: bool, on: Inks) -> f32 {
    let set = name(setter, on, at_end);
    let gap = 0.55 * setter.frame.small;
    let x = if at_end { mark.end - gap - set.width } else { mark.end + gap };
    setter.place(&set, x, y + mark.sunk);
    let reach = if at_end { set.width - set.laid.ink.w() } else { set.reach() };
    x + reach
}
