//! Finds copies (LZ77) among whole pixels of unfiltered rows.
//!
//! A design consists of runs of one colour, of edges between them that the rows above share, and of glyphs that occur
//! again. So the writer copies runs from one pixel back, and only where a run ends, at an *edge*, does it ask a table
//! where the same pixels occurred before. A copy starts and ends within a row and never spans the filter byte between
//! two rows; so the rows need not be stored contiguously with their filter bytes.
//!
//! Tried on gradient slides and rejected: lazy matching by one pixel (a fifth more time, 0 to 1 % fewer bytes, dithered
//! too); literals where an edge changes only one channel (1 % more bytes); eight positions per slot (a fifth more time,
//! 1 to 2 %); half or twice as many slots; only nearby positions for single pixels (2 % more bytes). Holding literals
//! back saves 3 %, the search for single pixels 4 %, and the table keyed by 16 bytes 17 % of a dithered slide.

use super::rows::Rows;
use crate::encode::deflate::{Block, MAX_COPY, WINDOW};

/// The longest copy, in pixels.
const RUN: usize = MAX_COPY / 3;
/// A position is a line number and a column; the column takes this many bits.
const COLUMN_BITS: u32 = 17;
/// The widest row whose columns fit in a position.
pub const WIDEST: usize = 1 << COLUMN_BITS;
/// The number of lines that fit in a position: the highest line number plus one.
pub const LINES: usize = 1 << (32 - COLUMN_BITS);
/// Each table has two to the power of this many slots.
const SLOT_BITS: u32 = 12;
/// If the first table's match has at least this many pixels, the second table is not asked.
const LONG: usize = 5;
/// After two to the power of this many consecutive pixels without a match, the search skips every second pixel; after
/// twice as many, it searches every third.
const PATIENCE: u32 = 5;

/// The most recent positions of pixels, by a hash of the pixels that start there.
pub struct Matcher {
    /// By 16 bytes: four positions, the latest in the lowest bits.
    long: Vec<u128>,
    /// By two pixels: two positions.
    short: Vec<u64>,
    /// By one pixel without a longer match: one position.
    single: Vec<u32>,
}

/// A match: pixels that occurred before.
#[derive(Debug, Clone, Copy, Default)]
struct Match {
    /// Length in pixels.
    pixels: usize,
    /// Distance in the stream, in bytes.
    distance: usize,
    /// Distance in memory, in bytes.
    back: usize,
    /// Column of the first source pixel.
    column: usize,
}

impl Default for Matcher {
    fn default() -> Self {
        let slots = 1 << SLOT_BITS;
        Self { long: vec![0; slots], short: vec![0; slots], single: vec![0; slots] }
    }
}

impl Matcher {
    /// Removes all positions. From now on, line numbers must be larger than [`Rows::window`] and rise. Then a slot that
    /// was never filled reads as line 0, which is out of reach.
    pub fn clear(&mut self) {
        self.long.fill(0);
        self.short.fill(0);
        self.single.fill(0);
    }

    /// Records row `y` as line `line`, as if it had been written.
    pub fn learn(&mut self, rows: Rows<'_>, y: usize, line: usize) {
        let row = rows.row(y);
        let mut x = 0;
        while x < rows.width {
            self.note(rows.data, y * rows.row_bytes() + 3 * x, place(line, x));
            x += 1;
            x += run(row, x);
        }
    }

    /// Writes row `y`, unfiltered, as line `line`.
    pub fn write(&mut self, rows: Rows<'_>, y: usize, line: usize, block: &mut Block) {
        let (row, start, width) = (rows.row(y), y * rows.row_bytes(), rows.width);
        block.byte(0);
        let mut out = RowWriter::new(rows.data, block);
        let mut misses = 0;
        let mut x = 0;
        while x < width {
            let mut same = if x > 0 { run(row, x) } else { 0 };
            while same > RUN {
                out.run(start + 3 * x, RUN, x);
                x += RUN;
                same -= RUN;
            }
            let edge = x + same;
            let at = start + 3 * edge;
            if edge == width {
                out.run(start + 3 * x, same, x);
                break;
            }
            let here = place(line, edge);
            let found = self.find(rows, at, here);
            self.note(rows.data, at, here);
            if found.pixels >= 2 {
                misses = 0;
                let before = found.run_before(rows.data, at, same);
                if before < same {
                    out.run(start + 3 * x, same, x);
                    out.copy(at, found, width);
                } else {
                    out.copy(at - 3 * same, found.earlier(same), width);
                }
                x = edge + found.pixels;
                self.note_edges(rows.data, row, start, line, edge + 1..x);
                continue;
            }
            out.run(start + 3 * x, same, x);
            let single = self.find_single(rows, at, here);
            if single.pixels > 0 {
                misses = 0;
                out.copy(at, single, width);
                x = edge + single.pixels;
            } else {
                misses += 1;
                let blind = 1 + (misses >> PATIENCE).min(RUN);
                x = width.min(edge + blind);
                (edge..x).for_each(|x| out.literal(start + 3 * x));
            }
        }
        out.settle();
    }

