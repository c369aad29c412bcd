//! Rows of rearranged carousels.

use serde::{Deserialize, Serialize};

use crate::state::rows::encoding::Record;

/// The arrangement of a generation's carousels, keyed by the generation's id. Without a row they are as created.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Arrangement {
    pub(in crate::state) sets: Vec<ArrangedSet>,
}

impl Record for Arrangement {}

impl Arrangement {
    /// Returns the index of the slide at a place, if its carousel was rearranged and shows it.
    pub fn slide(&self, place: u32) -> Option<u32> {
        let index = |set: &ArrangedSet| set.shown.iter().position(|p| *p == place);
        self.sets.iter().find_map(index).and_then(|index| u32::try_from(index).ok())
    }

    /// Returns whether the slide at a place was removed.
    pub fn is_removed(&self, place: u32) -> bool {
        self.removed().any(|removed| removed == place)
    }

    /// Returns the places of all removed slides.
    pub fn removed(&self) -> impl Iterator<Item = u32> {
        self.sets.iter().flat_map(|set| &set.removed).copied()
    }

    pub(in crate::state) fn put(&mut self, set: ArrangedSet) {
        self.sets.retain(|other| other.first != set.first);
        self.sets.push(set);
    }
}

/// A carousel whose slides were rearranged.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(in crate::state) struct ArrangedSet {
    /// The place of its first output at creation, which identifies the carousel.
    pub(in crate::state) first: u32,
    /// The places of its slides, in the order shown.
    pub(in crate::state) shown: Vec<u32>,
    /// The places of its removed slides.
    pub(in crate::state) removed: Vec<u32>,
}
