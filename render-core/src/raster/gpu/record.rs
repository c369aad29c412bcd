//! Records a frame's steps on a page: paths are cut to pieces; groups and blurs get targets of their own, as large as
//! their visible part.

use super::page::Page;
use super::segment::{Blurring, Filling, Op};
use super::strips::{self, Outline, Strips, TILE_ROWS};
use super::types::{self, View};
use crate::limits::GPU_TILE_BYTES;
use crate::raster::RasterError;
use crate::raster::blur::BlurPlan;
use crate::raster::frame::{Blurred, Draw, Frame, Group, Mask, Step};
use crate::raster::pixels::{PixelBox, grow, meet, unite};
use crate::raster::rows::CELL;
use crate::raster::shape::Shape;

/// The target of the current steps: a part of a canvas.
#[derive(Clone, Copy)]
struct Target {
    /// The pixels that the target shows.
    region: PixelBox,
}

/// A frame that is being recorded.
struct Recorder<'f> {
    frame: &'f Frame,
    /// Width and height of the frame's canvas.
    size: [i32; 2],
    /// Whether bands of blurs are dithered.
    dither: bool,
    /// The frame's own target.
    root: Target,
    /// Open groups with their targets; `None` for a group that is invisible.
    open: Vec<(&'f Group, Option<Target>)>,
}

/// Records a frame on the page. The segment's first view is the frame's root target.
///
/// # Errors
/// If the device can't draw the frame.
pub(super) fn record(page: &mut Page<'_>, frame: &Frame, size: [u32; 2], dither: bool) -> Result<(), RasterError> {
    let size = size.map(|v| v as i32);
    let region = [0, 0, size[0], size[1]];
    add_view(page, region);
    let target = Target { region };
    Recorder { frame, size, dither, root: target, open: Vec::new() }.steps(page)
}

fn add_view(page: &mut Page<'_>, region: PixelBox) -> usize {
    let [left, top, right, bottom] = region;
    let views = &mut page.segment().views;
    views.push(View { origin: [left, top], size: [(right - left) as u32, (bottom - top) as u32] });
    views.len() - 1
}

impl<'f> Recorder<'f> {
    /// Records all steps, in batches whose tiles fit in one submission.
    fn steps(&mut self, page: &mut Page<'_>) -> Result<(), RasterError> {
        let mut rest = 0..self.frame.steps.len();
        while !rest.is_empty() {
            let (end, outlines) = self.stretch(rest.start);
            let mut strips = strips::strips_of(&outlines).into_iter();
            for i in rest.start..end {
                self.step(page, i, &mut strips)?;
            }
            rest.start = end;
        }
        Ok(())
    }

    /// Returns the end of the batch that starts at step `from`, and its paths, in the order in which they are needed.
    fn stretch(&self, from: usize) -> (usize, Vec<Outline<'f>>) {
        let mut open: Vec<&Group> = self.open.iter().map(|(group, _)| *group).collect();
        let mut bytes = 0;
        let mut outlines = Vec::new();
        for (i, step) in self.frame.steps.iter().enumerate().skip(from) {
            let drawn = outlines.len();
            match step {
                Step::Draw(Draw { px, shape, .. }) => outlines.extend(self.outline(*px, shape)),
                Step::Begin(group) => open.push(group),
                Step::End => {
                    let masks = open.pop().into_iter().flat_map(|group| self.masks(group));
                    outlines.extend(masks.filter_map(|Mask { px, shape }| self.outline(*px, shape)));
                }
                Step::Blurred(_) => {}
            }
            bytes += outlines[drawn..].iter().map(|o| tile_bytes(o.px)).sum::<usize>();
            if bytes > GPU_TILE_BYTES && i > from {
                outlines.truncate(drawn);
                return (i, outlines);
            }
        }
        (self.frame.steps.len(), outlines)
    }

