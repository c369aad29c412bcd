//! Encodes pixels as image files, and scales images down.
//!
//! Milliseconds and kilobytes on one core, for a slide of 2048×2560 with a diagonal gradient, cards, shadows and text,
//! and for a page of 1638×2048 from the gallery:
//!
//! | | slide | page |
//! |---|---|---|
//! | PNG, fast | 15, 419 | 5, 156 |
//! | PNG, smallest | 1,600, 373 | 540, 144 |
//! | JPEG, 92 | 24, 546 | 15, 311 |
//! | WebP, lossless | 28, 596 | 19, 159 |
//! | WebP, lossy, 90 | 122, 172 | 78, 95 |
//!
//! WebP is lossless by default: text stays exact at the size of a good JPEG. The JPEG times are not measured: they are
//! the times of the previous encoder, 52 and 32, divided by the speed-up that `jpeg.rs` measured for the present one.

mod deflate;
mod jpeg;
mod png;
mod thumbnail;
mod webp;

pub use thumbnail::{means, reduced_size, thumbnail};

use crate::cancel;
use crate::raster::Pixmap;

/// Quality of JPEG: above it, files grow faster than the error shrinks.
const JPEG_QUALITY: u8 = 92;

/// The image format of a finished file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum ImageFormat {
    /// Lossless, and the fastest to write.
    Png,
    /// Lossy at quality 92, without chroma subsampling.
    Jpeg,
    /// Lossless.
    Webp,
}

/// Why an image could not be encoded.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum EncodeError {
    /// The image has no pixels, its data are not `width × height × 3` bytes, or an edge exceeds the limit of the
    /// format.
    #[error("{format}: {bytes} bytes of pixels don't make a picture of {width}×{height}")]
    Size {
        /// The format's name.
        format: &'static str,
        /// Width in pixels.
        width: u32,
        /// Height in pixels.
        height: u32,
        /// Length of the pixel data.
        bytes: usize,
    },
    /// The encoder failed; the message is the encoder's own.
    #[error("{format}: {message}")]
    Encoder {
        /// The format's name.
        format: &'static str,
        /// The encoder's error message.
        message: String,
    },
}

impl ImageFormat {
    /// All formats.
    pub const ALL: [Self; 3] = [Self::Png, Self::Jpeg, Self::Webp];

    /// Parses `png`, `jpeg`, `jpg` or `webp`.
    pub fn from_name(name: &str) -> Option<Self> {
        match name {
            "png" => Some(Self::Png),
            "jpeg" | "jpg" => Some(Self::Jpeg),
            "webp" => Some(Self::Webp),
            _ => None,
        }
    }

    /// Returns `png`, `jpeg` or `webp`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Png => "png",
            Self::Jpeg => "jpeg",
            Self::Webp => "webp",
        }
    }

    /// Returns the media type.
    pub const fn mime(self) -> &'static str {
        match self {
            Self::Png => "image/png",
            Self::Jpeg => "image/jpeg",
            Self::Webp => "image/webp",
        }
    }

    /// Returns the extension of file names, without the dot.
    pub const fn extension(self) -> &'static str {
        match self {
            Self::Jpeg => "jpg",
            other => other.name(),
        }
    }
}

/// How much time the encoder may spend on a smaller file; the pixels are the same.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Effort {
    /// The least time that gives a good size.
    Fast,
    /// Dozens of times as long: the encoder tries several methods and keeps the smallest file.
    Smallest,
}

/// The encoding of an image file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Encoding {
    /// Lossless, opaque, eight bits per channel.
    Png(Effort),
    /// Lossy, without chroma subsampling.
    Jpeg {
        /// 1 to 100; values outside are clamped.
        quality: u8,
    },
    /// WebP's lossless mode.
    WebpLossless,
    /// WebP's lossy mode, with chroma at half the resolution.
    WebpLossy {
        /// 0 to 100; larger values are clamped.
        quality: u8,
    },
}

