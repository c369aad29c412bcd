//! Logos: a file of any kind, decoded by a child of the sandbox, becomes a PNG that this service wrote.
//!
//! The child answers with plain pixels: width and height (4 bytes each, little-endian), then four bytes a pixel (encoded
//! sRGB, not multiplied by alpha, and alpha). So whatever a file may have done to its child, nothing of it is parsed
//! outside, and nothing of it is stored.

mod decode;
mod pixels;
mod svg;

use std::time::Duration;

use fleet::intake::{IntakeError, LogoPicture, PictureKind};
use fleet::sandbox::{Limits, Task};
use render_core::limits::LOGO_EDGE_PX;

use pixels::Pixels;

/// The child's task: the file of a logo → its pixels.
pub(crate) const LOGO: Task = Task { name: "logo", run: |file| read(file).map(|pixels| answer(&pixels)) };

/// What one logo may take.
pub(super) const LIMITS: Limits =
    Limits { memory: 512 << 20, cpu_s: 5, wall: Duration::from_secs(15), answer: 8 + ANSWER_PIXELS * 4 };
const ANSWER_PIXELS: usize = (LOGO_EDGE_PX * LOGO_EDGE_PX) as usize;

/// The picture of a file, without transparent borders, at most [`LOGO_EDGE_PX`] long; one of lines is drawn at that size.
///
/// # Errors
/// Why it can't be used, for its sender.
fn read(file: &[u8]) -> Result<Pixels, String> {
    let drawn = match PictureKind::of(file) {
        Some(PictureKind::Svg) => svg::drawn(file)?,
        Some(kind) => decode::decoded(kind, file)?,
        None => return Err("it is neither PNG, JPEG, WebP, GIF nor SVG".into()),
    };
    let trimmed = drawn.trimmed().ok_or("nothing of it can be seen")?;
    Ok(trimmed.reduced(LOGO_EDGE_PX))
}

fn answer(pixels: &Pixels) -> Vec<u8> {
    [&pixels.width.to_le_bytes()[..], &pixels.height.to_le_bytes(), &pixels.rgba].concat()
}

/// The PNG of a child's answer.
///
/// # Errors
/// [`IntakeError::Refused`] where it is no answer.
pub(crate) fn picture(answer: &[u8]) -> Result<LogoPicture, IntakeError> {
    let broken = || IntakeError::Refused("it is broken".into());
    let (width, rest) = answer.split_first_chunk().ok_or_else(broken)?;
    let (height, rgba) = rest.split_first_chunk().ok_or_else(broken)?;
    let (width, height) = (u32::from_le_bytes(*width), u32::from_le_bytes(*height));
    let edges = 1..=LOGO_EDGE_PX;
    let fits = edges.contains(&width) && edges.contains(&height);
    if !fits || rgba.len() != (width * height * 4) as usize {
        return Err(broken());
    }
    let png = encode(width, height, rgba).map_err(|e| IntakeError::Unavailable(e.to_string()))?;
    Ok(LogoPicture { png: png.into(), width, height })
}

fn encode(width: u32, height: u32, rgba: &[u8]) -> Result<Vec<u8>, png::EncodingError> {
    let mut out = Vec::new();
    let mut encoder = png::Encoder::new(&mut out, width, height);
    encoder.set_color(png::ColorType::Rgba);
    encoder.set_depth(png::BitDepth::Eight);
    encoder.set_compression(png::Compression::High);
    encoder.set_source_srgb(png::SrgbRenderingIntent::Perceptual);
    encoder.write_header()?.write_image_data(rgba)?;
    Ok(out)
}
