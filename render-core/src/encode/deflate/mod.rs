//! A DEFLATE writer (RFC 1951): it gathers literals and copies into blocks, each with its own prefix codes.
//!
//! The caller finds the copies; see `png::matches`.

mod bits;
mod huffman;

pub use bits::BitWriter;

/// The longest copy, in bytes.
pub const MAX_COPY: usize = 258;
/// The shortest copy, in bytes.
pub const MIN_COPY: usize = 3;
/// The largest distance of a copy, in bytes.
pub const WINDOW: usize = 1 << 15;

/// The symbol that ends a block.
const END: usize = 256;
/// Symbol, number of extra bits and the extra bits of a copy's length, indexed by the length minus 3 (RFC 1951, section
/// 3.2.5).
const LENGTHS: [(u16, u8, u8); 256] = length_symbols();
/// The order of the lengths in the code for code lengths (section 3.2.7).
const LENGTH_ORDER: [usize; 19] = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15];

/// A token is one byte, three literal bytes at once, or a copy. A copy holds its length minus 3 from bit 16 up, and its
/// distance minus 1 below.
const TRIPLE: u32 = 1 << 30;
const COPY: u32 = 1 << 31;

const fn length_symbols() -> [(u16, u8, u8); 256] {
    let mut table = [(0, 0, 0); 256];
    let mut over = 0;
    while over < 256 {
        let bits: u32 = if over < 8 { 0 } else { (over as u32).ilog2() - 2 };
        let symbol = END + 1 + 4 * bits as usize + (over >> bits);
        table[over] = (symbol as u16, bits as u8, (over & ((1 << bits) - 1)) as u8);
        over += 1;
    }
    // The longest length has a symbol of its own.
    table[255] = (285, 0, 0);
    table
}

/// Returns the symbol of a distance (passed minus 1), the number of its extra bits, and those bits (section 3.2.5).
#[inline]
fn distance_symbol(over: u32) -> (usize, u32, u32) {
    if over < 4 {
        return (over as usize, 0, 0);
    }
    let bits = over.ilog2() - 1;
    ((2 * bits + (over >> bits)) as usize, bits, over & ((1 << bits) - 1))
}

/// Literals and copies that share prefix codes.
#[derive(Debug)]
pub struct Block {
    tokens: Vec<u32>,
    literals: [u32; 286],
    distances: [u32; 30],
}

impl Default for Block {
    fn default() -> Self {
        Self { tokens: Vec::new(), literals: [0; 286], distances: [0; 30] }
    }
}

impl Block {
    /// Returns the number of tokens.
    pub fn len(&self) -> usize {
        self.tokens.len()
    }

    /// Appends a literal byte.
    #[inline]
    pub fn byte(&mut self, byte: u8) {
        self.literals[usize::from(byte)] += 1;
        self.tokens.push(u32::from(byte));
    }

    /// Appends three literal bytes.
    #[inline]
    pub fn triple(&mut self, [a, b, c]: [u8; 3]) {
        for byte in [a, b, c] {
            self.literals[usize::from(byte)] += 1;
        }
        self.tokens.push(TRIPLE | u32::from_le_bytes([a, b, c, 0]));
    }

    /// Appends a copy of `length` bytes (3–258) from `distance` bytes back (1–32,768).
    #[inline]
    pub fn copy(&mut self, length: usize, distance: usize) {
        debug_assert!((MIN_COPY..=MAX_COPY).contains(&length) && (1..=WINDOW).contains(&distance));
        let (over, back) = ((length - MIN_COPY) as u8, (distance - 1) as u16);
        self.literals[usize::from(LENGTHS[usize::from(over)].0)] += 1;
        self.distances[distance_symbol(u32::from(back)).0] += 1;
        self.tokens.push(COPY | u32::from(over) << 16 | u32::from(back));
    }

    /// Lengthens the last token, a copy, by `by` bytes. The result must be at most 258 long.
    #[inline]
    pub fn lengthen(&mut self, by: usize) {
        let Some(token) = self.tokens.last_mut() else { return };
        let over = (*token >> 16 & 0xFF) as usize;
        debug_assert!(*token & COPY != 0 && over + by < 256);
        self.literals[usize::from(LENGTHS[over].0)] -= 1;
        self.literals[usize::from(LENGTHS[over + by].0)] += 1;
        *token += (by as u32) << 16;
    }

    /// Appends `byte`, `count` times.
    pub fn repeat(&mut self, byte: u8, count: usize) {
        let mut left = count;
        if left > MIN_COPY {
            self.byte(byte);
            left -= 1;
            while left >= MIN_COPY {
                // Shortens this copy if the remainder would otherwise be too short to copy.
                let rest = left.saturating_sub(MAX_COPY);
                let length = left.min(MAX_COPY) - if (1..MIN_COPY).contains(&rest) { MIN_COPY - rest } else { 0 };
                self.copy(length, 1);
                left -= length;
            }
        }
        (0..left).for_each(|_| self.byte(byte));
    }

