//! Tests detection with files of every kind, and with files that only resemble one.

use proptest::prelude::*;

use super::*;

/// Builds a ZIP archive of entries with these names, of which only the first has content.
fn archive(names: &[&str], first: &[u8]) -> Vec<u8> {
    let (mut out, mut directory) = (Vec::new(), Vec::new());
    for (n, name) in names.iter().enumerate() {
        let content: &[u8] = if n == 0 { first } else { b"" };
        let (at, size) = (out.len() as u32, (content.len() as u32).to_le_bytes());
        let length = (name.len() as u16).to_le_bytes();
        out.extend(
            [b"PK\x03\x04".as_slice(), &[0; 14], &size, &size, &length, &[0; 2], name.as_bytes(), content].concat(),
        );
        let head = [b"PK\x01\x02".as_slice(), &[0; 16], &size, &size, &length, &[0; 12], &at.to_le_bytes()].concat();
        directory.extend([&head, name.as_bytes()].concat());
    }
    let (at, count) = ((out.len() as u32).to_le_bytes(), (names.len() as u16).to_le_bytes());
    let size = (directory.len() as u32).to_le_bytes();
    out.extend(directory);
    out.extend([b"PK\x05\x06".as_slice(), &[0; 4], &count, &count, &size, &at, &[0; 2]].concat());
    out
}

fn detect(file: &[u8]) -> Result<FileKind, UnreadFile> {
    FileKind::detect(file, Hint::default())
}

fn named(file: &[u8], name: &str) -> Result<FileKind, UnreadFile> {
    FileKind::detect(file, Hint { name: Some(name), media: None })
}

#[test]
fn archives_are_known_by_their_entries() {
    for (names, first, kind) in [
        (&["[Content_Types].xml", "_rels/.rels", "word/document2.xml"][..], &b""[..], Ok(FileKind::Docx)),
        (&["ppt/presentation.xml"], b"", Ok(FileKind::Pptx)),
        (&["xl/workbook.xml"], b"", Ok(FileKind::Xlsx)),
        (&["xl/worksheets/sheet1.bin", "xl/workbook.bin"], b"", Err(UnreadFile::Unsupported)),
        (&["mimetype", "content.xml"], b"application/vnd.oasis.opendocument.text", Ok(FileKind::Odt)),
        (&["mimetype"], b"application/vnd.oasis.opendocument.text-template", Ok(FileKind::Odt)),
        (&["mimetype"], b"application/vnd.oasis.opendocument.presentation", Ok(FileKind::Odp)),
        (&["mimetype"], b"application/vnd.oasis.opendocument.spreadsheet", Ok(FileKind::Ods)),
        (&["mimetype"], b"application/epub+zip\n", Ok(FileKind::Epub)),
        (&["OEBPS/a.opf", "META-INF/container.xml"], b"", Ok(FileKind::Epub)),
        (&["mimetype"], b"text/plain", Err(UnreadFile::Unsupported)),
        (&["photos/a.jpg"], b"", Err(UnreadFile::Unsupported)),
        (&[], b"", Err(UnreadFile::Unsupported)),
    ] {
        assert_eq!(detect(&archive(names, first)), kind, "{names:?}");
    }
    let whole = archive(&["word/document.xml"], b"");
    assert_eq!(detect(&whole[..whole.len() - 20]), Err(UnreadFile::Unsupported), "its directory is cut off");
}

