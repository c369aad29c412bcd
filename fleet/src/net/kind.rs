//! What was fetched, by its content type.

use crate::files::{FileKind, Hint};
use crate::intake::PictureKind;

/// What a worker can read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// HTML or XHTML.
    Html,
    /// Plain text or Markdown.
    Text,
    /// PDF.
    Pdf,
    /// A file of another kind that generations are made of; its bytes and its media type tell which.
    File,
    /// A picture of pixels: PNG, JPEG, WebP, AVIF, GIF.
    Picture,
}

/// What a `Content-Type` announces.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Announced {
    /// This.
    Kind(Kind),
    /// Nothing that can be relied on: the bytes tell.
    Nothing,
    /// Something that is not read.
    Other,
}

/// Reads a `Content-Type` (RFC 9110, 8.3).
pub(super) fn announced(content_type: Option<&str>) -> Announced {
    let essence = content_type.unwrap_or("").split(';').next().unwrap_or("").trim().to_ascii_lowercase();
    match essence.as_str() {
        "text/html" | "application/xhtml+xml" => Announced::Kind(Kind::Html),
        "text/plain" | "text/markdown" | "text/x-markdown" => Announced::Kind(Kind::Text),
        "application/pdf" | "application/x-pdf" => Announced::Kind(Kind::Pdf),
        // Of an archive only its entries tell what it is.
        "application/zip" | "application/x-zip-compressed" => Announced::Nothing,
        named if FileKind::of_media_type(named).is_some() => Announced::Kind(Kind::File),
        "image/png" | "image/jpeg" | "image/jpg" | "image/webp" | "image/avif" | "image/gif" => {
            Announced::Kind(Kind::Picture)
        }
        // Servers say "bytes" of files whose ending they don't know, PDFs among them.
        "" | "application/octet-stream" | "binary/octet-stream" => Announced::Nothing,
        _ => Announced::Other,
    }
}

/// The `charset` of a `Content-Type`.
pub(super) fn charset(content_type: &str) -> Option<String> {
    content_type.split(';').skip(1).find_map(|parameter| {
        let (name, value) = parameter.split_once('=')?;
        let value = value.trim().trim_matches('"').trim();
        (name.trim().eq_ignore_ascii_case("charset") && !value.is_empty()).then(|| value.to_owned())
    })
}

/// What bytes are that nobody said anything about, by how they begin (after the MIME Sniffing Standard). Text without a
/// mark is nothing: bytes that are not announced as text are not taken for it.
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
