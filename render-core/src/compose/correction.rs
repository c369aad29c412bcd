//! [`Correction`]: an edit that only corrects words.

use std::collections::HashMap;

use unicode_segmentation::UnicodeSegmentation;

use super::text;
use crate::design::{Page, SizeCaps, Slot};
use crate::elements::VOCABULARY;
use crate::markup;
use crate::tree::{Kind, Node, Run};

/// Attributes with figures of charts and tables. Changes to them count as corrections of words.
const FIGURES: [&str; 2] = ["value", "values"];

/// The number of words that an edit changes, if it changes nothing else.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Correction {
    /// Words that are replaced, added or removed; replacing a word counts once.
    pub changed: u32,
    /// Words of the page before.
    pub of: u32,
}

impl Correction {
    /// Returns the words that an edit corrects; `None` if it changes anything else, such as an element, a size or a
    /// colour.
    pub fn between(before: &Page, after: &Page) -> Option<Self> {
        if bare(before) != bare(after) {
            return None;
        }
        if before.authored.is_none() && after.authored.is_none() {
            // A template may lay out longer words differently; that is no change by the edit.
            return same_slots(before, after).then(|| Self::of(&slots(before), &slots(after)));
        }
        let read = |page: &Page| markup::parse(&text(page).ok()?, &VOCABULARY).ok();
        let (old, new) = (read(before)?, read(after)?);
        alike(&old.root, &new.root).then(|| Self::of(&all_words(&old.root), &all_words(&new.root)))
    }

    /// Returns whether at most `percent` hundredths of the page's words change, or one word.
    pub fn is_within(self, percent: u8) -> bool {
        percent > 0 && u64::from(self.changed) * 100 <= (u64::from(self.of) * u64::from(percent)).max(100)
    }

    fn of(old: &str, new: &str) -> Self {
        let mut counts: HashMap<&str, i64> = HashMap::new();
        old.unicode_words().for_each(|word| *counts.entry(word).or_default() -= 1);
        new.unicode_words().for_each(|word| *counts.entry(word).or_default() += 1);
        let removed: i64 = counts.values().filter(|n| **n < 0).map(|n| -n).sum();
        let added: i64 = counts.values().filter(|n| **n > 0).sum();
        let count = |n: i64| u32::try_from(n).unwrap_or(u32::MAX);
        Self { changed: count(removed.max(added)), of: count(old.unicode_words().count() as i64) }
    }
}

/// Returns a page without the fields that its text in the page language contains, and without those derived from them.
fn bare(page: &Page) -> Page {
    Page {
        authored: None,
        whole: false,
        slots: Vec::new(),
        items: Vec::new(),
        picture: None,
        alt_text: String::new(),
        warnings: Vec::new(),
        sizes: SizeCaps::default(),
        motif: None,
        sameness: None,
        ..page.clone()
    }
}

/// Returns whether two pages of one template differ only in the words of their slots.
fn same_slots(before: &Page, after: &Page) -> bool {
    let alike = |(old, new): (&Slot, &Slot)| old.id == new.id && (old.text != new.text || old.emphasis == new.emphasis);
    before.picture == after.picture
        && before.items == after.items
        && before.slots.len() == after.slots.len()
        && before.slots.iter().zip(&after.slots).all(alike)
}

/// Returns all words of a page's slots.
fn slots(page: &Page) -> String {
    page.slots.iter().map(|slot| slot.text.as_str()).collect::<Vec<_>>().join(" ")
}

/// Returns whether two elements differ only in their words.
fn alike(old: &Node, new: &Node) -> bool {
    let plain = |node: &Node| -> Vec<(&'static str, String)> {
        node.attributes.iter().filter(|(name, _)| !says(node, name)).cloned().collect()
    };
    let marks = |runs: &[Run]| runs.iter().map(|run| run.marks).collect::<Vec<_>>();
    old.element.name == new.element.name
        && old.id == new.id
        && plain(old) == plain(new)
        && marks(&old.words) == marks(&new.words)
        && old.children.len() == new.children.len()
        && old.children.iter().zip(&new.children).all(|(old, new)| alike(old, new))
}

/// Returns whether an attribute holds words or figures of the page.
fn says(node: &Node, name: &str) -> bool {
    let declared = node.element.attributes.iter().find(|attribute| attribute.name == name);
    declared.is_some_and(|attribute| matches!(attribute.kind, Kind::Words) || FIGURES.contains(&name))
}

/// Returns all words of an element and its descendants.
fn all_words(node: &Node) -> String {
    let mut out = String::new();
    for node in node.walk() {
        let attributes = node.attributes.iter().filter(|(name, _)| says(node, name)).map(|(_, value)| value.as_str());
        for words in node.words.iter().map(|run| run.text.as_str()).chain(attributes) {
            out.push_str(words);
            out.push(' ');
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn alike_texts(old: &str, new: &str) -> bool {
        let read = |text: &str| markup::parse(text, &VOCABULARY).unwrap();
        alike(&read(old).root, &read(new).root)
    }

    #[test]
    fn a_correction_changes_words_alone() {
        let page = |inside: &str| format!("<page>{inside}</page>");
        let old =
            page("<headline id=\"title\">Four habits</headline><chart><item label=\"Mail\" value=\"46\"/></chart>");
        assert!(alike_texts(&old, &old.replace("Four", "Five").replace("46", "44").replace("Mail", "Email")));
        assert!(!alike_texts(&old, &old.replace("<headline ", "<headline fit=\"xl..xl\" ")));
        assert!(!alike_texts(&old, &old.replace("Four habits", "Four <em>habits</em>")));
        assert!(!alike_texts(&old, &old.replace("</page>", "<text>More</text></page>")));
    }

    #[test]
    fn replaced_words_count_once() {
        let count = |old, new| Correction::of(old, new).changed;
        assert_eq!(count("we ship audibility on time", "we ship auditability on time"), 1);
        assert_eq!(count("ship it", "ship it now, please"), 2);
        assert_eq!(count("ship it now", "ship it"), 1);
        assert_eq!(Correction::of("很重要的事", "很重要的人"), Correction { changed: 1, of: 5 });
    }

    #[test]
    fn a_share_of_the_words_is_allowed_and_one_word_always() {
        let changed = |changed, of| Correction { changed, of };
        assert!(changed(4, 20).is_within(20) && !changed(5, 20).is_within(20));
        assert!(changed(1, 3).is_within(20) && !changed(2, 3).is_within(20));
        assert!(!changed(1, 100).is_within(0), "a share of 0 turns it off");
    }
}
