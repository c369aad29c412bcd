//! Splits paths into pieces of cells. The CPU computes the exact areas, in bands of rows on all threads of the pool.
//! Cells that are wholly inside merge to boxes; partly covered cells become tiles of one byte per pixel.

use std::cell::RefCell;

use rayon::prelude::*;

use super::types::NONE;
use crate::raster::area::AreaBand;
use crate::raster::flatten::PathLines;
use crate::raster::pixels::PixelBox;
use crate::raster::rows::{CELL, Row, Touch};
use crate::scene::FillRule;

/// Rows of a tile. A tile is [`CELL`] pixels wide.
pub(super) const TILE_ROWS: usize = 16;
/// Bytes of a tile.
pub(super) const TILE_BYTES: usize = CELL * TILE_ROWS;

/// A path to cut.
pub(super) struct Outline<'a> {
    pub px: PixelBox,
    pub lines: PathLines<'a>,
    pub rule: FillRule,
}

/// A piece of a path.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Piece {
    pub px: PixelBox,
    /// The index of the tile among the path's tiles; [`NONE`] if the piece is wholly covered.
    pub tile: u32,
}

/// A path cut into pieces.
#[derive(Debug, Default, PartialEq)]
pub(super) struct Strips {
    pub pieces: Vec<Piece>,
    /// Tiles of [`TILE_BYTES`] each; pixels outside the path's box are undefined.
    pub tiles: Vec<u8>,
}

#[derive(Default)]
struct Scratch {
    area: AreaBand,
    rows: Vec<Row>,
}

thread_local! {
    /// Cutting takes no lock and spawns no task, so a thread never finds this borrowed.
    static SCRATCH: RefCell<Scratch> = RefCell::default();
}

/// Cuts paths into strips, in order.
pub(super) fn strips_of(outlines: &[Outline<'_>]) -> Vec<Strips> {
    // The bands of one path are cut independently, so that a single large path also uses all threads.
    let bands: Vec<(usize, usize)> = outlines
        .iter()
        .enumerate()
        .flat_map(|(i, o)| {
            let [_, top, _, bottom] = o.px.map(|v| v as usize);
            (top / TILE_ROWS..bottom.div_ceil(TILE_ROWS)).map(move |band| (i, band))
        })
        .collect();
    let cut: Vec<Strips> =
        bands.par_iter().with_min_len(8).map(|(i, band)| band_strips(&outlines[*i], *band)).collect();
    let mut out: Vec<Strips> = outlines.iter().map(|_| Strips::default()).collect();
    for ((i, _), strips) in bands.into_iter().zip(cut) {
        let first = (out[i].tiles.len() / TILE_BYTES) as u32;
        out[i].tiles.extend_from_slice(&strips.tiles);
        let moved = |p: Piece| Piece { tile: if p.tile == NONE { NONE } else { p.tile + first }, ..p };
        out[i].pieces.extend(strips.pieces.into_iter().map(moved));
    }
    out
}

fn band_strips(outline: &Outline<'_>, band: usize) -> Strips {
    let [left, top, right, bottom] = outline.px.map(|v| v as usize);
    let (y0, y1) = (top.max(band * TILE_ROWS), bottom.min((band + 1) * TILE_ROWS));
    let (c0, c1) = (left / CELL, right.div_ceil(CELL));
    let mut strips = Strips::default();
    SCRATCH.with_borrow_mut(|scratch| {
        scratch.rows.resize(TILE_ROWS, [0.0; CELL]);
        let rows = &mut scratch.rows[..y1 - y0];
        scratch.area.fill(outline.lines.clone(), outline.rule, y0, y1, c0, c1);
        for c in c0..c1 {
            let px = [(c * CELL).max(left), y0, ((c + 1) * CELL).min(right), y1].map(|v| v as i32);
            match scratch.area.coverage(c, rows) {
                Touch::None => {}
                Touch::Whole => match strips.pieces.last_mut() {
                    Some(Piece { px: last, tile: NONE }) if last[2] == px[0] => last[2] = px[2],
                    _ => strips.pieces.push(Piece { px, tile: NONE }),
                },
                Touch::Some => {
                    let tile = (strips.tiles.len() / TILE_BYTES) as u32;
                    strips.pieces.push(Piece { px, tile });
                    let start = strips.tiles.len() + (y0 % TILE_ROWS) * CELL;
                    strips.tiles.resize(strips.tiles.len() + TILE_BYTES, 0);
                    for (row, bytes) in rows.iter().zip(strips.tiles[start..].chunks_exact_mut(CELL)) {
                        for (byte, c) in bytes.iter_mut().zip(row) {
                            *byte = (c * 255.0 + 0.5) as u8;
                        }
                    }
                }
            }
        }
    });
    strips
}
