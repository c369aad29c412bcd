//! Determines the kind of a file: binary kinds by signature, kinds of text by content and hint.

use super::{FileKind, Hint, UnreadFile, archive, tabular};

/// A PDF has its signature within this many bytes; some producers write something before it.
const PDF_WITHIN: usize = 1024;
/// Bytes of a file to examine to decide whether it is text.
const SAMPLE: usize = 64 << 10;
/// The signature of an OLE2 file: Office before 2007, and password-protected Office files.
const OLE2: &[u8] = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1";
/// Bytes of an OLE2 file to search for the names of its streams.
const OLE2_DIRECTORY: usize = 4 << 20;

pub(super) fn detect(file: &[u8], hint: Hint<'_>) -> Result<FileKind, UnreadFile> {
    if file.starts_with(archive::ENTRY) {
        return archive::kind(file).ok_or(UnreadFile::Unsupported);
    }
    if file[..file.len().min(PDF_WITHIN)].windows(5).any(|w| w == b"%PDF-") {
        return Ok(FileKind::Pdf);
    }
    if file.starts_with(OLE2) {
        let name: Vec<u8> = "EncryptedPackage".encode_utf16().flat_map(u16::to_le_bytes).collect();
        let is_encrypted = file[..file.len().min(OLE2_DIRECTORY)].windows(name.len()).any(|w| w == name);
        return Err(if is_encrypted { UnreadFile::Encrypted } else { UnreadFile::Legacy });
    }
    let sample = &file[..file.len().min(SAMPLE)];
    if !is_text(sample) {
        // The bytes have no known signature, so the error names the kind that the file claims to be.
        return Err(hint.kind().filter(|k| !k.is_text()).map_or(UnreadFile::Unsupported, UnreadFile::Mismatch));
    }
    let trimmed = sample.strip_prefix(b"\xef\xbb\xbf").unwrap_or(sample).trim_ascii_start();
    if trimmed.is_empty() {
        return Err(UnreadFile::Empty);
    }
    text(sample, trimmed, hint)
}

/// Determines the kind of a text.
fn text(sample: &[u8], trimmed: &[u8], hint: Hint<'_>) -> Result<FileKind, UnreadFile> {
    // The signatures of fonts and RTF consist of letters, but such files are not text.
    const SIGNS: [&[u8]; 5] = [b"{\\rtf", b"wOFF", b"wOF2", b"ttcf", b"OTTO"];
    if SIGNS.iter().any(|sign| trimmed.starts_with(sign)) {
        return Err(UnreadFile::Unsupported);
    }
    match hint.kind() {
        // A server may send an error page in place of a missing file, which is not that file.
        Some(kind) if !kind.is_text() => return Err(UnreadFile::Mismatch(kind)),
        Some(kind) if kind != FileKind::Text => return Ok(kind),
        _ => {}
    }
    if is_html(trimmed) {
        return Ok(FileKind::Html);
    }
    if trimmed.starts_with(b"<?xml") || has_other_extension(hint) {
        return Err(UnreadFile::Unsupported);
    }
    Ok(tabular::kind(sample).unwrap_or(FileKind::Text))
}

/// Returns whether bytes are text: few control characters and no zero bytes, or UTF-16 with a byte order mark.
fn is_text(sample: &[u8]) -> bool {
    if sample.starts_with(b"\xff\xfe") || sample.starts_with(b"\xfe\xff") {
        return true;
    }
    let controls = sample.iter().filter(|b| **b < 0x20 && !matches!(b, b'\t' | b'\n' | b'\r' | 0x0c | 0x1b)).count();
    !sample.contains(&0) && controls * 200 <= sample.len()
}

/// Returns whether a text begins like HTML, or is XHTML.
fn is_html(trimmed: &[u8]) -> bool {
    const TAGS: [&[u8]; 8] =
        [b"<!doctype html", b"<html", b"<head", b"<body", b"<title", b"<article", b"<h1", b"<meta"];
    let begins = |tag: &&[u8]| trimmed.get(..tag.len()).is_some_and(|t| t.eq_ignore_ascii_case(tag));
    let declared = trimmed.starts_with(b"<?xml") || trimmed.starts_with(b"<!--");
    let head = &trimmed[..trimmed.len().min(4096)];
    TAGS.iter().any(begins) || declared && head.windows(5).any(|w| w.eq_ignore_ascii_case(b"<html"))
}

/// Returns whether the file's extension is that of text for programs, not for readers.
fn has_other_extension(hint: Hint<'_>) -> bool {
    const OTHERS: [&str; 12] = ["json", "xml", "svg", "rtf", "js", "css", "tex", "eml", "ics", "vcf", "yaml", "sql"];
    let extension = hint.name.and_then(|name| name.rsplit_once('.')).map(|(_, extension)| extension);
    extension.is_some_and(|extension| OTHERS.iter().any(|other| extension.eq_ignore_ascii_case(other)))
}
