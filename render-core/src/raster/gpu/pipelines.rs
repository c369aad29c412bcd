//! Pipelines, one for each combination of coverage and paint, created on first use.

use std::sync::OnceLock;

use super::device::Device;
use super::sources::{Coverage, Module, Paint};

/// The format of dither weights and of clip coverage.
pub(super) const BYTE: wgpu::TextureFormat = wgpu::TextureFormat::R8Unorm;

/// Source-over: the destination times one minus the source's alpha, plus the source.
const OVER: wgpu::BlendComponent = wgpu::BlendComponent {
    src_factor: wgpu::BlendFactor::One,
    dst_factor: wgpu::BlendFactor::OneMinusSrcAlpha,
    operation: wgpu::BlendOperation::Add,
};

/// The sum; the format clamps it to one.
const PLUS: wgpu::BlendComponent = wgpu::BlendComponent { dst_factor: wgpu::BlendFactor::One, ..OVER };

/// Layouts, and the pipelines created so far.
pub(super) struct Pipelines {
    /// Group 0 of all draws: the view, at an offset, and the instances.
    pub frame: wgpu::BindGroupLayout,
    /// Group 1, by coverage; empty for a coverage that reads no buffer. (Without a group 1, wgpu 30.0.1 loses group 2
    /// on Vulkan if the previous pipeline had a group 1.)
    coverages: [wgpu::BindGroupLayout; Coverage::ALL.len()],
    /// Group 2, by paint.
    paints: [wgpu::BindGroupLayout; Paint::ALL.len()],
    pub quantise_layout: wgpu::BindGroupLayout,
    quantise: OnceLock<wgpu::ComputePipeline>,
    draws: [[OnceLock<wgpu::RenderPipeline>; Paint::ALL.len()]; Coverage::ALL.len()],
    masks: [OnceLock<wgpu::RenderPipeline>; Coverage::ALL.len()],
    /// Group 1 for compositing groups.
    pub compose_layout: wgpu::BindGroupLayout,
    composes: [OnceLock<wgpu::RenderPipeline>; 2],
    /// Groups 0 and 1 for blurs.
    pub blur_layouts: [wgpu::BindGroupLayout; 2],
    blurs: [OnceLock<wgpu::ComputePipeline>; BlurStage::ALL.len()],
}

/// A stage of a blur.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum BlurStage {
    Reduce,
    Across,
    Down,
}

impl BlurStage {
    pub const ALL: [Self; 3] = [Self::Reduce, Self::Across, Self::Down];
}

fn entry(binding: u32, visibility: wgpu::ShaderStages, ty: wgpu::BindingType) -> wgpu::BindGroupLayoutEntry {
    wgpu::BindGroupLayoutEntry { binding, visibility, ty, count: None }
}

fn storage(binding: u32, visibility: wgpu::ShaderStages, read_only: bool) -> wgpu::BindGroupLayoutEntry {
    let ty = wgpu::BufferBindingType::Storage { read_only };
    entry(binding, visibility, wgpu::BindingType::Buffer { ty, has_dynamic_offset: false, min_binding_size: None })
}

fn uniform(binding: u32, visibility: wgpu::ShaderStages, has_dynamic_offset: bool) -> wgpu::BindGroupLayoutEntry {
    let ty = wgpu::BufferBindingType::Uniform;
    entry(binding, visibility, wgpu::BindingType::Buffer { ty, has_dynamic_offset, min_binding_size: None })
}

fn texture(binding: u32, visibility: wgpu::ShaderStages) -> wgpu::BindGroupLayoutEntry {
    let ty = wgpu::BindingType::Texture {
        sample_type: wgpu::TextureSampleType::Float { filterable: false },
        view_dimension: wgpu::TextureViewDimension::D2,
        multisampled: false,
    };
    entry(binding, visibility, ty)
}

impl Pipelines {
    pub fn new(device: &Device) -> Self {
        let layout = |entries: &[wgpu::BindGroupLayoutEntry]| {
            device.device.create_bind_group_layout(&wgpu::BindGroupLayoutDescriptor { label: None, entries })
        };
        let fragment = wgpu::ShaderStages::FRAGMENT;
        let compute = wgpu::ShaderStages::COMPUTE;
        Self {
            frame: layout(&[
                uniform(0, wgpu::ShaderStages::VERTEX_FRAGMENT, true),
                storage(1, wgpu::ShaderStages::VERTEX, true),
            ]),
            coverages: Coverage::ALL.map(|coverage| match coverage {
                Coverage::Whole => layout(&[]),
                Coverage::Round | Coverage::Ellipse | Coverage::Strip => layout(&[storage(0, fragment, true)]),
                Coverage::Shadow => layout(&[storage(0, fragment, true), storage(1, fragment, true)]),
                Coverage::Glyph => layout(&[texture(0, fragment)]),
            }),
            paints: Paint::ALL.map(|paint| match paint {
                Paint::Solid => layout(&[storage(0, fragment, true)]),
                Paint::Gradient | Paint::Pattern => layout(&[0, 1, 2].map(|binding| storage(binding, fragment, true))),
                Paint::Mesh | Paint::Blurred => layout(&[0, 1].map(|binding| storage(binding, fragment, true))),
                Paint::Picture => layout(&[storage(0, fragment, true), texture(1, fragment)]),
            }),
            quantise_layout: layout(&[
                uniform(0, compute, false),
                texture(1, compute),
                texture(2, compute),
                storage(3, compute, false),
            ]),
            quantise: OnceLock::new(),
            draws: Default::default(),
            masks: Default::default(),
            compose_layout: layout(&[
                storage(0, fragment, true),
                texture(1, fragment),
                texture(2, fragment),
                texture(3, fragment),
                texture(4, fragment),
            ]),
            composes: Default::default(),
            blur_layouts: [
                layout(&[
                    uniform(0, compute, true),
                    storage(1, compute, true),
                    storage(2, compute, true),
                    storage(3, compute, false),
                ]),
                layout(&[texture(0, compute)]),
            ],
            blurs: Default::default(),
        }
    }

