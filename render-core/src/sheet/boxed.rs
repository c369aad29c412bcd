//! [`Boxed`]: what elements are made into. A box has a place in the layout, a look, and content: boxes, words or a
//! drawing.

use crate::scene::{Color, Item, Layer, Rect, Size};
use crate::tree::{Anchor, Sides};

use super::columns::Columns;
use super::ranged::Ranged;
use super::view::Plot;
use super::words::Words;

/// A box of a page.
pub struct Boxed {
    /// The id of the element that it belongs to.
    pub id: String,
    /// How it is laid out.
    pub lay: Lay,
    /// What it looks like.
    pub look: Look,
    /// What it holds.
    pub content: Content,
    /// In which order it is left out where a page is too full: 9 first, 1 last, 0 never.
    pub optional: u8,
}

/// What a box holds.
pub enum Content {
    /// Nothing: a rule, a gap.
    Nothing,
    /// Boxes.
    Boxes(Vec<Boxed>),
    /// Words.
    Words(Box<Words>),
    /// Words in columns from right to left.
    Columns(Box<Columns>),
    /// A drawing.
    Drawn(Drawn),
}

/// A drawing that fills its box.
pub struct Drawn {
    /// Its size where the page is full, and where there is room, in du.
    pub size: Ranged<Size>,
    /// Width over height of what is drawn, where that is known: where nothing says otherwise, the box is no larger than
    /// the drawing fills, and may be smaller than its size.
    pub aspect: Option<f32>,
    /// Draws it into a box.
    pub draw: Draw,
}

/// Draws into a box in du. What it draws stays inside.
pub type Draw = Box<dyn Fn(Rect) -> Sketch>;

/// What a drawing is made of.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Sketch {
    /// In the order in which they are drawn.
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
    /// Draws what `draw` draws as one group: clipped, faded and blended as `layer` says.
    pub fn group(&mut self, layer: Layer, draw: impl FnOnce(&mut Self)) {
        let (at, from) = (self.layers.len(), self.items.len());
        self.layers.push(layer);
        draw(self);
        self.layers[at].items = from..self.items.len();
    }
}

/// How a box is laid out. Lengths in du at full size; spaces shrink where a page is full.
#[derive(Debug, Clone, PartialEq)]
pub struct Lay {
    /// How it lays out what it holds.
    pub flow: Flow,
    /// Between what it holds.
    pub gap: f32,
    /// Between rows, where they are told apart from columns.
    pub row_gap: Option<f32>,
    /// Inside its edges: top, right, bottom, left.
    pub pad: [f32; 4],
    /// Across the flow.
    pub align: Place,
    /// Along the flow.
    pub justify: Justify,
    /// How it stands across its parent's flow.
    pub place: Option<Place>,
    /// Its share of the room that is left along its parent's flow.
    pub grow: f32,
    /// Whether it gives up room along its parent's row.
    pub shrink: bool,
    /// Along its parent's flow, before it grows.
    pub basis: Option<Extent>,
    /// Its width.
    pub width: Option<Extent>,
    /// Its height.
    pub height: Option<Extent>,
    /// The least width, in du.
    pub least_width: f32,
    /// The least height, in du.
    pub least_height: f32,
    /// How high it grows at most along its parent's column, in du; never lower than what it holds. 0 for any height.
    pub most_height: f32,
    /// Columns and rows of a grid that aren't all equal.
    pub tracks: Option<Tracks>,
    /// The exact point of a layer that it stands at.
    pub pin: Option<Pin>,
    /// The part of a drawing that it stands on; its layer holds the drawing, which fills it.
    pub plot: Option<Plot>,
    /// Where it stands in a layer.
    pub at: Anchor,
    /// How many columns of a grid it spans.
    pub span: u16,
    /// Moved by this share of its layer's width and height.
    pub shift: [f32; 2],
    /// Turned about its middle, in degrees.
    pub turn: f32,
}

/// Columns and rows of a grid.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Tracks {
    /// Columns from the start.
    pub columns: Vec<Track>,
    /// Rows from the top; those beyond are as high as what they hold.
    pub rows: Vec<Track>,
}

/// How wide a column or how high a row of a grid is.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Track {
    /// As what it holds.
    Content,
    /// A share of the room that is left.
    Share(f32),
}

/// A point inside a layer's padding and the point of a box that lies on it, both as shares from the start and the top.
/// Boxes may reach into the padding.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Pin {
    /// In the layer.
    pub to: (f32, f32),
    /// In the box.
    pub own: (f32, f32),
}

/// A length: a share of the parent or du.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Extent {
    /// 0–1.
    Share(f32),
    /// Du; shrinks where the page is full.
    Du(f32),
}

/// How a box lays out what it holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Flow {
    /// One below the other.
    Column,
    /// One beside the other.
    Row,
    /// Beside each other, in several lines where they don't fit in one.
    Wrap,
    /// In this many columns of equal width.
    Grid(u16),
    /// One over the other.
    Layer,
}

/// Where a box stands across a flow.
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
    /// On the first line of words.
    Baseline,
}

/// Where boxes stand along a flow.
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
    /// With equal room around all.
    Evenly,
}

