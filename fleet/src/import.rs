//! Imports logos and fonts for brand kits. They are hostile until they are parsed. In standalone mode the workers of
//! this process parse them; across machines, a request does.

use async_trait::async_trait;
use bytes::Bytes;
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use crate::fair_semaphore::Busy;

/// A logo in its stored form.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LogoPicture {
    /// A PNG with alpha that this service wrote: its longer side has at most [`render_core::limits::LOGO_EDGE_PX`], and
    /// it has no transparent borders.
    pub png: Bytes,
    /// Width in pixels.
    pub width: u32,
    /// Height in pixels.
    pub height: u32,
}

/// A font that may be used.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CheckedFont {
    /// The plain TrueType or OpenType file.
    pub sfnt: Bytes,
    /// The family name in the file.
    pub family: String,
    /// Its weight, 100–900.
    pub weight: u16,
}

/// A font family that every account can use.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SharedFamily {
    /// Its name.
    pub name: String,
    /// Its available weights, ascending.
    pub weights: Vec<u16>,
    /// Whether it ships with the service; otherwise the operator added it.
    pub built_in: bool,
}

/// The format of a picture file by its content. Stored values depend on the order: new variants go at the end.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum PictureKind {
    /// PNG.
    Png,
    /// JPEG.
    Jpeg,
    /// WebP.
    Webp,
    /// GIF.
    Gif,
    /// AVIF.
    Avif,
    /// SVG.
    Svg,
}

/// An SVG must have its root element within this many bytes: editors may write long comments before it.
const SVG_WITHIN: usize = 64 << 10;

impl PictureKind {
    /// Returns the media type.
    pub fn media_type(self) -> &'static str {
        match self {
            Self::Png => "image/png",
            Self::Jpeg => "image/jpeg",
            Self::Webp => "image/webp",
            Self::Gif => "image/gif",
            Self::Avif => "image/avif",
            Self::Svg => "image/svg+xml",
        }
    }

    /// Determines the format from the beginning of a file.
    pub fn of(file: &[u8]) -> Option<Self> {
        match file {
            [0x89, b'P', b'N', b'G', b'\r', b'\n', 0x1a, b'\n', ..] => Some(Self::Png),
            [0xff, 0xd8, 0xff, ..] => Some(Self::Jpeg),
            [b'R', b'I', b'F', b'F', _, _, _, _, b'W', b'E', b'B', b'P', ..] => Some(Self::Webp),
            [b'G', b'I', b'F', b'8', b'7' | b'9', b'a', ..] => Some(Self::Gif),
            [_, _, _, _, b'f', b't', b'y', b'p', ..] => is_avif(file).then_some(Self::Avif),
            _ => {
                let text = file.strip_prefix(b"\xef\xbb\xbf").unwrap_or(file).trim_ascii_start();
                let text = &text[..text.len().min(SVG_WITHIN)];
                let is_svg = text.starts_with(b"<") && text.windows(4).any(|w| w == b"<svg" || w == b":svg");
                is_svg.then_some(Self::Svg)
            }
        }
    }
}

/// Returns whether a file that begins with a brand box (ISO/IEC 14496-12, 4.3) lists an AVIF brand. HEIC, which uses
/// the same container, doesn't.
fn is_avif(file: &[u8]) -> bool {
    let length = u32::from_be_bytes([file[0], file[1], file[2], file[3]]) as usize;
    let brands = file.get(8..length.min(file.len())).unwrap_or_default();
    // The second entry is a version.
    brands.chunks_exact(4).enumerate().any(|(n, brand)| n != 1 && matches!(brand, b"avif" | b"avis"))
}

/// Returns the media type of a font file (RFC 8081) from its beginning; `None` for other files.
pub fn font_type(file: &[u8]) -> Option<&'static str> {
    match file {
        [b'w', b'O', b'F', b'2', ..] => Some("font/woff2"),
        [b'w', b'O', b'F', b'F', ..] => Some("font/woff"),
        [b'O', b'T', b'T', b'O', ..] => Some("font/otf"),
        [0, 1, 0, 0, ..] | [b't', b'r', b'u', b'e', ..] => Some("font/ttf"),
        [b't', b't', b'c', b'f', ..] => Some("font/collection"),
        _ => None,
    }
}

/// Why importing a file failed.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ImportError {
    /// The file can't be used. The text is for its sender.
    #[error("{0}")]
    Refused(String),
    /// The account has too many files waiting.
    #[error(transparent)]
    Busy(#[from] Busy),
    /// The file can't be parsed at the moment.
    #[error("{0}")]
    Unavailable(String),
}

/// Parses files that accounts upload.
#[async_trait]
pub trait Importer: Send + Sync {
    /// Parses a logo file of `account`: PNG, JPEG, WebP, AVIF, GIF (its first frame) or SVG.
    ///
    /// # Errors
    /// [`ImportError`].
    async fn logo(&self, account: Uuid, file: Bytes) -> Result<LogoPicture, ImportError>;

    /// Parses a font file of `account`: TrueType, OpenType, WOFF or WOFF2.
    ///
    /// # Errors
    /// [`ImportError`].
    async fn font(&self, account: Uuid, file: Bytes) -> Result<CheckedFont, ImportError>;

    /// Returns the font families that every account can use for headings and text, in display order.
    fn families(&self) -> Vec<SharedFamily>;

    /// Returns the font file of a shared family with the weight nearest to `weight`; `None` for other families.
    fn face(&self, family: &str, weight: u16) -> Option<Bytes>;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_known_by_how_it_begins() {
        for (file, kind) in [
            (&b"\x89PNG\r\n\x1a\n"[..], Some(PictureKind::Png)),
            (b"\xff\xd8\xff\xe0", Some(PictureKind::Jpeg)),
            (b"RIFF\0\0\0\0WEBPVP8L", Some(PictureKind::Webp)),
            (b"GIF89a", Some(PictureKind::Gif)),
            (b"\0\0\0\x18ftypavif\0\0\0\0mif1miaf", Some(PictureKind::Avif)),
            (b"\0\0\0\x18ftypmif1\0\0\0\0miafavif", Some(PictureKind::Avif)),
            (b"\0\0\0\x14ftypheic\0\0\0\0mif1avif", None),
            (b"\xff\xff\xff\xffftypheicavif", None),
            (b"\0\0\0\0ftypavif", None),
            (b"<svg/>", Some(PictureKind::Svg)),
            (b"\xef\xbb\xbf\n<?xml version='1.0'?><!-- by hand --><s:svg/>", Some(PictureKind::Svg)),
            (b"<html>", None),
            (b"svg", None),
            (b"%PDF-1.7", None),
            (b"", None),
        ] {
            assert_eq!(PictureKind::of(file), kind, "{}", String::from_utf8_lossy(file));
        }
        for (file, kind) in [
            (&b"wOF2"[..], Some("font/woff2")),
            (b"wOFF", Some("font/woff")),
            (b"OTTO", Some("font/otf")),
            (b"\0\x01\0\0", Some("font/ttf")),
            (b"ttcf", Some("font/collection")),
            (b"%PDF", None),
            (b"", None),
        ] {
            assert_eq!(font_type(file), kind);
        }
    }
}
