//! Books, built in the tests.

use super::{FileFault, read};
use crate::ingest::file::tests::pack;

const CONTAINER: &str = "<container><rootfiles><rootfile full-path='OEBPS/book.opf'/></rootfiles></container>";

fn book(spine: &str, chapters: &[(&str, &str)], more: &[(&str, &str)]) -> Vec<u8> {
    let items: String = chapters
        .iter()
        .map(|(name, _)| format!("<item id='{name}' href='text/{name}.xhtml' media-type='application/xhtml+xml'/>"))
        .collect();
    let package = format!(
        "<package><metadata><dc:title>On tides</dc:title><dc:creator>A. Mariner</dc:creator><dc:language>en</dc:language></metadata>\
         <manifest>{items}</manifest><spine>{spine}</spine></package>"
    );
    let texts: Vec<(String, String)> = chapters
        .iter()
        .map(|(name, body)| {
            (
                format!("OEBPS/text/{name}.xhtml"),
                format!("<!DOCTYPE html><html><head><title>x</title></head>{body}</html>"),
            )
        })
        .collect();
    let mut parts =
        vec![("mimetype", "application/epub+zip"), ("META-INF/container.xml", CONTAINER), ("OEBPS/book.opf", &package)];
    parts.extend(texts.iter().map(|(name, text)| (name.as_str(), text.as_str())));
    parts.extend(more);
    pack(&parts)
}

#[test]
fn chapters_come_in_the_order_of_the_spine() {
    let chapters = [
        ("cover", "<body><p>A picture</p></body>"),
        ("two", "<body><h1>Neaps</h1><p>They come<br/>with &nbsp;the half moon&mdash;often.</p></body>"),
        (
            "one",
            "<body><section epub:type='chapter'><h1>Springs</h1><p>The <em>sun</em> helps<a epub:type='noteref'>1</a>.</p>\
             <ol start='2'><li><p>rise</p><ul><li>slowly</li></ul></li><li>fall</li></ol><blockquote><p>It turns.</p></blockquote>\
             <table><thead><tr><th>port</th><th>range</th></tr></thead><tbody><tr><td>Brest</td><td>6</td></tr></tbody></table>\
             <aside epub:type='footnote'><p>A note.</p></aside></section></body>",
        ),
        ("legal", "<body epub:type='copyright-page'><p>All rights.</p></body>"),
        ("broken", "<body><p>Not closed</body>"),
        ("aside", "<body><p>Aside.</p></body>"),
    ];
    let spine = "<itemref idref='cover'/><itemref idref='legal'/><itemref idref='one'/><itemref idref='broken'/><itemref idref='two'/>\
                 <itemref idref='aside' linear='no'/>";
    let read = read(&book(spine, &chapters, &[])).unwrap();
    let expected = "# On tides\n\n## Springs\n\nThe *sun* helps.\n\n2. rise\n   - slowly\n3. fall\n\n> It turns.\n\n\
                    | port | range |\n| --- | --- |\n| Brest | 6 |\n\n## Neaps\n\nThey come\n\nwith the half moon—often.\n";
    assert_eq!(read.markdown, expected);
    assert_eq!((read.author.as_deref(), read.language.as_deref()), (Some("A. Mariner"), Some("en")));
}

#[test]
fn a_protected_book_says_so() {
    let chapters = [("one", "<body><p>Tides turn.</p></body>")];
    let spine = "<itemref idref='one'/>";
    let encrypted = |method: &str| {
        let text =
            format!("<encryption><EncryptedData><EncryptionMethod Algorithm='{method}'/></EncryptedData></encryption>");
        read(&book(spine, &chapters, &[("META-INF/encryption.xml", &text)])).err()
    };
    assert_eq!(encrypted("http://www.idpf.org/2008/embedding"), None);
    assert_eq!(encrypted("http://www.w3.org/2001/04/xmlenc#aes128-cbc"), Some(FileFault::Encrypted));
    assert_eq!(read(&book("", &chapters, &[])), Err(FileFault::NoText));
}

#[test]
fn a_long_book_is_read_up_to_the_limit() {
    let body =
        format!("<body>{}</body>", "<p>The sea rises and falls twice a day, and the moon pulls.</p>".repeat(1000));
    let chapters: Vec<(String, &str)> = (0..60).map(|n| (format!("c{n}"), body.as_str())).collect();
    let chapters: Vec<(&str, &str)> = chapters.iter().map(|(name, body)| (name.as_str(), *body)).collect();
    let spine: String = chapters.iter().map(|(name, _)| format!("<itemref idref='{name}'/>")).collect();
    let length = read(&book(&spine, &chapters, &[])).unwrap().markdown.len();
    assert!((200_000..400_000).contains(&length), "{length}");
}
