//! Computes the pixels of a paint.

use super::kernels::{banded_row, length_row, line_row, lookup_row, places_row, ramp_row, turn_row, window_row};
use super::shape::CellBox;
use super::surface::PlanesRef;
use crate::raster::frame::{Field, Gradient, Ink, MeshInk, PictureInk};
use crate::raster::gradient;
use crate::raster::map::Map;
use crate::raster::rows::{CELL, Row};

/// The pixels of a cell: premultiplied encoded sRGB, alpha, and whether bands would be visible (1) or not (0).
#[derive(Default)]
pub(super) struct Source {
    pub r: Vec<Row>,
    pub g: Vec<Row>,
    pub b: Vec<Row>,
    pub a: Vec<Row>,
    pub banded: Vec<Row>,
}

/// Properties of the computed pixels.
#[derive(Debug, Clone, Copy)]
pub(super) struct Made {
    /// Whether every alpha is 1.
    pub opaque: bool,
    /// Whether `banded` was written; if not, it counts as 0 everywhere.
    pub banded: bool,
}

impl Source {
    /// Resizes all planes to this many rows.
    pub fn resize(&mut self, rows: usize) {
        for plane in [&mut self.r, &mut self.g, &mut self.b, &mut self.a, &mut self.banded] {
            plane.resize(rows, [0.0; CELL]);
        }
    }

    /// Returns the first `rows` rows.
    pub fn read(&self, rows: usize) -> PlanesRef<'_> {
        PlanesRef {
            r: &self.r[..rows],
            g: &self.g[..rows],
            b: &self.b[..rows],
            a: &self.a[..rows],
            dither: &self.banded[..rows],
        }
    }

    /// Computes the rows of a cell, starting with the first. Not called for a flat colour.
    pub fn ink(&mut self, ink: &Ink, cell: CellBox) -> Made {
        let rows = (cell.y0..cell.y1).enumerate();
        match ink {
            Ink::Solid { .. } => Made { opaque: false, banded: false },
            Ink::Gradient(gradient) => {
                let count = cell.y1 - cell.y0;
                let Self { r, g, b, a, banded } = self;
                let planes = [r, g, b, a].map(|plane| &mut plane[..count]);
                if straight(gradient, cell, planes, Some(&mut banded[..count])) {
                    return Made { opaque: gradient.opaque, banded: gradient.bands.is_some() };
                }
                rows.for_each(|(row, y)| self.gradient(gradient, cell.x, y, row));
                Made { opaque: gradient.opaque, banded: gradient.bands.is_some() }
            }
            Ink::Mesh(mesh) => {
                rows.for_each(|(row, y)| self.mesh(mesh, cell.x, y, row));
                let banded = mesh.banded > 0.0;
                if banded {
                    self.banded[..cell.y1 - cell.y0].fill([mesh.banded; CELL]);
                }
                Made { opaque: mesh.opaque, banded }
            }
            Ink::Picture(picture) => {
                let mut within = picture.opaque;
                rows.for_each(|(row, y)| within &= self.picture(picture, cell.x, y, row));
                Made { opaque: within, banded: false }
            }
        }
    }

    fn gradient(&mut self, gradient: &Gradient, x: usize, y: usize, row: usize) {
        let Gradient { table, map, .. } = gradient;
        let mut offsets = [0.0; CELL];
        let mut seam = None;
        match &gradient.field {
            Field::Linear => {
                let (at, m, t) = along(map, 0, x, y);
                line_row(at, m, t, &mut offsets);
            }
            Field::Radial => {
                let (u, v) = both(map, x, y);
                length_row(&u, &v, &mut offsets);
            }
            Field::Conic => {
                let (u, v) = both(map, x, y);
                turn_row(&u, &v, &mut offsets);
                seam = Some((u, v));
            }
            Field::Pattern(pattern) => {
                let (u, v) = both(map, x, y);
                pattern.row(&u, &v, &mut offsets);
            }
        }
        let places = places_row(&offsets);
        lookup_row(table, &places, [&mut self.r[row], &mut self.g[row], &mut self.b[row], &mut self.a[row]]);
        if let Some(bands) = &gradient.bands {
            banded_row(bands, &places, &mut self.banded[row]);
        }
        let Some((u, v)) = seam else { return };
        let [du, dv] = [map.pace(0), map.pace(1)];
        for i in 0..CELL {
            let Some((share, [end, start], after)) = gradient::seam(u[i], v[i], du, dv) else { continue };
            let (p, q) = (table.color(end), table.color(start));
            let planes = [&mut self.r[row], &mut self.g[row], &mut self.b[row], &mut self.a[row]];
            for (c, plane) in planes.into_iter().enumerate() {
                let met = p[c] + (q[c] - p[c]) * after;
                plane[i] += (met - plane[i]) * share;
            }
        }
    }

    fn mesh(&mut self, mesh: &MeshInk, x: usize, y: usize, row: usize) {
        let (u, v) = both(&mesh.map, x, y);
        for i in 0..CELL {
            let [r, g, b, a] = mesh.table.at(u[i], v[i]);
            (self.r[row][i], self.g[row][i], self.b[row][i], self.a[row][i]) = (r, g, b, a);
        }
    }

    /// Computes a row of a picture. Returns whether the whole row lies within the picture's window.
    fn picture(&mut self, ink: &PictureInk, x: usize, y: usize, row: usize) -> bool {
        let PictureInk { picture, map, window: [left, top, right, bottom], .. } = ink;
        let (u, v) = both(map, x, y);
        let mut shown = [1.0; CELL];
        window_row(&u, *left, *right, map.pace(0), &mut shown);
        window_row(&v, *top, *bottom, map.pace(1), &mut shown);
        // Clamps coordinates so that no texel outside the window contributes.
        let held = |v: f32, from: f32, to: f32| {
            let middle = (from + to) / 2.0;
            v.min((to - 0.5).max(middle)).max((from + 0.5).min(middle))
        };
        let mut whole = true;
        for i in 0..CELL {
            let c = shown[i];
            whole &= c == 1.0;
            let [r, g, b, a] =
                if c > 0.0 { picture.at(held(u[i], *left, *right), held(v[i], *top, *bottom)) } else { [0.0; 4] };
            (self.r[row][i], self.g[row][i], self.b[row][i], self.a[row][i]) = (r * c, g * c, b * c, a * c);
        }
        whole
    }
}

