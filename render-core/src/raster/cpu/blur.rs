//! Makes blurred pictures: draws their content at a reduced size, then blurs it.
#![allow(unsafe_code, reason = "multiversion expands to a call that is guarded by detecting the CPU's features")]

use std::cell::RefCell;
use std::ops::Range;

use multiversion::multiversion;
use rayon::prelude::*;

use super::band::{BAND, BAND_ROWS, Band, Job};
use super::blurred::{BlurredImage, Texel};
use super::pool::Pool;
use super::surface::Cell;
use crate::cancel;
use crate::limits::LAYER_DEPTH;
use crate::raster::blur::BlurPlan;
use crate::raster::frame::{Blurred, Frame, Step};
use crate::raster::pixels::{PixelBox, whole};
use crate::raster::rows::CELL;

thread_local! {
    /// A row of texels, with padding on both sides.
    static PADDED: RefCell<Vec<Texel>> = const { RefCell::new(Vec::new()) };
}

/// The colour under all steps, and the size of the canvas.
#[derive(Clone, Copy)]
pub(super) struct Ground {
    pub color: [f32; 4],
    /// Width and height in pixels.
    pub size: [u32; 2],
    /// Whether bands of blurred pictures are dithered.
    pub dither: bool,
}

/// Makes all blurred pictures of a frame, by step; empty if there are none. The caller gives the list back to the pool.
pub(super) fn resolve(frame: &Frame, ground: Ground, pool: &Pool) -> Vec<Option<BlurredImage>> {
    let blurs = |step: &Step| match step {
        Step::Blurred(_) => true,
        Step::Begin(group) => group.backdrop_blur > 0.0,
        Step::Draw(_) | Step::End => false,
    };
    if !frame.steps.iter().any(blurs) {
        return Vec::new();
    }
    let mut made = pool.blurs();
    // The steps of the enclosing groups.
    let mut open = [0; LAYER_DEPTH];
    let mut depth = 0_usize;
    for (i, step) in frame.steps.iter().enumerate() {
        let image = match step {
            Step::Blurred(blurred) => Some(content(blurred, ground.dither, pool)),
            Step::Begin(group) if group.backdrop_blur > 0.0 => {
                let job = Job { frame, blurs: &made, pool };
                let around = depth.checked_sub(1).map(|outer| open[outer]);
                Some(backdrop(job, around, i, group.px, group.backdrop_blur, ground))
            }
            _ => None,
        };
        match step {
            Step::Begin(_) => {
                open[depth] = i;
                depth += 1;
            }
            Step::End => depth -= 1,
            _ => {}
        }
        made.push(image);
    }
    made
}

/// Draws and blurs the content of a blurred layer.
fn content(blurred: &Blurred, dither: bool, pool: &Pool) -> BlurredImage {
    let Blurred { frame, size, origin, sigma, source, px } = blurred;
    let ground = Ground { color: [0.0; 4], size: *size, dither };
    let blurs = resolve(frame, ground, pool);
    let plan = BlurPlan::new(*sigma);
    let job = Job { frame, blurs: &blurs, pool };
    let drawn = reduce(job, None, 0..frame.steps.len(), *source, plan.factor, ground, false);
    // The inner blurred pictures are no longer needed.
    pool.give_blurs(blurs);
    let shift = origin.map(|v| -v);
    blur(drawn, &plan, *px, shift, dither, false, pool)
}

/// Draws and blurs the content before step `end` of the group that begins at `around`, or of the whole canvas if there
/// is no such group.
fn backdrop(job: Job<'_>, around: Option<usize>, end: usize, px: PixelBox, sigma: f32, ground: Ground) -> BlurredImage {
    let plan = BlurPlan::new(sigma);
    let source = plan.source(px, whole(ground.size));
    let steps = around.map_or(0, |i| i + 1)..end;
    let ground = if around.is_some() { Ground { color: [0.0; 4], ..ground } } else { ground };
    let drawn = reduce(job, around, steps, source, plan.factor, ground, true);
    blur(drawn, &plan, px, [0; 2], ground.dither, true, job.pool)
}

/// Texels of a part of a grid.
struct Texels {
    grid: PixelBox,
    colors: Vec<Texel>,
}

/// Draws some steps within the pixels `source`, on the blurred backdrop of the group `around` if it has one. Each texel
/// is the mean of `factor × factor` pixels. With `cut`, only pixels on the canvas count; otherwise, pixels beyond the
/// canvas count as transparent.
fn reduce(
    job: Job<'_>,
    around: Option<usize>,
    steps: Range<usize>,
    source: PixelBox,
    factor: u32,
    ground: Ground,
    cut: bool,
) -> Texels {
    let f = factor as i32;
    let [left, top, right, bottom] = source;
    let grid = [left / f, top / f, (right + f - 1) / f, (bottom + f - 1) / f];
    let (width, height) = ((grid[2] - grid[0]) as usize, (grid[3] - grid[1]) as usize);
    // Sums pixels in rows that are at most as high as a band first.
    let part = (factor as usize).min(BAND_ROWS);
    let parts = factor as usize / part;
    let y0 = (grid[1] * f) as usize;
    let [canvas_w, canvas_h] = ground.size.map(|v| v as usize);
    let mut sums = job.pool.texels(width * height * parts);
    let per_band = BAND_ROWS / part;
    let scope = cancel::Scope::current();
    sums.par_chunks_mut(width * per_band).enumerate().for_each(|(i, out)| {
        scope.enter(cancel::check);
        let from = y0 + i * BAND_ROWS;
        let to = (from + out.len() / width * part).min(canvas_h);
        if from >= to {
            return;
        }
        BAND.with_borrow_mut(|band| {
            let used = ((grid[2] * f) as usize).min(canvas_w);
            band.start([(grid[0] * f) as usize, used], [from, to], ground.color);
            if let Some(outer) = around.and_then(|i| job.blurs[i].as_ref())
                && let Some(cells) = band.cells(outer.px)
            {
                band.draw_blurred(outer, cells);
            }
            band.run(job, steps.clone());
            add_up(band, grid[0] * f, used, factor as usize, part, out);
        });
    });
    for i in 0..width * height {
        let (x, y) = (i % width, i / width);
        let sum = (0..parts).fold([0.0_f32; 4], |sum, k| {
            let more = sums[(y * parts + k) * width + x];
            std::array::from_fn(|c| sum[c] + more[c])
        });
        let extent = |from: i32, canvas: usize| {
            let whole = factor as usize;
            if cut { whole.min(canvas - (from * f) as usize) } else { whole }
        };
        let count = extent(grid[0] + x as i32, canvas_w) * extent(grid[1] + y as i32, canvas_h);
        let per = 1.0 / count as f32;
        // The parts of a texel never have smaller indices than the texel, so no part is overwritten before it is read.
        sums[i] = sum.map(|v| v * per);
    }
    sums.truncate(width * height);
    Texels { grid, colors: sums }
}