/// What a box looks like.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Look {
    /// What it is filled with.
    pub fill: Option<Color>,
    /// Its outline.
    pub border: Option<Border>,
    /// Radii of its corners in du: top left, top right, bottom right, bottom left.
    pub radii: [f32; 4],
    /// Its hard shadow: how far it is shifted right and down in du, and its colour.
    pub shadow: Option<(f32, Color)>,
    /// The edge that faces the rest of the page is a wave, drawn from this seed.
    pub wave: Option<u64>,
    /// A fine frame along the canvas's edges.
    pub rim: Option<Rim>,
    /// Sides on which it reaches to the canvas's edge.
    pub bleed: Sides,
    /// The colour that it draws under whatever follows it in its column.
    pub below: Option<Color>,
    /// Whether what it holds is cut off at its edges.
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
    /// A box around boxes.
    pub fn around(flow: Flow, boxes: Vec<Self>) -> Self {
        Self { lay: Lay { flow, ..Lay::default() }, content: Content::Boxes(boxes), ..Self::empty() }
    }

    /// A column.
    pub fn column(gap: f32, boxes: Vec<Self>) -> Self {
        Self::around(Flow::Column, boxes).with(|lay| lay.gap = gap)
    }

    /// A row.
    pub fn row(gap: f32, align: Place, boxes: Vec<Self>) -> Self {
        Self::around(Flow::Row, boxes).with(|lay| (lay.gap, lay.align) = (gap, align))
    }

    /// A grid of equal columns.
    pub fn grid(columns: u16, gap: f32, boxes: Vec<Self>) -> Self {
        Self::around(Flow::Grid(columns.max(1)), boxes).with(|lay| lay.gap = gap)
    }

    /// A grid of these columns and rows.
    pub fn tracks(columns: Vec<Track>, rows: Vec<Track>, boxes: Vec<Self>) -> Self {
        let flow = Flow::Grid(columns.len().max(1) as u16);
        Self::around(flow, boxes).with(|lay| lay.tracks = Some(Tracks { columns, rows }))
    }

    /// Rows below each other that share the room that is left, each up to `most` du, and stand in its middle.
    pub fn spread(most: f32, gap: f32, rows: Vec<Self>) -> Self {
        let row = |row: Self| row.growing(1.0).with(|lay| lay.most_height = most);
        Self::column(gap, rows.into_iter().map(row).collect())
            .with(|lay| (lay.grow, lay.justify) = (1.0, Justify::Center))
    }

    /// The same where the last row ends with what it holds.
    pub fn rail(most: f32, rows: Vec<Self>) -> Self {
        let mut rail = Self::spread(most, 0.0, rows);
        if let Content::Boxes(rows) = &mut rail.content
            && let Some(last) = rows.last_mut()
        {
            (last.lay.grow, last.lay.most_height) = (0.0, 0.0);
        }
        rail
    }

    /// Boxes over each other.
    pub fn layer(boxes: Vec<Self>) -> Self {
        Self::around(Flow::Layer, boxes)
    }

    /// A box around words.
    pub fn words(words: Words) -> Self {
        Self { id: words.id.clone(), content: Content::Words(Box::new(words)), ..Self::empty() }
    }

    /// A box around words in columns.
    pub fn columns(columns: Columns) -> Self {
        let id = columns.id.clone();
        Self { id, content: Content::Columns(Box::new(columns)), ..Self::empty() }.rigid()
    }

    /// A box around a drawing whose size ranges from `min` to `max`.
    pub fn drawn(size: Ranged<Size>, draw: impl Fn(Rect) -> Vec<Item> + 'static) -> Self {
        Self::sketched(size, None, move |rect| Sketch::from(draw(rect)))
    }

    /// A box around a drawing with groups in it, of this width over height where that is known.
    pub fn sketched(size: Ranged<Size>, aspect: Option<f32>, draw: impl Fn(Rect) -> Sketch + 'static) -> Self {
        let drawn = Drawn { size, aspect, draw: Box::new(draw) };
        Self { content: Content::Drawn(drawn), ..Self::empty() }
    }

    /// A box without content.
    pub fn empty() -> Self {
        Self { id: String::new(), lay: Lay::default(), look: Look::default(), content: Content::Nothing, optional: 0 }
    }

    /// Whether it neither shows anything nor keeps room free.
    pub fn is_nothing(&self) -> bool {
        let lay = &self.lay;
        let sized = lay.grow > 0.0 || lay.basis.is_some() || lay.width.is_some() || lay.height.is_some();
        matches!(self.content, Content::Nothing) && self.look == Look::default() && !sized
    }

    /// The same, laid out otherwise.
    pub fn with<T>(mut self, change: impl FnOnce(&mut Lay) -> T) -> Self {
        change(&mut self.lay);
        self
    }

    /// The same, looking otherwise.
    pub fn looking<T>(mut self, change: impl FnOnce(&mut Look) -> T) -> Self {
        change(&mut self.look);
        self
    }

    /// The same, taking a share of the room that is left.
    pub fn growing(self, share: f32) -> Self {
        self.with(|lay| lay.grow = share)
    }

    /// The same with equal room inside all edges.
    pub fn padded(self, vertical: f32, horizontal: f32) -> Self {
        self.with(|lay| lay.pad = [vertical, horizontal, vertical, horizontal])
    }

    /// The same, keeping its size in rows.
    pub fn rigid(self) -> Self {
        self.with(|lay| lay.shrink = false)
    }

    /// The same standing in a layer at `x`, `y`; `None` fills the layer along that axis.
    pub fn at(self, x: Option<f32>, y: Option<f32>) -> Self {
        self.with(|lay| lay.at = Anchor { x, y })
    }

    /// The same with its point `own` on the point `to` of its layer, both as shares from the start and the top.
    pub fn pinned(self, to: (f32, f32), own: (f32, f32)) -> Self {
        self.with(|lay| lay.pin = Some(Pin { to, own }))
    }

    /// A filled rectangle of the same colour and corners as this box looks, for drawings that need it.
    pub fn filled(self, color: Color, radius: f32) -> Self {
        self.looking(|look| (look.fill, look.radii) = (Some(color), [radius; 4]))
    }
}
