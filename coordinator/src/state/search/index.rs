//! The index behind lists: each account's generations in memory, with the fields that filters check. Without it, a page
//! with a selective filter would read every row of the account.
//!
//! The index is built when the state is opened and updated after every commit that touches a generation. For 100,000
//! generations with the longest excerpts it takes about 50 MiB, plus about 200 bytes for the words of each page.
//! Entries are grouped into blocks that store their texts contiguously, so that a search reads memory sequentially.

use std::collections::HashMap;
use std::ops::Range;
use std::sync::Arc;

use memchr::memmem::Finder;
use parking_lot::RwLock;
use rayon::prelude::*;
use uuid::Uuid;

use crate::clock::Millis;
use crate::state::database::tables::Tables;
use crate::state::error::StateError;
use crate::state::rows::encoding::decode;
use crate::state::rows::generations::Generation;
use crate::state::rows::given::InputType;
use crate::state::rows::schema::{GENERATIONS, PAGE_WORDS};
use crate::state::search::filter::Filter;
use crate::state::search::page_words::{self, Latest, SEARCHED_BYTES};
use crate::state::status::Status;

/// Rows decoded per batch.
const AT_ONCE: usize = 4_096;
/// Maximum number of entries per block.
const BLOCK: usize = 512;
/// A block is compacted if texts of removed entries take more than this many bytes and more than half of the block.
const SLACK: usize = 16 << 10;
/// Separates the texts of an entry. The byte never occurs in UTF-8, so no match spans two texts.
const BETWEEN: u8 = 0xff;

/// The generations of all accounts.
#[derive(Debug, Default)]
pub(in crate::state) struct Index {
    shelves: RwLock<HashMap<Uuid, Arc<RwLock<Shelf>>>>,
}

impl Index {
    /// Builds the index from all generations in `tables`.
    pub(in crate::state) fn read(tables: &Tables) -> Result<Self, StateError> {
        let index = Self::default();
        index.reread(tables)?;
        Ok(index)
    }

    /// Rebuilds the index. It decodes rows on all cores, because this dominates a start with many generations.
    pub(in crate::state) fn reread(&self, tables: &Tables) -> Result<(), StateError> {
        let mut words = said(tables)?;
        let mut shelves = HashMap::<Uuid, Shelf>::new();
        let mut rows = tables.scan_raw(GENERATIONS.index);
        loop {
            let some = rows.by_ref().take(AT_ONCE).collect::<Result<Vec<_>, _>>()?;
            if some.is_empty() {
                break;
            }
            let read = some.par_iter().map(|(_, row)| {
                let generation: Generation = decode(row)?;
                let words = match words.get(&generation.id) {
                    Some(words) => words.as_slice(),
                    // Without stored texts: written by an earlier version of the service, or not planned yet.
                    None if generation.planned.is_some() => &page_words::shown(tables, generation.id)?,
                    None => &[],
                };
                Ok((generation.account, Entry::of(&generation), text(&generation, words)))
            });
            for (account, entry, text) in read.collect::<Result<Vec<_>, StateError>>()? {
                words.remove(&entry.id);
                shelves.entry(account).or_default().put(entry, &text);
            }
        }
        let shelves = shelves.into_iter().map(|(account, shelf)| (account, Arc::new(RwLock::new(shelf)))).collect();
        *self.shelves.write() = shelves;
        Ok(())
    }

    /// Applies a commit that touched the row at `key`. It rereads the row under its account's lock, so the latest
    /// commit wins whatever the order of these calls.
    pub(in crate::state) fn follow(&self, tables: &Tables, key: &[u8]) {
        let (Ok(account), Ok(id)) = (Uuid::from_slice(&key[..16]), Uuid::from_slice(&key[16..])) else { return };
        let shelf = self.shelf(account).unwrap_or_else(|| {
            let mut shelves = self.shelves.write();
            Arc::clone(shelves.entry(account).or_default())
        });
        let mut shelf = shelf.write();
        let found = tables.get(&GENERATIONS, key).and_then(|found| match found {
            Some(generation) if generation.planned.is_some() => {
                Ok(Some((Entry::of(&generation), text(&generation, &page_words::shown(tables, id)?))))
            }
            found => Ok(found.map(|generation| (Entry::of(&generation), text(&generation, &[])))),
        });
        match found {
            Ok(Some((entry, text))) => shelf.put(entry, &text),
            Ok(None) => shelf.remove(id),
            Err(e) => tracing::error!(error = %e, generation = %id, "index not updated: lists are outdated"),
        }
    }

