//! Writes bits to bytes, the lowest bit first (RFC 1951, section 3.1.1).

/// A byte buffer that is written bit by bit.
#[derive(Debug, Default)]
pub struct BitWriter {
    out: Vec<u8>,
    /// Bits that don't fill a byte yet: fewer than 8 between calls.
    held: u64,
    count: u32,
}

impl BitWriter {
    /// Continues behind `out`, which ends at a byte boundary.
    pub fn after(out: Vec<u8>) -> Self {
        Self { out, held: 0, count: 0 }
    }

    /// Appends the lowest `count` bits of `bits`, at most 56. All other bits must be 0.
    #[inline]
    pub fn put(&mut self, bits: u64, count: u32) {
        debug_assert!(count <= 56 && bits >> count == 0);
        self.held |= bits << self.count;
        self.count += count;
        let whole = (self.count / 8) as usize;
        let end = self.out.len() + whole;
        // Writes all eight bytes and truncates the incomplete ones, which needs no loop and no branch.
        self.out.extend_from_slice(&self.held.to_le_bytes());
        self.out.truncate(end);
        self.held = self.held.checked_shr(whole as u32 * 8).unwrap_or(0);
        self.count %= 8;
    }

    /// Fills the last byte with zero bits.
    pub fn align(&mut self) {
        self.put(0, (8 - self.count) % 8);
    }

    /// Appends whole bytes.
    pub fn bytes(&mut self, bytes: &[u8]) {
        debug_assert!(self.count == 0, "only behind whole bytes");
        self.out.extend_from_slice(bytes);
    }

    /// Returns all bytes; an incomplete last byte is filled with zero bits.
    pub fn finish(mut self) -> Vec<u8> {
        self.align();
        self.out
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_lowest_bit_comes_first() {
        let mut bits = BitWriter::after(vec![9]);
        bits.put(0b101, 3);
        bits.put(0, 1);
        bits.put(0x00AB_CDEF_0123_4567, 56);
        bits.put(1, 1);
        assert_eq!(bits.finish(), [9, 0x75, 0x56, 0x34, 0x12, 0xF0, 0xDE, 0xBC, 0x1A]);
    }

    #[test]
    fn eight_whole_bytes_at_once_leave_nothing() {
        let mut bits = BitWriter::default();
        bits.put(0x7F, 7);
        bits.put((1 << 56) - 1, 56);
        bits.put(1, 1);
        bits.align();
        bits.bytes(&[3]);
        assert_eq!(bits.finish(), [255, 255, 255, 255, 255, 255, 255, 255, 3]);
    }
}
