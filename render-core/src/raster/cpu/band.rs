//! The current band of rows, and how steps are drawn on it.

use std::cell::RefCell;
use std::ops::Range;

use super::blend::{Bands, blend_solid, blend_source, copy_source};
use super::blurred::BlurredImage;
use super::kernels::{DITHER, interleave, quantise};
use super::pool::Pool;
use super::shape::CellBox;
use super::source::{Made, Source, straight};
use super::surface::{Cell, Planes, Surface, flat_bytes};
use crate::raster::area::AreaBand;
use crate::raster::flatten::Lines;
use crate::raster::frame::{Draw, Frame, Ink, Step};
use crate::raster::pixels::PixelBox;
use crate::raster::rows::{CELL, Row, Touch};
use crate::raster::shape::Shape;

/// Rows of a band. Few enough that its planes stay in the second-level cache.
pub(super) const BAND_ROWS: usize = 16;

thread_local! {
    /// This thread's band. Drawing a band takes no lock and spawns no rayon task, so the thread never finds it
    /// borrowed.
    pub(super) static BAND: RefCell<Band> = RefCell::new(Band::default());
}

/// A frame, its finished blurs by step index, and the pool of buffers for further blurs.
#[derive(Clone, Copy)]
pub(super) struct Job<'a> {
    pub frame: &'a Frame,
    pub blurs: &'a [Option<BlurredImage>],
    pub pool: &'a Pool,
}

/// A stack of surfaces, and all scratch memory for drawing. Reused for every band.
#[derive(Default)]
pub(super) struct Band {
    pub y0: usize,
    pub y1: usize,
    /// The cells that are needed.
    window: Range<usize>,
    /// The band's own surface, followed by the surfaces of the open groups.
    pub surfaces: Vec<Surface>,
    /// The open groups.
    pub open: Vec<Open>,
    pub cov: Vec<Row>,
    pub spare: Vec<Row>,
    pub source: Source,
    pub area: AreaBand,
    /// The clip coverage of a group, per cell.
    pub clip: Vec<Row>,
    pub shown: Vec<Touch>,
    /// Per cell, the step that hides all steps before it, outside any group; 0 if there is none.
    hiding: Vec<usize>,
}

/// An open group.
#[derive(Debug, Clone)]
pub(super) struct Open {
    /// The step that began the group.
    pub step: usize,
    /// The cells that the group can change.
    pub cells: Range<usize>,
}

impl Ink {
    /// Returns whether the ink hides everything below. A picture's opacity depends on its window, so it counts as
    /// translucent.
    fn is_opaque(&self) -> bool {
        match self {
            Self::Solid { alpha, .. } => *alpha == 1.0,
            Self::Gradient(gradient) => gradient.opaque,
            Self::Mesh(mesh) => mesh.opaque,
            Self::Picture(_) => false,
        }
    }

    /// Returns whether the ink marks pixels for dithering.
    fn is_banded(&self) -> bool {
        match self {
            Self::Gradient(gradient) => gradient.bands.is_some(),
            Self::Mesh(mesh) => mesh.banded > 0.0,
            Self::Solid { .. } | Self::Picture(_) => false,
        }
    }
}

impl Band {
    /// Starts the rows `y0..y1` of a canvas, filled with `ground`. Only the columns `x0..x1` are needed.
    pub fn start(&mut self, [x0, x1]: [usize; 2], [y0, y1]: [usize; 2], ground: [f32; 4]) {
        let (rows, cells) = (y1 - y0, x1.div_ceil(CELL));
        (self.y0, self.y1) = (y0, y1);
        self.window = x0 / CELL..cells;
        self.open.clear();
        if self.surfaces.is_empty() {
            self.surfaces.push(Surface::default());
        }
        self.surfaces[0].start(cells, rows, ground);
        self.cov.resize(rows, [0.0; CELL]);
        self.spare.resize(rows, [0.0; CELL]);
        self.source.resize(rows);
    }

    /// Composites a blurred picture over `cells`, which it touches in this band.
    pub fn draw_blurred(&mut self, blurred: &BlurredImage, cells: Range<usize>) {
        let [_, top, _, bottom] = blurred.px.map(|v| v as usize);
        let (y0, y1) = (top.max(self.y0), bottom.min(self.y1));
        for c in cells {
            self.draw_blurred_cell(c, CellBox { x: c * CELL, y0, y1 }, blurred);
        }
    }

    /// Executes some steps of a job. A group that ends within `steps` must begin there.
    pub fn run(&mut self, job: Job<'_>, steps: Range<usize>) {
        self.hide(job.frame, steps.clone());
        // Counts the groups nested in a group that is invisible in this band.
        let mut skipped = 0_usize;
        for i in steps {
            match &job.frame.steps[i] {
                Step::Begin(_) if skipped > 0 => skipped += 1,
                Step::End if skipped > 0 => skipped -= 1,
                _ if skipped > 0 => {}
                Step::Draw(draw) => self.draw(i, draw, &job.frame.lines),
                Step::Begin(group) => match self.cells(group.px) {
                    Some(cells) => self.begin(i, cells, job.blurs.get(i).and_then(Option::as_ref)),
                    None => skipped = 1,
                },
                Step::End => self.end(job.frame),
                Step::Blurred(_) => {
                    let Some(blurred) = job.blurs.get(i).and_then(Option::as_ref) else { continue };
                    let Some(cells) = self.cells(blurred.px) else { continue };
                    self.draw_blurred(blurred, cells);
                }
            }
        }
    }

