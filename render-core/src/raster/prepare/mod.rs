//! Prepares scenes as frames: coordinates in pixels, gradients as tables, paths as segments, glyphs as masks, layers as
//! groups.

mod budget;
mod context;
mod coverage;
mod paint;
mod scratch;
mod tables;

pub(super) use self::context::{Caches, Context, Workspace};
use self::scratch::Out;
use super::RasterError;
use super::blur::BlurPlan;
use super::frame::{Blurred, Draw, Frame, Group, Mask, Step};
use super::pixels::{PixelBox, grow, meet, unite, whole};
use super::rows::unit;
use crate::cancel;
use crate::limits::{
    BLURRED_LAYERS, EDGE_PX, GRADIENT_STOPS, LAYER_DEPTH, SCENE_ELEMENTS, SCENE_ITEMS, SCENE_LAYERS, WIDEST_BLUR,
};
use crate::scene::{Backdrop, Canvas, Coverage, Item, Layer, Paint, Scene};

/// Rejects a scene or canvas that exceeds a limit or is inconsistent.
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
    if scene.layers.len() > SCENE_LAYERS {
        return Err(RasterError::TooManyLayers(scene.layers.len()));
    }
    if blurred > BLURRED_LAYERS {
        return Err(RasterError::TooManyBlurs(blurred));
    }
    let clips = scene.layers.iter().filter_map(|l| l.clip.as_ref()).map(|clip| &clip.coverage);
    let elements = scene.items.iter().map(|item| &item.coverage).chain(clips).map(elements).sum();
    if elements > SCENE_ELEMENTS {
        return Err(RasterError::TooManyElements(elements));
    }
    if let Some(stops) = scene.items.iter().map(|item| stops(&item.paint)).find(|n| *n > GRADIENT_STOPS) {
        return Err(RasterError::TooManyStops(stops));
    }
    // The indices of the layers that enclose the current one.
    let mut open = [0; LAYER_DEPTH];
    let mut depth = 0;
    let mut reached = 0;
    for (i, layer) in scene.layers.iter().enumerate() {
        let range = &layer.items;
        while depth > 0 && !begins_within(&scene.layers[open[depth - 1]], layer) {
            depth -= 1;
        }
        let inside = depth == 0 || range.end <= scene.layers[open[depth - 1]].items.end;
        if range.start > range.end || range.end > scene.items.len() || range.start < reached || !inside {
            return Err(RasterError::LayersCross(i));
        }
        reached = range.start;
        if depth == LAYER_DEPTH {
            return Err(RasterError::TooManyLayers(scene.layers.len()));
        }
        open[depth] = i;
        depth += 1;
    }
    Ok(())
}

/// Counts path elements, points, glyphs and dashes of a coverage.
fn elements(coverage: &Coverage) -> usize {
    match coverage {
        Coverage::Path { path, .. } => path.elements().len(),
        Coverage::Stroke { path, stroke } => path.elements().len() + stroke.dashes.len(),
        Coverage::Polyline { points, stroke, .. } => points.len() + stroke.as_ref().map_or(0, |s| s.dashes.len()),
        Coverage::Arc { stroke, .. } => stroke.as_ref().map_or(0, |s| s.dashes.len()),
        Coverage::Glyphs(run) => run.glyphs.len(),
        Coverage::Rect { .. } | Coverage::Ellipse { .. } | Coverage::Capsule { .. } | Coverage::Shadow { .. } => 0,
    }
}

fn stops(paint: &Paint) -> usize {
    match paint {
        Paint::Linear { stops, .. }
        | Paint::Radial { stops, .. }
        | Paint::Conic { stops, .. }
        | Paint::Backdrop(Backdrop { stops, .. }) => stops.len(),
        Paint::Solid(_) | Paint::Mesh { .. } | Paint::Image { .. } => 0,
    }
}

/// Returns whether the later layer `inner` belongs to `outer`. A layer without items belongs to another layer only if
/// it lies between that one's items, or if neither has any.
fn begins_within(outer: &Layer, inner: &Layer) -> bool {
    inner.items.start < outer.items.end || inner.items == outer.items
}

