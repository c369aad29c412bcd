//! Scenes → frames: coordinates in pixels, gradients as tables, paths as segments, glyphs as masks, layers as groups.

mod coverage;
mod paint;

pub(super) use paint::Tables;

use self::coverage::Out;
use super::RasterError;
use super::flatten::PixelBox;
use super::frame::{Blurred, Draw, Frame, Group, Mask, Step};
use super::glyphs::GlyphCache;
use super::shape::Map;
use crate::limits::{BLURRED_LAYERS, EDGE_PX, LAYER_DEPTH, SCENE_ITEMS, SCENE_LAYERS};
use crate::scene::{Affine, Canvas, Item, Layer, Scene};
use crate::text::Fonts;

/// Pixel coordinates of shapes are held within this; sums of two stay exact to a hundredth.
const REACH: f32 = 1e5;
/// A blur reaches this many deviations: 0.0027 of a Gaussian lies beyond.
const BLUR_REACH: f32 = 3.0;

/// Refuses what is over a limit or contradicts itself.
///
/// # Errors
/// [`RasterError`].
pub(super) fn check(scene: &Scene, canvas: Canvas) -> Result<(), RasterError> {
    let Canvas { width, height, .. } = canvas;
    let allowed = 1..=EDGE_PX;
    if !allowed.contains(&width) || !allowed.contains(&height) {
        return Err(RasterError::CanvasSize { width, height });
    }
    if scene.items.len() > SCENE_ITEMS {
        return Err(RasterError::TooManyItems(scene.items.len()));
    }
    let blurred = scene.layers.iter().filter(|l| l.blur > 0.0 || l.backdrop_blur > 0.0).count();
    if scene.layers.len() > SCENE_LAYERS || blurred > BLURRED_LAYERS {
        return Err(RasterError::TooManyLayers(scene.layers.len()));
    }
    let mut open: Vec<&Layer> = Vec::new();
    let mut reached = 0;
    for (i, layer) in scene.layers.iter().enumerate() {
        let range = &layer.items;
        while open.last().is_some_and(|outer| !begins_within(outer, layer)) {
            open.pop();
        }
        let inside = open.last().is_none_or(|outer| range.end <= outer.items.end);
        if range.start > range.end || range.end > scene.items.len() || range.start < reached || !inside {
            return Err(RasterError::LayersCross(i));
        }
        reached = range.start;
        open.push(layer);
        if open.len() > LAYER_DEPTH {
            return Err(RasterError::TooManyLayers(scene.layers.len()));
        }
    }
    Ok(())
}

/// Whether a later layer begins before this one ends. One without items belongs to another only between that one's
/// items, or where neither has any.
fn begins_within(outer: &Layer, inner: &Layer) -> bool {
    inner.items.start < outer.items.end || inner.items == outer.items
}

/// What preparing needs besides the scene.
pub(super) struct Context<'a> {
    /// The pixels drawn on. Its scale is the scene's.
    pub canvas: Canvas,
    /// Where the scene's origin lies on the canvas, in pixels.
    pub origin: [i32; 2],
    pub fonts: &'a Fonts,
    pub glyphs: &'a GlyphCache,
    pub tables: &'a Tables,
}

