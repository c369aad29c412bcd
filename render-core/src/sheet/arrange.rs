//! Computes the positions of boxes with taffy and the text engine.

use std::collections::HashMap;

use taffy::prelude::*;
use taffy::{LayoutInput, LayoutOutput, compute_leaf_layout};

use crate::scene::{self, Rect as Area};

use super::boxed::{Boxed, Content, Drawn, Extent, Flow, Justify, Lay, Place, Track};
use super::columns::Columns;
use super::words::Words;

/// Extra width for words beyond their measured width, so that rounding breaks no line.
const SLACK: f32 = 0.05;
/// Share of its width that a shrinkable drawing keeps next to words.
const NARROW: f32 = 0.45;
/// Space under words with content below them, in em: the room of descenders.
const DESCENT: f32 = 0.2;
/// How far ascenders reach above the cap line, in em; gaps include this.
const ASCENT: f32 = 0.1;
/// How far the accents of Latin capitals may reach over the edge of a box, in em.
const HIGH: f32 = 0.24;
/// Factors for spaces and drawings at a share of 0 and of −1.
const TIGHT: (f32, f32) = (0.88, 0.42);

/// A box with its position.
#[derive(Debug, Clone, PartialEq)]
pub struct Placed {
    /// Its rectangle in du, before shifts and rotations.
    pub rect: Area,
    /// The size of its words, if it holds words.
    pub size: f32,
    /// The boxes inside it, in the same order.
    pub boxes: Vec<Placed>,
}

/// How tightly a page is laid out: the share of its ranges that type takes, and the largest sizes of groups.
#[derive(Debug, Clone, Default)]
pub struct Tightness {
    /// From −1 (the floor) over 0 (the smallest requested size) to 1 (the largest).
    pub share: f32,
    /// Sizes in du that words of the same group share.
    pub groups: HashMap<String, f32>,
    /// Shares of words that use more of their range than the others, by their group or id.
    pub own: HashMap<String, f32>,
}

impl Tightness {
    /// Returns the factor for spaces.
    fn space(&self) -> f32 {
        if self.share < 0.0 {
            TIGHT.1 + (TIGHT.0 - TIGHT.1) * (1.0 + self.share)
        } else {
            TIGHT.0 + (1.0 - TIGHT.0) * self.share
        }
    }

    /// Returns the largest allowed size of words.
    pub fn most(&self, words: &Words) -> f32 {
        let own = words.size_at(self.own.get(words.key()).copied().unwrap_or(self.share));
        let agreed = words.group.as_ref().and_then(|g| self.groups.get(g));
        agreed.map_or(own, |most| own.min(*most))
    }

    /// Returns the size of a drawing.
    fn drawing(&self, drawn: &Drawn) -> scene::Size {
        let size = drawn.size.at(self.share.max(0.0));
        let k = if self.share < 0.0 { self.space() / TIGHT.0 } else { 1.0 };
        scene::Size::new(size.w * k, size.h * k)
    }
}

/// Lays out `root` in `room` with the given tightness. `rtl` mirrors rows.
pub fn arrange(root: &Boxed, room: Area, tightness: &Tightness, rtl: bool) -> Placed {
    let mut tree: TaffyTree<&Boxed> = TaffyTree::with_capacity(64);
    tree.disable_rounding();
    let top = grow(&mut tree, root, None, tightness, rtl);
    let fixed = |n: f32| Dimension::length(n);
    if let Ok(style) = tree.style(top).cloned() {
        let style = Style { size: Size { width: fixed(room.w()), height: fixed(room.h()) }, ..style };
        let _ = tree.set_style(top, style);
    }
    let mut limited = Vec::new();
    limits(&tree, top, root, tightness.space(), &mut limited);
    if !limited.is_empty() {
        // The first pass gives the boxes their natural height. Then they grow up to their limits, but never below that
        // height.
        restyle(&mut tree, &limited, |style, _, _| style.flex_grow = 0.0);
        layout(&mut tree, top, room, tightness);
        restyle(&mut tree, &limited, |style, limit, high| {
            style.flex_grow = limit.grow;
            style.max_size.height = LengthPercentageAuto::length(limit.most.max(high));
        });
    }
    layout(&mut tree, top, room, tightness);
    if plot(&mut tree, top, root) {
        layout(&mut tree, top, room, tightness);
    }
    placed(&tree, top, root, (room, [0.0; 4]), tightness, rtl)
}

