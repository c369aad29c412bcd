//! Detects an empty band between the words of a page and the scene at its foot.

use crate::design::Theme;
use crate::raster::Pixmap;
use crate::scene::{Rect, Scene};
use crate::tree::{Fault, Node, Tree};

/// Most height of the band, as a share of the emptiness that the style allows.
const ALLOWED: f32 = 0.4;
/// Height of the band that remains when the scene is drawn taller, as a share of the page.
const GAP: f32 = 0.06;
/// Most difference between channels of two pixels of the same colour: pictures are dithered.
const NEAR: u8 = 24;

/// Returns a fault of the drawing at the foot of `tree` if an empty band runs above it across the whole page. `pixels`
/// show the page without text; `across` is the width in du that the drawing's viewBox fills.
pub fn band(tree: &Tree, scene: &Scene, theme: &Theme, across: f32, pixels: &Pixmap) -> Option<Fault> {
    let drawing = tree.root.walk().find(|node| Node::is_scene(node))?;
    let [_, _, wide, _] = drawing.numbers("viewBox")[..] else { return None };
    let scale = pixels.height as f32 / scene.size.h;
    let share = tallest(pixels, scale, scene.blocks.iter().map(|block| block.ink))? / scene.size.h;
    let wrong = share > ALLOWED * theme.emptiness;
    wrong.then(|| {
        let taller = ((share - GAP) * scene.size.h * wide as f32 / across / 10.0).round().max(1.0) * 10.0;
        let message = format!(
            "{:.0} % of the page stand empty over what it shows: draw its main things about {taller:.0} units taller (they \
             may rise over the viewBox), or set the words above it larger",
            100.0 * share
        );
        Fault::new(drawing.id.clone(), message)
    })
}

/// Returns the height, in du, of the tallest band of background with words or marks above and below it; `None` if there
/// is none.
fn tallest(pixels: &Pixmap, scale: f32, words: impl Iterator<Item = Rect>) -> Option<f32> {
    let (colors, _) = pixels.data.as_chunks::<3>();
    let ground = colors.first()?;
    let is_ground = |color: &[u8; 3]| color.iter().zip(ground).all(|(a, b)| a.abs_diff(*b) <= NEAR);
    let rows = colors.chunks_exact(pixels.width as usize);
    let mut marked: Vec<bool> = rows.map(|row| !row.iter().all(is_ground)).collect();
    for ink in words {
        let row = |y: f32| (y * scale).clamp(0.0, pixels.height as f32) as usize;
        marked[row(ink.y0)..row(ink.y1)].fill(true);
    }
    let gaps: Vec<usize> = marked.split(|marked| *marked).map(<[bool]>::len).collect();
    let (_, inner) = gaps.get(1..)?.split_last()?;
    inner.iter().max().map(|rows| *rows as f32 / scale)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_tallest_band_lies_between_words_and_marks() {
        let mut pixels = Pixmap { width: 10, height: 100, data: vec![200; 3000] };
        let words = || std::iter::once(Rect::new(10.0, 20.0, 90.0, 40.0));
        assert_eq!(tallest(&pixels, 0.5, std::iter::empty()), None);
        assert_eq!(tallest(&pixels, 0.5, words()), Some(0.0), "under the words there is nothing");
        pixels.data[60 * 30] = 0;
        assert_eq!(tallest(&pixels, 0.5, words()), Some(80.0), "rows 20 to 60 are empty");
        pixels.data[30 * 30..60 * 30].fill(90);
        assert_eq!(tallest(&pixels, 0.5, words()), Some(20.0), "a sea above the mark is drawn");
    }
}
