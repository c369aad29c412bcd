//! Detects words on a drawing that touch or cross the edge of one of its shapes.

use std::collections::{HashMap, HashSet};

use crate::raster::Pixmap;
use crate::scene::{Rect, Scene, TextBlock};
use crate::tree::{Fault, Tree};

/// Margin around words that must have one colour, in em.
const MARGIN: f32 = 0.1;
/// Share of that margin that other colours may take, such as the soft edges of neighbouring letters.
const OTHERS: f32 = 0.04;
/// Most difference between channels of two pixels of the same colour: pictures are dithered.
const NEAR: u8 = 24;
/// Returns the message of the fault, in terms that an author can act on.
fn message(block: &TextBlock) -> String {
    let lines = match block.lines.len() {
        1 => "1 line".to_owned(),
        n => format!("{n} lines"),
    };
    format!(
        "its words ({lines}, {:.0} du high) touch or cross the edge of a shape: move or enlarge its place, enlarge the shape, or \
         say less",
        block.size
    )
}

/// Returns a fault for each text in a place of a drawing whose background has more than one colour. `pixels` show the
/// scene without text.
pub fn crossings(tree: &Tree, scene: &Scene, pixels: &Pixmap) -> Vec<Fault> {
    let places = tree.root.walk().filter(|node| node.name() == "place");
    let inside: HashSet<&str> = places.flat_map(|place| place.walk().map(|node| node.id.as_str())).collect();
    let scale = pixels.width as f32 / scene.size.w;
    let on_drawings = scene.blocks.iter().filter(|block| inside.contains(block.slot.as_str()));
    let crossing = on_drawings.filter(|block| !is_even(pixels, scale, block.ink.grow(MARGIN * block.size)));
    crossing.map(|block| Fault::new(block.slot.clone(), message(block))).collect()
}

/// Returns whether a part of a picture has one colour.
fn is_even(pixels: &Pixmap, scale: f32, part: Rect) -> bool {
    let range = |from: f32, to: f32, most: u32| {
        let at = |v: f32| (v * scale).round().clamp(0.0, most as f32) as u32;
        at(from)..at(to)
    };
    let mut counts: HashMap<[u8; 3], u32> = HashMap::new();
    for y in range(part.y0, part.y1, pixels.height) {
        for x in range(part.x0, part.x1, pixels.width) {
            let at = ((y * pixels.width + x) * 3) as usize;
            *counts.entry([0, 1, 2].map(|i| pixels.data[at + i])).or_default() += 1;
        }
    }
    let Some((ground, _)) = counts.iter().max_by_key(|(color, count)| (**count, **color)) else { return true };
    let differs = |color: &[u8; 3]| color.iter().zip(ground).any(|(a, b)| a.abs_diff(*b) > NEAR);
    let others: u32 = counts.iter().filter(|(color, _)| differs(color)).map(|(_, count)| count).sum();
    let all: u32 = counts.values().sum();
    others as f32 <= OTHERS * all as f32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_colour_is_even_and_an_edge_is_not() {
        let mut pixels = Pixmap { width: 20, height: 10, data: vec![200; 600] };
        let part = Rect::new(2.0, 2.0, 18.0, 8.0);
        assert!(is_even(&pixels, 1.0, part));
        for y in 0..10 {
            for x in 15..20 {
                pixels.data[(y * 20 + x) * 3] = 0;
            }
        }
        assert!(!is_even(&pixels, 1.0, part));
        assert!(is_even(&pixels, 1.0, Rect::new(2.0, 2.0, 14.0, 8.0)));
        assert!(is_even(&pixels, 1.0, Rect::new(90.0, 90.0, 99.0, 99.0)), "outside there is nothing");
    }
}
