//! [`Boxed`]: the result of turning an element into a box. A box has a layout, a look, and content: boxes, words or a
//! drawing.

use crate::scene::{Color, Item, Layer, Rect, Size};
use crate::tree::{Anchor, Sides};

use super::columns::Columns;
use super::ranged::Ranged;
use super::view::Plot;
use super::words::Words;

/// A box of a page.
pub struct Boxed {
    /// The id of its element.
    pub id: String,
    /// How it is laid out.
    pub lay: Lay,
    /// Its look.
    pub look: Look,
    /// Its content.
    pub content: Content,
    /// Priority for dropping it from a page that is too full: 9 is dropped first, 1 last, 0 never.
    pub optional: u8,
}

/// The content of a box.
pub enum Content {
    /// No content: a rule, a gap.
    Nothing,
    /// Boxes.
    Boxes(Vec<Boxed>),
    /// Words.
    Words(Box<Words>),
    /// Words in vertical columns from right to left.
    Columns(Box<Columns>),
    /// A drawing.
    Drawn(Drawn),
}

/// A drawing that fills its box.
pub struct Drawn {
    /// Its smallest and its largest size, in du.
    pub size: Ranged<Size>,
    /// Width over height of the content, if known. Unless the layout says otherwise, the box is no larger than the
    /// drawing fills, and may be smaller than its size.
    pub aspect: Option<f32>,
    /// Draws it into a box.
    pub draw: Draw,
}

/// Draws into a box in du. The drawing stays inside.
pub type Draw = Box<dyn Fn(Rect) -> Sketch>;

/// The result of drawing.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Sketch {
    /// Items in drawing order.
    pub items: Vec<Item>,
    /// Groups of these items, as in a scene.
    pub layers: Vec<Layer>,
}

impl From<Vec<Item>> for Sketch {
    fn from(items: Vec<Item>) -> Self {
        Self { items, layers: Vec::new() }
    }
}

impl Sketch {
    /// Draws the output of `draw` as one group: clipped, faded and blended as in `layer`.
    pub fn group(&mut self, layer: Layer, draw: impl FnOnce(&mut Self)) {
        let (at, from) = (self.layers.len(), self.items.len());
        self.layers.push(layer);
        draw(self);
        self.layers[at].items = from..self.items.len();
    }
}

/// The layout of a box. Lengths are in du at full size; spaces shrink if the page is full.
#[derive(Debug, Clone, PartialEq)]
pub struct Lay {
    /// The flow of its content.
    pub flow: Flow,
    /// Space between the parts of its content.
    pub gap: f32,
    /// Space between rows, if it differs from that between columns.
    pub row_gap: Option<f32>,
    /// Padding: top, right, bottom, left.
    pub pad: [f32; 4],
    /// Alignment across the flow.
    pub align: Place,
    /// Distribution along the flow.
    pub justify: Justify,
    /// Its own alignment across its parent's flow.
    pub place: Option<Place>,
    /// Its share of the remaining space along its parent's flow.
    pub grow: f32,
    /// Whether it may shrink along its parent's row.
    pub shrink: bool,
    /// Its size along its parent's flow, before it grows.
    pub basis: Option<Extent>,
    /// Its width.
    pub width: Option<Extent>,
    /// Its height.
    pub height: Option<Extent>,
    /// The minimum width, in du.
    pub least_width: f32,
    /// The minimum height, in du.
    pub least_height: f32,
    /// The maximum height in du to which it grows along its parent's column; never below its content's height. 0 means
    /// no limit.
    pub most_height: f32,
    /// Columns and rows of a grid with unequal tracks.
    pub tracks: Option<Tracks>,
    /// The exact point of a layer where it is placed.
    pub pin: Option<Pin>,
    /// The part of a drawing where it is placed; the drawing fills the layer that holds both.
    pub plot: Option<Plot>,
    /// Its position in a layer.
    pub at: Anchor,
    /// Number of columns of a grid that it spans.
    pub span: u16,
    /// Shift, as shares of its layer's width and height.
    pub shift: [f32; 2],
    /// Rotation about its centre, in degrees.
    pub turn: f32,
}

/// Columns and rows of a grid.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Tracks {
    /// Columns from the start.
    pub columns: Vec<Track>,
    /// Rows from the top; further rows take the height of their content.
    pub rows: Vec<Track>,
}

