//! Pseudo-random numbers and hashes that are the same on every machine and in every version: designs and stored pages
//! depend on their values. They are predictable, so they protect nothing.

/// The increment of the generator's state: 2⁶⁴ divided by the golden ratio. Its multiples differ in all bits, so it also
/// separates the seeds of numbered things.
pub(crate) const STEP: u64 = 0x9e37_79b9_7f4a_7c15;

/// A seeded random number generator: SplitMix64 (Steele, Lea, Flood 2014).
#[derive(Debug, Clone)]
pub struct Chance(u64);

impl Chance {
    /// Creates a generator. The same seed gives the same numbers.
    pub fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// Returns the next number.
    pub fn number(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(STEP);
        mixed(self.0)
    }

    /// Returns a number from 0 to 1, excluding 1.
    pub fn unit(&mut self) -> f32 {
        (self.number() >> 40) as f32 / (1u64 << 24) as f32
    }

    /// Returns a number between `a` and `b`.
    pub fn range(&mut self, a: f32, b: f32) -> f32 {
        a + (b - a) * self.unit()
    }

    /// Returns a number from 0 to `n`, excluding `n`; 0 if `n` is 0.
    pub fn below(&mut self, n: usize) -> usize {
        (self.number() % n.max(1) as u64) as usize
    }

    /// Returns one item of `all`, which must not be empty.
    pub fn of<T: Copy>(&mut self, all: &[T]) -> T {
        all[self.below(all.len())]
    }
}

/// The output function of SplitMix64: spreads every bit of the state over the whole number.
pub(crate) fn mixed(state: u64) -> u64 {
    let z = (state ^ (state >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

/// Returns the FNV-1a hash of a text (Fowler, Noll, Vo 1991).
pub(crate) fn fnv1a(text: &str) -> u64 {
    text.bytes().fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_numbers_are_those_of_the_papers() {
        let mut chance = Chance::new(0);
        // The first outputs of the reference implementation in C.
        assert_eq!([chance.number(), chance.number()], [0xe220_a839_7b1d_cdaf, 0x6e78_9e6a_a1b9_65f4]);
        assert_eq!((fnv1a(""), fnv1a("a")), (0xcbf2_9ce4_8422_2325, 0xaf63_dc4c_8601_ec8c));
    }

    #[test]
    fn numbers_are_within_their_range() {
        let mut chance = Chance::new(7);
        assert!((0..1_000).all(|_| (0.0..1.0).contains(&chance.unit())));
        assert!((0..1_000).all(|_| chance.below(3) < 3 && chance.below(0) == 0));
    }
}
