//! `art`: an ornament of the art kit.

use super::Made;
use super::graphic::{BLEED, GROW, graphic, moved};
use crate::art::{self, Easel, Scale, Zone};
use crate::design::{Art, Palette, Recipe};
use crate::scene::{Affine, Clip, Coverage, Layer, Rect, Size};
use crate::sheet::{Boxed, Sketch, With};
use crate::tree::{Attribute, Element, Group, Holds, Kind, Node};

/// Shortest side, in multiples of the canvas's shorter edge, at which recipes draw; in smaller boxes their output is
/// scaled down.
const LEAST: f32 = 0.3;
/// Default width over height.
const ASPECT: f32 = 1.25;

const NAMES: [&str; Recipe::ALL.len()] = {
    let mut names = [""; Recipe::ALL.len()];
    let mut i = 0;
    while i < names.len() {
        names[i] = Recipe::ALL[i].name();
        i += 1;
    }
    names
};

const ELEMENT: Element = Element {
    name: "art",
    group: Group::Pictures,
    about: "an abstract ornament; the style's own where name is absent; share where it can say one",
    holds: Holds::Nothing,
    attributes: &[
        Attribute::new("name", Kind::Choice(&NAMES)),
        Attribute::new("seed", Kind::Whole(0, 1_000_000)),
        Attribute::new("share", Kind::Number(0.0, 100.0)),
        Attribute::or("strong", Kind::Flag, "false"),
        BLEED,
        GROW,
    ],
};

pub const MADE: Made = Made { element: &ELEMENT, build_box: Some(build_box) };

/// The inputs for drawing an ornament.
struct Drawn {
    art: Art,
    palette: Palette,
    theme: &'static crate::design::Theme,
    canvas: Size,
    room: Rect,
    k: f32,
    rtl: bool,
    strong: bool,
}

fn build_box(node: &Node, with: &With<'_>) -> Boxed {
    let seed = node.number("seed").map_or(with.setting.seed, |n| n as u64);
    let own = with.theme().lead_art;
    let named = node.get("name").and_then(|name| Recipe::ALL.into_iter().find(|r| r.name() == name.trim()));
    let recipe = named.or_else(|| own.get((seed % own.len().max(1) as u64) as usize).copied());
    let share = node.number("share").map(|n| (n / 100.0) as f32);
    let page = with.setting.touches.art.filter(|_| named.is_none() && !node.has("seed"));
    let page = page.map(|art| Art { value: share.or(art.value), ..art });
    let Some(art) = page.or_else(|| recipe.map(|recipe| Art { recipe, seed, value: share })) else {
        return Boxed::empty();
    };
    let palette = with.setting.palette;
    let drawn = Drawn {
        art,
        palette: if with.inks.ground == palette.bg { palette } else { palette.on_ground(with.inks.ground) },
        theme: with.theme(),
        canvas: with.frame.size,
        room: with.frame.room,
        k: with.frame.k,
        rtl: with.frame.rtl,
        strong: node.flag("strong"),
    };
    graphic(node, with, ASPECT, move |rect| drawn.draw(rect))
}

impl Drawn {
    fn draw(&self, rect: Rect) -> Sketch {
        // Recipes draw at one size. For a small box, the output of a large one is scaled down.
        let scale = (rect.size().short() / (LEAST * self.canvas.short())).min(1.0);
        if scale <= 0.0 {
            return Sketch::default();
        }
        // They draw for pages read from the left; right-to-left pages mirror the output.
        let mirror = Affine([-1.0, 0.0, 0.0, 1.0, self.canvas.w, 0.0]);
        let place = if self.rtl { mirror } else { Affine::IDENTITY }.after(&Affine::scale(scale));
        let zone = if self.rtl { mirror.apply_rect(&rect) } else { rect };
        let large = |r: &Rect| Rect::new(r.x0 / scale, r.y0 / scale, r.x1 / scale, r.y1 / scale);
        let canvas = Size::new(self.canvas.w / scale, self.canvas.h / scale);
        let mut easel = Easel::new(canvas, self.k, large(&self.room), self.palette, self.theme);
        (easel.framed, easel.strong) = (false, self.strong);
        let draw = |easel: &mut Easel| art::draw(easel, &self.art, Zone { rect: large(&zone), scale: Scale::Lead });
        draw(&mut easel);
        let sketch = moved(&Sketch { items: easel.items, layers: easel.layers }, &place);
        let clip = Some(Clip {
            transform: Affine::IDENTITY,
            coverage: Coverage::Rect { rect, radii: [0.0; 4], stroke: None },
        });
        let around = Layer { clip, ..Layer::new(0..sketch.items.len()) };
        Sketch { layers: std::iter::once(around).chain(sketch.layers).collect(), items: sketch.items }
    }
}
