//! Lets all items of a list have a sentence: one without looks forgotten among others.

use super::tone::Budget;
use super::{Copy, ItemCopy};

/// Longest sentence of such an item, in tenths of the budget of an item.
const LONGEST: usize = 35;

/// Gives items the sentence that was too long for them, if at least as many items have theirs and each of these
/// sentences has a wording that is not much too long.
pub(super) fn evened(mut items: Vec<ItemCopy>, budget: &Budget) -> Vec<ItemCopy> {
    let told = items.iter().filter(|item| item.body.is_some()).count();
    let left: Vec<&Copy> = items.iter().filter_map(|item| item.omitted.as_ref()).collect();
    let fits = |copy: &&Copy| {
        let least = copy.wordings.iter().map(|wording| wording.chars().count()).min();
        least.is_some_and(|least| 10 * least <= LONGEST * budget.item)
    };
    if told >= left.len() && left.iter().all(fits) {
        for item in items.iter_mut().filter(|item| item.body.is_none()) {
            item.body = item.omitted.take();
        }
    }
    items
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::content::Language;
    use crate::format::Density;

    fn copy(text: &str) -> Copy {
        Copy { wordings: vec![text.to_owned()], span: None }
    }

    #[test]
    fn a_sentence_that_is_a_little_too_long_stays_beside_others() {
        let budget = Budget::of(Density::Poster, &Language::english());
        let told = |text: &str| ItemCopy::new(copy("Count the boats"), Some(copy(text)));
        let left = |text: &str| ItemCopy { omitted: Some(copy(text)), ..ItemCopy::new(copy("Count the ropes"), None) };
        let bodies = |items: Vec<ItemCopy>| evened(items, &budget).iter().filter(|item| item.body.is_some()).count();
        let (long, longer) = ("a".repeat(3 * budget.item), "a".repeat(4 * budget.item));
        assert_eq!(bodies(vec![told("At dawn."), left(&long)]), 2);
        assert_eq!(bodies(vec![told("At dawn."), left(&longer)]), 1);
        assert_eq!(bodies(vec![told("At dawn."), left(&long), left(&long)]), 1);
    }
}
