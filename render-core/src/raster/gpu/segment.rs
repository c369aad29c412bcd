//! Converts frames to the input of the device: instances in draw order, split into batches that share a pipeline, with
//! their records.

use std::collections::HashMap;
use std::sync::Arc;

use super::sources::{Coverage, Paint};
use super::strips::{Strips, TILE_BYTES};
use super::types::{self, Instance, NONE, View};
use crate::raster::frame::{Field, Gradient, Ink, MeshInk, PictureInk};
use crate::raster::glyphs::GlyphMask;
use crate::raster::picture::Picture;
use crate::raster::pixels::PixelBox;
use crate::raster::shape::{RoundRect, Shape};
use crate::scene::BlendMode;

/// An operation of the device. Operations are executed in order.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Op {
    /// Draws these instances.
    Draw(Batch),
    /// Begins a group: the following draws go to a target of its own, which starts transparent and shows this view.
    Begin { view: usize },
    /// Begins the clip of the group that was just drawn; only coverages follow.
    BeginClip { view: usize },
    /// Ends the innermost group and composites it over its surroundings.
    End(Compose),
    /// Discards the innermost group, which turned out to be invisible.
    Drop,
    /// Blurs the content of the innermost target. The next draw uses the result.
    Blur(Blurring),
}

/// How a group is composited.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Compose {
    /// The instance for the group's box.
    pub instance: u32,
    /// The pixels that the group can change, on the target around it.
    pub on_target: PixelBox,
    pub clipped: bool,
    pub blend: BlendMode,
}

/// The parameters of blurring a target.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Blurring {
    /// The index of the blur.
    pub index: usize,
    /// Width and height of the reduced target, of the texels after the horizontal blur, and of the wanted texels.
    pub sizes: [[u32; 2]; 3],
    /// Whether the target is freed after the blur.
    pub last: bool,
}

/// Consecutive instances that one pipeline draws.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Batch {
    pub coverage: Coverage,
    /// `None` for a clip.
    pub paint: Option<Paint>,
    /// The index of the segment's picture, if the paint is a picture.
    pub picture: usize,
    pub first: u32,
    pub end: u32,
}

/// A glyph that has no place in the atlas yet.
pub(super) struct Glyph {
    /// The index of the glyph's instance.
    pub instance: u32,
    pub mask: Arc<GlyphMask>,
    /// Offset of the first drawn pixel from the mask's top left pixel.
    pub skip: [i32; 2],
}

/// Recorded steps of a page for the next submission. Reused.
#[derive(Default)]
pub(super) struct Segment {
    pub ops: Vec<Op>,
    /// The views of the targets on the canvas; the first is the canvas itself. They outlive a segment.
    pub views: Vec<View>,
    pub instances: Vec<Instance>,
    pub glyphs: Vec<Glyph>,
    pub rounds: Vec<types::Round>,
    pub ellipses: Vec<types::Ellipse>,
    pub shadows: Vec<types::Shadow>,
    /// Tables of shadows.
    pub heights: Vec<f32>,
    /// Tiles of paths.
    pub tiles: Vec<u8>,
    pub solids: Vec<[f32; 4]>,
    pub gradients: Vec<types::Gradient>,
    /// Tables of colours.
    pub colors: Vec<[f32; 4]>,
    /// Where the colours band.
    pub banded: Vec<f32>,
    /// Maps the address of a table, which the frame holds alive, to its start in `colors` or `banded`.
    known: HashMap<usize, u32>,
    pub patterns: Vec<types::Pattern>,
    pub meshes: Vec<types::Mesh>,
    pub picture_records: Vec<types::Picture>,
    pub pictures: Vec<Arc<Picture>>,
    pub blurred_images: Vec<types::BlurredImage>,
    pub groups: Vec<types::Group>,
    pub blurs: Vec<types::Blur>,
    /// Weights of blurs.
    pub weights: Vec<f32>,
}

