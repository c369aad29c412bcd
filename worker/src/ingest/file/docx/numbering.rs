//! Lists: which levels are numbered, and the number of each item.

use std::collections::BTreeMap;

use crate::ingest::file::xml::Element;

/// Levels of a list.
const LEVELS: usize = 9;

/// The first number of a level; `None` for bullets.
type Level = Option<u64>;

/// The lists of a document, and their counters.
#[derive(Debug, Default)]
pub(super) struct Numbering {
    lists: BTreeMap<String, (String, [Level; LEVELS])>,
    /// The next number of each level, by the definition that lists share.
    next: BTreeMap<String, [Option<u64>; LEVELS]>,
}

impl Numbering {
    pub fn of(root: &Element) -> Self {
        let mut defined: BTreeMap<&str, [Level; LEVELS]> = BTreeMap::new();
        for definition in root.children().filter(|e| &*e.name == "abstractNum") {
            let Some(id) = definition.attr("abstractNumId") else { continue };
            let mut levels = [None; LEVELS];
            definition.children().filter(|e| &*e.name == "lvl").for_each(|level| set(&mut levels, level));
            defined.insert(id, levels);
        }
        let mut numbering = Self::default();
        for list in root.children().filter(|e| &*e.name == "num") {
            let shared = list.child("abstractNumId").and_then(|e| e.attr("val"));
            let (Some(id), Some(shared)) = (list.attr("numId"), shared) else { continue };
            let mut levels = defined.get(shared).copied().unwrap_or([None; LEVELS]);
            let mut counts_by = shared.to_owned();
            for change in list.children().filter(|e| &*e.name == "lvlOverride") {
                if let Some(level) = change.child("lvl") {
                    set(&mut levels, level);
                }
                let start = change.child("startOverride").and_then(|e| e.number("val"));
                let at = change.number("ilvl").and_then(|n| levels.get_mut(n));
                if let (Some(start), Some(level @ Some(_))) = (start, at) {
                    *level = Some(start as u64);
                    // A list that restarts has its own counter.
                    counts_by = format!("list {id}");
                }
            }
            numbering.lists.insert(id.to_owned(), (counts_by, levels));
        }
        numbering
    }

    /// Returns whether a list exists.
    pub fn has(&self, list: &str) -> bool {
        self.lists.contains_key(list)
    }

    /// Returns the number of the list's next item at a level; `None` for bullets.
    pub fn count(&mut self, list: &str, level: usize) -> Option<u64> {
        let level = level.min(LEVELS - 1);
        let (counts_by, levels) = self.lists.get(list)?;
        let next = self.next.entry(counts_by.clone()).or_default();
        next[level + 1..].fill(None);
        let start = levels[level]?;
        let number = next[level].unwrap_or(start);
        next[level] = Some(number.saturating_add(1));
        Some(number)
    }
}

/// Reads the definition of a level.
fn set(levels: &mut [Level; LEVELS], level: &Element) {
    let Some(place) = level.number("ilvl").and_then(|n| levels.get_mut(n)) else { return };
    let format = level.child("numFmt").and_then(|e| e.attr("val")).unwrap_or("decimal");
    let start = level.child("start").and_then(|e| e.number("val")).unwrap_or(1);
    *place = (!matches!(format, "bullet" | "none")).then_some(start as u64);
}