/// Positions the boxes on drawings, once the sizes of the drawings are known. These boxes are outside the flow, so
/// nothing else moves. Returns whether there are any.
fn plot(tree: &mut TaffyTree<&Boxed>, node: NodeId, boxed: &Boxed) -> bool {
    let Content::Boxes(boxes) = &boxed.content else { return false };
    let mut any = false;
    for (child, at) in boxes.iter().zip(tree.children(node).unwrap_or_default()) {
        if let (Some(plot), Ok(own), Ok(style)) = (child.lay.plot, tree.layout(node), tree.style(at)) {
            let canvas = Area::at(0.0, 0.0, own.size.width, own.size.height);
            let rect = plot.view.within(&canvas).apply_rect(&plot.rect);
            let mut style = style.clone();
            let exactly = LengthPercentageAuto::length;
            style.inset = Rect { left: exactly(rect.x0), top: exactly(rect.y0), right: auto(), bottom: auto() };
            style.size = Size { width: Dimension::length(rect.w()), height: Dimension::length(rect.h()) };
            let _ = tree.set_style(at, style);
            any = true;
        }
        any |= plot(tree, at, child);
    }
    any
}

fn layout(tree: &mut TaffyTree<&Boxed>, top: NodeId, room: Area, tightness: &Tightness) {
    let space = Size { width: AvailableSpace::Definite(room.w()), height: AvailableSpace::Definite(room.h()) };
    let _ = tree.compute_layout_with_measure(top, space, |inputs, _, boxed, style| match boxed {
        Some(boxed) => measure(boxed, inputs, style, tightness),
        None => compute_leaf_layout(inputs, style, |_, _| 0.0, |_, _| Size::ZERO),
    });
}

/// A box with a limited height that may grow.
struct Limit {
    node: NodeId,
    grow: f32,
    most: f32,
}

/// Collects the boxes with a limited height.
fn limits(tree: &TaffyTree<&Boxed>, node: NodeId, boxed: &Boxed, k: f32, found: &mut Vec<Limit>) {
    if boxed.lay.most_height > 0.0 {
        found.push(Limit { node, grow: boxed.lay.grow, most: boxed.lay.most_height * k });
    }
    if let Content::Boxes(boxes) = &boxed.content {
        for (child, node) in boxes.iter().zip(tree.children(node).unwrap_or_default()) {
            limits(tree, node, child, k, found);
        }
    }
}

/// Changes the styles of boxes with a limited height, given their height in the last layout.
fn restyle(tree: &mut TaffyTree<&Boxed>, limited: &[Limit], change: impl Fn(&mut Style, &Limit, f32)) {
    for limit in limited {
        let high = tree.layout(limit.node).map_or(0.0, |l| l.size.height);
        if let Ok(mut style) = tree.style(limit.node).cloned() {
            change(&mut style, limit, high);
            let _ = tree.set_style(limit.node, style);
        }
    }
}

fn grow<'b>(
    tree: &mut TaffyTree<&'b Boxed>,
    boxed: &'b Boxed,
    parent: Option<&Lay>,
    tightness: &Tightness,
    rtl: bool,
) -> NodeId {
    let style = style(boxed, parent, tightness, rtl);
    let made = match &boxed.content {
        Content::Boxes(boxes) => {
            let children: Vec<NodeId> =
                boxes.iter().map(|child| grow(tree, child, Some(&boxed.lay), tightness, rtl)).collect();
            if boxed.lay.flow == Flow::Column {
                for (child, node) in boxes.iter().zip(&children).rev().skip(1) {
                    stand_off(tree, child, *node, tightness);
                }
                for (n, (child, node)) in boxes.iter().zip(&children).enumerate() {
                    stand_under(tree, child, *node, tightness, n == 0);
                }
            }
            tree.new_with_children(style, &children)
        }
        Content::Nothing => tree.new_leaf(style),
        Content::Words(_) | Content::Drawn(_) | Content::Columns(_) => tree.new_leaf_with_context(style, boxed),
    };
    made.expect("a taffy tree takes any number of nodes")
}

/// Adds space below words, so that their descenders don't touch what follows; their boxes end at the last baseline.
/// This includes boxes without padding that end in words.
fn stand_off(tree: &mut TaffyTree<&Boxed>, boxed: &Boxed, node: NodeId, tightness: &Tightness) {
    let depth = depth(boxed, tightness);
    if let (true, Ok(style)) = (depth > 0.0, tree.style(node)) {
        let mut style = style.clone();
        style.margin.bottom = LengthPercentageAuto::length(depth);
        let _ = tree.set_style(node, style);
    }
}