#[test]
fn other_files_are_known_by_their_beginning() {
    let ole = |name: &str| {
        let name: Vec<u8> = name.encode_utf16().flat_map(u16::to_le_bytes).collect();
        [b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1".as_slice(), &[0; 600], &name].concat()
    };
    for (file, kind) in [
        (b"\n\n%PDF-1.7".to_vec(), Ok(FileKind::Pdf)),
        (ole("WordDocument"), Err(UnreadFile::Legacy)),
        (ole("EncryptedPackage"), Err(UnreadFile::Encrypted)),
        (b"{\\rtf1\\ansi Tides}".to_vec(), Err(UnreadFile::Unsupported)),
        (b"\x89PNG\r\n\x1a\n\0\0".to_vec(), Err(UnreadFile::Unsupported)),
        (b"\xef\xbb\xbf <!DOCTYPE html><p>Tides".to_vec(), Ok(FileKind::Html)),
        (b"<?xml version='1.0'?>\n<!DOCTYPE html PUBLIC ''>\n<html xmlns=''>".to_vec(), Ok(FileKind::Html)),
        (b"<?xml version='1.0'?><svg/>".to_vec(), Err(UnreadFile::Unsupported)),
        (b"true: the tide turns".to_vec(), Ok(FileKind::Text)),
        (b"".to_vec(), Err(UnreadFile::Empty)),
        (b" \r\n\t".to_vec(), Err(UnreadFile::Empty)),
    ] {
        assert_eq!(detect(&file), kind, "{}", String::from_utf8_lossy(&file));
    }
}

#[test]
fn tables_are_told_from_prose() {
    let utf16: Vec<u8> =
        "\u{feff}port\trange\nBrest\t6\nSaint-Malo\t12\n".encode_utf16().flat_map(u16::to_le_bytes).collect();
    for (text, kind) in [
        (b"port,range\nBrest,6\n\"Saint-Malo, Old\",12\n".to_vec(), FileKind::Csv),
        (b"port;range\r\nBrest;6,1\r\nSaint-Malo;12,2".to_vec(), FileKind::Csv),
        (b"port\trange\nBrest\t6\nSaint-Malo\t12".to_vec(), FileKind::Tsv),
        (utf16, FileKind::Tsv),
        (b"Well, it rises.\nThen, it falls.\nAnd so, it goes on.\n".to_vec(), FileKind::Text),
        (b"port,range\nBrest,6\n".to_vec(), FileKind::Text),
        (b"One, two, three\nfour\nfive, six".to_vec(), FileKind::Text),
        (b"# Tides\n\nThe sea rises.".to_vec(), FileKind::Text),
    ] {
        assert_eq!(detect(&text), Ok(kind), "{}", String::from_utf8_lossy(&text));
    }
}

#[test]
fn hints_decide_between_texts_and_expose_what_is_no_such_file() {
    let two = b"port,range\nBrest,6\n";
    assert_eq!(named(two, "C:\\data\\Ports.CSV"), Ok(FileKind::Csv));
    assert_eq!(named(two, "ports.md"), Ok(FileKind::Markdown));
    assert_eq!(named(b"<p>Tides", "a.htm"), Ok(FileKind::Html));
    assert_eq!(named(b"<!doctype html><p>Gone", "report.pdf"), Err(UnreadFile::Mismatch(FileKind::Pdf)));
    assert_eq!(named(b"\0\x01\x02", "report.docx"), Err(UnreadFile::Mismatch(FileKind::Docx)));
    assert_eq!(named(b"{\"a\": 1}", "a.json"), Err(UnreadFile::Unsupported));
    let media = |media| FileKind::detect(two, Hint { name: Some("file"), media: Some(media) });
    assert_eq!(media("text/csv; charset=utf-8"), Ok(FileKind::Csv));
    assert_eq!(media("application/octet-stream"), Ok(FileKind::Text));
    // Bytes that prove a kind take precedence over any name.
    assert_eq!(named(&archive(&["word/document.xml"], b""), "report.pdf"), Ok(FileKind::Docx));
    let message = UnreadFile::Mismatch(FileKind::Pdf).to_string();
    assert!(message.contains("claims to be PDF") && message.contains(READ_KINDS), "{message}");
}

#[test]
fn kinds_keep_their_places() {
    for (place, kind) in FileKind::ALL.into_iter().enumerate() {
        assert_eq!(kind as usize, place);
        assert!(kind == FileKind::Text || FileKind::of_media_type(kind.media_type()) == Some(kind));
        assert!(READ_KINDS.contains(kind.name()));
    }
}

proptest! {
    #[test]
    fn no_bytes_are_too_wild(bytes in proptest::collection::vec(any::<u8>(), 0..200), cut in 0_usize..200, flip in 0_usize..400) {
        let _ = detect(&bytes);
        let _ = detect(&[b"PK\x03\x04".as_slice(), &bytes].concat());
        let mut whole = archive(&["mimetype", "word/document.xml"], b"application/epub+zip");
        whole.truncate(whole.len().saturating_sub(cut));
        if let Some(byte) = whole.get_mut(flip) {
            *byte ^= 0x80;
        }
        let _ = detect(&whole);
    }
}