    /// Returns up to `limit` of an account's generations that match `filter`, the newest first, only those older than
    /// `after`.
    pub(in crate::state) fn find(
        &self,
        account: Uuid,
        filter: &Filter,
        after: Option<Uuid>,
        limit: usize,
    ) -> Vec<Uuid> {
        let Some(shelf) = self.shelf(account) else { return Vec::new() };
        let shelf = shelf.read();
        shelf.find(filter, after.unwrap_or(Uuid::max()), limit)
    }

    /// Returns up to `limit` of an account's generations accepted before `before`, the oldest first, only those newer
    /// than `after`.
    pub(in crate::state) fn oldest(&self, account: Uuid, before: Millis, after: Uuid, limit: usize) -> Vec<Uuid> {
        let Some(shelf) = self.shelf(account) else { return Vec::new() };
        let shelf = shelf.read();
        let newer = shelf.blocks.iter().skip_while(|b| b.last() <= after).flat_map(|b| &b.entries);
        newer.filter(|e| e.id > after).take_while(|e| e.created < before).map(|e| e.id).take(limit).collect()
    }

    /// Returns the account of a generation.
    pub(in crate::state) fn owner(&self, id: Uuid) -> Option<Uuid> {
        let shelves = self.shelves.read();
        let has = |shelf: &RwLock<Shelf>| shelf.read().has(id);
        shelves.iter().find(|(_, shelf)| has(shelf)).map(|(account, _)| *account)
    }

    /// Returns all accounts that have or had generations.
    pub(in crate::state) fn accounts(&self) -> Vec<Uuid> {
        self.shelves.read().keys().copied().collect()
    }

    /// Returns the number of generations and the total size of their texts in bytes.
    pub(in crate::state) fn size(&self) -> (u64, u64) {
        let shelves: Vec<_> = self.shelves.read().values().map(Arc::clone).collect();
        shelves.iter().fold((0, 0), |(generations, bytes), shelf| {
            let shelf = shelf.read();
            let (entries, texts) =
                (shelf.blocks.iter().map(|b| b.entries.len()), shelf.blocks.iter().map(|b| b.texts.len()));
            (generations + entries.sum::<usize>() as u64, bytes + texts.sum::<usize>() as u64)
        })
    }

    fn shelf(&self, account: Uuid) -> Option<Arc<RwLock<Shelf>>> {
        self.shelves.read().get(&account).map(Arc::clone)
    }
}

/// Returns the texts of all pages, by generation.
fn said(tables: &Tables) -> Result<HashMap<Uuid, Vec<String>>, StateError> {
    let (mut all, mut latest) = (HashMap::new(), Latest::default());
    for row in tables.scan(&PAGE_WORDS, &[]) {
        let (key, words) = row?;
        all.extend(latest.push(&key, words));
    }
    all.extend(latest.end());
    Ok(all)
}

/// Returns the searchable text of a generation whose pages contain `words`.
fn text(generation: &Generation, words: &[String]) -> Vec<u8> {
    let beginning = generation.request.excerpt.to_lowercase();
    let mut all = Vec::new();
    for title in generation.titles().map(str::to_lowercase) {
        // Most titles repeat the start of the excerpt, so they need no extra text.
        if !beginning.contains(&title) {
            all.extend_from_slice(title.as_bytes());
            all.push(BETWEEN);
        }
    }
    all.extend_from_slice(beginning.as_bytes());
    let most = all.len() + SEARCHED_BYTES;
    for words in words.iter().filter(|words| !beginning.contains(words.as_str())) {
        let words = &words[..words.floor_char_boundary(most.saturating_sub(all.len() + 1))];
        if words.is_empty() {
            break;
        }
        all.push(BETWEEN);
        all.extend_from_slice(words.as_bytes());
    }
    all
}

/// The generations of an account, in blocks from the oldest to the newest. No block is empty.
#[derive(Debug, Default)]
struct Shelf {
    blocks: Vec<Block>,
}

#[derive(Debug, Default)]
struct Block {
    /// Sorted by id.
    entries: Vec<Entry>,
    texts: Vec<u8>,
    /// Bytes of `texts` that no entry uses.
    slack: usize,
}

/// The fields of a generation that filters check.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Entry {
    id: Uuid,
    created: Millis,
    brand: Option<Uuid>,
    status: Status,
    input: InputType,
    /// Range of its text in the block.
    text: Range<u32>,
}

impl Entry {
    fn of(g: &Generation) -> Self {
        let (brand, input) = (g.request.brand, g.request.given.input_type());
        Self { id: g.id, created: g.created, brand, status: g.status, input, text: 0..0 }
    }

    /// Returns whether the entry matches all conditions except the query.
    fn passes(&self, f: &Filter) -> bool {
        f.status.is_none_or(|s| s == self.status)
            && f.input_type.is_none_or(|t| t == self.input)
            && f.brand.is_none_or(|b| Some(b) == self.brand)
            && f.created_after.is_none_or(|t| self.created >= t)
            && f.created_before.is_none_or(|t| self.created < t)
    }
}

