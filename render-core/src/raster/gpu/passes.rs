//! Encodes a segment's operations as passes on a stack of targets.

use super::arena::offset;
use super::atlas::Atlas;
use super::bindings::{Bindings, bind_group, view};
use super::layer::Layer;
use super::pipelines::BlurStage;
use super::resources::{Resources, Shared};
use super::segment::{Blurring, Compose, Op};
use super::target::Surface;
use crate::raster::RasterError;
use crate::scene::BlendMode;

/// Edge of a workgroup in pixels or texels.
const SQUARE: u32 = 8;

/// Progress through the operations.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Cursor {
    op: usize,
    /// The first instance that isn't drawn yet.
    instance: u32,
}

/// The passes that are being encoded.
struct Passes<'a> {
    shared: &'a Shared<'a>,
    bindings: Bindings<'a>,
    encoder: &'a mut wgpu::CommandEncoder,
    /// The open pass on the innermost layer, if any.
    pass: Option<wgpu::RenderPass<'static>>,
}

/// Encodes the operations of a segment from `cursor` on as passes on the layers of `stack`, up to the instance `end`.
///
/// # Errors
/// If something is too large for the device.
pub(super) fn encode(
    shared: &Shared<'_>,
    resources: &mut Resources,
    stack: &mut Vec<Layer>,
    encoder: &mut wgpu::CommandEncoder,
    atlas: &Atlas,
    cursor: &mut Cursor,
    end: u32,
) -> Result<(), RasterError> {
    resources.scratch.make_room(shared.device, &resources.segment.ops)?;
    let blurred = resources.scratch.texels[0].as_ref();
    let bindings = Bindings::new(shared, &resources.arena, &resources.segment, atlas, blurred)?;
    let mut passes = Passes { shared, bindings, encoder, pass: None };
    let ops = std::mem::take(&mut resources.segment.ops);
    while let Some(op) = ops.get(cursor.op) {
        if let Op::Draw(batch) = op {
            let (first, last) = (batch.first.max(cursor.instance), batch.end.min(end));
            if let (Some(layer), true) = (stack.last_mut(), first < last) {
                passes.open(layer);
                if let Some(pass) = &mut passes.pass {
                    passes.bindings.draw(pass, batch, first..last);
                }
            }
            if batch.end > end {
                cursor.instance = end;
                break;
            }
        } else {
            passes.turn(op, stack, resources);
        }
        cursor.op += 1;
    }
    // A page without draws still needs its background.
    if let Some(layer) = stack.first_mut()
        && !layer.begun
    {
        passes.close();
        passes.open(layer);
    }
    passes.close();
    resources.segment.ops = ops;
    Ok(())
}