    /// Returns the longest match in the tables.
    #[inline]
    fn find(&self, rows: Rows<'_>, at: usize, here: u32) -> Match {
        let mut best = Match::default();
        if let Some(slot) = long_slot(rows.data, at) {
            let places = self.long[slot];
            for place in [places as u32, (places >> 32) as u32, (places >> 64) as u32, (places >> 96) as u32] {
                if !best.or(rows, at, here, place) {
                    break;
                }
            }
        }
        if best.pixels < LONG {
            let places = self.short[short_slot(rows.data, at)];
            for place in [places as u32, (places >> 32) as u32] {
                if !best.or(rows, at, here, place) {
                    break;
                }
            }
        }
        best
    }

    /// Returns the last position of this single pixel, and records the current one.
    #[inline]
    fn find_single(&mut self, rows: Rows<'_>, at: usize, here: u32) -> Match {
        let [a, b, c] = [rows.data[at], rows.data[at + 1], rows.data[at + 2]];
        let slot = &mut self.single[hash(u64::from(u32::from_be_bytes([a, b, c, 0]))) as usize];
        let mut found = Match::default();
        found.or(rows, at, here, std::mem::replace(slot, here));
        found
    }

    #[inline]
    fn note(&mut self, data: &[u8], at: usize, here: u32) {
        let places = &mut self.short[short_slot(data, at)];
        *places = *places << 32 | u64::from(here);
        if let Some(slot) = long_slot(data, at) {
            let places = &mut self.long[slot];
            *places = *places << 32 | u128::from(here);
        }
    }

    /// Records the edges among columns that were copied.
    #[inline]
    fn note_edges(&mut self, data: &[u8], row: &[u8], start: usize, line: usize, columns: std::ops::Range<usize>) {
        let mut x = columns.start;
        loop {
            x += run(row, x);
            if x >= columns.end {
                break;
            }
            self.note(data, start + 3 * x, place(line, x));
            x += 1;
        }
    }
}

impl Match {
    /// Replaces the match by `place` if that is longer. Returns false if `place` is out of reach, which means that all
    /// older positions are too.
    #[inline]
    fn or(&mut self, rows: Rows<'_>, at: usize, here: u32, place: u32) -> bool {
        let column_of = |place: u32| (place & (WIDEST as u32 - 1)) as usize;
        let lines = ((here >> COLUMN_BITS) - (place >> COLUMN_BITS)) as usize;
        let (x, column) = (column_of(here), column_of(place));
        let back = lines * rows.row_bytes() + 3 * x - 3 * column;
        if back + lines > WINDOW {
            return false;
        }
        let source = at - back;
        let most = MAX_COPY.min(3 * (rows.width - x.max(column)));
        let next = 3 * self.pixels;
        let data = rows.data;
        // A match that is no longer than the best differs from it at the next pixel at the latest, so one comparison
        // rejects it.
        if next < most && data[at + next..at + next + 3] == data[source + next..source + next + 3] {
            let pixels = common(&data[at..at + most], &data[source..source + most]) / 3;
            if pixels > self.pixels {
                *self = Self { pixels, distance: back + lines, back, column };
            }
        }
        true
    }

    /// Returns how many of the `same` pixels before `at`, which have one colour, also precede the source. Returns 0 if
    /// all of them would make the copy too long, or if the source has fewer pixels before it.
    #[inline]
    fn run_before(&self, data: &[u8], at: usize, same: usize) -> usize {
        if self.pixels + same > RUN || self.column < same {
            return 0;
        }
        let pixel = |end: usize| &data[end - 3..end];
        (0..same).take_while(|n| pixel(at - 3 * n) == pixel(at - self.back - 3 * n)).count()
    }

    /// Returns the match extended by `pixels` at its start.
    #[inline]
    fn earlier(self, pixels: usize) -> Self {
        Self { pixels: self.pixels + pixels, column: self.column - pixels, ..self }
    }
}

/// Writes the tokens of one row. It holds a literal pixel back until the next token is known. A copy before or behind
/// the literal then takes over bytes that match: often two of the three, because neighbouring colours of a gradient
/// differ in one channel.
struct RowWriter<'a> {
    data: &'a [u8],
    block: &'a mut Block,
    /// The literal bytes held back; empty if none are.
    held: std::ops::Range<usize>,
    /// Distance in memory of the last token if it is a copy that can be lengthened, else 0.
    back: usize,
}

impl<'a> RowWriter<'a> {
    fn new(data: &'a [u8], block: &'a mut Block) -> Self {
        Self { data, block, held: 0..0, back: 0 }
    }

    /// Writes `pixels` pixels of the colour before column `x`.
    #[inline]
    fn run(&mut self, at: usize, pixels: usize, x: usize) {
        if pixels > 0 {
            self.copied(at, 3 * pixels, 3, 3, x > 1);
        }
    }