impl Context<'_> {
    /// Makes `frame` everything that `scene`, which passed [`check`], draws.
    pub fn prepare(&self, scene: &Scene, frame: &mut Frame) {
        frame.clear();
        self.span(scene, &scene.layers, 0..scene.items.len(), frame);
    }

    /// The items of `range` with the layers among them; `layers` are all those that begin there, outermost first.
    fn span(&self, scene: &Scene, mut layers: &[Layer], range: std::ops::Range<usize>, frame: &mut Frame) {
        let mut at = range.start;
        while let Some((layer, rest)) = layers.split_first() {
            self.items(&scene.items[at..layer.items.start], frame);
            let within = rest.iter().take_while(|inner| begins_within(layer, inner)).count();
            self.layer(scene, layer, &rest[..within], frame);
            at = layer.items.end;
            layers = &rest[within..];
        }
        self.items(&scene.items[at..range.end], frame);
    }

    fn items(&self, items: &[Item], frame: &mut Frame) {
        for item in items {
            let Some(ink) = self.ink(&item.paint, &self.to_px(&item.transform)) else { continue };
            let Frame { steps, lines, shapes } = &mut *frame;
            self.coverage(&item.coverage, &item.transform, &mut Out { shapes, lines });
            steps.extend(shapes.drain(..).map(|Mask { px, shape }| Step::Draw(Draw { px, shape, paint: ink.clone() })));
        }
    }

    fn layer(&self, scene: &Scene, layer: &Layer, within: &[Layer], frame: &mut Frame) {
        let canvas: PixelBox = [0, 0, self.canvas.width as i32, self.canvas.height as i32];
        // What is no number is as good as none.
        let px = |sigma: f32| (sigma.max(0.0) * self.canvas.scale).min(EDGE_PX as f32);
        let mut group = Group {
            px: canvas,
            clip: None,
            opacity: layer.opacity.max(0.0).min(1.0),
            blend: layer.blend,
            backdrop_blur: px(layer.backdrop_blur),
        };
        if let Some(clip) = &layer.clip {
            let mut shapes = Vec::new();
            self.coverage(&clip.coverage, &clip.transform, &mut Out { shapes: &mut shapes, lines: &mut frame.lines });
            let none = [i32::MAX, i32::MAX, i32::MIN, i32::MIN];
            group.px = shapes
                .iter()
                .fold(none, |a, m| [a[0].min(m.px[0]), a[1].min(m.px[1]), a[2].max(m.px[2]), a[3].max(m.px[3])]);
            group.clip = Some(shapes);
        }
        if group.opacity <= 0.0 || group.px[0] >= group.px[2] || group.px[1] >= group.px[3] {
            return;
        }
        frame.steps.push(Step::Begin(group));
        let sigma = px(layer.blur);
        if sigma > 0.0 {
            if !layer.items.is_empty() {
                frame.steps.push(Step::Blurred(Box::new(self.blurred(scene, layer, within, sigma))));
            }
        } else {
            self.span(scene, within, layer.items.clone(), frame);
        }
        frame.steps.push(Step::End);
    }

    /// What a layer's items draw, on a canvas with a margin that the blur can reach into.
    fn blurred(&self, scene: &Scene, layer: &Layer, within: &[Layer], sigma: f32) -> Blurred {
        let margin = (sigma * BLUR_REACH).ceil() as i32;
        let grown = |edge: u32| edge + 2 * margin as u32;
        let canvas = Canvas { width: grown(self.canvas.width), height: grown(self.canvas.height), ..self.canvas };
        let origin = self.origin.map(|v| v + margin);
        let mut frame = Frame::default();
        Context { canvas, origin, ..*self }.span(scene, within, layer.items.clone(), &mut frame);
        Blurred { frame, size: [canvas.width, canvas.height], origin: [-margin; 2], sigma }
    }

    /// From an item's space to pixels.
    fn to_px(&self, transform: &Affine) -> Affine {
        let [x, y] = self.origin.map(|v| v as f32);
        Affine::translate(x, y).after(&Affine::scale(self.canvas.scale)).after(transform)
    }

    /// The whole pixels around a box in pixels, on the canvas; `None` where there are none.
    fn pixels(&self, x0: f32, y0: f32, x1: f32, y1: f32) -> Option<PixelBox> {
        let (w, h) = (self.canvas.width as f32, self.canvas.height as f32);
        let px = [x0.floor().clamp(0.0, w), y0.floor().clamp(0.0, h), x1.ceil().clamp(0.0, w), y1.ceil().clamp(0.0, h)];
        (px[0] < px[2] && px[1] < px[3]).then(|| px.map(|v| v as i32))
    }
}

fn map_of(a: &Affine) -> Map {
    let [a, b, c, d, e, f] = a.0;
    Map { m: [a, c, b, d], t: [e, f] }
}