impl Passes<'_> {
    /// Executes an operation that isn't a draw.
    fn turn(&mut self, op: &Op, stack: &mut Vec<Layer>, resources: &mut Resources) {
        self.close();
        let device = self.shared.device;
        match op {
            Op::Draw(_) => {}
            Op::Begin { view } => stack.push(Layer::new(device, resources, *view, wgpu::Color::TRANSPARENT, false)),
            Op::BeginClip { view } => stack.push(Layer::new(device, resources, *view, wgpu::Color::TRANSPARENT, true)),
            Op::Drop => stack.pop().into_iter().for_each(|layer| layer.free(resources)),
            Op::End(compose) => self.end(compose, stack, resources),
            Op::Blur(blurring) => self.blur(blurring, stack, resources),
        }
    }

    /// Begins a pass on a layer, or continues the open one.
    fn open(&mut self, layer: &mut Layer) {
        if self.pass.is_some() {
            return;
        }
        let attachment = |view, ground| {
            let load = if layer.begun { wgpu::LoadOp::Load } else { wgpu::LoadOp::Clear(ground) };
            let ops = wgpu::Operations { load, store: wgpu::StoreOp::Store };
            Some(wgpu::RenderPassColorAttachment { view, depth_slice: None, resolve_target: None, ops })
        };
        let byte = attachment(&layer.byte.view, wgpu::Color::TRANSPARENT);
        let both;
        let alone;
        let attachments: &[_] = match &layer.color {
            Some(color) => {
                both = [attachment(&color.view, layer.ground), byte];
                &both
            }
            None => {
                alone = [byte];
                &alone
            }
        };
        let mut pass = self
            .encoder
            .begin_render_pass(&wgpu::RenderPassDescriptor {
                color_attachments: attachments,
                ..wgpu::RenderPassDescriptor::default()
            })
            .forget_lifetime();
        pass.set_bind_group(0, &self.bindings.frame, &[offset(layer.view)]);
        layer.begun = true;
        self.pass = Some(pass);
    }

    /// Ends the open pass.
    fn close(&mut self) {
        self.pass = None;
    }

    /// Makes sure that a layer is cleared, even if nothing is drawn on it.
    fn settle(&mut self, layer: &mut Layer) {
        if !layer.begun {
            self.open(layer);
            self.close();
        }
    }

    /// Composites the innermost group over its surroundings.
    fn end(&mut self, compose: &Compose, stack: &mut Vec<Layer>, resources: &mut Resources) {
        let clip = if compose.clipped { stack.pop() } else { None };
        let (Some(mut drawn), Some(around)) = (stack.pop(), stack.last_mut()) else { return };
        self.settle(&mut drawn);
        self.settle(around);
        let mut clip = clip;
        if let Some(clip) = &mut clip {
            self.settle(clip);
        }
        let over = compose.blend == BlendMode::Normal;
        let under = if over { None } else { self.copy(around, compose, resources) };
        if let Some(color) = &drawn.color {
            let pipelines = self.shared.pipelines;
            let clip_view = clip.as_ref().map_or(&drawn.byte.view, |clip| &clip.byte.view);
            let under_view = under.as_ref().map_or(&color.view, |under| &under.view);
            let mut entries: Vec<_> = resources.arena.groups(0).into_iter().collect();
            entries.extend([view(1, &color.view), view(2, &drawn.byte.view), view(3, clip_view), view(4, under_view)]);
            let group = bind_group(self.shared.device, &pipelines.compose_layout, &entries);
            self.open(around);
            if let Some(pass) = &mut self.pass {
                pass.set_pipeline(pipelines.compose(self.shared.device, over));
                pass.set_bind_group(1, &group, &[]);
                pass.draw(0..4, compose.instance..compose.instance + 1);
            }
        }
        drawn.free(resources);
        clip.into_iter().for_each(|clip| clip.free(resources));
        under.into_iter().for_each(|under| resources.surfaces.put(under));
    }

    /// Returns a copy of the pixels under a group.
    fn copy(&mut self, around: &Layer, compose: &Compose, resources: &mut Resources) -> Option<Surface> {
        let [left, top, right, bottom] = compose.on_target.map(|v| v as u32);
        let (width, height) = (right - left, bottom - top);
        let device = self.shared.device;
        let copy = resources.surfaces.take(device, [width, height], device.color_format);
        let mut from = around.color.as_ref()?.view.texture().as_image_copy();
        from.origin = wgpu::Origin3d { x: left, y: top, z: 0 };
        self.encoder.copy_texture_to_texture(
            from,
            copy.view.texture().as_image_copy(),
            wgpu::Extent3d { width, height, depth_or_array_layers: 1 },
        );
        Some(copy)
    }

    /// Blurs the content of the innermost layer.
    fn blur(&mut self, blurring: &Blurring, stack: &mut Vec<Layer>, resources: &mut Resources) {
        let Some(layer) = stack.last_mut() else { return };
        self.settle(layer);
        let (device, pipelines) = (self.shared.device, self.shared.pipelines);
        let [Some(first), Some(second)] = resources.scratch.texels.each_ref().map(Option::as_ref) else { return };
        let texels = |from: &wgpu::Buffer, to: &wgpu::Buffer| {
            let mut entries = resources.arena.blur();
            entries.push(wgpu::BindGroupEntry { binding: 2, resource: from.as_entire_binding() });
            entries.push(wgpu::BindGroupEntry { binding: 3, resource: to.as_entire_binding() });
            bind_group(device, &pipelines.blur_layouts[0], &entries)
        };
        let (to_first, to_second) = (texels(second, first), texels(first, second));
        if let Some(color) = &layer.color {
            let source = bind_group(device, &pipelines.blur_layouts[1], &[view(0, &color.view)]);
            let mut pass = self.encoder.begin_compute_pass(&wgpu::ComputePassDescriptor::default());
            pass.set_bind_group(1, &source, &[]);
            for (stage, [width, height]) in BlurStage::ALL.into_iter().zip(blurring.sizes) {
                let group = if stage == BlurStage::Across { &to_second } else { &to_first };
                pass.set_pipeline(pipelines.blur(device, stage));
                pass.set_bind_group(0, group, &[offset(blurring.index)]);
                pass.dispatch_workgroups(width.div_ceil(SQUARE), height.div_ceil(SQUARE), 1);
            }
        }
        if blurring.last {
            stack.pop().into_iter().for_each(|layer| layer.free(resources));
        }
    }
}
