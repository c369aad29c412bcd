//! Logos: a child process of the sandbox decodes a file of any kind, and this service writes the result as a PNG.

mod svg;

use std::time::Duration;

use fleet::import::{ImportError, LogoPicture, PictureKind};
use fleet::sandbox::{Limits, Task};
use render_core::limits::LOGO_EDGE_PX;

use super::decode::decoded;
use super::pixels::Pixels;

/// The child's task: the file of a logo → its pixels.
pub(crate) const LOGO: Task = Task { name: "logo", run: |file| read(file).map(|pixels| pixels.packed()) };

/// Limits of one logo.
pub(super) const LIMITS: Limits =
    Limits { memory: 512 << 20, cpu_s: 5, wall: Duration::from_secs(15), answer: Pixels::most_packed(LOGO_EDGE_PX) };

/// Returns the picture of a file without transparent borders, at most [`LOGO_EDGE_PX`] long; SVG is rendered at that
/// size.
///
/// # Errors
/// Why the file can't be used, as a message to its sender.
fn read(file: &[u8]) -> Result<Pixels, String> {
    let drawn = match PictureKind::of(file) {
        Some(PictureKind::Svg) => svg::drawn(file)?,
        Some(kind) => decoded(kind, file)?,
        None => return Err("it is neither PNG, JPEG, WebP, AVIF, GIF nor SVG".into()),
    };
    let trimmed = drawn.trimmed().ok_or("nothing of it can be seen")?;
    Ok(trimmed.reduced(LOGO_EDGE_PX))
}

/// Returns the PNG of a child's answer.
///
/// # Errors
/// [`ImportError::Refused`] if the answer is malformed.
pub(crate) fn picture(answer: &[u8]) -> Result<LogoPicture, ImportError> {
    let pixels = Pixels::unpacked(answer, LOGO_EDGE_PX).ok_or_else(|| ImportError::Refused("it is broken".into()))?;
    let png = pixels.png(png::Compression::High).map_err(|e| ImportError::Unavailable(e.to_string()))?;
    Ok(LogoPicture { png: png.into(), width: pixels.width, height: pixels.height })
}
