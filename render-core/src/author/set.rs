//! Checks on all pages of a set together.

use std::collections::BTreeSet;

use super::{Commission, FULL, Faults, Licence};
use crate::compose::page_slots;
use crate::content::{guard, segment};
use crate::design::SlotId;
use crate::leaf;
use crate::tree::Tree;

/// Number of content words from which pages must share some with their source, and the share of them.
const STRAY: (usize, f32) = (8, 0.5);
/// Number of leading letters by which two forms of a word are matched.
const STEM: usize = 4;

impl Commission<'_> {
    pub(super) fn check_set(&self, trees: &[Tree], faults: &mut Faults) {
        let whole = spoken(trees);
        let mut titles = BTreeSet::new();
        for (index, tree) in trees.iter().enumerate() {
            let title = page_slots(tree).into_iter().find(|s| s.id == SlotId::Title).map(|s| folded(&s.text));
            match title {
                Some(title) => {
                    if !titles.insert(title) {
                        faults.page(index, "its headline stands on another page already");
                    }
                }
                None => faults.page(index, "needs a <headline>, or a <quote>"),
            }
        }
        if let Some(other) = self.language.surely_another(&whole) {
            faults.set(format!("the words must be in {}, not in {other}", self.language));
        }
        let folded_whole = folded(&whole);
        for kept in self.kept.iter().filter(|k| !folded_whole.contains(&folded(k))) {
            faults.set(format!("“{kept}” must stand on the pages"));
        }
        if let Some(count) = self.count {
            self.check_count(count as usize, trees, faults);
        }
        if self.licence == Licence::Source && !self.translates() && strays(&whole, self.source) {
            faults.set("the pages speak of things that the source doesn't speak of");
        }
    }

    /// Checks that all counted things are present, as pages or as items.
    fn check_count(&self, count: usize, trees: &[Tree], faults: &mut Faults) {
        let outer = if trees.len() >= FULL as usize { 2 } else { usize::from(trees.len() > 1) };
        let inner = trees.len() - outer;
        let heads = |tree: &Tree| page_slots(tree).iter().filter(|s| matches!(s.id, SlotId::ItemHead(_))).count();
        let items: usize = trees.iter().skip(usize::from(trees.len() > 1)).take(inner.max(1)).map(heads).sum();
        let there = items.max(inner);
        if there < count {
            faults.set(format!("{count} things are counted, and only {there} stand on the pages"));
        }
    }
}

/// Returns all words of pages.
pub(super) fn spoken(trees: &[Tree]) -> String {
    trees.iter().map(leaf::spoken).collect::<Vec<_>>().join("\n")
}

/// Returns whether most words of a text don't occur in its source.
fn strays(text: &str, source: &str) -> bool {
    let stem = |w: &str| w.chars().take(STEM).collect::<String>();
    let known: BTreeSet<String> = segment::words_of(source).iter().map(|w| stem(w)).collect();
    let words: BTreeSet<String> =
        segment::words_of(text).into_iter().filter(|w| w.chars().filter(|c| c.is_alphabetic()).count() >= 4).collect();
    let (enough, share) = STRAY;
    let found = words.iter().filter(|w| known.contains(&stem(w))).count();
    words.len() >= enough && (found as f32) < share * words.len() as f32
}

/// Returns letters and digits of a text in the form in which words are compared.
fn folded(text: &str) -> String {
    guard::folded(text).collect()
}
