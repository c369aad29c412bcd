//! Word documents (ISO/IEC 29500-1, clause 17): the main part, its styles and its lists. Footnotes, comments, headers
//! and footers are separate parts and are not read.

mod body;
mod numbering;
mod runs;
mod styles;

#[cfg(test)]
mod tests;

use super::archive::{Archive, resolved};
use super::fault::FileFault;
use super::text::Read;
use super::xml::{self, Element};
use super::{blocks, properties};

/// The end of the relationship type of the main part, in both the transitional and the strict form.
const MAIN: &str = "/officeDocument";

/// Reads a file.
///
/// # Errors
/// [`FileFault`].
pub(super) fn read(file: &[u8]) -> Result<Read, FileFault> {
    let mut archive = Archive::open(file)?;
    let main = main_part(&mut archive)?;
    let part = |name: &str| resolved(&main, name);
    let styles = match archive.text(&part("styles.xml"))? {
        Some(text) => styles::Styles::of(&xml::tree(&text)?),
        None => styles::Styles::default(),
    };
    let numbering = match archive.text(&part("numbering.xml"))? {
        Some(text) => numbering::Numbering::of(&xml::tree(&text)?),
        None => numbering::Numbering::default(),
    };
    let text = archive.needed(&main)?;
    let mut body = body::Body::new(&styles, numbering);
    xml::each_child(&text, "body", false, |element| Ok(body.take(&element)))?;
    let said = properties::core(&mut archive)?;
    Ok(Read {
        author: None,
        language: said.language.or_else(|| styles.language.clone()),
        markdown: blocks::markdown(&body.blocks, said.title.as_deref()),
    })
}

/// Returns the path of the main document part, from the package's relationships.
///
/// # Errors
/// [`FileFault`].
pub(super) fn main_part(archive: &mut Archive<'_>) -> Result<String, FileFault> {
    let relationships = xml::tree(&archive.needed("_rels/.rels")?)?;
    let is_main = |r: &&Element| r.attr("Type").is_some_and(|kind| kind.ends_with(MAIN));
    let target = relationships.children().find(is_main).and_then(|r| r.attr("Target")).ok_or(FileFault::Invalid)?;
    Ok(resolved("", target))
}