    #[inline]
    fn copy(&mut self, at: usize, found: Match, width: usize) {
        self.copied(at, 3 * found.pixels, found.distance, found.back, found.column > 0);
        if found.column + found.pixels == width {
            // The copy ends at the end of the source row, where the next byte in the stream (a filter) is not the next
            // byte in memory.
            self.back = 0;
        }
    }

    /// Writes a copy. `before` says whether the source has a preceding pixel in its row.
    #[inline]
    fn copied(&mut self, at: usize, length: usize, distance: usize, back: usize, before: bool) {
        let mut along = 0;
        if !self.held.is_empty() {
            if before && length + 2 <= MAX_COPY {
                let most = self.held.len().min(2);
                along = (1..=most).take_while(|n| self.data[at - n] == self.data[at - n - back]).count();
            }
            self.held.end -= along;
            self.settle();
        }
        self.block.copy(length + along, distance);
        self.back = if length + along + 2 <= MAX_COPY { back } else { 0 };
    }

    #[inline]
    fn literal(&mut self, at: usize) {
        let mut along = 0;
        if !self.held.is_empty() {
            self.settle();
        } else if self.back > 0 {
            along = (0..2).take_while(|n| self.data[at + n] == self.data[at + n - self.back]).count();
            if along > 0 {
                self.block.lengthen(along);
            }
        }
        self.held = at + along..at + 3;
        self.back = 0;
    }

    /// Writes the bytes held back.
    #[inline]
    fn settle(&mut self) {
        match &self.data[std::mem::take(&mut self.held)] {
            &[a, b, c] => self.block.triple([a, b, c]),
            bytes => bytes.iter().for_each(|byte| self.block.byte(*byte)),
        }
    }
}

#[inline]
fn place(line: usize, column: usize) -> u32 {
    debug_assert!(line < LINES && column < WIDEST);
    (line << COLUMN_BITS | column) as u32
}

/// Fibonacci hashing: the high bits of the product with the golden ratio.
#[inline]
fn hash(key: u64) -> u64 {
    key.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> (64 - SLOT_BITS)
}

#[inline]
fn short_slot(data: &[u8], at: usize) -> usize {
    let key = match data.get(at..at + 8) {
        Some(bytes) => u64_of(bytes) << 16,
        None => {
            let left = &data[at..data.len().min(at + 6)];
            let mut bytes = [0; 8];
            bytes[2..2 + left.len()].copy_from_slice(left);
            u64_of(&bytes)
        }
    };
    hash(key) as usize
}

/// Returns `None` if fewer than 16 bytes follow.
#[inline]
fn long_slot(data: &[u8], at: usize) -> Option<usize> {
    let bytes = data.get(at..at + 16)?;
    Some(hash(u64_of(&bytes[..8]) ^ u64_of(&bytes[8..]).wrapping_mul(0xC2B2_AE3D_27D4_EB4F)) as usize)
}

/// Reads the first eight bytes.
#[inline]
fn u64_of(bytes: &[u8]) -> u64 {
    u64::from_le_bytes(bytes[..8].try_into().expect("eight bytes"))
}

/// Returns the number of pixels from `x` on that equal the pixel before `x`; 0 beyond the row.
#[inline]
fn run(row: &[u8], x: usize) -> usize {
    let at = 3 * x;
    if at + 8 <= row.len() {
        // Most runs end within the first eight bytes.
        let differ = u64_of(&row[at..]) ^ u64_of(&row[at - 3..]);
        if differ != 0 {
            return differ.trailing_zeros() as usize / 24;
        }
    } else if at >= row.len() {
        return 0;
    }
    common(&row[at..], &row[at - 3..row.len() - 3]) / 3
}

/// Returns the length of the common prefix of two slices of equal length.
#[inline]
fn common(a: &[u8], b: &[u8]) -> usize {
    let ((blocks, _), (others, _)) = (a.as_chunks::<32>(), b.as_chunks::<32>());
    let mut n = 32 * blocks.iter().zip(others).take_while(|(a, b)| a == b).count();
    while n + 8 <= a.len() {
        let differ = u64_of(&a[n..]) ^ u64_of(&b[n..]);
        if differ != 0 {
            return n + differ.trailing_zeros() as usize / 8;
        }
        n += 8;
    }
    n + a[n..].iter().zip(&b[n..]).take_while(|(a, b)| a == b).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lengths_in_common() {
        let a: Vec<u8> = (0..100).collect();
        for n in 0..100 {
            let mut b = a.clone();
            b[n] = 200;
            assert_eq!(common(&a, &b), n);
            assert_eq!(common(&a[..n], &b[..n]), n);
        }
    }

    #[test]
    fn runs_end_where_colours_change() {
        let mut row = [1, 2, 3].repeat(40);
        assert_eq!((run(&row, 1), run(&row, 39), run(&row, 40)), (39, 1, 0));
        row[3 * 20 + 2] = 9;
        assert_eq!((run(&row, 1), run(&row, 20), run(&row, 21), run(&row, 22)), (19, 0, 0, 18));
    }
}
