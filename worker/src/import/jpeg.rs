//! JPEG: one channel, three, or the four of print (CMYK).

use std::io::Cursor;

use render_core::limits::PICTURE_EDGE_PX;
use zune_jpeg::JpegDecoder;
use zune_jpeg::zune_core::colorspace::ColorSpace;
use zune_jpeg::zune_core::options::DecoderOptions;

use super::colour::{Samples, Space};
use super::orientation::Orientation;
use super::stored::{Stored, broken, four_channels, size};

/// Black ink within so many levels of an end of its range counts as none or full.
const NONE: u8 = 8;
/// Total ink of a pixel, 255 per ink, that no printing press applies: 340 %. Black made of the other three inks has 300
/// %.
const FLOODED: u16 = 867;
/// One pixel in so many is enough to count as many.
const MANY: usize = 1_000;

/// Decodes a JPEG.
///
/// # Errors
/// Why the file can't be used, as a message to its sender.
pub(super) fn decoded(file: &[u8]) -> Result<Stored, String> {
    let edge = PICTURE_EDGE_PX as usize;
    let options = DecoderOptions::new_safe().set_max_width(edge).set_max_height(edge);
    let mut decoder = JpegDecoder::new_with_options(Cursor::new(file), options);
    decoder.decode_headers().map_err(|e| broken("JPEG", e))?;
    let (width, height) = decoder.dimensions().ok_or("this JPEG can't be read")?;
    let (width, height) = (width as u32, height as u32);
    size(width, height)?;
    let channels = decoder.info().map_or(3, |info| info.components);
    let coded = decoder.input_colorspace().unwrap_or(ColorSpace::YCbCr);
    // The decoder does not apply profiles, so it returns inks as they are stored.
    let (out, inks) = match (channels, coded) {
        (4, ColorSpace::YCCK) => (ColorSpace::YCCK, true),
        (4, _) => (ColorSpace::CMYK, true),
        (1, _) => (ColorSpace::Luma, false),
        _ => (ColorSpace::RGB, false),
    };
    decoder.set_options(options.jpeg_set_out_colorspace(out));
    let mut data = decoder.decode().map_err(|e| broken("JPEG", e))?;
    let space = decoder.icc_profile().map_or(Space::Srgb, Space::Icc);
    let orientation = decoder.exif().map_or_else(Orientation::default, |exif| Orientation::of(exif));
    let rgba = if inks {
        if out == ColorSpace::YCCK {
            data.chunks_exact_mut(4).for_each(to_cmyk);
        }
        if is_inverted(file, &data) {
            data.iter_mut().for_each(|v| *v = 255 - *v);
        }
        space.inks_to_srgb(&data)
    } else {
        four_channels(data, if channels == 1 { 1 } else { 3 }, u8::MAX)
    };
    let (samples, is_grey) = (Samples::Eight(rgba), channels == 1);
    let space = if inks { Space::Srgb } else { space };
    Ok(Stored { width, height, samples, is_grey, space, orientation })
}

/// Converts a pixel of YCCK to CMYK: Y, Cb and Cr are those of the complements of C, M and Y (JFIF's BT.601, full
/// range).
fn to_cmyk(p: &mut [u8]) {
    let (y, cb, cr) = (f32::from(p[0]), f32::from(p[1]) - 128.0, f32::from(p[2]) - 128.0);
    let rgb = [y + 1.402 * cr, y - 0.344_136 * cb - 0.714_136 * cr, y + 1.772 * cb];
    for (ink, light) in p.iter_mut().zip(rgb) {
        *ink = 255 - (light + 0.5).clamp(0.0, 255.0) as u8;
    }
}

/// Returns whether 0 stands for full ink. Adobe's programs, which leave a marker, and their imitators write inks so.
fn is_inverted(file: &[u8], inks: &[u8]) -> bool {
    has_adobe_marker(file) || looks_inverted(inks)
}

/// Returns whether inks without the marker make sense only if 0 stands for full ink. White paper and light colours turn
/// into floods of ink if they are read the wrong way round. If neither way floods many pixels, the black plate decides:
/// separations leave most of a picture without black and fill hardly any of it, so the end of the range with more
/// pixels stands for none.
fn looks_inverted(inks: &[u8]) -> bool {
    let pixels = || inks.chunks_exact(4);
    let totals = || pixels().map(|p| p.iter().map(|v| u16::from(*v)).sum::<u16>());
    let plain = totals().filter(|total| *total > FLOODED).count();
    let inverted = totals().filter(|total| 4 * 255 - total > FLOODED).count();
    if plain != inverted && plain.max(inverted) * MANY >= pixels().len() {
        return plain > inverted;
    }
    let black = |of: fn(u8) -> bool| pixels().filter(|p| of(p[3])).count();
    black(|k| k >= 255 - NONE) > black(|k| k <= NONE)
}

/// Returns whether an APP14 segment of Adobe's precedes the first scan.
fn has_adobe_marker(file: &[u8]) -> bool {
    let mut rest = file.get(2..).unwrap_or_default();
    while let [0xff, marker, after @ ..] = rest {
        match marker {
            // Fill bytes, and markers without a payload.
            0xff => rest = &rest[1..],
            0x01 | 0xd0..=0xd8 => rest = after,
            // The scan, or the end of the file.
            0xda | 0xd9 => return false,
            _ => {
                let [high, low, ..] = after else { return false };
                let length = usize::from(u16::from_be_bytes([*high, *low]));
                if *marker == 0xee && after.get(2..7) == Some(b"Adobe") {
                    return true;
                }
                rest = after.get(length.max(2)..).unwrap_or_default();
            }
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Pixels of 100 × 100, of which `share` of 100 have the second colour.
    fn page(ground: [u8; 4], letters: [u8; 4], share: usize) -> Vec<u8> {
        (0..10_000).flat_map(|n| if n % 100 < share { letters } else { ground }).collect()
    }

    /// Asserts that inks (0 for none) are told from their inversion.
    #[track_caller]
    fn assert_detected(inks: &[u8]) {
        assert!(!looks_inverted(inks));
        let inverted: Vec<u8> = inks.iter().map(|v| 255 - v).collect();
        assert!(looks_inverted(&inverted));
    }

    #[test]
    fn white_letters_on_black_tell_the_convention() {
        for share in [1, 12, 40] {
            assert_detected(&page([0, 0, 0, 255], [0; 4], share));
            // As lossy compression changes them.
            assert_detected(&page([2, 0, 3, 251], [1, 2, 0, 3], share));
        }
    }

    #[test]
    fn other_pages_tell_it_too() {
        assert_detected(&page([0; 4], [0, 0, 0, 255], 12));
        assert_detected(&page([0; 4], [191, 173, 171, 230], 40));
        // White on a rich black, and a photograph without white whose shadows are at a press's limit.
        assert_detected(&page([191, 173, 171, 230], [0; 4], 3));
        assert_detected(&page([120, 100, 90, 0], [215, 200, 200, 245], 4));
        assert_detected(&page([200, 40, 40, 0], [10, 90, 240, 0], 50));
    }
}
