//! Pixels → bytes of an image file, and small copies of an image.

mod thumbnail;

pub use thumbnail::thumbnail;

use crate::raster::Pixmap;

/// Quality of JPEG: above it files grow faster than differences shrink.
const JPEG_QUALITY: u8 = 92;

/// A file format of a finished image.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum ImageFormat {
    /// Lossless, and the fastest to write.
    Png,
    /// Lossy at quality 92, colour at full resolution.
    Jpeg,
    /// Lossless.
    Webp,
}

/// Why an image was not encoded.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum EncodeError {
    /// No pixels, other than `width × height × 3` bytes, or an edge above what the format can say.
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
    /// The encoder gave up, in its own words.
    #[error("{format}: {message}")]
    Encoder {
        /// The format's name.
        format: &'static str,
        /// What the encoder said.
        message: String,
    },
}

impl ImageFormat {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Png, Self::Jpeg, Self::Webp];

    /// From `png`, `jpeg`, `jpg` or `webp`.
    pub fn from_name(name: &str) -> Option<Self> {
        match name {
            "png" => Some(Self::Png),
            "jpeg" | "jpg" => Some(Self::Jpeg),
            "webp" => Some(Self::Webp),
            _ => None,
        }
    }

    /// `png`, `jpeg` or `webp`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Png => "png",
            Self::Jpeg => "jpeg",
            Self::Webp => "webp",
        }
    }

    /// The media type.
    pub const fn mime(self) -> &'static str {
        match self {
            Self::Png => "image/png",
            Self::Jpeg => "image/jpeg",
            Self::Webp => "image/webp",
        }
    }

    /// What a file name ends with, without the dot.
    pub const fn extension(self) -> &'static str {
        match self {
            Self::Jpeg => "jpg",
            other => other.name(),
        }
    }

    /// The longest edge that the format can say, in pixels.
    const fn max_edge(self) -> u32 {
        match self {
            Self::Png => i32::MAX as u32,
            Self::Jpeg => u16::MAX as u32,
            Self::Webp => 1 << 14,
        }
    }
}

/// The bytes of an image file.
///
/// # Errors
/// [`EncodeError::Size`] for a pixmap that is empty, inconsistent or too long for the format;
/// [`EncodeError::Encoder`] where the encoder fails, which it has no reason to.
pub fn encode(pixmap: &Pixmap, format: ImageFormat) -> Result<Vec<u8>, EncodeError> {
    let Pixmap { width, height, data } = pixmap;
    let (width, height) = (*width, *height);
    let whole = (width as usize).checked_mul(height as usize).and_then(|n| n.checked_mul(3)) == Some(data.len());
    if !whole || width == 0 || height == 0 || width.max(height) > format.max_edge() {
        return Err(EncodeError::Size { format: format.name(), width, height, bytes: data.len() });
    }
    let failed = |e: &dyn std::fmt::Display| EncodeError::Encoder { format: format.name(), message: e.to_string() };
    match format {
        ImageFormat::Png => png_bytes(width, height, data).map_err(|e| failed(&e)),
        ImageFormat::Jpeg => jpeg_bytes(width, height, data).map_err(|e| failed(&e)),
        ImageFormat::Webp => {
            let mut out = Vec::with_capacity(data.len() / 16);
            image_webp::WebPEncoder::new(&mut out)
                .encode(data, width, height, image_webp::ColorType::Rgb8)
                .map_err(|e| failed(&e))?;
            Ok(out)
        }
    }
}

fn png_bytes(width: u32, height: u32, data: &[u8]) -> Result<Vec<u8>, png::EncodingError> {
    let mut out = Vec::with_capacity(data.len() / 8);
    let mut info = png::Info::with_size(width, height);
    info.color_type = png::ColorType::Rgb;
    info.bit_depth = png::BitDepth::Eight;
    info.srgb = Some(png::SrgbRenderingIntent::Perceptual);
    let mut encoder = png::Encoder::with_info(&mut out, info)?;
    encoder.set_deflate_compression(png::DeflateCompression::FdeflateUltraFast);
    // Of flat art with text it makes two thirds of what Up does in the same time; choosing by row is slower, not smaller.
    encoder.set_filter(png::Filter::Paeth);
    let mut writer = encoder.write_header()?;
    writer.write_image_data(data)?;
    writer.finish()?;
    Ok(out)
}

fn jpeg_bytes(width: u32, height: u32, data: &[u8]) -> Result<Vec<u8>, jpeg_encoder::EncodingError> {
    let mut out = Vec::with_capacity(data.len() / 8);
    let mut encoder = jpeg_encoder::Encoder::new(&mut out, JPEG_QUALITY);
    // Coloured text on coloured fields frays where colour is halved.
    encoder.set_sampling_factor(jpeg_encoder::SamplingFactor::F_1_1);
    let edge = |v: u32| u16::try_from(v).unwrap_or(u16::MAX);
    encoder.encode(data, edge(width), edge(height), jpeg_encoder::ColorType::Rgb)?;
    Ok(out)
}

/// A pixmap of a flat colour, for tests here and in `thumbnail`.
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
        let mut reader = png::Decoder::new(std::io::Cursor::new(bytes)).read_info().unwrap();
        let mut data = vec![0; reader.output_buffer_size().unwrap()];
        let info = reader.next_frame(&mut data).unwrap();
        assert_eq!(info.color_type, png::ColorType::Rgb);
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
            // Three components, each sampled once a pixel.
            prop_assert_eq!([bytes[frame + 11], bytes[frame + 14], bytes[frame + 17]], [0x11; 3]);
        }
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
        assert!(encode(&long, ImageFormat::Png).is_ok());
        assert!(matches!(encode(&long, ImageFormat::Jpeg), Err(EncodeError::Size { .. })));
        assert!(matches!(encode(&long, ImageFormat::Webp), Err(EncodeError::Size { .. })));
    }
}
