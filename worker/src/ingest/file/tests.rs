//! Malicious files, and what all kinds have in common. The tests build the files.

use std::io::{Cursor, Write};

use proptest::prelude::*;
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, ZipWriter};

use super::*;

/// Returns a ZIP archive of parts.
pub(super) fn pack(parts: &[(&str, &str)]) -> Vec<u8> {
    let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
    for (name, text) in parts {
        let method = if *name == "mimetype" { CompressionMethod::Stored } else { CompressionMethod::Deflated };
        zip.start_file(*name, SimpleFileOptions::default().compression_method(method)).unwrap();
        zip.write_all(text.as_bytes()).unwrap();
    }
    zip.finish().unwrap().into_inner()
}

/// Returns the relationships of a package with this main part.
pub(super) fn package(main: &str) -> String {
    let kind = "http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument";
    format!("<Relationships><Relationship Id='rId1' Type='{kind}' Target='{main}'/></Relationships>")
}

/// Returns the core properties of a document.
pub(super) fn core(title: &str, language: &str) -> String {
    format!("<cp:coreProperties><dc:title>{title}</dc:title><dc:language>{language}</dc:language></cp:coreProperties>")
}

/// Returns a Word document with this body.
fn document(body: &str) -> Vec<u8> {
    let document = format!("<w:document><w:body>{body}</w:body></w:document>");
    pack(&[("_rels/.rels", &package("word/document.xml")), ("word/document.xml", &document)])
}

#[test]
fn archives_that_unpack_without_end_are_given_up() {
    let spaces = " ".repeat(60 << 20);
    let bomb = document(&spaces);
    assert!(bomb.len() < 1 << 20);
    assert_eq!(read(FileKind::Docx, &bomb), Err(FileFault::TooComplex));
    // Each part is within its limit, but their sum is not.
    let slide = format!("<p:sld><p:cSld><p:spTree>{}</p:spTree></p:cSld></p:sld>", " ".repeat(30 << 20));
    let ids: String = (0..5).map(|n| format!("<p:sldId id='{n}' r:id='s{n}'/>")).collect();
    let targets: String = (0..5).map(|n| format!("<Relationship Id='s{n}' Target='slide{n}.xml'/>")).collect();
    let names: Vec<String> = (0..5).map(|n| format!("ppt/slide{n}.xml")).collect();
    let (root, ids) =
        (package("ppt/p.xml"), format!("<p:presentation><p:sldIdLst>{ids}</p:sldIdLst></p:presentation>"));
    let targets = format!("<Relationships>{targets}</Relationships>");
    let mut parts = vec![("_rels/.rels", &*root), ("ppt/p.xml", &*ids), ("ppt/_rels/p.xml.rels", &*targets)];
    parts.extend(names.iter().map(|name| (name.as_str(), slide.as_str())));
    assert_eq!(read(FileKind::Pptx, &pack(&parts)), Err(FileFault::TooComplex));
}

#[test]
fn elements_without_end_are_given_up() {
    let deep = format!("{}{}", "<w:sdt>".repeat(100_000), "</w:sdt>".repeat(100_000));
    assert_eq!(read(FileKind::Docx, &document(&deep)), Err(FileFault::TooComplex));
    let many = format!("<w:p>{}</w:p>", "<w:r/>".repeat(600_000));
    assert_eq!(read(FileKind::Docx, &document(&many)), Err(FileFault::TooComplex));
}

/// A reader that visits nested tables again for every outer one takes hours.
#[test]
fn tables_within_tables_are_read_in_linear_time() {
    let (open, close) =
        ("<w:tbl><w:tr><w:tc>", "</w:tc><w:tc><w:p/></w:tc></w:tr><w:tr><w:tc><w:p/></w:tc></w:tr></w:tbl>");
    let words = "<w:p><w:r><w:t>Innermost</w:t></w:r></w:p>";
    let nested = format!("{}{words}{}", open.repeat(50), close.repeat(50));
    assert!(read(FileKind::Docx, &document(&nested)).unwrap().markdown.contains("Innermost"));
    let (open, close) = (
        "<table:table><table:table-row><table:table-cell>",
        "</table:table-cell><table:table-cell/></table:table-row><table:table-row/></table:table>",
    );
    let body = format!("{}<text:p>Innermost</text:p>{}", open.repeat(50), close.repeat(50));
    let content = format!(
        "<office:document-content><office:body><office:text>{body}</office:text></office:body></office:document-content>"
    );
    assert!(read(FileKind::Odt, &pack(&[("content.xml", &content)])).unwrap().markdown.contains("Innermost"));
}

