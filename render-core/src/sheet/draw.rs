//! Draws positioned boxes into a scene.

use std::collections::BTreeSet;
use std::sync::Arc;

use kurbo::{RoundedRect, RoundedRectRadii, Shape as _};

use super::arrange::Placed;
use super::bleed::{Around, bled};
use super::boxed::{Border, Boxed, Content, Look};
use super::columns::Columns;
use super::edge;
use super::flourish;
use super::frame::Frame;
use super::marks;
use super::setting::Setting;
use super::words::{Manner, Words};
use crate::scene::{
    Affine, Clip, Color, Coverage, FillRule, Item, Layer, LineBox, Paint, Point, Rect, Role, Scene, Size, Spot, Stroke,
    TextBlock,
};
use crate::text::emoji::Emoji;
use crate::text::{Align, Laid, PlacedEmoji};
use crate::tree::Sides;

/// Width of the strike-through line, in em.
const STRIKE: f32 = 0.07;
/// Extra width for words beyond their measured width, so that rounding breaks no line.
const SLACK: f32 = 0.1;
/// Dashes and gaps of a dashed outline, in multiples of its width.
const DASHES: [f32; 2] = [3.0, 2.4];

/// The position of an element on its page.
#[derive(Debug, Clone, PartialEq)]
pub struct Located {
    /// The element's id.
    pub id: String,
    /// Its box in du; for a rotated element, the bounding box.
    pub rect: Rect,
    /// The size of its type in du, if it is a text.
    pub size: Option<f32>,
}

/// The result of drawing.
pub struct Drawing {
    /// The scene.
    pub scene: Scene,
    /// The elements with an id; parents come before their children.
    pub elements: Vec<Located>,
    /// Characters that no font has.
    pub missing: BTreeSet<char>,
}

/// Draws a laid out page on `background`.
pub fn draw(root: &Boxed, placed: &Placed, frame: &Frame, background: Color, setting: &Setting<'_>) -> Drawing {
    let scene = Scene { size: frame.size, background, items: Vec::new(), layers: Vec::new(), blocks: Vec::new() };
    let drawing = Drawing { scene, elements: Vec::new(), missing: BTreeSet::new() };
    let mut pen = Pen { drawing, frame, setting, bands: Vec::new() };
    pen.boxed(root, placed, None, Affine::IDENTITY);
    pen.drawing
}

struct Pen<'a> {
    drawing: Drawing,
    frame: &'a Frame,
    setting: &'a Setting<'a>,
    /// Fills that reach an edge of the page, in drawing order.
    bands: Vec<Band>,
}

/// A fill that reaches an edge of the page.
struct Band {
    fill: Color,
    rect: Rect,
    path: kurbo::BezPath,
}

/// Returns a box's rectangle and corners, inset by `by`.
fn inset(look: &Look, rect: Rect, by: f32) -> (Rect, [f32; 4]) {
    (rect.grow(-by), look.radii.map(|r| (r - by).max(0.0)))
}

/// Returns the filled area of a box: up to the middle of its outline, so that the fill doesn't show beyond the
/// outline's edge.
fn within(look: &Look, rect: Rect) -> (Rect, [f32; 4]) {
    inset(look, rect, look.border.filter(|b| !b.dashed).map_or(0.0, |b| b.width / 2.0))
}

