//! PNG, compressed in parallel by a compressor made for designs.
//!
//! The rows are split into segments at fixed positions. All threads deflate segments, which are then concatenated (RFC
//! 1950, 1951). A row that equals the one above is filtered to zeros. All other rows stay unfiltered, which compresses
//! designs best, except strips that a sample recognises as photographs or grain.
//!
//! Milliseconds and kilobytes on one core for 2048×2560 (15.7 MB), on the machine of `bench/results`. The slide is a
//! diagonal gradient with cards, soft shadows and text:
//!
//! | | slide | dithered | photograph | noise |
//! |---|---|---|---|---|
//! | this | 15, 419 | 43, 924 | 42, 6,930 | 76, 15,748 |
//! | zlib-rs 1, unfiltered | 12, 757 | 22, 2,287 | 174, 16,065 | |
//! | zlib-rs 3, unfiltered | 21, 593 | 39, 1,216 | 274, 13,511 | |
//! | zlib-rs 6, unfiltered | 41, 423 | 63, 846 | 284, 13,511 | |
//! | zlib-rs 3, Up | 24, 685 | 54, 1,679 | 190, 8,048 | |
//! | libdeflate 1, unfiltered | 30, 645 | 39, 1,311 | 149, 13,506 | |
//! | libdeflate 6, unfiltered | 44, 428 | 70, 893 | 205, 13,462 | |
//! | miniz_oxide 1, unfiltered | 20, 759 | 37, 2,132 | 82, 13,541 | |
//! | fdeflate, Paeth | 14, 831 | 29, 3,089 | 26, 8,295 | |
//! | fdeflate, adaptive | 13, 796 | 32, 2,911 | 35, 7,825 | |
//!
//! A palette would fit no page of the gallery: antialiased edges alone make more than 256 colours.

mod filter;
mod matches;
mod palette;
mod rows;
mod segment;

use rayon::prelude::*;
use zlib_rs::adler32::adler32_combine;

use self::rows::Rows;
use self::segment::Segment;
use crate::cancel;

/// Header of a zlib stream: deflate with a window of 32 KiB, fastest level (RFC 1950).
const ZLIB_HEAD: [u8; 2] = [0x78, 0x01];

/// Encodes quickly; see the module's table.
pub fn fast(width: u32, height: u32, data: &[u8]) -> Result<Vec<u8>, png::EncodingError> {
    let rows = Rows { data, width: width as usize, height: height as usize };
    let step = segment::rows_of_a_segment(rows);
    let scope = cancel::Scope::current();
    let mut segments: Vec<Segment> = (0..rows.height.div_ceil(step))
        .into_par_iter()
        .map(|i| {
            scope.enter(cancel::check);
            let before = if i == 0 { ZLIB_HEAD.to_vec() } else { Vec::new() };
            segment::deflate(rows, i * step, rows.height.min((i + 1) * step), before)
        })
        .collect();
    let adler = segments.iter().fold(1, |adler, s| adler32_combine(adler, s.adler, s.length as u64));
    if let Some(last) = segments.last_mut() {
        last.deflated.extend(adler.to_be_bytes());
    }

    let mut out = Vec::with_capacity(segments.iter().map(|s| s.deflated.len() + 12).sum::<usize>() + 100);
    let mut writer = head(width, height, &mut out)?.write_header()?;
    for segment in segments {
        writer.write_chunk(png::chunk::IDAT, &segment.deflated)?;
    }
    writer.finish()?;
    Ok(out)
}

/// Encodes in several ways and returns the smallest file: [`fast`], and zlib's level 9 unfiltered and with the filters
/// that suit designs and photographs. The zlib files have a palette if 256 colours suffice.
pub fn smallest(width: u32, height: u32, data: &[u8]) -> Result<Vec<u8>, png::EncodingError> {
    use png::Filter::{Adaptive, NoFilter, Paeth, Up};
    let palette = palette::of(data);
    let scope = cancel::Scope::current();
    let mut files: Vec<Vec<u8>> = [None, Some(NoFilter), Some(Up), Some(Paeth), Some(Adaptive)]
        .into_par_iter()
        .map(|filter| match (filter, &palette) {
            (None, _) => scope.enter(|| fast(width, height, data)),
            (Some(filter), None) => thorough(width, height, data, filter, None),
            (Some(filter), Some(palette)) => thorough(width, height, &palette.indices, filter, Some(&palette.colors)),
        })
        .collect::<Result<_, _>>()?;
    let least = (0..files.len()).min_by_key(|i| files[*i].len()).unwrap_or(0);
    Ok(files.swap_remove(least))
}

/// Encodes with the `png` crate, which is slower. `data` holds pixels, or palette indices.
fn thorough(
    width: u32,
    height: u32,
    data: &[u8],
    filter: png::Filter,
    palette: Option<&[u8]>,
) -> Result<Vec<u8>, png::EncodingError> {
    let mut out = Vec::with_capacity(data.len() / 16);
    let mut encoder = head(width, height, &mut out)?;
    if let Some(colors) = palette {
        encoder.set_color(png::ColorType::Indexed);
        encoder.set_palette(colors);
    }
    encoder.set_deflate_compression(png::DeflateCompression::Level(9));
    encoder.set_filter(filter);
    let mut writer = encoder.write_header()?;
    writer.write_image_data(data)?;
    writer.finish()?;
    Ok(out)
}

/// Returns an encoder with the header set: opaque, eight bits per channel, sRGB.
fn head(width: u32, height: u32, out: &mut Vec<u8>) -> Result<png::Encoder<'static, &mut Vec<u8>>, png::EncodingError> {
    let mut info = png::Info::with_size(width, height);
    info.color_type = png::ColorType::Rgb;
    info.bit_depth = png::BitDepth::Eight;
    info.srgb = Some(png::SrgbRenderingIntent::Perceptual);
    png::Encoder::with_info(out, info)
}

#[cfg(test)]
mod tests;