/// The paint of a coverage: its kind, and the index of its record; `None` for a clip.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(super) struct Filling {
    pub paint: Option<Paint>,
    pub index: u32,
    pub picture: usize,
}

impl Segment {
    /// Empties the segment for the next steps of the same page.
    pub fn clear(&mut self) {
        let views = std::mem::take(&mut self.views);
        // Keeps all buffers.
        self.ops.clear();
        self.instances.clear();
        self.glyphs.clear();
        self.rounds.clear();
        self.ellipses.clear();
        self.shadows.clear();
        self.heights.clear();
        self.tiles.clear();
        self.solids.clear();
        self.gradients.clear();
        self.colors.clear();
        self.banded.clear();
        self.known.clear();
        self.patterns.clear();
        self.meshes.clear();
        self.picture_records.clear();
        self.pictures.clear();
        self.blurred_images.clear();
        self.groups.clear();
        self.blurs.clear();
        self.weights.clear();
        self.views = views;
    }

    /// Returns whether any of the draws matches `like`.
    pub fn uses(&self, like: impl Fn(&Batch) -> bool) -> bool {
        self.ops.iter().any(|op| matches!(op, Op::Draw(batch) if like(batch)))
    }

    /// Adds one coverage. A path is passed as its pieces.
    pub fn draw(&mut self, px: PixelBox, shape: &Shape, strips: Option<&Strips>, paint: Filling) {
        match shape {
            Shape::Round { outer, inner: None } if is_plain(outer) => self.push(Coverage::Whole, px, 0, paint),
            Shape::Round { outer, inner } => {
                let index = self.rounds.len() as u32;
                self.rounds.push(types::Round::new(outer, inner.as_ref()));
                self.push(Coverage::Round, px, index, paint);
            }
            Shape::Ellipse { outer, inner } => {
                let index = self.ellipses.len() as u32;
                self.ellipses.push(types::Ellipse::new(outer, inner.as_ref()));
                self.push(Coverage::Ellipse, px, index, paint);
            }
            Shape::Shadow { shadow, map } => {
                let (index, table) = (self.shadows.len() as u32, self.heights.len() as u32);
                self.heights.extend_from_slice(&shadow.table);
                self.shadows.push(types::Shadow::new(shadow, map, table));
                self.push(Coverage::Shadow, px, index, paint);
            }
            Shape::Glyph { mask, x, y } => {
                let instance = self.instances.len() as u32;
                self.glyphs.push(Glyph { instance, mask: Arc::clone(mask), skip: [px[0] - x, px[1] - y] });
                self.push(Coverage::Glyph, px, 0, paint);
            }
            Shape::Path { .. } => {
                let Some(strips) = strips else { return };
                let first = (self.tiles.len() / TILE_BYTES) as u32;
                self.tiles.extend_from_slice(&strips.tiles);
                for piece in &strips.pieces {
                    let tile = if piece.tile == NONE { NONE } else { piece.tile + first };
                    self.push(Coverage::Strip, piece.px, tile, paint);
                }
            }
        }
    }

    fn push(&mut self, coverage: Coverage, px: PixelBox, shape: u32, Filling { paint, index, picture }: Filling) {
        let first = self.instances.len() as u32;
        self.instances.push(Instance::new(px, shape, index));
        match self.ops.last_mut() {
            Some(Op::Draw(batch)) if (batch.coverage, batch.paint, batch.picture) == (coverage, paint, picture) => {
                batch.end = first + 1;
            }
            _ => self.ops.push(Op::Draw(Batch { coverage, paint, picture, first, end: first + 1 })),
        }
    }

    /// Adds the blurred picture that was just made, over a whole box.
    pub fn draw_blurred(&mut self, px: PixelBox, blurred: types::BlurredImage) {
        let index = self.blurred_images.len() as u32;
        self.blurred_images.push(blurred);
        self.push(Coverage::Whole, px, 0, Filling { paint: Some(Paint::Blurred), index, picture: 0 });
    }