    /// Returns the masks of a group's clip.
    fn masks(&self, group: &Group) -> &'f [Mask] {
        group.clip.clone().map_or(&[], |masks| &self.frame.masks[masks])
    }

    fn outline(&self, px: PixelBox, shape: &Shape) -> Option<Outline<'f>> {
        let Shape::Path { lines, rule } = shape else { return None };
        Some(Outline { px, lines: self.frame.lines.path(lines.clone()), rule: *rule })
    }

    /// Records one step; `strips` yields the pieces of its paths and of all later ones.
    fn step(
        &mut self,
        page: &mut Page<'_>,
        i: usize,
        strips: &mut impl Iterator<Item = Strips>,
    ) -> Result<(), RasterError> {
        match &self.frame.steps[i] {
            Step::Draw(Draw { px, shape, paint }) => {
                let strips = next(shape, strips);
                if self.target().is_some_and(|target| meet(*px, target.region).is_some()) {
                    make_room(page, strips.as_ref())?;
                    let segment = page.segment();
                    let filling = segment.ink(paint);
                    segment.draw(*px, shape, strips.as_ref(), filling);
                }
            }
            Step::Begin(group) => {
                let target = self.target().and_then(|around| self.begin(page, i, group, around));
                self.open.push((group, target));
            }
            Step::End => self.end(page, strips)?,
            Step::Blurred(blurred) => {
                if let Some(target) = self.target() {
                    self.blurred(page, blurred, target)?;
                }
            }
        }
        Ok(())
    }

    /// Returns the current target; `None` within an invisible group.
    fn target(&self) -> Option<Target> {
        self.open.last().map_or(Some(self.root), |(_, target)| *target)
    }

    /// Begins a group, on its blurred backdrop if it has one; `None` if it is invisible.
    fn begin(&self, page: &mut Page<'_>, i: usize, group: &Group, around: Target) -> Option<Target> {
        let region = unite(meet(group.px, around.region), self.needs(i + 1))?;
        let backdrop = (group.backdrop_blur > 0.0).then(|| meet(group.px, region)).flatten();
        let blurred = backdrop.map(|px| {
            let plan = BlurPlan::new(group.backdrop_blur);
            let [right, bottom] = self.size;
            let source = plan.source(px, [0, 0, right, bottom]);
            let from = From { source, region: around.region, canvas: self.size, goes_on: true };
            (px, blur_target(page, &plan, &from, px, [0; 2], self.dither))
        });
        let view = add_view(page, region);
        page.segment().ops.push(Op::Begin { view });
        if let Some((px, blurred)) = blurred {
            page.segment().draw_blurred(px, blurred);
        }
        Some(Target { region })
    }

    /// Returns the pixels that backdrop blurs read, from step `from` to the end of its group.
    fn needs(&self, from: usize) -> Option<PixelBox> {
        let mut depth = 0_usize;
        let mut needs = None;
        for step in &self.frame.steps[from..] {
            match step {
                Step::Begin(group) => {
                    if depth == 0 && group.backdrop_blur > 0.0 {
                        let plan = BlurPlan::new(group.backdrop_blur);
                        needs = unite(needs, self.squares(grow(group.px, plan.reach_px()), plan.factor));
                    }
                    depth += 1;
                }
                Step::End if depth == 0 => break,
                Step::End => depth -= 1,
                Step::Draw(_) | Step::Blurred(_) => {}
            }
        }
        needs
    }

    /// Returns the pixels of the canvas in the squares that a box touches.
    fn squares(&self, px: PixelBox, factor: u32) -> Option<PixelBox> {
        let f = factor as i32;
        let [left, top, right, bottom] = grid(px, f).map(|v| v * f);
        meet([left, top, right, bottom], [0, 0, self.size[0], self.size[1]])
    }

    /// Ends the innermost group.
    fn end(&mut self, page: &mut Page<'_>, strips: &mut impl Iterator<Item = Strips>) -> Result<(), RasterError> {
        let Some((group, target)) = self.open.pop() else { return Ok(()) };
        // Takes the masks' strips even if the group is invisible, because strips come in order.
        let masks: Vec<_> = self.masks(group).iter().map(|mask| (mask, next(&mask.shape, strips))).collect();
        let (Some(drawn), Some(around)) = (target, self.target()) else { return Ok(()) };
        let drawn = drawn.region;
        let Some(px) = meet(group.px, around.region) else {
            // The group was drawn only for a backdrop, which turned out to be invisible.
            page.segment().ops.push(Op::Drop);
            return Ok(());
        };
        let clipped = group.clip.is_some();
        if clipped {
            let view = add_view(page, px);
            page.segment().ops.push(Op::BeginClip { view });
            for (Mask { px, shape }, strips) in masks {
                make_room(page, strips.as_ref())?;
                page.segment().draw(*px, shape, strips.as_ref(), Filling::default());
            }
        }
        page.segment().compose(px, around.region, group.blend, types::Group::new(group, drawn, px, u32::from(clipped)));
        Ok(())
    }

    /// Draws a blurred layer on its own canvas, and composites it.
    fn blurred(&self, page: &mut Page<'_>, blurred: &Blurred, target: Target) -> Result<(), RasterError> {
        let Blurred { frame, size, origin, sigma, source, px } = blurred;
        let Some(px) = meet(*px, target.region) else { return Ok(()) };
        let plan = BlurPlan::new(*sigma);
        let size = size.map(|v| v as i32);
        let nowhere = Target { region: [0; 4] };
        let mut inner = Recorder { frame, size, dither: self.dither, root: nowhere, open: Vec::new() };
        let Some(region) = unite(inner.squares(*source, plan.factor), inner.needs(0)) else { return Ok(()) };
        inner.root = Target { region };
        let view = add_view(page, region);
        page.segment().ops.push(Op::Begin { view });
        inner.steps(page)?;
        let from = From { source: *source, region, canvas: size, goes_on: false };
        let blurred = blur_target(page, &plan, &from, px, origin.map(|v| -v), self.dither);
        page.segment().draw_blurred(px, blurred);
        Ok(())
    }
}

