//! [`Easel`]: the drawing target of a piece of art, with the page's properties that art depends on.

use crate::design::{Palette, Theme};
use crate::scene::{Color, Item, Layer, Rect, Size};

/// The drawing target of a piece of art.
pub(crate) struct Easel {
    /// The canvas, in du.
    pub size: Size,
    /// The factor for thicknesses and spacing.
    pub k: f32,
    /// The area of the page's text.
    pub text: Rect,
    /// The page's colours.
    pub palette: Palette,
    /// Width of the style's rules in du.
    pub rule: f32,
    /// Whether a fine frame follows the page's margins.
    pub framed: bool,
    /// Whether the art is the page's only spot of colour.
    pub strong: bool,
    /// Background colours of the parts of a divided page; the same colour twice for a page in one piece.
    pub grounds: [Color; 2],
    /// Lines of text that art must not touch.
    pub lines: Vec<Rect>,
    /// The drawn items.
    pub items: Vec<Item>,
    /// The layers of the items.
    pub layers: Vec<Layer>,
}

impl Easel {
    /// Creates an empty easel for a canvas of this size with text in `text`.
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

    /// Draws the items of `draw` as one group: blurred, clipped, faded and blended as `layer` specifies.
    pub fn art_group(&mut self, layer: Layer, draw: impl FnOnce(&mut Self)) {
        let (at, from) = (self.layers.len(), self.items.len());
        self.layers.push(layer);
        draw(self);
        self.layers[at].items = from..self.items.len();
    }

    /// Returns the lines of text, each grown by `clear` du.
    pub fn lines_grown(&self, clear: f32) -> Vec<Rect> {
        self.lines.iter().map(|line| line.grow(clear)).collect()
    }
}