    /// Ends a group, which can change the pixels `px` of its surroundings, on a target that shows `around`.
    pub fn compose(&mut self, px: PixelBox, around: PixelBox, blend: BlendMode, group: types::Group) {
        let instance = self.instances.len() as u32;
        self.instances.push(Instance::new(px, self.groups.len() as u32, 0));
        self.groups.push(group);
        let [left, top, ..] = around;
        let on_target = [px[0] - left, px[1] - top, px[2] - left, px[3] - top];
        self.ops.push(Op::End(Compose { instance, on_target, clipped: group.clipped != 0, blend }));
    }

    /// Adds a paint.
    pub fn ink(&mut self, ink: &Ink) -> Filling {
        let filling = |paint, index: usize| Filling { paint: Some(paint), index: index as u32 - 1, picture: 0 };
        match ink {
            Ink::Solid { rgb, alpha } => {
                let color = [rgb[0] * alpha, rgb[1] * alpha, rgb[2] * alpha, *alpha];
                filling(Paint::Solid, once(&mut self.solids, color))
            }
            Ink::Gradient(Gradient { table, field, map, bands, .. }) => {
                let first = table_of(&mut self.known, &mut self.colors, table, &table.colors[..]);
                let bands = bands.as_ref().map_or(NONE, |b| table_of(&mut self.known, &mut self.banded, b, &b[..]));
                let gradient =
                    |field| types::Gradient { map: map.m, at: map.t, table: first, bands, field, padding: [0; 3] };
                let gradient = match field {
                    Field::Linear => gradient(0),
                    Field::Radial => gradient(1),
                    Field::Conic => gradient(2),
                    Field::Pattern(pattern) => {
                        let record = types::Pattern::new(pattern, map, first, bands);
                        return filling(Paint::Pattern, once(&mut self.patterns, record));
                    }
                };
                filling(Paint::Gradient, once(&mut self.gradients, gradient))
            }
            Ink::Mesh(MeshInk { table, map, banded, .. }) => {
                let size = [table.width, table.height];
                let first = table_of(&mut self.known, &mut self.colors, table, &table.colors);
                let record =
                    types::Mesh { map: map.m, at: map.t, size, table: first, banded: *banded, padding: [0; 2] };
                filling(Paint::Mesh, once(&mut self.meshes, record))
            }
            Ink::Picture(PictureInk { picture, map, window, .. }) => {
                let record = types::Picture { map: map.m, window: *window, at: map.t, padding: [0; 2] };
                let known = self.pictures.iter().position(|p| Arc::ptr_eq(p, picture));
                let picture = known.unwrap_or_else(|| {
                    self.pictures.push(Arc::clone(picture));
                    self.pictures.len() - 1
                });
                Filling { picture, ..filling(Paint::Picture, once(&mut self.picture_records, record)) }
            }
        }
    }
}

/// Appends a record unless it equals the last one, as for a run of glyphs, which arrives as several items. Returns the
/// number of records.
fn once<T: PartialEq>(records: &mut Vec<T>, record: T) -> usize {
    if records.last() != Some(&record) {
        records.push(record);
    }
    records.len()
}

/// Returns where the table behind `key` starts in `all`, and appends its `values` on first use.
fn table_of<K, T: Copy>(known: &mut HashMap<usize, u32>, all: &mut Vec<T>, key: &Arc<K>, values: &[T]) -> u32 {
    *known.entry(Arc::as_ptr(key) as usize).or_insert_with(|| {
        let start = all.len() as u32;
        all.extend_from_slice(values);
        start
    })
}

/// Returns whether a box has whole pixels and no round corners.
fn is_plain(r: &RoundRect) -> bool {
    let edges = [r.x0, r.y0, r.x1, r.y1];
    r.radii == [0.0; 4] && edges.iter().all(|v| v.fract() == 0.0)
}