impl Context<'_> {
    /// Fills `frame` with everything that `scene` draws. The scene must have passed [`check`].
    ///
    /// # Errors
    /// [`RasterError`] if that exceeds the limits of a page.
    pub fn prepare(&self, scene: &Scene, frame: &mut Frame) -> Result<(), RasterError> {
        frame.clear();
        self.workspace.clear();
        self.span(scene, &scene.layers, 0..scene.items.len(), frame)?;
        frame.lines.finish();
        budget::check_blurs(frame, [self.canvas.width, self.canvas.height])
    }

    /// Prepares the items of `range` and the layers among them. `layers` are all layers that begin there, outermost
    /// first.
    fn span(
        &self,
        scene: &Scene,
        mut layers: &[Layer],
        range: std::ops::Range<usize>,
        frame: &mut Frame,
    ) -> Result<(), RasterError> {
        let mut at = range.start;
        while let Some((layer, rest)) = layers.split_first() {
            self.items(&scene.items[at..layer.items.start], frame)?;
            let within = rest.iter().take_while(|inner| begins_within(layer, inner)).count();
            self.layer(scene, layer, &rest[..within], frame)?;
            at = layer.items.end;
            layers = &rest[within..];
        }
        self.items(&scene.items[at..range.end], frame)
    }

    fn items(&self, items: &[Item], frame: &mut Frame) -> Result<(), RasterError> {
        let scratch = &mut *self.workspace.scratch.borrow_mut();
        for item in items {
            cancel::check();
            let Some(ink) = self.ink(&item.paint, &self.to_px(&item.transform)) else { continue };
            let Frame { steps, lines, .. } = &mut *frame;
            self.coverage(&item.coverage, &item.transform, &mut Out { scratch, lines });
            steps.extend(scratch.shapes.drain(..).map(|Mask { px, shape }| {
                let draw = Draw { px, shape, paint: ink.clone() };
                self.workspace.ledger.add_draw(&draw);
                Step::Draw(draw)
            }));
            self.workspace.ledger.check()?;
        }
        Ok(())
    }

    fn layer(&self, scene: &Scene, layer: &Layer, within: &[Layer], frame: &mut Frame) -> Result<(), RasterError> {
        // `max` turns NaN into 0.
        let px = |sigma: f32| (sigma.max(0.0) * self.canvas.scale).min(self.edge as f32 * WIDEST_BLUR);
        let mut group = Group {
            px: whole([self.canvas.width, self.canvas.height]),
            clip: None,
            opacity: unit(layer.opacity),
            blend: layer.blend,
            backdrop_blur: px(layer.backdrop_blur),
        };
        if let Some(clip) = &layer.clip {
            let scratch = &mut *self.workspace.scratch.borrow_mut();
            let Frame { lines, masks, .. } = &mut *frame;
            self.coverage(&clip.coverage, &clip.transform, &mut Out { scratch, lines });
            let shapes = &mut scratch.shapes;
            let Some(px) = shapes.iter().fold(None, |all, mask| unite(all, Some(mask.px))) else { return Ok(()) };
            group.px = px;
            shapes.iter().for_each(|mask| self.workspace.ledger.add_mask(mask));
            self.workspace.ledger.check()?;
            let from = masks.len();
            masks.append(shapes);
            group.clip = Some(from..masks.len());
        }
        let Some(seen) = meet(group.px, self.seen).filter(|_| group.opacity > 0.0) else { return Ok(()) };
        frame.steps.push(Step::Begin(group));
        let sigma = px(layer.blur);
        if sigma > 0.0 {
            let mut blurred = frame.spare.pop().unwrap_or_default();
            if self.blurred(scene, layer, within, sigma, seen, &mut blurred)? {
                frame.steps.push(Step::Blurred(blurred));
            } else {
                blurred.frame.clear();
                frame.spare.push(blurred);
            }
        } else {
            self.with(self.canvas, self.margin, within, seen).span(scene, within, layer.items.clone(), frame)?;
        }
        frame.steps.push(Step::End);
        Ok(())
    }

    /// Fills `out` with the content of a blurred layer, on a canvas with a margin as wide as the blur reaches. Only
    /// `seen` is visible. Returns false if nothing is.
    fn blurred(
        &self,
        scene: &Scene,
        layer: &Layer,
        within: &[Layer],
        sigma: f32,
        seen: PixelBox,
        out: &mut Blurred,
    ) -> Result<bool, RasterError> {
        let plan = BlurPlan::new(sigma);
        let reach = plan.reach_px();
        // Limits the margin: nested blurs work with less than their full reach beyond it.
        let margin = reach.min(self.edge - self.margin);
        let grown = |edge: u32| edge + 2 * margin as u32;
        let canvas = Canvas { width: grown(self.canvas.width), height: grown(self.canvas.height), ..self.canvas };
        let frame = &mut out.frame;
        let (size, all) = ([canvas.width, canvas.height], whole([canvas.width, canvas.height]));
        let shift = |b: PixelBox, d: i32| b.map(|v| v + d);
        let near = grow(shift(seen, margin), reach);
        // Texel squares at the edge of the needed area are drawn completely.
        let Some(used) = meet(grow(near, plan.factor as i32), all) else { return Ok(false) };
        self.with(canvas, self.margin + margin, within, used).span(scene, within, layer.items.clone(), frame)?;
        frame.lines.finish();
        let counts = |drawn| meet(meet(drawn, near)?, all);
        let Some(source) = drawn(&frame.steps).and_then(counts) else { return Ok(false) };
        let Some(px) = meet(shift(grow(source, reach), -margin), seen) else { return Ok(false) };
        (out.size, out.origin, out.sigma, out.source, out.px) = (size, [-margin; 2], sigma, source, px);
        Ok(true)
    }
}

/// Returns a box around everything that the steps draw.
fn drawn(steps: &[Step]) -> Option<PixelBox> {
    let px = steps.iter().filter_map(|step| match step {
        Step::Draw(draw) => Some(draw.px),
        Step::Blurred(blurred) => Some(blurred.px),
        // A blurred backdrop covers its whole group.
        Step::Begin(group) if group.backdrop_blur > 0.0 => Some(group.px),
        Step::Begin(_) | Step::End => None,
    });
    px.fold(None, |all, px| unite(all, Some(px)))
}
