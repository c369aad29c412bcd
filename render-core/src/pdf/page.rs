//! Converts a scene to the content of a page.

use std::collections::HashSet;
use std::ops::Range;
use std::sync::Arc;

use krilla::blend::BlendMode as PdfBlend;
use krilla::paint::FillRule as PdfRule;
use krilla::surface::Surface;
use kurbo::BezPath;

use super::picture::{Patch, place, transform};
use super::shape::{self, Shape};
use super::{PdfError, Shelf, gradient, text};
use crate::cancel;
use crate::scene::{
    Affine, BlendMode, Canvas, Clip, Coverage, Glyph, GlyphRun, ImageFit, Item, Layer, Paint, Rect, Scene,
};
use crate::text::Fonts;

/// Draws a scene over a page of `size` points.
pub(super) fn draw(
    surface: &mut Surface<'_>,
    shelf: &mut Shelf,
    scene: &Scene,
    canvas: Canvas,
    size: (f32, f32),
    fonts: &Fonts,
) -> Result<(), PdfError> {
    let (across, down) = (size.0 / scene.size.w, size.1 / scene.size.h);
    surface.push_transform(&transform(&Affine([across, 0.0, 0.0, down, 0.0, 0.0])));
    let mut painter = Painter { surface, shelf, scene, canvas, fonts, said: HashSet::new() };
    let drawn = painter.all();
    painter.surface.pop();
    drawn
}

struct Painter<'a, 'b> {
    surface: &'a mut Surface<'b>,
    shelf: &'a mut Shelf,
    scene: &'a Scene,
    canvas: Canvas,
    fonts: &'a Fonts,
    /// Glyphs that were already written as text. A text that is drawn twice, as where it crosses an edge, must be read
    /// only once.
    said: HashSet<*const Glyph>,
}

impl Painter<'_, '_> {
    fn all(&mut self) -> Result<(), PdfError> {
        let whole = Rect::new(0.0, 0.0, self.scene.size.w, self.scene.size.h);
        self.fill(&shape::rect(&whole), &Paint::Solid(self.scene.background));
        let layers: Vec<usize> = (0..self.scene.layers.len()).collect();
        let from = self.flattened()?;
        let rest: Vec<usize> = layers.into_iter().filter(|i| self.scene.layers[*i].items.start >= from).collect();
        self.range(from..self.scene.items.len(), &rest)
    }

    /// Draws everything up to the last layer with a backdrop blur as one picture; returns the index of the first item
    /// after it.
    fn flattened(&mut self) -> Result<usize, PdfError> {
        let layers = &self.scene.layers;
        let Some(last) = layers.iter().rposition(|layer| layer.backdrop_blur > 0.0) else { return Ok(0) };
        // Includes the layers around it.
        let within = &layers[last].items;
        let around = layers.iter().filter(|l| l.items.start <= within.start && l.items.end >= within.end);
        let end = around.map(|layer| layer.items.end).max().unwrap_or(within.end);
        let whole: Vec<Layer> = layers.iter().filter(|layer| layer.items.end <= end).cloned().collect();
        let under = Scene { items: self.scene.items[..end].to_vec(), layers: whole, ..self.scene.clone() };
        self.shelf.whole(&under, self.canvas, self.fonts)?.place(self.surface, &self.canvas)?;
        self.say(0..end);
        Ok(end)
    }

    /// Draws items, and the layers of `layers` among them, which are in scene order.
    fn range(&mut self, range: Range<usize>, layers: &[usize]) -> Result<(), PdfError> {
        let mut waiting = layers.to_vec();
        let mut at = range.start;
        loop {
            let begins = |i: &usize| self.scene.layers[*i].items.start == at;
            if let Some(found) = waiting.iter().position(begins) {
                let outer = waiting.remove(found);
                let items = self.scene.layers[outer].items.clone();
                let is_within = |i: &usize| {
                    let inner = &self.scene.layers[*i].items;
                    *i > outer && inner.start >= items.start && inner.end <= items.end && !items.is_empty()
                };
                let (within, others) = waiting.into_iter().partition(is_within);
                waiting = others;
                self.layer(outer, within)?;
                at = items.end.max(at);
            } else if at < range.end {
                cancel::check();
                self.item(at)?;
                at += 1;
            } else {
                return Ok(());
            }
        }
    }