/// The width of a column or the height of a row of a grid.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Track {
    /// The size of its content.
    Content,
    /// A share of the remaining space.
    Share(f32),
}

/// A point inside a layer's padding and the point of a box to place there, both as shares from the start and the top.
/// Boxes may extend into the padding.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Pin {
    /// The point in the layer.
    pub to: (f32, f32),
    /// The point in the box.
    pub own: (f32, f32),
}

/// A length: a share of the parent, or du.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Extent {
    /// 0–1.
    Share(f32),
    /// Du; shrinks if the page is full.
    Du(f32),
}

/// How a box arranges its content.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Flow {
    /// From top to bottom.
    Column,
    /// Side by side.
    Row,
    /// Side by side, wrapped into several lines if needed.
    Wrap,
    /// In this many columns of equal width.
    Grid(u16),
    /// On top of each other.
    Layer,
}

/// Alignment of a box across a flow.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Place {
    /// At the start.
    Start,
    /// In the middle.
    Center,
    /// At the end.
    End,
    /// From edge to edge.
    Stretch,
    /// On the baseline of the first line of words.
    Baseline,
}

/// Distribution of boxes along a flow.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Justify {
    /// At the start.
    Start,
    /// In the middle.
    Center,
    /// At the end.
    End,
    /// The first at the start, the last at the end.
    Between,
    /// With equal space around all.
    Evenly,
}

/// The look of a box.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Look {
    /// Its fill colour.
    pub fill: Option<Color>,
    /// Its outline.
    pub border: Option<Border>,
    /// Radii of its corners in du: top left, top right, bottom right, bottom left.
    pub radii: [f32; 4],
    /// Its hard shadow: the offset to the right and down in du, and the colour.
    pub shadow: Option<(f32, Color)>,
    /// Seed of the wave along the edge that faces the rest of the page.
    pub wave: Option<u64>,
    /// A fine frame along the canvas's edges.
    pub rim: Option<Rim>,
    /// Sides on which it extends to the canvas's edge.
    pub bleed: Sides,
    /// The colour that it draws below itself, under the rest of its column.
    pub below: Option<Color>,
    /// Whether its content is clipped at its edges.
    pub clip: bool,
}

/// A fine frame along the canvas's edges, in du.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Rim {
    /// Distance from the edges.
    pub inset: f32,
    /// Width of its lines.
    pub width: f32,
    /// Its colour.
    pub color: Color,
}

/// An outline.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Border {
    /// Its width in du.
    pub width: f32,
    /// Its colour.
    pub color: Color,
    /// Whether it is dashed.
    pub dashed: bool,
}

impl Default for Lay {
    fn default() -> Self {
        Self {
            flow: Flow::Column,
            gap: 0.0,
            row_gap: None,
            pad: [0.0; 4],
            align: Place::Stretch,
            justify: Justify::Start,
            place: None,
            grow: 0.0,
            shrink: true,
            basis: None,
            width: None,
            height: None,
            least_width: 0.0,
            least_height: 0.0,
            most_height: 0.0,
            tracks: None,
            pin: None,
            plot: None,
            at: Anchor::default(),
            span: 1,
            shift: [0.0; 2],
            turn: 0.0,
        }
    }
}

impl Boxed {
    /// Creates a box that contains boxes.
    pub fn around(flow: Flow, boxes: Vec<Self>) -> Self {
        Self { lay: Lay { flow, ..Lay::default() }, content: Content::Boxes(boxes), ..Self::empty() }
    }

    /// Creates a column.
    pub fn column(gap: f32, boxes: Vec<Self>) -> Self {
        Self::around(Flow::Column, boxes).with(|lay| lay.gap = gap)
    }

    /// Creates a row.
    pub fn row(gap: f32, align: Place, boxes: Vec<Self>) -> Self {
        Self::around(Flow::Row, boxes).with(|lay| (lay.gap, lay.align) = (gap, align))
    }

    /// Creates a grid of equal columns.
    pub fn grid(columns: u16, gap: f32, boxes: Vec<Self>) -> Self {
        Self::around(Flow::Grid(columns.max(1)), boxes).with(|lay| lay.gap = gap)
    }

    /// Creates a grid of these columns and rows.
    pub fn tracks(columns: Vec<Track>, rows: Vec<Track>, boxes: Vec<Self>) -> Self {
        let flow = Flow::Grid(columns.len().max(1) as u16);
        Self::around(flow, boxes).with(|lay| lay.tracks = Some(Tracks { columns, rows }))
    }

