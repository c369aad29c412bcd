//! Deflates rows to a segment of the zlib stream that is independent of all other segments.

use std::cell::RefCell;

use zlib_rs::adler32::adler32;

use super::filter::{self, Filter, STRIP};
use super::matches::{LINES, Matcher, WIDEST};
use super::rows::Rows;
use crate::encode::deflate::{self, BitWriter, Block};

/// Approximate bytes of rows in a segment. Smaller segments balance the threads better, but each costs 150 bytes for
/// its codes and for the rows that it reads again. The size doesn't depend on the number of threads, so neither does
/// the file.
const BYTES: usize = 600_000;
/// A block that has this many tokens takes no more rows, so that its codes fit its contents.
const BLOCK_TOKENS: usize = 12_000;

/// The deflated rows of a segment.
pub struct Segment {
    /// Whole bytes of a DEFLATE stream.
    pub deflated: Vec<u8>,
    /// Adler-32 of the uncompressed bytes.
    pub adler: u32,
    /// Number of uncompressed bytes.
    pub length: usize,
}

#[derive(Default)]
struct Deflater {
    matcher: Matcher,
    block: Block,
    scratch: Vec<u8>,
}

thread_local! {
    /// Deflating a segment spawns no rayon task, so its thread can't enter another segment while these are borrowed.
    static DEFLATER: RefCell<Deflater> = RefCell::new(Deflater::default());
}

/// Returns the rows in a segment: a multiple of [`STRIP`], and few enough that line numbers fit in a position.
pub fn rows_of_a_segment(rows: Rows<'_>) -> usize {
    (BYTES / rows.stride()).clamp(STRIP, LINES / 4) / STRIP * STRIP
}

/// Deflates rows `from..to`. Copies may reach back before `from`. The output is appended to `before`.
pub fn deflate(rows: Rows<'_>, from: usize, to: usize, before: Vec<u8>) -> Segment {
    DEFLATER.with_borrow_mut(|deflater| deflater.deflate(rows, from, to, before))
}

impl Deflater {
    fn deflate(&mut self, rows: Rows<'_>, from: usize, to: usize, before: Vec<u8>) -> Segment {
        let Self { matcher, block, scratch } = self;
        let mut strips = Strips { top: None, filter: None };
        // Line numbers start above the window, so that a slot that was never written is out of reach.
        let first = from.saturating_sub(rows.window());
        let line = |y: usize| y - first + rows.window() + 1;
        matcher.clear();
        for y in first..from {
            if !rows.repeats(y) && strips.filter(rows, y, scratch).is_none() {
                matcher.learn(rows, y, line(y));
            }
        }

        let mut bits = BitWriter::after(before);
        let mut adler = 1;
        for y in from..to {
            if block.len() >= BLOCK_TOKENS {
                block.write(&mut bits, false);
            }
            if rows.repeats(y) {
                // A row that equals the one above becomes zeros under the Up filter.
                block.byte(Filter::Up as u8);
                block.repeat(0, rows.row_bytes());
                adler = adler32(adler, &[Filter::Up as u8]);
                scratch.clear();
                scratch.resize(rows.row_bytes(), 0);
                adler = adler32(adler, scratch);
            } else if let Some(filter) = strips.filter(rows, y, scratch) {
                filter.apply(rows, y, scratch);
                block.byte(filter as u8);
                write_filtered(scratch, block);
                adler = adler32(adler32(adler, &[filter as u8]), scratch);
            } else {
                matcher.write(rows, y, line(y), block);
                adler = adler32(adler32(adler, &[0]), rows.row(y));
            }
        }
        let last = to == rows.height;
        block.write(&mut bits, last);
        if !last {
            deflate::sync(&mut bits);
        }
        Segment { deflated: bits.finish(), adler, length: (to - from) * rows.stride() }
    }
}

/// The strip of the last query, and its filter.
struct Strips {
    top: Option<usize>,
    filter: Option<Filter>,
}

impl Strips {
    fn filter(&mut self, rows: Rows<'_>, y: usize, scratch: &mut Vec<u8>) -> Option<Filter> {
        let top = y / STRIP * STRIP;
        if self.top != Some(top) {
            let choice = filter::choose(rows, top, scratch);
            // A position can't hold columns beyond this width, so such rows are always filtered.
            self.filter = if rows.width > WIDEST { choice.or(Some(Filter::Sub)) } else { choice };
            self.top = Some(top);
        }
        self.filter
    }
}

/// Writes differences as literals, and runs of at least eight zeros as copies.
fn write_filtered(bytes: &[u8], block: &mut Block) {
    let mut at = 0;
    while at < bytes.len() {
        let zeros = bytes[at..].iter().take_while(|b| **b == 0).count();
        if zeros >= 8 {
            block.repeat(0, zeros);
            at += zeros;
        } else if let Some(&[a, b, c]) = bytes[at..].first_chunk() {
            block.triple([a, b, c]);
            at += 3;
        } else {
            block.byte(bytes[at]);
            at += 1;
        }
    }
}
