//! Pictures made of pixels, within bounds that are checked before anything is unpacked.

use std::io::Cursor;
use std::num::NonZeroU64;

use fleet::intake::PictureKind;
use image_webp::WebPDecoder;
use render_core::limits::{PICTURE_EDGE_PX, PICTURE_PIXELS};
use zune_jpeg::JpegDecoder;
use zune_jpeg::zune_core::colorspace::ColorSpace;
use zune_jpeg::zune_core::options::DecoderOptions;

use super::orientation::Orientation;
use super::pixels::Pixels;

/// Bytes that a decoder may take.
const DECODER_BYTES: usize = 128 << 20;

/// What is wrong with a file that ends before its picture does.
const FEWER: &str = "it holds fewer pixels than it says";

/// The picture of a file that isn't SVG, upright; of a moving one its first.
///
/// # Errors
/// Why it can't be used, for its sender.
pub(crate) fn decoded(kind: PictureKind, file: &[u8]) -> Result<Pixels, String> {
    match kind {
        PictureKind::Png => png(file),
        PictureKind::Jpeg => jpeg(file),
        PictureKind::Webp => webp(file),
        PictureKind::Gif => gif(file),
        PictureKind::Svg => Err("it is made of lines, not of pixels".into()),
    }
}

fn broken(what: &str, why: impl std::fmt::Display) -> String {
    // Some of them say it in several lines.
    let why = why.to_string();
    format!("this {what} can't be read: {}", why.lines().next().unwrap_or_default().trim_end_matches('.'))
}

/// Bytes of a picture of this size at four a pixel.
fn size(width: u32, height: u32) -> Result<usize, String> {
    let pixels = width as usize * height as usize;
    let edges = 1..=PICTURE_EDGE_PX;
    if edges.contains(&width) && edges.contains(&height) && pixels <= PICTURE_PIXELS {
        return Ok(pixels * 4);
    }
    Err(format!(
        "it is {width} × {height} pixels; at most {PICTURE_EDGE_PX} on an edge and {} million in all are read",
        PICTURE_PIXELS / 1_000_000
    ))
}

fn png(file: &[u8]) -> Result<Pixels, String> {
    let broken = |e: png::DecodingError| broken("PNG", e);
    let mut decoder = png::Decoder::new_with_limits(Cursor::new(file), png::Limits { bytes: DECODER_BYTES });
    decoder.set_transformations(png::Transformations::normalize_to_color8());
    decoder.set_ignore_text_chunk(true);
    let header = decoder.read_header_info().map_err(broken)?;
    let (width, height) = (header.width, header.height);
    let bytes = size(width, height)?;
    let mut reader = decoder.read_info().map_err(broken)?;
    let mut data = vec![0; reader.output_buffer_size().filter(|n| *n <= bytes).ok_or("this PNG can't be read")?];
    let frame = reader.next_frame(&mut data).map_err(broken)?;
    let rgba = match frame.color_type {
        png::ColorType::Rgba => data,
        png::ColorType::Rgb => opaque(&data),
        png::ColorType::GrayscaleAlpha => data.chunks_exact(2).flat_map(|p| [p[0], p[0], p[0], p[1]]).collect(),
        png::ColorType::Grayscale => data.iter().flat_map(|g| [*g, *g, *g, 255]).collect(),
        png::ColorType::Indexed => return Err("this PNG can't be read".into()),
    };
    whole(Pixels { width, height, rgba })
}

fn jpeg(file: &[u8]) -> Result<Pixels, String> {
    let edge = PICTURE_EDGE_PX as usize;
    let options = DecoderOptions::new_safe().set_max_width(edge).set_max_height(edge);
    let options = options.jpeg_set_out_colorspace(ColorSpace::RGB);
    let mut decoder = JpegDecoder::new_with_options(Cursor::new(file), options);
    decoder.decode_headers().map_err(|e| broken("JPEG", e))?;
    let (width, height) = decoder.dimensions().ok_or("this JPEG can't be read")?;
    let (width, height) = (width as u32, height as u32);
    size(width, height)?;
    let data = decoder.decode().map_err(|e| broken("JPEG", e))?;
    let orientation = decoder.exif().map_or_else(Orientation::default, |exif| Orientation::of(exif));
    orientation.upright((width, height), &data).ok_or_else(|| FEWER.to_owned())
}

fn webp(file: &[u8]) -> Result<Pixels, String> {
    let broken = |e: image_webp::DecodingError| broken("WebP", e);
    let mut decoder = WebPDecoder::new(Cursor::new(file)).map_err(broken)?;
    let (width, height) = decoder.dimensions();
    let bytes = size(width, height)?;
    decoder.set_memory_limit(DECODER_BYTES);
    let mut data = vec![0; decoder.output_buffer_size().filter(|n| *n <= bytes).ok_or("this WebP can't be read")?];
    decoder.read_image(&mut data).map_err(broken)?;
    let rgba = if decoder.has_alpha() { data } else { opaque(&data) };
    whole(Pixels { width, height, rgba })
}

fn gif(file: &[u8]) -> Result<Pixels, String> {
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
    // The picture may be a part of the screen.
    let (left, across) = (usize::from(frame.left), usize::from(frame.width));
    let shown = (width as usize).saturating_sub(left).min(across) * 4;
    let rows = rgba.chunks_exact_mut(width as usize * 4).skip(frame.top.into());
    for (row, part) in rows.zip(frame.buffer.chunks_exact(across * 4)) {
        if shown > 0 {
            row[left * 4..left * 4 + shown].copy_from_slice(&part[..shown]);
        }
    }
    whole(Pixels { width, height, rgba })
}

/// With an alpha to every three bytes.
fn opaque(rgb: &[u8]) -> Vec<u8> {
    rgb.chunks_exact(3).flat_map(|p| [p[0], p[1], p[2], 255]).collect()
}

fn whole(pixels: Pixels) -> Result<Pixels, String> {
    let whole = pixels.rgba.len() == pixels.width as usize * pixels.height as usize * 4;
    if whole { Ok(pixels) } else { Err(FEWER.into()) }
}
