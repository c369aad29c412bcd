//! The records that shaders read, in the layout of the shaders. A test compares each type with the WGSL struct of the
//! same name.

use bytemuck::{Pod, Zeroable};

use crate::raster::map::Map;
use crate::raster::pattern::PatternField;
use crate::raster::pixels::PixelBox;
use crate::raster::{frame, shadow, shape};

/// Marks that there is nothing to look up.
pub(super) const NONE: u32 = u32::MAX;

/// The part of the canvas that a target shows.
#[repr(C)]
#[derive(Debug, Clone, Copy, PartialEq, Pod, Zeroable)]
pub(super) struct View {
    pub origin: [i32; 2],
    pub size: [u32; 2],
}

/// One quad.
#[repr(C)]
#[derive(Debug, Clone, Copy, PartialEq, Pod, Zeroable)]
pub(super) struct Instance {
    pub near: u32,
    pub far: u32,
    pub shape: u32,
    pub paint: u32,
}

impl Instance {
    /// Creates an instance. `px` lies on a canvas, so all coordinates are below 65 536.
    pub fn new(px: PixelBox, shape: u32, paint: u32) -> Self {
        Self { near: pair(px[0], px[1]), far: pair(px[2], px[3]), shape, paint }
    }
}

/// Packs two coordinates into one word.
pub(super) fn pair(x: i32, y: i32) -> u32 {
    (x as u32 & 0xFFFF) | (y as u32) << 16
}

/// An upright box with round corners, minus another.
#[repr(C)]
#[derive(Debug, Clone, Copy, PartialEq, Pod, Zeroable)]
pub(super) struct Round {
    pub outer: [f32; 4],
    pub outer_radii: [f32; 4],
    pub inner: [f32; 4],
    pub inner_radii: [f32; 4],
}

impl Round {
    pub fn new(outer: &shape::RoundRect, inner: Option<&shape::RoundRect>) -> Self {
        let edges = |r: &shape::RoundRect| [r.x0, r.y0, r.x1, r.y1];
        Self {
            outer: edges(outer),
            outer_radii: outer.radii,
            inner: inner.map_or([0.0; 4], edges),
            inner_radii: inner.map_or([0.0; 4], |r| r.radii),
        }
    }
}

/// An ellipse, minus another.
#[repr(C)]
#[derive(Debug, Clone, Copy, PartialEq, Pod, Zeroable)]
pub(super) struct Ellipse {
    pub outer: [f32; 4],
    pub inner: [f32; 4],
    pub outer_at: [f32; 2],
    pub inner_at: [f32; 2],
    pub hollow: u32,
    pub padding: [u32; 3],
}

impl Ellipse {
    pub fn new(outer: &shape::Ellipse, inner: Option<&shape::Ellipse>) -> Self {
        let inner_map = inner.unwrap_or(outer).0;
        Self {
            outer: outer.0.m,
            inner: inner_map.m,
            outer_at: outer.0.t,
            inner_at: inner_map.t,
            hollow: u32::from(inner.is_some()),
            padding: [0; 3],
        }
    }
}

/// A blurred box.
#[repr(C)]
#[derive(Debug, Clone, Copy, PartialEq, Pod, Zeroable)]
pub(super) struct Shadow {
    pub map: [f32; 4],
    pub at: [f32; 2],
    pub half: [f32; 2],
    pub per_px: [f32; 2],
    pub size: [u32; 2],
    pub radius: f32,
    pub sigma: f32,
    pub reach: f32,
    pub table: u32,
}

/// A gradient along a line or around a point.
#[repr(C)]
#[derive(Debug, Clone, Copy, PartialEq, Pod, Zeroable)]
pub(super) struct Gradient {
    pub map: [f32; 4],
    pub at: [f32; 2],
    pub table: u32,
    pub bands: u32,
    pub field: u32,
    pub padding: [u32; 3],
}

/// The canvas, as far as the quantise stage needs it.
#[repr(C)]
#[derive(Debug, Clone, Copy, PartialEq, Pod, Zeroable)]
pub(super) struct Canvas {
    pub width: u32,
    pub pixels: u32,
    pub stride: u32,
}

impl Shadow {
    pub fn new(shadow: &shadow::Shadow, map: &Map, table: u32) -> Self {
        Self {
            map: map.m,
            at: map.t,
            half: shadow.half,
            per_px: shadow.per_px,
            size: [shadow.columns as u32, shadow.rows as u32],
            radius: shadow.radius,
            sigma: shadow.sigma,
            reach: shadow::Shadow::reach(shadow.sigma),
            table,
        }
    }
}

/// A procedural pattern.
#[repr(C)]
#[derive(Debug, Clone, Copy, PartialEq, Pod, Zeroable)]
pub(super) struct Pattern {
    pub map: [f32; 4],
    pub first: [f32; 4],
    pub second: [f32; 4],
    pub more: [f32; 2],
    pub at: [f32; 2],
    pub table: u32,
    pub bands: u32,
    pub kind: u32,
    pub seed: u32,
}