/// Computes the rows of a cell if its part of a linear gradient is almost straight, by interpolating each row between
/// its ends. Otherwise writes nothing and returns false. `banded` is `None` if it isn't needed.
pub(super) fn straight<const N: usize>(
    gradient: &Gradient,
    cell: CellBox,
    mut planes: [&mut [Row]; N],
    banded: Option<&mut [Row]>,
) -> bool {
    let Gradient { table, map, bands, field: Field::Linear, .. } = gradient else { return false };
    let offset = |x: usize, y: usize| {
        let (at, m, t) = along(map, 0, x, y);
        m * at + t
    };
    let (left, right) = (cell.x, cell.x + CELL - 1);
    let corners =
        [(left, cell.y0), (right, cell.y0), (left, cell.y1 - 1), (right, cell.y1 - 1)].map(|(x, y)| offset(x, y));
    let (least, most) = corners.iter().fold((f32::MAX, f32::MIN), |(a, b), v| (a.min(*v), b.max(*v)));
    let Some(segments) = table.straight(least, most) else { return false };
    if let (Some(out), Some(bands)) = (banded, bands) {
        let within = if least > 0.0 && most < 1.0 { 1.0 } else { 0.0 };
        let first = bands[*segments.start()];
        if bands[segments].iter().any(|b| *b != first) {
            return false;
        }
        out.fill([first * within; CELL]);
    }
    for (row, y) in (cell.y0..cell.y1).enumerate() {
        let (p, q) = (table.color(offset(left, y)), table.color(offset(right, y)));
        for (c, plane) in planes.iter_mut().enumerate() {
            ramp_row(p[c], q[c], &mut plane[row]);
        }
    }
    true
}

/// Returns the arguments of [`line_row`]: the first pixel's centre, and coordinate `axis` of the row.
fn along(map: &Map, axis: usize, x: usize, y: usize) -> (f32, f32, f32) {
    let y = y as f32 + 0.5;
    (x as f32 + 0.5, map.m[axis * 2], map.m[axis * 2 + 1] * y + map.t[axis])
}

/// Returns both coordinates of a row's pixels.
fn both(map: &Map, x: usize, y: usize) -> (Row, Row) {
    let (mut u, mut v) = ([0.0; CELL], [0.0; CELL]);
    for (axis, out) in [&mut u, &mut v].into_iter().enumerate() {
        let (at, m, t) = along(map, axis, x, y);
        line_row(at, m, t, out);
    }
    (u, v)
}