/// The source of a blur.
struct From {
    /// The pixels that contribute.
    source: PixelBox,
    /// The pixels that the target shows.
    region: PixelBox,
    canvas: [i32; 2],
    /// Whether edge texels are repeated beyond the edges. Otherwise, everything beyond is transparent, and the target
    /// is freed after the blur.
    goes_on: bool,
}

/// Returns the pieces of a shape if it is a path.
fn next(shape: &Shape, strips: &mut impl Iterator<Item = Strips>) -> Option<Strips> {
    matches!(shape, Shape::Path { .. }).then(|| strips.next()).flatten()
}

/// Submits the current segment if it has no room for these tiles.
fn make_room(page: &mut Page<'_>, strips: Option<&Strips>) -> Result<(), RasterError> {
    let more = strips.map_or(0, |s| s.tiles.len());
    let there = page.segment().tiles.len();
    if there > 0 && there + more > GPU_TILE_BYTES { page.flush() } else { Ok(()) }
}

/// Records a blur of the innermost target, as far as the pixels `px` need it. `px` is offset by `shift` from the
/// target.
fn blur_target(
    page: &mut Page<'_>,
    plan: &BlurPlan,
    from: &From,
    px: PixelBox,
    shift: [i32; 2],
    dither: bool,
) -> types::BlurredImage {
    let From { source, region, canvas, goes_on } = *from;
    let f = plan.factor as i32;
    let drawn = grid(source, f);
    let wanted = plan.wanted(px, shift);
    let segment = page.segment();
    let index = segment.blurs.len();
    let weights = segment.weights.len() as u32;
    segment.weights.extend_from_slice(plan.weights());
    segment.blurs.push(types::Blur {
        drawn,
        wanted,
        origin: [region[0], region[1]],
        canvas,
        factor: f,
        reach: plan.reach(),
        goes_on: u32::from(goes_on),
        weights,
    });
    let extent = |g: PixelBox| [(g[2] - g[0]) as u32, (g[3] - g[1]) as u32];
    let (from, to) = (extent(drawn), extent(wanted));
    segment.ops.push(Op::Blur(Blurring { index, sizes: [from, [to[0], from[1]], to], last: !goes_on }));
    let [flat_slope, steep] = plan.banded();
    types::BlurredImage {
        shift,
        first: [wanted[0], wanted[1]],
        size: to,
        factor: f as f32,
        steep: if dither { steep } else { -1.0 },
        flat_slope,
        padding: 0,
    }
}

/// Returns the squares of `f` pixels that a box touches. The box is clamped to the origin on the left and top.
fn grid([left, top, right, bottom]: PixelBox, f: i32) -> PixelBox {
    [left.max(0) / f, top.max(0) / f, (right + f - 1) / f, (bottom + f - 1) / f]
}

fn tile_bytes(px: PixelBox) -> usize {
    let [left, top, right, bottom] = px.map(|v| v as usize);
    (right.div_ceil(CELL) - left / CELL) * (bottom.div_ceil(TILE_ROWS) - top / TILE_ROWS) * CELL * TILE_ROWS
}
