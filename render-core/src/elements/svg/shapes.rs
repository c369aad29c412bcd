//! The shapes of an `svg`: their declarations. `draw` reads them.

use super::super::Made;
use crate::tree::{Attribute, Element, Group, Holds, Kind};

const COORDINATE: Kind = Kind::Number(-100_000.0, 100_000.0);
const EXTENT: Kind = Kind::Number(0.0, 100_000.0);
const SHARE: Kind = Kind::Number(0.0, 1.0);

/// The attributes of every shape and group; the shapes in a group inherit all but the last three.
pub const PRESENTATION: [Attribute; 13] = [
    Attribute::new("fill", Kind::Paint),
    Attribute::new("fill-opacity", SHARE),
    Attribute::new("fill-rule", Kind::Choice(&["nonzero", "evenodd"])),
    Attribute::new("stroke", Kind::Paint),
    Attribute::new("stroke-width", EXTENT),
    Attribute::new("stroke-opacity", SHARE),
    Attribute::new("stroke-linecap", Kind::Choice(&["butt", "round", "square"])),
    Attribute::new("stroke-linejoin", Kind::Choice(&["miter", "round", "bevel"])),
    Attribute::new("stroke-dasharray", Kind::Numbers),
    Attribute::new("stroke-dashoffset", COORDINATE),
    Attribute::new("opacity", SHARE),
    Attribute::new("transform", Kind::Transform),
    Attribute::new("clip-path", Kind::Paint),
];

/// Returns the attributes `own`, followed by those of [`PRESENTATION`].
const fn with<const N: usize, const M: usize>(own: [Attribute; N]) -> [Attribute; M] {
    assert!(M == N + PRESENTATION.len(), "one array holds both");
    let mut all = [PRESENTATION[0]; M];
    let mut i = 0;
    while i < M {
        all[i] = if i < N { own[i] } else { PRESENTATION[i - N] };
        i += 1;
    }
    all
}

const fn at(name: &'static str) -> Attribute {
    Attribute::or(name, COORDINATE, "0")
}

const fn side(name: &'static str) -> Attribute {
    Attribute::new(name, EXTENT)
}

const fn part(name: &'static str) -> Attribute {
    Attribute::new(name, Kind::Name)
}

const RECT_TAKES: [Attribute; 19] = with([at("x"), at("y"), side("width"), side("height"), side("rx"), side("ry")]);
const CIRCLE_TAKES: [Attribute; 16] = with([at("cx"), at("cy"), side("r")]);
const ELLIPSE_TAKES: [Attribute; 17] = with([at("cx"), at("cy"), side("rx"), side("ry")]);
const LINE_TAKES: [Attribute; 17] = with([at("x1"), at("y1"), at("x2"), at("y2")]);
const POINTS_TAKE: [Attribute; 14] = with([Attribute::new("points", Kind::Points)]);
const PATH_TAKES: [Attribute; 14] = with([Attribute::new("d", Kind::Path)]);
const USE_TAKES: [Attribute; 16] = with([part("href"), at("x"), at("y")]);

/// The elements allowed in an `svg`; the last is not allowed in a group.
const CONTENTS: [&str; 14] = [
    "rect",
    "circle",
    "ellipse",
    "line",
    "polyline",
    "polygon",
    "path",
    "g",
    "use",
    "linearGradient",
    "radialGradient",
    "clipPath",
    "defs",
    "place",
];
/// The elements allowed in an `svg`.
pub const DRAWN: Holds = Holds::Only(&CONTENTS);
/// The elements allowed in a group.
const HELD: Holds = Holds::Only(CONTENTS.split_at(CONTENTS.len() - 1).0);
const CLIPS: Holds = Holds::Only(&["rect", "circle", "ellipse", "polygon", "path"]);

macro_rules! shapes {
    ($($made:ident $name:literal $about:literal $holds:expr, $takes:expr;)+) => {
        $(
            #[doc = $about]
            pub const $made: Made = Made {
                element: &Element {
                    name: $name,
                    group: Group::Shapes,
                    about: $about,
                    holds: $holds,
                    attributes: &$takes,
                },
                build_box: None,
            };
        )+
    };
}

shapes! {
    RECT "rect" "a rectangle" Holds::Nothing, RECT_TAKES;
    CIRCLE "circle" "a circle" Holds::Nothing, CIRCLE_TAKES;
    ELLIPSE "ellipse" "an ellipse" Holds::Nothing, ELLIPSE_TAKES;
    LINE "line" "a straight line" Holds::Nothing, LINE_TAKES;
    POLYLINE "polyline" "straight lines through points" Holds::Nothing, POINTS_TAKE;
    POLYGON "polygon" "a closed polyline" Holds::Nothing, POINTS_TAKE;
    PATH "path" "path data, as in SVG" Holds::Nothing, PATH_TAKES;
    G "g" "a group; shapes in it inherit fill and stroke" HELD, PRESENTATION;
    LINEAR "linearGradient" "a gradient across the shape's bounds (fill=\"url(#id)\")" Holds::Only(&["stop"]),
        [part("x1"), part("y1"), part("x2"), part("y2"), UNITS];
    RADIAL "radialGradient" "a gradient from a middle outwards" Holds::Only(&["stop"]),
        [part("cx"), part("cy"), part("r"), UNITS];
    STOP "stop" "a colour of a gradient" Holds::Nothing,
        [part("offset"), Attribute::new("stop-color", Kind::Paint), Attribute::new("stop-opacity", SHARE)];
    CLIP "clipPath" "shapes that clip a group (clip-path=\"url(#id)\")" CLIPS,
        [Attribute::new("transform", Kind::Transform)];
    USE "use" "a copy of a shape or g (href=\"#id\"), moved by x, y" Holds::Nothing, USE_TAKES;
    DEFS "defs" "gradients, clips, shapes to use" HELD, [];
}

const UNITS: Attribute = Attribute::or("gradientUnits", Kind::Choice(&["objectBoundingBox"]), "objectBoundingBox");