impl From<ImageFormat> for Encoding {
    fn from(format: ImageFormat) -> Self {
        match format {
            ImageFormat::Png => Self::Png(Effort::Fast),
            ImageFormat::Jpeg => Self::Jpeg { quality: JPEG_QUALITY },
            ImageFormat::Webp => Self::WebpLossless,
        }
    }
}

impl Encoding {
    /// Returns the image format of the encoding.
    pub const fn format(self) -> ImageFormat {
        match self {
            Self::Png(_) => ImageFormat::Png,
            Self::Jpeg { .. } => ImageFormat::Jpeg,
            Self::WebpLossless | Self::WebpLossy { .. } => ImageFormat::Webp,
        }
    }

    /// Returns the longest edge that the encoding can represent, in pixels.
    const fn max_edge(self) -> u32 {
        match self {
            Self::Png(_) => i32::MAX as u32,
            Self::Jpeg { .. } => u16::MAX as u32,
            Self::WebpLossless => 1 << 14,
            Self::WebpLossy { .. } => (1 << 14) - 1,
        }
    }
}

/// Encodes an image with the default encoding of its format: fast PNG, JPEG at quality 92, lossless WebP.
///
/// # Errors
/// As for [`encode_with`].
pub fn encode(pixmap: &Pixmap, format: ImageFormat) -> Result<Vec<u8>, EncodeError> {
    encode_with(pixmap, format.into())
}

/// Encodes an image. PNG is encoded on the threads of the current rayon pool; the number of threads doesn't change the
/// bytes.
///
/// # Errors
/// [`EncodeError::Size`] for a pixmap that is empty, inconsistent or too long for the format; [`EncodeError::Encoder`]
/// if the encoder fails, which is not expected.
pub fn encode_with(pixmap: &Pixmap, encoding: Encoding) -> Result<Vec<u8>, EncodeError> {
    let Pixmap { width, height, data } = pixmap;
    let (width, height) = (*width, *height);
    let format = encoding.format().name();
    let whole = (width as usize).checked_mul(height as usize).and_then(|n| n.checked_mul(3)) == Some(data.len());
    if !whole || width == 0 || height == 0 || width.max(height) > encoding.max_edge() {
        return Err(EncodeError::Size { format, width, height, bytes: data.len() });
    }
    let failed = |message: String| EncodeError::Encoder { format, message };
    cancel::check();
    match encoding {
        Encoding::Png(Effort::Fast) => png::fast(width, height, data).map_err(|e| failed(e.to_string())),
        Encoding::Png(Effort::Smallest) => png::smallest(width, height, data).map_err(|e| failed(e.to_string())),
        Encoding::Jpeg { quality } => {
            jpeg::bytes(width, height, data, quality.clamp(1, 100)).map_err(|e| failed(e.to_string()))
        }
        Encoding::WebpLossless => webp::lossless(width, height, data).map_err(|e| failed(e.to_string())),
        Encoding::WebpLossy { quality } => webp::lossy(width, height, data, quality).map_err(failed),
    }
}

