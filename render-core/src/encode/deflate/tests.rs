use std::io::Read as _;

use proptest::prelude::*;

use super::*;

/// A call to the writer; it stands for certain bytes.
#[derive(Debug, Clone)]
enum Said {
    Byte(u8),
    Triple([u8; 3]),
    /// Length, and distance as a share of the bytes so far.
    Copy(usize, u16),
    Repeat(u8, usize),
    NextBlock,
    Sync,
}

fn said() -> impl Strategy<Value = Said> {
    prop_oneof![
        4 => any::<u8>().prop_map(Said::Byte),
        4 => any::<[u8; 3]>().prop_map(Said::Triple),
        8 => (MIN_COPY..=MAX_COPY, any::<u16>()).prop_map(|(l, d)| Said::Copy(l, d)),
        2 => (any::<u8>(), 0_usize..1_200).prop_map(|(b, n)| Said::Repeat(b, n)),
        1 => Just(Said::NextBlock),
        1 => Just(Said::Sync),
    ]
}

fn inflate(stream: &[u8]) -> Vec<u8> {
    let mut out = Vec::new();
    flate2::read::DeflateDecoder::new(stream).read_to_end(&mut out).unwrap();
    out
}

#[test]
fn lengths_and_distances_as_the_table_says() {
    // Rows of the tables in RFC 1951: a length or a distance, with its symbol and number of extra bits.
    for (length, symbol, bits) in [
        (3, 257, 0),
        (10, 264, 0),
        (11, 265, 1),
        (12, 265, 1),
        (18, 268, 1),
        (130, 280, 4),
        (257, 284, 5),
        (258, 285, 0),
    ] {
        assert_eq!((LENGTHS[length - 3].0, LENGTHS[length - 3].1), (symbol, bits), "{length}");
    }
    for (distance, symbol, bits) in
        [(1, 0, 0), (4, 3, 0), (5, 4, 1), (24, 8, 3), (25, 9, 3), (6145, 25, 11), (24_577, 29, 13), (32_768, 29, 13)]
    {
        let (s, b, _) = distance_symbol(distance - 1);
        assert_eq!((s, b), (symbol, bits), "{distance}");
    }
}

#[test]
fn an_empty_stream_is_one() {
    let mut bits = BitWriter::default();
    Block::default().write(&mut bits, true);
    assert!(inflate(&bits.finish()).is_empty());
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 96, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn what_is_said_is_read(all in proptest::collection::vec(said(), 0..400)) {
        let (mut block, mut bits, mut plain) = (Block::default(), BitWriter::default(), Vec::<u8>::new());
        for one in all {
            match one {
                Said::Byte(b) => {
                    block.byte(b);
                    plain.push(b);
                }
                Said::Triple(t) => {
                    block.triple(t);
                    plain.extend(t);
                }
                Said::Copy(length, share) if !plain.is_empty() => {
                    let distance = 1 + usize::from(share) * (plain.len().min(WINDOW) - 1) / usize::from(u16::MAX);
                    let longer = length.min(MAX_COPY - 2);
                    block.copy(longer, distance);
                    block.lengthen(2);
                    (0..longer + 2).for_each(|_| plain.push(plain[plain.len() - distance]));
                }
                Said::Copy(..) => {}
                Said::Repeat(b, n) => {
                    block.repeat(b, n);
                    plain.extend(std::iter::repeat_n(b, n));
                }
                Said::NextBlock => block.write(&mut bits, false),
                Said::Sync => {
                    block.write(&mut bits, false);
                    sync(&mut bits);
                }
            }
        }
        block.write(&mut bits, true);
        prop_assert_eq!(inflate(&bits.finish()), plain);
    }
}