    /// Draws a layer and the layers within it.
    fn layer(&mut self, at: usize, within: Vec<usize>) -> Result<(), PdfError> {
        let layer = &self.scene.layers[at];
        let clip = match &layer.clip {
            None => None,
            Some(clip) => match outline_of(clip, self.canvas.scale) {
                Some(path) => Some(path),
                // The clip has soft edges, which PDF paths can't express.
                None => return self.layer_drawn(at, &within),
            },
        };
        // A clip without area hides everything.
        let clip = match clip {
            Some((path, rule)) => match shape::path(&path, &Affine::IDENTITY) {
                Some(path) => Some((path, rule)),
                None => return Ok(()),
            },
            None => None,
        };
        if let Some((path, rule)) = &clip {
            self.surface.push_clip_path(path, rule);
        }
        self.surface.push_blend_mode(blend(layer.blend));
        let is_group = layer.opacity < 1.0 || layer.blend != BlendMode::Normal || !within.is_empty();
        if is_group {
            self.surface.push_isolated();
            self.surface.push_opacity(gradient::unit(layer.opacity));
        }
        let drawn = if layer.blur > 0.0 {
            let bare = Layer { opacity: 1.0, blend: BlendMode::Normal, clip: None, ..layer.clone() };
            self.apart(&bare, &within)
        } else {
            self.range(layer.items.clone(), &within)
        };
        if is_group {
            self.surface.pop();
            self.surface.pop();
        }
        self.surface.pop();
        if clip.is_some() {
            self.surface.pop();
        }
        drawn
    }

    /// Draws a layer whose clip has no outline as a picture, and blends that.
    fn layer_drawn(&mut self, at: usize, within: &[usize]) -> Result<(), PdfError> {
        let layer = &self.scene.layers[at];
        self.surface.push_blend_mode(blend(layer.blend));
        let drawn = self.apart(&Layer { blend: BlendMode::Normal, ..layer.clone() }, within);
        self.surface.pop();
        drawn
    }

    /// Places a layer and the layers within it as a picture, with its text over it, invisible.
    fn apart(&mut self, layer: &Layer, within: &[usize]) -> Result<(), PdfError> {
        let Range { start, end } = layer.items;
        let moved =
            |layer: &Layer| Layer { items: layer.items.start - start..layer.items.end - start, ..layer.clone() };
        let inner = within.iter().map(|i| moved(&self.scene.layers[*i]));
        let layers = std::iter::once(moved(layer)).chain(inner).collect();
        let scene = Scene { items: self.scene.items[start..end].to_vec(), layers, blocks: Vec::new(), ..*self.scene };
        let drawn = self.shelf.apart(&scene, Patch::page(&self.canvas), self.canvas, self.fonts)?;
        if let Some(drawn) = drawn {
            drawn.place(self.surface, &self.canvas)?;
        }
        self.say(start..end);
        Ok(())
    }

    /// Writes text over its own picture, invisible.
    fn say(&mut self, items: Range<usize>) {
        let scene = self.scene;
        for item in &scene.items[items] {
            if let Coverage::Glyphs(run) = &item.coverage
                && let Some(font) = self.font_of(run)
            {
                self.surface.push_transform(&transform(&item.transform));
                text::draw(self.surface, &font, self.fonts, run, &gradient::invisible());
                self.surface.pop();
            }
        }
    }

    /// Returns the font of a run that is written as text; only once for each run.
    fn font_of(&mut self, run: &GlyphRun) -> Option<krilla::text::Font> {
        let is_new = text::is_text(run) && run.size > 0.0 && self.said.insert(Arc::as_ptr(&run.glyphs).cast());
        if is_new { self.shelf.font(self.fonts, run.face) } else { None }
    }

