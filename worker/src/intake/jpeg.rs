//! JPEG: one channel, three, or the four of print.

use std::io::Cursor;

use render_core::limits::PICTURE_EDGE_PX;
use zune_jpeg::JpegDecoder;
use zune_jpeg::zune_core::colorspace::ColorSpace;
use zune_jpeg::zune_core::options::DecoderOptions;

use super::colour::{Samples, Space};
use super::decode::{Stored, broken, four_channels, size};
use super::orientation::Orientation;

/// Within so many levels of an end of its range, black ink is none or all.
const NONE: u8 = 8;

/// The picture of a JPEG.
///
/// # Errors
/// Why it can't be used, for its sender.
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
    // The decoder knows nothing of profiles, so inks are taken from it as they are stored.
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

/// A pixel of YCCK as one of CMYK: Y, Cb and Cr are those of the complements of C, M and Y (JFIF's BT.601, full range).
fn to_cmyk(p: &mut [u8]) {
    let (y, cb, cr) = (f32::from(p[0]), f32::from(p[1]) - 128.0, f32::from(p[2]) - 128.0);
    let rgb = [y + 1.402 * cr, y - 0.344_136 * cb - 0.714_136 * cr, y + 1.772 * cb];
    for (ink, light) in p.iter_mut().zip(rgb) {
        *ink = 255 - (light + 0.5).clamp(0.0, 255.0) as u8;
    }
}

/// Whether 0 stands for full ink. Adobe's programs, whose marker tells them, and those after them write it so. Without the
/// marker the black plate tells: separations leave most of a picture without black and hardly fill any of it, so the end of
/// the range that more pixels are at stands for none.
fn is_inverted(file: &[u8], inks: &[u8]) -> bool {
    let black = || inks.chunks_exact(4).map(|p| p[3]);
    has_adobe_marker(file) || black().filter(|k| *k >= 255 - NONE).count() > black().filter(|k| *k <= NONE).count()
}

/// Whether an APP14 segment of Adobe's stands before the first scan.
fn has_adobe_marker(file: &[u8]) -> bool {
    let mut rest = file.get(2..).unwrap_or_default();
    while let [0xff, marker, after @ ..] = rest {
        match marker {
            // Fill bytes, and markers that stand alone.
            0xff => rest = &rest[1..],
            0x01 | 0xd0..=0xd8 => rest = after,
            // The scan, or the end.
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