/// Returns how far words at the foot of a box reach below it.
fn depth(boxed: &Boxed, tightness: &Tightness) -> f32 {
    match &boxed.content {
        Content::Words(words) => DESCENT.max(words.depth) * tightness.most(words),
        Content::Boxes(boxes) if boxed.lay.flow == Flow::Column && boxed.lay.pad[2] == 0.0 => {
            boxes.last().map_or(0.0, |last| depth(last, tightness))
        }
        _ => 0.0,
    }
}

/// Adds space above words for the accents of their capitals; their boxes begin at the cap line. The first words in a
/// box only get it if marks above their letters are as high as those of Devanagari.
fn stand_under(tree: &mut TaffyTree<&Boxed>, boxed: &Boxed, node: NodeId, tightness: &Tightness, first: bool) {
    let Content::Words(words) = &boxed.content else { return };
    let rise = if first && words.rise <= HIGH { 0.0 } else { words.rise - ASCENT };
    if let (true, Ok(style)) = (rise > 0.0, tree.style(node)) {
        let mut style = style.clone();
        style.margin.top = LengthPercentageAuto::length(rise * tightness.most(words));
        let _ = tree.set_style(node, style);
    }
}

/// Returns the taffy style of a box in a parent with the layout `parent`.
fn style(boxed: &Boxed, parent: Option<&Lay>, tightness: &Tightness, rtl: bool) -> Style {
    let lay = &boxed.lay;
    let k = tightness.space();
    let flow = parent.map_or(Flow::Column, |p| p.flow);
    let du = |n: f32| LengthPercentage::length(n * k);
    let dimension = |extent: Option<Extent>| match extent {
        Some(Extent::Share(share)) => Dimension::percent(share),
        Some(Extent::Du(du)) => Dimension::length(du * k),
        None => Dimension::auto(),
    };
    let mut style = Style {
        display: match lay.flow {
            Flow::Grid(_) | Flow::Layer => Display::Grid,
            _ => Display::Flex,
        },
        direction: if rtl { taffy::Direction::Rtl } else { taffy::Direction::Ltr },
        flex_direction: if lay.flow == Flow::Column { FlexDirection::Column } else { FlexDirection::Row },
        flex_wrap: if lay.flow == Flow::Wrap { FlexWrap::Wrap } else { FlexWrap::NoWrap },
        gap: Size { width: du(lay.gap), height: du(lay.row_gap.unwrap_or(lay.gap)) },
        padding: Rect { top: du(lay.pad[0]), right: du(lay.pad[1]), bottom: du(lay.pad[2]), left: du(lay.pad[3]) },
        align_items: aligned(lay.align),
        justify_content: justified(lay.justify),
        align_self: lay.place.map(aligned),
        flex_grow: lay.grow,
        // Columns never squeeze their content; content that is too high makes the page tighter instead.
        flex_shrink: if flow == Flow::Column || !lay.shrink { 0.0 } else { 1.0 },
        flex_basis: dimension(lay.basis),
        size: Size { width: dimension(lay.width), height: dimension(lay.height) },
        min_size: Size { width: least(lay.least_width, k), height: least(lay.least_height, k) },
        // Rows with their own width in a column are limited to the column's width.
        max_size: Size {
            width: if flow == Flow::Column { LengthPercentageAuto::percent(1.0) } else { LengthPercentageAuto::auto() },
            height: LengthPercentageAuto::auto(),
        },
        ..Style::DEFAULT
    };
    if flow == Flow::Row && lay.grow > 0.0 && lay.basis.is_none() && lay.width.is_none() {
        // Growing boxes in a row share the full width, not only what is left.
        style.flex_basis = Dimension::length(0.0);
    }
    lay_out(lay, &mut style);
    place_in(lay, flow, &mut style);
    if let Content::Drawn(drawn) = &boxed.content {
        match drawn.aspect {
            None => {
                let size = tightness.drawing(drawn);
                style.min_size = Size { width: least(size.w, 1.0), height: least(size.h, 1.0) };
            }
            // If only one side is given, the aspect ratio gives the other.
            Some(aspect) if lay.width.is_some() != lay.height.is_some() => style.aspect_ratio = Some(aspect),
            Some(_) => {}
        }
    }
    style
}

