//! Resources for drawing a page: those shared by all pages, and the buffers and textures of each page.

use parking_lot::Mutex;

use super::arena::Arena;
use super::atlas::Atlas;
use super::device::Device;
use super::pictures::Pictures;
use super::pipelines::Pipelines;
use super::scratch::Scratch;
use super::segment::Segment;
use super::target::Surfaces;

/// Resources that all pages share.
pub(super) struct Shared<'a> {
    pub device: &'a Device,
    pub pipelines: &'a Pipelines,
    pub atlas: &'a Mutex<Atlas>,
    pub pictures: &'a Pictures,
}

/// The buffers and textures of a page. Reused by later pages.
#[derive(Default)]
pub(super) struct Resources {
    pub segment: Segment,
    pub arena: Arena,
    pub surfaces: Surfaces,
    pub scratch: Scratch,
    /// Quantised pixels, on the device and in a buffer that the CPU can read.
    pub packed: Option<wgpu::Buffer>,
    pub readback: Option<wgpu::Buffer>,
}