/// Adds the band's pixels from `left` to `right` (exclusive) to texels of `factor × part` pixels.
fn add_up(band: &Band, left: i32, right: usize, factor: usize, part: usize, out: &mut [[f32; 4]]) {
    let left = left as usize;
    let surface = &band.surfaces[0];
    let rows = band.y1 - band.y0;
    let width = (right - left).div_ceil(factor);
    for c in left / CELL..right.div_ceil(CELL) {
        let (from, to) = (left.max(c * CELL), right.min((c + 1) * CELL));
        match surface.cells[c] {
            Cell::Flat([0.0, 0.0, 0.0, 0.0]) => {}
            Cell::Flat(color) => {
                for y in 0..rows {
                    for x in from..to {
                        let sum = &mut out[y / part * width + (x - left) / factor];
                        *sum = std::array::from_fn(|c| sum[c] + color[c]);
                    }
                }
            }
            Cell::Pixels { .. } => {
                let planes = surface.read(c, 0..rows);
                for y in 0..rows {
                    for x in from..to {
                        let i = x - c * CELL;
                        let a = if surface.translucent { planes.a[y][i] } else { 1.0 };
                        let [r, g, b, alpha] = &mut out[y / part * width + (x - left) / factor];
                        *r += planes.r[y][i];
                        *g += planes.g[y][i];
                        *b += planes.b[y][i];
                        *alpha += a;
                    }
                }
            }
        }
    }
}

/// Blurs texels as far as the pixels `px` need them (`px` is offset by `shift` from the texels' canvas). Beyond the
/// texels, everything is transparent, or with `goes_on`, the edge texels are repeated.
fn blur(
    drawn: Texels,
    plan: &BlurPlan,
    px: PixelBox,
    shift: [i32; 2],
    dither: bool,
    goes_on: bool,
    pool: &Pool,
) -> BlurredImage {
    let f = plan.factor as f32;
    let grid = plan.wanted(px, shift);
    let Texels { grid: [left, top, right, bottom], colors } = drawn;
    let (from, width) = ((right - left) as usize, (grid[2] - grid[0]) as usize);
    let reach = plan.reach();
    let mut wide = pool.texels(width * (bottom - top) as usize);
    let scope = cancel::Scope::current();
    wide.par_chunks_mut(width).zip(colors.par_chunks(from)).for_each(|(out, row)| {
        scope.enter(cancel::check);
        PADDED.with_borrow_mut(|padded| {
            padded.clear();
            padded.extend((0..width as i32 + 2 * reach).map(|i| {
                let x = grid[0] - reach + i - left;
                match usize::try_from(x).ok().and_then(|x| row.get(x)) {
                    Some(texel) => *texel,
                    None if goes_on => row[x.clamp(0, from as i32 - 1) as usize],
                    None => [0.0; 4],
                }
            }));
            let at = |k: i32| padded[(reach + k) as usize..][..width].as_flattened();
            for (k, w) in (0..).zip(plan.weights()) {
                add_pair(out.as_flattened_mut(), at(-k), (k > 0).then(|| at(k)), *w);
            }
        });
    });
    pool.give(colors);
    let rows = wide.len() / width;
    let mut texels = pool.texels(width * (grid[3] - grid[1]) as usize);
    let nothing = pool.texels(width);
    texels.par_chunks_mut(width).enumerate().for_each(|(y, out)| {
        scope.enter(cancel::check);
        let y = grid[1] + y as i32 - top;
        let at = |k: i32| {
            let row = y + k;
            let held = row.clamp(0, rows as i32 - 1) as usize;
            if goes_on || row == held as i32 { &wide[held * width..][..width] } else { &nothing }.as_flattened()
        };
        for (k, w) in (0..).zip(plan.weights()) {
            add_pair(out.as_flattened_mut(), at(-k), (k > 0).then(|| at(k)), *w);
        }
    });
    pool.give(wide);
    pool.give(nothing);
    BlurredImage { px, dither, factor: f, banded: plan.banded(), shift, grid, texels }
}

/// Adds `(a + b)·w` to `out`.
#[multiversion(targets("x86_64+avx2"))]
fn add_pair(out: &mut [f32], a: &[f32], b: Option<&[f32]>, w: f32) {
    match b {
        Some(b) => {
            for ((out, a), b) in out.iter_mut().zip(a).zip(b) {
                *out += (a + b) * w;
            }
        }
        None => {
            for (out, a) in out.iter_mut().zip(a) {
                *out += a * w;
            }
        }
    }
}