    /// Creates a centred column of rows that share the remaining height, each up to `most` du.
    pub fn spread(most: f32, gap: f32, rows: Vec<Self>) -> Self {
        let row = |row: Self| row.growing(1.0).with(|lay| lay.most_height = most);
        Self::column(gap, rows.into_iter().map(row).collect())
            .with(|lay| (lay.grow, lay.justify) = (1.0, Justify::Center))
    }

    /// Like `spread`, but the last row ends with its content.
    pub fn rail(most: f32, rows: Vec<Self>) -> Self {
        let mut rail = Self::spread(most, 0.0, rows);
        if let Content::Boxes(rows) = &mut rail.content
            && let Some(last) = rows.last_mut()
        {
            (last.lay.grow, last.lay.most_height) = (0.0, 0.0);
        }
        rail
    }

    /// Creates a layer of boxes on top of each other.
    pub fn layer(boxes: Vec<Self>) -> Self {
        Self::around(Flow::Layer, boxes)
    }

    /// Creates a box of words.
    pub fn words(words: Words) -> Self {
        Self { id: words.id.clone(), content: Content::Words(Box::new(words)), ..Self::empty() }
    }

    /// Creates a box of words in vertical columns.
    pub fn columns(columns: Columns) -> Self {
        let id = columns.id.clone();
        Self { id, content: Content::Columns(Box::new(columns)), ..Self::empty() }.rigid()
    }

    /// Creates a box with a drawing in a range of sizes.
    pub fn drawn(size: Ranged<Size>, draw: impl Fn(Rect) -> Vec<Item> + 'static) -> Self {
        Self::sketched(size, None, move |rect| Sketch::from(draw(rect)))
    }

    /// Creates a box with a drawing that has groups, with its width over height if known.
    pub fn sketched(size: Ranged<Size>, aspect: Option<f32>, draw: impl Fn(Rect) -> Sketch + 'static) -> Self {
        let drawn = Drawn { size, aspect, draw: Box::new(draw) };
        Self { content: Content::Drawn(drawn), ..Self::empty() }
    }

    /// Creates a box without content.
    pub fn empty() -> Self {
        Self { id: String::new(), lay: Lay::default(), look: Look::default(), content: Content::Nothing, optional: 0 }
    }

    /// Returns whether it shows nothing and takes no space.
    pub fn is_nothing(&self) -> bool {
        let lay = &self.lay;
        let sized = lay.grow > 0.0 || lay.basis.is_some() || lay.width.is_some() || lay.height.is_some();
        matches!(self.content, Content::Nothing) && self.look == Look::default() && !sized
    }

    /// Returns the box with a changed layout.
    pub fn with<T>(mut self, change: impl FnOnce(&mut Lay) -> T) -> Self {
        change(&mut self.lay);
        self
    }

    /// Returns the box with a changed look.
    pub fn looking<T>(mut self, change: impl FnOnce(&mut Look) -> T) -> Self {
        change(&mut self.look);
        self
    }

    /// Returns the box with a share of the remaining space.
    pub fn growing(self, share: f32) -> Self {
        self.with(|lay| lay.grow = share)
    }

    /// Returns the box with padding.
    pub fn padded(self, vertical: f32, horizontal: f32) -> Self {
        self.with(|lay| lay.pad = [vertical, horizontal, vertical, horizontal])
    }

    /// Returns the box with a fixed size in rows.
    pub fn rigid(self) -> Self {
        self.with(|lay| lay.shrink = false)
    }

    /// Returns the box at `x`, `y` in a layer; `None` fills the layer along that axis.
    pub fn at(self, x: Option<f32>, y: Option<f32>) -> Self {
        self.with(|lay| lay.at = Anchor { x, y })
    }

    /// Returns the box with its point `own` at the point `to` of its layer, both as shares from the start and the top.
    pub fn pinned(self, to: (f32, f32), own: (f32, f32)) -> Self {
        self.with(|lay| lay.pin = Some(Pin { to, own }))
    }

    /// Returns the box with a fill and rounded corners.
    pub fn filled(self, color: Color, radius: f32) -> Self {
        self.looking(|look| (look.fill, look.radii) = (Some(color), [radius; 4]))
    }
}
