//! Groups within a band: a group starts transparent on its own surface, and is composited over its surroundings at its
//! end.

use std::ops::Range;

use super::band::{Band, Open};
use super::blend::{Bands, blend_mode, blend_source, scale};
use super::blurred::BlurredImage;
use super::shape::CellBox;
use super::surface::{Cell, Surface};
use crate::raster::frame::{Frame, Group, Mask, Step};
use crate::raster::rows::{CELL, Touch};
use crate::raster::shape::Shape;
use crate::scene::BlendMode;

impl Band {
    /// Begins the group of a step, on its blurred backdrop if it has one.
    pub fn begin(&mut self, step: usize, cells: Range<usize>, backdrop: Option<&BlurredImage>) {
        let (count, rows) = (self.surfaces[0].cells.len(), self.y1 - self.y0);
        self.open.push(Open { step, cells });
        let depth = self.open.len();
        if self.surfaces.len() == depth {
            self.surfaces.push(Surface::default());
        }
        self.surfaces[depth].start(count, rows, [0.0; 4]);
        if let Some((blurred, cells)) = backdrop.and_then(|blurred| Some((blurred, self.cells(blurred.px)?))) {
            self.draw_blurred(blurred, cells);
        }
    }

    /// Ends the innermost group.
    pub fn end(&mut self, frame: &Frame) {
        let Some(Open { step, cells }) = self.open.pop() else { return };
        let Step::Begin(group) = &frame.steps[step] else { return };
        let [_, top, _, bottom] = group.px.map(|v| v as usize);
        let part = top.max(self.y0) - self.y0..bottom.min(self.y1) - self.y0;
        self.show(group, frame, &cells, &part);
        for c in cells.clone() {
            let drawn = self.surfaces[self.open.len() + 1].cells[c];
            let shown = self.shown[c - cells.start];
            let empty = matches!(drawn, Cell::Flat([_, _, _, a]) if a == 0.0);
            if !empty && shown != Touch::None {
                self.compose(c, c - cells.start, group, shown == Touch::Whole, part.clone());
            }
        }
    }

    /// Computes the coverage of the group's clip for the rows `part` of some cells.
    fn show(&mut self, group: &Group, frame: &Frame, cells: &Range<usize>, part: &Range<usize>) {
        let rows = part.len();
        self.shown.clear();
        let Some(masks) = group.clip.clone() else {
            self.shown.resize(cells.len(), Touch::Whole);
            return;
        };
        self.shown.resize(cells.len(), Touch::None);
        if self.clip.len() < cells.len() * rows {
            self.clip.resize(cells.len() * rows, [0.0; CELL]);
        }
        for Mask { px, shape } in &frame.masks[masks] {
            let [left, top, right, bottom] = px.map(|v| v as usize);
            let (y0, y1) = (top.max(self.y0 + part.start), bottom.min(self.y0 + part.end));
            let touched = (left / CELL).max(cells.start)..right.div_ceil(CELL).min(cells.end);
            if y0 >= y1 || touched.is_empty() {
                continue;
            }
            let count = y1 - y0;
            if let Shape::Path { lines, rule } = shape {
                self.area.fill(frame.lines.path(lines.clone()), *rule, y0, y1, left / CELL, touched.end);
                (left / CELL..touched.start).for_each(|c| self.area.pass(c));
            }
            for c in touched {
                let cell = CellBox { x: c * CELL, y0, y1 };
                let touch = match shape {
                    Shape::Path { .. } => self.area.coverage(c, &mut self.cov[..count]),
                    shape => shape.touch(cell),
                };
                match touch {
                    Touch::None => continue,
                    Touch::Whole => self.cov[..count].fill([1.0; CELL]),
                    Touch::Some if matches!(shape, Shape::Path { .. }) => {}
                    Touch::Some => shape.coverage(cell, &mut self.cov[..count], &mut self.spare[..count]),
                }
                let shown = &mut self.shown[c - cells.start];
                let clip = &mut self.clip[(c - cells.start) * rows..][..rows];
                match *shown {
                    Touch::Whole => continue,
                    _ if touch == Touch::Whole && count == rows => {
                        *shown = Touch::Whole;
                        continue;
                    }
                    Touch::None => clip.fill([0.0; CELL]),
                    Touch::Some => {}
                }
                *shown = Touch::Some;
                let from = y0 - self.y0 - part.start;
                for (out, cov) in clip[from..].iter_mut().zip(&self.cov[..count]) {
                    for (a, b) in out.iter_mut().zip(cov) {
                        *a = *a + *b - *a * *b;
                    }
                }
            }
        }
    }

    /// Composites a cell of the group over its surroundings; `i` is the index of the cell in the clip.
    fn compose(&mut self, c: usize, i: usize, group: &Group, whole: bool, part: Range<usize>) {
        let rows = part.len();
        let cov = &mut self.cov[..rows];
        if whole {
            cov.fill([group.opacity; CELL]);
        } else {
            scale(&self.clip[i * rows..(i + 1) * rows], group.opacity, cov);
        }
        let (around, drawn) = self.surfaces.split_at_mut(self.open.len() + 1);
        let (around, drawn) = (&mut around[self.open.len()], &mut drawn[0]);
        let plain = whole && part == (0..self.y1 - self.y0) && group.blend == BlendMode::Normal;
        if let (Cell::Flat(under), Cell::Flat(over), true) = (around.cells[c], drawn.cells[c], plain) {
            // Exactly the sum that `blend_source` computes.
            let (keep, cov) = (1.0 - over[3] * group.opacity, group.opacity);
            around.cells[c] = Cell::Flat(std::array::from_fn(|i| under[i] * keep + over[i] * cov));
            return;
        }
        drawn.spread(c);
        let banded = drawn.cells[c] == Cell::Pixels { dithered: true };
        let (mut planes, dithered) = around.planes(c, part.clone(), banded);
        let (bands, source) = (Bands::of(dithered, banded), drawn.read(c, part));
        match group.blend {
            BlendMode::Normal => blend_source(&mut planes, cov, &source, bands),
            mode => blend_mode(&mut planes, cov, &source, mode, bands),
        }
    }
}