impl Pen<'_> {
    fn boxed(&mut self, boxed: &Boxed, placed: &Placed, around: Option<&Around<'_>>, outer: Affine) {
        let place = outer.after(&moved(boxed, placed, around.map(Around::parent)));
        let rect = bled(&boxed.look, placed.rect, self.frame.size, self.frame.rtl, around);
        if !boxed.id.is_empty() {
            let size = matches!(boxed.content, Content::Words(_) | Content::Columns(_)).then_some(placed.size);
            self.drawing.elements.push(Located { id: boxed.id.clone(), rect: place.apply_rect(&rect), size });
        }
        self.look(&boxed.look, rect, place);
        let clip = boxed.look.clip.then(|| {
            let (rect, radii) = within(&boxed.look, rect);
            let coverage = Coverage::Rect { rect, radii, stroke: None };
            let from = self.drawing.scene.items.len();
            let clip = Some(Clip { transform: place, coverage });
            self.drawing.scene.layers.push(Layer { clip, ..Layer::new(from..from) });
            self.drawing.scene.layers.len() - 1
        });
        match &boxed.content {
            Content::Nothing => {}
            Content::Boxes(boxes) => {
                for (own, (child, at)) in boxes.iter().zip(&placed.boxes).enumerate() {
                    self.boxed(child, at, Some(&Around { outer: around, boxed, placed, own }), place);
                }
            }
            Content::Words(words) => self.words(words, placed, place),
            Content::Columns(columns) => self.columns(columns, placed, place),
            Content::Drawn(drawn) => {
                let scene = &mut self.drawing.scene;
                let (from, sketch) = (scene.items.len(), (drawn.draw)(rect));
                scene.layers.extend(sketch.layers.into_iter().map(|layer| Layer {
                    items: layer.items.start + from..layer.items.end + from,
                    clip: layer.clip.map(|c| Clip { transform: place.after(&c.transform), ..c }),
                    ..layer
                }));
                let moved = |i: Item| Item { transform: place.after(&i.transform), ..i };
                scene.items.extend(sketch.items.into_iter().map(moved));
            }
        }
        let upto = self.drawing.scene.items.len();
        if let Some(layer) = clip.and_then(|at| self.drawing.scene.layers.get_mut(at)) {
            layer.items.end = upto;
        }
        if let Some(border) = boxed.look.border {
            self.border(border, &boxed.look, rect, place);
        }
    }

    fn look(&mut self, look: &Look, rect: Rect, place: Affine) {
        if let Some(rim) = look.rim {
            let (size, t) = (self.frame.size, rim.width);
            let whole = Rect::new(0.0, 0.0, size.w, size.h).grow(-rim.inset);
            let sides = [
                Rect::new(whole.x0, whole.y0, whole.x1, whole.y0 + t),
                Rect::new(whole.x0, whole.y1 - t, whole.x1, whole.y1),
                Rect::new(whole.x0, whole.y0 + t, whole.x0 + t, whole.y1 - t),
                Rect::new(whole.x1 - t, whole.y0 + t, whole.x1, whole.y1 - t),
            ];
            self.drawing.scene.items.extend(sides.map(|side| Item::rect(side, rim.color, Role::Mark)));
        }
        if let (Some(seed), Some(color)) = (look.wave, look.fill) {
            let swing = edge::SWING * self.frame.size.short();
            let path = edge::waved(rect, look.bleed, swing, seed);
            self.remember(look, rect, || path.clone());
            let item = Item::path(path, color, Role::Field);
            self.drawing.scene.items.push(Item { transform: place, ..item });
            return;
        }
        let mut put = |(rect, radii): (Rect, [f32; 4]), color: Color| {
            let coverage = Coverage::Rect { rect, radii, stroke: None };
            let item = Item::new(coverage, Paint::Solid(color), Role::Field);
            self.drawing.scene.items.push(Item { transform: place, ..item });
        };
        if let Some((by, color)) = look.shadow {
            put((rect.shift(by, by), look.radii), color);
        }
        if let Some(color) = look.fill {
            put(within(look, rect), color);
            self.remember(look, rect, || kurbo_rect(rect).to_path(0.1));
        }
    }

    /// Records a fill that reaches an edge of the page, for words that cross its edge.
    fn remember(&mut self, look: &Look, rect: Rect, path: impl FnOnce() -> kurbo::BezPath) {
        if let Some(fill) = look.fill.filter(|_| look.bleed != Sides::default()) {
            self.bands.push(Band { fill, rect, path: path() });
        }
    }

    fn border(&mut self, border: Border, look: &Look, rect: Rect, place: Affine) {
        // The outline lies inside the box, so that neighbours with outlines keep their distance.
        let (rect, radii) = inset(look, rect, border.width / 2.0);
        let coverage = if border.dashed {
            let [tl, tr, br, bl] = radii.map(f64::from);
            let (x0, y0) = (f64::from(rect.x0), f64::from(rect.y0));
            let (x1, y1) = (f64::from(rect.x1), f64::from(rect.y1));
            let path = RoundedRect::new(x0, y0, x1, y1, RoundedRectRadii::new(tl, tr, br, bl)).to_path(0.1);
            let dashes: Arc<[f32]> = DASHES.map(|d| d * border.width).into();
            Coverage::Stroke { path: Arc::new(path), stroke: Stroke { dashes, ..Stroke::new(border.width) } }
        } else {
            Coverage::Rect { rect, radii, stroke: Some(border.width) }
        };
        let item = Item::new(coverage, Paint::Solid(border.color), Role::Mark);
        self.drawing.scene.items.push(Item { transform: place, ..item });
    }

    fn words(&mut self, words: &Words, placed: &Placed, place: Affine) {
        let (fonts, rect) = (self.setting.fonts, placed.rect);
        let laid = words.set(fonts, placed.size, rect.w() + SLACK);
        let role = Role::Text(self.drawing.scene.blocks.len() as u32);
        let at = place.after(&Affine::translate(rect.x0, rect.y0));
        self.bands(words, &laid, at, role);
        let manner = |tag: u8| words.manners.iter().find(|m| m.tag == tag);
        let ink = |tag: u8| manner(tag).map_or(words.ink, |m| m.ink);
        let spot = match self.crossed(words, at.apply_rect(&laid.ink)) {
            Some((band, on)) => {
                let (outside, inside) = sides_of(&self.bands[band], self.frame.size);
                self.clipped(outside, |pen| pen.glyphs(&laid, at, role, ink));
                self.clipped(inside, |pen| pen.glyphs(&laid, at, role, |_| on));
                let Band { fill, rect, .. } = self.bands[band];
                Some(Spot { ink: at.apply_rect(&laid.ink).intersect(&rect), color: on, on: Some(fill) })
            }
            None => {
                self.glyphs(&laid, at, role, ink);
                None
            }
        };
        self.emoji(&laid.emoji, at, role);
        for manner in words.manners.iter().filter(|m| m.underlined) {
            let face = words.style.face;
            let lines = marks::underline(fonts, &laid, manner.tag, face, (0.0, 0.0), manner.ink, role);
            self.drawing.scene.items.extend(lines.into_iter().map(|item| Item { transform: at, ..item }));
        }
        let weight = (STRIKE * laid.size).max(2.0);
        let rise = 0.5 * fonts.metrics(words.style.face).x_height * laid.size;
        for piece in laid.pieces.iter() {
            let Some(manner) = manner(piece.tag) else { continue };
            let baseline = laid.lines.get(piece.line).map_or(0.0, |l| l.baseline);
            if let Some(color) = manner.wave {
                let item = flourish::squiggle(piece.ink, baseline, laid.size, color, role);
                self.drawing.scene.items.push(Item { transform: at, ..item });
            }
            if !manner.struck {
                continue;
            }
            let middle = baseline - rise;
            let line = Rect::new(piece.ink.x0, middle - weight / 2.0, piece.ink.x1, middle + weight / 2.0);
            let item = Item::rect(line, manner.ink, role);
            self.drawing.scene.items.push(Item { transform: at, ..item });
        }
        self.drawing.missing.extend(&laid.missing);
        let mut block = self.block(words, &laid, at, place.apply_rect(&rect));
        block.spots.extend(spot);
        self.drawing.scene.blocks.push(block);
    }

    fn glyphs(&mut self, laid: &Laid, at: Affine, role: Role, ink: impl Fn(u8) -> Color) {
        self.drawing.scene.items.extend(laid.runs.iter().map(|run| Item {
            transform: at,
            coverage: Coverage::Glyphs(run.glyphs.clone()),
            paint: Paint::Solid(ink(run.tag)),
            role,
        }));
    }

    /// Returns the last drawn band that the ink of such words overlaps, and their ink on it.
    fn crossed(&self, words: &Words, ink: Rect) -> Option<(usize, Color)> {
        let (fill, on) = words.across?;
        let band = self.bands.iter().rposition(|b| b.fill == fill && !b.rect.intersect(&ink).is_empty())?;
        Some((band, on))
    }

    /// Clips the output of `draw` to `path`, with the even-odd rule.
    fn clipped(&mut self, path: kurbo::BezPath, draw: impl FnOnce(&mut Self)) {
        let from = self.drawing.scene.items.len();
        draw(self);
        let coverage = Coverage::Path { path: Arc::new(path), rule: FillRule::EvenOdd };
        let clip = Some(Clip { transform: Affine::IDENTITY, coverage });
        let items = from..self.drawing.scene.items.len();
        self.drawing.scene.layers.push(Layer { clip, ..Layer::new(items) });
    }

    /// Draws words in vertical columns, with ink up to the edges of their box.
    fn columns(&mut self, columns: &Columns, placed: &Placed, place: Affine) {
        let laid = columns.at_size(placed.size);
        let (x, y) = (placed.rect.x1 - laid.ink.x1, placed.rect.y0 - laid.ink.y0);
        let (fonts, face) = (self.setting.fonts, columns.style.face);
        let at = place.after(&Affine::translate(x, y));
        let role = Role::Text(self.drawing.scene.blocks.len() as u32);
        self.drawing.scene.items.extend(laid.runs.iter().map(|run| Item {
            transform: at.after(&run.transform),
            coverage: Coverage::Glyphs(run.glyphs.clone()),
            paint: Paint::Solid(columns.ink),
            role,
        }));
        self.emoji(&laid.emoji, at, role);
        self.drawing.missing.extend(&laid.missing);
        let lines = laid.columns.iter().map(|c| LineBox {
            ink: at.apply_rect(&c.ink),
            baseline: at.apply(Point::new(c.axis, 0.0)).x,
            chars: columns.text.get(c.range.clone()).map_or(0, |t| t.chars().count() as u32),
        });
        let block = TextBlock {
            slot: columns.id.clone(),
            level: columns.level,
            text: columns.text.clone(),
            size: laid.size,
            weight: fonts.weight(face),
            family: fonts.family(face).name(),
            color: columns.ink,
            ink: at.apply_rect(&laid.ink),
            slot_box: place.apply_rect(&placed.rect),
            lines: lines.collect(),
            centered: false,
            spots: Vec::new(),
            vertical: true,
        };
        self.drawing.scene.blocks.push(block);
    }

    /// Draws bands behind marked words, under the glyphs of all lines.
    fn bands(&mut self, words: &Words, laid: &Laid, at: Affine, role: Role) {
        let cap = self.setting.fonts.metrics(words.style.face).cap_height;
        for piece in &laid.pieces {
            let band = words.manners.iter().find(|m| m.tag == piece.tag).and_then(|m| m.band);
            let item = band.and_then(|c| marks::band(self.setting.fonts, laid, piece, cap, (0.0, 0.0), c, role));
            self.drawing.scene.items.extend(item.map(|item| Item { transform: at, ..item }));
        }
    }

    fn emoji(&mut self, emoji: &[PlacedEmoji], at: Affine, role: Role) {
        for PlacedEmoji { id, rect, .. } in emoji {
            let square = at.after(&Affine::translate(rect.x0, rect.y0)).after(&Affine::scale(rect.w()));
            let layers = Emoji::picture(*id).layers.into_iter();
            self.drawing.scene.items.extend(layers.map(|layer| Item {
                transform: square,
                coverage: Coverage::Path { path: layer.path, rule: FillRule::NonZero },
                paint: layer.paint,
                role,
            }));
        }
    }

    /// Returns the scene's description of a text.
    fn block(&self, words: &Words, laid: &Laid, at: Affine, slot_box: Rect) -> TextBlock {
        let (fonts, face) = (self.setting.fonts, words.style.face);
        let spot = |m: &Manner, ink: Rect| Spot { ink: at.apply_rect(&ink), color: m.ink, on: m.band };
        let spots = laid.pieces.iter().filter_map(|p| {
            let manner = words.manners.iter().find(|m| m.tag == p.tag)?;
            Some(spot(manner, p.ink))
        });
        TextBlock {
            slot: words.id.clone(),
            level: words.level,
            text: words.text.clone(),
            size: laid.size,
            weight: fonts.weight(face),
            family: fonts.family(face).name(),
            color: words.ink,
            ink: at.apply_rect(&laid.ink),
            slot_box,
            lines: laid
                .lines
                .iter()
                .map(|l| LineBox {
                    ink: at.apply_rect(&l.ink),
                    baseline: at.apply(Point::new(0.0, l.baseline)).y,
                    chars: words.text.get(l.range.clone()).map_or(0, |t| t.chars().count() as u32),
                })
                .collect(),
            centered: words.align == Align::Center,
            spots: spots.collect(),
            vertical: false,
        }
    }
}