    /// For each cell, finds the last step that hides all earlier steps: an opaque paint over the whole cell.
    fn hide(&mut self, frame: &Frame, steps: Range<usize>) {
        self.hiding.clear();
        self.hiding.resize(self.window.end, 0);
        if !self.open.is_empty() {
            return;
        }
        let mut depth = 0_usize;
        // The first step has nothing to hide.
        for i in (steps.start + 1..steps.end).rev() {
            let draw = match &frame.steps[i] {
                Step::End => {
                    depth += 1;
                    continue;
                }
                Step::Begin(_) => {
                    depth = depth.saturating_sub(1);
                    continue;
                }
                Step::Draw(draw) if depth == 0 && draw.paint.is_opaque() => draw,
                _ => continue,
            };
            let [_, top, _, bottom] = draw.px.map(|v| v as usize);
            let all_rows = top <= self.y0 && bottom >= self.y1;
            // For other shapes, the coverage isn't known in advance.
            if !all_rows || !matches!(draw.shape, Shape::Round { .. } | Shape::Ellipse { .. }) {
                continue;
            }
            for c in self.cells(draw.px).into_iter().flatten() {
                let cell = CellBox { x: c * CELL, y0: self.y0, y1: self.y1 };
                if self.hiding[c] == 0 && draw.shape.touch(cell) == Touch::Whole {
                    self.hiding[c] = i;
                }
            }
        }
    }

    /// Returns whether a later step hides everything that step `i` draws on a cell.
    fn is_hidden(&self, i: usize, c: usize) -> bool {
        self.open.is_empty() && i < self.hiding[c]
    }

    /// Returns the cells of the innermost group that a box of pixels touches in this band.
    pub fn cells(&self, px: PixelBox) -> Option<Range<usize>> {
        let [left, top, right, bottom] = px.map(|v| v as usize);
        let limit = self.limit();
        let cells = (left / CELL).max(limit.start)..right.div_ceil(CELL).min(limit.end);
        (top.max(self.y0) < bottom.min(self.y1) && !cells.is_empty()).then_some(cells)
    }

    /// Returns the cells that can be drawn on.
    fn limit(&self) -> Range<usize> {
        self.open.last().map_or(&self.window, |open| &open.cells).clone()
    }

    /// Returns the current surface.
    pub fn surface(&mut self) -> &mut Surface {
        &mut self.surfaces[self.open.len()]
    }

    /// Draws the item of step `i` over the current content.
    fn draw(&mut self, i: usize, draw: &Draw, lines: &Lines) {
        let Some(cells) = self.cells(draw.px) else { return };
        if cells.clone().all(|c| self.is_hidden(i, c)) {
            return;
        }
        let [left, top, _, bottom] = draw.px.map(|v| v as usize);
        let (y0, y1) = (top.max(self.y0), bottom.min(self.y1));
        let rows = y1 - y0;
        let path = if let Shape::Path { lines: range, rule } = &draw.shape {
            // The running sums start at the path's left end.
            self.area.fill(lines.path(range.clone()), *rule, y0, y1, left / CELL, cells.end);
            (left / CELL..cells.start).for_each(|c| self.area.pass(c));
            true
        } else {
            false
        };
        for c in cells {
            if self.is_hidden(i, c) {
                if path {
                    self.area.pass(c);
                }
                continue;
            }
            let cell = CellBox { x: c * CELL, y0, y1 };
            let touch = if path { self.area.coverage(c, &mut self.cov[..rows]) } else { draw.shape.touch(cell) };
            match touch {
                Touch::None => continue,
                Touch::Whole => {
                    if self.flood(c, rows, &draw.paint) {
                        continue;
                    }
                }
                Touch::Some if path => {}
                Touch::Some => draw.shape.coverage(cell, &mut self.cov[..rows], &mut self.spare[..rows]),
            }
            self.blend(c, cell, &draw.paint, touch == Touch::Whole);
        }
    }

    /// Fills a wholly covered cell with one colour if possible, and returns whether it did.
    fn flood(&mut self, c: usize, rows: usize, paint: &Ink) -> bool {
        let Ink::Solid { rgb: [r, g, b], alpha } = *paint else { return false };
        if rows != self.y1 - self.y0 {
            return false;
        }
        match &mut self.surface().cells[c] {
            // Assigns instead of computing a sum, whose last bit would depend on the colour below.
            cell if alpha == 1.0 => {
                *cell = Cell::Flat([r, g, b, 1.0]);
                true
            }
            Cell::Flat(under) => {
                // Exactly the sum that `blend_solid` computes.
                let over = [r, g, b, 1.0];
                *under = std::array::from_fn(|i| under[i] + (over[i] - under[i]) * alpha);
                true
            }
            Cell::Pixels { .. } => false,
        }
    }

