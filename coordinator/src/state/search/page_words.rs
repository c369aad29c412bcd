//! Page texts for searching lists: the text of each version of each output, in lower case.

use uuid::Uuid;

use crate::state::database::tables::{Abort, Tables, Tx};
use crate::state::error::StateError;
use crate::state::rows::arrangement::Arrangement;
use crate::state::rows::encoding::clip;
use crate::state::rows::keyspace::{self, versioned};
use crate::state::rows::outputs::{Output, PageWords};
use crate::state::rows::schema::{ARRANGEMENTS, OUTPUTS, PAGE_WORDS};

/// Maximum size of a page's stored text in bytes.
const PAGE_BYTES: usize = 2_000;
/// Maximum size in bytes of a generation's searchable page texts: enough for a hundred slides of usual length.
pub(in crate::state) const SEARCHED_BYTES: usize = 24_000;

/// Stores the text of a version of an output.
pub(in crate::state) fn put(tx: &Tx<'_>, generation: Uuid, place: u32, version: u32, words: &str) -> Result<(), Abort> {
    let row = versioned(generation, place, version);
    if words.is_empty() {
        return tx.remove(&PAGE_WORDS, &row);
    }
    let words = PageWords { text: clip(&words.to_lowercase(), PAGE_BYTES) };
    tx.put(&PAGE_WORDS, &row, &words)
}

/// Copies the text of version `from` to version `to`, which restores it.
pub(in crate::state) fn put_again(tx: &Tx<'_>, generation: Uuid, place: u32, from: u32, to: u32) -> Result<(), Abort> {
    match tx.get(&PAGE_WORDS, &versioned(generation, place, from))? {
        Some(words) => tx.put(&PAGE_WORDS, &versioned(generation, place, to), &words),
        None => Ok(()),
    }
}

/// Returns the texts of the pages that a generation shows, one per page. Pages that were stored without a text yield
/// their alternative text, which contains most of it.
pub(in crate::state) fn shown(tables: &Tables, generation: Uuid) -> Result<Vec<String>, StateError> {
    let mut outputs = Vec::new();
    for row in tables.scan(&OUTPUTS, generation.as_bytes()) {
        let (key, output): (_, Output) = row?;
        outputs.push((keyspace::place(&key).unwrap_or(u32::MAX), output));
    }
    let arrangement: Arrangement = tables.get(&ARRANGEMENTS, generation.as_bytes())?.unwrap_or_default();
    let mut texts = Vec::with_capacity(outputs.len());
    for (place, output) in
        outputs.iter().filter(|(place, output)| output.page.is_some() && !arrangement.is_removed(*place))
    {
        let words = tables.get(&PAGE_WORDS, &versioned(generation, *place, output.version))?;
        texts.push(words.map_or_else(|| output.alt_text.to_lowercase(), |words| words.text));
    }
    Ok(texts)
}

/// Collects the page texts of all generations from rows in key order, keeping each output's latest version.
#[derive(Debug, Default)]
pub(in crate::state) struct Latest {
    generation: Uuid,
    places: Vec<(u32, String)>,
}

impl Latest {
    /// Adds the next row. If it starts another generation, returns the texts of the previous one.
    pub(in crate::state) fn push(&mut self, key: &[u8], words: PageWords) -> Option<(Uuid, Vec<String>)> {
        let (generation, place) = (Uuid::from_slice(key.get(..16)?).ok()?, keyspace::place(key)?);
        let before = if generation == self.generation { None } else { self.end() };
        self.generation = generation;
        match self.places.last_mut() {
            Some((last, text)) if *last == place => *text = words.text,
            _ => self.places.push((place, words.text)),
        }
        before
    }

    /// Returns the texts of the last generation.
    pub(in crate::state) fn end(&mut self) -> Option<(Uuid, Vec<String>)> {
        let texts: Vec<String> = std::mem::take(&mut self.places).into_iter().map(|(_, text)| text).collect();
        (!texts.is_empty()).then_some((self.generation, texts))
    }
}

#[cfg(test)]
#[path = "page_words_tests.rs"]
mod tests;
