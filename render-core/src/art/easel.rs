//! [`Easel`]: what a piece of art is drawn on, and what it knows of its surroundings.

use crate::design::{Palette, Theme};
use crate::scene::{Color, Item, Layer, Rect, Size};

/// What a piece of art is drawn on.
pub(crate) struct Easel {
    /// The canvas, in du.
    pub size: Size,
    /// What thicknesses and spacing are a multiple of.
    pub k: f32,
    /// Where the page's text may stand.
    pub text: Rect,
    /// The page's colours.
    pub palette: Palette,
    /// Width of the style's rules in du.
    pub rule: f32,
    /// Whether a fine frame runs along the page's margins.
    pub framed: bool,
    /// Whether it is the page's one spot of colour.
    pub strong: bool,
    /// Colours of the parts of a divided page; twice the same where it is whole.
    pub grounds: [Color; 2],
    /// Lines of text that art keeps away from.
    pub lines: Vec<Rect>,
    /// What was drawn.
    pub items: Vec<Item>,
    /// Groups of it.
    pub layers: Vec<Layer>,
}

impl Easel {
    /// An empty one on a canvas of this size whose text stands in `text`.
    pub fn new(size: Size, k: f32, text: Rect, palette: Palette, theme: &Theme) -> Self {
        Self {
            size,
            k,
            text,
            palette,
            rule: theme.rule,
            framed: theme.frame.is_some(),
            strong: false,
            grounds: [palette.bg; 2],
            lines: Vec::new(),
            items: Vec::new(),
            layers: Vec::new(),
        }
    }

    /// Draws an item.
    pub fn art(&mut self, item: Item) {
        self.items.push(item);
    }

    /// Draws what `draw` draws as one group: blurred, clipped, faded and blended as `layer` says.
    pub fn art_group(&mut self, layer: Layer, draw: impl FnOnce(&mut Self)) {
        let (at, from) = (self.layers.len(), self.items.len());
        self.layers.push(layer);
        draw(self);
        self.layers[at].items = from..self.items.len();
    }

    /// The lines of text with `clear` du around each.
    pub fn lines_grown(&self, clear: f32) -> Vec<Rect> {
        self.lines.iter().map(|line| line.grow(clear)).collect()
    }
}