#[test]
fn entities_are_not_expanded() {
    let laughs = "<!DOCTYPE lolz [<!ENTITY a 'aaaaaaaaaa'><!ENTITY b '&a;&a;&a;&a;&a;&a;&a;&a;'>]>\
                  <w:document><w:body><w:p><w:r><w:t>&b;</w:t></w:r></w:p></w:body></w:document>";
    let outside = "<!DOCTYPE d [<!ENTITY x SYSTEM 'file:///etc/passwd'>]><w:document><w:body>&x;</w:body></w:document>";
    for text in [laughs, outside] {
        let file = pack(&[("_rels/.rels", &package("word/document.xml")), ("word/document.xml", text)]);
        assert_eq!(read(FileKind::Docx, &file), Err(FileFault::Entities));
    }
    let undeclared = document("<w:p><w:r><w:t>Ti&unknown;des &amp; &#x6d;oon &lt;3</w:t></w:r></w:p>");
    assert_eq!(read(FileKind::Docx, &undeclared).unwrap().markdown, "Tides \\& moon \\<3\n");
}

#[test]
fn broken_files_are_told_from_encrypted_ones() {
    let whole = document("<w:p><w:r><w:t>Tides</w:t></w:r></w:p>");
    for kind in [FileKind::Docx, FileKind::Pptx, FileKind::Xlsx, FileKind::Odt, FileKind::Epub] {
        assert_eq!(read(kind, b"PK\x03\x04 not an archive"), Err(FileFault::Invalid), "{kind:?}");
        assert_eq!(read(kind, &whole[..whole.len() / 2]), Err(FileFault::Invalid), "{kind:?}");
        assert_eq!(read(kind, &pack(&[("a", "b")])), Err(FileFault::Invalid), "{kind:?}");
    }
    let manifest = "<manifest><file-entry><encryption-data/></file-entry></manifest>";
    let sealed = pack(&[("META-INF/manifest.xml", manifest), ("content.xml", "\u{1}")]);
    assert_eq!(read(FileKind::Odt, &sealed), Err(FileFault::Encrypted));
    // The flag of a password-protected entry, in its header and in the directory.
    let mut locked = whole.clone();
    for (signature, at) in [(b"PK\x03\x04", 6), (b"PK\x01\x02", 8)] {
        let places: Vec<usize> =
            locked.windows(4).enumerate().filter(|(_, w)| w == signature).map(|(n, _)| n).collect();
        places.into_iter().for_each(|place| locked[place + at] |= 1);
    }
    assert_eq!(read(FileKind::Docx, &locked), Err(FileFault::Encrypted));
    assert_eq!(read(FileKind::Docx, &document("<w:p/>")), Err(FileFault::NoText));
    assert_eq!(read(FileKind::Docx, &document("<w:p><w:r><w:t>Tides</w:r></w:p>")), Err(FileFault::Invalid));
}

#[test]
fn a_fault_has_the_contract_s_code() {
    for (fault, code) in [
        (FileFault::Invalid, "file_invalid"),
        (FileFault::Entities, "file_invalid"),
        (FileFault::Encrypted, "file_encrypted"),
        (FileFault::NoText, "no_content"),
        (FileFault::TooComplex, "file_too_complex"),
    ] {
        let failure = fault.failure(FileKind::Docx);
        assert_eq!((failure.code.as_str(), failure.retry), (code, false));
        assert!(failure.message.starts_with("The DOCX file could not be read: "), "{}", failure.message);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn no_bytes_are_too_wild(bytes in proptest::collection::vec(any::<u8>(), 0..400)) {
        for kind in FileKind::ALL {
            let _ = read(kind, &bytes);
        }
    }

    #[test]
    fn no_xml_is_too_wild(parts in proptest::collection::vec(prop_oneof![
        Just("<w:p>"), Just("</w:p>"), Just("<w:r>"), Just("</w:r>"), Just("<w:t>a</w:t>"), Just("<w:tbl>"), Just("</w:tbl>"),
        Just("<w:tr>"), Just("</w:tr>"), Just("<w:tc>"), Just("</w:tc>"), Just("<w:gridSpan w:val='99999999'/>"),
        Just("<w:numPr><w:numId w:val='1'/></w:numPr>"), Just("<w:vMerge/>"), Just("<"), Just("&#0;"), Just("]]>"), Just("<!--"),
    ], 0..40)) {
        let body = parts.concat();
        let _ = read(FileKind::Docx, &document(&body));
        for name in ["content.xml", "xl/workbook.xml", "ppt/presentation.xml", "META-INF/container.xml"] {
            let file = pack(&[("_rels/.rels", &package(name)), (name, &body)]);
            for kind in [FileKind::Odt, FileKind::Xlsx, FileKind::Pptx, FileKind::Epub] {
                let _ = read(kind, &file);
            }
        }
    }
}
