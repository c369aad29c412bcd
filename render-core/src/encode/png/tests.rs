use std::io::Read as _;

use proptest::prelude::*;

use super::*;

/// The content of a picture.
#[derive(Debug, Clone, Copy)]
enum Shows {
    Flat,
    /// Diagonal bands of one colour each.
    Gradient,
    Dithered,
    /// Few colours in small shapes that repeat.
    Glyphs,
    Photograph,
    Noise,
    /// All of these, one below the other.
    Mixed,
}

fn shows() -> impl Strategy<Value = Shows> {
    use Shows::*;
    proptest::sample::select(vec![Flat, Gradient, Dithered, Glyphs, Photograph, Noise, Mixed])
}

/// Hashes a number.
fn mix(n: u64) -> u64 {
    let n = (n ^ n >> 31).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    (n ^ n >> 29).wrapping_mul(0xBF58_476D_1CE4_E5B9) >> 32
}

fn pixel(shows: Shows, seed: u64, x: u64, y: u64) -> [u8; 3] {
    let chance = |x: u64, y: u64| mix(seed ^ x << 40 ^ y << 16);
    let slope = 5 + seed % 40;
    match shows {
        Shows::Flat => [seed as u8, (seed >> 8) as u8, 7],
        Shows::Gradient => [((x + y) / slope) as u8, (x / slope / 2) as u8, (seed >> 16) as u8],
        Shows::Dithered => {
            let threshold = (x % 8 * 5 + y % 8 * 3) % 8;
            [1, 2, 3].map(|c| ((x + y) * 8 / slope / c + threshold) as u8 / 8)
        }
        Shows::Glyphs if chance(x / 11, y / 13) % 5 > 2 => [250; 3],
        Shows::Glyphs => [mix(seed ^ (x % 11) << 8 ^ (y % 13)) as u8 / 40 * 40, 9, 9],
        Shows::Photograph => [0, 1, 2].map(|c| (x / 3 + y / 2 + chance(x, y ^ c << 8) % 6) as u8),
        Shows::Noise => [0, 1, 2].map(|c| chance(x, y ^ c << 10) as u8),
        Shows::Mixed => {
            let each = [Shows::Glyphs, Shows::Photograph, Shows::Gradient, Shows::Flat, Shows::Noise, Shows::Dithered];
            pixel(each[(y / 24 % 6) as usize], seed, x, y)
        }
    }
}

fn picture(shows: Shows, seed: u64, width: u32, height: u32) -> Vec<u8> {
    let (width, height) = (u64::from(width), u64::from(height));
    (0..height).flat_map(|y| (0..width).flat_map(move |x| pixel(shows, seed, x, y))).collect()
}

/// Decodes with the `png` crate, which inflates with `fdeflate`.
fn decoded(file: &[u8]) -> Vec<u8> {
    let mut decoder = png::Decoder::new(std::io::Cursor::new(file));
    decoder.set_ignore_text_chunk(true);
    let mut reader = decoder.read_info().unwrap();
    let mut data = vec![0; reader.output_buffer_size().unwrap()];
    let info = reader.next_frame(&mut data).unwrap();
    assert_eq!((info.color_type, info.bit_depth), (png::ColorType::Rgb, png::BitDepth::Eight));
    reader.finish().unwrap();
    data
}

/// Inflates the stream of all IDAT chunks with another library, which also checks the checksum at its end.
fn stream(file: &[u8]) -> Vec<u8> {
    let (mut zlib, mut rest) = (Vec::new(), &file[8..]);
    while let Some((length, chunk)) = rest.split_first_chunk::<4>() {
        let length = u32::from_be_bytes(*length) as usize;
        if &chunk[..4] == b"IDAT" {
            zlib.extend_from_slice(&chunk[4..4 + length]);
        }
        rest = &chunk[length + 8..];
    }
    let mut out = Vec::new();
    flate2::read::ZlibDecoder::new(&zlib[..]).read_to_end(&mut out).unwrap();
    out
}

fn comes_back(width: u32, height: u32, data: &[u8]) -> Vec<u8> {
    let file = fast(width, height, data).unwrap();
    assert!(decoded(&file) == data, "{width}×{height}");
    assert_eq!(stream(&file).len(), (width as usize * 3 + 1) * height as usize);
    file
}

fn pool(threads: usize) -> rayon::ThreadPool {
    rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 96, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn pictures_come_back(shows in shows(), width in 1_u32..400, height in 1_u32..200, seed: u64) {
        comes_back(width, height, &picture(shows, seed, width, height));
    }

    #[test]
    fn narrow_and_wide_pictures_come_back(shows in shows(), seed: u64, narrow in 1_u32..4, long in 5_000_u32..16_000) {
        comes_back(narrow, long, &picture(shows, seed, narrow, long));
        comes_back(long, narrow, &picture(shows, seed, long, narrow));
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 8, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn threads_do_not_show(shows in shows(), seed: u64) {
        let (width, height) = (700, 1_000);
        let data = picture(shows, seed, width, height);
        let one = pool(1).install(|| comes_back(width, height, &data));
        prop_assert!(one == pool(4).install(|| fast(width, height, &data).unwrap()));
    }
}

#[test]
fn rows_wider_than_columns_can_be_numbered_come_back() {
    let (width, height) = (matches::WIDEST as u32 + 9, 4);
    for shows in [Shows::Flat, Shows::Glyphs, Shows::Photograph] {
        comes_back(width, height, &picture(shows, 5, width, height));
    }
}

#[test]
fn sizes_stay_where_they_should() {
    let (width, height) = (800, 600);
    let raw = (width * height * 3) as f64;
    let share = |shows| comes_back(width, height, &picture(shows, 11, width, height)).len() as f64 / raw;
    // The measured share plus about a tenth.
    for (shows, most) in [
        (Shows::Flat, 0.0020),
        (Shows::Gradient, 0.049),
        (Shows::Dithered, 0.0135),
        (Shows::Glyphs, 0.021),
        (Shows::Photograph, 0.46),
    ] {
        assert!(share(shows) < most, "{shows:?}: {}", share(shows));
    }
    assert!(share(Shows::Noise) < 1.002, "where nothing can be won, nothing is lost");
}