    fn item(&mut self, at: usize) -> Result<(), PdfError> {
        let scene = self.scene;
        let item = &scene.items[at];
        if item.transform.0.iter().any(|v| !v.is_finite()) {
            return Ok(());
        }
        let scale = self.canvas.scale * scale_of(&item.transform);
        match (&item.coverage, Shape::of(&item.coverage, scale)) {
            (Coverage::Glyphs(run), _) => self.glyphs(item, run),
            (_, Some(shape)) => self.shape(item, &shape),
            (_, None) => self.drawn(item),
        }
    }

    /// Draws a run as text. If it was already written as text, or can't be, draws it as paths.
    fn glyphs(&mut self, item: &Item, run: &GlyphRun) -> Result<(), PdfError> {
        let font = self.font_of(run);
        let Some(paint) = gradient::paint(&item.paint) else {
            self.shape(item, &Shape { path: self.outlines(run), rule: PdfRule::NonZero, pen: None })?;
            if let Some(font) = font {
                self.surface.push_transform(&transform(&item.transform));
                text::draw(self.surface, &font, self.fonts, run, &gradient::invisible());
                self.surface.pop();
            }
            return Ok(());
        };
        let Some(font) = font else {
            return self.shape(item, &Shape { path: self.outlines(run), rule: PdfRule::NonZero, pen: None });
        };
        self.surface.push_transform(&transform(&item.transform));
        text::draw(self.surface, &font, self.fonts, run, &gradient::fill(paint, PdfRule::NonZero));
        self.surface.pop();
        Ok(())
    }

    /// Returns the outlines of a run's glyphs, in the run's space.
    fn outlines(&self, run: &GlyphRun) -> BezPath {
        let mut all = BezPath::new();
        for Glyph { id, at } in run.glyphs.iter() {
            let Some(outline) = self.fonts.outline(run.face, *id) else { continue };
            let place = kurbo::Affine::translate((f64::from(at.x), f64::from(at.y)));
            all.extend((place * kurbo::Affine::scale(f64::from(run.size)) * outline).iter());
        }
        all
    }

    fn shape(&mut self, item: &Item, shape: &Shape) -> Result<(), PdfError> {
        if let Some(paint) = gradient::paint(&item.paint) {
            let Some(path) = shape::path(&shape.path, &Affine::IDENTITY) else { return Ok(()) };
            let (fill, stroke) = match &shape.pen {
                Some(pen) if pen.width > 0.0 && pen.width.is_finite() => (None, Some(gradient::pen(paint, pen))),
                Some(_) => return Ok(()),
                None => (Some(gradient::fill(paint, shape.rule)), None),
            };
            self.surface.push_transform(&transform(&item.transform));
            self.surface.set_fill(fill);
            self.surface.set_stroke(stroke);
            self.surface.draw_path(&path);
            self.surface.pop();
            return Ok(());
        }
        if shape.pen.is_some() {
            return self.drawn(item);
        }
        // Clips the paint with the shape's outline, whose edges stay sharp at every size.
        let Some(window) = shape::path(&shape.path, &item.transform) else { return Ok(()) };
        self.surface.push_clip_path(&window, &shape.rule);
        let drawn = match &item.paint {
            Paint::Image { image, rect, fit, focus } => {
                let picture = self.shelf.picture(image)?;
                let size = (image.width() as f32, image.height() as f32);
                let frame = shape::path(&shape::rect(rect), &item.transform);
                if let Some(frame) = frame.filter(|_| !rect.is_empty()) {
                    self.surface.push_clip_path(&frame, &PdfRule::NonZero);
                    place(self.surface, picture, &framed(rect, size, *fit, [focus.x, focus.y]), &item.transform);
                    self.surface.pop();
                }
                Ok(())
            }
            _ => self.painted(item, &shape.path),
        };
        self.surface.pop();
        drawn
    }