impl Shelf {
    fn find(&self, filter: &Filter, before: Uuid, limit: usize) -> Vec<Uuid> {
        let words = filter.query.as_ref().map(|q| q.to_lowercase());
        let finder = words.as_ref().map(|words| Finder::new(words.as_bytes()));
        let older = self.blocks.iter().rev().skip_while(|b| b.first() >= before);
        let holds = &|block: &Block, entry: &Entry| {
            entry.id < before
                && entry.passes(filter)
                && finder.as_ref().is_none_or(|f| f.find(block.text(entry)).is_some())
        };
        let found = older.flat_map(|b| b.entries.iter().rev().filter(move |e| holds(b, e)));
        found.map(|e| e.id).take(limit).collect()
    }

    fn put(&mut self, entry: Entry, text: &[u8]) {
        let at = self.at(entry.id);
        // New generations usually come last. Then leave the full block as it is and start another one instead of
        // splitting.
        let begin = match self.blocks.get(at) {
            None => true,
            Some(block) => at + 1 == self.blocks.len() && block.entries.len() >= BLOCK && block.last() < entry.id,
        };
        if begin {
            if let Some(full) = self.blocks.last_mut() {
                full.shrink();
            }
            self.blocks.push(Block::default());
        }
        let at = if begin { self.blocks.len() - 1 } else { at };
        let block = &mut self.blocks[at];
        block.put(entry, text);
        if block.entries.len() > BLOCK {
            let upper = block.split();
            self.blocks.insert(at + 1, upper);
        }
    }

    fn remove(&mut self, id: Uuid) {
        let at = self.at(id);
        let Some(block) = self.blocks.get_mut(at) else { return };
        block.remove(id);
        if block.entries.is_empty() {
            self.blocks.remove(at);
        }
    }

    fn has(&self, id: Uuid) -> bool {
        self.blocks.get(self.at(id)).is_some_and(|b| b.entries.binary_search_by_key(&id, |e| e.id).is_ok())
    }

    /// Returns the index of the block that contains, or would contain, `id`.
    fn at(&self, id: Uuid) -> usize {
        self.blocks.partition_point(|b| b.first() <= id).saturating_sub(1)
    }
}

impl Block {
    fn first(&self) -> Uuid {
        self.entries.first().map_or(Uuid::nil(), |e| e.id)
    }

    fn last(&self) -> Uuid {
        self.entries.last().map_or(Uuid::nil(), |e| e.id)
    }

    fn text(&self, entry: &Entry) -> &[u8] {
        &self.texts[entry.text.start as usize..entry.text.end as usize]
    }

    fn put(&mut self, mut entry: Entry, text: &[u8]) {
        let found = self.entries.binary_search_by_key(&entry.id, |e| e.id);
        if let Ok(at) = found
            && self.text(&self.entries[at]) == text
        {
            // Most changes leave the text as it is.
            entry.text = self.entries[at].text.clone();
            self.entries[at] = entry;
            return;
        }
        let end = |texts: &Vec<u8>| u32::try_from(texts.len()).expect("a block's texts are some 14 MiB at most");
        let start = end(&self.texts);
        self.texts.extend_from_slice(text);
        entry.text = start..end(&self.texts);
        match found {
            Ok(at) => {
                self.slack += self.entries[at].text.len();
                self.entries[at] = entry;
            }
            Err(at) => self.entries.insert(at, entry),
        }
        self.tidy();
    }

    fn remove(&mut self, id: Uuid) {
        if let Ok(at) = self.entries.binary_search_by_key(&id, |e| e.id) {
            self.slack += self.entries.remove(at).text.len();
            self.tidy();
        }
    }

    /// Splits off the newer half.
    fn split(&mut self) -> Self {
        let entries = self.entries.split_off(self.entries.len() / 2);
        let mut upper = Self { entries, texts: self.texts.clone(), slack: 0 };
        upper.shrink();
        self.shrink();
        upper
    }

    fn tidy(&mut self) {
        if self.slack > SLACK && self.slack * 2 > self.texts.len() {
            self.shrink();
        }
    }

    /// Compacts the texts in the order of the entries, and frees unused memory.
    fn shrink(&mut self) {
        let mut texts = Vec::with_capacity(self.entries.iter().map(|e| e.text.len()).sum());
        for entry in &mut self.entries {
            let start = texts.len() as u32;
            texts.extend_from_slice(&self.texts[entry.text.start as usize..entry.text.end as usize]);
            entry.text = start..texts.len() as u32;
        }
        self.texts = texts;
        self.slack = 0;
        self.entries.shrink_to_fit();
    }
}

#[cfg(test)]
#[path = "index_tests.rs"]
mod tests;
