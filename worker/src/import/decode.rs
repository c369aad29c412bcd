//! Decodes raster pictures within limits that are checked before anything is decompressed. The result is upright and in
//! sRGB.

use std::io::Cursor;
use std::num::NonZeroU64;

use fleet::import::PictureKind;
use image_webp::WebPDecoder;

use super::colour::{Samples, Space};
use super::orientation::Orientation;
use super::pixels::Pixels;
use super::stored::{Stored, broken, four_channels, size};
use super::{avif, jpeg};

/// Memory limit of a decoder, in bytes.
const DECODER_BYTES: usize = 128 << 20;

/// Decodes the picture of a file that isn't SVG, upright and in sRGB. Of an animation it takes the first frame.
///
/// # Errors
/// Why the file can't be used, as a message to its sender.
pub(crate) fn decoded(kind: PictureKind, file: &[u8]) -> Result<Pixels, String> {
    let stored = match kind {
        PictureKind::Png => png(file),
        PictureKind::Jpeg => jpeg::decoded(file),
        PictureKind::Webp => webp(file),
        PictureKind::Gif => gif(file),
        PictureKind::Avif => avif::decoded(file),
        PictureKind::Svg => Err("it is a vector picture; a raster picture is needed".into()),
    };
    stored?.seen()
}

fn png(file: &[u8]) -> Result<Stored, String> {
    let broken = |e: png::DecodingError| broken("PNG", e);
    let mut decoder = png::Decoder::new_with_limits(Cursor::new(file), png::Limits { bytes: DECODER_BYTES });
    decoder.set_transformations(png::Transformations::EXPAND);
    decoder.set_ignore_text_chunk(true);
    let header = decoder.read_header_info().map_err(broken)?;
    let (width, height) = (header.width, header.height);
    let bytes = size(width, height)?;
    let mut reader = decoder.read_info().map_err(broken)?;
    let most = |n: &usize| *n <= 2 * bytes;
    let mut data = vec![0; reader.output_buffer_size().filter(most).ok_or("this PNG can't be read")?];
    let frame = reader.next_frame(&mut data).map_err(broken)?;
    // Exif may follow the pixels; a file that is broken after them is still usable.
    let _ = reader.finish();
    let channels = frame.color_type.samples();
    let samples = match frame.bit_depth {
        png::BitDepth::Sixteen => Samples::Sixteen(wide_channels(&data, channels)),
        png::BitDepth::Eight => Samples::Eight(four_channels(data, channels, u8::MAX)),
        _ => return Err("this PNG can't be read".into()),
    };
    let info = reader.info();
    let orientation = info.exif_metadata.as_deref().map_or_else(Orientation::default, Orientation::of);
    Ok(Stored { width, height, samples, is_grey: channels < 3, space: png_space(info), orientation })
}

/// Returns the colour space of a PNG, from the first of its chunks in order of precedence (PNG, third edition, 4.3).
fn png_space(info: &png::Info<'_>) -> Space {
    if let Some(cicp) = &info.coding_independent_code_points {
        return Space::Coded { primaries: cicp.color_primaries, transfer: cicp.transfer_function };
    }
    if let Some(icc) = &info.icc_profile {
        return Space::Icc(icc.to_vec());
    }
    match (info.srgb, info.gama_chunk) {
        (None, Some(gamma)) => {
            let point = |p: (png::ScaledFloat, png::ScaledFloat)| (p.0.into_value(), p.1.into_value());
            let points = info.chrm_chunk.map(|c| [point(c.white), point(c.red), point(c.green), point(c.blue)]);
            let near = |(a, b): (&(f32, f32), &(f32, f32))| (a.0 - b.0).abs() < 0.002 && (a.1 - b.1).abs() < 0.002;
            let others = points.filter(|points| !points.iter().zip(&SRGB_POINTS).all(near));
            Space::Gamma { gamma: gamma.into_value(), chromaticities: others }
        }
        _ => Space::Srgb,
    }
}

/// The chromaticities of sRGB: white, red, green, blue.
const SRGB_POINTS: [(f32, f32); 4] = [(0.3127, 0.3290), (0.64, 0.33), (0.30, 0.60), (0.15, 0.06)];

fn webp(file: &[u8]) -> Result<Stored, String> {
    let broken = |e: image_webp::DecodingError| broken("WebP", e);
    let mut decoder = WebPDecoder::new(Cursor::new(file)).map_err(broken)?;
    let (width, height) = decoder.dimensions();
    let bytes = size(width, height)?;
    decoder.set_memory_limit(DECODER_BYTES);
    let mut data = vec![0; decoder.output_buffer_size().filter(|n| *n <= bytes).ok_or("this WebP can't be read")?];
    decoder.read_image(&mut data).map_err(broken)?;
    let rgba = four_channels(data, if decoder.has_alpha() { 4 } else { 3 }, u8::MAX);
    let space = decoder.icc_profile().ok().flatten().map_or(Space::Srgb, Space::Icc);
    let exif = decoder.exif_metadata().ok().flatten();
    let orientation = exif.map_or_else(Orientation::default, |exif| Orientation::of(&exif));
    Ok(Stored { space, orientation, ..Stored::plain(width, height, rgba) })
}

fn gif(file: &[u8]) -> Result<Stored, String> {
    let broken = |e: gif::DecodingError| broken("GIF", e);
    let mut options = gif::DecodeOptions::new();
    options.set_color_output(gif::ColorOutput::RGBA);
    let memory = NonZeroU64::new(DECODER_BYTES as u64).map_or(gif::MemoryLimit::Unlimited, gif::MemoryLimit::Bytes);
    options.set_memory_limit(memory);
    let mut decoder = options.read_info(Cursor::new(file)).map_err(broken)?;
    let (width, height) = (u32::from(decoder.width()), u32::from(decoder.height()));
    let mut rgba = vec![0; size(width, height)?];
    let frame = decoder.read_next_frame().map_err(broken)?.ok_or("this GIF has no picture")?;
    size(frame.width.into(), frame.height.into())?;
    // The frame may cover only a part of the canvas.
    let (left, across) = (usize::from(frame.left), usize::from(frame.width));
    let shown = (width as usize).saturating_sub(left).min(across) * 4;
    let rows = rgba.chunks_exact_mut(width as usize * 4).skip(frame.top.into());
    for (row, part) in rows.zip(frame.buffer.chunks_exact(across * 4)) {
        if shown > 0 {
            row[left * 4..left * 4 + shown].copy_from_slice(&part[..shown]);
        }
    }
    Ok(Stored::plain(width, height, rgba))
}

/// Like [`four_channels`], for big-endian values of two bytes each. It makes no copy in between, because the child
/// process has no memory for one.
fn wide_channels(data: &[u8], channels: usize) -> Vec<u16> {
    let pixels = data.chunks_exact(2 * channels).map(|p| {
        let value = |n: usize| u16::from_be_bytes([p[2 * n], p[2 * n + 1]]);
        match channels {
            1 => [value(0), value(0), value(0), u16::MAX],
            2 => [value(0), value(0), value(0), value(1)],
            3 => [value(0), value(1), value(2), u16::MAX],
            _ => [value(0), value(1), value(2), value(3)],
        }
    });
    pixels.flatten().collect()
}
