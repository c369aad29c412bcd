//! [`misses`]: which texts break a hard limit, and how, so that the page's author can change them.

use super::layout::{overflows, overlap, stands_outside};
use super::legibility::{contrast_of, is_large};
use super::{Against, CONTRAST_LARGE, CONTRAST_SMALL};
use crate::raster::Pixmap;
use crate::scene::{Rect, Scene, TextBlock};

/// A text that breaks a hard limit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Miss {
    /// The name of its slot, or the id of its element.
    pub slot: String,
    /// What is wrong with it.
    pub message: String,
}

/// Returns the texts of a scene that overflow, overlap, leave the safe area, or are unreadable on what is under them.
/// For `backdrop` see [`super::inspect`].
pub fn misses(scene: &Scene, against: impl Into<Against>, backdrop: &Pixmap) -> Vec<Miss> {
    let against = against.into();
    let format = against.format.format();
    let canvas = Rect::new(0.0, 0.0, scene.size.w, scene.size.h);
    let blocks: Vec<&TextBlock> = scene.blocks.iter().filter(|b| !b.lines.is_empty()).collect();
    let mut misses = Vec::new();
    let mut miss = |block: &TextBlock, message: String| misses.push(Miss { slot: block.slot.clone(), message });
    for (i, block) in blocks.iter().enumerate() {
        if overflows(block, &canvas) {
            miss(block, "its words overflow its box".to_owned());
        }
        if let Some(other) = blocks[i + 1..].iter().find(|other| overlap(block, other) > 1.0) {
            miss(block, format!("its words lie over those of {}", other.slot));
        }
        if stands_outside(block, format) {
            miss(block, "lies outside the area that the format keeps free of controls".to_owned());
        }
        if block.size < format.smallest_size() - 0.05 {
            let (size, least) = (block.size, format.smallest_size());
            miss(block, format!("its type has {size:.0}du; the minimum in this format is {least:.0}du"));
        }
        let least = if is_large(block) { CONTRAST_LARGE } else { CONTRAST_SMALL };
        let contrast = contrast_of(block, backdrop, scene);
        if contrast < least {
            let message = format!("has a contrast of {contrast:.1} with what is under it; the minimum is {least}");
            miss(block, message);
        }
    }
    misses
}
