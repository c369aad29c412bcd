//! Determines the kind of a fetched resource from its content type or its bytes.

use crate::files::{FileKind, Hint};
use crate::import::PictureKind;

/// The kinds that a worker can read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// HTML or XHTML.
    Html,
    /// Plain text or Markdown.
    Text,
    /// PDF.
    Pdf,
    /// A file of another kind that generations accept. Its bytes and its media type determine which.
    File,
    /// A raster image: PNG, JPEG, WebP, AVIF, GIF.
    Picture,
}

/// What a `Content-Type` says about a resource.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Announced {
    /// This kind.
    Kind(Kind),
    /// Nothing reliable: the bytes decide.
    Nothing,
    /// An unsupported kind.
    Other,
}

/// Parses a `Content-Type` (RFC 9110, 8.3).
pub(super) fn announced(content_type: Option<&str>) -> Announced {
    let essence = content_type.unwrap_or("").split(';').next().unwrap_or("").trim().to_ascii_lowercase();
    match essence.as_str() {
        "text/html" | "application/xhtml+xml" => Announced::Kind(Kind::Html),
        "text/plain" | "text/markdown" | "text/x-markdown" => Announced::Kind(Kind::Text),
        "application/pdf" | "application/x-pdf" => Announced::Kind(Kind::Pdf),
        // Only the entries of an archive show its kind.
        "application/zip" | "application/x-zip-compressed" => Announced::Nothing,
        named if FileKind::of_media_type(named).is_some() => Announced::Kind(Kind::File),
        "image/png" | "image/jpeg" | "image/jpg" | "image/webp" | "image/avif" | "image/gif" => {
            Announced::Kind(Kind::Picture)
        }
        // Servers send these for files whose extension they don't recognize, among them PDFs.
        "" | "application/octet-stream" | "binary/octet-stream" => Announced::Nothing,
        _ => Announced::Other,
    }
}

/// Returns the `charset` of a `Content-Type`.
pub(super) fn charset(content_type: &str) -> Option<String> {
    content_type.split(';').skip(1).find_map(|parameter| {
        let (name, value) = parameter.split_once('=')?;
        let value = value.trim().trim_matches('"').trim();
        (name.trim().eq_ignore_ascii_case("charset") && !value.is_empty()).then(|| value.to_owned())
    })
}

/// Determines the kind of bytes without a declared type from their beginning (after the MIME Sniffing Standard). Does
/// not recognize plain text: bytes count as text only if the server declares them as such.
pub(super) fn sniff(bytes: &[u8]) -> Option<Kind> {
    let begin = &bytes[..bytes.len().min(1024)];
    if begin.windows(5).any(|w| w == b"%PDF-") {
        return Some(Kind::Pdf);
    }
    if bytes.starts_with(b"PK\x03\x04") && FileKind::detect(bytes, Hint::default()).is_ok() {
        return Some(Kind::File);
    }
    if PictureKind::of(begin).is_some_and(|kind| kind != PictureKind::Svg) {
        return Some(Kind::Picture);
    }
    let begin = begin.strip_prefix(b"\xef\xbb\xbf").unwrap_or(begin).trim_ascii_start();
    let tags: [&[u8]; 8] =
        [b"<!doctype html", b"<html", b"<head", b"<body", b"<title", b"<article", b"<h1", b"<?xml version"];
    let is = |tag: &&[u8]| begin.len() >= tag.len() && begin[..tag.len()].eq_ignore_ascii_case(tag);
    tags.iter().any(is).then_some(Kind::Html)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn content_types_are_read() {
        for (text, kind) in [
            ("text/html", Announced::Kind(Kind::Html)),
            (" Text/HTML ; charset=utf-8", Announced::Kind(Kind::Html)),
            ("text/plain;charset=x", Announced::Kind(Kind::Text)),
            ("application/pdf", Announced::Kind(Kind::Pdf)),
            ("application/octet-stream", Announced::Nothing),
            ("", Announced::Nothing),
            ("image/png", Announced::Kind(Kind::Picture)),
            ("image/svg+xml", Announced::Other),
            ("text/csv; header=present", Announced::Kind(Kind::File)),
            ("application/epub+zip", Announced::Kind(Kind::File)),
            ("application/zip", Announced::Nothing),
            ("application/json", Announced::Other),
            ("text/htmlx", Announced::Other),
        ] {
            assert_eq!(announced(Some(text)), kind, "{text}");
        }
        assert_eq!(announced(None), Announced::Nothing);
        for (text, charset_there) in [
            ("text/html; charset=\"windows-1252\"", Some("windows-1252")),
            ("text/html;a=b; Charset = UTF-8 ", Some("UTF-8")),
            ("text/html; charset=", None),
            ("text/html", None),
        ] {
            assert_eq!(charset(text).as_deref(), charset_there, "{text}");
        }
    }

    #[test]
    fn bytes_tell_what_they_are() {
        assert_eq!(sniff(b"%PDF-1.7\n"), Some(Kind::Pdf));
        assert_eq!(sniff(b"\n\n<!DOCTYPE HTML><p>"), Some(Kind::Html));
        assert_eq!(sniff(b"\xef\xbb\xbf<html lang=en>"), Some(Kind::Html));
        assert_eq!(sniff(b"\x89PNG\r\n\x1a\n\0\0"), Some(Kind::Picture));
        assert_eq!(sniff(b"\xff\xd8\xff\xe0\0\x10JFIF"), Some(Kind::Picture));
        for bytes in [&b""[..], b"MZ\x90", b"plain words", b"\x89PNG", b"{\"a\": \"<html>\"}", b"PK\x03\x04"] {
            assert_eq!(sniff(bytes), None, "{bytes:?}");
        }
    }
}