/// Returns a pixmap of one colour, for the tests here and in `thumbnail`.
#[cfg(test)]
fn flat(width: u32, height: u32, rgb: [u8; 3]) -> Pixmap {
    Pixmap { width, height, data: rgb.repeat((width * height) as usize) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn noise(width: u32, height: u32, seed: u32) -> Pixmap {
        let mut state = seed | 1;
        let data = (0..width * height * 3)
            .map(|_| {
                state ^= state << 13;
                state ^= state >> 17;
                state ^= state << 5;
                (state >> 11) as u8
            })
            .collect();
        Pixmap { width, height, data }
    }

    fn decode_png(bytes: &[u8]) -> (Pixmap, bool) {
        let mut decoder = ::png::Decoder::new(std::io::Cursor::new(bytes));
        decoder.set_transformations(::png::Transformations::EXPAND);
        let mut reader = decoder.read_info().unwrap();
        let mut data = vec![0; reader.output_buffer_size().unwrap()];
        let info = reader.next_frame(&mut data).unwrap();
        assert_eq!(info.color_type, ::png::ColorType::Rgb);
        (Pixmap { width: info.width, height: info.height, data }, reader.info().srgb.is_some())
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 48, failure_persistence: None, ..ProptestConfig::default() })]

        #[test]
        fn lossless_formats_come_back(width in 1_u32..90, height in 1_u32..90, seed: u32) {
            let image = noise(width, height, seed);
            let (back, srgb) = decode_png(&encode(&image, ImageFormat::Png).unwrap());
            prop_assert_eq!(&back, &image);
            prop_assert!(srgb);

            let bytes = encode(&image, ImageFormat::Webp).unwrap();
            let mut decoder = image_webp::WebPDecoder::new(std::io::Cursor::new(bytes)).unwrap();
            prop_assert_eq!(decoder.dimensions(), (width, height));
            let mut data = vec![0; decoder.output_buffer_size().unwrap()];
            decoder.read_image(&mut data).unwrap();
            prop_assert_eq!(data, image.data);
        }

        #[test]
        fn jpeg_says_its_size(width in 1_u32..200, height in 1_u32..200) {
            let bytes = encode(&flat(width, height, [200, 30, 90]), ImageFormat::Jpeg).unwrap();
            prop_assert_eq!(&bytes[..3], &[0xFF, 0xD8, 0xFF]);
            prop_assert_eq!(&bytes[bytes.len() - 2..], &[0xFF, 0xD9]);
            let frame = bytes.windows(2).position(|w| w[0] == 0xFF && matches!(w[1], 0xC0..=0xC2)).unwrap();
            let at = |i: usize| u32::from(bytes[frame + i]) << 8 | u32::from(bytes[frame + i + 1]);
            prop_assert_eq!((at(7), at(5)), (width, height));
            // Three components with a sampling factor of 1×1 each.
            prop_assert_eq!([bytes[frame + 11], bytes[frame + 14], bytes[frame + 17]], [0x11; 3]);
        }

        #[test]
        fn jpeg_is_near_to_another_decoder(width in 1_u32..90, height in 1_u32..90, seed: u32) {
            let image = noise(width, height, seed);
            let best = encode_with(&image, Encoding::Jpeg { quality: 100 }).unwrap();
            let near = difference(&decode_jpeg(&best), &image.data);
            prop_assert!(near < 1.0, "{near}");
            // Where edges are no multiple of 8, the padding must not change the colour.
            let plain = flat(width, height, [seed as u8, (seed >> 8) as u8, (seed >> 16) as u8]);
            let back = decode_jpeg(&encode(&plain, ImageFormat::Jpeg).unwrap());
            let far = back.iter().zip(&plain.data).map(|(a, b)| a.abs_diff(*b)).max();
            prop_assert!(far <= Some(4), "{far:?}");
        }
    }

    /// Decodes a JPEG with a library that shares no code with the encoder.
    fn decode_jpeg(bytes: &[u8]) -> Vec<u8> {
        zune_jpeg::JpegDecoder::new(std::io::Cursor::new(bytes)).decode().unwrap()
    }

    #[test]
    fn jpeg_is_smaller_the_lower_its_quality() {
        let image = noise(70, 50, 5);
        let written = |quality| encode_with(&image, Encoding::Jpeg { quality }).unwrap();
        let sizes = [10, 50, 92, 100].map(|quality| written(quality).len());
        assert!(sizes.is_sorted_by(|a, b| a < b), "{sizes:?}");
        assert_eq!((written(0), written(255)), (written(1), written(100)));
    }

    #[test]
    fn jpeg_is_the_same_on_every_thread() {
        let image = noise(201, 97, 11);
        let alone = encode(&image, ImageFormat::Jpeg).unwrap();
        let same = || (0..20).all(|_| encode(&image, ImageFormat::Jpeg).unwrap() == alone);
        std::thread::scope(|scope| {
            let threads: Vec<_> = (0..4).map(|_| scope.spawn(same)).collect();
            assert!(threads.into_iter().all(|thread| thread.join().unwrap()));
        });
    }

    /// Returns the mean difference per channel, of 255.
    fn difference(a: &[u8], b: &[u8]) -> f64 {
        assert_eq!(a.len(), b.len());
        a.iter().zip(b).map(|(a, b)| f64::from(a.abs_diff(*b))).sum::<f64>() / a.len() as f64
    }

    #[test]
    fn the_smallest_png_shows_the_same() {
        let stripes = |y: u32| if y % 7 < 3 { [250, 240, 230] } else { [20, 30, 40] };
        let few = Pixmap { width: 90, height: 70, data: (0..90 * 70).flat_map(|i| stripes(i / 90)).collect() };
        let slope = Pixmap {
            width: 90,
            height: 70,
            data: (0..90 * 70_u32).flat_map(|i| [(i % 90 * 2) as u8, (i / 90 * 3) as u8, 9]).collect(),
        };
        for image in [few, slope, noise(60, 50, 3), flat(1, 1, [9; 3])] {
            let small = encode_with(&image, Encoding::Png(Effort::Smallest)).unwrap();
            assert!(small.len() <= encode(&image, ImageFormat::Png).unwrap().len());
            let (back, srgb) = decode_png(&small);
            assert_eq!((&back, srgb), (&image, true));
        }
        let mut mottled = noise(90, 80, 7);
        mottled.data.iter_mut().for_each(|v| *v = *v / 128 * 200);
        let small = encode_with(&mottled, Encoding::Png(Effort::Smallest)).unwrap();
        assert_eq!(small[25], 3, "eight colours are told by a palette");
        assert_eq!(decode_png(&small).0, mottled);
    }

    #[test]
    fn lossy_webp_is_smaller_and_near() {
        let data = (0..200 * 160_u32).flat_map(|i| [(i % 200) as u8, (i / 200) as u8, (i % 200 / 3 + i / 400) as u8]);
        let image = Pixmap { width: 200, height: 160, data: data.collect() };
        let read = |quality| {
            let bytes = encode_with(&image, Encoding::WebpLossy { quality }).unwrap();
            let mut decoder = image_webp::WebPDecoder::new(std::io::Cursor::new(&bytes)).unwrap();
            assert_eq!((decoder.dimensions(), decoder.is_lossy()), ((200, 160), true));
            let mut data = vec![0; decoder.output_buffer_size().unwrap()];
            decoder.read_image(&mut data).unwrap();
            (bytes.len(), difference(&data, &image.data))
        };
        let ((coarse, off), (fine, near)) = (read(20), read(92));
        assert!(coarse < fine && near < off, "{coarse} {off}, {fine} {near}");
        assert!(near < 2.0, "{near}");
        assert_eq!(read(255), read(100));
    }

    #[test]
    fn names_round_trip() {
        for format in ImageFormat::ALL {
            assert_eq!(ImageFormat::from_name(format.name()), Some(format));
            assert_eq!(ImageFormat::from_name(format.extension()), Some(format));
            assert!(format.mime().starts_with("image/"));
        }
        assert_eq!(ImageFormat::from_name("gif"), None);
    }

    #[test]
    fn impossible_pixmaps_are_refused() {
        let short = Pixmap { width: 4, height: 4, data: vec![0; 47] };
        let empty = Pixmap { width: 0, height: 4, data: Vec::new() };
        let long = flat(70_000, 1, [0; 3]);
        for format in ImageFormat::ALL {
            assert!(matches!(encode(&short, format), Err(EncodeError::Size { .. })));
            assert!(matches!(encode(&empty, format), Err(EncodeError::Size { .. })));
        }
        let lossy = Encoding::WebpLossy { quality: 90 };
        let wide = flat(1 << 14, 1, [0; 3]);
        assert!(encode(&wide, ImageFormat::Webp).is_ok());
        assert!(matches!(encode_with(&wide, lossy), Err(EncodeError::Size { .. })));
        assert!(encode_with(&flat((1 << 14) - 1, 1, [0; 3]), lossy).is_ok());
        assert!(encode(&long, ImageFormat::Png).is_ok());
        assert!(matches!(encode(&long, ImageFormat::Jpeg), Err(EncodeError::Size { .. })));
        assert!(matches!(encode(&long, ImageFormat::Webp), Err(EncodeError::Size { .. })));
    }
}
