//! OpenDocument (ISO/IEC 26300-3): texts, presentations and spreadsheets.

mod sheets;
mod styles;
mod text;

#[cfg(test)]
mod tests;

use std::ops::ControlFlow;

use self::styles::Styles;
use self::text::Text;
use super::archive::Archive;
use super::blocks::Block;
use super::fault::FileFault;
use super::text::Read;
use super::xlsx::headed;
use super::{blocks, properties, xml};

/// Reads a file: its body determines which of the three it is.
///
/// # Errors
/// [`FileFault`].
pub(super) fn read(file: &[u8]) -> Result<Read, FileFault> {
    let mut archive = Archive::open(file)?;
    if archive.text("META-INF/manifest.xml")?.is_some_and(|manifest| manifest.contains("encryption-data")) {
        return Err(FileFault::Encrypted);
    }
    let content = archive.needed("content.xml")?;
    let common = archive.text("styles.xml")?;
    let mut styles = Styles::default();
    for (part, container) in [(common.as_deref(), "styles"), (Some(content.as_str()), "automatic-styles")] {
        if let Some(part) = part {
            xml::each_child(part, container, false, |style| {
                styles.add(&style);
                Ok(ControlFlow::Continue(()))
            })?;
        }
    }
    let mut blocks = Vec::new();
    let mut text = Text::new(&styles);
    xml::each_child(&content, "text", false, |element| Ok(text.take(&element)))?;
    blocks.append(&mut text.blocks);
    if blocks.is_empty() {
        xml::each_child(&content, "presentation", false, |page| Ok(text.slide(&page)))?;
        blocks.append(&mut text.blocks);
    }
    if blocks.is_empty() {
        blocks = spreadsheet(&content, &styles)?;
    }
    let said = properties::of_part(&mut archive, "meta.xml")?;
    let language = said.language.or_else(|| styles.language());
    Ok(Read { author: None, language, markdown: blocks::markdown(&blocks, said.title.as_deref()) })
}

/// Returns the blocks of a spreadsheet's tables.
fn spreadsheet(content: &str, styles: &Styles) -> Result<Vec<Block>, FileFault> {
    let mut sheets = Vec::new();
    xml::each_child(content, "spreadsheet", false, |table| {
        if &*table.name == "table" && !styles.hides(table.attr("style-name")) {
            sheets.push((table.attr("name").unwrap_or_default().to_owned(), sheets::blocks(&table)));
        }
        Ok(ControlFlow::Continue(()))
    })?;
    Ok(headed(sheets))
}
