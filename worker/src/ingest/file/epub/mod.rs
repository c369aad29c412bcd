//! EPUB books: the chapters in the order of the spine, up to the text limit.

mod xhtml;

#[cfg(test)]
mod tests;

use std::collections::BTreeMap;

use render_core::limits;

use super::archive::{Archive, resolved};
use super::blocks;
use super::blocks::{Block, Line};
use super::fault::FileFault;
use super::text::Read;
use super::xml::{self, Element};

/// Limit of chapters that are read.
const CHAPTERS: usize = 500;
/// Characters of the longest author's name that is shown.
const AUTHOR: usize = 40;
/// Names of files and sections that are front matter rather than text.
const FRONT: [&str; 12] = [
    "cover",
    "titlepage",
    "title-page",
    "title_page",
    "copyright",
    "imprint",
    "colophon",
    "contents",
    "toc",
    "nav",
    "dedication",
    "advert",
];

/// Reads a file.
///
/// # Errors
/// [`FileFault`].
pub(super) fn read(file: &[u8]) -> Result<Read, FileFault> {
    let mut archive = Archive::open(file)?;
    check_protection(&mut archive)?;
    let container = xml::tree(&archive.needed("META-INF/container.xml")?)?;
    let package_path = container.find("rootfile").and_then(|e| e.attr("full-path")).ok_or(FileFault::Invalid)?;
    let package_path = resolved("", package_path);
    let package = xml::tree(&archive.needed(&package_path)?)?;
    let said = |name: &str| {
        let text = package.child("metadata").and_then(|m| m.find(name)).map(|e| blocks::squeezed(&e.text()));
        text.filter(|text| !text.is_empty())
    };
    let title = said("title");
    let mut all: Vec<Block> = title.as_deref().map(|t| Block::Title(Line::plain(t))).into_iter().collect();
    let mut length = 0;
    for part in spine(&package, &package_path).into_iter().take(CHAPTERS) {
        let Some(text) = archive.text(&part)? else { continue };
        // A chapter that is not well-formed XML is skipped.
        let chapter = match xml::tree(&text) {
            Err(FileFault::Invalid) => continue,
            chapter => chapter?,
        };
        if is_front(&chapter) {
            continue;
        }
        let found = xhtml::blocks(&chapter);
        length += found.iter().map(chars).sum::<usize>();
        all.extend(found);
        if length > limits::TEXT_CHARS || all.len() > limits::DOCUMENT_BLOCKS {
            break;
        }
    }
    let author = said("creator").filter(|name| name.chars().count() <= AUTHOR);
    if length == 0 {
        return Err(FileFault::NoText);
    }
    Ok(Read { author, language: said("language"), markdown: blocks::markdown(&all, None) })
}

/// Fails if the text has DRM. Obfuscated fonts do not count.
fn check_protection(archive: &mut Archive<'_>) -> Result<(), FileFault> {
    if archive.has("META-INF/rights.xml") || archive.has("META-INF/license.lcpl") {
        return Err(FileFault::Encrypted);
    }
    let Some(text) = archive.text("META-INF/encryption.xml")? else { return Ok(()) };
    let encrypted = xml::tree(&text)?;
    let of_fonts = |part: &Element| {
        let method = part.find("EncryptionMethod").and_then(|e| e.attr("Algorithm")).unwrap_or_default();
        method.contains("embedding") || method.ends_with("#RC")
    };
    if encrypted.children().filter(|e| &*e.name == "EncryptedData").all(of_fonts) {
        Ok(())
    } else {
        Err(FileFault::Encrypted)
    }
}

/// Returns the parts of the chapters, in order.
fn spine(package: &Element, path: &str) -> Vec<String> {
    let items = package.child("manifest").into_iter().flat_map(Element::children);
    let items: BTreeMap<&str, &Element> = items.filter_map(|item| Some((item.attr("id")?, item))).collect();
    let chapters = package.child("spine").into_iter().flat_map(Element::children);
    let shown = chapters.filter(|chapter| chapter.attr("linear") != Some("no"));
    let read = shown.filter_map(|chapter| items.get(chapter.attr("idref")?)).filter(|item| {
        let is_text = item.attr("media-type").is_some_and(|media| media.contains("html"));
        let is_navigation = item.attr("properties").is_some_and(|p| p.split(' ').any(|p| p == "nav"));
        is_text && !is_navigation && !item.attr("href").is_some_and(is_called_front)
    });
    read.filter_map(|item| Some(resolved(path, &percent_decoded(item.attr("href")?)))).collect()
}

/// Returns whether a file name is that of front matter.
fn is_called_front(path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or(path).to_ascii_lowercase();
    let stem = name.split('.').next().unwrap_or(&name);
    FRONT.iter().any(|front| stem.trim_matches(|c: char| !c.is_ascii_alphabetic()) == *front)
}

/// Returns whether a chapter is marked as front matter.
fn is_front(chapter: &Element) -> bool {
    let body = chapter.child("body");
    let sections = body.into_iter().flat_map(Element::children).take(1);
    let mut kinds = body.into_iter().chain(sections).filter_map(|e| e.attr("type"));
    kinds.any(|kinds| kinds.split_whitespace().any(|kind| FRONT.contains(&kind.trim_end_matches("-page"))))
}

fn chars(block: &Block) -> usize {
    match block {
        Block::Title(line) | Block::Heading(_, line) | Block::Paragraph(line) | Block::Quote(line) => line.text().len(),
        Block::Item(_, _, line) => line.text().len(),
        Block::Table(rows) => rows.iter().flatten().map(String::len).sum(),
    }
}

/// Decodes the percent escapes of a reference.
fn percent_decoded(reference: &str) -> String {
    let (bytes, mut out, mut at) = (reference.as_bytes(), Vec::new(), 0);
    while at < bytes.len() {
        let digits = bytes.get(at + 1..at + 3).and_then(|d| std::str::from_utf8(d).ok());
        match digits.filter(|_| bytes[at] == b'%').and_then(|d| u8::from_str_radix(d, 16).ok()) {
            Some(byte) => {
                out.push(byte);
                at += 3;
            }
            None => {
                out.push(bytes[at]);
                at += 1;
            }
        }
    }
    String::from_utf8_lossy(&out).into_owned()
}
