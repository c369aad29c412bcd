//! Turns elements into boxes: the surroundings of an element, and the attributes that all elements share.

use crate::design::Theme;
use crate::scene::{Color, Size};
use crate::text::Align;
use crate::tree::{Length, Node, Space, Step};

use super::boxed::{Border, Boxed, Extent, Flow, Justify, Lay, Place};
use super::ranged::Ranged;
use super::setting::With;

impl<'s> With<'s> {
    /// Returns the tokens of the page's style.
    pub fn theme(&self) -> &'static Theme {
        self.setting.theme()
    }

    /// Returns the surroundings on another ground.
    pub fn on(self, ground: Color) -> Self {
        Self { inks: self.inks.on(ground), ..self }
    }

    /// Returns the surroundings within a flow.
    pub fn within(self, flow: Flow) -> Self {
        Self { flow, ..self }
    }

    /// Returns the surroundings with another text alignment.
    pub fn aligned(self, align: Align) -> Self {
        Self { align, ..self }
    }

    /// Returns a spacing attribute in du; `default` steps of the scale if it is absent and has no default.
    pub fn space(&self, node: &Node, name: &str, default: u8) -> f32 {
        self.frame.space(node.space(name).unwrap_or(Space::Step(default)))
    }

    /// Returns a step of the spacing scale in du.
    pub fn step(&self, n: u8) -> f32 {
        self.frame.space(Space::Step(n))
    }

    /// Returns a type size in du.
    pub fn size(&self, step: Step) -> f32 {
        self.frame.size(step)
    }

    /// Returns the size range of a square mark for words of these sizes, `times` as high as their size.
    pub fn square(&self, min: Step, max: Step, times: f32) -> Ranged<Size> {
        let side = |step| times * self.frame.size(step);
        Ranged { min: Size::new(side(min), side(min)), max: Size::new(side(max), side(max)) }
    }

    /// Returns the width of rules and fine outlines in du.
    pub fn rule(&self) -> f32 {
        self.theme().rule * self.frame.k
    }

    /// Returns the stroke width of charts and icons in du.
    pub fn stroke(&self) -> f32 {
        self.theme().stroke * self.frame.k
    }

    /// Returns a corner radius in du: `times` that of the style's cards.
    pub fn radius(&self, times: f32) -> f32 {
        self.theme().radius * self.frame.k * times
    }

    /// Returns the outline of cards, if the style has one.
    pub fn outline(&self) -> Option<Border> {
        let width = self.theme().card.map_or(0.0, |card| card.stroke) * self.frame.k;
        // The outline has the ink of the page, whatever is inside.
        (width > 0.0).then(|| Border { width, color: self.inks.ink(), dashed: false })
    }

    /// Returns the box of an element; `None` if it isn't meant for pages of this shape.
    pub fn build_box(&self, node: &Node) -> Option<Boxed> {
        if node.shapes("when").is_some_and(|shapes| !shapes.contains(&self.frame.shape)) {
            return None;
        }
        let mut boxed = (self.setting.build_box)(node, self);
        if boxed.id.is_empty() {
            boxed.id.clone_from(&node.id);
        }
        self.common(node, &mut boxed);
        Some(boxed)
    }

    /// Returns the boxes of an element's children.
    pub fn children(&self, node: &Node) -> Vec<Boxed> {
        let mut with = *self;
        let mut boxes = Vec::with_capacity(node.children.len());
        for child in &node.children {
            // An empty box takes no gap either, such as a carousel's mark on a single page.
            let Some(boxed) = with.build_box(child).filter(|boxed| !boxed.is_nothing()) else { continue };
            if let Some(ground) = boxed.look.below {
                with = with.on(ground);
            }
            boxes.push(boxed);
        }
        boxes
    }

    fn common(&self, node: &Node, boxed: &mut Boxed) {
        let extent = |name: &str| node.has(name).then(|| node.length(name)).flatten().map(|l| self.extent(l));
        if let Some(n) = node.number("optional") {
            boxed.optional = n as u8;
        }
        let lay = &mut boxed.lay;
        if node.has("grow") {
            lay.grow = node.number("grow").unwrap_or_default() as f32;
        }
        lay.basis = extent("basis").or(lay.basis);
        lay.width = extent("width").or(lay.width);
        lay.height = extent("height").or(lay.height);
        lay.place = node.get("self").and_then(place).or(lay.place);
        if node.has("at") {
            lay.at = node.anchor("at").unwrap_or_default();
        }
        if let [x, y] = node.numbers("shift")[..]
            && node.has("shift")
        {
            lay.shift = [x as f32 / 100.0, y as f32 / 100.0];
        }
        if node.has("turn") {
            lay.turn = node.number("turn").unwrap_or_default() as f32;
        }
    }

    fn extent(&self, length: Length) -> Extent {
        match length {
            Length::Share(share) => Extent::Share(share),
            Length::Space(space) => Extent::Du(self.frame.space(space)),
        }
    }

    /// Returns the layout from a container's attributes `gap pad align justify`, with a flow for the page's shape.
    pub fn container(&self, node: &Node, flow: Flow, gap: u8, pad: u8) -> Lay {
        let flow = match node.get(self.frame.shape.name()) {
            Some("row") => Flow::Row,
            Some("column") => Flow::Column,
            _ => flow,
        };
        let pad = self.space(node, "pad", pad);
        let align = node.get("align").and_then(place).unwrap_or(match flow {
            Flow::Row => Place::Center,
            _ => Place::Stretch,
        });
        Lay {
            flow,
            gap: self.space(node, "gap", gap),
            pad: [pad; 4],
            align,
            justify: node.get("justify").map_or(Justify::Start, justify),
            ..Lay::default()
        }
    }

    /// Returns the surroundings of the content of a container with this layout.
    pub fn inside(&self, node: &Node, lay: &Lay) -> Self {
        let align = match node.get("align") {
            Some("center") if lay.flow == Flow::Column => Align::Center,
            Some("end") if lay.flow == Flow::Column => Align::End,
            Some("start") if lay.flow == Flow::Column => Align::Start,
            // Text next to something else starts at its own left edge, even if both are centred together.
            _ if lay.flow == Flow::Row && node.children.iter().any(|child| child.has("grow")) => Align::Start,
            _ => self.align,
        };
        self.within(lay.flow).aligned(align)
    }
}

/// Returns the alignment with this name.
pub fn place(name: &str) -> Option<Place> {
    Some(match name {
        "start" => Place::Start,
        "center" => Place::Center,
        "end" => Place::End,
        "stretch" => Place::Stretch,
        "baseline" => Place::Baseline,
        _ => return None,
    })
}

fn justify(name: &str) -> Justify {
    match name {
        "center" => Justify::Center,
        "end" => Justify::End,
        "between" => Justify::Between,
        "evenly" => Justify::Evenly,
        _ => Justify::Start,
    }
}