    /// Returns the layout of group 1 for a coverage.
    pub fn coverage(&self, coverage: Coverage) -> &wgpu::BindGroupLayout {
        &self.coverages[coverage as usize]
    }

    /// Returns the layout of group 2 for a paint.
    pub fn paint(&self, paint: Paint) -> &wgpu::BindGroupLayout {
        &self.paints[paint as usize]
    }

    /// Returns the pipeline that draws a coverage with a paint.
    pub fn draw(&self, device: &Device, coverage: Coverage, paint: Paint) -> &wgpu::RenderPipeline {
        self.draws[coverage as usize][paint as usize].get_or_init(|| {
            let layouts = [Some(&self.frame), Some(self.coverage(coverage)), Some(self.paint(paint))];
            let targets = [target(device.color_format, Some(OVER)), target(BYTE, Some(OVER))];
            render(device, Module::Draw(coverage, paint), "draw", &layouts, &targets)
        })
    }

    /// Returns the pipeline that adds a coverage to a clip.
    pub fn mask(&self, device: &Device, coverage: Coverage) -> &wgpu::RenderPipeline {
        self.masks[coverage as usize].get_or_init(|| {
            let layouts = [Some(&self.frame), Some(self.coverage(coverage))];
            render(device, Module::Mask(coverage), "mask", &layouts, &[target(BYTE, Some(OVER))])
        })
    }

    /// Returns the pipeline that composites a group over its surroundings: with hardware blending if `over`, else in
    /// the shader, from a copy of the surroundings.
    pub fn compose(&self, device: &Device, over: bool) -> &wgpu::RenderPipeline {
        self.composes[usize::from(over)].get_or_init(|| {
            let layouts = [Some(&self.frame), Some(&self.compose_layout)];
            let (entry, color, dither) = if over { ("over", Some(OVER), OVER) } else { ("blend", None, PLUS) };
            let targets = [target(device.color_format, color), target(BYTE, Some(dither))];
            render(device, Module::Compose, entry, &layouts, &targets)
        })
    }

    /// Returns the pipeline of a blur stage.
    pub fn blur(&self, device: &Device, stage: BlurStage) -> &wgpu::ComputePipeline {
        self.blurs[stage as usize].get_or_init(|| {
            let entry = match stage {
                BlurStage::Reduce => "reduce",
                BlurStage::Across => "across",
                BlurStage::Down => "down",
            };
            let layouts = self.blur_layouts.each_ref().map(Some);
            compute(device, Module::Blur, entry, &layouts)
        })
    }

    /// Returns the pipeline that quantises pixels to bytes.
    pub fn quantise(&self, device: &Device) -> &wgpu::ComputePipeline {
        self.quantise.get_or_init(|| compute(device, Module::Quantise, "quantise", &[Some(&self.quantise_layout)]))
    }
}

fn target(format: wgpu::TextureFormat, blend: Option<wgpu::BlendComponent>) -> Option<wgpu::ColorTargetState> {
    let blend = blend.map(|component| wgpu::BlendState { color: component, alpha: component });
    Some(wgpu::ColorTargetState { format, blend, write_mask: wgpu::ColorWrites::ALL })
}

fn compute(
    device: &Device,
    which: Module,
    entry: &str,
    layouts: &[Option<&wgpu::BindGroupLayout>],
) -> wgpu::ComputePipeline {
    let layout = device.device.create_pipeline_layout(&wgpu::PipelineLayoutDescriptor {
        bind_group_layouts: layouts,
        ..wgpu::PipelineLayoutDescriptor::default()
    });
    device.device.create_compute_pipeline(&wgpu::ComputePipelineDescriptor {
        label: None,
        layout: Some(&layout),
        module: &module(device, which),
        entry_point: Some(entry),
        compilation_options: wgpu::PipelineCompilationOptions::default(),
        cache: None,
    })
}

fn module(device: &Device, which: Module) -> wgpu::ShaderModule {
    device.device.create_shader_module(wgpu::ShaderModuleDescriptor {
        label: None,
        source: wgpu::ShaderSource::Wgsl(which.source().into()),
    })
}

fn render(
    device: &Device,
    which: Module,
    fragment: &str,
    layouts: &[Option<&wgpu::BindGroupLayout>],
    targets: &[Option<wgpu::ColorTargetState>],
) -> wgpu::RenderPipeline {
    let layout = device.device.create_pipeline_layout(&wgpu::PipelineLayoutDescriptor {
        bind_group_layouts: layouts,
        ..wgpu::PipelineLayoutDescriptor::default()
    });
    let module = module(device, which);
    device.device.create_render_pipeline(&wgpu::RenderPipelineDescriptor {
        label: None,
        layout: Some(&layout),
        vertex: wgpu::VertexState {
            module: &module,
            entry_point: Some("corner"),
            compilation_options: wgpu::PipelineCompilationOptions::default(),
            buffers: &[],
        },
        primitive: wgpu::PrimitiveState {
            topology: wgpu::PrimitiveTopology::TriangleStrip,
            ..wgpu::PrimitiveState::default()
        },
        depth_stencil: None,
        multisample: wgpu::MultisampleState::default(),
        fragment: Some(wgpu::FragmentState {
            module: &module,
            entry_point: Some(fragment),
            compilation_options: wgpu::PipelineCompilationOptions::default(),
            targets,
        }),
        multiview_mask: None,
        cache: None,
    })
}
