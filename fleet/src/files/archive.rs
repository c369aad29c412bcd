//! Determines the kind of a ZIP archive by the names in its central directory (APPNOTE.TXT 4.3). Decompresses nothing.

use std::ops::ControlFlow;

use super::FileKind;

/// The signature of an entry's header, which is the beginning of an archive.
pub(super) const ENTRY: &[u8] = b"PK\x03\x04";
const DIRECTORY_ENTRY: &[u8] = b"PK\x01\x02";
const DIRECTORY_END: &[u8] = b"PK\x05\x06";
/// Bytes of the fixed part of the end record; a comment of at most 65,535 bytes follows.
const END_BYTES: usize = 22;
/// Maximum names to examine.
const NAMES: usize = 10_000;

/// Returns the kind of an archive, if it is supported.
pub(super) fn kind(archive: &[u8]) -> Option<FileKind> {
    if let Some(kind) = mimetype(archive) {
        return Some(kind);
    }
    let (mut found, mut container) = (None, false);
    each_name(archive, |name| {
        found = match name {
            // The binary workbook (XLSB) has the same folder as the XML one.
            b"xl/workbook.bin" => {
                found = None;
                container = false;
                return ControlFlow::Break(());
            }
            _ if name.starts_with(b"word/") => Some(FileKind::Docx),
            _ if name.starts_with(b"ppt/") => Some(FileKind::Pptx),
            _ if name.starts_with(b"xl/") => Some(FileKind::Xlsx),
            _ => found,
        };
        container |= name == b"META-INF/container.xml";
        ControlFlow::Continue(())
    });
    found.or(container.then_some(FileKind::Epub))
}

/// Returns the kind that the entry `mimetype` declares. In EPUB and OpenDocument it is the first entry, and not
/// compressed.
fn mimetype(archive: &[u8]) -> Option<FileKind> {
    let header = archive.get(..30)?;
    let (name_bytes, extra) = (usize::from(u16_at(header, 26)?), usize::from(u16_at(header, 28)?));
    let (method, size) = (u16_at(header, 8)?, u32_at(header, 22)?);
    if archive.get(30..30 + name_bytes)? != b"mimetype" || method != 0 {
        return None;
    }
    let start = 30 + name_bytes + extra;
    // Archives written as a stream give the size after the content.
    let end = if size == 0 { start + archive.get(start..)?.windows(2).position(|w| w == b"PK")? } else { start + size };
    let media = std::str::from_utf8(archive.get(start..end)?).ok()?.trim();
    let media = media.strip_suffix("-template").or_else(|| media.strip_suffix("-master")).unwrap_or(media);
    FileKind::of_media_type(media).filter(|kind| !kind.is_text() && *kind != FileKind::Pdf)
}

/// Calls `look` for each name of the central directory, until it breaks.
fn each_name<'a>(archive: &'a [u8], mut look: impl FnMut(&'a [u8]) -> ControlFlow<()>) {
    let tail = archive.len().saturating_sub(END_BYTES + usize::from(u16::MAX));
    let Some(end) = archive[tail..].windows(4).rposition(|w| w == DIRECTORY_END) else { return };
    let Some(mut at) = u32_at(archive, tail + end + 16) else { return };
    for _ in 0..NAMES {
        let Some(header) = archive.get(at..).and_then(|rest| rest.get(..46)) else { return };
        if !header.starts_with(DIRECTORY_ENTRY) {
            return;
        }
        let length = |place: usize| u16_at(header, place).map_or(0, usize::from);
        let Some(name) = archive.get(at + 46..at + 46 + length(28)) else { return };
        if look(name).is_break() {
            return;
        }
        at += 46 + length(28) + length(30) + length(32);
    }
}

fn u16_at(bytes: &[u8], at: usize) -> Option<u16> {
    Some(u16::from_le_bytes(bytes.get(at..at + 2)?.try_into().ok()?))
}

fn u32_at(bytes: &[u8], at: usize) -> Option<usize> {
    usize::try_from(u32::from_le_bytes(bytes.get(at..at + 4)?.try_into().ok()?)).ok()
}