fn kurbo_rect(rect: Rect) -> kurbo::Rect {
    kurbo::Rect::new(rect.x0.into(), rect.y0.into(), rect.x1.into(), rect.y1.into())
}

/// Returns the parts of the canvas outside and inside a band, as paths for the even-odd rule.
fn sides_of(band: &Band, canvas: Size) -> (kurbo::BezPath, kurbo::BezPath) {
    // The wave of a band extends beyond the edges of the canvas.
    let mut outside = kurbo_rect(Rect::new(0.0, 0.0, canvas.w, canvas.h).grow(canvas.w.max(canvas.h))).to_path(0.1);
    outside.extend(band.path.iter());
    (outside, band.path.clone())
}

/// Returns the shift and rotation of a box relative to its position in the layout.
fn moved(boxed: &Boxed, placed: &Placed, parent: Option<Rect>) -> Affine {
    let lay = &boxed.lay;
    let size = parent.map_or(Size::new(0.0, 0.0), |p| p.size());
    let shifted = Affine::translate(lay.shift[0] * size.w, lay.shift[1] * size.h);
    if lay.turn == 0.0 {
        return shifted;
    }
    let center = placed.rect.center();
    let (sin, cos) = (libm::sinf(lay.turn.to_radians()), libm::cosf(lay.turn.to_radians()));
    let turn = Affine([cos, sin, -sin, cos, 0.0, 0.0]);
    let about = Affine::translate(center.x, center.y).after(&turn).after(&Affine::translate(-center.x, -center.y));
    shifted.after(&about)
}