    /// Writes the block and empties it. `last` marks the last block of a stream.
    pub fn write(&mut self, bits: &mut BitWriter, last: bool) {
        self.literals[END] = 1;
        let (mut lengths, mut codes) = ([0; 286], [0; 286]);
        huffman::lengths(&self.literals, 15, &mut lengths);
        huffman::codes(&lengths, &mut codes);
        let (mut distance_lengths, mut distance_codes) = ([0; 30], [0; 30]);
        huffman::lengths(&self.distances, 15, &mut distance_lengths);
        huffman::codes(&distance_lengths, &mut distance_codes);
        write_codes(bits, last, &lengths, &distance_lengths);

        let coded = |symbol: usize| (u64::from(codes[symbol]), u32::from(lengths[symbol]));
        let literals: [(u64, u32); 256] = std::array::from_fn(coded);
        let copies: [(u64, u32); 256] = std::array::from_fn(|over| {
            let (symbol, extra, value) = LENGTHS[over];
            let (code, length) = coded(usize::from(symbol));
            (code | u64::from(value) << length, length + u32::from(extra))
        });
        for &token in &self.tokens {
            let [a, b, c, _] = token.to_le_bytes().map(usize::from);
            if token & COPY != 0 {
                let (code, length) = copies[c];
                let (symbol, extra, value) = distance_symbol(token & 0x7FFF);
                let (far, n) = (u64::from(distance_codes[symbol]), u32::from(distance_lengths[symbol]));
                bits.put(code | (far | u64::from(value) << n) << length, length + n + extra);
            } else if token & TRIPLE != 0 {
                let ((a, la), (b, lb), (c, lc)) = (literals[a], literals[b], literals[c]);
                bits.put(a | (b | c << lb) << la, la + lb + lc);
            } else {
                let (code, length) = literals[a];
                bits.put(code, length);
            }
        }
        let (code, length) = coded(END);
        bits.put(code, length);
        self.tokens.clear();
        self.literals.fill(0);
        self.distances.fill(0);
    }
}

/// Writes an empty stored block that ends at a byte boundary (section 3.2.4), so that the following data can be written
/// separately.
pub fn sync(bits: &mut BitWriter) {
    bits.put(0, 3);
    bits.align();
    bits.bytes(&[0, 0, 0xFF, 0xFF]);
}

/// Writes the header of a block with its own codes (section 3.2.7).
fn write_codes(bits: &mut BitWriter, last: bool, literals: &[u8; 286], distances: &[u8; 30]) {
    let used = |lengths: &[u8]| lengths.iter().rposition(|l| *l > 0).map_or(0, |i| i + 1);
    let (literals, distances) = (&literals[..used(literals)], &distances[..used(distances).max(1)]);
    let all: Vec<u8> = literals.iter().chain(distances).copied().collect();
    let runs = code_lengths(&all);
    let mut counts = [0; 19];
    for (symbol, ..) in &runs {
        counts[*symbol] += 1;
    }
    let (mut lengths, mut codes) = ([0; 19], [0; 19]);
    huffman::lengths(&counts, 7, &mut lengths);
    huffman::codes(&lengths, &mut codes);
    let order = LENGTH_ORDER.map(|symbol| lengths[symbol]);
    let order = &order[..used(&order).max(4)];

    bits.put(u64::from(last) | 2 << 1, 3);
    bits.put((literals.len() - 257) as u64, 5);
    bits.put((distances.len() - 1) as u64, 5);
    bits.put((order.len() - 4) as u64, 4);
    order.iter().for_each(|length| bits.put(u64::from(*length), 3));
    for (symbol, value, extra) in runs {
        bits.put(u64::from(codes[symbol]), u32::from(lengths[symbol]));
        bits.put(value as u64, extra);
    }
}

/// Run-length encodes code lengths: symbol, extra bits, number of extra bits.
fn code_lengths(lengths: &[u8]) -> Vec<(usize, usize, u32)> {
    let mut out = Vec::new();
    for run in lengths.chunk_by(|a, b| a == b) {
        let symbol = usize::from(run[0]);
        let mut left = run.len();
        if symbol > 0 {
            out.push((symbol, 0, 0));
            left -= 1;
        }
        while left > 0 {
            let (token, taken) = match (symbol, left) {
                (0, 11..) => ((18, left.min(138) - 11, 7), left.min(138)),
                (0, 3..) => ((17, left - 3, 3), left),
                (1.., 3..) => ((16, left.min(6) - 3, 2), left.min(6)),
                _ => ((symbol, 0, 0), 1),
            };
            out.push(token);
            left -= taken;
        }
    }
    out
}

#[cfg(test)]
mod tests;