/// Sets the tracks of a grid or a layer.
fn lay_out(lay: &Lay, style: &mut Style) {
    match lay.flow {
        Flow::Grid(columns) => {
            style.grid_template_columns = evenly_sized_tracks(columns);
            style.grid_auto_rows = vec![fr(1.0)];
            if let Some(tracks) = &lay.tracks {
                style.grid_template_columns = tracks.columns.iter().map(|t| track(*t)).collect();
                style.grid_template_rows = tracks.rows.iter().map(|t| track(*t)).collect();
                style.grid_auto_rows = vec![auto()];
                style.align_content = justified(lay.justify);
            }
        }
        Flow::Layer => {
            style.grid_template_columns = evenly_sized_tracks(1);
            style.grid_template_rows = vec![fr(1.0)];
        }
        _ => {}
    }
}

/// Sets the position of a box in a grid or a layer.
fn place_in(lay: &Lay, flow: Flow, style: &mut Style) {
    if let Flow::Grid(columns) = flow {
        style.grid_column = Line { start: span(lay.span.min(columns)), end: GridPlacement::Auto };
        style.justify_self = lay.place.map(aligned);
        style.align_self = None;
    }
    if lay.plot.is_some() {
        style.position = Position::Absolute;
        return;
    }
    if flow == Flow::Layer {
        style.grid_row = Line { start: line(1), end: span(1) };
        style.grid_column = Line { start: line(1), end: span(1) };
        let side = |at: Option<f32>| match at {
            None => AlignItems::STRETCH,
            Some(at) if at < 0.25 => AlignItems::START,
            Some(at) if at > 0.75 => AlignItems::END,
            Some(_) => AlignItems::CENTER,
        };
        (style.justify_self, style.align_self) = match lay.pin {
            Some(_) => (Some(AlignItems::START), Some(AlignItems::START)),
            None => (Some(side(lay.at.x)), Some(side(lay.at.y))),
        };
    }
}

/// Returns a column or row of a grid.
fn track(track: Track) -> GridTemplateComponent<String> {
    match track {
        Track::Content => auto(),
        Track::Share(share) => minmax(length(0.0), fr(share)),
    }
}

fn least(du: f32, k: f32) -> LengthPercentageAuto {
    if du > 0.0 { LengthPercentageAuto::length(du * k) } else { LengthPercentageAuto::auto() }
}

fn aligned(place: Place) -> AlignItems {
    match place {
        Place::Start => AlignItems::START,
        Place::Center => AlignItems::CENTER,
        Place::End => AlignItems::END,
        Place::Stretch => AlignItems::STRETCH,
        Place::Baseline => AlignItems::BASELINE,
    }
}

fn justified(justify: Justify) -> JustifyContent {
    match justify {
        Justify::Start => JustifyContent::START,
        Justify::Center => JustifyContent::CENTER,
        Justify::End => JustifyContent::END,
        Justify::Between => JustifyContent::SPACE_BETWEEN,
        Justify::Evenly => JustifyContent::SPACE_EVENLY,
    }
}

/// Measures a leaf.
fn measure(boxed: &Boxed, inputs: LayoutInput, style: &Style, tightness: &Tightness) -> LayoutOutput {
    match &boxed.content {
        Content::Words(words) => {
            let most = tightness.most(words);
            let mut cap = 0.0;
            let mut output = compute_leaf_layout(
                inputs,
                style,
                |_, _| 0.0,
                |known, available| {
                    let (size, taken) = extent(words, most, known, available);
                    cap = words.shaped.extent(size, f32::INFINITY).height;
                    taken
                },
            );
            if cap > 0.0 {
                output.baselines.first = Some(cap);
            }
            output
        }
        Content::Drawn(drawn) => {
            let size = tightness.drawing(drawn);
            compute_leaf_layout(
                inputs,
                style,
                |_, _| 0.0,
                |known, available| {
                    let (mut w, mut h) = (size.w, size.h);
                    if let Some(aspect) = drawn.aspect {
                        let room = match available.width {
                            AvailableSpace::Definite(room) => room,
                            AvailableSpace::MinContent => NARROW * w,
                            AvailableSpace::MaxContent => f32::INFINITY,
                        };
                        w = w.min(known.height.unwrap_or(h) * aspect).min(room);
                        h = h.min(known.width.unwrap_or(w) / aspect);
                    }
                    Size { width: known.width.unwrap_or(w), height: known.height.unwrap_or(h) }
                },
            )
        }
        Content::Columns(columns) => {
            let own = Columns::extent(columns.at_share(tightness.share));
            let size = |known: Size<Option<f32>>| Size {
                width: known.width.unwrap_or(own.w),
                height: known.height.unwrap_or(own.h),
            };
            compute_leaf_layout(inputs, style, |_, _| 0.0, |known, _| size(known))
        }
        Content::Nothing | Content::Boxes(_) => compute_leaf_layout(inputs, style, |_, _| 0.0, |_, _| Size::ZERO),
    }
}