impl Pattern {
    /// Converts a field; `map` takes pixels to its space, `table` and `bands` are the positions of its colours and
    /// bands.
    pub fn new(field: &PatternField, map: &Map, table: u32, bands: u32) -> Self {
        let zero = [0.0; 4];
        let (kind, seed, first, second, more) = match *field {
            PatternField::Noise { seed, weights: [a, b, c, d, e, f, g, h], gain } => {
                (0, seed, [a, b, c, d], [e, f, g, h], gain)
            }
            PatternField::Grain { seed, weight } => (1, seed, [weight, 0.0, 0.0, 0.0], zero, 0.0),
            PatternField::Rays { count, px } => (2, 0, [count, px, 0.0, 0.0], zero, 0.0),
            PatternField::Contours { seed, levels, half, px, weight, mean } => {
                (3, seed, [levels, half, px, weight], zero, mean)
            }
            PatternField::Halftone { tone: [a, b, c], px, weight } => (4, 0, [a, b, c, px], zero, weight),
            PatternField::Dots { radius, px, weight } => (5, 0, [radius, px, weight, 0.0], zero, 0.0),
            PatternField::Stars { seed, radius, px } => (6, seed, [radius, px, 0.0, 0.0], zero, 0.0),
            PatternField::Waves { length, amplitude, half, px } => (7, 0, [length, amplitude, half, px], zero, 0.0),
            PatternField::Blobs { seed, reach } => (8, seed, [reach, 0.0, 0.0, 0.0], zero, 0.0),
        };
        Self { map: map.m, first, second, more: [more, 0.0], at: map.t, table, bands, kind, seed }
    }
}

/// A two-dimensional table of colours.
#[repr(C)]
#[derive(Debug, Clone, Copy, PartialEq, Pod, Zeroable)]
pub(super) struct Mesh {
    pub map: [f32; 4],
    pub at: [f32; 2],
    pub size: [u32; 2],
    pub table: u32,
    pub banded: f32,
    pub padding: [u32; 2],
}

/// The position of a picture.
#[repr(C)]
#[derive(Debug, Clone, Copy, PartialEq, Pod, Zeroable)]
pub(super) struct Picture {
    pub map: [f32; 4],
    pub window: [f32; 4],
    pub at: [f32; 2],
    pub padding: [u32; 2],
}

/// The position of a blurred picture.
#[repr(C)]
#[derive(Debug, Clone, Copy, PartialEq, Pod, Zeroable)]
pub(super) struct BlurredImage {
    pub shift: [i32; 2],
    pub first: [i32; 2],
    pub size: [u32; 2],
    pub factor: f32,
    pub steep: f32,
    pub flat_slope: f32,
    pub padding: u32,
}

/// How a group is composited over its surroundings.
#[repr(C)]
#[derive(Debug, Clone, Copy, PartialEq, Pod, Zeroable)]
pub(super) struct Group {
    pub drawn_at: [i32; 2],
    pub clip_at: [i32; 2],
    pub under_at: [i32; 2],
    pub opacity: f32,
    pub clipped: u32,
    pub mode: u32,
    pub padding: u32,
}

/// The input of a blur.
#[repr(C)]
#[derive(Debug, Clone, Copy, PartialEq, Pod, Zeroable)]
pub(super) struct Blur {
    pub drawn: PixelBox,
    pub wanted: PixelBox,
    pub origin: [i32; 2],
    pub canvas: [i32; 2],
    pub factor: i32,
    pub reach: i32,
    pub goes_on: u32,
    pub weights: u32,
}

impl Group {
    /// Converts a group that is drawn on a target that shows `drawn` and that changes the pixels `px`.
    pub fn new(group: &frame::Group, drawn: PixelBox, px: PixelBox, clipped: u32) -> Self {
        Self {
            drawn_at: [drawn[0], drawn[1]],
            clip_at: [px[0], px[1]],
            under_at: [px[0], px[1]],
            opacity: group.opacity,
            clipped,
            mode: group.blend as u32,
            padding: 0,
        }
    }
}

#[cfg(test)]
mod tests {
    use std::mem::offset_of;

    use naga::{Module, TypeInner};

    use super::*;
    use crate::raster::gpu::sources;

    /// Returns the members (name, offset) and the size of a struct in any module.
    fn of(modules: &[Module], name: &str) -> (Vec<(String, usize)>, usize) {
        let found = modules.iter().flat_map(|m| m.types.iter()).find_map(|(_, ty)| match &ty.inner {
            TypeInner::Struct { members, span } if ty.name.as_deref() == Some(name) => {
                let members = members.iter().map(|m| (m.name.clone().unwrap(), m.offset as usize));
                Some((members.collect(), *span as usize))
            }
            _ => None,
        });
        found.unwrap_or_else(|| panic!("no shader has a struct {name}"))
    }

    macro_rules! same {
        ($modules:expr, $($name:ident { $($field:ident),+ })+) => {
            $(
                let (members, size) = of($modules, stringify!($name));
                let want = vec![$((stringify!($field).to_owned(), offset_of!($name, $field))),+];
                assert_eq!(members, want, stringify!($name));
                assert_eq!(size, size_of::<$name>(), stringify!($name));
            )+
        };
    }

    #[test]
    fn the_shaders_read_what_is_written() {
        let modules: Vec<Module> =
            sources::Module::all().map(|m| naga::front::wgsl::parse_str(&m.source()).unwrap()).collect();
        same! { &modules,
            View { origin, size }
            Instance { near, far, shape, paint }
            Round { outer, outer_radii, inner, inner_radii }
            Ellipse { outer, inner, outer_at, inner_at, hollow }
            Shadow { map, at, half, per_px, size, radius, sigma, reach, table }
            Gradient { map, at, table, bands, field }
            Pattern { map, first, second, more, at, table, bands, kind, seed }
            Mesh { map, at, size, table, banded }
            Picture { map, window, at }
            BlurredImage { shift, first, size, factor, steep, flat_slope }
            Group { drawn_at, clip_at, under_at, opacity, clipped, mode }
            Blur { drawn, wanted, origin, canvas, factor, reach, goes_on, weights }
            Canvas { width, pixels, stride }
        }
    }
}