    /// Blends `paint` over a cell with the coverage `self.cov`. If the cell is covered as a `whole`, `self.cov` isn't
    /// filled yet.
    fn blend(&mut self, c: usize, cell: CellBox, paint: &Ink, whole: bool) {
        let part = cell.y0 - self.y0..cell.y1 - self.y0;
        let count = part.len();
        let depth = self.open.len();
        if let Ink::Solid { rgb, alpha } = paint {
            if whole {
                self.cov[..count].fill([1.0; CELL]);
            }
            let (mut planes, dithered) = self.surfaces[depth].planes(c, part, false);
            blend_solid(&mut planes, &self.cov[..count], *rgb, *alpha, dithered);
            return;
        }
        if whole && count == self.y1 - self.y0 && paint.is_opaque() {
            // The code below overwrites the whole cell, so its old content isn't converted to pixels.
            self.surfaces[depth].cells[c] = Cell::Pixels { dithered: paint.is_banded() };
        }
        // A gradient that covers a whole cell is written straight to its planes.
        if let (Ink::Gradient(gradient), true) = (paint, whole)
            && gradient.opaque
        {
            let banded = gradient.bands.is_some();
            let (planes, dithered) = self.surfaces[depth].planes(c, part.clone(), banded);
            let Planes { r, g, b, dither, a } = planes;
            if straight(gradient, cell, [r, g, b], banded.then_some(&mut *dither)) {
                if dithered && !banded {
                    dither.fill([0.0; CELL]);
                }
                if let Some(a) = a {
                    a.fill([1.0; CELL]);
                }
                return;
            }
        }
        let made = self.source.ink(paint, cell);
        self.over(c, part, made, whole);
    }

    /// Composites a part of a blurred picture over a cell.
    fn draw_blurred_cell(&mut self, c: usize, cell: CellBox, blurred: &BlurredImage) {
        blurred.rows(cell, &mut self.source);
        let made = Made { opaque: false, banded: blurred.dither };
        self.over(c, cell.y0 - self.y0..cell.y1 - self.y0, made, true);
    }

    /// Composites the source over the rows `part` of a cell with the coverage `self.cov`. If all of it is covered as a
    /// `whole`, `self.cov` isn't filled yet.
    fn over(&mut self, c: usize, part: Range<usize>, made: Made, whole: bool) {
        let count = part.len();
        let depth = self.open.len();
        let (mut planes, dithered) = self.surfaces[depth].planes(c, part, made.banded);
        let bands = Bands::of(dithered, made.banded);
        let source = self.source.read(count);
        if whole && made.opaque {
            copy_source(&mut planes, &source, bands);
            return;
        }
        if whole {
            self.cov[..count].fill([1.0; CELL]);
        }
        blend_source(&mut planes, &self.cov[..count], &source, bands);
    }

    /// Writes the band as pixels of three bytes.
    pub fn store(&self, width: usize, bytes: &mut [u8]) {
        let rows = self.y1 - self.y0;
        let row_bytes = width * 3;
        let mut channels = [[0_u8; CELL]; 3];
        let mut pixels = [0_u8; CELL * 3];
        let surface = &self.surfaces[0];
        for (c, cell) in surface.cells.iter().enumerate() {
            let from = c * CELL * 3;
            let to = (from + CELL * 3).min(row_bytes);
            let dithered = match cell {
                Cell::Flat(color) => {
                    let color = flat_bytes(color);
                    pixels.chunks_exact_mut(3).for_each(|p| p.copy_from_slice(&color));
                    for out in bytes.chunks_exact_mut(row_bytes) {
                        match out[from..].first_chunk_mut() {
                            Some(out) => *out = pixels,
                            None => out[from..to].copy_from_slice(&pixels[..to - from]),
                        }
                    }
                    continue;
                }
                Cell::Pixels { dithered } => *dithered,
            };
            let planes = surface.read(c, 0..rows);
            for (y, out) in bytes.chunks_exact_mut(row_bytes).enumerate() {
                let pattern = &DITHER[(self.y0 + y) % 8];
                for (plane, channel) in [planes.r, planes.g, planes.b].into_iter().zip(&mut channels) {
                    quantise(&plane[y], dithered.then(|| &planes.dither[y]), pattern, channel);
                }
                // Whole cells are written straight to the output.
                if let Some(out) = out[from..].first_chunk_mut() {
                    interleave(&channels[0], &channels[1], &channels[2], out);
                } else {
                    interleave(&channels[0], &channels[1], &channels[2], &mut pixels);
                    out[from..to].copy_from_slice(&pixels[..to - from]);
                }
            }
        }
    }
}