/// Returns the size of words and their extent at a known or available width.
fn extent(words: &Words, most: f32, known: Size<Option<f32>>, available: Size<AvailableSpace>) -> (f32, Size<f32>) {
    let width = known.width.or(match available.width {
        AvailableSpace::Definite(width) => Some(width),
        AvailableSpace::MaxContent => None,
        AvailableSpace::MinContent => Some(words.shaped.narrowest() * words.floor.max(0.75 * most) + SLACK),
    });
    // Without a given width, words are measured on one line.
    let width = width.unwrap_or(words.shaped.widest().max(words.room) * most + SLACK);
    let size = words.largest(most, width);
    let taken = words.shaped.extent(size, width);
    let wide = (taken.width + SLACK).max(words.room * size);
    let own = Size { width: wide.min(width.max(0.0)), height: taken.height };
    (size, Size { width: known.width.unwrap_or(own.width), height: known.height.unwrap_or(own.height) })
}

fn placed(
    tree: &TaffyTree<&Boxed>,
    node: NodeId,
    boxed: &Boxed,
    parent: (Area, [f32; 4]),
    tightness: &Tightness,
    rtl: bool,
) -> Placed {
    let layout = tree.unrounded_layout(node);
    let (w, h) = (layout.size.width, layout.size.height);
    let (x, y) = match boxed.lay.pin {
        Some(pin) => {
            let from_left = |share: f32| if rtl { 1.0 - share } else { share };
            let [top, right, bottom, left] = parent.1.map(|pad| pad * tightness.space());
            let room = Area { x0: left, y0: top, x1: parent.0.w() - right, y1: parent.0.h() - bottom };
            let x = room.x0 + from_left(pin.to.0) * room.w() - from_left(pin.own.0) * w;
            (x, room.y0 + pin.to.1 * room.h() - pin.own.1 * h)
        }
        None => (layout.location.x, layout.location.y),
    };
    let rect = Area::at(parent.0.x0 + x, parent.0.y0 + y, w, h);
    let size = match &boxed.content {
        Content::Words(words) => words.largest(tightness.most(words), rect.w() + SLACK),
        Content::Columns(columns) => columns.at_share(tightness.share).size,
        _ => 0.0,
    };
    let boxes = match &boxed.content {
        Content::Boxes(boxes) => {
            let nodes = tree.children(node).unwrap_or_default();
            nodes
                .into_iter()
                .zip(boxes)
                .map(|(n, b)| placed(tree, n, b, (rect, boxed.lay.pad), tightness, rtl))
                .collect()
        }
        _ => Vec::new(),
    };
    Placed { rect, size, boxes }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn placed(root: &Boxed, rtl: bool) -> Placed {
        arrange(root, Area::at(0.0, 0.0, 200.0, 400.0), &Tightness { share: 1.0, ..Tightness::default() }, rtl)
    }

    fn block(w: f32, h: f32) -> Boxed {
        Boxed::empty().with(|lay| (lay.least_width, lay.least_height) = (w, h))
    }

    #[test]
    fn pins_are_exact_and_mirrored() {
        let root = Boxed::layer(vec![block(20.0, 10.0).pinned((0.25, 1.0), (0.5, 1.0))]);
        assert_eq!(placed(&root, false).boxes[0].rect, Area::at(40.0, 390.0, 20.0, 10.0));
        assert_eq!(placed(&root, true).boxes[0].rect, Area::at(140.0, 390.0, 20.0, 10.0));
    }

    #[test]
    fn rows_grow_up_to_a_height_and_are_never_lower_than_what_they_hold() {
        let row = |h: f32| Boxed::column(0.0, vec![block(20.0, h)]);
        let placed = placed(&Boxed::spread(60.0, 0.0, vec![row(10.0), row(90.0)]), false);
        let rows: Vec<(f32, f32)> = placed.boxes.iter().map(|b| (b.rect.y0, b.rect.h())).collect();
        assert_eq!(rows, [(125.0, 60.0), (185.0, 90.0)]);
    }
}