    /// Places the paint of an item over the whole area of `path`.
    fn painted(&mut self, item: &Item, path: &BezPath) -> Result<(), PdfError> {
        use kurbo::Shape as _;
        let b = path.bounding_box();
        let bounds = item.transform.apply_rect(&Rect::new(b.x0 as f32, b.y0 as f32, b.x1 as f32, b.y1 as f32));
        let Some(patch) = Patch::around(&bounds.grow(1.0 / self.canvas.scale), &self.canvas) else { return Ok(()) };
        let Some(inverse) = item.transform.inverse() else { return Ok(()) };
        let field = inverse.apply_rect(&patch.du(&self.canvas).grow(1.0));
        let coverage = Coverage::Rect { rect: field, radii: [0.0; 4], stroke: None };
        self.alone(&Item { coverage, ..item.clone() }, patch)
    }

    /// Places an item as a picture.
    fn drawn(&mut self, item: &Item) -> Result<(), PdfError> {
        let bounds = item.transform.apply_rect(&item.coverage.bounds().grow(2.0 / self.canvas.scale));
        match Patch::around(&bounds, &self.canvas) {
            Some(patch) => self.alone(item, patch),
            None => Ok(()),
        }
    }

    fn alone(&mut self, item: &Item, patch: Patch) -> Result<(), PdfError> {
        let scene = Scene { items: vec![item.clone()], layers: Vec::new(), blocks: Vec::new(), ..*self.scene };
        match self.shelf.apart(&scene, patch, self.canvas, self.fonts)? {
            Some(drawn) => drawn.place(self.surface, &self.canvas),
            None => Ok(()),
        }
    }

    fn fill(&mut self, path: &BezPath, paint: &Paint) {
        if let (Some(path), Some(paint)) = (shape::path(path, &Affine::IDENTITY), gradient::paint(paint)) {
            self.surface.set_stroke(None);
            self.surface.set_fill(Some(gradient::fill(paint, PdfRule::NonZero)));
            self.surface.draw_path(&path);
        }
    }
}

/// Returns the mean length of one unit after the transform.
fn scale_of(transform: &Affine) -> f32 {
    let [a, b, c, d, ..] = transform.0;
    (a * d - b * c).abs().sqrt()
}

/// Returns the outline of a clip, in du, if it has one.
fn outline_of(clip: &Clip, scale: f32) -> Option<(BezPath, PdfRule)> {
    let shape = Shape::of(&clip.coverage, scale * scale_of(&clip.transform)).filter(|shape| shape.pen.is_none())?;
    let map = kurbo::Affine::new(clip.transform.0.map(f64::from));
    Some((map * shape.path, shape.rule))
}

/// Returns the rectangle of a picture that fills `rect`. Excess length is cropped on both sides of the focus in
/// proportion.
fn framed(rect: &Rect, (w, h): (f32, f32), fit: ImageFit, focus: [f32; 2]) -> Rect {
    let (across, down) = (rect.w() / w, rect.h() / h);
    let (sx, sy) = match fit {
        ImageFit::Fill => (across, down),
        ImageFit::Cover => (across.max(down), across.max(down)),
        ImageFit::Contain => (across.min(down), across.min(down)),
    };
    let [fx, fy] = focus.map(|v| if v.is_nan() { 0.0 } else { v.clamp(0.0, 1.0) });
    Rect::at(rect.x0 + (rect.w() - w * sx) * fx, rect.y0 + (rect.h() - h * sy) * fy, w * sx, h * sy)
}

fn blend(mode: BlendMode) -> PdfBlend {
    match mode {
        BlendMode::Normal => PdfBlend::Normal,
        BlendMode::Multiply => PdfBlend::Multiply,
        BlendMode::Screen => PdfBlend::Screen,
        BlendMode::Overlay => PdfBlend::Overlay,
        BlendMode::Darken => PdfBlend::Darken,
        BlendMode::Lighten => PdfBlend::Lighten,
        BlendMode::ColorDodge => PdfBlend::ColorDodge,
        BlendMode::ColorBurn => PdfBlend::ColorBurn,
        BlendMode::HardLight => PdfBlend::HardLight,
        BlendMode::SoftLight => PdfBlend::SoftLight,
        BlendMode::Difference => PdfBlend::Difference,
        BlendMode::Exclusion => PdfBlend::Exclusion,
    }
}
