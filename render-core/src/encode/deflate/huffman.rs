//! Prefix codes: code lengths from symbol counts, and canonical codes from lengths (RFC 1951, section 3.2.2).

/// Fills `out` with the code length of each symbol: at most `limit` bits, 0 for a symbol that doesn't occur.
///
/// The lengths are Huffman's (two queues over sorted counts). Codes deeper than `limit` are cut to `limit`; lengthening
/// the longest code below `limit` makes room for them. This is a few bits worse than the optimal limited code, in a
/// case that hardly ever occurs.
pub fn lengths(counts: &[u32], limit: u32, out: &mut [u8]) {
    out.fill(0);
    let mut used: Vec<(u32, u16)> =
        counts.iter().zip(0_u16..).filter(|(count, _)| **count > 0).map(|(count, symbol)| (*count, symbol)).collect();
    let leaves = used.len();
    if leaves < 2 {
        // A code of one symbol still takes a bit.
        used.iter().for_each(|(_, symbol)| out[usize::from(*symbol)] = 1);
        return;
    }
    used.sort_unstable();

    // Nodes: the leaves by rising count, then the inner nodes in order of creation, in which their counts rise too.
    let nodes = 2 * leaves - 1;
    let mut weights: Vec<u32> = used.iter().map(|(count, _)| *count).collect();
    let mut parents = vec![0; nodes];
    let (mut leaf, mut inner) = (0, leaves);
    for node in leaves..nodes {
        let mut weight = 0;
        for _ in 0..2 {
            let lightest = if leaf < leaves && (inner >= node || weights[leaf] <= weights[inner]) {
                leaf += 1;
                leaf - 1
            } else {
                inner += 1;
                inner - 1
            };
            parents[lightest] = node;
            weight += weights[lightest];
        }
        weights.push(weight);
    }

    let mut depths = vec![0_u32; nodes];
    let mut of_length = [0_u32; 16];
    for node in (0..nodes - 1).rev() {
        depths[node] = depths[parents[node]] + 1;
        if node < leaves {
            of_length[depths[node].min(limit) as usize] += 1;
        }
    }
    // The Kraft sum in units of the deepest code. Each step below reduces it by exactly one unit.
    let room = 1_u32 << limit;
    let mut taken: u32 = (1..=limit).map(|l| of_length[l as usize] << (limit - l)).sum();
    while taken > room {
        let longest = (1..limit).rev().find(|l| of_length[*l as usize] > 0).expect("fewer symbols than codes");
        of_length[longest as usize] -= 1;
        of_length[longest as usize + 1] += 2;
        of_length[limit as usize] -= 1;
        taken -= 1;
    }

    let mut symbols = used.iter().map(|(_, symbol)| usize::from(*symbol));
    for length in (1..=limit).rev() {
        for symbol in symbols.by_ref().take(of_length[length as usize] as usize) {
            out[symbol] = length as u8;
        }
    }
}

/// Fills `out` with the canonical codes of these lengths, bit-reversed: the first bit is the lowest, as DEFLATE writes
/// it.
pub fn codes(lengths: &[u8], out: &mut [u16]) {
    let mut of_length = [0_u16; 16];
    for &length in lengths.iter().filter(|l| **l > 0) {
        of_length[usize::from(length)] += 1;
    }
    let mut next = [0_u16; 16];
    for length in 1..16 {
        next[length] = (next[length - 1] + of_length[length - 1]) << 1;
    }
    for (code, &length) in out.iter_mut().zip(lengths).filter(|(_, l)| **l > 0) {
        *code = next[usize::from(length)].reverse_bits() >> (16 - u32::from(length));
        next[usize::from(length)] += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn of(counts: &[u32], limit: u32) -> Vec<u8> {
        let mut out = vec![0; counts.len()];
        lengths(counts, limit, &mut out);
        out
    }

    #[test]
    fn known_codes() {
        assert_eq!(of(&[0, 0, 0], 15), [0, 0, 0]);
        assert_eq!(of(&[0, 7, 0], 15), [0, 1, 0]);
        assert_eq!(of(&[1, 1, 2, 4], 15), [3, 3, 2, 1]);
        // The example in RFC 1951.
        let mut codes_of = [0; 8];
        codes(&[3, 3, 3, 3, 3, 2, 4, 4], &mut codes_of);
        let said = [0b010, 0b011, 0b100, 0b101, 0b110, 0b00, 0b1110, 0b1111];
        let lengths = [3, 3, 3, 3, 3, 2, 4, 4];
        let mirrored: Vec<u16> = codes_of.iter().zip(lengths).map(|(c, l)| c.reverse_bits() >> (16 - l)).collect();
        assert_eq!(mirrored, said);
    }

    #[test]
    fn counts_like_fibonaccis_go_no_deeper_than_the_limit() {
        let mut counts = vec![1, 1];
        while counts.len() < 30 {
            counts.push(counts[counts.len() - 1] + counts[counts.len() - 2]);
        }
        for limit in [7, 15] {
            let lengths = of(&counts[..if limit == 7 { 19 } else { 30 }], limit);
            assert_eq!(lengths.iter().map(|l| 1_u32 << (limit - u32::from(*l))).sum::<u32>(), 1 << limit);
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 64, failure_persistence: None, ..ProptestConfig::default() })]

        #[test]
        fn every_code_is_complete(counts in proptest::collection::vec(0_u32..9_000, 2..286)) {
            prop_assume!(counts.iter().filter(|c| **c > 0).count() > 1);
            let lengths = of(&counts, 15);
            let sum: u32 = lengths.iter().filter(|l| **l > 0).map(|l| 1 << (15 - u32::from(*l))).sum();
            prop_assert_eq!(sum, 1 << 15);
            for (a, &m) in counts.iter().zip(&lengths) {
                prop_assert_eq!(*a == 0, m == 0);
                for (b, &n) in counts.iter().zip(&lengths) {
                    prop_assert!(a <= b || n == 0 || m <= n, "what occurs more often is no longer");
                }
            }
        }
    }
}
